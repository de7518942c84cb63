//! A design, fleet or ship under two rulesets.

use std::sync::Arc;

use crate::evaluate::ResultChange;
use crate::finding::Finding;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImpactKind {
    Design,
    Fleet,
    /// A ship of the fleet above it.
    Ship,
}

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
}

#[derive(Clone, Copy, Default)]
pub struct ImpactSide {
    pub points: Option<i64>,
    pub legal: bool,
}

impl ImpactRow {
    pub fn new(file: Arc<str>) -> Self {
        Self {
            kind: ImpactKind::Design,
            file,
            is_readable: true,
            name: String::new(),
            before: ImpactSide::default(),
            after: ImpactSide::default(),
            new_findings: Vec::new(),
            gone_findings: Vec::new(),
            effects: Vec::new(),
            budget: None,
            ships: Vec::new(),
            failed: Vec::new(),
        }
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
