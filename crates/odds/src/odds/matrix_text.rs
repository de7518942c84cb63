//! A matrix of odds as text: trades, then means.

use std::fmt::Write;

use moldloft_base::sanitize::{for_terminal as clean, shorten_line};

use super::matrix::OddsMatrix;
use super::situation::value_word;
use super::text::notes;
use super::words::{figure, matrix_exactness, matrix_situation_line, ship_title};

/// Most characters of a name over a column.
const MAX_COLUMN: usize = 12;

pub fn matrix_text(matrix: &OddsMatrix) -> String {
    let rules = &matrix.ruleset.attack_rules;
    let mut out = String::new();
    let title = matrix.ruleset.rules_title();
    let _ = writeln!(out, "{} · {}", clean(&title), clean(&matrix_situation_line(matrix)));
    let gauge = matrix.headline.and_then(|gauge| rules.gauges.get(gauge)).map_or("", |gauge| &*gauge.label);
    let trade = |row: usize, column: usize| {
        let cell = matrix.cells.get(row).and_then(|cells| cells.get(column));
        cell.and_then(|cell| cell.trade).map_or_else(|| "–".to_owned(), figure)
    };
    let mean = |row: usize, column: usize| {
        let cell = matrix.cells.get(row).and_then(|cells| cells.get(column));
        cell.and_then(|cell| cell.mean).map_or_else(|| "–".to_owned(), figure)
    };
    block(&mut out, matrix, "points destroyed for each point lost, at equal points", &trade);
    out.push('\n');
    block(&mut out, matrix, &format!("{gauge} a turn, one ship"), &mean);
    if let Some(rule) = matrix.best.and_then(|best| rules.situations.get(best)) {
        let choice = |row: usize, column: usize| {
            let cell = matrix.cells.get(row).and_then(|cells| cells.get(column));
            cell.and_then(|cell| cell.choice.as_ref()).map_or_else(|| "–".to_owned(), |value| clean(&value_word(value)))
        };
        out.push('\n');
        block(&mut out, matrix, &format!("{}, where one is best", rule.label), &choice);
    }
    out.push_str(&notes(&matrix_exactness(matrix), &matrix.assumed, &matrix.not_counted));
    out
}

/// A row for each attacker, a column for each target.
fn block(out: &mut String, matrix: &OddsMatrix, title: &str, cell: &dyn Fn(usize, usize) -> String) {
    let wide = |text: &str| text.chars().count();
    let rows: Vec<String> = matrix.ships.iter().map(|ship| clean(&ship_title(&ship.name))).collect();
    let columns: Vec<String> = rows.iter().map(|name| shorten_line(name, MAX_COLUMN)).collect();
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(column, name)| {
            let cells = (0..rows.len()).map(|row| wide(&cell(row, column)));
            cells.chain([wide(name), 6]).max().unwrap_or(0)
        })
        .collect();
    let a = rows.iter().map(|name| wide(name)).max().unwrap_or(0);
    let _ = writeln!(out, "{}", clean(title));
    let _ = write!(out, "{:<a$}", "");
    for (name, w) in columns.iter().zip(&widths) {
        let _ = write!(out, "  {name:>w$}");
    }
    out.push('\n');
    for (row, name) in rows.iter().enumerate() {
        let _ = write!(out, "{name:<a$}");
        for (column, w) in widths.iter().enumerate() {
            let _ = write!(out, "  {:>w$}", cell(row, column));
        }
        out.push('\n');
    }
}
