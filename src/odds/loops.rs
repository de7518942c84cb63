//! Loops of a program: the count is read first, states wait by how many times are left, and the successors of a state are found once.

use std::collections::BTreeMap;

use crate::formula::{Value, Weight};

use super::program::ProgramStep;
use super::run::{CHUNK, LoopCache, MAX_STATES, OddsResult, Runner, fail, forget, too_many_states, unanswered};
use super::states::{Distribution, StateTable};

/// Most successors of states that are kept.
pub const MAX_SUCCESSORS: usize = 4_000_000;
/// Most turns of a `repeat`.
pub const MAX_TURNS: i64 = 10_000;
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
        for (before, weight) in states.states() {
            let spread = self.spread(firing, repeat, before)?;
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
            None => {
                LoopCache { states: StateTable::new(width), rows: Vec::new(), successors: Vec::new(), lost: Vec::new() }
            }
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
        // Weights by state of the loop and tag.
        let mut now: Vec<W> = Vec::new();
        let mut turn = longest;
        loop {
            if let Some(joining) = waiting.remove(&turn) {
                for (state, weight) in joining.states() {
                    let place = cache.states.insert(&state[..width]);
                    let tag = if joining.tagged { usize::try_from(state[width]).unwrap_or(0) } else { 0 };
                    put(&mut now, place * tags + tag, weight);
                }
            }
            if turn == 0 {
                break;
            }
            self.find_successors(firing, step, cache, &now, tags)?;
            let mut next: Vec<W> = vec![W::zero(); cache.states.len() * tags];
            let mut multiplications = 0;
            for (place, weight) in now.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
                let (state, tag) = (place / tags, place % tags);
                if longest > LONG_LOOP && weight.is_negligible(LEAST) {
                    after.lost[tag].add(weight);
                    continue;
                }
                let (from, to) = cache.rows[state];
                multiplications += to - from;
                for (successor, p) in &cache.successors[from..to] {
                    next[*successor as usize * tags + tag].add(&weight.times(p));
                }
                if !cache.lost[state].is_zero() {
                    after.lost[tag].add(&weight.times(&cache.lost[state]));
                }
            }
            self.spend(multiplications + now.len() / 2, step.at)?;
            now = next;
            turn -= 1;
        }
        let mut state = Vec::with_capacity(width + 1);
        for (place, weight) in now.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            state.clear();
            state.extend_from_slice(cache.states.row(place / tags));
            if after.tagged {
                state.push(i64::try_from(place % tags).unwrap_or(0));
            }
            forget(&mut state, &step.live);
            after.add(&state, weight);
        }
        Ok(())
    }

    /// Runs the body once for all states of `now` whose successors are not known yet.
    fn find_successors(
        &mut self,
        firing: usize,
        step: &ProgramStep,
        cache: &mut LoopCache<W>,
        now: &[W],
        tags: usize,
    ) -> OddsResult<()> {
        let unknown = usize::MAX;
        cache.rows.resize(cache.states.len(), (unknown, unknown));
        cache.lost.resize(cache.states.len(), W::zero());
        let mut new = Vec::new();
        for (place, _) in now.iter().enumerate().filter(|(_, weight)| !weight.is_zero()) {
            let state = place / tags;
            if cache.rows[state].0 == unknown && new.last() != Some(&state) {
                new.push(state);
            }
        }
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
            let mut rows: Vec<Vec<(u32, W)>> = vec![Vec::new(); chunk.len()];
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
                        rows[tag].push((u32::try_from(place).unwrap_or(u32::MAX), weight));
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
            cache.rows.resize(cache.states.len(), (unknown, unknown));
            cache.lost.resize(cache.states.len(), W::zero());
            for ((place, row), lost) in chunk.iter().zip(rows).zip(lost) {
                let from = cache.successors.len();
                cache.successors.extend(row);
                cache.rows[*place] = (from, cache.successors.len());
                cache.lost[*place] = lost;
            }
            if cache.successors.len() > MAX_SUCCESSORS {
                return too_many_states(step.at);
            }
        }
        self.most_states = self.most_states.max(cache.states.len());
        Ok(())
    }
}

fn put<W: Weight>(weights: &mut Vec<W>, place: usize, weight: &W) {
    if weights.len() <= place {
        weights.resize(place + 1, W::zero());
    }
    weights[place].add(weight);
}
