//! `moldloft chits`: prints the counters of ships.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::finding::Finding;
use crate::print::{self, CHIT_SIZE, PrintKind, PrintOptions};
use crate::sheet::Backs;
use crate::store::Store;

use super::Outcome;
use super::load::{RulesetArgs, load};
use super::output::OutputArgs;
use super::page_args::parse_offset;
use super::print::ships_of_job;

/// Print chits and counters, numbered as by `print` for the same ships in the same order
#[derive(clap::Args)]
pub struct ChitsArgs {
    /// Design files or folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    chit_layout: ChitLayoutArgs,
    /// Number of copies of each ship's counters
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    copies: u32,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// How chits are made.
#[derive(clap::Args)]
pub struct ChitLayoutArgs {
    /// Set the side of a chit in mm, such as 15 or 20; same as --set chit_mm=N
    #[arg(long, value_name = "MM", value_parser = clap::value_parser!(u32).range(5..=100))]
    pub size: Option<u32>,
    /// Arrange fronts and backs
    #[arg(long, value_enum, default_value_t = BackArg::Duplex)]
    pub back: BackArg,
    /// Move the backs by this many mm right and down to match the fronts, such as 0.5,-1 [default: as measured for the printer]
    #[arg(long, value_name = "X,Y", value_parser = parse_offset, allow_hyphen_values = true)]
    pub offset: Option<(f32, f32)>,
}

impl ChitLayoutArgs {
    /// The player's rules, with the size of chits as a setting.
    pub fn with_chit_size(&self, rules: &RulesetArgs) -> RulesetArgs {
        let mut rules = rules.clone();
        rules.set.extend(self.size.map(|size| format!("{CHIT_SIZE}={size}")));
        rules
    }
}

impl BackArg {
    pub fn backs(self) -> Backs {
        match self {
            Self::Duplex => Backs::Duplex,
            Self::Fold => Backs::Fold,
            Self::None => Backs::None,
        }
    }
}

/// Fronts and backs on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackArg {
    /// Mirrored pages of backs after pages of fronts, for duplex printing
    Duplex,
    /// Front and back in one piece, to fold and glue
    Fold,
    /// Fronts only
    None,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &ChitsArgs) -> Result<Outcome, Finding> {
    arguments.output.format()?;
    arguments.output.font.load()?;
    let job = load(store, &arguments.paths, &arguments.chit_layout.with_chit_size(&arguments.rules))?;
    let (ships, status) = ships_of_job(job);
    let options = PrintOptions {
        kind: PrintKind::Counters,
        page_setup: arguments.output.page.to_page_setup(arguments.chit_layout.offset)?,
        large_print: false,
        copies: arguments.copies,
        backs: arguments.chit_layout.back.backs(),
        qr: false,
    };
    arguments.output.print_pages(false, status, |progress| print::print_ships(store, ships, &options, progress))
}
