//! Fewest changes that make a design legal: takes a design with errors, gives all ways with the least number of changes: another number for a lever,
//! or what a finding's own fix does.

use std::collections::BTreeSet;

use moldloft_base::finding::{DesignEdit, Scalar, Severity};
use moldloft_base::progress::Progress;
use moldloft_rules::design::Document;
use moldloft_rules::evaluate::{BoxModel, Evaluation, LeverKind, Trial, TrialFault, TrialPart};
use moldloft_rules::ruleset::FieldKind;

use super::answer::{LeverChange, Suggestion};
use super::boxes::narrow;
use super::fixed::{FixedDesign, all_fixed, fixed_designs, text_mended};
use super::lever::{Lever, choice_levers, hard_bounds};
use super::limits::{BOX_WORK, BOXES, MAX_CHANGES, MAX_LOOKED_AT, work_limit};
use super::question::{Question, SearchSpace, Subject, WarningPolicy};
use super::scorer::Scorer;
use super::search::{Proof, search};

/// Most ways that are kept.
const MAX_WAYS: usize = 50;
/// Most levers of which some are chosen.
const MAX_CHOSEN_FROM: usize = 64;
/// Most numbers beside the chosen ones that a fix set and that may be another number still, where choices are tried one by one.
const MAX_FREE: usize = 4;
/// A number may go up to this where twice what it is plus 6 is less.
pub const LEAST_WINDOW: i64 = 40;

/// One way to make a design legal.
#[derive(Clone, Debug)]
pub struct LegalWay {
    pub changes: Vec<LeverChange>,
    /// For findings' own fixes: what they do, as an instruction. They come before the changes.
    pub fix: Option<String>,
    pub edits: Vec<DesignEdit>,
    pub document: Document,
    pub after: Evaluation,
    /// What it changes, each place once.
    places: BTreeSet<String>,
}

#[derive(Clone, Debug, Default)]
pub struct LegalWays {
    /// The least number of changes; 0 for a design that is legal. `None` when no way was found.
    pub fewest: Option<usize>,
    /// All ways with that number, in the order of levers; [`LegalWays::has_more`] where there are too many.
    pub ways: Vec<LegalWay>,
    /// Whether there are more ways than are kept.
    pub has_more: bool,
    /// How many numbers there are on which what fails hangs.
    pub levers: usize,
    /// What the design has that is no number that may change: `rows`, `own systems`.
    pub held: Vec<&'static str>,
    /// Whether all ways with fewer changes were ruled out, and all with this number found.
    pub is_complete: bool,
    /// It is proved that no choice of so many changes, or fewer, will do.
    pub ruled_out: usize,
    /// The most changes that were tried together.
    pub tried_changes: usize,
    /// What counts as legal.
    pub warnings: WarningPolicy,
    /// Errors of the design's text that nothing mends, in words.
    pub unmended: Vec<String>,
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
    let mut found =
        LegalWays { held: held(subject), is_complete: true, warnings: question.warnings, ..LegalWays::default() };
    if subject.evaluation.legal && Scorer::new(&space).score(&[]).is_some() {
        found.fewest = Some(0);
        return found;
    }
    let fixed = fixed_designs(&space);
    let readable: Vec<&FixedDesign> = fixed.designs.iter().filter(|design| design.text_errors == 0).collect();
    if readable.is_empty() {
        // There are more errors of the text than changes that are tried together, or some that nothing mends.
        found.tried = fixed.designs.len();
        found.is_complete = fixed.is_complete && !fixed.unmended.is_empty();
        let mended = text_mended(&space);
        let choices: Vec<Choices<'_>> = mended.iter().map(|design| Choices::new(&space, question, design)).collect();
        found.add_some_way(&space, question, &choices, progress);
        if found.ways.is_empty() {
            found.unmended = fixed.unmended.iter().map(|finding| finding.message.clone()).collect();
        }
        return found;
    }
    let choices: Vec<Choices<'_>> = readable.iter().map(|design| Choices::new(&space, question, design)).collect();
    found.levers = choices.iter().map(Choices::numbers).max().unwrap_or(0);
    let has_all = fixed.is_complete && choices.iter().all(|choices| choices.is_complete);
    let most_work = work_limit(space.design_work(&space.trial()), space.effort);
    let mut search = LegalSearch { limit: BOXES * space.effort as usize, most_work, found };
    for changes in 1..=MAX_CHANGES {
        search.found.tried_changes = changes;
        // What a finding's own help would mend is removed only where nothing else will do.
        for is_second_choice in [false, true] {
            let asked = choices.iter().filter(|one| one.fixed.is_second_choice == is_second_choice);
            let mut asked: Vec<&Choices<'_>> = asked.filter(|one| one.fixed.fixes.len() <= changes).collect();
            // What a finding's own help does comes first where it is enough as it is; then plain numbers.
            if changes == 1 {
                asked.iter().filter(|one| !one.fixed.fixes.is_empty()).for_each(|one| search.try_as_is(subject, one));
            }
            asked.sort_by_key(|one| one.fixed.fixes.len() == 1);
            asked.into_iter().for_each(|one| search.try_choices(subject, one, changes, progress));
            if !search.found.ways.is_empty() {
                break;
            }
        }
        search.found.is_complete &= has_all;
        if !search.found.ways.is_empty() || !search.found.is_complete {
            break;
        }
        search.found.ruled_out = changes;
    }
    let mut found = search.found;
    found.fewest = (!found.ways.is_empty()).then_some(found.tried_changes);
    if found.ways.is_empty() {
        found.add_some_way(&space, question, &choices, progress);
    }
    found
}

impl LegalWays {
    fn add_some_way(
        &mut self,
        space: &SearchSpace<'_>,
        question: &Question,
        choices: &[Choices<'_>],
        progress: &Progress,
    ) {
        if let Some((changes, way)) = some_way(space, question, choices, progress) {
            self.is_complete = false;
            self.fewest = Some(changes);
            self.ways.push(way);
        }
    }
}

/// The parts of a design in which no number is changed.
fn held(subject: &Subject) -> Vec<&'static str> {
    let is_rows = |kind: &FieldKind| matches!(kind, FieldKind::Rows(_));
    let has_rows = subject.rules.fields.iter().any(|field| is_rows(&field.kind));
    let parts = [(has_rows, "rows"), (!subject.design.systems.is_empty(), "own systems")];
    parts.into_iter().filter(|(is_there, _)| *is_there).map(|(_, part)| part).collect()
}

/// One way, where trying all choices found none: all fixes together, or the best of one search without or after them, in which numbers that fixes set
/// may be others; else all fixes with the warnings that come with them.
fn some_way(
    space: &SearchSpace<'_>,
    question: &Question,
    choices: &[Choices<'_>],
    progress: &Progress,
) -> Option<(usize, LegalWay)> {
    let all = all_fixed(space);
    let as_it_is = |fixed: &FixedDesign| Some((fixed.fixes.len(), way_of(space.subject, fixed, None)?));
    let is_legal = |fixed: &&FixedDesign| fixed.subject.evaluation.legal;
    if let Some(fixed) = all.as_ref().filter(is_legal).filter(|fixed| !is_refused(space, &fixed.subject.evaluation)) {
        return as_it_is(fixed);
    }
    let beside = all.as_ref().map(|fixed| Choices::new(space, question, fixed));
    let few = choices.iter().min_by_key(|one| (one.fixed.is_second_choice, one.fixed.fixes.len()));
    let found = few.into_iter().chain(&beside).find_map(|one| {
        let levers = one.free.iter().chain(&one.levers).take(super::limits::MAX_LEVERS).cloned().collect();
        let some = one.space.with_levers(levers);
        let best = Scorer::new(&some).without_needless(search(&some, &progress.detached()).best?);
        let suggestion = Suggestion::new(&some, &best)?;
        let is_other = |change: &&LeverChange| !one.free.iter().any(|lever| *lever.id == *change.lever);
        let changes = one.fixed.fixes.len() + suggestion.changes.iter().filter(is_other).count();
        Some((changes, way_of(space.subject, one.fixed, Some(suggestion))?))
    });
    let all = all.as_ref().filter(is_legal);
    found.or_else(|| all.filter(|_| space.warnings != WarningPolicy::None).and_then(as_it_is))
}

/// `None` where the file cannot be edited so.
fn way_of(subject: &Subject, fixed: &FixedDesign, more: Option<Suggestion>) -> Option<LegalWay> {
    let mut edits = fixed.edits.clone();
    let (changes, after) = match more {
        Some(more) => {
            edits.extend(more.edits);
            (more.changes, more.after)
        }
        None => (Vec::new(), fixed.subject.evaluation.clone()),
    };
    let (document, _) = subject.edited(&edits).ok()?;
    let fix = (!fixed.fixes.is_empty()).then(|| fixed.fixes.join(" and "));
    // Where a fit is removed first, the places of later edits are no longer those of the file.
    let is_shifted = fixed.edits.iter().any(|edit| matches!(edit, DesignEdit::RemoveFit { .. }));
    let places = if is_shifted { [document.to_text()].into() } else { edits.iter().map(place_of).collect() };
    Some(LegalWay { changes, fix, edits, document, after, places })
}

fn place_of(edit: &DesignEdit) -> String {
    match edit {
        // Of numbers the nearest is enough; which option is for the player to choose.
        DesignEdit::SetField { field, value: Scalar::Text(option) } => format!("field {field} {option}"),
        DesignEdit::SetField { field, .. } => format!("field {field}"),
        DesignEdit::SetFit { fit, key, .. } => format!("fit {fit} {key}"),
        // As a number of 0.
        DesignEdit::RemoveFit { fit } => format!("fit {fit} count"),
        DesignEdit::AddFit { system, mount, .. } => format!("{system} {mount:?}"),
        other => format!("{other:?}"),
    }
}

/// Whether the design has warnings that the question does not allow.
fn is_refused(space: &SearchSpace<'_>, after: &Evaluation) -> bool {
    let is_known = |code: &str| space.known_faults.iter().any(|known| *known.code == *code);
    let mut warnings = after.findings.iter().filter(|finding| finding.severity == Severity::Warning);
    match space.warnings {
        WarningPolicy::Any => false,
        WarningPolicy::Known => warnings.any(|finding| !is_known(&finding.code)),
        WarningPolicy::None => warnings.next().is_some(),
    }
}

/// A fixed design with the levers that may move.
struct Choices<'a> {
    fixed: &'a FixedDesign,
    space: SearchSpace<'a>,
    levers: Vec<Lever>,
    /// By lever: the checks that hang on it.
    hangs: Vec<BTreeSet<usize>>,
    /// Levers that a fix set, and what hangs on them.
    free: Vec<Lever>,
    free_hangs: BTreeSet<usize>,
    /// Checks that fail.
    failing: BTreeSet<usize>,
    is_complete: bool,
}

impl<'a> Choices<'a> {
    fn new(original: &SearchSpace<'_>, question: &Question, fixed: &'a FixedDesign) -> Self {
        let mut space = SearchSpace::bare(&fixed.subject, question);
        space.points = None;
        // A warning that comes with a fix is a new one.
        let is_known = |fault: &TrialFault| {
            fault.severity != Severity::Warning || original.known_faults.iter().any(|known| known.code == fault.code)
        };
        space.known_faults.retain(is_known);
        let trial = space.trial();
        let fits = trial.fits();
        let forbidden = |fault: &&TrialFault| match (fault.severity, space.warnings) {
            (Severity::Error, _) | (Severity::Warning, WarningPolicy::None) => true,
            (Severity::Warning, WarningPolicy::Known) => !space.known_faults.contains(fault),
            _ => false,
        };
        let failing: BTreeSet<usize> =
            trial.faults().iter().filter(forbidden).filter_map(|fault| fault.check).collect();
        let mut all = space.free_levers(&trial);
        all.extend(choice_levers(&trial).into_iter().filter(|lever| !space.is_pinned(&lever.id)));
        let is_complete = all.len() <= MAX_LOOKED_AT;
        all.truncate(MAX_LOOKED_AT);
        for lever in all.iter_mut().filter(|lever| lever.kind == LeverKind::Number) {
            lever.high = lever.high.max(LEAST_WINDOW.min(hard_bounds(&trial, lever).1));
        }
        let fits_before = original.subject.design.fits.len();
        let (free, others): (Vec<Lever>, Vec<Lever>) = match fixed.fixes.is_empty() {
            true => (Vec::new(), all),
            false => all.into_iter().partition(|lever| fixed.sets(lever, &fits, fits_before)),
        };
        let mut levers: Vec<(Lever, BTreeSet<usize>)> = others
            .into_iter()
            .map(|lever| (hangs_on(&space, &trial, &lever), lever))
            .map(|(hangs, lever)| (lever, hangs))
            .collect();
        levers.retain(|(_, hangs)| !hangs.is_empty());
        // What the failing checks hang on comes first; ammunition and the like come last: they are many, and seldom meant. So do choices.
        levers.sort_by_key(|(lever, hangs)| {
            let kind = match lever.parts.first() {
                _ if matches!(lever.kind, LeverKind::Choice(_)) => 2,
                Some(TrialPart::Parameter(..)) => 1,
                _ => 0,
            };
            (hangs.is_disjoint(&failing), kind)
        });
        let is_complete = is_complete && levers.len() <= MAX_CHOSEN_FROM;
        levers.truncate(MAX_CHOSEN_FROM);
        let (levers, hangs) = levers.into_iter().unzip();
        let free_hangs = free.iter().take(MAX_FREE).flat_map(|lever| hangs_on(&space, &trial, lever)).collect();
        drop(trial);
        Self { fixed, space, levers, hangs, free, free_hangs, failing, is_complete }
    }

    /// The numbers on which what fails hangs.
    fn numbers(&self) -> usize {
        let fails = |hangs: &BTreeSet<usize>| !hangs.is_disjoint(&self.failing);
        let each = self.levers.iter().zip(&self.hangs);
        each.filter(|(lever, hangs)| !matches!(lever.kind, LeverKind::Choice(_)) && fails(hangs)).count()
    }

    /// Whether these levers can mend all that fails, and each is needed: it hangs together with what fails, through checks of the others.
    fn may_mend(&self, chosen: &[usize]) -> bool {
        let is_hit = |check: &usize| {
            self.free_hangs.contains(check) || chosen.iter().any(|lever| self.hangs[*lever].contains(check))
        };
        if !self.failing.iter().all(is_hit) {
            return false;
        }
        let reaches = |lever: &usize| {
            !self.hangs[*lever].is_disjoint(&self.failing) || !self.hangs[*lever].is_disjoint(&self.free_hangs)
        };
        let mut reached: Vec<bool> = chosen.iter().map(reaches).collect();
        loop {
            let next = (0..chosen.len()).find(|n| {
                !reached[*n]
                    && (0..chosen.len())
                        .any(|other| reached[other] && !self.hangs[chosen[*n]].is_disjoint(&self.hangs[chosen[other]]))
            });
            match next {
                Some(next) => reached[next] = true,
                None => return reached.iter().all(|reached| *reached),
            }
        }
    }
}

/// The checks that no answer may fail and that hang on a lever.
fn hangs_on(space: &SearchSpace<'_>, trial: &Trial<'_>, lever: &Lever) -> BTreeSet<usize> {
    let forbids = |check| space.forbids(trial, check);
    let model = BoxModel::new(trial, vec![lever.box_lever()], &[], &forbids, &[]);
    model.checks().iter().copied().collect()
}

struct LegalSearch {
    limit: usize,
    most_work: u64,
    found: LegalWays,
}

impl LegalSearch {
    /// The fixes alone.
    fn try_as_is(&mut self, original: &Subject, of: &Choices<'_>) {
        self.found.tried += 1;
        self.found.work += of.space.design_work(&of.space.trial()) * BOX_WORK;
        if of.fixed.subject.evaluation.legal && !is_refused(&of.space, &of.fixed.subject.evaluation) {
            way_of(original, of.fixed, None).into_iter().for_each(|way| self.add(way));
        }
    }

    /// All choices of so many changes in all, of which the fixes are some.
    fn try_choices(&mut self, original: &Subject, of: &Choices<'_>, changes: usize, progress: &Progress) {
        let size = changes - of.fixed.fixes.len();
        let each = of.space.design_work(&of.space.trial());
        if size == 0 && of.free.is_empty() {
            return self.try_as_is(original, of);
        }
        progress.begin_phase("choice of changes", choices(of.levers.len(), size));
        let mut chosen: Vec<usize> = (0..size).collect();
        while chosen.last().is_none_or(|last| *last < of.levers.len()) {
            if of.may_mend(&chosen) {
                // A subset takes a trial and a box at least, and a model of its own.
                self.found.work += each * BOX_WORK;
                if self.found.boxes > self.limit || self.found.work > self.most_work || progress.is_cancelled() {
                    self.found.is_complete = false;
                    return;
                }
                self.try_levers(original, of, &chosen, progress);
            }
            progress.step();
            if !next_choice(&mut chosen, of.levers.len()) {
                break;
            }
        }
    }

    fn try_levers(&mut self, original: &Subject, of: &Choices<'_>, chosen: &[usize], progress: &Progress) {
        let levers = chosen.iter().map(|n| of.levers[*n].clone()).chain(of.free.iter().take(MAX_FREE).cloned());
        let some = of.space.with_levers(levers.collect());
        let mut trial = some.trial();
        trial.compute();
        let model = some.model(&trial);
        self.found.boxes += 1;
        if narrow(&some, &model, some.whole_box(), None, &mut self.found.work).is_none() {
            return;
        }
        let result = search(&some, &progress.detached());
        self.found.boxes += result.boxes;
        self.found.tried += result.tried;
        self.found.work += result.work;
        self.found.is_complete &= result.proof == Proof::Proved;
        let Some(best) = result.best else { return };
        // A way that leaves a lever alone was found with fewer.
        let moved = some.levers.iter().zip(&best.point).take(chosen.len());
        if moved.into_iter().any(|(lever, number)| lever.now == *number) {
            return;
        }
        let Some(suggestion) = Suggestion::new(&some, &best) else { return };
        way_of(original, of.fixed, Some(suggestion)).into_iter().for_each(|way| self.add(way));
    }

    /// A way is a choice of what to change, so of the same choice only the first is kept; and none that changes more than another one does.
    fn add(&mut self, way: LegalWay) {
        let is_known =
            |known: &LegalWay| known.document.text() == way.document.text() || known.places.is_subset(&way.places);
        if self.found.ways.iter().any(is_known) {
            return;
        }
        match self.found.ways.len() < MAX_WAYS {
            true => self.found.ways.push(way),
            false => self.found.has_more = true,
        }
    }
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
