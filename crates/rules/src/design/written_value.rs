//! Converts what a file holds to a value that can be written into a design.

use toml_edit::{Array, InlineTable, Value};

use moldloft_base::source::toml::TomlValue;

pub fn written_value(data: &TomlValue<'_>) -> Value {
    match data {
        TomlValue::Int(number) => (*number).into(),
        TomlValue::Flag(flag) => (*flag).into(),
        TomlValue::Text(text) => (&**text).into(),
        TomlValue::Float(text) => text.parse().unwrap_or_else(|_| (&**text).into()),
        TomlValue::Date(text) => text.parse().unwrap_or_else(|_| text.into()),
        TomlValue::List(list) => Value::Array(list.iter().map(|node| written_value(&node.data)).collect::<Array>()),
        TomlValue::Table(table) => {
            let pairs = table.entries.iter().map(|entry| (&*entry.key, written_value(&entry.node.data)));
            Value::InlineTable(pairs.collect::<InlineTable>())
        }
    }
}
