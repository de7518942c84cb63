//! Lists every formula and text of a loaded ruleset with its section, id and key, for checks of a ruleset as a whole.
//! Never evaluates.

use std::sync::Arc;

use crate::formula::{Formula, TextTemplate};
use moldloft_base::source::toml::{TomlTable, parse};
use moldloft_base::source::{Source, Span};

use super::attack_model::{GaugeSize, Step, TARGET};
use super::attack_scope::ship_slot;
use super::fleet_model::FleetCall;
use super::inherit::resolve_inheritance;
use super::layers::{self, LayerLog, Quarantine};
use super::model::{AttributeRule, CheckDef, Ruleset};
use super::outputs::TableKind;
use super::problems::Problems;
use super::symbols::Symbol;

#[derive(Clone, Debug)]
pub struct FormulaEntry<'r> {
    /// `check`
    pub section: &'static str,
    /// `launcher-without-magazine`; empty for costs.
    pub id: &'r str,
    /// `fails_when`
    pub key: &'static str,
    pub part: FormulaRef<'r>,
}

#[derive(Clone, Copy, Debug)]
pub enum FormulaRef<'r> {
    Formula(&'r Formula),
    Text(&'r TextTemplate),
}

impl<'r> FormulaRef<'r> {
    pub fn source(&self) -> &'r str {
        match self {
            FormulaRef::Formula(formula) => &formula.source,
            FormulaRef::Text(text) => &text.source,
        }
    }

    pub fn at(&self) -> Span {
        match self {
            FormulaRef::Formula(formula) => formula.at,
            FormulaRef::Text(text) => text.at,
        }
    }

    /// The names of ships; in attacks those of either ship, in checks over a fleet those of `it`.
    pub fn reads(&self) -> Vec<u32> {
        match self {
            FormulaRef::Formula(formula) => formula.reads().filter_map(ship_slot).collect(),
            FormulaRef::Text(text) => text.reads().filter_map(ship_slot).collect(),
        }
    }

    /// In attacks those of either ship.
    pub fn calls(&self) -> Vec<u32> {
        match self {
            FormulaRef::Formula(formula) => formula.calls().map(|call| call & !TARGET).collect(),
            FormulaRef::Text(text) => text.calls().map(|call| call & !TARGET).collect(),
        }
    }

    pub fn formula_sources(&self) -> Vec<&'r str> {
        match self {
            FormulaRef::Formula(formula) => vec![&formula.source],
            FormulaRef::Text(text) => text.formulas().map(|formula| &*formula.source).collect(),
        }
    }
}

struct FormulaCollector<'r, 'g> {
    section: &'static str,
    id: &'r str,
    all: &'g mut Vec<FormulaEntry<'r>>,
}

impl<'r> FormulaCollector<'r, '_> {
    fn formula(&mut self, key: &'static str, formula: impl IntoIterator<Item = &'r Formula>) {
        let (section, id) = (self.section, self.id);
        self.all.extend(formula.into_iter().map(|f| FormulaEntry { section, id, key, part: FormulaRef::Formula(f) }));
    }

    fn text(&mut self, key: &'static str, text: impl IntoIterator<Item = &'r TextTemplate>) {
        let (section, id) = (self.section, self.id);
        self.all.extend(text.into_iter().map(|t| FormulaEntry { section, id, key, part: FormulaRef::Text(t) }));
    }
}

fn collector<'r, 'g>(
    all: &'g mut Vec<FormulaEntry<'r>>,
    section: &'static str,
    id: &'r str,
) -> FormulaCollector<'r, 'g> {
    FormulaCollector { section, id, all }
}

/// What checks of both scopes have.
fn check_formulas<'r, 'g, S>(all: &'g mut Vec<FormulaEntry<'r>>, check: &'r CheckDef<S>) -> FormulaCollector<'r, 'g> {
    let mut formulas = collector(all, "check", &check.code);
    formulas.formula("when", &check.when);
    formulas.formula("fails_when", [&check.fails_when]);
    formulas.text("message", [&check.message]);
    formulas.text("help", &check.help);
    formulas
}

impl Ruleset {
    /// The id of the first value that a text reads, else of the first field.
    pub fn first_value_read(&self, text: &TextTemplate) -> Option<Arc<str>> {
        let name = |slot: u32, values: bool| match Symbol::from_slot(slot) {
            Symbol::Value(n) if values => self.values.get(n).map(|value| value.id.clone()),
            Symbol::Field(n) | Symbol::FieldOption(n, _) if !values => self.fields.get(n).map(|field| field.id.clone()),
            _ => None,
        };
        let first = |values| text.reads().find_map(|slot| name(slot, values));
        first(true).or_else(|| first(false))
    }

    /// The id of the first value that the boxes of a track are counted from.
    pub fn value_of_track(&self, track: &str) -> Option<Arc<str>> {
        let track = self.tracks.iter().find(|known| *known.id == *track)?;
        track.boxes.reads().find_map(|slot| match Symbol::from_slot(slot) {
            Symbol::Value(n) => self.values.get(n).map(|value| value.id.clone()),
            _ => None,
        })
    }

    /// Whether a formula or text reads what distinguishes ships of one class: name, hull number, captain. If not, ships
    /// of one class that are otherwise alike have equal results.
    pub fn depends_on_ship_identity(&self) -> bool {
        let is_own = |slot: &u32| {
            use super::symbols::Builtin::{Captain, HullNumber, Owner, ShipCount, ShipGroup, ShipName, ShipNotes};
            matches!(
                Symbol::from_slot(*slot),
                Symbol::Builtin(Captain | HullNumber | Owner | ShipCount | ShipGroup | ShipName | ShipNotes)
            )
        };
        self.ship_formulas().iter().any(|entry| entry.part.reads().iter().any(is_own))
    }

    /// In the order of the sections, then those of checks over a fleet.
    pub fn all_formulas(&self) -> Vec<FormulaEntry<'_>> {
        let mut all = self.ship_formulas();
        for definition in &self.fleet_checks {
            let mut formulas = check_formulas(&mut all, definition);
            formulas.formula("units", definition.scope.calls.iter().flat_map(FleetCall::formulas));
            formulas.formula("at", &definition.scope.at);
        }
        all
    }

    /// All but those of checks over a fleet.
    fn ship_formulas(&self) -> Vec<FormulaEntry<'_>> {
        let mut all = Vec::new();
        for definition in &self.fields {
            collector(&mut all, "field", &definition.id).formula("shown_when", &definition.shown_when);
        }
        for definition in &self.mounts {
            collector(&mut all, "mount", &definition.id).formula("shown_when", &definition.shown_when);
        }
        for definition in &self.systems {
            let mut formulas = collector(&mut all, "system", &definition.id);
            for rule in &definition.attributes {
                match rule {
                    AttributeRule::Formula(formula, ..) => formulas.formula("", [formula]),
                    AttributeRule::Text(text, ..) => formulas.text("", [text]),
                    AttributeRule::None | AttributeRule::Constant(..) => {}
                }
            }
        }
        for definition in &self.relations {
            let mut formulas = collector(&mut all, "relation", &definition.id);
            formulas.formula("from", &definition.from);
            formulas.formula("to", &definition.to);
            formulas.formula("limit", &definition.limit);
            formulas.formula("least", &definition.least);
            formulas.formula("alike", definition.alike.iter().map(|(_, formula)| formula));
        }
        for definition in &self.values {
            let mut formulas = collector(&mut all, "value", &definition.id);
            formulas.formula("formula", [&definition.formula]);
            formulas.formula("limit", &definition.limit);
        }
        for definition in &self.costs {
            let mut formulas = collector(&mut all, "cost", "");
            formulas.formula("when", &definition.when);
            formulas.text("label", [&definition.label]);
            formulas.formula("count", &definition.count);
            formulas.formula("each", [&definition.each]);
        }
        for definition in &self.tracks {
            let mut formulas = collector(&mut all, "track", &definition.id);
            formulas.formula("when", &definition.when);
            formulas.text("label", [&definition.label]);
            formulas.text("badge", &definition.badge);
            formulas.formula(if definition.in_rows { "rows" } else { "boxes" }, [&definition.boxes]);
            formulas.formula("lines", &definition.lines);
            formulas.formula("row_label", definition.row_labels.iter().map(|(_, formula)| formula));
            formulas.text("row_note", &definition.row_note);
            formulas.formula("cell", definition.cell.iter().map(|(_, formula)| formula));
            formulas.formula("marks", definition.signs.iter().map(|sign| &sign.at));
            formulas.text("marks", definition.signs.iter().map(|sign| &sign.label));
        }
        for definition in &self.tables {
            let mut formulas = collector(&mut all, "table", &definition.id);
            formulas.formula("when", &definition.when);
            formulas.text("label", [&definition.label]);
            formulas.text("note", &definition.note);
            match &definition.kind {
                TableKind::Rows { concerns, .. } => formulas.formula("concerns", concerns),
                TableKind::ForEach { columns, .. } => {
                    formulas.formula("columns", columns.iter().filter_map(|column| column.cell.as_ref()));
                }
                TableKind::Grid { across, down, across_label, down_label, cell, .. } => {
                    formulas.formula("grid", [across, down, cell]);
                    formulas.formula("grid", across_label.iter().chain(down_label));
                }
            }
        }
        for definition in &self.glossary {
            collector(&mut all, "term", &definition.id).text("text", [&definition.text]);
        }
        for definition in &self.checks {
            let mut formulas = check_formulas(&mut all, definition);
            if let Some(fix) = &definition.scope.fix {
                formulas.formula("fix", &fix.count);
                formulas.formula("fix", fix.set.iter().map(|(_, formula)| formula));
            }
        }
        for definition in &self.counters {
            let mut formulas = collector(&mut all, "counter", &definition.id);
            formulas.text("label", [&definition.label]);
            formulas.formula("when", &definition.when);
            formulas.formula("groups", definition.groups.iter().map(|group| &group.count));
            formulas.formula("groups", definition.groups.iter().flat_map(|group| &group.words));
            formulas.formula("size_mm", definition.size.iter().map(|(formula, _)| formula));
            formulas.formula("data", definition.data.iter().map(|(_, formula)| formula));
            formulas.text("acts_as", &definition.acts_as);
        }
        for definition in &self.rulers {
            let mut formulas = collector(&mut all, "ruler", &definition.id);
            formulas.formula("tenths", [&definition.tenths]);
            formulas.formula("marks", definition.reaches.iter().flat_map(|mark| mark.when.iter().chain(&mark.at)));
            formulas
                .text("marks", definition.reaches.iter().flat_map(|mark| [&mark.label].into_iter().chain(&mark.arcs)));
        }
        for definition in &self.attack_rules.gauges {
            let mut formulas = collector(&mut all, "gauge", &definition.id);
            if let GaugeSize::Boxes(boxes) = &definition.size {
                formulas.formula("boxes", [boxes]);
            }
            formulas.formula("at_turn", &definition.at_turn);
        }
        for definition in &self.attack_rules.attacks {
            let mut formulas = collector(&mut all, "attack", &definition.id);
            formulas.text("label", [&definition.label]);
            formulas.formula("when", &definition.when);
            formulas.formula("every", &definition.every);
            formulas.formula("uses", &definition.uses);
            formulas.text("leaves_out", &definition.leaves_out);
            formulas.text("leaves_out_later", &definition.leaves_out_later);
            formulas.formula("step", definition.steps.iter().flat_map(Step::formulas));
        }
        for definition in &self.attack_rules.outcomes {
            collector(&mut all, "outcome", &definition.id).formula("formula", [&definition.formula]);
        }
        for definition in &self.sheets {
            collector(&mut all, "sheet", &definition.id).formula("when", &definition.when);
        }
        for definition in &self.guide {
            collector(&mut all, "guide", &definition.id).formula("done_when", [&definition.done]);
        }
        for mark in &self.marks {
            collector(&mut all, "provenance", &mark.subject).formula("when", &mark.when);
        }
        all
    }
}

/// The merged but not yet compiled tree of a ruleset and its layers; errors are ignored, since [`Ruleset::load_layers`]
/// reports them.
pub fn merged_tree(sources: &[Source]) -> TomlTable<'_> {
    let problems = Problems::new(sources);
    let mut trees =
        sources.iter().zip(0..).map(|(source, number)| parse(&source.text, number).0).collect::<Vec<_>>().into_iter();
    let mut root = trees.next().unwrap_or_default();
    let quarantine = Quarantine::default();
    let log = LayerLog::new(sources, &problems, &quarantine, Vec::new());
    let mut removed = Vec::new();
    for tree in trees {
        layers::apply_layer(&mut root, tree, &mut removed, &log);
    }
    let _ = resolve_inheritance(&mut root, &mut removed, &problems);
    root
}
