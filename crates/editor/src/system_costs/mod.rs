//! The cost of each system on a ship: takes a design, evaluates it with more of each and gives the differences. A
//! job, started again after every change.

pub mod model;

use std::sync::Arc;

use crate::{Command, CostMeasure, Doc, EditorState, Jobs, fit_edits};
use moldloft_base::source::Source;
use moldloft_rules::design::{Design, Ship};
use moldloft_rules::evaluate::{Evaluation, evaluate, table_extracts};
use moldloft_rules::formula::Value;

pub use crate::system_costs::model::SystemCosts;

/// Does nothing if they are known or already requested.
pub fn request(state: &mut EditorState, jobs: &Jobs) {
    let Some(picker) = &state.system_picker else { return };
    let is_known = |doc: &&Doc| state.system_costs.is_of(doc.id, picker) && state.system_costs.revision == doc.revision;
    let Some(doc) = state.current_doc().filter(|doc| !is_known(doc)) else { return };
    let Some(evaluation) = doc.evaluation().cloned() else { return };
    let (doc, picker) = (doc.clone(), picker.clone());
    let old = std::mem::take(&mut state.system_costs);
    // Show the old costs until the new ones are ready.
    let (by_system, extracts) =
        if old.is_of(doc.id, &picker) { (old.by_system, old.extracts) } else { Default::default() };
    let empty = SystemCosts {
        doc: Some(doc.id),
        revision: doc.revision,
        mount: picker.mount.clone(),
        count: picker.count.max(1),
        before: picker.before.clone(),
        ..SystemCosts::default()
    };
    state.system_costs = SystemCosts { by_system, extracts, ..empty.clone() };
    jobs.start(move |progress| {
        let mut costs = empty.clone();
        for system in fit_edits::available_systems(&evaluation) {
            if progress.is_cancelled() {
                return None;
            }
            let after = with_more(&doc, &evaluation, &system.id, &empty)?;
            let grown = |measure: &CostMeasure| {
                Some(value_of(&after, &measure.value)?.saturating_sub(value_of(&evaluation, &measure.value)?))
            };
            costs.extracts.insert(system.id.clone(), table_extracts(&after, &system.id));
            costs.by_system.insert(system.id.clone(), doc.measures().iter().map(grown).collect());
        }
        Some(Command::SystemCosts(costs))
    });
}

fn with_more(doc: &Doc, evaluation: &Evaluation, system: &Arc<str>, asked: &SystemCosts) -> Option<Evaluation> {
    let mut document = doc.as_design()?.document.clone();
    let systems: Vec<_> = asked.before.iter().cloned().chain([(Arc::clone(system), asked.count)]).collect();
    fit_edits::add_systems(doc, &systems, asked.mount.as_deref())?.apply(&mut document).ok()?;
    let source = Source::new("(tried)", document.text());
    let design = Design::read(&source).ok()?;
    Some(evaluate(&evaluation.ruleset, &design, &Ship::default()))
}

fn value_of(evaluation: &Evaluation, value: &str) -> Option<i64> {
    let found = evaluation.values.iter().find(|result| *result.id == *value)?;
    if let Value::Int(number) = found.value { Some(number) } else { None }
}
