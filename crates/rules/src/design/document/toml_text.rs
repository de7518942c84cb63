//! Writes values as TOML, and compares written values by meaning.

use toml_edit::{Array, InlineTable, Key, Value};

use moldloft_base::sanitize::is_unsafe;
use moldloft_base::source::toml::{TomlValue, parse};

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

/// A value on one line.
pub fn inline_data(data: &TomlValue<'_>) -> String {
    data_with_texts(data, &|text| inline_value(&Value::from(text)))
}

/// A value on one line, its texts as `quoted` gives them.
pub fn data_with_texts(data: &TomlValue<'_>, quoted: &dyn Fn(&str) -> String) -> String {
    match data {
        TomlValue::Int(number) => number.to_string(),
        TomlValue::Float(written) => written.clone().into_owned(),
        TomlValue::Date(written) => written.clone(),
        TomlValue::Flag(flag) => flag.to_string(),
        TomlValue::Text(text) => quoted(text),
        TomlValue::List(list) => {
            let items: Vec<String> = list.iter().map(|node| data_with_texts(&node.data, quoted)).collect();
            format!("[{}]", items.join(", "))
        }
        TomlValue::Table(table) if table.entries.is_empty() => "{}".to_owned(),
        TomlValue::Table(table) => {
            inline_table(table.entries.iter().map(|entry| (&*entry.key, data_with_texts(&entry.node.data, quoted))))
        }
    }
}

/// On one line, with nothing in it that drives a terminal.
pub fn basic_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_unsafe(c) => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

pub(super) fn is_same_value(one: &str, other: &str) -> bool {
    let (one, other) = (format!("v = {one}"), format!("v = {other}"));
    let ((one, no_faults), (other, none_either)) = (parse(&one, 0), parse(&other, 0));
    no_faults.is_empty() && none_either.is_empty() && one.has_same_entries(&other, true)
}
