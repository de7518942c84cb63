//! One evaluation over a box: its host, and whether it may fail.

use std::cell::Cell;

use super::super::run::FormulaRun;
use super::super::{NoNames, Value};
use super::host::RangeHost;
use super::number::{LeverBox, NumberResult};
use super::value::{RangeKind, RangeValue};

/// Work that one part may do on exact values, as in [`FormulaRun`].
const EXACT_WORK: u32 = 20_000;
pub(super) struct RangeRun<'h> {
    pub host: &'h dyn RangeHost,
    pub may_fail: Cell<bool>,
}

impl<'h> RangeRun<'h> {
    pub fn new(host: &'h dyn RangeHost) -> Self {
        Self { host, may_fail: Cell::new(false) }
    }

    pub fn levers(&self) -> &'h LeverBox {
        self.host.levers()
    }

    pub fn fail(&self) -> RangeValue {
        self.may_fail.set(true);
        RangeValue::null()
    }

    pub fn unknown(&self) -> RangeValue {
        self.may_fail.set(true);
        RangeValue::any()
    }

    pub fn number(&self, result: NumberResult) -> RangeValue {
        if result.may_fail {
            self.may_fail.set(true);
        }
        result.range.map_or_else(RangeValue::null, RangeValue::number)
    }

    /// What an exact computation gives: a failure makes the formula null.
    pub fn exactly<E>(&self, with: impl FnOnce(&FormulaRun<'_>) -> Result<Value, E>) -> RangeValue {
        let run = FormulaRun::with_work(&NoNames, EXACT_WORK);
        let result = with(&run);
        self.host.record_work((EXACT_WORK - run.remaining()) as usize);
        match result {
            Ok(value) => RangeValue::exact(&value),
            // Exact work may be limited more than the formula's own.
            Err(_) if run.remaining() == 0 => self.unknown(),
            Err(_) => self.unknown(),
        }
    }

    /// A value of any type may be of the wrong one.
    pub fn note_type(&self, value: &RangeValue) {
        if value.kind == RangeKind::Any {
            self.may_fail.set(true);
        }
    }
}
