//! Compares, adds and divides: takes values of types known only at run time, gives a value or an error.

use std::sync::Arc;

use moldloft_base::source::Span;

use super::Value;
use super::error::{EvalResult, fail, overflow, too_long_list, too_long_text, wrong_type};
use super::limits;
use super::run::FormulaRun;
use super::syntax::{CompareOp, SumOp};

impl CompareOp {
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterEqual => left >= right,
            // The compiler never makes such a comparison of numbers.
            Self::In | Self::NotIn => false,
        }
    }
}

/// Whether a relation holds; `None` when that hangs on a null.
pub(super) fn compare(
    relation: CompareOp,
    left: &Value,
    right: &Value,
    run: &FormulaRun<'_>,
    at: Span,
) -> EvalResult<Option<bool>> {
    match relation {
        CompareOp::Equal => equal(left, right, run, at),
        CompareOp::NotEqual => Ok(equal(left, right, run, at)?.map(|equal| !equal)),
        CompareOp::In => contains(right, left, run, at),
        CompareOp::NotIn => Ok(contains(right, left, run, at)?.map(|found| !found)),
        _ => match (left, right) {
            (Value::Null, _) | (_, Value::Null) => Ok(None),
            (Value::Int(left), Value::Int(right)) => Ok(Some(relation.holds(*left, *right))),
            (Value::Int(_), other) | (other, _) => Err(wrong_type("a number", other.describe(), at)),
        },
    }
}

/// `None` when it depends on a null part; false if another part differs anyway.
pub(super) fn equal(left: &Value, right: &Value, run: &FormulaRun<'_>, at: Span) -> EvalResult<Option<bool>> {
    Ok(match (left, right) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Int(left), Value::Int(right)) => Some(left == right),
        (Value::Flag(left), Value::Flag(right)) => Some(left == right),
        (Value::Text(left), Value::Text(right)) => {
            run.charge_work(left.len() / 16, at)?;
            Some(left == right)
        }
        (Value::List(left), Value::List(right)) => {
            if left.len() != right.len() {
                return Ok(Some(false));
            }
            run.charge_work(left.len(), at)?;
            all_equal(left.iter().zip(right.iter()), run, at)?
        }
        (Value::Record(left), Value::Record(right)) => {
            if left.entries.len() != right.entries.len() {
                return Ok(Some(false));
            }
            // Usually the names are in the same order; otherwise each is searched for, at quadratic cost.
            let same = left.entries.iter().zip(&right.entries).all(|((a, _), (b, _))| a == b);
            let length = left.entries.len();
            if same {
                run.charge_work(length, at)?;
                let pairs = left.entries.iter().zip(&right.entries).map(|((_, a), (_, b))| (a, b));
                return all_equal(pairs, run, at);
            }
            run.charge_work(length.saturating_mul(length), at)?;
            if !left.entries.iter().all(|(name, _)| right.get(name).is_some()) {
                return Ok(Some(false));
            }
            let pairs = left.entries.iter().filter_map(|(name, a)| Some((a, right.get(name)?)));
            all_equal(pairs, run, at)?
        }
        _ => Some(false),
    })
}

fn all_equal<'v>(
    pairs: impl Iterator<Item = (&'v Value, &'v Value)>,
    run: &FormulaRun<'_>,
    at: Span,
) -> EvalResult<Option<bool>> {
    let mut known = true;
    for (left, right) in pairs {
        match equal(left, right, run, at)? {
            Some(false) => return Ok(Some(false)),
            Some(true) => {}
            None => known = false,
        }
    }
    Ok(known.then_some(true))
}

fn contains(list: &Value, value: &Value, run: &FormulaRun<'_>, at: Span) -> EvalResult<Option<bool>> {
    match (list, value) {
        (Value::Null, _) | (_, Value::Null) => Ok(None),
        (Value::List(items), _) => {
            run.charge_work(items.len(), at)?;
            let mut known = true;
            for item in items.iter() {
                match equal(item, value, run, at)? {
                    Some(true) => return Ok(Some(true)),
                    Some(false) => {}
                    None => known = false,
                }
            }
            Ok(known.then_some(false))
        }
        (Value::Record(record), Value::Text(name)) => {
            run.charge_work(record.entries.len(), at)?;
            Ok(Some(record.get(name).is_some()))
        }
        (Value::Text(text), Value::Text(part)) => {
            run.charge_work(text.len() / 16 + part.len() / 16, at)?;
            Ok(Some(text.contains(&**part)))
        }
        (Value::Text(_) | Value::Record(_), other) => Err(wrong_type("text", other.describe(), at)),
        (other, _) => Err(wrong_type("a list", other.describe(), at)),
    }
}

/// A partial sum; text and lists grow in place.
pub(super) enum SumAccumulator {
    Int(i64),
    Text(String, usize),
    List(Vec<Value>),
    Other(Value),
}

impl SumAccumulator {
    pub fn new(first: Value) -> Self {
        match first {
            Value::Int(number) => Self::Int(number),
            Value::Text(text) => Self::Text(text.to_string(), text.chars().count()),
            other => Self::Other(other),
        }
    }

    /// False when the sum is null.
    pub fn add(&mut self, sign: SumOp, next: &Value, run: &FormulaRun<'_>, at: Span) -> EvalResult<bool> {
        if next.is_null() || matches!(self, Self::Other(Value::Null)) {
            return Ok(false);
        }
        if let Self::Other(Value::List(items)) = self {
            run.charge_items(items.len(), at)?;
            *self = Self::List(items.to_vec());
        }
        match (&mut *self, next) {
            (Self::Int(total), Value::Int(number)) => {
                let sum = match sign {
                    SumOp::Add => total.checked_add(*number),
                    SumOp::Subtract => total.checked_sub(*number),
                };
                *total = limits::check_number(sum.ok_or_else(|| overflow(at))?, at)?;
            }
            (Self::Text(text, characters), Value::Text(more)) if sign == SumOp::Add => {
                run.charge_work(more.len() / 16, at)?;
                *characters += more.chars().count();
                if *characters > limits::MAX_TEXT_CHARS {
                    return Err(too_long_text(at));
                }
                text.push_str(more);
            }
            (Self::List(items), Value::List(more)) if sign == SumOp::Add => {
                let length = items.len() + more.len();
                if length > limits::MAX_LIST_LEN {
                    return Err(too_long_list(i64::try_from(length).unwrap_or(i64::MAX), at));
                }
                run.charge_items(more.len(), at)?;
                items.extend_from_slice(more);
            }
            (before, next) => {
                let (before, sign) = (before.describe(), sign.sign());
                return fail("wrong-type", format!("cannot compute {before} {sign} {}", next.describe()), at);
            }
        }
        Ok(true)
    }

    fn describe(&self) -> &'static str {
        match self {
            Self::Int(_) => "a number",
            Self::Text(..) => "text",
            Self::List(_) => "a list",
            Self::Other(value) => value.describe(),
        }
    }

    pub fn into_value(self) -> Value {
        match self {
            Self::Int(number) => Value::Int(number),
            Self::Text(text, _) => Value::Text(Arc::from(text)),
            Self::List(items) => Value::List(items.into()),
            Self::Other(value) => value,
        }
    }
}

/// Division that rounds towards negative infinity; `by` is not 0.
pub(super) fn floor_div(number: i64, by: i64) -> i128 {
    let (number, by) = (i128::from(number), i128::from(by));
    let rest = number % by;
    number / by - i128::from(rest != 0 && (rest < 0) != (by < 0))
}

/// Remainder of [`floor_div`]; it has the sign of `by`.
pub(super) fn floor_rest(number: i64, by: i64) -> i128 {
    i128::from(number) - floor_div(number, by) * i128::from(by)
}
