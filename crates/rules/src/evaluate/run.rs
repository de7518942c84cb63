//! The evaluation in order: what the design states, what is computed from it, then checks, costs and what is drawn. Never stops half way.

use std::sync::Arc;

use crate::design::{Design, Ship, SpannedText};
use crate::formula::{FORMULA_WORK, Value};
use crate::ruleset::{Ruleset, SheetKind};
use moldloft_base::finding::Severity;

use super::diagnostics::Diagnostics;
use super::evaluator::Evaluator;
use super::state::{ItTarget, ShipState};
use super::work_budget::WorkBudget;
use super::{Evaluation, apply_loads, checks, custom_system_checks, custom_systems, outputs, resolve};

/// Evaluates a design as this ship of its class ([`Ship::default`] for a design without a fleet). Faults are among the
/// findings, the design's own first.
pub fn evaluate(ruleset: &Arc<Ruleset>, design: &Design, ship: &Ship) -> Evaluation {
    evaluate_within(ruleset, design, ship, u64::MAX)
}

/// As [`evaluate`], for many ships that share an allowance: formulas do at most `work`, counted as by
/// [`Evaluation::work`]. A truncated evaluation has a finding and [`Evaluation::is_cut_short`].
pub fn evaluate_within(ruleset: &Arc<Ruleset>, design: &Design, ship: &Ship, work: u64) -> Evaluation {
    evaluate_with(ruleset, design, ship, work, true)
}

/// As [`evaluate`] for a single ship, with every finding, but without fits, cost lines, tracks, tables and counters: their
/// formulas are evaluated for their faults alone.
pub fn evaluate_for_findings(ruleset: &Arc<Ruleset>, design: &Design) -> Evaluation {
    evaluate_with(ruleset, design, &Ship::default(), u64::MAX, false)
}

fn evaluate_with(ruleset: &Arc<Ruleset>, design: &Design, ship: &Ship, work: u64, keeps_results: bool) -> Evaluation {
    let word = |word: &Option<SpannedText>| {
        word.as_ref().filter(|word| !word.text.trim().is_empty()).map(|word| word.text.clone())
    };
    let mut state = ShipState { name: word(&design.name), notes: word(&design.notes), ..ShipState::default() };
    if keeps_results {
        state.design = Some(Box::new(design.clone()));
    }
    state.relations = ruleset.relations.iter().map(|relation| ship.relation_count(&relation.id)).collect();
    let mut notes = Diagnostics::new(ruleset, design);
    custom_systems::resolve_custom_systems(&mut notes, &mut state);
    resolve::resolve(&mut notes, &mut state);
    apply_loads::apply_loads(&mut notes, &mut state, &ship.load);
    let effort = WorkBudget::with_work(work.saturating_mul(u64::from(FORMULA_WORK)));
    let mut run = Evaluator::new(ruleset, ship, state, notes, effort);
    run.keeps_results = keeps_results;
    run.compute();
    if !run.effort.is_spent() {
        custom_system_checks::check_custom_systems(&mut run);
        custom_system_checks::check_letters(&mut run);
        run.report_missing_fields();
    }
    checks::check_relations(&mut run, ship);
    checks::run_checks(&mut run);
    let active_marks = run.active_provenance_marks();
    let costs = checks::cost_lines(&mut run, &active_marks);
    let mut evaluation = run.take_evaluation(ship);
    evaluation.custom_systems = custom_system_checks::custom_system_results(ruleset, &run.state);
    evaluation.costs = costs;
    outputs::add_tracks(&mut run, &mut evaluation, &active_marks);
    outputs::add_tables(&mut run, &mut evaluation, &active_marks, false);
    outputs::add_counters(&mut run, &mut evaluation);
    run.set_provenance(&mut evaluation, &active_marks);
    run.state.work += run.effort.spent();
    run.state.cut_short = run.is_cut_short;
    evaluation.findings = run.notes.into_findings();
    let errors = evaluation.findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    evaluation.legal = errors == 0;
    let mut state = run.state;
    state.errors = errors;
    state.legal = evaluation.legal;
    state.custom_system_summary = custom_system_checks::custom_system_summary(ruleset, &evaluation.custom_systems);
    state.assumed = (!evaluation.assumptions.is_empty()).then(|| evaluation.assumptions.join("; ").into());
    evaluation.state = Arc::new(state);
    evaluation.put_into_words();
    evaluation
}

/// An evaluation without a ship: fields and values are null, nothing is fitted. A reference sheet has all rows of all
/// tables, others have the tracks common to all ships.
pub(super) fn evaluate_blank(ruleset: &Arc<Ruleset>, design: &Design, ship: &Ship, sheet: Option<usize>) -> Evaluation {
    let reference = sheet.is_some_and(|sheet| ruleset.sheets[sheet].kind == SheetKind::Reference);
    let state = ShipState { legal: true, sheet, ..ShipState::default() };
    let mut run = Evaluator::new(ruleset, ship, state, Diagnostics::new(ruleset, design), WorkBudget::for_ship());
    run.state.relations = vec![0; ruleset.relations.len()];
    run.state.fields = vec![Value::Null; ruleset.fields.len()];
    run.state.chosen = vec![None; ruleset.fields.len()];
    // Values that do not depend on the ship are known, and so are the tracks made from them and tables that concern all
    // ships.
    run.state.values = vec![Value::Null; ruleset.values.len()];
    for (place, value) in ruleset.values.iter().enumerate().filter(|(_, value)| value.formula.is_constant()) {
        run.state.values[place] = run.eval_value(&value.formula, ItTarget::Nothing, &value.id);
    }
    let mut evaluation = run.take_evaluation(ship);
    evaluation.custom_systems = custom_system_checks::custom_system_results(ruleset, &run.state);
    let active_marks = vec![true; ruleset.marks.len()];
    if !reference {
        outputs::add_fixed_tracks(&mut run, &mut evaluation);
    }
    outputs::add_tables(&mut run, &mut evaluation, &active_marks, reference);
    evaluation.legal = true;
    evaluation.state = Arc::new(run.state);
    evaluation.put_into_words();
    evaluation
}
