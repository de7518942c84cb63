//! What counts as what: a system counts as itself, as what it is like, and as what that is like; a system of the design as all that
//! the one counts as that it is like. All that asks for systems by words goes through here.

use std::sync::Arc;

use crate::formula::{KindCall, Record, Value};
use crate::ruleset::{EXACT, Ruleset, TableKind};

use super::Evaluation;
use super::state::{ItTarget, ShipState, StateView};

impl Evaluation {
    /// Whether one of its fits, by its place in [`Evaluation::fits`](super::SharedEvaluation::fits), counts as one of these systems.
    pub fn counts_as_any(&self, fit: usize, systems: &[Arc<str>]) -> bool {
        let fitted = self.state.fits.get(fit);
        fitted.is_some_and(|fit| kinds(&self.ruleset, &self.state, fit.system).any(|kind| systems.contains(kind)))
    }
}

/// The ids that a system counts as, its own first.
fn kinds<'a>(rules: &'a Ruleset, state: &'a ShipState, system: usize) -> impl Iterator<Item = &'a Arc<str>> {
    let own = system.checked_sub(rules.systems.len()).and_then(|own| state.custom_systems.get(own));
    let known = rules.systems.get(own.map_or(system, |own| own.base));
    let known = known.into_iter().flat_map(|known| known.kinds.iter().map(|kind| &rules.systems[*kind].id));
    own.map(|own| &own.id).into_iter().chain(known)
}

impl<'a> StateView<'a> {
    /// Of the ruleset or of the design.
    fn system_called(&self, id: &str) -> Option<usize> {
        let known = self.rules.systems.iter().position(|system| *system.id == *id);
        known.or_else(|| {
            let own = self.state.custom_systems.iter().position(|own| *own.id == *id)?;
            Some(self.rules.systems.len() + own)
        })
    }

    fn kinds(&self, system: usize) -> impl Iterator<Item = &'a Arc<str>> {
        kinds(self.rules, self.state, system)
    }

    /// How many steps of `like` are between a system and a word, or the nearest of a list; `None` if it does not count as it.
    fn distance(&self, system: usize, words: &Value) -> Option<usize> {
        let to = |word: &Value| match word {
            Value::Text(word) => match word.strip_prefix(EXACT) {
                Some(id) => self.kinds(system).next().filter(|own| ***own == *id).map(|_| 0),
                None => self.kinds(system).position(|kind| kind == word),
            },
            _ => None,
        };
        match words {
            Value::List(words) => words.iter().filter_map(to).min(),
            word => to(word),
        }
    }

    /// Whether words that are known only now ask for a system. In a row of a table they ask for what no other row names more closely.
    pub(super) fn is_meant(&self, system: usize, words: &Value) -> bool {
        match (self.distance(system, words), self.target) {
            (None, _) => false,
            (Some(steps @ 1..), ItTarget::TableRow(table, row)) => {
                !self.is_nearer_elsewhere(table, row, words, system, steps)
            }
            (Some(_), _) => true,
        }
    }

    fn is_nearer_elsewhere(&self, table: usize, row: usize, words: &Value, system: usize, steps: usize) -> bool {
        let TableKind::Rows { rows, .. } = &self.rules.tables[table].kind else { return false };
        let Some(here) = rows.get(row) else { return false };
        self.work_budget.spend(rows.len().saturating_mul(here.entries.len()));
        let columns = (0..here.entries.len()).filter(|column| here.entries[*column].1 == *words);
        let mut cells = columns.flat_map(|column| rows.iter().map(move |row| &row.entries[column].1));
        cells.any(|cell| self.distance(system, cell).is_some_and(|other| other < steps))
    }

    /// The row of what a system is like, where it has none of its own.
    pub(super) fn closest_row<'r>(
        &self,
        key: &[usize],
        rows: &'r [Arc<Record>],
        wanted: &[Value],
    ) -> Option<&'r Arc<Record>> {
        let system = |word: &Value| if let Value::Text(id) = word { self.system_called(id) } else { None };
        let systems: Vec<Option<usize>> = wanted.iter().map(system).collect();
        if systems.iter().all(Option::is_none) {
            return None;
        }
        self.work_budget.spend(rows.len().saturating_mul(3));
        let steps = |row: &Record| {
            let cells = key.iter().map(|column| &row.entries[*column].1).zip(wanted).zip(&systems);
            cells
                .map(|((cell, wanted), system)| match system {
                    _ if cell == wanted => Some(0),
                    Some(system) => self.distance(*system, cell),
                    None => None,
                })
                .sum::<Option<usize>>()
        };
        rows.iter().filter_map(|row| Some((steps(row)?, row))).min_by_key(|(steps, _)| *steps).map(|(_, row)| row)
    }

    pub(super) fn answer_of_kinds(&self, call: KindCall, words: &[Value]) -> Value {
        self.work_budget.spend(self.rules.systems.len() / 4);
        match (call, words) {
            (KindCall::CountsAs, [Value::List(things), kind]) => {
                Value::Flag(things.iter().any(|thing| self.counts_as(thing, kind)))
            }
            (KindCall::CountsAs, [thing, kind]) => Value::Flag(self.counts_as(thing, kind)),
            (KindCall::Above, [word]) => self.listed(word, |system| self.kinds(system).cloned().collect()),
            (KindCall::Below, [word]) => self.listed(word, |_| {
                let all = 0..self.rules.systems.len() + self.state.custom_systems.len();
                let below = all.filter(|system| self.distance(*system, word).is_some());
                below.filter_map(|system| self.kinds(system).next().cloned()).collect()
            }),
            _ => Value::Null,
        }
    }

    /// A text, or what is found of the system that it names.
    fn listed(&self, word: &Value, find: impl FnOnce(usize) -> Vec<Arc<str>>) -> Value {
        let Value::Text(id) = word else { return word.clone() };
        match self.system_called(id) {
            Some(system) => Value::List(find(system).into_iter().map(Value::Text).collect()),
            None => word.clone(),
        }
    }

    fn counts_as(&self, thing: &Value, kind: &Value) -> bool {
        let is_same = match kind {
            Value::List(kinds) => kinds.contains(thing),
            kind => kind == thing,
        };
        let Value::Text(id) = thing else { return is_same };
        is_same || self.system_called(id).is_some_and(|system| self.distance(system, kind).is_some())
    }
}
