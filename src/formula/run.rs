//! Evaluating: takes a compiled tree and a host, gives a value or a mistake. Null goes through whatever touches it. Work is
//! counted, so that no formula runs long or makes much, however it is written.

use std::cell::Cell;
use std::sync::Arc;

use crate::source::Span;

use super::limits::{self, FORMULA_WORK, LEVELS, LIST, WORK};
use super::mistake::{Eval, by_zero, fault, no_item, no_name, overflow, too_large, too_long_list, too_nested, wrong};
use super::node::{Node, Op};
use super::syntax::{Plus, Times};
use super::values::{self, Pile};
use super::{Host, Value};

/// One evaluation: who is asked, and how much work is left.
pub(super) struct Run<'h> {
    pub host: &'h dyn Host,
    /// What it could do at first.
    most: u32,
    left: Cell<u32>,
    made: Cell<u32>,
    /// What its formula costs without lists and text.
    plain: u32,
}

/// A value that may be borrowed from a formula or a host.
pub(super) enum Got<'a> {
    Ref(&'a Value),
    Own(Value),
}

impl Got<'_> {
    pub fn get(&self) -> &Value {
        match self {
            Self::Ref(value) => value,
            Self::Own(value) => value,
        }
    }

    pub fn own(self) -> Value {
        match self {
            Self::Ref(value) => value.clone(),
            Self::Own(value) => value,
        }
    }
}

impl<'h> Run<'h> {
    /// A run of a formula of this many parts.
    pub fn new(host: &'h dyn Host, parts: u32) -> Self {
        let work = WORK.min(host.allowance());
        Self { host, most: work, left: Cell::new(work), made: Cell::new(0), plain: FORMULA_WORK + parts }
    }

    /// A run that may do this much.
    pub fn with(host: &'h dyn Host, work: u32) -> Self {
        Self { host, most: work, left: Cell::new(work), made: Cell::new(0), plain: 0 }
    }

    /// What is left to do.
    pub fn left(&self) -> u32 {
        self.left.get()
    }

    /// Counts work: items looked at, or 16 bytes of text each.
    pub fn work(&self, units: usize, at: Span) -> Eval<()> {
        match u32::try_from(units).ok().and_then(|units| self.left.get().checked_sub(units)) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                // What the host had left is not enough: nothing is, so that the next formula need not try.
                if self.most < WORK {
                    self.left.set(0);
                }
                Err(too_large(at))
            }
        }
    }

    /// Counts items made.
    pub fn make(&self, items: usize, at: Span) -> Eval<()> {
        self.work(items, at)?;
        self.made.set(self.made.get().saturating_add(u32::try_from(items).unwrap_or(u32::MAX)));
        Ok(())
    }

    /// Counts a list's items before it is made.
    pub fn list(&self, length: i64, at: Span) -> Eval<usize> {
        let length = length.max(0);
        match usize::try_from(length) {
            Ok(items) if items <= LIST => {
                self.make(items, at)?;
                Ok(items)
            }
            _ => Err(too_long_list(length, at)),
        }
    }

    /// Tells the host what was made.
    pub fn finish(&self, at: Span) -> Eval<()> {
        if self.made.get() > 0 && !self.host.spend(self.made.get()) {
            return Err(too_large(at));
        }
        Ok(())
    }
}

impl Drop for Run<'_> {
    /// What was done is counted however it ended.
    fn drop(&mut self) {
        self.host.worked(self.plain.saturating_add(self.most - self.left.get()));
    }
}

impl Node {
    /// Evaluates to a number; `None` is null.
    pub fn int(&self, run: &Run<'_>) -> Eval<Option<i64>> {
        Ok(Some(match &self.op {
            Op::Const(Value::Int(number)) => *number,
            Op::IntSlot(slot) => return Ok(run.host.read_int(*slot)),
            Op::Sum { first, rest, ints: true } => {
                let Some(mut total) = first.int(run)? else { return Ok(None) };
                for (sign, item) in rest {
                    let Some(number) = item.int(run)? else { return Ok(None) };
                    let sum = match sign {
                        Plus::Plus => total.checked_add(number),
                        Plus::Minus => total.checked_sub(number),
                    };
                    total = limits::number(sum.ok_or_else(|| overflow(self.at))?, self.at)?;
                }
                total
            }
            Op::Product { first, rest } => {
                let Some(mut total) = first.int(run)? else { return Ok(None) };
                for (sign, item) in rest {
                    let Some(number) = item.int(run)? else { return Ok(None) };
                    total = match sign {
                        Times::By => match total.checked_mul(number) {
                            Some(product) => limits::number(product, self.at)?,
                            None => return Err(overflow(self.at)),
                        },
                        _ if number == 0 => return Err(by_zero(item.at)),
                        Times::Floor => limits::wide(floor_div(total, number), self.at)?,
                        Times::Rest => limits::wide(floor_rest(total, number), self.at)?,
                    };
                }
                total
            }
            Op::Minus(inner) => {
                let Some(number) = inner.int(run)? else { return Ok(None) };
                limits::number(number.checked_neg().ok_or_else(|| overflow(self.at))?, self.at)?
            }
            Op::Numbers(_, compute, items) => return self.numbers(*compute, items, run),
            Op::If(parts) => {
                return match parts[1].flag(run)? {
                    None => Ok(None),
                    Some(true) => parts[0].int(run),
                    Some(false) => parts[2].int(run),
                };
            }
            _ => {
                return match self.got(run)?.get() {
                    Value::Int(number) => Ok(Some(*number)),
                    Value::Null => Ok(None),
                    other => Err(wrong("a number", other.describe(), self.at)),
                };
            }
        }))
    }

    fn numbers(&self, compute: super::functions::Numbers, items: &[Node], run: &Run<'_>) -> Eval<Option<i64>> {
        let mut few = [0; 6];
        let mut many = Vec::new();
        let numbers = if items.len() <= few.len() {
            &mut few[..items.len()]
        } else {
            many.resize(items.len(), 0);
            &mut many[..]
        };
        for (number, item) in numbers.iter_mut().zip(items) {
            let Some(found) = item.int(run)? else { return Ok(None) };
            *number = found;
        }
        compute(numbers, self.at).map(Some)
    }

    /// Evaluates to a flag; `None` is null.
    pub fn flag(&self, run: &Run<'_>) -> Eval<Option<bool>> {
        match &self.op {
            Op::IntSlot(slot) => Ok(run.host.read_int(*slot).map(|number| number != 0)),
            Op::Sum { ints: true, .. } | Op::Product { .. } | Op::Minus(_) | Op::Numbers(..) => {
                Ok(self.int(run)?.map(|number| number != 0))
            }
            Op::Not(inner) => Ok(inner.flag(run)?.map(|flag| !flag)),
            Op::Said(inner) => Ok(Some(inner.got(run)?.get().truth().unwrap_or(false))),
            // Null is "not known": false and null is false, whichever stands first.
            Op::And(items) => settle(items, false, run),
            Op::Or(items) => settle(items, true, run),
            Op::If(parts) => match parts[1].flag(run)? {
                None => Ok(None),
                Some(true) => parts[0].flag(run),
                Some(false) => parts[2].flag(run),
            },
            Op::Compare { first, rest, ints: true } => {
                let Some(mut left) = first.int(run)? else { return Ok(None) };
                for (relation, item) in rest {
                    let Some(right) = item.int(run)? else { return Ok(None) };
                    if !relation.holds(left, right) {
                        return Ok(Some(false));
                    }
                    left = right;
                }
                Ok(Some(true))
            }
            Op::Compare { first, rest, .. } => {
                let mut known = true;
                let mut left = first.got(run)?;
                for (relation, item) in rest {
                    let right = item.got(run)?;
                    match values::compare(*relation, left.get(), right.get(), run, self.at)? {
                        Some(false) => return Ok(Some(false)),
                        Some(true) => {}
                        None => known = false,
                    }
                    left = right;
                }
                Ok(known.then_some(true))
            }
            _ => Ok(self.got(run)?.get().truth()),
        }
    }

    /// Evaluates to a value of one's own.
    pub fn value(&self, run: &Run<'_>) -> Eval<Value> {
        Ok(match &self.op {
            Op::Slot(slot) => run.host.read(*slot),
            Op::IntSlot(_) | Op::Sum { ints: true, .. } | Op::Product { .. } | Op::Minus(_) | Op::Numbers(..) => {
                self.int(run)?.map_or(Value::Null, Value::Int)
            }
            Op::Not(_) | Op::Said(_) | Op::And(_) | Op::Or(_) | Op::Compare { .. } => {
                self.flag(run)?.map_or(Value::Null, Value::Flag)
            }
            Op::Host(call, items) => self.host(*call, items, run)?,
            Op::Values(_, compute, items, names) => {
                with_values(items, run, |given| compute(&Work { run, at: self.at, names }, given))?
            }
            Op::List { items, deep } => {
                run.make(items.len(), self.at)?;
                let list: Vec<Value> = items.iter().map(|item| item.value(run)).collect::<Eval<_>>()?;
                let list = Value::List(list.into());
                if *deep {
                    bounded(&list, LEVELS, run, self.at)?;
                }
                list
            }
            Op::Sum { first, rest, .. } => {
                let mut pile = Pile::new(first.got(run)?.own());
                for (sign, item) in rest {
                    let next = item.got(run)?;
                    if !pile.add(*sign, next.get(), run, item.at)? {
                        return Ok(Value::Null);
                    }
                }
                pile.value()
            }
            _ => self.got(run)?.own(),
        })
    }

    fn host(&self, call: u32, items: &[Node], run: &Run<'_>) -> Eval<Value> {
        let given: Vec<Value> = items.iter().map(|item| item.value(run)).collect::<Eval<_>>()?;
        if given.iter().any(Value::is_null) {
            return Ok(Value::Null);
        }
        run.host.call(call, &given).or_else(|message| fault("no-answer", message, self.at))
    }

    /// Evaluates to a value, borrowed where it can be.
    pub fn got<'a>(&'a self, run: &Run<'a>) -> Eval<Got<'a>> {
        Ok(match &self.op {
            Op::Const(value) => Got::Ref(value),
            Op::Slot(slot) => match run.host.peek(*slot) {
                Some(value) => Got::Ref(value),
                None => Got::Own(run.host.read(*slot)),
            },
            Op::Field(inner, name) => match inner.got(run)? {
                Got::Ref(value) => Got::Ref(field(value, name, self.at)?),
                Got::Own(value) => Got::Own(field(&value, name, self.at)?.clone()),
            },
            Op::Index(parts) => {
                let list = parts[0].got(run)?;
                let index = parts[1].int(run)?;
                match list {
                    Got::Ref(value) => Got::Ref(item(value, index, parts[0].at, self.at)?),
                    Got::Own(value) => Got::Own(item(&value, index, parts[0].at, self.at)?.clone()),
                }
            }
            Op::If(parts) => match parts[1].flag(run)? {
                None => Got::Own(Value::Null),
                Some(true) => parts[0].got(run)?,
                Some(false) => parts[2].got(run)?,
            },
            _ => Got::Own(self.value(run)?),
        })
    }
}

/// What a function is given beside its values.
pub(super) struct Work<'r, 'h> {
    pub run: &'r Run<'h>,
    pub at: Span,
    /// The names of the named arguments, which come last.
    pub names: &'r [Arc<str>],
}

/// Calls `with` with the values of `items`; null if one of them is.
fn with_values(items: &[Node], run: &Run<'_>, with: impl FnOnce(&[&Value]) -> Eval<Value>) -> Eval<Value> {
    const FEW: usize = 4;
    if items.len() <= FEW {
        let mut got: [Got<'_>; FEW] = [const { Got::Own(Value::Null) }; FEW];
        for (got, item) in got.iter_mut().zip(items) {
            *got = item.got(run)?;
            if got.get().is_null() {
                return Ok(Value::Null);
            }
        }
        let given: [&Value; FEW] = std::array::from_fn(|place| got[place].get());
        return with(&given[..items.len()]);
    }
    let got: Vec<Got<'_>> = items.iter().map(|item| item.got(run)).collect::<Eval<_>>()?;
    let given: Vec<&Value> = got.iter().map(Got::get).collect();
    if given.iter().any(|value| value.is_null()) { Ok(Value::Null) } else { with(&given) }
}

/// `and` (decided by a false) and `or` (decided by a true).
fn settle(items: &[Node], decides: bool, run: &Run<'_>) -> Eval<Option<bool>> {
    let mut known = true;
    for item in items {
        match item.flag(run)? {
            Some(flag) if flag == decides => return Ok(Some(decides)),
            Some(_) => {}
            None => known = false,
        }
    }
    Ok(known.then_some(!decides))
}

static NULL: Value = Value::Null;

fn field<'v>(value: &'v Value, name: &str, at: Span) -> Eval<&'v Value> {
    match value {
        Value::Record(record) => {
            record.get(name).ok_or_else(|| no_name(name, record.entries.iter().map(|(name, _)| &**name), at))
        }
        Value::Null => Ok(&NULL),
        other => Err(wrong("a record", other.describe(), at)),
    }
}

fn item(value: &Value, index: Option<i64>, list_at: Span, at: Span) -> Eval<&Value> {
    let items = match value {
        Value::List(items) => items,
        Value::Null => return Ok(&NULL),
        other => return Err(wrong("a list", other.describe(), list_at)),
    };
    let Some(index) = index else { return Ok(&NULL) };
    usize::try_from(index).ok().and_then(|place| items.get(place)).ok_or_else(|| no_item(index, items.len(), at))
}

/// Refuses lists too deep within each other: whoever walks a value need not fear for the stack.
pub(super) fn bounded(value: &Value, levels: usize, run: &Run<'_>, at: Span) -> Eval<()> {
    let items = match value {
        Value::List(items) => items.len(),
        Value::Record(record) => record.entries.len(),
        _ => return Ok(()),
    };
    if levels == 0 {
        return Err(too_nested(at));
    }
    run.work(items, at)?;
    match value {
        Value::List(items) => items.iter().try_for_each(|item| bounded(item, levels - 1, run, at)),
        Value::Record(record) => record.entries.iter().try_for_each(|(_, item)| bounded(item, levels - 1, run, at)),
        _ => Ok(()),
    }
}

/// Division that rounds towards negative infinity; `by` is not 0.
pub(super) fn floor_div(number: i64, by: i64) -> i128 {
    let (number, by) = (i128::from(number), i128::from(by));
    let rest = number % by;
    number / by - i128::from(rest != 0 && (rest < 0) != (by < 0))
}

/// What [`floor_div`] leaves: it has the sign of `by`.
fn floor_rest(number: i64, by: i64) -> i128 {
    i128::from(number) - floor_div(number, by) * i128::from(by)
}
