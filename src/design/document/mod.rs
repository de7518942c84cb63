//! A design's or fleet's file as the player wrote it: takes its text and single edits, gives the new text. An edit
//! changes only the lines concerned; comments, order, blank lines, line ends, quotes and unknown keys stay. It leaves
//! valid TOML, or is refused and changes nothing.

mod apply_edits;
mod damage;
mod embed;
mod fleet;
mod inline_items;
mod keys;
mod paste;
mod rows;
mod table_arrays;
mod toml_text;
mod tree;

use std::ops::Range;

use toml_edit::Value;

use crate::finding::Finding;
use crate::source::toml::parse;

pub use fleet::{NewCarried, UnitPath};
use tree::{DocumentTree, PathStep, path};

const MAX_BYTES: usize = 1_000_000;
const BOM: char = '\u{feff}';

/// A file's text with edits of single places. Indices of fits, systems and rows count from 0 in file order, as
/// [`Fit::index`](super::Fit::index) does.
#[derive(Clone, Debug)]
pub struct Document {
    /// Without the byte-order mark.
    text: String,
    has_bom: bool,
    tree: DocumentTree,
    /// For a fragment: the file's line ending, and whether the file uses blank lines.
    default_style: Option<(&'static str, bool)>,
}

type TextEdit = (Range<usize>, String);

impl Document {
    /// Parses a text, which may have a byte-order mark.
    ///
    /// # Errors
    /// The parser's message when the text is not TOML; reading it as a [`Design`](super::Design) gives the place.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (mark, text) = text.strip_prefix(BOM).map_or((false, text), |rest| (true, rest));
        match parse(text, 0).1.into_iter().next() {
            Some(fault) => Err(fault.message),
            None => {
                Ok(Self { text: text.to_owned(), has_bom: mark, tree: DocumentTree::parse(text), default_style: None })
            }
        }
    }

    /// The text for the file: byte for byte the original as long as nothing was changed.
    pub fn to_text(&self) -> String {
        if self.has_bom { format!("{BOM}{}", self.text) } else { self.text.clone() }
    }

    /// The text without a byte-order mark, as in a [`Source`](crate::source::Source) of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Sets a key before the first table: `ruleset`, `name`, `notes`.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn set_top(&mut self, key: &str, value: impl Into<Value>) -> Result<(), Finding> {
        self.set_key(&[], key, &value.into())
    }

    /// Removes a key before the first table, if present.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn remove_top(&mut self, key: &str) -> Result<(), Finding> {
        self.remove_key(&[], key)
    }

    /// Sets a key of `[fields]`, which is added if necessary.
    ///
    /// # Errors
    /// `cannot-edit` when `fields` is not a table.
    pub fn set_field(&mut self, key: &str, value: impl Into<Value>) -> Result<(), Finding> {
        self.set_key(&path(&["fields"]), key, &value.into())
    }

    /// Removes a key of `[fields]`, if present.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn remove_field(&mut self, key: &str) -> Result<(), Finding> {
        self.remove_key(&path(&["fields"]), key)
    }

    /// Sets a key of a fit: `system`, `mount`, `count` or a parameter.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such fit.
    pub fn set_fit(&mut self, fit: usize, key: &str, value: impl Into<Value>) -> Result<(), Finding> {
        let table = self.entry_path("fit", fit)?;
        self.set_key(&table, key, &value.into())
    }

    /// Removes a key of a fit, if present.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such fit.
    pub fn remove_fit_key(&mut self, fit: usize, key: &str) -> Result<(), Finding> {
        let table = self.entry_path("fit", fit)?;
        self.remove_key(&table, key)
    }

    pub fn fit_count(&self) -> usize {
        self.table_count(&path(&["fit"]))
    }

    /// Inserts a fit before fit `at`, or at the end; returns its index. A count of 1 is not written.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn add_fit(
        &mut self,
        at: usize,
        system: &str,
        mount: Option<&str>,
        count: u32,
        parameters: &[(&str, Value)],
    ) -> Result<usize, Finding> {
        let mut pairs = vec![("system", Value::from(system))];
        pairs.extend(mount.map(|mount| ("mount", Value::from(mount))));
        pairs.extend((count != 1).then(|| ("count", Value::from(i64::from(count)))));
        pairs.extend(parameters.iter().cloned());
        self.add_table(&path(&["fit"]), at, &pairs)
    }

    /// Removes a fit with its own comments: inside it, directly above it, and after it on its lines.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such fit.
    pub fn remove_fit(&mut self, fit: usize) -> Result<(), Finding> {
        self.remove_table(&path(&["fit"]), fit, false)
    }

    /// Moves a fit, with its own comments, to index `to`.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such fit.
    pub fn move_fit(&mut self, from: usize, to: usize) -> Result<(), Finding> {
        self.move_table(&path(&["fit"]), from, to)
    }

    pub fn system_count(&self) -> usize {
        self.table_count(&path(&["system"]))
    }

    /// Appends a custom system; returns its index.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it.
    pub fn add_system(&mut self, id: &str, like: &str, keys: &[(&str, Value)]) -> Result<usize, Finding> {
        let mut pairs = vec![("id", Value::from(id)), ("like", Value::from(like))];
        pairs.extend(keys.iter().cloned());
        self.add_table(&path(&["system"]), usize::MAX, &pairs)
    }

    /// Sets a key of a custom system.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such system.
    pub fn set_system(&mut self, system: usize, key: &str, value: impl Into<Value>) -> Result<(), Finding> {
        let table = self.entry_path("system", system)?;
        self.set_key(&table, key, &value.into())
    }

    /// Removes a key of a custom system, if present.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such system.
    pub fn remove_system_key(&mut self, system: usize, key: &str) -> Result<(), Finding> {
        let table = self.entry_path("system", system)?;
        self.remove_key(&table, key)
    }

    /// Removes a custom system with its own comments.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such system.
    pub fn remove_system(&mut self, system: usize) -> Result<(), Finding> {
        self.remove_table(&path(&["system"]), system, false)
    }

    fn entry_path(&self, key: &str, index: usize) -> Result<Vec<PathStep>, Finding> {
        self.table_path(&path(&[key]), index)
            .ok_or_else(|| cannot_edit(format!("unknown `{key}` number {}", index + 1)))
    }

    fn newline(&self) -> &'static str {
        if let Some((newline, _)) = self.default_style {
            return newline;
        }
        let windows = self.text.matches("\r\n").count();
        if windows * 2 > self.text.matches('\n').count() { "\r\n" } else { "\n" }
    }

    /// Makes all changes, or none when the result would not be TOML.
    fn splice(&mut self, mut edits: Vec<TextEdit>) -> Result<(), Finding> {
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut text = String::with_capacity(self.text.len() + edits.iter().map(|(_, new)| new.len()).sum::<usize>());
        let mut at = 0;
        for (range, new) in &edits {
            text.push_str(self.text.get(at..range.start).ok_or_else(cannot_edit_form)?);
            text.push_str(new);
            at = range.end;
        }
        text.push_str(self.text.get(at..).ok_or_else(cannot_edit_form)?);
        if text.len() > MAX_BYTES && text.len() > self.text.len() {
            return Err(cannot_edit(format!("the file would grow to {} bytes, the limit is {MAX_BYTES}", text.len())));
        }
        if !parse(&text, 0).1.is_empty() {
            return Err(cannot_edit_form());
        }
        self.tree = DocumentTree::parse(&text);
        self.text = text;
        Ok(())
    }

    /// Runs several edits; if one is refused, none takes effect.
    fn transaction<T>(&mut self, edits: impl FnOnce(&mut Self) -> Result<T, Finding>) -> Result<T, Finding> {
        let before = self.clone();
        let done = edits(self);
        if done.is_err() {
            *self = before;
        }
        done
    }
}

fn cannot_edit(message: impl Into<String>) -> Finding {
    Finding::error("cannot-edit", message).help("edit the file as text; nothing was changed")
}

fn cannot_edit_form() -> Finding {
    cannot_edit("the editor cannot change this part of the file as it is written")
}

#[cfg(test)]
mod fleet_tests;
#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
