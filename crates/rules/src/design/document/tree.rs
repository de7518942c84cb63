//! The lines of a TOML text: takes valid TOML, gives every header and pair with its address, and the place of each key,
//! value, comma and comment. Changes nothing and knows no key of a design.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_parser::Source;
use toml_parser::parser::{Event, EventKind, parse_document};

pub(super) use moldloft_base::source::PathStep;

pub(super) fn path(keys: &[&str]) -> Vec<PathStep> {
    keys.iter().map(|key| PathStep::Key((*key).to_owned())).collect()
}

pub(super) fn child(way: &[PathStep], step: PathStep) -> Vec<PathStep> {
    way.iter().cloned().chain([step]).collect()
}

#[derive(Clone, Debug)]
pub(super) struct DocumentNode {
    pub span: Range<usize>,
    pub body: NodeBody,
}

#[derive(Clone, Debug)]
pub(super) enum NodeBody {
    /// Text, number, flag or date.
    Plain,
    List(Vec<NodeEntry>),
    Table(Vec<NodeEntry>),
}

#[derive(Clone, Debug)]
pub(super) struct NodeEntry {
    /// The dotted key; empty in an array.
    pub path: Vec<String>,
    /// From the key, or the value in an array, to the end of the value.
    pub span: Range<usize>,
    pub node: DocumentNode,
    pub comma: Option<usize>,
}

#[derive(Clone, Debug)]
pub(super) enum DocumentStatementKind {
    /// `[x]`, or `[[x]]` if `many`.
    Header {
        many: bool,
    },
    Pair(DocumentNode),
}

/// A header or pair, on lines of its own with any comment after it.
#[derive(Clone, Debug)]
pub(super) struct DocumentStatement {
    pub kind: DocumentStatementKind,
    pub address: Vec<PathStep>,
    /// Index of the statement that is its header; a header's own index.
    pub section: Option<usize>,
    pub span: Range<usize>,
    /// Whole lines, with the last line end.
    pub lines: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LocatedNode<'t> {
    pub statement: usize,
    pub node: &'t DocumentNode,
    /// The array or inline table that holds it, and as which part; `None` when it is the pair's own value.
    pub holder: Option<(&'t DocumentNode, usize)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct DocumentTree {
    pub statements: Vec<DocumentStatement>,
    pub comments: Vec<Range<usize>>,
}

impl DocumentTree {
    /// Parses valid TOML; the result for any other text is meaningless.
    pub fn parse(text: &str) -> Self {
        let source = Source::new(text);
        let tokens = source.lex().into_vec();
        let mut events: Vec<Event> = Vec::with_capacity(tokens.len());
        parse_document(&tokens, &mut events, &mut ());
        let mut tree = DocumentTree::default();
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
        let mut reader = TreeReader { source, events: &events, at: 0 };
        let mut counts: BTreeMap<Vec<PathStep>, usize> = BTreeMap::new();
        let mut section = None;
        while let Some(event) = reader.next() {
            let start = event.span().start();
            match event.kind() {
                EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                    let many = event.kind() == EventKind::ArrayTableOpen;
                    let keys = reader.keys();
                    let end = reader.next().map_or(start, |event| event.span().end());
                    section = Some(tree.statements.len());
                    let address = resolve_header(keys, many, &mut counts);
                    tree.push(text, DocumentStatementKind::Header { many }, address, section, start..end);
                }
                EventKind::SimpleKey => {
                    reader.at -= 1;
                    let keys = reader.keys();
                    reader.skip(EventKind::KeyValSep);
                    let node = reader.value(start);
                    let mut address = section.map_or_else(Vec::new, |at: usize| tree.statements[at].address.clone());
                    address.extend(keys.into_iter().map(PathStep::Key));
                    let span = start..node.span.end;
                    tree.push(text, DocumentStatementKind::Pair(node), address, section, span);
                }
                _ => {}
            }
        }
        tree
    }

    fn push(
        &mut self,
        text: &str,
        kind: DocumentStatementKind,
        address: Vec<PathStep>,
        section: Option<usize>,
        span: Range<usize>,
    ) {
        let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let end = text[span.end..].find('\n').map_or(text.len(), |newline| span.end + newline + 1);
        self.statements.push(DocumentStatement { kind, address, section, span, lines: start..end });
    }

    pub fn value(&self, address: &[PathStep]) -> Option<LocatedNode<'_>> {
        self.statements.iter().enumerate().find_map(|(statement, line)| {
            let DocumentStatementKind::Pair(node) = &line.kind else { return None };
            let rest = address.strip_prefix(&line.address[..])?;
            let (node, holder) = descend(node, None, rest)?;
            Some(LocatedNode { statement, node, holder })
        })
    }

    pub fn header(&self, address: &[PathStep]) -> Option<usize> {
        self.statements
            .iter()
            .position(|line| matches!(line.kind, DocumentStatementKind::Header { .. }) && line.address == address)
    }

    /// All statements of a table and its subtables, as runs of consecutive statements.
    pub fn statements_below(&self, address: &[PathStep]) -> Vec<Range<usize>> {
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

    pub fn comments_in<'s>(&self, text: &'s str, range: &Range<usize>) -> Vec<&'s str> {
        let within = self.comments.iter().filter(|at| at.start >= range.start && at.end <= range.end);
        within.map(|at| text[at.clone()].trim_end()).collect()
    }
}

/// The address of a header; within an array of tables it refers to the last one.
fn resolve_header(keys: Vec<String>, many: bool, counts: &mut BTreeMap<Vec<PathStep>, usize>) -> Vec<PathStep> {
    let mut address = Vec::with_capacity(keys.len() + 1);
    let last = keys.len().saturating_sub(1);
    for (place, key) in keys.into_iter().enumerate() {
        address.push(PathStep::Key(key));
        if place == last && many {
            let count = counts.entry(address.clone()).or_insert(0);
            *count += 1;
            address.push(PathStep::Nth(*count - 1));
        } else if place != last
            && let Some(count) = counts.get(&address)
        {
            address.push(PathStep::Nth(count - 1));
        }
    }
    address
}

fn descend<'t>(
    node: &'t DocumentNode,
    holder: Option<(&'t DocumentNode, usize)>,
    rest: &[PathStep],
) -> Option<(&'t DocumentNode, Option<(&'t DocumentNode, usize)>)> {
    let Some(step) = rest.first() else { return Some((node, holder)) };
    match (&node.body, step) {
        (NodeBody::List(parts), PathStep::Nth(at)) => descend(&parts.get(*at)?.node, Some((node, *at)), &rest[1..]),
        (NodeBody::Table(parts), PathStep::Key(_)) => parts.iter().enumerate().find_map(|(at, part)| {
            let further = strip_keys(rest, &part.path)?;
            descend(&part.node, Some((node, at)), further)
        }),
        _ => None,
    }
}

fn strip_keys<'s>(steps: &'s [PathStep], keys: &[String]) -> Option<&'s [PathStep]> {
    let begins = steps.len() >= keys.len()
        && keys.iter().zip(steps).all(|(key, step)| matches!(step, PathStep::Key(other) if other == key));
    begins.then(|| &steps[keys.len()..])
}

struct TreeReader<'t> {
    source: Source<'t>,
    events: &'t [Event],
    at: usize,
}

impl TreeReader<'_> {
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

    /// `start`: the position to use for a missing value.
    fn value(&mut self, start: usize) -> DocumentNode {
        let Some(event) = self.next() else { return DocumentNode { span: start..start, body: NodeBody::Plain } };
        let span = event.span().start()..event.span().end();
        let (close, is_table) = match event.kind() {
            EventKind::ArrayOpen => (EventKind::ArrayClose, false),
            EventKind::InlineTableOpen => (EventKind::InlineTableClose, true),
            _ => return DocumentNode { span, body: NodeBody::Plain },
        };
        let mut parts: Vec<NodeEntry> = Vec::new();
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
            parts.push(NodeEntry { path, span: start..node.span.end, node, comma });
        }
        let body = if is_table { NodeBody::Table(parts) } else { NodeBody::List(parts) };
        DocumentNode { span: span.start..end, body }
    }
}
