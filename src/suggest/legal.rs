//! Fewest changes that make a design legal: takes a design with errors, gives all ways with the least number of changed levers, and those of the
//! checks' own fixes.

use crate::design::Document;
use crate::evaluate::{BoxModel, Evaluation, TrialPart, evaluate, quick_fix};
use crate::finding::{DesignEdit, DesignPart, Severity};
use crate::formula::Formula;
use crate::progress::Progress;

use super::answer::{LeverChange, Suggestion};
use super::boxes::narrow;
use super::lever::Lever;
use super::limits::{BOX_WORK, BOXES, MAX_LEVERS, MAX_LOOKED_AT, work_limit};
use super::question::{Question, SearchSpace, Subject, WarningPolicy};
use super::scorer::Scorer;
use super::search::search;

/// Most changes that are tried together.
pub const MAX_CHANGES: usize = 4;
/// Most ways that are kept.
const MAX_WAYS: usize = 50;

/// One way to make a design legal.
#[derive(Clone, Debug)]
pub struct LegalWay {
    pub changes: Vec<LeverChange>,
    /// For a check's own fix: what it does, as an instruction.
    pub fix: Option<String>,
    pub edits: Vec<DesignEdit>,
    pub document: Document,
    pub after: Evaluation,
}

#[derive(Clone, Debug)]
pub struct LegalWays {
    /// The least number of changes; 0 for a design that is legal. `None` when no way was found.
    pub fewest: Option<usize>,
    /// All ways with that number, in the order of levers; [`LegalWays::has_more`] where there are too many.
    pub ways: Vec<LegalWay>,
    /// Whether there are more ways than are kept.
    pub has_more: bool,
    /// How many levers were tried.
    pub levers: usize,
    /// Whether all ways with fewer changes were ruled out, and all with this number found.
    pub is_complete: bool,
    /// The most changes that were tried together.
    pub tried_changes: usize,
    pub boxes: usize,
    pub tried: usize,
    /// In plain formulas.
    pub work: u64,
}

/// All ways with the fewest changes. Of the question, only its pins, warnings and effort count.
pub fn make_legal(subject: &Subject, question: &Question, progress: &Progress) -> LegalWays {
    let mut space = SearchSpace::bare(subject, question);
    // Points do not count here: fewest changes first.
    space.points = None;
    let mut found = LegalWays {
        fewest: None,
        ways: Vec::new(),
        has_more: false,
        levers: 0,
        is_complete: true,
        tried_changes: 0,
        boxes: 0,
        tried: 0,
        work: 0,
    };
    if subject.evaluation.legal && Scorer::new(&space).score(&[]).is_some() {
        found.fewest = Some(0);
        return found;
    }
    let levers = levers_of_faults(&space);
    found.levers = levers.len().min(MAX_LEVERS);
    found.is_complete = levers.len() <= MAX_LEVERS;
    let levers: Vec<Lever> = levers.into_iter().take(MAX_LEVERS).collect();
    let limit = BOXES * space.effort as usize;
    let each = space.design_work(&space.trial());
    let most_work = work_limit(each, space.effort);
    for changes in 1..=MAX_CHANGES {
        found.tried_changes = changes;
        progress.begin_phase("choice of changes", choices(levers.len(), changes));
        fixes(&space, changes, &mut found.ways);
        let mut chosen: Vec<usize> = (0..changes).collect();
        while chosen.last().is_some_and(|last| *last < levers.len()) {
            // A subset takes a trial and a box at least, and a model of its own.
            found.work += each * BOX_WORK;
            if found.boxes > limit || found.work > most_work || progress.is_cancelled() {
                found.is_complete = false;
                break;
            }
            try_levers(&space, &levers, &chosen, progress, &mut found);
            progress.step();
            if !next_choice(&mut chosen, levers.len()) {
                break;
            }
        }
        if !found.ways.is_empty() || !found.is_complete {
            break;
        }
    }
    found.fewest = (!found.ways.is_empty()).then_some(found.tried_changes);
    found
}

/// How many subsets of a size there are.
fn choices(of: usize, size: usize) -> usize {
    (0..size).fold(1_usize, |ways, n| ways.saturating_mul(of.saturating_sub(n)) / (n + 1))
}

/// The next subset of the same size; false after the last.
fn next_choice(chosen: &mut [usize], of: usize) -> bool {
    let size = chosen.len();
    for place in (0..size).rev() {
        if chosen[place] + size - place < of {
            chosen[place] += 1;
            for next in place + 1..size {
                chosen[next] = chosen[next - 1] + 1;
            }
            return true;
        }
    }
    false
}

fn try_levers(space: &SearchSpace<'_>, levers: &[Lever], chosen: &[usize], progress: &Progress, found: &mut LegalWays) {
    let some = space.with_levers(chosen.iter().map(|n| levers[*n].clone()).collect());
    let mut trial = some.trial();
    trial.compute();
    let model = some.model(&trial);
    found.boxes += 1;
    if narrow(&some, &model, some.whole_box(), None, &mut found.work).is_none() {
        return;
    }
    let result = search(&some, &progress.detached());
    found.boxes += result.boxes;
    found.tried += result.tried;
    found.work += result.work;
    found.is_complete &= result.proof == super::search::Proof::Proved;
    let Some(best) = result.best else { return };
    // A way that leaves a lever alone was found with fewer.
    let all_moved = some.levers.iter().zip(&best.point).all(|(lever, number)| lever.now != *number);
    if !all_moved {
        return;
    }
    let Some(suggestion) = Suggestion::new(&some, &best) else { return };
    let Suggestion { changes, edits, document, after, .. } = suggestion;
    if found.ways.iter().any(|way| way.document.text() == document.text()) {
        return;
    }
    match found.ways.len() < MAX_WAYS {
        true => found.ways.push(LegalWay { changes, fix: None, edits, document, after }),
        false => found.has_more = true,
    }
}

/// The levers on which the failing checks hang, or, where the text itself is at fault, all.
fn levers_of_faults(space: &SearchSpace<'_>) -> Vec<Lever> {
    let rules = &space.subject.rules;
    let trial = space.trial();
    let failing: Vec<usize> = trial
        .faults()
        .iter()
        .filter(|fault| {
            fault.severity == Severity::Error
                || space.warnings == WarningPolicy::None && fault.severity == Severity::Warning
        })
        .filter_map(|fault| fault.check)
        .collect();
    let mut levers = space.free_levers(&trial);
    levers.truncate(MAX_LOOKED_AT);
    let conditions: Vec<&Formula> = failing
        .iter()
        .filter_map(|check| rules.checks.get(*check))
        .flat_map(|check| check.when.iter().chain([&check.fails_when]))
        .collect();
    levers.retain(|lever| {
        let model = BoxModel::new(&trial, vec![lever.box_lever()], &conditions, &|check| failing.contains(&check), &[]);
        !model.checks().is_empty()
    });
    // Ammunition and the like come last: they are many, and seldom meant.
    levers.sort_by_key(|lever| matches!(lever.parts.first(), Some(TrialPart::Parameter(..))));
    levers
}

/// The checks' own fixes with so many edits that make the design legal by themselves.
fn fixes(space: &SearchSpace<'_>, changes: usize, ways: &mut Vec<LegalWay>) {
    let subject = space.subject;
    for finding in 0..subject.evaluation.findings.len() {
        if subject.evaluation.findings[finding].severity != Severity::Error {
            continue;
        }
        let Some(fix) = quick_fix(&subject.evaluation, finding) else { continue };
        if fix.edits.len() != changes || fix.edits.iter().any(|edit| changes_pinned(space, edit)) {
            continue;
        }
        let Ok((document, design)) = subject.edited(&fix.edits) else { continue };
        let after = evaluate(&subject.rules, &design, &subject.ship);
        let is_known = |code: &str| subject.evaluation.findings.iter().any(|known| known.code == *code);
        let is_new = after.findings.iter().any(|one| one.severity == Severity::Warning && !is_known(&one.code));
        let refused = match space.warnings {
            WarningPolicy::Any => false,
            WarningPolicy::Known => is_new,
            WarningPolicy::None => after.findings.iter().any(|one| one.severity == Severity::Warning),
        };
        if after.legal && !refused && ways.iter().all(|way| way.document.text() != document.text()) {
            ways.push(LegalWay { changes: Vec::new(), fix: Some(fix.sentence), edits: fix.edits, document, after });
        }
    }
}

/// Whether an edit changes what is pinned.
fn changes_pinned(space: &SearchSpace<'_>, edit: &DesignEdit) -> bool {
    let fit_id = |index: u32| {
        let fits = space.trial().fits();
        let fit = fits.iter().find(|fit| fit.file_index == index)?;
        let place = if fit.mount_id.is_empty() { String::new() } else { format!("@{}", fit.mount_id) };
        Some((fit.system.clone(), place))
    };
    match edit {
        DesignEdit::SetField { field, .. } | DesignEdit::SetCell { field, .. } => space.is_pinned(field),
        DesignEdit::SetFit { fit, key, .. } => fit_id(*fit).is_some_and(|(system, place)| match &**key {
            "count" | "system" | "mount" => space.is_pinned(&format!("{system}{place}")),
            key => space.is_pinned(&format!("{system}.{key}{place}")),
        }),
        DesignEdit::RemoveFit { fit } => {
            fit_id(*fit).is_some_and(|(system, place)| space.is_pinned(&format!("{system}{place}")))
        }
        DesignEdit::RemoveKey { part: DesignPart::Field(field), .. } => space.is_pinned(field),
        DesignEdit::RemoveKey { part: DesignPart::Fit(fit), key } => {
            fit_id(*fit).is_some_and(|(system, place)| space.is_pinned(&format!("{system}.{key}{place}")))
        }
        DesignEdit::SetCustomSystem { .. } | DesignEdit::AddFit { .. } | DesignEdit::RemoveKey { .. } => false,
    }
}
