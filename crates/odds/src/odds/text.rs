//! Odds as text: figures in columns, then lines of remarks, then what they rest on.

use std::fmt::Write;
use std::sync::Arc;

use moldloft_base::sanitize::{for_terminal as clean, plural, shorten_line};

use super::answer::{Bearing, Odds, OddsTurns};
use super::duel::Duel;
use super::rows::{CURVE_COLUMNS, FIGURE_COLUMNS, MAX_ATTACK, MAX_ROWS, RowFigures, curve_rows, figure_rows};
use super::situation::axis;
use super::verdict::{Verdict, verdict};
use super::volley::GaugeOdds;
use super::words::{
    best_and_worst, break_even, exactness, figure, gauge_label, outcome_line, percent, ship_title, situation_line,
    steps_line, trade_figure, who,
};

/// `is_curve_shown`: with a table over the values of a situation.
pub fn odds_text(odds: &Odds, is_curve_shown: bool) -> String {
    let mut out = String::new();
    let situation = situation_line(odds.rules(), &odds.situation);
    let dot = if situation.is_empty() { "" } else { " · " };
    let _ = writeln!(out, "{}{dot}{}", clean(&who(odds)), clean(&situation));
    if odds.rules().attacks.is_empty() {
        return out;
    }
    // Ships of two games: there is nothing to list.
    if odds.headline.is_some() {
        attack_lines(&mut out, odds);
    }
    for line in remarks(odds) {
        let _ = writeln!(out, "{line}");
    }
    if is_curve_shown {
        curve_lines(&mut out, odds);
    }
    for line in battle_lines(odds) {
        let _ = writeln!(out, "{line}");
    }
    if let Some(Verdict { who, place }) = verdict(odds) {
        let _ = writeln!(out, "{}", clean(format!("{who} {place}").trim_end()));
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
    const WIDTHS: [usize; 5] = [7, 9, 8, 9, 14];
    let (rows, left_out) = figure_rows(odds);
    let wide = |text: &str| text.chars().count();
    let a = rows.iter().map(|row| wide(&clean(&row.title))).max().unwrap_or(0);
    let columns = |cells: [&str; 5]| -> String {
        cells.iter().zip(WIDTHS).map(|(cell, width)| format!("  {cell:>width$}")).collect()
    };
    let _ = writeln!(out, "{:<a$}{}", "", columns(FIGURE_COLUMNS));
    for row in rows {
        let words = |words: &str| format!("  {:>7}  {words}", "–");
        let cells = match &row.figures {
            RowFigures::Known(cells) => columns([&cells[0], &cells[1], &cells[2], &cells[3], &cells[4]]),
            RowFigures::OutOfReach => words("out of reach"),
            RowFigures::NotWorkedOut => words("not worked out"),
        };
        if row.attack.is_none() && left_out > 0 {
            let _ = writeln!(out, "and {left_out} more");
        }
        let about = match row.attack {
            Some(_) => String::new(),
            None => format!("   {} a turn", clean(gauge_label(odds))),
        };
        let _ = writeln!(out, "{:<a$}{cells}{about}", clean(&row.title));
    }
}

/// The steps of the attacks, the other gauges, the outcomes, the answer of the other ship: a line each.
pub fn remarks(odds: &Odds) -> Vec<String> {
    let mut lines = Vec::new();
    for attack in odds.attacks.iter().filter(|attack| attack.bearing == Bearing::Fires).take(MAX_ROWS) {
        let steps = steps_line(odds, attack);
        if !steps.is_empty() {
            lines.push(format!("{}: {}", clean(&shorten_line(attack.title(), MAX_ATTACK)), clean(&steps)));
        }
    }
    if !odds.failed && odds.attacks.iter().all(|attack| attack.bearing != Bearing::Fires) {
        let is_far = odds.attacks.iter().any(|attack| attack.bearing == Bearing::OutOfReach);
        lines.push(if is_far { "nothing bears here" } else { "nothing of this ship bears" }.to_owned());
    }
    lines.extend(other_gauges(odds));
    for outcome in &odds.outcomes {
        let label = odds.rules().outcomes.get(outcome.outcome).map_or("", |rule| &*rule.label);
        lines.push(clean(&outcome_line(label, &outcome.spread)));
    }
    lines.push(answer_line(odds));
    lines
}

/// The means of the gauges that are not the headline's.
fn other_gauges(odds: &Odds) -> Option<String> {
    let others = odds.all.iter().filter(|gauge| Some(gauge.gauge) != odds.headline);
    let words = others.filter_map(|gauge| {
        let rule = odds.rules().gauges.get(gauge.gauge)?;
        Some(format!("{} {}", rule.label, figure(gauge.mean())))
    });
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| format!("also, on average: {}", clean(&words.join(", "))))
}

/// `Ardennes on Vigilant: 25.67. At equal points Vigilant destroys 0.72 for each point it loses; best at 72 (0.98), worst at 43–51 (0.13)`
fn answer_line(odds: &Odds) -> String {
    let (attacker, target) = (ship_title(&odds.attacker.name), ship_title(&odds.target.name));
    let back = odds.headline_of(&odds.back).map_or(0.0, GaugeOdds::mean);
    let back = if odds.back_failed { "not worked out".to_owned() } else { figure(back) };
    let mut line = format!("{target} on {attacker}: {back}");
    if let Some(trade) = odds.trade {
        let _ = write!(line, ". At equal points {attacker} destroys {} for each point it loses", trade_figure(trade));
        let curve = odds.over.as_ref().filter(|curve| Some(curve.situation) == axis(odds.rules()));
        if let Some(words) = curve.and_then(best_and_worst) {
            let _ = write!(line, "; {words}");
        }
    }
    clean(&line)
}

/// The figures by the values of a situation, equal neighbours in one line.
fn curve_lines(out: &mut String, odds: &Odds) {
    let Some(curve) = &odds.over else { return };
    let Some(rule) = odds.rules().situations.get(curve.situation) else { return };
    let rows = curve_rows(odds);
    let name = clean(&rule.label);
    let wide = |text: &str| text.chars().count();
    let a = rows.iter().map(|row| wide(&clean(&row.values))).chain([wide(&name)]).max().unwrap_or(0);
    let mut line = |title: &str, cells: [&str; 3]| {
        let cells: String = cells.iter().map(|cell| format!("  {cell:>9}")).collect();
        let _ = writeln!(out, "{title:<a$}{cells}");
    };
    line(&name, CURVE_COLUMNS);
    for row in &rows {
        line(&clean(&row.values), [&row.cells[0], &row.cells[1], &row.cells[2]]);
    }
    let even = break_even(curve);
    if !even.is_empty() {
        let _ = writeln!(out, "even trade between {}", clean(&even.join(", ")));
    }
}

/// Turns, race and duel, where they were asked for.
pub fn battle_lines(odds: &Odds) -> Vec<String> {
    let mut lines = odds.turns.as_ref().map(|turns| turn_lines(odds, turns)).unwrap_or_default();
    lines.extend(odds.duel.as_ref().and_then(|duel| duel_line(odds, duel)));
    lines
}

fn turn_lines(odds: &Odds, turns: &OddsTurns) -> Vec<String> {
    let (a, b) = (ship_title(&odds.attacker.name), ship_title(&odds.target.name));
    let by_turn = [(format!("{a} on {b}"), &turns.there.out_by), (format!("{b} on {a}"), &turns.back.out_by)];
    let by_turn = by_turn.iter().map(|(who, list)| {
        let words = (1..).zip(*list).map(|(turn, chance): (u32, &f64)| format!("{turn} {}", percent(*chance)));
        format!("{} destroyed by turn: {}", clean(who), words.collect::<Vec<_>>().join(", "))
    });
    let mut lines: Vec<String> = by_turn.collect();
    let [first, second, both] = turns.race;
    let open = (1.0 - first - second - both).max(0.0);
    lines.push(format!(
        "race, both unhurt while they fire: {} first {}, {} first {}, in the same turn {}, neither by then {}",
        clean(&a),
        percent(first),
        clean(&b),
        percent(second),
        percent(both),
        percent(open)
    ));
    lines
}

/// Where not all turns were followed, what is certain of them: who is out by then stays out, and who is not may be.
fn duel_line(odds: &Odds, duel: &Duel<f64>) -> Option<String> {
    let last = duel.turns.last()?;
    let open = (1.0 - last.first_wins - last.second_wins - last.both_out).max(0.0);
    let (asked, followed) = (duel.asked as usize, duel.turns.len());
    let chance = |least: f64| match followed == asked {
        true => percent(least),
        false => format!("{} to {}", percent(least), percent(least + open)),
    };
    let (so_far, undecided) = match followed == asked {
        true => (String::new(), "undecided".to_owned()),
        false => (format!(", followed for {followed}"), format!("undecided after turn {followed}")),
    };
    Some(format!(
        "duel of {}{so_far}: {} wins {}, {} wins {}, both out {}, {undecided} {}",
        plural(asked, "turn"),
        clean(&ship_title(&odds.attacker.name)),
        chance(last.first_wins),
        clean(&ship_title(&odds.target.name)),
        chance(last.second_wins),
        chance(last.both_out),
        percent(open)
    ))
}
