//! A fleet's own pages (roster, summary, order logs): takes facts about the fleet, gives an evaluation without a ship.

use std::sync::Arc;

use crate::design::{Design, Ship};
use crate::ruleset::Ruleset;
use moldloft_base::source::Source;

use super::run::evaluate_blank;
use super::{Evaluation, FleetFacts};

impl Evaluation {
    pub fn for_fleet(ruleset: &Arc<Ruleset>, facts: FleetFacts) -> Self {
        let design = Design::empty(Source::new("", ""));
        let mut evaluation = evaluate_blank(ruleset, &design, &Ship::default(), None);
        evaluation.name = facts.name.clone();
        evaluation.legal = facts.legal;
        let state = Arc::make_mut(&mut evaluation.state);
        state.legal = facts.legal;
        state.assumed = (!facts.assumed.is_empty()).then(|| facts.assumed.clone());
        state.fleet = Some(Arc::new(facts));
        evaluation
    }
}
