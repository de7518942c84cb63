//! `moldloft print`: control sheets.

use std::path::PathBuf;

use crate::evaluate::{Evaluation, number};
use crate::finding::{Finding, Severity};
use crate::library::Games;
use crate::press::{self, Order, What};
use crate::progress::Progress;
use crate::ruleset::SheetKind;
use crate::store::Store;

use super::chits::Form;
use super::games::need;
use super::load::{Job, Rules, load};
use super::output::Output;
use super::{Outcome, complain};

/// Print control sheets
#[derive(clap::Args)]
pub struct Args {
    /// Design files or folders
    #[arg(required_unless_present = "blank", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
    /// Print every box and letter 1.3 times as large
    #[arg(long)]
    large_print: bool,
    /// Number of copies of each ship
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    copies: u32,
    /// Also print the counters, numbered as on the sheets
    #[arg(long, conflicts_with = "blank")]
    chits: bool,
    /// Write a PDF form to fill in on screen: tick boxes and text fields
    #[arg(long = "form")]
    fillable: bool,
    #[command(flatten)]
    form: Form,
    /// Print empty sheets of this ruleset to fill in by pencil
    #[arg(long, value_name = "RULESET", conflicts_with = "paths")]
    blank: Option<String>,
    #[command(flatten)]
    rules: Rules,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &Args) -> Result<Outcome, Finding> {
    arguments.output.format()?;
    arguments.output.font.load()?;
    let bed = arguments.output.lie.bed(arguments.form.offset)?;
    let order = |what| Order {
        what,
        bed,
        large_print: arguments.large_print,
        copies: arguments.copies,
        backs: arguments.form.back.backs(),
    };
    if let Some(id) = &arguments.blank {
        let games = Games::new(store, &arguments.rules.set)?;
        let ruleset = need(&games, id)?;
        games.settings_used()?;
        let sheets = press::blank(&ruleset, SheetKind::Design);
        return finish(store, &sheets, &order(What::Blank), &arguments.output, arguments.fillable, false);
    }
    let job = load(store, &arguments.paths, &arguments.form.rules(&arguments.rules))?;
    let (ships, errors) = match ships(job) {
        Ok(ships) => ships,
        Err(outcome) => return Ok(outcome),
    };
    let what = if arguments.chits { What::SheetsAndCounters } else { What::Sheets };
    finish(store, &ships, &order(what), &arguments.output, arguments.fillable, errors)
}

/// The ships of a job in order, numbered together; what was found is written to standard error, notes left out.
///
/// # Errors
/// The outcome when there is no ship at all.
pub fn ships(mut job: Job) -> Result<(Vec<Evaluation>, bool), Outcome> {
    complain(&job.without_fleets_come_upon());
    let errors = job.has_errors();
    let nothing = job.is_nothing();
    complain(&job.beside);
    let mut ships = Vec::with_capacity(job.items.len());
    for item in job.items {
        complain(item.findings().into_iter().filter(|finding| finding.severity < Severity::Info));
        ships.extend(item.into_ships());
    }
    if ships.is_empty() {
        complain(&[Finding::error("nothing-to-print", "cannot print any of these designs")]);
        return Err(if nothing { Outcome::Nothing } else { Outcome::Errors });
    }
    number(&mut ships);
    Ok((ships, errors))
}

/// Lays ships out and writes the pages, if there are any, as a form to fill in if so; what was found, also in templates, is written to standard error.
///
/// # Errors
/// A finding when they cannot be written.
pub fn finish(
    store: &Store,
    ships: &[Evaluation],
    order: &Order,
    output: &Output,
    form: bool,
    errors: bool,
) -> Result<Outcome, Finding> {
    let (mut scene, findings) = press::pages(store, ships, order, &Progress::default());
    complain(&findings);
    if scene.pages.is_empty() {
        complain(&[press::no_page()]);
        return Ok(Outcome::Errors);
    }
    output.write(&mut scene, &order.what.words(ships.len()), form)?;
    Ok(Outcome::of(errors || press::has_errors(&findings)))
}
