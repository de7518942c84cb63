//! Rows that a number finds by its range: takes the lint context, reports numbers between the first and the last that no row
//! has, or several.

use std::collections::BTreeSet;

use moldloft_rules::formula::{Value, ranges_of};
use moldloft_rules::ruleset::{CallKind, TableKind};

use super::context::LintContext;
use super::reachability::row_span;

pub(super) fn check(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let calls = context.calls.iter().filter_map(|&call| rules.symbols.calls.get(call));
    let searched = calls.filter_map(|call| match call.kind {
        CallKind::Within(table, column) => Some((table, column)),
        _ => None,
    });
    let searched: BTreeSet<(usize, usize)> = searched.collect();
    for (table, column) in searched {
        let table = &rules.tables[table];
        let TableKind::Rows { columns, rows, .. } = &table.kind else { continue };
        let ranges = rows.iter().enumerate().flat_map(|(place, row)| {
            let ranges: Vec<(i64, i64)> = match &row.entries[column].1 {
                Value::Int(number) => vec![(*number, *number)],
                Value::Text(text) => ranges_of(text).filter(|(from, to)| from <= to).collect(),
                _ => Vec::new(),
            };
            ranges.into_iter().map(move |(from, to)| (from, to, place))
        });
        let mut ranges: Vec<(i64, i64, usize)> = ranges.collect();
        ranges.sort_unstable();
        let named = format!("{}: the column `{}` of", table.id, columns[column].id);
        let mut last: Option<i64> = None;
        for (from, to, place) in ranges {
            let span = || row_span(context, &table.id, place);
            if let Some(end) = last.filter(|end| from <= *end) {
                let both = numbers(from, to.min(end));
                let message = format!("{named} two rows has {both}: the first of them counts");
                context.find("ranges-overlap", span(), message, "give each number to one row");
            } else if let Some(end) = last.filter(|end| from > end.saturating_add(1)) {
                let message = format!("{named} no row has {}", numbers(end + 1, from - 1));
                context.find("ranges-leave-gap", span(), message, "give each number to a row");
            }
            last = Some(last.map_or(to, |end| end.max(to)));
        }
    }
}

fn numbers(from: i64, to: i64) -> String {
    match to {
        _ if from == to => from.to_string(),
        i64::MAX => format!("{from}+"),
        _ => format!("{from}–{to}"),
    }
}
