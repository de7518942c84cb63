//! An answer for players: takes a point, gives the changes, the edits of the file and the design after them, evaluated by the program itself.

use std::sync::Arc;

use moldloft_base::finding::DesignEdit;
use moldloft_rules::design::Document;
use moldloft_rules::evaluate::{Evaluation, evaluate};

use super::question::SearchSpace;
use super::scorer::{Found, Score, Scorer, is_confirmed};

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
        Some(Self { score: found.score, changes: changes(space, &found.point), edits, document, after })
    }
}

fn changes(space: &SearchSpace<'_>, point: &[i64]) -> Vec<LeverChange> {
    let moved = space.levers.iter().zip(point).enumerate().filter(|(_, (lever, number))| lever.now != **number);
    // The check that would fail without it; a fix of another one may move it too.
    let need = |place: usize| Scorer::new(space).need_of(point, &[place], 1);
    moved
        .map(|(place, (lever, number))| LeverChange {
            lever: lever.id.clone(),
            label: lever.label.clone(),
            from: lever.shown(lever.now).into(),
            to: lever.shown(*number).into(),
            follows: lever.follows.as_ref().and_then(|_| need(place)),
        })
        .collect()
}
