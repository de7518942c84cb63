//! The evaluation itself.
use std::sync::Arc;

use crate::design::{Design, Ship};
use crate::ruleset::Ruleset;

use super::Evaluation;

/// Evaluates a design as this ship of its class ([`Ship::default`] for a lone design). Never fails: what is wrong is among the
/// findings, the design's own first.
pub fn evaluate(ruleset: &Arc<Ruleset>, design: &Design, ship: &Ship) -> Evaluation {
    let _ = (ruleset, design, ship);
    todo!()
}
