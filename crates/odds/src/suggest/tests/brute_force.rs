//! What the search finds is what trying every design finds, and it is the same on any number of threads.

use super::*;
use crate::suggest::search::branch_and_bound;
use crate::suggest::search::try_all;

type Case = (&'static str, &'static str, (Sense, &'static str), &'static [&'static str], &'static [&'static str]);

#[rustfmt::skip] // A question and its window.
const CASES: &[Case] = &[
    ("wars-of-honor", "petrel", (Sense::Maximise, "structure"), &["points <= 480"],
        &["laser-cluster:0..9", "cnc:0..4", "counter-missile-launcher:0..5", "ew-drone:0..5"]),
    ("wars-of-honor", "vigilant", (Sense::Minimise, "points"), &["structure >= 37", "thrust >= 16"],
        &["alpha-node:2..5", "beta-node:4..12", "laser-cluster:0..8", "cnc:1..4"]),
    ("wars-of-honor", "grinning-jack", (Sense::Maximise, "missiles - points"), &[],
        &["#weapon:0..2"]),
    ("sky-full-of-ships", "swordfish", (Sense::Maximise, "primary_forward + 2 * turns + df"), &["points <= 13", "w_small < w_strongest"],
        &["mass:1..8", "primary_forward:0..12", "engine:0..9", "secondary:0..5"]),
    ("sky-full-of-ships", "atlas", (Sense::Minimise, "mass"), &["launch_rate >= 2", "weapon_mass <= mass"],
        &["mass:1..40", "fighter_bays:0..20", "secondary:0..6"]),
    ("star-navy", "pittsburgh", (Sense::Maximise, "count('laser') + 2 * count('torpedo')"), &["points <= 170"],
        &["laser:0..3", "torpedo:0..3", "engine:1..6"]),
    ("battleships-1890s", "saltholm", (Sense::Maximise, "points"), &["points <= 40"],
        &["main-gun.guns:0..8", "secondary-gun:0..4", "secondary-gun.guns:0..6", "torpedo-tube:0..5"]),
    ("b5-house-rules", "varnic", (Sense::Minimise, "thrust + 3 * accn + jamming"), &["accel_steps >= 2", "jamming_side_lost >= 1"],
        &["thrust:0..20", "jamming:0..9", "accn:1..9"]),
];

fn spaces(with: impl Fn(&str, &SearchSpace<'_>)) {
    for (game, design, objective, goals, vary) in CASES {
        let subject = subject(game, design);
        let name = format!("{game} {design} {}", objective.1);
        match SearchSpace::new(&subject, &question(*objective, goals, vary)) {
            Ok(space) => with(&name, &space),
            Err(finding) => panic!("{name}: {} {:?}", finding.message, finding.help),
        }
    }
}

#[test]
fn boxes_find_what_counting_finds() {
    spaces(|name, space| {
        assert!(space.designs() <= 50_000, "{name}: {}", space.designs());
        let counted = try_all(space);
        let found = branch_and_bound(space, &Progress::default());
        println!("{name}: {} designs, {} boxes, {:?}", counted.tried, found.boxes, found.best);
        assert_eq!(found.proof, Proof::Proved, "{name}");
        let numbers = |result: &SearchResult| result.best.as_ref().map(|best| (best.score.main, best.score.points));
        assert_eq!(numbers(&found), numbers(&counted), "{name}: {:?}, {:?}", found.best, counted.best);
        let moves = |result: &SearchResult| result.best.as_ref().map(|best| (best.score.moved, best.score.moves));
        assert_eq!(moves(&found), moves(&counted), "{name}: {:?}, {:?}", found.best, counted.best);
    });
}

#[test]
fn the_answer_does_not_hang_on_threads() {
    spaces(|name, space| {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let result = pool.install(|| branch_and_bound(space, &Progress::default()));
            (result.best, result.proof, result.boxes, result.tried)
        };
        assert_eq!(with(1), with(4), "{name}");
    });
}
