//! What a finding concerns in a design, and the changes that fix it. Data only, for programs that edit designs.

use std::fmt;
use std::sync::Arc;

/// The part of a design or fleet that something concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DesignPart {
    /// The design or fleet as a whole.
    #[default]
    Design,
    /// A key at the top of the file: `name`, or an unknown one.
    TopKey(Arc<str>),
    /// A field, by its id.
    Field(Arc<str>),
    /// A row of a field.
    Row {
        /// The field.
        field: Arc<str>,
        /// From 0, in file order.
        row: usize,
    },
    /// A fit, by its place in the file: `Fit::index`.
    Fit(u32),
    /// All fits of a system.
    System(Arc<str>),
    /// A mount, empty or not.
    Mount(Arc<str>),
    /// A system that the design defines, by its id.
    CustomSystem(Arc<str>),
    /// A ship of a fleet.
    Ship {
        /// From 0, in file order.
        ship: u32,
        /// The key of the file.
        key: &'static str,
    },
    /// A group of a fleet, by its place in the file.
    Group(u32),
}

impl DesignPart {
    /// The field itself, or the field of a row.
    pub fn field(&self) -> Option<&Arc<str>> {
        match self {
            DesignPart::Field(field) | DesignPart::Row { field, .. } => Some(field),
            _ => None,
        }
    }
}

/// A value in a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A whole number.
    Number(i64),
    /// true or false.
    Flag(bool),
    /// A text.
    Text(Arc<str>),
}

impl From<i64> for Scalar {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Scalar {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&str> for Scalar {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
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

/// One change of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesignEdit {
    /// Sets a key of `[fields]`.
    SetField {
        /// The key.
        field: Arc<str>,
        /// The new value.
        value: Scalar,
    },
    /// Sets a cell of a field with rows.
    SetCell {
        /// The field.
        field: Arc<str>,
        /// From 0, in file order.
        row: usize,
        /// The column.
        column: Arc<str>,
        /// The new value.
        value: Scalar,
    },
    /// Sets a key of a fit: `count`, `mount`, a parameter.
    SetFit {
        /// From 0, in file order.
        fit: u32,
        /// The key.
        key: Arc<str>,
        /// The new value.
        value: Scalar,
    },
    /// Sets a key of a system that the design defines.
    SetCustomSystem {
        /// Its id.
        system: Arc<str>,
        /// The key.
        key: Arc<str>,
        /// The new value.
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
        /// Its other keys.
        parameters: Vec<(Arc<str>, Scalar)>,
    },
    /// Removes a fit.
    RemoveFit {
        /// From 0, in file order.
        fit: u32,
    },
    /// Removes a key.
    RemoveKey {
        /// The top level ([`DesignPart::Design`]), a fit, row or custom system; [`DesignPart::Field`] removes the field
        /// itself.
        part: DesignPart,
        /// The key.
        key: Arc<str>,
    },
}

/// What a program can do about a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FindingFix {
    /// Nothing that is certain: a player has to choose.
    #[default]
    None,
    /// Never empty.
    Edits(Vec<DesignEdit>),
    /// What the ruleset offers for a check: the place among the evaluation's fired checks.
    Check(usize),
}

/// What a finding concerns, and its fix.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingOrigin {
    /// The part of the design.
    pub subject: DesignPart,
    /// What fixes it.
    pub fix: FindingFix,
    /// Whether the results leave out a part of the design because of it, or have an unusable value.
    pub leaves_out: bool,
}

impl FindingOrigin {
    /// An origin with the edits that fix it; without any, a player has to choose.
    pub fn with_edits(subject: DesignPart, edits: Vec<DesignEdit>) -> Self {
        Self { fix: if edits.is_empty() { FindingFix::None } else { FindingFix::Edits(edits) }, ..subject.into() }
    }

    /// The origin of a finding because of which the results leave out the part.
    #[must_use]
    pub fn leaving_out(self) -> Self {
        Self { leaves_out: true, ..self }
    }
}

impl From<DesignPart> for FindingOrigin {
    fn from(subject: DesignPart) -> Self {
        Self { subject, fix: FindingFix::None, leaves_out: false }
    }
}
