//! `moldloft reference`: a game's tables for all players.

use crate::finding::Finding;
use crate::library::Games;
use crate::ruleset::SheetKind;
use crate::sheet::Options;
use crate::store::Store;

use super::Outcome;
use super::games::need;
use super::output::Output;
use super::print::{blank, finish, lay_out, many};

/// Print a game's reference sheet: turn sequence and tables
#[derive(clap::Args)]
pub struct Args {
    /// A ruleset's id, such as wars-of-honor
    #[arg(value_name = "RULESET")]
    ruleset: String,
    #[command(flatten)]
    output: Output,
    /// Every letter 1.3 times as large
    #[arg(long)]
    large_print: bool,
    /// Change a setting of the ruleset, such as mu=cm
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    arguments.output.format()?;
    let games = Games::new(store, &arguments.set)?;
    let ruleset = need(&games, &arguments.ruleset)?;
    games.settings_used()?;
    let sheets = blank(&ruleset, SheetKind::Reference);
    if sheets.is_empty() {
        let message = format!("the ruleset `{}` has no reference sheet", ruleset.id);
        return Err(Finding::error("no-reference-sheet", message)
            .help("a ruleset declares one as [[sheet]] with kind = \"reference\""));
    }
    let options =
        Options { paper: arguments.output.paper.paper(), large_print: arguments.large_print, ..Options::default() };
    let (scene, errors) = lay_out(store, &sheets, options, "reference");
    finish(&arguments.output, &scene, &many(sheets.len(), "reference sheet"), errors)
}
