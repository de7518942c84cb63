//! The bound of a box: takes a sum of levers and bounds on them, gives the most that the sum can be. Any multipliers give a sound
//! bound, so that floating point cannot prove too much.

use moldloft_rules::formula::{LeverBound, LeverBox};

/// Rounds of improving each multiplier in turn.
const ROUNDS: usize = 3;
/// Bounds that are used, the tightest first.
const MAX_BOUNDS: usize = 24;
const SLACK: f64 = 1e-6;

/// The most that a sum can be, and where.
pub struct Relaxation {
    pub most: f64,
    /// Where the sum with its multipliers is greatest.
    pub point: Vec<i64>,
}

/// `terms` and `rest`: the sum; all bounds hold for the designs that count.
pub fn relax(terms: &[(u16, f64)], rest: f64, bounds: &[LeverBound], levers: &LeverBox) -> Relaxation {
    let width = levers.len();
    let mut factors = dense(terms, width);
    let bounds: Vec<(Vec<f64>, f64)> =
        bounds.iter().take(MAX_BOUNDS).map(|bound| (dense(&bound.terms, width), bound.most)).collect();
    let mut multipliers = vec![0.0_f64; bounds.len()];
    let mut constant = rest;
    let mut best = constant + greatest(&factors, levers);
    for _ in 0..ROUNDS {
        let before = best;
        for (n, (row, most)) in bounds.iter().enumerate() {
            // Without this row, then at each multiplier where a factor becomes 0.
            let old = multipliers[n];
            let bare: Vec<f64> = factors.iter().zip(row).map(|(factor, each)| factor + old * each).collect();
            let base = constant - old * most;
            let (mut chosen, mut chosen_value) = (old, best);
            let mut candidates: Vec<f64> = vec![0.0];
            candidates
                .extend(bare.iter().zip(row).filter(|(_, each)| **each != 0.0).map(|(factor, each)| factor / each));
            for candidate in candidates.into_iter().filter(|candidate| candidate.is_finite() && *candidate >= 0.0) {
                let tried: Vec<f64> = bare.iter().zip(row).map(|(factor, each)| factor - candidate * each).collect();
                let value = base + candidate * most + greatest(&tried, levers);
                if value < chosen_value {
                    (chosen, chosen_value) = (candidate, value);
                }
            }
            multipliers[n] = chosen;
            factors = bare.iter().zip(row).map(|(factor, each)| factor - chosen * each).collect();
            constant = base + chosen * most;
            best = chosen_value;
        }
        if before - best < SLACK {
            break;
        }
    }
    let point = factors.iter().zip(levers).map(|(factor, (low, high))| if *factor > SLACK { *high } else { *low });
    // Against rounding in long sums.
    let slack = SLACK + best.abs() * 1e-9 + constant.abs() * 1e-9;
    Relaxation { most: best + slack, point: point.collect() }
}

fn dense(terms: &[(u16, f64)], width: usize) -> Vec<f64> {
    let mut out = vec![0.0; width];
    for (lever, factor) in terms {
        if let Some(place) = out.get_mut(usize::from(*lever)) {
            *place += factor;
        }
    }
    out
}

fn greatest(factors: &[f64], levers: &LeverBox) -> f64 {
    let each =
        factors.iter().zip(levers).map(|(factor, (low, high))| (factor * *low as f64).max(factor * *high as f64));
    each.sum()
}

/// Moves the ends of levers inwards, as far as the bounds allow. False when nothing is left.
pub fn tighten(bounds: &[LeverBound], levers: &mut [(i64, i64)]) -> bool {
    const PASSES: usize = 4;
    for _ in 0..PASSES {
        let mut moved = false;
        for bound in bounds {
            let least = bound.least(levers);
            let scale = SLACK + bound.most.abs() * 1e-9 + least.abs() * 1e-9;
            if least > bound.most + scale {
                return false;
            }
            for (lever, factor) in &bound.terms {
                let Some((low, high)) = levers.get_mut(usize::from(*lever)) else { continue };
                let own = (factor * *low as f64).min(factor * *high as f64);
                // What is left for this lever when all others take as little as they can.
                let room = (bound.most + scale - (least - own)) / factor;
                if *factor > 1e-9 && (*high as f64) > room {
                    let end = room.floor() as i64;
                    moved |= end < *high;
                    *high = (*high).min(end);
                } else if *factor < -1e-9 && (*low as f64) < room {
                    let end = room.ceil() as i64;
                    moved |= end > *low;
                    *low = (*low).max(end);
                }
                if *low > *high {
                    return false;
                }
            }
        }
        if !moved {
            break;
        }
    }
    true
}
