//! What the texts of a fleet's own pages read: plain facts about the fleet.

use std::sync::Arc;

use crate::formula::Value;
use crate::ruleset::Builtin;

/// A fleet in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetFacts {
    /// As the player calls it.
    pub name: Arc<str>,
    /// Nation or alliance; may be empty.
    pub side: Arc<str>,
    pub player: Arc<str>,
    pub notes: Arc<str>,
    /// What it may cost.
    pub budget: Option<i64>,
    /// What it costs; `None` when a ship's cost is not known.
    pub points: Option<i64>,
    pub ships: u32,
    /// Ships and what they tow.
    pub units: u32,
    /// Entries that could not be used.
    pub left_out: u32,
    /// Short code; may be empty.
    pub code: Arc<str>,
    /// `legal`, or the number of rules broken.
    pub verdict: Arc<str>,
    pub legal: bool,
    /// The assumptions of all its ships, one short line each.
    pub assumed: Arc<str>,
}

impl FleetFacts {
    pub fn budget_left(&self) -> Option<i64> {
        self.budget?.checked_sub(self.points?)
    }

    pub(super) fn builtin_value(&self, word: Builtin) -> Value {
        let text = |text: &Arc<str>| Value::Text(text.clone());
        let number = |number: Option<i64>| number.map_or(Value::Null, Value::Int);
        match word {
            Builtin::FleetName => text(&self.name),
            Builtin::FleetSide => text(&self.side),
            Builtin::FleetPlayer => text(&self.player),
            Builtin::FleetNotes => text(&self.notes),
            Builtin::FleetCode => text(&self.code),
            Builtin::FleetBudget => number(self.budget),
            Builtin::FleetPoints => number(self.points),
            Builtin::FleetLeft => number(self.budget_left()),
            Builtin::FleetShips => Value::Int(self.ships.into()),
            Builtin::FleetUnits => Value::Int(self.units.into()),
            Builtin::FleetLeftOut => Value::Int(self.left_out.into()),
            _ => Value::Null,
        }
    }
}
