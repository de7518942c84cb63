//! What a formula gives.

use std::sync::Arc;

/// A value of the formula language. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Not computable: a field without a value, an unknown option, or anything read from one.
    Null,
    /// A whole number within ±10^15.
    Int(i64),
    /// true or false.
    Flag(bool),
    /// Text.
    Text(Arc<str>),
    /// A list of at most 100,000 values.
    List(Arc<[Value]>),
    /// Named values in a fixed order.
    Record(Arc<Record>),
}

/// Named values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Names and values, in the order they were declared.
    pub entries: Vec<(Arc<str>, Value)>,
}

impl Record {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.iter().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }
}
