//! `moldloft rules impact A B PATH…`: what another ruleset does to designs: points before and after, what became illegal or legal, and
//! why. Each design is read once and judged by both.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::cli::render::clean;
use crate::cli::{Outcome, complain, say};
use crate::evaluate::Evaluation;
use crate::finding::{Finding, Severity};
use crate::library::games::unusable;
use crate::library::read::read;
use crate::library::{File, Games, Loaded, Read, alone, chain, each};
use crate::ruleset::{Ruleset, differences};
use crate::store::{self, Store};

/// Say what another ruleset does to designs: points before and after, what became illegal or legal, and why
#[derive(clap::Args)]
pub struct Args {
    /// The rules as they were: a ruleset's id, or its file
    #[arg(value_name = "A")]
    before: String,
    /// The rules as they would be
    #[arg(value_name = "B")]
    after: String,
    /// Design files, or folders of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Print a machine-readable report: an array, one object a design
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print a table that spreadsheets read
    #[arg(long)]
    csv: bool,
}

/// What comes of one design.
struct Row {
    file: Arc<str>,
    opened: bool,
    name: String,
    before: Side,
    after: Side,
    /// Findings only the second has, and only the first had.
    new: Vec<Finding>,
    gone: Vec<Finding>,
    /// Why it could not be judged.
    failed: Vec<Finding>,
}

/// One design under one ruleset.
#[derive(Clone, Copy, Default)]
struct Side {
    points: Option<i64>,
    legal: bool,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let (before, mut told) = rules(store, &arguments.before)?;
    let (after, more) = rules(store, &arguments.after)?;
    told.extend(more);
    told.dedup();
    if before.base.id != after.base.id {
        // Two ids of one game can be compared; two games cannot.
        differences(&chain(store, &arguments.before)?, &chain(store, &arguments.after)?).map_err(|mut findings| {
            findings.pop().unwrap_or_else(|| Finding::error("different-games", "these are rules of different games"))
        })?;
    }
    let (found, beside) = store::find(&arguments.paths, store.workspace());
    let games = Games::new(store, &[])?;
    let mut foreign = 0;
    let mut ready = Vec::new();
    // A fleet's designs are judged by their own files.
    let design = |file: File| if let File::Design(read) = file { Some(*read) } else { None };
    for one in each(found, read).into_iter().flatten().filter_map(design) {
        let id = one.design.as_ref().ok().and_then(|design| design.ruleset.as_ref()).map(|word| word.text.to_string());
        match id {
            Some(id) if !speaks_of(&before, &id) && !speaks_of(&after, &id) => match games.get(&id)? {
                Loaded::Ready(other, _) if other.base.id != before.base.id && other.base.id != after.base.id => {
                    foreign += 1
                }
                Loaded::Missing(finding) => ready.push((one, Some(finding))),
                Loaded::Ready(..) | Loaded::Broken(_) => ready.push((one, None)),
            },
            _ => ready.push((one, None)),
        }
    }
    let rows = each(ready, |(one, failed)| row(one, failed, &before, &after));
    complain(&told);
    complain(&beside);
    for row in &rows {
        complain(&row.failed);
    }
    if arguments.json {
        let list: Vec<Value> = rows.iter().map(object).collect();
        let mut text = serde_json::to_string_pretty(&list)
            .map_err(|error| Finding::error("unwritable", format!("the report cannot be written: {error}")))?;
        text.push('\n');
        say(&crate::cleaning::json(text))?;
    } else if arguments.csv {
        say(&csv(&rows))?;
    } else {
        let mut out = format!("{} → {}\n", clean(&title(&before)), clean(&title(&after)));
        out.push_str(&table(&rows));
        summary(&mut out, &rows, foreign);
        say(&out)?;
    }
    if !rows.iter().any(|row| row.opened) && foreign == 0 {
        return Ok(Outcome::Nothing);
    }
    let error = |finding: &Finding| finding.severity == Severity::Error;
    let errors =
        told.iter().chain(&beside).any(error) || rows.iter().any(|row| !row.failed.is_empty() || !row.after.legal);
    Ok(Outcome::of(errors))
}

/// A ruleset of an id or a file, with what was found in it.
fn rules(store: &Store, what: &str) -> Result<(Arc<Ruleset>, Vec<Finding>), Finding> {
    match Ruleset::load_layers(&chain(store, what)?) {
        (Some(ruleset), findings) => Ok((Arc::new(ruleset), findings)),
        (None, findings) => {
            complain(&findings);
            Err(unusable(what, &findings))
        }
    }
}

fn speaks_of(ruleset: &Ruleset, id: &str) -> bool {
    *ruleset.base.id == *id || ruleset.layers.iter().any(|layer| *layer.id == *id)
}

fn title(ruleset: &Ruleset) -> String {
    format!("{} ({} {})", ruleset.rules_title(), ruleset.id, ruleset.version)
}

fn row(one: Read, failed: Option<Finding>, before: &Arc<Ruleset>, after: &Arc<Ruleset>) -> Row {
    let mut row = Row {
        file: one.file,
        opened: one.opened,
        name: String::new(),
        before: Side::default(),
        after: Side::default(),
        new: Vec::new(),
        gone: Vec::new(),
        failed: Vec::new(),
    };
    let design = match one.design {
        Ok(design) => design,
        Err(findings) => {
            row.failed = findings;
            return row;
        }
    };
    row.name = design.name.as_ref().map(|word| word.text.to_string()).unwrap_or_default();
    if let Some(mut finding) = failed {
        if let Some(word) = &design.ruleset {
            finding.at = design.source.shown(word.span);
        }
        row.failed.push(finding);
        return row;
    }
    let (first, second) = (alone(before, &design), alone(after, &design));
    let side = |evaluation: &Evaluation| Side { points: evaluation.points, legal: evaluation.legal };
    (row.before, row.after) = (side(&first), side(&second));
    row.new = beyond(&second.findings, &first.findings);
    row.gone = beyond(&first.findings, &second.findings);
    row
}

/// What one list of findings has beyond the other.
fn beyond(list: &[Finding], other: &[Finding]) -> Vec<Finding> {
    let same = |a: &Finding, b: &Finding| {
        a.code == b.code && a.severity == b.severity && a.message == b.message && a.at.line == b.at.line
    };
    list.iter().filter(|one| !other.iter().any(|known| same(one, known))).cloned().collect()
}

impl Row {
    fn difference(&self) -> Option<i64> {
        self.after.points?.checked_sub(self.before.points?)
    }

    fn verdict(&self) -> &'static str {
        match (self.failed.is_empty(), self.before.legal, self.after.legal) {
            (false, ..) => "not judged",
            (_, true, true) => "legal",
            (_, true, false) => "BECAME ILLEGAL",
            (_, false, true) => "became legal",
            (_, false, false) => "not legal",
        }
    }
}

fn shown(points: Option<i64>) -> String {
    points.map_or_else(|| "–".to_owned(), |points| points.to_string())
}

fn signed(difference: Option<i64>) -> String {
    match difference {
        None => "–".to_owned(),
        Some(0) => "0".to_owned(),
        Some(difference) if difference < 0 => format!("−{}", difference.unsigned_abs()),
        Some(difference) => format!("+{difference}"),
    }
}

/// A line a design; under it why it became illegal or legal.
fn table(rows: &[Row]) -> String {
    let mut out = String::new();
    let wide = |text: &str| text.chars().count();
    let width = |cell: &dyn Fn(&Row) -> String, head: &str| {
        rows.iter().map(|row| wide(&cell(row))).max().unwrap_or(0).max(wide(head))
    };
    let file = |row: &Row| clean(&row.file);
    let name = |row: &Row| clean(&row.name.chars().take(40).collect::<String>());
    let (before, after) = (|row: &Row| shown(row.before.points), |row: &Row| shown(row.after.points));
    let difference = |row: &Row| signed(row.difference());
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
        why(&mut out, row);
    }
    out
}

/// What of the findings made or unmade legality.
fn why(out: &mut String, row: &Row) {
    for finding in row.new.iter().filter(|finding| finding.severity == Severity::Error) {
        let _ = writeln!(out, "    + error[{}]: {}", clean(&finding.code), clean(&finding.message));
    }
    for finding in row.gone.iter().filter(|finding| finding.severity == Severity::Error) {
        let milder = row.new.iter().find(|other| other.code == finding.code && other.severity != Severity::Error);
        let now = milder
            .map_or("", |other| if other.severity == Severity::Warning { ", now a warning" } else { ", now a note" });
        let _ = writeln!(out, "    − error[{}]: {}{now}", clean(&finding.code), clean(&finding.message));
    }
}

fn summary(out: &mut String, rows: &[Row], foreign: usize) {
    let judged: Vec<&Row> = rows.iter().filter(|row| row.failed.is_empty()).collect();
    let count = |test: &dyn Fn(&Row) -> bool| judged.iter().filter(|row| test(row)).count();
    let dearer = count(&|row| row.difference().is_some_and(|difference| difference > 0));
    let cheaper = count(&|row| row.difference().is_some_and(|difference| difference < 0));
    let sum =
        |pick: &dyn Fn(&Row) -> Option<i64>| judged.iter().filter_map(|row| pick(row)).fold(0_i64, i64::saturating_add);
    let (before, after) = (sum(&|row| row.before.points), sum(&|row| row.after.points));
    let plural = if judged.len() == 1 { "design" } else { "designs" };
    let _ = writeln!(
        out,
        "{} {plural}: {dearer} cost more, {cheaper} less, {} the same; {before} → {after} points in all ({})",
        judged.len(),
        judged.len() - dearer - cheaper,
        signed(after.checked_sub(before))
    );
    let (illegal, legal) =
        (count(&|row| row.before.legal && !row.after.legal), count(&|row| !row.before.legal && row.after.legal));
    let _ = writeln!(out, "{illegal} became illegal, {legal} became legal");
    let broken = rows.len() - judged.len();
    if broken > 0 {
        let _ = writeln!(out, "{broken} could not be judged: each is named above with what is wrong");
    }
    if foreign > 0 {
        let _ = writeln!(out, "{foreign} passed over: designs of other games");
    }
}

fn object(row: &Row) -> Value {
    let side = |side: &Side| match row.failed.is_empty() {
        true => json!({ "points": side.points, "legal": side.legal }),
        false => Value::Null,
    };
    let list = |findings: &[Finding]| findings.iter().map(Finding::report).collect::<Vec<Value>>();
    json!({
        "file": &*row.file, "name": row.name, "before": side(&row.before), "after": side(&row.after),
        "difference": row.difference(), "new": list(&row.new), "gone": list(&row.gone), "findings": list(&row.failed),
    })
}

fn csv(rows: &[Row]) -> String {
    let mut out =
        "design,name,before,after,difference,legal before,legal after,new errors,errors gone,why\n".to_owned();
    for row in rows {
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
        ];
        out.push_str(&cells.join(","));
        out.push('\n');
    }
    out
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
        assert_eq!((signed(Some(-3)), signed(Some(3)), signed(None)), ("−3".into(), "+3".into(), "–".into()));
    }
}
