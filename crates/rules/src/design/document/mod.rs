//! A design's or fleet's file as the player wrote it: takes its text and single edits, gives the new text. An edit
//! changes only the lines concerned; comments, order, blank lines, line ends, quotes and unknown keys stay. It leaves
//! valid TOML, or is refused and changes nothing.

mod apply_edit;
mod damage;
mod edit;
mod embed;
mod fleet;
mod inline_items;
mod keys;
mod paste;
mod paths;
mod rows;
mod table_arrays;
mod toml_text;
mod tree;

use std::ops::Range;

use moldloft_base::finding::Finding;
use moldloft_base::source::toml::parse;

pub use apply_edit::written_scalar;
pub use edit::{DocumentEdit, TableList, TablePath, UnitPath};
pub(super) use toml_text::inline_data;
pub use toml_text::{basic_string, data_with_texts};
use tree::DocumentTree;

const MAX_BYTES: usize = 1_000_000;
const BOM: char = '\u{feff}';

/// A file's text, changed by edits of single places.
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
        let (has_bom, text) = text.strip_prefix(BOM).map_or((false, text), |rest| (true, rest));
        match parse(text, 0).1.into_iter().next() {
            Some(fault) => Err(fault.message),
            None => Ok(Self { text: text.to_owned(), has_bom, tree: DocumentTree::parse(text), default_style: None }),
        }
    }

    /// The text for the file: byte for byte the original as long as nothing was changed.
    pub fn to_text(&self) -> String {
        if self.has_bom { format!("{BOM}{}", self.text) } else { self.text.clone() }
    }

    /// The text without a byte-order mark, as in a [`Source`](moldloft_base::source::Source) of it.
    pub fn text(&self) -> &str {
        &self.text
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
