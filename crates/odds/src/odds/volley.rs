//! One volley: takes all that fires in order, gives the distribution of what each gauge of the ship fired at loses, of the outcomes, and the means of
//! labelled steps.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use moldloft_base::progress::Progress;
use moldloft_rules::formula::{
    ChanceBudget, Formula, FormulaError, Host, MAX_MULTIPLICATIONS, Slot, Spread, Value, Weight,
};

use super::codes::Codes;
use super::program::{self, Firing, FixedStep, Program};
use super::run::{GaugeLimit, MAX_STATE_LIST, OddsResult, Runner, StateHost, fail, formula_work, too_much};
use super::states::Distribution;
use moldloft_rules::ruleset::{AttackRules, GaugeSize, Variable};

/// The gauges of one ship, in the order of the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct ShipGauges {
    pub limits: Vec<GaugeLimit>,
    /// Of a ship that is unhurt.
    pub start: Vec<Value>,
}

/// Works out the gauges of a ship from its host.
///
/// # Errors
/// Those of the formulas; `no-answer` when one gives nothing, `too-long` for a list of more than 64 items.
pub fn limits(rules: &AttackRules, ship: &dyn Host) -> Result<ShipGauges, FormulaError> {
    let mut gauges = ShipGauges { limits: Vec::new(), start: Vec::new() };
    for gauge in &rules.gauges {
        let boxes = match &gauge.size {
            GaugeSize::Most(most) => {
                gauges.limits.push(GaugeLimit::Number((*most).max(0)));
                gauges.start.push(Value::Int(0));
                continue;
            }
            GaugeSize::Boxes(boxes) => boxes,
        };
        let wrong = |message: String| FormulaError::new("no-answer", message, boxes.at);
        match boxes.eval(ship)? {
            Value::Int(most) => {
                gauges.limits.push(GaugeLimit::Number(most.max(0)));
                gauges.start.push(Value::Int(most.max(0)));
            }
            Value::List(items) => {
                if items.len() > MAX_STATE_LIST {
                    let message = format!("gauge of {} items, at most {MAX_STATE_LIST} are allowed", items.len());
                    return Err(FormulaError::new("too-long", message, boxes.at));
                }
                let numbers = items.iter().map(|item| match item {
                    Value::Int(number) => Some((*number).max(0)),
                    _ => None,
                });
                let numbers: Option<Vec<i64>> = numbers.collect();
                let numbers = numbers.ok_or_else(|| wrong(format!("the boxes of `{}` are no numbers", gauge.id)))?;
                gauges.start.push(Value::List(numbers.iter().copied().map(Value::Int).collect()));
                gauges.limits.push(GaugeLimit::List(numbers));
            }
            _ => return Err(wrong(format!("the boxes of `{}` cannot be computed", gauge.id))),
        }
    }
    Ok(gauges)
}

/// What fires at what.
#[derive(Clone, Copy)]
pub struct Fight<'a> {
    pub rules: &'a AttackRules,
    /// In the order in which they fire.
    pub firings: &'a [Firing<'a>],
    /// Of the ship that fires.
    pub own: &'a ShipGauges,
    /// Of the ship fired at.
    pub left: &'a ShipGauges,
    /// Answers the names of outcomes.
    pub host: &'a dyn Host,
    /// Cancels the work; what is worked out then is of no use.
    pub progress: Option<&'a Progress>,
}

#[derive(Clone, Debug)]
pub struct Volley<W> {
    /// Gauges that something may change.
    pub gauges: Vec<GaugeOdds<W>>,
    pub outcomes: Vec<OutcomeOdds<W>>,
    pub steps: Vec<StepMeans>,
    /// What kept a question from being answered.
    pub errors: Vec<FormulaError>,
    /// In multiplications.
    pub work: u64,
}

/// What becomes of one gauge.
#[derive(Clone, Debug, PartialEq)]
pub struct GaugeOdds<W> {
    /// Its place in the rules.
    pub gauge: usize,
    /// Boxes of an unhurt ship; `None` for a counter, which rises.
    pub boxes: Option<i64>,
    /// Boxes lost, or what a counter comes to; rising.
    pub lost: Vec<(i64, W)>,
    /// The probability that all is gone.
    pub gone: W,
    /// Probability that was not followed to its end: each figure may be more by as much.
    pub open: W,
    /// The most states of the run.
    pub states: usize,
}

impl<W: Weight> GaugeOdds<W> {
    pub fn mean(&self) -> f64 {
        self.lost.iter().map(|(number, weight)| *number as f64 * weight.value()).sum()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeOdds<W> {
    /// Its place in the rules.
    pub outcome: usize,
    pub spread: Spread<W>,
}

/// The means of what one labelled step sets, over all that may happen.
#[derive(Clone, Debug, PartialEq)]
pub struct StepMeans {
    /// Place of the firing.
    pub firing: usize,
    pub label: Arc<str>,
    pub means: Vec<(Variable, f64)>,
}

/// One run: what all gauges in it become, together.
pub(super) struct FinishedRun<'p, W> {
    pub program: &'p Program,
    pub codes: Codes,
    pub after: Distribution<W>,
    pub most_states: usize,
    pub means: Vec<Vec<f64>>,
}

/// The limits of a program's columns.
pub(super) fn column_limits(program: &Program, own: &ShipGauges, left: &ShipGauges) -> Vec<Option<GaugeLimit>> {
    let limit = |column: &Variable| match column {
        Variable::Left(n) => left.limits.get(usize::from(*n)).cloned(),
        Variable::Own(n) => own.limits.get(usize::from(*n)).cloned(),
        Variable::Register(_) => None,
    };
    program.columns.iter().map(limit).collect()
}

pub(super) fn start_value(variable: Variable, own: &ShipGauges, left: &ShipGauges) -> Option<Value> {
    match variable {
        Variable::Left(n) => left.start.get(usize::from(n)).cloned(),
        Variable::Own(n) => own.start.get(usize::from(n)).cloned(),
        Variable::Register(_) => None,
    }
}

/// Work of a state for an outcome, besides its formula.
const OUTCOME_WORK: usize = 8;

/// What is asked of a volley.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// All gauges, not only those whose end puts a ship out.
    pub all_gauges: bool,
    pub outcomes: bool,
    /// Means of labelled steps.
    pub steps: bool,
    /// Work that each question may take; all questions of a volley together may take four times as much.
    pub multiplications: u64,
    /// Work that all questions together may take, if that is less.
    pub in_all: u64,
}

impl Ask {
    pub const ALL: Self =
        Self { all_gauges: true, outcomes: true, steps: true, multiplications: MAX_MULTIPLICATIONS, in_all: u64::MAX };
    /// What puts the ship out.
    pub const END: Self = Self { all_gauges: false, outcomes: false, steps: false, ..Self::ALL };
}

/// A fight in which all fixed names are worked out.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// By firing.
    firings: Vec<Vec<FixedStep>>,
    outcomes: Vec<Formula>,
    own: ShipGauges,
    left: ShipGauges,
}

impl Prepared {
    /// Whether the same happens in both.
    pub fn is_same(&self, other: &Self) -> bool {
        self.firings.len() == other.firings.len()
            && self.firings.iter().zip(&other.firings).all(|(a, b)| program::is_same(a, b))
            && self.outcomes.iter().zip(&other.outcomes).all(|(a, b)| a.is_same(b))
            && (self.own == other.own || !self.asks_of_own())
            && self.left == other.left
    }

    /// Whether anything hangs on what the ship that fires has left.
    fn asks_of_own(&self) -> bool {
        let is_own = |variable: &Variable| matches!(variable, Variable::Own(_));
        let mut named = BTreeSet::new();
        self.firings.iter().for_each(|steps| program::add_named(steps, &mut named));
        named.iter().any(is_own) || self.outcomes.iter().flat_map(program::variables).any(|variable| is_own(&variable))
    }
}

pub(super) fn prepare(fight: &Fight<'_>) -> Prepared {
    let outcomes = fight.rules.outcomes.iter().map(|outcome| program::fix_formula(&outcome.formula, fight.host));
    Prepared {
        firings: fight.firings.iter().map(program::fix).collect(),
        outcomes: outcomes.collect(),
        own: fight.own.clone(),
        left: fight.left.clone(),
    }
}

/// All that fires, once, with both ships unhurt.
pub fn volley<W: Weight>(fight: &Fight<'_>, ask: &Ask) -> Volley<W> {
    answer(fight, &prepare(fight), ask)
}

/// As [`volley`], of a prepared fight.
pub(super) fn answer<W: Weight>(fight: &Fight<'_>, prepared: &Prepared, ask: &Ask) -> Volley<W> {
    let mut volley =
        Volley { gauges: Vec::new(), outcomes: Vec::new(), steps: Vec::new(), errors: Vec::new(), work: 0 };
    let steps: Vec<&[FixedStep]> = prepared.firings.iter().map(Vec::as_slice).collect();
    let mut changed = BTreeSet::new();
    steps.iter().for_each(|steps| add_changed(steps, &mut changed));

    let left = |gauge: usize| u16::try_from(gauge).map(Variable::Left).ok();
    let gauges: Vec<(usize, Variable)> = (0..fight.rules.gauges.len())
        .filter_map(|gauge| Some((gauge, left(gauge)?)))
        .filter(|(gauge, variable)| changed.contains(variable) && (ask.all_gauges || fight.rules.gauges[*gauge].ends))
        .collect();
    let outcomes = if ask.outcomes { &prepared.outcomes[..] } else { &[] };
    let labelled: BTreeSet<Variable> = match ask.steps {
        true => steps.iter().flat_map(|steps| program::labelled(steps)).collect(),
        false => BTreeSet::new(),
    };

    // The largest questions first: their runs answer those that ask for less.
    let mut questions: Vec<BTreeSet<Variable>> =
        gauges.iter().map(|(_, variable)| BTreeSet::from([*variable])).collect();
    questions.extend(outcomes.iter().map(|formula| program::variables(formula).collect()));
    let mut programs: Vec<Program> = questions.iter().map(|wanted| program::build(&steps, wanted, false)).collect();
    if !labelled.is_empty() {
        programs.push(program::build(&steps, &labelled, true));
    }
    let mut order: Vec<usize> = (0..programs.len()).collect();
    order.sort_by_key(|place| std::cmp::Reverse(programs[*place].columns.len()));
    let mut runs: Vec<FinishedRun<'_, W>> = Vec::new();
    let mut answered: Vec<Option<usize>> = vec![None; programs.len()];
    let most = ask.multiplications.saturating_mul(4).min(ask.in_all);
    let mut left = most;
    for place in order {
        let wanted = questions.get(place);
        let known = wanted.and_then(|wanted| {
            runs.iter().position(|run| wanted.iter().all(|variable| run.program.column(*variable).is_some()))
        });
        answered[place] = known.or_else(|| match run_all(fight, &programs[place], ask.multiplications, &mut left) {
            Ok(run) => {
                runs.push(run);
                Some(runs.len() - 1)
            }
            Err(error) => {
                if !volley.errors.contains(&error) {
                    volley.errors.push(*error);
                }
                None
            }
        });
    }
    for (place, (gauge, variable)) in gauges.iter().enumerate() {
        if let Some(run) = answered[place] {
            volley.gauges.push(gauge_odds(fight, *gauge, *variable, &runs[run]));
        }
    }
    for (outcome, formula) in outcomes.iter().enumerate() {
        let Some(run) = answered[gauges.len() + outcome] else { continue };
        match outcome_spread(fight, formula, &runs[run], ask.multiplications, &mut left) {
            Ok(spread) => volley.outcomes.push(OutcomeOdds { outcome, spread }),
            Err(error) => volley.errors.push(*error),
        }
    }
    volley.work = most - left;
    if let Some(run) = answered.get(questions.len()).copied().flatten() {
        let run = &runs[run];
        for (label, means) in run.program.labels.iter().zip(&run.means) {
            let means = label.variables.iter().map(|(variable, _)| *variable).zip(means.iter().copied());
            volley.steps.push(StepMeans { firing: label.firing, label: label.label.clone(), means: means.collect() });
        }
    }
    volley
}

/// Adds all variables that steps set.
fn add_changed(steps: &[FixedStep], changed: &mut BTreeSet<Variable>) {
    for step in steps {
        changed.extend(step.assignments.iter().map(|(variable, _)| *variable));
        add_changed(&step.each, changed);
    }
}

/// `left` is the work of all questions; what this one takes goes off it.
fn run_all<'p, W: Weight>(
    fight: &Fight<'_>,
    program: &'p Program,
    most: u64,
    left: &mut u64,
) -> OddsResult<FinishedRun<'p, W>> {
    let hosts: Vec<&dyn Host> = fight.firings.iter().map(|firing| firing.host).collect();
    let most = most.min(*left);
    let budget = ChanceBudget::new(most).cancelled_by(fight.progress.map(Progress::cancel_flag));
    let limits = column_limits(program, fight.own, fight.left);
    let mut runner = Runner::<W>::new(program, &hosts, limits, &budget);
    let start = runner.state(|variable| start_value(variable, fight.own, fight.left));
    let mut states = Ok(Distribution::certain(&start));
    for firing in 0..program.firings.len() {
        let fired = states.and_then(|states| runner.fire(firing, states));
        states = fired.map_err(|error| placed(error, fight.firings[firing]));
    }
    *left -= most - budget.remaining();
    let states = states?;
    let Runner { codes, means, most_states, .. } = runner;
    Ok(FinishedRun { program, codes, after: states, most_states, means })
}

/// Bounds that no single formula breaks are reported at the attack.
pub(super) fn placed(mut error: Box<FormulaError>, firing: Firing<'_>) -> Box<FormulaError> {
    if error.span == moldloft_base::source::Span::default() {
        error.span = firing.attack.at;
    }
    error
}

/// The sum of a gauge's numbers.
pub(super) fn amount(value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        Value::List(items) => items.iter().map(amount).sum(),
        _ => 0,
    }
}

fn gauge_odds<W: Weight>(
    fight: &Fight<'_>,
    gauge: usize,
    variable: Variable,
    run: &FinishedRun<'_, W>,
) -> GaugeOdds<W> {
    let counter = matches!(fight.rules.gauges[gauge].size, GaugeSize::Most(_));
    let boxes = (!counter).then(|| amount(&fight.left.start[gauge]));
    let mut lost: Vec<(Value, W)> = Vec::new();
    let mut gone = W::zero();
    if let Some(column) = run.program.column(variable) {
        for (state, weight) in run.after.states() {
            let now = amount(&run.codes.value(state[column]));
            if boxes.is_some() && now == 0 {
                gone.add(weight);
            }
            lost.push((Value::Int(boxes.map_or(now, |boxes| boxes - now)), weight.clone()));
        }
    }
    let lost = Spread::of(lost, W::zero()).outcomes.into_iter().map(|(value, weight)| (amount(&value), weight));
    let open = run.after.lost.first().cloned().unwrap_or_else(W::zero);
    GaugeOdds { gauge, boxes, lost: lost.collect(), gone, open, states: run.most_states }
}

/// `left` as for [`run_all`].
fn outcome_spread<W: Weight>(
    fight: &Fight<'_>,
    formula: &Formula,
    run: &FinishedRun<'_, W>,
    most: u64,
    left: &mut u64,
) -> OddsResult<Spread<W>> {
    let most = most.min(*left);
    let budget = ChanceBudget::new(most).cancelled_by(fight.progress.map(Progress::cancel_flag));
    let spread = outcome_within(fight, formula, run, &budget);
    *left -= most - budget.remaining();
    spread
}

fn outcome_within<W: Weight>(
    fight: &Fight<'_>,
    formula: &Formula,
    run: &FinishedRun<'_, W>,
    budget: &ChanceBudget,
) -> OddsResult<Spread<W>> {
    let too_much = || too_much("more work than the outcomes may take", formula.at);
    if !budget.spend(run.after.len() * OUTCOME_WORK) {
        return too_much();
    }
    let mut slots: Vec<Slot> = formula.reads().filter(|slot| Variable::from_slot(*slot).is_some()).collect();
    slots.sort_unstable();
    let columns = slots.iter().map(|slot| Variable::from_slot(*slot).and_then(|variable| run.program.column(variable)));
    let Some(columns) = columns.collect::<Option<Vec<usize>>>() else {
        return fail("no-answer", "this outcome reads what no attack has", formula.at);
    };
    let mut grouped = Distribution::<W>::new(columns.len());
    let mut state = Vec::with_capacity(columns.len());
    for (after, weight) in run.after.states() {
        state.clear();
        state.extend(columns.iter().map(|column| after[*column]));
        grouped.add(&state, weight);
    }
    let reads: Vec<(Slot, usize)> = slots.iter().copied().zip(0..).collect();
    let mut outcomes = Vec::new();
    let mut lost = run.after.lost.first().cloned().unwrap_or_else(W::zero);
    for (state, weight) in grouped.states() {
        let host = StateHost { host: fight.host, reads: &reads, state, codes: &run.codes, units: Cell::new(0) };
        let spread = formula.spread::<W>(&host, budget).map_err(Box::new)?;
        if !budget.spend(formula_work(host.units.get())) {
            return too_much();
        }
        lost.add(&spread.lost.times(weight));
        outcomes.extend(spread.outcomes.into_iter().map(|(value, p)| (value, p.times(weight))));
    }
    // As many as there are states were made room for.
    let mut spread = Spread::of(outcomes, lost);
    spread.outcomes.shrink_to_fit();
    Ok(spread)
}
