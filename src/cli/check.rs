//! `moldloft check`: reports the faults and cost of designs.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;

use serde_json::{Value, json};

use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::{self, plural, shorten};
use moldloft_library::library::{CheckedDesign, LoadedRuleset, ReadDesign, Rulesets, check_design, check_findings};
use moldloft_library::store::Store;
use moldloft_rules::evaluate::EvaluationReport;

use super::load::{FoundFleets, JobItem, LoadedJob, RulesetArgs, load_each};
use super::outcome::RunOutcome;
use super::render::{self, MAX_NAME_CHARS, TerminalStyle, clean};
use super::roster;
use super::terminal::{is_quiet, print_findings, print_stdout};

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

/// What is kept of a file: its report, and what the summary counts.
struct CheckedFile {
    report: FileReport,
    is_fleet: bool,
    is_legal: bool,
    opened: bool,
    errors: usize,
    warnings: usize,
    notes: usize,
}

enum FileReport {
    Text(String),
    /// One object for each design.
    Objects(serde_json::Result<Vec<String>>),
}

impl CheckedFile {
    /// Of a design: a report of it has everything that is listed and drawn, a text only what it costs and its findings.
    fn of_design(read: ReadDesign, rules: Option<&LoadedRuleset>, json: bool, style: TerminalStyle) -> Self {
        if json {
            let checked = check_design(read, rules);
            let report = FileReport::Objects(design_object(&checked).map(|object| vec![object]));
            let (findings, opened) = (checked.findings().iter().collect::<Vec<_>>(), checked.opened);
            return Self { opened, ..Self::new(report, &findings, checked.legal()) };
        }
        let checked = check_findings(read, rules);
        let findings: Vec<&Finding> = checked.findings().iter().collect();
        let report = FileReport::Text(design_text(&checked, &findings, style));
        Self { opened: checked.opened, ..Self::new(report, &findings, checked.legal()) }
    }

    fn of_fleet(item: &JobItem, json: bool, style: TerminalStyle) -> Self {
        let findings = item.findings();
        let report = match json {
            true => FileReport::Objects(fleet_objects(item)),
            false => FileReport::Text(fleet_text(item, &findings, style)),
        };
        Self { is_fleet: true, ..Self::new(report, &findings, item.is_legal()) }
    }

    fn new(report: FileReport, findings: &[&Finding], is_legal: bool) -> Self {
        let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
        Self {
            report,
            is_fleet: false,
            is_legal,
            opened: true,
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Info),
        }
    }
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &CheckArgs) -> Result<RunOutcome, Finding> {
    let style = TerminalStyle::for_terminal(std::io::stdout().is_terminal());
    let design =
        |read: ReadDesign, rules: Option<&LoadedRuleset>| CheckedFile::of_design(read, rules, arguments.json, style);
    let fleet = |item: JobItem| CheckedFile::of_fleet(&item, arguments.json, style);
    let games = Rulesets::new(store, &arguments.rules.set)?.for_sheets();
    let job = load_each(games, &arguments.paths, &arguments.rules, FoundFleets::Kept, design, fleet)?;
    let is_empty = job.items.iter().all(|file| !file.opened);
    let is_error = |finding: &Finding| finding.severity == Severity::Error;
    let has_errors = job.general_findings.iter().any(is_error) || job.items.iter().any(|file| file.errors > 0);
    if arguments.json {
        print_findings(&job.general_findings);
        let mut objects: Vec<String> = Vec::with_capacity(job.items.len());
        for file in job.items {
            if let FileReport::Objects(made) = file.report {
                let made =
                    made.map_err(|error| Finding::error("unwritable", format!("cannot write the report: {error}")))?;
                objects.extend(made);
            }
        }
        print_stdout(&sanitize::for_json(json_array(&objects)))?;
    } else {
        print_stdout(&report_text(&job, style))?;
    }
    if is_empty { Ok(RunOutcome::CannotRun) } else { Ok(RunOutcome::from_errors(has_errors)) }
}

fn fleet_objects(item: &JobItem) -> serde_json::Result<Vec<String>> {
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

fn report_text(job: &LoadedJob<CheckedFile>, style: TerminalStyle) -> String {
    let mut out = findings_text(&job.general_findings.iter().collect::<Vec<_>>(), style);
    for file in &job.items {
        if let FileReport::Text(text) = &file.report {
            out.push_str(text);
        }
    }
    if !is_quiet() {
        append_summary(&mut out, job);
    }
    out
}

fn findings_text(findings: &[&Finding], style: TerminalStyle) -> String {
    let mut out = String::new();
    for finding in findings.iter().filter(|finding| !is_quiet() || finding.severity == Severity::Error) {
        render::render_finding(&mut out, finding, style);
    }
    out
}

fn design_text(checked: &CheckedDesign, findings: &[&Finding], style: TerminalStyle) -> String {
    let mut out = findings_text(findings, style);
    let Some(found) = checked.evaluation.as_ref().filter(|found| !(is_quiet() && found.legal)) else { return out };
    let verdict = if found.legal { "legal" } else { "not legal" };
    let name = match found.name.is_empty() {
        true => "(no name)".into(),
        false => clean(&shorten(&found.name, MAX_NAME_CHARS)),
    };
    let _ = write!(out, "{}: {name}, {verdict}", clean(&checked.file));
    if let Some(own) = found.custom_system_summary() {
        let _ = write!(out, ", {}", clean(own));
    }
    if let Some(points) = found.points {
        let _ = write!(out, ", {}", plural(points, "point"));
    }
    out.push('\n');
    out
}

fn fleet_text(item: &JobItem, findings: &[&Finding], style: TerminalStyle) -> String {
    let mut out = findings_text(findings, style);
    if let JobItem::Fleet(fleet) = item
        && !(is_quiet() && fleet.legal)
    {
        out.push_str(&roster::roster_text(fleet));
    }
    out
}

/// `12 designs: 11 legal, 1 with errors; 3 warnings`; designs and fleets are counted separately.
fn append_summary(out: &mut String, job: &LoadedJob<CheckedFile>) {
    let (fleets, designs): (Vec<&CheckedFile>, Vec<&CheckedFile>) = job.items.iter().partition(|file| file.is_fleet);
    let general = |severity| job.general_findings.iter().filter(|finding| finding.severity == severity).count();
    let verdict = |files: &[&CheckedFile], word: &str| {
        let legal = files.iter().filter(|file| file.is_legal).count();
        let rest = files.len() - legal;
        let rest = if rest > 0 { format!(", {rest} with errors") } else { String::new() };
        format!("{}: {legal} legal{rest}", plural(files.len(), word))
    };
    let mut parts = Vec::new();
    if !designs.is_empty() || fleets.is_empty() {
        parts.push(verdict(&designs, "design"));
    }
    if !fleets.is_empty() {
        parts.push(verdict(&fleets, "fleet"));
    }
    let warnings = job.items.iter().map(|file| file.warnings).sum::<usize>() + general(Severity::Warning);
    let notes = job.items.iter().map(|file| file.notes).sum::<usize>() + general(Severity::Info);
    let more: Vec<String> = [(warnings, "warning"), (notes, "note")]
        .into_iter()
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
