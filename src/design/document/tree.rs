//! A TOML text as its lines stand: takes a text that is TOML, gives every header and every pair with its address, and where
//! each key, value, comma and comment is. Changes nothing, and knows no word of a design.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_parser::Source;
use toml_parser::parser::{Event, EventKind, parse_document};

/// One step of the way from the root to a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Key(String),
    /// Of an array, from 0.
    Nth(usize),
}

/// The way to a top-level key and below.
pub(super) fn way(keys: &[&str]) -> Vec<Step> {
    keys.iter().map(|key| Step::Key((*key).to_owned())).collect()
}

/// The way, one step further.
pub(super) fn then(way: &[Step], step: Step) -> Vec<Step> {
    way.iter().cloned().chain([step]).collect()
}

/// A value with its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub span: Range<usize>,
    pub body: Body,
}

#[derive(Clone, Debug)]
pub(super) enum Body {
    /// Text, a number, a flag, a date.
    Plain,
    List(Vec<Part>),
    /// An inline table.
    Table(Vec<Part>),
}

/// An item of an array, or an entry of an inline table.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The entry's dotted key; empty in an array.
    pub path: Vec<String>,
    /// From the key, or the value, to the value's end.
    pub span: Range<usize>,
    pub node: Node,
    /// Where the comma after it stands.
    pub comma: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// `[x]`, or `[[x]]` where there may be many.
    Header {
        many: bool,
    },
    Pair(Node),
}

/// A header or a pair. It has its lines to itself, a comment behind it included.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub kind: Kind,
    /// From the root.
    pub address: Vec<Step>,
    /// The header it stands under, as an index of statements; a header stands under itself.
    pub section: Option<usize>,
    pub span: Range<usize>,
    /// Its lines whole, with the last one's end.
    pub lines: Range<usize>,
}

/// What is found at an address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<'t> {
    /// The pair it stands in.
    pub statement: usize,
    pub node: &'t Node,
    /// The array or inline table that holds it, and as which part; `None` when it is the pair's own value.
    pub holder: Option<(&'t Node, usize)>,
}

/// All statements and comments of a text, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub statements: Vec<Statement>,
    pub comments: Vec<Range<usize>>,
}

impl Tree {
    /// Reads a text that is known to be TOML; of any other it gives something that is not worth having.
    pub fn read(text: &str) -> Self {
        let source = Source::new(text);
        let tokens = source.lex().into_vec();
        let mut events: Vec<Event> = Vec::with_capacity(tokens.len());
        parse_document(&tokens, &mut events, &mut ());
        let mut tree = Tree::default();
        for event in &events {
            if event.kind() == EventKind::Comment {
                tree.comments.push(event.span().start()..event.span().end());
            }
        }
        events.retain(|event| {
            !matches!(
                event.kind(),
                EventKind::Comment | EventKind::Whitespace | EventKind::Newline | EventKind::KeySep | EventKind::Error
            )
        });
        let mut reader = Reader { source, events: &events, at: 0 };
        let mut counts: BTreeMap<Vec<Step>, usize> = BTreeMap::new();
        let mut section = None;
        while let Some(event) = reader.next() {
            let start = event.span().start();
            match event.kind() {
                EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                    let many = event.kind() == EventKind::ArrayTableOpen;
                    let keys = reader.keys();
                    let end = reader.next().map_or(start, |event| event.span().end());
                    section = Some(tree.statements.len());
                    let address = resolve(keys, many, &mut counts);
                    tree.push(text, Kind::Header { many }, address, section, start..end);
                }
                EventKind::SimpleKey => {
                    reader.at -= 1;
                    let keys = reader.keys();
                    reader.skip(EventKind::KeyValSep);
                    let node = reader.value(start);
                    let mut address = section.map_or_else(Vec::new, |at: usize| tree.statements[at].address.clone());
                    address.extend(keys.into_iter().map(Step::Key));
                    let span = start..node.span.end;
                    tree.push(text, Kind::Pair(node), address, section, span);
                }
                _ => {}
            }
        }
        tree
    }

    fn push(&mut self, text: &str, kind: Kind, address: Vec<Step>, section: Option<usize>, span: Range<usize>) {
        let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |newline| span.end + newline + 1);
        self.statements.push(Statement { kind, address, section, span, lines: start..end });
    }

    /// The value that a pair, or a part of its value, gives this address.
    pub fn value(&self, address: &[Step]) -> Option<Found<'_>> {
        self.statements.iter().enumerate().find_map(|(statement, line)| {
            let Kind::Pair(node) = &line.kind else { return None };
            let rest = address.strip_prefix(&line.address[..])?;
            let (node, holder) = descend(node, None, rest)?;
            Some(Found { statement, node, holder })
        })
    }

    /// The header of a table.
    pub fn header(&self, address: &[Step]) -> Option<usize> {
        self.statements.iter().position(|line| matches!(line.kind, Kind::Header { .. }) && line.address == address)
    }

    /// Every statement of a table and of those in it, as runs of statements that follow one another.
    pub fn below(&self, address: &[Step]) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (at, line) in self.statements.iter().enumerate() {
            if line.address.starts_with(address) {
                match runs.last_mut() {
                    Some(run) if run.end == at => run.end = at + 1,
                    _ => runs.push(at..at + 1),
                }
            }
        }
        runs
    }

    /// The comments within a range, in their order.
    pub fn comments_in<'s>(&self, text: &'s str, range: &Range<usize>) -> Vec<&'s str> {
        let within = self.comments.iter().filter(|at| at.start >= range.start && at.end <= range.end);
        within.map(|at| text[at.clone()].trim_end()).collect()
    }
}

/// The address of a header: where it goes through an array of tables, it means the last of them.
fn resolve(keys: Vec<String>, many: bool, counts: &mut BTreeMap<Vec<Step>, usize>) -> Vec<Step> {
    let mut address = Vec::with_capacity(keys.len() + 1);
    let last = keys.len().saturating_sub(1);
    for (place, key) in keys.into_iter().enumerate() {
        address.push(Step::Key(key));
        if place == last && many {
            let count = counts.entry(address.clone()).or_insert(0);
            *count += 1;
            address.push(Step::Nth(*count - 1));
        } else if place != last
            && let Some(count) = counts.get(&address)
        {
            address.push(Step::Nth(count - 1));
        }
    }
    address
}

fn descend<'t>(
    node: &'t Node,
    holder: Option<(&'t Node, usize)>,
    rest: &[Step],
) -> Option<(&'t Node, Option<(&'t Node, usize)>)> {
    let Some(step) = rest.first() else { return Some((node, holder)) };
    match (&node.body, step) {
        (Body::List(parts), Step::Nth(at)) => descend(&parts.get(*at)?.node, Some((node, *at)), &rest[1..]),
        (Body::Table(parts), Step::Key(_)) => parts.iter().enumerate().find_map(|(at, part)| {
            let further = after(rest, &part.path)?;
            descend(&part.node, Some((node, at)), further)
        }),
        _ => None,
    }
}

/// What is left of the steps after these keys, if they begin with them.
fn after<'s>(steps: &'s [Step], keys: &[String]) -> Option<&'s [Step]> {
    let begins = steps.len() >= keys.len()
        && keys.iter().zip(steps).all(|(key, step)| matches!(step, Step::Key(other) if other == key));
    begins.then(|| &steps[keys.len()..])
}

struct Reader<'t> {
    source: Source<'t>,
    events: &'t [Event],
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Event> {
        let event = self.events.get(self.at).copied();
        self.at += 1;
        event
    }

    fn peek(&self) -> Option<EventKind> {
        self.events.get(self.at).map(Event::kind)
    }

    fn skip(&mut self, kind: EventKind) -> Option<usize> {
        let start = self.events.get(self.at).filter(|event| event.kind() == kind)?.span().start();
        self.at += 1;
        Some(start)
    }

    fn keys(&mut self) -> Vec<String> {
        let mut keys = Vec::new();
        while self.peek() == Some(EventKind::SimpleKey)
            && let Some(event) = self.next()
        {
            let mut key = std::borrow::Cow::Borrowed("");
            if let Some(raw) = self.source.get(event) {
                raw.decode_key(&mut key, &mut ());
            }
            keys.push(key.into_owned());
        }
        keys
    }

    /// `start` is where it is said to be if there is none.
    fn value(&mut self, start: usize) -> Node {
        let Some(event) = self.next() else { return Node { span: start..start, body: Body::Plain } };
        let span = event.span().start()..event.span().end();
        let (close, is_table) = match event.kind() {
            EventKind::ArrayOpen => (EventKind::ArrayClose, false),
            EventKind::InlineTableOpen => (EventKind::InlineTableClose, true),
            _ => return Node { span, body: Body::Plain },
        };
        let mut parts: Vec<Part> = Vec::new();
        let mut end = span.end;
        while let Some(event) = self.events.get(self.at).copied() {
            if event.kind() == close {
                end = event.span().end();
                self.at += 1;
                break;
            }
            let start = event.span().start();
            let path = self.keys();
            self.skip(EventKind::KeyValSep);
            let node = self.value(start);
            let comma = self.skip(EventKind::ValueSep);
            parts.push(Part { path, span: start..node.span.end, node, comma });
        }
        let body = if is_table { Body::Table(parts) } else { Body::List(parts) };
        Node { span: span.start..end, body }
    }
}
