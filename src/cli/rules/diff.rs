//! `moldloft rules diff A B`: describes the differences between two rulesets of a game.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::cli::outcome::RunOutcome;
use crate::cli::render::clean;
use crate::cli::terminal::{json_report, print_findings, print_stdout};
use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::plural;
use moldloft_library::library::{change_reach, layer_sources};
use moldloft_library::lint::{Reach, ReaderKind};
use moldloft_library::store::Store;
use moldloft_rules::ruleset::{Difference, Ruleset, differences};

/// Describe the differences between two rulesets of a game: versions, or a ruleset and a layer on top of it
#[derive(clap::Args)]
pub struct RulesDiffArgs {
    /// The first ruleset: an id or a file
    #[arg(value_name = "A")]
    before: String,
    /// The second ruleset: an id or a file
    #[arg(value_name = "B")]
    after: String,
    /// Tell what each difference reaches: which panels, values, costs, checks, attacks and suggestions read it, and which do not
    #[arg(long)]
    reach: bool,
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
    let reach = match arguments.reach {
        true => change_reach(store, (&before, &after), &arguments.after, &found.list).unwrap_or_default(),
        false => Vec::new(),
    };
    if arguments.json {
        let list = found.list.iter().enumerate().map(|(n, one)| {
            let mut object = difference_object(one);
            if let Some(reach) = reach.get(n) {
                object["reach"] = reach_object(reach);
            }
            object
        });
        print_stdout(&json_report(&list.collect::<Vec<Value>>())?)?;
    } else {
        let mut out = format!("{} → {}\n", clean(&found.before), clean(&found.after));
        for (n, one) in found.list.iter().enumerate() {
            let _ = writeln!(out, "  {}", clean(&one.text));
            if let Some(reach) = reach.get(n) {
                reach_text(&mut out, reach);
            }
        }
        let _ = match found.list.len() {
            0 => writeln!(out, "no difference"),
            count => writeln!(out, "{}", plural(count, "difference")),
        };
        print_stdout(&out)?;
    }
    Ok(RunOutcome::from_errors(!findings.is_empty()))
}

/// Kinds of readers that have no readers are named in one line; attacks and outcomes that do not read it always.
fn reach_text(out: &mut String, reach: &Reach) {
    for (word, kind) in ReaderKind::ALL {
        let ids: Vec<String> = reach.readers(kind).map(|id| clean(id).to_string()).collect();
        if !ids.is_empty() {
            let _ = writeln!(out, "    {word}: {}", ids.join(", "));
        }
    }
    let mut unread: Vec<String> = reach.unread_kinds().map(|kind| kind.word().to_owned()).collect();
    let is_odds = |kind: ReaderKind| matches!(kind, ReaderKind::Attacks | ReaderKind::Outcomes);
    if reach.unread_kinds().filter(|kind| is_odds(*kind)).count() < 2 {
        unread.extend(reach.not_in_odds.iter().map(|id| clean(id).to_string()));
    }
    let _ = writeln!(out, "    not read by {}", unread.join(", "));
}

fn reach_object(reach: &Reach) -> Value {
    let readers = ReaderKind::ALL.iter().map(|(word, kind)| {
        let ids: Vec<&str> = reach.readers(*kind).map(|id| &**id).collect();
        ((*word).to_owned(), json!(ids))
    });
    let mut object = Value::Object(readers.collect());
    object["not_in_odds"] = json!(reach.not_in_odds.iter().map(|id| &**id).collect::<Vec<&str>>());
    object
}

fn difference_object(one: &Difference) -> Value {
    json!({
        "word": one.section, "id": one.id, "key": one.key, "before": one.before, "after": one.after, "text": one.text,
        "like": one.like,
        "at": { "file": one.at.file.as_deref(), "line": (one.at.line > 0).then_some(one.at.line) },
    })
}
