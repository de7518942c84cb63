//! Decides which parts of a ship depend on house rules, so that a sheet can mark them: takes formulas with their
//! provenance notes. Without layers there is nothing to do.

use crate::formula::Formula;
use crate::ruleset::{AttributeRule, CallKind, CostDef, FieldKind, Ruleset, Symbol, TableDef, TableKind, TrackDef};

use super::Provenance;
use super::state::ShipState;

pub(super) struct HouseRuleUse<'a> {
    rules: &'a Ruleset,
    state: &'a ShipState,
    active_marks: &'a [bool],
}

impl<'a> HouseRuleUse<'a> {
    /// `active_marks`: which marks of provenance concern this ship. `None` for a ruleset without layers.
    pub(super) fn new(rules: &'a Ruleset, state: &'a ShipState, active_marks: &'a [bool]) -> Option<Self> {
        (!rules.layers.is_empty()).then_some(Self { rules, state, active_marks })
    }

    /// `system`: for a line that is made for each system.
    pub(super) fn uses_in_cost(&self, cost: &CostDef, system: Option<usize>) -> bool {
        self.uses_any(&cost.marks[..cost.direct_marks])
            || std::iter::once(&cost.each).chain(&cost.count).any(|formula| self.uses_in_formula(formula, system))
    }

    pub(super) fn uses_in_track(&self, track: &TrackDef, system: Option<usize>) -> bool {
        let named = track.row_labels.iter().chain(&track.cell).map(|(_, formula)| formula);
        let notes = track.row_note.iter().flat_map(|note| note.formulas());
        let mut formulas =
            std::iter::once(&track.boxes).chain(named).chain(notes).chain(track.signs.iter().map(|sign| &sign.at));
        self.uses_any(&track.marks[..track.direct_marks])
            || formulas.any(|formula| self.uses_in_formula(formula, system))
    }

    pub(super) fn uses_in_table(&self, table: &TableDef) -> bool {
        let computed = match &table.kind {
            TableKind::Rows { .. } => false,
            TableKind::ForEach { columns, .. } => {
                columns.iter().filter_map(|column| column.cell.as_ref()).any(|cell| self.uses_in_formula(cell, None))
            }
            TableKind::Grid { cell, .. } => self.uses_in_formula(cell, None),
        };
        let made_from = table.made_from.and_then(|of| self.rules.tables.get(of));
        computed
            || self.uses_any(&table.marks[..table.direct_marks])
            || made_from.is_some_and(|of| self.uses_in_table(of))
    }

    fn uses_any(&self, marks: &[u32]) -> bool {
        let house = |mark: &u32| self.rules.marks[*mark as usize].provenance == Provenance::House;
        marks.iter().any(|mark| self.active_marks.get(*mark as usize) == Some(&true) && house(mark))
    }

    fn uses_in_attribute(&self, system: usize, answer: usize) -> bool {
        match &self.rules.systems[system].attributes[answer] {
            AttributeRule::Constant(_, _, marks)
            | AttributeRule::Formula(_, _, marks)
            | AttributeRule::Text(_, _, marks) => self.uses_any(marks),
            AttributeRule::None => false,
        }
    }

    fn uses_in_formula(&self, formula: &Formula, system: Option<usize>) -> bool {
        let rules = self.rules;
        let aboard = || self.state.fits.iter().filter(|fit| fit.count > 0).map(|fit| fit.base);
        let reads = formula.reads().any(|slot| match Symbol::from_slot(slot) {
            Symbol::Value(n) => self.uses_any(&rules.values[n].marks),
            Symbol::Setting(n) | Symbol::SettingOption(n, _) => self.uses_any(&rules.settings[n].marks),
            Symbol::Field(n) => self.uses_any(&rules.fields[n].marks) && !self.has_chosen_option(n),
            Symbol::FieldOption(n, answer) => match (&rules.fields[n].kind, self.state.chosen.get(n)) {
                (FieldKind::Choice(choice), Some(Some(option))) => {
                    self.uses_any(&choice.marks(*option, answer.wrapping_sub(1)).collect::<Vec<_>>())
                }
                _ => false,
            },
            Symbol::Attribute(answer) | Symbol::Whole(answer) => match system {
                Some(system) => self.uses_in_attribute(system, answer),
                None => aboard().any(|system| self.uses_in_attribute(system, answer)),
            },
            _ => false,
        });
        reads
            || formula.calls().filter_map(|call| rules.symbols.calls.get(call)).any(|call| match call.kind {
                CallKind::Total(answer) => aboard().any(|system| self.uses_in_attribute(system, answer)),
                kind => kind.table().is_some_and(|table| self.uses_any(&rules.tables[table].marks)),
            })
    }

    /// Whether an option is chosen; changes to other options do not concern this ship.
    fn has_chosen_option(&self, field: usize) -> bool {
        matches!(self.state.chosen.get(field), Some(Some(_)))
    }
}
