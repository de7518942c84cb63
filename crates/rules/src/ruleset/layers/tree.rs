//! Places and keys in a layer's TOML tree.

use std::collections::HashMap;

use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};

/// From the key to the last byte of the node, including everything in it.
pub(super) fn full_span(node: &TomlNode<'_>, key: Span) -> Span {
    fn widen(node: &TomlNode<'_>, all: &mut Span) {
        if node.span.file == all.file {
            all.start = all.start.min(node.span.start);
            all.end = all.end.max(node.span.end);
        }
        match &node.data {
            TomlValue::List(list) => list.iter().for_each(|node| widen(node, all)),
            TomlValue::Table(table) => table.entries.iter().for_each(|entry| {
                all.start = all.start.min(entry.span.start);
                widen(&entry.node, all);
            }),
            _ => {}
        }
    }
    let mut all = key;
    widen(node, &mut all);
    all
}

/// Gives those that it removed.
pub(super) fn remove_indices<T>(list: &mut Vec<T>, mut removed: Vec<usize>) -> Vec<T> {
    removed.sort_unstable();
    let mut n = 0;
    let is_removed = |_: &mut T| {
        let goes = removed.binary_search(&n).is_ok();
        n += 1;
        goes
    };
    if removed.is_empty() { Vec::new() } else { list.extract_if(.., is_removed).collect() }
}

/// The index of each key.
pub(super) fn key_positions(table: &TomlTable<'_>) -> HashMap<String, usize> {
    table.entries.iter().enumerate().map(|(n, entry)| (entry.key.to_string(), n)).collect()
}

/// The words under `formerly` of a declaration or a column.
pub(super) fn former_names<'n>(node: &'n TomlNode<'_>) -> Vec<&'n str> {
    node.as_table().map(former_words).unwrap_or_default()
}

/// The words under `formerly`.
pub fn former_words<'n>(table: &'n TomlTable<'_>) -> Vec<&'n str> {
    let words =
        table.get("formerly").map(|node| node.as_list().unwrap_or(std::slice::from_ref(node))).unwrap_or_default();
    words.iter().filter_map(TomlNode::as_text).collect()
}
