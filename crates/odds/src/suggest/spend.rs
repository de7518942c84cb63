//! What points could buy, and what could be saved: takes a design and a sum of points, gives the most of each thing that can be added for it.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;

use moldloft_base::finding::{Advice, Finding, QuestionPart, Severity};
use moldloft_base::progress::Progress;
use moldloft_rules::evaluate::{ArmedPart, Evaluation, LeverKind, Trial, TrialPart};
use moldloft_rules::formula::{Type, Value};
use moldloft_rules::ruleset::Amount;

use super::answer::Suggestion;
use super::lever::{Lever, all_levers};
use super::limits::{BOX_WORK, MAX_LEVERS, MAX_LOOKED_AT, work_limit};
use super::odds_goal::steps;
use super::question::{Goal, Objective, Question, SearchSpace, Sense, Subject, compile};
use super::scorer::Scorer;
use super::search::{Proof, SearchResult, search};
use super::terms::number_of;
use super::worth::{Duelling, Kept, Worth};

/// Of how many purchases mixtures are made: those that do most alone.
const MIXED: usize = 4;
/// Most of the first of two.
const MAX_OF_FIRST: usize = 3;
const MAX_SHOWN_MIXTURES: usize = 4;
/// Figures that differ by no more are equal.
const TOLERANCE: f64 = 1e-9;

/// The most of one thing that the points buy, or some of two.
#[derive(Clone, Debug)]
pub struct Purchase {
    pub lever: Lever,
    /// How many more.
    pub more: i64,
    /// Of a mixture: what else, and how many more.
    pub also: Option<(Lever, i64)>,
    pub suggestion: Suggestion,
    pub proof: Proof,
    /// What it does in a fight; `None` where the rules have no odds that can be worked out.
    pub worth: Option<Worth>,
    /// Among those that were tried.
    place: usize,
    /// The more, the better.
    rank: Option<f64>,
    /// What it changes of the values that are shown large: `structure blocks 37 → 38`.
    pub values: String,
    /// Of a weapon: the farthest value of the axis at which it bears.
    pub reach: Option<i64>,
    /// Its worth and reach in words.
    pub odds: Option<String>,
}

impl Purchase {
    /// Not weighed yet.
    fn new((lever, more): (Lever, i64), also: Option<(Lever, i64)>, suggestion: Suggestion, proof: Proof) -> Self {
        Self {
            lever,
            more,
            also,
            suggestion,
            proof,
            worth: None,
            place: 0,
            rank: None,
            values: String::new(),
            reach: None,
            odds: None,
        }
    }

    /// What there is more of.
    fn parts(&self) -> impl Iterator<Item = ArmedPart> {
        let levers = std::iter::once(&self.lever).chain(self.also.iter().map(|(lever, _)| lever));
        levers.filter_map(|lever| match *lever.parts.first()? {
            TrialPart::Count(fit) => Some(ArmedPart::Fit(fit)),
            TrialPart::Field(field) => Some(ArmedPart::Field(field)),
            TrialPart::Parameter(..) => None,
        })
    }
}

#[derive(Clone, Debug, Default)]
pub struct Purchases {
    /// The best first, by what they do; equal ones in the order of levers.
    pub bought: Vec<Purchase>,
    /// By what they are ordered.
    pub basis: String,
    /// Whether by odds; else by the values that are shown large.
    pub is_by_odds: bool,
    /// Levers that the points do not move.
    pub none: Vec<Lever>,
    /// Whether all levers were tried.
    pub is_complete: bool,
    pub boxes: usize,
    pub tried: usize,
}

/// What may be spent: so much in all of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpendLimit {
    /// `points`, or the id of another value or field.
    pub value: String,
    /// In all.
    pub most: i64,
}

impl SpendLimit {
    pub fn points(most: i64) -> Self {
        Self { value: "points".to_owned(), most }
    }

    /// As a goal: `points <= 1800`.
    pub fn condition(&self) -> String {
        format!("{} <= {}", self.value, self.most)
    }
}

/// What could be bought when the design may have so many points, or so much of another number. Each purchase stands alone; what
/// must go with it does.
///
/// # Errors
/// `no-points` where the rules have none; those of goals.
pub fn spend(
    subject: &Subject,
    budget: &SpendLimit,
    question: &Question,
    progress: &Progress,
) -> Result<Purchases, Finding> {
    let mut bare = SearchSpace::bare(subject, question);
    if bare.points.is_none() && budget.value == "points" {
        return Err(no_points(subject));
    }
    bare.goals = goals_of(subject, question)?;
    bare.goals.push(super::question::goal_of(&subject.rules, QuestionPart::Spend, &budget.condition())?);
    let mut found = Purchases { is_complete: true, ..Purchases::default() };
    let duelling = Duelling::new(&subject.evaluation);
    let each = bare.design_work(&bare.trial());
    let (mut work, limit) = (0, work_limit(each, bare.effort));
    let trial = bare.trial();
    let levers = match question.vary.is_empty() {
        true => bare.free_levers(&trial),
        false => {
            SearchSpace::new(subject, &Question { objective: None, goals: Vec::new(), ..question.clone() })?.levers
        }
    };
    let bought = |lever: &Lever| {
        let is_amount = !matches!(lever.parts.first(), Some(TrialPart::Parameter(..)) | None);
        is_amount && lever.follows.is_none() && lever.kind == LeverKind::Number && !lever.is_added
    };
    let before = number_of(&subject.evaluation, &budget.value);
    let levers: Vec<Lever> = levers.into_iter().filter(bought).take(MAX_LOOKED_AT).collect();
    progress.begin_phase("number", levers.len());
    for lever in levers {
        if progress.is_cancelled() || work > limit {
            found.is_complete = false;
            break;
        }
        let space = buying(&bare, vec![Lever { low: lever.now, ..lever.clone() }], &trial);
        let result = search(&space, &progress.detached());
        progress.step();
        found.boxes += result.boxes;
        found.tried += result.tried;
        work += result.work + each * BOX_WORK;
        found.is_complete &= result.proof == Proof::Proved;
        let best = result.best.filter(|best| best.score.main > lever.now);
        let suggestion = best.and_then(|best| Suggestion::new(&space, &best));
        let spends = |suggestion: &Suggestion| number_of(&suggestion.after, &budget.value) > before;
        match suggestion.filter(spends) {
            Some(suggestion) => {
                let more = suggestion.score.main - lever.now;
                found.bought.push(Purchase::new((lever, more), None, suggestion, result.proof));
            }
            None => found.none.push(lever),
        }
    }
    let mut why_not = weigh(subject, &duelling, &mut found.bought, progress);
    if why_not.is_none() {
        let mut mixed = mixtures(&bare, &trial, &found.bought, progress);
        mixed.retain(|mixture| number_of(&mixture.suggestion.after, &budget.value) > before);
        why_not = weigh(subject, &duelling, &mut mixed, progress);
        // A mixture is worth a line where it does more than each of its parts alone.
        let alone = |lever: &Lever| found.bought.iter().find(|one| one.lever.id == lever.id).and_then(|one| one.rank);
        mixed.retain(|mixture| {
            let parts = std::iter::once(&mixture.lever).chain(mixture.also.iter().map(|(lever, _)| lever));
            let is_more = |part| alone(part).zip(mixture.rank).is_some_and(|(part, both)| both - part > TOLERANCE);
            parts.into_iter().all(is_more)
        });
        best_first(subject, &mut mixed);
        mixed.truncate(MAX_SHOWN_MIXTURES);
        found.bought.extend(mixed);
    }
    // Some by odds and others by something else are in no order.
    if why_not.is_some() {
        found.bought.iter_mut().for_each(|purchase| purchase.rank = None);
    }
    best_first(subject, &mut found.bought);
    found.is_by_odds = why_not.is_none();
    found.basis = match (duelling, why_not) {
        (Ok(duelling), None) => duelling.basis(),
        (Err(why), _) | (_, Some(why)) => {
            format!("best first, by the values that are shown large, not by odds: {why}")
        }
    };
    Ok(found)
}

/// What each does in a fight, and what it changes of the values that are shown large. Gives why some of the odds were not worked out.
fn weigh(
    subject: &Subject,
    duelling: &Result<Duelling, Arc<str>>,
    purchases: &mut [Purchase],
    progress: &Progress,
) -> Option<Arc<str>> {
    let weigh_one = |purchase: &mut Purchase| {
        let after = &purchase.suggestion.after;
        purchase.values = value_changes(subject, after).join("; ");
        let duelling = match duelling {
            _ if progress.is_cancelled() => return Some("the search was stopped".into()),
            Ok(duelling) => duelling,
            Err(why) => return Some(why.clone()),
        };
        let reach = purchase.parts().filter_map(|part| duelling.reach(after, part)).max();
        purchase.reach = reach.as_ref().map(|(farthest, _)| *farthest);
        match duelling.worth(after) {
            Ok(worth) => {
                purchase.rank = Some(duelling.rank(&worth));
                let words = std::iter::once(duelling.words(&worth)).chain(reach.map(|(_, words)| words));
                purchase.odds = Some(words.collect::<Vec<_>>().join("; "));
                purchase.worth = Some(worth);
                None
            }
            Err(why) => Some(why),
        }
    };
    let each: Vec<Option<Arc<str>>> = purchases.par_iter_mut().map(weigh_one).collect();
    each.into_iter().flatten().next()
}

/// The highest rank first; of equal ones, to [`TOLERANCE`], what raises the values that are shown large most, then what reaches farthest, else as they were.
fn best_first(subject: &Subject, purchases: &mut [Purchase]) {
    purchases.iter_mut().enumerate().for_each(|(place, purchase)| purchase.place = place);
    let rank = |purchase: &Purchase| purchase.rank.unwrap_or(f64::NEG_INFINITY);
    purchases.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    purchases.chunk_by_mut(|a, b| rank(a) - rank(b) <= TOLERANCE || rank(a) == rank(b)).for_each(|equal| {
        equal.sort_by_key(|purchase| {
            (Reverse(gain(subject, &purchase.suggestion.after)), Reverse(purchase.reach), purchase.place)
        });
    });
}

/// `structure blocks 37 → 38`, of the values that are shown large.
fn value_changes(subject: &Subject, after: &Evaluation) -> Vec<String> {
    let shown = subject.evaluation.values.iter().filter(|value| value.headline && &*value.id != "points");
    let changed = shown.filter_map(|was| {
        let now = after.values.iter().find(|value| value.id == was.id).filter(|now| now.value != was.value)?;
        Some(format!("{} {} → {}", was.label, was.value.shown()?, now.value.shown()?))
    });
    changed.collect()
}

/// How much the values that are shown large rise in all.
fn gain(subject: &Subject, after: &Evaluation) -> i64 {
    let shown = subject.evaluation.values.iter().filter(|value| value.headline && &*value.id != "points");
    let each = shown.filter_map(|was| Some(number_of(after, &was.id)? - number_of(&subject.evaluation, &was.id)?));
    each.fold(0, i64::saturating_add)
}

/// The most of the last of these levers. What must go with it does, but nothing is given up for it.
fn buying<'a>(bare: &SearchSpace<'a>, levers: Vec<Lever>, trial: &Trial<'_>) -> SearchSpace<'a> {
    let mut space = bare.with_levers(levers);
    space.objective = Some(Objective::Lever(space.levers.len() - 1));
    space.add_followers(trial);
    let following = space.levers.iter_mut().filter(|lever| lever.follows.is_some() && lever.kind == LeverKind::Number);
    following.for_each(|lever| lever.low = lever.now.min(lever.high));
    space
}

/// Some of one and the most of another, of those that do most alone.
fn mixtures(bare: &SearchSpace<'_>, trial: &Trial<'_>, bought: &[Purchase], progress: &Progress) -> Vec<Purchase> {
    let rank = |purchase: &Purchase| purchase.rank.map_or(i64::MIN, steps);
    let mut best: Vec<&Purchase> = bought.iter().filter(|purchase| purchase.rank.is_some()).collect();
    best.sort_by_key(|purchase| Reverse(rank(purchase)));
    best.truncate(MIXED);
    let mut found = Vec::new();
    for (place, first) in best.iter().enumerate() {
        for second in &best[place + 1..] {
            for some in (1..=first.more).take(MAX_OF_FIRST) {
                if progress.is_cancelled() {
                    return found;
                }
                let number = first.lever.now + some;
                let one = Lever { low: number, high: number, ..first.lever.clone() };
                let other = Lever { low: second.lever.now, ..second.lever.clone() };
                let space = buying(bare, vec![one, other], trial);
                let result = search(&space, &progress.detached());
                let Some(best) = result.best.filter(|best| best.score.main > second.lever.now) else { break };
                let more = best.score.main - second.lever.now;
                let Some(suggestion) = Suggestion::new(&space, &best) else { continue };
                let (lever, also) = (first.lever.clone(), Some((second.lever.clone(), more)));
                found.push(Purchase::new((lever, some), also, suggestion, result.proof));
            }
        }
    }
    found
}

fn no_points(subject: &Subject) -> Finding {
    Finding::error("no-points", format!("{} has no points", subject.rules.base.title)).advise(Advice::AskForMost)
}

fn goals_of(subject: &Subject, question: &Question) -> Result<Vec<Goal>, Finding> {
    question.goals.iter().map(|text| super::question::goal(&subject.rules, text)).collect()
}

/// For each lever, whether it supplies others: a check that holds now fails with the least of it, and also with the most of another lever. So the
/// power of a reactor is a supply, the least number of bridges is not.
fn supplies(space: &SearchSpace<'_>, levers: &[Lever]) -> Vec<bool> {
    let mut scorer = Scorer::new(space);
    let mut failed_with = |lever: &Lever, number: i64| -> BTreeSet<usize> {
        set_lever(&mut scorer, lever, number);
        let failed = scorer.trial.faults().iter().filter(|fault| fault.severity != Severity::Info);
        let failed = failed.filter_map(|fault| fault.check).collect();
        set_lever(&mut scorer, lever, lever.now);
        failed
    };
    let most: Vec<BTreeSet<usize>> = levers.iter().map(|lever| failed_with(lever, lever.high)).collect();
    let least: Vec<BTreeSet<usize>> = levers.iter().map(|lever| failed_with(lever, lever.low)).collect();
    let known: BTreeSet<usize> = space.known_faults.iter().filter_map(|fault| fault.check).collect();
    let is_supply = |place: usize| {
        let others = most.iter().enumerate().filter(|(other, _)| *other != place);
        let demanded: BTreeSet<&usize> = others.flat_map(|(_, failed)| failed).collect();
        least[place].iter().any(|check| !known.contains(check) && demanded.contains(check))
    };
    (0..levers.len()).map(is_supply).collect()
}

fn set_lever(scorer: &mut Scorer<'_, '_>, lever: &Lever, number: i64) {
    let value = lever.kind.value(number);
    lever.parts.iter().for_each(|part| scorer.trial.set(*part, &value));
    scorer.trial.compute();
}

/// The same for fewer points: values shown large, all systems, all boxes and what it does in a fight stay as they are; numbers that others are
/// rounded from, and what supplies other systems, may fall.
///
/// # Errors
/// `no-points`, `nothing-to-vary`, and those of goals.
pub fn cheaper<'a>(
    subject: &'a Subject,
    question: &Question,
    progress: &Progress,
) -> Result<(SearchSpace<'a>, SearchResult), Finding> {
    let rules = &subject.rules;
    let mut space = match question.vary.is_empty() {
        true => SearchSpace::bare(subject, question),
        false => {
            let objective = Some((Sense::Minimise, "points".to_owned()));
            SearchSpace::new(subject, &Question { objective, ..question.clone() })?
        }
    };
    if space.points.is_none() {
        return Err(no_points(subject));
    }
    space.objective =
        Some(Objective::Formula(Sense::Minimise, compile(rules, QuestionPart::Cheaper, "points", &Type::Int)?));
    space.goals = goals_of(subject, question)?;
    for (value, result) in rules.values.iter().zip(&subject.evaluation.values) {
        let is_result = !value.spare_of.is_empty() || !value.room_for.is_empty();
        let is_amount = |n: usize| rules.values.iter().any(|other| other.spare_of.contains(&Amount::Value(n)));
        let number = rules.values.iter().position(|known| known.id == value.id).unwrap_or(usize::MAX);
        let kept = &*value.id != "points" && (is_result || value.headline && !is_amount(number));
        let text = match (&result.value, kept) {
            (Value::Int(now), true) if value.room_for.is_empty() => format!("{} >= {now}", value.id),
            (Value::Text(now), true) if !now.contains('\'') => format!("{} == '{now}'", value.id),
            _ => continue,
        };
        if let Ok(goal) = super::question::goal(rules, &text) {
            space.goals.push(goal);
        }
    }
    for track in rules.tracks.iter().filter(|track| track.for_each.is_none() && !track.in_rows) {
        let Some(now) = subject.evaluation.tracks.iter().find(|known| known.track == track.id) else { continue };
        let boxes: u64 = now.rows.iter().map(|row| u64::from(*row)).sum();
        if let Ok(mut goal) = super::question::goal(rules, &format!("({}) >= {boxes}", track.boxes.source)) {
            goal.text = Arc::default();
            space.goals.push(goal);
        }
    }
    space.keeps = Some(Arc::new(Kept::new(&subject.evaluation)));
    if question.vary.is_empty() {
        let bare = space.clone();
        let trial = bare.trial();
        let all: Vec<Lever> = all_levers(&trial).into_iter().take(MAX_LOOKED_AT).collect();
        let supplies = supplies(&bare, &all);
        let is_spent = |lever: &Lever| match lever.parts.first() {
            Some(TrialPart::Field(field)) => {
                rules.values.iter().any(|value| value.spare_of.contains(&Amount::Field(*field)))
            }
            _ => false,
        };
        let may_fall = all.iter().zip(&supplies).filter(|(lever, is_supply)| **is_supply || is_spent(lever));
        let may_fall = may_fall.filter(|(lever, _)| !bare.is_pinned(&lever.id));
        let levers: Vec<Lever> = may_fall.map(|(lever, _)| lever.clone()).collect();
        space.left_out = levers.len().saturating_sub(MAX_LEVERS);
        space.levers = levers.into_iter().take(MAX_LEVERS).collect();
        space.add_followers(&trial);
    }
    if space.levers.is_empty() {
        let finding = Finding::error("nothing-to-vary", "nothing in this design supplies more than it must");
        return Err(finding.advise(Advice::NameLever("mass")));
    }
    let mut result = search(&space, progress);
    if space.keeps.as_ref().is_some_and(|kept| kept.has_left_out()) {
        result.proof = Proof::Nothing;
    }
    Ok((space, result))
}
