//! An answer for players: takes a point, gives the changes, the edits of the file and the design after them, evaluated by the program itself.

use std::sync::Arc;

use moldloft_base::finding::DesignEdit;
use moldloft_rules::design::Document;
use moldloft_rules::evaluate::{Evaluation, evaluate};

use super::lever::Lever;
use super::question::SearchSpace;
use super::scorer::{Found, Score, is_confirmed};

/// A change of one lever.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeverChange {
    /// What changes, as a question names it: `laser@port`.
    pub lever: Arc<str>,
    /// For players: `laser, port`.
    pub label: Arc<str>,
    /// What it is in the design.
    pub from: Arc<str>,
    /// What it becomes.
    pub to: Arc<str>,
    /// The check because of which it goes with the others.
    pub follows: Option<Arc<str>>,
}

impl LeverChange {
    /// `missile launcher, forward chase: 1 → 2`
    pub fn words(&self) -> String {
        format!("{}: {} → {}", self.label, self.from, self.to)
    }
}

/// A design that answers a question.
#[derive(Clone, Debug)]
pub struct Suggestion {
    pub score: Score,
    pub changes: Vec<LeverChange>,
    pub edits: Vec<DesignEdit>,
    /// The design's file after the edits.
    pub document: Document,
    pub after: Evaluation,
}

impl Suggestion {
    /// `None` where the edits are not possible in this file.
    pub fn new(space: &SearchSpace<'_>, found: &Found) -> Option<Self> {
        // Where a fit with a count of 0 is more than no fit, its count is written.
        let remove = is_confirmed(space, found, true);
        let edits = space.edits(&found.point, remove);
        let (document, design) = space.subject.edited(&edits).ok()?;
        let after = evaluate(&space.subject.rules, &design, &space.subject.ship);
        Some(Self { score: found.score, changes: changes(&space.levers, &found.point), edits, document, after })
    }
}

pub fn changes(levers: &[Lever], point: &[i64]) -> Vec<LeverChange> {
    let moved = levers.iter().zip(point).filter(|(lever, number)| lever.now != **number);
    moved
        .map(|(lever, number)| LeverChange {
            lever: lever.id.clone(),
            label: lever.label.clone(),
            from: lever.shown(lever.now).into(),
            to: lever.shown(*number).into(),
            follows: lever.follows.clone(),
        })
        .collect()
}
