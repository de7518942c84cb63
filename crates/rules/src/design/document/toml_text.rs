//! Writes values as TOML, and compares written values by meaning.

use toml_edit::{Array, InlineTable, Key, Value};

use moldloft_base::source::toml::{TomlTable, TomlValue, parse};

pub(super) fn key(key: &str) -> String {
    Key::new(key).to_string()
}

/// A value after `=` on a line of its own: text of several lines is written on several lines, if the file's line
/// endings allow it exactly.
pub(super) fn block_value(value: &Value, newline: &str) -> String {
    match value {
        Value::String(text) if newline == "\n" => Value::from(text.value().as_str()).to_string(),
        _ => inline_value(value),
    }
}

pub(super) fn inline_value(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let written = Value::from(text.value().as_str()).to_string();
            if written.contains('\n') { basic_string(text.value()) } else { written }
        }
        Value::Array(list) => format!("[{}]", list.iter().map(inline_value).collect::<Vec<_>>().join(", ")),
        Value::InlineTable(table) if table.is_empty() => "{}".to_owned(),
        Value::InlineTable(table) => inline_table(table.iter().map(|(key, value)| (key, inline_value(value)))),
        other => {
            let mut bare = other.clone();
            bare.decor_mut().clear();
            bare.to_string()
        }
    }
}

pub(super) fn inline_table<'k>(pairs: impl Iterator<Item = (&'k str, String)>) -> String {
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{} = {value}", key(name))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// An array with one inline table.
pub(super) fn array_of(keys: &[(&str, Value)]) -> Value {
    let table: InlineTable = keys.iter().map(|(key, value)| (*key, value.clone())).collect();
    Value::Array(Array::from_iter([Value::InlineTable(table)]))
}

pub(super) fn inline_data(data: &TomlValue<'_>) -> String {
    match data {
        TomlValue::Int(number) => number.to_string(),
        TomlValue::Float(written) => written.clone().into_owned(),
        TomlValue::Date(written) => written.clone(),
        TomlValue::Flag(flag) => flag.to_string(),
        TomlValue::Text(text) => inline_value(&Value::from(&**text)),
        TomlValue::List(list) => {
            format!("[{}]", list.iter().map(|node| self::inline_data(&node.data)).collect::<Vec<_>>().join(", "))
        }
        TomlValue::Table(table) if table.entries.is_empty() => "{}".to_owned(),
        TomlValue::Table(table) => {
            inline_table(table.entries.iter().map(|entry| (&*entry.key, self::inline_data(&entry.node.data))))
        }
    }
}

fn basic_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

pub(super) fn is_same_value(one: &str, other: &str) -> bool {
    let (one, other) = (format!("v = {one}"), format!("v = {other}"));
    let ((one, no_faults), (other, none_either)) = (parse(&one, 0), parse(&other, 0));
    no_faults.is_empty() && none_either.is_empty() && is_same_table(&one, &other)
}

/// Whether two tables are equal, in any order.
pub(super) fn is_same_table(one: &TomlTable<'_>, other: &TomlTable<'_>) -> bool {
    one.entries.len() == other.entries.len()
        && one
            .entries
            .iter()
            .all(|entry| other.get(&entry.key).is_some_and(|node| is_same_data(&entry.node.data, &node.data)))
}

fn is_same_data(one: &TomlValue<'_>, other: &TomlValue<'_>) -> bool {
    match (one, other) {
        (TomlValue::Int(one), TomlValue::Int(other)) => one == other,
        (TomlValue::Float(one), TomlValue::Float(other)) => one == other,
        (TomlValue::Flag(one), TomlValue::Flag(other)) => one == other,
        (TomlValue::Text(one), TomlValue::Text(other)) => one == other,
        (TomlValue::Date(one), TomlValue::Date(other)) => one == other,
        (TomlValue::List(one), TomlValue::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same_data(&one.data, &other.data))
        }
        (TomlValue::Table(one), TomlValue::Table(other)) => is_same_table(one, other),
        _ => false,
    }
}
