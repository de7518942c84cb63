//! What of a ship rests on a layer of house rules: takes formulas and their marks, says yes or no for this ship, so that a sheet can
//! mark it. Without layers nothing is looked at.

use crate::formula::Formula;
use crate::ruleset::{AttributeRule, Cost, FieldKind, Kind, Name, Ruleset, Table, TableKind, Track};

use super::Provenance;
use super::state::State;

/// A ship's rules as far as they are `house`.
pub(super) struct House<'a> {
    rules: &'a Ruleset,
    state: &'a State,
    holds: &'a [bool],
}

impl<'a> House<'a> {
    /// `holds` says which marks of provenance concern this ship. `None` when no layer was laid.
    pub(super) fn new(rules: &'a Ruleset, state: &'a State, holds: &'a [bool]) -> Option<Self> {
        (!rules.layers.is_empty()).then_some(Self { rules, state, holds })
    }

    /// A cost line, of fits of a system where it is one for each.
    pub(super) fn cost(&self, cost: &Cost, system: Option<usize>) -> bool {
        self.marks(&cost.marks[..cost.own_marks])
            || std::iter::once(&cost.each).chain(&cost.count).any(|formula| self.formula(formula, system))
    }

    /// A track.
    pub(super) fn track(&self, track: &Track, system: Option<usize>) -> bool {
        let named = track.row_labels.iter().chain(&track.cell).map(|(_, formula)| formula);
        let mut formulas = std::iter::once(&track.boxes).chain(named).chain(track.signs.iter().map(|sign| &sign.at));
        self.marks(&track.marks[..track.own_marks]) || formulas.any(|formula| self.formula(formula, system))
    }

    /// A table.
    pub(super) fn table(&self, table: &Table) -> bool {
        let computed = match &table.kind {
            TableKind::Rows { .. } => false,
            TableKind::ForEach { columns, .. } => {
                columns.iter().filter_map(|column| column.cell.as_ref()).any(|cell| self.formula(cell, None))
            }
            TableKind::Grid { cell, .. } => self.formula(cell, None),
        };
        computed || self.marks(&table.marks[..table.own_marks])
    }

    fn marks(&self, marks: &[u32]) -> bool {
        let house = |mark: &u32| self.rules.marks[*mark as usize].provenance == Provenance::House;
        marks.iter().any(|mark| self.holds.get(*mark as usize) == Some(&true) && house(mark))
    }

    fn attribute(&self, system: usize, answer: usize) -> bool {
        match &self.rules.systems[system].attributes[answer] {
            AttributeRule::Is(_, _, marks) | AttributeRule::Formula(_, _, marks) | AttributeRule::Text(_, _, marks) => {
                self.marks(marks)
            }
            AttributeRule::None => false,
        }
    }

    fn formula(&self, formula: &Formula, system: Option<usize>) -> bool {
        let rules = self.rules;
        let aboard = || self.state.fits.iter().filter(|fit| fit.count > 0).map(|fit| fit.base);
        let reads = formula.reads().any(|slot| match Name::of(slot) {
            Name::Value(n) => self.marks(&rules.values[n].marks),
            Name::Setting(n) | Name::SettingOption(n, _) => self.marks(&rules.settings[n].marks),
            Name::Field(n) => self.marks(&rules.fields[n].marks) && !self.chosen(n),
            Name::FieldOption(n, answer) => match (&rules.fields[n].kind, self.state.chosen.get(n)) {
                (FieldKind::Choice(choice), Some(Some(option))) => {
                    self.marks(&choice.marks(*option, answer.wrapping_sub(1)).collect::<Vec<_>>())
                }
                _ => false,
            },
            Name::Answer(answer) | Name::Whole(answer) => match system {
                Some(system) => self.attribute(system, answer),
                None => aboard().any(|system| self.attribute(system, answer)),
            },
            _ => false,
        });
        reads
            || formula.calls().filter_map(|call| rules.lexicon.calls.get(call)).any(|call| match call.kind {
                Kind::Total(answer) => aboard().any(|system| self.attribute(system, answer)),
                Kind::Row(table) | Kind::Step(table, _) => self.marks(&rules.tables[table].marks),
                _ => false,
            })
    }

    /// Whether a field holds one of its options: what layers wrote of the others does not concern this ship.
    fn chosen(&self, field: usize) -> bool {
        matches!(self.state.chosen.get(field), Some(Some(_)))
    }
}
