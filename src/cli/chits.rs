//! `moldloft chits`: prints the counters of ships.

use std::path::PathBuf;

use moldloft_base::finding::Finding;
use moldloft_library::print::{self, PrintKind, PrintOptions};
use moldloft_library::store::Store;

use super::chit_args::ChitLayoutArgs;
use super::language_arg::LanguageArg;
use super::load::{RulesetArgs, load_ships};
use super::outcome::RunOutcome;
use super::output::{OutputArgs, PageSelectionArg};

#[derive(clap::Args)]
pub struct ChitsArgs {
    /// Design files or folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    selection: PageSelectionArg,
    #[command(flatten)]
    chit_layout: ChitLayoutArgs,
    /// Number of copies of each ship's counters
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    copies: u32,
    #[command(flatten)]
    language: LanguageArg,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &ChitsArgs) -> Result<RunOutcome, Finding> {
    arguments.output.format()?;
    arguments.output.font.load()?;
    let (ships, status) = load_ships(
        store,
        &arguments.paths,
        &arguments.language.with_language(arguments.chit_layout.with_chit_size(&arguments.rules)),
    )?;
    let options = PrintOptions::default()
        .kind(PrintKind::Counters)
        .page_setup(arguments.output.page.to_page_setup(arguments.chit_layout.offset)?)
        .copies(arguments.copies)
        .backs(arguments.chit_layout.back.backs());
    arguments.output.print_selected(&arguments.selection, false, status, |progress| {
        print::print_ships(store, ships, &options, progress)
    })
}
