//! A design's own systems never make cheaper what the rules price by a formula: of random own systems of every game, none is legal for fewer points
//! than its open attributes come to.

use moldloft::design::{Design, Ship};
use moldloft::evaluate::{Evaluation, evaluate};
use moldloft::source::Source;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::load;

use crate::support::GAMES;

fn ship(game: &str, text: &str) -> Evaluation {
    let text = format!("ruleset = \"{game}\"\nname = \"Own\"\n{text}");
    evaluate(&load(game), &Design::read(&Source::new("own.toml", &text)).unwrap(), &Ship::default())
}

fn with_own(like: &str, stated: &str, parameters: &str) -> String {
    let own = format!("[[system]]\nid = \"own\"\nlike = \"{like}\"\n{stated}\n");
    own + &format!("[[fit]]\nsystem = \"own\"\nmount = \"core\"\ncount = 3\n{parameters}\n")
}

#[test]
fn what_the_rules_compute_is_not_for_a_design_to_state() {
    let words = |ship: &Evaluation| {
        let found = ship.findings.iter().filter(|finding| finding.code.starts_with("own-system"));
        found.map(|finding| format!("{}: {}", finding.code, finding.message)).collect::<Vec<_>>()
    };
    let free = ship("wars-of-honor", &with_own("missile-magazine", "mass = 1\npoints = 1", "feeds = 9"));
    let plain = ship("wars-of-honor", &with_own("missile-magazine", "", "feeds = 9"));
    assert_eq!(
        words(&free),
        [
            "own-system-computed: own: cannot set mass: the rules compute it for missile-magazine: 3 * it.feeds",
            "own-system-computed: own: cannot set points: the rules compute it for missile-magazine: it.mass",
        ]
    );
    assert!(!free.legal && words(&plain).is_empty());
    assert_eq!(free.points, plain.points, "the computed numbers count");
    let guns = ship("battleships-1890s", &with_own("main-gun", "points = 1", ""));
    assert!(
        words(&guns)[0].contains("cannot set points: the rules compute it for main-gun: 4 * it.guns"),
        "{:?}",
        words(&guns)
    );
    // A parameter keeps its bounds.
    let fewer = ship("battleships-1890s", &with_own("main-gun", "guns = -9", ""));
    assert!(fewer.findings.iter().any(|finding| *finding.code == *"value-out-of-range"), "{:?}", fewer.findings);
    // Reactors are for what draws power.
    let power = ship("b5-house-rules", &with_own("weapon", "power = -9", "boxes = 1"));
    assert!(words(&power)[0].contains("expected power of at least 0, found -9"), "{:?}", words(&power));
}

#[test]
fn random_own_systems_are_never_cheaper_than_the_rules_compute() {
    for game in GAMES {
        let rules = load(game);
        let kinds: Vec<String> = rules.systems.iter().map(|system| system.id.to_string()).collect();
        if kinds.is_empty() {
            continue;
        }
        let numbers = ["mass", "points", "holds", "rounds", "power", "recharge", "guns", "feeds"];
        let stated = proptest::collection::vec((0..numbers.len(), -3_i64..9), 0..4);
        let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
        let result = runner.run(&(0..kinds.len(), stated), |(kind, stated)| {
            let mut lines: Vec<String> = Vec::new();
            for (number, amount) in stated {
                if lines.iter().all(|line| !line.starts_with(numbers[number])) {
                    lines.push(format!("{} = {amount}", numbers[number]));
                }
            }
            let own = ship(game, &with_own(&kinds[kind], &lines.join("\n"), ""));
            let is_refused = own.findings.iter().any(|finding| {
                [
                    "own-system-computed",
                    "own-system-out-of-range",
                    "value-out-of-range",
                    "unknown-parameter",
                    "own-system-not-allowed",
                ]
                .contains(&&*finding.code)
            });
            if is_refused {
                prop_assert!(!own.legal);
                return Ok(());
            }
            // What is left states constants alone: a number that the rules compute is the rules'.
            let plain: Vec<String> = lines.iter().filter(|line| !line.starts_with("points")).cloned().collect();
            let computed = ship(game, &with_own(&kinds[kind], &plain.join("\n"), ""));
            if !lines.iter().any(|line| line.starts_with("points")) {
                prop_assert_eq!(own.points, computed.points);
            }
            prop_assert!(own.points >= Some(0) || own.points.is_none());
            Ok(())
        });
        if let Err(error) = result {
            panic!("{game}: {error}");
        }
    }
}
