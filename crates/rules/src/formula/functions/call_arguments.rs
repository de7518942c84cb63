//! What a built-in function is, and the arguments of a call as its check sees them: types, literals, places. Gives
//! errors that name the argument.

use std::sync::Arc;

use moldloft_base::finding::did_you_mean;
use moldloft_base::source::Span;

use super::super::error::{EvalResult, first_few, unknown_option};
use super::super::run::FunctionContext;
use super::super::syntax::{ArgumentExpr, Expr, ExprKind};
use super::super::{FormulaError, Type, Value};

pub(in super::super) type NumberFn = fn(&[i64], Span) -> EvalResult<i64>;
pub(in super::super) type ValueFn = fn(&FunctionContext<'_, '_>, &[&Value]) -> EvalResult<Value>;

#[derive(Debug)]
pub struct Function {
    /// `ceil_div`
    pub name: &'static str,
    /// `a, b`; `…` where more of the same may follow.
    pub arguments: &'static str,
    pub doc: &'static str,
    /// The least and largest number of arguments.
    pub(in super::super) takes: (usize, usize),
    /// Takes named arguments, which are columns.
    pub(in super::super) named: bool,
    /// Checks the arguments and gives the type of the result.
    pub(in super::super) check: CheckFn,
    pub(in super::super) numbers: Option<NumberFn>,
    pub(in super::super) values: Option<ValueFn>,
}

type CheckFn = fn(&CallArguments<'_>) -> Result<Type, FormulaError>;

impl Function {
    /// Of numbers that are all known.
    pub(super) const fn of_numbers(
        name: &'static str,
        arguments: &'static str,
        takes: (usize, usize),
        check: CheckFn,
        numbers: NumberFn,
        doc: &'static str,
    ) -> Self {
        Self { name, arguments, doc, takes, named: false, check, numbers: Some(numbers), values: None }
    }

    /// Of any values.
    pub(super) const fn of_values(
        name: &'static str,
        arguments: &'static str,
        takes: (usize, usize),
        check: CheckFn,
        values: ValueFn,
        doc: &'static str,
    ) -> Self {
        Self { name, arguments, doc, takes, named: false, check, numbers: None, values: Some(values) }
    }

    /// Where its one argument may be a list.
    pub(super) const fn or_values(self, values: ValueFn) -> Self {
        Self { values: Some(values), ..self }
    }

    /// With named arguments.
    pub(super) const fn with_names(self) -> Self {
        Self { named: true, ..self }
    }
}

type ColumnTypes<'a> = &'a [(Arc<str>, Type)];

/// An argument as written, with its type.
pub(in super::super) struct CheckedArgument<'a> {
    pub written: &'a ArgumentExpr,
    pub ty: &'a Type,
    pub at: Span,
}

pub(in super::super) struct CallArguments<'a> {
    pub function: &'static Function,
    pub list: &'a [CheckedArgument<'a>],
    pub at: Span,
    pub base: Span,
}

impl<'a> CallArguments<'a> {
    pub fn count(&self) -> usize {
        self.list.len()
    }

    pub fn at(&self, place: usize) -> Span {
        self.list.get(place).map_or(self.at, |argument| argument.at)
    }

    pub fn ty(&self, place: usize) -> &'a Type {
        self.list.get(place).map_or(&Type::Any, |argument| argument.ty)
    }

    /// `None` unless it is a literal.
    pub fn literal(&self, place: usize) -> Option<Value> {
        self.list.get(place)?.written.value.literal()
    }

    pub fn wrong(&self, place: usize, wanted: &str) -> FormulaError {
        let message = format!(
            "expected {wanted} as the {} argument of `{}`, found {}",
            ordinal(place),
            self.function.name,
            self.ty(place).describe()
        );
        FormulaError::new("wrong-type", message, self.at(place)).help(self.usage())
    }

    pub fn usage(&self) -> String {
        format!("{}({}): {}", self.function.name, self.function.arguments, self.function.doc)
    }

    pub fn int(&self, place: usize) -> Result<(), FormulaError> {
        match self.ty(place) {
            Type::Int | Type::Any => Ok(()),
            _ => Err(self.wrong(place, "a number")),
        }
    }

    pub fn text(&self, place: usize) -> Result<(), FormulaError> {
        match self.ty(place) {
            Type::Text(_) | Type::Any => Ok(()),
            _ => Err(self.wrong(place, "text")),
        }
    }

    pub fn list(&self, place: usize) -> Result<&'a Type, FormulaError> {
        match self.ty(place) {
            Type::List(item) => Ok(item),
            Type::Any => Ok(&Type::Any),
            _ => Err(self.wrong(place, "a list")),
        }
    }

    /// A list of numbers.
    pub fn numbers(&self, place: usize) -> Result<(), FormulaError> {
        match self.list(place)? {
            Type::Int | Type::Any => Ok(()),
            _ => Err(self.wrong(place, "a list of numbers")),
        }
    }

    pub fn rows(&self, place: usize) -> Result<Option<ColumnTypes<'a>>, FormulaError> {
        match self.list(place)? {
            Type::Record(columns) => Ok(Some(columns)),
            Type::Any => Ok(None),
            _ => Err(self.wrong(place, "rows")),
        }
    }

    pub fn least(&self, place: usize, least: i64) -> Result<(), FormulaError> {
        match self.literal(place) {
            Some(Value::Int(number)) if number < least => {
                let message = format!("`{}` needs at least {least} here, found {number}", self.function.name);
                Err(FormulaError::new("out-of-range", message, self.at(place)).help(self.usage()))
            }
            _ => Ok(()),
        }
    }

    pub fn column<'t>(&self, columns: &'t [(Arc<str>, Type)], name: &str, at: Span) -> Result<&'t Type, FormulaError> {
        let names = columns.iter().map(|(name, _)| &**name);
        columns.iter().find(|(column, _)| &**column == name).map(|(_, ty)| ty).ok_or_else(|| {
            let help = did_you_mean(name, names.clone()).unwrap_or_else(|| format!("use one of: {}", first_few(names)));
            FormulaError::new("unknown-column", format!("these rows have no column `{name}`"), at).help(help)
        })
    }
}

fn ordinal(place: usize) -> String {
    match place {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        3 => "fourth".to_owned(),
        more => format!("{}th", more + 1),
    }
}

/// Checks that two sides of a comparison are of one type, and that literals on one side are among the options of the
/// other.
pub(in super::super) fn comparable(
    left: (&Type, &Expr),
    right: (&Type, &Expr),
    base: Span,
    at: Span,
) -> Result<(), FormulaError> {
    if !left.0.comparable(right.0) {
        let message = format!("{} is never equal to {}", left.0.describe(), right.0.describe());
        let help = match (left.0, right.0) {
            (Type::Int, Type::Text(_)) | (Type::Text(_), Type::Int) => Some("remove the quotes from numbers"),
            (Type::Flag, _) | (_, Type::Flag) => Some("check a flag without comparing: `agile`, `not agile`"),
            (Type::List(_), _) | (_, Type::List(_)) => Some("use `x in list` to look for one item"),
            _ => None,
        };
        return Err(FormulaError::new("wrong-type", message, at).maybe_help(help.map(str::to_owned)));
    }
    for (options, words) in [(left.0, right.1), (right.0, left.1)] {
        options_hold(options, words, base)?;
    }
    Ok(())
}

pub(in super::super) fn options_hold(options: &Type, words: &Expr, base: Span) -> Result<(), FormulaError> {
    match (options, &words.kind) {
        (Type::Text(Some(options)), ExprKind::Text(word)) if !options.contains(word) => {
            Err(unknown_option(word, options, base.subspan(words.span.clone())))
        }
        (Type::List(item), ExprKind::List(items)) => items.iter().try_for_each(|word| options_hold(item, word, base)),
        (_, ExprKind::If(parts)) => {
            options_hold(options, &parts[0], base)?;
            options_hold(options, &parts[2], base)
        }
        _ => Ok(()),
    }
}
