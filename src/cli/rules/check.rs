//! `moldloft rules check FILE|ID`: what a ruleset's author got wrong.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::cli::render::{self, Style, clean};
use crate::cli::{Outcome, complain, say};
use crate::design::Design;
use crate::finding::{Finding, Severity};
use crate::library::chain;
use crate::lint::{LINTS, Subject, lint};
use crate::ruleset::Ruleset;
use crate::sheet::Shelf;
use crate::store::{Kind, Store, find};

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

/// A ruleset, judged.
struct Judged {
    file: Arc<str>,
    /// Id, version, title.
    ruleset: Option<(Arc<str>, Arc<str>)>,
    findings: Vec<Finding>,
    /// The game's designs, and those made.
    tried: Option<(usize, usize)>,
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
        match judge(store, what) {
            Ok(judged) => all.push(judged),
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
        say(&text)?;
    } else {
        say(&text(&all, Style::of(std::io::stdout().is_terminal())))?;
    }
    if all.is_empty() && !missing.is_empty() {
        return Ok(Outcome::Nothing);
    }
    let error = |finding: &Finding| finding.severity == Severity::Error;
    Ok(Outcome::of(!missing.is_empty() || all.iter().any(|judged| judged.findings.iter().any(error))))
}

fn judge(store: &Store, what: &str) -> Result<Judged, Finding> {
    let is_file = what.to_lowercase().ends_with(".toml");
    let store = if is_file { &store.near(Path::new(what)) } else { store };
    let sources = chain(store, what).map_err(|mut finding| {
        // A ruleset below it is missing: the file that asks for it is named.
        if is_file && finding.at.file.is_none() {
            finding.at.file = Some(what.into());
        }
        finding
    })?;
    let own = sources.last().map(|source| source.file.clone()).unwrap_or_default();
    let (ruleset, mut findings) = Ruleset::load_layers(&sources);
    let Some(ruleset) = ruleset.map(Arc::new) else {
        return Ok(Judged { file: own, ruleset: None, findings, tried: None });
    };
    let designs = designs(store, &ruleset);
    let shelf = Shelf::new(|ids, name| {
        store.template(ids, name).or_else(|| if is_file { Store::beside(Path::new(what), name) } else { None })
    });
    let report = lint(&Subject { ruleset: &ruleset, designs: &designs, shelf: &shelf });
    findings.extend(report.findings);
    Ok(Judged {
        file: own,
        ruleset: Some((ruleset.id.clone(), ruleset.version.clone())),
        findings,
        tried: Some((report.samples, report.made)),
    })
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

/// The designs of a ruleset, and of those it is laid over.
fn designs(store: &Store, ruleset: &Ruleset) -> Vec<Design> {
    let known = |id: &str| ruleset.templates.iter().any(|known| **known == *id);
    let listed = store.list(Kind::Design);
    let paths: Vec<_> =
        listed.into_iter().filter(|one| one.id.split('/').next().is_some_and(known)).map(|one| one.path).collect();
    let read = find(&paths).0.into_iter().filter_map(|found| found.read().ok());
    let designs = read.filter_map(|source| Design::read(&source).ok());
    designs.filter(|design| design.ruleset.as_ref().is_some_and(|word| known(&word.text))).collect()
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
