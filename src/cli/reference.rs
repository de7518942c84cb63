//! `moldloft reference`: prints a game's tables for all players.

use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::library::Rulesets;
use moldloft_library::print::{self, PrintKind, PrintOptions};
use moldloft_library::store::Store;

use super::language_arg::LanguageArg;
use super::load::JobStatus;
use super::outcome::RunOutcome;
use super::output::OutputArgs;
use super::rulesets::require_ruleset;

#[derive(clap::Args)]
pub struct ReferenceArgs {
    /// A ruleset's id, such as wars-of-honor
    #[arg(value_name = "RULESET")]
    ruleset: String,
    #[command(flatten)]
    output: OutputArgs,
    /// Print letters about a third larger
    #[arg(long)]
    large_print: bool,
    /// Change a setting of the ruleset, such as mu=cm
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    language: LanguageArg,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &ReferenceArgs) -> Result<RunOutcome, Finding> {
    arguments.output.format()?;
    arguments.output.font.load()?;
    let rulesets = Rulesets::new(store, &arguments.set)?.in_language(arguments.language.language());
    let ruleset = require_ruleset(&rulesets, &arguments.ruleset)?;
    rulesets.check_settings_used()?;
    let options = PrintOptions::default()
        .kind(PrintKind::Reference)
        .page_setup(arguments.output.page.to_page_setup(None)?)
        .large_print(arguments.large_print);
    let pages = print::print_ruleset(store, &ruleset, &options, &Progress::default())?;
    arguments.output.print_pages(false, JobStatus::default(), |_| pages)
}
