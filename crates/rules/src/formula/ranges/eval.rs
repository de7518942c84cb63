//! Evaluates a compiled tree over a box. What may fail is noted for the whole formula, which is then null.

use moldloft_base::source::Span;

use super::super::Value;
use super::super::eval::{field, item};
use super::super::node::{FormulaNode, NodeOp};
use super::super::operators::{self, equal};
use super::super::syntax::{CompareOp, ProductOp, SumOp};
use super::functions;
use super::number::{LeverBox, NumberRange};
use super::run::RangeRun;
use super::value::{RangeKind, RangeValue, Truth, items};
use crate::formula::functions::Rounding;

/// Most items among which an unknown place is looked for.
const MAX_PLACES: i64 = 256;

impl RangeRun<'_> {
    pub fn values(&self, nodes: &[FormulaNode]) -> Vec<RangeValue> {
        nodes.iter().map(|node| self.value(node)).collect()
    }

    pub fn value(&self, node: &FormulaNode) -> RangeValue {
        match &node.op {
            NodeOp::Const(value) => RangeValue::exact(value),
            NodeOp::Slot(slot) | NodeOp::IntSlot(slot) => self.host.read(*slot),
            NodeOp::Field(inner, name) => self.field(&self.value(inner), name, node.at),
            NodeOp::Index(parts) => self.item(&self.value(&parts[0]), &self.value(&parts[1]), node.at),
            NodeOp::HostCall(call, arguments) => {
                let arguments = self.values(arguments);
                let may_be_null = arguments.iter().any(|argument| argument.may_be_null);
                self.host.call(*call, &arguments).or_null(may_be_null)
            }
            NodeOp::NumberCall(function, _, arguments) => {
                functions::number_call(self, function.name, &self.values(arguments))
            }
            NodeOp::ValueCall(function, compute, arguments, names) => {
                functions::value_call(self, function.name, *compute, &self.values(arguments), names, node.at)
            }
            NodeOp::List { items, .. } => {
                let items = self.values(items);
                let exact: Option<Vec<Value>> = items.iter().map(RangeValue::as_exact).collect();
                match exact {
                    Some(exact) => RangeValue::exact(&Value::List(exact.into())),
                    None => RangeValue { may_be_null: false, kind: RangeKind::List(items) },
                }
            }
            NodeOp::Negate(inner) => {
                let value = self.value(inner);
                match value.numbers() {
                    Some(range) => {
                        self.note_type(&value);
                        RangeValue::number(range.negated()).or_null(value.may_be_null)
                    }
                    None => self.fail(),
                }
            }
            NodeOp::Not(_) | NodeOp::IsNotEmpty(_) | NodeOp::And(_) | NodeOp::Or(_) | NodeOp::Compare { .. } => {
                self.truth(node).into_value()
            }
            NodeOp::Sum { first, rest, .. } => self.sum(first, rest, node.at),
            NodeOp::Product { first, rest } => self.product(first, rest),
            NodeOp::If(parts) => {
                let condition = self.truth(&parts[1]);
                let value = match (condition.may_be_true, condition.may_be_false) {
                    (true, true) => self.value(&parts[0]).hull(self.value(&parts[2])),
                    (true, false) => self.value(&parts[0]),
                    (false, true) => self.value(&parts[2]),
                    (false, false) => RangeValue::null(),
                };
                value.or_null(condition.may_be_null)
            }
            NodeOp::Roll(..) => self.unknown(),
        }
    }

    pub fn truth(&self, node: &FormulaNode) -> Truth {
        match &node.op {
            NodeOp::Not(inner) => self.truth(inner).negated(),
            // An empty text and null are false here.
            NodeOp::IsNotEmpty(inner) => {
                let truth = self.truth(inner);
                Truth { may_be_false: truth.may_be_false || truth.may_be_null, may_be_null: false, ..truth }
            }
            NodeOp::And(items) => self.settle(items, false),
            NodeOp::Or(items) => self.settle(items, true),
            NodeOp::Compare { first, rest, .. } => {
                // False as soon as one pair is; null if none is and one is null.
                let mut whole = Truth::of(Some(true));
                let mut left = self.value(first);
                let mut may_be_null = left.may_be_null;
                for (relation, item) in rest {
                    let right = self.value(item);
                    may_be_null |= right.may_be_null;
                    whole = both(whole, self.compare(*relation, &left, &right, node.at));
                    left = right;
                }
                Truth { may_be_null: whole.may_be_null || may_be_null, ..whole }
            }
            NodeOp::If(parts) => {
                let condition = self.truth(&parts[1]);
                let truth = match (condition.may_be_true, condition.may_be_false) {
                    (true, true) => self.truth(&parts[0]).or(self.truth(&parts[2])),
                    (true, false) => self.truth(&parts[0]),
                    (false, true) => self.truth(&parts[2]),
                    (false, false) => Truth::of(None),
                };
                Truth { may_be_null: truth.may_be_null || condition.may_be_null, ..truth }
            }
            _ => self.value(node).truth(),
        }
    }

    /// `and` (`decides` is false) and `or` (`decides` is true).
    fn settle(&self, items: &[FormulaNode], decides: bool) -> Truth {
        let mut whole = Truth::of(Some(true));
        for item in items {
            let truth = self.truth(item);
            let truth = if decides { truth.negated() } else { truth };
            whole = both(whole, truth);
            // What comes after a certain end is not evaluated.
            if truth.may_be_false && !truth.may_be_true && !truth.may_be_null {
                break;
            }
        }
        if decides { whole.negated() } else { whole }
    }

    pub fn compare(&self, relation: CompareOp, left: &RangeValue, right: &RangeValue, at: Span) -> Truth {
        let may_be_null = left.may_be_null || right.may_be_null;
        let truth = match relation {
            CompareOp::Equal | CompareOp::NotEqual => {
                let equal = self.equal(left, right, at);
                if relation == CompareOp::NotEqual { equal.negated() } else { equal }
            }
            CompareOp::In | CompareOp::NotIn => {
                let found = self.contains(right, left, at);
                if relation == CompareOp::NotIn { found.negated() } else { found }
            }
            _ => match (left.numbers(), right.numbers()) {
                (Some(a), Some(b)) => {
                    self.note_type(left);
                    self.note_type(right);
                    compare_numbers(relation, &a, &b, self.levers())
                }
                _ => {
                    self.may_fail.set(true);
                    Truth::of(None)
                }
            },
        };
        Truth { may_be_null: truth.may_be_null || may_be_null, ..truth }
    }

    fn equal(&self, left: &RangeValue, right: &RangeValue, at: Span) -> Truth {
        match (&left.kind, &right.kind) {
            (RangeKind::Nothing, _) | (_, RangeKind::Nothing) => Truth::of(None),
            (RangeKind::Number(a), RangeKind::Number(b)) => compare_numbers(CompareOp::Equal, a, b, self.levers()),
            (RangeKind::Texts(a), RangeKind::Texts(b)) => Truth {
                may_be_true: a.iter().any(|text| b.contains(text)),
                may_be_false: a.len() > 1 || b.len() > 1 || a != b,
                may_be_null: false,
            },
            (
                RangeKind::Flag { may_be_false: a, may_be_true: b },
                RangeKind::Flag { may_be_false: c, may_be_true: d },
            ) => Truth { may_be_true: *a && *c || *b && *d, may_be_false: *a && *d || *b && *c, may_be_null: false },
            _ => match (left.as_exact(), right.as_exact()) {
                (Some(a), Some(b)) => {
                    self.exactly(|run| equal(&a, &b, run, at).map(|flag| flag.map_or(Value::Null, Value::Flag))).truth()
                }
                _ => Truth::UNKNOWN,
            },
        }
    }

    fn contains(&self, list: &RangeValue, value: &RangeValue, at: Span) -> Truth {
        if let (Some(list), Some(value)) = (list.as_exact(), value.as_exact()) {
            let found = self.exactly(|run| {
                let found = operators::compare(CompareOp::In, &value, &list, run, at)?;
                Ok::<_, Box<super::super::FormulaError>>(found.map_or(Value::Null, Value::Flag))
            });
            return found.truth();
        }
        let Some(items) = items(&list.kind) else {
            self.may_fail.set(true);
            return Truth::UNKNOWN;
        };
        self.host.record_work(items.len());
        // True as soon as one item is equal.
        let mut none = Truth::of(Some(true));
        for item in &items {
            let equal = self.equal(item, value, at);
            let may_be_null = equal.may_be_null || item.may_be_null;
            none = both(none, Truth { may_be_null, ..equal }.negated());
        }
        none.negated()
    }

    fn field(&self, record: &RangeValue, name: &str, at: Span) -> RangeValue {
        let value = match &record.kind {
            RangeKind::Nothing => RangeValue::null(),
            RangeKind::Record(entries) => match entries.iter().find(|(known, _)| **known == *name) {
                Some((_, value)) => value.clone(),
                None => self.fail(),
            },
            RangeKind::Exact(value) => self.exactly(|_| field(value, name, at).cloned()),
            _ => self.unknown(),
        };
        value.or_null(record.may_be_null)
    }

    fn item(&self, list: &RangeValue, place: &RangeValue, at: Span) -> RangeValue {
        let may_be_null = list.may_be_null || place.may_be_null;
        let value = match (&list.kind, place.numbers()) {
            (RangeKind::Nothing, _) | (_, None) => RangeValue::null(),
            (RangeKind::Exact(exact), Some(places)) if places.as_exact().is_some() => {
                self.exactly(|_| item(exact, places.as_exact(), at, at).cloned())
            }
            (RangeKind::Exact(Value::List(items)), Some(places)) => {
                self.some_item(items.len(), &places, |place| items.get(place).map(RangeValue::exact))
            }
            (RangeKind::List(items), Some(places)) => {
                self.some_item(items.len(), &places, |place| items.get(place).cloned())
            }
            _ => self.unknown(),
        };
        value.or_null(may_be_null)
    }

    fn some_item(&self, length: usize, places: &NumberRange, get: impl Fn(usize) -> Option<RangeValue>) -> RangeValue {
        let last = i64::try_from(length).unwrap_or(i64::MAX) - 1;
        if places.low < 0 || places.high > last {
            self.may_fail.set(true);
        }
        let (low, high) = (places.low.max(0), places.high.min(last));
        if high - low > MAX_PLACES {
            return RangeValue::any();
        }
        self.host.record_work(usize::try_from(high - low).unwrap_or(0));
        let items = (low..=high).filter_map(|place| get(usize::try_from(place).ok()?));
        items.reduce(RangeValue::hull).unwrap_or_else(RangeValue::null)
    }

    fn sum(&self, first: &FormulaNode, rest: &[(SumOp, FormulaNode)], at: Span) -> RangeValue {
        let mut total = self.value(first);
        for (sign, node) in rest {
            let next = self.value(node);
            let may_be_null = total.may_be_null || next.may_be_null;
            let sum = match (&total.kind, &next.kind) {
                (RangeKind::Nothing, _) | (_, RangeKind::Nothing) => RangeValue::null(),
                (RangeKind::Number(a), RangeKind::Number(b)) => {
                    let factor = if *sign == SumOp::Add { 1.0 } else { -1.0 };
                    self.number(a.plus(b, factor, self.levers()))
                }
                _ => match (total.as_exact(), next.as_exact()) {
                    (Some(a), Some(b)) => self.exactly(|run| {
                        let mut sum = operators::SumAccumulator::new(a);
                        let known = sum.add(*sign, &b, run, at)?;
                        Ok::<_, Box<super::super::FormulaError>>(if known { sum.into_value() } else { Value::Null })
                    }),
                    _ => self.unknown(),
                },
            };
            total = sum.or_null(may_be_null);
        }
        total
    }

    fn product(&self, first: &FormulaNode, rest: &[(ProductOp, FormulaNode)]) -> RangeValue {
        let mut total = self.value(first);
        for (sign, node) in rest {
            let next = self.value(node);
            let may_be_null = total.may_be_null || next.may_be_null;
            let levers = self.levers();
            self.note_type(&total);
            self.note_type(&next);
            let product = match (total.numbers(), next.numbers()) {
                (Some(a), Some(b)) => self.number(match sign {
                    ProductOp::Multiply => a.times(&b, levers),
                    ProductOp::FloorDivide => a.divided(&b, Rounding::Down, levers),
                    ProductOp::Remainder => a.remainder(&b, levers),
                }),
                _ => self.fail(),
            };
            total = product.or_null(may_be_null);
        }
        total
    }
}

/// Both hold: false if one is false, else null if one is null.
fn both(a: Truth, b: Truth) -> Truth {
    Truth {
        may_be_true: a.may_be_true && b.may_be_true,
        may_be_false: a.may_be_false || b.may_be_false,
        may_be_null: a.may_be_null && (b.may_be_true || b.may_be_null)
            || b.may_be_null && (a.may_be_true || a.may_be_null),
    }
}

pub(super) fn compare_numbers(relation: CompareOp, a: &NumberRange, b: &NumberRange, levers: &LeverBox) -> Truth {
    // The difference can be known better than both: a lever in both cancels out.
    let (low, high) = match a.minus(b, levers).range {
        Some(range) => (range.low, range.high),
        None => (i64::MIN, i64::MAX),
    };
    let (may_be_true, may_be_false) = match relation {
        CompareOp::Equal => (low <= 0 && high >= 0, low != 0 || high != 0),
        CompareOp::NotEqual => (low != 0 || high != 0, low <= 0 && high >= 0),
        CompareOp::Less => (low < 0, high >= 0),
        CompareOp::LessEqual => (low <= 0, high > 0),
        CompareOp::Greater => (high > 0, low <= 0),
        CompareOp::GreaterEqual => (high >= 0, low < 0),
        CompareOp::In | CompareOp::NotIn => (true, true),
    };
    Truth { may_be_true, may_be_false, may_be_null: false }
}
