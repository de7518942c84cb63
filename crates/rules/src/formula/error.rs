//! What can be wrong with a formula: takes the facts, gives a [`FormulaError`] with a message for players.

use std::sync::Arc;

use moldloft_base::finding::{Cause, did_you_mean, nearest};
use moldloft_base::source::Span;

/// Faults on which callers act; each has a code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaErrorKind {
    /// `unknown-name`
    UnknownName,
    /// `division-by-zero`
    DivisionByZero,
    /// `no-answer`: a call found nothing.
    NoAnswer,
    /// `not-dice`: the text of a `roll` names no dice.
    NotDice,
    /// `too-many-states`: more work than one question may take.
    TooManyStates,
}

impl FormulaErrorKind {
    /// The code of errors of this kind.
    pub fn code(self) -> &'static str {
        match self {
            FormulaErrorKind::UnknownName => "unknown-name",
            FormulaErrorKind::DivisionByZero => "division-by-zero",
            FormulaErrorKind::NoAnswer => "no-answer",
            FormulaErrorKind::NotDice => "not-dice",
            FormulaErrorKind::TooManyStates => Cause::TooManyStates.code(),
        }
    }
}

/// An error in a formula, found when compiling or evaluating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// In kebab case, such as `unknown-name`, `wrong-type`, `fraction`, `overflow`, `too-long`.
    pub code: &'static str,
    /// Set if callers act on this fault.
    pub kind: Option<FormulaErrorKind>,
    pub message: String,
    pub help: Option<String>,
    pub span: Span,
    /// A name that it concerns and that the formula does not contain.
    pub subject: Option<Arc<str>>,
}

impl FormulaError {
    /// An error without help.
    pub fn new(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Self { code, kind: None, message: message.into(), help: None, span, subject: None }
    }

    /// An error with the kind's own code, without help.
    pub fn of_kind(kind: FormulaErrorKind, message: impl Into<String>, span: Span) -> Self {
        Self { kind: Some(kind), ..Self::new(kind.code(), message, span) }
    }

    /// With what to do; empty: nothing is certain.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into()).filter(|help| !help.is_empty());
        self
    }

    #[must_use]
    pub fn about(mut self, subject: &str) -> Self {
        self.subject = Some(subject.into());
        self
    }

    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

/// Boxed, since errors are rare and large.
pub(super) type EvalResult<T> = Result<T, Box<FormulaError>>;

pub(super) fn fail<T>(code: &'static str, message: impl Into<String>, at: Span) -> EvalResult<T> {
    Err(Box::new(FormulaError::new(code, message, at)))
}

#[cold]
pub(super) fn overflow(at: Span) -> Box<FormulaError> {
    Box::new(
        FormulaError::new("overflow", "the result is beyond 1,000,000,000,000,000", at)
            .help("keep numbers within ±10^15: look for one that is too large"),
    )
}

#[cold]
pub(super) fn division_by_zero(at: Span) -> Box<FormulaError> {
    let error = FormulaError::of_kind(FormulaErrorKind::DivisionByZero, "division by 0", at);
    Box::new(error.help("check for 0 first: a // b if b else 0"))
}

#[cold]
pub(super) fn dice_without_chance(at: Span) -> Box<FormulaError> {
    Box::new(FormulaError::new("misplaced-dice", "dice have no single value here: dice belong in attacks", at))
}

#[cold]
pub(super) fn too_large(at: Span) -> Box<FormulaError> {
    Box::new(
        FormulaError::new("too-large", "this formula makes too many lists and too much text", at)
            .help("make the lists shorter"),
    )
}

#[cold]
pub(super) fn too_long_list(length: i64, at: Span) -> Box<FormulaError> {
    Box::new(
        FormulaError::new("too-long", format!("list of {length} items, at most 100000 are allowed"), at)
            .help("make it shorter"),
    )
}

#[cold]
pub(super) fn too_long_text(at: Span) -> Box<FormulaError> {
    Box::new(FormulaError::new("too-long", "text of more than 10000 characters", at).help("make it shorter"))
}

#[cold]
pub(super) fn too_nested(at: Span) -> Box<FormulaError> {
    Box::new(FormulaError::new("too-deep", "lists nested more than eight deep", at).help("use fewer levels"))
}

#[cold]
pub(super) fn wrong_type(wanted: &str, found: &str, at: Span) -> Box<FormulaError> {
    Box::new(FormulaError::new("wrong-type", format!("expected {wanted}, found {found}"), at))
}

#[cold]
pub(super) fn no_such_item(index: i64, length: usize, at: Span) -> Box<FormulaError> {
    let error = FormulaError::new(
        "no-such-item",
        match length {
            0 => format!("no item {index} in an empty list"),
            1 => format!("no item {index} in a list of 1 item"),
            _ => format!("no item {index} in a list of {length} items"),
        },
        at,
    );
    Box::new(match length {
        0 => error,
        1 => error.help("items count from 0: the only one is 0"),
        _ => error.help(format!("items count from 0: the last is {}", length - 1)),
    })
}

#[cold]
pub(super) fn no_such_name<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
    at: Span,
) -> Box<FormulaError> {
    let help = did_you_mean(name, names.clone()).unwrap_or_else(|| format!("it has {}", first_few(names)));
    let message = format!("unknown name `{name}`");
    Box::new(FormulaError::of_kind(FormulaErrorKind::UnknownName, message, at).help(help))
}

pub(super) fn unknown_option(word: &str, options: &[Arc<str>], at: Span) -> FormulaError {
    let known = options.iter().map(|option| &**option);
    let help = match nearest(word, known.clone()) {
        Some(near) => format!("did you mean '{near}'?"),
        None => format!("use one of: {}", first_few(known)),
    };
    FormulaError::new("unknown-option", format!("unknown option '{word}'"), at).help(help)
}

/// The first few words: `a, b, c …`.
pub(super) fn first_few<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut words = words.into_iter();
    let mut out = String::new();
    for word in words.by_ref().take(8) {
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(word);
    }
    if words.next().is_some() {
        out.push_str(" …");
    }
    if out.is_empty() {
        out.push_str("nothing");
    }
    out
}
