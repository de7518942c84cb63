//! Merges a layer's keys into a declaration: takes both tables, changes the first in place. Values and lists are
//! replaced, tables are merged, and `add` extends lists and tables. In tables whose keys are names (options,
//! parameters, labels), an unknown key is an error and not an addition.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::base_substitution::{BaseSubstitution, substitute_base};
use super::log::{LayerLog, StatementTarget};
use super::rows::{add_columns, add_rows, change_columns, change_made_rows, change_rows, set_cells, table_columns};
use super::statements::{ChangeKind, source_text};
use super::steps::{change_steps, holds_steps};
use super::tree::{key_positions, remove_indices};
use super::unset::unset_keys;
use crate::ruleset::grammar::{KeySpec, KeyType, declared_section, is_provenance_key};
use crate::ruleset::problems::{append_hint, shorten};

/// `free`: the known keys of a table of names.
pub(super) fn merge<'a>(
    old: &mut TomlTable<'a>,
    new: TomlTable<'a>,
    at: &StatementTarget,
    log: &LayerLog<'_>,
    free: Option<&FreeKeys>,
) {
    let columns = table_columns(old);
    let at = &at.with_reason(log.reason_text(&new));
    let top = free.is_none();
    if top {
        unset_keys(old, &new, at, log);
    }
    let mut places = key_positions(old);
    let is_made = old.get("for_each").is_some();
    let mut removed = Vec::new();
    for mut entry in new.entries {
        match entry.key.as_ref() {
            "remove" => continue,
            "unset" if top => continue,
            "reason" if &*at.section != "check" || !top => continue,
            "add" => {
                let help = "use add = { mounts = [\"…\"] }, or add.rows = [[…]]";
                if let Some(more) = log.table_of(entry.node, "for `add`", help) {
                    add_entries(old, more, at, log);
                }
                continue;
            }
            _ => {}
        }
        let Some(&n) = places.get(entry.key.as_ref()) else {
            if top
                && &*at.section == "table"
                && entry.key == "rows"
                && let [first, ..] = made_of(old, log).as_slice()
            {
                let of = made_of(old, log).join(", ");
                let message = format!("table `{}` has no rows of its own: it is made from {of}", shorten(&at.id));
                log.numbers_moved(entry.span, message, format!("change what it shows in [change.table.{first}]"));
            } else if top && &*at.section == "table" && entry.key == "grid" {
                let help = "change its rows with rows.\"…\", its columns with columns.ID";
                log.reject("unknown-key", entry.span, format!("table `{}` is not a grid", shorten(&at.id)), help);
            } else if let Some(free) = free
                && !free.accepts(&entry.key)
            {
                let known =
                    old.entries.iter().map(|entry| entry.key.as_ref()).chain(free.known.iter().map(String::as_str));
                let near = log.suggest(&entry.key, known);
                let help = append_hint(&near, "add a new one under `add`");
                log.reject(
                    "unknown-key",
                    entry.span,
                    format!("{at}: unknown {} `{}`", free.noun, shorten(&entry.key)),
                    help,
                );
            } else if log.record_entry(&entry, ChangeKind::Added, at) {
                places.insert(entry.key.to_string(), old.entries.len());
                old.entries.push(entry);
            }
            continue;
        };
        let key = entry.key.to_string();
        let keys_are_names = free.is_some_and(|free| free.keys_are_names);
        if keys_are_names
            && let TomlValue::Table(new) = &entry.node.data
            && let word = free.map_or("key", |free| free.noun)
            && let Some(is_removed) = log.removal(new, at, (word, &key, old.entries[n].span))
        {
            removed.extend(is_removed.then_some(n));
            continue;
        }
        match (&mut old.entries[n].node.data, entry.node.data) {
            // Marks of provenance are replaced together with the keys that they are for.
            (TomlValue::Table(inner), TomlValue::Table(new)) if is_provenance_key(&key) => {
                for entry in new.entries {
                    if log.record_entry(&entry, ChangeKind::Added, at) {
                        inner.entries.retain(|known| known.key != entry.key);
                        inner.entries.push(entry);
                    }
                }
            }
            (TomlValue::Table(inner), TomlValue::Table(new)) if key == "grid" => merge_grid(inner, new, at, log),
            (TomlValue::Table(inner), TomlValue::Table(new)) => {
                let item_kind = if keys_are_names { free.map_or("", |free| free.item_kind) } else { "" };
                let spec = declared_section(&at.section).and_then(|section| section.key(&key));
                let names = spec.and_then(|spec| FreeKeys::for_names(spec, inner));
                let free = if let Some(names) = names {
                    names
                } else if item_kind == "option" {
                    let siblings = free.map(|free| Rc::clone(&free.known)).unwrap_or_default();
                    FreeKeys { noun: "answer", known: siblings, any_key: false, ..FreeKeys::unchecked(false) }
                } else {
                    // Gauges that a step sets.
                    FreeKeys::unchecked(free.is_some_and(|free| free.any_key && free.holds_formulas))
                };
                merge(inner, new, at, log, Some(&free));
            }
            (TomlValue::List(rows), TomlValue::Table(new)) if key == "rows" && top => match is_made {
                true => change_made_rows(rows, new, at, log),
                false => change_rows(rows, &columns, new, at, log),
            },
            (TomlValue::List(_), TomlValue::Table(new)) if key == "columns" && top => {
                change_columns(old, new, at, log, &mut |column, new| merge(column, new, at, log, None))
            }
            (TomlValue::List(steps), TomlValue::Table(new)) if top && holds_steps(&at.section, &key) => {
                let keys = FreeKeys::unchecked(true);
                change_steps(steps, new, at, log, &mut |step, new| merge(step, new, at, log, Some(&keys)));
            }
            (TomlValue::List(_), data @ TomlValue::Table(_)) => {
                let help = format!("use {key} = [\"…\"] for the whole list, or add.{key} = [\"…\"] for more");
                let message = format!("{at}: expected a list for `{key}`, found {}", data.type_name());
                log.reject("wrong-type", entry.node.span, message, help);
            }
            (_, data) => {
                let is_formula = free.map_or_else(|| log.is_formula_key(&at.section, &key), |free| free.holds_formulas);
                entry.node = TomlNode { span: entry.node.span, data };
                let composed = match is_formula {
                    true => insert_base(&mut entry, &old.entries[n].node, at, log),
                    false => Some(false),
                };
                let Some(composed) = composed else { continue };
                log.replace(&mut old.entries[n], entry, composed, at);
            }
        }
    }
    remove_indices(&mut old.entries, removed);
}

/// The tables that a table with `for_each` or a grid is made from; none of one with rows.
fn made_of(table: &TomlTable<'_>, log: &LayerLog<'_>) -> Vec<String> {
    fn words<'n>(node: &'n TomlNode<'_>, into: &mut Vec<&'n str>) {
        match &node.data {
            TomlValue::Text(text) => into.extend(text.split('\'').skip(1).step_by(2)),
            TomlValue::List(list) => list.iter().for_each(|item| words(item, into)),
            TomlValue::Table(table) => table.entries.iter().for_each(|entry| words(&entry.node, into)),
            _ => {}
        }
    }
    let mut named: Vec<&str> = Vec::new();
    ["columns", "grid"].iter().filter_map(|key| table.get(key)).for_each(|node| words(node, &mut named));
    named.extend(table.text("for_each"));
    let mut found: Vec<String> = Vec::new();
    for word in named {
        if log.base_has("table", word) && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// Merges a grid's keys, then its single cells.
fn merge_grid<'a>(grid: &mut TomlTable<'a>, mut new: TomlTable<'a>, at: &StatementTarget, log: &LayerLog<'_>) {
    let cells = new.take("cells");
    let at = &at.with_reason(log.reason_text(&new));
    merge(grid, new, at, log, Some(&FreeKeys::unchecked(log.is_formula_key("table", "cell"))));
    if let Some(cells) = cells {
        set_cells(grid, cells, at, log);
    }
}

/// Replaces `base` in a formula by the old value; whether there was one. Inheritance through `like` is resolved later.
/// `None`: the formula would be too long, and the statement is rejected.
fn insert_base(new: &mut TomlEntry<'_>, old: &TomlNode<'_>, at: &StatementTarget, log: &LayerLog<'_>) -> Option<bool> {
    let TomlValue::Text(text) = &new.node.data else { return Some(false) };
    match substitute_base(text, old) {
        BaseSubstitution::Unchanged => Some(false),
        BaseSubstitution::Replaced(text) => {
            new.node.data = TomlValue::Text(text.into());
            Some(true)
        }
        BaseSubstitution::TooLong => {
            let message = format!("{at}: formula `{}` is too long with `base` inserted", shorten(&new.key));
            log.reject("too-long", new.node.span, message, "move parts of it to a [[value]]");
            None
        }
    }
}

/// The keys that a table of names accepts.
pub(super) struct FreeKeys {
    /// For messages: `option`, `parameter`.
    noun: &'static str,
    /// The section of a table under such a key.
    item_kind: &'static str,
    keys_are_names: bool,
    /// Accepted in addition to the keys that are present.
    known: Rc<BTreeSet<String>>,
    /// All keys are accepted; the compiler checks them.
    any_key: bool,
    holds_formulas: bool,
}

impl FreeKeys {
    fn unchecked(formulas: bool) -> Self {
        Self {
            noun: "key",
            item_kind: "",
            keys_are_names: false,
            known: Rc::default(),
            any_key: true,
            holds_formulas: formulas,
        }
    }

    /// The names in a table under a key; `None` if layers may set any key there.
    fn for_names(key: &KeySpec, table: &TomlTable<'_>) -> Option<Self> {
        let (noun, item_kind) = match key.holds {
            KeyType::TablesById(item) => (item, item),
            _ => (key.entry_noun, ""),
        };
        if noun.is_empty() {
            return None;
        }
        let mut known = BTreeSet::new();
        if item_kind == "option" {
            let options = table.entries.iter().filter_map(|entry| entry.node.as_table());
            known.extend(options.flat_map(|option| &option.entries).map(|entry| entry.key.to_string()));
            known.insert("label".to_owned());
        }
        Some(Self {
            noun,
            item_kind,
            keys_are_names: true,
            known: Rc::new(known),
            any_key: false,
            holds_formulas: key.holds.is_formula(),
        })
    }

    fn accepts(&self, key: &str) -> bool {
        self.any_key || is_provenance_key(key) || (!self.keys_are_names && self.known.contains(key))
    }
}

/// `add = { … }` for lists and tables.
fn add_entries<'a>(old: &mut TomlTable<'a>, more: TomlTable<'a>, at: &StatementTarget, log: &LayerLog<'_>) {
    for entry in more.entries {
        let key = entry.key.to_string();
        let Some(n) = old.entries.iter().position(|known| known.key == entry.key) else {
            if log.record_entry(&entry, ChangeKind::Added, at) {
                old.entries.push(entry);
            }
            continue;
        };
        match (&mut old.entries[n].node.data, entry.node.data) {
            (TomlValue::List(_), TomlValue::List(new)) if key == "rows" => add_rows(old, new, at, log),
            (TomlValue::List(_), TomlValue::List(new)) if key == "columns" => add_columns(old, new, at, log),
            (TomlValue::List(list), TomlValue::List(new)) => {
                let mut plain: HashSet<String> = list.iter().filter_map(scalar_key).collect();
                for node in new {
                    let word = scalar_key(&node);
                    let there = match &word {
                        Some(word) => plain.contains(word),
                        None => list.iter().any(|known| known.has_same_value(&node)),
                    };
                    if there {
                        let twice = source_text(log.sources, node.span);
                        let message = format!("{at}: duplicate {twice} in `{key}`");
                        log.reject("duplicate-id", node.span, message, "remove it here");
                    } else if log.record(node.span, node.span, ChangeKind::Added, at.clone()) {
                        plain.extend(word);
                        list.push(node);
                    }
                }
            }
            (TomlValue::Table(table), TomlValue::Table(new)) => {
                let places = key_positions(table);
                for entry in new.entries {
                    if let Some(known) = places.get(entry.key.as_ref()).map(|n| &table.entries[*n]) {
                        let place = log.location(known.span);
                        let message = format!("{at}: `{key}` already has `{}`, at {place}", shorten(&entry.key));
                        let help = format!("to change it, use [change.{}.{}.{key}.{}]", at.section, at.id, entry.key);
                        log.reject("duplicate-id", entry.span, message, help);
                    } else if log.record_entry(&entry, ChangeKind::Added, at) {
                        table.entries.push(entry);
                    }
                }
            }
            (old, new) => {
                let message = format!("{at}: `{key}` is {}, cannot add {}", old.type_name(), new.type_name());
                log.reject("wrong-type", entry.span, message, format!("use {key} = … without `add`"));
            }
        }
    }
}

/// A key that is equal only for equal numbers or texts; `None` for lists and tables.
fn scalar_key(node: &TomlNode<'_>) -> Option<String> {
    match &node.data {
        TomlValue::Text(text) => Some(format!("\"{text}")),
        TomlValue::Int(number) => Some(number.to_string()),
        _ => None,
    }
}
