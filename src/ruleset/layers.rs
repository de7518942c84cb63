//! Layers on the spanned tree, before anything is compiled: takes the trees of a ruleset and of those laid over it, gives one
//! tree. `[[word]]` adds, `[change.WORD.ID]` changes (keys replace, tables merge, lists replace, `remove` takes out), and
//! `like` and `after` are settled here too. Spans keep saying which file a key came from. Never knows what a key means.

use std::borrow::Cow;

use crate::source::Span;
use crate::source::toml::{Data, Entry, Node, Table};

use super::compile::MOST_THINGS;
use super::reader::{Problems, brief, suggest};

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
pub(crate) fn lay<'a>(base: &mut Table<'a>, over: Table<'a>, problems: &Problems<'_>) {
    for entry in over.entries {
        match entry.key.as_ref() {
            "ruleset" => {}
            "change" => change(base, entry.node, problems),
            _ => add(base, entry, problems),
        }
    }
}

fn add<'a>(base: &mut Table<'a>, entry: Entry<'a>, problems: &Problems<'_>) {
    let Some(old) = base.entries.iter_mut().find(|old| old.key == entry.key) else {
        base.entries.push(entry);
        return;
    };
    match (&mut old.node.data, entry.node.data) {
        (Data::List(old), Data::List(new)) => old.extend(new),
        (Data::Table(old), Data::Table(new)) => {
            for entry in new.entries {
                if old.get(&entry.key).is_some() {
                    problems.error(
                        "duplicate-id",
                        entry.span,
                        format!("`{}` is there already", brief(&entry.key)),
                        "a layer adds new things; what is there is changed under [change.…]",
                    );
                } else {
                    old.entries.push(entry);
                }
            }
        }
        _ => problems.error(
            "wrong-type",
            entry.span,
            format!("`{}` is of another kind in the ruleset below", brief(&entry.key)),
            "",
        ),
    }
}

fn change<'a>(base: &mut Table<'a>, node: Node<'a>, problems: &Problems<'_>) {
    let Data::Table(words) = node.data else {
        problems.error("wrong-type", node.span, "`change` is a table: [change.WORD.ID]", "");
        return;
    };
    for word in words.entries {
        let Data::Table(changes) = word.node.data else {
            problems.error("wrong-type", word.span, format!("[change.{}] is a table of ids", brief(&word.key)), "");
            continue;
        };
        if word.key == "attributes" {
            if let Some(Entry { node: Node { data: Data::Table(old), .. }, .. }) =
                base.entries.iter_mut().find(|e| e.key == word.key)
            {
                merge(old, changes, problems);
            }
            continue;
        }
        let Some(&(list, key)) = LISTS.iter().find(|(list, _)| *list == word.key) else {
            let help = suggest(&word.key, LISTS.iter().map(|(list, _)| *list));
            problems.error(
                "unknown-word",
                word.span,
                format!("there is nothing of the kind `{}` to change", brief(&word.key)),
                help,
            );
            continue;
        };
        let mut none = Vec::new();
        let things = match base.entries.iter_mut().find(|entry| entry.key == list).map(|entry| &mut entry.node.data) {
            Some(Data::List(things)) => things,
            _ => &mut none,
        };
        for entry in changes.entries {
            let Data::Table(new) = entry.node.data else {
                problems.error(
                    "wrong-type",
                    entry.span,
                    format!("[change.{list}.{}] is a table of keys", brief(&entry.key)),
                    "",
                );
                continue;
            };
            let Some(at) = things.iter().position(|thing| named(thing, key) == Some(entry.key.as_ref())) else {
                let known: Vec<_> = things.iter().filter_map(|thing| named(thing, key)).collect();
                let help = suggest(&entry.key, known.iter().copied());
                problems.error(
                    "unknown-id",
                    entry.span,
                    format!("there is no {list} `{}` to change", brief(&entry.key)),
                    help,
                );
                continue;
            };
            if matches!(new.get("remove").map(|node| &node.data), Some(Data::Flag(true))) {
                things.remove(at);
            } else if let Data::Table(old) = &mut things[at].data {
                merge(old, new, problems);
            }
        }
    }
}

/// Keys replace, tables merge, lists replace; rows of a table are reached by their key's words.
fn merge<'a>(old: &mut Table<'a>, new: Table<'a>, problems: &Problems<'_>) {
    let columns = row_columns(old);
    for entry in new.entries {
        if entry.key == "remove" {
            continue;
        }
        let Some(at) = old.entries.iter().position(|known| known.key == entry.key) else {
            old.entries.push(entry);
            continue;
        };
        match (&mut old.entries[at].node.data, entry.node.data) {
            (Data::Table(old), Data::Table(new)) => merge(old, new, problems),
            (Data::List(rows), Data::Table(new)) if entry.key == "rows" => change_rows(rows, &columns, new, problems),
            (_, data) => {
                old.entries[at] = Entry { key: entry.key, span: entry.span, node: Node { span: entry.node.span, data } }
            }
        }
    }
}

/// The column names of a table thing, and which of them are its key.
pub(super) fn row_columns(table: &Table<'_>) -> Vec<(String, bool)> {
    let texts = |key: &str| -> Vec<String> {
        let name = |node: &Node<'_>| match &node.data {
            Data::Text(text) => Some(text.to_string()),
            Data::Table(table) => match table.get("id").map(|node| &node.data) {
                Some(Data::Text(text)) => Some(text.to_string()),
                _ => None,
            },
            _ => None,
        };
        match table.get(key).map(|node| &node.data) {
            Some(Data::List(list)) => list.iter().filter_map(name).collect(),
            _ => Vec::new(),
        }
    };
    let key = texts("key");
    texts("columns").into_iter().map(|column| (column.clone(), key.contains(&column))).collect()
}

/// The words of a row's key: `haven laser-head`.
pub(super) fn row_name(row: &Node<'_>, columns: &[(String, bool)]) -> String {
    let Data::List(cells) = &row.data else { return String::new() };
    let words: Vec<_> = cells
        .iter()
        .zip(columns)
        .filter(|(_, (_, key))| *key)
        .map(|(cell, _)| match &cell.data {
            Data::Text(text) => text.to_string(),
            Data::Int(number) => number.to_string(),
            _ => String::new(),
        })
        .collect();
    words.join(" ")
}

fn change_rows<'a>(rows: &mut Vec<Node<'a>>, columns: &[(String, bool)], changes: Table<'a>, problems: &Problems<'_>) {
    let name_of = |row: &Node<'_>| row_name(row, columns);
    for entry in changes.entries {
        let Some(at) = rows.iter().position(|row| name_of(row) == entry.key) else {
            let known: Vec<_> = rows.iter().map(name_of).collect();
            let help = suggest(&entry.key, known.iter().map(String::as_str));
            problems.error(
                "unknown-row",
                entry.span,
                format!("there is no row `{}` to change", brief(&entry.key)),
                help,
            );
            continue;
        };
        let Data::Table(cells) = entry.node.data else {
            problems.error("wrong-type", entry.span, "a row is changed by a table of columns", "");
            continue;
        };
        if matches!(cells.get("remove").map(|node| &node.data), Some(Data::Flag(true))) {
            rows.remove(at);
            continue;
        }
        let Data::List(row) = &mut rows[at].data else { continue };
        for cell in cells.entries {
            match columns.iter().position(|(column, _)| *column == cell.key) {
                Some(column) if column < row.len() => row[column] = cell.node,
                _ => {
                    let help = suggest(&cell.key, columns.iter().map(|(column, _)| column.as_str()));
                    problems.error(
                        "unknown-column",
                        cell.span,
                        format!("the table has no column `{}`", brief(&cell.key)),
                        help,
                    );
                }
            }
        }
    }
}

pub(super) fn named<'n>(node: &'n Node<'_>, key: &str) -> Option<&'n str> {
    match &node.data {
        Data::Table(table) => word(table, key).map(|(word, _)| word),
        _ => None,
    }
}

fn word<'n>(table: &'n Table<'_>, key: &str) -> Option<(&'n str, Span)> {
    match table.get(key) {
        Some(Node { data: Data::Text(text), span }) => Some((text.as_ref(), *span)),
        _ => None,
    }
}

/// Settles `like` of systems and `after` of everything.
pub(crate) fn settle(root: &mut Table<'_>, problems: &Problems<'_>) {
    for entry in &mut root.entries {
        let Some(&(list, key)) = LISTS.iter().find(|(list, _)| *list == entry.key) else { continue };
        let Data::List(things) = &mut entry.node.data else { continue };
        // More are refused when they are compiled.
        if things.len() > MOST_THINGS {
            continue;
        }
        if list == "system" {
            inherit(things, problems);
        }
        arrange(things, list, key, problems);
    }
}

/// The longest chain of `like`: long enough for any game, short enough that no file can grow without end through it.
const LIKE_MOST: usize = 8;

/// Keys and cells that systems may take over in all.
const INHERITED_MOST: usize = 50_000;

fn inherit(systems: &mut [Node<'_>], problems: &Problems<'_>) {
    let mut left = INHERITED_MOST;
    // In rounds: a system takes over from one that has nothing left to take over itself.
    for _ in 0..LIKE_MOST {
        let open: Vec<usize> = (0..systems.len()).filter(|&n| like(&systems[n]).is_some()).collect();
        for n in open {
            let Some((wanted, _)) = like(&systems[n]) else { continue };
            let Some(base) = systems.iter().position(|node| named(node, "id") == Some(wanted)) else { continue };
            if base == n || like(&systems[base]).is_some() {
                continue;
            }
            let Some(rest) = left.checked_sub(size(&systems[base])) else {
                let message = format!("systems take over more than {INHERITED_MOST} keys through `like`");
                problems.error("too-large", systems[n].span, message, "");
                return;
            };
            left = rest;
            let inherited = systems[base].clone();
            let (Data::Table(own), Data::Table(base)) = (&mut systems[n].data, inherited.data) else { continue };
            own.entries.retain(|entry| entry.key != "like");
            for entry in base.entries {
                let keep = ["id", "name", "abstract", "after", "rule"].contains(&entry.key.as_ref());
                match own.entries.iter_mut().find(|known| known.key == entry.key) {
                    Some(known) => {
                        if let (Data::Table(own), Data::Table(base), true) =
                            (&mut known.node.data, entry.node.data, entry.key == "parameters")
                        {
                            let more: Vec<_> = base.entries.into_iter().filter(|e| own.get(&e.key).is_none()).collect();
                            own.entries.splice(0..0, more);
                        }
                    }
                    None if !keep => own.entries.push(entry),
                    None => {}
                }
            }
        }
    }
    let ids: Vec<String> = systems.iter().filter_map(|node| named(node, "id")).map(str::to_owned).collect();
    for node in systems {
        let Some((wanted, span)) = like(node).map(|(wanted, span)| (wanted.to_owned(), span)) else { continue };
        if ids.contains(&wanted) {
            problems.error(
                "endless-like",
                span,
                format!("`like = \"{}\"` goes round in a circle, or further than {LIKE_MOST} steps", brief(&wanted)),
                "",
            );
        } else {
            let help = suggest(&wanted, ids.iter().map(String::as_str));
            problems.error("unknown-system", span, format!("there is no system `{}` to be like", brief(&wanted)), help);
        }
        if let Data::Table(table) = &mut node.data {
            table.entries.retain(|entry| entry.key != "like");
        }
    }
}

/// Keys and cells of a node.
fn size(node: &Node<'_>) -> usize {
    match &node.data {
        Data::List(list) => 1 + list.iter().map(size).sum::<usize>(),
        Data::Table(table) => 1 + table.entries.iter().map(|entry| size(&entry.node)).sum::<usize>(),
        _ => 1,
    }
}

fn like<'n>(node: &'n Node<'_>) -> Option<(&'n str, Span)> {
    match &node.data {
        Data::Table(table) => word(table, "like"),
        _ => None,
    }
}

fn arrange(things: &mut Vec<Node<'_>>, list: &str, key: &str, problems: &Problems<'_>) {
    let moved: Vec<(usize, Cow<'_, str>, Span)> = things
        .iter()
        .enumerate()
        .filter_map(|(n, node)| match &node.data {
            Data::Table(table) => word(table, "after").map(|(after, span)| (n, Cow::Owned(after.to_owned()), span)),
            _ => None,
        })
        .take(1_000)
        .collect();
    for (n, after, span) in moved.into_iter().rev() {
        match things.iter().position(|node| named(node, key) == Some(after.as_ref())) {
            Some(at) if at != n => {
                let node = things.remove(n);
                things.insert(if at > n { at } else { at + 1 }, node);
            }
            _ => {
                let known: Vec<_> = things.iter().filter_map(|node| named(node, key)).collect();
                let help = suggest(&after, known.iter().copied());
                problems.error(
                    "unknown-id",
                    span,
                    format!("there is no {list} `{}` to stand after", brief(&after)),
                    help,
                );
            }
        }
    }
}
