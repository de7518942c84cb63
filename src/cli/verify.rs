//! `moldloft verify`: checks whether a fleet's files match a short code.

use std::path::PathBuf;

use moldloft_base::finding::Finding;
use moldloft_library::library::{Fingerprint, FingerprintMatch};
use moldloft_library::store::Store;

use super::load::{JobItem, RulesetArgs, load};
use super::outcome::RunOutcome;
use super::render::clean;
use super::terminal::{print_findings, print_stdout};

#[derive(clap::Args)]
pub struct VerifyArgs {
    /// The code from the summary; case, spaces and hyphens are ignored
    code: String,
    /// Fleet files or folders
    #[arg(required = true, value_name = "FLEET")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &VerifyArgs) -> Result<RunOutcome, Finding> {
    let code = Fingerprint::parse(&arguments.code)?;
    let job = load(store, &arguments.paths, &arguments.rules)?;
    print_findings(&job.general_findings);
    if job.is_empty() {
        print_findings(job.items.iter().flat_map(JobItem::findings));
        return Ok(RunOutcome::CannotRun);
    }
    let mut same = !job.items.is_empty();
    let mut out = String::new();
    for item in &job.items {
        let JobItem::Fleet(fleet) = item else {
            item.print_errors();
            if let JobItem::Design(design) = item {
                out.push_str(&format!("{}: not a fleet; only fleets have a code\n", clean(&design.file)));
            }
            same = false;
            continue;
        };
        let file = clean(&fleet.fleet.source.file);
        let Some(own) = Fingerprint::of_fleet(fleet) else {
            item.print_errors();
            out.push_str(&format!("{file}: no code; cannot use its ruleset\n"));
            same = false;
            continue;
        };
        let words = match code.compare_fleet(fleet).unwrap_or_else(|| code.compare(&own)) {
            FingerprintMatch::SameFleet => "matches",
            FingerprintMatch::OtherFleet => {
                "different: the same rules, but other ships, another budget or other templates"
            }
            FingerprintMatch::OtherRules => "different: another ruleset, version or text of it, layer or setting",
            FingerprintMatch::OtherTemplates => {
                "different: the same ships and rules, but other templates or outlines than those here"
            }
            FingerprintMatch::OtherTexts => {
                "different: the same ships and numbers, but other texts of the house rules or other templates; or the \
                 code is of an older version of Moldloft, which did not cover these"
            }
        };
        let with_own = |unit: &moldloft_library::library::FleetUnit| unit.evaluation.custom_system_summary().is_some();
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
    print_stdout(&out)?;
    Ok(RunOutcome::from_errors(!same))
}
