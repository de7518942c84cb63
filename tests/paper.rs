//! Printing on every paper: each game's sheets, cards and chits on papers small and large, with margins, beside each other, turned over either
//! way and corrected for a printer; read back from the finished PDF.

#![allow(clippy::disallowed_methods, reason = "tests read files")]

#[path = "support/legible.rs"]
mod legible;
#[path = "support/rules.rs"]
mod rules;

use std::sync::OnceLock;

use moldloft::evaluate::{Evaluation, number};
use moldloft::finding::Finding;
use moldloft::ruleset::SheetKind;
use moldloft::scene::Scene;
use moldloft::sheet::{Bed, Job, Margins, Options, Paper, Shelf, Up, print};
use moldloft::store::Store;

use legible::holds;
use rules::{check, folder, load, said};

const GAMES: [&str; 5] = ["wars-of-honor", "sky-full-of-ships", "star-navy", "battleships-1890s", "b5-house-rules"];

fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    STORE.get_or_init(Store::built_in)
}

/// The samples of a game, numbered, and its reference sheet.
fn samples(id: &str) -> (Vec<Evaluation>, Vec<Evaluation>) {
    let rules = load(id);
    let mut ships: Vec<_> = folder(&format!("designs/{id}")).iter().map(|path| check(&rules, path)).collect();
    number(&mut ships);
    (ships, moldloft::press::blank(&rules, SheetKind::Reference))
}

fn printed(ships: &[Evaluation], options: Options) -> (Scene, Vec<Finding>) {
    let shelf = Shelf::new(|ids, name| store().template(ids, name));
    print(&Job { ships, shelf: &shelf, options, what: "control sheets" })
}

fn paper(word: &str) -> Paper {
    word.parse().unwrap_or_else(|error| panic!("{word}: {error}"))
}

/// Everything on every paper keeps the promise of smallest sizes, loses no box and stands over nothing.
#[test]
fn sheets_hold_on_every_paper() {
    let beds = [
        Bed::from(Paper::A5),
        Bed::from(Paper::Legal),
        Bed::from(Paper::A3),
        Bed::from(paper("8x10in")),
        Bed { margins: Some(Margins::all(14.0)), ..Paper::Letter.into() },
        Bed { up: Up::Two, ..Paper::A4.into() },
        Bed { up: Up::Four, ..Paper::Tabloid.into() },
    ];
    let mut faults = Vec::new();
    for game in GAMES {
        let (ships, reference) = samples(game);
        for bed in beds {
            for large_print in [false, true] {
                let options = Options { bed, large_print, ..Options::default() };
                for ship in ships.iter().chain(&reference) {
                    let done = std::panic::catch_unwind(|| {
                        let (scene, findings) = printed(std::slice::from_ref(ship), options);
                        if findings.iter().all(|finding| finding.code == "paper-too-small") && !findings.is_empty() {
                            return;
                        }
                        assert!(findings.is_empty(), "{}", said(&findings));
                        holds(ship, &scene, &findings, options);
                    });
                    if let Err(why) = done {
                        let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
                        faults.push(format!(
                            "{game} {} on {} {:?} large {large_print}: {why}",
                            ship.name, bed.paper, bed.up
                        ));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
