//! The log of a merge: takes each statement of a layer as it is merged, records what it replaced or why it is skipped.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};
use moldloft_base::source::{Source, Span};

use super::base_substitution::FormulaKeys;
use super::quarantine::Quarantine;
use super::statements::{ChangeKind, LayerStatement, SeverityOverride, location, source_text};
use super::tree::{former_names, full_span};
use crate::ruleset::grammar::SECTIONS;
use crate::ruleset::problems::{Problems, shorten, suggest};

#[derive(Clone, Debug)]
pub(super) struct StatementTarget {
    pub section: Arc<str>,
    pub id: Arc<str>,
    pub before: Option<Span>,
    pub reason: Option<Arc<str>>,
    pub parent: Option<Arc<str>>,
}

impl StatementTarget {
    pub(super) fn new(section: &str, id: &str) -> Self {
        Self { section: section.into(), id: id.into(), before: None, reason: None, parent: None }
    }

    /// With the reason of a part of it, if that has its own.
    pub(super) fn with_reason(&self, reason: Option<Arc<str>>) -> Self {
        Self { reason: reason.or_else(|| self.reason.clone()), ..self.clone() }
    }

    /// Something within this declaration; without a reason of its own it has this one's.
    pub(super) fn child(&self, section: &str, id: &str, reason: Option<Arc<str>>) -> Self {
        let reason = reason.or_else(|| self.reason.clone());
        Self { section: section.into(), id: id.into(), before: None, reason, parent: Some(self.id.clone()) }
    }

    pub(super) fn with_before(&self, span: Span) -> Self {
        Self { before: Some(span), ..self.clone() }
    }
}

/// `system `laser``
impl fmt::Display for StatementTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} `{}`", self.section, shorten(&self.id))
    }
}

/// The statements of all layers of a ruleset.
pub struct LayerLog<'l> {
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
    base_declarations: BTreeSet<(&'static str, String)>,
    /// What has taken over an id of older days: section and id.
    heirs: BTreeMap<String, (&'static str, String)>,
}

impl<'l> LayerLog<'l> {
    pub fn new(
        sources: &'l [Source],
        problems: &'l Problems<'l>,
        quarantine: &'l Quarantine,
        extended_files: Vec<BTreeSet<u16>>,
    ) -> Self {
        Self {
            problems,
            sources,
            quarantine,
            extended_files,
            statements: RefCell::default(),
            severity_overrides: RefCell::default(),
            rejected: RefCell::default(),
            formula_keys: RefCell::default(),
            base_declarations: BTreeSet::new(),
            heirs: BTreeMap::new(),
        }
    }

    pub fn record_base(&mut self, root: &TomlTable<'_>) {
        for section in SECTIONS {
            for node in root.list(section.name) {
                let Some(id) = node.text_at(section.id().name) else { continue };
                self.base_declarations.insert((section.name, id.to_owned()));
                let former = former_names(node).into_iter();
                self.heirs.extend(former.map(|word| (word.to_owned(), (section.name, id.to_owned()))));
            }
        }
    }

    /// Finds the keys that hold formulas in the trees that are merged next.
    pub(super) fn scan_formula_keys(&self, trees: &[&TomlTable<'_>]) {
        self.formula_keys.replace(FormulaKeys::from_trees(trees));
    }

    /// Whether a string under this key is a formula that may contain `base`.
    pub(super) fn is_formula_key(&self, section: &str, key: &str) -> bool {
        self.formula_keys.borrow().is_formula(section, key)
    }

    pub(super) fn base_has(&self, section: &'static str, id: &str) -> bool {
        self.base_declarations.contains(&(section, id.to_owned()))
    }

    /// What has taken over an id of older days, whatever section it was in.
    pub(super) fn heir(&self, id: &str) -> Option<&(&'static str, String)> {
        self.heirs.get(id)
    }

    /// Adds a statement; false when it is skipped.
    pub(super) fn record(&self, span: Span, full_span: Span, kind: ChangeKind, at: StatementTarget) -> bool {
        let StatementTarget { section, id, before, reason, parent } = at;
        let statement = LayerStatement { span, full_span, kind, section, id, before, reason, parent };
        let applies = !self.quarantine.contains(span);
        if applies {
            self.statements.borrow_mut().push(statement);
        }
        applies
    }

    /// Adds a statement of a key with its value; false when it is skipped.
    pub(super) fn record_entry(&self, entry: &TomlEntry<'_>, kind: ChangeKind, at: &StatementTarget) -> bool {
        self.record(entry.span, full_span(&entry.node, entry.span), kind, at.clone())
    }

    /// Whether `remove = true` of a part of a declaration (its noun, its name, what it was) is in force; `None` without it.
    pub(super) fn removal(
        &self,
        new: &TomlTable<'_>,
        at: &StatementTarget,
        (noun, name, before): (&str, &str, Span),
    ) -> Option<bool> {
        let span = self.removal_span(new)?;
        let part = at.child(noun, name, self.reason_text(new)).with_before(before);
        Some(self.record(span, span, ChangeKind::Removed, part))
    }

    /// A table, such as one `of keys for a step`; reports anything else.
    pub(super) fn table_of<'a>(&self, node: TomlNode<'a>, what: &str, help: &str) -> Option<TomlTable<'a>> {
        match node.data {
            TomlValue::Table(table) => Some(table),
            data => {
                let message = format!("expected a table {what}, found {}", data.type_name());
                self.reject("wrong-type", node.span, message, help);
                None
            }
        }
    }

    /// Whether no more findings are kept. Check it before building one.
    pub(super) fn is_full(&self) -> bool {
        self.problems.is_full(true)
    }

    /// [`suggest`], but empty when no more findings are kept.
    pub(super) fn suggest<'a>(&self, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
        if self.is_full() { String::new() } else { suggest(word, known) }
    }

    /// Reports a statement that cannot be applied; it is skipped.
    pub(super) fn reject(&self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        if self.quarantine.has_layer(span.file) {
            return;
        }
        *self.rejected.borrow_mut().entry(span.file).or_default() += 1;
        self.problems.error_in_statement(code, span, message, help);
    }

    /// A statement of an older day about numbers that now stand elsewhere: it changes nothing, and no design is wrong by it.
    pub(super) fn numbers_moved(&self, span: Span, message: String, help: impl Into<String>) {
        *self.rejected.borrow_mut().entry(span.file).or_default() += 1;
        let message = message + "; this statement changes nothing";
        self.problems.add(Finding::warning("numbers-moved", message).help(help), span);
    }

    /// A statement of an older day that is in force under the name of today.
    pub(super) fn renamed(&self, span: Span, what: &str, now: &str, help: String) {
        self.problems.add(Finding::info("renamed", format!("{what} is `{now}` now")).help(help), span);
    }

    pub(super) fn add_severity_override(&self, severity_override: SeverityOverride) {
        let mut all = self.severity_overrides.borrow_mut();
        all.retain(|known| known.code != severity_override.code);
        all.push(severity_override);
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
    pub(super) fn removed_by(&self, section: &str, id: &str) -> Option<String> {
        let statements = self.statements.borrow();
        let by = statements.iter().find(|one| {
            one.kind == ChangeKind::Removed && *one.section == *section && *one.id == *id && one.before.is_none()
        })?;
        Some(format!("removed by an earlier layer, at {}", self.location(by.span)))
    }

    /// The statements that apply, the severity overrides, and the number of rejected statements by file.
    pub fn into_parts(self) -> (Vec<LayerStatement>, Vec<SeverityOverride>, BTreeMap<u16, usize>) {
        (self.statements.into_inner(), self.severity_overrides.into_inner(), self.rejected.into_inner())
    }

    /// The place of `remove = true`; reports keys that have no effect beside it.
    pub(super) fn removal_span(&self, new: &TomlTable<'_>) -> Option<Span> {
        let entry = new.entries.iter().find(|entry| entry.key == "remove")?;
        match entry.node.data {
            TomlValue::Flag(true) => {}
            TomlValue::Flag(false) => return None,
            _ => {
                self.reject(
                    "wrong-type",
                    entry.node.span,
                    format!("expected true for `remove`, found {}", entry.node.data.type_name()),
                    "use remove = true, without quotes",
                );
                return None;
            }
        }
        for other in new.entries.iter().filter(|other| !["remove", "reason"].contains(&other.key.as_ref())) {
            let message = format!("`{}` has no effect: this entry is removed", shorten(&other.key));
            self.reject("removed-and-changed", other.span, message, "remove it or change it, not both");
        }
        Some(entry.span)
    }

    pub(super) fn reason_text(&self, new: &TomlTable<'_>) -> Option<Arc<str>> {
        let node = new.get("reason")?;
        match &node.data {
            TomlValue::Text(text) if !text.trim().is_empty() => Some((&**text).into()),
            TomlValue::Text(_) => None,
            data => {
                self.reject(
                    "wrong-type",
                    node.span,
                    format!("expected text for `reason`, found {}", data.type_name()),
                    "use reason = \"why\"",
                );
                None
            }
        }
    }

    /// Replaces the value of a key. Reports a conflict of two independent layers, unless the new value contains the old one
    /// by `base`.
    pub(super) fn replace<'a>(
        &self,
        old: &mut TomlEntry<'a>,
        new: TomlEntry<'a>,
        composed: bool,
        at: &StatementTarget,
    ) {
        if !self.record(new.span, full_span(&new.node, new.span), ChangeKind::Changed, at.with_before(old.node.span)) {
            return;
        }
        let (was, is) = (source_text(self.sources, old.node.span), source_text(self.sources, new.node.span));
        if old.node.has_same_value(&new.node) {
            let message = format!("{at}: `{}` is already {is}, at {}", shorten(&new.key), self.location(old.span));
            self.problems.add(Finding::info("changes-nothing", message).help("remove this line"), new.span);
        } else if !composed && new.key != "reason" && !self.is_extended_by(new.span.file, old.node.span.file) {
            let message = format!(
                "{at}: `{}` is changed by two layers: {was} at {}, {is} here",
                shorten(&new.key),
                self.location(old.node.span)
            );
            let help =
                "the last layer wins; put the one you want last under `extends`, or remove this line from one of them";
            self.problems.add(Finding::warning("changed-twice", message).help(help), new.span);
        }
        *old = new;
    }
}
