//! `moldloft rules`: commands for ruleset authors, one file each.

mod check;
mod diff;
mod impact;

use clap::Subcommand;

use crate::cli::outcome::RunOutcome;
use moldloft_base::finding::Finding;
use moldloft_library::store::Store;

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

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &RulesArgs) -> Result<RunOutcome, Finding> {
    match &arguments.what {
        RulesSubcommand::Check(arguments) => check::run(store, arguments),
        RulesSubcommand::Diff(arguments) => diff::run(store, arguments),
        RulesSubcommand::Impact(arguments) => impact::run(store, arguments),
    }
}
