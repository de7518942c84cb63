//! The same fight in many situations: takes a way to make each, gives the volley of each. Those in which the same is done are run once.

use std::sync::Arc;

use rayon::prelude::*;

use moldloft_rules::formula::Weight;

use super::volley::{Ask, Fight, Prepared, Volley, answer, prepare};

/// Most values of an axis.
pub const MAX_AXIS: usize = 200;
/// All values of a curve together may take so many times the work of one question.
const VALUES_WORK: u64 = 20;

/// Makes the fight of a situation and calls what it is given with it.
pub type WithFight<'a> = dyn Fn(usize, &mut dyn FnMut(&Fight<'_>)) + Sync + 'a;

/// The volleys of `count` situations, in order; at most [`MAX_AXIS`].
pub fn curve<W: Weight>(count: usize, ask: &Ask, with_fight: &WithFight<'_>) -> Vec<Arc<Volley<W>>> {
    let mut distinct: Vec<(usize, Prepared)> = Vec::new();
    let mut classes: Vec<usize> = Vec::new();
    for place in 0..count.min(MAX_AXIS) {
        with_fight(place, &mut |fight| {
            let prepared = prepare(fight);
            let known = distinct.iter().position(|(_, known)| known.is_same(&prepared));
            classes.push(known.unwrap_or(distinct.len()));
            if known.is_none() {
                distinct.push((place, prepared));
            }
        });
    }
    let share =
        (ask.multiplications.saturating_mul(VALUES_WORK) / distinct.len().max(1) as u64).min(ask.multiplications);
    let ask = &Ask { multiplications: share, in_all: ask.in_all.min(share), ..*ask };
    let volleys: Vec<Option<Arc<Volley<W>>>> = distinct
        .par_iter()
        .map(|(place, prepared)| {
            let mut volley = None;
            with_fight(*place, &mut |fight| volley = Some(Arc::new(answer(fight, prepared, ask))));
            volley
        })
        .collect();
    classes.into_iter().filter_map(|class| volleys.get(class).cloned().flatten()).collect()
}
