//! Values over a box: everything that a formula can give for the designs in it.

use std::sync::Arc;

use super::super::Value;
use super::number::{LeverBox, NumberRange};

/// Most texts, items or rows that are kept apart; more become any value.
const MAX_APART: usize = 64;

#[derive(Clone, Debug, PartialEq)]
pub struct RangeValue {
    /// Whether it is not computable for some designs.
    pub may_be_null: bool,
    pub kind: RangeKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RangeKind {
    /// Not computable for every design.
    Nothing,
    Number(NumberRange),
    Flag {
        may_be_false: bool,
        may_be_true: bool,
    },
    /// One of these.
    Texts(Vec<Arc<str>>),
    /// This list or record.
    Exact(Value),
    /// So many items.
    List(Vec<RangeValue>),
    Record(Vec<(Arc<str>, RangeValue)>),
    Any,
}

/// What a condition can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    pub may_be_false: bool,
    pub may_be_true: bool,
    pub may_be_null: bool,
}

impl Truth {
    pub const UNKNOWN: Self = Self { may_be_false: true, may_be_true: true, may_be_null: true };

    pub fn of(flag: Option<bool>) -> Self {
        Self { may_be_false: flag == Some(false), may_be_true: flag == Some(true), may_be_null: flag.is_none() }
    }

    pub fn is_certain(self) -> bool {
        self.may_be_true && !self.may_be_false && !self.may_be_null
    }

    /// Never true: false or not computable.
    pub fn is_impossible(self) -> bool {
        !self.may_be_true
    }

    #[must_use]
    pub fn negated(self) -> Self {
        Self { may_be_false: self.may_be_true, may_be_true: self.may_be_false, ..self }
    }

    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            may_be_false: self.may_be_false || other.may_be_false,
            may_be_true: self.may_be_true || other.may_be_true,
            may_be_null: self.may_be_null || other.may_be_null,
        }
    }

    pub fn into_value(self) -> RangeValue {
        let Self { may_be_false, may_be_true, may_be_null } = self;
        let kind = if may_be_false || may_be_true {
            RangeKind::Flag { may_be_false, may_be_true }
        } else {
            RangeKind::Nothing
        };
        RangeValue { may_be_null, kind }
    }
}

impl RangeValue {
    pub fn any() -> Self {
        Self { may_be_null: true, kind: RangeKind::Any }
    }

    pub fn null() -> Self {
        Self { may_be_null: true, kind: RangeKind::Nothing }
    }

    pub fn number(range: NumberRange) -> Self {
        Self { may_be_null: false, kind: RangeKind::Number(range) }
    }

    pub fn exact(value: &Value) -> Self {
        let kind = match value {
            Value::Null => return Self::null(),
            Value::Int(number) => RangeKind::Number(NumberRange::exact(*number)),
            Value::Flag(flag) => RangeKind::Flag { may_be_false: !flag, may_be_true: *flag },
            Value::Text(text) => RangeKind::Texts(vec![text.clone()]),
            other => RangeKind::Exact(other.clone()),
        };
        Self { may_be_null: false, kind }
    }

    #[must_use]
    pub fn or_null(mut self, may_be_null: bool) -> Self {
        self.may_be_null |= may_be_null;
        self
    }

    /// The one value that it can be.
    pub fn as_exact(&self) -> Option<Value> {
        match (&self.kind, self.may_be_null) {
            (RangeKind::Nothing, _) => Some(Value::Null),
            (_, true) => None,
            (RangeKind::Number(range), _) => range.as_exact().map(Value::Int),
            (RangeKind::Flag { may_be_false, may_be_true }, _) => {
                (may_be_false != may_be_true).then_some(Value::Flag(*may_be_true))
            }
            (RangeKind::Texts(texts), _) => match &**texts {
                [text] => Some(Value::Text(text.clone())),
                _ => None,
            },
            (RangeKind::Exact(value), _) => Some(value.clone()),
            _ => None,
        }
    }

    /// Its numbers; `None` when it has none.
    pub fn numbers(&self) -> Option<NumberRange> {
        match &self.kind {
            RangeKind::Number(range) => Some(range.clone()),
            RangeKind::Any => Some(NumberRange::any()),
            _ => None,
        }
    }

    pub fn truth(&self) -> Truth {
        let (may_be_false, may_be_true) = match &self.kind {
            RangeKind::Nothing => (false, false),
            RangeKind::Number(range) => (range.contains(0), range.low != 0 || range.high != 0),
            RangeKind::Flag { may_be_false, may_be_true } => (*may_be_false, *may_be_true),
            RangeKind::Texts(texts) => {
                (texts.iter().any(|text| text.is_empty()), texts.iter().any(|text| !text.is_empty()))
            }
            RangeKind::Exact(value) => match value.as_bool() {
                Some(flag) => (!flag, flag),
                None => (false, false),
            },
            RangeKind::List(items) => (items.is_empty(), !items.is_empty()),
            RangeKind::Record(entries) => (entries.is_empty(), !entries.is_empty()),
            RangeKind::Any => (true, true),
        };
        Truth { may_be_false, may_be_true, may_be_null: self.may_be_null }
    }

    /// Whether a design of the box can have this value.
    pub fn contains(&self, value: &Value) -> bool {
        match (&self.kind, value) {
            (_, Value::Null) => self.may_be_null,
            (RangeKind::Any, _) => true,
            (RangeKind::Number(range), Value::Int(number)) => range.contains(*number),
            (RangeKind::Flag { may_be_false, may_be_true }, Value::Flag(flag)) => {
                if *flag {
                    *may_be_true
                } else {
                    *may_be_false
                }
            }
            (RangeKind::Texts(texts), Value::Text(text)) => texts.contains(text),
            (RangeKind::Exact(exact), value) => exact == value,
            (RangeKind::List(items), Value::List(values)) => {
                items.len() == values.len() && items.iter().zip(values.iter()).all(|(item, value)| item.contains(value))
            }
            (RangeKind::Record(entries), Value::Record(record)) => {
                entries.len() == record.entries.len()
                    && entries.iter().all(|(name, range)| record.get(name).is_some_and(|value| range.contains(value)))
            }
            _ => false,
        }
    }

    /// Whether its sum of levers allows this number at a point of the box.
    pub fn sum_allows(&self, number: i64, point: &[i64]) -> bool {
        let RangeKind::Number(range) = &self.kind else { return true };
        let levers: Vec<(i64, i64)> = point.iter().map(|value| (*value, *value)).collect();
        let (low, high, _) = range.sum_range(&levers as &LeverBox);
        (low - 1e-6..=high + 1e-6).contains(&(number as f64))
    }

    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        let may_be_null = self.may_be_null || other.may_be_null;
        let kind = match (self.kind, other.kind) {
            (RangeKind::Nothing, kind) | (kind, RangeKind::Nothing) => kind,
            (RangeKind::Number(a), RangeKind::Number(b)) => RangeKind::Number(a.hull(&b)),
            (
                RangeKind::Flag { may_be_false: a, may_be_true: b },
                RangeKind::Flag { may_be_false: c, may_be_true: d },
            ) => RangeKind::Flag { may_be_false: a || c, may_be_true: b || d },
            (RangeKind::Texts(mut texts), RangeKind::Texts(others)) => {
                for text in others {
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
                if texts.len() > MAX_APART { RangeKind::Any } else { RangeKind::Texts(texts) }
            }
            (a, b) => hull_of_parts(a, b),
        };
        Self { may_be_null, kind }
    }
}

fn hull_of_parts(a: RangeKind, b: RangeKind) -> RangeKind {
    if a == b {
        return a;
    }
    match (items(&a), items(&b)) {
        (Some(a), Some(b)) if a.len() == b.len() => {
            return RangeKind::List(a.into_iter().zip(b).map(|(a, b)| a.hull(b)).collect());
        }
        _ => {}
    }
    match (entries(&a), entries(&b)) {
        (Some(a), Some(b)) if a.iter().map(|(name, _)| name).eq(b.iter().map(|(name, _)| name)) => {
            RangeKind::Record(a.into_iter().zip(b).map(|((name, a), (_, b))| (name, a.hull(b))).collect())
        }
        _ => RangeKind::Any,
    }
}

/// The items of a list whose length is known.
pub(super) fn items(kind: &RangeKind) -> Option<Vec<RangeValue>> {
    match kind {
        RangeKind::List(items) => Some(items.clone()),
        RangeKind::Exact(Value::List(items)) if items.len() <= MAX_APART => {
            Some(items.iter().map(RangeValue::exact).collect())
        }
        _ => None,
    }
}

fn entries(kind: &RangeKind) -> Option<Vec<(Arc<str>, RangeValue)>> {
    match kind {
        RangeKind::Record(entries) => Some(entries.clone()),
        RangeKind::Exact(Value::Record(record)) => {
            Some(record.entries.iter().map(|(name, value)| (name.clone(), RangeValue::exact(value))).collect())
        }
        _ => None,
    }
}
