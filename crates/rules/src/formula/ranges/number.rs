//! Numbers over a box: an interval, and a sum of levers with what is left over. All operations include every number that can come out.

use std::ops::Neg;

use super::super::functions::Rounding;
use super::super::limits::MAX_NUMBER;

/// Sums with greater terms are dropped, since floating point could lose a unit there.
const MAX_TERM: f64 = 1e9;
/// Added outwards to each sum, for each unit of its greatest term.
const RELATIVE_SLACK: f64 = 1e-11;
const SLACK: f64 = 1e-9;
/// Added when an interval is cut to what a sum allows.
const CUT_SLACK: f64 = 1e-6;

/// The least and the greatest value of a lever, by lever.
pub type LeverBox = [(i64, i64)];

/// All whole numbers that a formula can give: from `low` to `high`, and within the sum of `terms` plus a number from `rest_low`
/// to `rest_high`.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberRange {
    pub low: i64,
    pub high: i64,
    /// Lever and factor, in the order of levers.
    pub terms: Vec<(u16, f64)>,
    pub rest_low: f64,
    pub rest_high: f64,
}

impl NumberRange {
    pub fn exact(number: i64) -> Self {
        Self::between(number, number)
    }

    pub fn between(low: i64, high: i64) -> Self {
        Self { low, high, terms: Vec::new(), rest_low: low as f64, rest_high: high as f64 }
    }

    pub fn any() -> Self {
        Self::between(-MAX_NUMBER, MAX_NUMBER)
    }

    /// The number of a lever itself.
    pub fn lever(lever: u16, within: (i64, i64)) -> Self {
        let (low, high) = within;
        if low == high || (low.unsigned_abs().max(high.unsigned_abs()) as f64) > MAX_TERM {
            return Self::between(low, high);
        }
        Self { low, high, terms: vec![(lever, 1.0)], rest_low: 0.0, rest_high: 0.0 }
    }

    pub fn as_exact(&self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    pub fn contains(&self, number: i64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// The least and greatest value of the sum in a box, and the magnitude of its terms.
    pub fn sum_range(&self, levers: &LeverBox) -> (f64, f64, f64) {
        let (mut low, mut high) = (self.rest_low, self.rest_high);
        let mut magnitude = low.abs().max(high.abs());
        for (lever, factor) in &self.terms {
            let Some((from, to)) = levers.get(usize::from(*lever)) else { continue };
            let (a, b) = (factor * *from as f64, factor * *to as f64);
            low += a.min(b);
            high += a.max(b);
            magnitude = magnitude.max(a.abs()).max(b.abs());
        }
        (low, high, magnitude)
    }

    /// Widens the sum against rounding and cuts the interval to it. `None` when nothing is left: no design of the box gets here.
    fn settled(mut self, levers: &LeverBox) -> Option<Self> {
        if self.terms.is_empty() {
            self.low = self.low.max((self.rest_low - CUT_SLACK).ceil().max(-1e16) as i64);
            self.high = self.high.min((self.rest_high + CUT_SLACK).floor().min(1e16) as i64);
            return (self.low <= self.high).then_some(Self::between(self.low, self.high));
        }
        self.terms.retain(|(_, factor)| *factor != 0.0);
        let (low, high, magnitude) = self.sum_range(levers);
        if magnitude.is_nan() || magnitude > MAX_TERM {
            return Some(Self::between(self.low, self.high));
        }
        let slack = SLACK + magnitude * RELATIVE_SLACK;
        self.rest_low -= slack;
        self.rest_high += slack;
        self.low = self.low.max((low - CUT_SLACK).ceil() as i64);
        self.high = self.high.min((high + CUT_SLACK).floor() as i64);
        if self.low == self.high {
            return Some(Self::exact(self.low));
        }
        (self.low < self.high).then_some(self)
    }

    pub fn plus(&self, other: &Self, factor: f64, levers: &LeverBox) -> NumberResult {
        let (low, high) = if factor >= 0.0 {
            (i128::from(self.low) + i128::from(other.low), i128::from(self.high) + i128::from(other.high))
        } else {
            (i128::from(self.low) - i128::from(other.high), i128::from(self.high) - i128::from(other.low))
        };
        let (a, b) = (factor * other.rest_low, factor * other.rest_high);
        let terms = merged(&self.terms, &other.terms, 1.0, factor);
        NumberResult::of(low, high, (terms, self.rest_low + a.min(b), self.rest_high + a.max(b)), levers)
    }

    pub fn minus(&self, other: &Self, levers: &LeverBox) -> NumberResult {
        self.plus(other, -1.0, levers)
    }

    pub fn negated(&self) -> Self {
        Self {
            low: self.high.saturating_neg(),
            high: self.low.saturating_neg(),
            terms: self.terms.iter().map(|(lever, factor)| (*lever, factor.neg())).collect(),
            rest_low: -self.rest_high,
            rest_high: -self.rest_low,
        }
    }

    fn scaled(&self, factor: f64) -> (Vec<(u16, f64)>, f64, f64) {
        let (a, b) = (self.rest_low * factor, self.rest_high * factor);
        (self.terms.iter().map(|(lever, each)| (*lever, each * factor)).collect(), a.min(b), a.max(b))
    }

    pub fn times(&self, other: &Self, levers: &LeverBox) -> NumberResult {
        let ends = [(self.low, other.low), (self.low, other.high), (self.high, other.low), (self.high, other.high)];
        let products = ends.map(|(a, b)| i128::from(a) * i128::from(b));
        let (low, high) = (products.iter().min(), products.iter().max());
        let (low, high) = (low.copied().unwrap_or(0), high.copied().unwrap_or(0));
        if let Some(factor) = other.as_exact() {
            return NumberResult::of(low, high, self.scaled(factor as f64), levers);
        }
        if let Some(factor) = self.as_exact() {
            return NumberResult::of(low, high, other.scaled(factor as f64), levers);
        }
        // About the middles: ab = bm a + am b - am bm, give or take ra rb.
        let middle = |range: &Self| (range.low as f64 + range.high as f64) / 2.0;
        let radius = |range: &Self| (range.high as f64 - range.low as f64) / 2.0;
        let (a, b) = (middle(self), middle(other));
        let (x, x_low, x_high) = self.scaled(b);
        let (y, y_low, y_high) = other.scaled(a);
        let error = radius(self) * radius(other);
        let sum = (merged(&x, &y, 1.0, 1.0), x_low + y_low - a * b - error, x_high + y_high - a * b + error);
        NumberResult::of(low, high, sum, levers)
    }

    /// Divided and rounded.
    pub(in crate::formula) fn divided(&self, by: &Self, rounding: Rounding, levers: &LeverBox) -> NumberResult {
        if by.low <= 0 && by.high >= 0 {
            // It fails at 0; otherwise it is nearer to 0 than the number itself, but for rounding.
            let most = self.low.unsigned_abs().max(self.high.unsigned_abs()).saturating_add(1);
            let most = i64::try_from(most).unwrap_or(MAX_NUMBER).min(MAX_NUMBER);
            let may_be_other = by.low < 0 || by.high > 0;
            let range = may_be_other.then(|| Self::between(-most, most));
            return NumberResult { range, may_fail: true };
        }
        let ends = [(self.low, by.low), (self.low, by.high), (self.high, by.low), (self.high, by.high)];
        let quotients = ends.map(|(a, b)| rounding.divide(a, b));
        let (low, high) = (quotients.iter().min(), quotients.iter().max());
        let (low, high) = (low.copied().unwrap_or(0), high.copied().unwrap_or(0));
        let Some(divisor) = by.as_exact() else {
            return NumberResult::of(low, high, (Vec::new(), low as f64, high as f64), levers);
        };
        let size = divisor.unsigned_abs() as f64;
        let (terms, rest_low, rest_high) = self.scaled(1.0 / divisor as f64);
        // Only parts of 1 / divisor can be cut off or added.
        let lost = (size - 1.0) / size;
        let (down, up) = match rounding {
            Rounding::Down => (lost, 0.0),
            Rounding::Up => (0.0, lost),
            Rounding::Nearest => (0.5, 0.5),
        };
        NumberResult::of(low, high, (terms, rest_low - down, rest_high + up), levers)
    }

    /// The remainder, which has the sign of `by`.
    pub fn remainder(&self, by: &Self, levers: &LeverBox) -> NumberResult {
        if let Some(divisor) = by.as_exact().filter(|divisor| *divisor != 0) {
            let quotient = |number| Rounding::Down.divide(number, divisor);
            if quotient(self.low) == quotient(self.high) {
                let whole = quotient(self.low) * i128::from(divisor);
                let whole = Self::exact(i64::try_from(whole).unwrap_or(0));
                return self.minus(&whole, levers);
            }
        }
        let (low, high) = ((by.low + 1).min(0), (by.high - 1).max(0));
        let range = (by.low != 0 || by.high != 0).then(|| Self::between(low, high));
        NumberResult { range, may_fail: by.contains(0) }
    }

    /// The greater of it and 0.
    fn positive_part(&self, levers: &LeverBox) -> NumberResult {
        let (low, high) = (i128::from(self.low), i128::from(self.high));
        if low >= 0 {
            return NumberResult::certain(self.clone());
        }
        if high <= 0 {
            return NumberResult::certain(Self::exact(0));
        }
        let (l, u) = (self.low as f64, self.high as f64);
        let slope = u / (u - l);
        let (terms, rest_low, rest_high) = self.scaled(slope);
        NumberResult::of(0, high, (terms, rest_low, rest_high - l * slope), levers)
    }

    pub fn greater(&self, other: &Self, levers: &LeverBox) -> NumberResult {
        if self.low >= other.high {
            return NumberResult::certain(self.clone());
        }
        if other.low >= self.high {
            return NumberResult::certain(other.clone());
        }
        let more = other.minus(self, levers).then(|more| more.positive_part(levers));
        let sum = more.then(|more| self.plus(more, 1.0, levers));
        sum.within(self.low.max(other.low), self.high.max(other.high))
    }

    pub fn lesser(&self, other: &Self, levers: &LeverBox) -> NumberResult {
        let greater = self.negated().greater(&other.negated(), levers);
        NumberResult { range: greater.range.map(|range| range.negated()), may_fail: greater.may_fail }
    }

    /// Both, and what is between them.
    pub fn hull(&self, other: &Self) -> Self {
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        if self.terms == other.terms && !self.terms.is_empty() {
            let (rest_low, rest_high) = (self.rest_low.min(other.rest_low), self.rest_high.max(other.rest_high));
            return Self { low, high, terms: self.terms.clone(), rest_low, rest_high };
        }
        Self::between(low, high)
    }
}

fn merged(a: &[(u16, f64)], b: &[(u16, f64)], by_a: f64, by_b: f64) -> Vec<(u16, f64)> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (Some((x, p)), Some((y, q))) if x == y => {
                out.push((*x, p * by_a + q * by_b));
                a.next();
                b.next();
            }
            (Some((x, p)), Some((y, _))) if x < y => {
                out.push((*x, p * by_a));
                a.next();
            }
            (_, Some((y, q))) => {
                out.push((*y, q * by_b));
                b.next();
            }
            (Some((x, p)), None) => {
                out.push((*x, p * by_a));
                a.next();
            }
            (None, None) => return out,
        }
    }
}

/// What an operation can give: no number at all, where it fails for every design of the box.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberResult {
    pub range: Option<NumberRange>,
    pub may_fail: bool,
}

impl NumberResult {
    pub fn certain(range: NumberRange) -> Self {
        Self { range: Some(range), may_fail: false }
    }

    /// Numbers beyond the language's bounds fail.
    fn of(low: i128, high: i128, sum: (Vec<(u16, f64)>, f64, f64), levers: &LeverBox) -> Self {
        let bound = i128::from(MAX_NUMBER);
        let may_fail = low < -bound || high > bound;
        let cut = |number: i128| i64::try_from(number.clamp(-bound, bound)).unwrap_or(0);
        if low > bound || high < -bound {
            return Self { range: None, may_fail };
        }
        let (low, high) = (cut(low), cut(high));
        let (terms, rest_low, rest_high) = sum;
        let range = if may_fail || terms.is_empty() {
            Some(NumberRange::between(low, high))
        } else {
            NumberRange { low, high, terms, rest_low, rest_high }.settled(levers)
        };
        // An empty range means that no design gets here; the interval alone is still right.
        Self { range: Some(range.unwrap_or_else(|| NumberRange::between(low, high))), may_fail }
    }

    pub fn then(self, next: impl FnOnce(&NumberRange) -> NumberResult) -> Self {
        match &self.range {
            Some(range) => {
                let result = next(range);
                Self { may_fail: self.may_fail || result.may_fail, ..result }
            }
            None => self,
        }
    }

    /// Cut to an interval that contains it.
    fn within(mut self, low: i64, high: i64) -> Self {
        if let Some(range) = &mut self.range {
            range.low = range.low.max(low);
            range.high = range.high.min(high).max(range.low);
        }
        self
    }
}
