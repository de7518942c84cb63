//! A way from a file's top to a table, value or item, as keys and numbers.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathStep {
    Key(String),
    /// An item of an array, from 0.
    Nth(usize),
}

impl From<&str> for PathStep {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<usize> for PathStep {
    fn from(at: usize) -> Self {
        Self::Nth(at)
    }
}

impl fmt::Display for PathStep {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => out.write_str(key),
            Self::Nth(at) => write!(out, "{}", at + 1),
        }
    }
}
