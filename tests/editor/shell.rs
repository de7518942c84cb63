//! Tabs, menus, keys, saving.

use egui::{Key, Modifiers};

use egui_kittest::kittest::Queryable;
use moldloft::editor::{Command, Dialog};

use crate::editor::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";

#[test]
fn an_edit_is_seen_undone_and_redone() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let before = bench.text();
    bench.click_first("more missile launcher, port");
    let after = bench.text();
    assert_ne!(before, after);
    assert!(bench.shows("Vigilant, not saved"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(bench.text(), before);
    assert!(bench.shows("Vigilant"));
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(bench.text(), after);
}

#[test]
fn saving_writes_what_is_shown() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.click_first("more missile launcher, port");
    bench.press(Modifiers::COMMAND, Key::S);
    assert_eq!(std::fs::read_to_string(bench.path(VIGILANT)).unwrap(), bench.text());
    assert!(!bench.shows("Vigilant, not saved"));
}

#[test]
fn enter_saves_under_the_name_typed_and_a_design_ends_in_toml() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    assert!(matches!(bench.state().dialog, Some(Dialog::SaveAs { .. })));
    let typed = bench.path("designs/Mk. 2").to_string_lossy().into_owned();
    bench.give(Command::OpenDialog(Dialog::SaveAs { path: typed }));
    bench.press(Modifiers::NONE, Key::Enter);
    assert_eq!(bench.state().dialog, None);
    assert_eq!(std::fs::read_to_string(bench.path("designs/Mk. 2.toml")).unwrap(), bench.text());
    assert!(bench.shows_part("Saved: "));
}

#[test]
fn one_file_has_one_tab_however_it_is_named() {
    let mut bench = Bench::opened(&[VIGILANT]);
    bench.give(Command::Open(bench.path("designs/./wars-of-honor/vigilant.toml")));
    assert_eq!(bench.state().docs.len(), 1);
    assert!(bench.state().settings.recent.iter().all(|path| path.is_absolute()));
}

#[test]
fn a_built_in_design_undone_to_its_start_is_no_change() {
    let mut bench = Bench::new(&[]);
    bench.give(Command::OpenBuiltIn("designs/star-navy/detroit.toml".into()));
    bench.click_first("more shield, front");
    assert!(bench.shows("Detroit, not saved"));
    bench.press(Modifiers::COMMAND, Key::Z);
    assert!(bench.shows("Detroit") && !bench.shows_part("not saved"));
}

#[test]
fn a_number_counts_as_it_is_typed() {
    let mut bench = Bench::opened(&[VIGILANT]);
    let label = "number of missile launcher, port";
    bench.harness.get_all_by_label(label).next().unwrap_or_else(|| panic!("no “{label}”")).focus();
    bench.settle();
    bench.press(Modifiers::COMMAND, Key::A);
    bench.harness.input_mut().events.push(egui::Event::Text("7".into()));
    bench.settle();
    assert!(bench.shows("Vigilant, not saved"), "nothing else was pressed");
    assert!(bench.text().contains("count = 7"));
}
