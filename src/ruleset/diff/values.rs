//! Values of a ruleset's tree as a player reads them in a line: takes nodes, gives texts, short enough to read and long enough to
//! show where two differ.

use crate::ruleset::reader::PROVENANCE;
use crate::source::toml::{Data, Entry, Node, Table};

/// How a key is spoken of below another.
pub(super) fn spoken(above: &str, key: &str) -> String {
    match above {
        "options" => format!("option {key}"),
        "parameters" => format!("parameter {key}"),
        _ if key == "options" || key == "parameters" => String::new(),
        _ => key.to_owned(),
    }
}

/// A column that is only a name, as a table.
pub(super) fn as_table<'a>(node: &Node<'a>) -> Node<'a> {
    match &node.data {
        Data::Text(_) => {
            let id = Entry { key: "id".into(), span: node.span, node: node.clone() };
            Node { span: node.span, data: Data::Table(Table { span: node.span, entries: vec![id] }) }
        }
        _ => node.clone(),
    }
}

/// What a new thing says, on a line.
pub(super) fn contents(node: &Node<'_>) -> String {
    let Data::Table(table) = &node.data else { return String::new() };
    let told = table.entries.iter().filter(|entry| {
        !["id", "code", "after"].contains(&entry.key.as_ref()) && !PROVENANCE.contains(&entry.key.as_ref())
    });
    let told: Vec<String> = told.map(|entry| format!("{} {}", entry.key, cut(&show(&entry.node)))).collect();
    told.join(", ")
}

/// A value as a player reads it.
pub(super) fn show(node: &Node<'_>) -> String {
    match &node.data {
        Data::Int(number) => number.to_string(),
        Data::Float(text) => text.to_string(),
        Data::Flag(flag) => flag.to_string(),
        Data::Text(text) if text.is_empty() => "\"\"".to_owned(),
        Data::Text(text) => text.to_string(),
        Data::Date(text) => text.clone(),
        Data::List(list) => format!("[{}]", list.iter().map(show).collect::<Vec<_>>().join(", ")),
        Data::Table(table) => {
            let entries = table.entries.iter().map(|entry| format!("{} = {}", entry.key, show(&entry.node)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Whether two values say the same; the order of keys in a table of options matters, as it is the order players see.
pub(in crate::ruleset) fn same(a: &Node<'_>, b: &Node<'_>) -> bool {
    match (&a.data, &b.data) {
        (Data::List(a), Data::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Data::Table(a), Data::Table(b)) => {
            a.entries.len() == b.entries.len()
                && a.entries.iter().zip(&b.entries).all(|(a, b)| a.key == b.key && same(&a.node, &b.node))
        }
        _ => std::mem::discriminant(&a.data) == std::mem::discriminant(&b.data) && show(a) == show(b),
    }
}

/// The most characters of a value on a line.
const LONG: usize = 70;

pub(super) fn cut(text: &str) -> String {
    let mut short: String = text.chars().take(LONG).collect();
    if text.chars().nth(LONG).is_some() {
        short.push('…');
    }
    short
}

/// Two values that differ, cut so that the difference shows.
pub(super) fn apart(a: &str, b: &str) -> (String, String) {
    let long = a.chars().count().max(b.chars().count()) > LONG;
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let skip = if long && shared > 30 { shared - 20 } else { 0 };
    let part = |text: &str| {
        let rest: String = text.chars().skip(skip).collect();
        if skip > 0 { format!("…{}", cut(&rest)) } else { cut(&rest) }
    };
    let (mut first, mut second) = (part(a), part(b));
    if first == second {
        // The kinds differ, not the words.
        (first, second) = (format!("`{first}`"), format!("`{second}` (of another type)"));
    }
    (first, second)
}
