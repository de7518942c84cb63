//! Odds as text for a terminal.

use std::fmt::Write;
use std::sync::Arc;

use crate::cli::render::clean;
use crate::odds::words::{
    best_and_worst, break_even, exactness, figure, for_100_points, gauge_label, has_end, outcome_line, percent, runs,
    ship_title, situation_line, span, steps_line, who,
};
use crate::odds::{Bearing, Duel, GaugeOdds, MAX_AXIS, Odds, OddsTurns, axis, figures};
use crate::sanitize::shorten_line;

/// Most characters of an attack's title.
const MAX_ATTACK: usize = 32;
/// Most attacks with a line of their own.
const MAX_LINES: usize = 40;
const ALL: &str = "all that bears";

/// `is_curve_shown`: with a table over the values of a situation.
pub fn odds_text(odds: &Odds, is_curve_shown: bool) -> String {
    let mut out = String::new();
    let situation = situation_line(odds.rules(), &odds.situation);
    let dot = if situation.is_empty() { "" } else { " · " };
    let _ = writeln!(out, "{}{dot}{}", clean(&who(odds)), clean(&situation));
    if odds.rules().attacks.is_empty() {
        return out;
    }
    attack_lines(&mut out, odds);
    for attack in odds.attacks.iter().filter(|attack| attack.bearing == Bearing::Fires).take(MAX_LINES) {
        let steps = steps_line(odds, attack);
        if !steps.is_empty() {
            let _ = writeln!(out, "{}: {}", clean(&shorten_line(attack.title(), MAX_ATTACK)), clean(&steps));
        }
    }
    other_gauges(&mut out, odds);
    for outcome in &odds.outcomes {
        let label = odds.rules().outcomes.get(outcome.outcome).map_or("", |rule| &*rule.label);
        let _ = writeln!(out, "{}", clean(&outcome_line(label, &outcome.spread)));
    }
    answer_line(&mut out, odds);
    if is_curve_shown {
        curve_lines(&mut out, odds);
    }
    if let Some(turns) = &odds.turns {
        turn_lines(&mut out, odds, turns);
    }
    if let Some(duel) = &odds.duel {
        duel_line(&mut out, odds, duel);
    }
    out.push_str(&notes(&exactness(odds), &odds.assumed, &odds.not_counted));
    out
}

/// What figures rest on.
pub fn notes(exactness: &str, assumed: &[Arc<str>], not_counted: &[Arc<str>]) -> String {
    let mut out = format!("{exactness}\n");
    for (word, list) in [("assumed", assumed), ("not counted", not_counted)] {
        if !list.is_empty() {
            let _ = writeln!(out, "{word}: {}", clean(&list.join("; ")));
        }
    }
    out
}

/// A line for each attack that bears or would at another range, then all together.
fn attack_lines(out: &mut String, odds: &Odds) {
    let shown: Vec<_> = odds.attacks.iter().filter(|attack| attack.bearing != Bearing::Never).collect();
    let title = |text: &str| clean(&shorten_line(text, MAX_ATTACK));
    let wide = |text: &str| text.chars().count();
    let widest = shown.iter().take(MAX_LINES).map(|attack| wide(&title(attack.title()))).chain([wide(ALL)]).max();
    let a = widest.unwrap_or(0);
    let _ = writeln!(
        out,
        "{:<a$}  {:>7}  {:>9}  {:>8}  {:>9}  {:>14}",
        "", "mean", "8 in 10", "nothing", "destroyed", "for 100 points"
    );
    for attack in shown.iter().take(MAX_LINES) {
        if attack.bearing == Bearing::OutOfReach {
            let _ = writeln!(out, "{:<a$}  {:>7}  out of reach", title(attack.title()), "–");
            continue;
        }
        let cells = figures_cells(odds, odds.headline_of(&attack.gauges), attack.failed);
        let _ = writeln!(out, "{:<a$}{cells}", title(attack.title()));
    }
    if shown.len() > MAX_LINES {
        let _ = writeln!(out, "and {} more", shown.len() - MAX_LINES);
    }
    let cells = figures_cells(odds, odds.headline_of(&odds.all), odds.failed);
    let _ = writeln!(out, "{ALL:<a$}{cells}   {} a turn", clean(gauge_label(odds)));
}

fn figures_cells(odds: &Odds, gauge: Option<&GaugeOdds<f64>>, failed: bool) -> String {
    if failed {
        return format!("  {:>7}  not worked out", "–");
    }
    let points = odds.attacker.points;
    let Some(gauge) = gauge else {
        let worth = for_100_points(0.0, points).map_or_else(|| "–".to_owned(), figure);
        let destroyed = if has_end(odds) { percent(0.0) } else { "–".to_owned() };
        return format!("  {:>7}  {:>9}  {:>8}  {destroyed:>9}  {worth:>14}", figure(0.0), "0", percent(1.0));
    };
    let all = figures(gauge);
    let worth = for_100_points(all.mean, points).map_or_else(|| "–".to_owned(), figure);
    let destroyed = if has_end(odds) { percent(all.gone) } else { "–".to_owned() };
    format!(
        "  {:>7}  {:>9}  {:>8}  {destroyed:>9}  {worth:>14}",
        figure(all.mean),
        span(all.middle),
        percent(all.nothing)
    )
}

/// The means of the gauges that are not the headline's.
fn other_gauges(out: &mut String, odds: &Odds) {
    let others = odds.all.iter().filter(|gauge| Some(gauge.gauge) != odds.headline);
    let words = others.filter_map(|gauge| {
        let rule = odds.rules().gauges.get(gauge.gauge)?;
        Some(format!("{} {}", rule.label, figure(gauge.mean())))
    });
    let words: Vec<String> = words.collect();
    if !words.is_empty() {
        let _ = writeln!(out, "also, on average: {}", clean(&words.join(", ")));
    }
}

/// `Ardennes on Vigilant: 25.67. At equal points Vigilant destroys 0.72 for each point it loses; best at 72 (0.98), worst at 43–51 (0.13)`
fn answer_line(out: &mut String, odds: &Odds) {
    let (attacker, target) = (ship_title(&odds.attacker.name), ship_title(&odds.target.name));
    let back = odds.headline_of(&odds.back).map_or(0.0, GaugeOdds::mean);
    let back = if odds.back_failed { "not worked out".to_owned() } else { figure(back) };
    let mut line = format!("{target} on {attacker}: {back}");
    if let Some(trade) = odds.trade {
        let _ = write!(line, ". At equal points {attacker} destroys {} for each point it loses", figure(trade));
        let curve = odds.over.as_ref().filter(|curve| Some(curve.situation) == axis(odds.rules()));
        if let Some(words) = curve.and_then(best_and_worst) {
            let _ = write!(line, "; {words}");
        }
    }
    let _ = writeln!(out, "{}", clean(&line));
}

/// The figures by the values of a situation, equal neighbours in one line.
fn curve_lines(out: &mut String, odds: &Odds) {
    let Some(curve) = &odds.over else { return };
    let Some(rule) = odds.rules().situations.get(curve.situation) else { return };
    let number =
        |list: &[Option<f64>], place: usize| list.get(place).copied().flatten().map_or_else(|| "–".to_owned(), figure);
    let trade = |place: usize| curve.trades.get(place).copied().flatten().map_or_else(|| "–".to_owned(), figure);
    let cells = |place: usize| [number(&curve.means, place), number(&curve.back, place), trade(place)];
    let lines: Vec<(String, [String; 3])> = runs(&curve.values, cells)
        .into_iter()
        .take(MAX_AXIS)
        .map(|(words, place)| (clean(&words), cells(place)))
        .collect();
    let name = clean(&rule.label);
    let a = lines.iter().map(|(words, _)| words.chars().count()).chain([name.chars().count()]).max().unwrap_or(0);
    let _ = writeln!(out, "{name:<a$}  {:>9}  {:>9}  {:>9}", "mean", "answer", "trade");
    for (words, [mean, back, trade]) in lines {
        let _ = writeln!(out, "{words:<a$}  {mean:>9}  {back:>9}  {trade:>9}");
    }
    let even = break_even(curve);
    if !even.is_empty() {
        let _ = writeln!(out, "even trade between {}", clean(&even.join(", ")));
    }
}

fn turn_lines(out: &mut String, odds: &Odds, turns: &OddsTurns) {
    let (a, b) = (ship_title(&odds.attacker.name), ship_title(&odds.target.name));
    for (who, list) in [(format!("{a} on {b}"), &turns.there.out_by), (format!("{b} on {a}"), &turns.back.out_by)] {
        let words = (1..).zip(list).map(|(turn, chance): (u32, &f64)| format!("{turn} {}", percent(*chance)));
        let _ = writeln!(out, "{} destroyed by turn: {}", clean(&who), words.collect::<Vec<_>>().join(", "));
    }
    let [first, second, both] = turns.race;
    let open = (1.0 - first - second - both).max(0.0);
    let _ = writeln!(
        out,
        "race, both unhurt while they fire: {} first {}, {} first {}, in the same turn {}, neither by then {}",
        clean(&a),
        percent(first),
        clean(&b),
        percent(second),
        percent(both),
        percent(open)
    );
}

fn duel_line(out: &mut String, odds: &Odds, duel: &Duel<f64>) {
    let Some(last) = duel.turns.last() else { return };
    let open = (1.0 - last.first_wins - last.second_wins - last.both_out).max(0.0);
    let _ = writeln!(
        out,
        "duel of {} turns: {} wins {}, {} wins {}, both out {}, undecided {}",
        duel.turns.len(),
        clean(&ship_title(&odds.attacker.name)),
        percent(last.first_wins),
        clean(&ship_title(&odds.target.name)),
        percent(last.second_wins),
        percent(last.both_out),
        percent(open)
    );
}
