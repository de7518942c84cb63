//! Two ships that fire at each other until one is out: what both have left is followed together. Attacks of one order see the gauges from before it.

use std::collections::BTreeSet;
use std::ops::Range;

use moldloft_base::progress::Progress;
use moldloft_base::source::Span;
use moldloft_rules::formula::{ChanceBudget, FormulaError, Host, Value, Weight};

use super::codes::{self, Codes};
use super::loops::MAX_SUCCESSORS;
use super::program::{self, Firing, FixedStep, Program};
use super::run::{GaugeLimit, MAX_STATES, OddsResult, Runner, too_much};
use super::states::{Distribution, StateTable};
use super::turns::{ending, is_out, told_as_far, turn_start};
use super::volley::{ShipGauges, column_limits, placed};
use moldloft_rules::ruleset::{AttackRules, Variable};

/// Multiplications that a duel may take.
pub const MAX_DUEL_MULTIPLICATIONS: u64 = 600_000_000;
/// Probability below which a state is let go and added to what is open.
const LEAST: f64 = 1e-16;
/// Work of a pair of what both ships do, in multiplications.
const PAIR_WORK: usize = 16;
/// Most states between what the one ship does and what the other does at the same time.
const MAX_HALFWAY: usize = 4 * MAX_STATES;
/// Most cells of those.
const MAX_HALFWAY_CELLS: usize = 4_000_000;
/// States whose successors are found together.
const BATCH: usize = 64;

/// One of the two ships.
#[derive(Clone, Copy)]
pub struct Duelist<'a> {
    /// At the other, in order.
    pub firings: &'a [Firing<'a>],
    pub gauges: &'a ShipGauges,
    /// Answers the names of its gauges' own formulas.
    pub host: &'a dyn Host,
}

/// The probabilities that only the second, only the first, or both are out.
#[derive(Clone, Debug, PartialEq)]
pub struct DuelTurn<W> {
    pub first_wins: W,
    pub second_wins: W,
    pub both_out: W,
}

#[derive(Clone, Debug)]
pub struct Duel<W> {
    /// How many turns were asked for.
    pub asked: u32,
    /// After each turn. Shorter than asked if there was an error.
    pub turns: Vec<DuelTurn<W>>,
    /// What was let go.
    pub open: W,
    pub most_states: usize,
    pub error: Option<FormulaError>,
}

/// One side's part of a phase of a turn.
struct Transition<'p, W> {
    runner: Runner<'p, W>,
    program: &'p Program,
    firings: Vec<Firing<'p>>,
    /// Gauges of the program with their columns in the states of both ships.
    gauges: Vec<(usize, usize)>,
    /// Of those, which it changes.
    changes: Vec<(usize, usize)>,
    known: StateTable,
    /// By known state: where its successors are.
    rows: Vec<Range<usize>>,
    /// Of all successors: the new codes of what it changes.
    codes: Vec<i64>,
    weights: Vec<W>,
    /// By known state.
    open: Vec<W>,
}

impl<W> Transition<'_, W> {
    /// The successors of a known state: the new codes of what it changes.
    fn row(&self, place: usize) -> impl Iterator<Item = (&[i64], &W)> {
        let width = self.changes.len();
        let codes = move |place: usize| &self.codes[place * width..(place + 1) * width];
        self.rows[place].clone().map(move |place| (codes(place), &self.weights[place]))
    }
}

/// A part of a turn: who does what at the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Phase {
    /// By side: firings as numbered, from 1; 0 is the start of a turn.
    pub firings: [Vec<usize>; 2],
}

fn swap(variable: Variable) -> Variable {
    match variable {
        Variable::Left(n) => Variable::Own(n),
        Variable::Own(n) => Variable::Left(n),
        register @ Variable::Register(_) => register,
    }
}

pub(super) fn phases(sides: [&[Firing<'_>]; 2], turn: u32) -> Vec<Phase> {
    let mut orders: BTreeSet<i64> = BTreeSet::new();
    orders.extend(sides.iter().flat_map(|firings| firings.iter()).map(|firing| firing.attack.order));
    let mut phases = Vec::new();
    if turn > 1 {
        phases.push(Phase { firings: [vec![0], vec![0]] });
    }
    for order in orders {
        let of = |firings: &[Firing<'_>]| {
            let firing = |(_, firing): &(usize, &Firing<'_>)| firing.attack.order == order && firing.fires_in(turn);
            firings.iter().enumerate().filter(firing).map(|(number, _)| number + 1).collect()
        };
        phases.push(Phase { firings: sides.map(of) });
    }
    phases
}

/// What bears on the end of either ship, as the first one sees it.
fn needed(rules: &AttackRules, fixed: &[Vec<Vec<FixedStep>>; 2]) -> BTreeSet<Variable> {
    let mut needed: BTreeSet<Variable> =
        ending(rules).flat_map(|gauge| [Variable::Left(gauge), Variable::Own(gauge)]).collect();
    let gauge = |variable: &Variable| !matches!(variable, Variable::Register(_));
    loop {
        let before = needed.len();
        for steps in &fixed[0] {
            let mut found = needed.clone();
            program::close(steps, &mut found);
            needed.extend(found.into_iter().filter(gauge));
        }
        for steps in &fixed[1] {
            let mut found: BTreeSet<Variable> = needed.iter().copied().map(swap).collect();
            program::close(steps, &mut found);
            needed.extend(found.into_iter().filter(gauge).map(swap));
        }
        if needed.len() == before {
            return needed;
        }
    }
}

/// By side: what the other's turn begins with, then each firing.
pub(super) fn fixed_steps(rules: &AttackRules, ships: [Duelist<'_>; 2]) -> [Vec<Vec<FixedStep>>; 2] {
    [0, 1].map(|side: usize| {
        let mut fixed = vec![turn_start(rules, ships[1 - side].host)];
        fixed.extend(ships[side].firings.iter().map(program::fix));
        fixed
    })
}

/// A duel of up to `turns` turns, in which what both ships have left is followed together. `fixed` is what each does to the other: the start of that one's
/// turn, then its firings.
pub(super) fn duel_together<W: Weight>(
    rules: &AttackRules,
    ships: [Duelist<'_>; 2],
    fixed: &[Vec<Vec<FixedStep>>; 2],
    turns: u32,
    progress: Option<&Progress>,
) -> Duel<W> {
    let mut done = Duel { asked: turns, turns: Vec::new(), open: W::zero(), most_states: 0, error: None };
    let needed = needed(rules, fixed);
    let columns: Vec<Variable> = needed.iter().copied().collect();
    let sides = ships.map(|ship| ship.firings);
    let mut all: Vec<Phase> = Vec::new();
    for phase in (1..=turns).flat_map(|turn| phases(sides, turn)) {
        if !all.contains(&phase) {
            all.push(phase);
        }
    }
    let wanted = [needed.clone(), needed.iter().copied().map(swap).collect()];
    let programs: Vec<[Program; 2]> = all
        .iter()
        .map(|phase| {
            [0, 1].map(|side: usize| {
                let steps: Vec<&[FixedStep]> =
                    phase.firings[side].iter().map(|firing| fixed[side][*firing].as_slice()).collect();
                let mut changed = BTreeSet::new();
                steps.iter().for_each(|steps| changes(steps, &mut changed));
                let wanted = changed.intersection(&wanted[side]).copied().collect();
                program::build(&steps, &wanted, false)
            })
        })
        .collect();
    let hosts: Vec<[Vec<&dyn Host>; 2]> = all
        .iter()
        .map(|phase| {
            [0, 1].map(|side: usize| {
                let host = |firing: &usize| match firing.checked_sub(1) {
                    Some(firing) => ships[side].firings[firing].host,
                    None => ships[1 - side].host,
                };
                phase.firings[side].iter().map(host).collect()
            })
        })
        .collect();
    let budget = ChanceBudget::new(MAX_DUEL_MULTIPLICATIONS).cancelled_by(progress.map(Progress::cancel_flag));
    let mut transitions: Vec<[Transition<'_, W>; 2]> = Vec::new();
    for ((phase, programs), hosts) in all.iter().zip(&programs).zip(&hosts) {
        transitions.push([0, 1].map(|side: usize| {
            let firings =
                phase.firings[side].iter().filter_map(|firing| Some(ships[side].firings[firing.checked_sub(1)?]));
            let limits = column_limits(&programs[side], ships[side].gauges, ships[1 - side].gauges);
            Transition::new(
                Runner::new(&programs[side], &hosts[side], limits, &budget),
                &programs[side],
                firings.collect(),
                &columns,
                side == 1,
            )
        }));
    }
    let mut joint = Joint::new(rules, &columns, ships, &budget);
    for turn in 1..=turns {
        for phase in phases(sides, turn) {
            let Some(place) = all.iter().position(|known| *known == phase) else { continue };
            if let Err(error) = joint.advance(&mut transitions[place]) {
                done.error = Some(told_as_far(*error, turn));
                break;
            }
        }
        done.most_states = joint.most_states;
        done.open = joint.open.clone();
        if done.error.is_some() {
            break;
        }
        done.turns.push(joint.ended.clone());
    }
    done
}

/// Adds the gauges that steps change.
pub(super) fn changes(steps: &[FixedStep], changed: &mut BTreeSet<Variable>) {
    for step in steps {
        let gauges = step.assignments.iter().map(|(variable, _)| *variable);
        changed.extend(gauges.filter(|variable| !matches!(variable, Variable::Register(_))));
        changes(&step.each, changed);
    }
}

/// What both ships have left.
struct Joint<'b, W> {
    states: Distribution<W>,
    codes: Codes,
    limits: Vec<Option<GaugeLimit>>,
    /// By side: the columns whose end puts it out.
    ends: [Vec<usize>; 2],
    ended: DuelTurn<W>,
    open: W,
    most_states: usize,
    budget: &'b ChanceBudget,
}

impl<'b, W: Weight> Joint<'b, W> {
    fn new(rules: &AttackRules, columns: &[Variable], ships: [Duelist<'_>; 2], budget: &'b ChanceBudget) -> Self {
        let mut codes = Codes::default();
        let (mut start, mut limits) = (Vec::new(), Vec::new());
        for column in columns {
            let (side, gauge) = match column {
                Variable::Own(n) => (0, *n),
                Variable::Left(n) | Variable::Register(n) => (1, *n),
            };
            start.push(ships[side].gauges.start.get(usize::from(gauge)).map_or(codes::NULL, |value| codes.code(value)));
            limits.push(ships[side].gauges.limits.get(usize::from(gauge)).cloned());
        }
        let place = |variable: Variable| columns.binary_search(&variable).ok();
        let ends = [
            ending(rules).filter_map(|gauge| place(Variable::Own(gauge))).collect(),
            ending(rules).filter_map(|gauge| place(Variable::Left(gauge))).collect(),
        ];
        let ended = DuelTurn { first_wins: W::zero(), second_wins: W::zero(), both_out: W::zero() };
        let states = Distribution::certain(&start);
        Self { states, codes, limits, ends, ended, open: W::zero(), most_states: 1, budget }
    }

    fn advance(&mut self, sides: &mut [Transition<'_, W>; 2]) -> OddsResult<()> {
        if sides.iter().all(|side| side.changes.is_empty()) {
            return Ok(());
        }
        let firing = sides.iter().find_map(|side| side.firings.first());
        let at = firing.map_or_else(Span::default, |firing| firing.attack.at);
        let mut places = [Vec::new(), Vec::new()];
        for (side, places) in sides.iter_mut().zip(&mut places) {
            *places = side.find(&self.states, &mut self.codes)?;
        }
        let is_apart =
            sides[0].changes.iter().all(|(_, column)| sides[1].changes.iter().all(|(_, other)| other != column));
        let after = if is_apart { self.in_turn(sides, &places, at)? } else { self.in_pairs(sides, &places, at)? };
        self.most_states = self.most_states.max(after.len());
        self.states = Distribution::new(after.width());
        for (state, weight) in after.states() {
            let out = [0, 1]
                .map(|side: usize| self.ends[side].iter().any(|column| is_out(&self.codes.value(state[*column]))));
            match out {
                [false, false] => self.states.add(state, weight),
                [false, true] => self.ended.first_wins.add(weight),
                [true, false] => self.ended.second_wins.add(weight),
                [true, true] => self.ended.both_out.add(weight),
            }
        }
        Ok(())
    }
}

impl<W: Weight> Joint<'_, W> {
    fn spend(&self, pairs: usize, at: Span) -> OddsResult<()> {
        if self.budget.spend(pairs.saturating_mul(PAIR_WORK)) {
            return Ok(());
        }
        too_much("this duel takes too many multiplications", at)
    }

    /// What both sides do where they change different gauges: first the one, then the other, which acts as before the one did. So states that are
    /// the same after the first are gone through once.
    fn in_turn(
        &mut self,
        sides: &[Transition<'_, W>; 2],
        places: &[Vec<usize>; 2],
        at: Span,
    ) -> OddsResult<Distribution<W>> {
        let width = self.states.width();
        // The last cell is the other side's row.
        let mut halfway = Distribution::<W>::new(width + 1);
        let mut state = Vec::new();
        for (number, (before, weight)) in self.states.states().enumerate() {
            let rows = [places[0][number], places[1][number]];
            let Some([first, second]) = followed(&mut self.open, sides, rows, weight) else { continue };
            self.spend(sides[0].rows[first].len(), at)?;
            state.clear();
            state.extend_from_slice(before);
            state.push(i64::try_from(second).unwrap_or(0));
            for (one, p) in sides[0].row(first) {
                for ((_, column), code) in sides[0].changes.iter().zip(one) {
                    state[*column] = *code;
                }
                halfway.add(&state, &weight.times(p));
            }
            if halfway.len() > MAX_HALFWAY || halfway.len() * (width + 1) > MAX_HALFWAY_CELLS {
                return too_much(format!("more than {MAX_HALFWAY} states within a turn"), at);
            }
        }
        let mut after = Distribution::<W>::new(width);
        for (between, weight) in halfway.states() {
            let second = usize::try_from(between[width]).unwrap_or(0);
            self.spend(sides[1].rows[second].len(), at)?;
            state.clear();
            state.extend_from_slice(&between[..width]);
            for (other, q) in sides[1].row(second) {
                for ((_, column), code) in sides[1].changes.iter().zip(other) {
                    state[*column] = *code;
                }
                after.add(&state, &weight.times(q));
            }
            if after.len() > MAX_STATES {
                return too_much(format!("more than {MAX_STATES} states"), at);
            }
        }
        Ok(after)
    }

    /// What both sides do where both change the same gauge: all pairs.
    fn in_pairs(
        &mut self,
        sides: &[Transition<'_, W>; 2],
        places: &[Vec<usize>; 2],
        at: Span,
    ) -> OddsResult<Distribution<W>> {
        let mut after = Distribution::<W>::new(self.states.width());
        let mut state = Vec::new();
        for (number, (before, weight)) in self.states.states().enumerate() {
            let rows = [places[0][number], places[1][number]];
            let Some([first, second]) = followed(&mut self.open, sides, rows, weight) else { continue };
            self.spend(sides[0].rows[first].len().saturating_mul(sides[1].rows[second].len()), at)?;
            for (one, p) in sides[0].row(first) {
                let weight = weight.times(p);
                for (other, q) in sides[1].row(second) {
                    state.clear();
                    state.extend_from_slice(before);
                    for ((_, column), code) in sides[0].changes.iter().zip(one) {
                        state[*column] = *code;
                    }
                    for ((_, column), code) in sides[1].changes.iter().zip(other) {
                        state[*column] = if state[*column] == before[*column] {
                            // The first side left it as it was.
                            *code
                        } else {
                            both(&mut self.codes, &self.limits[*column], before[*column], state[*column], *code)
                        };
                    }
                    after.add(&state, &weight.times(q));
                }
                // One state of large ships has millions of successors.
                if after.len() > MAX_STATES {
                    return too_much(format!("more than {MAX_STATES} states"), at);
                }
            }
        }
        Ok(after)
    }
}

/// A gauge that both sides change at the same time loses what each takes.
fn both(codes: &mut Codes, limit: &Option<GaugeLimit>, before: i64, one: i64, other: i64) -> i64 {
    let [before, one, other] = [before, one, other].map(|code| codes.value(code));
    let sum = |before: &Value, one: &Value, other: &Value, most: i64| match (before, one, other) {
        (Value::Int(before), Value::Int(one), Value::Int(other)) => Value::Int((one + other - before).clamp(0, most)),
        _ => one.clone(),
    };
    let value = match (limit, &before, &one, &other) {
        (Some(GaugeLimit::List(most)), Value::List(before), Value::List(one), Value::List(other)) => {
            let items = before.iter().zip(one.iter()).zip(other.iter()).zip(most);
            Value::List(items.map(|(((before, one), other), most)| sum(before, one, other, *most)).collect())
        }
        (Some(GaugeLimit::Number(most)), before, one, other) => sum(before, one, other, *most),
        _ => one.clone(),
    };
    codes.code(&value)
}

impl<'p, W: Weight> Transition<'p, W> {
    fn new(
        runner: Runner<'p, W>,
        program: &'p Program,
        firings: Vec<Firing<'p>>,
        columns: &[Variable],
        swapped: bool,
    ) -> Self {
        let (mut gauges, mut changed) = (Vec::new(), BTreeSet::new());
        program.firings.iter().for_each(|steps| changed_columns(steps, &mut changed));
        for (place, variable) in program.columns.iter().enumerate() {
            let seen = if swapped { swap(*variable) } else { *variable };
            if let Ok(column) = columns.binary_search(&seen) {
                gauges.push((place, column));
            }
        }
        gauges.retain(|(place, _)| !matches!(program.columns[*place], Variable::Register(_)));
        let changes = gauges.iter().copied().filter(|(place, _)| changed.contains(place)).collect();
        let known = StateTable::new(gauges.len());
        let (rows, codes, weights, open) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { runner, program, firings, gauges, changes, known, rows, codes, weights, open }
    }

    /// The place of each state's row; rows that are not known yet are computed.
    fn find(&mut self, states: &Distribution<W>, codes: &mut Codes) -> OddsResult<Vec<usize>> {
        let mut places = Vec::with_capacity(states.len());
        let mut key = Vec::with_capacity(self.gauges.len());
        for (state, _) in states.states() {
            key.clear();
            key.extend(self.gauges.iter().map(|(_, column)| state[*column]));
            places.push(self.known.insert(&key));
        }
        let new: Vec<usize> = (self.rows.len()..self.known.len()).collect();
        for batch in new.chunks(BATCH) {
            self.compute(batch, codes)?;
        }
        Ok(places)
    }

    fn compute(&mut self, batch: &[usize], codes: &mut Codes) -> OddsResult<()> {
        let width = self.program.columns.len();
        let mut states = Distribution::<W>::tagged(width, batch.len());
        for (tag, place) in batch.iter().enumerate() {
            let mut state = vec![codes::NULL; width];
            for ((column, _), code) in self.gauges.iter().zip(self.known.row(*place)) {
                state[*column] = self.runner.codes.code(&codes.value(*code));
            }
            state.push(i64::try_from(tag).unwrap_or(0));
            states.add(&state, &W::one());
        }
        for number in 0..self.program.firings.len() {
            let fired = self.runner.fire(number, states);
            states = match self.firings.get(number) {
                Some(firing) => fired.map_err(|error| placed(error, *firing))?,
                None => fired?,
            };
        }
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); batch.len()];
        let mut grouped = Distribution::<W>::new(self.changes.len() + 1);
        let mut changed = Vec::with_capacity(self.changes.len() + 1);
        for (state, weight) in states.states() {
            changed.clear();
            changed.extend(self.changes.iter().map(|(column, _)| codes.code(&self.runner.codes.value(state[*column]))));
            changed.push(state[width]);
            grouped.add(&changed, weight);
        }
        for (place, (state, _)) in grouped.states().enumerate() {
            rows[usize::try_from(state[state.len() - 1]).unwrap_or(0)].push(place);
        }
        for row in rows {
            let from = self.weights.len();
            for place in row {
                self.codes.extend(&grouped.table.row(place)[..self.changes.len()]);
                self.weights.push(grouped.weights[place].clone());
            }
            self.rows.push(from..self.weights.len());
        }
        self.open.extend(states.lost);
        if self.weights.len() + self.codes.len() > 2 * MAX_SUCCESSORS {
            let at = self.firings.first().map_or_else(Span::default, |firing| firing.attack.at);
            return too_much("too many successors of the states of this duel", at);
        }
        Ok(())
    }
}

fn changed_columns(steps: &[program::ProgramStep], changed: &mut BTreeSet<usize>) {
    for step in steps {
        changed.extend(step.assignments.iter().map(|set| set.column));
        changed_columns(&step.each, changed);
    }
}

/// The rows of a state that is followed; adds to `open` what is not: all of a state that is let go, or what the rows leave open.
fn followed<W: Weight>(
    open: &mut W,
    sides: &[Transition<'_, W>; 2],
    rows: [usize; 2],
    weight: &W,
) -> Option<[usize; 2]> {
    if weight.is_negligible(LEAST) {
        open.add(weight);
        return None;
    }
    sides.iter().zip(rows).for_each(|(side, row)| open.add(&weight.times(&side.open[row])));
    Some(rows)
}
