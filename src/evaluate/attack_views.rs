//! Views of a ship for its attacks: takes an evaluation and the `for_each` of each attack, gives a host for the ship and one
//! for each item that an attack is repeated for. All share one allowance of work.

use std::sync::Arc;

use crate::formula::{Host, Record, Value};
use crate::ruleset::Selector;

use super::Evaluation;
use super::evaluator::targets;
use super::state::{ItTarget, StateView};
use super::work_budget::WorkBudget;

/// An attack of a ship, with the host whose `it` is its item.
#[derive(Clone, Copy)]
pub(crate) struct AttackView<'v> {
    /// Index in the selectors.
    pub attack: usize,
    pub host: &'v dyn Host,
}

impl Evaluation {
    /// Calls `ask` with a host for the ship as a whole, and one for each item of each selector (`None`: the ship). At most
    /// `most` items are viewed.
    pub(crate) fn with_attack_views<T>(
        &self,
        for_each: &[Option<&Selector>],
        most: usize,
        ask: impl FnOnce(&dyn Host, &[AttackView<'_>]) -> T,
    ) -> T {
        let budget = WorkBudget::for_odds();
        let view = |target| StateView::new(&self.ruleset, &self.state, &self.ship, target, &budget);
        let ship = view(ItTarget::Nothing);
        let items = for_each.iter().enumerate().flat_map(|(attack, selector)| {
            targets(&self.ruleset, &self.state, *selector).into_iter().map(move |target| (attack, target))
        });
        let items: Vec<(usize, ItTarget)> = items.take(most).collect();
        let views: Vec<StateView<'_>> = items.iter().map(|(_, target)| view(*target)).collect();
        let views = items.iter().zip(&views).map(|((attack, _), host)| AttackView { attack: *attack, host });
        ask(&ship, &views.collect::<Vec<_>>())
    }

    /// The rows of a table by their columns' ids; none if the ship does not have it.
    pub(crate) fn table_rows(&self, id: &str) -> Value {
        let table = self.tables.iter().find(|table| *table.id == *id);
        let rows = table.into_iter().flat_map(|table| {
            table.rows.iter().map(|row| {
                let entries = table.columns.iter().map(|column| column.id.clone()).zip(row.iter().cloned()).collect();
                Value::Record(Arc::new(Record { entries }))
            })
        });
        Value::List(rows.collect())
    }
}
