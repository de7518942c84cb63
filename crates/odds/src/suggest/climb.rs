//! Climbs: takes a good answer, gives a better one in reach: one lever moved by 1, 2 or 4, or two levers by 1 or 2.

use super::scorer::{Found, Scorer};

/// Designs that one climb may try.
const MAX_TRIED: usize = 20_000;

/// `None` when nothing in reach is better.
pub fn climb(scorer: &mut Scorer<'_, '_>, from: &Found) -> Option<Found> {
    let end = scorer.tried + MAX_TRIED;
    let mut best: Option<Found> = None;
    loop {
        let at = best.as_ref().unwrap_or(from).clone();
        match step(scorer, &at, end) {
            Some(next) => best = Some(next),
            None => return best,
        }
    }
}

/// The best neighbour that is better: of one lever, else of two.
fn step(scorer: &mut Scorer<'_, '_>, at: &Found, end: usize) -> Option<Found> {
    let levers = &scorer.space.levers;
    let width = levers.len();
    let mut best: Option<Found> = None;
    let mut point = at.point.clone();
    let mut look = |scorer: &mut Scorer<'_, '_>, point: &[i64]| {
        let inside = point.iter().zip(levers).all(|(number, lever)| (lever.low..=lever.high).contains(number));
        if inside
            && scorer.tried < end
            && scorer.work < scorer.work_limit
            && let Some(found) = scorer.better(point, Some(best.as_ref().unwrap_or(at)))
        {
            best = Some(found);
        }
    };
    for lever in 0..width {
        for by in [1, -1, 2, -2, 4, -4] {
            point[lever] += by;
            look(scorer, &point);
            point[lever] = at.point[lever];
        }
    }
    // Two levers only where one is not enough: they are many.
    for a in 0..width {
        for b in a + 1..width {
            for (by_a, by_b) in [
                (1, 1),
                (1, -1),
                (-1, 1),
                (-1, -1),
                (2, 1),
                (1, 2),
                (2, 2),
                (2, -1),
                (1, -2),
                (-1, 2),
                (-2, 1),
                (2, -2),
                (-2, 2),
            ] {
                point[a] += by_a;
                point[b] += by_b;
                look(scorer, &point);
                point[a] = at.point[a];
                point[b] = at.point[b];
            }
        }
    }
    best
}
