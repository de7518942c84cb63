//! The functions of the language in one table: name, arguments, help, check and implementation. Functions about a ship
//! (`count`, `total`, `row`) belong to the scope.

mod call_arguments;
mod lists;
mod numbers;
mod rows;

use super::error::EvalResult;
use super::eval::FunctionContext;
use super::{FormulaError, Type, Value};

pub(super) use call_arguments::{CallArguments, comparable, options_hold};

pub(super) type NumberFn = fn(&[i64], crate::source::Span) -> EvalResult<i64>;
pub(super) type ValueFn = fn(&FunctionContext<'_, '_>, &[&Value]) -> EvalResult<Value>;

#[derive(Debug)]
pub struct Function {
    /// `ceil_div`
    pub name: &'static str,
    /// `a, b`; `…` where more of the same may follow.
    pub arguments: &'static str,
    pub doc: &'static str,
    /// The least and largest number of arguments.
    pub(super) takes: (usize, usize),
    /// Takes named arguments, which are columns.
    pub(super) named: bool,
    /// Checks the arguments and gives the type of the result.
    pub(super) check: fn(&CallArguments<'_>) -> Result<Type, FormulaError>,
    pub(super) numbers: Option<NumberFn>,
    pub(super) values: Option<ValueFn>,
}

pub static FUNCTIONS: [Function; 20] = [
    Function {
        name: "abs",
        arguments: "a",
        doc: "a without its sign",
        takes: (1, 1),
        named: false,
        check: numbers::check,
        numbers: Some(numbers::abs),
        values: None,
    },
    Function {
        name: "ceil_div",
        arguments: "a, b",
        doc: "a divided by b, rounded up",
        takes: (2, 2),
        named: false,
        check: numbers::check_division,
        numbers: Some(numbers::ceil_div),
        values: None,
    },
    Function {
        name: "clamp",
        arguments: "a, low, high",
        doc: "a, but at least `low` and at most `high` (`low` if they cross)",
        takes: (3, 3),
        named: false,
        check: numbers::check,
        numbers: Some(numbers::clamp),
        values: None,
    },
    Function {
        name: "column",
        arguments: "rows, 'name'",
        doc: "the list of the values in one column",
        takes: (2, 2),
        named: false,
        check: rows::check_column,
        numbers: None,
        values: Some(rows::column),
    },
    Function {
        name: "covers",
        arguments: "rows, low, high",
        doc: "whether the rows' `from` and `to` cover each number from `low` to `high` once, and none outside",
        takes: (3, 3),
        named: false,
        check: rows::check_covers,
        numbers: None,
        values: Some(rows::covers),
    },
    Function {
        name: "join",
        arguments: "list, 'between'",
        doc: "one text of all items, with a text between them",
        takes: (2, 2),
        named: false,
        check: lists::check_join,
        numbers: None,
        values: Some(lists::join),
    },
    Function {
        name: "length",
        arguments: "list",
        doc: "how many items a list has, or characters a text",
        takes: (1, 1),
        named: false,
        check: lists::check_length,
        numbers: None,
        values: Some(lists::length),
    },
    Function {
        name: "max",
        arguments: "a, b, …",
        doc: "the greatest of some numbers, or of a list",
        takes: (1, usize::MAX),
        named: false,
        check: numbers::check_extreme,
        numbers: Some(numbers::max),
        values: Some(lists::max),
    },
    Function {
        name: "min",
        arguments: "a, b, …",
        doc: "the least of some numbers, or of a list",
        takes: (1, usize::MAX),
        named: false,
        check: numbers::check_extreme,
        numbers: Some(numbers::min),
        values: Some(lists::min),
    },
    Function {
        name: "range",
        arguments: "a, b",
        doc: "the list of numbers from a up to but not including b; range(n) starts at 0",
        takes: (1, 2),
        named: false,
        check: lists::check_range,
        numbers: None,
        values: Some(lists::range),
    },
    Function {
        name: "repeat",
        arguments: "a, n",
        doc: "a list of n times a",
        takes: (2, 2),
        named: false,
        check: lists::check_repeat,
        numbers: None,
        values: Some(lists::repeat),
    },
    Function {
        name: "rising",
        arguments: "list",
        doc: "whether no number is less than the one before it",
        takes: (1, 1),
        named: false,
        check: lists::check_rising,
        numbers: None,
        values: Some(lists::rising),
    },
    Function {
        name: "round_div",
        arguments: "a, b",
        doc: "a divided by b, rounded to the nearest, halves up",
        takes: (2, 2),
        named: false,
        check: numbers::check_division,
        numbers: Some(numbers::round_div),
        values: None,
    },
    Function {
        name: "rounded",
        arguments: "how, a, b",
        doc: "a divided by b, rounded by `how`: 'nearest' (halves up), 'down' or 'up'",
        takes: (3, 3),
        named: false,
        check: numbers::check_rounded,
        numbers: None,
        values: Some(numbers::rounded),
    },
    Function {
        name: "sort",
        arguments: "list",
        doc: "the numbers or texts of a list in order",
        takes: (1, 1),
        named: false,
        check: lists::check_sort,
        numbers: None,
        values: Some(lists::sort),
    },
    Function {
        name: "split_rows",
        arguments: "n, rows",
        doc: "n boxes split into that many equal rows, the whole remainder in the first; rows without boxes are skipped",
        takes: (2, 2),
        named: false,
        check: lists::check_split_rows,
        numbers: None,
        values: Some(lists::split_rows),
    },
    Function {
        name: "spread",
        arguments: "boxes, 'kind', n, …",
        doc: "a list of `boxes` texts with n of each kind spread evenly, earlier kinds first, '' for the rest",
        takes: (3, usize::MAX),
        named: false,
        check: rows::check_spread,
        numbers: None,
        values: Some(rows::spread),
    },
    Function {
        name: "sum",
        arguments: "list",
        doc: "the total of a list of numbers, 0 if empty; for what is fitted, use total('name')",
        takes: (1, 1),
        named: false,
        check: lists::check_sum,
        numbers: None,
        values: Some(lists::sum),
    },
    Function {
        name: "uncovered",
        arguments: "rows, low, high",
        doc: "the numbers for which `covers` fails: those covered by no row or by several, and those outside",
        takes: (3, 3),
        named: false,
        check: rows::check_uncovered,
        numbers: None,
        values: Some(rows::uncovered),
    },
    Function {
        name: "where",
        arguments: "rows, column=value, …",
        doc: "the rows whose columns have these values",
        takes: (2, usize::MAX),
        named: true,
        check: rows::check_where,
        numbers: None,
        values: Some(rows::filter),
    },
];

pub(super) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}
