//! Every bound has a case that hits it, with its code.

use crate::odds::figures::share_lost;
use crate::odds::run::MAX_STATES;
use moldloft_rules::formula::{NoNames, Weight};

use super::super::*;
use super::game::TriedGame;
use super::golden::{design, text_error};
use super::plain::{answer_of, volley_of};

#[test]
fn formulas_are_bounded() {
    let cases = [
        ("d1001", "too-many-dice"),
        ("d1000000000", "too-many-dice"),
        ("d99999999999999999999999", "too-many-dice"),
        ("d0", "too-many-dice"),
        ("10001d2", "too-many-dice"),
        ("times(1000000000, d6)", "too-many-dice"),
        ("times(100, times(100, times(100, d2)))", "too-many-states"),
        ("[d100, d100, d100, d100]", "too-many-outcomes"),
        ("[d100, d100]", "too-many-outcomes"),
        ("1000 * d1000 + d1000", "too-many-outcomes"),
        ("roll('9999999D6')", "too-many-dice"),
        ("roll('2D10000')", "too-many-dice"),
        ("roll('3X')", "not-dice"),
        ("roll('')", "not-dice"),
        ("roll('2D6++1')", "not-dice"),
        ("faces([1, 2], again=[1, 2])", "never-ends"),
        ("faces([-1, 2], again=[1])", "never-ends"),
        ("faces([])", "too-many-dice"),
        ("faces([1, 2], again=[3])", "out-of-range"),
        ("times(2, 'a')", "wrong-type"),
        ("times(2)", "wrong-arguments"),
        ("faces([1, 2], more=[1])", "wrong-arguments"),
        ("roll(3)", "wrong-type"),
        ("1 // (d2 - 1)", "division-by-zero"),
        ("[1, 2][d6]", "no-such-item"),
    ];
    for (text, code) in cases {
        assert_eq!(text_error(text), Some(code), "{text}");
    }
}

/// The code of the first error of a volley.
fn error(toml: &str) -> Option<String> {
    match volley_of::<f64>(toml) {
        Ok(volley) => volley.errors.first().map(|error| error.code.to_owned()),
        Err(code) => Some(code),
    }
}

#[test]
fn runs_are_bounded() {
    let gauge = "[[gauge]]\nid = \"hull\"\nboxes = 10\nends = true\n";
    let attack = |steps: &str| format!("{gauge}[[attack]]\nid = \"a\"\n{steps}");
    let many = attack(
        "[[attack.step]]\na = \"d100\"\nb = \"d100\"\nc = \"d100\"\n[[attack.step]]\nleft.hull = \"left.hull - a * b * c\"\n",
    );
    assert_eq!(error(&many).as_deref(), Some("too-many-states"));
    let long = attack("[[attack.step]]\nrepeat = \"10001\"\n[[attack.step.each]]\nleft.hull = \"left.hull - d6\"\n");
    assert_eq!(error(&long).as_deref(), Some("too-many-dice"));
    let list = attack("[[attack.step]]\na = \"range(65)\"\nb = \"d6\"\n[[attack.step]]\nleft.hull = \"a[b]\"\n");
    assert_eq!(error(&list).as_deref(), Some("too-long"));
    let deep =
        attack("[[attack.step]]\na = \"[[[1]]]\"\nb = \"d6\"\n[[attack.step]]\nleft.hull = \"a[0][0][0] + b\"\n");
    assert_eq!(error(&deep).as_deref(), Some("too-long"));
    let gauge_list = "[[gauge]]\nid = \"hull\"\nboxes = \"range(65)\"\n";
    assert_eq!(error(gauge_list).as_deref(), Some("too-long"));
    let work =
        attack("[[attack.step]]\nrepeat = \"1000\"\n[[attack.step.each]]\nleft.hull = \"left.hull - d6 + d6\"\n");
    let ask = Ask { multiplications: 20_000, ..Ask::ALL };
    let stopped = answer_of::<f64>(&work, &ask).unwrap();
    assert_eq!(stopped.errors.first().map(|error| error.code), Some("too-many-states"));
    assert_eq!(error(&work), None);
    let null = attack("[[attack.step]]\na = \"covering([], 1)\"\n[[attack.step]]\nleft.hull = \"left.hull - a.x\"\n");
    assert!(error(&null).is_some());
    let fine =
        attack("[[attack.step]]\nrepeat = \"100\"\n[[attack.step.each]]\nleft.hull = \"left.hull - (d6 == 6)\"\n");
    assert_eq!(error(&fine).as_deref(), Some("wrong-type"));
}

#[test]
fn a_bound_stops_its_own_question_only() {
    let toml = "[[gauge]]\nid = \"hull\"\nboxes = 10\nends = true\n[[gauge]]\nid = \"sail\"\nboxes = 4\n[[attack]]\nid = \"a\"\n\
        [[attack.step]]\na = \"d100\"\nb = \"d100\"\nc = \"d100\"\n\
        [[attack.step]]\nleft.hull = \"left.hull - a * b * c\"\nleft.sail = \"left.sail - d4\"\n";
    let volley = volley_of::<f64>(toml).unwrap();
    assert_eq!(volley.errors.len(), 1);
    assert_eq!(volley.gauges.len(), 1);
    assert!((volley.gauges[0].mean() - 2.5).abs() < 1e-12);
}

#[test]
fn what_is_lost_is_added_up() {
    let toml = "[[gauge]]\nid = \"hull\"\nboxes = 40\nends = true\n[[attack]]\nid = \"a\"\n[[attack.step]]\nrepeat = \"5\"\n\
        [[attack.step.each]]\nleft.hull = \"left.hull - faces([0, 1, 2], again=[3])\"\n";
    let volley = volley_of::<f64>(toml).unwrap();
    let gauge = &volley.gauges[0];
    let mass: f64 = gauge.lost.iter().map(|(_, weight)| weight).sum();
    assert!(gauge.open > 0.0 && gauge.open < 1e-11);
    assert!((mass + gauge.open - 1.0).abs() < 1e-14);
}

#[test]
fn turns_wait_for_every_and_stop_after_uses() {
    let of = |keys: &str| {
        let toml = format!(
            "[[gauge]]\nid = \"hull\"\nboxes = 3\nends = true\n[[attack]]\nid = \"a\"\n{keys}[[attack.step]]\nleft.hull = \"left.hull - 1\"\n"
        );
        let rules = super::plain::rules(&toml).unwrap();
        let host = NoNames;
        let firings = [Firing::new(&rules.attacks[0], &host)];
        let gauges = limits(&rules, &host).unwrap();
        let fight =
            Fight { rules: &rules, firings: &firings, own: &gauges, left: &gauges, host: &host, progress: None };
        turns::<f64>(&fight, &host, 6).out_by
    };
    assert_eq!(of(""), [0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(of("every = 2\n"), [0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
    assert_eq!(of("uses = 2\n"), [0.0; 6]);
}

/// Two ships with 1,000 boxes each, of which a volley leaves any number, and that fire until they are out: the states of both together are too many.
#[test]
fn a_duel_that_is_too_large_is_refused_at_the_attack() {
    let toml = "[[gauge]]\nid = \"hull\"\nboxes = 1000\nends = true\n[[attack]]\nid = \"a\"\n\
        [[attack.step]]\nwhen = \"own.hull > 0\"\nleft.hull = \"left.hull - d900\"\n";
    let rules = super::plain::rules(toml).unwrap();
    let host = NoNames;
    let firings = [Firing::new(&rules.attacks[0], &host)];
    let gauges = limits(&rules, &host).unwrap();
    let ship = Duelist { firings: &firings, gauges: &gauges, host: &host };
    let fought = duel::<f64>(&rules, [ship, ship], 3, None);
    let error = fought.error.unwrap();
    assert_eq!((error.code, error.span), ("too-many-states", rules.attacks[0].at), "{}", error.message);
    assert!(fought.most_states <= MAX_STATES, "{}", fought.most_states);
}

#[test]
fn one_thread_and_four_give_the_same() {
    let game = TriedGame::new("wars-of-honor");
    let [own, target] = ["vigilant", "ardennes"].map(|ship| game.ship(&design("wars-of-honor", ship)));
    let ranges: Vec<i64> = vec![0, 12, 13, 40, 41, 72, 90];
    let all = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            curve::<f64>(ranges.len(), &Ask::END, &|place, with| {
                let chosen = [("range".to_owned(), moldloft_rules::formula::Value::Int(ranges[place]))];
                game.with_fight(&own, &target, &chosen, None, |fight, _, _| with(fight));
            })
        })
    };
    let (one, four) = (all(1), all(4));
    assert_eq!(format!("{one:?}"), format!("{four:?}"));
    assert_eq!(one.len(), ranges.len());
    let means: Vec<f64> = one.iter().map(|volley| volley.gauges.first().map_or(0.0, GaugeOdds::mean)).collect();
    assert!((means[1] - 10.794_379_317_178_75).abs() < 1e-9, "{means:?}");
    assert!((means[2] - 7.071_866_966_458_574).abs() < 1e-9, "{means:?}");
    assert!((means[3] - 2.698_072_901_817_091).abs() < 1e-9, "{means:?}");
    assert_eq!(means[6], 0.0);
    let zero: f64 = Weight::zero();
    assert_eq!(zero, 0.0);
}

#[test]
fn figures_are_those_of_the_page() {
    let game = TriedGame::new("wars-of-honor");
    let [own, target] = ["vigilant", "ardennes"].map(|ship| game.ship(&design("wars-of-honor", ship)));
    let (volley, rules) = game.volley::<f64>(&own, &target, &[], None);
    let structure = volley.gauges.iter().find(|gauge| &*rules.gauges[gauge.gauge].id == "structure").unwrap();
    let figures = figures(structure);
    assert_eq!(figures.middle, (1, 14));
    assert_eq!(figures.median, 6);
    assert!((figures.mean - 7.071_866_966).abs() < 1e-9 && (figures.nothing - 0.062_665_296).abs() < 1e-9);
    let (back, _) = game.volley::<f64>(&target, &own, &[], None);
    let answer = back.gauges.iter().find(|gauge| &*rules.gauges[gauge.gauge].id == "structure").unwrap();
    let points = |ship: &moldloft_rules::evaluate::Evaluation| ship.points.unwrap() as f64;
    let trade = trade((share_lost(structure).unwrap(), points(&own)), (share_lost(answer).unwrap(), points(&target)));
    assert!((trade.unwrap() - 0.72).abs() < 0.005, "{trade:?}");
}
