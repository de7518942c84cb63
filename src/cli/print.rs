//! `moldloft print`: prints control sheets.

use std::path::PathBuf;

use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::library::Rulesets;
use moldloft_library::print::{self, PrintKind, PrintOptions};
use moldloft_library::store::Store;

use super::chit_args::ChitLayoutArgs;
use super::language_arg::LanguageArg;
use super::load::{JobStatus, RulesetArgs, load_ships};
use super::outcome::RunOutcome;
use super::output::{OutputArgs, PageSelectionArg};
use super::rulesets::require_ruleset;

#[derive(clap::Args)]
pub struct PrintArgs {
    /// Design files or folders
    #[arg(required_unless_present = "blank", value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    selection: PageSelectionArg,
    /// Print for tired eyes: no box under 4.1 mm, letters about a third larger
    #[arg(long)]
    large_print: bool,
    /// Number of copies of each ship
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    copies: u32,
    /// Also print the counters, numbered as on the sheets
    #[arg(long, conflicts_with = "blank")]
    chits: bool,
    /// Print each ship's design as a QR code on its first page, where the template has a place for it; `import` reads its text
    #[arg(long)]
    qr: bool,
    /// Add each ship's load sheet, where its game has one: a place for the chit in every launcher and magazine
    #[arg(long)]
    loads: bool,
    /// Add each class's own ruler and the collar of its token, to cut out at true size
    #[arg(long, conflicts_with = "blank")]
    rulers: bool,
    /// Write a PDF form to fill in on screen: tick boxes and text fields
    #[arg(long = "form")]
    fillable: bool,
    #[command(flatten)]
    chit_layout: ChitLayoutArgs,
    /// Print empty sheets of this ruleset to fill in by pencil
    #[arg(long, value_name = "RULESET", conflicts_with = "paths")]
    blank: Option<String>,
    #[command(flatten)]
    language: LanguageArg,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &PrintArgs) -> Result<RunOutcome, Finding> {
    arguments.output.format()?;
    arguments.output.font.load()?;
    let page_setup = arguments.output.page.to_page_setup(arguments.chit_layout.offset)?;
    let options = |kind| {
        PrintOptions::default()
            .kind(kind)
            .page_setup(page_setup)
            .large_print(arguments.large_print)
            .copies(arguments.copies)
            .backs(arguments.chit_layout.back.backs())
            .qr(arguments.qr)
            .loads(arguments.loads)
            .rulers(arguments.rulers)
    };
    if let Some(id) = &arguments.blank {
        let rulesets = Rulesets::new(store, &arguments.rules.set)?.in_language(arguments.language.language());
        let ruleset = require_ruleset(&rulesets, id)?;
        rulesets.check_settings_used()?;
        let pages = print::print_ruleset(store, &ruleset, &options(PrintKind::Blank), &Progress::default())?;
        return arguments
            .output
            .print_selected(&arguments.selection, arguments.fillable, JobStatus::default(), |_| pages);
    }
    let (ships, status) = load_ships(
        store,
        &arguments.paths,
        &arguments.language.with_language(arguments.chit_layout.with_chit_size(&arguments.rules)),
    )?;
    let options = options(if arguments.chits { PrintKind::SheetsAndCounters } else { PrintKind::Sheets });
    arguments.output.print_selected(&arguments.selection, arguments.fillable, status, |progress| {
        print::print_ships(store, ships, &options, progress)
    })
}
