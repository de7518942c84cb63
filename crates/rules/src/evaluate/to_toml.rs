//! Converts a formula's value to TOML for a design's file.

use toml_edit::{Array, InlineTable, Value as Written};

use crate::formula::Value;

/// A value as a design writes it; `None` for what is not computable. Of a list or a record only what is computable is written.
pub fn to_toml_value(value: &Value) -> Option<Written> {
    Some(match value {
        Value::Null => return None,
        Value::Int(number) => Written::from(*number),
        Value::Flag(flag) => Written::from(*flag),
        Value::Text(text) => Written::from(&**text),
        Value::List(items) => Written::Array(items.iter().filter_map(to_toml_value).collect::<Array>()),
        Value::Record(record) => {
            let entries = record.entries.iter().filter_map(|(key, value)| Some((&**key, to_toml_value(value)?)));
            Written::InlineTable(entries.collect::<InlineTable>())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Record;

    #[test]
    fn values_are_written_as_designs_hold_them() {
        let record = Record { entries: vec![("a".into(), Value::Int(3)), ("b".into(), Value::Null)] };
        let list = Value::List([Value::Flag(true), Value::text("x"), Value::Record(record.into())].into());
        let text = to_toml_value(&list).map(|value| value.to_string());
        assert_eq!(text.as_deref(), Some("[true, \"x\", { a = 3 }]"));
        assert!(to_toml_value(&Value::Null).is_none());
    }
}
