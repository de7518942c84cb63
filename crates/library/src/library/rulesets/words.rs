//! The words of a ruleset in a language: takes a store, reads the file of all games, then those of the game and its layers, each of
//! which may replace what is before it.

use std::collections::BTreeSet;

use crate::store::{AssetKind, Store};
use moldloft_base::finding::{Finding, nearest};
use moldloft_base::words::{Words, read_words};
use moldloft_rules::ruleset::Ruleset;

/// The words of all games: those of the program.
pub const SHARED_WORDS: &str = "moldloft";

/// A language that results are shown in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// `de`.
    pub code: String,
    /// Whether it is known what is asked for ([`Words::asked`]).
    pub is_watched: bool,
}

impl Language {
    pub fn new(code: &str) -> Self {
        Self { code: code.to_owned(), is_watched: false }
    }

    /// # Errors
    /// `unknown-language` with those that the game has; the first fault of a file.
    pub fn words_of(&self, store: &Store, ruleset: &Ruleset) -> Result<Words, Finding> {
        let mut words = Words::default();
        words.language.clone_from(&self.code);
        let mut has_own = false;
        for id in std::iter::once(SHARED_WORDS).chain(ruleset.templates.iter().rev().map(|id| &**id)) {
            let Some(source) = store.words(id, &self.code) else { continue };
            let (entries, findings) = read_words(&source?);
            if let Some(finding) = findings.into_iter().next() {
                return Err(finding);
            }
            words.add(&entries);
            has_own |= id != SHARED_WORDS;
        }
        if !has_own && !self.is_watched {
            return Err(self.unknown(store, ruleset));
        }
        if self.is_watched {
            words.watch();
        }
        Ok(words)
    }

    /// The codes of all languages that the ruleset, or one that it extends, has words in.
    pub fn known(store: &Store, ruleset: &Ruleset) -> BTreeSet<String> {
        let is_of = |id: &str| ruleset.templates.iter().any(|own| **own == *id);
        let listed = store.list_assets(AssetKind::Words);
        let files = listed.iter().filter_map(|one| one.id.rsplit_once('.'));
        files.filter(|(id, _)| is_of(id)).map(|(_, of)| of.to_owned()).collect()
    }

    fn unknown(&self, store: &Store, ruleset: &Ruleset) -> Finding {
        let known = Self::known(store, ruleset);
        let shown: String = self.code.chars().take(20).collect();
        let help = match nearest(&self.code, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => format!("begin a file words/{}.{shown}.toml", ruleset.id),
            None => format!("available languages: {}", known.into_iter().collect::<Vec<_>>().join(", ")),
        };
        Finding::error("unknown-language", format!("{} has no words in `{shown}`", ruleset.id)).help(help)
    }
}
