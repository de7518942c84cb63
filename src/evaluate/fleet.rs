//! What a fleet's own pages (roster, summary, order logs) say of the fleet: plain facts that the texts of their templates read. Takes the
//! facts, gives an evaluation without a ship; judges and computes nothing.

use std::sync::Arc;

use crate::design::{Design, Ship};
use crate::formula::Value;
use crate::ruleset::{About, Ruleset};
use crate::source::Source;

use super::Evaluation;

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
    pub fn left(&self) -> Option<i64> {
        self.budget?.checked_sub(self.points?)
    }

    pub(super) fn answer(&self, word: About) -> Value {
        let text = |text: &Arc<str>| Value::Text(text.clone());
        let number = |number: Option<i64>| number.map_or(Value::Null, Value::Int);
        match word {
            About::FleetName => text(&self.name),
            About::FleetSide => text(&self.side),
            About::FleetPlayer => text(&self.player),
            About::FleetNotes => text(&self.notes),
            About::FleetCode => text(&self.code),
            About::FleetBudget => number(self.budget),
            About::FleetPoints => number(self.points),
            About::FleetLeft => number(self.left()),
            About::FleetShips => Value::Int(self.ships.into()),
            About::FleetUnits => Value::Int(self.units.into()),
            About::FleetLeftOut => Value::Int(self.left_out.into()),
            _ => Value::Null,
        }
    }
}

impl Evaluation {
    /// No ship, but a fleet: what its own pages are filled from.
    pub fn of_fleet(ruleset: &Arc<Ruleset>, facts: FleetFacts) -> Self {
        let design = Design::empty(Source::new("", ""));
        let mut evaluation = super::run::blank(ruleset, &design, &Ship::default(), None);
        evaluation.name = facts.name.clone();
        evaluation.legal = facts.legal;
        let state = Arc::make_mut(&mut evaluation.state);
        state.legal = facts.legal;
        state.assumed = (!facts.assumed.is_empty()).then(|| facts.assumed.clone());
        state.fleet = Some(Arc::new(facts));
        evaluation
    }
}
