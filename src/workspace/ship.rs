//! A ship as checked by the rules: its values, tracks, boxes, tables and costs, its findings, and where a number comes from.

use std::sync::Arc;

use moldloft_base::finding::{Finding, nearest};
use moldloft_base::source::Source;
use moldloft_rules::design::Design;
use moldloft_rules::evaluate::{
    BoxKind, CostLine, Evaluation, Explanation, FieldResult, FitResult, MarkBoxes, QuickFix, TableResult, TrackResult,
    ValueResult, explain, quick_fix, report_json, tick_marks,
};
use moldloft_rules::formula::Value;

use super::{NoValue, ShipDesign};

/// A ship with everything the rules compute for it. A ship of a fleet has its own name, hull number and damage.
#[derive(Clone, Debug)]
pub struct CheckedShip {
    pub(super) evaluation: Evaluation,
}

/// The boxes of one name on a ship's sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoxGroup {
    /// A track's id, `structure`, or a system with its mount, `laser_port`: what a fleet's file names damage by.
    pub name: String,
    /// How many there are.
    pub boxes: u32,
    /// How many of them are ticked. 0 without a fleet.
    pub ticked: u32,
    /// What ticking one means.
    pub kind: BoxKind,
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

    /// Its class, to be changed and checked again.
    #[must_use]
    pub fn design(&self) -> ShipDesign {
        let empty = || Design::empty(Source::new("", ""));
        ShipDesign { design: self.evaluation.design().cloned().unwrap_or_else(empty) }
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

    /// A value or field of the ruleset by its id, such as `structure`.
    ///
    /// # Errors
    /// There is no such value, or it cannot be computed.
    pub fn value(&self, id: &str) -> Result<&Value, NoValue> {
        let values = || self.values().iter().map(|value| (&*value.id, &value.value));
        let all = || values().chain(self.fields().iter().map(|field| (&*field.id, &field.value)));
        match all().find(|(known, _)| *known == id) {
            Some((_, Value::Null)) => Err(NoValue::NotComputable { id: id.to_owned() }),
            Some((_, value)) => Ok(value),
            None => {
                let nearest = nearest(id, all().map(|(known, _)| known)).map(str::to_owned);
                Err(NoValue::Unknown { id: id.to_owned(), nearest })
            }
        }
    }

    /// A number among the [values](Self::value): whole, within ±10^15, in the ruleset's unit.
    ///
    /// # Errors
    /// There is no such value, it is not a number, or it cannot be computed.
    pub fn number(&self, id: &str) -> Result<i64, NoValue> {
        match self.value(id)? {
            Value::Int(number) => Ok(*number),
            other => Err(NoValue::NotANumber { id: id.to_owned(), found: other.describe() }),
        }
    }

    /// All values, in the ruleset's order.
    #[must_use]
    pub fn values(&self) -> &[ValueResult] {
        &self.evaluation.values
    }

    /// All fields, in the ruleset's order, with defaults where the design states none.
    #[must_use]
    pub fn fields(&self) -> &[FieldResult] {
        &self.evaluation.fields
    }

    /// The systems aboard that the rules know, in the order of the file.
    #[must_use]
    pub fn fits(&self) -> &[FitResult] {
        &self.evaluation.fits
    }

    /// The rows of boxes on its sheet, in the ruleset's order.
    #[must_use]
    pub fn tracks(&self) -> &[TrackResult] {
        &self.evaluation.tracks
    }

    /// The tables on its sheet, in the ruleset's order, with the rows that concern this ship.
    #[must_use]
    pub fn tables(&self) -> &[TableResult] {
        &self.evaluation.tables
    }

    /// All boxes that can be ticked, by name: those of tracks, of systems, of counters and of tables.
    #[must_use]
    pub fn boxes(&self) -> Vec<BoxGroup> {
        let damage = &self.evaluation.ship.damage;
        let marks = tick_marks(&self.evaluation);
        let group = |(name, of): (&Arc<str>, &MarkBoxes)| BoxGroup {
            name: name.to_string(),
            boxes: of.count,
            ticked: damage.count(name),
            kind: of.kind,
        };
        marks.iter().map(group).collect()
    }

    /// Errors first, then in the order of the file.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.evaluation.findings
    }

    /// What puts a finding right, by its place in [`findings`](Self::findings), from 0. `None` where a player has to
    /// choose, or nothing is certain.
    #[must_use]
    pub fn fix(&self, finding: usize) -> Option<QuickFix> {
        quick_fix(&self.evaluation, finding)
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
