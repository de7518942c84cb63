//! Finds the statements of layers that keep a ruleset from compiling: takes the errors with their places and the
//! statements, gives those to skip and the findings about them. One outdated line of a house ruleset never makes the
//! rest unusable.

use std::collections::BTreeSet;

use super::statements::{ChangeKind, LayerStatement, location};
use crate::finding::Finding;
use crate::source::{Source, Span};

/// Skipped statements and layers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quarantine {
    statements: BTreeSet<Span>,
    layers: BTreeSet<u16>,
}

impl Quarantine {
    pub(super) fn contains(&self, span: Span) -> bool {
        self.has_layer(span.file) || self.statements.contains(&span)
    }

    pub(super) fn has_layer(&self, file: u16) -> bool {
        self.layers.contains(&file)
    }

    /// The number of skipped statements of a file.
    pub(crate) fn count_in(&self, file: u16) -> usize {
        self.statements.iter().filter(|span| span.file == file).count()
    }

    /// Whether a layer is skipped entirely.
    pub(crate) fn is_whole_layer(&self, file: u16) -> bool {
        self.has_layer(file)
    }

    pub(crate) fn add_statement(&mut self, statement: Span) {
        self.statements.insert(statement);
    }

    pub(crate) fn add_layer(&mut self, file: u16) {
        self.layers.insert(file);
    }
}

/// The most places in one finding.
const MAX_PLACES: usize = 5;

/// Finds the statements that cause the errors and skips them; gives the findings about them, or none if no cause was
/// found.
pub(crate) fn quarantine_failing(
    errors: Vec<(Finding, Span)>,
    statements: &[LayerStatement],
    sources: &[Source],
    left_out: &mut Quarantine,
) -> Vec<(Finding, Span)> {
    let mut told = Vec::new();
    let mut elsewhere = Vec::new();
    for (finding, span) in errors {
        let holds = |one: &&LayerStatement| {
            span.file > 0
                && one.full_span.file == span.file
                && one.full_span.start <= span.start
                && span.end <= one.full_span.end
        };
        match statements.iter().filter(holds).min_by_key(|one| one.full_span.end - one.full_span.start) {
            Some(one) => {
                left_out.statements.insert(one.span);
                told.push((finding, span));
            }
            None => elsewhere.push((finding, span)),
        }
    }
    if !told.is_empty() {
        // Errors elsewhere may follow from these.
        return told;
    }
    // A lower layer fails because of what a higher one removed or changed.
    let layered = || statements.iter().filter(|one| one.span.file > 0);
    for sort in [ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Added] {
        for one in find_suspects(statements, sort, &elsewhere) {
            let places: Vec<&(Finding, Span)> =
                elsewhere.iter().filter(|(finding, _)| mentions(finding, &one.id)).collect();
            let Some((first, _)) = places.first() else { continue };
            let mut names: Vec<String> =
                places.iter().map(|(_, span)| location(sources, *span)).collect::<BTreeSet<_>>().into_iter().collect();
            let more = names.len().saturating_sub(MAX_PLACES);
            names.truncate(MAX_PLACES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let one_place = names.len() == 1;
            let names = format!("{}{more}", names.join(", "));
            let finding = if sort == ChangeKind::Removed {
                let message = format!(
                    "cannot remove {} `{}`: {names} still {} it",
                    one.section,
                    one.id,
                    if one_place { "needs" } else { "need" }
                );
                Finding::error("still-needed", message).help("keep it, or also change or remove what needs it")
            } else {
                let fails = if one_place { "fails" } else { "fail" };
                let message =
                    format!("cannot use {} `{}`: with it, {names} {fails}: {}", one.section, one.id, first.message);
                Finding::error("does-not-fit", message).help("also change what fails, or change this differently")
            };
            left_out.statements.insert(one.span);
            told.push((finding, one.span));
        }
        if !told.is_empty() {
            return told;
        }
    }
    // No statement is suspect: skip the last layer that has any.
    if let Some(file) = layered().map(|one| one.span.file).max()
        && let Some((finding, _)) = elsewhere.into_iter().next()
    {
        left_out.layers.insert(file);
        let span = Span { file, start: 0, end: 0 };
        let at = finding.at.file.as_deref().unwrap_or("?");
        let message = format!("cannot use this layer: with it, {at}:{} fails: {}", finding.at.line, finding.message);
        told.push((
            Finding::error("unusable-layer", message).help("remove its changes one by one until it loads"),
            span,
        ));
    }
    told
}

/// The statements of a kind whose id occurs in a failing finding. Except for removals only those of the last layer that
/// has any, since the ruleset compiled without it; of these, if possible, only those whose section is named too.
fn find_suspects<'s>(
    statements: &'s [LayerStatement],
    sort: ChangeKind,
    failing: &[(Finding, Span)],
) -> Vec<&'s LayerStatement> {
    let named = |one: &&LayerStatement| {
        one.span.file > 0 && one.kind == sort && failing.iter().any(|(finding, _)| mentions(finding, &one.id))
    };
    let mut found: Vec<&LayerStatement> = statements.iter().filter(named).collect();
    if sort == ChangeKind::Removed {
        return found;
    }
    let last = found.iter().map(|one| one.span.file).max();
    found.retain(|one| Some(one.span.file) == last);
    let whole = |one: &&LayerStatement| {
        failing.iter().any(|(finding, _)| mentions(finding, &one.id) && finding.message.contains(&*one.section))
    };
    if found.iter().any(&whole) {
        found.retain(whole);
    }
    found
}

/// Whether a finding's message or source line contains an id.
fn mentions(finding: &Finding, id: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let names = |text: &str| {
        !id.is_empty()
            && text
                .match_indices(id)
                .any(|(at, _)| !text[..at].ends_with(part) && !text[at + id.len()..].starts_with(part))
    };
    names(&finding.message) || finding.at.shown.as_ref().is_some_and(|shown| names(&shown.text))
}
