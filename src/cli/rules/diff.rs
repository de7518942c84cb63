//! `moldloft rules diff A B`: describes the differences between two rulesets of a game.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::cli::outcome::RunOutcome;
use crate::cli::render::clean;
use crate::cli::terminal::{json_report, print_findings, print_stdout};
use crate::finding::{Finding, Severity};
use crate::library::layer_sources;
use crate::ruleset::{Difference, Ruleset, differences};
use crate::sanitize::plural;
use crate::store::Store;

/// Describe the differences between two rulesets of a game: versions, or a ruleset and a layer on top of it
#[derive(clap::Args)]
pub struct RulesDiffArgs {
    /// The first ruleset: an id or a file
    #[arg(value_name = "A")]
    before: String,
    /// The second ruleset: an id or a file
    #[arg(value_name = "B")]
    after: String,
    /// Print a JSON list: an array of one object per difference
    #[arg(long)]
    json: bool,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &RulesDiffArgs) -> Result<RunOutcome, Finding> {
    let (before, after) = (layer_sources(store, &arguments.before)?, layer_sources(store, &arguments.after)?);
    let found = differences(&before, &after).map_err(|mut findings| {
        let last =
            findings.pop().unwrap_or_else(|| Finding::error("unusable-ruleset", "cannot compare these rulesets"));
        print_findings(&findings);
        last
    })?;
    let mut findings = Vec::new();
    for sources in [&before, &after] {
        let (_, more) = Ruleset::load_layers(sources);
        findings.extend(more.into_iter().filter(|finding| finding.severity == Severity::Error));
    }
    findings.dedup();
    print_findings(&findings);
    if arguments.json {
        let list: Vec<Value> = found.list.iter().map(difference_object).collect();
        print_stdout(&json_report(&list)?)?;
    } else {
        let mut out = format!("{} → {}\n", clean(&found.before), clean(&found.after));
        for one in &found.list {
            let _ = writeln!(out, "  {}", clean(&one.text));
        }
        let _ = match found.list.len() {
            0 => writeln!(out, "no difference"),
            count => writeln!(out, "{}", plural(count, "difference")),
        };
        print_stdout(&out)?;
    }
    Ok(RunOutcome::from_errors(!findings.is_empty()))
}

fn difference_object(one: &Difference) -> Value {
    json!({
        "word": one.section, "id": one.id, "key": one.key, "before": one.before, "after": one.after, "text": one.text,
        "like": one.like,
        "at": { "file": one.at.file.as_deref(), "line": (one.at.line > 0).then_some(one.at.line) },
    })
}
