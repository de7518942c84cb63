//! `moldloft verify`: whether a fleet's files are those that a short code was made of.

use std::path::PathBuf;

use crate::finding::{Finding, Severity};
use crate::library::code::{Code, Likeness};
use crate::store::Store;

use super::load::{Item, Rules, load};
use super::render::clean;
use super::{Outcome, complain, say};

/// Check that fleets match a short code
///
/// Exit status 0: all match; 1: one does not match or cannot be read.
#[derive(clap::Args)]
pub struct Args {
    /// The code from the summary; case, spaces and hyphens are ignored
    code: String,
    /// Fleet files or folders
    #[arg(required = true, value_name = "FLEET")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rules: Rules,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    let code = Code::read(&arguments.code)?;
    let job = load(store, &arguments.paths, &arguments.rules)?;
    complain(&job.beside);
    if job.is_nothing() {
        let errors = job.items.iter().flat_map(Item::findings).cloned().collect::<Vec<_>>();
        complain(&errors);
        return Ok(Outcome::Nothing);
    }
    let mut same = !job.items.is_empty();
    let mut out = String::new();
    for item in &job.items {
        let Item::Fleet(fleet) = item else {
            let errors = item.findings().into_iter().filter(|finding| finding.severity == Severity::Error);
            complain(&errors.cloned().collect::<Vec<_>>());
            if let Item::Design(design) = item {
                out.push_str(&format!("{}: not a fleet; only fleets have a code\n", clean(&design.file)));
            }
            same = false;
            continue;
        };
        let file = clean(&fleet.fleet.source.file);
        let Some(own) = Code::of(fleet) else {
            let errors = item.findings().into_iter().filter(|finding| finding.severity == Severity::Error);
            complain(&errors.cloned().collect::<Vec<_>>());
            out.push_str(&format!("{file}: no code; cannot use its ruleset\n"));
            same = false;
            continue;
        };
        let words = match code.compare(&own) {
            Likeness::Same => "matches",
            Likeness::OtherFleet => "different: the same rules, but other ships or another budget",
            Likeness::OtherRules => "different: another ruleset, version, layer or setting",
        };
        let with_own = |unit: &crate::library::Unit| unit.evaluation.own_words().is_some();
        let words = match fleet.units.iter().any(with_own) {
            true => format!("{words} (with own systems)"),
            false => words.to_owned(),
        };
        if own == code {
            out.push_str(&format!("{file}: {words}\n"));
        } else {
            out.push_str(&format!("{file}: {words}; its code is {own}\n"));
            same = false;
        }
    }
    say(&out)?;
    Ok(Outcome::of(!same))
}
