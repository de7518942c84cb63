//! Loops of a program: the count is read first, states wait by how many times are left, and the successors of a state are found once.

use std::collections::BTreeMap;

use moldloft_rules::formula::{Value, Weight};

use super::program::ProgramStep;
use super::run::{
    CHUNK, LoopCache, MAX_STATES, OddsResult, Runner, SuccessorRun, fail, forget, pass_work, too_many_states,
    unanswered,
};
use super::states::{Distribution, StateTable};

/// Most successors of states that are kept.
pub const MAX_SUCCESSORS: usize = 4_000_000;
/// Most turns of a `repeat`.
pub const MAX_TURNS: i64 = 10_000;
/// Most cells of states that wait for their turn of a loop.
const MAX_WAITING_CELLS: usize = 4_000_000;
/// Loops of more turns than this let states below [`LEAST`] go.
const LONG_LOOP: i64 = 30;
/// Probability below which a state of a long loop is let go and added to what is lost.
const LEAST: f64 = 1e-16;

impl<W: Weight> Runner<'_, W> {
    pub fn repeat(
        &mut self,
        firing: usize,
        step: &ProgramStep,
        states: &Distribution<W>,
    ) -> OddsResult<Distribution<W>> {
        let Some(repeat) = &step.repeat else { return Ok(states.clone()) };
        let mut waiting: BTreeMap<i64, Distribution<W>> = BTreeMap::new();
        let mut after = states.emptied();
        after.lose_as(states);
        let mut state = Vec::with_capacity(states.table.stride());
        let each = pass_work(states.table.stride());
        let mut passed = 0;
        for (before, weight) in states.states() {
            let spread = self.spread(firing, repeat, before)?;
            self.spend(spread.outcomes.len() * each, step.at)?;
            // A state waits once for each number of turns.
            passed += spread.outcomes.len();
            if passed * states.table.stride() > MAX_WAITING_CELLS {
                return too_many_states(step.at);
            }
            state.clear();
            state.extend_from_slice(before);
            forget(&mut state, &step.live_within);
            for (code, p) in &spread.outcomes {
                let turns = match self.codes.value(*code) {
                    Value::Int(turns) => turns.max(0),
                    Value::Flag(flag) => i64::from(flag),
                    _ => return unanswered("`repeat`", repeat.formula.at),
                };
                if turns > MAX_TURNS {
                    let message = format!("{turns} times round, at most {MAX_TURNS} are allowed");
                    return fail("too-many-dice", message, repeat.formula.at);
                }
                waiting.entry(turns).or_insert_with(|| states.emptied()).add(&state, &weight.times(p));
            }
            after.lose(before, &weight.times(&spread.lost));
        }
        let width = states.width();
        let mut cache = match self.loops[step.successors].take() {
            Some(cache) => cache,
            None => LoopCache {
                states: StateTable::new(width),
                rows: Vec::new(),
                runs: Vec::new(),
                probabilities: Vec::new(),
                lost: Vec::new(),
            },
        };
        let done = self.rounds(firing, step, &mut cache, waiting, &mut after);
        self.loops[step.successors] = Some(cache);
        done?;
        Ok(after)
    }

    /// Goes round from the greatest number of turns down; those with fewer join on the way.
    fn rounds(
        &mut self,
        firing: usize,
        step: &ProgramStep,
        cache: &mut LoopCache<W>,
        mut waiting: BTreeMap<i64, Distribution<W>>,
        after: &mut Distribution<W>,
    ) -> OddsResult<()> {
        let Some(longest) = waiting.keys().next_back().copied() else { return Ok(()) };
        let tags = after.lost.len();
        let width = cache.states.stride();
        // By tag: weights by state of the loop.
        let mut now: Vec<Vec<W>> = vec![Vec::new(); tags];
        let mut next = now.clone();
        let mut turn = longest;
        loop {
            if let Some(joining) = waiting.remove(&turn) {
                self.spend(joining.len() * pass_work(width), step.at)?;
                for (state, weight) in joining.states() {
                    let place = cache.states.insert(&state[..width]);
                    let tag = if joining.tagged { usize::try_from(state[width]).unwrap_or(0) } else { 0 };
                    put(&mut now[tag], place, weight);
                }
            }
            if turn == 0 {
                break;
            }
            self.find_successors(firing, step, cache, &now)?;
            let mut work = 0;
            for ((now, next), lost) in now.iter().zip(&mut next).zip(&mut after.lost) {
                next.clear();
                next.resize(cache.states.len(), W::zero());
                work += now.len() / 2 + cache.step(now, next, lost, longest > LONG_LOOP);
            }
            self.spend(work, step.at)?;
            std::mem::swap(&mut now, &mut next);
            turn -= 1;
        }
        let mut state = Vec::with_capacity(width + 1);
        for place in 0..cache.states.len() {
            for (tag, weights) in now.iter().enumerate() {
                let Some(weight) = weights.get(place).filter(|weight| !weight.is_zero()) else { continue };
                state.clear();
                state.extend_from_slice(cache.states.row(place));
                if after.tagged {
                    state.push(i64::try_from(tag).unwrap_or(0));
                }
                forget(&mut state, &step.live);
                after.add(&state, weight);
            }
        }
        Ok(())
    }

    /// Runs the body once for all states of `now` whose successors are not known yet.
    fn find_successors(
        &mut self,
        firing: usize,
        step: &ProgramStep,
        cache: &mut LoopCache<W>,
        now: &[Vec<W>],
    ) -> OddsResult<()> {
        cache.rows.resize(cache.states.len(), None);
        cache.lost.resize(cache.states.len(), W::zero());
        let is_there = |place: usize| now.iter().any(|now| now.get(place).is_some_and(|weight| !weight.is_zero()));
        let new = (0..cache.states.len()).filter(|place| cache.rows[*place].is_none() && is_there(*place));
        let new: Vec<usize> = new.collect();
        let width = cache.states.stride();
        // By state: the last row in which it is a successor, and its place there.
        let mut seen: Vec<(usize, usize)> = Vec::new();
        for chunk in new.chunks(CHUNK) {
            let mut start = Distribution::<W>::tagged(width, chunk.len());
            let mut state = Vec::with_capacity(width + 1);
            for (tag, place) in chunk.iter().enumerate() {
                state.clear();
                state.extend_from_slice(cache.states.row(*place));
                state.push(i64::try_from(tag).unwrap_or(0));
                start.add(&state, &W::one());
            }
            let mut rows: Vec<Vec<(usize, W)>> = vec![Vec::new(); chunk.len()];
            let mut keep = |state: &mut [i64], weight: W| {
                let tag = usize::try_from(state[width]).unwrap_or(0);
                let place = cache.states.insert(&state[..width]);
                if seen.len() <= place {
                    seen.resize(place + 1, (usize::MAX, 0));
                }
                match seen[place] {
                    (row, at) if row == chunk[tag] => rows[tag][at].1.add(&weight),
                    _ => {
                        seen[place] = (chunk[tag], rows[tag].len());
                        rows[tag].push((place, weight));
                    }
                }
                cache.states.len() <= MAX_STATES
            };
            let lost = match step.each.split_last() {
                Some((last, first)) if last.is_plain() => {
                    let states = self.steps(firing, first, start)?;
                    self.assign_each(firing, last, &states, &mut |state, weight| {
                        forget(state, &last.live);
                        keep(state, weight)
                    })?
                }
                _ => {
                    let done = self.steps(firing, &step.each, start)?;
                    let mut state = Vec::with_capacity(width + 1);
                    for (after, weight) in done.states() {
                        state.clear();
                        state.extend_from_slice(after);
                        keep(&mut state, weight.clone());
                    }
                    done.lost
                }
            };
            if cache.states.len() > MAX_STATES {
                return too_many_states(step.at);
            }
            cache.rows.resize(cache.states.len(), None);
            cache.lost.resize(cache.states.len(), W::zero());
            for ((place, row), lost) in chunk.iter().zip(rows).zip(lost) {
                cache.add_row(*place, row, lost);
            }
            if cache.probabilities.len() > MAX_SUCCESSORS {
                return too_many_states(step.at);
            }
        }
        self.most_states = self.most_states.max(cache.states.len());
        Ok(())
    }
}

impl<W: Weight> LoopCache<W> {
    fn add_row(&mut self, state: usize, row: Vec<(usize, W)>, lost: W) {
        let first = self.runs.len();
        for (successor, p) in row {
            let from = self.probabilities.len();
            self.probabilities.push(p);
            match self.runs.get_mut(first..).and_then(<[_]>::last_mut) {
                Some(run) if run.state + run.length == successor => run.length += 1,
                _ => self.runs.push(SuccessorRun { state: successor, from, length: 1 }),
            }
        }
        self.rows[state] = Some((first, self.runs.len()));
        self.lost[state] = lost;
    }

    /// Once round: adds to `next` what comes of `now`, and to `lost` what is let go; gives the multiplications.
    fn step(&self, now: &[W], next: &mut [W], lost: &mut W, lets_go: bool) -> usize {
        let mut multiplications = 0;
        for (state, weight) in now.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            if lets_go && weight.is_negligible(LEAST) {
                lost.add(weight);
                continue;
            }
            let Some((first, end)) = self.rows[state] else { continue };
            for run in &self.runs[first..end] {
                let to = &mut next[run.state..run.state + run.length];
                for (sum, p) in to.iter_mut().zip(&self.probabilities[run.from..run.from + run.length]) {
                    sum.add(&weight.times(p));
                }
                multiplications += run.length;
            }
            if !self.lost[state].is_zero() {
                lost.add(&weight.times(&self.lost[state]));
            }
        }
        multiplications
    }
}

fn put<W: Weight>(weights: &mut Vec<W>, place: usize, weight: &W) {
    if weights.len() <= place {
        weights.resize(place + 1, W::zero());
    }
    weights[place].add(weight);
}
