//! The questions whose answers are known, most of them from trying every design.

use super::*;
use crate::suggest::claims::legal_claim;
use crate::suggest::claims::spend_claim;

type Case = (
    &'static str,
    &'static str,
    (Sense, &'static str),
    &'static [&'static str],
    &'static [&'static str],
    (i64, i64, i64),
    &'static [&'static str],
);

#[rustfmt::skip] // A question and its window.
const CASES: &[Case] = &[
    ("wars-of-honor", "petrel", (Sense::Maximise, "launchers"), &["points <= 500"],
        &["missile-launcher@forward:0..12", "missile-launcher@aft:0..12", "missile-launcher@port+starboard:0..12", "missile-magazine.feeds:1..12"],
        (7, -476, -2), &["missile-launcher@forward 1->2", "missile-magazine.feeds@core 6->7"]),
    ("wars-of-honor", "petrel", (Sense::Minimise, "points"), &["thrust >= 8", "count('laser') >= 4", "thrust_wave >= 2"],
        &["alpha-node:0..6", "beta-node:0..12", "laser:0..4"],
        (-442, -442, 0), &[]),
    ("wars-of-honor", "vigilant", (Sense::Maximise, "launchers"), &["points <= 1800"],
        &["missile-launcher@forward:0..10", "missile-launcher@aft:0..10", "missile-launcher@port+starboard:0..16", "missile-magazine.feeds:1..34"],
        (15, -1782, -2), &["missile-launcher@forward 2->3", "missile-magazine.feeds@core 14->15"]),
    ("sky-full-of-ships", "swordfish", (Sense::Maximise, "primary_forward + primary_left + secondary"), &["points <= 12", "weapon_mass <= mass"],
        &["mass:3..7", "primary_forward:0..9", "primary_left:0..7", "secondary:0..6"],
        (19, -11, -2), &["mass 6->4", "primary_left 4->7"]),
    ("sky-full-of-ships", "burlington", (Sense::Maximise, "special_count"), &["points <= 30", "weapon_mass <= mass"],
        &["mass:1..24", "special_count:0..6"],
        (3, -28, -2), &["mass 11->10", "special_count 2->3"]),
];

#[test]
fn golden_questions_have_their_answers() {
    for (game, design, objective, goals, vary, (main, points, moved), changes) in CASES {
        let subject = subject(game, design);
        let (result, found) = ask(&subject, &question(*objective, goals, vary));
        let best = result.best.unwrap();
        assert_eq!(result.proof, Proof::Proved);
        assert_eq!((best.score.main, best.score.points, best.score.moved), (*main, *points, *moved), "{found:?}");
        assert_eq!(found, *changes);
    }
}

/// Ways, each the changes it makes.
fn ways(subject: &Subject, warnings: WarningPolicy) -> (Option<usize>, Vec<String>) {
    let found = make_legal(subject, &Question { warnings, ..Question::default() }, &Progress::default());
    assert!(found.is_complete);
    for way in &found.ways {
        assert!(way.after.legal, "{:?}", way.edits);
    }
    let words = |way: &LegalWay| match &way.fix {
        Some(fix) => fix.clone(),
        None => way
            .changes
            .iter()
            .map(|one| format!("{} {}->{}", one.lever, one.from, one.to))
            .collect::<Vec<_>>()
            .join(" and "),
    };
    (found.fewest, found.ways.iter().map(words).collect())
}

fn edited(game: &str, design: &str, changes: &[(&str, &str)]) -> Subject {
    let mut text = include_builtin(&format!("designs/{game}/{design}.toml"));
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    subject_of(game, &text)
}

#[test]
fn designs_are_made_legal_with_the_fewest_changes() {
    let launchers = edited("wars-of-honor", "vigilant", &[("count = 5", "count = 7")]);
    let (fewest, found) = ways(&launchers, WarningPolicy::Known);
    assert_eq!(fewest, Some(1));
    for wanted in
        ["missile-launcher@port+starboard 7->5", "set launchers it feeds of the missile magazine in core to 18"]
    {
        assert!(found.iter().any(|way| way == wanted), "{wanted}: {found:?}");
    }
    assert_eq!(found.len(), 2, "{found:?}");

    let heads = edited("wars-of-honor", "vigilant", &[("laser_heads = 50", "laser_heads = 90")]);
    let (fewest, found) = ways(&heads, WarningPolicy::Known);
    assert_eq!(fewest, Some(1));
    assert!(found.iter().any(|way| way == "missile-magazine.laser_heads@core 90->50"), "{found:?}");

    let bays = edited("sky-full-of-ships", "swordfish", &[("mass = 6", "mass = 6\nfighter_bays = 9")]);
    let (fewest, found) = ways(&bays, WarningPolicy::Known);
    println!("{found:?}");
    assert_eq!(fewest, Some(1));
    for wanted in ["mass 6->12", "set fighter bays to 4"] {
        assert!(found.iter().any(|way| way == wanted), "{wanted}: {found:?}");
    }
    let (_, found) = ways(&bays, WarningPolicy::None);
    for wanted in ["mass 6->13", "fighter_bays 9->2"] {
        assert!(found.iter().any(|way| way == wanted), "{wanted}: {found:?}");
    }
    let legal = subject("wars-of-honor", "vigilant");
    assert_eq!(ways(&legal, WarningPolicy::Known), (Some(0), Vec::new()));
    assert_eq!(legal_claim(&make_legal(&legal, &Question::default(), &Progress::default())), "It is legal as it is.");
}

/// Two faults at once: seven launchers a side where the magazine feeds five, and more laser heads than it holds.
fn twice_at_fault() -> Subject {
    let changes = [("count = 5", "count = 7"), ("laser_heads = 50", "laser_heads = 90")];
    edited("wars-of-honor", "vigilant", &changes)
}

/// The two levers of each way, in the order of levers.
fn levers_of_ways(found: &LegalWays) -> Vec<Vec<String>> {
    found.ways.iter().map(|way| way.changes.iter().map(|one| one.lever.to_string()).collect()).collect()
}

#[test]
fn two_faults_have_six_ways_of_two_changes() {
    let subject = twice_at_fault();
    let found = make_legal(&subject, &Question::default(), &Progress::default());
    assert_eq!((found.fewest, found.is_complete, found.has_more, found.levers), (Some(2), true, false, 21));
    let (sides, feeds) = ("missile-launcher@port+starboard", "missile-magazine.feeds@core");
    let heads = "missile-magazine.laser_heads@core";
    let wanted = [
        ["missile-launcher@forward", feeds],
        ["missile-launcher@aft", feeds],
        [sides, feeds],
        [sides, heads],
        [feeds, heads],
        [feeds, "missile-magazine.nuclear@core"],
    ];
    assert_eq!(levers_of_ways(&found), wanted);
    let claim = legal_claim(&found);
    assert_eq!(claim, "No single change makes it legal (21 numbers may change). Two do, in 6 ways:");
    let cut = LegalWays { has_more: true, ..found };
    assert!(legal_claim(&cut).ends_with("Two do, in more than 6 ways, 6 of which are:"), "{}", legal_claim(&cut));
    let cut = LegalWays { has_more: false, is_complete: false, ruled_out: 0, ..cut };
    assert!(
        legal_claim(&cut)
            .starts_with("Not every choice of changes was tried (21 numbers may change). Two do, in at least 6")
    );
}

/// Tries every number of every two levers: some seconds with optimisation, minutes without.
#[test]
#[ignore = "tries some hundred thousand designs"]
fn the_ways_of_two_changes_are_those_that_counting_finds() {
    let subject = twice_at_fault();
    let found = make_legal(&subject, &Question::default(), &Progress::default());
    let space = SearchSpace::bare(&subject, &Question::default());
    let levers = crate::suggest::lever::all_levers(&space.trial());
    let mut counted: Vec<[String; 2]> = Vec::new();
    let mut tried = 0;
    for (place, first) in levers.iter().enumerate() {
        for second in &levers[place + 1..] {
            let two = space.with_levers(vec![first.clone(), second.clone()]);
            let mut scorer = crate::suggest::scorer::Scorer::new(&two);
            let mut is_legal = false;
            crate::suggest::search::each_point(&two, |point| {
                tried += 1;
                is_legal |= scorer.score(point).is_some_and(|found| found.score.moved == -2 && scorer.confirms(&found));
            });
            if is_legal {
                counted.push([first.id.to_string(), second.id.to_string()]);
            }
        }
    }
    let mut ways = levers_of_ways(&found);
    ways.iter_mut().for_each(|way| way.sort());
    ways.sort();
    counted.iter_mut().for_each(|way| way.sort());
    counted.sort();
    println!("{tried} designs of two changes among {} levers: {counted:?}", levers.len());
    assert_eq!(ways, counted);
}

#[test]
fn points_buy_what_the_rules_allow() {
    let vigilant = subject("wars-of-honor", "vigilant");
    let bought = spend(&vigilant, &SpendLimit::points(1_800), &Question::default(), &Progress::default()).unwrap();
    let found: Vec<String> = bought
        .bought
        .iter()
        .map(|one| format!("{} {} {}", one.more, one.lever.id, one.suggestion.after.points.unwrap()))
        .collect();
    println!("{found:?}");
    for wanted in [
        "1 missile-launcher@forward 1782",
        "4 counter-missile-launcher@forward 1780",
        "2 counter-missile-launcher@port+starboard 1780",
        "4 laser-cluster@all-round 1788",
        "4 ew-drone@core 1796",
        "3 cnc@core 1794",
        "3 laser@forward 1794",
        "2 graser@forward 1794",
    ] {
        assert!(found.iter().any(|one| one == wanted), "{wanted}: {found:?}");
    }
    assert!(!found.iter().any(|one| one.contains("node")), "{found:?}");
    assert_eq!(spend_claim(&bought), "Proved: no design within these limits is better.");
}

#[test]
fn break_points_are_where_values_turn() {
    let vigilant = subject("wars-of-honor", "vigilant");
    let found = break_points(&vigilant, Some("structure")).unwrap();
    let cluster = found.iter().find(|one| &*one.lever == "laser-cluster@all-round" && one.at < one.now).unwrap();
    assert_eq!((cluster.at, cluster.points, cluster.last_same), (4, Some(-44), Some((5, Some(-6), true))));
    let graser = found.iter().find(|one| &*one.lever == "graser@forward" && one.at > one.now).unwrap();
    assert_eq!((graser.at, graser.points), (2, Some(47)));
    assert_eq!(graser.turns, [("structure blocks".into(), "37".into(), "38".into())]);
    assert_eq!(
        break_points(&vigilant, Some("structur")).unwrap_err().help.as_deref(),
        Some("did you mean `structure`?")
    );
}
