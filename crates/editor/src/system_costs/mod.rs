//! The cost of each system on a ship: takes a design, evaluates it with more of each and gives the differences. A
//! job, started again after every change.

pub mod model;

use crate::{Command, CostMeasure, Doc, EditorState, Jobs, fit_edits};
use moldloft_base::source::Source;
use moldloft_rules::design::{Design, Ship};
use moldloft_rules::evaluate::{Evaluation, evaluate, table_extracts};
use moldloft_rules::formula::Value;

pub use crate::system_costs::model::SystemCosts;

/// Does nothing if they are known or already requested.
pub fn request(state: &mut EditorState, jobs: &Jobs) {
    let Some(picker) = &state.system_picker else { return };
    let (mount, count) = (picker.mount.clone(), picker.count.max(1));
    let is_known = |doc: &&Doc| state.system_costs.is_for(doc, mount.as_deref(), count);
    let Some(doc) = state.current_doc().filter(|doc| !is_known(doc)) else { return };
    let Some(evaluation) = doc.evaluation().cloned() else { return };
    let doc = doc.clone();
    let old = std::mem::take(&mut state.system_costs);
    // Show the old costs until the new ones are ready.
    let is_same = old.doc == Some(doc.id) && old.mount == mount && old.count == count;
    let (by_system, extracts) = if is_same { (old.by_system, old.extracts) } else { Default::default() };
    let empty = SystemCosts {
        doc: Some(doc.id),
        revision: doc.revision,
        mount: mount.clone(),
        count,
        ..SystemCosts::default()
    };
    state.system_costs = SystemCosts { by_system, extracts, ..empty.clone() };
    jobs.start(move |progress| {
        let mut costs = empty;
        for system in fit_edits::available_systems(&evaluation) {
            if progress.is_cancelled() {
                return None;
            }
            let after = with_more(&doc, &evaluation, &system.id, mount.as_deref(), count)?;
            let grown = |measure: &CostMeasure| {
                Some(value_of(&after, &measure.value)?.saturating_sub(value_of(&evaluation, &measure.value)?))
            };
            costs.extracts.insert(system.id.clone(), table_extracts(&after, &system.id));
            costs.by_system.insert(system.id.clone(), doc.measures().iter().map(grown).collect());
        }
        Some(Command::SystemCosts(costs))
    });
}

fn with_more(doc: &Doc, evaluation: &Evaluation, system: &str, mount: Option<&str>, count: u32) -> Option<Evaluation> {
    let mut document = doc.as_design()?.document.clone();
    fit_edits::add_system(doc, system, mount, count)?.apply(&mut document).ok()?;
    let source = Source::new("(tried)", document.text());
    let design = Design::read(&source).ok()?;
    Some(evaluate(&evaluation.ruleset, &design, &Ship::default()))
}

fn value_of(evaluation: &Evaluation, value: &str) -> Option<i64> {
    let found = evaluation.values.iter().find(|result| *result.id == *value)?;
    if let Value::Int(number) = found.value { Some(number) } else { None }
}
