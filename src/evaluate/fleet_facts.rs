//! What the texts of a fleet's own pages read: plain facts about the fleet.

use std::sync::Arc;

use crate::formula::Value;
use crate::ruleset::Builtin;

/// A fleet in figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetFacts {
    /// As the player calls it.
    pub name: Arc<str>,
    /// Whose it is; may be empty.
    pub side: Arc<str>,
    /// Who plays it; may be empty.
    pub player: Arc<str>,
    /// The player's notes; may be empty.
    pub notes: Arc<str>,
    /// What it may cost.
    pub budget: Option<i64>,
    /// What it costs; `None` when a ship's cost is not known.
    pub points: Option<i64>,
    /// Ships, without what they tow.
    pub ships: u32,
    /// Ships and what they tow.
    pub units: u32,
    /// Entries of the fleet that could not be used.
    pub left_out: u32,
    /// The short code; may be empty.
    pub code: Arc<str>,
    /// `legal`, or how many rules are broken.
    pub verdict: Arc<str>,
    /// Whether nothing in it is against the rules.
    pub legal: bool,
    /// What rests on a guess, one short line each, of all its ships.
    pub assumed: Arc<str>,
}

impl FleetFacts {
    /// What is left of the budget.
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
