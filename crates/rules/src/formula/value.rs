//! Values of formulas, and how they print.

use std::fmt::Write;
use std::sync::Arc;

use super::Type;
use super::limits::MAX_TEXT_CHARS as TEXT_LIMIT;

/// A value of the formula language; cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Value {
    /// Not computable: a field without a value, an unknown option, or anything derived from one.
    #[default]
    Null,
    /// Within ±10^15.
    Int(i64),
    Flag(bool),
    Text(Arc<str>),
    /// At most 100,000 values.
    List(Arc<[Value]>),
    Record(Arc<Record>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Record {
    pub entries: Vec<(Arc<str>, Value)>,
}

impl Record {
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.entries.iter().find(|(key, _)| &**key == name).map(|(_, value)| value)
    }
}

impl Value {
    pub fn text(text: &str) -> Self {
        Self::Text(Arc::from(text))
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// As a flag: a number counts as `!= 0`, text, a list or a record as "not empty"; `None` for null.
    pub fn as_bool(&self) -> Option<bool> {
        Some(match self {
            Self::Null => return None,
            Self::Int(number) => *number != 0,
            Self::Flag(flag) => *flag,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Record(record) => !record.entries.is_empty(),
        })
    }

    /// As a player reads it: `37`, `yes`, `a, b`; a record as `laser: 2, graser: 1`. `None` when it or a part of it is null. It is cut
    /// with `…` after 10,000 bytes.
    pub fn shown(&self) -> Option<String> {
        let mut out = String::new();
        self.write_display(&mut out, TEXT_LIMIT).then_some(out)
    }

    /// Appends the value as [`Value::shown`] gives it; false when a part is null.
    pub(super) fn write_display(&self, out: &mut String, limit: usize) -> bool {
        if out.len() >= limit {
            if !out.ends_with('…') {
                out.push('…');
            }
            return true;
        }
        match self {
            Self::Null => return false,
            Self::Int(number) => {
                let _ = write!(out, "{number}");
            }
            Self::Flag(flag) => out.push_str(if *flag { "yes" } else { "no" }),
            Self::Text(text) => out.push_str(text),
            Self::List(items) => {
                for (place, item) in items.iter().enumerate() {
                    if place > 0 {
                        out.push_str(", ");
                    }
                    if !item.write_display(out, limit) {
                        return false;
                    }
                    if out.len() >= limit {
                        break;
                    }
                }
            }
            Self::Record(record) => {
                for (place, (name, item)) in record.entries.iter().enumerate() {
                    if place > 0 {
                        out.push_str(", ");
                    }
                    out.push_str(name);
                    out.push_str(": ");
                    if !item.write_display(out, limit) {
                        return false;
                    }
                    if out.len() >= limit {
                        break;
                    }
                }
            }
        }
        true
    }

    /// For messages: `a number`, `text`, `a list`.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Null => "not computable",
            Self::Int(_) => Type::Int.describe(),
            Self::Flag(_) => Type::Flag.describe(),
            Self::Text(_) => Type::TEXT.describe(),
            Self::List(items) => match items.first() {
                Some(Self::Int(_)) => "a list of numbers",
                Some(Self::Text(_)) => "a list of texts",
                Some(Self::Record(_)) => "a list of rows",
                _ => "a list",
            },
            Self::Record(_) => "a record",
        }
    }
}
