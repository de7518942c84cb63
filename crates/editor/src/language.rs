//! The language of the window: takes files of words, gives each text in another language where it is laid out ([`say`]). The state, commands and
//! findings have the source texts; what a player wrote stays as it is.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::{Doc, EditorState, Settings};
use moldloft_base::words::{Words, around_in_words};
use moldloft_library::library::{Catalogue, Language, Rulesets};
use moldloft_library::store::{AssetKind, Store};
use moldloft_rules::ruleset::Ruleset;

/// By code, each in its own words; others are shown by their code.
const LANGUAGES: [(&str, &str); 8] = [
    ("de", "Deutsch"),
    ("es", "Español"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("nl", "Nederlands"),
    ("pl", "Polski"),
    ("pt", "Português"),
    ("sv", "Svenska"),
];
/// Texts whose translation is kept, so that a frame looks none up twice.
const MAX_KEPT: usize = 8_192;

thread_local! {
    /// Of the frame that this thread draws.
    static SPOKEN: RefCell<Option<Arc<Spoken>>> = const { RefCell::new(None) };
}

/// The language of a window, and what it is made from.
#[derive(Default)]
pub struct WindowLanguage {
    made_from: Option<MadeFrom>,
    spoken: Option<Arc<Spoken>>,
    /// It is known what is asked for.
    pub is_watched: bool,
}

#[derive(Clone)]
struct MadeFrom {
    code: String,
    rules: Option<Arc<Ruleset>>,
    catalogue: Arc<Catalogue>,
    open: Vec<String>,
}

pub(crate) struct Spoken {
    words: Arc<Words>,
    /// Names that the player gave.
    own: HashSet<String>,
    said: Mutex<Said>,
}

/// What was said: source texts with their translations, and what is in the language already.
#[derive(Default)]
struct Said {
    texts: HashMap<String, Option<Arc<str>>>,
    made: HashSet<String>,
}

impl WindowLanguage {
    pub(crate) fn spoken(&self) -> Option<Arc<Spoken>> {
        self.spoken.clone()
    }

    /// The words of this window; `None` in the source language.
    pub fn words(&self) -> Option<&Arc<Words>> {
        self.spoken.as_ref().map(|spoken| &spoken.words)
    }
}

/// Makes the words again when the language, the game or the names of what is open have changed.
pub(crate) fn update(state: &mut EditorState) {
    let Some(code) = state.settings.language.clone() else {
        (state.language.made_from, state.language.spoken) = (None, None);
        return;
    };
    let from = MadeFrom {
        code,
        rules: state.current_doc().and_then(Doc::rules).cloned(),
        catalogue: Arc::clone(&state.library.catalogue),
        open: state.docs.iter().map(Doc::name).collect(),
    };
    let known = state.language.made_from.as_ref();
    let has_words = known.is_some_and(|known| known.has_words_of(&from));
    if has_words && known.is_some_and(|known| known.has_names_of(&from)) {
        return;
    }
    let words = match state.language.spoken.take().filter(|_| has_words) {
        Some(spoken) => Arc::clone(&spoken.words),
        None => {
            let language = Language { is_watched: state.language.is_watched, ..lenient(&from.code) };
            Arc::new(language.window_words(&state.store, from.rules.as_deref()).unwrap_or_default())
        }
    };
    let listed = from.catalogue.entries().map(|entry| entry.name.to_string());
    let games = from.catalogue.games.iter().map(|game| game.title.to_string());
    let fleets = state.docs.iter().filter_map(|doc| doc.as_fleet());
    let ships = fleets.flat_map(|fleet| &fleet.fleet().ships).filter_map(|ship| ship.name.as_ref());
    let ships = ships.map(|name| name.text.to_string());
    let own = from.open.iter().cloned().chain(listed).chain(games).chain(ships).collect();
    state.language.spoken = Some(Arc::new(Spoken { words, own, said: Mutex::default() }));
    state.language.made_from = Some(from);
}

impl MadeFrom {
    fn has_words_of(&self, other: &Self) -> bool {
        let id = |of: &Self| of.rules.as_ref().map(|rules| rules.id.clone());
        // Files of words are read again with the library.
        self.code == other.code && id(self) == id(other) && Arc::ptr_eq(&self.catalogue, &other.catalogue)
    }

    fn has_names_of(&self, other: &Self) -> bool {
        self.open == other.open && Arc::ptr_eq(&self.catalogue, &other.catalogue)
    }
}

fn lenient(code: &str) -> Language {
    Language { is_lenient: true, ..Language::new(code) }
}

/// The rulesets of a store, with sheets in the window's language where a game has words in it.
pub(crate) fn window_rulesets(store: &Store, settings: &Settings) -> Arc<Rulesets> {
    let language = settings.language.as_deref().map(lenient);
    Arc::new(Rulesets::without_settings(store).in_language(language))
}

/// The languages that the window has words in, without English, which it is written in: codes and names.
pub(crate) fn known_languages(state: &EditorState) -> Vec<(Option<String>, String)> {
    let listed = state.store.list_assets(AssetKind::Words);
    let codes = listed.iter().filter_map(|one| one.id.strip_prefix("window."));
    codes.map(|code| (Some(code.to_owned()), language_name(code))).collect()
}

pub(crate) fn language_name(code: &str) -> String {
    LANGUAGES.iter().find(|(known, _)| *known == code).map_or(code, |(_, name)| name).to_owned()
}

/// Does something, such as drawing a frame, in the language of a window.
pub(crate) fn speaking<R>(spoken: Option<Arc<Spoken>>, draw: impl FnOnce() -> R) -> R {
    /// The language before is set again, also when drawing fails.
    struct Before(Option<Arc<Spoken>>);
    impl Drop for Before {
        fn drop(&mut self) {
            SPOKEN.set(self.0.take());
        }
    }
    let _before = Before(SPOKEN.replace(spoken));
    draw()
}

/// A text of the program or of a ruleset in the language of the frame.
pub(crate) fn say(text: impl AsRef<str>) -> String {
    let text = text.as_ref();
    SPOKEN.with_borrow(|spoken| spoken.as_ref().and_then(|spoken| spoken.say(text))).unwrap_or_else(|| text.to_owned())
}

/// A text with numbered holes, `{1} of {2}`, in the language of the frame, with these values in them as they are.
pub(crate) fn tell(text: &str, values: &[&str]) -> String {
    let said = SPOKEN.with_borrow(|spoken| spoken.as_ref().map(|spoken| spoken.tell(text, values)));
    said.unwrap_or_else(|| around_in_words(None, text, values))
}

/// The name of a shortcut: `Ctrl+Shift+P`. Keys have entries of their own, since *Delete* and *Home* are words elsewhere.
pub(crate) fn say_keys(keys: &str) -> String {
    let say_key = |key: &str| match key.chars().filter(|letter| letter.is_alphabetic()).count() {
        0 | 1 => key.to_owned(),
        _ => {
            let said = say(format!("the key {key}"));
            said.strip_prefix("the key ").unwrap_or(&said).to_owned()
        }
    };
    tell("{1}", &[&keys.split('+').map(say_key).collect::<Vec<_>>().join("+")])
}

impl Spoken {
    fn say(&self, text: &str) -> Option<String> {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = said.texts.get(text) {
            return known.as_deref().map(str::to_owned);
        }
        let found = self.words.say_but(text, &|part| self.own.contains(part) || said.made.contains(part));
        said.keep(found.as_deref());
        said.texts.insert(text.to_owned(), found.as_deref().map(Arc::from));
        found
    }

    fn tell(&self, text: &str, values: &[&str]) -> String {
        let made = around_in_words(Some(&self.words), text, values);
        self.said.lock().unwrap_or_else(PoisonError::into_inner).keep(Some(&made));
        made
    }
}

impl Said {
    fn keep(&mut self, made: Option<&str>) {
        if self.texts.len().max(self.made.len()) >= MAX_KEPT {
            (self.texts, self.made) = Default::default();
        }
        self.made.extend(made.map(str::to_owned));
    }
}
