//! `moldloft check`: reports the faults and cost of designs.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::evaluate::EvaluationReport;
use crate::finding::{Finding, Severity};
use crate::library::CheckedDesign;
use crate::sanitize::{self, plural, shorten};
use crate::store::Store;

use super::load::{JobItem, LoadedJob, RulesetArgs, load};
use super::outcome::RunOutcome;
use super::render::{self, MAX_NAME_CHARS, TerminalStyle, clean};
use super::roster;
use super::terminal::{print_findings, print_stdout};

/// Check designs: report errors and costs
#[derive(clap::Args)]
pub struct CheckArgs {
    /// Design files or folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Print a JSON report: an array of one object per design
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &CheckArgs) -> Result<RunOutcome, Finding> {
    let job = load(store, &arguments.paths, &arguments.rules)?;
    if arguments.json {
        print_findings(&job.general_findings);
        let objects: Result<Vec<Vec<String>>, _> = job.items.par_iter().map(report_objects).collect();
        let objects =
            objects.map_err(|error| Finding::error("unwritable", format!("cannot write the report: {error}")))?;
        print_stdout(&sanitize::for_json(json_array(&objects.concat())))?;
    } else {
        print_stdout(&report_text(&job, TerminalStyle::for_terminal(std::io::stdout().is_terminal())))?;
    }
    if job.is_empty() { Ok(RunOutcome::CannotRun) } else { Ok(RunOutcome::from_errors(job.has_errors())) }
}

fn report_objects(item: &JobItem) -> serde_json::Result<Vec<String>> {
    match item {
        JobItem::Design(checked) => Ok(vec![design_object(checked)?]),
        JobItem::Fleet(fleet) => roster::fleet_objects(fleet),
        JobItem::Unread(file, findings) => Ok(vec![unreadable_object(file, None, findings)?]),
    }
}

/// For a design that could not be evaluated, an object of the same form with only the reasons.
fn design_object(checked: &CheckedDesign) -> serde_json::Result<String> {
    if let Some(evaluation) = &checked.evaluation {
        return serde_json::to_string_pretty(&EvaluationReport(evaluation));
    }
    let name = checked.design.as_ref().and_then(|design| design.name.as_ref()).map(|word| &*word.text);
    unreadable_object(&checked.file, name, &checked.failed)
}

fn unreadable_object(file: &str, name: Option<&str>, findings: &[Finding]) -> serde_json::Result<String> {
    let findings: Vec<Value> = findings.iter().map(Finding::to_json).collect();
    serde_json::to_string_pretty(&json!({
        "file": file, "ruleset": null, "name": name, "legal": false, "values": {}, "points": null, "costs": [],
        "tracks": {}, "tables": {}, "findings": findings, "own_systems": [],
    }))
}

/// A line break within a string is escaped, so each line of an object can be indented.
fn json_array(objects: &[String]) -> String {
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

fn report_text(job: &LoadedJob, style: TerminalStyle) -> String {
    let mut out = String::new();
    for finding in &job.general_findings {
        render::render_finding(&mut out, finding, style);
    }
    for item in &job.items {
        for finding in item.findings() {
            render::render_finding(&mut out, finding, style);
        }
        match item {
            JobItem::Design(checked) => {
                let Some(evaluation) = &checked.evaluation else { continue };
                let verdict = if evaluation.legal { "legal" } else { "not legal" };
                let name = if evaluation.name.is_empty() {
                    "(no name)".into()
                } else {
                    clean(&shorten(&evaluation.name, MAX_NAME_CHARS))
                };
                let _ = write!(out, "{}: {name}, {verdict}", clean(&checked.file));
                if let Some(own) = evaluation.custom_system_summary() {
                    let _ = write!(out, ", {}", clean(own));
                }
                if let Some(points) = evaluation.points {
                    let _ = write!(out, ", {}", plural(points, "point"));
                }
                out.push('\n');
            }
            JobItem::Fleet(fleet) => out.push_str(&roster::roster_text(fleet)),
            JobItem::Unread(..) => {}
        }
    }
    append_summary(&mut out, job);
    out
}

/// `12 designs: 11 legal, 1 with errors; 3 warnings`; designs and fleets are counted separately.
fn append_summary(out: &mut String, job: &LoadedJob) {
    let is_design = |item: &&JobItem| matches!(item, JobItem::Design(_));
    let (designs, fleets): (Vec<&JobItem>, Vec<&JobItem>) = job.items.iter().partition(is_design);
    let count = |severity| {
        let own = job.items.iter().flat_map(JobItem::findings);
        own.chain(&job.general_findings).filter(|finding| finding.severity == severity).count()
    };
    let verdict = |items: &[&JobItem], word: &str| {
        let legal = items.iter().filter(|item| item.is_legal()).count();
        let rest = items.len() - legal;
        let rest = if rest > 0 { format!(", {rest} with errors") } else { String::new() };
        format!("{}: {legal} legal{rest}", plural(items.len(), word))
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
        .map(|(count, word)| plural(count, word))
        .collect();
    if !more.is_empty() {
        parts.push(more.join(", "));
    }
    let _ = writeln!(out, "{}", parts.join("; "));
    if job.skipped_files > 0 {
        let _ = writeln!(out, "skipped {} in the folders: not designs", plural(job.skipped_files, "file"));
    }
}
