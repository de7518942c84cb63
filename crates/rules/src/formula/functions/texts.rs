//! Functions that read what a text of a table or a design says: the number it begins with, its parts.

use std::sync::Arc;

use super::super::error::{EvalResult, FormulaErrorKind, wrong_type};
use super::super::limits::{self, MAX_TEXT_CHARS};
use super::super::run::FunctionContext;
use super::super::{FormulaError, Type, Value};
use super::call_arguments::CallArguments;
use super::numbers::mismatch;
use crate::arcs::Arcs;

pub(super) fn check_number(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    if !matches!(given.ty(0), Type::Text(_) | Type::Int | Type::Any) {
        return Err(given.wrong(0, "text"));
    }
    given.int(1)?;
    Ok(Type::Int)
}

/// A number stays as it is: players write `3` for `3D6` where only the number counts.
pub(super) fn number(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let (text, otherwise) = match given {
        [Value::Int(number), ..] => return Ok(Value::Int(*number)),
        [Value::Text(text)] => (text, None),
        [Value::Text(text), Value::Int(otherwise)] => (text, Some(*otherwise)),
        [other, ..] => return Err(wrong_type("text", other.describe(), work.at)),
        [] => return mismatch(work),
    };
    match leading_number(text).or(otherwise) {
        Some(number) => limits::check_number(number, work.at).map(Value::Int),
        None => {
            let shown: String = text.chars().take(40).collect();
            let message = format!("`{shown}` does not begin with a number");
            let error = FormulaError::of_kind(FormulaErrorKind::NoAnswer, message, work.at);
            Err(Box::new(error.help("write the number first, such as 3D6, 12 MU or −2")))
        }
    }
}

/// `3D6`, `12 MU`, `−2`, `+1`.
fn leading_number(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let (negative, rest) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number: i64 = rest[..end].parse().ok()?;
    Some(if negative { -number } else { number })
}

pub(super) fn check_has_form(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    if !matches!(given.ty(0), Type::Text(_) | Type::Int | Type::Any) {
        return Err(given.wrong(0, "text"));
    }
    (1..given.count()).try_for_each(|place| given.text(place))?;
    Ok(Type::Flag)
}

pub(super) fn has_form(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let Some((thing, forms)) = given.split_first() else { return mismatch(work) };
    let text = match thing {
        Value::Text(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        _ => return Ok(Value::Flag(false)),
    };
    work.run.charge_work(text.len().saturating_mul(forms.len()), work.at)?;
    let text = plain(&text);
    let is_so = forms.iter().any(|form| matches!(form, Value::Text(form) if is_of_form(&text, &plain(form))));
    Ok(Value::Flag(is_so))
}

pub(super) fn check_is_arcs(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.text(0)?;
    Ok(Type::Flag)
}

pub(super) fn is_arcs(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::Text(text)] = given else { return mismatch(work) };
    work.run.charge_work(text.len(), work.at)?;
    Ok(Value::Flag(Arcs::parse(text, &Vec::new()).is_some()))
}

/// One spelling of spaces and dashes: `3 to 5` and `3 – 5` are `3-5`.
fn plain(text: &str) -> String {
    if text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return text.to_owned();
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").replace(['–', '−'], "-").replace(" - ", "-");
    let mut parts = text.split(" to ");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_range = all.ends_with(|c: char| c.is_ascii_digit() || c == '#')
            && part.starts_with(|c: char| c.is_ascii_digit() || c == '#');
        all += if is_range { "-" } else { " to " };
        all += part;
    }
    all
}

/// Nothing is left over; `#` takes a number with or without a sign.
fn is_of_form(text: &str, form: &str) -> bool {
    let Some((before, form)) = form.split_once('#') else { return text == form };
    let Some(text) = text.strip_prefix(before) else { return false };
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < digits.len() && is_of_form(rest, form)
}

pub(super) fn check_split(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.text(0)?;
    given.text(1)?;
    Ok(Type::list_of(Type::TEXT))
}

pub(super) fn split(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::Text(text), Value::Text(between)] = given else { return mismatch(work) };
    work.run.charge_work(text.len().min(MAX_TEXT_CHARS), work.at)?;
    let parts: Vec<Value> = match between.is_empty() {
        true => vec![Value::text(text.trim())],
        false => text.split(&**between).map(|part| Value::Text(Arc::from(part.trim()))).collect(),
    };
    work.run.charge_items(parts.len(), work.at)?;
    Ok(Value::List(parts.into()))
}

pub(super) fn check_by_roll(given: &CallArguments<'_>) -> Result<Type, FormulaError> {
    given.text(0)?;
    given.int(1)?;
    Ok(Type::list_of(Type::Any))
}

/// Parts that name no face, such as `sidewall down only;`, say nothing.
pub(super) fn by_roll(work: &FunctionContext<'_, '_>, given: &[&Value]) -> EvalResult<Value> {
    let [Value::Text(text), Value::Int(sides)] = given else { return mismatch(work) };
    work.run.charge_work(text.len(), work.at)?;
    let sides = work.run.charge_list(*sides, work.at)?;
    Ok(Value::List(faces_by_roll(text, sides).unwrap_or_default().into()))
}

/// What each face of a die does, by a text such as `1–2: 0 · 3–6: 1`; `None` unless it says so of each once.
pub fn faces_by_roll(text: &str, sides: usize) -> Option<Vec<Value>> {
    let mut faces: Vec<Option<Value>> = vec![None; sides];
    let mut is_complete = true;
    for part in text.split(['·', ';']) {
        let Some((rolls, result)) = part.split_once(':') else { continue };
        let rolls = plain(rolls);
        let (from, to) = rolls.split_once('-').unwrap_or((&rolls, &rolls));
        let (Ok(from), Ok(to)) = (from.trim().parse::<usize>(), to.trim().parse::<usize>()) else { continue };
        let result = result.trim();
        let value = result.parse::<i64>().map_or_else(|_| Value::text(result), Value::Int);
        let span = from.checked_sub(1).filter(|first| *first < to).and_then(|first| faces.get_mut(first..to));
        match span {
            Some(span) if span.iter().all(Option::is_none) => span.fill(Some(value)),
            _ => is_complete = false,
        }
    }
    faces.into_iter().collect::<Option<_>>().filter(|_| is_complete)
}
