//! A whole ship by keyboard alone, with the strokes counted.

use egui::{Key, Modifiers};
use moldloft::editor::Command;
use moldloft::editor::library_browser::LibraryCommand;

use crate::editor::bench::Bench;

/// What is pressed, one stroke each; Shift, Ctrl and the key they are held with are one.
struct Keyboard {
    bench: Bench,
    strokes: usize,
}

impl Keyboard {
    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.strokes += 1;
        self.bench.press(modifiers, key);
    }

    fn key(&mut self, key: Key) {
        self.press(Modifiers::NONE, key);
    }

    /// Letter by letter.
    fn text(&mut self, text: &str) {
        for letter in text.chars() {
            self.strokes += 1;
            self.bench.type_text(&letter.to_string());
        }
    }

    /// In the list of systems: the words for each system, then Enter.
    fn add(&mut self, systems: &[&str]) {
        for words in systems {
            self.text(words);
            self.key(Key::Enter);
        }
    }
}

#[test]
fn the_heavy_cruiser_is_built_to_the_point() {
    let mut board = Keyboard { bench: Bench::new(&[]), strokes: 0 };
    // Who plays one game is asked for none.
    board.bench.give(Command::Library(LibraryCommand::ChooseGame(Some("wars-of-honor".into()))));
    board.press(Modifiers::COMMAND, Key::N);
    board.text("Vigilant");
    board.key(Key::Enter);
    board.press(Modifiers::COMMAND, Key::I);
    for systems in [
        &["4 al", "8 be"][..],
        &["4 al", "8 be"],
        &[],
        &["6 la"],
        &["2 mis", "2 co", "las", "gra"],
        &["2 mis", "2 co", "las", "gra"],
    ] {
        board.add(systems);
        board.key(Key::PageDown);
    }
    // The broadside, and the other one like it.
    board.add(&["5 mis", "2 co", "2 las", "2 gra"]);
    board.key(Key::Escape);
    for _ in 0..3 {
        board.press(Modifiers::SHIFT, Key::ArrowUp);
    }
    board.press(Modifiers::COMMAND, Key::R);
    // Back to the core.
    board.press(Modifiers::COMMAND, Key::I);
    for _ in 0..4 {
        board.key(Key::PageUp);
    }
    board.add(&["3 cn", "2 ew", "mag"]);
    board.key(Key::Escape);
    // From the magazine's row to what it feeds and holds.
    for (steps, number) in [(4, "14"), (1, "50"), (1, "20")] {
        for _ in 0..steps {
            board.key(Key::Tab);
        }
        board.text(number);
    }
    let ship = board.bench.doc().evaluation().expect("it is checked");
    assert_eq!(ship.points, Some(1732), "{}", board.bench.text());
    assert!(ship.findings.is_empty(), "{:?}", ship.findings);
    // For the 21 kinds of system of seven mounts, its name and its missiles.
    assert!(board.strokes <= 140, "{} strokes", board.strokes);
}
