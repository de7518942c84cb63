//! Merges layers before anything is compiled: takes the TOML trees of a ruleset and its layers, gives one tree and the
//! log of each layer's statements. Spans keep the file of each key. Does not know what a key means.
//!
//! `[[section]]` adds a declaration and `[change.SECTION.ID]` changes one: values and lists are replaced, tables are
//! merged, `base` in a formula is the old formula, `add` extends a list or table, `unset` removes keys, `remove`
//! removes the declaration. A statement without a target is reported and skipped; the others apply.

mod base_substitution;
mod merge;
mod quarantine;
mod rows;
mod severity_override;
mod statements;
mod unset;

use std::collections::HashMap;

use crate::source::Span;
use crate::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::table_reader::{shorten, suggest};

pub(crate) use base_substitution::{BaseSubstitution, FormulaKeys, mentions_base, substitute_base};
pub(crate) use quarantine::{Quarantine, quarantine_failing};
pub(super) use rows::{row_key, table_columns};
pub(crate) use severity_override::SeverityOverride;
#[cfg(test)]
pub(crate) use severity_override::is_classified;
pub(crate) use statements::{
    ChangeKind, LayerLog, LayerStatement, StatementIndex, describe_statement, location, previous_text, source_text,
};

use statements::StatementTarget;

/// Sections that are lists of declarations, and the key that identifies each declaration.
pub(crate) const ID_KEYS: [(&str, &str); 12] = [
    ("setting", "id"),
    ("field", "id"),
    ("mount", "id"),
    ("system", "id"),
    ("relation", "id"),
    ("value", "id"),
    ("track", "id"),
    ("table", "id"),
    ("counter", "id"),
    ("sheet", "id"),
    ("check", "code"),
    ("cost", "id"),
];

/// Merges `over` into `base`.
pub(crate) fn apply_layer<'a>(base: &mut TomlTable<'a>, over: TomlTable<'a>, laid: &LayerLog<'_>) {
    laid.scan_formula_keys(&[base, &over]);
    for entry in over.entries {
        match entry.key.as_ref() {
            "ruleset" => {}
            "change" => apply_changes(base, entry.node, laid),
            _ => apply_addition(base, entry, laid),
        }
    }
}

/// `[[section]]` and `[attributes]`: additions.
fn apply_addition<'a>(base: &mut TomlTable<'a>, entry: TomlEntry<'a>, laid: &LayerLog<'_>) {
    let word = entry.key.to_string();
    let key = ID_KEYS.iter().find(|(list, _)| *list == word).map(|(_, key)| *key);
    if key.is_none() && word != "attributes" {
        let known = ID_KEYS.iter().map(|(list, _)| *list).chain(["ruleset", "attributes", "change"]);
        let help = suggest(&word, known);
        laid.reject("unknown-word", entry.span, format!("unknown word `{}` in a layer", shorten(&word)), help);
        return;
    }
    let old = match base.entries.iter().position(|old| old.key == entry.key) {
        Some(at) => at,
        None => {
            let empty = match key {
                Some(_) => TomlValue::List(Vec::new()),
                None => TomlValue::Table(TomlTable { span: entry.node.span, entries: Vec::new() }),
            };
            let node = TomlNode { span: entry.node.span, data: empty };
            base.entries.push(TomlEntry { key: entry.key.clone(), span: entry.span, node });
            base.entries.len() - 1
        }
    };
    match (&mut base.entries[old].node.data, entry.node.data) {
        (TomlValue::List(old), TomlValue::List(new)) => {
            let id_of = |node: &TomlNode<'a>| key.and_then(|key| text_at_key(node, key)).unwrap_or_default().to_owned();
            let mut places: HashMap<String, usize> = HashMap::with_capacity(old.len());
            for (n, node) in old.iter().enumerate() {
                places.entry(id_of(node)).or_insert(n);
            }
            for node in new {
                let id = id_of(&node);
                if let Some(known) = places.get(&id).filter(|_| !id.is_empty()).map(|n| &old[*n]) {
                    let help = if known.span.file == node.span.file {
                        "rename one of them".to_owned()
                    } else {
                        format!("to change it, use [change.{word}.{id}] with only the keys that differ")
                    };
                    let at = key.and_then(|key| key_span(&node, key)).unwrap_or(node.span);
                    let message =
                        format!("duplicate [[{word}]] `{}`, first at {}", shorten(&id), laid.location(known.span));
                    laid.reject("duplicate-id", at, message, help);
                } else if laid.record(
                    node.span,
                    full_span(&node, node.span),
                    ChangeKind::Added,
                    StatementTarget::new(&word, &id),
                ) {
                    places.entry(id).or_insert(old.len());
                    old.push(node);
                }
            }
        }
        (TomlValue::Table(old), TomlValue::Table(new)) => {
            let places = key_positions(old);
            for entry in new.entries {
                if let Some(known) = places.get(entry.key.as_ref()).map(|n| &old.entries[*n]) {
                    let message = format!(
                        "duplicate attribute `{}`, first at {}",
                        shorten(&entry.key),
                        laid.location(known.span)
                    );
                    let help = format!("to change it, use [change.{word}]");
                    laid.reject("duplicate-id", entry.span, message, help);
                } else if laid.record(
                    entry.span,
                    full_span(&entry.node, entry.span),
                    ChangeKind::Added,
                    StatementTarget::new(&word, &entry.key),
                ) {
                    old.entries.push(entry);
                }
            }
        }
        _ => {
            let help = if key.is_some() { format!("use two brackets: [[{word}]]") } else { String::new() };
            laid.reject(
                "wrong-type",
                entry.span,
                format!("`{}` has another type in the ruleset it extends", shorten(&word)),
                help,
            );
        }
    }
}

/// `[change.…]`: changes.
fn apply_changes<'a>(base: &mut TomlTable<'a>, node: TomlNode<'a>, laid: &LayerLog<'_>) {
    let TomlValue::Table(words) = node.data else {
        laid.reject(
            "wrong-type",
            node.span,
            "expected a table for `change`: [change.WORD.ID]",
            "use [change.system.laser] with the keys that differ",
        );
        return;
    };
    for word in words.entries {
        let TomlValue::Table(changes) = word.node.data else {
            let message = format!("expected a table of ids for [change.{}]", shorten(&word.key));
            laid.reject(
                "wrong-type",
                word.span,
                message,
                format!("use [change.{}.ID] with the keys that differ", shorten(&word.key)),
            );
            continue;
        };
        if word.key == "attributes" {
            match base.entries.iter_mut().find(|e| e.key == word.key).map(|entry| &mut entry.node.data) {
                Some(TomlValue::Table(old)) => change_attributes(old, changes, laid),
                _ => laid.reject(
                    "unknown-id",
                    word.span,
                    "cannot change [attributes]: the ruleset it extends has none",
                    "add new attributes under [attributes]",
                ),
            }
            continue;
        }
        let Some(&(list, key)) = ID_KEYS.iter().find(|(list, _)| *list == word.key) else {
            let known = ID_KEYS.iter().map(|(list, _)| *list).chain(["attributes"]);
            let help = suggest(&word.key, known);
            let message = format!("cannot change `{}`: unknown word", shorten(&word.key));
            laid.reject("unknown-word", word.span, message, help);
            continue;
        };
        let mut none = Vec::new();
        let things = match base.entries.iter_mut().find(|entry| entry.key == list).map(|entry| &mut entry.node.data) {
            Some(TomlValue::List(things)) => things,
            _ => &mut none,
        };
        let mut places: HashMap<String, usize> = HashMap::with_capacity(things.len());
        for (n, thing) in things.iter().enumerate() {
            // Removed declarations keep their index until all changes are made; a cost line without an id has its
            // number.
            let id =
                text_at_key(thing, key).map(str::to_owned).or_else(|| (list == "cost").then(|| (n + 1).to_string()));
            if let Some(id) = id {
                places.entry(id).or_insert(n);
            }
        }
        let mut gone: Vec<usize> = Vec::new();
        for entry in changes.entries {
            let TomlValue::Table(new) = entry.node.data else {
                let message = format!("expected a table of keys for [change.{list}.{}]", shorten(&entry.key));
                laid.reject(
                    "wrong-type",
                    entry.span,
                    message,
                    format!("use [change.{list}.{}] with KEY = VALUE", shorten(&entry.key)),
                );
                continue;
            };
            let id = entry.key.as_ref();
            let Some(&at) = places.get(id) else {
                if list != "check" || !severity_override::override_builtin(laid, things, entry.span, id, &new) {
                    report_missing(laid, list, key, things, &entry.key, entry.span);
                }
                continue;
            };
            let at_thing =
                StatementTarget { reason: reason_text(&new, laid).map(Into::into), ..StatementTarget::new(list, id) };
            if let Some(removal) = removal_span(&new, laid) {
                if list == "check" && reason_text(&new, laid).is_none() {
                    severity_override::report_missing_reason(laid, entry.span, id, "removed");
                } else if laid.record(removal, removal, ChangeKind::Removed, at_thing) {
                    gone.push(at);
                }
                continue;
            }
            if let TomlValue::Table(old) = &mut things[at].data {
                if list == "check" && severity_override::lowers_severity(old, &new) && reason_text(&new, laid).is_none()
                {
                    let span =
                        new.entries.iter().find(|entry| entry.key == "severity").map_or(entry.span, |entry| entry.span);
                    severity_override::report_missing_reason(laid, span, id, "softened");
                    let rest = new.entries.into_iter().filter(|entry| entry.key != "severity").collect();
                    merge::merge(old, TomlTable { span: new.span, entries: rest }, &at_thing, laid, None);
                } else {
                    merge::merge(old, new, &at_thing, laid, None);
                }
            }
        }
        remove_indices(things, gone);
    }
}

fn remove_indices<T>(list: &mut Vec<T>, mut gone: Vec<usize>) {
    if gone.is_empty() {
        return;
    }
    gone.sort_unstable();
    let mut n = 0;
    list.retain(|_| {
        let stays = gone.binary_search(&n).is_err();
        n += 1;
        stays
    });
}

/// The index of each key.
fn key_positions(table: &TomlTable<'_>) -> HashMap<String, usize> {
    table.entries.iter().enumerate().map(|(n, entry)| (entry.key.to_string(), n)).collect()
}

fn change_attributes<'a>(old: &mut TomlTable<'a>, changes: TomlTable<'a>, laid: &LayerLog<'_>) {
    let places = key_positions(old);
    let mut gone = Vec::new();
    for entry in changes.entries {
        let Some(&at) = places.get(entry.key.as_ref()) else {
            let help = laid.suggest(&entry.key, old.entries.iter().map(|known| known.key.as_ref()));
            let help = append_hint(&help, "add a new one under [attributes]");
            laid.reject(
                "unknown-id",
                entry.span,
                format!("cannot change attribute `{}`: not found", shorten(&entry.key)),
                help,
            );
            continue;
        };
        let of = StatementTarget::new("attributes", &entry.key);
        if let TomlValue::Table(new) = &entry.node.data
            && let Some(removal) = removal_span(new, laid)
        {
            if laid.record(removal, removal, ChangeKind::Removed, of) {
                gone.push(at);
            }
            continue;
        }
        match (&mut old.entries[at].node.data, entry.node.data) {
            (TomlValue::Table(old), TomlValue::Table(new)) => merge::merge(old, new, &of, laid, None),
            (_, data) => {
                let node = TomlNode { span: entry.node.span, data };
                let new = TomlEntry { key: entry.key, span: entry.span, node };
                merge::replace(&mut old.entries[at], new, false, &of, laid);
            }
        }
    }
    remove_indices(&mut old.entries, gone);
}

/// Reports a change of a declaration that does not exist.
fn report_missing(laid: &LayerLog<'_>, list: &str, key: &str, things: &[TomlNode<'_>], id: &str, span: Span) {
    if laid.is_full() {
        return laid.reject("unknown-id", span, "", "");
    }
    let known: Vec<String> = things
        .iter()
        .enumerate()
        .map(|(n, thing)| text_at_key(thing, key).map_or_else(|| (n + 1).to_string(), str::to_owned))
        .collect();
    let mut help = laid.removed_by(list, id).unwrap_or_else(|| suggest(id, known.iter().map(String::as_str)));
    if !help.starts_with("did you mean") && !help.starts_with("removed by") {
        let other = ID_KEYS.iter().find(|(other, _)| *other != list && laid.base_has(other, id));
        if let Some((other, _)) = other {
            help = format!("for the {other} of that name, use [change.{other}.{}]", shorten(id));
        } else {
            help = append_hint(&help, &format!("add a new one with [[{list}]]"));
        }
    }
    laid.reject(
        "unknown-id",
        span,
        format!("cannot change {} `{}`: not found", if list == "cost" { "cost line" } else { list }, shorten(id)),
        help,
    );
}

fn append_hint(hint: &str, more: &str) -> String {
    match hint.strip_suffix('?') {
        _ if hint.is_empty() => more.to_owned(),
        Some(_) => format!("{hint} Otherwise {more}"),
        None => format!("{hint}; {more}"),
    }
}

/// The place of `remove = true`; reports keys that have no effect beside it.
fn removal_span(new: &TomlTable<'_>, laid: &LayerLog<'_>) -> Option<Span> {
    let entry = new.entries.iter().find(|entry| entry.key == "remove")?;
    match entry.node.data {
        TomlValue::Flag(true) => {}
        TomlValue::Flag(false) => return None,
        _ => {
            laid.reject(
                "wrong-type",
                entry.node.span,
                format!("expected true for `remove`, found {}", entry.node.data.kind()),
                "use remove = true, without quotes",
            );
            return None;
        }
    }
    for other in new.entries.iter().filter(|other| !["remove", "reason"].contains(&other.key.as_ref())) {
        let message = format!("`{}` has no effect: this entry is removed", shorten(&other.key));
        laid.reject("removed-and-changed", other.span, message, "remove it or change it, not both");
    }
    Some(entry.span)
}

fn reason_text(new: &TomlTable<'_>, laid: &LayerLog<'_>) -> Option<String> {
    let node = new.get("reason")?;
    match &node.data {
        TomlValue::Text(text) if !text.trim().is_empty() => Some(text.to_string()),
        TomlValue::Text(_) => None,
        data => {
            laid.reject(
                "wrong-type",
                node.span,
                format!("expected text for `reason`, found {}", data.kind()),
                "use reason = \"why\"",
            );
            None
        }
    }
}

/// From the key to the last byte of the node, including everything in it.
fn full_span(node: &TomlNode<'_>, key: Span) -> Span {
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

pub(super) fn text_at_key<'n>(node: &'n TomlNode<'_>, key: &str) -> Option<&'n str> {
    match &node.data {
        TomlValue::Table(table) => text_and_span(table, key).map(|(word, _)| word),
        _ => None,
    }
}

fn key_span(node: &TomlNode<'_>, key: &str) -> Option<Span> {
    match &node.data {
        TomlValue::Table(table) => text_and_span(table, key).map(|(_, span)| span),
        _ => None,
    }
}

pub(super) fn text_and_span<'n>(table: &'n TomlTable<'_>, key: &str) -> Option<(&'n str, Span)> {
    match table.get(key) {
        Some(TomlNode { data: TomlValue::Text(text), span }) => Some((text.as_ref(), *span)),
        _ => None,
    }
}
