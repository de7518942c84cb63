//! Answers the names of attacks from two ships and a situation.

use moldloft_rules::formula::{Host, Slot, Value};
use moldloft_rules::ruleset::{PrintedRows, TARGET, Variable, situation_of};

/// What the sheet of a ship prints and attacks read, by their slots.
pub type PrintedValues = Vec<(Slot, Value)>;

/// Answers the names of a ship, and what its sheet prints.
pub struct SheetHost<'h> {
    pub ship: &'h dyn Host,
    pub printed: &'h PrintedValues,
}

impl Host for SheetHost<'_> {
    fn around(&self) -> Option<&dyn Host> {
        Some(self.ship)
    }

    fn read(&self, slot: Slot) -> Value {
        match self.read_ref(slot) {
            Some(value) => value.clone(),
            None if PrintedRows::from_slot(slot).is_some() => Value::Null,
            None => self.ship.read(slot),
        }
    }

    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        match PrintedRows::from_slot(slot) {
            Some(_) => self.printed.iter().find(|(known, _)| *known == slot).map(|(_, value)| value),
            None => self.ship.read_ref(slot),
        }
    }
}

/// Answers the names of an [`AttackScope`](moldloft_rules::ruleset::AttackScope); variables are null, since a run has them.
pub struct AttackHost<'h> {
    pub own: &'h dyn Host,
    pub target: &'h dyn Host,
    /// By situation.
    pub situation: &'h [Value],
}

impl Host for AttackHost<'_> {
    // What attacks compute is the work of the ship that fires; what they ask of the other is that one's.
    fn around(&self) -> Option<&dyn Host> {
        Some(self.own)
    }

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
        if slot & TARGET == 0 { self.own.read_ref(slot) } else { self.target.read_ref(slot & !TARGET) }
    }

    fn call(&self, call: u32, arguments: &[Value]) -> Result<Value, String> {
        if call & TARGET == 0 { self.own.call(call, arguments) } else { self.target.call(call & !TARGET, arguments) }
    }

    fn work_limit(&self) -> u32 {
        match (self.own.work_limit(), self.target.work_limit()) {
            (0, _) | (_, 0) => 0,
            (own, target) => own.saturating_add(target),
        }
    }
}
