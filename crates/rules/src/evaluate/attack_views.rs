//! Views of a ship for its attacks: takes an evaluation and the `for_each` of each attack, gives a host for the ship and one
//! for each item that an attack is repeated for, the items' names, and the notes of what odds rest on. All hosts share one
//! allowance of work.

use std::sync::Arc;

use crate::formula::{Host, Record, Slot, Value};
use crate::ruleset::{PrintedRows, Provenance, Selector};

use super::Evaluation;
use super::evaluator::targets;
use super::resolve::fit_label;
use super::state::{ItTarget, StateView};
use super::work_budget::WorkBudget;

/// An attack of a ship, with the host whose `it` is its item.
#[derive(Clone, Copy)]
pub struct AttackView<'v> {
    /// Index in the selectors.
    pub attack: usize,
    pub host: &'v dyn Host,
}

impl Evaluation {
    /// Calls `ask` with a host for the ship as a whole, and one for each item of each selector (`None`: the ship). At most
    /// `most` items are viewed. All hosts share the work of one of so many `fights`.
    pub fn with_attack_views<T>(
        &self,
        for_each: &[Option<&Selector>],
        most: usize,
        fights: usize,
        ask: impl FnOnce(&dyn Host, &[AttackView<'_>]) -> T,
    ) -> T {
        let budget = WorkBudget::for_odds(fights);
        let state = &self.fighting().state;
        let view = |target| StateView::new(&self.ruleset, state, &self.ship, target, &budget);
        let ship = view(ItTarget::Nothing);
        let items = for_each.iter().enumerate().flat_map(|(attack, selector)| {
            targets(&self.ruleset, state, *selector).into_iter().map(move |target| (attack, target))
        });
        let items: Vec<(usize, ItTarget)> = items.take(most).collect();
        let views: Vec<StateView<'_>> = items.iter().map(|(_, target)| view(*target)).collect();
        let views = items.iter().zip(&views).map(|((attack, _), host)| AttackView { attack: *attack, host });
        ask(&ship, &views.collect::<Vec<_>>())
    }

    /// The names of the items of [`Evaluation::with_attack_views`], in its order; `None` where an attack is the ship's.
    pub fn attack_items(&self, for_each: &[Option<&Selector>], most: usize) -> Vec<Option<Arc<str>>> {
        let all = for_each.iter().flat_map(|selector| targets(&self.ruleset, &self.fighting().state, *selector));
        all.take(most).map(|target| self.item_label(target)).collect()
    }

    fn item_label(&self, target: ItTarget) -> Option<Arc<str>> {
        match target {
            ItTarget::Nothing => None,
            ItTarget::Fit(n) => {
                let fit = self.state.fits.get(n)?;
                let mount = fit.mount.and_then(|mount| self.ruleset.mounts.get(mount)).map(|mount| &*mount.label);
                Some(fit_label(self.state.system(&self.ruleset, fit.system).name, mount))
            }
            ItTarget::System(n) => Some(self.state.system(&self.ruleset, n).name.clone()),
            ItTarget::Mount(n) => self.ruleset.mounts.get(n).map(|mount| mount.label.clone()),
            ItTarget::Row(_, row) | ItTarget::TableRow(_, row) => Some(format!("row {}", row + 1).into()),
        }
    }

    /// The reasons of those marks that are assumptions or house rules and concern this ship, each once; those of what happens between turns
    /// only if there are several.
    pub fn provenance_notes(&self, marks: &[u32], several_turns: bool) -> Vec<Arc<str>> {
        let budget = WorkBudget::for_odds(1);
        let ship = StateView::new(&self.ruleset, &self.state, &self.ship, ItTarget::Nothing, &budget);
        let mut notes: Vec<Arc<str>> = Vec::new();
        for mark in marks.iter().filter_map(|mark| self.ruleset.marks.get(usize::try_from(*mark).ok()?)) {
            let is_aboard = |system: usize| self.state.fits.iter().any(|fit| fit.count > 0 && fit.base == system);
            let is_chosen = |(field, option): (usize, usize)| self.state.chosen.get(field) == Some(&Some(option));
            let concerns = (several_turns || mark.key.as_deref() != Some("at_turn"))
                && matches!(mark.provenance, Provenance::Assumed | Provenance::House)
                && mark.system.is_none_or(is_aboard)
                && mark.option.is_none_or(is_chosen)
                && mark
                    .when
                    .as_ref()
                    .is_none_or(|when| when.eval(&ship).is_ok_and(|value| value.as_bool() == Some(true)));
            let words = match mark.provenance {
                Provenance::House => format!("house rule: {}", mark.why).into(),
                _ => mark.why.clone(),
            };
            if concerns && !notes.contains(&words) {
                notes.push(words);
            }
        }
        notes
    }

    /// What the ship's sheet prints of these, each a list of rows; none of what the ship does not have. Only of an evaluation that keeps its results.
    pub fn printed_values(&self, wanted: &[PrintedRows]) -> Vec<(Slot, Value)> {
        let rows = wanted.iter().filter_map(|printed| {
            let rows = match *printed {
                PrintedRows::Table(n) => self.fighting().table_rows(&self.ruleset.tables.get(usize::from(n))?.id),
                PrintedRows::Track(n) => self.fighting().track_rows(&self.ruleset.tracks.get(usize::from(n))?.id),
            };
            Some((printed.slot(), rows))
        });
        rows.collect()
    }

    /// The rows of a table by their columns' ids.
    fn table_rows(&self, id: &str) -> Value {
        let table = self.tables.iter().find(|table| *table.id == *id);
        let rows = table.into_iter().flat_map(|table| {
            table.rows.iter().map(|row| {
                let entries = table.columns.iter().map(|column| column.id.clone()).zip(row.iter().cloned()).collect();
                Value::Record(Arc::new(Record { entries }))
            })
        });
        Value::List(rows.collect())
    }

    /// The rows of all tracks of this id: their boxes, what is in those, and labels.
    fn track_rows(&self, id: &str) -> Value {
        let rows = self.tracks.iter().filter(|track| *track.track == *id).flat_map(|track| {
            let mut first = 0;
            track.rows.iter().enumerate().map(move |(row, boxes)| {
                let cells = track.cells.get(first..first + *boxes as usize).unwrap_or_default();
                first += *boxes as usize;
                let cells = ("cells".into(), Value::List(cells.into()));
                let labels = track.row_labels.iter().map(|(name, labels)| {
                    (name.clone(), labels.get(row).map_or(Value::Null, |label| Value::Text(label.clone())))
                });
                let boxes = ("boxes".into(), Value::Int(i64::from(*boxes)));
                Value::Record(Arc::new(Record { entries: [boxes, cells].into_iter().chain(labels).collect() }))
            })
        });
        Value::List(rows.collect())
    }
}
