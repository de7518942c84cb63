//! Lists every formula and text of a loaded ruleset with its section, id and key, for checks of a ruleset as a whole.
//! Never evaluates.

use crate::formula::{Formula, TextTemplate};
use crate::source::toml::{TomlTable, parse};
use crate::source::{Source, Span};

use super::inherit::resolve_inheritance;
use super::layers::{self, LayerLog, Quarantine};
use super::model::{AttributeRule, Ruleset};
use super::outputs::TableKind;
use super::problems::Problems;
use super::symbols::Symbol;

#[derive(Clone, Debug)]
pub(crate) struct FormulaEntry<'r> {
    /// `check`
    pub word: &'static str,
    /// `launcher-without-magazine`; empty for costs.
    pub id: &'r str,
    /// `fails_when`
    pub key: &'static str,
    pub part: FormulaRef<'r>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum FormulaRef<'r> {
    Formula(&'r Formula),
    Text(&'r TextTemplate),
}

impl<'r> FormulaRef<'r> {
    pub(crate) fn source(&self) -> &'r str {
        match self {
            FormulaRef::Formula(formula) => &formula.source,
            FormulaRef::Text(text) => &text.source,
        }
    }

    pub(crate) fn at(&self) -> Span {
        match self {
            FormulaRef::Formula(formula) => formula.at,
            FormulaRef::Text(text) => text.at,
        }
    }

    pub(crate) fn reads(&self) -> Vec<u32> {
        match self {
            FormulaRef::Formula(formula) => formula.reads().collect(),
            FormulaRef::Text(text) => text.reads().collect(),
        }
    }

    pub(crate) fn calls(&self) -> Vec<u32> {
        match self {
            FormulaRef::Formula(formula) => formula.calls().collect(),
            FormulaRef::Text(text) => text.calls().collect(),
        }
    }

    pub(crate) fn formula_sources(&self) -> Vec<&'r str> {
        match self {
            FormulaRef::Formula(formula) => vec![&formula.source],
            FormulaRef::Text(text) => text.formulas().map(|formula| &*formula.source).collect(),
        }
    }
}

struct FormulaCollector<'r, 'g> {
    word: &'static str,
    id: &'r str,
    into: &'g mut Vec<FormulaEntry<'r>>,
}

impl<'r> FormulaCollector<'r, '_> {
    fn formula(&mut self, key: &'static str, formula: impl IntoIterator<Item = &'r Formula>) {
        let (word, id) = (self.word, self.id);
        self.into.extend(formula.into_iter().map(|f| FormulaEntry { word, id, key, part: FormulaRef::Formula(f) }));
    }

    fn text(&mut self, key: &'static str, text: impl IntoIterator<Item = &'r TextTemplate>) {
        let (word, id) = (self.word, self.id);
        self.into.extend(text.into_iter().map(|t| FormulaEntry { word, id, key, part: FormulaRef::Text(t) }));
    }
}

impl Ruleset {
    /// Whether a formula or text reads what distinguishes ships of one class: name, hull number, captain. If not, ships
    /// of one class that are otherwise alike have equal results.
    pub(crate) fn depends_on_ship_identity(&self) -> bool {
        let is_own = |slot: &u32| {
            use super::symbols::Builtin::{Captain, HullNumber, Owner, ShipCount, ShipGroup, ShipName, ShipNotes};
            matches!(
                Symbol::from_slot(*slot),
                Symbol::Builtin(Captain | HullNumber | Owner | ShipCount | ShipGroup | ShipName | ShipNotes)
            )
        };
        self.all_formulas().iter().any(|piece| piece.part.reads().iter().any(is_own))
    }

    /// In the order of the sections.
    pub(crate) fn all_formulas(&self) -> Vec<FormulaEntry<'_>> {
        let mut into = Vec::new();
        fn collector<'r, 'g>(
            into: &'g mut Vec<FormulaEntry<'r>>,
            word: &'static str,
            id: &'r str,
        ) -> FormulaCollector<'r, 'g> {
            FormulaCollector { word, id, into }
        }
        for one in &self.fields {
            collector(&mut into, "field", &one.id).formula("shown_when", &one.shown_when);
        }
        for one in &self.mounts {
            collector(&mut into, "mount", &one.id).formula("shown_when", &one.shown_when);
        }
        for one in &self.systems {
            let mut gather = collector(&mut into, "system", &one.id);
            for rule in &one.attributes {
                match rule {
                    AttributeRule::Formula(formula, ..) => gather.formula("", [formula]),
                    AttributeRule::Text(text, ..) => gather.text("", [text]),
                    AttributeRule::None | AttributeRule::Constant(..) => {}
                }
            }
        }
        for one in &self.relations {
            let mut gather = collector(&mut into, "relation", &one.id);
            gather.formula("from", &one.from);
            gather.formula("to", &one.to);
            gather.formula("limit", &one.limit);
            gather.formula("least", &one.least);
            gather.formula("alike", one.alike.iter().map(|(_, formula)| formula));
        }
        for one in &self.values {
            let mut gather = collector(&mut into, "value", &one.id);
            gather.formula("formula", [&one.formula]);
            gather.formula("limit", &one.limit);
        }
        for one in &self.costs {
            let mut gather = collector(&mut into, "cost", "");
            gather.formula("when", &one.when);
            gather.text("label", [&one.label]);
            gather.formula("count", &one.count);
            gather.formula("each", [&one.each]);
        }
        for one in &self.tracks {
            let mut gather = collector(&mut into, "track", &one.id);
            gather.formula("when", &one.when);
            gather.text("label", [&one.label]);
            gather.text("badge", &one.badge);
            gather.formula(if one.in_rows { "rows" } else { "boxes" }, [&one.boxes]);
            gather.formula("lines", &one.lines);
            gather.formula("row_label", one.row_labels.iter().map(|(_, formula)| formula));
            gather.formula("cell", one.cell.iter().map(|(_, formula)| formula));
            gather.formula("marks", one.signs.iter().map(|sign| &sign.at));
            gather.text("marks", one.signs.iter().map(|sign| &sign.label));
        }
        for one in &self.tables {
            let mut gather = collector(&mut into, "table", &one.id);
            gather.formula("when", &one.when);
            gather.text("label", [&one.label]);
            gather.text("note", &one.note);
            match &one.kind {
                TableKind::Rows { concerns, .. } => gather.formula("concerns", concerns),
                TableKind::ForEach { columns, .. } => {
                    gather.formula("columns", columns.iter().filter_map(|column| column.cell.as_ref()));
                }
                TableKind::Grid { across, down, across_label, down_label, cell } => {
                    gather.formula("grid", [across, down, cell]);
                    gather.formula("grid", across_label.iter().chain(down_label));
                }
            }
        }
        for one in &self.checks {
            let mut gather = collector(&mut into, "check", &one.code);
            gather.formula("when", &one.when);
            gather.formula("fails_when", [&one.fails_when]);
            gather.text("message", [&one.message]);
            gather.text("help", &one.help);
            if let Some(fix) = &one.fix {
                gather.formula("fix", &fix.count);
                gather.formula("fix", fix.set.iter().map(|(_, formula)| formula));
            }
        }
        for one in &self.counters {
            let mut gather = collector(&mut into, "counter", &one.id);
            gather.text("label", [&one.label]);
            gather.formula("when", &one.when);
            gather.formula("groups", one.groups.iter().map(|group| &group.count));
            gather.formula("groups", one.groups.iter().flat_map(|group| &group.words));
            gather.formula("size_mm", one.size.iter().map(|(formula, _)| formula));
            gather.formula("data", one.data.iter().map(|(_, formula)| formula));
        }
        for one in &self.sheets {
            collector(&mut into, "sheet", &one.id).formula("when", &one.when);
        }
        for mark in &self.marks {
            collector(&mut into, "provenance", &mark.subject).formula("when", &mark.when);
        }
        into
    }
}

/// The merged but not yet compiled tree of a ruleset and its layers; errors are ignored, since [`Ruleset::load_layers`]
/// reports them.
pub(crate) fn merged_tree(sources: &[Source]) -> TomlTable<'_> {
    let problems = Problems::new(sources);
    let mut trees =
        sources.iter().zip(0..).map(|(source, number)| parse(&source.text, number).0).collect::<Vec<_>>().into_iter();
    let mut root = trees.next().unwrap_or_default();
    let left_out = Quarantine::default();
    let laid = LayerLog::new(sources, &problems, &left_out, Vec::new());
    for tree in trees {
        layers::apply_layer(&mut root, tree, &laid);
    }
    resolve_inheritance(&mut root, &problems);
    root
}
