//! Translations: takes files of words (TOML) and a source text, gives the text in another language.
//!
//! A file is `[words]` with `"source text" = "text"`. The source text itself is the key, so that no ruleset, template or
//! line of code is written anew, and what has no entry stays as it is. Numbers and names in a text are holes:
//!
//! - `"Structure" = "Struktur"`: the whole text.
//! - `"page {1} of {2}" = "Seite {1} von {2}"`: numbers, and the `{{ }}` of a template, from left to right.
//! - `"towed by {name}" = "im Schlepp von {name}"`: any words within a sentence. What they are is translated if it is an entry itself, and no further;
//!   what is in a hole called `id` or `id_…` stays.
//!
//! A text is looked up whole, then with its numbers as holes, then among the patterns, the most specific first; at last its
//! sentences (up to `.`, `;`, `·` or a line's end), each by itself, and
//! the parts of a list, if all of them are entries. Who lays texts out asks at the door where one comes in
//! ([`Words::say`]); what a player wrote (names, notes) is never asked for, nor are rules, marks, names of fields and codes.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::finding::{Finding, nearest};
use crate::source::toml::{TomlValue, parse};
use crate::source::{Source, Span};

/// The most entries of a file.
const MAX_ENTRIES: usize = 20_000;
/// The most patterns with named holes, which are tried one by one.
const MAX_PATTERNS: usize = 4_000;
/// The most holes of an entry.
const MAX_HOLES: usize = 16;
/// A longer text is not looked up.
const MAX_BYTES: usize = 4_000;
/// The most faults that are reported of a file.
const MAX_FAULTS: usize = 50;
/// What is between sentences, each of which may be an entry by itself.
const SENTENCE_ENDS: [&str; 4] = ["\n", " · ", ". ", "; "];
/// What is between the parts of a list: it is one only if all of them are entries.
const SEPARATORS: [&str; 2] = [" / ", ", "];

/// What is between the pieces of a text that the window puts together: a label and its value, a number before and after.
const PIECE_SIGNS: [&str; 15] =
    ["\n", ": ", " → ", " (", ") ", ", ", " × ", " = ", " / ", "  ", " – ", ")", "• ", "→ ", "· "];
/// Pieces within the holes of patterns within pieces.
const MAX_DEPTH: u8 = 3;

/// The words of one language.
#[derive(Debug, Default)]
pub struct Words {
    /// `de`.
    pub language: String,
    /// By source text, holes as written.
    entries: HashMap<Box<str>, Arc<str>>,
    /// The most specific first.
    patterns: Vec<Pattern>,
    /// Whether texts are put together from pieces that are entries each by itself ([`Words::in_pieces`]).
    has_pieces: bool,
    /// What was asked for, where that is to be known.
    asked: Option<Mutex<BTreeMap<String, bool>>>,
    /// The way back, by which a text is known that is translated already; only where it is known what was asked for.
    back: Option<Box<Self>>,
}

/// An entry with holes between its words.
#[derive(Debug)]
struct Pattern {
    key: Box<str>,
    /// One more than there are holes.
    words: Vec<Box<str>>,
    holes: Vec<Box<str>>,
    text: Arc<str>,
}

/// An entry of a file, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordsEntry {
    pub source: String,
    /// Empty where it is not translated yet.
    pub text: String,
    /// Its place in the file.
    pub span: Span,
}

/// The entries of a file, and what is wrong with it.
pub fn read_words(source: &Source) -> (Vec<WordsEntry>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut report = |code: &'static str, message: String, help: &str, span: Span| {
        if findings.len() < MAX_FAULTS {
            findings.push(Finding::error(code, message).help(help).at(source.place_with_snippet(span)));
        }
    };
    let (root, faults) = parse(&source.text, 0);
    for fault in faults {
        let help = fault.hint(&source.text).unwrap_or_else(|| "write \"source text\" = \"text\"".to_owned());
        report("not-toml", fault.message, &help, fault.span);
    }
    let mut entries = Vec::new();
    for entry in &root.entries {
        match (&*entry.key, &entry.node.data) {
            ("words", TomlValue::Table(table)) => {
                for one in &table.entries {
                    if entries.len() >= MAX_ENTRIES {
                        let message = format!("more than {MAX_ENTRIES} entries; the rest is not read");
                        report("too-many-words", message, "split the file", one.span);
                        break;
                    }
                    let TomlValue::Text(text) = &one.node.data else {
                        let message = format!("expected text, found {}", one.node.data.type_name());
                        report("wrong-words", message, "write \"source text\" = \"text\"", one.node.span);
                        continue;
                    };
                    match entry_fault(&one.key, text) {
                        Some((message, help)) => report("wrong-words", message, help, one.node.span),
                        None => {
                            let span = Span { end: one.node.span.end, ..one.span };
                            entries.push(WordsEntry { source: one.key.to_string(), text: text.to_string(), span });
                        }
                    }
                }
            }
            ("words", other) => {
                let message = format!("expected a table, found {}", other.type_name());
                report("wrong-words", message, "write [words]", entry.node.span);
            }
            (key, _) => {
                let help = nearest(key, ["words"]).map_or("put all entries below [words]", |_| "did you mean `words`?");
                report("unknown-word", format!("unknown word `{key}` in a file of words"), help, entry.span);
            }
        }
    }
    (entries, findings)
}

/// What is wrong with an entry.
fn entry_fault(key: &str, text: &str) -> Option<(String, &'static str)> {
    if key.len() > MAX_BYTES || text.len() > MAX_BYTES {
        return Some((format!("a text of more than {MAX_BYTES} bytes"), "make it shorter"));
    }
    let (expected, found) = (holes(key), holes(text));
    if expected.len() > MAX_HOLES || found.len() > 2 * MAX_HOLES {
        return Some((format!("more than {MAX_HOLES} holes"), "split the text"));
    }
    let name = |text: &str, hole: &Range<usize>| text[hole.clone()].to_owned();
    if text.is_empty() {
        return None;
    }
    for hole in &found {
        if !expected.iter().any(|known| key[known.clone()] == text[hole.clone()]) {
            return Some((format!("unknown hole {}", name(text, hole)), "use the holes of the source text"));
        }
    }
    for hole in &expected {
        if !found.iter().any(|known| text[known.clone()] == key[hole.clone()]) {
            return Some((format!("missing hole {}", name(key, hole)), "numbers and names are not left out"));
        }
    }
    None
}

/// The places of `{1}` and `{name}`, with their braces.
fn holes(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find('{').map(|open| from + open) {
        let inner = text[open + 1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(|end| open + 1 + end);
        match inner.filter(|&end| end > open + 1 && text[end..].starts_with('}')) {
            Some(end) => {
                found.push(open..end + 1);
                from = end + 1;
            }
            None => from = open + 1,
        }
    }
    found
}

/// A text with its holes numbered from 1.
fn renumbered(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (n, hole) in holes(text).into_iter().enumerate() {
        out.push_str(&text[from..hole.start]);
        out.push_str(&format!("{{{}}}", n + 1));
        from = hole.end;
    }
    out + &text[from..]
}

/// A translation of a renumbered text with the holes that the text has.
fn with_holes_of(said: &str, text: &str) -> String {
    let own: Vec<&str> = holes(text).into_iter().map(|hole| &text[hole]).collect();
    fill(said, |hole| nth(&own, hole))
}

/// A text with its numbers as holes, and the numbers; holes that it has already stay.
fn with_number_holes(text: &str) -> (String, Vec<&str>) {
    let (mut key, mut numbers) = (String::with_capacity(text.len() + 8), Vec::new());
    if text.contains('{') {
        return (text.to_owned(), numbers);
    }
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[start..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| start + end);
        numbers.push(&rest[start..end]);
        key.push_str(&rest[..start]);
        key.push_str(&format!("{{{}}}", numbers.len()));
        rest = &rest[end..];
    }
    key.push_str(rest);
    (key, numbers)
}

/// A text in a language; in none it stays as it is.
pub fn in_words(words: Option<&Words>, text: &str) -> String {
    words.and_then(|words| words.say(text)).unwrap_or_else(|| text.to_owned())
}

/// A text with numbered holes, `"{1} of {2}"`, in a language, with the values put in; in none it stays as it is.
pub fn around_in_words(words: Option<&Words>, key: &str, values: &[&str]) -> String {
    let said = words.and_then(|words| words.say_around(key, values));
    said.unwrap_or_else(|| fill(key, |hole| nth(values, hole)))
}

/// Whether there is something to translate: two small letters, or four of any kind. What has less is short code: `2D10`, `ECM`.
pub fn has_words(text: &str) -> bool {
    let (mut letters, mut small) = (0, 0);
    text.chars().any(|letter| {
        letters = if letter.is_alphabetic() { letters + 1 } else { 0 };
        small = if letter.is_lowercase() { small + 1 } else { 0 };
        small >= 2 || letters >= 4
    })
}

/// A text with its holes filled.
fn fill<'v>(text: &str, value: impl Fn(&str) -> Option<&'v str>) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut from = 0;
    for hole in holes(text) {
        out.push_str(&text[from..hole.start]);
        out.push_str(value(&text[hole.start + 1..hole.end - 1]).unwrap_or(&text[hole.clone()]));
        from = hole.end;
    }
    out.push_str(&text[from..]);
    out
}

fn is_put_together(text: &str) -> bool {
    PIECE_SIGNS.iter().any(|sign| text.contains(sign))
}

fn nth<'v, T: AsRef<str>>(values: &'v [T], hole: &str) -> Option<&'v str> {
    values.get(hole.parse::<usize>().ok()?.checked_sub(1)?).map(AsRef::as_ref)
}

impl Pattern {
    fn new(entry: &WordsEntry) -> Option<Self> {
        let places = holes(&entry.source);
        let mut words: Vec<Box<str>> = Vec::with_capacity(places.len() + 1);
        let mut from = 0;
        for place in &places {
            words.push(entry.source[from..place.start].into());
            from = place.end;
        }
        words.push(entry.source[from..].into());
        // Two holes side by side would not say which of them has what.
        let is_clear = words.len() < 3 || words[1..words.len() - 1].iter().all(|words| !words.is_empty());
        let holes: Vec<Box<str>> =
            places.iter().map(|place| entry.source[place.start + 1..place.end - 1].into()).collect();
        let is_named = |hole: &str| !hole.starts_with(|c: char| c.is_ascii_digit());
        (!places.is_empty()
            && is_clear
            && holes.iter().all(|hole| is_named(hole))
            && words.iter().any(|words| has_words(words)))
        .then(|| Self { key: entry.source.as_str().into(), words, holes, text: entry.text.as_str().into() })
    }

    /// How many bytes of a text it fixes.
    fn fixed(&self) -> usize {
        self.words.iter().map(|words| words.len()).sum()
    }

    /// What is in the holes of a text that matches as a whole.
    fn values<'t>(&self, text: &'t str) -> Option<Vec<&'t str>> {
        let (first, rest) = self.words.split_first()?;
        let (last, between) = rest.split_last()?;
        let mut rest = text.strip_prefix(&**first)?.strip_suffix(&**last)?;
        let mut values = Vec::with_capacity(self.holes.len());
        for words in between {
            let (value, after) = rest.split_once(&**words)?;
            values.push(value);
            rest = after;
        }
        values.push(rest);
        let is_part = |value: &&str| !value.trim().is_empty() && SENTENCE_ENDS.iter().all(|sign| !value.contains(sign));
        values.iter().all(is_part).then_some(values)
    }
}

impl Words {
    /// Adds the entries of a file: they take the places of earlier ones.
    pub fn add(&mut self, entries: &[WordsEntry]) {
        for entry in entries.iter().filter(|entry| !entry.text.is_empty()) {
            if self.entries.insert(entry.source.as_str().into(), entry.text.as_str().into()).is_some() {
                self.patterns.retain(|known| *known.key != *entry.source);
            }
            if self.patterns.len() < MAX_PATTERNS {
                self.patterns.extend(Pattern::new(entry));
            }
        }
        self.patterns.sort_by(|one, two| two.fixed().cmp(&one.fixed()).then_with(|| one.key.cmp(&two.key)));
    }

    /// From now on a text that is no entry may be one in pieces: a label and its value, a number before and after; what is in the hole of a
    /// pattern may be a pattern or a list again, and the first letter of an entry may be a capital. For a window, whose texts have no room in a template.
    pub fn in_pieces(&mut self) {
        self.has_pieces = true;
    }

    /// From now on it is known what was asked for.
    pub fn watch(&mut self) {
        let back = self.entries.iter().map(|(source, text)| WordsEntry {
            source: text.to_string(),
            text: source.to_string(),
            span: Span::default(),
        });
        let mut all = Self { has_pieces: self.has_pieces, ..Self::default() };
        all.add(&back.collect::<Vec<_>>());
        self.back = Some(Box::new(all));
        self.asked = Some(Mutex::default());
    }

    /// What was asked for since [`Words::watch`], numbers as holes, and whether there is an entry.
    pub fn asked(&self) -> BTreeMap<String, bool> {
        let asked = self.asked.as_ref().map(|asked| asked.lock().unwrap_or_else(PoisonError::into_inner).clone());
        asked.unwrap_or_default()
    }

    fn note(&self, key: &str, found: bool) {
        let is_said = || self.back.as_ref().is_some_and(|back| back.known(key, &|_| false).is_some());
        if let Some(asked) = self.asked.as_ref().filter(|_| found || !is_said()) {
            asked.lock().unwrap_or_else(PoisonError::into_inner).entry(key.to_owned()).or_insert(found);
        }
    }

    fn entry(&self, key: &str) -> Option<&Arc<str>> {
        let entry = self.entries.get(key)?;
        self.note(key, true);
        Some(entry)
    }

    /// A text in this language; `None` where it stays as it is.
    pub fn say(&self, text: &str) -> Option<String> {
        self.say_but(text, &|_| false)
    }

    /// As [`Words::say`], but a text or part of one that is a player's own stays.
    pub fn say_but(&self, text: &str, is_own: &dyn Fn(&str) -> bool) -> Option<String> {
        let inner = text.trim();
        if inner.len() > MAX_BYTES || !has_words(inner) && !self.entries.contains_key(inner) || is_own(inner) {
            return None;
        }
        let said =
            self.known(inner, is_own).or_else(|| self.sentences(inner, is_own, &|part| self.known(part, is_own)))?;
        let start = text.len() - text.trim_start().len();
        Some(format!("{}{said}{}", &text[..start], &text[start + inner.len()..]))
    }

    /// As [`Words::say`], for a shared text.
    pub fn say_shared(&self, text: &Arc<str>) -> Arc<str> {
        self.say(text).map_or_else(|| Arc::clone(text), Arc::from)
    }

    /// The words around a template's values in this language, `"page {1} of {2}"`, with the values put in; `None` where there is no entry.
    pub fn say_around<T: AsRef<str>>(&self, key: &str, values: &[T]) -> Option<String> {
        let inner = key.trim();
        if !has_words(inner) && !self.entries.contains_key(&*renumbered(inner)) {
            return None;
        }
        let known = |part: &str| match part.contains('{') {
            true => self.entry(&renumbered(part)).map(|text| with_holes_of(text, part)),
            false => self.known(part, &|_| false),
        };
        let said = known(inner).or_else(|| self.sentences(inner, &|_| false, &known))?;
        let start = key.len() - key.trim_start().len();
        let said = format!("{}{said}{}", &key[..start], &key[start + inner.len()..]);
        Some(fill(&said, |hole| nth(values, hole)))
    }

    /// The sentences of a text that is no entry, each by itself: the known ones in this language; `None` if none is known. What is not
    /// is noted.
    fn sentences(
        &self,
        text: &str,
        is_own: &dyn Fn(&str) -> bool,
        known: &dyn Fn(&str) -> Option<String>,
    ) -> Option<String> {
        let mut out = String::with_capacity(text.len() + 32);
        let mut is_known = false;
        let mut rest = text;
        loop {
            let end = SENTENCE_ENDS.iter().filter_map(|sign| Some((rest.find(sign)?, *sign))).min();
            let (part, sign) = end.map_or((rest, ""), |(at, sign)| (&rest[..at], sign));
            // A full stop belongs to its sentence.
            let stop = if sign == ". " { 1 } else { 0 };
            let (part, sign) = (&rest[..part.len() + stop], &sign[stop..]);
            let inner = part.trim();
            match Some(inner).filter(|inner| has_words(inner) && !is_own(inner)).map(|inner| (known(inner), inner)) {
                Some((Some(said), _)) => {
                    is_known = true;
                    out.push_str(&part.replacen(inner, &said, 1));
                }
                Some((None, inner)) => {
                    self.note(&renumbered(&with_number_holes(inner).0), false);
                    out.push_str(part);
                }
                None => out.push_str(part),
            }
            out.push_str(sign);
            rest = &rest[part.len() + sign.len()..];
            if end.is_none() {
                return is_known.then_some(out);
            }
        }
    }

    /// By an entry, by a pattern, or by its parts.
    fn known(&self, text: &str, is_own: &dyn Fn(&str) -> bool) -> Option<String> {
        self.known_within(text, is_own, 0)
    }

    fn known_within(&self, text: &str, is_own: &dyn Fn(&str) -> bool, depth: u8) -> Option<String> {
        if is_own(text) {
            return None;
        }
        let found = self.whole(text).or_else(|| self.matched(text, is_own, depth)).or_else(|| self.parts(text, is_own));
        if found.is_some() || !self.has_pieces || depth >= MAX_DEPTH {
            return found;
        }
        let small = text.chars().next().filter(|first| first.is_uppercase()).map(|first| {
            let rest = &text[first.len_utf8()..];
            first.to_lowercase().chain(rest.chars()).collect::<String>()
        });
        let capital = small.filter(|_| !is_put_together(text)).and_then(|small| {
            let said = self.whole(&small).or_else(|| self.matched(&small, is_own, depth))?;
            let mut letters = said.chars();
            Some(letters.next()?.to_uppercase().chain(letters).collect())
        });
        capital.or_else(|| match is_put_together(text) {
            true => self.pieces(text, is_own, depth + 1),
            false => self.beside_numbers(text, is_own, depth + 1),
        })
    }

    /// The words of a text after or before its numbers and signs: `+3 marines`, `range 4 8 12`, `mass:`.
    fn beside_numbers(&self, text: &str, is_own: &dyn Fn(&str) -> bool, depth: u8) -> Option<String> {
        let is_number = |word: &&str| !word.contains(char::is_alphabetic);
        let before: usize = text.split(' ').take_while(is_number).map(|word| word.len() + 1).sum();
        let after: usize = text.rsplit(' ').take_while(is_number).map(|word| word.len() + 1).sum();
        let inner = text.get(before..text.len().checked_sub(after)?)?.trim_end_matches([':', ',']);
        if inner.len() == text.len() {
            return None;
        }
        let said = self.known_within(inner, is_own, depth)?;
        Some(format!("{}{said}{}", &text[..before], &text[before + inner.len()..]))
    }

    /// The pieces of a text, each by itself; `None` if none is known.
    fn pieces(&self, text: &str, is_own: &dyn Fn(&str) -> bool, depth: u8) -> Option<String> {
        // Sentences come first.
        if SENTENCE_ENDS.iter().any(|sign| text.contains(sign)) {
            return None;
        }
        let (at, sign) = PIECE_SIGNS.iter().filter_map(|sign| Some((text.find(sign)?, *sign))).min()?;
        let (first, rest) = (&text[..at], &text[at + sign.len()..]);
        let say = |part: &str, depth| {
            let inner = part.trim();
            if !has_words(inner) {
                return None;
            }
            let said = self.known_within(inner, is_own, depth);
            if said.is_none() && !is_put_together(inner) && !is_own(inner) {
                self.note(&with_number_holes(inner).0, false);
            }
            Some(part.replacen(inner, &said?, 1))
        };
        let (one, other) = (say(first, depth), say(rest, depth - 1));
        if one.is_none() && other.is_none() {
            return None;
        }
        let (one, other) = (one.unwrap_or_else(|| first.to_owned()), other.unwrap_or_else(|| rest.to_owned()));
        Some(format!("{one}{sign}{other}"))
    }

    /// By an entry of the whole text, or of the text with its numbers as holes.
    fn whole(&self, text: &str) -> Option<String> {
        if let Some(known) = self.entry(text) {
            return Some(known.to_string());
        }
        let (key, numbers) = with_number_holes(text);
        if numbers.is_empty() || numbers.len() > MAX_HOLES {
            return None;
        }
        Some(fill(self.entry(&key)?, |hole| nth(&numbers, hole)))
    }

    fn matched(&self, text: &str, is_own: &dyn Fn(&str) -> bool, depth: u8) -> Option<String> {
        let (pattern, values) = self.patterns.iter().find_map(|one| Some((one, one.values(text)?)))?;
        self.note(&pattern.key, true);
        let own = |value: &str| match self.has_pieces && has_words(value) {
            true if depth < MAX_DEPTH => self.known_within(value, is_own, depth + 1),
            _ => Some(value).filter(|value| !is_own(value)).and_then(|value| self.whole(value)),
        };
        let is_id = |hole: &str| hole == "id" || hole.starts_with("id_");
        let said = pattern.holes.iter().zip(values);
        let said = said.map(|(hole, value)| own(value).filter(|_| !is_id(hole)).unwrap_or_else(|| value.to_owned()));
        let said: Vec<String> = said.collect();
        Some(fill(&pattern.text, |hole| {
            said.get(pattern.holes.iter().position(|known| **known == *hole)?).map(String::as_str)
        }))
    }

    /// Each part of a line, if all of them are known.
    fn parts(&self, text: &str, is_own: &dyn Fn(&str) -> bool) -> Option<String> {
        SEPARATORS.iter().find_map(|separator| {
            let parts: Vec<&str> = text.split(separator).collect();
            if parts.len() < 2 || parts.len() > 40 {
                return None;
            }
            let stays = |part: &str| !has_words(part) || is_own(part);
            let say = |part: &&str| if stays(part) { Some((*part).to_owned()) } else { self.whole(part) };
            Some(parts.iter().map(say).collect::<Option<Vec<_>>>()?.join(separator))
        })
    }
}

#[cfg(test)]
mod tests;
