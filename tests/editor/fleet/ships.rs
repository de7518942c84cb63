//! Editing ships: adding from the library, duplicating, splitting, numbering, refitting, damage, load, opening and
//! saving classes.

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use moldloft::editor::fleet::FleetCommand;
use moldloft::editor::fleet::design_chooser::DesignChooserPurpose;
use moldloft::editor::{Command, Dialog, PersistenceCommand};

use super::{ESCORT, escort, type_into, with};
use crate::editor::bench::Bench;

fn ships(bench: &Bench) -> Vec<(String, String, u32)> {
    let word = |word: &Option<moldloft::design::SpannedText>| {
        word.as_ref().map_or(String::new(), |word| word.text.to_string())
    };
    let fleet = bench.doc().as_fleet().expect("a fleet").fleet();
    fleet.ships.iter().map(|ship| (word(&ship.name), word(&ship.hull_number), ship.count)).collect()
}

fn points(bench: &Bench) -> i64 {
    bench.doc().as_fleet().unwrap().evaluated.points.unwrap()
}

#[test]
fn the_whole_table_fits_a_large_window() {
    let folder = escort().folder;
    let mut bench = Bench::sized(folder, 1920.0, 1080.0);
    bench.open(ESCORT);
    let sheet = bench.harness.get_all_by_label_contains("Sheet of HMS Vigilant").next().expect("a sheet").rect();
    for label in ["name of ship 1", "group of ship 1", "captain of ship 1", "notes of ship 1"] {
        let cell = bench.harness.get_by_label_contains(label).rect();
        assert!(cell.right() < sheet.left() && cell.width() > 90.0, "{label}: {cell:?}, {sheet:?}");
    }
}

/// Afterwards the text is that of the file again.
fn undone(bench: &mut Bench) {
    while bench.doc().history.undo_label().is_some() {
        bench.give(Command::Undo);
    }
    assert_eq!(bench.text(), std::fs::read_to_string(bench.path(ESCORT)).unwrap());
}

#[test]
fn ships_are_added_from_the_library_several_at_once() {
    let mut bench = escort();
    let before = points(&bench);
    bench.click("+ Ships…");
    type_into(&mut bench, "Search the designs", "petrel");
    bench.click("more Petrel");
    bench.click("more Petrel");
    type_into(&mut bench, "Search the designs", "sirocco");
    bench.click("more Sirocco");
    assert!(bench.shows_part("points: "), "what the fleet would come to");
    bench.click("Add");
    assert_eq!(bench.state().dialog, None);
    let all = ships(&bench);
    assert_eq!(all.len(), 4);
    assert_eq!(all[1].2, 2, "behind the ship that was chosen");
    assert!(points(&bench) > before);
    assert!(bench.text().contains("design = \"Petrel\"\ncount = 2"));
    undone(&mut bench);
}

#[test]
fn a_design_that_no_file_holds_joins_a_fleet() {
    let mut bench = escort();
    let before = points(&bench);
    let fleet = bench.state().tab;
    // Unsaved, another one of the same name, and a copy of a built-in class that the fleet uses.
    let own = std::fs::read_to_string("designs/wars-of-honor/sirocco.toml").unwrap().replace("Sirocco", "Grey Dawn");
    bench.give(Command::OpenText { text: own.clone().into() });
    bench.give(Command::OpenText { text: own.replace("count = 6", "count = 5").into() });
    bench.give(Command::OpenBuiltIn("designs/wars-of-honor/petrel.toml".into()));
    bench.click_first("more missile launcher, port");
    bench.give(Command::ShowTab(fleet));
    bench.click("+ Ships…");
    type_into(&mut bench, "Search the designs", "grey dawn");
    assert!(bench.shows_part("choose Grey Dawn 2, "), "two of a name are distinguished");
    bench.click("more Grey Dawn");
    assert!(bench.shows_part("the design of Grey Dawn is copied into the fleet's file"));
    bench.click("Add");
    let fleet_now = bench.doc().as_fleet().unwrap();
    assert!(points(&bench) > before && fleet_now.evaluated.skipped.is_empty(), "evaluated at once");
    assert!(bench.text().contains("[[design]]\nname = \"Grey Dawn\""), "{}", bench.text());
    bench.press(Modifiers::COMMAND, Key::S);
    let output =
        std::process::Command::new(env!("CARGO_BIN_EXE_moldloft")).arg("check").arg(bench.path(ESCORT)).output();
    let output = format!("{:?}", output.unwrap());
    assert!(output.contains("Grey Dawn, 926 points"), "{output}");
    // An embedded design is not offered twice, and no reference changes its meaning.
    bench.click("+ Ships…");
    type_into(&mut bench, "Search the designs", "grey");
    assert!(bench.shows_part("choose Grey Dawn, ") && !bench.shows_part("choose Grey Dawn 3, "));
    type_into(&mut bench, "Search the designs", "petrel");
    assert!(bench.shows_part("choose Petrel, ") && bench.shows_part("choose Petrel 2, "));
    bench.click("Cancel");
    bench.give(Command::Undo);
    assert_eq!(bench.text(), include_str!("escort.toml"));
}

#[test]
fn a_fleet_that_is_saved_nowhere_takes_a_design_from_anywhere() {
    let mut bench = escort();
    let other = tempfile::tempdir().unwrap();
    let own = std::fs::read_to_string("designs/wars-of-honor/sirocco.toml").unwrap().replace("Sirocco", "Far Dawn");
    let file = other.path().join("far.toml");
    std::fs::write(&file, own).unwrap();
    bench.give(Command::Open(file));
    bench.give(Command::Fleet(moldloft::editor::fleet::FleetCommand::New("wars-of-honor".into())));
    bench.click("+ Ships…");
    type_into(&mut bench, "Search the designs", "far dawn");
    bench.click("more Far Dawn");
    bench.click("Add");
    let fleet = bench.doc().as_fleet().unwrap();
    assert!(fleet.evaluated.points.is_some_and(|points| points > 0) && fleet.evaluated.skipped.is_empty());
}

#[test]
fn ships_are_duplicated_with_the_next_free_hull_number_and_whole() {
    let mut bench = escort();
    bench.click("Duplicate");
    let all = ships(&bench);
    assert_eq!((all.len(), all[0].1.as_str(), all[1].1.as_str()), (3, "CA-301", "CA-302"));
    let fleet = bench.doc().as_fleet().unwrap().fleet();
    assert!(!fleet.ships[0].ticked_boxes.is_empty() && fleet.ships[1].ticked_boxes.is_empty(), "it has no damage");
    bench.click("Next hull no.");
    assert_eq!(ships(&bench)[1].1, "CA-303", "continued from its own");
    bench.click("Remove");
    assert_eq!(ships(&bench).len(), 2);
    undone(&mut bench);
}

#[test]
fn a_count_is_split_into_single_ships() {
    let mut bench = escort();
    bench.give(Command::Select(vec![1]));
    type_into(&mut bench, "count of ship 2", "3");
    assert_eq!(ships(&bench)[1].2, 3);
    bench.click("Split");
    let all: Vec<String> =
        ships(&bench).into_iter().map(|(name, hull, count)| format!("{name} {hull} {count}")).collect();
    assert_eq!(all[1..], ["HMS Petrel 1 DD-118 1", "HMS Petrel 2 DD-119 1", "HMS Petrel 3 DD-120 1"]);
    assert_eq!(bench.doc().selected, [1, 2, 3]);
    undone(&mut bench);
}

#[test]
fn a_class_is_chosen_or_refitted_after_its_cost_is_shown() {
    let mut bench = escort();
    let before = points(&bench);
    bench.click("class of ship 2: Petrel");
    type_into(&mut bench, "Search the designs", "sirocco");
    bench.click_first("choose Sirocco, 926 points, built-in");
    let Some(Dialog::ChooseDesigns(choosing)) = &bench.state().dialog else { panic!("no dialog") };
    assert!(choosing.cost_summary.starts_with("+484 points: "), "{choosing:?}");
    assert!(bench.shows_part("+484 points: "), "what it would come to");
    bench.click("Cancel");
    assert_eq!(points(&bench), before);
    bench.give(Command::Select(vec![1]));
    bench.click("Refit class…");
    type_into(&mut bench, "Search the designs", "sirocco");
    bench.click_first("choose Sirocco, 926 points, built-in");
    bench.click("Refit");
    assert_eq!(points(&bench), before + 484);
    assert!(bench.shows("class of ship 2: Sirocco"));
    undone(&mut bench);
}

#[test]
fn carried_units_are_chosen_within_the_rules() {
    let mut bench = escort();
    bench.click("pods in tow of ship 1: 1 × quiver");
    assert!(bench.shows_part("Petrel") && bench.shows_part("not allowed by the rules"));
    type_into(&mut bench, "Search the designs", "quiver");
    bench.click_first("more Quiver");
    bench.click("Use these");
    let fleet = bench.doc().as_fleet().unwrap();
    assert_eq!(fleet.fleet().ships[0].carried[0].ships[0].count, 2);
    assert!(bench.shows_part("ship 1 carries 2 Quiver"));
    undone(&mut bench);
}

#[test]
fn boxes_are_ticked_in_the_list_and_undone() {
    let mut bench = escort();
    bench.click("Damage and load");
    assert!(bench.shows_part("2 of 37 ticked"), "the structure as the file has it");
    assert!(!bench.shows_part("tick a box of thrust left"), "a state is no damage");
    bench.click("tick a box of structure");
    assert!(bench.text().contains("structure = 3"));
    type_into(&mut bench, "boxes of structure ticked", "1-4, 7");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.text().contains("structure = \"1-4, 7\""), "{}", bench.text());
    assert!(bench.shows("damage of ship 1: 5 boxes"));
    type_into(&mut bench, "boxes of structure ticked", "7-x");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows_part("expected boxes such as 1-12 or 14, found “7-x”"));
    bench.click_first("Clear damage");
    assert!(!bench.text().contains("structure ="));
    undone(&mut bench);
}

#[test]
fn a_click_on_the_sheet_ticks_a_box() {
    let mut bench = escort();
    let mark = |bench: &Bench, name: &str| {
        let doc = bench.doc();
        let shown = bench.state().preview.sheet(doc.id).expect("drawn");
        let spots = shown.pages.page_indices.iter().flat_map(|page| &page.marked_shapes);
        spots.filter(|spot| &*spot.mark.name == name).count()
    };
    assert!(mark(&bench, "structure_5") > 0);
    bench.give(Command::Fleet(FleetCommand::ToggleBox { stem: "structure".into(), number: 5 }));
    assert!(bench.text().contains("structure = \"1-2, 5\""), "{}", bench.text());
    bench.give(Command::Fleet(FleetCommand::ToggleBox { stem: "structure".into(), number: 5 }));
    assert!(bench.text().contains("structure = 2"));
    // Unknown boxes are ignored.
    let before = bench.text();
    bench.give(Command::Fleet(FleetCommand::ToggleBox { stem: "structure".into(), number: 4000 }));
    bench.give(Command::Fleet(FleetCommand::ToggleBox { stem: "nothing".into(), number: 1 }));
    assert_eq!(bench.text(), before);
}

#[test]
fn a_drag_over_boxes_ticks_them_and_does_not_scroll() {
    let mut bench = escort();
    let at = |bench: &Bench, name: &str| {
        let shown = bench.state().preview.sheet(bench.doc().id).expect("drawn");
        let rect = shown.pages.page_indices[0].marked_shapes.iter().find(|spot| &*spot.mark.name == name).unwrap().rect;
        let page = bench.harness.get_by_label_contains(", page 1 of").rect();
        page.min + egui::vec2(rect.x + rect.w / 2.0, rect.y + rect.h / 2.0) * shown.scale
    };
    let draw = |bench: &mut Bench, from: &str, to: &str| {
        let (from, to) = (at(bench, from), at(bench, to));
        bench.drag(from, to);
    };
    let before = at(&bench, "structure_1");
    draw(&mut bench, "structure_3", "structure_6");
    assert!(bench.text().contains("structure = 6"), "{}", bench.text());
    assert_eq!(at(&bench, "structure_1"), before);
    // A drag from a ticked box clears ticks.
    draw(&mut bench, "structure_6", "structure_4");
    assert!(bench.text().contains("structure = 3"), "{}", bench.text());
}

#[test]
fn a_copy_that_is_hit_becomes_an_entry_of_its_own() {
    let mut bench = escort();
    bench.give(Command::Select(vec![1]));
    type_into(&mut bench, "count of ship 2", "3");
    bench.give(Command::Fleet(FleetCommand::ShowUnit(1)));
    bench.give(Command::Fleet(FleetCommand::ToggleBox { stem: "structure".into(), number: 1 }));
    let all = ships(&bench);
    assert_eq!(all.iter().map(|(_, hull, _)| hull.as_str()).collect::<Vec<_>>()[1..], ["DD-118", "DD-119", "DD-120"]);
    let doc = bench.doc();
    assert_eq!(doc.selected, [2], "it is shown");
    assert!(doc.shown_ship().unwrap().ship.damage.is_hit("structure", 1));
    undone(&mut bench);
}

#[test]
fn a_ship_has_another_load_than_its_class() {
    let mut bench = escort();
    bench.click("Damage and load");
    let label = "laser heads of missile magazine, core";
    if !bench.shows(label) {
        return;
    }
    type_into(&mut bench, label, "45");
    assert!(bench.text().contains("laser_heads = 45"), "{}", bench.text());
    bench.click(&format!("{label} as designed"));
    assert!(!bench.text().contains("laser_heads"));
    undone(&mut bench);
}

#[test]
fn a_saved_change_of_a_class_shows_in_the_fleet() {
    let mut bench = with(&["designs/wars-of-honor/vigilant.toml"]);
    bench.open(ESCORT);
    let before = points(&bench);
    bench.click("Edit class");
    assert_eq!(bench.doc().name(), "Vigilant");
    bench.click_first("more missile launcher, port");
    bench.press(Modifiers::COMMAND, Key::S);
    let fleet = bench.state().docs[0].id;
    bench.give(Command::ShowTab(moldloft::editor::Tab::Doc(fleet)));
    assert_ne!(points(&bench), before);
}

#[test]
fn a_variant_is_a_new_design_and_replaces_none() {
    let mut bench = with(&["designs/wars-of-honor/vigilant.toml"]);
    bench.open(ESCORT);
    bench.click("Variant…");
    assert_eq!(bench.state().dialog, Some(Dialog::NameVariant { ship: 0, name: "Vigilant II".into() }));
    bench.click("Save variant");
    let saved = std::fs::read_to_string(bench.path("designs/wars-of-honor/vigilant-ii.toml")).unwrap();
    assert!(saved.contains("name = \"Vigilant II\""));
    assert!(bench.shows("class of ship 1: Vigilant II"));
    assert!(bench.text().contains("../vigilant-ii.toml"), "{}", bench.text());
    // An existing file is not replaced.
    bench.give(Command::Fleet(FleetCommand::SaveVariant { ship: 0, name: "Vigilant II".into() }));
    assert!(bench.shows_part("give the variant another name"));
    assert_eq!(std::fs::read_to_string(bench.path("designs/wars-of-honor/vigilant-ii.toml")).unwrap(), saved);
}

#[test]
fn a_new_fleet_is_begun_filled_saved_and_found_in_the_library() {
    let mut bench = Bench::new(&[]);
    let games = &bench.state().library.catalogue.games;
    let title = games.iter().find(|game| &*game.id == "wars-of-honor").unwrap().title.clone();
    bench.click(&format!("New fleet for {title}"));
    assert_eq!(bench.doc().name(), "New fleet");
    type_into(&mut bench, "name of the fleet", "Picket");
    bench.give(Command::Fleet(FleetCommand::OpenDesignChooser(DesignChooserPurpose::AddShips)));
    type_into(&mut bench, "Search the designs", "petrel");
    bench.press(Modifiers::NONE, Key::Enter);
    bench.focus("Search the designs");
    bench.press(Modifiers::COMMAND, Key::A);
    bench.press(Modifiers::NONE, Key::Backspace);
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.state().dialog.is_none(), "Enter without a search adds what is chosen");
    bench.press(Modifiers::COMMAND, Key::S);
    bench.click("Save");
    let path = bench.path("designs/wars-of-honor/fleets/picket.toml");
    assert_eq!(std::fs::read_to_string(path).unwrap(), bench.text());
    assert_eq!(points(&bench), 442);
    // Without ships it is still a fleet.
    bench.click("Remove");
    assert!(bench.doc().as_fleet().is_some());
    bench.press(Modifiers::COMMAND, Key::Z);
    let id = bench.state().docs[0].id;
    bench.give(Command::Close(id));
    bench.give(Command::ShowTab(moldloft::editor::Tab::Start));
    bench.click("List");
    type_into(&mut bench, "Search the library", "picket");
    let found = bench.harness.query_all_by_label_contains("Picket, fleet of 1 ship").next();
    found.expect("it is listed").click_accesskit();
    bench.settle();
    assert_eq!(bench.doc().name(), "Picket");
}

#[test]
fn fleets_survive_crashes_and_changes_by_other_programs() {
    let mut bench = escort();
    type_into(&mut bench, "name of ship 1", "HMS Bold");
    bench.harness.run_steps(6);
    bench.settle();
    let (changed, Bench { harness, folder, .. }) = (bench.text(), bench);
    drop(harness);
    let mut bench = Bench::over(folder);
    assert_eq!(bench.state().dialog, Some(Dialog::RecoverDrafts));
    bench.click("Restore all");
    assert_eq!(bench.text(), changed);
    assert!(bench.doc().as_fleet().is_some());
    let theirs = std::fs::read_to_string(bench.path(ESCORT)).unwrap().replace("HM-17", "HM-18");
    std::fs::write(bench.path(ESCORT), &theirs).unwrap();
    let path = bench.path(ESCORT);
    bench.give(Command::Persistence(PersistenceCommand::FilesChanged(vec![path])));
    assert!(bench.shows_part("Another program changed"));
    assert_eq!(bench.text(), changed);
}

#[test]
fn a_fleet_finds_its_designs_wherever_it_is_saved() {
    let mut bench = with(&["designs/wars-of-honor/vigilant.toml"]);
    bench.open(ESCORT);
    let (before, text) = (points(&bench), bench.text());
    assert!(text.contains("design = \"../vigilant.toml\""));
    let elsewhere = bench.path("designs/mine/escort.toml");
    bench.give(Command::SaveTo(elsewhere.clone()));
    assert_eq!(points(&bench), before);
    let saved = std::fs::read_to_string(&elsewhere).unwrap();
    assert!(saved.contains("design = \"../wars-of-honor/vigilant.toml\""), "{saved}");
    bench.give(Command::Undo);
    assert_eq!(bench.text(), text);
}

#[test]
fn a_copy_of_a_built_in_fleet_keeps_its_ships_and_is_undone_to_its_start() {
    let mut bench = Bench::new(&[]);
    bench.give(Command::OpenBuiltIn("designs/wars-of-honor/fleets/convoy-escort.toml".into()));
    let (before, text) = (points(&bench), bench.text());
    type_into(&mut bench, "name of ship 1", "HMS Bold");
    assert_eq!(points(&bench), before);
    assert!(bench.shows_part(", not saved"));
    bench.give(Command::Undo);
    assert_eq!((bench.text(), points(&bench)), (text, before));
}

#[test]
fn what_a_ship_carries_is_a_command_of_the_menu() {
    let mut bench = Bench::opened(&["designs/wars-of-honor/fleets/convoy-escort.toml"]);
    bench.give(Command::Select(vec![0]));
    bench.press(egui::Modifiers::COMMAND, egui::Key::K);
    bench.type_text("what the ship carries");
    bench.press(egui::Modifiers::NONE, egui::Key::Enter);
    assert!(matches!(bench.state().dialog, Some(Dialog::ChooseDesigns(_))), "{:?}", bench.state().dialog);
}

#[test]
fn enter_takes_the_first_design_found_and_enter_again_adds_it() {
    let mut bench = escort();
    let before = ships(&bench).len();
    bench.click("+ Ships…");
    bench.type_text("petrel");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.shows_part("1 selected"), "Enter takes it");
    assert_eq!(bench.focused().as_deref(), Some("Search the designs"));
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.state().dialog, None);
    assert_eq!(ships(&bench).len(), before + 1);
}
