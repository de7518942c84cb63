//! What the formulas of one ship may take in all: takes what each took, says whether there is more. Counted and never timed, so that every
//! machine stops at the same place.

use std::cell::Cell;

use crate::formula::FORMULA_WORK;

/// Cells of lists that the formulas of one evaluation may make in all: some megabytes.
const CELLS: i64 = 2_000_000;
/// Work that the formulas of one ship may do in all, in the unit of [`crate::formula::Host::worked`]. The largest ship of the tests takes
/// less than a tenth of it; all of it takes about a tenth of a second.
pub(crate) const SHIP: u64 = 16_000_000;
/// The same for one text or condition of a sheet.
const TEXT: u64 = 2_000_000;

/// What is left of cells and of work.
#[derive(Debug)]
pub(crate) struct Effort {
    cells: Cell<i64>,
    work: Cell<u64>,
    most: u64,
}

impl Effort {
    /// That of a whole ship.
    pub(crate) fn ship() -> Self {
        Self::of(SHIP)
    }

    /// That of one text or condition which is asked for by itself.
    pub(crate) fn text() -> Self {
        Self::of(TEXT)
    }

    /// So much work, never more than a ship's.
    pub(crate) fn of(work: u64) -> Self {
        let most = work.min(SHIP);
        Self { cells: Cell::new(CELLS), work: Cell::new(most), most }
    }

    /// Counts work; `false` when there is none left.
    pub(crate) fn work(&self, units: usize) -> bool {
        let left = self.work.get().saturating_sub(u64::try_from(units).unwrap_or(u64::MAX));
        self.work.set(left);
        left > 0
    }

    /// How much work is left.
    pub(crate) fn left(&self) -> u64 {
        self.work.get()
    }

    /// How much work there was at first.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.work.get() == 0
    }

    /// Counts cells that were made; `false` when they were too many.
    pub(crate) fn cells(&self, cells: u32) -> bool {
        let left = self.cells.get() - i64::from(cells);
        self.cells.set(left);
        left >= 0
    }

    /// What was taken, in plain formulas and cells.
    pub(crate) fn taken(&self) -> u64 {
        let cells = u64::try_from(CELLS.saturating_sub(self.cells.get())).unwrap_or(0);
        (self.most - self.work.get()) / u64::from(FORMULA_WORK) + cells
    }
}
