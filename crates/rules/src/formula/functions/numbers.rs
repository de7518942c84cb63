//! Functions of numbers. They compute in 128 bits, so that only the result can overflow.

use moldloft_base::source::Span;

use super::super::error::{EvalResult, division_by_zero, fail};
use super::super::limits::check_wide;
use super::super::operators::floor_div;
use super::super::run::FunctionContext;
use super::super::{FormulaError, Type, Value};
use super::call_arguments::CallArguments;

const ROUNDING: [&str; 3] = ["nearest", "down", "up"];

/// How a quotient becomes a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Rounding {
    /// Halves go up.
    Nearest,
    Down,
    Up,
}

impl Rounding {
    /// The roundings of `rounded`, by the word of its first argument.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "nearest" => Some(Self::Nearest),
            "down" => Some(Self::Down),
            "up" => Some(Self::Up),
            _ => None,
        }
    }

    /// `by` is not 0; both are within the range of numbers.
    pub fn divide(self, number: i64, by: i64) -> i128 {
        match self {
            Self::Down => floor_div(number, by),
            // ceil(a / b) = -floor(-a / b)
            Self::Up => -floor_div(-number, by),
            // floor(a / b + 1/2) = floor((2a + b) / 2b)
            Self::Nearest => {
                let (a, b) = (i128::from(number), i128::from(by));
                let (over, under) = if b < 0 { (-2 * a - b, -2 * b) } else { (2 * a + b, 2 * b) };
                over.div_euclid(under)
            }
        }
    }
}

pub(super) fn check(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    (0..given.count()).try_for_each(|place| given.int(place))?;
    Ok(Type::Int)
}

pub(super) fn check_division(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    check(given)?;
    not_zero(given, 1)?;
    Ok(Type::Int)
}

fn not_zero(given: &CallArguments<'_>, place: usize) -> Result<(), FormulaError> {
    match given.literal(place) {
        Some(Value::Int(0)) => Err(*division_by_zero(given.at(place))),
        _ => Ok(()),
    }
}

pub(super) fn check_extreme(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    if given.count() > 1 {
        return check(given);
    }
    match given.ty(0) {
        Type::Any => Ok(Type::Int),
        Type::List(item) if matches!(**item, Type::Int | Type::Any) => Ok(Type::Int),
        _ => Err(given.wrong(0, "two or more numbers or a list of them")),
    }
}

pub(super) fn check_rounded(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.text(0)?;
    given.int(1)?;
    given.int(2)?;
    not_zero(given, 2)?;
    let known = |word: &str| ROUNDING.contains(&word);
    let unknown = match (given.literal(0), given.ty(0)) {
        (Some(Value::Text(word)), _) if !known(&word) => Some(word),
        (None, Type::Text(Some(options))) => options.iter().find(|word| !known(word)).cloned(),
        _ => None,
    };
    match unknown {
        Some(word) => Err(*rounding(&word, given.at(0))),
        None => Ok(Type::Int),
    }
}

fn rounding(word: &str, at: Span) -> Box<FormulaError> {
    let help = match moldloft_base::finding::nearest(word, ROUNDING) {
        Some(near) => format!("did you mean '{near}'?"),
        None => "use one of: nearest, down, up".to_owned(),
    };
    Box::new(FormulaError::new("unknown-option", format!("unknown rounding '{word}'"), at).help(help))
}

pub(super) fn abs(given: &[i64], at: Span) -> EvalResult<i64> {
    check_wide(i128::from(given[0]).abs(), at)
}

pub(super) fn ceil_div(given: &[i64], at: Span) -> EvalResult<i64> {
    up(given[0], given[1], at)
}

pub(super) fn round_div(given: &[i64], at: Span) -> EvalResult<i64> {
    nearest(given[0], given[1], at)
}

pub(super) fn clamp(given: &[i64], at: Span) -> EvalResult<i64> {
    check_wide(i128::from(given[0].min(given[2]).max(given[1])), at)
}

pub(super) fn min(given: &[i64], at: Span) -> EvalResult<i64> {
    extreme(given.iter().min(), "min", at)
}

pub(super) fn max(given: &[i64], at: Span) -> EvalResult<i64> {
    extreme(given.iter().max(), "max", at)
}

pub(super) fn extreme(found: Option<&i64>, function: &str, at: Span) -> EvalResult<i64> {
    match found {
        Some(number) => Ok(*number),
        None => fail("empty-list", format!("{function} of an empty list"), at),
    }
}

pub(super) fn rounded(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::Text(how), Value::Int(a), Value::Int(b)] = given else { return mismatch(work) };
    Ok(Value::Int(match &**how {
        "nearest" => nearest(*a, *b, work.at)?,
        "down" if *b == 0 => return Err(division_by_zero(work.at)),
        "down" => check_wide(floor_div(*a, *b), work.at)?,
        "up" => up(*a, *b, work.at)?,
        other => return Err(rounding(other, work.at)),
    }))
}

pub(super) fn mismatch<T>(work: &FunctionContext<'_, '_>) -> EvalResult<T> {
    fail("wrong-type", "an argument has the wrong type", work.at)
}

fn up(a: i64, b: i64, at: Span) -> EvalResult<i64> {
    if b == 0 {
        return Err(division_by_zero(at));
    }
    a.checked_neg().ok_or_else(|| super::super::error::overflow(at))?;
    check_wide(Rounding::Up.divide(a, b), at)
}

fn nearest(a: i64, b: i64, at: Span) -> EvalResult<i64> {
    if b == 0 {
        return Err(division_by_zero(at));
    }
    check_wide(Rounding::Nearest.divide(a, b), at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_up_on_both_sides_of_zero() {
        let at = Span::default();
        let round = |a, b| round_div(&[a, b], at).unwrap();
        assert_eq!(
            [round(5, 2), round(-5, 2), round(5, -2), round(-5, -2), round(7, 4), round(-7, 4)],
            [3, -2, -2, 3, 2, -2]
        );
        let ceil = |a, b| ceil_div(&[a, b], at).unwrap();
        assert_eq!([ceil(5, 2), ceil(-5, 2), ceil(5, -2), ceil(-5, -2), ceil(4, 2), ceil(0, 7)], [3, -2, -2, 3, 2, 0]);
        assert_eq!(ceil_div(&[i64::MIN, -1], at).unwrap_err().code, "overflow");
        assert_eq!(abs(&[i64::MIN], at).unwrap_err().code, "overflow");
        assert_eq!(round_div(&[1, 0], at).unwrap_err().code, "division-by-zero");
    }

    #[test]
    fn clamp_keeps_within_and_low_wins() {
        let at = Span::default();
        let clamp = |a, low, high| clamp(&[a, low, high], at).unwrap();
        assert_eq!([clamp(5, 1, 3), clamp(0, 1, 3), clamp(2, 1, 3), clamp(2, 5, 3)], [3, 1, 2, 5]);
    }
}
