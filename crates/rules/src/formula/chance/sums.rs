//! Sums of independent rolls: takes distributions of numbers, gives that of their sum.

use std::collections::BTreeMap;

use moldloft_base::source::Span;

use super::super::error::EvalResult;
use super::super::limits;
use super::super::{FormulaError, Value};
use super::{ChanceBudget, MAX_OUTCOMES, MAX_ROLLS, Spread, Weight, too_many_dice, too_many_outcomes};

/// Beyond this many numbers between the least and the greatest sum, sums are sorted instead of counted in an array.
const MAX_ARRAY: i64 = 1 << 15;
/// So too where an array would have more than this many places for each combination, and this many besides.
const SPARSE: i64 = 16;
const SMALL_ARRAY: i64 = 256;
/// Work of a combination whose sum must be searched for, in multiplications.
const SEARCH_WORK: usize = 8;
/// So many combinations are sorted at once, which is quicker than to search for each.
const MAX_SORTED: usize = 4_096;

/// A distribution of numbers: each once, rising.
#[derive(Clone, Debug)]
pub(super) struct NumberSums<W> {
    pub outcomes: Vec<(i64, W)>,
    pub lost: W,
}

impl<W: Weight> NumberSums<W> {
    pub fn certain(number: i64) -> Self {
        Self { outcomes: vec![(number, W::one())], lost: W::zero() }
    }

    /// `None` when a value is not a number; conditions count 1 or 0.
    pub fn of(spread: &Spread<W>) -> Option<Self> {
        let number = |value: &Value| match value {
            Value::Int(number) => Some(*number),
            Value::Flag(flag) => Some(i64::from(*flag)),
            _ => None,
        };
        let outcomes = spread.outcomes.iter().map(|(value, weight)| Some((number(value)?, weight.clone())));
        Some(Self { outcomes: outcomes.collect::<Option<_>>()?, lost: spread.lost.clone() })
    }

    pub fn into_spread(self) -> Spread<W> {
        let outcomes = self.outcomes.into_iter().map(|(number, weight)| (Value::Int(number), weight));
        Spread { outcomes: outcomes.collect(), lost: self.lost }
    }

    fn mass(&self) -> W {
        let mut mass = W::zero();
        self.outcomes.iter().for_each(|(_, weight)| mass.add(weight));
        mass
    }

    fn is_zero(&self) -> bool {
        matches!(self.outcomes.as_slice(), [(0, weight)] if *weight == W::one())
    }
}

/// The sum of two independent numbers, or their difference.
pub(super) fn add<W: Weight>(
    a: &NumberSums<W>,
    b: &NumberSums<W>,
    subtract: bool,
    budget: &ChanceBudget,
    at: Span,
) -> EvalResult<NumberSums<W>> {
    if b.is_zero() {
        return Ok(a.clone());
    }
    if a.is_zero() && !subtract {
        return Ok(b.clone());
    }
    budget.charge(a.outcomes.len().saturating_mul(b.outcomes.len()), at)?;
    let sum = |a: i64, b: i64| if subtract { a - b } else { a + b };
    let mut lost = a.mass().times(&b.lost);
    lost.add(&a.lost);
    let ends = |numbers: &NumberSums<W>| Some((numbers.outcomes.first()?.0, numbers.outcomes.last()?.0));
    let (Some((a_low, a_high)), Some((b_low, b_high))) = (ends(a), ends(b)) else {
        return Ok(NumberSums { outcomes: Vec::new(), lost });
    };
    let (low, high) = if subtract { (a_low - b_high, a_high - b_low) } else { (a_low + b_low, a_high + b_high) };
    limits::check_number(low, at)?;
    limits::check_number(high, at)?;
    let pairs = a.outcomes.len().saturating_mul(b.outcomes.len());
    let combinations = i64::try_from(pairs).unwrap_or(i64::MAX);
    let is_dense = high - low <= combinations.saturating_mul(SPARSE).saturating_add(SMALL_ARRAY);
    let outcomes: Vec<(i64, W)> = if high - low <= MAX_ARRAY && is_dense {
        let place = |number: i64| usize::try_from(number - low).unwrap_or(0);
        let mut array = vec![W::zero(); place(high) + 1];
        for (x, p) in &a.outcomes {
            for (y, q) in &b.outcomes {
                array[place(sum(*x, *y))].add(&p.times(q));
            }
        }
        (low..=high).zip(array).filter(|(_, weight)| !weight.is_zero()).collect()
    } else if pairs <= MAX_SORTED {
        budget.charge(pairs * (SEARCH_WORK - 1), at)?;
        let mut all: Vec<(i64, W)> = Vec::with_capacity(pairs);
        for (x, p) in &a.outcomes {
            all.extend(b.outcomes.iter().map(|(y, q)| (sum(*x, *y), p.times(q))));
        }
        all.sort_by_key(|(number, _)| *number);
        all.dedup_by(|(number, weight), (kept, sum)| {
            let is_same = number == kept;
            if is_same {
                sum.add(weight);
            }
            is_same
        });
        all.retain(|(_, weight)| !weight.is_zero());
        all
    } else {
        budget.charge(pairs.saturating_mul(SEARCH_WORK - 1), at)?;
        let mut all: BTreeMap<i64, W> = BTreeMap::new();
        for (x, p) in &a.outcomes {
            for (y, q) in &b.outcomes {
                all.entry(sum(*x, *y)).or_insert_with(W::zero).add(&p.times(q));
            }
            // Before there are millions of them.
            if all.len() > MAX_ARRAY as usize {
                return too_many_outcomes(at);
            }
        }
        all.into_iter().filter(|(_, weight)| !weight.is_zero()).collect()
    };
    if outcomes.len() > MAX_OUTCOMES {
        return too_many_outcomes(at);
    }
    Ok(NumberSums { outcomes, lost })
}

/// The sum of `rolls` separate rolls of `one`, by doubling; fewer than 0 are none.
pub(super) fn repeated<W: Weight>(
    rolls: i64,
    one: &NumberSums<W>,
    budget: &ChanceBudget,
    at: Span,
) -> EvalResult<NumberSums<W>> {
    if rolls > i64::from(MAX_ROLLS) {
        return too_many_dice(format!("{rolls} rolls at a time, at most {MAX_ROLLS} are allowed"), at);
    }
    let mut left = rolls.max(0);
    let mut total = NumberSums::certain(0);
    let mut doubled = one.clone();
    loop {
        if left & 1 == 1 {
            total = add(&total, &doubled, false, budget, at)?;
        }
        left >>= 1;
        if left == 0 {
            return Ok(total);
        }
        doubled = add(&doubled, &doubled, false, budget, at)?;
    }
}

/// The sum of `count` dice with `sides` sides.
pub(super) fn dice<W: Weight>(count: u32, sides: u32, budget: &ChanceBudget, at: Span) -> EvalResult<NumberSums<W>> {
    let each = W::ratio(1, sides.max(1));
    let outcomes = (1..=i64::from(sides)).map(|face| (face, each.clone())).collect();
    repeated(i64::from(count), &NumberSums { outcomes, lost: W::zero() }, budget, at)
}

/// Checks the number of dice and sides as written.
pub(super) fn dice_hold(count: u64, sides: u64, at: Span) -> Result<(u32, u32), FormulaError> {
    let held = |n: u64, most: u32| u32::try_from(n).ok().filter(|n| (1..=most).contains(n));
    match (held(count, MAX_ROLLS), held(sides, super::MAX_SIDES)) {
        (Some(count), Some(sides)) => Ok((count, sides)),
        _ => {
            let message = format!("cannot roll {count} dice with {sides} sides");
            too_many_dice(message, at).map_err(|error| *error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of a die with these faces.
    fn faces(numbers: impl Iterator<Item = i64>, of: u32) -> NumberSums<f64> {
        NumberSums { outcomes: numbers.map(|number| (number, f64::ratio(1, of))).collect(), lost: 0.0 }
    }

    #[test]
    fn sums_far_apart_are_those_of_near_numbers_and_count_as_what_they_take() {
        // 60 × 60 is sorted, 80 × 80 is searched; a thousand times as far apart the same sums come from an array.
        for many in [60_u32, 80] {
            let spent = |far: i64| {
                let die = faces((0..i64::from(many)).map(|face| face * face * far), many);
                let budget = ChanceBudget::new(1_000_000);
                let sums = add(&die, &die, false, &budget, Span::default()).unwrap();
                (sums.outcomes, 1_000_000 - budget.remaining())
            };
            let (near, array_work) = spent(1);
            let (far, search_work) = spent(1_000_003);
            let near: Vec<(i64, f64)> = near.into_iter().map(|(number, weight)| (number * 1_000_003, weight)).collect();
            assert_eq!(near, far, "{many}");
            assert_eq!(array_work, u64::from(many * many));
            assert_eq!(search_work, array_work * 8);
        }
    }

    #[test]
    fn work_that_runs_out_is_not_called_many_outcomes() {
        let die = faces(1..=6, 6);
        let error = add(&die, &die, false, &ChanceBudget::new(35), Span::default()).unwrap_err();
        assert_eq!(error.code, "too-many-states");
        assert_eq!(error.message, "more multiplications than one question may take");
        assert!(add(&die, &die, false, &ChanceBudget::new(36), Span::default()).is_ok());
    }
}
