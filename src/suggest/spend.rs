//! What points could buy, and what could be saved: takes a design and a sum of points, gives the most of each thing that can be added for it.

use std::collections::BTreeSet;

use crate::evaluate::TrialPart;
use crate::finding::{Finding, Severity};
use crate::formula::{Type, Value};
use crate::progress::Progress;
use crate::ruleset::Amount;

use super::answer::Suggestion;
use super::lever::{Lever, all_levers};
use super::limits::{BOX_WORK, MAX_LEVERS, MAX_LOOKED_AT, work_limit};
use super::question::{Goal, Objective, Question, SearchSpace, Sense, Subject, compile};
use super::scorer::Scorer;
use super::search::{Proof, SearchResult, search};
use super::terms::number_of;

/// The most of one thing that the points buy.
#[derive(Clone, Debug)]
pub struct Purchase {
    /// The index of its lever among those tried.
    pub lever: Lever,
    /// How many more.
    pub more: i64,
    pub suggestion: Suggestion,
    pub proof: Proof,
}

#[derive(Clone, Debug)]
pub struct Purchases {
    /// In the order of levers.
    pub bought: Vec<Purchase>,
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
    bare.goals.push(super::question::goal_of(&subject.rules, "--of", &budget.condition())?);
    let mut found = Purchases { bought: Vec::new(), none: Vec::new(), is_complete: true, boxes: 0, tried: 0 };
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
        is_amount && lever.follows.is_none() && lever.kind == crate::evaluate::LeverKind::Number && !lever.is_added
    };
    let before = number_of(&subject.evaluation, &budget.value);
    let levers: Vec<Lever> = levers.into_iter().filter(bought).take(MAX_LOOKED_AT).collect();
    progress.begin_phase("number", levers.len());
    for lever in levers {
        if progress.is_cancelled() || work > limit {
            found.is_complete = false;
            break;
        }
        let mut space = bare.with_levers(vec![Lever { low: lever.now, ..lever.clone() }]);
        space.objective = Some(Objective::Lever(0));
        space.add_followers(&trial);
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
                found.bought.push(Purchase { lever, more, suggestion, proof: result.proof });
            }
            None => found.none.push(lever),
        }
    }
    Ok(found)
}

fn no_points(subject: &Subject) -> Finding {
    Finding::error("no-points", format!("{} has no points", subject.rules.base.title))
        .help("ask with --maximise or --minimise and a goal")
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

/// The same for fewer points: values shown large and all systems stay as they are; numbers that others are rounded from, and what supplies other
/// systems, may fall.
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
    space.objective = Some(Objective::Formula(Sense::Minimise, compile(rules, "--cheaper", "points", &Type::Int)?));
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
        let help = "name what may vary, such as --vary mass";
        return Err(Finding::error("nothing-to-vary", "nothing in this design supplies more than it must").help(help));
    }
    let result = search(&space, progress);
    Ok((space, result))
}
