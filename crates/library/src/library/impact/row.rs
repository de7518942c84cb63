//! A design, fleet or ship under two rulesets.

use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_rules::evaluate::{Evaluation, ResultChange};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactKind {
    #[default]
    Design,
    Fleet,
    /// A ship of the fleet above it.
    Ship,
}

#[derive(Clone, Debug, Default)]
pub struct ImpactRow {
    pub kind: ImpactKind,
    pub file: Arc<str>,
    pub is_readable: bool,
    pub name: String,
    pub before: ImpactSide,
    pub after: ImpactSide,
    /// Findings only under the second ruleset; `gone_findings` are those only under the first.
    pub new_findings: Vec<Finding>,
    pub gone_findings: Vec<Finding>,
    /// Other differences; a fleet's are in its ships.
    pub effects: Vec<ResultChange>,
    pub budget: Option<i64>,
    pub ships: Vec<ImpactRow>,
    /// Why it could not be evaluated.
    pub failed: Vec<Finding>,
    /// Under both rulesets, for its odds; only if they are asked for.
    pub evaluations: Option<Box<(Evaluation, Evaluation)>>,
    pub odds: Option<ImpactOdds>,
}

/// What a design does in a turn, before and after.
#[derive(Clone, Debug, Default)]
pub struct ImpactOdds {
    /// What it takes off a sister ship.
    pub means: [Option<f64>; 2],
    /// Points destroyed for each point lost at equal points, the geometric mean over the other designs.
    pub trades: [Option<f64>; 2],
    /// Where what it takes off a sister ship changes most: `range 2 hexes`, before and after. `None` if it does nowhere.
    pub most: Option<(Arc<str>, [f64; 2])>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct ImpactSide {
    pub points: Option<i64>,
    pub legal: bool,
}

impl ImpactRow {
    pub fn new(file: Arc<str>) -> Self {
        Self { file, is_readable: true, ..Self::default() }
    }

    pub fn difference(&self) -> Option<i64> {
        self.after.points?.checked_sub(self.before.points?)
    }

    pub fn verdict(&self) -> &'static str {
        match (self.failed.is_empty(), self.before.legal, self.after.legal) {
            (false, ..) => "not checked",
            (_, true, true) => "legal",
            (_, true, false) => "BECAME ILLEGAL",
            (_, false, true) => "became legal",
            (_, false, false) => "not legal",
        }
    }
}
