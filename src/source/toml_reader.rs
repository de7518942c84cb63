//! Builds the tree of a text from the events of `toml_parser`: what a key, header or value becomes, and which keys may not follow which. The tree and the
//! errors are those of the `toml` crate, whose own tree would have to be taken apart again; a test compares them.

use std::borrow::Cow;
use std::collections::HashMap;

use toml_parser::decoder::ScalarKind;
use toml_parser::parser::{Event, EventKind, RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{ErrorSink, Expected, ParseError, Source};

use super::Span;
use super::toml_error::{MAX_DEPTH, TomlError, TomlErrorKind};
use super::toml_tree::{TableOrigin, TomlEntry, TomlNode, TomlTable, TomlValue};

/// From so many keys on, those of a table are found by hash.
const LARGE_TABLE: usize = 32;
/// The span of an entry that a table no longer has.
const REMOVED: Span = Span { file: u16::MAX, start: u32::MAX, end: u32::MAX };

type Key<'a> = (Cow<'a, str>, Span);

/// The readable part of a text, and its errors in the order in which they are found.
pub(super) fn read(text: &str, file: u16) -> (TomlTable<'_>, Vec<TomlError>) {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::with_capacity(tokens.len());
    let mut errors = Errors { file, found: Vec::new() };
    let mut receiver = ValidateWhitespace::new(&mut events, source);
    parse_document(&tokens, &mut RecursionGuard::new(&mut receiver, MAX_DEPTH), &mut errors);
    let mut reader = TomlReader { events: events.iter(), source, file, errors, keys: LargeTables::default() };
    let root = reader.document();
    (root, reader.errors.found)
}

struct Errors {
    file: u16,
    found: Vec<TomlError>,
}

impl ErrorSink for Errors {
    fn report_error(&mut self, error: ParseError) {
        let mut message = error.description().to_owned();
        for (n, expected) in error.expected().unwrap_or_default().iter().enumerate() {
            message.push_str(if n == 0 { ", expected " } else { ", " });
            match expected {
                Expected::Literal("\n") => message.push_str("newline"),
                Expected::Literal("`") => message.push_str("'`'"),
                Expected::Literal(text) if text.chars().all(|c| c.is_ascii_control()) => {
                    message.push_str(&format!("`{}`", text.escape_debug()));
                }
                Expected::Literal(text) => message.push_str(&format!("`{text}`")),
                Expected::Description(text) => message.push_str(text),
                _ => message.push_str("etc"),
            }
        }
        if error.expected().is_some_and(<[_]>::is_empty) {
            message.push_str(", expected nothing");
        }
        let span = error.unexpected().map_or(0..0, |span| span.start()..span.end());
        let kind = TomlErrorKind::of_message(&message);
        self.found.push(TomlError { span: Span { file: self.file, ..span.into() }, message, kind });
    }
}

impl Errors {
    fn add(&mut self, message: impl Into<String>, span: Span) {
        let message = message.into();
        let kind = TomlErrorKind::of_message(&message);
        self.found.push(TomlError { span, message, kind });
    }
}

/// Places of the keys of tables with many, so that a long text is read in time in proportion to its length.
#[derive(Default)]
struct LargeTables<'a> {
    tables: u32,
    places: HashMap<(u32, Cow<'a, str>), usize>,
    /// Whether a table has an entry that is removed.
    has_removed: bool,
}

impl<'a> LargeTables<'a> {
    fn find(&mut self, table: &mut TomlTable<'a>, key: &str) -> Option<usize> {
        if table.entries.len() < LARGE_TABLE {
            return table.entries.iter().position(|entry| entry.key == key);
        }
        if table.origin.number() == 0 {
            self.tables += 1;
            table.origin.set_number(self.tables);
            for (place, entry) in table.entries.iter().enumerate() {
                self.places.insert((self.tables, entry.key.clone()), place);
            }
        }
        self.places.get(&(table.origin.number(), Cow::Borrowed(key))).copied()
    }

    fn push<'t>(
        &mut self,
        table: &'t mut TomlTable<'a>,
        (key, span): Key<'a>,
        node: TomlNode<'a>,
    ) -> &'t mut TomlNode<'a> {
        if table.origin.number() > 0 {
            self.places.insert((table.origin.number(), key.clone()), table.entries.len());
        }
        let place = table.entries.len();
        table.entries.push(TomlEntry { key, span, node });
        &mut table.entries[place].node
    }

    fn remove(&mut self, table: &mut TomlTable<'a>, place: usize) -> TomlNode<'a> {
        if table.origin.number() == 0 {
            return table.entries.remove(place).node;
        }
        let empty = TomlNode { span: REMOVED, data: TomlValue::Flag(false) };
        let entry = &mut table.entries[place];
        self.places.remove(&(table.origin.number(), std::mem::take(&mut entry.key)));
        self.has_removed = true;
        std::mem::replace(&mut entry.node, empty)
    }
}

fn drop_removed(table: &mut TomlTable<'_>) {
    table.entries.retain(|entry| entry.node.span != REMOVED);
    for entry in &mut table.entries {
        match &mut entry.node.data {
            TomlValue::Table(inner) => drop_removed(inner),
            TomlValue::List(list) => list.iter_mut().for_each(|item| {
                if let TomlValue::Table(inner) = &mut item.data {
                    drop_removed(inner);
                }
            }),
            _ => {}
        }
    }
}

struct TomlReader<'e, 'a> {
    events: std::slice::Iter<'e, Event>,
    source: Source<'a>,
    file: u16,
    errors: Errors,
    keys: LargeTables<'a>,
}

/// The header of a table: `[path.key]`, `[[path.key]]`.
struct TomlHeader<'a> {
    path: Vec<Key<'a>>,
    key: Option<Key<'a>>,
    span: Span,
    is_array: bool,
}

impl<'a> TomlReader<'_, 'a> {
    fn span(&self, from: toml_parser::Span, to: toml_parser::Span) -> Span {
        Span { file: self.file, ..(from.start()..to.end()).into() }
    }

    fn next_is(&self, kind: EventKind) -> bool {
        self.events.as_slice().first().is_some_and(|event| event.kind() == kind)
    }

    fn document(&mut self) -> TomlTable<'a> {
        let mut root = TomlTable::made(Span { file: self.file, ..Span::default() }, TableOrigin::default());
        let mut table = TomlTable::default();
        let mut header: Option<TomlHeader<'a>> = None;
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                    self.finish_table(&mut root, std::mem::take(&mut table), header.take());
                    let opened = self.header(event);
                    table = self.start_table(&mut root, &opened);
                    header = Some(opened);
                }
                EventKind::SimpleKey => {
                    let (path, Some(key)) = self.key(event) else { break };
                    if self.next_is(EventKind::Whitespace) {
                        self.events.next();
                    }
                    if self.events.next().is_none_or(|event| event.kind() != EventKind::KeyValSep) {
                        break;
                    }
                    if self.next_is(EventKind::Whitespace) {
                        self.events.next();
                    }
                    let node = self.value();
                    self.set(&mut table, path, key, node, false);
                }
                _ => {}
            }
        }
        self.finish_table(&mut root, table, header);
        if self.keys.has_removed {
            drop_removed(&mut root);
        }
        root
    }

    fn header(&mut self, open: &Event) -> TomlHeader<'a> {
        let is_array = open.kind() == EventKind::ArrayTableOpen;
        let mut header =
            TomlHeader { path: Vec::new(), key: None, span: self.span(open.span(), open.span()), is_array };
        while let Some(event) = self.events.next() {
            match event.kind() {
                EventKind::ArrayTableClose | EventKind::StdTableClose => {
                    header.span = self.span(open.span(), event.span());
                    break;
                }
                EventKind::SimpleKey => (header.path, header.key) = self.key(event),
                _ => {}
            }
        }
        header
    }

    /// `a.b.c`: the path and the last key.
    fn key(&mut self, first: &Event) -> (Vec<Key<'a>>, Option<Key<'a>>) {
        let mut path = Vec::new();
        let mut key = self.simple_key(first);
        let mut part: Option<&Event> = None;
        if self.more_key() {
            while let Some(event) = self.events.next() {
                match event.kind() {
                    EventKind::SimpleKey => {
                        part = Some(event);
                        if !self.more_key() {
                            break;
                        }
                    }
                    EventKind::KeySep => {
                        if let Some(part) = part.take() {
                            path.push(std::mem::replace(&mut key, self.simple_key(part)));
                        }
                    }
                    _ => {}
                }
            }
            if let Some(part) = part {
                path.push(std::mem::replace(&mut key, self.simple_key(part)));
            }
        }
        if path.len() >= MAX_DEPTH as usize {
            self.errors.report_error(ParseError::new("recursion limit"));
            return (Vec::new(), None);
        }
        (path, Some(key))
    }

    fn more_key(&self) -> bool {
        match self.events.as_slice() {
            [first, second, ..] if first.kind() == EventKind::Whitespace => second.kind() == EventKind::KeySep,
            [first, ..] => first.kind() == EventKind::KeySep,
            [] => false,
        }
    }

    fn simple_key(&mut self, event: &Event) -> Key<'a> {
        let mut key = Cow::Borrowed("");
        if let Some(raw) = self.source.get(event) {
            raw.decode_key(&mut key, &mut self.errors);
        }
        (key, self.span(event.span(), event.span()))
    }

    fn value(&mut self) -> TomlNode<'a> {
        let event = self.events.next();
        let value = event.and_then(|event| self.value_of(event));
        value.unwrap_or_else(|| TomlNode { span: Span { file: self.file, ..Span::default() }, data: TomlValue::Int(0) })
    }

    /// `None` of an event that begins no value.
    fn value_of(&mut self, event: &Event) -> Option<TomlNode<'a>> {
        match event.kind() {
            EventKind::InlineTableOpen => Some(self.inline_table(event)),
            EventKind::ArrayOpen => Some(self.list(event)),
            EventKind::Scalar => Some(self.scalar(event)),
            _ => None,
        }
    }

    fn scalar(&mut self, event: &Event) -> TomlNode<'a> {
        let mut text = Cow::Borrowed("");
        let kind = self.source.get(event).map(|raw| raw.decode_scalar(&mut text, &mut self.errors));
        let data = match kind {
            None | Some(ScalarKind::String) => TomlValue::Text(text),
            Some(ScalarKind::Boolean(flag)) => TomlValue::Flag(flag),
            Some(ScalarKind::Float) => TomlValue::Float(text),
            Some(ScalarKind::Integer(radix)) => match i64::from_str_radix(&text, radix.value()) {
                Ok(number) => TomlValue::Int(number),
                Err(_) => TomlValue::Float(text),
            },
            Some(ScalarKind::DateTime) => match text.parse::<toml_datetime::Datetime>() {
                Ok(date) => TomlValue::Date(date.to_string()),
                Err(error) => {
                    self.errors.report_error(ParseError::new(error.to_string()).with_unexpected(event.span()));
                    TomlValue::Date(String::new())
                }
            },
        };
        TomlNode { span: self.span(event.span(), event.span()), data }
    }

    fn list(&mut self, open: &Event) -> TomlNode<'a> {
        let mut list = Vec::new();
        let (mut value, mut close) = (None, open);
        while let Some(event) = self.events.next() {
            close = event;
            match event.kind() {
                EventKind::InlineTableOpen | EventKind::ArrayOpen | EventKind::Scalar => value = self.value_of(event),
                EventKind::ValueSep => list.extend(value.take()),
                EventKind::Error | EventKind::Whitespace | EventKind::Comment | EventKind::Newline => {}
                EventKind::ArrayClose => {
                    list.extend(value.take());
                    break;
                }
                _ => break,
            }
        }
        TomlNode { span: self.span(open.span(), close.span()), data: TomlValue::List(list) }
    }

    fn inline_table(&mut self, open: &Event) -> TomlNode<'a> {
        let mut table = TomlTable::made(Span::default(), TableOrigin::new(false, false, true));
        let (mut key, mut value, mut close) = (None, None, open);
        while let Some(event) = self.events.next() {
            close = event;
            match event.kind() {
                EventKind::SimpleKey => {
                    if let (path, Some(last)) = self.key(event) {
                        key = Some((path, last));
                    }
                }
                EventKind::InlineTableOpen | EventKind::ArrayOpen | EventKind::Scalar => value = self.value_of(event),
                EventKind::ValueSep | EventKind::InlineTableClose => {
                    if let (Some((path, key)), Some(node)) = (key.take(), value.take()) {
                        self.set(&mut table, path, key, node, true);
                    }
                    if event.kind() == EventKind::InlineTableClose {
                        break;
                    }
                }
                EventKind::Error
                | EventKind::KeyValSep
                | EventKind::Whitespace
                | EventKind::Comment
                | EventKind::Newline => {}
                _ => break,
            }
        }
        table.span = self.span(open.span(), close.span());
        TomlNode { span: table.span, data: TomlValue::Table(table) }
    }

    /// `path.key = value` in a table; `inline` where that is in braces.
    fn set(&mut self, table: &mut TomlTable<'a>, path: Vec<Key<'a>>, key: Key<'a>, node: TomlNode<'a>, inline: bool) {
        let dotted = !path.is_empty();
        let Some(table) = self.descend(table, path, true, inline) else { return };
        // A table that a header has made, or that is written out, gets no keys by dots, and one made by dots none without.
        let mixes = if inline {
            table.origin.is(TableOrigin::DOTTED) != dotted
        } else {
            dotted && !table.origin.is(TableOrigin::IMPLICIT)
        };
        if mixes || self.keys.find(table, &key.0).is_some() {
            return self.errors.add("duplicate key", key.1);
        }
        self.keys.push(table, key, node);
    }

    /// The table at a path, made where there is none. `dotted`: as part of a key; `inline`: within an inline table.
    fn descend<'t>(
        &mut self,
        mut table: &'t mut TomlTable<'a>,
        path: Vec<Key<'a>>,
        dotted: bool,
        inline: bool,
    ) -> Option<&'t mut TomlTable<'a>> {
        for key in path {
            let span = key.1;
            let node = match self.keys.find(table, &key.0) {
                Some(place) => &mut table.entries[place].node,
                None => {
                    let made = TomlTable::made(span, TableOrigin::new(true, dotted, inline));
                    let node = self.keys.push(table, key, TomlNode { span, data: TomlValue::Table(made) });
                    let TomlValue::Table(made) = &mut node.data else { return None };
                    table = made;
                    continue;
                }
            };
            let kind = kind_of(node, self.source);
            let inner = match &mut node.data {
                TomlValue::Table(inner) if inner.origin.is(TableOrigin::INLINE) && !inline => {
                    self.errors.add("cannot extend value of type inline table with a dotted key", span);
                    return None;
                }
                TomlValue::Table(inner) => {
                    if dotted && !inner.origin.is(TableOrigin::IMPLICIT) {
                        self.errors.add("duplicate key", span);
                        return None;
                    }
                    if dotted && !inline {
                        inner.origin.add(TableOrigin::DOTTED);
                    }
                    Some(inner)
                }
                TomlValue::List(list) if !inline => last_of_headers(list),
                _ => None,
            };
            let Some(inner) = inner else {
                self.errors.add(format!("cannot extend value of type {kind} with a dotted key"), span);
                return None;
            };
            table = inner;
        }
        Some(table)
    }

    /// What is there of the table of a header: one that only longer headers have named.
    fn start_table(&mut self, root: &mut TomlTable<'a>, header: &TomlHeader<'a>) -> TomlTable<'a> {
        let mut table = TomlTable::default();
        if header.is_array {
            return table;
        }
        let Some(parent) = self.descend(root, header.path.clone(), false, false) else { return table };
        let Some((key, span)) = &header.key else { return table };
        let Some(place) = self.keys.find(parent, key) else { return table };
        let node = self.keys.remove(parent, place);
        let is_new = matches!(&node.data, TomlValue::Table(old) if old.origin.is(TableOrigin::IMPLICIT) && !old.origin.is(TableOrigin::DOTTED));
        if !is_new {
            self.errors.add("duplicate key", *span);
        }
        if let TomlValue::Table(old) = node.data {
            table = old;
        }
        table.origin.clear(TableOrigin::IMPLICIT | TableOrigin::DOTTED);
        table
    }

    /// Puts a table at its place; without a header it is the root.
    fn finish_table(&mut self, root: &mut TomlTable<'a>, mut table: TomlTable<'a>, header: Option<TomlHeader<'a>>) {
        let Some(header) = header else {
            table.span = root.span;
            *root = table;
            return;
        };
        let Some(key) = header.key else { return };
        table.span = header.span;
        let node = TomlNode { span: header.span, data: TomlValue::Table(table) };
        let Some(parent) = self.descend(root, header.path, false, false) else { return };
        if !header.is_array {
            self.keys.push(parent, key, node);
            return;
        }
        let Some(place) = self.keys.find(parent, &key.0) else {
            self.keys.push(parent, key, TomlNode { span: header.span, data: TomlValue::List(vec![node]) });
            return;
        };
        if let TomlValue::List(list) = &mut parent.entries[place].node.data
            && last_of_headers(list).is_some()
        {
            list.push(node);
        } else {
            self.errors.add("duplicate key", key.1);
        }
    }
}

/// The last table of a list that `[[headers]]` have made.
fn last_of_headers<'t, 'a>(list: &'t mut [TomlNode<'a>]) -> Option<&'t mut TomlTable<'a>> {
    match &mut list.last_mut()?.data {
        TomlValue::Table(table) if !table.origin.is(TableOrigin::INLINE) => Some(table),
        _ => None,
    }
}

/// For the message about what has no keys.
fn kind_of(node: &TomlNode<'_>, source: Source<'_>) -> &'static str {
    let written = || source.input().get(node.span.start as usize..node.span.end as usize).unwrap_or_default();
    let is_whole = |text: &str| text.starts_with("0x") || !text.contains(['.', 'e', 'E', 'n']);
    match &node.data {
        TomlValue::Text(_) => "string",
        TomlValue::Int(_) => "integer",
        TomlValue::Float(_) if is_whole(written()) => "integer",
        TomlValue::Float(_) => "float",
        TomlValue::Flag(_) => "boolean",
        TomlValue::Date(_) => "datetime",
        TomlValue::List(_) => "array",
        TomlValue::Table(_) => "table",
    }
}

#[cfg(test)]
mod tests;
