//! Layers on the spanned tree, before anything is compiled: takes the trees of a ruleset and of those laid over it, gives one
//! tree and what each layer said in it. `[[word]]` adds a thing, `[change.WORD.ID]` changes one (keys replace, tables merge, lists
//! replace, `base` in a formula is what stood there, `add` puts more into a list or table, `unset` takes keys out, `remove` the
//! whole). Spans keep saying which file a key came from. A statement
//! that finds nothing to change is told and set aside, the others stay in force. Never knows what a key means.

mod aside;
mod base;
mod merge;
mod rows;
mod said;
mod soften;
mod unset;

use std::collections::HashMap;

use crate::source::Span;
use crate::source::toml::{Data, Entry, Node, Table};

use super::reader::{brief, suggest};

pub(crate) use aside::{LeftOut, oust};
pub(crate) use base::{Grounds, Put, put, says_base};
pub(super) use rows::{row_columns, row_name};
pub(crate) use said::{Index, Laid, Sort, Statement, before, place, told, written};
pub(crate) use soften::Softened;
#[cfg(test)]
pub(crate) use soften::weighed;

use said::At;

/// Words that name lists of things, and the key that identifies each.
pub(crate) const LISTS: [(&str, &str); 12] = [
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

/// Lays `over` on `base`.
pub(crate) fn lay<'a>(base: &mut Table<'a>, over: Table<'a>, laid: &Laid<'_>) {
    laid.look(&[base, &over]);
    for entry in over.entries {
        match entry.key.as_ref() {
            "ruleset" => {}
            "change" => change(base, entry.node, laid),
            _ => add(base, entry, laid),
        }
    }
}

/// `[[word]]` and `[attributes]`: what is new.
fn add<'a>(base: &mut Table<'a>, entry: Entry<'a>, laid: &Laid<'_>) {
    let word = entry.key.to_string();
    let key = LISTS.iter().find(|(list, _)| *list == word).map(|(_, key)| *key);
    if key.is_none() && word != "attributes" {
        let known = LISTS.iter().map(|(list, _)| *list).chain(["ruleset", "attributes", "change"]);
        let help = suggest(&word, known);
        laid.wrong("unknown-word", entry.span, format!("unknown word `{}` in a layer", brief(&word)), help);
        return;
    }
    let old = match base.entries.iter().position(|old| old.key == entry.key) {
        Some(at) => at,
        None => {
            let empty = match key {
                Some(_) => Data::List(Vec::new()),
                None => Data::Table(Table { span: entry.node.span, entries: Vec::new() }),
            };
            let node = Node { span: entry.node.span, data: empty };
            base.entries.push(Entry { key: entry.key.clone(), span: entry.span, node });
            base.entries.len() - 1
        }
    };
    match (&mut base.entries[old].node.data, entry.node.data) {
        (Data::List(old), Data::List(new)) => {
            let id_of = |node: &Node<'a>| key.and_then(|key| named(node, key)).unwrap_or_default().to_owned();
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
                    let message = format!("duplicate [[{word}]] `{}`, first at {}", brief(&id), laid.place(known.span));
                    laid.wrong("duplicate-id", at, message, help);
                } else if laid.says(node.span, bounds(&node, node.span), Sort::Added, At::new(&word, &id)) {
                    places.entry(id).or_insert(old.len());
                    old.push(node);
                }
            }
        }
        (Data::Table(old), Data::Table(new)) => {
            let places = places(old);
            for entry in new.entries {
                if let Some(known) = places.get(entry.key.as_ref()).map(|n| &old.entries[*n]) {
                    let message =
                        format!("duplicate attribute `{}`, first at {}", brief(&entry.key), laid.place(known.span));
                    let help = format!("to change it, use [change.{word}]");
                    laid.wrong("duplicate-id", entry.span, message, help);
                } else if laid.says(
                    entry.span,
                    bounds(&entry.node, entry.span),
                    Sort::Added,
                    At::new(&word, &entry.key),
                ) {
                    old.entries.push(entry);
                }
            }
        }
        _ => {
            let help = if key.is_some() { format!("use two brackets: [[{word}]]") } else { String::new() };
            laid.wrong(
                "wrong-type",
                entry.span,
                format!("`{}` has another type in the ruleset it extends", brief(&word)),
                help,
            );
        }
    }
}

/// `[change.…]`: what is there.
fn change<'a>(base: &mut Table<'a>, node: Node<'a>, laid: &Laid<'_>) {
    let Data::Table(words) = node.data else {
        laid.wrong(
            "wrong-type",
            node.span,
            "expected a table for `change`: [change.WORD.ID]",
            "use [change.system.laser] with the keys that differ",
        );
        return;
    };
    for word in words.entries {
        let Data::Table(changes) = word.node.data else {
            let message = format!("expected a table of ids for [change.{}]", brief(&word.key));
            laid.wrong(
                "wrong-type",
                word.span,
                message,
                format!("use [change.{}.ID] with the keys that differ", brief(&word.key)),
            );
            continue;
        };
        if word.key == "attributes" {
            match base.entries.iter_mut().find(|e| e.key == word.key).map(|entry| &mut entry.node.data) {
                Some(Data::Table(old)) => attributes(old, changes, laid),
                _ => laid.wrong(
                    "unknown-id",
                    word.span,
                    "cannot change [attributes]: the ruleset it extends has none",
                    "add new attributes under [attributes]",
                ),
            }
            continue;
        }
        let Some(&(list, key)) = LISTS.iter().find(|(list, _)| *list == word.key) else {
            let known = LISTS.iter().map(|(list, _)| *list).chain(["attributes"]);
            let help = suggest(&word.key, known);
            let message = format!("cannot change `{}`: unknown word", brief(&word.key));
            laid.wrong("unknown-word", word.span, message, help);
            continue;
        };
        let mut none = Vec::new();
        let things = match base.entries.iter_mut().find(|entry| entry.key == list).map(|entry| &mut entry.node.data) {
            Some(Data::List(things)) => things,
            _ => &mut none,
        };
        let mut places: HashMap<String, usize> = HashMap::with_capacity(things.len());
        for (n, thing) in things.iter().enumerate() {
            // What is removed keeps its place until all is changed; a cost line without an id is called by its number.
            let id = named(thing, key).map(str::to_owned).or_else(|| (list == "cost").then(|| (n + 1).to_string()));
            if let Some(id) = id {
                places.entry(id).or_insert(n);
            }
        }
        let mut gone: Vec<usize> = Vec::new();
        for entry in changes.entries {
            let Data::Table(new) = entry.node.data else {
                let message = format!("expected a table of keys for [change.{list}.{}]", brief(&entry.key));
                laid.wrong(
                    "wrong-type",
                    entry.span,
                    message,
                    format!("use [change.{list}.{}] with KEY = VALUE", brief(&entry.key)),
                );
                continue;
            };
            let id = entry.key.as_ref();
            let Some(&at) = places.get(id) else {
                if list != "check" || !soften::language(laid, things, entry.span, id, &new) {
                    absent(laid, list, key, things, &entry.key, entry.span);
                }
                continue;
            };
            let at_thing = At { reason: reason(&new, laid).map(Into::into), ..At::new(list, id) };
            if let Some(removal) = removal(&new, laid) {
                if list == "check" && reason(&new, laid).is_none() {
                    soften::no_reason(laid, entry.span, id, "removed");
                } else if laid.says(removal, removal, Sort::Removed, at_thing) {
                    gone.push(at);
                }
                continue;
            }
            if let Data::Table(old) = &mut things[at].data {
                if list == "check" && soften::softens(old, &new) && reason(&new, laid).is_none() {
                    let span =
                        new.entries.iter().find(|entry| entry.key == "severity").map_or(entry.span, |entry| entry.span);
                    soften::no_reason(laid, span, id, "softened");
                    let rest = new.entries.into_iter().filter(|entry| entry.key != "severity").collect();
                    merge::merge(old, Table { span: new.span, entries: rest }, &at_thing, laid, None);
                } else {
                    merge::merge(old, new, &at_thing, laid, None);
                }
            }
        }
        take_out(things, gone);
    }
}

/// Takes out the items of these places, each named once.
fn take_out<T>(list: &mut Vec<T>, mut gone: Vec<usize>) {
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

/// Where each key of a table stands.
fn places(table: &Table<'_>) -> HashMap<String, usize> {
    table.entries.iter().enumerate().map(|(n, entry)| (entry.key.to_string(), n)).collect()
}

fn attributes<'a>(old: &mut Table<'a>, changes: Table<'a>, laid: &Laid<'_>) {
    let places = places(old);
    let mut gone = Vec::new();
    for entry in changes.entries {
        let Some(&at) = places.get(entry.key.as_ref()) else {
            let help = laid.suggest(&entry.key, old.entries.iter().map(|known| known.key.as_ref()));
            let help = also(&help, "add a new one under [attributes]");
            laid.wrong(
                "unknown-id",
                entry.span,
                format!("cannot change attribute `{}`: not found", brief(&entry.key)),
                help,
            );
            continue;
        };
        let of = At::new("attributes", &entry.key);
        if let Data::Table(new) = &entry.node.data
            && let Some(removal) = removal(new, laid)
        {
            if laid.says(removal, removal, Sort::Removed, of) {
                gone.push(at);
            }
            continue;
        }
        match (&mut old.entries[at].node.data, entry.node.data) {
            (Data::Table(old), Data::Table(new)) => merge::merge(old, new, &of, laid, None),
            (_, data) => {
                let node = Node { span: entry.node.span, data };
                let new = Entry { key: entry.key, span: entry.span, node };
                merge::replace(&mut old.entries[at], new, false, &of, laid);
            }
        }
    }
    take_out(&mut old.entries, gone);
}

/// Tells of a thing that is not there to be changed.
fn absent(laid: &Laid<'_>, list: &str, key: &str, things: &[Node<'_>], id: &str, span: Span) {
    if laid.is_full() {
        return laid.wrong("unknown-id", span, "", "");
    }
    let known: Vec<String> = things
        .iter()
        .enumerate()
        .map(|(n, thing)| named(thing, key).map_or_else(|| (n + 1).to_string(), str::to_owned))
        .collect();
    let mut help = laid.removed(list, id).unwrap_or_else(|| suggest(id, known.iter().map(String::as_str)));
    if !help.starts_with("did you mean") && !help.starts_with("removed by") {
        let other = LISTS.iter().find(|(other, _)| *other != list && laid.base_has(other, id));
        if let Some((other, _)) = other {
            help = format!("for the {other} of that name, use [change.{other}.{}]", brief(id));
        } else {
            help = also(&help, &format!("add a new one with [[{list}]]"));
        }
    }
    laid.wrong(
        "unknown-id",
        span,
        format!("cannot change {} `{}`: not found", if list == "cost" { "cost line" } else { list }, brief(id)),
        help,
    );
}

/// A hint, and one more.
fn also(hint: &str, more: &str) -> String {
    match hint.strip_suffix('?') {
        _ if hint.is_empty() => more.to_owned(),
        Some(_) => format!("{hint} Otherwise {more}"),
        None => format!("{hint}; {more}"),
    }
}

/// The place of `remove = true`; what else is said beside it is told to mean nothing.
fn removal(new: &Table<'_>, laid: &Laid<'_>) -> Option<Span> {
    let entry = new.entries.iter().find(|entry| entry.key == "remove")?;
    match entry.node.data {
        Data::Flag(true) => {}
        Data::Flag(false) => return None,
        _ => {
            laid.wrong(
                "wrong-type",
                entry.node.span,
                format!("expected true for `remove`, found {}", entry.node.data.kind()),
                "use remove = true, without quotes",
            );
            return None;
        }
    }
    for other in new.entries.iter().filter(|other| !["remove", "reason"].contains(&other.key.as_ref())) {
        let message = format!("`{}` has no effect: this entry is removed", brief(&other.key));
        laid.wrong("removed-and-changed", other.span, message, "remove it or change it, not both");
    }
    Some(entry.span)
}

/// The reason beside a change.
fn reason(new: &Table<'_>, laid: &Laid<'_>) -> Option<String> {
    let node = new.get("reason")?;
    match &node.data {
        Data::Text(text) if !text.trim().is_empty() => Some(text.to_string()),
        Data::Text(_) => None,
        data => {
            laid.wrong(
                "wrong-type",
                node.span,
                format!("expected text for `reason`, found {}", data.kind()),
                "use reason = \"why\"",
            );
            None
        }
    }
}

/// From the first to the last byte of a node and of all in it, with its key.
fn bounds(node: &Node<'_>, key: Span) -> Span {
    fn widen(node: &Node<'_>, all: &mut Span) {
        if node.span.file == all.file {
            all.start = all.start.min(node.span.start);
            all.end = all.end.max(node.span.end);
        }
        match &node.data {
            Data::List(list) => list.iter().for_each(|node| widen(node, all)),
            Data::Table(table) => table.entries.iter().for_each(|entry| {
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

pub(super) fn named<'n>(node: &'n Node<'_>, key: &str) -> Option<&'n str> {
    match &node.data {
        Data::Table(table) => word(table, key).map(|(word, _)| word),
        _ => None,
    }
}

fn key_span(node: &Node<'_>, key: &str) -> Option<Span> {
    match &node.data {
        Data::Table(table) => word(table, key).map(|(_, span)| span),
        _ => None,
    }
}

pub(super) fn word<'n>(table: &'n Table<'_>, key: &str) -> Option<(&'n str, Span)> {
    match table.get(key) {
        Some(Node { data: Data::Text(text), span }) => Some((text.as_ref(), *span)),
        _ => None,
    }
}
