//! What layers changed: their statements with what each replaced, found by place, and how messages name a layer.

use std::sync::Arc;

use moldloft_base::finding::Severity;
use moldloft_base::source::{Source, Span};

use crate::ruleset::problems::shorten;

/// One ruleset that extends another.
#[derive(Clone, Debug, Default)]
pub struct RulesetLayer {
    pub id: Arc<str>,
    pub title: Arc<str>,
    pub version: Arc<str>,
    /// Published by the game's author: its changes are not house rules.
    pub supplement: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A new declaration, or a new key of one.
    Added,
    /// Replaces a value.
    Changed,
    Removed,
}

/// The smallest part of a layer that applies or is skipped as a whole.
#[derive(Clone, Debug)]
pub struct LayerStatement {
    /// The key, or the start of a new declaration.
    pub span: Span,
    /// From the key to the end of the value.
    pub full_span: Span,
    pub kind: ChangeKind,
    /// `system`
    pub section: Arc<str>,
    /// `laser`
    pub id: Arc<str>,
    /// The value that it replaced.
    pub before: Option<Span>,
    /// The layer's `reason`.
    pub reason: Option<Arc<str>>,
    /// The declaration that contains it, for an option of a field and the like.
    pub parent: Option<Arc<str>>,
}

/// A built-in finding with another severity.
#[derive(Clone, Debug)]
pub struct SeverityOverride {
    pub code: Arc<str>,
    pub severity: Option<Severity>,
    pub reason: Arc<str>,
    pub span: Span,
}

/// `rulesets/wars-of-honor.toml:88`.
pub fn location(sources: &[Source], span: Span) -> String {
    match sources.get(usize::from(span.file)) {
        Some(source) => format!("{}:{}", source.file, source.line_column(span.start).0),
        None => "?".to_owned(),
    }
}

/// A value as written, without quotes, cut to a length for messages.
pub fn source_text(sources: &[Source], span: Span) -> String {
    let text = sources.get(usize::from(span.file)).map_or("", |source| source.slice(span));
    let value = text.parse::<toml_edit::Value>().ok();
    shorten(value.as_ref().and_then(toml_edit::Value::as_str).unwrap_or(text))
}

/// Finds the statement that wrote a place without going through all.
pub struct StatementIndex {
    /// Indices of statements, by file and first byte.
    order: Vec<usize>,
    /// The furthest file and end of all statements up to this one in [`order`](Self::order).
    ends: Vec<(u16, u32)>,
}

impl StatementIndex {
    pub fn new(statements: &[LayerStatement]) -> Self {
        let mut order: Vec<usize> = (0..statements.len()).collect();
        order.sort_by_key(|&n| (statements[n].full_span.file, statements[n].full_span.start));
        let mut furthest = (0, 0);
        let ends = order.iter().map(|&n| {
            furthest = furthest.max((statements[n].full_span.file, statements[n].full_span.end));
            furthest
        });
        Self { ends: ends.collect(), order }
    }

    /// The smallest statement that contains a place.
    pub fn smallest_at<'s>(&self, statements: &'s [LayerStatement], span: Span) -> Option<&'s LayerStatement> {
        if span.file == 0 {
            return None;
        }
        let after = self.order.partition_point(|&n| {
            let all = statements[n].full_span;
            (all.file, all.start) <= (span.file, span.start)
        });
        // Statements that start before it, back to where none reaches the place.
        let before = (0..after).rev().take_while(|&place| self.ends[place] >= (span.file, span.end));
        before
            .map(|place| &statements[self.order[place]])
            .filter(|one| one.full_span.file == span.file && span.end <= one.full_span.end)
            .min_by_key(|one| one.full_span.end - one.full_span.start)
    }
}

fn statement_at(statements: &[LayerStatement], span: Span) -> Option<&LayerStatement> {
    if span.file == 0 {
        return None;
    }
    let contains = |one: &&LayerStatement| {
        one.full_span.file == span.file && one.full_span.start <= span.start && span.end <= one.full_span.end
    };
    statements.iter().filter(contains).min_by_key(|one| one.full_span.end - one.full_span.start)
}

/// `Our lasers 1.0 (woh-lasers, rulesets/woh-lasers.toml:13); base: 10; they hit harder`.
pub fn describe_statement(
    sources: &[Source],
    statements: &[LayerStatement],
    statement: &LayerStatement,
    base: &RulesetLayer,
    layers: &[RulesetLayer],
) -> String {
    let layer = |file: u16| if file == 0 { Some(base) } else { layers.get(usize::from(file) - 1) };
    let Some(own) = layer(statement.span.file) else { return String::new() };
    let mut text = format!(
        "{} {} ({}, {})",
        shorten(&own.title),
        shorten(&own.version),
        own.id,
        location(sources, statement.span)
    );
    // Back through all layers to the ruleset that extends none.
    let mut before = statement.before;
    for _ in 0..layers.len() {
        match before {
            Some(span) if span.file > 0 => {
                let name = layer(span.file).map_or("", |layer| &*layer.id);
                text.push_str(&format!("; {name}: {}", source_text(sources, span)));
                before = statement_at(statements, span).and_then(|one| one.before);
            }
            _ => break,
        }
    }
    match before {
        Some(span) => text.push_str(&format!("; base: {}", source_text(sources, span))),
        None => text.push_str("; base: not set"),
    }
    if let Some(reason) = &statement.reason {
        text.push_str(&format!("; {reason}"));
    }
    text
}

/// The text that a layer replaced at a place; `None` if no layer changed it.
pub fn previous_text(sources: &[Source], statements: &[LayerStatement], span: Span) -> Option<String> {
    let before = statement_at(statements, span).and_then(|one| one.before)?;
    Some(source_text(sources, before))
}
