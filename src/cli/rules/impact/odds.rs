//! What other rules do to the odds: takes rows with their evaluations, gives each design's mean on a sister ship and its trade with the other designs,
//! before and after, and where along the axis the mean changes most.

use std::fmt::Write;
use std::sync::Arc;

use crate::cli::render::clean;
use moldloft_base::finding::Finding;
use moldloft_odds::odds::words::{figure, ship_title, situation_line};
use moldloft_odds::odds::{
    MAX_MATRIX, MatrixCell, OddsMatrix, OddsQuestion, axis, axis_values, default_situation, matrix, situation_words,
    work_out,
};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::Ruleset;
use rayon::prelude::*;

use moldloft_library::library::{ImpactOdds, ImpactRow};

/// Works the odds out, in the default situation, of the first [`MAX_MATRIX`] designs.
pub(super) fn add_odds(rows: &mut [ImpactRow]) -> Vec<Finding> {
    let places: Vec<usize> =
        rows.iter().enumerate().filter(|(_, row)| row.evaluations.is_some()).map(|(place, _)| place).collect();
    let mut findings = Vec::new();
    if places.len() > MAX_MATRIX {
        let message = format!("odds of the first {MAX_MATRIX} of {} designs", places.len());
        findings.push(Finding::info("too-many-ships", message).help("name fewer designs"));
    }
    let first: fn(&(Evaluation, Evaluation)) -> &Evaluation = |pair| &pair.0;
    let second: fn(&(Evaluation, Evaluation)) -> &Evaluation = |pair| &pair.1;
    let mut odds = vec![ImpactOdds::default(); places.len()];
    for (side, pick) in [first, second].into_iter().enumerate() {
        let ships: Vec<&Evaluation> =
            places.iter().filter_map(|place| rows[*place].evaluations.as_deref()).map(pick).collect();
        let Some(ruleset) = ships.first().map(|ship| ship.ruleset.clone()) else { continue };
        if ruleset.attack_rules.attacks.is_empty() {
            let message = format!("the rules of {} declare no attacks", ruleset.id);
            findings.push(
                Finding::warning("no-odds", message)
                    .help("write [[attack]] into them as docs/rulesets/attacks.md says"),
            );
            continue;
        }
        let situation = default_situation(&ruleset.attack_rules);
        let question = OddsQuestion { situation, ..OddsQuestion::default() };
        let Some(matrix) = matrix(&ships, &question) else { continue };
        for (place, odds) in odds.iter_mut().enumerate().take(matrix.ships.len()) {
            odds.means[side] = cell(&matrix, place, place).and_then(|cell| cell.mean);
            odds.trades[side] = mean_trade(&matrix, place);
        }
        findings.extend(matrix.findings);
    }
    let most = |place: usize| most_changed(rows[place].evaluations.as_deref()?);
    let most: Vec<_> = places.par_iter().take(MAX_MATRIX).map(|place| most(*place)).collect();
    odds.iter_mut().zip(most).for_each(|(odds, most)| odds.most = most);
    for (place, odds) in places.into_iter().zip(odds) {
        rows[place].odds = Some(odds);
        rows[place].evaluations = None;
    }
    findings.dedup();
    findings
}

/// The value of the axis at which a design's mean on a sister ship changes most, all else as it is by default.
fn most_changed((before, after): &(Evaluation, Evaluation)) -> Option<(Arc<str>, [f64; 2])> {
    let rules = &before.ruleset.attack_rules;
    let axis = rules.situations.get(axis(rules)?)?;
    let means = |ship: &Evaluation| -> Option<Vec<(Value, Option<f64>)>> {
        let rules = &ship.ruleset.attack_rules;
        let number = rules.situations.iter().position(|rule| rule.id == axis.id)?;
        let over = Some((number, axis_values(&rules.situations[number])));
        let question = OddsQuestion { situation: default_situation(rules), over, ..OddsQuestion::default() };
        let curve = work_out(ship, ship, &question).over?;
        Some(curve.values.into_iter().zip(curve.means).collect())
    };
    let (old, new) = (means(before)?, means(after)?);
    let changes = old.into_iter().filter_map(|(value, mean)| {
        let other = new.iter().find(|(other, _)| *other == value)?.1?;
        Some((value, [mean?, other]))
    });
    let by = |[before, after]: &[f64; 2]| (after - before).abs();
    let (value, means) = changes.max_by(|one, other| by(&one.1).total_cmp(&by(&other.1)))?;
    (by(&means) > 1e-9).then(|| (situation_words(axis, &value).unwrap_or_default().into(), means))
}

fn cell(matrix: &OddsMatrix, row: usize, column: usize) -> Option<&MatrixCell> {
    matrix.cells.get(row)?.get(column)
}

/// The geometric mean over the other designs, so that twice as much and half as much are even; `None` if one of them does nothing, or is alone.
fn mean_trade(matrix: &OddsMatrix, place: usize) -> Option<f64> {
    let others = (0..matrix.ships.len()).filter(|other| *other != place);
    let trades = others.filter_map(|other| cell(matrix, place, other)?.trade).filter(|trade| *trade > 0.0);
    let logs: Vec<f64> = trades.map(f64::ln).collect();
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

pub(super) fn odds_text(rows: &[ImpactRow], ruleset: &Arc<Ruleset>) -> String {
    let shown: Vec<(&ImpactRow, &ImpactOdds)> = rows.iter().filter_map(|row| Some((row, row.odds.as_ref()?))).collect();
    let gauges = &ruleset.attack_rules.gauges;
    let gauge = gauges.iter().find(|gauge| gauge.ends).or(gauges.first()).map_or("", |gauge| &*gauge.label);
    let rules = &ruleset.attack_rules;
    let situation = situation_line(rules, &default_situation(rules));
    let mut out = format!(
        "odds: {} a turn on a sister ship, and points destroyed for each point lost against the other designs{}\n",
        clean(gauge),
        if situation.is_empty() { String::new() } else { format!(" · {}", clean(&situation)) },
    );
    let name = |row: &ImpactRow| clean(&ship_title(&row.name));
    let a = shown.iter().map(|(row, _)| name(row).chars().count()).max().unwrap_or(0).max("design".len());
    let _ = writeln!(
        out,
        "{:<a$}  {:>11}  {:>10}  {:>12}  {:>11}  the mean changes most at",
        "design", "mean before", "mean after", "trade before", "trade after"
    );
    let number = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), figure);
    for (row, odds) in shown {
        let [[mean, new_mean], [trade, new_trade]] = [odds.means, odds.trades].map(|pair| pair.map(number));
        let most = odds.most.as_ref().map_or_else(
            || "–".to_owned(),
            |(at, [before, after])| format!("{}: {} → {}", clean(at), figure(*before), figure(*after)),
        );
        let _ = writeln!(out, "{:<a$}  {mean:>11}  {new_mean:>10}  {trade:>12}  {new_trade:>11}  {most}", name(row));
    }
    out
}
