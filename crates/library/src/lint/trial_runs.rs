//! Trial evaluations: takes a ruleset and designs, gives the facts of each design that lints need and drops the rest.
//! All share one allowance, so that no ruleset can run for ever; designs that exceed it are counted.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use moldloft_base::finding::{Finding, Severity};
use moldloft_rules::design::{Design, Ship};
use moldloft_rules::evaluate::{Evaluation, FormulaFailure, SlotScope, evaluate_within};
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::{FieldKind, Ruleset, SheetDef, SheetKind};

use super::design_generator::DesignGenerator;

pub(super) struct TrialRun {
    pub name: Arc<str>,
    /// Indices of the checks that fired.
    pub fired_checks: Vec<usize>,
    pub is_legal: bool,
    /// Formulas that could not be computed.
    pub failed_formulas: Vec<FormulaFailure>,
    /// Points and the sum of the cost lines, if both are complete.
    pub costs: Option<(i64, i64)>,
    /// The chosen option of each field.
    pub chosen_options: Vec<Option<Arc<str>>>,
    /// Pairs of mounts that the design has at one position.
    pub overlaps: Vec<(usize, usize)>,
    /// A description of the design if no sheet prints it.
    pub without_sheet: Option<String>,
    /// The design, if it was generated.
    pub generated_design: Option<Design>,
    work: u64,
    /// Whether the allowance was too small: then absence proves nothing.
    ran_out_of_work: bool,
}

pub(super) struct TrialRuns {
    /// The game's own first.
    pub trials: Vec<TrialRun>,
    /// The number of the game's own.
    pub samples: usize,
    /// Designs that were not tried, or not to the end, for lack of allowance.
    pub left_out: usize,
}

/// The number of generated designs.
const MAX_GENERATED: usize = 1_200;
/// The most designs evaluated in parallel.
const BATCH: usize = 48;
/// The allowance of all designs together, as [`Evaluation::work`] counts it: some tenths of a second.
const WORK: u64 = 40_000_000;

/// Tries the samples, then generated designs, until there are enough, the allowance is used up, or `go_on` gives false.
pub(super) fn run_trials(rules: &Arc<Ruleset>, samples: &[Design], go_on: &dyn Fn() -> bool) -> TrialRuns {
    run_trials_within(rules, samples, WORK, go_on)
}

fn run_trials_within(rules: &Arc<Ruleset>, samples: &[Design], work: u64, go_on: &dyn Fn() -> bool) -> TrialRuns {
    let mut trials: Vec<TrialRun> = Vec::new();
    let mut left = work;
    let mut most_work = 1;
    // Designs of a batch run in parallel, each with an equal share of the rest, so that their order cannot change which
    // are cut.
    let mut batch = |designs: &[Design], keep: bool, all: &mut Vec<TrialRun>| -> Option<usize> {
        let share = left / designs.len().max(1) as u64;
        let trials: Vec<TrialRun> = designs.par_iter().map(|design| run_trial(rules, design, share)).collect();
        left = left.saturating_sub(trials.iter().map(|one| one.work).sum());
        most_work = trials.iter().map(|one| one.work).max().unwrap_or(0).max(most_work);
        // Generated designs are kept for findings; samples exist already.
        let keep_design =
            |(one, design): (TrialRun, &Design)| TrialRun { generated_design: keep.then(|| design.clone()), ..one };
        all.extend(trials.into_iter().zip(designs).filter(|(one, _)| !one.ran_out_of_work).map(keep_design));
        // As many as the rest allows, even if each costs as much as the most expensive so far.
        let next = usize::try_from(left / most_work).unwrap_or(BATCH);
        (next > 0 && go_on()).then_some(next)
    };
    // The first runs alone, since without bounds in the ruleset one design may cost everything.
    let mut next = Some(1);
    let mut rest = samples;
    while let (Some(many), false) = (next, rest.is_empty()) {
        let (first, others) = rest.split_at(many.min(BATCH).min(rest.len()));
        (next, rest) = (batch(first, false, &mut trials), others);
    }
    let samples_tried = trials.len();
    let mut generator = DesignGenerator::new(rules, samples);
    let mut generated = 0;
    while let (Some(many), true) = (next, generated < MAX_GENERATED) {
        // Few at first: if one is expensive, so are the next.
        let many = many.min(BATCH).min(generated.max(1));
        let designs: Vec<Design> = (generated..generated + many)
            .map(|n| match n {
                0 => generator.minimal_design(),
                1 => generator.one_of_each(),
                _ => generator.generate(),
            })
            .collect();
        generated += designs.len();
        next = batch(&designs, true, &mut trials);
    }
    let left_out = if go_on() { (samples.len() + MAX_GENERATED).saturating_sub(trials.len()) } else { 0 };
    TrialRuns { trials, samples: samples_tried, left_out }
}

/// Points and the sum of the cost lines, if both are complete.
pub(super) fn points_and_costs(rules: &Arc<Ruleset>, design: &Design) -> Option<(i64, i64)> {
    run_trial(rules, design, WORK).costs
}

/// Indices of the checks that fire for a design.
pub(super) fn fired_checks(rules: &Arc<Ruleset>, design: &Design) -> Vec<usize> {
    run_trial(rules, design, WORK).fired_checks
}

fn run_trial(rules: &Arc<Ruleset>, design: &Design, work_left: u64) -> TrialRun {
    let of = evaluate_within(rules, design, &Ship::default(), work_left);
    let found: BTreeSet<&str> = of.findings.iter().filter(|f| f.rule.is_some()).map(|f| &*f.code).collect();
    TrialRun {
        name: of.name.clone(),
        fired_checks: (0..rules.checks.len()).filter(|&n| found.contains(&*rules.checks[n].code)).collect(),
        is_legal: of.legal,
        failed_formulas: of.state.failures.iter().filter(|failure| is_reported(rules, failure)).cloned().collect(),
        costs: of.points.filter(|_| is_complete(&of)).map(|points| {
            let sum = of.costs.iter().fold(0_i64, |sum, line| sum.saturating_add(line.total));
            (points, sum)
        }),
        chosen_options: rules
            .fields
            .iter()
            .zip(&of.fields)
            .map(|(field, result)| match (&field.kind, &result.value) {
                (FieldKind::Choice(_), Value::Text(id)) => Some(id.clone()),
                _ => None,
            })
            .collect(),
        overlaps: overlapping_mounts(&of),
        without_sheet: sheet_of(&of).is_none().then(|| describe_fields(&of)),
        generated_design: None,
        work: evaluation_work(&of),
        ran_out_of_work: of.is_cut_short(),
    }
}

/// The evaluation's work and the size of what was kept, which cost more to build than to read.
fn evaluation_work(of: &Evaluation) -> u64 {
    let boxes: u64 = of.tracks.iter().map(|track| u64::from(track.boxes())).sum();
    let cells: usize = of.tables.iter().map(|table| table.rows.len() * (table.columns.len() + 1)).sum();
    let kept = 2 * (boxes + cells as u64) + 50 * of.fits.len() as u64 + 200 * of.findings.len() as u64;
    of.state.work + kept + 500
}

/// Whether no layer turns off the findings of this failure.
fn is_reported(rules: &Ruleset, failure: &FormulaFailure) -> bool {
    !rules.severity_overrides.iter().any(|one| *one.code == *failure.error.code && one.severity.is_none())
}

/// Whether everything could be computed.
fn is_complete(of: &Evaluation) -> bool {
    let leaves_out = |finding: &Finding| {
        finding.severity == Severity::Error && finding.origin.as_ref().is_some_and(|origin| origin.leaves_out)
    };
    !of.values.iter().any(|value| value.value.is_null())
        && of.state.failures.is_empty()
        && !of.findings.iter().any(leaves_out)
}

pub(super) fn sheet_of(of: &Evaluation) -> Option<&SheetDef> {
    let mut designs = of.ruleset.sheets.iter().filter(|sheet| sheet.kind == SheetKind::Design);
    designs.find(|sheet| match &sheet.when {
        Some(when) => of.eval(when, &SlotScope::default()).as_bool() == Some(true),
        None => true,
    })
}

fn overlapping_mounts(of: &Evaluation) -> Vec<(usize, usize)> {
    let mounts: Vec<(usize, (i8, i8))> = (of.ruleset.mounts.iter().enumerate())
        .filter(|(n, _)| of.mounts.get(*n).is_some_and(|mount| mount.applies))
        .filter_map(|(n, mount)| Some((n, mount.plan?)))
        .collect();
    let mut there: HashMap<(i8, i8), Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (n, plan) in mounts {
        let before = there.entry(plan).or_default();
        pairs.extend(before.iter().map(|one| (*one, n)).take(MAX_OVERLAPS - pairs.len()));
        before.push(n);
    }
    pairs
}

/// The most pairs of mounts at one position for one design.
const MAX_OVERLAPS: usize = 50;

/// `nation = Haven, unit = pod`.
fn describe_fields(of: &Evaluation) -> String {
    let fields = of.fields.iter().filter(|field| field.applies && !field.text.is_empty());
    fields.take(6).map(|field| format!("{} = {}", field.id, field.text)).collect::<Vec<_>>().join(", ")
}
