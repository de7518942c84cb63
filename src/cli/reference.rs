//! `moldloft reference`: a game's tables for all players.

use crate::finding::Finding;
use crate::library::Games;
use crate::press::{self, Order, What};
use crate::ruleset::SheetKind;
use crate::sheet::Backs;
use crate::store::Store;

use super::Outcome;
use super::games::need;
use super::output::Output;
use super::print::finish;

/// Print a game's reference sheet with turn sequence and tables
#[derive(clap::Args)]
pub struct Args {
    /// A ruleset's id, such as wars-of-honor
    #[arg(value_name = "RULESET")]
    ruleset: String,
    #[command(flatten)]
    output: Output,
    /// Print every letter 1.3 times as large
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
    arguments.output.font.load()?;
    let games = Games::new(store, &arguments.set)?;
    let ruleset = need(&games, &arguments.ruleset)?;
    games.settings_used()?;
    let sheets = press::blank(&ruleset, SheetKind::Reference);
    if sheets.is_empty() {
        return Err(press::no_reference(&ruleset));
    }
    let order = Order {
        what: What::Reference,
        bed: arguments.output.lie.bed(None)?,
        large_print: arguments.large_print,
        copies: 1,
        backs: Backs::None,
    };
    finish(store, &sheets, &order, &arguments.output, false, false)
}
