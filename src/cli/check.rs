//! `moldloft check`: what is wrong with designs, and what they cost.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::cleaning;
use crate::evaluate::Report;
use crate::finding::{Finding, Severity};
use crate::library::Checked;
use crate::store::Store;

use super::load::{Item, Job, Rules, load};
use super::render::{self, Style, clean};
use super::{Outcome, roster, say};

/// Check designs: report errors and costs
#[derive(clap::Args)]
pub struct Args {
    /// Design files or folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Print a JSON report: an array of one object per design
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: Rules,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let job = load(store, &arguments.paths, &arguments.rules)?;
    if arguments.json {
        super::complain(&job.beside);
        let objects: Result<Vec<Vec<String>>, _> = job.items.par_iter().map(objects).collect();
        let objects =
            objects.map_err(|error| Finding::error("unwritable", format!("cannot write the report: {error}")))?;
        say(&cleaning::json(array(&objects.concat())))?;
    } else {
        say(&text(&job, Style::of(std::io::stdout().is_terminal())))?;
    }
    if job.is_nothing() { Ok(Outcome::Nothing) } else { Ok(Outcome::of(job.has_errors())) }
}

/// The reports on one file.
fn objects(item: &Item) -> serde_json::Result<Vec<String>> {
    match item {
        Item::Design(checked) => Ok(vec![object(checked)?]),
        Item::Fleet(fleet) => roster::objects(fleet),
        Item::Unread(file, findings) => Ok(vec![unread(file, None, findings)?]),
    }
}

/// The report on one design; of one that could not be evaluated, an object of the same shape that holds only why.
fn object(checked: &Checked) -> serde_json::Result<String> {
    if let Some(evaluation) = &checked.evaluation {
        return serde_json::to_string_pretty(&Report(evaluation));
    }
    let name = checked.design.as_ref().and_then(|design| design.name.as_ref()).map(|word| &*word.text);
    unread(&checked.file, name, &checked.failed)
}

fn unread(file: &str, name: Option<&str>, findings: &[Finding]) -> serde_json::Result<String> {
    let findings: Vec<Value> = findings.iter().map(Finding::report).collect();
    serde_json::to_string_pretty(&json!({
        "file": file, "ruleset": null, "name": name, "legal": false, "values": {}, "points": null, "costs": [],
        "tracks": {}, "tables": {}, "findings": findings, "own_systems": [],
    }))
}

/// Objects as an array. A line break within a text is written `\n`, so each line of an object may be moved in.
fn array(objects: &[String]) -> String {
    if objects.is_empty() {
        return "[]\n".to_owned();
    }
    let mut out = String::with_capacity(objects.iter().map(|object| object.len() * 5 / 4 + 4).sum());
    out.push_str("[\n");
    for (n, object) in objects.iter().enumerate() {
        if n > 0 {
            out.push_str(",\n");
        }
        for (k, line) in object.split('\n').enumerate() {
            if k > 0 {
                out.push('\n');
            }
            out.push_str("  ");
            out.push_str(line);
        }
    }
    out.push_str("\n]\n");
    out
}

fn text(job: &Job, style: Style) -> String {
    let mut out = String::new();
    for finding in &job.beside {
        render::finding(&mut out, finding, style);
    }
    for item in &job.items {
        for finding in item.findings() {
            render::finding(&mut out, finding, style);
        }
        match item {
            Item::Design(checked) => {
                let Some(evaluation) = &checked.evaluation else { continue };
                let verdict = if evaluation.legal { "legal" } else { "not legal" };
                let name = if evaluation.name.is_empty() { "(no name)".into() } else { short(&evaluation.name) };
                let _ = write!(out, "{}: {name}, {verdict}", clean(&checked.file));
                if let Some(own) = evaluation.own_words() {
                    let _ = write!(out, ", {}", clean(own));
                }
                if let Some(points) = evaluation.points {
                    let _ = write!(out, ", {}", roster::of_points(points));
                }
                out.push('\n');
            }
            Item::Fleet(fleet) => out.push_str(&roster::text(fleet)),
            Item::Unread(..) => {}
        }
    }
    summary(&mut out, job);
    out
}

/// `12 designs: 11 legal, 1 with errors; 3 warnings`; designs and fleets are counted apart.
fn summary(out: &mut String, job: &Job) {
    let is_design = |item: &&Item| matches!(item, Item::Design(_));
    let (designs, fleets): (Vec<&Item>, Vec<&Item>) = job.items.iter().partition(is_design);
    let count = |severity| {
        let own = job.items.iter().flat_map(Item::findings);
        own.chain(&job.beside).filter(|finding| finding.severity == severity).count()
    };
    let verdict = |items: &[&Item], word: &str| {
        let legal = items.iter().filter(|item| item.legal()).count();
        let rest = items.len() - legal;
        let rest = if rest > 0 { format!(", {rest} with errors") } else { String::new() };
        format!("{}: {legal} legal{rest}", many(items.len(), word))
    };
    let mut parts = Vec::new();
    if !designs.is_empty() || fleets.is_empty() {
        parts.push(verdict(&designs, "design"));
    }
    if !fleets.is_empty() {
        parts.push(verdict(&fleets, "fleet"));
    }
    let more: Vec<String> = [(Severity::Warning, "warning"), (Severity::Info, "note")]
        .into_iter()
        .map(|(severity, word)| (count(severity), word))
        .filter(|&(count, _)| count > 0)
        .map(|(count, word)| many(count, word))
        .collect();
    if !more.is_empty() {
        parts.push(more.join(", "));
    }
    let _ = writeln!(out, "{}", parts.join("; "));
    if job.passed_over > 0 {
        let _ = writeln!(out, "skipped {} in the folders: not designs", many(job.passed_over, "file"));
    }
}

/// A name as a line holds it: at most 60 characters.
fn short(name: &str) -> String {
    let cut: String = name.chars().take(60).collect();
    if cut.len() < name.len() { clean(&cut) + "…" } else { clean(&cut) }
}

fn many(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
