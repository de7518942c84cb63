//! Tabs, menus, keys, saving.

use egui::{Key, Modifiers};

use crate::bench::Bench;

const VIGILANT: &str = "designs/wars-of-honor/vigilant.toml";

#[test]
fn an_edit_is_seen_undone_and_redone() {
    let mut bench = Bench::new(&[VIGILANT]);
    bench.open(VIGILANT);
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
    let mut bench = Bench::new(&[VIGILANT]);
    bench.open(VIGILANT);
    bench.click_first("more missile launcher, port");
    bench.press(Modifiers::COMMAND, Key::S);
    assert_eq!(std::fs::read_to_string(bench.path(VIGILANT)).unwrap(), bench.text());
    assert!(!bench.shows("Vigilant, not saved"));
}
