//! Formulas with dice: takes a compiled formula and a host, gives the distribution of its value. Every roll is counted, none is sampled; each die
//! written is a roll of its own.

mod check;
mod dice_text;
mod lift;
mod sums;

use std::cell::Cell;
use std::cmp::Ordering;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering as MemoryOrdering};

use moldloft_base::source::Span;

use super::error::{EvalResult, FormulaErrorKind, fail};
use super::{FormulaError, Value};

pub(super) use check::{DICE_FUNCTIONS, die, roll_call};
pub(super) use lift::spread;

/// Most sides of a die.
pub const MAX_SIDES: u32 = 1_000;
/// Most rolls of one die, text or `times`.
pub const MAX_ROLLS: u32 = 10_000;
/// Most different values of a formula or of a part of it.
pub const MAX_OUTCOMES: usize = 4_096;
/// Most combinations of values that one formula may go through.
pub const MAX_COMBINATIONS: u32 = 262_144;
/// The chain of a die that is rolled again is followed until less than this is left.
pub const CHAIN_REST: f64 = 1e-14;
/// Multiplications that one question may take; the largest sample ship takes some millions.
pub const MAX_MULTIPLICATIONS: u64 = 20_000_000;

/// What probabilities are counted in: `f64`, or fractions in tests. Never negative.
pub trait Weight: Clone + Debug + PartialEq + Send + Sync {
    fn zero() -> Self;
    fn one() -> Self;
    /// `part` of `of`, which is not 0.
    fn ratio(part: u32, of: u32) -> Self;
    fn add(&mut self, other: &Self);
    #[must_use]
    fn times(&self, other: &Self) -> Self;
    fn is_zero(&self) -> bool;
    /// Whether it may be left out and added to what is lost: never where numbers are exact.
    fn is_negligible(&self, under: f64) -> bool;
    fn value(&self) -> f64;
}

impl Weight for f64 {
    #[inline]
    fn zero() -> Self {
        0.0
    }

    #[inline]
    fn one() -> Self {
        1.0
    }

    #[inline]
    fn ratio(part: u32, of: u32) -> Self {
        f64::from(part) / f64::from(of)
    }

    #[inline]
    fn add(&mut self, other: &Self) {
        *self += other;
    }

    #[inline]
    fn times(&self, other: &Self) -> Self {
        self * other
    }

    #[inline]
    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    #[inline]
    fn is_negligible(&self, under: f64) -> bool {
        *self < under
    }

    #[inline]
    fn value(&self) -> f64 {
        *self
    }
}

/// A distribution of values: each once, in order, with its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread<W> {
    pub outcomes: Vec<(Value, W)>,
    /// What is left of chains that were not followed to their end; with the outcomes it makes 1.
    pub lost: W,
}

impl<W: Weight> Spread<W> {
    pub fn certain(value: Value) -> Self {
        Self { outcomes: vec![(value, W::one())], lost: W::zero() }
    }

    /// Puts equal values together. The order in which equal values come decides how they are added.
    pub fn of(mut outcomes: Vec<(Value, W)>, lost: W) -> Self {
        outcomes.sort_by(|(a, _), (b, _)| order(a, b));
        let mut kept: Vec<(Value, W)> = Vec::with_capacity(outcomes.len());
        for (value, weight) in outcomes {
            match kept.last_mut() {
                Some((last, sum)) if *last == value => sum.add(&weight),
                _ => kept.push((value, weight)),
            }
        }
        Self { outcomes: kept, lost }
    }

    /// The sum of all outcomes' probabilities.
    pub fn mass(&self) -> W {
        let mut mass = W::zero();
        self.outcomes.iter().for_each(|(_, weight)| mass.add(weight));
        mass
    }

    /// The mean of its numbers and flags (1 or 0); what is lost counts as 0. `None` if it has other values.
    pub fn mean(&self) -> Option<f64> {
        let mut mean = 0.0;
        for (value, weight) in &self.outcomes {
            mean += weight.value()
                * match value {
                    Value::Int(number) => *number as f64,
                    Value::Flag(flag) => f64::from(u8::from(*flag)),
                    _ => return None,
                };
        }
        Some(mean)
    }

    pub(super) fn into_flags(self) -> Self {
        let flags = self.outcomes.into_iter().map(|(value, weight)| (flag(&value), weight));
        Self::of(flags.collect(), self.lost)
    }
}

pub(super) fn flag(value: &Value) -> Value {
    value.as_bool().map_or(Value::Null, Value::Flag)
}

/// A total order over values: by kind, then by value.
pub fn order(a: &Value, b: &Value) -> Ordering {
    let kind = |value: &Value| match value {
        Value::Null => 0,
        Value::Flag(_) => 1,
        Value::Int(_) => 2,
        Value::Text(_) => 3,
        Value::List(_) => 4,
        Value::Record(_) => 5,
    };
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Flag(a), Value::Flag(b)) => a.cmp(b),
        (Value::Text(a), Value::Text(b)) => a.cmp(b),
        (Value::List(a), Value::List(b)) => {
            let pairs = a.iter().zip(b.iter()).map(|(a, b)| order(a, b));
            pairs.fold(Ordering::Equal, Ordering::then).then(a.len().cmp(&b.len()))
        }
        (Value::Record(a), Value::Record(b)) => {
            let pairs = a.entries.iter().zip(&b.entries);
            let pairs = pairs.map(|((a, left), (b, right))| a.cmp(b).then_with(|| order(left, right)));
            pairs.fold(Ordering::Equal, Ordering::then).then(a.entries.len().cmp(&b.entries.len()))
        }
        _ => kind(a).cmp(&kind(b)),
    }
}

/// The work that one question may still do.
#[derive(Debug)]
pub struct ChanceBudget {
    multiplications: Cell<u64>,
    /// Set by whoever no longer needs the answer: then nothing is left.
    cancelled: Option<Arc<AtomicBool>>,
}

impl Default for ChanceBudget {
    fn default() -> Self {
        Self::new(MAX_MULTIPLICATIONS)
    }
}

impl ChanceBudget {
    pub fn new(multiplications: u64) -> Self {
        Self { multiplications: Cell::new(multiplications), cancelled: None }
    }

    /// Nothing is left once this is set.
    #[must_use]
    pub fn cancelled_by(self, cancelled: Option<Arc<AtomicBool>>) -> Self {
        Self { cancelled, ..self }
    }

    /// Multiplications that are left.
    pub fn remaining(&self) -> u64 {
        self.multiplications.get()
    }

    /// False when the work is used up; it then stays so.
    pub fn spend(&self, multiplications: usize) -> bool {
        if self.cancelled.as_ref().is_some_and(|flag| flag.load(MemoryOrdering::Relaxed)) {
            self.multiplications.set(0);
            return false;
        }
        match self.multiplications.get().checked_sub(multiplications as u64) {
            Some(left) => {
                self.multiplications.set(left);
                true
            }
            None => {
                self.multiplications.set(0);
                false
            }
        }
    }
}

impl ChanceBudget {
    fn charge(&self, multiplications: usize, at: Span) -> EvalResult<()> {
        if self.spend(multiplications) { Ok(()) } else { too_much_work(at) }
    }
}

#[cold]
fn too_many_dice<T>(message: String, at: Span) -> EvalResult<T> {
    let error = fail("too-many-dice", message, at);
    error.map_err(|error| {
        Box::new(error.help(format!("use dice with at most {MAX_SIDES} sides, at most {MAX_ROLLS} at a time")))
    })
}

#[cold]
fn too_much_work<T>(at: Span) -> EvalResult<T> {
    let error =
        FormulaError::of_kind(FormulaErrorKind::TooManyStates, "more multiplications than one question may take", at);
    Err(Box::new(error.help("ask a smaller question, or roll fewer dice")))
}

#[cold]
fn too_many_outcomes<T>(at: Span) -> EvalResult<T> {
    let message = format!(
        "more than {MAX_OUTCOMES} different outcomes, or {MAX_COMBINATIONS} combinations of them, in one formula"
    );
    fail("too-many-outcomes", message, at)
        .map_err(|error: Box<super::FormulaError>| Box::new(error.help("split it into steps, or roll fewer dice")))
}
