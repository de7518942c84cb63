//! Checks over a fleet: plain data, compiled.

use std::sync::Arc;

use crate::formula::{Formula, Slot, TextTemplate};
use moldloft_base::finding::Severity;
use moldloft_base::source::Span;

/// A rule that a fleet can break, such as a share of its points or a number of ships of one class.
#[derive(Clone, Debug)]
pub struct FleetCheckDef {
    /// Kebab-case, names the fault.
    pub code: Arc<str>,
    /// `None`: off.
    pub severity: Option<Severity>,
    /// Once for each of these; `None`: once for the fleet.
    pub for_each: Option<FleetSelector>,
    pub when: Option<Formula>,
    pub fails_when: Formula,
    pub message: TextTemplate,
    pub help: Option<TextTemplate>,
    /// A condition on units: the finding points to the last one for which it is true.
    pub at: Option<Formula>,
    pub rule: Option<Arc<str>>,
    /// The reason of the layer that changed it.
    pub reason: Option<Arc<str>>,
    /// How a layer changed its severity, and why.
    pub house_note: Option<Arc<str>>,
    /// Whether house rules, not a supplement, changed the severity.
    pub by_house: bool,
    /// The calls of `units` and `each` in its formulas and texts, by their number.
    pub calls: Vec<FleetCall>,
    /// What `fails_when` reads, with labels, for the finding.
    pub condition_reads: Vec<(Arc<str>, FleetRead)>,
    pub marks: Vec<u32>,
    pub span: Span,
}

/// What a check over a fleet is repeated for. `it` is the first ship of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FleetSelector {
    /// Each ship, and each item that a ship carries.
    Unit,
    /// Each class.
    Class,
    /// Each group that has ships.
    Group,
}

impl FleetSelector {
    /// `unit`, as in rulesets.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Class => "class",
            Self::Group => "group",
        }
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

#[derive(Clone, Copy, Debug)]
pub enum FleetRead {
    Slot(Slot),
    /// The index in [`FleetCheckDef::calls`].
    Call(usize),
}
