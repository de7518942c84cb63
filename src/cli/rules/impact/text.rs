//! Formats the impact of another ruleset: takes rows, gives one line for each design or fleet, totals, and every other
//! change once with its designs.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::cli::render::clean;
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::{plural, shorten};
use moldloft_rules::evaluate::ResultChange;

use moldloft_library::library::{ImpactKind, ImpactRow};

fn points_text(points: Option<i64>) -> String {
    points.map_or_else(|| "–".to_owned(), |points| points.to_string())
}

pub(super) fn signed_text(difference: Option<i64>) -> String {
    match difference {
        None => "–".to_owned(),
        Some(0) => "0".to_owned(),
        Some(difference) if difference < 0 => format!("−{}", difference.unsigned_abs()),
        Some(difference) => format!("+{difference}"),
    }
}

pub(super) fn impact_text(rows: &[ImpactRow], foreign: usize) -> String {
    let mut out = impact_table(rows);
    append_summary(&mut out, rows, foreign);
    append_changes(&mut out, rows);
    out
}

/// One line per design, followed by the reasons for a change of legality.
fn impact_table(rows: &[ImpactRow]) -> String {
    let mut out = String::new();
    let wide = |text: &str| text.chars().count();
    let width = |cell: &dyn Fn(&ImpactRow) -> String, head: &str| {
        rows.iter().map(|row| wide(&cell(row))).max().unwrap_or(0).max(wide(head))
    };
    let file = |row: &ImpactRow| clean(&row.file);
    let name = |row: &ImpactRow| clean(&row.name.chars().take(40).collect::<String>());
    let (before, after) =
        (|row: &ImpactRow| points_text(row.before.points), |row: &ImpactRow| points_text(row.after.points));
    let difference = |row: &ImpactRow| signed_text(row.difference());
    let widths = [
        width(&file, "design"),
        width(&name, "name"),
        width(&before, "before"),
        width(&after, "after"),
        width(&difference, "difference"),
    ];
    let [a, b, c, d, e] = widths;
    let _ = writeln!(out, "{:<a$}  {:<b$}  {:>c$}  {:>d$}  {:>e$}", "design", "name", "before", "after", "difference");
    for row in rows {
        let _ = writeln!(
            out,
            "{:<a$}  {:<b$}  {:>c$}  {:>d$}  {:>e$}  {}",
            file(row),
            name(row),
            before(row),
            after(row),
            difference(row),
            row.verdict()
        );
        append_reasons(&mut out, row, "    ");
        append_fleet(&mut out, row);
    }
    out
}

/// What is left of a fleet's budget, and its ships with changed points or legality.
fn append_fleet(out: &mut String, row: &ImpactRow) {
    if row.kind != ImpactKind::Fleet {
        return;
    }
    if let (Some(budget), Some(before), Some(after)) = (row.budget, row.before.points, row.after.points) {
        let left = |points: i64| match budget.checked_sub(points) {
            Some(left) if left < 0 => format!("{} over", left.unsigned_abs()),
            Some(left) => format!("{left} left"),
            None => "?".to_owned(),
        };
        let _ = writeln!(out, "    budget {budget}: {} → {}", left(before), left(after));
    }
    // Ships with the same name and change share a line.
    let mut lines: Vec<(String, usize, &ImpactRow)> = Vec::new();
    for ship in row.ships.iter().filter(|ship| ship.difference() != Some(0) || ship.before.legal != ship.after.legal) {
        let words = format!(
            "{}: {} → {} ({}), {}",
            clean(&ship.name),
            points_text(ship.before.points),
            points_text(ship.after.points),
            signed_text(ship.difference()),
            ship.verdict()
        );
        match lines.iter_mut().find(|(known, ..)| *known == words) {
            Some((_, times, _)) => *times += 1,
            None => lines.push((words, 1, ship)),
        }
    }
    let more = lines.len().saturating_sub(MAX_SHIPS);
    for (words, times, ship) in lines.into_iter().take(MAX_SHIPS) {
        let times = if times > 1 { format!("{times} × ") } else { String::new() };
        let _ = writeln!(out, "    {times}{words}");
        append_reasons(out, ship, "        ");
    }
    if more > 0 {
        let _ = writeln!(out, "    and {more} more, listed by --json");
    }
}

fn append_reasons(out: &mut String, row: &ImpactRow, indent: &str) {
    let errors = row.new_findings.iter().filter(|finding| finding.severity == Severity::Error);
    let mut said: Vec<(String, usize)> = Vec::new();
    for words in errors.map(|finding| format!("error[{}]: {}", clean(&finding.code), clean(&finding.message))) {
        match said.iter_mut().find(|(known, _)| *known == words) {
            Some((_, times)) => *times += 1,
            None => said.push((words, 1)),
        }
    }
    for (words, times) in said {
        let places = if times > 1 { format!(" (at {times} places)") } else { String::new() };
        let _ = writeln!(out, "{indent}+ {words}{places}");
    }
    for finding in row.gone_findings.iter().filter(|finding| finding.severity == Severity::Error) {
        let milder =
            row.new_findings.iter().find(|other| other.code == finding.code && other.severity != Severity::Error);
        let now = milder
            .map_or("", |other| if other.severity == Severity::Warning { ", now a warning" } else { ", now a note" });
        let _ = writeln!(out, "{indent}− error[{}]: {}{now}", clean(&finding.code), clean(&finding.message));
    }
}

/// The errors that came and went.
pub(super) fn reasons(row: &ImpactRow) -> Vec<String> {
    let errors = |sign: &str, findings: &[Finding]| {
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| format!("{sign} {}: {}", clean(&finding.code), clean(&finding.message))).collect()
    };
    let mut out: Vec<String> = errors("+", &row.new_findings);
    out.extend::<Vec<String>>(errors("−", &row.gone_findings));
    out.extend::<Vec<String>>(errors("not checked:", &row.failed));
    out
}

/// Totals of designs and fleets.
pub(super) fn summary_text(rows: &[ImpactRow], foreign: usize) -> String {
    let mut out = String::new();
    append_summary(&mut out, rows, foreign);
    out
}

fn append_summary(out: &mut String, rows: &[ImpactRow], foreign: usize) {
    let (fleets, rows): (Vec<&ImpactRow>, Vec<&ImpactRow>) = rows.iter().partition(|row| row.kind == ImpactKind::Fleet);
    let evaluated: Vec<&ImpactRow> = rows.iter().copied().filter(|row| row.failed.is_empty()).collect();
    if !rows.is_empty() || fleets.is_empty() {
        append_totals(out, &evaluated);
    }
    if !fleets.is_empty() {
        let good: Vec<&&ImpactRow> = fleets.iter().filter(|row| row.failed.is_empty()).collect();
        let ships: usize = good.iter().map(|row| row.ships.len()).sum();
        let sum = |pick: &dyn Fn(&ImpactRow) -> Option<i64>| {
            good.iter().filter_map(|row| pick(row)).fold(0_i64, i64::saturating_add)
        };
        let (before, after) = (sum(&|row| row.before.points), sum(&|row| row.after.points));
        let illegal = good.iter().filter(|row| row.before.legal && !row.after.legal).count();
        let legal = good.iter().filter(|row| !row.before.legal && row.after.legal).count();
        let _ = writeln!(
            out,
            "{} with {}: {before} → {after} points in total ({}); {illegal} became illegal, {legal} became legal",
            plural(fleets.len(), "fleet"),
            plural(ships, "ship"),
            signed_text(after.checked_sub(before))
        );
    }
    let broken = rows.len() - evaluated.len() + fleets.iter().filter(|row| !row.failed.is_empty()).count();
    if broken > 0 {
        let _ = writeln!(out, "{broken} not checked: see the errors above");
    }
    if foreign > 0 {
        let _ = writeln!(out, "skipped {foreign} of other games");
    }
}

fn append_totals(out: &mut String, evaluated: &[&ImpactRow]) {
    let count = |test: &dyn Fn(&ImpactRow) -> bool| evaluated.iter().filter(|row| test(row)).count();
    let dearer = count(&|row| row.difference().is_some_and(|difference| difference > 0));
    let cheaper = count(&|row| row.difference().is_some_and(|difference| difference < 0));
    let sum = |pick: &dyn Fn(&ImpactRow) -> Option<i64>| {
        evaluated.iter().filter_map(|row| pick(row)).fold(0_i64, i64::saturating_add)
    };
    let (before, after) = (sum(&|row| row.before.points), sum(&|row| row.after.points));
    let _ = writeln!(
        out,
        "{}: {dearer} cost more, {cheaper} less, {} the same; {before} → {} in total ({})",
        plural(evaluated.len(), "design"),
        evaluated.len() - dearer - cheaper,
        plural(after, "point"),
        signed_text(after.checked_sub(before))
    );
    let (illegal, legal) =
        (count(&|row| row.before.legal && !row.after.legal), count(&|row| !row.before.legal && row.after.legal));
    let _ = writeln!(out, "{illegal} became illegal, {legal} became legal");
    let lacks = |row: &ImpactRow| row.new_findings.iter().any(|finding| finding.code == "unknown-system");
    if evaluated.iter().any(|row| lacks(row)) {
        let _ =
            writeln!(out, "systems that the new rules do not have are missing from the ships' mass, points and odds");
    }
}

/// The most changes listed, and the most designs named in a line.
const MAX_CHANGES: usize = 60;
const MAX_NAMED: usize = 3;
/// The most characters of a value.
const MAX_VALUE_CHARS: usize = 60;
const MAX_SHIPS: usize = 40;

/// What kind of thing changed with its label, and each change with the name of its design.
type ChangedThing<'r> = ((&'r str, &'r str), Vec<(&'r ResultChange, &'r str)>);

/// Every change but those of points and legality, each thing once with its designs.
pub(super) fn all_changes(rows: &[ImpactRow]) -> Vec<String> {
    let line =
        |((kind, label), effects): ChangedThing<'_>| format!("{kind} {}: {}", clean(label), effects_text(&effects));
    changed_things(rows).into_iter().map(line).collect()
}

fn changed_things(rows: &[ImpactRow]) -> Vec<ChangedThing<'_>> {
    let mut things: Vec<ChangedThing<'_>> = Vec::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for row in rows.iter().flat_map(|row| std::iter::once(row).chain(&row.ships)) {
        for effect in &row.effects {
            let key = (effect.kind, &*effect.label);
            let place = *places.entry(key).or_insert(things.len());
            if place == things.len() {
                things.push((key, Vec::new()));
            }
            things[place].1.push((effect, &row.name));
        }
    }
    things
}

/// All other changes, each once with its designs.
fn append_changes(out: &mut String, rows: &[ImpactRow]) {
    let evaluated: Vec<&ImpactRow> = rows.iter().flat_map(|row| std::iter::once(row).chain(&row.ships)).collect();
    let things = changed_things(rows);
    if things.is_empty() {
        out.push_str("no other changes\n");
        return;
    }
    let changed = evaluated.iter().filter(|row| !row.effects.is_empty()).count();
    let kinds = ["field", "value", "system", "track", "table", "counter", "cost"].into_iter();
    let counts = kinds.map(|kind| (kind, things.iter().filter(|((known, _), _)| *known == kind).count()));
    let counts: Vec<String> =
        counts.filter(|(_, count)| *count > 0).map(|(kind, count)| count_text(kind, count)).collect();
    let _ = writeln!(out, "other changes on {}: {}", plural(changed, "ship"), counts.join(", "));
    for ((kind, label), effects) in things.iter().take(MAX_CHANGES) {
        let _ = writeln!(out, "  {kind} {}: {}", clean(label), effects_text(effects));
    }
    let more = things.len().saturating_sub(MAX_CHANGES);
    if more > 0 {
        let _ = writeln!(out, "  and {more} more, listed by --json and --csv");
    }
}

/// `3 values`; items with parts that change separately are counted by part.
fn count_text(kind: &str, count: usize) -> String {
    let (one, several) = match kind {
        "field" => ("field", "fields"),
        "value" => ("value", "values"),
        "system" => ("system attribute", "system attributes"),
        "track" => ("track part", "track parts"),
        "table" => ("table cell", "table cells"),
        "counter" => ("counter part", "counter parts"),
        _ => ("cost line", "cost lines"),
    };
    format!("{count} {}", if count == 1 { one } else { several })
}

/// `40 → 60 (+20) on 3: Adder, Heron, Hubris`; if they differ, the range and the first of them.
fn effects_text(effects: &[(&ResultChange, &str)]) -> String {
    let one = |effect: &ResultChange| {
        let side = |text: &Option<String>| {
            text.as_deref().map_or_else(|| "none".to_owned(), |text| shorten(&clean(text), MAX_VALUE_CHARS))
        };
        format!("{} → {}", side(&effect.before), side(&effect.after))
    };
    let by =
        |effect: &ResultChange| effect.difference.map(|by| format!(" ({})", signed_text(Some(by)))).unwrap_or_default();
    let mut names: Vec<&str> = Vec::new();
    let mut sorts: Vec<(String, &str)> = Vec::new();
    for (effect, name) in effects {
        let words = format!("{}{}", one(effect), by(effect));
        if !names.contains(name) && names.len() <= MAX_NAMED {
            names.push(name);
        }
        if sorts.len() <= MAX_NAMED && !sorts.iter().any(|(known, _)| *known == words) {
            sorts.push((words, name));
        }
    }
    if let [(words, _)] = sorts.as_slice() {
        let named: Vec<String> = names.iter().take(MAX_NAMED).map(|name| clean(name)).collect();
        let more = if names.len() > MAX_NAMED { " …" } else { "" };
        return format!("{words} on {}: {}{more}", effects.len(), named.join(", "));
    }
    let range = match effects.iter().map(|(effect, _)| effect.difference).collect::<Option<Vec<i64>>>() {
        Some(all) => {
            let (least, most) = (all.iter().min().copied(), all.iter().max().copied());
            if least == most {
                format!("{} ", signed_text(least))
            } else {
                format!("{} to {} ", signed_text(least), signed_text(most))
            }
        }
        None => String::new(),
    };
    let shown: Vec<String> =
        sorts.iter().take(MAX_NAMED).map(|(words, name)| format!("{words} {}", clean(name))).collect();
    let more = if sorts.len() > MAX_NAMED { ", …" } else { "" };
    format!("{range}on {}: {}{more}", effects.len(), shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_bear_their_sign() {
        assert_eq!(
            (signed_text(Some(-3)), signed_text(Some(3)), signed_text(None)),
            ("−3".into(), "+3".into(), "–".into())
        );
    }
}
