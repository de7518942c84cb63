//! Scores points: takes numbers for all levers, gives how good the design is that they make, by the rules' own formulas.

use std::cmp::Ordering;
use std::sync::Arc;

use moldloft_base::finding::Severity;
use moldloft_rules::evaluate::{Evaluation, Trial, TrialFault, evaluate};
use moldloft_rules::formula::Value;

use super::lever::Lever;
use super::limits::work_limit;
use super::question::{Objective, SearchSpace, Sense, WarningPolicy};

/// How good an answer is; the greater, the better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    /// The objective; its negative where it is minimised, 0 without one.
    pub main: i64,
    /// Its points, negative.
    pub points: i64,
    /// How many levers were moved, negative; those that only follow count as well.
    pub moved: i64,
    /// How far they were moved, negative.
    pub moves: i64,
}

impl Score {
    pub const BEST: Self = Self { main: i64::MAX, points: i64::MAX, moved: 0, moves: 0 };
}

/// An answer: numbers for all levers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub score: Score,
    pub point: Vec<i64>,
}

impl Found {
    /// Of two equally good ones, the one that moves earlier levers, and moves them up.
    pub fn is_better(&self, other: &Self, levers: &[Lever]) -> bool {
        match self.score.cmp(&other.score) {
            Ordering::Equal => {
                let each = levers.iter().zip(self.point.iter().zip(&other.point));
                let order = each.map(|(lever, (a, b))| (lever.distance(*a), *a).cmp(&(lever.distance(*b), *b)));
                order.fold(Ordering::Equal, Ordering::then) == Ordering::Greater
            }
            order => order == Ordering::Greater,
        }
    }
}

/// A trial of the design that points are scored with.
pub struct Scorer<'s, 'a> {
    pub space: &'s SearchSpace<'a>,
    pub trial: Trial<'s>,
    /// How many designs were tried.
    pub tried: usize,
    /// Their work, in plain formulas.
    pub work: u64,
    /// Work that the question may take.
    pub work_limit: u64,
}

impl<'s, 'a> Scorer<'s, 'a> {
    pub fn new(space: &'s SearchSpace<'a>) -> Self {
        let mut trial = Trial::new(&space.subject.rules, &space.base, &space.subject.ship);
        trial.compute();
        let work_limit = work_limit(space.design_work(&trial), space.effort);
        Self { space, trial, tried: 0, work: 0, work_limit }
    }

    pub fn set(&mut self, point: &[i64]) {
        for (lever, number) in self.space.levers.iter().zip(point) {
            let value = lever.kind.value(*number);
            for part in &lever.parts {
                self.trial.set(*part, &value);
            }
        }
        self.trial.compute();
        self.work += self.trial.work();
    }

    /// `None` for a design that is not legal, has a new warning, or misses a goal.
    pub fn score(&mut self, point: &[i64]) -> Option<Found> {
        self.tried += 1;
        self.set(point);
        let before = self.trial.work();
        let score = score(self.space, &self.trial, point);
        // The question's own formulas.
        self.work += self.trial.work() - before;
        let score = score?;
        Some(Found { score, point: point.to_vec() })
    }

    /// As [`Scorer::score`], if it is better than another answer and moves what follows checks no farther than they need.
    pub fn better(&mut self, point: &[i64], than: Option<&Found>) -> Option<Found> {
        let found = self.score(point)?;
        let is_better = than.is_none_or(|than| found.is_better(than, &self.space.levers));
        (is_better && self.follows_in_need(point)).then_some(found)
    }

    /// Whether each lever that follows checks, and all of a check together, stay for a check: one that fails where they are a step less far, or not
    /// moved at all.
    fn follows_in_need(&mut self, point: &[i64]) -> bool {
        let levers = &self.space.levers;
        let moved: Vec<usize> =
            (0..levers.len()).filter(|n| levers[*n].follows.is_some() && levers[*n].now != point[*n]).collect();
        let mut groups: Vec<Vec<usize>> = moved.iter().map(|lever| vec![*lever]).collect();
        groups.extend(moved.chunk_by(|a, b| levers[*a].follows == levers[*b].follows).map(<[usize]>::to_vec));
        groups.dedup();
        groups
            .iter()
            .all(|group| self.need_of(point, group, 1).is_some() && self.need_of(point, group, i64::MAX).is_some())
    }

    /// The code of a check that forbids an answer in which these levers are so many steps nearer to where they are in the design.
    pub fn need_of(&mut self, point: &[i64], levers: &[usize], steps: i64) -> Option<Arc<str>> {
        let mut nearer = point.to_vec();
        for lever in levers {
            let now = self.space.levers[*lever].now;
            nearer[*lever] = now.clamp(point[*lever].saturating_sub(steps), point[*lever].saturating_add(steps));
        }
        self.set(&nearer);
        forbidden_fault(self.space, &self.trial, true).map(|fault| fault.code.clone())
    }

    /// Takes back each change of an answer, as far as what is left is one.
    pub fn without_needless(&mut self, mut found: Found) -> Found {
        let levers = &self.space.levers;
        let mut place = 0;
        while place < levers.len() {
            let (now, to) = (levers[place].now, found.point[place]);
            let away = (to - now).signum();
            let less = (0..levers[place].distance(to)).find_map(|steps| {
                let mut point = found.point.clone();
                point[place] = now + away * steps;
                self.score(&point)
            });
            // What was needed beside this change may not be any more.
            place = if less.is_some() { 0 } else { place + 1 };
            found = less.unwrap_or(found);
        }
        found
    }

    /// Whether the program itself, with the design's file changed, comes to the same.
    pub fn confirms(&self, found: &Found) -> bool {
        [true, false].into_iter().any(|remove| is_confirmed(self.space, found, remove))
    }
}

/// As [`Scorer::confirms`], for one way to write that none is left of a fit.
pub(super) fn is_confirmed(space: &SearchSpace<'_>, found: &Found, remove: bool) -> bool {
    let Ok((_, design)) = space.subject.edited(&space.edits(&found.point, remove)) else { return false };
    let mut trial = Trial::new(&space.subject.rules, &design, &space.subject.ship);
    trial.compute();
    let again = score_of(space, &trial, &found.point, false);
    let is_kept = |after: &Evaluation| space.keeps.as_ref().is_none_or(|kept| kept.holds(after));
    again == Some(found.score)
        && Some(evaluate(&space.subject.rules, &design, &space.subject.ship))
            .is_some_and(|after| after.legal && is_kept(&after))
}

fn score(space: &SearchSpace<'_>, trial: &Trial<'_>, point: &[i64]) -> Option<Score> {
    score_of(space, trial, point, true)
}

/// The first fault that no answer may have. `same_fits`: whether fits are numbered as in the space's own design, so that warnings can be told from
/// known ones by what they concern.
fn forbidden_fault<'t>(space: &SearchSpace<'_>, trial: &'t Trial<'_>, same_fits: bool) -> Option<&'t TrialFault> {
    trial.faults().iter().find(|fault| {
        let is_known = || match same_fits {
            true => space.known_faults.contains(fault),
            false => space.known_faults.iter().any(|known| known.code == fault.code),
        };
        match (fault.severity, space.warnings) {
            (Severity::Error, _) | (Severity::Warning, WarningPolicy::None) => true,
            (Severity::Warning, WarningPolicy::Known) => !is_known(),
            _ => false,
        }
    })
}

/// `same_fits`: as in [`forbidden_fault`].
fn score_of(space: &SearchSpace<'_>, trial: &Trial<'_>, point: &[i64], same_fits: bool) -> Option<Score> {
    if trial.is_cut_short() {
        return None;
    }
    if forbidden_fault(space, trial, same_fits).is_some() {
        return None;
    }
    if space.goals.iter().any(|goal| trial.eval(&goal.formula).as_bool() != Some(true)) {
        return None;
    }
    let main = match &space.objective {
        // Odds are worked out for legal designs only.
        None | Some(Objective::Odds(_)) => 0,
        Some(Objective::Lever(lever)) => point.get(*lever).copied().unwrap_or(0),
        Some(Objective::Formula(sense, formula)) => match (trial.eval(formula), sense) {
            (Value::Int(number), Sense::Maximise) => number,
            (Value::Int(number), Sense::Minimise) => -number,
            _ => return None,
        },
    };
    let points = match &space.points {
        None => 0,
        Some(formula) => match trial.eval(formula) {
            Value::Int(points) => -points,
            _ => 0,
        },
    };
    let (moved, moves) = distance(&space.levers, point);
    Some(Score { main, points, moved: -moved, moves: -moves })
}

/// How many levers are not as in the design, and how far.
pub fn distance(levers: &[Lever], point: &[i64]) -> (i64, i64) {
    let each = levers.iter().zip(point).map(|(lever, number)| lever.distance(*number));
    each.fold((0, 0), |(moved, moves), distance| {
        (moved + i64::from(distance > 0), i64::saturating_add(moves, distance))
    })
}
