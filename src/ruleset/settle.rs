//! `like` of systems and `after` of everything, settled once all layers are laid: takes the tree, changes it in place. `base` in a
//! system's formula is there what it has from the one it is like, else the attribute's default. Bounded, so that no file can grow
//! without end through `like`.

use std::borrow::Cow;

use crate::source::Span;
use crate::source::toml::{Data, Entry, Node, Table};

use super::compile::MOST_THINGS;
use super::layers::{Grounds, LISTS, Put, named, put, says_base, word};
use super::reader::{Problems, brief, suggest};

/// Settles `like` of systems and `after` of everything.
pub(crate) fn settle(root: &mut Table<'_>, problems: &Problems<'_>) {
    let grounds = Grounds::of(&[root]);
    let defaults: Vec<Entry<'_>> = match root.get("attributes").map(|node| &node.data) {
        Some(Data::Table(attributes)) => attributes.entries.iter().filter_map(default).collect(),
        _ => Vec::new(),
    };
    for entry in &mut root.entries {
        let Some(&(list, key)) = LISTS.iter().find(|(list, _)| *list == entry.key) else { continue };
        let Data::List(things) = &mut entry.node.data else { continue };
        // More are refused when they are compiled.
        if things.len() > MOST_THINGS {
            continue;
        }
        if list == "system" {
            inherit(things, &grounds, problems);
            last(things, &defaults, &grounds, problems);
        }
        arrange(things, list, key, problems);
    }
}

/// The longest chain of `like`: long enough for any game, short enough that no file can grow without end through it.
const LIKE_MOST: usize = 8;

/// Keys and cells that systems may take over in all.
const INHERITED_MOST: usize = 50_000;

/// What systems answer that do not say.
fn default<'a>(attribute: &Entry<'a>) -> Option<Entry<'a>> {
    let node = match &attribute.node.data {
        Data::Table(table) => table.get("default")?.clone(),
        _ => attribute.node.clone(),
    };
    Some(Entry { key: attribute.key.clone(), span: attribute.span, node })
}

/// Puts what stood there into an attribute's formula that says `base`.
fn compose(entry: &mut Entry<'_>, old: &Node<'_>, grounds: &Grounds, problems: &Problems<'_>) {
    let Data::Text(text) = &entry.node.data else { return };
    if !says_base(text) || !grounds.formula("system", &entry.key) {
        return;
    }
    match put(text, old) {
        Put::Not => {}
        Put::In(text) => entry.node.data = Data::Text(text.into()),
        Put::TooLong => {
            let message = format!("formula `{}` is too long with `base` inserted", brief(&entry.key));
            problems.error("too-long", entry.node.span, message, "replace `base` with a shorter formula");
        }
    }
}

/// `base` where nothing below says more: the attribute's default.
fn last(systems: &mut [Node<'_>], defaults: &[Entry<'_>], grounds: &Grounds, problems: &Problems<'_>) {
    for node in systems {
        let Data::Table(table) = &mut node.data else { continue };
        for entry in &mut table.entries {
            if let Some(default) = defaults.iter().find(|default| default.key == entry.key) {
                compose(entry, &default.node, grounds, problems);
            }
        }
    }
}

fn inherit(systems: &mut [Node<'_>], grounds: &Grounds, problems: &Problems<'_>) {
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
                let message = format!("systems inherit more than {INHERITED_MOST} keys through `like`");
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
                        compose(known, &entry.node, grounds, problems);
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
                format!("`like = \"{}\"` is circular, or longer than {LIKE_MOST} steps", brief(&wanted)),
                "",
            );
        } else {
            let help = suggest(&wanted, ids.iter().map(String::as_str));
            problems.error("unknown-system", span, format!("unknown system `{}` in `like`", brief(&wanted)), help);
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
                problems.error("unknown-id", span, format!("unknown {list} `{}` in `after`", brief(&after)), help);
            }
        }
    }
}
