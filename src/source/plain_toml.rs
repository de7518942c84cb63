//! Reads plain TOML in one pass: takes a text, gives the tree that the parser would, or nothing where the text holds anything but lines of
//! `key = value`, headers of one word, whole numbers, flags, and text, lists and inline tables without escapes. Then the parser reads it, which
//! alone knows what is wrong with a text.

use std::borrow::Cow;

use super::Span;
use super::toml_tree::{TomlEntry, TomlNode, TomlTable, TomlValue};

/// Keys of one table; more are the parser's, which finds equal ones by their hash.
const MAX_KEYS: usize = 64;
const MAX_NESTING: usize = 8;
/// Digits of a number that certainly fits.
const MAX_DIGITS: usize = 18;

/// `None` where the parser has to read it.
pub(super) fn parse(text: &str, file: u16) -> Option<TomlTable<'_>> {
    let reader = &mut PlainReader { text, bytes: text.as_bytes(), at: 0, file };
    let mut root = TomlTable { span: Span { file, ..Span::default() }, entries: Vec::new() };
    // The entry of the root that keys go to; none before the first header.
    let mut open: Option<usize> = None;
    loop {
        reader.skip_blank();
        match reader.peek() {
            None => return Some(root),
            Some(b'\n') => reader.at += 1,
            Some(b'#') => reader.skip_comment()?,
            Some(b'[') => {
                open = Some(reader.header(&mut root)?);
                reader.end_line()?;
            }
            Some(_) => {
                let entries = match open {
                    None => &mut root.entries,
                    Some(entry) => match &mut root.entries[entry].node.data {
                        TomlValue::Table(table) => &mut table.entries,
                        TomlValue::List(tables) => match &mut tables.last_mut()?.data {
                            TomlValue::Table(table) => &mut table.entries,
                            _ => return None,
                        },
                        _ => return None,
                    },
                };
                reader.key_and_value(entries, 0)?;
                reader.end_line()?;
            }
        }
    }
}

struct PlainReader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    file: u16,
}

impl<'a> PlainReader<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn span(&self, start: usize) -> Span {
        Span { file: self.file, ..(start..self.at).into() }
    }

    fn skip_while(&mut self, is_part: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len());
    }

    fn skip_blank(&mut self) {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t'));
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        if self.peek()? != byte {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// To the end of the line.
    fn skip_comment(&mut self) -> Option<()> {
        self.skip_while(|byte| byte >= 0x20 && byte != 0x7f || byte == b'\t');
        matches!(self.peek(), None | Some(b'\n')).then_some(())
    }

    fn end_line(&mut self) -> Option<()> {
        self.skip_blank();
        match self.peek() {
            None => Some(()),
            Some(b'\n') => self.take(b'\n'),
            Some(b'#') => self.skip_comment(),
            Some(_) => None,
        }
    }

    fn key(&mut self) -> Option<(Cow<'a, str>, Span)> {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
        let key = self.text.get(start..self.at).filter(|key| !key.is_empty())?;
        Some((Cow::Borrowed(key), self.span(start)))
    }

    /// `[name]` or `[[name]]`: adds its table to the root; gives the index of its entry there.
    fn header(&mut self, root: &mut TomlTable<'a>) -> Option<usize> {
        let start = self.at;
        self.take(b'[')?;
        let is_list = self.peek() == Some(b'[');
        self.at += usize::from(is_list);
        self.skip_blank();
        let (key, key_span) = self.key()?;
        self.skip_blank();
        self.take(b']')?;
        if is_list {
            self.take(b']')?;
        }
        let span = self.span(start);
        let table = TomlValue::Table(TomlTable { span, entries: Vec::new() });
        let known = root.entries.iter().position(|entry| entry.key == key);
        match known {
            None if root.entries.len() >= MAX_KEYS => None,
            None => {
                let data = if is_list { TomlValue::List(vec![TomlNode { span, data: table }]) } else { table };
                root.entries.push(TomlEntry { key, span: key_span, node: TomlNode { span, data } });
                Some(root.entries.len() - 1)
            }
            Some(entry) => {
                let node = &mut root.entries[entry].node;
                // A list that is written as a value cannot be added to.
                match &mut node.data {
                    TomlValue::List(tables) if is_list && tables.first()?.span == node.span => {
                        tables.push(TomlNode { span, data: table });
                    }
                    _ => return None,
                }
                Some(entry)
            }
        }
    }

    fn key_and_value(&mut self, entries: &mut Vec<TomlEntry<'a>>, depth: usize) -> Option<()> {
        let (key, span) = self.key()?;
        if entries.len() >= MAX_KEYS || entries.iter().any(|entry| entry.key == key) {
            return None;
        }
        self.skip_blank();
        self.take(b'=')?;
        self.skip_blank();
        let node = self.value(depth)?;
        entries.push(TomlEntry { key, span, node });
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<TomlNode<'a>> {
        let start = self.at;
        let data = match self.peek()? {
            quote @ (b'"' | b'\'') => TomlValue::Text(self.quoted(quote)?),
            b'[' if depth < MAX_NESTING => TomlValue::List(self.list(depth)?),
            b'{' if depth < MAX_NESTING => {
                let entries = self.inline_table(depth)?;
                TomlValue::Table(TomlTable { span: self.span(start), entries })
            }
            b'0'..=b'9' | b'-' => TomlValue::Int(self.whole_number()?),
            b't' | b'f' => {
                self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                TomlValue::Flag(match &self.text[start..self.at] {
                    "true" => true,
                    "false" => false,
                    _ => return None,
                })
            }
            _ => return None,
        };
        // `1.5`, `12:00` and the like.
        let is_whole = matches!(self.peek(), None | Some(b' ' | b'\t' | b'\n' | b'#' | b',' | b']' | b'}'));
        is_whole.then(|| TomlNode { span: self.span(start), data })
    }

    /// On one line, without escapes.
    fn quoted(&mut self, quote: u8) -> Option<Cow<'a, str>> {
        self.at += 1;
        let start = self.at;
        self.skip_while(|byte| byte != quote && byte != b'\\' && byte >= 0x20 && byte != 0x7f);
        let text = self.text.get(start..self.at)?;
        self.take(quote)?;
        // Two quotes begin a text of several lines.
        (!text.is_empty() || self.peek() != Some(quote)).then_some(Cow::Borrowed(text))
    }

    fn whole_number(&mut self) -> Option<i64> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let digits = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        let has_sign_or_zeros = self.bytes[digits..self.at].starts_with(b"0") && self.at - start > 1;
        if has_sign_or_zeros || self.at - digits > MAX_DIGITS {
            return None;
        }
        // A date goes on with `-`.
        self.text[start..self.at].parse().ok()
    }

    fn skip_blank_lines(&mut self) {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n'));
    }

    fn list(&mut self, depth: usize) -> Option<Vec<TomlNode<'a>>> {
        self.take(b'[')?;
        let mut items = Vec::new();
        loop {
            self.skip_blank_lines();
            if self.peek()? == b']' {
                break;
            }
            items.push(self.value(depth + 1)?);
            self.skip_blank_lines();
            match self.peek()? {
                b',' => self.at += 1,
                b']' => break,
                _ => return None,
            }
        }
        self.take(b']')?;
        Some(items)
    }

    /// On one line.
    fn inline_table(&mut self, depth: usize) -> Option<Vec<TomlEntry<'a>>> {
        self.take(b'{')?;
        let mut entries = Vec::new();
        self.skip_blank();
        if self.peek()? != b'}' {
            loop {
                self.skip_blank();
                self.key_and_value(&mut entries, depth + 1)?;
                self.skip_blank();
                match self.peek()? {
                    b',' => self.at += 1,
                    b'}' => break,
                    _ => return None,
                }
            }
        }
        self.take(b'}')?;
        Some(entries)
    }
}
