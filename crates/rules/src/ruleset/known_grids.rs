//! Grids that ships have in common, so that each need not compute them again: found by what their formulas take from a ship. It only saves time: what is kept is
//! what would be computed, with its work.

use std::sync::{Arc, Mutex, PoisonError};

use super::call_table::CallTable;
use crate::formula::{FixedParts, Formula, Host, Slot, Value};

/// The most cells, labels and values that are kept of a ruleset, each of 64 bytes of text at most.
const MAX_KEPT: usize = 100_000;
const MAX_TEXT: usize = 64;

/// What the formulas of a grid take from a ship.
#[derive(Clone, Debug)]
pub struct GridInputs(Vec<FixedParts>);

impl GridInputs {
    /// `None` where they ask for more, for each number anew.
    pub(super) fn of<'f>(
        formulas: impl IntoIterator<Item = &'f Formula>,
        varying: &[Slot],
        calls: &CallTable,
    ) -> Option<Self> {
        let looks_up = |call| calls.get(call).is_some_and(|call| call.kind.table().is_some());
        let parts = formulas.into_iter().map(|formula| formula.fixed_parts(varying, &looks_up));
        parts.collect::<Option<_>>().map(Self)
    }

    /// `None` when one fails.
    pub fn of_ship(&self, host: &dyn Host) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        self.0.iter().all(|parts| parts.eval(host, &mut values)).then_some(values)
    }
}

#[derive(Debug, Default)]
pub struct KnownGrid {
    /// The table's place in the ruleset.
    pub table: usize,
    pub inputs: Vec<Value>,
    pub across: Vec<i64>,
    pub down: Vec<i64>,
    pub across_labels: Vec<Arc<str>>,
    pub down_labels: Vec<Arc<str>>,
    /// Down, across. None failed.
    pub cells: Vec<Vec<Value>>,
    /// Work and cells of lists that they took.
    pub cost: (u64, u64),
}

impl KnownGrid {
    /// `None` where something of it is too large to keep.
    fn weight(&self) -> Option<usize> {
        let is_small = |value: &Value| match value {
            Value::Text(text) => text.len() <= MAX_TEXT,
            Value::Null | Value::Int(_) | Value::Flag(_) => true,
            Value::List(_) | Value::Record(_) => false,
        };
        let mut labels = self.across_labels.iter().chain(&self.down_labels);
        let mut values = self.cells.iter().flatten().chain(&self.inputs);
        (labels.all(|label| label.len() <= MAX_TEXT) && values.all(is_small))
            .then(|| self.inputs.len() + (self.across.len() + 1) * (self.down.len() + 1))
    }
}

#[derive(Debug, Default)]
pub struct KnownGrids(Mutex<(Vec<Arc<KnownGrid>>, usize)>);

/// A changed ruleset begins anew.
impl Clone for KnownGrids {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl KnownGrids {
    pub fn find(&self, table: usize, inputs: &[Value], across: &[i64], down: &[i64]) -> Option<Arc<KnownGrid>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |grid: &&Arc<KnownGrid>| {
            grid.table == table && grid.inputs == inputs && grid.across == across && grid.down == down
        };
        kept.0.iter().find(is_it).cloned()
    }

    pub fn keep(&self, grid: Arc<KnownGrid>) {
        let Some(weight) = grid.weight() else { return };
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.1 + weight <= MAX_KEPT {
            kept.1 += weight;
            kept.0.push(grid);
        }
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.len()
    }
}
