//! A design's file as the player wrote it: takes its text, changes single values in it, gives the text back with comments,
//! order, blank lines, line ends and byte-order mark as they were.

use toml_edit::{DocumentMut, Item, TableLike, Value};

/// A file's text that can be changed in single places.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    tree: DocumentMut,
    changed: bool,
}

impl Document {
    /// The document of a text, with its byte-order mark if the file has one.
    ///
    /// # Errors
    /// The parser's words when the text is not TOML; reading it as a [`Design`](super::Design) says where.
    pub fn parse(text: &str) -> Result<Self, String> {
        let tree = text.strip_prefix(MARK).unwrap_or(text).parse::<DocumentMut>();
        Ok(Self { text: text.to_owned(), tree: tree.map_err(|error| error.message().to_owned())?, changed: false })
    }

    /// The text. Byte for byte the one read as long as nothing was changed.
    pub fn to_text(&self) -> String {
        if !self.changed {
            return self.text.clone();
        }
        let mut text = self.tree.to_string();
        // toml_edit writes plain line ends; the file keeps those that most of its lines have.
        let windows = self.text.matches("\r\n").count();
        if windows * 2 > self.text.matches('\n').count() {
            text = text.replace('\n', "\r\n");
        }
        if self.text.starts_with(MARK) {
            text.insert(0, MARK);
        }
        text
    }

    /// Sets a key of `[fields]`, which is added if need be.
    pub fn set_field(&mut self, key: &str, value: impl Into<Value>) {
        if self.tree.get("fields").is_none() {
            self.tree.insert("fields", toml_edit::table());
        }
        if let Some(fields) = self.tree.get_mut("fields").and_then(Item::as_table_like_mut) {
            set(fields, key, value.into());
            self.changed = true;
        }
    }

    /// Sets a key of a fit, `count` or a parameter; fits count from 0 in file order. False when there is no such fit.
    pub fn set_fit(&mut self, fit: usize, key: &str, value: impl Into<Value>) -> bool {
        let found: Option<&mut dyn TableLike> = match self.tree.get_mut("fit") {
            Some(Item::ArrayOfTables(tables)) => tables.get_mut(fit).map(|table| table as _),
            Some(Item::Value(Value::Array(list))) => {
                list.get_mut(fit).and_then(Value::as_inline_table_mut).map(|table| table as _)
            }
            _ => None,
        };
        let Some(table) = found else { return false };
        set(table, key, value.into());
        self.changed = true;
        true
    }
}

/// The byte-order mark.
const MARK: char = '\u{feff}';

/// Puts a value in the place of the old one, with the spaces and the comment that stood around it.
fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => {
            table.insert(key, Item::Value(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\u{feff}# mine\r\nruleset = 'x'   # the game\r\n\r\n[fields]\r\nnation = \"a\"  # ours\r\n\r\n\
                        # guns\r\n[[fit]]\r\nsystem='laser'\r\ncount = 2 # two\r\n";

    #[test]
    fn unchanged_is_byte_for_byte() {
        for text in [TEXT, "", "a = 1", "a = 1\r\nb = 2\nc = 3\r\n", "\u{feff}", "a = '''\r\nx\r\n'''\r\n"] {
            assert_eq!(Document::parse(text).unwrap().to_text(), text);
        }
    }

    #[test]
    fn a_change_touches_nothing_else() {
        let mut document = Document::parse(TEXT).unwrap();
        document.set_field("nation", "haven");
        assert!(document.set_fit(0, "count", 3));
        assert!(!document.set_fit(1, "count", 3));
        assert_eq!(document.to_text(), TEXT.replace("\"a\"", "\"haven\"").replace("count = 2", "count = 3"));
    }

    #[test]
    fn what_is_missing_is_added() {
        let mut document = Document::parse("ruleset = 'x'\nfit = [{ system = 'a' }] # one\n").unwrap();
        document.set_field("agile", true);
        assert!(document.set_fit(0, "count", 4));
        assert_eq!(
            document.to_text(),
            "ruleset = 'x'\nfit = [{ system = 'a' , count = 4 }] # one\n\n[fields]\nagile = true\n"
        );
    }
}
