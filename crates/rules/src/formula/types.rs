//! Types of formulas.

use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Known only when evaluated, such as a table cell with a number in one row and text in another.
    Any,
    Int,
    /// Where a flag is expected, a number counts as `!= 0` and a list or text as "not empty".
    Flag,
    /// `Some` if only these words can occur (a choice's options), so that a misspelt comparison is an error.
    Text(Option<Arc<[Arc<str>]>>),
    List(Box<Type>),
    Record(Arc<[(Arc<str>, Type)]>),
}

impl Type {
    pub const TEXT: Self = Self::Text(None);

    pub fn one_of<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        Self::Text(Some(words.into_iter().map(Arc::from).collect()))
    }

    #[must_use]
    pub fn list_of(item: Self) -> Self {
        Self::List(Box::new(item))
    }

    /// For messages: `a number`, `text`, `a list of rows`.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Any => "a value",
            Self::Int => "a number",
            Self::Flag => "true or false",
            Self::Text(_) => "text",
            Self::List(item) => match **item {
                Self::Any => "a list",
                Self::Int => "a list of numbers",
                Self::Flag => "a list of flags",
                Self::Text(_) => "a list of texts",
                Self::List(_) => "a list of lists",
                Self::Record(_) => "a list of rows",
            },
            Self::Record(_) => "a record",
        }
    }

    /// Whether a `found` is allowed where a `self` is expected; [`Type::Any`] is checked on evaluation.
    pub(super) fn accepts(&self, found: &Self) -> bool {
        match (self, found) {
            (Self::Any | Self::Flag, _) | (_, Self::Any) => true,
            (Self::Int, Self::Int) | (Self::Text(_), Self::Text(_)) => true,
            (Self::List(expected), Self::List(found)) => expected.accepts_within(found),
            (Self::Record(expected), Self::Record(found)) => expected.iter().all(|(name, expected)| {
                found.iter().any(|(other, found)| name == other && expected.accepts_within(found))
            }),
            _ => false,
        }
    }

    /// As [`Type::accepts`] for parts of a list or record, which are not converted to flags.
    fn accepts_within(&self, found: &Self) -> bool {
        match self {
            Self::Flag => matches!(found, Self::Flag | Self::Any),
            _ => self.accepts(found),
        }
    }

    /// Whether a `found` is certainly a `self` and needs no check.
    pub(super) fn includes(&self, found: &Self) -> bool {
        match (self, found) {
            (Self::Text(Some(expected)), Self::Text(Some(found))) => found.iter().all(|word| expected.contains(word)),
            (Self::Text(Some(_)), _) => false,
            (Self::List(expected), Self::List(found)) => expected.includes_within(found),
            (Self::Record(expected), Self::Record(found)) => expected.iter().all(|(name, expected)| {
                found.iter().any(|(other, found)| name == other && expected.includes_within(found))
            }),
            (Self::Any | Self::Flag, _) => true,
            (_, Self::Any) => false,
            _ => self.accepts(found),
        }
    }

    fn includes_within(&self, found: &Self) -> bool {
        match self {
            Self::Flag => matches!(found, Self::Flag),
            _ => self.includes(found),
        }
    }

    pub(super) fn comparable(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => true,
            (Self::Int, Self::Int) | (Self::Flag, Self::Flag) | (Self::Text(_), Self::Text(_)) => true,
            (Self::List(a), Self::List(b)) => a.comparable(b),
            (Self::Record(_), Self::Record(_)) => true,
            _ => false,
        }
    }

    /// The common type: the same one, or [`Type::Any`].
    #[must_use]
    pub(super) fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Text(_), Self::Text(_)) => Self::TEXT,
            (Self::List(a), Self::List(b)) => Self::list_of(a.join(b)),
            _ => Self::Any,
        }
    }

    /// Levels of nested lists, as far as is known.
    pub(super) fn nesting(&self) -> usize {
        let (mut level, mut ty) = (0, self);
        while let Self::List(item) = ty {
            level += 1;
            ty = item;
        }
        level
    }

    pub(super) fn is_scalar(&self) -> bool {
        matches!(self, Self::Int | Self::Flag | Self::Text(_))
    }
}
