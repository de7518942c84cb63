//! `moldloft rules check FILE|ID`: what a ruleset's author got wrong.

use std::fmt::Write;
use std::io::IsTerminal;

use serde_json::{Value, json};

use crate::cli::render::{self, Style, clean};
use crate::cli::{Outcome, complain, say};
use crate::finding::{Finding, Severity};
use crate::library::author::{Judged, look_over};
use crate::lint::LINTS;
use crate::store::{Kind, Store};

/// Say what a ruleset lacks: what keeps it from loading, and what its author is likely to have got wrong
///
/// Errors cannot work, warnings are likely mistakes, notes are about how it reads. Checks are tried on the game's designs and on others
/// made from them. Of a layer, only what its own file says is judged.
#[derive(clap::Args)]
pub struct Args {
    /// A ruleset's id, or its file [default: all there are]
    #[arg(value_name = "FILE|ID")]
    what: Vec<String>,
    /// Print a machine-readable report: an array, one object a ruleset
    #[arg(long)]
    json: bool,
    /// Say what is looked for, and what each code means
    #[arg(long, conflicts_with_all = ["what", "json"])]
    codes: bool,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    if arguments.codes {
        return say(&codes()).map(|()| Outcome::Fine);
    }
    let what = if arguments.what.is_empty() {
        store.list(Kind::Ruleset).into_iter().map(|one| one.id).collect()
    } else {
        arguments.what.clone()
    };
    let mut all = Vec::new();
    let mut missing = Vec::new();
    for what in &what {
        match look_over(store, what, &|| true) {
            Ok(judged) => all.extend(judged),
            Err(finding) if arguments.what.len() == 1 => return Err(finding),
            Err(finding) => missing.push(finding),
        }
    }
    complain(&missing);
    if arguments.json {
        let list: Vec<Value> = all.iter().map(object).collect();
        let mut text = serde_json::to_string_pretty(&list)
            .map_err(|error| Finding::error("unwritable", format!("the report cannot be written: {error}")))?;
        text.push('\n');
        say(&crate::cleaning::json(text))?;
    } else {
        say(&text(&all, Style::of(std::io::stdout().is_terminal())))?;
    }
    if all.is_empty() && !missing.is_empty() {
        return Ok(Outcome::Nothing);
    }
    let error = |finding: &Finding| finding.severity == Severity::Error;
    Ok(Outcome::of(!missing.is_empty() || all.iter().any(|judged| judged.findings.iter().any(error))))
}

/// Every fault that is looked for, with what it means.
fn codes() -> String {
    let mut out = String::new();
    for lint in LINTS {
        let word = match lint.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "note",
        };
        let _ = writeln!(out, "{:<24} {word:<8} {}", lint.code, lint.about);
    }
    out
}

fn object(judged: &Judged) -> Value {
    let findings: Vec<Value> = judged
        .findings
        .iter()
        .map(|finding| {
            let mut report = finding.report();
            report["at"]["column"] = (finding.at.column > 0).then_some(finding.at.column).into();
            report
        })
        .collect();
    json!({
        "file": &*judged.file,
        "ruleset": judged.ruleset.as_ref().map(|(id, version)| json!({ "id": &**id, "version": &**version })),
        "designs": judged.tried.map(|(samples, made)| json!({ "own": samples, "made": made })),
        "findings": findings,
    })
}

fn text(all: &[Judged], style: Style) -> String {
    let mut out = String::new();
    for judged in all {
        for finding in &judged.findings {
            render::finding(&mut out, finding, style);
        }
        let count = |severity| judged.findings.iter().filter(|finding| finding.severity == severity).count();
        let told: Vec<String> = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "note")]
            .into_iter()
            .map(|(severity, word)| (count(severity), word))
            .filter(|&(count, _)| count > 0)
            .map(|(count, word)| if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") })
            .collect();
        let verdict = if told.is_empty() { "nothing found".to_owned() } else { told.join(", ") };
        let _ = write!(out, "{}: {verdict}", clean(&judged.file));
        match judged.tried {
            Some((samples, made)) => {
                let _ = writeln!(out, "; tried on {samples} designs of the game and {made} made from its rules");
            }
            None => out.push_str("; it does not load, so no design was tried\n"),
        }
    }
    out
}
