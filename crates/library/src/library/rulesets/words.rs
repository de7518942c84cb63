//! The words of a ruleset in a language: takes a store, reads the file of all games, then those of the game and its layers, each of
//! which may replace what is before it.

use std::collections::BTreeSet;

use crate::store::{AssetKind, Store};
use moldloft_base::finding::{Finding, nearest};
use moldloft_base::words::{Words, read_words};
use moldloft_rules::ruleset::Ruleset;

/// The words of all games: those of the program.
pub const SHARED_WORDS: &str = "moldloft";
/// The words of the window alone.
pub const WINDOW_WORDS: &str = "window";

/// A language that results are shown in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// `de`.
    pub code: String,
    /// Whether it is known what is asked for ([`Words::asked`]).
    pub is_watched: bool,
    /// A game that has no words, and a file that cannot be read, stay as written; else they are errors.
    pub is_lenient: bool,
}

impl Language {
    pub fn new(code: &str) -> Self {
        Self { code: code.to_owned(), is_watched: false, is_lenient: false }
    }

    /// The words of a ruleset's pages; `None` where it stays as written.
    ///
    /// # Errors
    /// `unknown-language` with those that the game has; the first fault of a file.
    pub fn words_of(&self, store: &Store, ruleset: &Ruleset) -> Result<Option<Words>, Finding> {
        let own: Vec<&str> = ruleset.templates.iter().rev().map(|id| &**id).collect();
        let has_own = own.iter().any(|id| *id != SHARED_WORDS && store.words(id, &self.code).is_some());
        if !has_own && !self.is_watched {
            return if self.is_lenient {
                Ok(None)
            } else {
                Err(self.unknown(&ruleset.id, &Self::known(store, ruleset)))
            };
        }
        let mut words = self.read(store, std::iter::once(SHARED_WORDS).chain(own))?;
        if self.is_watched {
            words.watch();
        }
        Ok(Some(words))
    }

    /// The words of pages that are of no game: those of the program.
    ///
    /// # Errors
    /// `unknown-language` with those that the program has; the first fault of the file.
    pub fn program_words(&self, store: &Store) -> Result<Words, Finding> {
        if store.words(SHARED_WORDS, &self.code).is_some() {
            return self.read(store, std::iter::once(SHARED_WORDS));
        }
        let listed = store.list_assets(AssetKind::Words);
        let files = listed.iter().filter_map(|one| one.id.rsplit_once('.'));
        let known = files.filter(|(id, _)| *id == SHARED_WORDS).map(|(_, code)| code.to_owned()).collect();
        Err(self.unknown(SHARED_WORDS, &known))
    }

    /// The words of the window: those of the program, of all games, of the current one and its layers, and its own, which come last.
    ///
    /// # Errors
    /// The first fault of a file, unless it is lenient.
    pub fn window_words(&self, store: &Store, ruleset: Option<&Ruleset>) -> Result<Words, Finding> {
        let current: Vec<&str> =
            ruleset.map(|ruleset| ruleset.templates.iter().rev().map(|id| &**id).collect()).unwrap_or_default();
        let all = words_files(store, &self.code);
        let is_other = |id: &&str| ![SHARED_WORDS, WINDOW_WORDS].contains(id) && !current.contains(id);
        let games = all.iter().map(String::as_str).filter(is_other).chain(current.iter().copied());
        let mut words = self.read(store, std::iter::once(SHARED_WORDS).chain(games).chain([WINDOW_WORDS]))?;
        words.in_pieces();
        if self.is_watched {
            words.watch();
        }
        Ok(words)
    }

    /// Each file may replace what is in those before it.
    fn read<'i>(&self, store: &Store, ids: impl Iterator<Item = &'i str>) -> Result<Words, Finding> {
        let mut words = Words::default();
        words.language.clone_from(&self.code);
        for source in ids.filter_map(|id| store.words(id, &self.code)) {
            let read = source.map(|source| read_words(&source));
            let fault = match &read {
                Ok((_, findings)) => findings.first(),
                Err(finding) => Some(finding),
            };
            if let Some(fault) = fault.filter(|_| !self.is_lenient) {
                return Err(fault.clone());
            }
            words.add(&read.map(|(entries, _)| entries).unwrap_or_default());
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

    /// `id`: of the file that is missing; `known`: the languages that it is there in.
    fn unknown(&self, id: &str, known: &BTreeSet<String>) -> Finding {
        let shown: String = self.code.chars().take(20).collect();
        let help = match nearest(&self.code, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => format!("begin a file words/{id}.{shown}.toml"),
            None => format!("available languages: {}", known.iter().map(String::as_str).collect::<Vec<_>>().join(", ")),
        };
        Finding::error("unknown-language", format!("{id} has no words in `{shown}`")).help(help)
    }
}

/// The ids of all files of words in a language.
pub fn words_files(store: &Store, language: &str) -> Vec<String> {
    let listed = store.list_assets(AssetKind::Words).into_iter();
    listed.filter_map(|one| one.id.strip_suffix(&format!(".{language}")).map(str::to_owned)).collect()
}
