//! Finds the statements of layers that keep a ruleset from compiling: takes the errors with their places and the
//! statements, gives those to skip and the findings about them. One outdated line of a house ruleset never makes the
//! rest unusable.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_base::source::toml::parse;
use moldloft_base::source::{Source, Span};

use super::statements::{ChangeKind, LayerStatement, StatementIndex, location};
use crate::ruleset::grammar::SECTIONS;
use crate::ruleset::problems::{RulesetError, shorten};

/// Skipped statements and layers.
#[derive(Clone, Debug, Default)]
pub struct Quarantine {
    statements: BTreeSet<Span>,
    layers: BTreeSet<u16>,
    /// Declarations that go with what a layer removed, by section and id.
    dependents: BTreeSet<(&'static str, Arc<str>)>,
    is_growing: bool,
}

impl Quarantine {
    pub(super) fn contains(&self, span: Span) -> bool {
        self.has_layer(span.file) || self.statements.contains(&span)
    }

    /// Whether a layer is skipped entirely.
    pub fn has_layer(&self, file: u16) -> bool {
        self.layers.contains(&file)
    }

    /// Whether declarations were found since the last call that go with what a layer removed.
    pub fn took_dependents(&mut self) -> bool {
        std::mem::take(&mut self.is_growing)
    }

    /// The number of skipped statements of a file.
    pub fn count_in(&self, file: u16) -> usize {
        self.statements.iter().filter(|span| span.file == file).count()
    }

    /// Whether a declaration goes with what a layer removed.
    pub fn has_dependent(&self, section: &'static str, id: &str) -> bool {
        self.dependents.contains(&(section, id.into()))
    }

    pub fn add_statement(&mut self, statement: Span) {
        self.statements.insert(statement);
    }

    pub fn add_layer(&mut self, file: u16) {
        self.layers.insert(file);
    }
}

/// Sections whose declarations vanish with what they are about.
const DEPENDENTS: [&str; 6] = ["attack", "counter", "guide", "outcome", "ruler", "term"];

/// Finds the declaration around a place.
struct DeclarationIndex(BTreeMap<(u16, u32), (&'static str, Arc<str>)>);

impl DeclarationIndex {
    fn new(sources: &[Source]) -> Self {
        let mut starts = BTreeMap::new();
        for (source, file) in sources.iter().zip(0..) {
            let root = parse(&source.text, file).0;
            for section in SECTIONS {
                for (node, number) in root.list(section.name).iter().zip(1..) {
                    let keys = node.as_table().map(|table| &table.entries[..]).unwrap_or_default();
                    let first = keys.iter().map(|entry| entry.span.start).min().unwrap_or(node.span.start);
                    // A cost line without an id has its number.
                    let id = node.text_at(section.id().name).map_or_else(|| number.to_string(), str::to_owned);
                    starts.insert((file, first), (section.name, Arc::from(id)));
                }
            }
        }
        Self(starts)
    }

    /// Its section and id.
    fn at(&self, span: Span) -> Option<(&'static str, Arc<str>)> {
        let (start, found) = self.0.range(..=(span.file, span.start)).next_back()?;
        (start.0 == span.file).then(|| found.clone())
    }
}

/// The most places in one finding.
const MAX_PLACES: usize = 5;

/// Finds the statements that cause the errors and skips them; gives the findings about them, or none if no cause was
/// found.
pub fn quarantine_failing(
    errors: Vec<RulesetError>,
    statements: &[LayerStatement],
    sources: &[Source],
    quarantine: &mut Quarantine,
) -> Vec<(Finding, Span)> {
    let index = StatementIndex::new(statements);
    let declarations = DeclarationIndex::new(sources);
    let mut found = Vec::new();
    let mut elsewhere = Vec::new();
    for error in errors {
        match index.smallest_at(statements, error.span) {
            Some(statement) => {
                quarantine.statements.insert(statement.span);
                found.push((error.finding, error.span));
            }
            None => elsewhere.push(error),
        }
    }
    if !found.is_empty() {
        // Errors elsewhere may follow from these.
        return found;
    }
    // A lower layer fails because of what a higher one removed or changed.
    for kind in [ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Added] {
        for statement in find_suspects(statements, kind, &elsewhere) {
            let failing: Vec<&RulesetError> = elsewhere.iter().filter(|error| names(error, &statement.id)).collect();
            let Some(first) = failing.first() else { continue };
            let owners: BTreeSet<(&'static str, Arc<str>)> =
                failing.iter().filter_map(|error| declarations.at(error.span)).collect();
            if kind == ChangeKind::Removed && owners.iter().all(|(section, _)| DEPENDENTS.contains(section)) {
                let before = quarantine.dependents.len();
                quarantine.dependents.extend(owners);
                if quarantine.dependents.len() > before {
                    quarantine.is_growing = true;
                    continue;
                }
            }
            let place = |error: &&RulesetError| match declarations.at(error.span) {
                Some((section, id)) => format!("{section} `{}` ({})", shorten(&id), location(sources, error.span)),
                None => location(sources, error.span),
            };
            let places: BTreeSet<String> = failing.iter().map(place).collect();
            let more = places.len().saturating_sub(MAX_PLACES);
            let one_place = places.len() == 1;
            let mut places = places.into_iter().take(MAX_PLACES).collect::<Vec<_>>().join(", ");
            if more > 0 {
                places.push_str(&format!(" and {more} more"));
            }
            let (section, id) = (&statement.section, &statement.id);
            let finding = if kind == ChangeKind::Removed {
                let need = if one_place { "needs" } else { "need" };
                let message = format!("cannot remove {section} `{id}`: {places} still {need} it");
                let line = declarations.at(first.span).map(|(section, id)| {
                    format!(
                        "keep it, or also change what needs it, or remove that: [change.{section}.{id}] remove = true"
                    )
                });
                let help = line.unwrap_or_else(|| "keep it, or also change or remove what needs it".to_owned());
                Finding::error("still-needed", message).help(help)
            } else {
                let fail = if one_place { "fails" } else { "fail" };
                let message =
                    format!("cannot use {section} `{id}`: with it, {places} {fail}: {}", first.finding.message);
                Finding::error("does-not-fit", message).help("also change what fails, or change this differently")
            };
            quarantine.statements.insert(statement.span);
            found.push((finding, statement.span));
        }
        if !found.is_empty() || quarantine.is_growing {
            return found;
        }
    }
    // No statement is suspect: skip the last layer that has any.
    if let Some(file) = statements.iter().map(|statement| statement.span.file).filter(|file| *file > 0).max()
        && let Some(RulesetError { finding, .. }) = elsewhere.into_iter().next()
    {
        quarantine.layers.insert(file);
        let at = finding.at.file.as_deref().unwrap_or("?");
        let message = format!("cannot use this layer: with it, {at}:{} fails: {}", finding.at.line, finding.message);
        let finding = Finding::error("unusable-layer", message).help("remove its changes one by one until it loads");
        found.push((finding, Span { file, start: 0, end: 0 }));
    }
    found
}

/// The statements of a kind whose id a failing place names. Except for removals only those of the last layer that has
/// any, since the ruleset compiled without it; of these, if possible, only those of the declaration that fails.
fn find_suspects<'s>(
    statements: &'s [LayerStatement],
    kind: ChangeKind,
    failing: &[RulesetError],
) -> Vec<&'s LayerStatement> {
    let is_named = |statement: &&LayerStatement| {
        statement.span.file > 0 && statement.kind == kind && failing.iter().any(|error| names(error, &statement.id))
    };
    let mut found: Vec<&LayerStatement> = statements.iter().filter(is_named).collect();
    if kind == ChangeKind::Removed {
        return found;
    }
    let last = found.iter().map(|statement| statement.span.file).max();
    found.retain(|statement| Some(statement.span.file) == last);
    let is_of_declaration = |statement: &&LayerStatement| {
        failing.iter().any(|error| *statement.section == *error.subject.section && names(error, &statement.id))
    };
    if found.iter().any(&is_of_declaration) {
        found.retain(is_of_declaration);
    }
    found
}

/// Whether an error is about a name, or the source line at its place contains it.
fn names(error: &RulesetError, id: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let contains = |line: &str| {
        let whole = |at: usize| !line[..at].ends_with(is_part) && !line[at + id.len()..].starts_with(is_part);
        !id.is_empty() && line.match_indices(id).any(|(at, _)| whole(at))
    };
    error.subject.names.iter().any(|name| **name == *id)
        || error.finding.at.snippet.as_ref().is_some_and(|snippet| contains(&snippet.text))
}
