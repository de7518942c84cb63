//! Exports the impact of another ruleset: takes rows, gives JSON or CSV.

use serde_json::{Value, json};

use crate::cli::render::clean;
use crate::cli::terminal::json_report;
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::{csv_table, for_spreadsheet};
use moldloft_rules::evaluate::ResultChange;

use moldloft_library::library::{ImpactKind, ImpactRow, ImpactSide};

/// An array with one object for each design or fleet.
///
/// # Errors
/// A finding when it cannot be written.
pub(super) fn rows_to_json(rows: &[ImpactRow]) -> Result<String, Finding> {
    let list: Vec<Value> = rows.iter().map(row_object).collect();
    json_report(&list)
}

fn row_object(row: &ImpactRow) -> Value {
    let side = |side: &ImpactSide| match row.failed.is_empty() {
        true => json!({ "points": side.points, "legal": side.legal }),
        false => Value::Null,
    };
    let list = |findings: &[Finding]| findings.iter().map(Finding::to_json).collect::<Vec<Value>>();
    let change = |effect: &ResultChange| {
        json!({
            "kind": effect.kind, "id": effect.id, "label": effect.label, "before": effect.before,
            "after": effect.after, "by": effect.difference,
        })
    };
    let mut object = json!({
        "kind": kind_word(row.kind), "file": &*row.file, "name": row.name, "before": side(&row.before),
        "after": side(&row.after), "difference": row.difference(), "new": list(&row.new_findings), "gone": list(&row.gone_findings),
        "changes": row.effects.iter().map(change).collect::<Vec<Value>>(), "findings": list(&row.failed),
    });
    if let Some(odds) = &row.odds {
        let [before, after] = [0, 1].map(|side| json!({ "mean": odds.means[side], "trade": odds.trades[side] }));
        object["odds"] = json!({ "before": before, "after": after });
        if let Some((at, [before, after])) = &odds.most {
            object["odds"]["most"] = json!({ "at": &**at, "before": before, "after": after });
        }
    }
    if row.kind == ImpactKind::Fleet {
        object["budget"] = row.budget.into();
        object["ships"] = row.ships.iter().map(self::row_object).collect();
    }
    object
}

fn kind_word(kind: ImpactKind) -> &'static str {
    match kind {
        ImpactKind::Design => "design",
        ImpactKind::Fleet => "fleet",
        ImpactKind::Ship => "ship",
    }
}

/// One line for each design or fleet; a fleet is followed by its ships.
pub(super) fn rows_to_csv(rows: &[ImpactRow]) -> String {
    let has_odds = rows.iter().any(|row| row.odds.is_some());
    let head = "design,name,before,after,difference,legal before,legal after,new errors,errors gone,why,kind,changes,what changes";
    let of_odds = "mean before,mean after,trade before,trade after,changes most at,from,to";
    let head = head.split(',').chain(of_odds.split(',').filter(|_| has_odds));
    let mut table: Vec<Vec<String>> = vec![head.map(str::to_owned).collect()];
    for row in rows.iter().flat_map(|row| std::iter::once(row).chain(&row.ships)) {
        let codes = |findings: &[Finding]| {
            let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
            errors.map(|finding| finding.code.to_string()).collect::<Vec<_>>().join(" ")
        };
        let number = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
        let legal = |legal: bool| if row.failed.is_empty() { if legal { "yes" } else { "no" } } else { "" };
        let mut findings = row.failed.iter().chain(&row.new_findings).chain(&row.gone_findings);
        let why =
            findings.find(|finding| finding.severity == Severity::Error).map_or("", |finding| finding.message.as_str());
        let mut cells = vec![
            csv_cell(&row.file),
            csv_cell(&row.name),
            number(row.before.points),
            number(row.after.points),
            number(row.difference()),
            legal(row.before.legal).to_owned(),
            legal(row.after.legal).to_owned(),
            csv_cell(&codes(&row.new_findings)),
            csv_cell(&codes(&row.gone_findings)),
            csv_cell(why),
            kind_word(row.kind).to_owned(),
            row.effects.len().to_string(),
            csv_cell(&row.effects.iter().map(effect_text).collect::<Vec<_>>().join("; ")),
        ];
        if has_odds {
            let odds = row.odds.clone().unwrap_or_default();
            let (at, most) = odds.most.unwrap_or_default();
            let is_changed = !at.is_empty();
            let number = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
            cells.extend(odds.means.into_iter().chain(odds.trades).map(number));
            cells.push(csv_cell(&at));
            cells.extend(most.map(|mean| number(is_changed.then_some(mean))));
        }
        table.push(cells);
    }
    csv_table(&table)
}

/// `track sidewall: boxes 3 → 4`.
fn effect_text(effect: &ResultChange) -> String {
    let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
    format!("{} {} {} → {}", effect.kind, effect.label, side(&effect.before), side(&effect.after))
}

/// In one line; a leading character that would start a formula is escaped.
fn csv_cell(text: &str) -> String {
    for_spreadsheet(&clean(text))
}

#[cfg(test)]
mod tests {
    #[test]
    fn cells_are_safe_in_a_spreadsheet() {
        assert_eq!(["=1+1", "two\nlines"].map(super::csv_cell), ["'=1+1", "two lines"]);
    }
}
