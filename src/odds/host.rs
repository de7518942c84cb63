//! Answers the names of attacks from two ships and a situation.

use crate::formula::{Host, Slot, Value};
use crate::ruleset::{TARGET, Variable, situation_of, target_table_of};

/// Answers the names of an [`AttackScope`](crate::ruleset::AttackScope); variables are null, since a run has them.
pub struct AttackHost<'h> {
    pub own: &'h dyn Host,
    pub target: &'h dyn Host,
    /// By situation.
    pub situation: &'h [Value],
    /// The target's rows, by the number in its slot.
    pub target_tables: &'h [Value],
}

impl AttackHost<'_> {
    fn table(&self, slot: Slot) -> Option<&Value> {
        self.target_tables.get(usize::from(target_table_of(slot)?))
    }
}

impl Host for AttackHost<'_> {
    fn read(&self, slot: Slot) -> Value {
        if let Some(value) = self.read_ref(slot) {
            return value.clone();
        }
        if Variable::from_slot(slot).is_some() || situation_of(slot).is_some() {
            return Value::Null;
        }
        if slot & TARGET == 0 { self.own.read(slot) } else { self.target.read(slot & !TARGET) }
    }

    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        if Variable::from_slot(slot).is_some() {
            return None;
        }
        if let Some(number) = situation_of(slot) {
            return self.situation.get(usize::from(number));
        }
        if let Some(table) = self.table(slot) {
            return Some(table);
        }
        if slot & TARGET == 0 { self.own.read_ref(slot) } else { self.target.read_ref(slot & !TARGET) }
    }

    fn call(&self, call: u32, arguments: &[Value]) -> Result<Value, String> {
        if call & TARGET == 0 { self.own.call(call, arguments) } else { self.target.call(call & !TARGET, arguments) }
    }

    // What attacks compute is the work of the ship that fires; what they ask of the other is that one's.
    fn work_limit(&self) -> u32 {
        match (self.own.work_limit(), self.target.work_limit()) {
            (0, _) | (_, 0) => 0,
            (own, target) => own.saturating_add(target),
        }
    }

    fn record_work(&self, units: u32) {
        self.own.record_work(units);
    }

    fn reserve_cells(&self, cells: u32) -> bool {
        self.own.reserve_cells(cells)
    }
}
