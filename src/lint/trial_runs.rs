//! Designs tried: takes a ruleset and designs, gives of each what the lints ask for and drops the rest. All of them share one allowance of
//! work, so that no ruleset can make it endless; what could not be tried within it is counted.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;

use crate::design::{Design, Ship};
use crate::evaluate::{Evaluation, FormulaFailure, SlotScope, evaluate_within};
use crate::finding::{Finding, Severity};
use crate::formula::Value;
use crate::ruleset::{FieldKind, Ruleset, SheetDef, SheetKind};

use super::design_generator::DesignGenerator;

/// What is known of a design that was tried.
pub(super) struct TrialRun {
    pub name: Arc<str>,
    /// The checks that were found, by their place in the ruleset.
    pub fired_checks: Vec<usize>,
    /// Formulas that could not be computed.
    pub failed_formulas: Vec<FormulaFailure>,
    /// Points and the sum of the cost lines, where both could be computed in full.
    pub costs: Option<(i64, i64)>,
    /// Of each field the option it chose.
    pub chosen: Vec<Option<Arc<str>>>,
    /// Mounts it has both of though they stand in one place.
    pub overlaps: Vec<(usize, usize)>,
    /// What it says, if no sheet prints it.
    pub without_sheet: Option<String>,
    /// The design itself, if it was made for this.
    pub made: Option<Design>,
    work: u64,
    /// Whether the work allowed to it was not enough: what it lacks proves nothing.
    cut: bool,
}

/// The designs tried.
pub(super) struct TrialRuns {
    /// The game's own first.
    pub trials: Vec<TrialRun>,
    /// How many are the game's own.
    pub samples: usize,
    /// How many more were to be tried, and were not or not to their end, for want of work.
    pub left_out: usize,
}

/// How many designs are made.
const MAX_GENERATED: usize = 1_200;
/// How many are tried at a time.
const BATCH: usize = 48;
/// Work that all designs together may take, as [`Evaluation::work`] counts it: some tenths of a second.
const WORK: u64 = 40_000_000;

/// Tries the samples and then designs made from them, until there are enough, all work is spent, or `go_on` says no.
pub(super) fn all(rules: &Arc<Ruleset>, samples: &[Design], go_on: &dyn Fn() -> bool) -> TrialRuns {
    within(rules, samples, WORK, go_on)
}

fn within(rules: &Arc<Ruleset>, samples: &[Design], work: u64, go_on: &dyn Fn() -> bool) -> TrialRuns {
    let mut tried: Vec<TrialRun> = Vec::new();
    let mut left = work;
    let mut dearest = 1;
    // Those of a batch run side by side, each with an equal share of what is left: their order cannot change what is cut.
    let mut batch = |designs: &[Design], keep: bool, all: &mut Vec<TrialRun>| -> Option<usize> {
        let share = left / designs.len().max(1) as u64;
        let tried: Vec<TrialRun> = designs.par_iter().map(|design| one(rules, design, share)).collect();
        left = left.saturating_sub(tried.iter().map(|one| one.work).sum());
        dearest = tried.iter().map(|one| one.work).max().unwrap_or(0).max(dearest);
        // What was made is kept, so that a finding can show it; samples are at hand.
        let made = |(one, design): (TrialRun, &Design)| TrialRun { made: keep.then(|| design.clone()), ..one };
        all.extend(tried.into_iter().zip(designs).filter(|(one, _)| !one.cut).map(made));
        // As many more as there is work for, should all be as dear as the dearest.
        let next = usize::try_from(left / dearest).unwrap_or(BATCH);
        (next > 0 && go_on()).then_some(next)
    };
    // The first alone, for of a ruleset without bounds one design may be too much.
    let mut next = Some(1);
    let mut rest = samples;
    while let (Some(many), false) = (next, rest.is_empty()) {
        let (now, later) = rest.split_at(many.min(BATCH).min(rest.len()));
        (next, rest) = (batch(now, false, &mut tried), later);
    }
    let own = tried.len();
    let mut maker = DesignGenerator::new(rules, samples);
    let mut made = 0;
    while let (Some(many), true) = (next, made < MAX_GENERATED) {
        // Few at first: when one is dear, so are the next.
        let many = many.min(BATCH).min(made.max(1));
        let designs: Vec<Design> = (made..made + many)
            .map(|n| match n {
                0 => maker.minimal_design(),
                1 => maker.one_of_each(),
                _ => maker.next(),
            })
            .collect();
        made += designs.len();
        next = batch(&designs, true, &mut tried);
    }
    let left_out = if go_on() { (samples.len() + MAX_GENERATED).saturating_sub(tried.len()) } else { 0 };
    TrialRuns { trials: tried, samples: own, left_out }
}

/// Points and the sum of the cost lines of a design, where both can be computed in full.
pub(super) fn points_and_costs(rules: &Arc<Ruleset>, design: &Design) -> Option<(i64, i64)> {
    one(rules, design, WORK).costs
}

/// The checks that find something in a design, by their place in the ruleset.
pub(super) fn fired_checks(rules: &Arc<Ruleset>, design: &Design) -> Vec<usize> {
    one(rules, design, WORK).fired_checks
}

fn one(rules: &Arc<Ruleset>, design: &Design, work_left: u64) -> TrialRun {
    let of = evaluate_within(rules, design, &Ship::default(), work_left);
    let codes: BTreeSet<&str> = rules.checks.iter().map(|check| &*check.code).collect();
    let is_check = |finding: &Finding| codes.contains(&*finding.code);
    let found: BTreeSet<&str> = of.findings.iter().filter(|f| f.rule.is_some()).map(|f| &*f.code).collect();
    TrialRun {
        name: of.name.clone(),
        fired_checks: (0..rules.checks.len()).filter(|&n| found.contains(&*rules.checks[n].code)).collect(),
        failed_formulas: of.state.failures.iter().filter(|failure| is_reported(rules, failure)).cloned().collect(),
        costs: of.points.filter(|_| whole(&of, &is_check)).map(|points| {
            let sum = of.costs.iter().fold(0_i64, |sum, line| sum.saturating_add(line.total));
            (points, sum)
        }),
        chosen: rules
            .fields
            .iter()
            .zip(&of.fields)
            .map(|(field, result)| match (&field.kind, &result.value) {
                (FieldKind::Choice(_), Value::Text(id)) => Some(id.clone()),
                _ => None,
            })
            .collect(),
        overlaps: overlapping_mounts(&of),
        without_sheet: sheet_of(&of).is_none().then(|| says(&of)),
        made: None,
        work: work(&of),
        cut: of.is_cut_short(),
    }
}

/// How much it took: what is kept was made, and dearer than what was only read.
fn work(of: &Evaluation) -> u64 {
    let boxes: u64 = of.tracks.iter().map(|track| u64::from(track.boxes())).sum();
    let cells: usize = of.tables.iter().map(|table| table.rows.len() * (table.columns.len() + 1)).sum();
    let kept = 2 * (boxes + cells as u64) + 50 * of.fits.len() as u64 + 200 * of.findings.len() as u64;
    of.state.work + kept + 500
}

/// Whether no layer switches off findings of this failure.
fn is_reported(rules: &Ruleset, failure: &FormulaFailure) -> bool {
    !rules.severity_overrides.iter().any(|one| *one.code == *failure.error.code && one.severity.is_none())
}

/// Whether everything of it could be computed.
fn whole(of: &Evaluation, is_check: &dyn Fn(&Finding) -> bool) -> bool {
    let spoiled = |finding: &Finding| {
        let starts = ["unknown-", "wrong-type", "too-", "field-without", "row-without", "system-without", "value-out"];
        starts.iter().any(|start| finding.code.starts_with(start))
    };
    let null = of.values.iter().any(|value| value.value.is_null());
    !null
        && of.state.failures.is_empty()
        && !of.findings.iter().any(|f| f.severity == Severity::Error && !is_check(f) && spoiled(f))
}

/// The sheet that prints a design.
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

/// Pairs of mounts in one place that are told of one design.
const MAX_OVERLAPS: usize = 50;

/// `nation = Haven, unit = pod`.
fn says(of: &Evaluation) -> String {
    let fields = of.fields.iter().filter(|field| field.applies && !field.text.is_empty());
    fields.take(6).map(|field| format!("{} = {}", field.id, field.text)).collect::<Vec<_>>().join(", ")
}
