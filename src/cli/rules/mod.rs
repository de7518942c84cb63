//! `moldloft rules`: for those who write rules. One file a verb: what a ruleset lacks, what differs between two, what a change does
//! to designs.

mod check;
mod diff;
mod impact;

use clap::Subcommand;

use super::Outcome;
use crate::finding::Finding;
use crate::store::Store;

/// Check and compare rulesets
#[derive(clap::Args)]
pub struct RulesArgs {
    #[command(subcommand)]
    what: RulesSubcommand,
}

#[derive(Subcommand)]
enum RulesSubcommand {
    Check(check::RulesCheckArgs),
    Diff(diff::RulesDiffArgs),
    Impact(impact::RulesImpactArgs),
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &RulesArgs) -> Result<Outcome, Finding> {
    match &arguments.what {
        RulesSubcommand::Check(arguments) => check::run(store, arguments),
        RulesSubcommand::Diff(arguments) => diff::run(store, arguments),
        RulesSubcommand::Impact(arguments) => impact::run(store, arguments),
    }
}
