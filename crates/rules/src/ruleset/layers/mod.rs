//! Merges layers before anything is compiled: takes the TOML trees of a ruleset and its layers, gives one tree and the
//! log of each layer's statements. Spans keep the file of each key. Does not know what a key means.
//!
//! `[[section]]` adds a declaration and `[change.SECTION.ID]` changes one: values and lists are replaced, tables are
//! merged, `base` in a formula is the old formula, `add` extends a list or table, `unset` removes keys, `remove`
//! removes the declaration. A statement without a target is reported and skipped; the others apply.

mod base_substitution;
mod log;
mod merge;
mod quarantine;
mod renamed;
mod rows;
mod severity_override;
mod statements;
mod steps;
mod tree;
mod unset;

use std::collections::HashMap;

use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::grammar::{SECTIONS, declared_section, report_order, top_keys};
use super::problems::{append_hint, shorten, suggest};
use super::removed_names::RemovedDeclaration;
use log::StatementTarget;
use merge::merge;
use renamed::by_names_of_today;
use severity_override::{lowers_severity, override_builtin, report_missing_reason};
use tree::{full_span, key_positions, remove_indices};

pub(crate) use base_substitution::{BaseSubstitution, FormulaKeys, mentions_base, substitute_base};
pub(crate) use log::LayerLog;
pub(crate) use quarantine::{Quarantine, quarantine_failing};
pub(super) use renamed::former_cells;
pub(super) use rows::{row_key, table_columns};
#[cfg(test)]
pub(crate) use severity_override::is_classified;
pub(crate) use severity_override::softenable_codes;
pub use statements::{ChangeKind, LayerStatement, RulesetLayer, SeverityOverride, location, source_text};
pub(crate) use statements::{StatementIndex, describe_statement, previous_text};
pub(super) use tree::former_words;

/// Merges `over` into `base`; adds the declarations that it removes to `removed`.
pub fn apply_layer<'a>(
    base: &mut TomlTable<'a>,
    over: TomlTable<'a>,
    removed: &mut Vec<RemovedDeclaration<'a>>,
    log: &LayerLog<'_>,
) {
    log.scan_formula_keys(&[base, &over]);
    for entry in over.entries {
        match entry.key.as_ref() {
            "ruleset" => {}
            "change" => apply_changes(base, entry.node, removed, log),
            _ => apply_addition(base, entry, log),
        }
    }
}

/// `[[section]]` and `[attributes]`: additions.
fn apply_addition<'a>(base: &mut TomlTable<'a>, entry: TomlEntry<'a>, log: &LayerLog<'_>) {
    let word = entry.key.to_string();
    let key = declared_section(&word).map(|section| section.id().name);
    if key.is_none() && word != "attributes" {
        let help = suggest(&word, top_keys().chain(["change"]));
        log.reject("unknown-word", entry.span, format!("unknown word `{}` in a layer", shorten(&word)), help);
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
    let of_id = |id: &str| StatementTarget::new(&word, id);
    match (&mut base.entries[old].node.data, entry.node.data) {
        (TomlValue::List(old), TomlValue::List(new)) => {
            let id_of = |node: &TomlNode<'a>| key.and_then(|key| node.text_at(key)).unwrap_or_default().to_owned();
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
                    let at = key.and_then(|key| node.as_table()?.get(key)).map_or(node.span, |id| id.span);
                    let message =
                        format!("duplicate [[{word}]] `{}`, first at {}", shorten(&id), log.location(known.span));
                    log.reject("duplicate-id", at, message, help);
                } else if log.record(node.span, full_span(&node, node.span), ChangeKind::Added, of_id(&id)) {
                    places.entry(id).or_insert(old.len());
                    old.push(node);
                }
            }
        }
        (TomlValue::Table(old), TomlValue::Table(new)) => {
            let places = key_positions(old);
            for entry in new.entries {
                if let Some(known) = places.get(entry.key.as_ref()).map(|n| &old.entries[*n]) {
                    let message =
                        format!("duplicate attribute `{}`, first at {}", shorten(&entry.key), log.location(known.span));
                    let help = format!("to change it, use [change.{word}]");
                    log.reject("duplicate-id", entry.span, message, help);
                } else if log.record_entry(&entry, ChangeKind::Added, &of_id(&entry.key)) {
                    old.entries.push(entry);
                }
            }
        }
        _ => {
            let help = if key.is_some() { format!("use two brackets: [[{word}]]") } else { String::new() };
            log.reject(
                "wrong-type",
                entry.span,
                format!("`{}` has another type in the ruleset it extends", shorten(&word)),
                help,
            );
        }
    }
}

/// `[change.…]`: changes.
fn apply_changes<'a>(
    base: &mut TomlTable<'a>,
    node: TomlNode<'a>,
    all_removed: &mut Vec<RemovedDeclaration<'a>>,
    log: &LayerLog<'_>,
) {
    let TomlValue::Table(words) = node.data else {
        log.reject(
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
            log.reject(
                "wrong-type",
                word.span,
                message,
                format!("use [change.{}.ID] with the keys that differ", shorten(&word.key)),
            );
            continue;
        };
        if word.key == "attributes" {
            match base.entry_mut(&word.key).map(|entry| &mut entry.node.data) {
                Some(TomlValue::Table(old)) => change_attributes(old, changes, log),
                _ => log.reject(
                    "unknown-id",
                    word.span,
                    "cannot change [attributes]: the ruleset it extends has none",
                    "add new attributes under [attributes]",
                ),
            }
            continue;
        }
        let Some(section) = declared_section(&word.key) else {
            let known = SECTIONS.iter().map(|section| section.name).chain(["attributes"]);
            let help = suggest(&word.key, known);
            let message = format!("cannot change `{}`: unknown word", shorten(&word.key));
            log.reject("unknown-word", word.span, message, help);
            continue;
        };
        let (list, key) = (section.name, section.id().name);
        let mut none = Vec::new();
        let declarations = base.list_mut(list).unwrap_or(&mut none);
        let mut places: HashMap<String, usize> = HashMap::with_capacity(declarations.len());
        for (n, thing) in declarations.iter().enumerate() {
            // Removed declarations keep their index until all changes are made; a cost line without an id has its
            // number.
            let id = thing.text_at(key).map(str::to_owned).or_else(|| (list == "cost").then(|| (n + 1).to_string()));
            if let Some(id) = id {
                places.entry(id).or_insert(n);
            }
        }
        let mut removed: Vec<usize> = Vec::new();
        for entry in by_names_of_today(changes, list, key, declarations, log) {
            let TomlValue::Table(mut new) = entry.node.data else {
                let message = format!("expected a table of keys for [change.{list}.{}]", shorten(&entry.key));
                log.reject(
                    "wrong-type",
                    entry.span,
                    message,
                    format!("use [change.{list}.{}] with KEY = VALUE", shorten(&entry.key)),
                );
                continue;
            };
            let id = entry.key.as_ref();
            let Some(&at) = places.get(id) else {
                if list != "check" || !override_builtin(log, declarations, entry.span, id, &new) {
                    report_missing(log, list, key, declarations, &entry.key, entry.span);
                }
                continue;
            };
            let at_thing = StatementTarget::new(list, id).with_reason(log.reason_text(&new));
            if let Some(removal) = log.removal_span(&new) {
                if list == "check" && log.reason_text(&new).is_none() {
                    report_missing_reason(log, entry.span, id, "removed");
                } else if log.record(removal, removal, ChangeKind::Removed, at_thing) {
                    removed.push(at);
                }
                continue;
            }
            if let TomlValue::Table(old) = &mut declarations[at].data {
                if list == "check" && lowers_severity(old, &new) && log.reason_text(&new).is_none() {
                    let severity = new.take("severity");
                    report_missing_reason(log, severity.map_or(entry.span, |entry| entry.span), id, "softened");
                    merge(old, new, &at_thing, log, None);
                } else {
                    merge(old, new, &at_thing, log, None);
                }
            }
        }
        all_removed.extend(remove_indices(declarations, removed).into_iter().map(|node| (list, node)));
    }
}

fn change_attributes<'a>(old: &mut TomlTable<'a>, changes: TomlTable<'a>, log: &LayerLog<'_>) {
    let places = key_positions(old);
    let mut removed = Vec::new();
    for entry in changes.entries {
        let Some(&at) = places.get(entry.key.as_ref()) else {
            let help = log.suggest(&entry.key, old.entries.iter().map(|known| known.key.as_ref()));
            let help = append_hint(&help, "add a new one under [attributes]");
            log.reject(
                "unknown-id",
                entry.span,
                format!("cannot change attribute `{}`: not found", shorten(&entry.key)),
                help,
            );
            continue;
        };
        let of = StatementTarget::new("attributes", &entry.key);
        if let TomlValue::Table(new) = &entry.node.data
            && let Some(removal) = log.removal_span(new)
        {
            if log.record(removal, removal, ChangeKind::Removed, of) {
                removed.push(at);
            }
            continue;
        }
        match (&mut old.entries[at].node.data, entry.node.data) {
            (TomlValue::Table(old), TomlValue::Table(new)) => merge(old, new, &of, log, None),
            (_, data) => {
                let node = TomlNode { span: entry.node.span, data };
                let new = TomlEntry { key: entry.key, span: entry.span, node };
                log.replace(&mut old.entries[at], new, false, &of);
            }
        }
    }
    remove_indices(&mut old.entries, removed);
}

/// Reports a change of a declaration that does not exist.
fn report_missing(log: &LayerLog<'_>, list: &str, key: &str, declarations: &[TomlNode<'_>], id: &str, span: Span) {
    if log.is_full() {
        return log.reject("unknown-id", span, "", "");
    }
    let known: Vec<String> = declarations
        .iter()
        .enumerate()
        .map(|(n, thing)| thing.text_at(key).map_or_else(|| (n + 1).to_string(), str::to_owned))
        .collect();
    if let Some((section, now)) = log.heir(id) {
        let message = format!("{list} `{}`: what it said is in the {section} `{now}` now", shorten(id));
        return log.numbers_moved(span, message, format!("use [change.{section}.{now}]"));
    }
    let near = || match suggest(id, known.iter().map(String::as_str)) {
        near if !near.is_empty() => near,
        // None is near, and there are many: those that contain it, or that it contains.
        _ => {
            let alike = known.iter().filter(|known| known.contains(id) || id.contains(known.as_str()));
            let alike: Vec<&str> = alike.take(6).map(String::as_str).collect();
            if alike.is_empty() { String::new() } else { format!("use one of: {}", alike.join(", ")) }
        }
    };
    let mut help = log.removed_by(list, id).unwrap_or_else(near);
    if !help.starts_with("did you mean") && !help.starts_with("removed by") {
        let mut others = report_order().map(|section| section.name).filter(|other| *other != list);
        if let Some(other) = others.find(|other| log.base_has(other, id)) {
            help = format!("for the {other} of that name, use [change.{other}.{}]", shorten(id));
        } else {
            help = append_hint(&help, &format!("add a new one with [[{list}]]"));
        }
    }
    log.reject(
        "unknown-id",
        span,
        format!("cannot change {} `{}`: not found", if list == "cost" { "cost line" } else { list }, shorten(id)),
        help,
    );
}
