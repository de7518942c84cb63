//! Numbers and ranges in the words of a table, as players write them: `4D6`, `2–5`, `10+`, `1, 6`.

use super::super::error::EvalResult;
use super::super::limits;
use super::super::run::FunctionContext;
use super::super::{FormulaError, Type, Value};
use super::call_arguments::CallArguments;
use super::numbers::mismatch;

/// The numbers of a text with what follows each, up to the next.
fn parts(text: &str) -> impl Iterator<Item = (i64, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_ascii_digit())?;
        let digits = &rest[start..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let after = &digits[end..];
        rest = after;
        let until = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        // More digits than a number may have: as large as it can be, and refused there.
        Some((digits[..end].parse().unwrap_or(i64::MAX), &after[..until]))
    })
}

/// The ranges that a text names, each from its first to its last number: `4–6`, `10+` and `1, 6` name one, one and two.
pub fn ranges_of(text: &str) -> impl Iterator<Item = (i64, i64)> {
    let mut parts = parts(text);
    std::iter::from_fn(move || {
        let (from, after) = parts.next()?;
        Some(match after.trim() {
            "–" | "-" | "−" | "to" => (from, parts.next().map_or(from, |(to, _)| to)),
            after if after.starts_with('+') => (from, i64::MAX),
            _ => (from, from),
        })
    })
}

pub(super) fn check_numbers(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    match given.ty(0) {
        Type::Int => {}
        _ => given.text(0)?,
    }
    Ok(Type::list_of(Type::Int))
}

/// A range counts as all of its numbers; of one without an end, its first.
pub(super) fn numbers(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let text = match given {
        [number @ Value::Int(_)] => return Ok(Value::List([(*number).clone()].into())),
        [Value::Text(text)] => text,
        _ => return mismatch(work),
    };
    work.run.charge_work(text.len(), work.at)?;
    let mut found = Vec::new();
    for (from, to) in ranges_of(text) {
        limits::check_number(from, work.at)?;
        let to = if to == i64::MAX { from } else { to };
        work.run.charge_list(to.saturating_sub(from).saturating_add(1).max(0), work.at)?;
        match to < from {
            true => found.extend([from, to].map(Value::Int)),
            false => found.extend((from..=to).map(Value::Int)),
        }
    }
    Ok(Value::List(found.into()))
}
