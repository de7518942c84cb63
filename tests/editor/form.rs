//! The form: fields, mounts, counts, the list of systems, choosing, moving, mirroring, the clipboard.

use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use moldloft::design::TablePath;
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::{Command, Edit, FormTarget, InspectorTab};

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const SIRENNA: &str = "designs/b5-house-rules/sirenna.toml";
const ATLAS: &str = "designs/sky-full-of-ships/atlas.toml";
const ALL: [&str; 5] =
    [VIGILANT, SIRENNA, ATLAS, "designs/star-navy/chicago.toml", "designs/battleships-1890s/imperatrice-elise.toml"];

fn open(file: &str) -> Bench {
    Bench::opened(&[file])
}

fn undo_all(bench: &mut Bench) {
    while bench.doc().history.undo_label().is_some() {
        bench.press(Modifiers::COMMAND, Key::Z);
    }
}

/// Selects rows by label.
fn choose(bench: &mut Bench, rows: &[&str]) {
    for (n, row) in rows.iter().enumerate() {
        bench.harness.get_by_label(row).scroll_to_me();
        bench.settle();
        let modifiers = if n == 0 { Modifiers::NONE } else { Modifiers::COMMAND };
        bench.harness.get_by_label(row).click_modifiers(modifiers);
        bench.settle();
    }
}

/// What one frame copies to the clipboard.
fn copied(bench: &mut Bench) -> String {
    bench.harness.step();
    let commands = &bench.harness.output().platform_output.commands;
    let text = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    text.unwrap_or_default()
}

fn undoes(bench: &Bench) -> String {
    bench.doc().history.undo_label().unwrap_or_default().to_owned()
}

#[test]
fn every_game_has_a_form() {
    for file in ALL {
        let mut bench = open(file);
        assert!(bench.shows("name") && !bench.shows("notes"), "{file}: what it is takes one line");
        bench.give(Command::ShowIdentity(true));
        assert!(bench.shows("name") && bench.shows("notes"), "{file}");
    }
    let bench = open(ATLAS);
    assert!(bench.shows("electronic defences") && bench.shows("special weapon"));
}

#[test]
fn a_field_is_changed_and_says_so() {
    let mut bench = open(ATLAS);
    bench.click("more electronic defences");
    // 4 is the maximum.
    assert!(!bench.is_enabled("more electronic defences"));
    bench.click("fewer electronic defences");
    assert!(bench.text().contains("screens = 3"), "{}", bench.text());
    assert_eq!(undoes(&bench), "change electronic defences");
    bench.click("agile");
    assert!(bench.text().contains("agile = true"));
    undo_all(&mut bench);
    assert!(!bench.text().contains("agile"));
}

#[test]
fn one_more_is_one_step_and_of_none_the_row_stays() {
    let mut bench = open(VIGILANT);
    let before = bench.text();
    bench.click("more missile launcher, port");
    assert_eq!(undoes(&bench), "add missile launcher, port");
    let at = bench.harness.get_by_label("fewer laser, forward chase").rect().center();
    let rows: Vec<f32> = rows_of(&bench, "forward chase");
    for _ in 0..10 {
        bench.click_at(at);
    }
    assert_eq!(undoes(&bench), "set laser, forward chase to 0");
    assert_eq!(rows_of(&bench, "forward chase"), rows, "nothing has slid under the pointer");
    let doc = bench.doc();
    assert!(doc.text().contains("count = 0"));
    assert!(doc.findings().iter().all(|finding| !finding.message.contains("laser")), "{:?}", doc.findings());
    bench.press(Modifiers::COMMAND, Key::Z);
    bench.click("fewer laser, forward chase");
    bench.click("remove laser, forward chase");
    assert_eq!(undoes(&bench), "remove laser, forward chase");
    assert!(!bench.shows("laser, forward chase"));
    undo_all(&mut bench);
    assert_eq!(bench.text(), before);
}

/// The vertical positions of a mount's rows.
fn rows_of(bench: &Bench, mount: &str) -> Vec<f32> {
    let evaluation = bench.doc().evaluation().unwrap().clone();
    let label = |fit: &moldloft::evaluate::FitResult| format!("number of {}, {mount}", fit.name);
    let id = &evaluation.mounts.iter().find(|known| *known.label == *mount).unwrap().id;
    let fits = evaluation.fits.iter().filter(|fit| fit.mount == *id);
    fits.map(|fit| bench.harness.get_by_label(&label(fit)).rect().top()).collect()
}

#[test]
fn a_count_that_cannot_be_is_shown_as_it_is_written() {
    let mut bench = Bench::new(&[VIGILANT]);
    let path = bench.path(VIGILANT);
    let text = std::fs::read_to_string(&path).unwrap().replacen("count = 5", "count = -3", 1);
    std::fs::write(path, text).unwrap();
    bench.open(VIGILANT);
    let shown = || {
        let node = bench.harness.get_by_label("number of missile launcher, port");
        node.accesskit_node().value()
    };
    assert_eq!(shown().map(|value| value.replace('−', "-")).as_deref(), Some("-3"));
    bench.click("more missile launcher, port");
    assert!(bench.text().contains("count = 0") && !bench.text().contains("count = -3"));
}

#[test]
fn figures_typed_on_a_row_set_its_count() {
    let mut bench = open(VIGILANT);
    let before = bench.text();
    let count = |bench: &Bench| {
        let evaluation = bench.doc().evaluation().unwrap().clone();
        evaluation.fits.iter().find(|fit| *fit.system == *"laser" && *fit.mount == *"port").unwrap().count
    };
    let key =
        |key: Key| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE };
    let quick = |bench: &mut Bench, events: &[Event]| {
        for event in events {
            bench.harness.event(event.clone());
            bench.harness.step();
        }
        bench.settle();
    };
    let figure = |figure: &str| Event::Text(figure.to_owned());
    choose(&mut bench, &["laser, port"]);
    quick(&mut bench, &[figure("1"), figure("2")]);
    assert_eq!((count(&bench), undoes(&bench).as_str()), (12, "set laser, port to 12"));
    assert_eq!(bench.focused().as_deref(), Some("laser, port"));
    bench.press(Modifiers::NONE, Key::Backspace);
    assert_eq!(count(&bench), 1, "a figure is taken back");
    quick(&mut bench, &[figure("5"), key(Key::Escape)]);
    assert_eq!(count(&bench), 1, "Esc takes the number back");
    quick(&mut bench, &[figure("7"), key(Key::Enter), figure("3")]);
    assert_eq!(count(&bench), 3, "Enter ends a number");
    undo_all(&mut bench);
    assert_eq!(bench.text(), before);
}

#[test]
fn a_number_that_is_refused_leaves_what_was_there() {
    let mut bench = open(VIGILANT);
    let before = bench.text();
    let at = bench.rect("number of missile launcher, port").center();
    bench.click_at(at);
    for digit in "99999999999".chars() {
        bench.type_text(&digit.to_string());
    }
    assert!(bench.shows_part("expected 0 to 9999, found 99999999999"));
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.text(), before);
    bench.click_at(at);
    bench.type_text("6");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_ne!(bench.text(), before);
}

/// The side that has systems is copied to the one that has none, whichever it is.
#[test]
fn mirroring_all_empties_no_side() {
    let mut bench = open(VIGILANT);
    let of = |bench: &Bench, mount: &str| {
        let design = bench.doc().evaluation().unwrap().clone();
        design.fits.iter().filter(|fit| *fit.mount == *mount).map(|fit| fit.count).sum::<u32>()
    };
    let all = of(&bench, "starboard");
    let text = bench.text();
    let kept = text.split("[[fit]]").filter(|part| !part.contains("mount = \"port\""));
    let without = kept.collect::<Vec<_>>().join("[[fit]]");
    assert!(all > 3 && without != bench.text());
    bench.give(Command::OpenText { text: without.into() });
    assert_eq!(of(&bench, "port"), 0);
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::R);
    assert_eq!((of(&bench, "port"), of(&bench, "starboard")), (all, all));
}

#[test]
fn a_number_before_the_name_adds_as_many() {
    let mut bench = open(VIGILANT);
    bench.click("Add to forward ring");
    bench.type_text("4 beta");
    assert!(bench.shows_part("add 4 × beta node, +4 mass"), "the price of all of them");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(undoes(&bench), "add 4 × beta node, forward ring");
    let evaluation = bench.doc().evaluation().unwrap().clone();
    let before = 8;
    let fits = evaluation.fits.iter().filter(|fit| *fit.system == *"beta-node" && *fit.mount == *"forward-ring");
    assert_eq!(fits.map(|fit| fit.count).sum::<u32>(), before + 4);
    bench.press(Modifiers::COMMAND, Key::A);
    bench.type_text("zzz");
    assert!(bench.shows_part("No system matches “zzz”"));
}

#[test]
fn several_are_added_at_once() {
    let mut bench = open(VIGILANT);
    let count = |bench: &Bench, system: &str, mount: &str| -> u32 {
        let fits = &bench.doc().evaluation().unwrap().fits;
        fits.iter().filter(|fit| *fit.system == *system && *fit.mount == *mount).map(|fit| fit.count).sum()
    };
    let before = bench.text();
    let beta = count(&bench, "beta-node", "forward-ring");
    bench.click("Add to forward ring");
    bench.type_text("2 alpha, 3 beta, 1 alpha");
    assert!(bench.shows_part("2 × alpha node and") && bench.shows_part("3 × beta node and"));
    let points = |bench: &Bench| bench.doc().evaluation().unwrap().points.unwrap();
    let dearer = |bench: &Bench, before: i64| format!("+{} points", points(bench) - before);
    let cost = points(&bench);
    let alpha = count(&bench, "alpha-node", "forward-ring");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(count(&bench, "alpha-node", "forward-ring"), alpha + 3);
    assert_eq!(count(&bench, "beta-node", "forward-ring"), beta + 3);
    let said = dearer(&bench, cost);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert!(bench.shows_part("in all +") && bench.shows_part(&said), "the price of all: {said}");
    bench.press(Modifiers::NONE, Key::Escape);
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before, "one step");
    // New ones in their order, and mirrored with the list still open.
    bench.give(Command::OpenText { text: "ruleset = \"wars-of-honor\"\nname = \"Row\"\n".into() });
    bench.click("Add to port");
    bench.type_text("2 missile launcher, laser, graser");
    assert!(bench.shows_part("Enter adds 4"), "all of them");
    bench.press(Modifiers::NONE, Key::Enter);
    let order = |bench: &Bench| -> Vec<String> {
        let fits = &bench.doc().as_design().unwrap().design.fits;
        fits.iter().map(|fit| fit.system.text.to_string()).collect()
    };
    assert_eq!(order(&bench), ["missile-launcher", "laser", "graser"]);
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::R);
    assert_eq!(order(&bench).len(), 6, "{}", bench.text());
    bench.press(Modifiers::NONE, Key::Escape);
    let id = bench.doc().id;
    bench.give(Command::CloseAnyway(id));
    bench.open(VIGILANT);
    // What is not known is said, and nothing is added.
    bench.click("Add to port");
    bench.type_text("zzz, graser");
    assert!(bench.shows_part("No system matches “zzz”"));
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.text(), before);
}

#[test]
fn paste_goes_where_the_choice_is() {
    let mut bench = open(VIGILANT);
    let lasers = |bench: &Bench, mount: &str| {
        let evaluation = bench.doc().evaluation().unwrap().clone();
        evaluation.fits.iter().filter(|fit| *fit.system == *"laser" && *fit.mount == *mount).count()
    };
    choose(&mut bench, &["laser, forward chase"]);
    bench.harness.event(Event::Copy);
    let copied = copied(&mut bench);
    let (fore, aft) = (lasers(&bench, "forward"), lasers(&bench, "aft"));
    bench.click("After chase");
    bench.harness.event(Event::Paste(copied.clone()));
    bench.settle();
    assert_eq!((lasers(&bench, "forward"), lasers(&bench, "aft")), (fore, aft + 1));
    let screen = bench.harness.ctx.content_rect();
    let selected = bench.doc().selected.clone();
    let row = bench.harness.get_all_by_label("laser, after chase").last().unwrap().rect();
    assert!(selected.len() == 1 && screen.contains_rect(row), "in sight: {row:?}");
    choose(&mut bench, &["graser, starboard"]);
    let port = lasers(&bench, "starboard");
    bench.harness.event(Event::Paste(copied.clone()));
    bench.settle();
    assert_eq!(lasers(&bench, "starboard"), port + 1, "into the mount of the row that is chosen");
    let before = bench.text();
    bench.click("Core");
    bench.harness.event(Event::Paste(copied));
    bench.settle();
    assert_eq!(bench.text(), before);
    assert!(bench.shows_part("Not pasted: laser is not allowed in core, only in forward chase"));
}

#[test]
fn the_list_adds_what_was_searched_for_and_prices_it() {
    let mut bench = open(VIGILANT);
    bench.click("Add to forward chase");
    assert!(bench.shows("search systems"));
    assert!(bench.shows_part("add grav lance, +6 mass"), "a price on this ship");
    assert!(bench.shows_part("alpha node: not here, alpha node is not allowed in forward chase, only in forward ring"));
    bench.harness.event(Event::Text("grav".into()));
    bench.settle();
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows("grav lance, forward chase"));
    assert_eq!(undoes(&bench), "add grav lance, forward chase");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.text().contains("system = \"grav-lance\"\nmount = \"forward\"\ncount = 2"), "{}", bench.text());
    let state = bench.state();
    let prices = &state.system_costs;
    assert!(prices.is_of(bench.doc().id, state.system_picker.as_ref().unwrap()));
    assert_eq!(prices.revision, bench.doc().revision, "prices follow the edit");
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(!bench.shows("search systems"));
}

#[test]
fn a_system_that_the_rules_do_not_have_is_defined_from_the_list() {
    let mut bench = open(SIRENNA);
    bench.click("Add to forward");
    bench.type_text("Neutron lance");
    bench.click("Define “Neutron lance” as a weapon");
    assert!(bench.text().contains("name = \"Neutron lance\""), "{}", bench.text());
    assert!(!bench.shows("search systems"));
    let ship = bench.doc().evaluation().unwrap();
    let lance =
        ship.fits.iter().find(|fit| &*fit.name == "Neutron lance").expect("it is fitted where it was looked for");
    assert_eq!(&*lance.mount, "forward");
    bench.give(Command::Undo);
    assert!(!bench.text().contains("lance"), "one step: {}", bench.text());
}

#[test]
fn what_is_chosen_is_deleted_duplicated_moved_and_comes_back() {
    let mut bench = open(VIGILANT);
    let before = bench.text();
    choose(&mut bench, &["laser, port", "graser, port"]);
    assert_eq!(bench.doc().selected.len(), 2);
    bench.press(Modifiers::ALT, Key::ArrowUp);
    assert_eq!(undoes(&bench), "move 2 systems up");
    bench.press(Modifiers::COMMAND, Key::D);
    assert_eq!(undoes(&bench), "duplicate 2 systems");
    bench.press(Modifiers::NONE, Key::Delete);
    assert_eq!(undoes(&bench), "remove 2 systems");
    bench.press(Modifiers::COMMAND, Key::A);
    bench.press(Modifiers::NONE, Key::Delete);
    assert!(bench.shows_part("Add a system to a mount to start"));
    undo_all(&mut bench);
    assert_eq!(bench.text(), before);
}

#[test]
fn the_keyboard_goes_with_the_row_that_it_moves() {
    let mut bench = open(VIGILANT);
    bench.harness.get_by_label("graser, port").focus();
    bench.settle();
    for key in [Key::ArrowUp, Key::ArrowUp, Key::ArrowDown] {
        bench.press(Modifiers::ALT, key);
        assert!(bench.harness.get_by_label("graser, port").is_focused(), "{key:?}");
    }
    assert_eq!(undoes(&bench), "move graser, port down");
    // Of several, the one that had it.
    choose(&mut bench, &["graser, port", "laser, port"]);
    bench.press(Modifiers::ALT, Key::ArrowUp);
    assert!(bench.harness.get_by_label("laser, port").is_focused());
}

#[test]
fn a_new_row_of_numbers_goes_on_from_the_last() {
    let mut bench = open(SIRENNA);
    bench.give(Command::GoTo(FormTarget::Field("movement".into())));
    bench.click("Add a row to movement table");
    let row = "{ speed = 13, delay = 3, half = 4 }";
    assert!(bench.text().contains(row), "{}", bench.text());
}

#[test]
fn moving_to_a_mount_says_why_not() {
    let mut bench = open(VIGILANT);
    choose(&mut bench, &["laser, port"]);
    bench.press(Modifiers::COMMAND, Key::M);
    assert!(bench.is_enabled("move to after chase") && !bench.is_enabled("move to core"));
    assert!(bench.shows_part("laser is not allowed in core, only in forward chase, after chase, port or starboard"));
    bench.click("move to after chase");
    assert_eq!(undoes(&bench), "move laser, port to after chase");
    assert!(!bench.shows("laser, port"));
}

#[test]
fn mirroring_makes_the_other_side_alike() {
    let mut bench = open(VIGILANT);
    bench.click("more laser, port");
    choose(&mut bench, &["laser, port"]);
    bench.press(Modifiers::COMMAND, Key::R);
    assert_eq!(undoes(&bench), "mirror laser, port");
    let counts = |bench: &Bench, mount: &str| -> Vec<(String, u32)> {
        let evaluation = bench.doc().evaluation().unwrap().clone();
        let fits = evaluation.fits.iter().filter(|fit| *fit.mount == *mount);
        fits.map(|fit| (fit.system.to_string(), fit.count)).collect()
    };
    assert_eq!(counts(&bench, "port"), counts(&bench, "starboard"));
    choose(&mut bench, &["graser, port"]);
    bench.press(Modifiers::NONE, Key::Delete);
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::R);
    assert_eq!(undoes(&bench), "mirror all mount pairs");
    assert_eq!(counts(&bench, "port"), counts(&bench, "starboard"));
    assert!(!bench.shows("graser, starboard"));
}

#[test]
fn systems_are_copied_between_designs_and_unknown_ones_are_kept() {
    let mut bench = Bench::opened(&[VIGILANT, "designs/star-navy/chicago.toml"]);
    choose(&mut bench, &["laser, port", "graser, port"]);
    bench.harness.event(Event::Copy);
    let copied = copied(&mut bench);
    assert!(copied.contains("system = \"laser\"") && copied.contains("count = 2"), "{copied}");
    bench.open("designs/star-navy/chicago.toml");
    bench.harness.event(Event::Paste(copied));
    bench.settle();
    assert!(bench.shows("Unknown to these rules"));
    assert!(bench.shows_part("unknown system `graser`"));
    assert!(bench.text().contains("mount = \"port\""));
    bench.harness.event(Event::Cut);
    bench.settle();
    assert!(!bench.shows("Unknown to these rules"));
}

#[test]
fn keys_of_a_row_go_to_the_next_and_count() {
    let mut bench = open(VIGILANT);
    choose(&mut bench, &["missile launcher, forward chase"]);
    bench.press(Modifiers::NONE, Key::ArrowDown);
    let doc = bench.doc();
    let evaluation = doc.evaluation().unwrap();
    let chosen: Vec<&str> =
        evaluation.fits.iter().filter(|fit| doc.selected.contains(&fit.index)).map(|fit| &*fit.system).collect();
    assert_eq!(chosen, ["counter-missile-launcher"]);
    bench.press(Modifiers::NONE, Key::ArrowRight);
    assert_eq!(undoes(&bench), "add counter-missile launcher, forward chase");
    bench.press(Modifiers::SHIFT, Key::ArrowDown);
    assert_eq!(bench.doc().selected.len(), 2);
}

#[test]
fn no_key_of_the_form_fires_while_text_is_typed() {
    let mut bench = open(VIGILANT);
    choose(&mut bench, &["laser, port"]);
    let before = bench.text();
    bench.focus("name");
    bench.press(Modifiers::NONE, Key::Delete);
    bench.press(Modifiers::COMMAND, Key::D);
    assert_eq!(bench.text(), before);
    bench.harness.event(Event::Text("Old ".into()));
    bench.settle();
    bench.harness.event(Event::Text("Iron ".into()));
    bench.settle();
    assert!(bench.text().contains("Old Iron"), "{}", bench.text());
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before, "letters typed in a row are one step");
}

#[test]
fn rows_and_own_systems_are_edited() {
    let mut bench = open(SIRENNA);
    bench.click_first("Side hit · 4 rows");
    bench.click_first("Side hit · 4 rows");
    bench.click("Add a row to side hit");
    assert!(bench.text().contains(r#"{ from = 1, to = 10, hits = "aft" }"#), "{}", bench.text());
    bench.click_first("Neutron pulsar");
    bench.click("more recharge of neutron pulsar");
    assert!(bench.text().contains("recharge = 3"), "{}", bench.text());
    undo_all(&mut bench);
    assert!(bench.text().contains("recharge = 2"));
}

#[test]
fn what_the_rules_do_not_know_is_shown_and_kept() {
    let folder = Bench::new(&[VIGILANT]);
    let path = folder.path(VIGILANT);
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace("nation = \"manticore\"", "nation = \"grayson\"\nspeed = 9").replacen(
        "system = \"cnc\"",
        "system = \"bridge\"",
        1,
    );
    std::fs::write(&path, &text).unwrap();
    let mut bench = folder;
    bench.open(VIGILANT);
    assert!(bench.shows("Unknown to these rules"));
    assert!(bench.shows_part("speed = 9"));
    bench.click("remove speed of the fields");
    assert!(!bench.text().contains("speed"));
    assert!(bench.text().contains("grayson") && bench.text().contains("bridge"));
}

#[test]
fn the_headline_says_what_is_wasted_and_what_is_over() {
    let bench = open(VIGILANT);
    assert!(bench.shows_part("mass: 125, 1 spare: 124 also gives 37"), "wasted mass and the next step");
    let said = bench.harness.query_all_by_label_contains("1 spare: 124 also gives 37");
    let lowest = said.map(|node| node.rect().bottom()).fold(0.0, f32::max);
    assert!(bench.rect("Suggest…").top() >= lowest, "what is below it covers no line of a number: {lowest}");
    let mut bench = open("designs/sky-full-of-ships/burlington.toml");
    assert!(bench.shows_part("mass of all weapons: 9, of 11 · 2 left"));
    for _ in 0..3 {
        bench.click("fewer mass");
    }
    assert!(bench.shows_part("mass of all weapons: 9, ! 1 over 8"));
}

#[test]
fn the_menu_says_what_is_undone() {
    let mut bench = open(VIGILANT);
    bench.click("more laser, port");
    bench.click("Edit");
    assert!(bench.shows_part("Undo add laser, port"));
}

#[test]
fn a_mount_is_made_like_its_counterpart() {
    let mut bench = open(VIGILANT);
    bench.click("fewer graser, starboard");
    bench.click("More actions for port");
    bench.click("Make starboard like port");
    assert_eq!(undoes(&bench), "make starboard like port");
    assert!(bench.text().matches("system = \"graser\"").count() == 4);
}

#[test]
fn rows_are_dragged_and_refused_where_they_are_not_allowed() {
    let mut bench = open(VIGILANT);
    let drag = |bench: &mut Bench, from: &str, to: &str| {
        let from = bench.harness.get_by_label(from).rect().center();
        let to = bench.harness.get_by_label(to).rect().center();
        bench.harness.drag_at(from);
        bench.harness.run_steps(2);
        bench.harness.hover_at(from + egui::vec2(12.0, 12.0));
        bench.harness.run_steps(2);
        bench.harness.hover_at(to);
        bench.harness.run_steps(2);
        bench.harness.drop_at(to);
        bench.settle();
    };
    let before = bench.text();
    drag(&mut bench, "laser, forward chase", "alpha node, forward ring");
    assert_eq!(bench.text(), before);
    assert!(bench.shows_part("Not moved: laser is not allowed in forward ring"));
    drag(&mut bench, "graser, forward chase", "missile launcher, forward chase");
    assert_eq!(undoes(&bench), "move graser, forward chase to forward chase");
}

#[test]
fn a_narrow_window_stacks_the_mounts() {
    let bench = Bench::opened_in(&[VIGILANT], 1024.0, 700.0);
    let left = |label: &str| bench.harness.get_by_label(label).rect().left();
    assert!((left("laser, port") - left("laser, starboard")).abs() < 1.0);
    let wide = open(VIGILANT);
    let left = |label: &str| wide.harness.get_by_label(label).rect().left();
    assert!(left("laser, port") + 100.0 < left("laser, starboard"));
}

#[test]
fn form_targets_get_the_focus() {
    let mut bench = open(SIRENNA);
    let last = bench.doc().evaluation().unwrap().fits.last().unwrap().index;
    for (place, label) in [
        (FormTarget::Fit(last), "structure, primary"),
        (FormTarget::Field("accn".into()), "accn, thrust per hex of speed"),
        (FormTarget::TopKey("name"), "name"),
        (FormTarget::Mount("aft".into()), "Add to aft"),
    ] {
        bench.give(Command::GoTo(place));
        assert!(bench.harness.get_by_label(label).is_focused(), "{label}");
        assert_eq!(bench.state().go_to, None);
    }
    for place in [FormTarget::Fit(999), FormTarget::Field("nowhere".into()), FormTarget::Mount("moon".into())] {
        bench.give(Command::GoTo(place));
        assert_eq!(bench.state().go_to, None, "nobody waits for a place that is not there");
    }
}

#[test]
fn every_number_explains_itself() {
    let mut bench = open(VIGILANT);
    bench.click("thrust: 16, 17 at 18 beta nodes");
    assert_eq!(bench.state().inspector_tab, InspectorTab::Explain);
    assert!(bench.shows_part("2 * alpha + beta"));
    bench.click("alpha node, forward ring: 8 mass, 2 each; 304 points, 76 each");
    assert!(bench.shows_part("2 + 2 * structure"));
}

#[test]
fn the_next_search_replaces_the_last_one() {
    let mut bench = open(VIGILANT);
    bench.click("Add to forward chase");
    for text in ["3 graser", "2 laser"] {
        bench.harness.event(Event::Text(text.into()));
        bench.settle();
        bench.press(Modifiers::NONE, Key::Enter);
    }
    assert_eq!(undoes(&bench), "add 2 × laser, forward chase", "{}", bench.text());
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.text().contains("system = \"laser\"\nmount = \"forward\"\ncount = 5"), "{}", bench.text());
}

#[test]
fn a_new_design_does_not_fold_under_the_pointer() {
    let mut bench = Bench::new(&[]);
    let create = LibraryCommand::CreateDesign { game: "wars-of-honor".into(), copy_of: None };
    bench.give(Command::Library(create));
    bench.type_text("Kestrel");
    assert_eq!(bench.doc().name(), "Kestrel", "the name has the focus, and is replaced");
    let at = |bench: &Bench| bench.harness.get_by_label("Add to core").rect().top();
    let before = at(&bench);
    bench.click("Add to forward ring");
    bench.harness.event(Event::Text("4 alpha".into()));
    bench.settle();
    bench.press(Modifiers::NONE, Key::Enter);
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(bench.shows("notes") && at(&bench) >= before, "what it is stays open while it is made");
    bench.click("Fold name, choices and notes to one line");
    assert!(!bench.shows("notes"));
    bench.click("Show choices and notes");
    assert!(bench.shows("notes"));
}

#[test]
fn charts_of_hits_fill_themselves_and_rows_go_on_where_the_last_ends() {
    let mut bench = Bench::opened(&[SIRENNA]);
    for field in ["sides_hit", "location"] {
        bench.give(Command::Edit(Edit::change(field, TablePath::Fields, field, None)));
    }
    let complaints = |bench: &Bench| {
        let codes = bench.doc().findings().iter().map(|finding| finding.code.to_string());
        codes.filter(|code| code.contains("chart") || code.contains("location") || code == "never-hit").count()
    };
    assert!(complaints(&bench) > 0);
    // The first row is all of the die; cut short, the next goes on with another side.
    bench.give(Command::GoTo(FormTarget::Field("sides_hit".into())));
    bench.click("Add a row to side hit");
    assert!(bench.text().contains(r#"from = 1, to = 10, hits = "forward""#), "{}", bench.text());
    let row = TablePath::Row { field: "sides_hit".into(), row: 0 };
    bench.give(Command::Edit(Edit::change("cut", row, "to", Some(4.into()))));
    bench.click("Add a row to side hit");
    assert!(bench.text().contains(r#"from = 5, to = 10, hits = "port""#), "{}", bench.text());
    bench.click("Fill side hit by boxes");
    bench.give(Command::GoTo(FormTarget::Field("location".into())));
    bench.click("Fill location by boxes");
    assert_eq!((complaints(&bench), bench.doc().is_legal()), (0, Some(true)), "{}", bench.text());
    assert!(!bench.text().contains(r#"hits = "primary""#), "what is inside is hit through the sides");
}

#[test]
fn a_number_before_a_system_of_boxes_is_its_boxes() {
    let mut bench = Bench::opened(&[SIRENNA]);
    bench.click_first("Add to aft");
    assert!(bench.shows("Add to aft"), "the list says where");
    bench.type_text("20 reactor");
    assert!(bench.shows_part("add reactor, 20 boxes"), "not twenty reactors");
    bench.press(Modifiers::NONE, Key::Enter);
    let fits = &bench.doc().evaluation().unwrap().fits;
    let reactor = fits.iter().find(|fit| &*fit.system == "reactor" && &*fit.mount == "aft").expect("it is added");
    let boxes = reactor.answers.iter().find(|(id, _)| &**id == "boxes").map(|(_, value)| value.clone());
    assert_eq!((reactor.count, boxes), (1, Some(moldloft::formula::Value::Int(20))));
    assert!(!bench.doc().findings().iter().any(|finding| &*finding.code == "system-without-boxes"));
}
