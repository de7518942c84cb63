//! Duels in which neither ship's fire hangs on what it has left itself: what each loses is followed alone, and the two are put together turn by turn.

use std::collections::BTreeSet;

use moldloft_base::progress::Progress;
use moldloft_rules::formula::{ChanceBudget, Host, Weight};

use super::duel::{Duel, DuelTurn, Duelist, changes, duel_together, fixed_steps, phases};
use super::program::{self, FixedStep};
use super::run::{OddsResult, Runner};
use super::states::Distribution;
use super::turns::{MAX_TURNS_MULTIPLICATIONS, ending, is_out, told_as_far};
use super::volley::{column_limits, placed, start_value};
use moldloft_rules::ruleset::{AttackRules, Variable};

/// A duel of up to `turns` turns; `progress` cancels it.
pub fn duel<W: Weight>(
    rules: &AttackRules,
    ships: [Duelist<'_>; 2],
    turns: u32,
    progress: Option<&Progress>,
) -> Duel<W> {
    let fixed = fixed_steps(rules, ships);
    duel_apart(rules, ships, &fixed, turns, progress)
        .unwrap_or_else(|| duel_together(rules, ships, &fixed, turns, progress))
}

/// Whether what a ship fires neither reads nor changes what it has left itself, as far as the end of either ship hangs on it. `fixed` is what it does to the
/// other: the start of that one's turn, then its firings.
fn is_apart(rules: &AttackRules, fixed: &[Vec<FixedStep>]) -> bool {
    let mut needed: BTreeSet<Variable> = ending(rules).map(Variable::Left).collect();
    loop {
        let before = needed.len();
        for steps in fixed {
            let mut found = needed.clone();
            program::close(steps, &mut found);
            needed.extend(found.into_iter().filter(|variable| !matches!(variable, Variable::Register(_))));
        }
        if needed.len() == before {
            break;
        }
    }
    let mut changed = BTreeSet::new();
    fixed.iter().for_each(|steps| changes(steps, &mut changed));
    needed.iter().chain(&changed).all(|variable| !matches!(variable, Variable::Own(_)))
}

/// A duel that can be followed so; `None` if it cannot. `fixed` as for [`is_apart`], of both sides.
pub(super) fn duel_apart<W: Weight>(
    rules: &AttackRules,
    ships: [Duelist<'_>; 2],
    fixed: &[Vec<Vec<FixedStep>>; 2],
    turns: u32,
    progress: Option<&Progress>,
) -> Option<Duel<W>> {
    if !fixed.iter().all(|fixed| is_apart(rules, fixed)) {
        return None;
    }
    let mut done = Duel { asked: turns, turns: Vec::new(), open: W::zero(), most_states: 0, error: None };
    let mut ended = DuelTurn { first_wins: W::zero(), second_wins: W::zero(), both_out: W::zero() };
    let budgets =
        [0, 1].map(|_| ChanceBudget::new(MAX_TURNS_MULTIPLICATIONS).cancelled_by(progress.map(Progress::cancel_flag)));
    let programs = [0, 1].map(|side: usize| {
        let steps: Vec<&[FixedStep]> = fixed[side].iter().map(Vec::as_slice).collect();
        program::build(&steps, &ending(rules).map(Variable::Left).collect(), false)
    });
    let hosts: [Vec<&dyn Host>; 2] = [0, 1].map(|side: usize| {
        let firings = ships[side].firings.iter().map(|firing| firing.host);
        std::iter::once(ships[1 - side].host).chain(firings).collect()
    });
    let limits = |side: usize| column_limits(&programs[side], ships[side].gauges, ships[1 - side].gauges);
    let mut runners =
        [0, 1].map(|side: usize| Runner::<W>::new(&programs[side], &hosts[side], limits(side), &budgets[side]));
    let mut states = [0, 1].map(|side: usize| {
        let start = runners[side].state(|variable| start_value(variable, ships[side].gauges, ships[1 - side].gauges));
        Distribution::certain(&start)
    });
    let ends = [0, 1].map(|side: usize| -> Vec<usize> {
        ending(rules).filter_map(|gauge| programs[side].column(Variable::Left(gauge))).collect()
    });
    for turn in 1..=turns {
        for phase in phases(ships.map(|ship| ship.firings), turn) {
            let mut out = [W::zero(), W::zero()];
            let mut within = [W::zero(), W::zero()];
            for side in [0, 1] {
                let mut after: OddsResult<Distribution<W>> =
                    Ok(std::mem::replace(&mut states[side], Distribution::new(0)));
                for number in &phase.firings[side] {
                    let fired = after.and_then(|states| runners[side].fire(*number, states));
                    after = match number.checked_sub(1) {
                        Some(firing) => fired.map_err(|error| placed(error, ships[side].firings[firing])),
                        None => fired,
                    };
                }
                let after = match after {
                    Ok(after) => after,
                    Err(error) => {
                        done.error = Some(told_as_far(*error, turn));
                        return Some(done);
                    }
                };
                let mut still_in = after.emptied();
                still_in.lose_as(&after);
                for (state, weight) in after.states() {
                    if ends[side].iter().any(|column| is_out(&runners[side].codes.value(state[*column]))) {
                        out[side].add(weight);
                    } else {
                        within[side].add(weight);
                        still_in.add(state, weight);
                    }
                }
                states[side] = still_in;
            }
            ended.first_wins.add(&out[0].times(&within[1]));
            ended.second_wins.add(&out[1].times(&within[0]));
            ended.both_out.add(&out[0].times(&out[1]));
        }
        done.open = W::zero();
        states.iter().filter_map(|states| states.lost.first()).for_each(|lost| done.open.add(lost));
        done.most_states = runners.iter().map(|runner| runner.most_states).max().unwrap_or(0);
        done.turns.push(ended.clone());
    }
    Some(done)
}
