//! The command line: takes arguments, calls the other rooms, prints their results and returns the exit status. One thin
//! file for each subcommand; nothing is computed or drawn here.
//!
//! Exit status: 0 success; 1 a finding of severity error; 2 the command could not run: wrong arguments, unknown
//! ruleset, no file that can be opened, an output that cannot be written.

mod bundle;
mod calibrate;
mod check;
mod chit_args;
mod chits;
mod completions;
mod csv_args;
mod damage;
mod explain;
mod font_args;
mod gauge_args;
mod import;
mod language_arg;
mod list;
mod load;
mod man;
mod map;
mod new;
mod odds;
mod open_bundle;
mod outcome;
mod output;
mod pack;
mod page_args;
mod print;
mod reference;
mod render;
mod report;
mod roster;
mod rules;
mod rulesets;
mod schema;
mod share;
mod suggest;
mod template;
mod terminal;
mod threads;
mod tokens;
mod verify;
pub mod wording;
mod words;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{CommandFactory, Parser, Subcommand};

use moldloft_base::finding::Finding;
use moldloft_library::store::Store;

use outcome::RunOutcome;
use terminal::{TerminalArgs, print_findings, print_stdout};
use threads::start_threads;

/// Check tabletop ship designs against a game's rules and print what goes on the table.
#[derive(Parser)]
#[command(name = "moldloft", version)]
struct Cli {
    /// Folder with your own rulesets/, templates/, designs/ and words/, which take precedence over the built-in ones [default: the
    /// current folder or its nearest parent that has one of them]
    #[arg(long, global = true, value_name = "DIR")]
    workspace: Option<PathBuf>,
    #[command(flatten)]
    terminal: TerminalArgs,
    #[command(subcommand)]
    command: Option<CliCommand>,
}

/// Only the command that is asked for gets its options: its first lines stand here, so that help can list it.
#[derive(Subcommand)]
#[command(defer = true)]
enum CliCommand {
    /// Open the editor; same as `moldloft` alone
    Edit(EditArgs),
    /// Check designs: report errors and costs
    Check(check::CheckArgs),
    /// Show how a design's numbers are calculated, or what a code means
    Explain(explain::ExplainArgs),
    /// Work out exactly what a ship's weapons do to another ship
    Odds(Box<odds::OddsArgs>),
    /// Find the best design within limits, and say what is proved
    ///
    /// Ask one question: --legal, --spend, --cheaper, --breaks, --maximise or --minimise. Every answer is legal by the rules, and
    /// the claim below it says what is proved about it.
    Suggest(suggest::SuggestArgs),
    /// List rulesets, designs, fleets or systems
    List(list::ListArgs),
    /// Write a starter design with all options as comments
    New(new::NewArgs),
    /// Print control sheets
    Print(print::PrintArgs),
    /// Print the table pack of fleets: roster, summary for the opponent, control sheets, counters, order logs, reference sheets
    ///
    /// The pages of each fleet are kept together, so that each side can be handed its own; the reference sheets of the games come last, once.
    /// FILE.csv or FILE.json gets only the roster, as a table.
    Pack(pack::PackArgs),
    /// Check that fleets match a short code
    ///
    /// Exit status 0: all match; 1: one does not match or cannot be read.
    Verify(verify::VerifyArgs),
    /// Read a filled form; with a fleet, mark the ticked boxes in its file
    ///
    /// The form is a PDF printed with --form and filled in with any program, or an FDF or XFDF file exported by one. Without a fleet, shows
    /// its contents. Exit status 1: something on the form matches no ship; the rest is marked.
    Damage(damage::DamageArgs),
    /// Print chits and counters, numbered as by `print` for the same ships in the same order
    Chits(chits::ChitsArgs),
    /// Write tokens and chits as cropped images for Tabletop Simulator, VASSAL and similar programs, numbered as by `print` and `chits`
    Tokens(tokens::TokensArgs),
    /// Write a fleet as plain text for a forum or e-mail; `import` reads it back
    Share(share::ShareArgs),
    /// Pack designs, fleets and house rules with everything they need into one file for another player; `import` opens it
    Bundle(bundle::BundleArgs),
    /// Make a fleet file from a plain-text list: one written by `share`, edited or not, or one such as `3 x Tern`; or a design from the text of its QR code; or
    /// open a bundle of another player, which lists what is in it and writes it with -o
    Import(import::ImportArgs),
    /// Print a game's reference sheet with turn sequence and tables
    Reference(reference::ReferenceArgs),
    /// Print a map of hexes or squares at an exact size, and arcs and courses to cut out
    Map(map::MapArgs),
    /// Write a report of a file for the makers of the program or the rules: its text, its rules and findings, without your name
    /// or folders
    Report(report::ReportArgs),
    /// Measure a printer: print a calibration page, store the measurements, then print with --printer NAME
    Calibrate(calibrate::CalibrateArgs),
    /// Check and copy templates
    Template(template::TemplateArgs),
    /// Check and compare rulesets
    Rules(rules::RulesArgs),
    /// Translate sheets: find every text of a game, check a file of words
    Words(words::WordsArgs),
    /// Print the JSON Schema that lets a text editor complete and check designs and rulesets
    Schema(schema::SchemaArgs),
    /// Print a script that lets a shell complete commands, options and their values
    ///
    /// bash: moldloft completions bash > ~/.local/share/bash-completion/completions/moldloft
    Completions(completions::CompletionsArgs),
    /// Write manual pages: moldloft.1, moldloft-check.1 and so on
    Man(man::ManArgs),
}

#[derive(clap::Args)]
struct EditArgs {
    /// Designs to open
    #[arg(value_name = "DESIGN")]
    designs: Vec<PathBuf>,
}

/// What opens the editor with some designs; `None` in a program built without it.
pub type OpenEditorFn = fn(Store, Vec<PathBuf>) -> Result<(), Finding>;

/// An error about a number as a player would say it; `None` for any other.
fn in_plain_words(error: &clap::Error) -> Option<clap::Error> {
    const WORDS: [(&str, &str); 2] =
        [("invalid digit found in string", "expected a whole number"), ("invalid float literal", "expected a number")];
    let text = error.render().to_string();
    let first = text.lines().next()?.strip_prefix("error: ")?;
    let (parser, plain) = WORDS.into_iter().find(|(parser, _)| first.ends_with(parser))?;
    Some(clap::Error::raw(error.kind(), first.replace(parser, plain) + "\n"))
}

/// Runs the program with these arguments (the program's name first) and returns its exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>, window: Option<OpenEditorFn>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are not errors: clap knows their stream and status.
            let _ = in_plain_words(&error).as_ref().unwrap_or(&error).print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    cli.terminal.apply();
    let has_threads = start_threads();
    let window = window.map(|window| if has_threads { window } else { report_no_threads });
    let result = Store::open(cli.workspace.as_deref()).and_then(|store| match cli.command {
        None => match window {
            Some(window) => window(store, Vec::new()).map(|()| RunOutcome::Success),
            None => print_stdout(&Cli::command().render_long_help().to_string()).map(|()| RunOutcome::Success),
        },
        Some(CliCommand::Edit(arguments)) => match window {
            Some(window) => window(store, arguments.designs).map(|()| RunOutcome::Success),
            None => Err(Finding::error("no-editor", "this program was built without the editor")
                .help("build it with the feature `editor`, which is on by default")),
        },
        Some(CliCommand::Check(arguments)) => check::run(&store, &arguments),
        Some(CliCommand::Explain(arguments)) => explain::run(&store, &arguments),
        Some(CliCommand::Odds(arguments)) => odds::run(&store, &arguments),
        Some(CliCommand::Suggest(arguments)) => suggest::run(&store, &arguments),
        Some(CliCommand::List(arguments)) => list::run(&store, &arguments),
        Some(CliCommand::New(arguments)) => new::run(&store, &arguments),
        Some(CliCommand::Print(arguments)) => print::run(&store, &arguments),
        Some(CliCommand::Pack(arguments)) => pack::run(&store, &arguments),
        Some(CliCommand::Verify(arguments)) => verify::run(&store, &arguments),
        Some(CliCommand::Damage(arguments)) => damage::run(&store, &arguments),
        Some(CliCommand::Chits(arguments)) => chits::run(&store, &arguments),
        Some(CliCommand::Tokens(arguments)) => tokens::run(&store, &arguments),
        Some(CliCommand::Share(arguments)) => share::run(&store, &arguments),
        Some(CliCommand::Bundle(arguments)) => bundle::run(&store, &arguments),
        Some(CliCommand::Import(arguments)) => import::run(&store, &arguments),
        Some(CliCommand::Reference(arguments)) => reference::run(&store, &arguments),
        Some(CliCommand::Map(arguments)) => map::run(&store, &arguments),
        Some(CliCommand::Report(arguments)) => report::run(&store, &arguments),
        Some(CliCommand::Calibrate(arguments)) => calibrate::run(&store, &arguments),
        Some(CliCommand::Template(arguments)) => template::run(&store, &arguments),
        Some(CliCommand::Rules(arguments)) => rules::run(&store, &arguments),
        Some(CliCommand::Words(arguments)) => words::run(&store, &arguments),
        Some(CliCommand::Schema(arguments)) => schema::run(&store, &arguments),
        Some(CliCommand::Completions(arguments)) => completions::run(&arguments, Cli::command()),
        Some(CliCommand::Man(arguments)) => man::run(&arguments, Cli::command()),
    });
    match result {
        Ok(RunOutcome::Success) => 0,
        Ok(RunOutcome::Errors) => 1,
        Ok(RunOutcome::CannotRun) => 2,
        Err(finding) => {
            print_findings(&[finding]);
            2
        }
    }
}

/// Replaces the editor when there are no worker threads.
fn report_no_threads(_: Store, _: Vec<PathBuf>) -> Result<(), Finding> {
    Err(Finding::error("no-threads", "cannot start threads for the editor")
        .help("close other programs, or raise the limit (`ulimit -u`); the command line works without threads"))
}
