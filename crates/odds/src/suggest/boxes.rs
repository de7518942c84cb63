//! One box of designs: takes ranges of the levers, narrows them and bounds what can be in them.

use moldloft_rules::evaluate::{BoxModel, BoxState};
use moldloft_rules::formula::{LeverBound, NumberRange, RangeKind};

use super::question::{Objective, SearchSpace, Sense};
use super::relax::{relax, tighten};
use super::scorer::Score;

/// Rounds of computing a box anew after it was narrowed.
const ROUNDS: usize = 3;

/// A box that may hold better designs than those found.
#[derive(Clone, Debug)]
pub struct LeverRanges {
    pub levers: Vec<(i64, i64)>,
    /// No design in it is better than this.
    pub bound: Score,
    /// A point where its bound comes from.
    pub guess: Vec<i64>,
    /// How much each lever matters here.
    pub weights: Vec<f64>,
}

/// Narrows a box. `None` when no design in it is better than `best`, or none is an answer. Adds to `work`, in plain formulas, what it did on lists
/// and tables; the formulas themselves and the bounds are in [`SearchSpace::box_work`].
pub fn narrow(
    space: &SearchSpace<'_>,
    model: &BoxModel<'_>,
    levers: Vec<(i64, i64)>,
    best: Option<&Score>,
    work: &mut u64,
) -> Option<LeverRanges> {
    let mut states = Vec::with_capacity(ROUNDS);
    let narrowed = narrow_through(space, model, levers, best, &mut states);
    *work += states.iter().map(BoxState::work).sum::<u64>();
    narrowed
}

/// `states`: what the box was computed as, round by round.
fn narrow_through(
    space: &SearchSpace<'_>,
    model: &BoxModel<'_>,
    mut levers: Vec<(i64, i64)>,
    best: Option<&Score>,
    states: &mut Vec<BoxState>,
) -> Option<LeverRanges> {
    let mut bounds: Vec<LeverBound> = Vec::new();
    let (mut objective, mut points) = (NumberRange::exact(0), NumberRange::exact(0));
    for round in 0..ROUNDS {
        states.push(model.compute(&levers));
        let state = states.last()?;
        bounds.clear();
        for goal in &space.goals {
            if model.truth(state, &goal.formula).is_impossible() {
                return None;
            }
            model.bounds(state, &goal.formula, &mut bounds);
        }
        if model.checks().iter().any(|check| model.check_fails(state, *check, &mut bounds)) {
            return None;
        }
        objective = match &space.objective {
            None => NumberRange::exact(0),
            Some(Objective::Odds(_)) => NumberRange::any(),
            Some(Objective::Lever(lever)) => {
                NumberRange::lever(u16::try_from(*lever).ok()?, levers.get(*lever).copied()?)
            }
            // Where it is never a number, no design of the box is an answer.
            Some(Objective::Formula(Sense::Maximise, formula)) => model.ranges(state, formula).numbers()?,
            Some(Objective::Formula(Sense::Minimise, formula)) => model.ranges(state, formula).numbers()?.negated(),
        };
        points = match &space.points {
            Some(formula) => match model.ranges(state, formula).kind {
                RangeKind::Number(range) => range.negated(),
                // A design without points counts as 0.
                _ => NumberRange::any(),
            },
            None => NumberRange::exact(0),
        };
        if let Some(best) = best
            && !objective.terms.is_empty()
        {
            // Only designs that are at least as good are looked for.
            let terms = objective.terms.iter().map(|(lever, factor)| (*lever, -factor)).collect();
            bounds.push(LeverBound { terms, most: objective.rest_high - best.main as f64 });
        }
        let before = levers.clone();
        if !tighten(&bounds, &mut levers) {
            return None;
        }
        let narrowed = before.iter().zip(&levers).any(|(a, b)| (b.1 - b.0) * 4 < (a.1 - a.0) * 3);
        if !narrowed || round + 1 == ROUNDS {
            break;
        }
    }
    let main = most(&objective, &bounds, &levers);
    let (moved, moves) = least_moves(space, &levers);
    let cost = most(&points, &bounds, &levers);
    let bound = Score { main: main.0, points: cost.0, moved: -moved, moves: -moves };
    if best.is_some_and(|best| bound <= *best) {
        return None;
    }
    let weights = weights(&objective, &bounds, &levers);
    let guess = if objective.terms.is_empty() { cost.1 } else { main.1 };
    Some(LeverRanges { levers, bound, guess, weights })
}

/// The most that a number can be, and where.
fn most(range: &NumberRange, bounds: &[LeverBound], levers: &[(i64, i64)]) -> (i64, Vec<i64>) {
    let relaxed = relax(&range.terms, range.rest_high, bounds, levers);
    let most = if relaxed.most < 1e15 { (relaxed.most.floor() as i64).min(range.high) } else { range.high };
    (most, relaxed.point)
}

fn least_moves(space: &SearchSpace<'_>, levers: &[(i64, i64)]) -> (i64, i64) {
    let (mut moved, mut moves) = (0, 0_i64);
    for (lever, (low, high)) in space.levers.iter().zip(levers) {
        if !(*low..=*high).contains(&lever.now) {
            moved += 1;
            moves = moves.saturating_add(lever.distance(lever.now.clamp(*low, *high)));
        }
    }
    (moved, moves)
}

/// Widths, each times what the lever does to the objective and to the bounds, relative to the others.
fn weights(objective: &NumberRange, bounds: &[LeverBound], levers: &[(i64, i64)]) -> Vec<f64> {
    let widths: Vec<f64> = levers.iter().map(|(low, high)| (*high - *low) as f64).collect();
    let mut weights: Vec<f64> = widths.iter().map(|width| width * 1e-3).collect();
    let all = std::iter::once(&objective.terms).chain(bounds.iter().map(|bound| &bound.terms));
    for terms in all {
        let width = |lever: u16| widths.get(usize::from(lever)).copied().unwrap_or(0.0);
        let total: f64 = terms.iter().map(|(lever, factor)| (factor * width(*lever)).abs()).sum();
        if total <= 0.0 {
            continue;
        }
        for (lever, factor) in terms {
            if let Some(weight) = weights.get_mut(usize::from(*lever)) {
                *weight += (factor * width(*lever)).abs() / total;
            }
        }
    }
    for (weight, width) in weights.iter_mut().zip(&widths) {
        if *width == 0.0 {
            *weight = 0.0;
        }
    }
    weights
}
