//! Provenance: takes `assumed = { mounts = "why" }` and the like, gives each key its marks, and passes them on to
//! everything computed from it. What a layer wrote is `house`, or `published` if the layer is a supplement.

use std::fmt;
use std::sync::Arc;

use crate::formula::Type;
use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::Compiler;
use crate::ruleset::grammar::{PROVENANCE, is_wording};
use crate::ruleset::layers;
use crate::ruleset::model::{AttributeRule, ComputedId as Computed, Provenance, ProvenanceMark, Ruleset};
use crate::ruleset::outputs::TableKind;
use crate::ruleset::problems::suggest;
use crate::ruleset::symbol_table::{ItKind, ScopeContext};
use crate::ruleset::symbols::Symbol;
use crate::ruleset::table_reader::TableReader;
use crate::ruleset::{CallKind, FitFilter};

/// A mark and its key; `None`: the whole table.
pub(super) type KeyedMark = (Option<Arc<str>>, u32);

/// Limited because every value has the marks of all it reads.
const MAX_MARKS: usize = 1_000;
/// The most statements of layers that the mark of one key names.
const MAX_STATEMENTS_NAMED: usize = 8;

impl Compiler<'_> {
    fn new_mark(provenance: Provenance, why: Arc<str>, what: &dyn fmt::Display, key: Option<&str>) -> ProvenanceMark {
        let subject = key.map_or_else(|| what.to_string().into(), |key| format!("{what}: {key}").into());
        let key = key.map(Into::into);
        ProvenanceMark { provenance, why, subject, key, when: None, system: None, option: None }
    }

    fn add_mark(&self, mark: ProvenanceMark) -> u32 {
        let mut marks = self.marks.borrow_mut();
        // A ruleset with more still loads: one report is enough.
        if marks.len() >= MAX_MARKS {
            return marks.len() as u32 - 1;
        }
        marks.push(mark);
        marks.len() as u32 - 1
    }

    /// The marks in a table by key.
    pub(super) fn marks_of(&self, table: &TomlTable<'_>, what: &dyn fmt::Display) -> Vec<KeyedMark> {
        let mut marked = Vec::new();
        for (word, provenance, _) in PROVENANCE {
            let Some(node) = table.get(word) else { continue };
            let reasons = match &node.data {
                TomlValue::Table(reasons) => reasons,
                TomlValue::Text(why) => {
                    marked.push((None, self.add_mark(Self::new_mark(provenance, why.as_ref().into(), what, None))));
                    continue;
                }
                _ => {
                    let help = format!("use {word} = {{ KEY = \"why\" }}");
                    self.problems.error(
                        "wrong-type",
                        node.span,
                        format!("{what}: expected a reason for each key in `{word}`"),
                        help,
                    );
                    continue;
                }
            };
            for TomlEntry { key, span, node } in &reasons.entries {
                // The base's mark on a key no longer applies when a layer rewrote the key, except for what it keeps
                // through `base`.
                let anew = |new: &TomlNode<'_>| {
                    new.span.file > span.file && !layers::mentions_base(self.source_text(new.span))
                };
                let marked_key = find_key(table, key);
                if marked_key.is_some_and(anew) {
                    continue;
                }
                if marked_key.is_none() {
                    let known = table.entries.iter().map(|entry| entry.key.as_ref()).filter(|key| *key != word);
                    let help = suggest(key, known.collect::<Vec<_>>().iter().copied());
                    self.problems.error("unknown-key", *span, format!("{what}: unknown key `{key}` in `{word}`"), help);
                    continue;
                }
                if let Some(mark) = self.parse_reason(node, provenance, what, key) {
                    marked.push((Some(key.as_ref().into()), self.add_mark(mark)));
                }
            }
        }
        if self.layers.len() > 1 {
            self.mark_layers(table, what, &mut marked);
        }
        marked
    }

    /// The marks of a declaration, of whatever key.
    pub(super) fn marks(&self, reader: &TableReader<'_, '_>) -> Vec<u32> {
        self.marks_of(reader.table, &reader.label).into_iter().map(|(_, mark)| mark).collect()
    }

    /// As written in the file.
    fn source_text(&self, span: Span) -> &str {
        self.source_at(self.inner_span(span))
    }

    /// Marks what layers wrote as `house`, or `published` for a supplement, separately for each statement.
    fn mark_layers(&self, table: &TomlTable<'_>, what: &dyn fmt::Display, marked: &mut Vec<KeyedMark>) {
        let counts = |entry: &&TomlEntry<'_>| !is_wording(&entry.key) && entry.key != "house";
        for TomlEntry { key, node, .. } in table.entries.iter().filter(counts) {
            let mut spans: Vec<Span> = Vec::new();
            layer_spans(node, &mut spans);
            let mut reasons: Vec<Arc<str>> = Vec::new();
            for span in spans {
                if reasons.len() >= MAX_STATEMENTS_NAMED {
                    break;
                }
                let Some(statement) = self.index.smallest_at(&self.statements, span) else { continue };
                let why: Arc<str> = layers::describe_statement(
                    self.sources,
                    &self.statements,
                    statement,
                    &self.layers[0],
                    &self.layers[1..],
                )
                .into();
                if !reasons.contains(&why) {
                    reasons.push(why.clone());
                    let supplement = self.layers.get(usize::from(span.file)).is_some_and(|layer| layer.supplement);
                    let whose = if supplement { Provenance::Published } else { Provenance::House };
                    marked
                        .push((Some(key.as_ref().into()), self.add_mark(Self::new_mark(whose, why, what, Some(key)))));
                }
            }
        }
    }

    /// `"why"`, or `{ why = "…", when = "unit == 'lac'" }`.
    fn parse_reason(
        &self,
        node: &TomlNode<'_>,
        provenance: Provenance,
        what: &dyn fmt::Display,
        key: &str,
    ) -> Option<ProvenanceMark> {
        let of = format!("{what}: {key}");
        match &node.data {
            TomlValue::Text(why) => Some(Self::new_mark(provenance, why.as_ref().into(), what, Some(key))),
            TomlValue::Table(table) => {
                let reader = TableReader::new(table, of, self.problems);
                let why = reader.required("why", reader.string("why"))?;
                let mut mark = Self::new_mark(provenance, why, what, Some(key));
                mark.when = self.compile_formula(
                    &reader,
                    "when",
                    &ScopeContext { it: ItKind::Nothing, ..ScopeContext::default() },
                    &Type::Flag,
                );
                reader.report_unknown_keys();
                Some(mark)
            }
            _ => {
                self.problems.error("wrong-type", node.span, format!("{of}: expected text for the reason"), "");
                None
            }
        }
    }

    /// Restricts the marks of a system's or an option's keys to ships that have it.
    pub(super) fn restrict_marks(&self, marks: &[KeyedMark], system: Option<usize>, option: Option<(usize, usize)>) {
        let mut all = self.marks.borrow_mut();
        for (_, mark) in marks {
            all[*mark as usize].system = system;
            all[*mark as usize].option = option;
        }
    }

    /// The mark restricted to ships with this system aboard, since it is read through the system.
    fn mark_if_fitted(&self, mark: u32, system: usize) -> u32 {
        let known = self.marks.borrow()[mark as usize].clone();
        if known.system.is_some() {
            return mark;
        }
        let tied = ProvenanceMark { system: Some(system), ..known };
        let same = |one: &ProvenanceMark| {
            (&one.subject, &one.why, one.system, one.option) == (&tied.subject, &tied.why, tied.system, tied.option)
                && one.provenance == tied.provenance
        };
        let found = self.marks.borrow().iter().position(same);
        match found {
            Some(found) => found as u32,
            None if self.marks.borrow().len() >= MAX_MARKS => mark,
            None => self.add_mark(tied),
        }
    }

    /// In dependency order, so that marks are complete before they are read.
    pub(super) fn propagate_marks(&self, ruleset: &mut Ruleset) {
        for node in ruleset.order.clone() {
            match node {
                Computed::Value(n) => {
                    let value = &ruleset.values[n];
                    let mut marks = value.marks.clone();
                    self.collect_marks(ruleset, value.formula.reads(), value.formula.calls(), &mut marks);
                    ruleset.values[n].marks = marks;
                }
                Computed::Attribute(system, attribute) => {
                    let mut gathered = Vec::new();
                    match &ruleset.systems[system].attributes[attribute] {
                        AttributeRule::Formula(formula, _, marks) => {
                            gathered.clone_from(marks);
                            self.collect_marks_of(
                                ruleset,
                                Some(system),
                                formula.reads(),
                                formula.calls(),
                                &mut gathered,
                            );
                        }
                        AttributeRule::Text(text, _, marks) => {
                            gathered.clone_from(marks);
                            self.collect_marks_of(ruleset, Some(system), text.reads(), text.calls(), &mut gathered);
                        }
                        _ => {}
                    }
                    match &mut ruleset.systems[system].attributes[attribute] {
                        AttributeRule::Formula(_, _, marks) | AttributeRule::Text(_, _, marks) => *marks = gathered,
                        _ => {}
                    }
                }
            }
        }
        for n in 0..ruleset.tracks.len() {
            let track = &ruleset.tracks[n];
            let mut marks = track.marks.clone();
            let formulas = std::iter::once(&track.boxes)
                .chain(&track.lines)
                .chain(track.row_labels.iter().chain(&track.cell).map(|(_, formula)| formula));
            let notes = track.row_note.iter().flat_map(|note| note.formulas());
            for formula in formulas.chain(notes).chain(track.signs.iter().map(|sign| &sign.at)) {
                self.collect_marks(ruleset, formula.reads(), formula.calls(), &mut marks);
            }
            ruleset.tracks[n].marks = marks;
        }
        for n in 0..ruleset.tables.len() {
            let table = &ruleset.tables[n];
            let mut marks = table.marks.clone();
            match &table.kind {
                TableKind::Rows { .. } => {}
                TableKind::ForEach { columns, .. } => {
                    for formula in columns.iter().filter_map(|column| column.cell.as_ref()) {
                        self.collect_marks(ruleset, formula.reads(), formula.calls(), &mut marks);
                    }
                }
                TableKind::Grid { cell, .. } => self.collect_marks(ruleset, cell.reads(), cell.calls(), &mut marks),
            }
            ruleset.tables[n].marks = marks;
        }
        for n in 0..ruleset.costs.len() {
            let cost = &ruleset.costs[n];
            let mut marks = cost.marks.clone();
            self.collect_marks(ruleset, cost.each.reads(), cost.each.calls(), &mut marks);
            if let Some(count) = &cost.count {
                self.collect_marks(ruleset, count.reads(), count.calls(), &mut marks);
            }
            ruleset.costs[n].marks = marks;
        }
    }

    pub(super) fn collect_marks(
        &self,
        ruleset: &Ruleset,
        reads: impl Iterator<Item = u32>,
        calls: impl Iterator<Item = u32>,
        into: &mut Vec<u32>,
    ) {
        self.collect_marks_of(ruleset, None, reads, calls, into);
    }

    fn collect_marks_of(
        &self,
        ruleset: &Ruleset,
        own: Option<usize>,
        reads: impl Iterator<Item = u32>,
        calls: impl Iterator<Item = u32>,
        into: &mut Vec<u32>,
    ) {
        let mut add = |marks: &[u32]| {
            for mark in marks {
                if !into.contains(mark) {
                    into.push(*mark);
                }
            }
        };
        let add_attribute = |system: usize, attribute: usize, add: &mut dyn FnMut(&[u32])| match &ruleset.systems
            [system]
            .attributes[attribute]
        {
            AttributeRule::Constant(_, _, marks)
            | AttributeRule::Formula(_, _, marks)
            | AttributeRule::Text(_, _, marks) => {
                add(&marks.iter().map(|mark| self.mark_if_fitted(*mark, system)).collect::<Vec<_>>());
            }
            AttributeRule::None => {}
        };
        for slot in reads {
            match Symbol::from_slot(slot) {
                Symbol::Value(n) => add(&ruleset.values[n].marks),
                Symbol::Setting(n) | Symbol::SettingOption(n, _) => add(&ruleset.settings[n].marks),
                // An option's mark for one key does not apply to readers of another.
                Symbol::FieldOption(n, attribute) => {
                    if let crate::ruleset::FieldKind::Choice(choice) = &ruleset.fields[n].kind
                        && let Some(attribute) = attribute.checked_sub(1)
                    {
                        let options = 0..choice.options.len();
                        options.for_each(|option| add(&choice.marks(option, attribute).collect::<Vec<_>>()));
                    }
                }
                Symbol::Attribute(attribute) | Symbol::Whole(attribute) => match own {
                    Some(system) => add_attribute(system, attribute, &mut add),
                    None => (0..ruleset.systems.len()).for_each(|system| add_attribute(system, attribute, &mut add)),
                },
                _ => {}
            }
        }
        for call in calls {
            let Some(call) = self.symbols.calls.get(call) else { continue };
            match call.kind {
                CallKind::Total(attribute) => {
                    for system in 0..ruleset.systems.len() {
                        let is_asked = match &call.system {
                            FitFilter::Only(only) => self.symbols.systems[system].counts_as_any(only, &call.except),
                            FitFilter::Exactly(only) => only.contains(&(system as u32)),
                            FitFilter::Any | FitFilter::Argument(_) => true,
                        };
                        if is_asked {
                            add_attribute(system, attribute, &mut add);
                        }
                    }
                }
                kind => {
                    if let Some(table) = kind.table() {
                        add(&ruleset.tables[table].marks);
                    }
                }
            }
        }
    }
}

/// A key of a table; also a gauge that a step of an attack sets.
fn find_key<'n>(table: &'n TomlTable<'n>, key: &str) -> Option<&'n TomlNode<'n>> {
    let gauge = |ship: &str| match &table.get(ship)?.data {
        TomlValue::Table(gauges) => gauges.get(key),
        _ => None,
    };
    table.get(key).or_else(|| gauge("left")).or_else(|| gauge("own"))
}

/// Appends the spans of what layers wrote in a node.
fn layer_spans(node: &TomlNode<'_>, into: &mut Vec<Span>) {
    match &node.data {
        _ if into.len() >= MAX_STATEMENTS_NAMED => {}
        TomlValue::List(list) if node.span.file == 0 => list.iter().for_each(|node| layer_spans(node, into)),
        TomlValue::Table(table) if node.span.file == 0 => {
            table.entries.iter().for_each(|entry| layer_spans(&entry.node, into))
        }
        _ if node.span.file > 0 => into.push(node.span),
        _ => {}
    }
}
