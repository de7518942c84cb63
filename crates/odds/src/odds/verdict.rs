//! Who is the stronger of two ships, in a sentence: takes odds, gives the answer that a player asks for first, by what it is so, and where.

use std::cmp::Ordering;

use moldloft_base::sanitize::{capitalize, plural};

use super::answer::Odds;
use super::figures::share_lost;
use super::situation::{axis, situation_words};
use super::volley::GaugeOdds;
use super::words::{gauge_label, percent, runs, ship_title, trade_figure};

/// Both are sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    pub who: String,
    /// Where the one and where the other is ahead; empty where the rules have no ranges.
    pub place: String,
}

/// Where neither ship wins so many duels, none is called the stronger.
const A_DRAW: f64 = 0.05;

/// `None` where nothing could be worked out.
pub fn verdict(odds: &Odds) -> Option<Verdict> {
    if odds.failed || odds.back_failed || odds.headline.is_none() {
        return None;
    }
    let first = ship_title(&odds.attacker.name);
    let second = match ship_title(&odds.target.name) {
        same if same == first => "its sister".to_owned(),
        second => second,
    };
    let who = by_duel(odds, &first, &second).unwrap_or_else(|| by_turn(odds, &first, &second));
    Some(Verdict { who, place: places(odds, &first, &second) })
}

/// Only if all turns were followed, or what is open cannot turn it round.
fn by_duel(odds: &Odds, first: &str, second: &str) -> Option<String> {
    let duel = odds.duel.as_ref()?;
    let last = duel.turns.last()?;
    let open = 1.0 - last.first_wins - last.second_wins - last.both_out;
    let is_whole = duel.turns.len() == duel.asked as usize;
    let (chances, turns) = ([last.first_wins, last.second_wins], plural(duel.turns.len(), "turn"));
    if !is_whole && (chances[0] - chances[1]).abs() <= open {
        return None;
    }
    let [words, other] = chances.map(percent);
    if is_whole && chances.iter().all(|chance| *chance < A_DRAW) {
        let neither = percent(1.0 - chances[0] - chances[1]);
        return Some(format!("In {neither} of duels of {turns} neither wins; {first} wins {words}, {second} {other}."));
    }
    Some(match words == other {
        true => format!("{first} and {second} are even: each wins {words} of duels of {turns}."),
        false if chances[0] > chances[1] => {
            format!("{first} is the stronger: it wins {words} of duels of {turns}, {second} {other}.")
        }
        false => {
            format!("{} is the stronger: it wins {other} of duels of {turns}, {first} {words}.", capitalize(second))
        }
    })
}

/// By what both do in one turn, at equal points where they have some.
fn by_turn(odds: &Odds, first: &str, second: &str) -> String {
    let rules = odds.rules();
    let here = axis(rules).and_then(|n| situation_words(rules.situations.get(n)?, odds.situation.get(n)?));
    let here = here.map_or_else(|| "here".to_owned(), |words| format!("at {words}"));
    let [there, back] = [&odds.all, &odds.back].map(|gauges| odds.headline_of(gauges));
    let [dealt, taken] = [there, back].map(|gauge| gauge.map_or(0.0, GaugeOdds::mean));
    let stronger = |name: &str, why: &str| format!("{} is the stronger {here}: {why}.", capitalize(name));
    // Boxes that put nobody out may be lost all the same.
    let harms = |gauges: &[GaugeOdds<f64>]| gauges.iter().any(|gauge| gauge.mean() > 0.0);
    let what = gauge_label(odds);
    let nothing = |name: &str, gauges: &[GaugeOdds<f64>]| match harms(gauges) {
        true => format!("{name} takes no {what} from it"),
        false => format!("{name} does nothing to it"),
    };
    match (odds.trade, dealt > 0.0, taken > 0.0) {
        (_, false, false) if harms(&odds.all) || harms(&odds.back) => {
            format!("Neither takes {what} from the other {here}.")
        }
        (_, false, false) => format!("Neither does anything to the other {here}."),
        (_, true, false) => stronger(first, &nothing(second, &odds.back)),
        (_, false, true) => stronger(second, &nothing(first, &odds.all)),
        (Some(trade), ..) => {
            let why =
                |trade: f64| format!("at equal points it destroys {} for each point it loses", trade_figure(trade));
            match side(trade) {
                Ordering::Greater => stronger(first, &why(trade)),
                Ordering::Less => stronger(second, &why(1.0 / trade)),
                Ordering::Equal => format!("{first} and {second} are even {here}: each destroys what it loses."),
            }
        }
        (None, ..) => {
            let [dealt, taken] = [there, back].map(|gauge| gauge.and_then(share_lost).unwrap_or(0.0));
            let why =
                |dealt, taken| format!("in a turn it takes {} of {what} and loses {}", percent(dealt), percent(taken));
            match percent(dealt) == percent(taken) {
                true => {
                    format!("{first} and {second} are even {here}: each takes {} of {what} in a turn.", percent(dealt))
                }
                false if dealt > taken => stronger(first, &why(dealt, taken)),
                false => stronger(second, &why(taken, dealt)),
            }
        }
    }
}

/// As printed: what reads 1.00 is even.
fn side(trade: f64) -> Ordering {
    if trade_figure(trade) == "1.00" { Ordering::Equal } else { trade.total_cmp(&1.0) }
}

fn places(odds: &Odds, first: &str, second: &str) -> String {
    let Some(curve) = odds.over.as_ref().filter(|curve| Some(curve.situation) == axis(odds.rules())) else {
        return String::new();
    };
    let Some(rule) = odds.rules().situations.get(curve.situation) else { return String::new() };
    let at = |list: &[Option<f64>], n: usize| list.get(n).copied().flatten();
    let ahead = |n: usize| match (at(&curve.trades, n), at(&curve.means, n)?, at(&curve.back, n)?) {
        (_, 0.0, 0.0) => None,
        (_, _, 0.0) => Some(Ordering::Greater),
        (_, 0.0, _) => Some(Ordering::Less),
        (trade, ..) => trade.map(side),
    };
    let parts = runs(&curve.values, ahead);
    let of = |wanted: Ordering, who: &str| {
        let here: Vec<&str> =
            parts.iter().filter(|(_, n)| ahead(*n) == Some(wanted)).map(|(words, _)| words.as_str()).collect();
        (!here.is_empty()).then(|| format!("{who} at {}", here.join(", ")))
    };
    let all = [
        of(Ordering::Greater, &format!("{first} is ahead")),
        of(Ordering::Less, &format!("{second} is ahead")),
        of(Ordering::Equal, "even"),
    ];
    let all: Vec<String> = all.into_iter().flatten().collect();
    match all.len() {
        0 => String::new(),
        1 => format!("By {}, that is so wherever one reaches the other.", rule.label),
        _ => format!("By {}: {}.", rule.label, all.join("; ")),
    }
}
