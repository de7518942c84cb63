//! What keys alone do: they act on what has the keyboard, and the keyboard is never lost.

use egui::{Key, Modifiers, Rect};
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::design::{DocumentEdit, TablePath};
use moldloft::editor::compare_page::CompareCommand;
use moldloft::editor::palette::{PaletteCommand, find_entries};
use moldloft::editor::printing::{PrintCommand, PrintDialog};
use moldloft::editor::suggest::goals::{GoalLine, Relation};
use moldloft::editor::suggest::model::SuggestCommand;
use moldloft::editor::{Command, Dialog, Edit, FormTarget, InspectorTab, RightPage, RulesCommand, Tab};

use crate::editor::bench::{Bench, SAMPLES};
use crate::editor::fleet::escort;

fn vigilant() -> Bench {
    Bench::opened(&[SAMPLES[4]])
}

fn key(bench: &mut Bench, key: Key) {
    bench.press(Modifiers::NONE, key);
}

fn ctrl(bench: &mut Bench, key: Key) {
    bench.press(Modifiers::COMMAND, key);
}

/// The first row with this system.
fn row(bench: &Bench, system: &str) -> u32 {
    bench.doc().evaluation().unwrap().fits.iter().find(|fit| *fit.system == *system).unwrap().index
}

fn count(bench: &Bench) -> usize {
    bench.doc().as_design().unwrap().design.fits.len()
}

fn focused(bench: &Bench) -> String {
    let node = bench.harness.root().children_recursive().find(|node| node.is_focused());
    let Some(node) = node else { return "nothing".to_owned() };
    let node = node.accesskit_node();
    node.label().or_else(|| node.data().placeholder().map(str::to_owned)).unwrap_or_default()
}

#[test]
fn delete_acts_on_the_row_that_has_the_keyboard() {
    let mut bench = vigilant();
    let before = count(&bench);
    bench.give(Command::Select(vec![row(&bench, "alpha-node")]));
    bench.focus("graser, starboard");
    key(&mut bench, Key::Delete);
    let text = bench.text();
    let has = |bench: &Bench, system: &str, mount: &str| {
        let fits = &bench.doc().evaluation().unwrap().fits;
        fits.iter().any(|fit| *fit.system == *system && *fit.mount == *mount)
    };
    assert_eq!(count(&bench), before - 1);
    assert!(!has(&bench, "graser", "starboard"), "{text}");
    // Where another part has it, what is selected goes.
    bench.give(Command::Select(vec![0, 1]));
    bench.focus("Explain");
    key(&mut bench, Key::Delete);
    assert_eq!(count(&bench), before - 3);
    // A row of several that are selected stands for them all.
    bench.give(Command::GoTo(FormTarget::Fit(0)));
    bench.give(Command::Select(vec![0, 1]));
    key(&mut bench, Key::Delete);
    assert_eq!(count(&bench), before - 5);
    // A row that a click has taken out of the choice does not stand for it.
    let at = |bench: &Bench, name: &str| bench.rect(name).center();
    bench.click_at(at(&bench, "missile launcher, starboard"));
    let chosen = bench.doc().selected.clone();
    for _ in 0..2 {
        let to = at(&bench, "laser, starboard");
        bench.harness.hover_at(to);
        for pressed in [true, false] {
            let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::COMMAND);
            bench
                .harness
                .event_modifiers(egui::Event::PointerButton { pos: to, button, pressed, modifiers }, modifiers);
            bench.harness.run_steps(1);
        }
        bench.settle();
    }
    assert_eq!(bench.doc().selected, chosen);
    key(&mut bench, Key::Delete);
    let text = bench.text();
    assert!(has(&bench, "laser", "starboard") && !has(&bench, "missile-launcher", "starboard"), "{text}");
    // A mount that is chosen after it, too.
    bench.focus("laser, starboard");
    bench.click("Core");
    key(&mut bench, Key::Insert);
    assert_eq!(bench.state().system_picker.as_ref().unwrap().mount.as_deref(), Some("core"));
}

#[test]
fn delete_acts_on_the_ship_that_has_the_keyboard() {
    let mut bench = escort();
    bench.give(Command::Select(vec![0]));
    bench.focus("damage of ship 2: none");
    key(&mut bench, Key::Delete);
    let fleet = bench.doc().as_fleet().unwrap().fleet();
    let names: Vec<&str> = fleet.ships.iter().filter_map(|ship| Some(&*ship.name.as_ref()?.text)).collect();
    assert_eq!(names, ["HMS Vigilant"]);
}

#[test]
fn enter_leaves_the_keyboard_in_a_number() {
    let mut bench = vigilant();
    bench.focus("number of graser, starboard");
    bench.type_text("3");
    key(&mut bench, Key::Enter);
    assert_eq!(focused(&bench), "number of graser, starboard");
    let graser = |bench: &Bench| {
        let fits = &bench.doc().evaluation().unwrap().fits;
        fits.iter().find(|fit| *fit.system == *"graser" && *fit.mount == *"starboard").unwrap().count
    };
    assert_eq!(graser(&bench), 3);
    // What is typed next replaces it.
    bench.type_text("5");
    key(&mut bench, Key::Enter);
    assert_eq!(graser(&bench), 5);
    bench.press(Modifiers::SHIFT, Key::Tab);
    assert_eq!(focused(&bench), "graser, starboard");
    let mut bench = escort();
    bench.focus("count of ship 2");
    key(&mut bench, Key::Enter);
    assert_eq!(focused(&bench), "count of ship 2");
}

#[test]
fn arrows_reach_the_own_values_of_a_row() {
    let mut bench = vigilant();
    let magazine = row(&bench, "missile-magazine");
    bench.give(Command::GoTo(FormTarget::Fit(magazine)));
    let text = bench.text();
    let mut seen = Vec::new();
    for _ in 0..4 {
        seen.push(focused(&bench));
        key(&mut bench, Key::ArrowDown);
    }
    let name = seen[0].clone();
    assert!(seen[1..].iter().all(|value| value.ends_with(&format!(" of {name}"))), "{seen:?}");
    assert!(!focused(&bench).ends_with(&name), "{}", focused(&bench));
    let mut back = Vec::new();
    for _ in 0..4 {
        key(&mut bench, Key::ArrowUp);
        back.insert(0, focused(&bench));
    }
    assert_eq!((back, bench.text()), (seen.clone(), text), "nothing has been counted");
    key(&mut bench, Key::ArrowDown);
    bench.type_text("9");
    assert!(bench.text().contains("feeds = 9") && seen[1].starts_with("launchers it feeds"), "{seen:?}");
}

#[test]
fn what_shows_a_pane_goes_there() {
    let mut bench = vigilant();
    bench.focus("graser, starboard");
    ctrl(&mut bench, Key::Num2);
    assert_eq!(focused(&bench), "All values");
    ctrl(&mut bench, Key::Num4);
    assert!(focused(&bench).starts_with("Try other rules"), "{}", focused(&bench));
    ctrl(&mut bench, Key::G);
    assert_eq!(focused(&bench), "+ Goal");
    ctrl(&mut bench, Key::Num1);
    assert_eq!(focused(&bench), "Findings", "there is no finding");
    ctrl(&mut bench, Key::Num6);
    assert_eq!(bench.state().settings.page, RightPage::Odds);
    assert_ne!(focused(&bench), "Findings");
    bench.focus("graser, starboard");
    // From a menu, too.
    bench.press(Modifiers::ALT, Key::R);
    bench.harness.get_by_label_contains("Try other rules…").focus();
    key(&mut bench, Key::Enter);
    assert!(focused(&bench).starts_with("Try other rules: "), "{}", focused(&bench));
    let mut bench = escort();
    bench.focus("captain of ship 1");
    ctrl(&mut bench, Key::Num5);
    assert_ne!(focused(&bench), "captain of ship 1");
    assert_ne!(focused(&bench), "nothing");
}

#[test]
fn f6_goes_on_from_where_the_keyboard_is() {
    let mut bench = vigilant();
    ctrl(&mut bench, Key::Num4);
    let rules = focused(&bench);
    key(&mut bench, Key::Tab);
    key(&mut bench, Key::F6);
    assert_eq!(focused(&bench), "Findings");
    bench.press(Modifiers::SHIFT, Key::F6);
    assert_eq!(focused(&bench), rules);
    let mut stops = Vec::new();
    for _ in 0..7 {
        key(&mut bench, Key::F6);
        stops.push(focused(&bench));
    }
    let all: std::collections::BTreeSet<&String> = stops.iter().collect();
    assert_eq!((all.len(), &stops[6]), (7, &rules), "{stops:?}");
}

/// Forwards, backwards and by arrows, in a low window.
#[test]
fn what_keys_lead_to_is_in_sight() {
    let mut bench = Bench::opened_in(&[SAMPLES[4]], 1280.0, 720.0);
    let is_in_sight = |bench: &Bench, by: &str| {
        let Some(node) = bench.harness.root().children_recursive().find(|node| node.is_focused()) else { return };
        let name = node.accesskit_node().label();
        let id = bench.harness.ctx.memory(|memory| memory.focused()).unwrap();
        let shown = bench.harness.ctx.read_response(id).unwrap();
        let (rect, seen) = (shown.rect, shown.interact_rect);
        let whole = Rect::from_min_size(rect.min, rect.size().min(seen.size() + egui::vec2(400.0, 3.0)));
        assert!(seen.expand(2.0).contains_rect(whole), "{by}: {name:?} at {rect:?}, {seen:?} is seen");
    };
    bench.focus("name");
    for _ in 0..70 {
        key(&mut bench, Key::Tab);
        is_in_sight(&bench, "Tab");
    }
    for _ in 0..70 {
        bench.press(Modifiers::SHIFT, Key::Tab);
        is_in_sight(&bench, "Shift+Tab");
    }
    // Beside the rows, where arrows go from one button to the next.
    bench.give(Command::GoTo(FormTarget::Mount("core".into())));
    for arrow in [Key::ArrowDown, Key::ArrowUp, Key::ArrowRight] {
        for _ in 0..12 {
            key(&mut bench, arrow);
            is_in_sight(&bench, "an arrow");
        }
    }
}

#[test]
fn escape_leaves_the_keyboard_on_a_row() {
    let mut bench = vigilant();
    bench.focus("graser, starboard");
    key(&mut bench, Key::Escape);
    assert_eq!(focused(&bench), "graser, starboard");
}

#[test]
fn the_keyboard_is_not_lost_between_questions_and_answers() {
    let mut bench = vigilant();
    bench.give(Command::Suggest(SuggestCommand::Open));
    bench.focus("Break-points");
    key(&mut bench, Key::Enter);
    bench.focus("Back to the questions");
    key(&mut bench, Key::Enter);
    assert!(!bench.shows("Back to the questions"));
    assert_eq!(focused(&bench), "+ Goal");
    // What is taken over: the next answer is not taken for the one that was read.
    let before = bench.text();
    let points = bench.doc().evaluation().unwrap().points.unwrap();
    let goal = GoalLine { what: "points".into(), relation: Relation::AtMost, number: points + 70, hundredths: 0 };
    bench.give(Command::Suggest(SuggestCommand::SetGoal { at: 0, goal }));
    bench.harness.query_all_by_label("What could 70 points buy?").next().unwrap().focus();
    bench.settle();
    key(&mut bench, Key::Enter);
    bench.harness.get_by_label_contains("3 more CnC, core").focus();
    bench.settle();
    key(&mut bench, Key::Enter);
    assert_ne!(bench.text(), before);
    assert_eq!(focused(&bench), "Back to the questions");
}

#[test]
fn the_keyboard_is_not_lost_in_a_comparison() {
    let mut bench = vigilant();
    bench.give(Command::OpenBuiltIn("designs/wars-of-honor/petrel.toml".into()));
    bench.give(Command::ShowTab(Tab::Doc(bench.state().docs[0].id)));
    bench.give(Command::Compare(CompareCommand::Open));
    bench.focus("Compare with Petrel");
    key(&mut bench, Key::Enter);
    assert!(!bench.shows("Compare with Petrel"));
    assert_ne!(focused(&bench), "nothing");
    bench.harness.query_all_by_label_contains("Take ").next().expect("what can be taken").focus();
    bench.settle();
    key(&mut bench, Key::Enter);
    assert!(bench.doc().is_changed());
    assert_ne!(focused(&bench), "nothing");
}

#[test]
fn ships_that_are_added_get_the_keyboard() {
    let mut bench = escort();
    let ships = bench.doc().as_fleet().unwrap().fleet().ships.len();
    bench.focus("+ Ships…");
    key(&mut bench, Key::Enter);
    bench.type_text("petrel");
    key(&mut bench, Key::Enter);
    key(&mut bench, Key::Enter);
    assert_eq!(bench.doc().as_fleet().unwrap().fleet().ships.len(), ships + 1);
    let name = focused(&bench);
    assert!(name.starts_with(&format!("ship {}: ", bench.doc().selected[0] + 1)), "{name}");
}

#[test]
fn the_keyboard_is_not_lost_behind_the_first_start() {
    let folder = Bench::new(&[]).folder;
    std::fs::create_dir_all(folder.path().join("config")).unwrap();
    std::fs::write(folder.path().join("config/editor.json"), "{}").unwrap();
    let mut bench = Bench::over(folder);
    assert_eq!(focused(&bench), "Begin with all games");
    key(&mut bench, Key::Enter);
    assert!(!bench.shows("Begin with all games"));
    assert_ne!(focused(&bench), "nothing");
}

#[test]
fn insert_adds_to_the_mount_that_has_the_keyboard() {
    let mut bench = vigilant();
    let picker = |bench: &Bench| bench.state().system_picker.as_ref().and_then(|open| open.mount.clone());
    bench.give(Command::Select(vec![row(&bench, "alpha-node")]));
    bench.focus("graser, starboard");
    key(&mut bench, Key::Insert);
    assert_eq!(picker(&bench).as_deref(), Some("starboard"));
    key(&mut bench, Key::Escape);
    let core =
        bench.doc().evaluation().unwrap().mounts.iter().find(|mount| *mount.id == *"core").unwrap().label.clone();
    bench.focus(&format!("Add to {core}"));
    key(&mut bench, Key::Insert);
    assert_eq!(picker(&bench).as_deref(), Some("core"));
}

/// Of a file that is there already.
#[test]
fn another_name_is_typed_at_once() {
    let mut bench = vigilant();
    bench.write("there.pdf", "");
    bench.give(Command::Print(PrintCommand::Open(None)));
    let Some(Dialog::Print(dialog)) = bench.state().dialog.clone() else { panic!("it is open") };
    let path = bench.path("there.pdf").display().to_string();
    let dialog = PrintDialog { path, path_edited: true, ..*dialog };
    bench.give(Command::Print(PrintCommand::UpdateDialog(Box::new(dialog))));
    bench.give(Command::Print(PrintCommand::Start));
    assert_eq!(focused(&bench), "Choose another name");
    key(&mut bench, Key::Enter);
    assert!(!bench.shows("Choose another name"));
    assert_eq!(focused(&bench), "File");
    bench.give(Command::CloseDialog);
    bench.write("there.toml", "");
    bench.give(Command::SaveTo(bench.path("there.toml")));
    assert_eq!(focused(&bench), "Choose another name");
    key(&mut bench, Key::Enter);
    assert_eq!(focused(&bench), "File");
}

#[test]
fn the_fix_of_a_finding_is_taken_by_key() {
    let mut bench = vigilant();
    let magazine = row(&bench, "missile-magazine") as usize;
    let set = |key: &str, value: i64| DocumentEdit::set(TablePath::Fit(magazine), key, value);
    bench.give(Command::Edit(Edit::single("feed fewer", set("feeds", 4))));
    let before = bench.text();
    ctrl(&mut bench, Key::Period);
    assert_eq!(bench.text(), before, "no finding has been gone to");
    key(&mut bench, Key::F8);
    let place = focused(&bench);
    ctrl(&mut bench, Key::Period);
    assert!(bench.text().contains("feeds = 14") && bench.doc().findings().is_empty(), "{}", bench.text());
    assert_eq!(focused(&bench), place);
    ctrl(&mut bench, Key::Z);
    assert_eq!(bench.text(), before);
}

#[test]
fn what_is_asked_is_found_by_name() {
    let mut bench = Bench::opened(&[SAMPLES[3]]);
    let titles = |bench: &Bench, typed: &str| -> Vec<String> {
        find_entries(bench.state(), typed).into_iter().map(|entry| entry.title).collect()
    };
    assert_eq!(titles(&bench, "find the best")[0], "Find the best");
    let points = bench.doc().evaluation().unwrap().points.unwrap();
    let goal = GoalLine { what: "points".into(), relation: Relation::AtMost, number: points + 9, hundredths: 0 };
    bench.give(Command::Suggest(SuggestCommand::SetGoal { at: 0, goal }));
    let found = titles(&bench, "what could");
    assert_eq!(found[0], "What could 9 points buy?");
    assert!(!titles(&bench, "in the file").iter().any(|title| title.starts_with("Use ")));
    bench.give(Command::Rules(RulesCommand::Override(Some("wars-of-honor".into()))));
    assert_eq!(titles(&bench, "in the file")[0], "Use wars-of-honor in the file");
    bench.give(Command::Palette(PaletteCommand::Open));
    bench.type_text("find the best");
    key(&mut bench, Key::Enter);
    assert_eq!(bench.state().inspector_tab, InspectorTab::Suggest);
}
