//! What hostile rules make costs what it is: every case was answered at any length, or in any room, before its work was counted.

use std::fmt::Write;

use moldloft_rules::formula::NoNames;

use super::super::duel::{duel_together, fixed_steps};
use super::super::duel_apart::duel_apart;
use super::super::*;
use super::plain::{answer_of, rules, volley_of};

const HULL: &str = "[[gauge]]\nid = \"hull\"\nboxes = 60\nends = true\n[[attack]]\nid = \"a\"\n";

/// A step that sets as many names as a step may, from `first` on.
fn names(first: usize) -> String {
    let mut step = "[[attack.step]]\n".to_owned();
    (first..first + 60).for_each(|n| writeln!(step, "n{n} = \"d1 + {n}\"").unwrap());
    step
}

fn first_error(toml: &str, ask: &Ask) -> Option<&'static str> {
    answer_of::<f64>(toml, ask).unwrap().errors.first().map(|error| error.code)
}

/// 240 names in 40,000 states are 80 MB.
#[test]
fn wide_states_are_counted_by_their_cells() {
    let sum: Vec<String> = (0..240).map(|n| format!("n{n}")).collect();
    let toml = format!(
        "{HULL}{}{}{}{}[[attack.step]]\nx = \"d200\"\ny = \"d200\"\n[[attack.step]]\nleft.hull = \"left.hull - ({} + x * y) % 7\"\n",
        names(0),
        names(60),
        names(120),
        names(180),
        sum.join(" + ")
    );
    let volley = volley_of::<f64>(&toml).unwrap();
    let error = volley.errors.first().unwrap();
    assert_eq!(error.code, "too-many-states");
    // The place is the step that makes them.
    assert!(
        error.span != moldloft_base::source::Span::default()
            && volley.gauges.is_empty()
            && error.message.contains("names and gauges each"),
        "{error:?}"
    );
}

/// 10,000 states pass 200 conditions that never hold: two million states are looked at, however few formulas are computed.
#[test]
fn states_that_pass_a_condition_are_work() {
    let mut toml = format!("{HULL}[[attack.step]]\nx = \"d100\"\ny = \"d100\"\n");
    (0..200).for_each(|n| write!(toml, "[[attack.step]]\nwhen = \"x > 100 + {n}\"\ny = \"y + 1\"\n").unwrap());
    toml.push_str("[[attack.step]]\nleft.hull = \"left.hull - y % 7 - x % 2\"\n");
    assert_eq!(first_error(&toml, &Ask { multiplications: 5_000_000, ..Ask::END }), Some("too-many-states"));
    assert_eq!(first_error(&toml, &Ask { multiplications: 40_000_000, ..Ask::END }), None);
}

/// 40,000 states, each of which goes round one to forty times: a million and a half that wait, in hundreds of megabytes if they are wide.
#[test]
fn states_that_wait_for_their_turn_of_a_loop_are_counted() {
    let toml = format!(
        "{HULL}[[attack.step]]\nx = \"d200\"\ny = \"d200\"\n[[attack.step]]\nrepeat = \"d40\"\n[[attack.step.each]]\n\
         left.hull = \"left.hull - (x + y) % 2\"\n[[attack.step]]\nleft.hull = \"left.hull - (x + y) % 3\"\n"
    );
    assert_eq!(first_error(&toml, &Ask { multiplications: 10_000_000_000, ..Ask::END }), Some("too-many-states"));
    let few = toml.replace("d40", "d2").replace("d200", "d20");
    assert_eq!(first_error(&few, &Ask::END), None);
}

/// Ten lists of sixty lists: the inner lists are looked at, too.
#[test]
fn lists_in_lists_are_work() {
    let inner: Vec<String> = (0..60).map(|_| "l".to_owned()).collect();
    let toml = format!(
        "{HULL}[[attack.step]]\nx = \"d200\"\n[[attack.step]]\nl = \"repeat(x, 64)\"\n[[attack.step]]\nm = \"[{}]\"\n\
         [[attack.step]]\nleft.hull = \"left.hull - m[3][4] % 7\"\n",
        inner.join(", ")
    );
    assert_eq!(first_error(&toml, &Ask { multiplications: 1_000_000, ..Ask::END }), Some("too-many-states"));
    assert_eq!(first_error(&toml, &Ask { multiplications: 20_000_000, ..Ask::END }), None);
}

/// Thirty-two outcomes over 2,500 states share the work of one volley.
#[test]
fn outcomes_share_the_work() {
    let mut toml = format!("{HULL}[[attack.step]]\nleft.hull = \"left.hull - d50\"\n");
    let long: Vec<String> = (2..60).map(|n| format!("left.hull * {n} % {}", n + 7)).collect();
    for n in 0..32 {
        write!(toml, "[[outcome]]\nid = \"o{n}\"\nlabel = \"o\"\nformula = \"{} + {n}\"\n", long.join(" + ")).unwrap();
    }
    let ask = Ask { multiplications: 100_000, ..Ask::ALL };
    let volley = answer_of::<f64>(&toml, &ask).unwrap();
    assert!(!volley.outcomes.is_empty() && volley.outcomes.len() < 32, "{}", volley.outcomes.len());
    assert!(volley.work <= 400_000, "{}", volley.work);
    assert_eq!(volley.errors.first().map(|error| error.code), Some("too-many-states"));
}

/// What each ship does is followed alone where it hangs on nothing of its own, with the numbers of both followed together.
#[test]
fn duels_followed_apart_are_those_followed_together() {
    let guns = "[[attack]]\nid = \"guns\"\norder = 2\nevery = 2\n[[attack.step]]\nrepeat = \"d2\"\n[[attack.step.each]]\nleft.wall = \"left.wall - 1\"\n\
        left.hull = \"left.hull - (d6 if not left.wall else 1)\"\n";
    let toml = format!(
        "{}{guns}",
        "[[gauge]]\nid = \"hull\"\nboxes = 12\nends = true\nat_turn = \"left.hull + 1\"\n[[gauge]]\nid = \"wall\"\nboxes = 2\n\
         at_turn = \"left.wall + 1\"\n[[attack]]\nid = \"a\"\norder = 1\n[[attack.step]]\nn = \"2\"\n[[attack.step]]\nleft.hull = \"left.hull - times(n, d2)\"\n"
    );
    let rules = rules(&toml).unwrap();
    let host = NoNames;
    let firings: Vec<Firing<'_>> = rules.attacks.iter().map(|attack| Firing::new(attack, &host)).collect();
    let gauges = limits(&rules, &host).unwrap();
    let ship = |firings| Duelist { firings, gauges: &gauges, host: &host };
    let ships = [ship(&firings[..]), ship(&firings[..1])];
    let fixed = fixed_steps(&rules, ships);
    let apart = duel_apart::<f64>(&rules, ships, &fixed, 8, None).expect("nothing hangs on `own.`");
    let together = duel_together::<f64>(&rules, ships, &fixed, 8, None);
    assert!(apart.error.is_none() && together.error.is_none() && apart.turns.len() == 8);
    for (apart, together) in apart.turns.iter().zip(&together.turns) {
        let numbers = |turn: &DuelTurn<f64>| [turn.first_wins, turn.second_wins, turn.both_out];
        for (a, b) in numbers(apart).iter().zip(numbers(together)) {
            assert!((a - b).abs() < 1e-12, "{apart:?} {together:?}");
        }
    }
    assert!(apart.turns[7].first_wins > 0.5 && apart.turns[7].both_out > 0.0, "{:?}", apart.turns[7]);
}

/// Sixty boxes, of which each may lose any number: 3,600 states, each with 3,600 that follow, is more than a duel may take; but what the second ship does
/// hangs on its own target only.
#[test]
fn a_duel_of_ships_that_change_different_gauges_goes_through_no_pairs() {
    let toml = format!("{HULL}[[attack.step]]\nleft.hull = \"left.hull - d60\"\n");
    let rules = rules(&toml).unwrap();
    let host = NoNames;
    let firings = [Firing::new(&rules.attacks[0], &host)];
    let gauges = limits(&rules, &host).unwrap();
    let ship = Duelist { firings: &firings, gauges: &gauges, host: &host };
    let fought = duel::<f64>(&rules, [ship, ship], 6, None);
    assert!(fought.error.is_none(), "{:?}", fought.error);
    let last = fought.turns.last().unwrap();
    assert!((last.first_wins - last.second_wins).abs() < 1e-12 && last.both_out > 0.0, "{last:?}");
    // One ship alone: out after n turns if the sum of n dice is 60 or more. The other knows nothing of it.
    let fight = Fight { rules: &rules, firings: &firings, own: &gauges, left: &gauges, host: &host, progress: None };
    let alone = turns::<f64>(&fight, &host, 6).out_by;
    let both: f64 =
        alone.iter().zip([0.0].iter().chain(&alone)).map(|(now, before)| (now - before) * (now - before)).sum();
    assert!((last.both_out - both).abs() < 1e-12, "{} {both}", last.both_out);
}
