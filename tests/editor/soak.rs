//! Random commands: undoing everything restores the start, byte for byte, and nothing panics.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use moldloft::editor::{Command, CommandKind, DocId, Tab};
use proptest::prelude::*;

use crate::editor::bench::Bench;
use crate::editor::dice::{Dice, Files, edit, of_kind, roll};

/// Two designs and a fleet of every game, sorted.
fn designs() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("designs");
    let sorted = |folder: &std::path::Path| {
        let mut names: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    };
    let games = sorted(&root).into_iter().filter(|path| path.is_dir());
    let files = games.flat_map(|game| {
        let is_toml = |path: &PathBuf| path.extension().is_some_and(|end| end == "toml");
        let fleets = game.join("fleets");
        let fleets = if fleets.is_dir() { sorted(&fleets) } else { Vec::new() };
        let designs = sorted(&game).into_iter().filter(is_toml).take(2);
        designs.chain(fleets.into_iter().filter(is_toml).take(1)).collect::<Vec<_>>()
    });
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    files.map(|file| file.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/")).collect()
}

/// Undoes and redoes everything; both ends are unchanged.
fn there_and_back(bench: &mut Bench, id: DocId, start: &str) {
    bench.harness.state_mut().apply(Command::CloseDialog);
    bench.harness.state_mut().apply(Command::ShowTab(Tab::Doc(id)));
    let now = bench.text();
    let mut steps = 0;
    while bench.state().current_doc().is_some_and(|doc| doc.history.undo_label().is_some()) {
        bench.harness.state_mut().apply(Command::Undo);
        steps += 1;
        assert!(steps < 100_000, "undoing does not come to an end");
    }
    assert_eq!(bench.text(), start, "after undoing {steps} steps");
    while bench.state().current_doc().is_some_and(|doc| doc.history.redo_label().is_some()) {
        bench.harness.state_mut().apply(Command::Redo);
    }
    // What had been undone before is redone, too.
    while bench.text() != now {
        assert!(
            bench.state().current_doc().is_some_and(|doc| doc.history.undo_label().is_some()),
            "the text is nowhere any more"
        );
        bench.harness.state_mut().apply(Command::Undo);
    }
}

/// Smooth scrolling of a long list may take many frames.
fn rest(bench: &mut Bench) {
    for _ in 0..20 {
        let is_still = bench.harness.run_ok().is_some();
        bench.harness.state().jobs().wait_until_idle();
        if is_still && !bench.harness.state().jobs().has_results() {
            return;
        }
    }
    panic!("the window does not come to rest");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn undoing_everything_gives_the_start(which in any::<prop::sample::Index>(), rolls in prop::collection::vec(any::<(u8, u64)>(), 1..60)) {
        let designs = designs();
        let file = which.get(&designs);
        let mut bench = Bench::opened(&[file]);
        let start = bench.text();
        let id = bench.state().docs[0].id;
        for (what, seed) in rolls {
            let dice = &mut Dice::new(seed);
            let command = match what % 10 {
                0..7 => Command::Edit(edit(bench.state(), dice)),
                7 | 8 => Command::Undo,
                _ => Command::Redo,
            };
            bench.harness.state_mut().apply(command);
        }
        there_and_back(&mut bench, id, &start);
    }
}

#[test]
fn ten_thousand_commands_break_nothing() {
    let designs = designs();
    let mut bench = Bench::new(&designs.iter().map(String::as_str).collect::<Vec<_>>());
    let scratch = || (0..6).map(|n| bench.folder.path().join(format!("scratch{n}.toml"))).collect();
    let files = Files {
        designs: designs.iter().map(|file| bench.path(file)).collect(),
        built_in: designs.iter().map(PathBuf::from).collect(),
        scratch: scratch(),
    };
    let (mut starts, mut kinds) = (BTreeMap::<DocId, String>::new(), BTreeSet::new());
    // Users write names in any script; the bundled faces draw a box for missing letters.
    bench.harness.ctx.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
    let mut dice = Dice::new(4);
    for n in 0..10_000 {
        // Keep some designs open.
        let command = match files.designs.get(n % 997) {
            Some(path) => Command::Open(path.clone()),
            None if bench.state().docs.len() > 14 => Command::CloseAnyway(bench.state().docs[0].id),
            None => roll(bench.state(), &files, &mut dice),
        };
        kinds.insert(command.kind());
        bench.harness.state_mut().apply(command);
        let docs = &bench.harness.state().state().docs;
        starts.retain(|id, _| docs.iter().any(|doc| doc.id == *id));
        for doc in docs {
            starts.entry(doc.id).or_insert_with(|| doc.text().to_string());
        }
        if n % 250 == 0 {
            rest(&mut bench);
        }
    }
    rest(&mut bench);
    for kind in CommandKind::ALL {
        let is_rolled = of_kind(*kind, bench.state(), &files, &mut dice).is_some();
        assert!(kinds.contains(kind) || !is_rolled, "{kind:?} has its turn");
    }
    for (id, start) in starts {
        there_and_back(&mut bench, id, &start);
    }
    rest(&mut bench);
}
