//! Every built-in game, by the same measure: its samples are legal and print legibly, each of its checks has a failing design with its exact
//! words, its counters and its reference sheet come out. What is a game's own (worked figures, random ships) stands in a file named after it.

/// What every game is tested for, with at least so many samples.
macro_rules! game_of {
    ($id:expr, $samples:expr) => {
        #[test]
        fn samples_are_legal_and_legible() {
            super::samples_hold($id, $samples);
        }

        #[test]
        fn every_check_speaks_in_the_words_kept_beside_its_case() {
            super::every_check_speaks($id);
        }

        #[test]
        fn every_fix_mends_what_it_is_offered_for() {
            super::editing::every_fix_mends($id);
        }

        #[test]
        fn margins_are_what_the_game_says_of_other_numbers() {
            super::editing::margins_are_true($id);
        }

        #[test]
        fn every_number_is_explained_and_leads_on() {
            super::editing::every_number_is_explained($id);
        }

        #[test]
        fn palettes_refuse_what_is_found_in_designs() {
            super::editing::refusals_are_findings($id);
        }

        #[test]
        fn ships_of_very_many_boxes_lose_none() {
            super::monsters_lose_nothing($id);
        }

        #[test]
        fn counters_and_reference_come_out() {
            super::counters_come_out($id);
            super::reference_comes_out($id);
        }
    };
}
use game_of;

mod b5_house_rules;
mod battleships_1890s;
mod editing;
mod own_systems;
mod sky_full_of_ships;
mod star_navy;
mod wars_of_honor;

use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate, explain, number_counters};
use moldloft::finding::{Finding, Severity};
use moldloft::progress::Progress;
use moldloft::ruleset::Ruleset;
use moldloft::scene::Scene;
use moldloft::sheet::{CounterJob, PageStorage, Paper, SheetJob, SheetOptions, TemplateCache, lay_out_counters, print};
use moldloft::source::toml::TomlValue;
use moldloft::store::Store;

use crate::support::{legible, rules};
use legible::holds;
use rules::{check, expected, folder, load, said};

/// Ships on their sheets, from the built-in templates.
pub fn printed(ships: &[Evaluation], options: SheetOptions) -> (Scene, Vec<Finding>) {
    let store = Store::built_in();
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let (scene, mut findings) = print(&SheetJob { ships, templates: &shelf, options, subject: "control sheets" });
    findings.extend(shelf.findings());
    (scene, findings)
}

/// A design given as text, under a built-in ruleset.
pub fn ship(rules: &Arc<Ruleset>, text: &str) -> Evaluation {
    let source = moldloft::source::Source::new("ship.toml", text);
    let design = moldloft::design::Design::read(&source).expect("it is TOML");
    evaluate(rules, &design, &moldloft::design::Ship::default())
}

/// The sample designs, evaluated one after another.
pub fn samples(id: &str) -> Vec<Evaluation> {
    let rules = load(id);
    folder(&format!("designs/{id}")).iter().map(|path| check(&rules, path)).collect()
}

/// Samples: enough of them, legal, and legible in every way they can be printed.
pub fn samples_hold(id: &str, at_least: usize) {
    let mut ships = samples(id);
    assert!(ships.len() >= at_least, "{id}: {} samples", ships.len());
    for ship in &ships {
        assert!(ship.legal, "{}: {}", ship.name, said(&ship.findings));
        // A twentieth of the allowance of a ship is 80,000: see `evaluate::effort`.
        assert!(ship.work() <= MOST_WORK, "{}: {} steps", ship.name, ship.work());
    }
    number_counters(&mut ships);
    for (paper, large_print) in [(Paper::A4, false), (Paper::Letter, false), (Paper::A4, true)] {
        let options = SheetOptions { page_setup: paper.into(), large_print, ..SheetOptions::default() };
        for ship in &ships {
            let (scene, findings) = printed(std::slice::from_ref(ship), options);
            assert!(findings.is_empty(), "{}: {}", ship.name, said(&findings));
            holds(ship, &scene, &findings, options);
        }
        let (scene, findings) = printed(&ships, options);
        assert!(findings.is_empty(), "{}", said(&findings));
        assert!(!scene.pages.is_empty());
    }
}

/// The most steps that a sample's formulas may take.
const MOST_WORK: u64 = 80_000;

/// Every check has a failing design; its messages are kept beside it.
pub fn every_check_speaks(id: &str) {
    let rules = load(id);
    let (mut faults, mut seen) = (Vec::new(), Vec::new());
    for path in folder(&format!("tests/cases/{id}/bad")) {
        let ship = check(&rules, &path);
        seen.extend(ship.findings.iter().map(|finding| finding.code.to_string()));
        faults.extend(expected(&path, &said(&ship.findings)).err());
        for finding in &ship.findings {
            let explained = explain(&ship, Some(&finding.code));
            assert!(!explained.is_empty(), "{path}: nothing explains {}", finding.code);
        }
    }
    for check in &rules.checks {
        assert!(seen.iter().any(|code| **code == *check.code), "no case for {}", check.code);
        assert!(check.rule.is_some() || check.severity == Some(Severity::Info), "{} names no rule", check.code);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// A sample with far too many of one thing at a time: whatever grows goes on over pages, and every box that the rules ask for is drawn.
pub fn monsters_lose_nothing(id: &str) {
    let rules = load(id);
    let path = folder(&format!("designs/{id}")).remove(0);
    let sample = Design::read(&rules::source(&path)).unwrap();
    let mut monsters = Vec::new();
    let last = sample.fits.len().saturating_sub(1);
    for fit in BTreeSet::from([0, last / 2, last]) {
        for count in [261, 1_500] {
            let mut monster = sample.clone();
            if let Some(fit) = monster.fits.get_mut(fit) {
                fit.count = count;
                monsters.push(monster);
            }
        }
    }
    for field in 0..sample.fields.len() {
        let mut monster = sample.clone();
        if let TomlValue::Int(number) = &mut monster.fields[field].node.data {
            *number = (*number).clamp(1, 50) * 40;
            monsters.push(monster);
        }
    }
    let mut printed_whole = 0;
    for monster in &monsters {
        let ship = evaluate(&rules, monster, &Ship::default());
        let (scene, findings) = printed(std::slice::from_ref(&ship), SheetOptions::default());
        let lost: Vec<&Finding> =
            findings.iter().filter(|finding| ["box-lost", "sheet-failed"].contains(&&*finding.code)).collect();
        let counts: Vec<u32> = monster.fits.iter().map(|fit| fit.count).collect();
        assert!(lost.is_empty(), "{path} with {counts:?}, {:?}: {lost:?}", monster.fields);
        assert!(!ship.is_cut_short(), "{path} with {counts:?} takes {} steps", ship.work());
        printed_whole += usize::from(!scene.pages.is_empty());
    }
    assert!(printed_whole * 2 > monsters.len(), "{id}: {printed_whole} of {}", monsters.len());
}

/// The counters of all samples: as many as the ships say, none unnamed.
pub fn counters_come_out(id: &str) {
    let mut ships = samples(id);
    number_counters(&mut ships);
    let store = Store::built_in();
    let shelf = TemplateCache::new(|ids, name| store.template(ids, name));
    let job = CounterJob {
        ships: &ships,
        templates: &shelf,
        page_setup: Default::default(),
        backs: Default::default(),
        copies: 1,
    };
    let (scene, mut findings) = lay_out_counters(&job, PageStorage::Plain, &Progress::default());
    findings.extend(shelf.findings());
    assert!(findings.is_empty(), "{id}: {}", said(&findings));
    assert!(!scene.pages.is_empty(), "{id} has no counters");
}

/// The reference sheet: all pages, nothing found wrong, nothing illegible.
pub fn reference_comes_out(id: &str) {
    let rules = load(id);
    let blank = Evaluation::blank(&rules, "reference").expect("a sheet called `reference`");
    for large_print in [false, true] {
        let options = SheetOptions { large_print, ..SheetOptions::default() };
        let (scene, findings) = printed(std::slice::from_ref(&blank), options);
        assert!(findings.is_empty(), "{id}: {}", said(&findings));
        holds(&blank, &scene, &findings, options);
    }
}

/// What a player needs of the rules, by game; the reference has it on large paper and on small.
const NEEDED: [(&str, &[&str]); 4] = [
    (
        "b5-house-rules",
        &[
            "as many pulses as its d10 shows",
            "strike first, by the same five steps",
            "range past a weapon's last number",
            "a ballistic's range: at launch or strike",
            "when a ship is destroyed",
            "rounded down; no less for a second side",
        ],
    ),
    (
        "battleships-1890s",
        &[
            "tries to enter another's square rams it",
            "stays in the square before it",
            "assumed, the quarter: side-on",
            "a turn at 1 square a turn",
            "two batteries alike near: which",
            "a hit on what is lost already",
        ],
    ),
    (
        "star-navy",
        &[
            "above the target's speed hits",
            "circle 1, then 2",
            "sum its damage",
            "so every other cycle",
            "may be hidden behind a screen",
        ],
    ),
    (
        "sky-full-of-ships",
        &[
            "just 12, 24 inches: nearer band (assumed)",
            "the rest attacks again",
            "beyond the basic rules",
            "one hull box (assumed)",
        ],
    ),
];

#[test]
fn references_have_what_a_player_needs() {
    for (id, needed) in NEEDED {
        let reference = Evaluation::blank(&load(id), "reference").expect("a sheet called `reference`");
        for paper in [Paper::A4, Paper::A5] {
            let options = SheetOptions { page_setup: paper.into(), ..SheetOptions::default() };
            let words = texts(std::slice::from_ref(&reference), options).join(" ");
            for phrase in needed {
                assert!(words.contains(phrase), "{id}, {paper}: {phrase} in {words}");
            }
        }
    }
}

/// The texts of all pages of a job, line by line.
pub fn texts(ships: &[Evaluation], options: SheetOptions) -> Vec<String> {
    let (scene, findings) = printed(ships, options);
    assert!(findings.is_empty(), "{}", said(&findings));
    let mut lines = Vec::new();
    for page in &scene.pages {
        lines.extend(page.items().iter().filter_map(|item| match &item.shape {
            moldloft::scene::Shape::Text(text) => Some(text.shaped.text.to_string()),
            _ => None,
        }));
    }
    lines
}
