//! What can be done with two values: comparing, adding. Takes values known only now, so every kind is looked at.

use std::sync::Arc;

use crate::source::Span;

use super::Value;
use super::limits;
use super::mistake::{Eval, fault, overflow, too_long_list, too_long_text, wrong};
use super::run::Run;
use super::syntax::{Plus, Relation};

impl Relation {
    /// Whether it holds between two numbers.
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::LessEqual => left <= right,
            Self::More => left > right,
            Self::MoreEqual => left >= right,
            // The compiler makes no such comparison of numbers.
            Self::In | Self::NotIn => false,
        }
    }
}

/// Whether a relation holds; `None` when that hangs on a null.
pub(super) fn compare(relation: Relation, left: &Value, right: &Value, run: &Run<'_>, at: Span) -> Eval<Option<bool>> {
    match relation {
        Relation::Equal => equal(left, right, run, at),
        Relation::Unequal => Ok(equal(left, right, run, at)?.map(|equal| !equal)),
        Relation::In => contains(right, left, run, at),
        Relation::NotIn => Ok(contains(right, left, run, at)?.map(|found| !found)),
        _ => match (left, right) {
            (Value::Null, _) | (_, Value::Null) => Ok(None),
            (Value::Int(left), Value::Int(right)) => Ok(Some(relation.holds(*left, *right))),
            (Value::Int(_), other) | (other, _) => Err(wrong("a number", other.describe(), at)),
        },
    }
}

/// Whether two values are equal. A null part leaves it open, unless another part already differs.
pub(super) fn equal(left: &Value, right: &Value, run: &Run<'_>, at: Span) -> Eval<Option<bool>> {
    Ok(match (left, right) {
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Int(left), Value::Int(right)) => Some(left == right),
        (Value::Flag(left), Value::Flag(right)) => Some(left == right),
        (Value::Text(left), Value::Text(right)) => {
            run.work(left.len() / 16, at)?;
            Some(left == right)
        }
        (Value::List(left), Value::List(right)) => {
            if left.len() != right.len() {
                return Ok(Some(false));
            }
            run.work(left.len(), at)?;
            all(left.iter().zip(right.iter()), run, at)?
        }
        (Value::Record(left), Value::Record(right)) => {
            if left.entries.len() != right.entries.len() {
                return Ok(Some(false));
            }
            // Names in the same order are the usual case; else each is looked for, which costs its square.
            let same = left.entries.iter().zip(&right.entries).all(|((a, _), (b, _))| a == b);
            let length = left.entries.len();
            if same {
                run.work(length, at)?;
                let pairs = left.entries.iter().zip(&right.entries).map(|((_, a), (_, b))| (a, b));
                return all(pairs, run, at);
            }
            run.work(length.saturating_mul(length), at)?;
            if !left.entries.iter().all(|(name, _)| right.get(name).is_some()) {
                return Ok(Some(false));
            }
            let pairs = left.entries.iter().filter_map(|(name, a)| Some((a, right.get(name)?)));
            all(pairs, run, at)?
        }
        _ => Some(false),
    })
}

fn all<'v>(pairs: impl Iterator<Item = (&'v Value, &'v Value)>, run: &Run<'_>, at: Span) -> Eval<Option<bool>> {
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

/// Whether a list holds a value, or a record has a name.
fn contains(list: &Value, value: &Value, run: &Run<'_>, at: Span) -> Eval<Option<bool>> {
    match (list, value) {
        (Value::Null, _) | (_, Value::Null) => Ok(None),
        (Value::List(items), _) => {
            run.work(items.len(), at)?;
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
            run.work(record.entries.len(), at)?;
            Ok(Some(record.get(name).is_some()))
        }
        (Value::Record(_), other) => Err(wrong("text", other.describe(), at)),
        (other, _) => Err(wrong("a list", other.describe(), at)),
    }
}

/// What `+` and `-` have made so far. Text and lists grow in place.
pub(super) enum Pile {
    Int(i64),
    Text(String, usize),
    List(Vec<Value>),
    Other(Value),
}

impl Pile {
    pub fn new(first: Value) -> Self {
        match first {
            Value::Int(number) => Self::Int(number),
            Value::Text(text) => Self::Text(text.to_string(), text.chars().count()),
            other => Self::Other(other),
        }
    }

    /// Adds one more; false when the whole is null.
    pub fn add(&mut self, sign: Plus, next: &Value, run: &Run<'_>, at: Span) -> Eval<bool> {
        if next.is_null() || matches!(self, Self::Other(Value::Null)) {
            return Ok(false);
        }
        if let Self::Other(Value::List(items)) = self {
            run.make(items.len(), at)?;
            *self = Self::List(items.to_vec());
        }
        match (&mut *self, next) {
            (Self::Int(total), Value::Int(number)) => {
                let sum = match sign {
                    Plus::Plus => total.checked_add(*number),
                    Plus::Minus => total.checked_sub(*number),
                };
                *total = limits::number(sum.ok_or_else(|| overflow(at))?, at)?;
            }
            (Self::Text(text, characters), Value::Text(more)) if sign == Plus::Plus => {
                run.work(more.len() / 16, at)?;
                *characters += more.chars().count();
                if *characters > limits::TEXT {
                    return Err(too_long_text(at));
                }
                text.push_str(more);
            }
            (Self::List(items), Value::List(more)) if sign == Plus::Plus => {
                let length = items.len() + more.len();
                if length > limits::LIST {
                    return Err(too_long_list(i64::try_from(length).unwrap_or(i64::MAX), at));
                }
                run.make(more.len(), at)?;
                items.extend_from_slice(more);
            }
            (before, next) => {
                let (before, sign) = (before.describe(), sign.sign());
                return fault("wrong-type", format!("cannot compute {before} {sign} {}", next.describe()), at);
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

    pub fn value(self) -> Value {
        match self {
            Self::Int(number) => Value::Int(number),
            Self::Text(text, _) => Value::Text(Arc::from(text)),
            Self::List(items) => Value::List(items.into()),
            Self::Other(value) => value,
        }
    }
}
