//! A TOML tree as bytes beside its text, to have it without parsing: takes a tree, gives bytes, and takes them back. The build script packs what is built in.

use std::borrow::Cow;

use super::Span;
use super::toml_tree::{TomlEntry, TomlNode, TomlTable, TomlValue};

/// Where a text is: so many bytes after the start of its span, or, if it has escapes, here.
const PLACES: [u8; 3] = [0, 1, 3];
const HERE: u8 = 255;

/// Packs the tree of a text of less than 4 GB.
pub fn pack(text: &str, root: &TomlTable<'_>) -> Vec<u8> {
    let mut packer = Packer { text, out: Vec::new(), last: 0 };
    packer.put_span(root.span);
    packer.put_entries(&root.entries);
    packer.out
}

struct Packer<'t> {
    text: &'t str,
    out: Vec<u8>,
    last: u32,
}

impl Packer<'_> {
    fn put(&mut self, mut number: u64) {
        while number >= 128 {
            self.out.push(number as u8 | 128);
            number >>= 7;
        }
        self.out.push(number as u8);
    }

    fn put_signed(&mut self, number: i64) {
        self.put(((number << 1) ^ (number >> 63)) as u64);
    }

    fn put_span(&mut self, span: Span) {
        self.put_signed(i64::from(span.start) - i64::from(self.last));
        self.put(u64::from(span.end - span.start));
        self.last = span.start;
    }

    fn put_text(&mut self, text: &str) {
        let is_at = |place: &&u8| {
            let from = self.last as usize + usize::from(**place);
            self.text.get(from..from + text.len()) == Some(text)
        };
        let place = PLACES.iter().find(is_at).copied();
        self.out.push(place.unwrap_or(HERE));
        self.put(text.len() as u64);
        if place.is_none() {
            self.out.extend_from_slice(text.as_bytes());
        }
    }

    fn put_entries(&mut self, entries: &[TomlEntry<'_>]) {
        self.put(entries.len() as u64);
        for entry in entries {
            self.put_span(entry.span);
            self.put_text(&entry.key);
            self.put_node(&entry.node);
        }
    }

    fn put_node(&mut self, node: &TomlNode<'_>) {
        self.put_span(node.span);
        let kind = self.out.len();
        self.out.push(0);
        self.out[kind] = match &node.data {
            TomlValue::Flag(false) => 0,
            TomlValue::Flag(true) => 1,
            TomlValue::Int(number) => {
                self.put_signed(*number);
                2
            }
            TomlValue::Float(text) => {
                self.put_text(text);
                3
            }
            TomlValue::Text(text) => {
                self.put_text(text);
                4
            }
            TomlValue::Date(text) => {
                self.put_text(text);
                5
            }
            TomlValue::List(list) => {
                self.put(list.len() as u64);
                list.iter().for_each(|node| self.put_node(node));
                6
            }
            TomlValue::Table(table) => {
                self.put_entries(&table.entries);
                7
            }
        };
    }
}

/// The tree that was packed with this text; `None` for bytes that were not packed with it. `file` is that of its spans.
pub fn unpack<'a>(text: &'a str, bytes: &'a [u8], file: u16) -> Option<TomlTable<'a>> {
    let mut unpacker = Unpacker { text, bytes, last: 0, file };
    let span = unpacker.span()?;
    Some(TomlTable { span, entries: unpacker.entries()? })
}

struct Unpacker<'a> {
    text: &'a str,
    bytes: &'a [u8],
    last: u32,
    file: u16,
}

impl<'a> Unpacker<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
            shift = (shift + 7) & 63;
        }
    }

    fn signed(&mut self) -> Option<i64> {
        self.number().map(|number| (number >> 1) as i64 ^ -((number & 1) as i64))
    }

    fn span(&mut self) -> Option<Span> {
        let start = self.last.wrapping_add(self.signed()? as u32);
        let end = start.wrapping_add(self.number()? as u32);
        self.last = start;
        Some(Span { file: self.file, start, end })
    }

    fn text(&mut self) -> Option<&'a str> {
        let place = self.byte()?;
        let length = self.number()? as usize;
        if place == HERE {
            let (text, rest) = self.bytes.split_at_checked(length)?;
            self.bytes = rest;
            return std::str::from_utf8(text).ok();
        }
        let start = self.last as usize + usize::from(place);
        self.text.get(start..start.checked_add(length)?)
    }

    fn several<T>(&mut self, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        // Each takes a byte at least.
        let count = usize::try_from(self.number()?).ok().filter(|count| *count <= self.bytes.len())?;
        let mut all = Vec::with_capacity(count);
        for _ in 0..count {
            all.push(one(self)?);
        }
        Some(all)
    }

    fn entries(&mut self) -> Option<Vec<TomlEntry<'a>>> {
        self.several(|unpacker| {
            let span = unpacker.span()?;
            let key = Cow::Borrowed(unpacker.text()?);
            Some(TomlEntry { key, span, node: unpacker.node()? })
        })
    }

    fn node(&mut self) -> Option<TomlNode<'a>> {
        let span = self.span()?;
        let data = match self.byte()? {
            0 => TomlValue::Flag(false),
            1 => TomlValue::Flag(true),
            2 => TomlValue::Int(self.signed()?),
            3 => TomlValue::Float(Cow::Borrowed(self.text()?)),
            4 => TomlValue::Text(Cow::Borrowed(self.text()?)),
            5 => TomlValue::Date(self.text()?.to_owned()),
            6 => TomlValue::List(self.several(Self::node)?),
            7 => TomlValue::Table(TomlTable { span, entries: self.entries()? }),
            _ => return None,
        };
        Some(TomlNode { span, data })
    }
}
