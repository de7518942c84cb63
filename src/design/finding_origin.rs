//! What of a design something is about, and what a program may change in it. Data only: where findings point and how they are
//! mended, for programs that edit designs.

use std::fmt;
use std::sync::Arc;

/// The part of a design that something concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DesignPart {
    /// The design as a whole.
    #[default]
    Design,
    /// A key at the head of the file: `name`, or one that nobody knows.
    TopKey(Arc<str>),
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
    CustomSystem(Arc<str>),
}

impl DesignPart {
    /// The field that it is, or whose row it is.
    pub fn field(&self) -> Option<&Arc<str>> {
        match self {
            DesignPart::Field(field) | DesignPart::Row { field, .. } => Some(field),
            _ => None,
        }
    }
}

/// A plain value of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A whole number.
    Number(i64),
    /// true or false.
    Flag(bool),
    /// A text.
    Text(Arc<str>),
}

impl fmt::Display for Scalar {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Number(number) => number.fmt(out),
            Scalar::Flag(flag) => flag.fmt(out),
            Scalar::Text(text) => text.fmt(out),
        }
    }
}

impl From<Scalar> for toml_edit::Value {
    fn from(plain: Scalar) -> Self {
        match plain {
            Scalar::Number(number) => number.into(),
            Scalar::Flag(flag) => flag.into(),
            Scalar::Text(text) => (&*text).into(),
        }
    }
}

/// One change of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesignEdit {
    /// Sets a key of `[fields]`.
    SetField {
        /// The key.
        field: Arc<str>,
        /// What it is to be.
        value: Scalar,
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
        value: Scalar,
    },
    /// Sets a key of a fit: `system`, `mount`, `count` or a parameter.
    SetFit {
        /// Its place in the file, from 0.
        fit: u32,
        /// The key.
        key: Arc<str>,
        /// What it is to be.
        value: Scalar,
    },
    /// Sets a key of a system of the design's own.
    SetCustomSystem {
        /// Its id.
        system: Arc<str>,
        /// The key.
        key: Arc<str>,
        /// What it is to be.
        value: Scalar,
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
        parameters: Vec<(Arc<str>, Scalar)>,
    },
    /// Takes a fit out.
    RemoveFit {
        /// Its place in the file, from 0.
        fit: u32,
    },
    /// Takes a key out.
    RemoveKey {
        /// Whose: the head's ([`DesignPart::Design`]), a fit's, a row's, an own system's; of [`DesignPart::Field`] the field itself.
        part: DesignPart,
        /// The key.
        key: Arc<str>,
    },
}

/// What a finding about a design's file concerns, and the steps that certainly mend it; none where that is a player's choice.
#[derive(Clone, Debug, Default)]
pub(crate) struct FindingOrigin {
    pub subject: DesignPart,
    pub edits: Vec<DesignEdit>,
}

impl From<DesignPart> for FindingOrigin {
    fn from(subject: DesignPart) -> Self {
        Self { subject, edits: Vec::new() }
    }
}
