//! Functions over a box: those of numbers by their own rules, the others exactly where their arguments are, else by their bounds.

use std::sync::Arc;

use moldloft_base::source::Span;

use super::super::Value;
use super::super::functions::{Rounding, ValueFn};
use super::super::run::FunctionContext;
use super::number::{LeverBox, NumberRange, NumberResult};
use super::run::RangeRun;
use super::value::{RangeKind, RangeValue, items};

pub(super) fn number_call(run: &RangeRun<'_>, name: &str, arguments: &[RangeValue]) -> RangeValue {
    let may_be_null = arguments.iter().any(|argument| argument.may_be_null);
    if arguments.iter().any(|argument| argument.kind == RangeKind::Any) {
        run.may_fail.set(true);
    }
    let Some(numbers) = arguments.iter().map(RangeValue::numbers).collect::<Option<Vec<_>>>() else {
        return run.fail();
    };
    let levers = run.levers();
    let result = match (name, &*numbers) {
        ("abs", [a]) => a.greater(&a.negated(), levers),
        ("ceil_div", [a, b]) => a.divided(b, Rounding::Up, levers),
        ("round_div", [a, b]) => a.divided(b, Rounding::Nearest, levers),
        ("clamp", [a, low, high]) => a.lesser(high, levers).then(|a| a.greater(low, levers)),
        ("max", [first, rest @ ..]) => extreme(run, first, rest, NumberRange::greater),
        ("min", [first, rest @ ..]) => extreme(run, first, rest, NumberRange::lesser),
        _ => return run.unknown(),
    };
    run.number(result).or_null(may_be_null)
}

type Pick = fn(&NumberRange, &NumberRange, &LeverBox) -> NumberResult;

fn extreme(run: &RangeRun<'_>, first: &NumberRange, rest: &[NumberRange], pick: Pick) -> NumberResult {
    rest.iter()
        .fold(NumberResult::certain(first.clone()), |best, next| best.then(|best| pick(best, next, run.levers())))
}

pub(super) fn value_call(
    run: &RangeRun<'_>,
    name: &str,
    compute: ValueFn,
    arguments: &[RangeValue],
    names: &[Arc<str>],
    at: Span,
) -> RangeValue {
    let may_be_null = arguments.iter().any(|argument| argument.may_be_null);
    if arguments.iter().any(|argument| argument.kind == RangeKind::Nothing) {
        return RangeValue::null();
    }
    let exact: Option<Vec<Value>> = arguments
        .iter()
        .map(|argument| RangeValue { may_be_null: false, kind: argument.kind.clone() }.as_exact())
        .collect();
    if let Some(exact) = exact {
        let given: Vec<&Value> = exact.iter().collect();
        return run.exactly(|work| compute(&FunctionContext { run: work, at, names }, &given)).or_null(may_be_null);
    }
    let levers = run.levers();
    let value = match (name, arguments) {
        ("rounded", [how, a, b]) => match (&how.kind, a.numbers(), b.numbers()) {
            (RangeKind::Texts(words), Some(a), Some(b)) => {
                let each = words.iter().map(|word| match Rounding::named(word) {
                    Some(rounding) => run.number(a.divided(&b, rounding, levers)),
                    None => run.fail(),
                });
                each.reduce(RangeValue::hull).unwrap_or_else(RangeValue::null)
            }
            _ => run.unknown(),
        },
        ("sum", [list]) => numbers_of(run, list, |first, rest| {
            let zero = NumberResult::certain(first.clone());
            rest.iter().fold(zero, |sum, next| sum.then(|sum| sum.plus(next, 1.0, levers)))
        }),
        ("max", [list]) => numbers_of(run, list, |first, rest| extreme(run, first, rest, NumberRange::greater)),
        ("min", [list]) => numbers_of(run, list, |first, rest| extreme(run, first, rest, NumberRange::lesser)),
        ("length", [list]) => match items(&list.kind) {
            Some(items) => RangeValue::exact(&Value::Int(i64::try_from(items.len()).unwrap_or(i64::MAX))),
            None => run.unknown(),
        },
        _ => run.unknown(),
    };
    value.or_null(may_be_null)
}

/// A function of the numbers of a list, of which one at least is needed.
fn numbers_of(
    run: &RangeRun<'_>,
    list: &RangeValue,
    with: impl FnOnce(&NumberRange, &[NumberRange]) -> NumberResult,
) -> RangeValue {
    let Some(items) = items(&list.kind) else { return run.unknown() };
    run.host.record_work(items.len());
    let may_be_null = items.iter().any(|item| item.may_be_null);
    let Some(numbers) = items.iter().map(RangeValue::numbers).collect::<Option<Vec<_>>>() else {
        return run.unknown();
    };
    if items.iter().any(|item| item.kind == RangeKind::Any) {
        run.may_fail.set(true);
    }
    match numbers.split_first() {
        Some((first, rest)) => run.number(with(first, rest)).or_null(may_be_null),
        None => run.unknown(),
    }
}
