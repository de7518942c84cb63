//! The work of one evaluation: counts what it visits and makes, refuses what is too much, and reports the sum to the
//! host at the end.

use std::cell::Cell;
use std::sync::Arc;

use moldloft_base::source::Span;

use super::error::{EvalResult, too_large, too_long_list, too_nested};
use super::limits::{FORMULA_WORK, MAX_LIST_LEN, MAX_WORK};
use super::{Host, Value};

pub(super) struct FormulaRun<'h> {
    pub host: &'h dyn Host,
    work_limit: u32,
    work_left: Cell<u32>,
    items_made: Cell<u32>,
    base_work: u32,
}

impl<'h> FormulaRun<'h> {
    pub fn new(host: &'h dyn Host, parts: u32) -> Self {
        let work = MAX_WORK.min(host.work_limit());
        Self {
            host,
            work_limit: work,
            work_left: Cell::new(work),
            items_made: Cell::new(0),
            base_work: FORMULA_WORK + parts,
        }
    }

    pub fn with_work(host: &'h dyn Host, work: u32) -> Self {
        Self { host, work_limit: work, work_left: Cell::new(work), items_made: Cell::new(0), base_work: 0 }
    }

    pub fn remaining(&self) -> u32 {
        self.work_left.get()
    }

    /// One unit for each item visited, or 16 bytes of text.
    pub fn charge_work(&self, units: usize, at: Span) -> EvalResult<()> {
        match u32::try_from(units).ok().and_then(|units| self.work_left.get().checked_sub(units)) {
            Some(left) => {
                self.work_left.set(left);
                Ok(())
            }
            None => {
                // The host's remaining work is insufficient: use it up, so that the next formula does not try.
                if self.work_limit < MAX_WORK {
                    self.work_left.set(0);
                }
                Err(too_large(at))
            }
        }
    }

    /// One unit for each item made.
    pub fn charge_items(&self, items: usize, at: Span) -> EvalResult<()> {
        self.charge_work(items, at)?;
        self.items_made.set(self.items_made.get().saturating_add(u32::try_from(items).unwrap_or(u32::MAX)));
        Ok(())
    }

    /// Charges for a list before it is made.
    pub fn charge_list(&self, length: i64, at: Span) -> EvalResult<usize> {
        let length = length.max(0);
        match usize::try_from(length) {
            Ok(items) if items <= MAX_LIST_LEN => {
                self.charge_items(items, at)?;
                Ok(items)
            }
            _ => Err(too_long_list(length, at)),
        }
    }

    /// Refuses values nested too deeply, so that walking one cannot overflow the stack.
    pub fn check_depth(&self, value: &Value, levels: usize, at: Span) -> EvalResult<()> {
        let items = match value {
            Value::List(items) => items.len(),
            Value::Record(record) => record.entries.len(),
            _ => return Ok(()),
        };
        if levels == 0 {
            return Err(too_nested(at));
        }
        self.charge_work(items, at)?;
        match value {
            Value::List(items) => items.iter().try_for_each(|item| self.check_depth(item, levels - 1, at)),
            Value::Record(record) => {
                record.entries.iter().try_for_each(|(_, item)| self.check_depth(item, levels - 1, at))
            }
            _ => Ok(()),
        }
    }

    pub fn finish(&self, at: Span) -> EvalResult<()> {
        if self.items_made.get() > 0 && !self.host.reserve_cells(self.items_made.get()) {
            return Err(too_large(at));
        }
        Ok(())
    }
}

impl Drop for FormulaRun<'_> {
    fn drop(&mut self) {
        self.host.record_work(self.base_work.saturating_add(self.work_limit - self.work_left.get()));
    }
}

/// What a built-in function is computed with.
pub(super) struct FunctionContext<'r, 'h> {
    pub run: &'r FormulaRun<'h>,
    pub at: Span,
    /// Names of the named arguments, which come last.
    pub names: &'r [Arc<str>],
}
