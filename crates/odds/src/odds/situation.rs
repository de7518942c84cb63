//! What the table decides, as players write it: takes `range=20`, gives the values of situations, or what is wrong with the words.

use std::sync::Arc;

use moldloft_base::finding::{Advice, Finding, did_you_mean};
use moldloft_base::sanitize;
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::{AttackRules, Situation, SituationKind};

use super::curve::MAX_AXIS;
use super::encounter::default_situation;

/// Most characters of a word in a message.
const MAX_WORD: usize = 40;
/// Most values of which the best is looked for.
pub const MAX_CHOICES: usize = 100;
/// Most bearings that are tried.
const MAX_BEARINGS: usize = 6;

/// The first choice among the situations: where the weapons bear.
pub fn bearing(rules: &AttackRules) -> Option<usize> {
    rules.situations.iter().position(|rule| matches!(rule.kind, SituationKind::Choice(_)))
}

/// The default situation with each of the first [`MAX_BEARINGS`] options of [`bearing`].
pub fn bearings(rules: &AttackRules) -> Vec<Vec<Value>> {
    let plain = default_situation(rules);
    let options = bearing(rules).and_then(|number| match &rules.situations.get(number)?.kind {
        SituationKind::Choice(options) => Some((number, options)),
        _ => None,
    });
    let Some((number, options)) = options else { return vec![plain] };
    let with = |(id, _): &(Arc<str>, Arc<str>)| {
        let mut situation = plain.clone();
        situation[number] = Value::Text(id.clone());
        situation
    };
    options.iter().take(MAX_BEARINGS).map(with).collect()
}

fn shorten(word: &str) -> String {
    sanitize::shorten(word, MAX_WORD)
}

/// The default situation with these changes, each `NAME=VALUE`.
///
/// # Errors
/// `wrong-situation`, `unknown-situation`, `unknown-option`, `value-out-of-range`.
pub fn read_situation(rules: &AttackRules, changes: &[String]) -> Result<Vec<Value>, Finding> {
    let mut values = default_situation(rules);
    for change in changes {
        let Some((name, word)) = change.split_once('=') else {
            let message = format!("expected NAME=VALUE, found `{}`", shorten(change));
            return Err(Finding::error("wrong-situation", message).advise(Advice::WriteSituation));
        };
        let number = find_situation(rules, name.trim())?;
        if let (Some(rule), Some(value)) = (rules.situations.get(number), values.get_mut(number)) {
            *value = read_value(rule, word.trim())?;
        }
    }
    Ok(values)
}

/// The help for an unknown word: `did you mean `missiles`?`, or all that are known.
pub(super) fn near_or_known<'a>(word: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    did_you_mean(word, known.clone()).unwrap_or_else(|| format!("known: {}", known.collect::<Vec<_>>().join(", ")))
}

/// The number of a situation.
///
/// # Errors
/// `unknown-situation` with the nearest name.
pub fn find_situation(rules: &AttackRules, name: &str) -> Result<usize, Finding> {
    rules.situations.iter().position(|rule| *rule.id == *name).ok_or_else(|| {
        let help = match rules.situations.is_empty() {
            true => "these rules have no situations".to_owned(),
            false => near_or_known(name, rules.situations.iter().map(|rule| &*rule.id)),
        };
        Finding::error("unknown-situation", format!("unknown situation `{}`", shorten(name))).help(help)
    })
}

/// A value in the words of [`read_situation`].
pub fn value_word(value: &Value) -> String {
    match value {
        Value::Flag(flag) => flag.to_string(),
        other => other.shown().unwrap_or_default(),
    }
}

fn read_value(rule: &Situation, word: &str) -> Result<Value, Finding> {
    let wrong = |expected: String| {
        let message = format!("expected {expected} for `{}`, found `{}`", rule.id, shorten(word));
        Finding::error("value-out-of-range", message)
    };
    match &rule.kind {
        SituationKind::Integer { min, max } => {
            let number = word.parse::<i64>().ok().filter(|number| (*min..=*max).contains(number));
            number.map(Value::Int).ok_or_else(|| {
                let help = format!("the rules say so; a layer can: [change.situation.{}], then min or max", rule.id);
                wrong(range_words(*min, *max)).help(help)
            })
        }
        SituationKind::Flag => match word {
            "true" | "yes" => Ok(Value::Flag(true)),
            "false" | "no" => Ok(Value::Flag(false)),
            _ => Err(wrong("true or false".to_owned())),
        },
        SituationKind::Choice(options) => {
            if let Some((id, _)) = options.iter().find(|(id, _)| **id == *word) {
                return Ok(Value::Text(id.clone()));
            }
            let help = near_or_known(word, options.iter().map(|(id, _)| &**id));
            let message = format!("unknown option `{}` of `{}`", shorten(word), rule.id);
            Err(Finding::error("unknown-option", message).help(help))
        }
    }
}

fn range_words(min: i64, max: i64) -> String {
    match (min > i64::MIN / 2, max < i64::MAX / 2) {
        (true, true) => format!("a whole number from {min} to {max}"),
        (true, false) => format!("a whole number of at least {min}"),
        (false, true) => format!("a whole number of at most {max}"),
        (false, false) => "a whole number".to_owned(),
    }
}

/// The situation that charts are drawn over.
pub fn axis(rules: &AttackRules) -> Option<usize> {
    rules.situations.iter().position(|rule| rule.axis)
}

/// All values that a situation can have, at most [`MAX_AXIS`].
pub fn axis_values(rule: &Situation) -> Vec<Value> {
    match &rule.kind {
        SituationKind::Integer { min, max } => (*min..=*max).take(MAX_AXIS).map(Value::Int).collect(),
        SituationKind::Flag => vec![Value::Flag(false), Value::Flag(true)],
        SituationKind::Choice(options) => {
            options.iter().take(MAX_AXIS).map(|(id, _)| Value::Text(id.clone())).collect()
        }
    }
}

/// The situation and values of `NAME`, `NAME=A..B`, or of the axis if `word` is empty.
///
/// # Errors
/// Those of [`find_situation`]; `no-axis` without one; `value-out-of-range` for values that it cannot have or more than [`MAX_AXIS`] of them.
pub fn read_over(rules: &AttackRules, word: &str) -> Result<(usize, Vec<Value>), Finding> {
    let (name, range) = match word.split_once('=') {
        Some((name, range)) => (name.trim(), Some(range.trim())),
        None => (word.trim(), None),
    };
    let number = match name {
        "" => axis(rules).ok_or_else(|| {
            let first = rules.situations.first().map_or_else(|| "NAME".into(), |rule| rule.id.clone());
            Finding::error("no-axis", "no situation of these rules is the axis of a chart")
                .advise(Advice::NameAxis(first))
        })?,
        name => find_situation(rules, name)?,
    };
    let Some(rule) = rules.situations.get(number) else { return Ok((number, Vec::new())) };
    let Some(range) = range else { return Ok((number, axis_values(rule))) };
    let SituationKind::Integer { min, max } = &rule.kind else {
        let message = format!("`{}` has no numbers, found `{}`", rule.id, shorten(range));
        return Err(Finding::error("value-out-of-range", message).advise(Advice::WholeAxis(rule.id.clone())));
    };
    let ends = range.split_once("..").and_then(|(from, to)| Some((from.parse::<i64>().ok()?, to.parse::<i64>().ok()?)));
    let ends = ends.filter(|(from, to)| from <= to && min <= from && to <= max);
    let Some((from, to)) = ends else {
        let message = format!("expected A..B within {min} to {max} for `{}`, found `{}`", rule.id, shorten(range));
        return Err(
            Finding::error("value-out-of-range", message).help(format!("write it like {}={min}..{max}", rule.id))
        );
    };
    if to.abs_diff(from) >= MAX_AXIS as u64 {
        let message =
            format!("{} values of `{}`, at most {MAX_AXIS} are allowed", to.abs_diff(from).saturating_add(1), rule.id);
        return Err(Finding::error("value-out-of-range", message));
    }
    Ok((number, (from..=to).map(Value::Int).collect()))
}

/// The situation that each firing ship chooses: `name`, or the first with options if it is empty.
///
/// # Errors
/// Those of [`find_situation`]; `no-choice` without options; `value-out-of-range` for too many values.
pub fn read_best(rules: &AttackRules, name: &str) -> Result<usize, Finding> {
    let number = match name.trim() {
        "" => {
            let first = rules.situations.iter().position(|rule| matches!(rule.kind, SituationKind::Choice(_)));
            first.ok_or_else(|| {
                Finding::error("no-choice", "no situation of these rules has options to choose from")
                    .advise(Advice::NameChoice)
            })?
        }
        name => find_situation(rules, name)?,
    };
    let values = rules.situations.get(number).map_or(0, value_count);
    if values > MAX_CHOICES as u64 {
        let id = rules.situations.get(number).map_or("", |rule| &*rule.id);
        let message = format!("{values} values of `{id}`, at most {MAX_CHOICES} are tried for the best");
        return Err(Finding::error("value-out-of-range", message).help("name a situation with fewer values"));
    }
    Ok(number)
}

fn value_count(rule: &Situation) -> u64 {
    match &rule.kind {
        SituationKind::Integer { min, max } => max.abs_diff(*min).saturating_add(1),
        SituationKind::Flag => 2,
        SituationKind::Choice(options) => options.len() as u64,
    }
}

/// `range 20 MU`, `target is slow`; `None` for a flag that is off, and for a number that is 0 unless the table says more.
pub fn situation_words(rule: &Situation, value: &Value) -> Option<String> {
    let unit = if rule.unit.is_empty() { String::new() } else { format!(" {}", rule.unit) };
    Some(match (value, &rule.kind) {
        (Value::Flag(false), _) => return None,
        (Value::Int(0), SituationKind::Integer { .. }) if rule.default == Value::Int(0) && !rule.axis => return None,
        (Value::Flag(true), _) => rule.label.to_string(),
        (Value::Text(id), SituationKind::Choice(options)) => {
            let label = options.iter().find(|(known, _)| known == id).map_or(&**id, |(_, label)| &**label);
            format!("{} {label}", rule.label)
        }
        (value, _) => format!("{} {}{unit}", rule.label, value.shown().unwrap_or_default()),
    })
}
