//! The questions whose answers are known, most of them from trying every design.

use super::*;

type Case = (
    &'static str,
    &'static str,
    (Sense, &'static str),
    &'static [&'static str],
    &'static [&'static str],
    (i64, i64, i64),
    &'static [&'static str],
);

const CASES: &[Case] = &[
    (
        "wars-of-honor",
        "petrel",
        (Sense::Maximise, "launchers"),
        &["points <= 500"],
        &[
            "missile-launcher@forward:0..12",
            "missile-launcher@aft:0..12",
            "missile-launcher@port+starboard:0..12",
            "missile-magazine.feeds:1..12",
        ],
        (7, -476, -2),
        &["missile-launcher@forward 1->2", "missile-magazine.feeds@core 6->7"],
    ),
    (
        "wars-of-honor",
        "petrel",
        (Sense::Minimise, "points"),
        &["thrust >= 8", "count('laser') >= 4", "thrust_wave >= 2"],
        &["alpha-node:0..6", "beta-node:0..12", "laser:0..4"],
        (-442, -442, 0),
        &[],
    ),
    (
        "wars-of-honor",
        "vigilant",
        (Sense::Maximise, "launchers"),
        &["points <= 1800"],
        &[
            "missile-launcher@forward:0..10",
            "missile-launcher@aft:0..10",
            "missile-launcher@port+starboard:0..16",
            "missile-magazine.feeds:1..34",
        ],
        (15, -1782, -2),
        &["missile-launcher@forward 2->3", "missile-magazine.feeds@core 14->15"],
    ),
    (
        "sky-full-of-ships",
        "swordfish",
        (Sense::Maximise, "primary_forward + primary_left + secondary"),
        &["points <= 12", "weapon_mass <= mass"],
        &["mass:3..7", "primary_forward:0..9", "primary_left:0..7", "secondary:0..6"],
        (19, -11, -2),
        &["mass 6->4", "primary_left 4->7"],
    ),
    (
        "sky-full-of-ships",
        "burlington",
        (Sense::Maximise, "special_count"),
        &["points <= 30", "weapon_mass <= mass"],
        &["mass:1..24", "special_count:0..6"],
        (3, -28, -2),
        &["mass 10->10", "special_count 2->3"],
    ),
];

#[test]
fn golden_questions_have_their_answers() {
    for (game, design, objective, goals, vary, (main, points, moved), changes) in CASES {
        let subject = subject(game, design);
        let started = std::time::Instant::now();
        let (result, found) = ask(&subject, &question(*objective, goals, vary));
        println!(
            "{game} {design} {found:?} {:?} boxes {} tried {} in {:?}",
            result.best,
            result.boxes,
            result.tried,
            started.elapsed()
        );
        let best = result.best.unwrap();
        assert_eq!(result.proof, Proof::Proved);
        assert_eq!((best.score.main, best.score.points, best.score.moved), (*main, *points, *moved), "{found:?}");
        let _ = changes;
    }
}
