//! `moldloft check`: what is wrong with designs, and what they cost.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::evaluate::Report;
use crate::finding::{Finding, Severity};
use crate::library::Checked;
use crate::store::Store;

use super::load::{Job, Rules, load};
use super::render::{self, Style, clean};
use super::{Outcome, say};

/// Check designs: what is wrong with them, what they cost
#[derive(clap::Args)]
pub struct Args {
    /// Design files, or folders of them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Print a machine-readable report: an array, one object a design
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
        let objects: Result<Vec<String>, _> = job.designs.par_iter().map(object).collect();
        let objects =
            objects.map_err(|error| Finding::error("unwritable", format!("the report cannot be written: {error}")))?;
        say(&array(&objects))?;
    } else {
        say(&text(&job, Style::of(std::io::stdout().is_terminal())))?;
    }
    if job.is_nothing() { Ok(Outcome::Nothing) } else { Ok(Outcome::of(job.has_errors())) }
}

/// The report on one design; of one that could not be evaluated, an object of the same shape that holds only why.
fn object(checked: &Checked) -> serde_json::Result<String> {
    if let Some(evaluation) = &checked.evaluation {
        return serde_json::to_string_pretty(&Report(evaluation));
    }
    let name = checked.design.as_ref().and_then(|design| design.name.as_ref()).map(|word| &*word.text);
    let findings: Vec<Value> = checked.failed.iter().map(Finding::report).collect();
    serde_json::to_string_pretty(&json!({
        "file": &*checked.file, "ruleset": null, "name": name, "legal": false, "values": {}, "points": null, "costs": [],
        "tracks": {}, "tables": {}, "findings": findings,
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
    for checked in &job.designs {
        for finding in checked.findings() {
            render::finding(&mut out, finding, style);
        }
        if let Some(evaluation) = &checked.evaluation {
            let verdict = if evaluation.legal { "legal" } else { "not legal" };
            let name = if evaluation.name.is_empty() { "(no name)".into() } else { short(&evaluation.name) };
            let _ = write!(out, "{}: {name}, {verdict}", clean(&checked.file));
            if let Some(points) = evaluation.points {
                let _ = write!(out, ", {points} points");
            }
            out.push('\n');
        }
    }
    summary(&mut out, job);
    out
}

/// `12 designs: 11 legal, 1 with errors; 3 warnings`.
fn summary(out: &mut String, job: &Job) {
    let designs = job.designs.len();
    let legal = job.designs.iter().filter(|checked| checked.legal()).count();
    let count = |severity| {
        let own = job.designs.iter().flat_map(Checked::findings);
        own.chain(&job.beside).filter(|finding| finding.severity == severity).count()
    };
    let _ = write!(out, "{}: {legal} legal", many(designs, "design"));
    if legal < designs {
        let _ = write!(out, ", {} with errors", designs - legal);
    }
    let more: Vec<String> = [(Severity::Warning, "warning"), (Severity::Info, "note")]
        .into_iter()
        .map(|(severity, word)| (count(severity), word))
        .filter(|&(count, _)| count > 0)
        .map(|(count, word)| many(count, word))
        .collect();
    if !more.is_empty() {
        let _ = write!(out, "; {}", more.join(", "));
    }
    out.push('\n');
    if job.passed_over > 0 {
        let _ = writeln!(out, "{} in the folders passed over: no design", many(job.passed_over, "file"));
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
