//! What layers said, statement by statement: takes each as it is laid, gives what it replaced, whether it is in force, and where
//! what it spoke of was. The one place that knows how a layer is named.

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

/// What a statement does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeKind {
    /// A new thing, or a new key of one.
    Added,
    /// Another value.
    Changed,
    /// Takes something out.
    Removed,
}

/// The smallest thing a layer says, which is in force or not as a whole.
#[derive(Clone, Debug)]
pub(crate) struct LayerStatement {
    /// Its key, or the start of a new thing.
    pub span: Span,
    /// All of it.
    pub full_span: Span,
    /// What it does.
    pub kind: ChangeKind,
    /// `system`.
    pub section: Arc<str>,
    /// `laser`.
    pub id: Arc<str>,
    /// What stood there before.
    pub before: Option<Span>,
    /// Why, as the layer says.
    pub reason: Option<Arc<str>>,
    /// Of what is within another thing, such as an option of a field: that thing.
    pub parent: Option<Arc<str>>,
}

/// Of what a statement speaks.
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

    /// Something within this thing, for the same reason if it has none of its own.
    pub(super) fn child(&self, word: &str, id: &str, reason: Option<Arc<str>>) -> Self {
        let reason = reason.or_else(|| self.reason.clone());
        Self { section: word.into(), id: id.into(), before: None, reason, parent: Some(self.id.clone()) }
    }

    pub(super) fn with_before(&self, span: Span) -> Self {
        Self { before: Some(span), ..self.clone() }
    }
}

/// All that layers said of a ruleset.
pub(crate) struct LayerLog<'l> {
    pub problems: &'l Problems<'l>,
    pub sources: &'l [Source],
    quarantine: &'l Quarantine,
    /// The layers that each file extends, by number, near and far.
    extended_files: Vec<BTreeSet<u16>>,
    statements: RefCell<Vec<LayerStatement>>,
    severity_overrides: RefCell<Vec<SeverityOverride>>,
    rejected: RefCell<BTreeMap<u16, usize>>,
    formula_keys: RefCell<FormulaKeys>,
    /// The things of the ruleset that extends none.
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

    /// Remembers the things of the ruleset that extends none.
    pub(crate) fn record_base(&mut self, root: &TomlTable<'_>) {
        for (word, key) in ID_KEYS {
            if let Some(TomlValue::List(list)) = root.get(word).map(|node| &node.data) {
                self.base_things
                    .extend(list.iter().filter_map(|node| Some((word, text_at_key(node, key)?.to_owned()))));
            }
        }
    }

    /// Looks which keys hold formulas in what is laid together next.
    pub(super) fn scan_formula_keys(&self, trees: &[&TomlTable<'_>]) {
        self.formula_keys.replace(FormulaKeys::from_trees(trees));
    }

    /// Whether a string under a key is a formula that may say `base`.
    pub(super) fn is_formula_key(&self, word: &str, key: &str) -> bool {
        self.formula_keys.borrow().is_formula(word, key)
    }

    pub(super) fn base_has(&self, word: &'static str, id: &str) -> bool {
        self.base_things.contains(&(word, id.to_owned()))
    }

    /// Remembers a statement; false when it was left out.
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

    /// Whether no more faults are kept: then nothing need be looked up for a message.
    pub(super) fn is_full(&self) -> bool {
        self.problems.is_full(true)
    }

    /// The hint of [`suggest`](crate::ruleset::table_reader::suggest), looked for only while faults are kept.
    pub(super) fn suggest<'a>(&self, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
        if self.is_full() { String::new() } else { crate::ruleset::table_reader::suggest(word, known) }
    }

    /// Tells of a statement that cannot be carried out: it is set aside.
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

    /// Whether the layer of one file knows of that of another: it extends it, near or far.
    pub(super) fn is_extended_by(&self, layer: u16, other: u16) -> bool {
        other == 0
            || layer == other
            || self.extended_files.get(usize::from(layer)).is_some_and(|all| all.contains(&other))
    }

    /// `rulesets/wars-of-honor.toml:88`.
    pub(super) fn location(&self, span: Span) -> String {
        location(self.sources, span)
    }

    /// Who took a thing out, if a layer did.
    pub(super) fn removed_by(&self, word: &str, id: &str) -> Option<String> {
        let statements = self.statements.borrow();
        let by = statements.iter().find(|one| {
            one.kind == ChangeKind::Removed && *one.section == *word && *one.id == *id && one.before.is_none()
        })?;
        Some(format!("removed by an earlier layer, at {}", self.location(by.span)))
    }

    /// The statements that stand, what they soften, and how many of each file could not be carried out.
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

/// The text of a value, as a player reads it in a line.
pub(crate) fn source_text(sources: &[Source], span: Span) -> String {
    let text =
        sources.get(usize::from(span.file)).and_then(|source| source.text.get(span.start as usize..span.end as usize));
    let text = text.unwrap_or_default();
    let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    shorten(bare)
}

/// Statements by where they stand, so that the one that wrote something is found without going through all.
pub(crate) struct StatementIndex {
    /// Places of statements, by file and first byte.
    order: Vec<usize>,
    /// The furthest end, with its file, of a statement and those before it in that order.
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

    /// The smallest statement that wrote what stands at a place.
    pub(crate) fn smallest_at<'s>(&self, statements: &'s [LayerStatement], span: Span) -> Option<&'s LayerStatement> {
        if span.file == 0 {
            return None;
        }
        let after = self.order.partition_point(|&n| {
            let all = statements[n].full_span;
            (all.file, all.start) <= (span.file, span.start)
        });
        // Those that begin before it, back to where none reaches so far.
        let before = (0..after).rev().take_while(|&place| self.ends[place] >= (span.file, span.end));
        before
            .map(|place| &statements[self.order[place]])
            .filter(|one| one.full_span.file == span.file && span.end <= one.full_span.end)
            .min_by_key(|one| one.full_span.end - one.full_span.start)
    }
}

/// The statement that wrote what stands at a place.
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
    // Layers over layers: what each made of it, down to the ruleset that extends none.
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

/// What stood before a layer wrote what stands at a place; nothing where no layer changed it.
pub(crate) fn previous_text(sources: &[Source], statements: &[LayerStatement], span: Span) -> Option<String> {
    let before = statement_at(statements, span).and_then(|one| one.before)?;
    Some(source_text(sources, before))
}
