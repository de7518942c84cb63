//! Grids whose cells hang on nothing but their own numbers, so that ships which share them need not compute each cell again. It only saves time: what is kept
//! is what would be computed, with its work.

use std::sync::{Arc, Mutex, PoisonError};

use crate::formula::{Formula, Value};

/// Most grids that are kept of a ruleset.
const MAX_KEPT: usize = 64;

#[derive(Debug)]
pub struct KnownGrid {
    /// Of its names it reads only the numbers across and down.
    pub cell: Formula,
    pub across: Vec<i64>,
    pub down: Vec<i64>,
    /// Down, across. None failed.
    pub cells: Vec<Vec<Value>>,
    /// Work and cells of lists that they took.
    pub cost: (u64, u64),
}

#[derive(Debug, Default)]
pub struct KnownGrids(Mutex<Vec<Arc<KnownGrid>>>);

/// A changed ruleset begins anew.
impl Clone for KnownGrids {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl KnownGrids {
    pub fn find(&self, cell: &Formula, across: &[i64], down: &[i64]) -> Option<Arc<KnownGrid>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |grid: &&Arc<KnownGrid>| grid.across == across && grid.down == down && grid.cell.is_same(cell);
        known.iter().find(is_it).cloned()
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    pub fn keep(&self, grid: KnownGrid) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MAX_KEPT {
            known.push(Arc::new(grid));
        }
    }
}
