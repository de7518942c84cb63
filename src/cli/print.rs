//! `moldloft print`: control sheets.

use std::path::PathBuf;
use std::sync::Arc;

use crate::evaluate::{Evaluation, number};
use crate::finding::{Finding, Severity};
use crate::library::Games;
use crate::ruleset::{Ruleset, SheetKind};
use crate::scene::Scene;
use crate::sheet::{self, Options, Shelf};
use crate::store::Store;

use super::chits::{self, Form};
use super::games::need;
use super::load::{Job, Rules, load};
use super::output::Output;
use super::{Outcome, complain};

/// Print control sheets
#[derive(clap::Args)]
pub struct Args {
    /// Design files, or folders of them
    #[arg(required_unless_present = "blank", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
    /// Every box and letter 1.3 times as large
    #[arg(long)]
    large_print: bool,
    /// How often each ship is printed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    copies: u32,
    /// Also print the ships' counters, numbered as on their sheets
    #[arg(long, conflicts_with = "blank")]
    chits: bool,
    #[command(flatten)]
    form: Form,
    /// Empty sheets of this ruleset for the pencil, of no ship
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
    let options = Options {
        paper: arguments.output.paper.paper(),
        large_print: arguments.large_print,
        copies: arguments.copies,
        blank: arguments.blank.is_some(),
    };
    if let Some(id) = &arguments.blank {
        let games = Games::new(store, &arguments.rules.set)?;
        let ruleset = need(&games, id)?;
        games.settings_used()?;
        let sheets = blank(&ruleset, SheetKind::Design);
        let (scene, errors) = lay_out(store, &sheets, options, "blank sheets");
        return finish(&arguments.output, &scene, &many(sheets.len(), "blank sheet"), errors);
    }
    let job = load(store, &arguments.paths, &arguments.form.rules(&arguments.rules))?;
    let (ships, errors) = match ships(job) {
        Ok(ships) => ships,
        Err(outcome) => return Ok(outcome),
    };
    let (mut scene, mut more) = lay_out(store, &ships, options, "control sheets");
    if arguments.chits {
        let (counters, wrong) = chits::lay_out(store, &ships, options.paper, &arguments.form, options.copies);
        scene.pages.extend(counters.pages);
        more |= wrong;
    }
    finish(&arguments.output, &scene, &many(ships.len(), "ship"), errors || more)
}

/// The ships of a job in order, numbered together; what was found is written to standard error, notes left out.
///
/// # Errors
/// The outcome when there is no ship at all.
pub fn ships(job: Job) -> Result<(Vec<Evaluation>, bool), Outcome> {
    let errors = job.has_errors();
    let nothing = job.is_nothing();
    complain(&job.beside);
    let mut ships = Vec::with_capacity(job.designs.len());
    for checked in job.designs {
        let worth: Vec<Finding> =
            checked.findings().iter().filter(|finding| finding.severity < Severity::Info).cloned().collect();
        complain(&worth);
        ships.extend(checked.evaluation);
    }
    if ships.is_empty() {
        complain(&[Finding::error("nothing-to-print", "none of these designs can be printed")]);
        return Err(if nothing { Outcome::Nothing } else { Outcome::Errors });
    }
    number(&mut ships);
    Ok((ships, errors))
}

/// Sheets of a kind with no ship on them.
pub fn blank(ruleset: &Arc<Ruleset>, kind: SheetKind) -> Vec<Evaluation> {
    let sheets = ruleset.sheets.iter().filter(|sheet| sheet.kind == kind);
    sheets.filter_map(|sheet| Evaluation::blank(ruleset, &sheet.id)).collect()
}

/// Lays ships out on their sheets; what was found, also in templates, is written to standard error. True if some of it is
/// an error.
pub fn lay_out(store: &Store, ships: &[Evaluation], options: Options, what: &str) -> (Scene, bool) {
    let shelf = Shelf::new(|ids, name| store.template(ids, name));
    let (scene, findings) = sheet::print(&sheet::Job { ships, shelf: &shelf, options, what });
    complain(&findings);
    (scene, findings.iter().any(|finding| finding.severity == Severity::Error))
}

/// Writes the pages, if there are any.
///
/// # Errors
/// A finding when they cannot be written.
pub fn finish(output: &Output, scene: &Scene, what: &str, errors: bool) -> Result<Outcome, Finding> {
    if scene.pages.is_empty() {
        complain(&[Finding::error("nothing-to-print", "there is no page to print, nothing was written")]);
        return Ok(Outcome::Errors);
    }
    output.write(scene, what)?;
    Ok(Outcome::of(errors))
}

/// `1 ship`, `12 ships`.
pub fn many(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}
