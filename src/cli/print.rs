//! `moldloft print`: control sheets.

use std::path::PathBuf;

use crate::evaluate::{Evaluation, number_counters};
use crate::finding::{Finding, Severity};
use crate::library::Rulesets;
use crate::print::{self, PrintKind, PrintOptions};
use crate::progress::Progress;
use crate::ruleset::SheetKind;
use crate::store::Store;

use super::chits::ChitLayoutArgs;
use super::load::{LoadedJob, RulesetArgs, load};
use super::output::OutputArgs;
use super::rulesets::require_ruleset;
use super::{Outcome, print_findings};

/// Print control sheets
#[derive(clap::Args)]
pub struct PrintArgs {
    /// Design files or folders
    #[arg(required_unless_present = "blank", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
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
    chit_layout: ChitLayoutArgs,
    /// Print empty sheets of this ruleset to fill in by pencil
    #[arg(long, value_name = "RULESET", conflicts_with = "paths")]
    blank: Option<String>,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// Runs it.
///
/// # Errors
/// A finding when it cannot run.
pub fn run(store: &Store, arguments: &PrintArgs) -> Result<Outcome, Finding> {
    arguments.output.format()?;
    arguments.output.font.load()?;
    let bed = arguments.output.page.to_page_setup(arguments.chit_layout.offset)?;
    let order = |what| PrintOptions {
        kind: what,
        page_setup: bed,
        large_print: arguments.large_print,
        copies: arguments.copies,
        backs: arguments.chit_layout.back.backs(),
    };
    if let Some(id) = &arguments.blank {
        let games = Rulesets::new(store, &arguments.rules.set)?;
        let ruleset = require_ruleset(&games, id)?;
        games.check_settings_used()?;
        let sheets = print::blank_sheets(&ruleset, SheetKind::Design);
        return lay_out_and_write(
            store,
            &sheets,
            &order(PrintKind::Blank),
            &arguments.output,
            arguments.fillable,
            false,
        );
    }
    let job = load(store, &arguments.paths, &arguments.chit_layout.with_chit_size(&arguments.rules))?;
    let (ships, errors) = match ships_of_job(job) {
        Ok(ships) => ships,
        Err(outcome) => return Ok(outcome),
    };
    let what = if arguments.chits { PrintKind::SheetsAndCounters } else { PrintKind::Sheets };
    lay_out_and_write(store, &ships, &order(what), &arguments.output, arguments.fillable, errors)
}

/// The ships of a job in order, numbered together; what was found is written to standard error, notes left out.
///
/// # Errors
/// The outcome when there is no ship at all.
pub fn ships_of_job(mut job: LoadedJob) -> Result<(Vec<Evaluation>, bool), Outcome> {
    print_findings(&job.skip_fleets_found_in_folders());
    let errors = job.has_errors();
    let nothing = job.is_empty();
    print_findings(&job.general_findings);
    let mut ships = Vec::with_capacity(job.items.len());
    for item in job.items {
        print_findings(item.findings().into_iter().filter(|finding| finding.severity < Severity::Info));
        ships.extend(item.into_ships());
    }
    if ships.is_empty() {
        print_findings(&[Finding::error("nothing-to-print", "cannot print any of these designs")]);
        return Err(if nothing { Outcome::CannotRun } else { Outcome::Errors });
    }
    number_counters(&mut ships);
    Ok((ships, errors))
}

/// Lays ships out and writes the pages, if there are any, as a form to fill in if so; what was found, also in templates, is written to standard error.
///
/// # Errors
/// A finding when they cannot be written.
pub fn lay_out_and_write(
    store: &Store,
    ships: &[Evaluation],
    order: &PrintOptions,
    output: &OutputArgs,
    form: bool,
    errors: bool,
) -> Result<Outcome, Finding> {
    let (mut scene, findings) = print::lay_out_pages(store, ships, order, &Progress::default());
    print_findings(&findings);
    if scene.pages.is_empty() {
        print_findings(&[print::no_page_finding()]);
        return Ok(Outcome::Errors);
    }
    output.write(&mut scene, &order.kind.count_text(ships.len()), form)?;
    Ok(Outcome::from_errors(errors || print::has_errors(&findings)))
}
