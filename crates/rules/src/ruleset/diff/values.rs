//! Values in a list of differences: takes TOML nodes, gives texts for one line, cut so that the difference is still
//! visible.

use crate::ruleset::grammar::is_provenance_key;
use moldloft_base::sanitize::shorten;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

pub(super) fn key_label(above: &str, key: &str) -> String {
    match above {
        "options" => format!("option {key}"),
        "parameters" => format!("parameter {key}"),
        _ if key == "options" || key == "parameters" => String::new(),
        _ => key.to_owned(),
    }
}

/// A column given by its name only, as a table.
pub(super) fn column_table<'a>(node: &TomlNode<'a>) -> TomlNode<'a> {
    match &node.data {
        TomlValue::Text(_) => {
            let id = TomlEntry { key: "id".into(), span: node.span, node: node.clone() };
            TomlNode { span: node.span, data: TomlValue::Table(TomlTable { span: node.span, entries: vec![id] }) }
        }
        _ => node.clone(),
    }
}

/// A new declaration in one line.
pub(super) fn summarize(node: &TomlNode<'_>) -> String {
    let TomlValue::Table(table) = &node.data else { return String::new() };
    let entries = table
        .entries
        .iter()
        .filter(|entry| !["id", "code", "after"].contains(&entry.key.as_ref()) && !is_provenance_key(&entry.key));
    let entries: Vec<String> =
        entries.map(|entry| format!("{} {}", entry.key, truncate(&display_value(&entry.node)))).collect();
    entries.join(", ")
}

pub(super) fn display_value(node: &TomlNode<'_>) -> String {
    match &node.data {
        TomlValue::Int(number) => number.to_string(),
        TomlValue::Float(text) => text.to_string(),
        TomlValue::Flag(flag) => flag.to_string(),
        TomlValue::Text(text) if text.is_empty() => "\"\"".to_owned(),
        TomlValue::Text(text) => text.to_string(),
        TomlValue::Date(text) => text.clone(),
        TomlValue::List(list) => format!("[{}]", list.iter().map(display_value).collect::<Vec<_>>().join(", ")),
        TomlValue::Table(table) => {
            let entries = table.entries.iter().map(|entry| format!("{} = {}", entry.key, display_value(&entry.node)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// In one line.
const MAX_VALUE_CHARS: usize = 70;

pub(super) fn truncate(text: &str) -> String {
    shorten(text, MAX_VALUE_CHARS)
}

/// Cuts two different values so that the difference is visible.
pub(super) fn truncate_pair(a: &str, b: &str) -> (String, String) {
    let long = a.chars().count().max(b.chars().count()) > MAX_VALUE_CHARS;
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let skip = if long && shared > 30 { shared - 20 } else { 0 };
    let part = |text: &str| {
        let rest: String = text.chars().skip(skip).collect();
        if skip > 0 { format!("…{}", truncate(&rest)) } else { truncate(&rest) }
    };
    let (mut first, mut second) = (part(a), part(b));
    if first == second {
        // The types differ, not the texts.
        (first, second) = (format!("`{first}`"), format!("`{second}` (of another type)"));
    }
    (first, second)
}
