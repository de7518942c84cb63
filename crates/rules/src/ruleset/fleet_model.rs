//! What checks over a fleet have of their own: plain data, compiled.

use std::sync::Arc;

use crate::formula::Formula;
use moldloft_base::worded;

/// The scope of a check over a fleet, such as a share of its points or a number of ships of one class.
#[derive(Clone, Debug)]
pub struct OverFleet {
    /// Once for each of these; `None`: once for the fleet.
    pub for_each: Option<FleetSelector>,
    /// A condition on units: the finding points to the last one for which it is true.
    pub at: Option<Formula>,
    /// The calls of `units` and `each` in its formulas and texts, by their number.
    pub calls: Vec<FleetCall>,
}

worded! {
    /// What a check over a fleet is repeated for. `it` is the first ship of each.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum FleetSelector {
        /// Each ship, and each item that a ship carries.
        Unit = "unit",
        /// Each class.
        Class = "class",
        /// Each group that has ships.
        Group = "group",
    }
}

/// A call that is evaluated for every unit of the fleet.
#[derive(Clone, Debug)]
pub struct FleetCall {
    pub kind: FleetCallKind,
    /// Which units; `None`: all.
    pub condition: Option<Formula>,
    /// As written.
    pub text: Arc<str>,
    /// Whether it reads `it`, so that it differs for each item of a `for_each`.
    pub reads_it: bool,
}

#[derive(Clone, Debug)]
pub enum FleetCallKind {
    /// The number of units.
    Units,
    /// The list of what this formula gives for each unit.
    Each(Formula),
}

impl FleetCall {
    /// The formulas that units are asked.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        let each = match &self.kind {
            FleetCallKind::Each(formula) => Some(formula),
            FleetCallKind::Units => None,
        };
        each.into_iter().chain(&self.condition)
    }
}
