//! `moldloft tokens`: makes pictures of tokens and chits for virtual tabletops.

use std::path::PathBuf;

use clap::ValueEnum;

use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::exchange::{self, TabletopProgram, TokenOptions};
use moldloft_library::print::{self, plural};
use moldloft_library::store::Store;
use moldloft_sheet::sheet::TokenBacking;

use super::csv_args::CsvArgs;
use super::font_args::FontArgs;
use super::load::{RulesetArgs, load_ships};
use super::outcome::RunOutcome;
use super::terminal::{print_findings, print_stdout, with_progress};

#[derive(clap::Args)]
pub struct TokensArgs {
    /// Design files or folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write to this folder: new, empty, or written by an earlier run
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Program that will use the tokens
    #[arg(long = "for", value_enum, value_name = "PROGRAM", default_value_t = ProgramArg::Plain)]
    program: ProgramArg,
    /// Dots per inch, 30 to 1200
    #[arg(long, value_name = "N", default_value_t = 300.0)]
    dpi: f32,
    /// For Tabletop Simulator: URL of the web folder with the uploaded images; without it, images are loaded from this computer,
    /// where only you can see them
    #[arg(long, value_name = "ADDRESS")]
    url: Option<String>,
    /// Omit the white card behind the ink
    #[arg(long)]
    clear: bool,
    #[command(flatten)]
    csv: CsvArgs,
    #[command(flatten)]
    font: FontArgs,
    #[command(flatten)]
    rules: RulesetArgs,
}

/// The programs on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProgramArg {
    /// Any program: images, and a list of them as JSON and CSV
    Plain,
    /// Tabletop Simulator: also a saved-objects file
    TabletopSimulator,
    /// VASSAL: the `images` folder of a module, and its pieces as a part of buildFile.xml
    Vassal,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &TokensArgs) -> Result<RunOutcome, Finding> {
    let program = match arguments.program {
        ProgramArg::Plain => TabletopProgram::Plain,
        ProgramArg::TabletopSimulator => TabletopProgram::TabletopSimulator,
        ProgramArg::Vassal => TabletopProgram::Vassal,
    };
    if arguments.url.is_some() && program != TabletopProgram::TabletopSimulator {
        return Err(Finding::error("not-an-address", "`--url` is only for Tabletop Simulator")
            .help("add `--for tabletop-simulator`, or remove `--url`"));
    }
    let card = if arguments.clear { TokenBacking::None } else { TokenBacking::White };
    let order =
        TokenOptions { program, dpi: arguments.dpi, url: arguments.url.clone(), card, csv: arguments.csv.style() };
    arguments.font.load()?;
    let (ships, status) = load_ships(store, &arguments.paths, &arguments.rules)?;
    if ships.is_empty() {
        print_findings(&[print::nothing_to_print("designs")]);
        return Ok(status.without_pages());
    }
    let count = ships.len();
    let progress = Progress::default();
    let make = || exchange::make_tokens(store, ships, &order, &arguments.output, &progress);
    let folder = with_progress(&progress, make)?;
    print_findings(&folder.findings);
    if folder.entries.is_empty() {
        print_findings(&[Finding::error(
            "nothing-to-print",
            "these ships have no tokens or counters; nothing was written",
        )]);
        return Ok(RunOutcome::Errors);
    }
    let done = exchange::write_tokens(&arguments.output, &folder)?;
    let tokens: u32 = folder.entries.iter().map(|entry| entry.count).sum();
    let mut words = format!(
        "{}: {} of {}, {}",
        arguments.output.display(),
        plural(tokens as usize, "token"),
        plural(count, "ship"),
        plural(folder.pictures, "picture")
    );
    if done.removed > 0 {
        words += &format!("; removed {} of an earlier run", plural(done.removed, "file"));
    }
    print_stdout(&(words + "\n"))?;
    Ok(RunOutcome::from_errors(status.has_errors || print::has_errors(&folder.findings)))
}
