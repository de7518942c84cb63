//! Functions of rows (lists of records), and the even distribution of icons over boxes.

use super::super::error::{EvalResult, FormulaErrorKind, no_such_name, wrong_type};
use super::super::operators::compare;
use super::super::run::FunctionContext;
use super::super::syntax::CompareOp;
use super::super::{FormulaError, Record, Type, Value};
use super::call_arguments::{CallArguments, options_hold};
use super::numbers::mismatch;

fn record<'v>(row: &'v Value, work: &FunctionContext<'_, '_>) -> EvalResult<&'v Record> {
    match row {
        Value::Record(record) => Ok(record),
        other => Err(wrong_type("a row", other.describe(), work.at)),
    }
}

fn cell<'v>(row: &'v Record, name: &str, work: &FunctionContext<'_, '_>) -> EvalResult<&'v Value> {
    row.get(name).ok_or_else(|| no_such_name(name, row.entries.iter().map(|(name, _)| &**name), work.at))
}

pub(super) fn check_where(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    let columns = given.rows(0)?;
    for (place, written) in given.list.iter().map(|argument| argument.written).enumerate().skip(1) {
        let Some(name) = &written.name else {
            let message = "`where` takes each value with its column: column=value";
            return Err(FormulaError::new("wrong-arguments", message, given.at(place)).help(given.usage()));
        };
        let Some(columns) = columns else { continue };
        let base = given.base;
        let ty = given.column(columns, &name.text, base.subspan(name.span.clone()))?;
        if !ty.comparable(given.ty(place)) {
            let message =
                format!("expected {} for column `{}`, found {}", ty.describe(), name.text, given.ty(place).describe());
            return Err(FormulaError::new("wrong-type", message, given.at(place)));
        }
        options_hold(ty, &written.value, base)?;
    }
    Ok(match given.ty(0) {
        Type::List(_) => given.ty(0).clone(),
        _ => Type::list_of(Type::Any),
    })
}

pub(super) fn filter(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let Some((Value::List(rows), wanted)) = given.split_first() else { return mismatch(work) };
    let mut found = Vec::new();
    work.run.charge_work(rows.len().saturating_mul(wanted.len()), work.at)?;
    for row in rows.iter() {
        if row.is_null() {
            return Ok(Value::Null);
        }
        let record = record(row, work)?;
        let mut fits = Some(true);
        for (name, value) in work.names.iter().zip(wanted) {
            match is_meant(cell(record, name, work)?, value, work)? {
                Some(true) => {}
                Some(false) => {
                    fits = Some(false);
                    break;
                }
                None => fits = None,
            }
        }
        match fits {
            Some(true) => found.push(row.clone()),
            Some(false) => {}
            // Whether this row matches is unknown, and so is the result.
            None => return Ok(Value::Null),
        }
    }
    work.run.charge_items(found.len(), work.at)?;
    Ok(Value::List(found.into()))
}

/// Whether a cell is what is looked for; a text may be one of a list.
fn is_meant(cell: &Value, wanted: &Value, work: &FunctionContext<'_, '_>) -> EvalResult<Option<bool>> {
    let relation = match (cell, wanted) {
        (Value::Text(_), Value::List(_)) => CompareOp::In,
        _ => CompareOp::Equal,
    };
    compare(relation, cell, wanted, work.run, work.at)
}

pub(super) fn check_column(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.text(1)?;
    let item = match (given.rows(0)?, given.literal(1)) {
        (Some(columns), Some(Value::Text(name))) => given.column(columns, &name, given.at(1))?.clone(),
        _ => Type::Any,
    };
    Ok(Type::list_of(item))
}

pub(super) fn column(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::List(rows), Value::Text(name)] = given else { return mismatch(work) };
    work.run.charge_items(rows.len(), work.at)?;
    let cells = rows.iter().map(|row| match row {
        Value::Null => Ok(Value::Null),
        row => Ok(cell(record(row, work)?, name, work)?.clone()),
    });
    Ok(Value::List(cells.collect::<EvalResult<Vec<_>>>()?.into()))
}

pub(super) fn check_covers(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.int(1)?;
    given.int(2)?;
    if let Some(columns) = given.rows(0)? {
        for name in ["from", "to"] {
            if !matches!(given.column(columns, name, given.at(0))?, Type::Int | Type::Any) {
                let message = format!("column `{name}` has no numbers");
                return Err(FormulaError::new("wrong-type", message, given.at(0)).help(given.usage()));
            }
        }
    }
    Ok(Type::Flag)
}

/// What the rows cover: each row's `from` and `to`; `None` if some of it is not known.
fn spans(rows: &[Value], work: &FunctionContext<'_, '_>) -> EvalResult<Option<Vec<(i64, i64)>>> {
    work.run.charge_work(rows.len().saturating_mul(4), work.at)?;
    let mut spans = Vec::with_capacity(rows.len());
    for row in rows {
        if row.is_null() {
            return Ok(None);
        }
        let row = record(row, work)?;
        match (cell(row, "from", work)?, cell(row, "to", work)?) {
            (Value::Int(from), Value::Int(to)) => spans.push((*from, *to)),
            (Value::Null, _) | (_, Value::Null) => return Ok(None),
            (Value::Int(_), other) | (other, _) => return Err(wrong_type("a number", other.describe(), work.at)),
        }
    }
    spans.sort_unstable();
    Ok(Some(spans))
}

pub(super) fn covers(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::List(rows), Value::Int(low), Value::Int(high)] = given else { return mismatch(work) };
    let Some(spans) = spans(rows, work)? else { return Ok(Value::Null) };
    let mut next = i128::from(*low);
    for (from, to) in spans {
        if i128::from(from) != next || to < from {
            return Ok(Value::Flag(false));
        }
        next = i128::from(to) + 1;
    }
    Ok(Value::Flag(next == (i128::from(*high) + 1).max(i128::from(*low))))
}

pub(super) fn check_covering(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.int(1)?;
    if let Some(columns) = given.rows(0)? {
        for name in ["from", "to"] {
            given.column(columns, name, given.at(0))?;
        }
    }
    Ok(given.list(0)?.clone())
}

/// Null if that hangs on a row which is not known.
pub(super) fn covering(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::List(rows), Value::Int(wanted)] = given else { return mismatch(work) };
    work.run.charge_work(rows.len().saturating_mul(4), work.at)?;
    let mut known = true;
    for row in rows.iter() {
        if row.is_null() {
            known = false;
            continue;
        }
        let cells = record(row, work)?;
        match (cell(cells, "from", work)?, cell(cells, "to", work)?) {
            (Value::Int(from), Value::Int(to)) if (from..=to).contains(&wanted) => return Ok(row.clone()),
            (Value::Int(_), Value::Int(_)) => {}
            (Value::Null, _) | (_, Value::Null) => known = false,
            (Value::Int(_), other) | (other, _) => return Err(wrong_type("a number", other.describe(), work.at)),
        }
    }
    if !known {
        return Ok(Value::Null);
    }
    let message = format!("no row covers {wanted}");
    Err(Box::new(FormulaError::of_kind(FormulaErrorKind::NoAnswer, message, work.at)))
}

pub(super) fn check_uncovered(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    check_covers(given)?;
    Ok(Type::list_of(Type::Int))
}

/// Numbers that no row or several rows cover, and ends of rows that are out of range or reversed.
pub(super) fn uncovered(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::List(rows), Value::Int(low), Value::Int(high)] = given else { return mismatch(work) };
    let Some(spans) = spans(rows, work)? else { return Ok(Value::Null) };
    let numbers = work.run.charge_list(high.saturating_sub(*low).saturating_add(1), work.at)?;
    let inside = |n: i64| (*low..=*high).contains(&n);
    let mut odd: Vec<i64> = Vec::new();
    // Differences at the ends of each row, so that long rows cost no more than short ones.
    let mut change = vec![0_i64; numbers + 1];
    for (from, to) in spans {
        odd.extend([from, to].into_iter().filter(|&n| !inside(n) || to < from));
        if to >= from && to >= *low && from <= *high {
            change[usize::try_from(from.max(*low) - low).unwrap_or(0)] += 1;
            change[usize::try_from(to.min(*high) - low).unwrap_or(0) + 1] -= 1;
        }
    }
    let mut over = 0;
    for (n, change) in (*low..=*high).zip(change) {
        over += change;
        if over != 1 {
            odd.push(n);
        }
    }
    odd.sort_unstable();
    odd.dedup();
    Ok(Value::List(odd.into_iter().map(Value::Int).collect()))
}

pub(super) fn check_spread(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.int(0)?;
    for place in 1..given.count() {
        if place % 2 == 1 { given.text(place)? } else { given.int(place)? }
    }
    if given.count().is_multiple_of(2) {
        let message = "each kind needs a count after it";
        return Err(FormulaError::new("wrong-arguments", message, given.at(given.count() - 1)).help(given.usage()));
    }
    Ok(Type::list_of(Type::TEXT))
}

/// Item j of c takes box floor((2j - 1) * boxes / 2c) + 1, or the next free one, wrapping around.
pub(super) fn spread(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let Some((Value::Int(boxes), kinds)) = given.split_first() else { return mismatch(work) };
    let boxes = work.run.charge_list(*boxes, work.at)?;
    let mut list = vec![Value::text(""); boxes];
    let mut free = FreeBoxes::new(boxes);
    let wide = i128::try_from(boxes).unwrap_or(0);
    let mut left = boxes;
    for kind in kinds.chunks(2) {
        let [kind @ Value::Text(_), Value::Int(count)] = kind else { return mismatch(work) };
        for item in 1..=*count {
            if left == 0 {
                break;
            }
            let wanted = i128::from(2 * item - 1) * wide / (2 * i128::from(*count));
            let place = free.take(usize::try_from(wanted).unwrap_or(0));
            list[place] = (*kind).clone();
            left -= 1;
        }
    }
    Ok(Value::List(list.into()))
}

/// Finds the next free box fast: taken boxes point onward, and each search shortens the path.
struct FreeBoxes {
    next: Vec<usize>,
}

impl FreeBoxes {
    fn new(boxes: usize) -> Self {
        Self { next: (0..boxes).collect() }
    }

    /// Takes the first free box from `wanted` on, wrapping around. At least one must be free.
    fn take(&mut self, wanted: usize) -> usize {
        let boxes = self.next.len();
        let mut place = wanted % boxes;
        while self.next[place] != place {
            let onward = self.next[self.next[place]];
            self.next[place] = onward;
            place = onward;
        }
        self.next[place] = (place + 1) % boxes;
        place
    }
}
