//! Whole tasks, step by step: nothing closes or moves under the hand, what is typed goes where it is meant to, nothing takes
//! more steps than it must.

use egui::{Key, Modifiers, Vec2, vec2};
use egui_kittest::kittest::Queryable;
use moldloft::editor::compare_page::{CompareCommand, CompareTarget};
use moldloft::editor::library_browser::LibraryCommand;
use moldloft::editor::printing::PrintCommand;
use moldloft::editor::rules_page::RulesPageCommand;
use moldloft::editor::suggest::goals::Relation;
use moldloft::editor::suggest::model::SuggestCommand;
use moldloft::editor::{Command, Dialog, FormTarget, InspectorTab};
use moldloft::store::FileRef;

use crate::editor::bench::Bench;
use crate::editor::fleet::escort;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";
const PETREL: &str = "designs/wars-of-honor/petrel.toml";
const SIRENNA: &str = "designs/b5-house-rules/sirenna.toml";
const MILWAUKEE: &str = "designs/star-navy/milwaukee.toml";

fn rules() -> Bench {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.give(Command::RulesPage(RulesPageCommand::Open("wars-of-honor".into())));
    bench
}

/// Another price of a laser as a house layer, by keyboard from the cell on.
fn dearer_lasers(bench: &mut Bench) {
    bench.click("laser, points: 10");
    bench.type_text("12");
    bench.press(Modifiers::NONE, Key::Enter);
    bench.press(Modifiers::NONE, Key::Enter);
}

#[test]
fn escape_closes_the_list_of_systems_and_not_the_suggestions_beside_it() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.give(Command::Suggest(SuggestCommand::Open));
    bench.click("Add to port");
    assert!(bench.shows("search systems"));
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(!bench.shows("search systems"), "the list is closed");
    assert_eq!(bench.state().inspector_tab, InspectorTab::Suggest);
    // Out of a field of the form, too.
    bench.give(Command::GoTo(FormTarget::TopKey("name")));
    bench.press(Modifiers::NONE, Key::Escape);
    assert_eq!(bench.state().inspector_tab, InspectorTab::Suggest);
    bench.press(Modifiers::NONE, Key::Escape);
    assert_eq!(bench.state().inspector_tab, InspectorTab::Findings, "then it is meant for them");
}

#[test]
fn the_number_of_a_new_goal_is_typed_at_once() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.give(Command::Suggest(SuggestCommand::Open));
    bench.click("+ Goal");
    assert_eq!(bench.focused().as_deref(), Some("goal 1: number"));
    let before = bench.rect("goal 1: number").top();
    bench.type_text("1800");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.rect("goal 1: number").top(), before, "questions that depend on it are below it");
    assert!(bench.shows("goal: points ≤ 1800, 68 left"));
}

#[test]
fn a_preview_of_a_suggestion_does_not_move_the_form() {
    let mut bench = Bench::new(&[MILWAUKEE]);
    let text = std::fs::read_to_string(bench.path(MILWAUKEE)).unwrap();
    std::fs::write(bench.path(MILWAUKEE), text.replacen("system = \"pulser\"", "system = \"laser\"", 1)).unwrap();
    bench.open(MILWAUKEE);
    bench.give(Command::Suggest(SuggestCommand::Open));
    bench.click("Make legal…");
    bench.harness.hover_at(egui::pos2(4.0, 4.0));
    bench.settle();
    let before = bench.rect("Add to core");
    let way = bench.harness.get_by_label_contains("1. ").rect().center();
    bench.harness.hover_at(way);
    bench.settle();
    assert!(bench.state().previewed().is_some(), "the pointer is on it");
    assert_eq!(bench.rect("Add to core"), before);
}

#[test]
fn a_change_that_is_taken_back_has_no_impact_any_more() {
    let mut bench = rules();
    dearer_lasers(&mut bench);
    assert!(bench.shows_part("6 × 10 = 60 → 6 × 12 = 72"), "the cost of its lasers");
    bench.click("laser, points: 12, changed");
    bench.press(Modifiers::COMMAND, Key::A);
    bench.type_text("13");
    assert!(!bench.shows_part("6 × 12 = 72") && bench.shows_part("6 × 10 = 60 → 6 × 13 = 78"));
    bench.click("take back points of laser");
    assert!(!bench.shows_part("6 × 13 = 78"));
}

#[test]
fn a_cell_of_another_table_is_not_shown_below_a_table() {
    let mut bench = rules();
    bench.click("laser, points: 10");
    assert!(bench.shows("points of laser"));
    bench.click("Show Glossary, 19");
    assert!(!bench.shows("points of laser") && bench.shows_part("Select a cell"));
}

#[test]
fn what_was_typed_is_there_after_the_dialog_for_a_layer_is_cancelled() {
    let mut bench = rules();
    bench.click("laser, points: 10");
    bench.type_text("12");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows("First change: laser · points: 10 → 12"), "the dialog says what for");
    // The proposed name is replaced by what is typed.
    bench.type_text("Club");
    assert!(matches!(&bench.state().dialog, Some(Dialog::NewLayer(open)) if open.name == "Club"));
    bench.press(Modifiers::NONE, Key::Escape);
    assert_eq!(bench.state().dialog, None);
    assert!(bench.shows("Change in a house layer…") && bench.shows("Not changed yet."));
    bench.click("Change in a house layer…");
    bench.click("Create");
    assert!(bench.text().contains("points = 12"), "{}", bench.text());
}

#[test]
fn a_second_click_where_take_back_was_removes_nothing() {
    let mut bench = rules();
    dearer_lasers(&mut bench);
    let was = bench.rect("take back points of laser").center();
    bench.click_at(was);
    assert!(bench.shows("laser, points: 10"));
    bench.click_at(was);
    assert_eq!(bench.state().dialog, None);
}

#[test]
fn a_new_system_is_added_by_keyboard_and_like_is_chosen_from_a_menu() {
    let mut bench = rules();
    dearer_lasers(&mut bench);
    bench.click("add a new system");
    assert_eq!(bench.focused().as_deref(), Some("Name"));
    bench.type_text("Ion cannon");
    bench.click("like");
    bench.click("Graser");
    bench.focus("points");
    bench.type_text("14");
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.state().dialog, None, "Enter adds it");
    assert!(bench.text().contains("id = \"ion-cannon\"\nlike = \"graser\"\npoints = 14\n"), "{}", bench.text());
}

#[test]
fn a_row_taken_over_stays_where_the_pointer_is() {
    let mut bench = Bench::opened(&[PETREL]);
    bench.give(Command::Compare(CompareCommand::Open));
    let gironde = FileRef::built_in("designs/wars-of-honor/gironde.toml");
    bench.give(Command::Compare(CompareCommand::Add(CompareTarget::File(gironde))));
    bench.click_first("Take nation over from Gironde");
    assert!(bench.text().contains("nation = \"haven\""));
    assert!(bench.shows("nation"), "though it does not differ any more");
    for _ in 0..2 {
        bench.click("only differences");
    }
    assert!(!bench.shows("nation"), "until it is filtered anew");
}

#[test]
fn the_list_of_keys_scrolls_by_keyboard() {
    let mut bench = Bench::sized(Bench::new(&[]).folder, 1024.0, 480.0);
    bench.give(Command::OpenDialog(Dialog::Keys));
    let top = |bench: &Bench| bench.harness.get_by_label("FILE").rect().top();
    let before = top(&bench);
    bench.press(Modifiers::NONE, Key::PageDown);
    assert!(top(&bench) < before - 100.0, "{before} {}", top(&bench));
    bench.press(Modifiers::NONE, Key::PageUp);
    assert!((top(&bench) - before).abs() < 1.0);
}

#[test]
fn a_new_fleet_of_the_menu_is_of_the_game_in_use() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.click("Fleet");
    bench.click("New fleet");
    assert!(bench.text().contains("ruleset = \"wars-of-honor\""), "{}", bench.text());
}

#[test]
fn a_number_before_a_name_adds_as_many_ships() {
    let mut bench = escort();
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::A);
    bench.type_text("4 tramontane");
    bench.press(Modifiers::NONE, Key::Enter);
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.state().dialog, None);
    let added = bench.doc().as_fleet().unwrap().fleet().ships.iter().map(|ship| ship.count).max();
    assert_eq!(added, Some(4), "{}", bench.text());
}

#[test]
fn the_sheet_follows_the_keyboard_down_the_table() {
    let mut bench = escort();
    bench.focus("name of ship 1");
    assert_eq!(bench.doc().selected, [0]);
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.focused().as_deref(), Some("name of ship 2"));
    assert_eq!(bench.doc().selected, [1], "nothing need be typed for it");
}

#[test]
fn a_drag_that_begins_beside_a_box_ticks_what_it_crosses() {
    let mut bench = escort();
    let shown = bench.state().preview.sheet(bench.doc().id).expect("its sheet is drawn");
    let box_of = |n: u32| {
        let name = format!("structure_{n}");
        let shapes = &shown.pages.page_indices[0].marked_shapes;
        shapes.iter().find(|shape| *shape.mark.name == *name).expect("a box").rect
    };
    let page = bench.harness.get_by_label_contains(", page 1 of").rect();
    // The file has ticked two.
    let (first, last) = (box_of(3), box_of(4));
    let at = |x: f32, y: f32| page.min + vec2(x, y) * shown.scale;
    let from = at(first.x + first.w / 2.0, first.y) - Vec2::new(0.0, 4.0);
    let to = at(last.x + last.w / 2.0, last.y + last.h / 2.0);
    bench.drag(from, to);
    assert!(bench.text().contains("structure = 4"), "{}", bench.text());
}

#[test]
fn pages_stay_ticked_off_when_the_settings_change() {
    let mut bench = escort();
    bench.press(Modifiers::COMMAND, Key::P);
    bench.click_part("Page 2, ");
    let off = |bench: &Bench| {
        let Some(Dialog::Print(dialog)) = &bench.state().dialog else { panic!("the print room is open") };
        let outline = &bench.state().print_room.plan().expect("laid out").outline;
        let selection = dialog.selection().unwrap();
        let titles = outline.iter().zip(1..).filter(|(_, page)| !selection.contains(*page));
        (titles.map(|(page, _)| page.title.clone().unwrap_or_default()).collect::<Vec<_>>(), outline.len())
    };
    let (before, count) = off(&bench);
    assert_eq!(before.len(), 1);
    let Some(Dialog::Print(dialog)) = &bench.state().dialog else { panic!() };
    let mut larger = dialog.clone();
    larger.options.large_print = true;
    bench.give(Command::Print(PrintCommand::UpdateDialog(larger)));
    let (after, now) = off(&bench);
    assert_eq!(after, before, "the same page");
    assert_ne!(now, count, "there are more pages, all of them printed");
}

#[test]
fn a_system_that_was_just_defined_is_named_next() {
    let mut bench = Bench::opened(&[SIRENNA]);
    bench.click("Define a system");
    bench.click("A weapon");
    assert_eq!(bench.focused().as_deref(), Some("name of new weapon 1"));
    bench.type_text("Ion lance");
    assert!(bench.text().contains("name = \"Ion lance\""), "{}", bench.text());
}

#[test]
fn an_empty_mount_is_filled_from_its_counterpart() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.give(Command::Library(LibraryCommand::Scan));
    bench.click("fewer graser, starboard");
    bench.click("More actions for starboard");
    bench.click("Make starboard like port");
    let ship = bench.doc().evaluation().unwrap();
    let grasers = |mount: &str| {
        let here = ship.fits.iter().filter(|fit| &*fit.system == "graser" && &*fit.mount == mount);
        here.map(|fit| fit.count).sum::<u32>()
    };
    assert_eq!((grasers("port"), grasers("starboard")), (2, 2));
}

#[test]
fn escape_goes_back_from_the_sheets_before_and_after() {
    let mut bench = rules();
    dearer_lasers(&mut bench);
    bench.harness.get_all_by_label_contains("show the sheets of Vigilant").next().unwrap().click_accesskit();
    bench.settle();
    assert!(bench.shows("close the sheets"));
    bench.press(Modifiers::NONE, Key::Escape);
    assert!(!bench.shows("close the sheets") && bench.shows("laser, points: 12, changed"));
}

#[test]
fn a_tooltip_does_not_stay_over_a_dialog() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let line = bench.harness.get_by_label_contains("starship  ·  heavy cruiser").rect();
    assert!(!bench.shows_part("Click to change them"));
    bench.harness.hover_at(line.center());
    bench.harness.run_steps(8);
    assert!(bench.shows_part("Click to change them"), "the tooltip");
    bench.press(Modifiers::COMMAND, Key::K);
    assert!(matches!(bench.state().dialog, Some(Dialog::Palette(_))));
    assert!(!bench.shows_part("Click to change them"));
}

#[test]
fn a_formula_of_a_new_rule_is_completed_and_words_are_chosen() {
    let mut bench = rules();
    // How many there are grows with the program.
    bench.click_part("Show Checks, ");
    bench.click("add a new check");
    bench.click("kind of limit");
    bench.click("Something else: a formula");
    bench.click("severity: a warning");
    bench.focus("fails when");
    bench.type_text("struct");
    bench.click("insert structure");
    let Some(Dialog::AddRule(open)) = &bench.state().dialog else { panic!("the form is open") };
    let cell = |key: &str| open.cells.iter().find(|(known, _)| &**known == key).map(|(_, text)| text.as_str());
    assert_eq!((cell("severity"), cell("fails_when")), (Some("warning"), Some("structure")));
}

/// Six times as many launchers as one page has room for.
fn crowded() -> Bench {
    const DREADNOUGHT: &str = "designs/wars-of-honor/lodestar.toml";
    let mut bench = Bench::new(&[DREADNOUGHT]);
    let text = std::fs::read_to_string(bench.path(DREADNOUGHT)).unwrap();
    let mut launcher = false;
    let more = text.lines().map(|line| {
        launcher |= line.contains("\"missile-launcher\"");
        let is_count = launcher && line.starts_with("count = ");
        launcher &= !line.starts_with("count = ");
        if is_count { "count = 250".to_owned() } else { line.to_owned() }
    });
    let more: Vec<String> = more.collect();
    std::fs::write(bench.path(DREADNOUGHT), more.join("\n")).unwrap();
    bench = Bench::sized(bench.folder, 1920.0, 4300.0);
    bench.open(DREADNOUGHT);
    bench
}

#[test]
fn a_mount_that_goes_on_on_a_further_page_takes_systems_there() {
    let mut bench = crowded();
    let shown = bench.state().preview.sheet(bench.doc().id).expect("its sheet is drawn");
    let ship = bench.doc().evaluation().unwrap();
    let mount_of = |fit: u32| &ship.fits.iter().find(|one| one.index == fit).expect("aboard").mount;
    let has_area =
        |page: usize, mount: &str| shown.pages.scene.pages[page].mount_areas.iter().any(|at| &*at.mount == mount);
    let takes = |mount: &str| ship.mount_refusal("missile-launcher", mount).is_none();
    let further = shown.pages.page_indices.iter().enumerate().skip(1);
    let mut boxes = further.flat_map(|(page, index)| index.marked_shapes.iter().map(move |shape| (page, shape)));
    let found = boxes.find_map(|(page, shape)| {
        let mount = mount_of(shape.mark.fit?);
        (takes(mount) && !has_area(page, mount)).then_some((page, shape.rect, mount.to_string()))
    });
    let (page, rect, mount) = found.expect("a mount with boxes on a further page");
    let sheet = bench.harness.get_by_label_contains(&format!(", page {} of", page + 1)).rect();
    let to = sheet.min + vec2(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0) * shown.scale;
    let other =
        ship.fits.iter().find(|fit| *fit.mount != *mount && &*fit.system == "missile-launcher").expect("another");
    let label = &ship.mounts.iter().find(|one| one.id == other.mount).expect("its mount").label;
    let row = format!("missile launcher, {label}");
    let from = bench.harness.get_by_label(&row).rect().center();
    let before = bench.text();
    bench.drag(from, to);
    assert_ne!(bench.text(), before, "it is moved to {mount}");
}

#[test]
fn the_first_start_needs_no_walk_through_the_menus() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("config")).unwrap();
    std::fs::write(folder.path().join("config/editor.json"), "{}").unwrap();
    let mut bench = Bench::over(folder);
    assert_eq!(bench.focused().as_deref(), Some("Begin with all games"));
    bench.press(Modifiers::NONE, Key::Tab);
    bench.press(Modifiers::NONE, Key::Space);
    assert_eq!(bench.state().library.chosen_games.len(), 1, "the first game is ticked");
}

#[test]
fn the_points_of_systems_are_in_sight_in_a_small_window() {
    let mut bench = Bench::sized(Bench::new(&[VIGILANT]).folder, 1024.0, 700.0);
    bench.give(Command::RulesPage(RulesPageCommand::Open("wars-of-honor".into())));
    let points = bench.rect("laser, points: 10");
    assert!(points.right() <= bench.rect("Impact").left(), "{points:?}");
}

#[test]
fn a_search_that_finds_no_design_says_how_to_look_further() {
    let mut bench = Bench::opened(&["designs/sky-full-of-ships/tern.toml"]);
    bench.give(Command::Suggest(SuggestCommand::Open));
    bench.click("+ Goal");
    bench.type_text("1");
    bench.press(Modifiers::NONE, Key::Enter);
    let view = bench.state().suggestions.view(bench.doc().id).unwrap();
    let mut goal = view.goals.goals[0].clone();
    goal.number = 100_000;
    goal.relation = Relation::AtLeast;
    bench.give(Command::Suggest(SuggestCommand::SetGoal { at: 0, goal }));
    bench.click("Find");
    assert!(bench.shows_part("To look further, tick a number"));
}

#[test]
fn tables_of_one_title_can_be_told_apart() {
    let bench = rules();
    assert!(bench.shows_part("Show Missiles (missiles), 10"));
    let all = bench.harness.query_all_by_label_contains("Show Missiles (").count();
    assert_eq!(all, 2);
}

#[test]
fn all_tabs_are_there_again_after_a_crash() {
    let mut bench = Bench::opened(&[VIGILANT, PETREL]);
    bench.open(PETREL);
    bench.harness.run_steps(4);
    // Nothing has quit.
    let settings = std::fs::read_to_string(bench.folder.path().join("config/editor.json")).unwrap();
    let settings = moldloft::editor::Settings::parse(&settings).unwrap();
    assert_eq!(settings.tabs.len(), 2, "{:?}", settings.tabs);
    let id = bench.doc().id;
    bench.give(Command::Close(id));
    bench.harness.run_steps(4);
    assert_eq!(bench.state().settings.tabs.len(), 1);
}

#[test]
fn the_keyboard_begins_with_the_search_of_designs_to_compare_with() {
    let mut bench = Bench::new(&[VIGILANT, PETREL]);
    bench.open(PETREL);
    bench.open(VIGILANT);
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::D);
    assert_eq!(bench.focused().as_deref(), Some("Search what to compare with"));
    bench.type_text("haven battleship");
    assert!(bench.shows("Compare with Ardennes") && !bench.shows("Compare with Petrel"));
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows_part("rows differ") && bench.shows("Remove Ardennes"));
    bench.click("Add to the comparison");
    bench.type_text("petr");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows("Remove Petrel") && bench.shows("Remove Ardennes"));
}
