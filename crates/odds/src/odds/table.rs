//! Odds as tables for spreadsheets.

use moldloft_base::sanitize::{csv_table, for_spreadsheet};
use moldloft_rules::formula::Value;

use super::answer::{Bearing, Odds};
use super::figures::figures;
use super::matrix::OddsMatrix;
use super::situation::value_word;
use super::volley::GaugeOdds;

/// A line for each attack and each value of the axis: who, what, at which value, the figures.
pub fn odds_table(all: &[&Odds]) -> String {
    let head = [
        "ruleset",
        "attacker",
        "target",
        "what",
        "situation",
        "value",
        "mean",
        "from",
        "to",
        "nothing",
        "destroyed",
        "answer",
        "trade",
    ];
    let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
    for odds in all {
        let who = [&*odds.ruleset.id, &*odds.attacker.name, &*odds.target.name].map(for_spreadsheet);
        let mut line = |what: &str, at: [String; 2], figures: [String; 5], more: [String; 2]| {
            let what = [for_spreadsheet(what)];
            rows.push(who.iter().cloned().chain(what).chain(at).chain(figures).chain(more).collect());
        };
        let none = || [String::new(), String::new()];
        for attack in odds.attacks.iter().filter(|attack| attack.bearing == Bearing::Fires) {
            line(attack.title(), none(), cells(odds.headline_of(&attack.gauges), attack.failed), none());
        }
        let back = odds.headline_of(&odds.back).map_or(0.0, GaugeOdds::mean);
        let back = if odds.back_failed { String::new() } else { back.to_string() };
        let more = [back, odds.trade.map_or_else(String::new, |trade| trade.to_string())];
        line("all that bears", none(), cells(odds.headline_of(&odds.all), odds.failed), more);
        let Some(curve) = &odds.over else { continue };
        let name = odds.rules().situations.get(curve.situation).map_or("", |rule| &*rule.id);
        for (place, value) in curve.values.iter().enumerate() {
            let number = |list: &[Option<f64>]| {
                list.get(place).copied().flatten().map_or_else(String::new, |number| number.to_string())
            };
            let value =
                if let Value::Int(number) = value { number.to_string() } else { value.shown().unwrap_or_default() };
            let mut figures = [const { String::new() }; 5];
            figures[0] = number(&curve.means);
            let trade = curve.trades.get(place).copied().flatten().map_or_else(String::new, |trade| trade.to_string());
            line("all that bears", [name.to_owned(), for_spreadsheet(&value)], figures, [number(&curve.back), trade]);
        }
    }
    csv_table(&rows)
}

fn cells(gauge: Option<&GaugeOdds<f64>>, failed: bool) -> [String; 5] {
    if failed {
        return [const { String::new() }; 5];
    }
    let Some(gauge) = gauge else { return ["0", "0", "0", "1", "0"].map(str::to_owned) };
    let all = figures(gauge);
    [
        all.mean.to_string(),
        all.middle.0.to_string(),
        all.middle.1.to_string(),
        all.nothing.to_string(),
        all.gone.to_string(),
    ]
}

/// A line for each pair.
pub fn matrix_table(matrices: &[&OddsMatrix]) -> String {
    let head = ["ruleset", "attacker", "points", "target", "target_points", "mean", "trade"];
    let has_choice = matrices.iter().any(|matrix| matrix.best.is_some());
    let head = head.into_iter().chain(has_choice.then_some("choice"));
    let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).collect()];
    for matrix in matrices {
        let points = |points: Option<i64>| points.map_or_else(String::new, |points| points.to_string());
        for (own, cells) in matrix.ships.iter().zip(&matrix.cells) {
            for (target, cell) in matrix.ships.iter().zip(cells) {
                let choice = cell.choice.as_ref().map_or_else(String::new, |value| for_spreadsheet(&value_word(value)));
                let cells = [
                    for_spreadsheet(&matrix.ruleset.id),
                    for_spreadsheet(&own.name),
                    points(own.points),
                    for_spreadsheet(&target.name),
                    points(target.points),
                    cell.mean.map_or_else(String::new, |mean| mean.to_string()),
                    cell.trade.map_or_else(String::new, |trade| trade.to_string()),
                ];
                rows.push(cells.into_iter().chain(has_choice.then_some(choice)).collect());
            }
        }
    }
    csv_table(&rows)
}
