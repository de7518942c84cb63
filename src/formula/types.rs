//! What a formula may give, known before it runs.

use std::sync::Arc;

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// Known only when evaluated: a table cell that holds a number in one row and text in another.
    Any,
    /// A whole number.
    Int,
    /// true or false. Where a flag is due, a number counts as `!= 0` and a list or text as "not empty".
    Flag,
    /// Text; `Some` when only these words can occur (a choice's options), so that a misspelt comparison is an error.
    Text(Option<Arc<[Arc<str>]>>),
    /// A list.
    List(Box<Type>),
    /// A record with exactly these names.
    Record(Arc<[(Arc<str>, Type)]>),
}
