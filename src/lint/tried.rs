//! Designs tried: takes a ruleset and designs, gives of each what the lints ask for and drops the rest. How much is tried is bounded by
//! the work it takes, so that no ruleset can make it endless.

use std::sync::Arc;

use rayon::prelude::*;

use crate::design::{Design, Ship};
use crate::evaluate::{Evaluation, Focus, evaluate};
use crate::finding::{Finding, Severity};
use crate::formula::Value;
use crate::ruleset::{FieldKind, Ruleset, Sheet, SheetKind};

use super::vary::Maker;

/// What is known of a design that was tried.
pub(super) struct Tried {
    pub name: Arc<str>,
    /// The checks that were found, by their place in the ruleset.
    pub fired: Vec<usize>,
    /// Formulas that could not be computed.
    pub failed: Vec<Finding>,
    /// Points and the sum of the cost lines, where both could be computed in full.
    pub costs: Option<(i64, i64)>,
    /// Of each field the option it chose.
    pub chosen: Vec<Option<Arc<str>>>,
    /// Mounts it has both of though they stand in one place.
    pub overlaps: Vec<(usize, usize)>,
    /// What it says, if no sheet prints it.
    pub without_sheet: Option<String>,
    work: u64,
}

/// How many designs are made.
const MANY: usize = 1_200;
/// How many are tried at a time.
const BATCH: usize = 48;
/// Formulas and cells that all designs together may take.
const WORK: u64 = 30_000_000;

/// Tries the samples and then designs made from them, until there are enough, it becomes too much work, or `go_on` says no. Gives how many of
/// them are samples.
pub(super) fn all(rules: &Arc<Ruleset>, samples: &[Design], go_on: &dyn Fn() -> bool) -> (Vec<Tried>, usize) {
    let mut all: Vec<Tried> = Vec::new();
    let mut left = WORK;
    let mut batch = |designs: &[Design], all: &mut Vec<Tried>| {
        let tried: Vec<Tried> = designs.par_iter().map(|design| one(rules, design)).collect();
        left = left.saturating_sub(tried.iter().map(|one| one.work).sum());
        all.extend(tried);
        left > 0 && go_on()
    };
    let mut more = true;
    for designs in samples.chunks(BATCH) {
        more = more && batch(designs, &mut all);
    }
    let count = all.len();
    let mut maker = Maker::new(rules, samples);
    // The first alone, for of a ruleset without bounds one design may be too much.
    more = more && batch(&[maker.bare()], &mut all) && batch(&[maker.one_of_each()], &mut all);
    while more && all.len() < count + MANY {
        // Few at first: when one is dear, so are the next.
        let designs: Vec<Design> = (0..BATCH.min(all.len() - count)).map(|_| maker.next()).collect();
        more = batch(&designs, &mut all);
    }
    (all, count)
}

fn one(rules: &Arc<Ruleset>, design: &Design) -> Tried {
    let of = evaluate(rules, design, &Ship::default());
    let is_check = |finding: &Finding| rules.checks.iter().any(|check| *check.code == *finding.code);
    let fired = |code: &str| of.findings.iter().any(|finding| finding.code == *code && finding.rule.is_some());
    Tried {
        name: of.name.clone(),
        fired: (0..rules.checks.len()).filter(|&n| fired(&rules.checks[n].code)).collect(),
        failed: of.findings.iter().filter(|f| FAILED.contains(&&*f.code) && !is_check(f)).cloned().collect(),
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
        overlaps: overlaps(&of),
        without_sheet: sheet_of(&of).is_none().then(|| says(&of)),
        work: work(&of),
    }
}

/// How much it took, in formulas: what is kept was made, and dearer than what was only read.
fn work(of: &Evaluation) -> u64 {
    let boxes: u64 = of.tracks.iter().map(|track| u64::from(track.boxes())).sum();
    let cells: usize = of.tables.iter().map(|table| table.rows.len() * (table.columns.len() + 1)).sum();
    of.state.work + 20 * (boxes + cells as u64) + 50 * of.fits.len() as u64 + 500
}

/// Codes of formulas that could not be computed.
const FAILED: [&str; 7] =
    ["division-by-zero", "overflow", "no-answer", "no-such-item", "empty-list", "out-of-range", "too-long"];

/// Whether everything of it could be computed: what could not is told at its cause.
fn whole(of: &Evaluation, is_check: &dyn Fn(&Finding) -> bool) -> bool {
    let spoiled = |finding: &Finding| {
        let starts = ["unknown-", "wrong-type", "too-", "field-without", "row-without", "system-without", "value-out"];
        FAILED.contains(&&*finding.code) || starts.iter().any(|start| finding.code.starts_with(start))
    };
    let null = of.values.iter().any(|value| value.value.is_null());
    !null && !of.findings.iter().any(|f| f.severity == Severity::Error && !is_check(f) && spoiled(f))
}

/// The sheet that prints a design.
pub(super) fn sheet_of(of: &Evaluation) -> Option<&Sheet> {
    let mut designs = of.ruleset.sheets.iter().filter(|sheet| sheet.kind == SheetKind::Design);
    designs.find(|sheet| match &sheet.when {
        Some(when) => of.answer(when, &Focus::default()).truth() == Some(true),
        None => true,
    })
}

fn overlaps(of: &Evaluation) -> Vec<(usize, usize)> {
    let mounts: Vec<(usize, (i8, i8))> = (of.ruleset.mounts.iter().enumerate())
        .filter(|(n, _)| of.mounts.get(*n).is_some_and(|mount| mount.applies))
        .filter_map(|(n, mount)| Some((n, mount.plan?)))
        .collect();
    let pairs = mounts.iter().enumerate().flat_map(|(k, one)| mounts[k + 1..].iter().map(move |two| (one, two)));
    pairs.filter(|(one, two)| one.1 == two.1).map(|(one, two)| (one.0, two.0)).collect()
}

/// `nation = Haven, unit = pod`.
fn says(of: &Evaluation) -> String {
    let fields = of.fields.iter().filter(|field| field.applies && !field.shown.is_empty());
    fields.take(6).map(|field| format!("{} = {}", field.id, field.shown)).collect::<Vec<_>>().join(", ")
}
