//! Runs a program over distributions of states: takes states with their probabilities, gives those after the steps. Every roll is counted.

use std::cell::Cell;
use std::rc::Rc;

use moldloft_base::source::Span;
use moldloft_rules::formula::{ChanceBudget, FormulaError, FormulaErrorKind, Host, Slot, Value, Weight};
use moldloft_rules::ruleset::Variable;

use super::codes::{self, Codes};
use super::program::{BoundAssignment, BoundFormula, FormulaKey, Program, ProgramStep};
use super::states::{Distribution, StateTable};

/// Most states of a run.
pub const MAX_STATES: usize = 65_536;
/// Longest list in a state.
pub const MAX_STATE_LIST: usize = 64;
/// Most cells of the states that are there at once.
const MAX_CELLS: usize = 2_000_000;
/// Work of making a state, in multiplications; of a wide one, half of its cells and two for each name that is set.
const STATE_WORK: usize = 16;
/// Work of a state for the mean of a name.
const MEAN_WORK: usize = 2;
/// Work of passing a state on as it is.
const PASS_WORK: usize = 8;
/// Work of computing a formula, and of each node of it and each item that it visits or makes.
const FORMULA_WORK: usize = 64;
const UNIT_WORK: usize = 4;
/// Work of finding a list among those known, for each item.
const ITEM_WORK: usize = 8;
/// Where there is no loop, so many states at a time take their whole way through an attack, so that what is between stays small.
pub(super) const CHUNK: usize = 64;

pub(super) type OddsResult<T> = Result<T, Box<FormulaError>>;

pub(super) fn fail<T>(code: &'static str, message: impl Into<String>, at: Span) -> OddsResult<T> {
    Err(Box::new(FormulaError::new(code, message, at)))
}

/// A question that is too large; [`finding_of`](super::answer::finding_of) says what to do.
#[cold]
pub(super) fn too_much<T>(message: impl Into<String>, at: Span) -> OddsResult<T> {
    Err(Box::new(FormulaError::of_kind(FormulaErrorKind::TooManyStates, message, at)))
}

/// Work of passing a state of so many cells on as it is.
pub(super) fn pass_work(cells: usize) -> usize {
    PASS_WORK.max(cells / 2)
}

/// What a gauge may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GaugeLimit {
    /// 0 to this.
    Number(i64),
    /// 0 to these, place by place.
    List(Vec<i64>),
}

/// The values of one formula in states that read the same.
#[derive(Debug)]
pub(super) struct CodedSpread<W> {
    pub outcomes: Vec<(i64, W)>,
    pub lost: W,
}

#[derive(Debug)]
struct FormulaCache<W> {
    known: StateTable,
    /// Place + 1 in `spreads`, by one or two small numbers; filled as they come.
    small: Vec<u32>,
    spreads: Vec<Rc<CodedSpread<W>>>,
}

/// Where one or two numbers below 128 are found without a search.
fn small_place(key: &[i64]) -> Option<usize> {
    let small = |number: i64| usize::try_from(number).ok().filter(|number| *number < 128);
    match key {
        [one] => small(*one),
        [one, other] => Some(small(*one)? << 7 | small(*other)?),
        _ => None,
    }
}

/// The successors of the states of a loop, once round.
#[derive(Debug)]
pub(super) struct LoopCache<W> {
    pub states: StateTable,
    /// By state: its part of `runs`; `None` where its successors are not known yet.
    pub rows: Vec<Option<(usize, usize)>>,
    pub runs: Vec<SuccessorRun>,
    pub probabilities: Vec<W>,
    /// By state.
    pub lost: Vec<W>,
}

/// Successors that follow one another among the states, so that they are added to in one sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct SuccessorRun {
    /// The first state.
    pub state: usize,
    /// Where its probability is.
    pub from: usize,
    pub length: usize,
}

pub(super) struct Runner<'a, W> {
    program: &'a Program,
    /// By firing.
    hosts: &'a [&'a dyn Host],
    /// By column; `None` for names set by steps.
    limits: Vec<Option<GaugeLimit>>,
    pub codes: Codes,
    budget: &'a ChanceBudget,
    formulas: Vec<FormulaCache<W>>,
    pub loops: Vec<Option<LoopCache<W>>>,
    /// By label and variable: the sum of values times probabilities.
    pub means: Vec<Vec<f64>>,
    /// The most states that were there at once.
    pub most_states: usize,
}

/// A host in which variables have the values of a state.
pub(super) struct StateHost<'s> {
    pub host: &'s dyn Host,
    /// Slots of variables with their columns, in the order of slots.
    pub reads: &'s [(Slot, usize)],
    pub state: &'s [i64],
    pub codes: &'s Codes,
    /// Units of work of the formulas that were computed.
    pub units: Cell<usize>,
}

impl StateHost<'_> {
    fn code(&self, slot: Slot) -> Option<i64> {
        let place = self.reads.binary_search_by_key(&slot, |(known, _)| *known).ok()?;
        Some(self.state[self.reads[place].1])
    }
}

impl Host for StateHost<'_> {
    fn read(&self, slot: Slot) -> Value {
        match self.code(slot) {
            Some(code) => self.codes.value(code),
            None => self.host.read(slot),
        }
    }

    fn read_int(&self, slot: Slot) -> Option<i64> {
        match self.code(slot) {
            Some(code) => codes::as_number(code),
            None => self.host.read_int(slot),
        }
    }

    fn read_ref(&self, slot: Slot) -> Option<&Value> {
        match self.code(slot) {
            Some(code) => self.codes.kept(code),
            None => self.host.read_ref(slot),
        }
    }

    fn call(&self, call: u32, arguments: &[Value]) -> Result<Value, String> {
        let before = self.host.work_limit();
        let answer = self.host.call(call, arguments);
        self.record_work(before.saturating_sub(self.host.work_limit()));
        answer
    }

    fn record_work(&self, units: u32) {
        self.units.set(self.units.get().saturating_add(units as usize));
    }
}

impl<'a, W: Weight> Runner<'a, W> {
    pub fn new(
        program: &'a Program,
        hosts: &'a [&'a dyn Host],
        limits: Vec<Option<GaugeLimit>>,
        budget: &'a ChanceBudget,
    ) -> Self {
        let formulas = program.firings.iter().flat_map(|steps| formula_widths(steps));
        let mut widths = vec![0; program.caches];
        formulas.for_each(|(cache, width)| widths[cache] = width);
        Self {
            program,
            hosts,
            limits,
            codes: Codes::default(),
            budget,
            formulas: widths
                .into_iter()
                .map(|width| FormulaCache { known: StateTable::new(width), small: Vec::new(), spreads: Vec::new() })
                .collect(),
            loops: (0..program.loops).map(|_| None).collect(),
            means: program.labels.iter().map(|label| vec![0.0; label.variables.len()]).collect(),
            most_states: 0,
        }
    }

    /// A state in which gauges have these values and names are not set.
    pub fn state(&mut self, value: impl Fn(Variable) -> Option<Value>) -> Vec<i64> {
        let program = self.program;
        let values = program.columns.iter().map(|column| value(*column).unwrap_or(Value::Null));
        values.map(|value| self.codes.code(&value)).collect()
    }

    /// One firing.
    ///
    /// # Errors
    /// Those of its formulas, and `too-many-states`, `too-many-dice`, `too-long`, `no-answer`.
    pub fn fire(&mut self, firing: usize, before: Distribution<W>) -> OddsResult<Distribution<W>> {
        let program = self.program;
        let Some(steps) = program.firings.get(firing) else { return Ok(before) };
        if Program::has_loop(steps) || before.len() <= CHUNK {
            return self.steps(firing, steps, before);
        }
        let mut after = before.emptied();
        after.lose_as(&before);
        let mut places = 0..before.len();
        while !places.is_empty() {
            let mut chunk = before.emptied();
            for place in places.by_ref().take(CHUNK) {
                chunk.add(before.table.row(place), &before.weights[place]);
            }
            let done = self.steps(firing, steps, chunk)?;
            done.states().for_each(|(state, weight)| after.add(state, weight));
            after.lose_as(&done);
            self.count_states(&after, Span::default())?;
        }
        Ok(after)
    }

    fn count_states(&mut self, states: &Distribution<W>, at: Span) -> OddsResult<()> {
        self.most_states = self.most_states.max(states.len());
        if states.len() > MAX_STATES || states.len() * states.table.stride() > MAX_CELLS {
            return too_wide_or_many(states.table.stride(), at);
        }
        Ok(())
    }

    pub fn spend(&self, multiplications: usize, at: Span) -> OddsResult<()> {
        if self.budget.spend(multiplications) {
            return Ok(());
        }
        too_much("more multiplications than one question may take", at)
    }

    pub fn steps(
        &mut self,
        firing: usize,
        steps: &[ProgramStep],
        mut states: Distribution<W>,
    ) -> OddsResult<Distribution<W>> {
        for step in steps {
            states = self.step(firing, step, states)?;
            self.count_states(&states, step.at)?;
            if let Some(label) = step.label {
                self.count_means(label, &states, step.at)?;
            }
        }
        Ok(states)
    }

    fn count_means(&mut self, label: usize, states: &Distribution<W>, at: Span) -> OddsResult<()> {
        let columns = &self.program.labels[label].variables;
        self.spend(states.len() * columns.len() * MEAN_WORK, at)?;
        for ((_, column), mean) in columns.iter().zip(&mut self.means[label]) {
            for (state, weight) in states.states() {
                let number = match self.codes.value(state[*column]) {
                    Value::Int(number) => number,
                    Value::Flag(flag) => i64::from(flag),
                    Value::List(items) => items.iter().map(|item| if let Value::Int(n) = item { *n } else { 0 }).sum(),
                    _ => 0,
                };
                *mean += weight.value() * number as f64;
            }
        }
        Ok(())
    }

    fn step(&mut self, firing: usize, step: &ProgramStep, states: Distribution<W>) -> OddsResult<Distribution<W>> {
        let Some(when) = &step.when else { return self.body(firing, step, states) };
        let mut goes = states.emptied();
        let mut stays = states.emptied();
        stays.lose_as(&states);
        let mut state = Vec::with_capacity(states.table.stride());
        for (before, weight) in states.states() {
            let spread = self.spread(firing, when, before)?;
            self.spend(spread.outcomes.len() * pass_work(before.len()), step.at)?;
            for (code, p) in &spread.outcomes {
                let weight = weight.times(p);
                match self.codes.value(*code) {
                    Value::Flag(true) => goes.add(before, &weight),
                    Value::Flag(false) => {
                        state.clear();
                        state.extend_from_slice(before);
                        forget(&mut state, &step.live);
                        stays.add(&state, &weight);
                    }
                    _ => return unanswered("`when`", when.formula.at),
                }
            }
            stays.lose(before, &weight.times(&spread.lost));
        }
        let done = self.body(firing, step, goes)?;
        done.states().for_each(|(state, weight)| stays.add(state, weight));
        stays.lose_as(&done);
        Ok(stays)
    }

    fn body(&mut self, firing: usize, step: &ProgramStep, mut states: Distribution<W>) -> OddsResult<Distribution<W>> {
        if !step.assignments.is_empty() {
            let live = if step.each.is_empty() && step.repeat.is_none() { &step.live } else { &[][..] };
            states = self.assign(firing, step, live, &states)?;
        }
        if step.repeat.is_some() {
            return self.repeat(firing, step, &states);
        }
        if step.each.is_empty() { Ok(states) } else { self.steps(firing, &step.each, states) }
    }

    /// Does all assignments of a step at once; columns not in `live` are forgotten.
    fn assign(
        &mut self,
        firing: usize,
        step: &ProgramStep,
        live: &[bool],
        states: &Distribution<W>,
    ) -> OddsResult<Distribution<W>> {
        let mut after = states.emptied();
        let stride = after.table.stride();
        let lost = self.assign_each(firing, step, states, &mut |state, weight| {
            if step.adds_only {
                after.push(state, weight);
            } else {
                forget(state, live);
                after.add(state, &weight);
            }
            after.len() <= MAX_STATES && after.len() * stride <= MAX_CELLS
        })?;
        after.lost = lost;
        Ok(after)
    }

    /// Gives every state after a step's assignments to `keep`, which returns false when there are too many; gives what is lost, by tag.
    pub fn assign_each(
        &mut self,
        firing: usize,
        step: &ProgramStep,
        states: &Distribution<W>,
        keep: &mut impl FnMut(&mut [i64], W) -> bool,
    ) -> OddsResult<Vec<W>> {
        let (assignments, at) = (step.assignments.as_slice(), step.at);
        let mut lost = states.lost.clone();
        let mut state: Vec<i64> = vec![0; states.table.stride()];
        let mut spreads: Vec<Rc<CodedSpread<W>>> = Vec::with_capacity(assignments.len());
        let mut places = vec![0; assignments.len()];
        let each = STATE_WORK.max(state.len() / 2 + assignments.len() * 2);
        for (before, weight) in states.states() {
            spreads.clear();
            let mut combinations = 1_usize;
            for assignment in assignments {
                let spread = self.spread(firing, &assignment.formula, before)?;
                combinations = combinations.saturating_mul(spread.outcomes.len());
                spreads.push(spread);
            }
            if spreads.iter().any(|spread| !spread.lost.is_zero()) {
                lost[states.tag(before)].add(&lost_of(&spreads).times(weight));
            }
            self.spend(combinations.saturating_mul(each), at)?;
            places.fill(0);
            for _ in 0..combinations {
                state.copy_from_slice(before);
                let mut weight = weight.clone();
                for ((assignment, spread), place) in assignments.iter().zip(&spreads).zip(&places) {
                    let (code, p) = &spread.outcomes[*place];
                    state[assignment.column] = self.held(assignment, before, *code)?;
                    if spread.outcomes.len() > 1 || !spread.lost.is_zero() {
                        weight = weight.times(p);
                    }
                }
                if !keep(&mut state, weight) {
                    return too_wide_or_many(state.len(), at);
                }
                for (spread, place) in spreads.iter().zip(&mut places).rev() {
                    *place += 1;
                    if *place < spread.outcomes.len() {
                        break;
                    }
                    *place = 0;
                }
            }
        }
        Ok(lost)
    }

    /// The new code of a column: a gauge keeps within its limits.
    fn held(&mut self, assignment: &BoundAssignment, before: &[i64], code: i64) -> OddsResult<i64> {
        let at = assignment.formula.formula.at;
        match &self.limits[assignment.column] {
            None => {
                if let Some(Value::List(items)) = self.codes.kept(code) {
                    let deep = |item: &Value| match item {
                        Value::List(items) => items.iter().any(|item| matches!(item, Value::List(_))),
                        _ => false,
                    };
                    if items.iter().any(deep) {
                        return fail("too-long", "lists within lists within a list in a state", at);
                    }
                    if items.len() <= MAX_STATE_LIST {
                        return Ok(code);
                    }
                    let message =
                        format!("list of {} items in a state, at most {MAX_STATE_LIST} are allowed", items.len());
                    return fail("too-long", message, at);
                }
                Ok(code)
            }
            Some(GaugeLimit::Number(most)) => {
                let number = if assignment.shift {
                    codes::as_number(before[assignment.column]).zip(codes::as_number(code)).map(|(a, b)| a + b)
                } else {
                    match self.codes.value(code) {
                        Value::Int(number) => Some(number),
                        Value::Flag(flag) => Some(i64::from(flag)),
                        _ => None,
                    }
                };
                match number {
                    Some(number) => Ok(number.clamp(0, *most)),
                    None => unanswered("a gauge", at),
                }
            }
            Some(GaugeLimit::List(most)) => {
                let Some(Value::List(items)) = self.codes.kept(code) else { return unanswered("a gauge", at) };
                if items.len() != most.len() {
                    let message = format!("this gauge has {} items, found {}", most.len(), items.len());
                    return fail("wrong-type", message, at);
                }
                self.spend(items.len() * ITEM_WORK, at)?;
                let mut held = Vec::with_capacity(items.len());
                for (item, most) in items.iter().zip(most) {
                    match item {
                        Value::Int(number) => held.push(Value::Int(*number.clamp(&0, most))),
                        _ => return unanswered("a gauge", at),
                    }
                }
                Ok(self.codes.code(&Value::List(held.into())))
            }
        }
    }

    /// What a formula sees of a state: a number that is an item stands for its list, whose own code is none.
    fn seen(&self, key: FormulaKey, state: &[i64]) -> i64 {
        let (column, place) = match key {
            FormulaKey::Whole(column) => return state[column],
            FormulaKey::ItemAt(column, place) => (column, codes::as_number(state[place])),
            FormulaKey::Item(column, place) => (column, Some(place)),
        };
        let Some(Value::List(items)) = self.codes.kept(state[column]) else {
            return codes::as_number(state[column]).map_or(state[column], |_| codes::NO_LIST);
        };
        match place.and_then(|place| items.get(usize::try_from(place).ok()?)) {
            Some(Value::Int(number)) => *number,
            _ => state[column],
        }
    }

    /// The distribution of a formula in a state; computed once for all states that read the same.
    pub fn spread(&mut self, firing: usize, bound: &BoundFormula, state: &[i64]) -> OddsResult<Rc<CodedSpread<W>>> {
        let mut few = [0; 8];
        let many: Vec<i64>;
        let key: &[i64] = if bound.keys.len() <= few.len() {
            few.iter_mut().zip(&bound.keys).for_each(|(cell, key)| *cell = self.seen(*key, state));
            &few[..bound.keys.len()]
        } else {
            many = bound.keys.iter().map(|key| self.seen(*key, state)).collect();
            &many
        };
        let cache = &mut self.formulas[bound.cache];
        if bound.reads.is_empty()
            && let Some(known) = cache.spreads.first()
        {
            return Ok(known.clone());
        }
        let small = small_place(key);
        if let Some(known) = small.and_then(|small| cache.small.get(small)).filter(|known| **known > 0) {
            return Ok(cache.spreads[*known as usize - 1].clone());
        }
        let place = cache.known.insert(key);
        if let Some(known) = cache.spreads.get(place) {
            return Ok(known.clone());
        }
        if let Some(small) = small {
            if cache.small.len() <= small {
                cache.small.resize(small + 1, 0);
            }
            cache.small[small] = u32::try_from(place + 1).unwrap_or(0);
        }
        let at = bound.formula.at;
        let (units, codes) = (Cell::new(0), &self.codes);
        let host = StateHost { host: self.hosts[firing], reads: &bound.reads, state, codes, units };
        let spread = bound.formula.spread::<W>(&host, self.budget).map_err(Box::new)?;
        let items: usize = spread.outcomes.iter().map(|(value, _)| items_of(value)).sum();
        self.spend(formula_work(host.units.get()) + items * ITEM_WORK, at)?;
        let outcomes = spread.outcomes.iter().map(|(value, weight)| (self.codes.code(value), weight.clone()));
        let spread = Rc::new(CodedSpread { outcomes: outcomes.collect(), lost: spread.lost });
        self.formulas[bound.cache].spreads.push(spread.clone());
        Ok(spread)
    }
}

/// Items of a list with those of the lists and records in it, and texts by their length.
fn items_of(value: &Value) -> usize {
    match value {
        Value::List(items) => items.len() + items.iter().map(items_of).sum::<usize>(),
        Value::Record(record) => record.entries.iter().map(|(_, item)| 2 + items_of(item)).sum(),
        Value::Text(text) => text.len() / 16,
        _ => 0,
    }
}

/// Work of computing a formula that did so many units, in multiplications.
pub(super) fn formula_work(units: usize) -> usize {
    FORMULA_WORK + units * UNIT_WORK
}

/// The part of a product that its distributions lost.
fn lost_of<W: Weight>(spreads: &[Rc<CodedSpread<W>>]) -> W {
    let (mut mass, mut lost) = (W::one(), W::zero());
    for spread in spreads {
        lost.add(&mass.times(&spread.lost));
        let mut kept = W::zero();
        spread.outcomes.iter().for_each(|(_, p)| kept.add(p));
        mass = mass.times(&kept);
    }
    lost
}

/// Forgets the columns that are read no more, so that states which differ only in them are one.
pub(super) fn forget(state: &mut [i64], live: &[bool]) {
    for (cell, live) in state.iter_mut().zip(live) {
        if !live {
            *cell = codes::NULL;
        }
    }
}

fn formula_widths(steps: &[ProgramStep]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for step in steps {
        let own = step.when.iter().chain(&step.repeat).chain(step.assignments.iter().map(|set| &set.formula));
        found.extend(own.map(|bound| (bound.cache, bound.reads.len())));
        found.extend(formula_widths(&step.each));
    }
    found
}

#[cold]
fn too_wide_or_many<T>(width: usize, at: Span) -> OddsResult<T> {
    match MAX_CELLS / width.max(1) {
        most if most < MAX_STATES => too_much(format!("more than {most} states of {width} names and gauges each"), at),
        _ => too_many_states(at),
    }
}

#[cold]
pub(super) fn too_many_states<T>(at: Span) -> OddsResult<T> {
    too_much(format!("more than {MAX_STATES} states"), at)
}

#[cold]
pub(super) fn unanswered<T>(what: &str, at: Span) -> OddsResult<T> {
    fail("no-answer", format!("{what} cannot be computed here"), at)
}
