//! Branch and bound: takes a space, gives the best answer found and what is proved of it. Work is counted in boxes, and boxes are
//! looked into in fixed groups, so that the result hangs neither on time nor on threads.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use rayon::prelude::*;

use moldloft_base::progress::Progress;
use moldloft_rules::evaluate::{BoxModel, Trial};

use super::boxes::{LeverRanges, narrow};
use super::climb::climb;
use super::limits::{BOXES, MAX_WAITING, TRY_ALL, work_limit};
use super::question::SearchSpace;
use super::scorer::{Found, Score, Scorer};
use super::search_note::search_note;

/// Boxes that are divided at a time.
const GROUP: usize = 8;
/// Boxes at the beginning for which several levers are tried.
const CAREFUL: usize = 96;
/// Boxes that may be spent on the fewest and smallest changes after the answer itself is proved.
const TIDYING: usize = 1_000;

/// What a search came to.
#[derive(Clone, Debug)]
pub struct SearchResult {
    pub best: Option<Found>,
    pub proof: Proof,
    /// Boxes that were looked into; 0 where all designs were tried.
    pub boxes: usize,
    /// Designs that were tried.
    pub tried: usize,
    /// In plain formulas.
    pub work: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No design within the limits is better; or none is an answer, if none was found.
    Proved,
    /// Stopped; within the limits the objective (its negative where it is minimised) is at most this.
    AtMost(i64),
    /// Stopped without a bound.
    Nothing,
}

/// Searches a space.
pub fn search(space: &SearchSpace<'_>, progress: &Progress) -> SearchResult {
    let each = space.design_work(&space.trial());
    let is_small = space.designs() <= TRY_ALL && space.designs() * each <= work_limit(each, 1) / 4;
    if is_small { try_all(space) } else { branch_and_bound(space, progress) }
}

/// As [`search`], by boxes however few designs there are.
pub fn branch_and_bound(space: &SearchSpace<'_>, progress: &Progress) -> SearchResult {
    let mut scorer = Scorer::new(space);
    // The scorer's own trial has the design's numbers as they are.
    let model = space.model(&scorer.trial);
    let mut search =
        Search { space, model: &model, best: None, refused: Vec::new(), waiting: BTreeMap::new(), boxes: 0, number: 0 };
    search.run(&mut scorer, progress)
}

/// Tries every design of a space.
pub fn try_all(space: &SearchSpace<'_>) -> SearchResult {
    let mut scorer = Scorer::new(space);
    let mut best: Option<Found> = None;
    each_point(space, |point| {
        if let Some(found) = scorer.better(point, best.as_ref())
            && scorer.confirms(&found)
        {
            best = Some(found);
        }
    });
    SearchResult { best, proof: Proof::Proved, boxes: 0, tried: scorer.tried, work: scorer.work }
}

/// Calls `each` with every point of a space.
pub(super) fn each_point(space: &SearchSpace<'_>, mut each: impl FnMut(&[i64])) {
    let mut point: Vec<i64> = space.levers.iter().map(|lever| lever.low).collect();
    loop {
        each(&point);
        let mut carried = true;
        for (number, lever) in point.iter_mut().zip(&space.levers) {
            if *number < lever.high {
                *number += 1;
                carried = false;
                break;
            }
            *number = lever.low;
        }
        if carried {
            return;
        }
    }
}

struct Search<'s, 'a, 'm> {
    space: &'s SearchSpace<'a>,
    model: &'s BoxModel<'m>,
    best: Option<Found>,
    /// Points that the program itself does not accept.
    refused: Vec<Vec<i64>>,
    /// Boxes that wait, the best last; of equal ones the first that came.
    waiting: BTreeMap<(Score, Reverse<usize>), LeverRanges>,
    boxes: usize,
    number: usize,
}

/// What came of one box.
struct Divided {
    halves: Vec<LeverRanges>,
    found: Option<Found>,
    tried: usize,
    work: u64,
    /// Boxes that were narrowed.
    narrowed: u64,
}

impl Search<'_, '_, '_> {
    fn run(&mut self, scorer: &mut Scorer<'_, '_>, progress: &Progress) -> SearchResult {
        let limit = BOXES * self.space.effort as usize;
        let box_work = self.space.box_work(&scorer.trial);
        let now = self.space.now();
        if let Some(found) = scorer.better(&now, None) {
            self.accept(scorer, found);
        }
        self.boxes = 1;
        scorer.work += 2 * box_work;
        if let Some(root) = narrow(self.space, self.model, self.space.whole_box(), None, &mut scorer.work) {
            for point in guesses(&root, &now) {
                if let Some(found) = scorer.better(&point, self.best.as_ref()) {
                    self.accept(scorer, found);
                }
            }
            self.push(root);
        }
        let mut settled_at = None;
        loop {
            let Some((&(bound, _), _)) = self.waiting.last_key_value() else {
                return self.result(scorer, Proof::Proved);
            };
            if let Some(best) = &self.best {
                if bound <= best.score {
                    return self.result(scorer, Proof::Proved);
                }
                if (bound.main, bound.points) <= (best.score.main, best.score.points) {
                    let since = *settled_at.get_or_insert(self.boxes);
                    if self.boxes - since > TIDYING {
                        return self.result(scorer, Proof::Proved);
                    }
                } else {
                    settled_at = None;
                }
            }
            if self.boxes >= limit
                || self.waiting.len() > MAX_WAITING
                || scorer.work >= scorer.work_limit
                || progress.is_cancelled()
            {
                return self.stopped(scorer, bound);
            }
            self.step(scorer, &now, box_work);
            progress.set_done(self.boxes.min(limit), limit);
            progress.set_note(search_note(self.space, self.best.as_ref().map(|best| &best.score), &bound));
        }
    }

    fn stopped(&self, scorer: &Scorer<'_, '_>, bound: Score) -> SearchResult {
        let best = self.best.as_ref().map(|best| best.score.main);
        let proof = match best {
            Some(best) if bound.main <= best => Proof::Proved,
            _ if bound.main >= moldloft_rules::ruleset::MAX_NUMBER as i64 => Proof::Nothing,
            Some(_) => Proof::AtMost(bound.main),
            None => Proof::Nothing,
        };
        self.result(scorer, proof)
    }

    fn result(&self, scorer: &Scorer<'_, '_>, proof: Proof) -> SearchResult {
        SearchResult { best: self.best.clone(), proof, boxes: self.boxes, tried: scorer.tried, work: scorer.work }
    }

    fn push(&mut self, ranges: LeverRanges) {
        self.number += 1;
        self.waiting.insert((ranges.bound, Reverse(self.number)), ranges);
    }

    /// Takes a point as the best, if it is, and climbs from there.
    fn accept(&mut self, scorer: &mut Scorer<'_, '_>, found: Found) {
        let levers = &self.space.levers;
        let is_better =
            |found: &Found, best: &Option<Found>| best.as_ref().is_none_or(|best| found.is_better(best, levers));
        if !is_better(&found, &self.best) || self.refused.contains(&found.point) {
            return;
        }
        if !scorer.confirms(&found) {
            self.refused.push(found.point);
            return;
        }
        let higher = climb(scorer, &found);
        self.best = Some(found);
        if let Some(higher) = higher
            && is_better(&higher, &self.best)
        {
            match scorer.confirms(&higher) {
                true => self.best = Some(higher),
                false => self.refused.push(higher.point),
            }
        }
    }

    /// Divides the best boxes that wait.
    fn step(&mut self, scorer: &mut Scorer<'_, '_>, now: &[i64], box_work: u64) {
        let mut group = Vec::with_capacity(GROUP);
        while group.len() < GROUP
            && let Some((_, next)) = self.waiting.pop_last()
        {
            if self.best.as_ref().is_none_or(|best| next.bound > best.score) {
                group.push(next);
            }
        }
        let (space, best) = (self.space, self.best.as_ref().map(|best| best.score));
        let choices = if self.boxes < CAREFUL { 4 } else { 1 };
        let divided: Vec<Divided> = group
            .into_par_iter()
            .map_init(|| Worker::new(space), |worker, ranges| worker.divide(ranges, choices, best.as_ref(), now))
            .collect();
        for one in divided {
            self.boxes += 1;
            scorer.tried += one.tried;
            scorer.work += one.work + one.narrowed * box_work;
            if let Some(found) = one.found {
                self.accept(scorer, found);
            }
            for half in one.halves {
                if self.best.as_ref().is_none_or(|best| half.bound > best.score) {
                    self.push(half);
                }
            }
        }
    }
}

/// What one thread works with.
struct Worker<'s, 'a> {
    scorer: Scorer<'s, 'a>,
    model: BoxModel<'s>,
}

impl<'s, 'a> Worker<'s, 'a> {
    fn new(space: &'s SearchSpace<'a>) -> Self {
        let mut trial = Trial::new(&space.subject.rules, &space.base, &space.subject.ship);
        trial.compute();
        let model = space.model(&trial);
        Self { scorer: Scorer::new(space), model }
    }

    /// Halves a box at the lever whose halves are bounded best, and tries some of their designs.
    fn divide(&mut self, ranges: LeverRanges, choices: usize, best: Option<&Score>, now: &[i64]) -> Divided {
        let (before, work) = (self.scorer.tried, self.scorer.work);
        let mut narrowed = 0;
        let space = self.scorer.space;
        let mut order: Vec<usize> =
            (0..ranges.levers.len()).filter(|n| ranges.levers[*n].0 < ranges.levers[*n].1).collect();
        order.sort_by(|a, b| ranges.weights[*b].total_cmp(&ranges.weights[*a]).then(a.cmp(b)));
        let mut chosen: Option<(Option<Score>, Vec<LeverRanges>)> = None;
        for lever in order.into_iter().take(choices) {
            let (low, high) = ranges.levers[lever];
            let middle = low + (high - low) / 2;
            narrowed += 2;
            let half = |within: (i64, i64)| {
                let mut levers = ranges.levers.clone();
                levers[lever] = within;
                narrow(space, &self.model, levers, best, &mut self.scorer.work)
            };
            let halves: Vec<LeverRanges> = [(low, middle), (middle + 1, high)].into_iter().filter_map(half).collect();
            let worst = halves.iter().map(|half| half.bound).max();
            if chosen.as_ref().is_none_or(|(known, _)| worst < *known) {
                chosen = Some((worst, halves));
            }
        }
        let halves = chosen.map_or_else(Vec::new, |(_, halves)| halves);
        let mut found: Option<Found> = None;
        for point in halves.iter().flat_map(|half| guesses(half, now)) {
            if let Some(one) = self.scorer.better(&point, found.as_ref())
                && best.is_none_or(|best| one.score >= *best)
            {
                found = Some(one);
            }
        }
        // A box of one design is decided.
        let halves = halves.into_iter().filter(|half| half.levers.iter().any(|(low, high)| low < high)).collect();
        Divided { halves, found, tried: self.scorer.tried - before, work: self.scorer.work - work, narrowed }
    }
}

/// Points of a box that may be good: its ends, where its bound comes from, and the design as it is.
fn guesses(ranges: &LeverRanges, now: &[i64]) -> Vec<Vec<i64>> {
    let levers = &ranges.levers;
    let mut points = vec![
        ranges.guess.iter().zip(levers).map(|(number, (low, high))| (*number).clamp(*low, *high)).collect(),
        levers.iter().map(|(low, _)| *low).collect(),
        levers.iter().map(|(_, high)| *high).collect(),
        levers.iter().zip(now).map(|((low, high), now)| (*now).clamp(*low, *high)).collect::<Vec<i64>>(),
    ];
    points.dedup();
    points
}
