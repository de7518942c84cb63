//! Functions of lists. Work is charged before a list is made.

use std::sync::Arc;

use super::super::error::{
    EvalResult, FormulaErrorKind, fail, no_such_item, too_long_list, too_long_text, too_nested, wrong_type,
};
use super::super::limits::{self, MAX_LIST_LEN, MAX_VALUE_DEPTH};
use super::super::run::FunctionContext;
use super::super::{FormulaError, Type, Value};
use super::call_arguments::CallArguments;
use super::numbers::{extreme, mismatch};

pub(super) fn check_length(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    match given.ty(0) {
        Type::List(_) | Type::Text(_) | Type::Any => Ok(Type::Int),
        _ => Err(given.wrong(0, "a list or text")),
    }
}

pub(super) fn length(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let length = match given {
        [Value::List(items)] => items.len(),
        [Value::Text(text)] => {
            work.run.charge_work(text.len() / 16, work.at)?;
            text.chars().count()
        }
        [other] => return Err(wrong_type("a list", other.describe(), work.at)),
        _ => return mismatch(work),
    };
    Ok(Value::Int(i64::try_from(length).unwrap_or(i64::MAX)))
}

/// The numbers of a list; `None` when one of them is null.
pub(super) fn numbers(work: &FunctionContext<'_, '_>, list: &Value) -> EvalResult<Option<Vec<i64>>> {
    let Value::List(items) = list else { return Err(wrong_type("a list", list.describe(), work.at)) };
    work.run.charge_work(items.len(), work.at)?;
    let mut numbers = Vec::with_capacity(items.len());
    let mut known = true;
    for item in items.iter() {
        match item {
            Value::Int(number) => numbers.push(*number),
            Value::Null => known = false,
            other => return Err(wrong_type("a list of numbers", &format!("one with {}", other.describe()), work.at)),
        }
    }
    Ok(known.then_some(numbers))
}

pub(super) fn min(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let Some(numbers) = numbers(work, given[0])? else { return Ok(Value::Null) };
    extreme(numbers.iter().min(), "min", work.at).map(Value::Int)
}

pub(super) fn max(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let Some(numbers) = numbers(work, given[0])? else { return Ok(Value::Null) };
    extreme(numbers.iter().max(), "max", work.at).map(Value::Int)
}

pub(super) fn check_rising(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.numbers(0)?;
    Ok(Type::Flag)
}

pub(super) fn rising(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    Ok(numbers(work, given[0])?.map_or(Value::Null, |numbers| Value::Flag(numbers.is_sorted())))
}

pub(super) fn check_sum(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.numbers(0)?;
    Ok(Type::Int)
}

pub(super) fn sum(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let Some(numbers) = numbers(work, given[0])? else { return Ok(Value::Null) };
    // Length and number limits ensure that no step leaves i64 before the check.
    let sum = numbers.iter().try_fold(0_i64, |sum, number| limits::check_number(sum + number, work.at))?;
    Ok(Value::Int(sum))
}

pub(super) fn check_filled(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    check_sum(given)?;
    given.int(1)?;
    Ok(Type::Int)
}

pub(super) fn filled(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [list, Value::Int(points)] = given else { return mismatch(work) };
    let Some(numbers) = numbers(work, list)? else { return Ok(Value::Null) };
    let totals = numbers.iter().scan(0_i64, |total, number| {
        *total += number;
        Some(*total)
    });
    let filled = totals.take_while(|total| total <= points).count();
    Ok(Value::Int(i64::try_from(filled).unwrap_or(i64::MAX)))
}

pub(super) fn check_first(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.int(1)?;
    Ok(Type::list_of(given.list(0)?.clone()))
}

pub(super) fn first(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::List(items), Value::Int(count)] = given else { return mismatch(work) };
    let count = usize::try_from(*count).unwrap_or(0).min(items.len());
    work.run.charge_items(count, work.at)?;
    Ok(Value::List(items[..count].into()))
}

pub(super) fn check_range(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    (0..given.count()).try_for_each(|place| given.int(place))?;
    Ok(Type::list_of(Type::Int))
}

pub(super) fn range(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let (from, to) = match given {
        [Value::Int(to)] => (0, *to),
        [Value::Int(from), Value::Int(to)] => (*from, *to),
        _ => return mismatch(work),
    };
    work.run.charge_list(to.saturating_sub(from), work.at)?;
    Ok(Value::List((from..to).map(Value::Int).collect()))
}

fn not_too_long(given: &CallArguments<'_>, place: usize) -> Result<(), FormulaError> {
    match given.literal(place) {
        Some(Value::Int(number)) if usize::try_from(number).is_ok_and(|number| number > MAX_LIST_LEN) => {
            Err(*too_long_list(number, given.at(place)))
        }
        _ => Ok(()),
    }
}

pub(super) fn check_repeat(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.int(1)?;
    not_too_long(given, 1)?;
    let list = Type::list_of(given.ty(0).clone());
    if list.nesting() > MAX_VALUE_DEPTH { Err(*too_nested(given.at)) } else { Ok(list) }
}

pub(super) fn repeat(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [value, Value::Int(count)] = given else { return mismatch(work) };
    work.run.check_depth(value, MAX_VALUE_DEPTH - 1, work.at)?;
    let count = work.run.charge_list(*count, work.at)?;
    Ok(Value::List(std::iter::repeat_n(*value, count).cloned().collect()))
}

pub(super) fn check_put(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    let item = given.list(0)?.join(given.ty(2));
    given.int(1)?;
    given.least(1, 0)?;
    let list = Type::list_of(item);
    if list.nesting() > MAX_VALUE_DEPTH { Err(*too_nested(given.at)) } else { Ok(list) }
}

pub(super) fn put(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::List(items), Value::Int(place), value] = given else { return mismatch(work) };
    work.run.charge_items(items.len(), work.at)?;
    let mut items = items.to_vec();
    let length = items.len();
    match usize::try_from(*place).ok().and_then(|place| items.get_mut(place)) {
        Some(item) => *item = (*value).clone(),
        None => return Err(no_such_item(*place, length, work.at)),
    }
    let list = Value::List(items.into());
    work.run.check_depth(&list, MAX_VALUE_DEPTH, work.at)?;
    Ok(list)
}

pub(super) fn check_take(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.int(0)?;
    given.numbers(1)?;
    given.numbers(2)?;
    Ok(Type::list_of(Type::Int))
}

pub(super) fn take(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::Int(points), counts, order] = given else { return mismatch(work) };
    let (Some(mut counts), Some(order)) = (numbers(work, counts)?, numbers(work, order)?) else {
        return Ok(Value::Null);
    };
    work.run.charge_items(counts.len(), work.at)?;
    let length = counts.len();
    let place = |place: &i64| {
        let known = usize::try_from(*place).ok().filter(|place| *place < length);
        known.ok_or_else(|| no_such_item(*place, length, work.at))
    };
    let order = order.iter().map(place).collect::<EvalResult<Vec<_>>>()?;
    let mut points = *points;
    let mut taken = true;
    while points > 0 && taken {
        work.run.charge_work(order.len(), work.at)?;
        taken = false;
        for place in &order {
            if points > 0 && counts[*place] > 0 {
                counts[*place] -= 1;
                points -= 1;
                taken = true;
            }
        }
    }
    Ok(Value::List(counts.into_iter().map(Value::Int).collect()))
}

pub(super) fn check_split_rows(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.int(0)?;
    given.int(1)?;
    given.least(1, 1)?;
    not_too_long(given, 1)?;
    Ok(Type::list_of(Type::Int))
}

pub(super) fn split_rows(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::Int(boxes), Value::Int(rows)] = given else { return mismatch(work) };
    let (boxes, rows) = (*boxes, *rows);
    if rows < 1 {
        return fail("out-of-range", format!("cannot split boxes into {rows} rows: at least 1 row is needed"), work.at);
    }
    if boxes < 1 {
        return Ok(Value::List(Arc::from([])));
    }
    let each = boxes / rows;
    let rows = if each == 0 { 1 } else { work.run.charge_list(rows, work.at)? };
    let first = boxes - each * i64::try_from(rows - 1).unwrap_or(0);
    Ok(Value::List((0..rows).map(|row| Value::Int(if row == 0 { first } else { each })).collect()))
}

pub(super) fn check_sort(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    match given.list(0)? {
        Type::Int | Type::Text(_) | Type::Any => Ok(given.ty(0).clone()),
        _ => Err(given.wrong(0, "a list of numbers or texts")),
    }
}

pub(super) fn sort(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let Value::List(items) = given[0] else { return Err(wrong_type("a list", given[0].describe(), work.at)) };
    if items.iter().any(Value::is_null) {
        return Ok(Value::Null);
    }
    work.run.charge_items(items.len(), work.at)?;
    if let Some(Value::Text(_)) = items.first() {
        let mut texts: Vec<Arc<str>> = Vec::with_capacity(items.len());
        let mut bytes = 0_usize;
        for item in items.iter() {
            let Value::Text(text) = item else { return Err(mixed(item, work)) };
            bytes = bytes.saturating_add(text.len());
            texts.push(text.clone());
        }
        // Each text is compared some log2(n) times, perhaps to its last byte.
        let rounds = usize::try_from(items.len().ilog2()).unwrap_or(0) / 2 + 1;
        work.run.charge_work((bytes / 16 + items.len()).saturating_mul(rounds), work.at)?;
        texts.sort();
        return Ok(Value::List(texts.into_iter().map(Value::Text).collect()));
    }
    if let Some(odd) = items.iter().find(|item| !matches!(item, Value::Int(_))) {
        return Err(mixed(odd, work));
    }
    let Some(mut numbers) = numbers(work, given[0])? else { return Ok(Value::Null) };
    numbers.sort_unstable();
    Ok(Value::List(numbers.into_iter().map(Value::Int).collect()))
}

pub(super) fn unique(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let sorted = sort(work, given)?;
    let Value::List(items) = &sorted else { return Ok(sorted) };
    let mut once: Vec<Value> = Vec::with_capacity(items.len());
    for item in items.iter() {
        if once.last() != Some(item) {
            once.push(item.clone());
        }
    }
    Ok(Value::List(once.into()))
}

fn mixed(item: &Value, work: &FunctionContext<'_, '_>) -> Box<FormulaError> {
    wrong_type("a list of numbers, or one of texts", &format!("a list with {} among others", item.describe()), work.at)
}

pub(super) fn check_places(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    if !given.list(0)?.comparable(given.list(1)?) {
        return Err(given.wrong(1, "a list of the same kind"));
    }
    Ok(Type::list_of(Type::Int))
}

pub(super) fn places(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::List(items), Value::List(list)] = given else { return mismatch(work) };
    work.run.charge_work(items.len().saturating_mul(list.len()), work.at)?;
    work.run.charge_items(items.len(), work.at)?;
    let place = |item: &Value| match list.iter().position(|known| known == item) {
        Some(place) => Ok(Value::Int(i64::try_from(place).unwrap_or(i64::MAX))),
        None if item.is_null() => Ok(Value::Null),
        None => {
            let mut shown = String::new();
            item.write_display(&mut shown, 40);
            let message = format!("`{shown}` is not in the list");
            Err(Box::new(FormulaError::of_kind(FormulaErrorKind::NoAnswer, message, work.at)))
        }
    };
    Ok(Value::List(items.iter().map(place).collect::<EvalResult<Vec<_>>>()?.into()))
}

pub(super) fn check_join(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.text(1)?;
    match given.list(0)? {
        Type::Int | Type::Text(_) | Type::Flag | Type::Any => Ok(Type::TEXT),
        _ => Err(given.wrong(0, "a list of texts or numbers")),
    }
}

pub(super) fn join(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::List(items), Value::Text(between)] = given else { return mismatch(work) };
    work.run.charge_work(items.len(), work.at)?;
    let (mut out, mut characters) = (String::new(), 0);
    for (place, item) in items.iter().enumerate() {
        let before = out.len();
        if place > 0 {
            out.push_str(between);
        }
        if matches!(item, Value::List(_) | Value::Record(_)) {
            return Err(wrong_type("a list of texts or numbers", &format!("one with {}", item.describe()), work.at));
        }
        if !item.write_display(&mut out, usize::MAX) {
            return Ok(Value::Null);
        }
        characters += out[before..].chars().count();
        if characters > limits::MAX_TEXT_CHARS {
            return Err(too_long_text(work.at));
        }
    }
    work.run.charge_work(out.len() / 16, work.at)?;
    Ok(Value::text(&out))
}
