//! `moldloft rules check FILE|ID`: reports a ruleset author's mistakes.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::outcome::RunOutcome;
use crate::cli::render::{self, TerminalStyle, clean};
use crate::cli::terminal::{json_report, print_findings, print_stdout};
use crate::cli::wording::with_flags;
use moldloft_base::finding::{Cause, Finding, Severity};
use moldloft_base::sanitize::plural;
use moldloft_library::library::{RulesetReview, review_ruleset};
use moldloft_library::lint::LINTS;
use moldloft_library::print::has_errors;
use moldloft_library::store::{AssetKind, Store, save, save_new};

/// Check rulesets: report what keeps one from loading, and likely mistakes of its author
///
/// Errors cannot work, warnings are likely mistakes, notes concern style. Checks are tried on the game's designs and on others
/// generated from them. For a layer, only its own file is checked.
#[derive(clap::Args)]
pub struct RulesCheckArgs {
    /// A ruleset's id or file [default: all rulesets]
    #[arg(value_name = "FILE|ID")]
    what: Vec<String>,
    /// Print a JSON report: an array of one object per ruleset
    #[arg(long)]
    json: bool,
    /// List all checks, with the meaning of each code
    #[arg(long, conflicts_with_all = ["what", "json"])]
    codes: bool,
    /// Write the design of the first finding that has one to this file, to open or explain it
    #[arg(long, value_name = "FILE", conflicts_with = "codes")]
    trial: Option<PathBuf>,
    /// With --trial: use the first finding with this code
    #[arg(long, value_name = "CODE", requires = "trial")]
    of: Option<String>,
    /// With --trial: replace an existing file
    #[arg(long, requires = "trial")]
    force: bool,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &RulesCheckArgs) -> Result<RunOutcome, Finding> {
    if arguments.codes {
        return print_stdout(&codes_text()).map(|()| RunOutcome::Success);
    }
    let what = if arguments.what.is_empty() {
        store.list_assets(AssetKind::Ruleset).into_iter().map(|one| one.id).collect()
    } else {
        arguments.what.clone()
    };
    let mut all = Vec::new();
    let mut missing = Vec::new();
    for what in &what {
        match review_ruleset(store, what, &|| true) {
            Ok(review) => all.extend(review),
            Err(finding) if arguments.what.len() == 1 => return Err(finding),
            Err(finding) => missing.push(finding),
        }
    }
    print_findings(&missing);
    let written = match &arguments.trial {
        Some(path) => Some(write_trial_design(&all, path, arguments)?),
        None => None,
    };
    if arguments.json {
        let list: Vec<Value> = all.iter().map(report_object).collect();
        print_stdout(&json_report(&list)?)?;
    } else {
        print_stdout(&report_text(&all, TerminalStyle::for_terminal(std::io::stdout().is_terminal())))?;
        if let Some(written) = written {
            print_stdout(&written)?;
        }
    }
    if all.is_empty() && !missing.is_empty() {
        return Ok(RunOutcome::CannotRun);
    }
    Ok(RunOutcome::from_errors(!missing.is_empty() || all.iter().any(|review| has_errors(&review.findings))))
}

/// Writes a design that demonstrates a finding; returns a message.
///
/// # Errors
/// A finding when no finding has a design, or the file exists or cannot be written.
fn write_trial_design(all: &[RulesetReview], path: &Path, arguments: &RulesCheckArgs) -> Result<String, Finding> {
    let shows = |review: &RulesetReview, at: usize| {
        review.findings.get(at).is_some_and(|finding| arguments.of.as_ref().is_none_or(|code| finding.code == *code))
    };
    let trials = all.iter().flat_map(|review| review.trials.iter().map(move |trial| (review, trial)));
    let Some((review, trial)) = trials.into_iter().find(|(review, trial)| shows(review, trial.finding)) else {
        let message = match &arguments.of {
            Some(code) => format!("cannot write a trial design: no finding `{}` has one", clean(code)),
            None => "cannot write a trial design: no finding has one".to_owned(),
        };
        let mut codes: Vec<&str> = all
            .iter()
            .flat_map(|review| review.trials.iter().filter_map(|trial| review.findings.get(trial.finding)))
            .map(|finding| &*finding.code)
            .collect();
        codes.dedup();
        let help = match codes.as_slice() {
            [] => "only findings from trial designs have one, such as costs-do-not-add-up".to_owned(),
            codes => format!("findings that have one: {}", codes.join(", ")),
        };
        return Err(Finding::error("no-trial", message).help(help));
    };
    let bytes = match trial.design.source.text.is_empty() {
        true => trial.design.to_toml(),
        false => trial.design.source.text.to_string(),
    };
    let kept = |finding: Finding| match finding.cause {
        Some(Cause::FileExists) => finding.help("give another name, or use --force to replace it"),
        _ => finding,
    };
    if arguments.force {
        save(path, bytes.as_bytes())?
    } else {
        save_new(path, bytes.as_bytes()).map_err(kept)?
    }
    let code = review.findings.get(trial.finding).map_or("", |finding| &finding.code);
    let id = review.ruleset.as_ref().map_or("", |(id, _)| id);
    let path = clean(&path.to_string_lossy());
    Ok(format!("{path}: design for {code}; `moldloft explain --rules {id} {path}` explains its numbers\n"))
}

fn codes_text() -> String {
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

fn report_object(review: &RulesetReview) -> Value {
    let findings: Vec<Value> = review
        .findings
        .iter()
        .map(|finding| {
            let mut report = with_flags(finding).to_json();
            report["at"]["column"] = (finding.at.column > 0).then_some(finding.at.column).into();
            report
        })
        .collect();
    json!({
        "file": &*review.file,
        "ruleset": review.ruleset.as_ref().map(|(id, version)| json!({ "id": &**id, "version": &**version })),
        "designs": review
            .designs_tried
            .map(|tried| json!({ "own": tried.own, "not_legal": tried.illegal, "made": tried.made })),
        "findings": findings,
    })
}

fn report_text(all: &[RulesetReview], style: TerminalStyle) -> String {
    let mut out = String::new();
    for review in all {
        for finding in &review.findings {
            render::render_finding(&mut out, finding, style);
        }
        let count = |severity| review.findings.iter().filter(|finding| finding.severity == severity).count();
        let counts: Vec<String> =
            [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "note")]
                .into_iter()
                .map(|(severity, word)| (count(severity), word))
                .filter(|&(count, _)| count > 0)
                .map(|(count, word)| plural(count, word))
                .collect();
        let verdict = if counts.is_empty() { "nothing found".to_owned() } else { counts.join(", ") };
        let _ = write!(out, "{}: {verdict}", clean(&review.file));
        match review.designs_tried {
            Some(tried) => {
                let samples = plural(tried.own, "design");
                let illegal = match tried.illegal {
                    0 => String::new(),
                    illegal => format!(" ({illegal} not legal by these rules)"),
                };
                let _ = writeln!(
                    out,
                    "; tried on {samples} of the game{illegal} and {} generated from its rules",
                    tried.made
                );
            }
            None => out.push_str("; cannot load it, so no design was tried\n"),
        }
    }
    out
}
