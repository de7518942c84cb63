//! A sequence of turns in which one ship fires and is never hurt: gives the probability that the other is out after each.

use std::collections::BTreeSet;

use moldloft_base::progress::Progress;
use moldloft_rules::formula::{ChanceBudget, FormulaError, FormulaErrorKind, Host, Value, Weight};

use super::program::{self, Firing, FixedStep};
use super::run::{OddsResult, Runner};
use super::states::Distribution;
use super::volley::{Fight, amount, column_limits, placed, start_value};
use moldloft_rules::ruleset::{AttackRules, Variable};

/// Multiplications that a sequence of turns may take.
pub(super) const MAX_TURNS_MULTIPLICATIONS: u64 = 200_000_000;

#[derive(Clone, Debug)]
pub struct Turns<W> {
    /// By turn: the probability that the ship is out after it. Shorter than asked if there was an error.
    pub out_by: Vec<W>,
    /// What was not followed to its end.
    pub open: W,
    pub most_states: usize,
    pub error: Option<FormulaError>,
}

/// What every gauge becomes when a turn begins: one step in which all are set at once. Variables are those of `side`.
pub(super) fn turn_start(rules: &AttackRules, ship: &dyn Host) -> Vec<FixedStep> {
    let gauges = (0_u16..).zip(&rules.gauges).filter_map(|(number, gauge)| {
        let formula = program::fix_formula(gauge.at_turn.as_ref()?, ship);
        Some((Variable::Left(number), formula))
    });
    let assignments: Vec<_> = gauges.collect();
    let at = rules.gauges.iter().find(|gauge| gauge.at_turn.is_some()).map_or_else(Default::default, |gauge| gauge.at);
    if assignments.is_empty() { Vec::new() } else { vec![FixedStep { assignments, at, ..FixedStep::default() }] }
}

/// Gauges whose end puts a ship out.
pub(super) fn ending(rules: &AttackRules) -> impl Iterator<Item = u16> + '_ {
    (0_u16..).zip(&rules.gauges).filter(|(_, gauge)| gauge.ends).map(|(number, _)| number)
}

/// Up to `turns` turns. `target` answers the names of the gauges' own formulas.
pub fn turns<W: Weight>(fight: &Fight<'_>, target: &dyn Host, turns: u32) -> Turns<W> {
    let mut fixed: Vec<Vec<FixedStep>> = vec![turn_start(fight.rules, target)];
    fixed.extend(fight.firings.iter().map(program::fix));
    let steps: Vec<&[FixedStep]> = fixed.iter().map(Vec::as_slice).collect();
    let wanted: BTreeSet<Variable> = ending(fight.rules).map(Variable::Left).collect();
    let program = program::build(&steps, &wanted, false);
    let mut hosts: Vec<&dyn Host> = vec![target];
    hosts.extend(fight.firings.iter().map(|firing| firing.host));
    let budget = ChanceBudget::new(MAX_TURNS_MULTIPLICATIONS).cancelled_by(fight.progress.map(Progress::cancel_flag));
    let limits = column_limits(&program, fight.own, fight.left);
    let mut runner = Runner::<W>::new(&program, &hosts, limits, &budget);
    let start = runner.state(|variable| start_value(variable, fight.own, fight.left));
    let mut states = Distribution::certain(&start);
    let ends: Vec<usize> = wanted.iter().filter_map(|variable| program.column(*variable)).collect();
    let mut out = W::zero();
    let mut done = Turns { out_by: Vec::new(), open: W::zero(), most_states: 0, error: None };
    for turn in 1..=turns {
        let after = one_turn(&mut runner, fight.firings, states, turn);
        states = match after {
            Ok(after) => after,
            Err(error) => {
                done.error = Some(told_as_far(*error, turn));
                break;
            }
        };
        let mut still_in = states.emptied();
        still_in.lose_as(&states);
        for (state, weight) in states.states() {
            if ends.iter().any(|column| is_out(&runner.codes.value(state[*column]))) {
                out.add(weight);
            } else {
                still_in.add(state, weight);
            }
        }
        states = still_in;
        done.out_by.push(out.clone());
        done.open = states.lost.first().cloned().unwrap_or_else(W::zero);
    }
    done.most_states = runner.most_states;
    done
}

fn one_turn<W: Weight>(
    runner: &mut Runner<'_, W>,
    firings: &[Firing<'_>],
    mut states: Distribution<W>,
    turn: u32,
) -> OddsResult<Distribution<W>> {
    if turn > 1 {
        states = runner.fire(0, states)?;
    }
    for (number, firing) in firings.iter().enumerate() {
        if firing.fires_in(turn) {
            states = runner.fire(number + 1, states).map_err(|error| placed(error, *firing))?;
        }
    }
    Ok(states)
}

/// `more than 65,536 states after turn 6; computed up to turn 5`
pub(super) fn told_as_far(mut error: FormulaError, turn: u32) -> FormulaError {
    if error.kind == Some(FormulaErrorKind::TooManyStates) {
        error.message = match turn {
            1 => format!("{} in turn 1", error.message),
            _ => format!("{} after turn {turn}; computed up to turn {}", error.message, turn - 1),
        };
    }
    error
}

/// Whether a gauge with this value puts its ship out.
pub(super) fn is_out(value: &Value) -> bool {
    amount(value) == 0
}

/// The probabilities that the first is first, that the other is, that both are in the same turn.
pub(super) fn race(there: &[f64], back: &[f64]) -> [f64; 3] {
    let mut chances = [0.0; 3];
    let (mut there_before, mut back_before) = (0.0, 0.0);
    for (there, back) in there.iter().zip(back) {
        let (there_now, back_now) = (there - there_before, back - back_before);
        chances[0] += there_now * (1.0 - back);
        chances[1] += back_now * (1.0 - there);
        chances[2] += there_now * back_now;
        (there_before, back_before) = (*there, *back);
    }
    chances
}
