//! A thing's keys changed by a layer's: takes both tables, changes the first in place. Keys replace, tables merge, lists replace,
//! `add` puts more into lists and tables; where a thing's keys are names of the author's own (options, parameters, labels), one that
//! is not there is told rather than taken for a new one.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use crate::source::toml::{Data, Entry, Node, Table};

use super::base::{Put, put};
use super::rows::{add_columns, add_rows, change_cells, change_columns, change_rows, row_columns};
use super::said::{At, Laid, Sort, written};
use super::{also, bounds, places, reason, removal, take_out, unset};
use crate::finding::Finding;
use crate::ruleset::diff::same;
use crate::ruleset::reader::{PROVENANCE, brief};

/// Tables whose keys are names that the author chose.
const NAMED: [&str; 6] = ["options", "parameters", "row_label", "cell", "data", "alike"];

/// Lays a layer's keys over a thing's. `free` holds the keys that are known, where keys are free.
pub(super) fn merge<'a>(old: &mut Table<'a>, new: Table<'a>, at: &At, laid: &Laid<'_>, free: Option<&Free>) {
    let columns = row_columns(old);
    let at = &At {
        reason: reason(&new, laid).or_else(|| at.reason.as_deref().map(str::to_owned)).map(Into::into),
        ..at.clone()
    };
    let top = free.is_none();
    if top {
        unset::unset(old, &new, at, laid);
    }
    let mut places = places(old);
    let mut gone = Vec::new();
    for mut entry in new.entries {
        match entry.key.as_ref() {
            "remove" => continue,
            "unset" if top => continue,
            "reason" if &*at.word != "check" || !top => continue,
            "add" => {
                match entry.node.data {
                    Data::Table(more) => add(old, more, at, laid),
                    data => laid.wrong(
                        "wrong-type",
                        entry.node.span,
                        format!("expected a table for `add`, found {}", data.kind()),
                        "use add = { mounts = [\"…\"] }, or add.rows = [[…]]",
                    ),
                }
                continue;
            }
            _ => {}
        }
        let Some(&n) = places.get(entry.key.as_ref()) else {
            if top && &*at.word == "table" && entry.key == "grid" {
                let help = "change its rows with rows.\"…\", its columns with columns.ID";
                laid.wrong("unknown-key", entry.span, format!("table `{}` is not a grid", brief(&at.id)), help);
            } else if let Some(free) = free
                && !free.takes(&entry.key)
            {
                let known =
                    old.entries.iter().map(|entry| entry.key.as_ref()).chain(free.known.iter().map(String::as_str));
                let near = laid.suggest(&entry.key, known);
                let help = also(&near, "add a new one under `add`");
                laid.wrong(
                    "unknown-key",
                    entry.span,
                    format!("{} `{}`: unknown {} `{}`", at.word, brief(&at.id), free.what, brief(&entry.key)),
                    help,
                );
            } else if laid.says(entry.span, bounds(&entry.node, entry.span), Sort::Added, at.clone()) {
                places.insert(entry.key.to_string(), old.entries.len());
                old.entries.push(entry);
            }
            continue;
        };
        let key = entry.key.to_string();
        let named = NAMED.contains(&key.as_str());
        let within_named = free.is_some_and(|free| free.named);
        if within_named
            && let Data::Table(new) = &entry.node.data
            && let Some(span) = removal(new, laid)
        {
            let word = free.map_or("key", |free| free.what);
            let why = reason(new, laid).map(Into::into);
            let what = at.inner(word, &key, why).before(old.entries[n].span);
            if laid.says(span, span, Sort::Removed, what) {
                gone.push(n);
            }
            continue;
        }
        match (&mut old.entries[n].node.data, entry.node.data) {
            // Whose number it is stands beside the number, and is said again with it.
            (Data::Table(inner), Data::Table(new)) if PROVENANCE.contains(&key.as_str()) => {
                for entry in new.entries {
                    if laid.says(entry.span, bounds(&entry.node, entry.span), Sort::Added, at.clone()) {
                        inner.entries.retain(|known| known.key != entry.key);
                        inner.entries.push(entry);
                    }
                }
            }
            (Data::Table(inner), Data::Table(new)) if key == "grid" => change_cells(inner, new, at, laid),
            (Data::Table(inner), Data::Table(new)) => {
                let sort = if within_named { free.map_or("", |free| free.each) } else { "" };
                let free = if named {
                    Free::names(&key, inner)
                } else if sort == "option" {
                    let siblings = free.map(|free| Rc::clone(&free.known)).unwrap_or_default();
                    Free { what: "answer", known: siblings, any: false, ..Free::any(false) }
                } else {
                    Free::any(false)
                };
                merge(inner, new, at, laid, Some(&free));
            }
            (Data::List(rows), Data::Table(new)) if key == "rows" && top => change_rows(rows, &columns, new, at, laid),
            (Data::List(_), Data::Table(new)) if key == "columns" && top => change_columns(old, new, at, laid),
            (Data::List(_), data @ Data::Table(_)) => {
                let help = format!("use {key} = [\"…\"] for the whole list, or add.{key} = [\"…\"] for more");
                laid.wrong(
                    "wrong-type",
                    entry.node.span,
                    format!("{} `{}`: expected a list for `{key}`, found {}", at.word, brief(&at.id), data.kind()),
                    help,
                );
            }
            (_, data) => {
                let is_formula = free.map_or_else(|| laid.formula(&at.word, &key), |free| free.formulas);
                entry.node = Node { span: entry.node.span, data };
                let composed = match is_formula {
                    true => compose(&mut entry, &old.entries[n].node, at, laid),
                    false => Some(false),
                };
                let Some(composed) = composed else { continue };
                replace(&mut old.entries[n], entry, composed, at, laid);
            }
        }
    }
    take_out(&mut old.entries, gone);
}

/// Puts what stood there into a formula that says `base`; whether it did. What a system has from the one it is like is put in later.
/// `None`: it cannot be, and is set aside.
fn compose(new: &mut Entry<'_>, old: &Node<'_>, at: &At, laid: &Laid<'_>) -> Option<bool> {
    let Data::Text(text) = &new.node.data else { return Some(false) };
    match put(text, old) {
        Put::Not => Some(false),
        Put::In(text) => {
            new.node.data = Data::Text(text.into());
            Some(true)
        }
        Put::TooLong => {
            let message = format!(
                "{} `{}`: formula `{}` is too long with `base` inserted",
                at.word,
                brief(&at.id),
                brief(&new.key)
            );
            laid.wrong("too-long", new.node.span, message, "move parts of it to a [[value]]");
            None
        }
    }
}

/// Which keys are known in a table of free keys.
pub(super) struct Free {
    /// What such a key is called.
    what: &'static str,
    /// What a table under such a key is.
    each: &'static str,
    /// Its keys are names.
    named: bool,
    /// Known keys besides those that are there.
    known: Rc<BTreeSet<String>>,
    /// Any key may stand here: it is judged when the whole is read.
    any: bool,
    /// Strings under its keys are formulas.
    formulas: bool,
}

impl Free {
    /// Keys that are judged when the whole is read.
    fn any(formulas: bool) -> Self {
        Self { what: "key", each: "", named: false, known: Rc::default(), any: true, formulas }
    }

    fn names(key: &str, table: &Table<'_>) -> Self {
        let (what, each) = match key {
            "options" => ("option", "option"),
            "parameters" => ("parameter", "parameter"),
            "row_label" => ("row label", ""),
            "alike" => ("name in `alike`", ""),
            "cell" => ("name in `cell`", ""),
            _ => ("name in `data`", ""),
        };
        let mut known = BTreeSet::new();
        if each == "option" {
            for entry in &table.entries {
                if let Data::Table(option) = &entry.node.data {
                    known.extend(option.entries.iter().map(|entry| entry.key.to_string()));
                }
            }
            known.insert("label".to_owned());
        }
        let formulas = !matches!(key, "options" | "parameters");
        Self { what, each, named: true, known: Rc::new(known), any: false, formulas }
    }

    fn takes(&self, key: &str) -> bool {
        self.any || PROVENANCE.contains(&key) || (!self.named && self.known.contains(key))
    }
}

/// Puts another value under a key. Two layers that do not know of each other and change the same are told.
/// What is made of the old, by `base`, takes nothing from the layer that wrote it.
pub(super) fn replace<'a>(old: &mut Entry<'a>, new: Entry<'a>, composed: bool, at: &At, laid: &Laid<'_>) {
    if !laid.says(new.span, bounds(&new.node, new.span), Sort::Changed, at.before(old.node.span)) {
        return;
    }
    let (was, is) = (written(laid.sources, old.node.span), written(laid.sources, new.node.span));
    if same(&old.node, &new.node) {
        let message = format!(
            "{} `{}`: `{}` is already {is}, at {}",
            at.word,
            brief(&at.id),
            brief(&new.key),
            laid.place(old.span)
        );
        laid.problems.add(Finding::info("changes-nothing", message).help("remove this line"), new.span);
    } else if !composed && new.key != "reason" && !laid.knows(new.span.file, old.node.span.file) {
        let message = format!(
            "{} `{}`: `{}` is changed by two layers: {was} at {}, {is} here",
            at.word,
            brief(&at.id),
            brief(&new.key),
            laid.place(old.node.span)
        );
        let help =
            "the last layer wins; put the one you want last under `extends`, or remove this line from one of them";
        laid.problems.add(Finding::warning("changed-twice", message).help(help), new.span);
    }
    *old = new;
}

/// `add = { … }`: more entries of lists and tables.
fn add<'a>(old: &mut Table<'a>, more: Table<'a>, at: &At, laid: &Laid<'_>) {
    for entry in more.entries {
        let key = entry.key.to_string();
        let Some(n) = old.entries.iter().position(|known| known.key == entry.key) else {
            if laid.says(entry.span, bounds(&entry.node, entry.span), Sort::Added, at.clone()) {
                old.entries.push(entry);
            }
            continue;
        };
        match (&mut old.entries[n].node.data, entry.node.data) {
            (Data::List(_), Data::List(new)) if key == "rows" => add_rows(old, new, at, laid),
            (Data::List(_), Data::List(new)) if key == "columns" => add_columns(old, new, at, laid),
            (Data::List(list), Data::List(new)) => {
                let mut plain: HashSet<String> = list.iter().filter_map(plain).collect();
                for node in new {
                    let word = self::plain(&node);
                    let there = match &word {
                        Some(word) => plain.contains(word),
                        None => list.iter().any(|known| same(known, &node)),
                    };
                    if there {
                        let message = format!(
                            "{} `{}`: duplicate {} in `{key}`",
                            at.word,
                            brief(&at.id),
                            written(laid.sources, node.span)
                        );
                        laid.wrong("duplicate-id", node.span, message, "remove it here");
                    } else if laid.says(node.span, node.span, Sort::Added, at.clone()) {
                        plain.extend(word);
                        list.push(node);
                    }
                }
            }
            (Data::Table(table), Data::Table(new)) => {
                let places = self::places(table);
                for entry in new.entries {
                    if let Some(known) = places.get(entry.key.as_ref()).map(|n| &table.entries[*n]) {
                        let message = format!(
                            "{} `{}`: `{key}` already has `{}`, at {}",
                            at.word,
                            brief(&at.id),
                            brief(&entry.key),
                            laid.place(known.span)
                        );
                        let help = format!("to change it, use [change.{}.{}.{key}.{}]", at.word, at.id, entry.key);
                        laid.wrong("duplicate-id", entry.span, message, help);
                    } else if laid.says(entry.span, bounds(&entry.node, entry.span), Sort::Added, at.clone()) {
                        table.entries.push(entry);
                    }
                }
            }
            (old, new) => {
                let message =
                    format!("{} `{}`: `{key}` is {}, cannot add {}", at.word, brief(&at.id), old.kind(), new.kind());
                laid.wrong("wrong-type", entry.span, message, format!("use {key} = … without `add`"));
            }
        }
    }
}

/// A number or text, told from all others; `None` for what is compared part by part.
fn plain(node: &Node<'_>) -> Option<String> {
    match &node.data {
        Data::Text(text) => Some(format!("\"{text}")),
        Data::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The keys of a table within a thing, judged when the whole is read.
pub(super) fn merge_inner<'a>(old: &mut Table<'a>, new: Table<'a>, at: &At, laid: &Laid<'_>) {
    merge(old, new, at, laid, Some(&Free::any(laid.formula("table", "cell"))));
}
