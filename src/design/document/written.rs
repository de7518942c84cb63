//! Values as they are written into a file: takes a value, gives its TOML; and tells whether two texts say the same.

use toml_edit::{Key, Value};

use crate::source::toml::{Data, Table, parse};

/// A key, in quotes if it needs them.
pub(super) fn key(key: &str) -> String {
    Key::new(key).to_string()
}

/// A value as it stands behind a `=` on its own line: text of several lines on several lines, where the file's line ends
/// allow it to be said exactly.
pub(super) fn value(value: &Value, newline: &str) -> String {
    match value {
        Value::String(text) if newline == "\n" => Value::from(text.value().as_str()).to_string(),
        _ => inline(value),
    }
}

/// A value in one line.
pub(super) fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let written = Value::from(text.value().as_str()).to_string();
            if written.contains('\n') { basic(text.value()) } else { written }
        }
        Value::Array(list) => format!("[{}]", list.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::InlineTable(table) if table.is_empty() => "{}".to_owned(),
        Value::InlineTable(table) => pairs(table.iter().map(|(key, value)| (key, inline(value)))),
        other => {
            let mut bare = other.clone();
            bare.decor_mut().clear();
            bare.to_string()
        }
    }
}

/// An inline table of keys and written values.
pub(super) fn pairs<'k>(pairs: impl Iterator<Item = (&'k str, String)>) -> String {
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{} = {value}", key(name))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// What was read, in one line.
pub(super) fn data(data: &Data<'_>) -> String {
    match data {
        Data::Int(number) => number.to_string(),
        Data::Float(written) => written.clone().into_owned(),
        Data::Date(written) => written.clone(),
        Data::Flag(flag) => flag.to_string(),
        Data::Text(text) => inline(&Value::from(&**text)),
        Data::List(list) => {
            format!("[{}]", list.iter().map(|node| self::data(&node.data)).collect::<Vec<_>>().join(", "))
        }
        Data::Table(table) if table.entries.is_empty() => "{}".to_owned(),
        Data::Table(table) => pairs(table.entries.iter().map(|entry| (&*entry.key, self::data(&entry.node.data)))),
    }
}

/// Text between double quotes on one line.
fn basic(text: &str) -> String {
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

/// Whether two written values say the same.
pub(super) fn same(one: &str, other: &str) -> bool {
    let (one, other) = (format!("v = {one}"), format!("v = {other}"));
    let ((one, no_faults), (other, none_either)) = (parse(&one, 0), parse(&other, 0));
    no_faults.is_empty() && none_either.is_empty() && same_table(&one, &other)
}

/// Whether two tables say the same, in whatever order.
pub(super) fn same_table(one: &Table<'_>, other: &Table<'_>) -> bool {
    one.entries.len() == other.entries.len()
        && one
            .entries
            .iter()
            .all(|entry| other.get(&entry.key).is_some_and(|node| same_data(&entry.node.data, &node.data)))
}

fn same_data(one: &Data<'_>, other: &Data<'_>) -> bool {
    match (one, other) {
        (Data::Int(one), Data::Int(other)) => one == other,
        (Data::Float(one), Data::Float(other)) => one == other,
        (Data::Flag(one), Data::Flag(other)) => one == other,
        (Data::Text(one), Data::Text(other)) => one == other,
        (Data::Date(one), Data::Date(other)) => one == other,
        (Data::List(one), Data::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_data(&one.data, &other.data))
        }
        (Data::Table(one), Data::Table(other)) => same_table(one, other),
        _ => false,
    }
}
