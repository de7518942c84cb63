//! What of a design something is about, and what a program may change in it. Data only: where findings point and how they are
//! mended, for programs that edit designs.

use std::fmt;
use std::sync::Arc;

/// The part of a design that something concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The design as a whole.
    #[default]
    Design,
    /// A key at the head of the file: `name`, or one that nobody knows.
    Head(Arc<str>),
    /// A key of `[fields]`, as the design writes it.
    Field(Arc<str>),
    /// A row of a field.
    Row {
        /// The field.
        field: Arc<str>,
        /// Its place in the file, from 0.
        row: usize,
    },
    /// A fit, by its place in the file: [`Fit::index`](super::Fit::index).
    Fit(u32),
    /// All fits of a system.
    System(Arc<str>),
    /// A mount, whether or not something stands there.
    Mount(Arc<str>),
    /// A `[[system]]` of the design's own.
    Own(Arc<str>),
}

impl Subject {
    /// The field that it is, or whose row it is.
    pub fn field(&self) -> Option<&Arc<str>> {
        match self {
            Subject::Field(field) | Subject::Row { field, .. } => Some(field),
            _ => None,
        }
    }
}

/// A plain value of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plain {
    /// A whole number.
    Number(i64),
    /// true or false.
    Flag(bool),
    /// A text.
    Text(Arc<str>),
}

impl fmt::Display for Plain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plain::Number(number) => number.fmt(out),
            Plain::Flag(flag) => flag.fmt(out),
            Plain::Text(text) => text.fmt(out),
        }
    }
}

impl From<Plain> for toml_edit::Value {
    fn from(plain: Plain) -> Self {
        match plain {
            Plain::Number(number) => number.into(),
            Plain::Flag(flag) => flag.into(),
            Plain::Text(text) => (&*text).into(),
        }
    }
}

/// One change of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Sets a key of `[fields]`.
    SetField {
        /// The key.
        field: Arc<str>,
        /// What it is to be.
        value: Plain,
    },
    /// Sets a column of a field's row.
    SetCell {
        /// The field.
        field: Arc<str>,
        /// The row's place in the file, from 0.
        row: usize,
        /// The column.
        column: Arc<str>,
        /// What it is to be.
        value: Plain,
    },
    /// Sets a key of a fit: `system`, `mount`, `count` or a parameter.
    SetFit {
        /// Its place in the file, from 0.
        fit: u32,
        /// The key.
        key: Arc<str>,
        /// What it is to be.
        value: Plain,
    },
    /// Sets a key of a system of the design's own.
    SetOwn {
        /// Its id.
        system: Arc<str>,
        /// The key.
        key: Arc<str>,
        /// What it is to be.
        value: Plain,
    },
    /// Adds a fit.
    AddFit {
        /// The system's id.
        system: Arc<str>,
        /// The mount's id; `None` in games without mounts.
        mount: Option<Arc<str>>,
        /// How many.
        count: u32,
        /// What it states beside these.
        parameters: Vec<(Arc<str>, Plain)>,
    },
    /// Takes a fit out.
    RemoveFit {
        /// Its place in the file, from 0.
        fit: u32,
    },
    /// Takes a key out.
    RemoveKey {
        /// Whose: the head's ([`Subject::Design`]), a fit's, a row's, an own system's; of [`Subject::Field`] the field itself.
        of: Subject,
        /// The key.
        key: Arc<str>,
    },
}

/// What a finding about a design's file concerns, and the steps that certainly mend it; none where that is a player's choice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Concern {
    pub subject: Subject,
    pub steps: Vec<Step>,
}

impl From<Subject> for Concern {
    fn from(subject: Subject) -> Self {
        Self { subject, steps: Vec::new() }
    }
}
