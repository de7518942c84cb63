//! `moldloft words`: the files of words that sheets are printed in other languages with.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Subcommand;

use moldloft_base::finding::{Finding, Severity};
use moldloft_base::sanitize::plural;
use moldloft_base::words::read_words;
use moldloft_library::library::{SHARED_WORDS, WINDOW_WORDS};
use moldloft_library::print::{games_in, survey_words, updated_words, wider_texts};
use moldloft_library::store::{Store, make_folder, save};

use super::outcome::RunOutcome;
use super::terminal::{print_done, print_findings, print_stdout};

#[derive(clap::Args)]
pub struct WordsArgs {
    #[command(subcommand)]
    what: WordsSubcommand,
}

#[derive(Subcommand)]
enum WordsSubcommand {
    Extract(ExtractArgs),
    Check(WordsCheckArgs),
}

/// Write or update a file of words: what is translated stays, what is new is empty, what is stale becomes a comment
#[derive(clap::Args)]
struct ExtractArgs {
    /// A ruleset's id, such as wars-of-honor; moldloft: the program's own texts on pages; window: those of the window
    #[arg(value_name = "RULESET")]
    ruleset: String,
    /// The language, such as de
    #[arg(long, value_name = "LANGUAGE")]
    language: String,
    /// Write to this file [default: words/RULESET.LANGUAGE.toml in the workspace]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// List what is missing or stale in files of words, and texts that are cut because they are wider
#[derive(clap::Args)]
struct WordsCheckArgs {
    /// A ruleset's id, moldloft or window; default: all games that have words in the language
    #[arg(value_name = "RULESET")]
    ruleset: Option<String>,
    /// The language, such as de
    #[arg(long, value_name = "LANGUAGE")]
    language: String,
}

/// # Errors
/// A finding when the command cannot run.
pub fn run(store: &Store, arguments: &WordsArgs) -> Result<RunOutcome, Finding> {
    match &arguments.what {
        WordsSubcommand::Extract(arguments) => extract(store, arguments),
        WordsSubcommand::Check(arguments) => check(store, arguments),
    }
}

fn extract(store: &Store, arguments: &ExtractArgs) -> Result<RunOutcome, Finding> {
    let ExtractArgs { ruleset, language, output } = arguments;
    let survey = survey_words(store, ruleset, language)?;
    let (text, new, stale) = updated_words(store, &survey, language)?;
    let Some(name) = Store::words_file(&survey.id, language) else {
        let message = format!("expected a language such as de, found `{language}`");
        return Err(Finding::error("unknown-language", message));
    };
    let file = output.clone().unwrap_or_else(|| store.workspace().map_or_else(PathBuf::new, PathBuf::from).join(name));
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        make_folder(folder)?;
    }
    save(&file, text.as_bytes())?;
    print_done(&format!("wrote {}: {} new, {stale} stale\n", file.display(), plural(new, "text")))?;
    Ok(RunOutcome::Success)
}

fn check(store: &Store, arguments: &WordsCheckArgs) -> Result<RunOutcome, Finding> {
    let language = &arguments.language;
    let games = arguments.ruleset.clone().map_or_else(|| games_in(store, language), |id| vec![id]);
    if games.is_empty() {
        let message = format!("no game has words in `{language}`");
        let help = format!("`moldloft words extract RULESET --language {language}` begins them");
        return Err(Finding::error("unknown-language", message).help(help));
    }
    let mut text = String::new();
    let mut has_errors = false;
    for id in games {
        let survey = survey_words(store, &id, language)?;
        let missing = survey.missing();
        let own = store.words(&id, language).transpose()?;
        let is_game = ![SHARED_WORDS, WINDOW_WORDS].contains(&&*id);
        let (entries, findings) = own.as_ref().map(read_words).unwrap_or_default();
        print_findings(&findings);
        let stale: Vec<&str> =
            entries.iter().filter(|entry| survey.is_stale(entry)).map(|entry| &*entry.source).collect();
        for (what, list) in [("missing", &missing), ("stale", &stale)] {
            for key in list {
                let _ = writeln!(text, "{id}: {what}: {key}");
            }
        }
        let wider = if own.is_some() && is_game { wider_texts(store, &id, language)? } else { Vec::new() };
        print_findings(&wider);
        let _ = writeln!(
            text,
            "{id}: {}, {} missing, {} stale, {} cut",
            plural(entries.len(), "text"),
            missing.len(),
            stale.len(),
            wider.len()
        );
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        has_errors |= !missing.is_empty() || !stale.is_empty() || wider.iter().chain(&findings).any(is_error);
    }
    print_stdout(&text)?;
    Ok(RunOutcome::from_errors(has_errors))
}
