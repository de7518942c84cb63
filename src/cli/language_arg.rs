//! `--language`: what sheets are printed in, common to all subcommands that print a game's pages.

use moldloft_base::finding::Finding;
use moldloft_base::words::Words;
use moldloft_library::library::Language;
use moldloft_library::store::Store;
use moldloft_rules::ruleset::Ruleset;

use super::load::RulesetArgs;

// The language of pages.
#[derive(clap::Args)]
pub struct LanguageArg {
    /// Print in this language, such as de: what has an entry in the game's file in words/; names and notes stay
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
}

impl LanguageArg {
    pub fn language(&self) -> Option<Language> {
        self.language.as_deref().map(Language::new)
    }

    /// The words of pages that are of no game.
    ///
    /// # Errors
    /// `unknown-language`; the first fault of the program's file of words.
    pub fn program_words(&self, store: &Store) -> Result<Option<Words>, Finding> {
        self.language().map(|language| language.program_words(store)).transpose()
    }

    /// The words of charts: as the window shows them.
    ///
    /// # Errors
    /// The first fault of a file of words.
    pub fn chart_words(&self, store: &Store, ruleset: Option<&Ruleset>) -> Result<Option<Words>, Finding> {
        self.language().map(|language| language.window_words(store, ruleset)).transpose()
    }

    /// The player's rules, shown in this language.
    pub fn with_language(&self, rules: RulesetArgs) -> RulesetArgs {
        RulesetArgs { language: self.language(), ..rules }
    }
}
