//! A class of ship: takes its design, gives the values that the rules compute from it.

use moldloft_base::finding::Finding;
use moldloft_base::source::Source;
use moldloft_rules::design::Design;
use moldloft_rules::evaluate::{CostLine, Evaluation, Explanation, explain, report_json};
use moldloft_rules::formula::Value;

use super::Error;

/// A class of ship as read from its file. Nothing in it is checked yet.
#[derive(Clone, Debug)]
pub struct ShipDesign {
    pub(super) design: Design,
}

impl ShipDesign {
    /// Reads a design from text. Findings use `file` as its name.
    ///
    /// # Errors
    /// The text is not TOML, not a design, or in a newer format.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Error> {
        Ok(Self { design: Design::read(&Source::new(file, text))? })
    }

    /// The class of ship; empty when the design names none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.design.name.as_ref().map_or("", |name| &name.text)
    }

    /// The id of the ruleset that the design names.
    #[must_use]
    pub fn ruleset(&self) -> Option<&str> {
        self.design.ruleset.as_ref().map(|id| &*id.text)
    }
}

/// A ship with everything the rules compute for it. A ship of a fleet has its own name, hull number and damage.
#[derive(Clone, Debug)]
pub struct CheckedShip {
    pub(super) evaluation: Evaluation,
}

impl CheckedShip {
    pub(super) fn new(evaluation: Evaluation) -> Self {
        Self { evaluation }
    }

    /// The class of ship; empty when the design names none.
    #[must_use]
    pub fn class(&self) -> &str {
        &self.evaluation.name
    }

    /// The ship's own name, if it belongs to a fleet that gives it one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.evaluation.ship.name.as_deref()
    }

    /// The hull number, if the ship belongs to a fleet that gives it one.
    #[must_use]
    pub fn hull_number(&self) -> Option<&str> {
        self.evaluation.ship.hull_number.as_deref()
    }

    /// The id of the ruleset it was checked against.
    #[must_use]
    pub fn ruleset(&self) -> &str {
        &self.evaluation.ruleset.id
    }

    /// Whether no finding is an error.
    #[must_use]
    pub fn is_legal(&self) -> bool {
        self.evaluation.legal
    }

    /// The cost in the game's points. `None` when the game has no points, or they cannot be computed.
    #[must_use]
    pub fn points(&self) -> Option<i64> {
        self.evaluation.points
    }

    /// The lines of the cost; their sum is the points.
    #[must_use]
    pub fn costs(&self) -> &[CostLine] {
        &self.evaluation.costs
    }

    /// A value of the ruleset by its id, such as `structure`. `None` when there is no such value, it is not a number,
    /// or it cannot be computed. Numbers are whole, within ±10^15, in the ruleset's unit.
    #[must_use]
    pub fn number(&self, id: &str) -> Option<i64> {
        match self.evaluation.values.iter().find(|value| *value.id == *id)?.value {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// Errors first, then in the order of the file.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.evaluation.findings
    }

    /// Where a number comes from, down to the design's own entries. `what` is a value (`structure`), a field, a
    /// setting, an attribute (`missile-launcher.points`), `costs`, or the code of a check. Empty when there is no such
    /// thing.
    #[must_use]
    pub fn explain(&self, what: &str) -> Vec<Explanation> {
        explain(&self.evaluation, Some(what))
    }

    /// The ship's report as a JSON object, as printed by `moldloft check --json`.
    #[must_use]
    pub fn to_json(&self) -> String {
        report_json(&self.evaluation).to_string()
    }
}
