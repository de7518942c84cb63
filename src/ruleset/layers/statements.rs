//! The log of layers' statements: takes each as it is merged, gives what it replaced, whether it applies, and where the
//! old text was. Only this module knows how messages name a layer.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::source::toml::{TomlTable, TomlValue};
use crate::source::{Source, Span};

use super::base_substitution::FormulaKeys;
use super::quarantine::Quarantine;
use super::severity_override::SeverityOverride;
use super::{ID_KEYS, text_at_key};
use crate::ruleset::model::RulesetLayer;
use crate::ruleset::table_reader::{Problems, shorten};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    /// A new declaration, or a new key of one.
    Added,
    /// Replaces a value.
    Changed,
    Removed,
}

/// The smallest part of a layer that applies or is skipped as a whole.
#[derive(Clone, Debug)]
pub(crate) struct LayerStatement {
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

#[derive(Clone, Debug)]
pub(super) struct StatementTarget {
    pub section: Arc<str>,
    pub id: Arc<str>,
    pub before: Option<Span>,
    pub reason: Option<Arc<str>>,
    pub parent: Option<Arc<str>>,
}

impl StatementTarget {
    pub(super) fn new(word: &str, id: &str) -> Self {
        Self { section: word.into(), id: id.into(), before: None, reason: None, parent: None }
    }

    /// Something within this declaration; without a reason of its own it has this one's.
    pub(super) fn child(&self, word: &str, id: &str, reason: Option<Arc<str>>) -> Self {
        let reason = reason.or_else(|| self.reason.clone());
        Self { section: word.into(), id: id.into(), before: None, reason, parent: Some(self.id.clone()) }
    }

    pub(super) fn with_before(&self, span: Span) -> Self {
        Self { before: Some(span), ..self.clone() }
    }
}

/// The statements of all layers of a ruleset.
pub(crate) struct LayerLog<'l> {
    pub problems: &'l Problems<'l>,
    pub sources: &'l [Source],
    quarantine: &'l Quarantine,
    /// The layers that each file extends, directly or not, by file number.
    extended_files: Vec<BTreeSet<u16>>,
    statements: RefCell<Vec<LayerStatement>>,
    severity_overrides: RefCell<Vec<SeverityOverride>>,
    rejected: RefCell<BTreeMap<u16, usize>>,
    formula_keys: RefCell<FormulaKeys>,
    /// Sections and ids of the ruleset that extends none.
    base_things: BTreeSet<(&'static str, String)>,
}

impl<'l> LayerLog<'l> {
    pub(crate) fn new(
        sources: &'l [Source],
        problems: &'l Problems<'l>,
        left_out: &'l Quarantine,
        knows: Vec<BTreeSet<u16>>,
    ) -> Self {
        Self {
            problems,
            sources,
            quarantine: left_out,
            extended_files: knows,
            statements: RefCell::default(),
            severity_overrides: RefCell::default(),
            rejected: RefCell::default(),
            formula_keys: RefCell::default(),
            base_things: BTreeSet::new(),
        }
    }

    pub(crate) fn record_base(&mut self, root: &TomlTable<'_>) {
        for (word, key) in ID_KEYS {
            if let Some(TomlValue::List(list)) = root.get(word).map(|node| &node.data) {
                self.base_things
                    .extend(list.iter().filter_map(|node| Some((word, text_at_key(node, key)?.to_owned()))));
            }
        }
    }

    /// Finds the keys that hold formulas in the trees that are merged next.
    pub(super) fn scan_formula_keys(&self, trees: &[&TomlTable<'_>]) {
        self.formula_keys.replace(FormulaKeys::from_trees(trees));
    }

    /// Whether a string under this key is a formula that may contain `base`.
    pub(super) fn is_formula_key(&self, word: &str, key: &str) -> bool {
        self.formula_keys.borrow().is_formula(word, key)
    }

    pub(super) fn base_has(&self, word: &'static str, id: &str) -> bool {
        self.base_things.contains(&(word, id.to_owned()))
    }

    /// Adds a statement; false when it is skipped.
    pub(super) fn record(&self, span: Span, all: Span, sort: ChangeKind, at: StatementTarget) -> bool {
        let StatementTarget { section: word, id, before, reason, parent: within } = at;
        let statement =
            LayerStatement { span, full_span: all, kind: sort, section: word, id, before, reason, parent: within };
        let stands = !self.quarantine.contains(span);
        if stands {
            self.statements.borrow_mut().push(statement);
        }
        stands
    }

    /// Whether no more findings are kept. Check it before building one.
    pub(super) fn is_full(&self) -> bool {
        self.problems.is_full(true)
    }

    /// [`suggest`](crate::ruleset::table_reader::suggest), but empty when no more findings are kept.
    pub(super) fn suggest<'a>(&self, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
        if self.is_full() { String::new() } else { crate::ruleset::table_reader::suggest(word, known) }
    }

    /// Reports a statement that cannot be applied; it is skipped.
    pub(super) fn reject(&self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        if self.quarantine.has_layer(span.file) {
            return;
        }
        *self.rejected.borrow_mut().entry(span.file).or_default() += 1;
        self.problems.error_in_statement(code, span, message, help);
    }

    pub(super) fn add_severity_override(&self, softened: SeverityOverride) {
        let mut all = self.severity_overrides.borrow_mut();
        all.retain(|known| known.code != softened.code);
        all.push(softened);
    }

    /// Whether one layer extends another, directly or not.
    pub(super) fn is_extended_by(&self, layer: u16, other: u16) -> bool {
        other == 0
            || layer == other
            || self.extended_files.get(usize::from(layer)).is_some_and(|all| all.contains(&other))
    }

    pub(super) fn location(&self, span: Span) -> String {
        location(self.sources, span)
    }

    /// The layer that removed a declaration.
    pub(super) fn removed_by(&self, word: &str, id: &str) -> Option<String> {
        let statements = self.statements.borrow();
        let by = statements.iter().find(|one| {
            one.kind == ChangeKind::Removed && *one.section == *word && *one.id == *id && one.before.is_none()
        })?;
        Some(format!("removed by an earlier layer, at {}", self.location(by.span)))
    }

    /// The statements that apply, the severity overrides, and the number of rejected statements by file.
    pub(crate) fn into_parts(self) -> (Vec<LayerStatement>, Vec<SeverityOverride>, BTreeMap<u16, usize>) {
        (self.statements.into_inner(), self.severity_overrides.into_inner(), self.rejected.into_inner())
    }
}

/// `rulesets/wars-of-honor.toml:88`.
pub(crate) fn location(sources: &[Source], span: Span) -> String {
    match sources.get(usize::from(span.file)) {
        Some(source) => format!("{}:{}", source.file, source.line_column(span.start).0),
        None => "?".to_owned(),
    }
}

/// A value as written, without quotes, cut to a length for messages.
pub(crate) fn source_text(sources: &[Source], span: Span) -> String {
    let text =
        sources.get(usize::from(span.file)).and_then(|source| source.text.get(span.start as usize..span.end as usize));
    let text = text.unwrap_or_default();
    let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    shorten(bare)
}

/// Finds the statement that wrote a place without going through all.
pub(crate) struct StatementIndex {
    /// Indices of statements, by file and first byte.
    order: Vec<usize>,
    /// The furthest file and end of all statements up to this one in [`order`](Self::order).
    ends: Vec<(u16, u32)>,
}

impl StatementIndex {
    pub(crate) fn new(statements: &[LayerStatement]) -> Self {
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
    pub(crate) fn smallest_at<'s>(&self, statements: &'s [LayerStatement], span: Span) -> Option<&'s LayerStatement> {
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
    let holds = |one: &&LayerStatement| {
        one.full_span.file == span.file && one.full_span.start <= span.start && span.end <= one.full_span.end
    };
    statements.iter().filter(holds).min_by_key(|one| one.full_span.end - one.full_span.start)
}

/// `Our lasers 1.0 (woh-lasers, rulesets/woh-lasers.toml:13); base: 10; they hit harder`.
pub(crate) fn describe_statement(
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
pub(crate) fn previous_text(sources: &[Source], statements: &[LayerStatement], span: Span) -> Option<String> {
    let before = statement_at(statements, span).and_then(|one| one.before)?;
    Some(source_text(sources, before))
}
