//! `moldloft verify`: whether a fleet's files are those that a short code was made of.

use std::path::PathBuf;

use crate::finding::{Finding, Severity};
use crate::library::code::{Code, Likeness};
use crate::store::Store;

use super::load::{Item, Rules, load};
use super::render::clean;
use super::{Outcome, complain, say};

/// Say whether fleets are those that a short code stands for
///
/// Exit status 0: all of them are; 1: one is not, or cannot be read.
#[derive(clap::Args)]
pub struct Args {
    /// The code from the summary; capitals, spaces and hyphens do not matter
    code: String,
    /// Fleet files, or folders of them
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
                out.push_str(&format!("{}: no fleet, and only fleets have a code\n", clean(&design.file)));
            }
            same = false;
            continue;
        };
        let file = clean(&fleet.fleet.source.file);
        let Some(own) = Code::of(fleet) else {
            let errors = item.findings().into_iter().filter(|finding| finding.severity == Severity::Error);
            complain(&errors.cloned().collect::<Vec<_>>());
            out.push_str(&format!("{file}: has no code, its rules cannot be used\n"));
            same = false;
            continue;
        };
        let words = match code.compare(&own) {
            Likeness::Same => "the same",
            Likeness::OtherFleet => "different: the rules are the same, but not the ships or the budget",
            Likeness::OtherRules => "different: other rules, another version of them, other layers or other settings",
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
