//! Evaluates: takes a compiled tree and a run over a host, gives a value or an error. Null propagates.

use moldloft_base::source::Span;

use super::Value;
use super::error::{
    EvalResult, FormulaError, FormulaErrorKind, dice_without_chance, division_by_zero, no_such_item, no_such_name,
    overflow, wrong_type,
};
use super::functions::NumberFn;
use super::limits::{self, MAX_VALUE_DEPTH};
use super::node::{FormulaNode, NodeOp};
use super::operators::{self, SumAccumulator, floor_div, floor_rest};
use super::run::{FormulaRun, FunctionContext};
use super::syntax::{ProductOp, SumOp};

pub(super) enum ValueRef<'a> {
    Borrowed(&'a Value),
    Owned(Value),
}

impl ValueRef<'_> {
    pub fn get(&self) -> &Value {
        match self {
            Self::Borrowed(value) => value,
            Self::Owned(value) => value,
        }
    }

    pub fn into_owned(self) -> Value {
        match self {
            Self::Borrowed(value) => value.clone(),
            Self::Owned(value) => value,
        }
    }
}

impl FormulaNode {
    /// Evaluates to a number; `None` is null.
    pub fn eval_int(&self, run: &FormulaRun<'_>) -> EvalResult<Option<i64>> {
        Ok(Some(match &self.op {
            NodeOp::Const(Value::Int(number)) => *number,
            NodeOp::IntSlot(slot) => return Ok(run.host.read_int(*slot)),
            NodeOp::Sum { first, rest, ints: true } => {
                let Some(mut total) = first.eval_int(run)? else { return Ok(None) };
                for (sign, item) in rest {
                    let Some(number) = item.eval_int(run)? else { return Ok(None) };
                    let sum = match sign {
                        SumOp::Add => total.checked_add(number),
                        SumOp::Subtract => total.checked_sub(number),
                    };
                    total = limits::check_number(sum.ok_or_else(|| overflow(self.at))?, self.at)?;
                }
                total
            }
            NodeOp::Product { first, rest } => {
                let Some(mut total) = first.eval_int(run)? else { return Ok(None) };
                for (sign, item) in rest {
                    let Some(number) = item.eval_int(run)? else { return Ok(None) };
                    total = match sign {
                        ProductOp::Multiply => match total.checked_mul(number) {
                            Some(product) => limits::check_number(product, self.at)?,
                            None => return Err(overflow(self.at)),
                        },
                        _ if number == 0 => return Err(division_by_zero(item.at)),
                        ProductOp::FloorDivide => limits::check_wide(floor_div(total, number), self.at)?,
                        ProductOp::Remainder => limits::check_wide(floor_rest(total, number), self.at)?,
                    };
                }
                total
            }
            NodeOp::Negate(inner) => {
                let Some(number) = inner.eval_int(run)? else { return Ok(None) };
                limits::check_number(number.checked_neg().ok_or_else(|| overflow(self.at))?, self.at)?
            }
            NodeOp::NumberCall(_, compute, items) => return self.eval_numbers(*compute, items, run),
            NodeOp::If(parts) => {
                return match parts[1].eval_flag(run)? {
                    None => Ok(None),
                    Some(true) => parts[0].eval_int(run),
                    Some(false) => parts[2].eval_int(run),
                };
            }
            _ => {
                return match self.got(run)?.get() {
                    Value::Int(number) => Ok(Some(*number)),
                    Value::Null => Ok(None),
                    other => Err(wrong_type("a number", other.describe(), self.at)),
                };
            }
        }))
    }

    fn eval_numbers(&self, compute: NumberFn, items: &[FormulaNode], run: &FormulaRun<'_>) -> EvalResult<Option<i64>> {
        let mut few = [0; 6];
        let mut many = Vec::new();
        let numbers = if items.len() <= few.len() {
            &mut few[..items.len()]
        } else {
            many.resize(items.len(), 0);
            &mut many[..]
        };
        for (number, item) in numbers.iter_mut().zip(items) {
            let Some(found) = item.eval_int(run)? else { return Ok(None) };
            *number = found;
        }
        compute(numbers, self.at).map(Some)
    }

    /// Evaluates to a flag; `None` is null.
    pub fn eval_flag(&self, run: &FormulaRun<'_>) -> EvalResult<Option<bool>> {
        match &self.op {
            NodeOp::IntSlot(slot) => Ok(run.host.read_int(*slot).map(|number| number != 0)),
            NodeOp::Sum { ints: true, .. } | NodeOp::Product { .. } | NodeOp::Negate(_) | NodeOp::NumberCall(..) => {
                Ok(self.eval_int(run)?.map(|number| number != 0))
            }
            NodeOp::Not(inner) => Ok(inner.eval_flag(run)?.map(|flag| !flag)),
            NodeOp::IsNotEmpty(inner) => Ok(Some(inner.got(run)?.get().as_bool().unwrap_or(false))),
            // Null is "not known": false and null is false, in any order.
            NodeOp::And(items) => settle(items, false, run),
            NodeOp::Or(items) => settle(items, true, run),
            NodeOp::If(parts) => match parts[1].eval_flag(run)? {
                None => Ok(None),
                Some(true) => parts[0].eval_flag(run),
                Some(false) => parts[2].eval_flag(run),
            },
            NodeOp::Compare { first, rest, ints: true, .. } => {
                let Some(mut left) = first.eval_int(run)? else { return Ok(None) };
                for (relation, item) in rest {
                    let Some(right) = item.eval_int(run)? else { return Ok(None) };
                    if !relation.holds(left, right) {
                        return Ok(Some(false));
                    }
                    left = right;
                }
                Ok(Some(true))
            }
            NodeOp::Compare { first, rest, .. } => {
                let mut known = true;
                let mut left = first.got(run)?;
                for (relation, item) in rest {
                    let right = item.got(run)?;
                    match operators::compare(*relation, left.get(), right.get(), run, self.at)? {
                        Some(false) => return Ok(Some(false)),
                        Some(true) => {}
                        None => known = false,
                    }
                    left = right;
                }
                Ok(known.then_some(true))
            }
            _ => Ok(self.got(run)?.get().as_bool()),
        }
    }

    pub fn value(&self, run: &FormulaRun<'_>) -> EvalResult<Value> {
        Ok(match &self.op {
            NodeOp::Slot(slot) => run.host.read(*slot),
            NodeOp::IntSlot(_)
            | NodeOp::Sum { ints: true, .. }
            | NodeOp::Product { .. }
            | NodeOp::Negate(_)
            | NodeOp::NumberCall(..) => self.eval_int(run)?.map_or(Value::Null, Value::Int),
            NodeOp::Not(_) | NodeOp::IsNotEmpty(_) | NodeOp::And(_) | NodeOp::Or(_) | NodeOp::Compare { .. } => {
                self.eval_flag(run)?.map_or(Value::Null, Value::Flag)
            }
            NodeOp::HostCall(call, items) => self.host(*call, items, run)?,
            NodeOp::ValueCall(_, compute, items, names) => {
                with_values(items, run, |given| compute(&FunctionContext { run, at: self.at, names }, given))?
            }
            NodeOp::List { items, deep } => {
                run.charge_items(items.len(), self.at)?;
                let list: Vec<Value> = items.iter().map(|item| item.value(run)).collect::<EvalResult<_>>()?;
                let list = Value::List(list.into());
                if *deep {
                    run.check_depth(&list, MAX_VALUE_DEPTH, self.at)?;
                }
                list
            }
            NodeOp::Sum { first, rest, .. } => {
                let mut accumulator = SumAccumulator::new(first.got(run)?.into_owned());
                for (sign, item) in rest {
                    let next = item.got(run)?;
                    if !accumulator.add(*sign, next.get(), run, item.at)? {
                        return Ok(Value::Null);
                    }
                }
                accumulator.into_value()
            }
            NodeOp::Roll(..) => return Err(dice_without_chance(self.at)),
            _ => self.got(run)?.into_owned(),
        })
    }

    fn host(&self, call: u32, items: &[FormulaNode], run: &FormulaRun<'_>) -> EvalResult<Value> {
        let given: Vec<Value> = items.iter().map(|item| item.value(run)).collect::<EvalResult<_>>()?;
        if given.iter().any(Value::is_null) {
            return Ok(Value::Null);
        }
        run.host
            .call(call, &given)
            .map_err(|message| Box::new(FormulaError::of_kind(FormulaErrorKind::NoAnswer, message, self.at)))
    }

    pub fn got<'a>(&'a self, run: &FormulaRun<'a>) -> EvalResult<ValueRef<'a>> {
        Ok(match &self.op {
            NodeOp::Const(value) => ValueRef::Borrowed(value),
            NodeOp::Slot(slot) => match run.host.read_ref(*slot) {
                Some(value) => ValueRef::Borrowed(value),
                None => ValueRef::Owned(run.host.read(*slot)),
            },
            NodeOp::Field(inner, name) => match inner.got(run)? {
                ValueRef::Borrowed(value) => ValueRef::Borrowed(field(value, name, self.at)?),
                ValueRef::Owned(value) => ValueRef::Owned(field(&value, name, self.at)?.clone()),
            },
            NodeOp::Index(parts) => {
                let list = parts[0].got(run)?;
                let index = parts[1].eval_int(run)?;
                match list {
                    ValueRef::Borrowed(value) => ValueRef::Borrowed(item(value, index, parts[0].at, self.at)?),
                    ValueRef::Owned(value) => ValueRef::Owned(item(&value, index, parts[0].at, self.at)?.clone()),
                }
            }
            NodeOp::If(parts) => match parts[1].eval_flag(run)? {
                None => ValueRef::Owned(Value::Null),
                Some(true) => parts[0].got(run)?,
                Some(false) => parts[2].got(run)?,
            },
            _ => ValueRef::Owned(self.value(run)?),
        })
    }
}

/// Calls `with` with the values of `items`; gives null if one of them is null.
fn with_values(
    items: &[FormulaNode],
    run: &FormulaRun<'_>,
    with: impl FnOnce(&[&Value]) -> EvalResult<Value>,
) -> EvalResult<Value> {
    const FEW: usize = 4;
    if items.len() <= FEW {
        let mut got: [ValueRef<'_>; FEW] = [const { ValueRef::Owned(Value::Null) }; FEW];
        for (got, item) in got.iter_mut().zip(items) {
            *got = item.got(run)?;
            if got.get().is_null() {
                return Ok(Value::Null);
            }
        }
        let given: [&Value; FEW] = std::array::from_fn(|place| got[place].get());
        return with(&given[..items.len()]);
    }
    let got: Vec<ValueRef<'_>> = items.iter().map(|item| item.got(run)).collect::<EvalResult<_>>()?;
    let given: Vec<&Value> = got.iter().map(ValueRef::get).collect();
    if given.iter().any(|value| value.is_null()) { Ok(Value::Null) } else { with(&given) }
}

/// `and` (`decides` is false) and `or` (`decides` is true).
fn settle(items: &[FormulaNode], decides: bool, run: &FormulaRun<'_>) -> EvalResult<Option<bool>> {
    let mut known = true;
    for item in items {
        match item.eval_flag(run)? {
            Some(flag) if flag == decides => return Ok(Some(decides)),
            Some(_) => {}
            None => known = false,
        }
    }
    Ok(known.then_some(!decides))
}

static NULL: Value = Value::Null;

pub(super) fn field<'v>(value: &'v Value, name: &str, at: Span) -> EvalResult<&'v Value> {
    match value {
        Value::Record(record) => {
            record.get(name).ok_or_else(|| no_such_name(name, record.entries.iter().map(|(name, _)| &**name), at))
        }
        Value::Null => Ok(&NULL),
        other => Err(wrong_type("a record", other.describe(), at)),
    }
}

pub(super) fn item(value: &Value, index: Option<i64>, list_at: Span, at: Span) -> EvalResult<&Value> {
    let items = match value {
        Value::List(items) => items,
        Value::Null => return Ok(&NULL),
        other => return Err(wrong_type("a list", other.describe(), list_at)),
    };
    let Some(index) = index else { return Ok(&NULL) };
    usize::try_from(index).ok().and_then(|place| items.get(place)).ok_or_else(|| no_such_item(index, items.len(), at))
}
