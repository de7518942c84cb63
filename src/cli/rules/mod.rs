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
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Check(check::Args),
    Diff(diff::Args),
    Impact(impact::Args),
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    match &arguments.what {
        What::Check(arguments) => check::run(store, arguments),
        What::Diff(arguments) => diff::run(store, arguments),
        What::Impact(arguments) => impact::run(store, arguments),
    }
}
