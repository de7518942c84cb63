//! What another ruleset does, for programs: takes rows, gives JSON or a table for spreadsheets.

use serde_json::{Value, json};

use crate::cli::render::clean;
use crate::evaluate::Effect;
use crate::finding::{Finding, Severity};

use super::{Kind, Row, Side};

/// The rows as JSON: an array, one object a design or fleet.
///
/// # Errors
/// A finding when it cannot be written.
pub(super) fn json(rows: &[Row]) -> Result<String, Finding> {
    let list: Vec<Value> = rows.iter().map(object).collect();
    let mut text = serde_json::to_string_pretty(&list)
        .map_err(|error| Finding::error("unwritable", format!("cannot write the report: {error}")))?;
    text.push('\n');
    Ok(crate::cleaning::json(text))
}

fn object(row: &Row) -> Value {
    let side = |side: &Side| match row.failed.is_empty() {
        true => json!({ "points": side.points, "legal": side.legal }),
        false => Value::Null,
    };
    let list = |findings: &[Finding]| findings.iter().map(Finding::report).collect::<Vec<Value>>();
    let change = |effect: &Effect| {
        json!({
            "kind": effect.kind, "id": effect.id, "label": effect.label, "before": effect.before,
            "after": effect.after, "by": effect.by,
        })
    };
    let mut object = json!({
        "kind": word(row.kind), "file": &*row.file, "name": row.name, "before": side(&row.before),
        "after": side(&row.after), "difference": row.difference(), "new": list(&row.new), "gone": list(&row.gone),
        "changes": row.effects.iter().map(change).collect::<Vec<Value>>(), "findings": list(&row.failed),
    });
    if row.kind == Kind::Fleet {
        object["budget"] = row.budget.into();
        object["ships"] = row.ships.iter().map(self::object).collect();
    }
    object
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Design => "design",
        Kind::Fleet => "fleet",
        Kind::Ship => "ship",
    }
}

/// The rows as a table for spreadsheets: a line a design or fleet, and after a fleet a line for each of its ships.
pub(super) fn csv(rows: &[Row]) -> String {
    let mut out = "design,name,before,after,difference,legal before,legal after,new errors,errors gone,why,kind,changes,what changes\n"
        .to_owned();
    for row in rows.iter().flat_map(|row| std::iter::once(row).chain(&row.ships)) {
        let codes = |findings: &[Finding]| {
            let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
            errors.map(|finding| finding.code.to_string()).collect::<Vec<_>>().join(" ")
        };
        let number = |number: Option<i64>| number.map_or_else(String::new, |number| number.to_string());
        let legal = |legal: bool| if row.failed.is_empty() { if legal { "yes" } else { "no" } } else { "" };
        let mut told = row.failed.iter().chain(&row.new).chain(&row.gone);
        let why =
            told.find(|finding| finding.severity == Severity::Error).map_or("", |finding| finding.message.as_str());
        let cells = [
            quoted(&row.file),
            quoted(&row.name),
            number(row.before.points),
            number(row.after.points),
            number(row.difference()),
            legal(row.before.legal).to_owned(),
            legal(row.after.legal).to_owned(),
            quoted(&codes(&row.new)),
            quoted(&codes(&row.gone)),
            quoted(why),
            word(row.kind).to_owned(),
            row.effects.len().to_string(),
            quoted(&row.effects.iter().map(said).collect::<Vec<_>>().join("; ")),
        ];
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
}

/// `track sidewall: boxes 3 → 4`.
fn said(effect: &Effect) -> String {
    let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
    format!("{} {} {} → {}", effect.kind, effect.label, side(&effect.before), side(&effect.after))
}

/// A cell of text: quoted where it must be. A leading sign that spreadsheets take for a formula is kept from them.
fn quoted(text: &str) -> String {
    let text = crate::cleaning::cell(&clean(text));
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_safe_in_a_spreadsheet() {
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
        assert_eq!(quoted("two\nlines"), "two lines");
    }
}
