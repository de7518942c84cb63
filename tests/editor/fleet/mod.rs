//! The fleet page: the table of ships, editing in place, reordering and the budget.

mod pack;
mod ships;

use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use moldloft::editor::{Command, FormTarget};

use crate::editor::bench::Bench;

pub const ESCORT: &str = "designs/wars-of-honor/fleets/escort.toml";

/// A window over a workspace with these files of the repository and a fleet of two ships.
pub fn with(files: &[&str]) -> Bench {
    let mut bench = Bench::new(files);
    bench.write(ESCORT, include_str!("escort.toml"));
    bench.settle();
    bench
}

/// The same with the fleet open.
pub fn escort() -> Bench {
    let mut bench = with(&[]);
    bench.open(ESCORT);
    bench
}

/// Focuses a cell and types there.
pub fn type_into(bench: &mut Bench, label: &str, text: &str) {
    bench.focus(label);
    bench.press(Modifiers::COMMAND, Key::A);
    bench.harness.input_mut().events.push(egui::Event::Text(text.into()));
    bench.settle();
}

#[test]
fn a_fleet_opens_with_its_ships_and_its_points_against_the_budget() {
    let bench = escort();
    let doc = bench.doc();
    let fleet = doc.as_fleet().expect("a fleet");
    let (points, budget) = (fleet.evaluated.points.unwrap(), fleet.fleet().budget.unwrap().points);
    assert!(bench.shows(&format!("points: {points}, of {budget} · {} left", budget - points)));
    assert!(bench.shows_part("ship 1: HMS Vigilant, Vigilant, "));
    assert!(bench.shows("class of ship 1: Vigilant"));
    assert!(bench.shows_part("ship 1 carries 1 Quiver"));
    assert!(bench.shows("Escort of convoy HM-17"), "the tab");
    assert!(bench.shows_part("Sheet of HMS Vigilant"), "the sheet of the first ship");
}

#[test]
fn a_name_typed_into_the_table_is_saved_and_undone_byte_for_byte() {
    let mut bench = escort();
    let before = bench.text();
    type_into(&mut bench, "name of ship 2", "HMS Kestrel");
    assert!(bench.text().contains("name = \"HMS Kestrel\""));
    assert!(bench.shows("Escort of convoy HM-17, not saved"));
    bench.press(Modifiers::COMMAND, Key::S);
    assert_eq!(std::fs::read_to_string(bench.path(ESCORT)).unwrap(), bench.text());
    bench.give(Command::Undo);
    assert_eq!(bench.text(), before);
}

#[test]
fn enter_goes_to_the_same_cell_of_the_next_ship() {
    let mut bench = escort();
    bench.focus("captain of ship 1");
    bench.press(Modifiers::NONE, Key::Enter);
    assert!(bench.harness.get_by_label("captain of ship 2").is_focused());
    bench.press(Modifiers::NONE, Key::ArrowUp);
    assert!(bench.harness.get_by_label("captain of ship 1").is_focused());
}

#[test]
fn over_the_budget_is_marked_and_found() {
    let mut bench = escort();
    type_into(&mut bench, "budget of the fleet", "100");
    let over = bench.doc().as_fleet().unwrap().points_left().unwrap();
    assert!(over < 0);
    assert!(bench.shows_part(&format!("! {} over 100", -over)));
    assert!(bench.shows_part("Breaks the rules"));
    bench.click_first(&format!("error: {}", bench.doc().findings()[0].message));
    assert!(bench.harness.get_by_label("budget of the fleet").is_focused(), "a click goes to the budget");
}

#[test]
fn ships_are_ordered_by_keyboard() {
    let mut bench = escort();
    let before = bench.text();
    let name = |bench: &Bench, n: usize| {
        bench.doc().as_fleet().unwrap().fleet().ships[n].name.clone().unwrap().text.to_string()
    };
    let (first, second) = (name(&bench, 0), name(&bench, 1));
    bench.give(Command::Select(vec![0]));
    bench.press(Modifiers::ALT, Key::ArrowDown);
    assert_eq!((name(&bench, 0), name(&bench, 1)), (second, first));
    assert_eq!(bench.doc().selected, [1], "it stays selected");
    bench.press(Modifiers::ALT, Key::ArrowUp);
    bench.harness.get_by_label_contains("ship 1: HMS Vigilant").focus();
    bench.settle();
    bench.press(Modifiers::ALT, Key::ArrowDown);
    assert!(bench.harness.get_by_label_contains("ship 2: HMS Vigilant").is_focused(), "the keyboard goes with it");
    bench.press(Modifiers::COMMAND, Key::Z);
    bench.press(Modifiers::COMMAND, Key::Z);
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
}

#[test]
fn a_place_out_of_sight_is_scrolled_to() {
    let mut bench = escort();
    let ship = "\n[[ship]]\ndesign = \"Petrel\"\n".repeat(120);
    let text = bench.text() + &ship;
    bench.give(Command::Persistence(moldloft::editor::PersistenceCommand::SetText(text)));
    assert!(!bench.shows("name of ship 110"), "only what is in sight is laid out");
    bench.give(Command::GoTo(FormTarget::Ship { ship: 109, key: "captain" }));
    assert!(bench.harness.get_by_label("captain of ship 110").is_focused());
}

#[test]
fn a_ship_is_dragged_to_another_place() {
    let mut bench = escort();
    let before = bench.text();
    let centre = |bench: &Bench, label: &str| {
        let found = bench.harness.query_all_by_label_contains(label).next();
        found.unwrap_or_else(|| panic!("no {label}")).rect().center()
    };
    let (from, to) = (centre(&bench, "ship 2: HMS Petrel"), centre(&bench, "ship 1: HMS Vigilant"));
    let above = egui::pos2(to.x, to.y - 12.0);
    bench.harness.drag_at(from);
    bench.harness.run_steps(2);
    for at in [from + egui::vec2(0.0, -12.0), to, above] {
        bench.harness.hover_at(at);
        bench.harness.run_steps(2);
    }
    bench.harness.drop_at(above);
    bench.settle();
    let fleet = bench.doc().as_fleet().unwrap().fleet();
    assert_eq!(&*fleet.ships[0].name.as_ref().unwrap().text, "HMS Petrel");
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
}

#[test]
fn nothing_is_drawn_while_nothing_happens_and_all_is_in_sight_in_a_small_window() {
    let mut bench = escort();
    assert!(bench.harness.run() <= 2);
    let folder = std::mem::replace(&mut bench.folder, tempfile::tempdir().unwrap());
    drop(bench);
    let mut bench = Bench::sized(folder, 1024.0, 700.0);
    bench.open(ESCORT);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1024.0, 700.0));
    for label in ["+ Ships…", "Edit class", "points: ", "name of ship 2", "Damage and load", "Print…"] {
        let found = bench.harness.query_all_by_label_contains(label).next();
        let rect = found.unwrap_or_else(|| panic!("no {label}")).rect();
        assert!(screen.contains_rect(rect), "{label}: {rect:?}");
    }
}
