//! What attacks read, through values, attributes, tables and tracks: takes formulas of attacks, gives tables, tracks, and each ship's fields and queries.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::formula::Formula;

use super::attack_model::{PrintedRows, TARGET};
use super::attack_scope::ship_slot;
use super::call_table::CallKind;
use super::formula_index::FormulaRef;
use super::model::{AttributeRule, Ruleset};
use super::outputs::TableKind;
use super::symbols::Symbol;

#[derive(Clone, Debug, Default)]
pub struct AttackReads {
    /// By index, with those that others are made from.
    pub tables: BTreeSet<usize>,
    /// Of tables by index, those that are looked up or read by name.
    pub columns: BTreeSet<(usize, Arc<str>)>,
    /// By index.
    pub tracks: BTreeSet<usize>,
    pub own: ShipReads,
    pub target: ShipReads,
}

/// What is read of one ship.
#[derive(Clone, Debug, Default)]
pub struct ShipReads {
    /// By index.
    pub fields: BTreeSet<usize>,
    /// Numbers of queries.
    pub calls: BTreeSet<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Read {
    Value(usize),
    Attribute(usize),
    Table(usize),
    Track(usize),
}

impl Ruleset {
    pub fn attack_reads<'r>(&'r self, formulas: impl IntoIterator<Item = &'r Formula>) -> AttackReads {
        let mut reads = AttackReads::default();
        let mut open: Vec<(FormulaRef<'r>, bool)> =
            formulas.into_iter().map(|formula| (FormulaRef::Formula(formula), false)).collect();
        let mut seen: BTreeSet<(bool, Read)> = BTreeSet::new();
        while let Some((formula, of_target)) = open.pop() {
            let (slots, calls): (Vec<u32>, Vec<u32>) = match formula {
                FormulaRef::Formula(formula) => (formula.reads().collect(), formula.calls().collect()),
                FormulaRef::Text(text) => (text.reads().collect(), text.calls().collect()),
            };
            match formula {
                FormulaRef::Formula(formula) => reads.note_columns(self, formula),
                FormulaRef::Text(text) => text.formulas().for_each(|formula| reads.note_columns(self, formula)),
            }
            let mut found: Vec<(bool, Read)> = Vec::new();
            for slot in slots {
                let side = of_target || slot & TARGET != 0;
                let read = match PrintedRows::from_slot(slot) {
                    Some(PrintedRows::Table(n)) => Some(Read::Table(usize::from(n))),
                    Some(PrintedRows::Track(n)) => Some(Read::Track(usize::from(n))),
                    None => match ship_slot(slot).map(Symbol::from_slot) {
                        Some(Symbol::Field(n) | Symbol::FieldOption(n, _)) => {
                            reads.of(side).fields.insert(n);
                            None
                        }
                        Some(Symbol::Value(n)) => Some(Read::Value(n)),
                        Some(Symbol::Attribute(n) | Symbol::Whole(n)) => Some(Read::Attribute(n)),
                        _ => None,
                    },
                };
                found.extend(read.map(|read| (side, read)));
            }
            for call in calls {
                let side = of_target || call & TARGET != 0;
                reads.of(side).calls.insert(call & !TARGET);
                let Some(kind) = self.symbols.calls.get(call & !TARGET).map(|call| call.kind) else { continue };
                found.extend(kind.table().map(|table| (side, Read::Table(table))));
                if let CallKind::Total(attribute) = kind {
                    found.push((side, Read::Attribute(attribute)));
                }
            }
            for (side, read) in found {
                if seen.insert((side, read)) {
                    reads.note(self, read);
                    open.extend(self.formulas_of(read).into_iter().map(|formula| (formula, side)));
                }
            }
        }
        reads
    }

    fn formulas_of(&self, read: Read) -> Vec<FormulaRef<'_>> {
        match read {
            Read::Value(n) => self.values.get(n).map(|value| FormulaRef::Formula(&value.formula)).into_iter().collect(),
            Read::Attribute(n) => {
                let rules = self.systems.iter().filter_map(|system| match system.attributes.get(n)? {
                    AttributeRule::Formula(formula, ..) => Some(FormulaRef::Formula(formula)),
                    AttributeRule::Text(text, ..) => Some(FormulaRef::Text(text)),
                    AttributeRule::None | AttributeRule::Constant(..) => None,
                });
                rules.collect()
            }
            Read::Table(n) => match self.tables.get(n).map(|table| &table.kind) {
                Some(TableKind::ForEach { columns, .. }) => {
                    columns.iter().filter_map(|column| column.cell.as_ref()).map(FormulaRef::Formula).collect()
                }
                _ => Vec::new(),
            },
            Read::Track(n) => {
                let track = self.tracks.get(n).into_iter();
                let formulas = track.flat_map(|track| {
                    let named = track.row_labels.iter().chain(&track.cell).map(|(_, formula)| formula);
                    std::iter::once(&track.boxes).chain(&track.when).chain(named)
                });
                formulas.map(FormulaRef::Formula).collect()
            }
        }
    }
}

impl AttackReads {
    fn of(&mut self, target: bool) -> &mut ShipReads {
        if target { &mut self.target } else { &mut self.own }
    }

    fn note_columns(&mut self, rules: &Ruleset, formula: &Formula) {
        for lookup in formula.lookups() {
            let Some(kind) = rules.symbols.calls.get(lookup.call & !TARGET).map(|call| call.kind) else { continue };
            let Some((number, table)) = kind.table().and_then(|n| Some((n, rules.tables.get(n)?))) else { continue };
            let asked = match kind {
                CallKind::Step(_, column) | CallKind::Within(_, column) | CallKind::Cells(_, column) => {
                    table.columns().get(column).map(|column| column.id.clone())
                }
                _ => None,
            };
            self.columns.extend(asked.into_iter().chain(lookup.field.map(Arc::from)).map(|column| (number, column)));
        }
    }

    fn note(&mut self, rules: &Ruleset, read: Read) {
        match read {
            Read::Table(table) => {
                let mut next = Some(table);
                while let Some(table) = next.filter(|table| self.tables.insert(*table)) {
                    next = rules.tables.get(table).and_then(|table| table.made_from);
                }
            }
            Read::Track(track) => {
                self.tracks.insert(track);
            }
            Read::Value(_) | Read::Attribute(_) => {}
        }
    }
}
