//! Inheritance: takes the merged tree and resolves `like` of systems and `after` of all declarations in place; gives what each system is like. `base`
//! in a system's formula is the formula of the system that it is like, else the attribute's default. Limited, so that
//! `like` cannot make a ruleset grow without bound.

use std::collections::BTreeSet;

use moldloft_base::source::Span;
use moldloft_base::source::toml::{TomlEntry, TomlNode, TomlTable, TomlValue};

use super::grammar::{SectionSpec, declared_section};
use super::layers::{BaseSubstitution, FormulaKeys, mentions_base, substitute_base};
use super::limits::MAX_DECLARATIONS;
use super::problems::{Problems, shorten, suggest};
use super::removed_names::RemovedDeclaration;

/// What systems are like, by id: first the one that takes over, then the one that it is like.
pub type Likes = Vec<(String, String)>;

/// `removed`: what layers removed, which others may still be like, or come after.
pub fn resolve_inheritance<'a>(
    root: &mut TomlTable<'a>,
    removed: &mut Vec<RemovedDeclaration<'a>>,
    problems: &Problems<'_>,
) -> Likes {
    let mut likes = Likes::new();
    let formula_keys = FormulaKeys::from_trees(&[root]);
    let attributes = root.table("attributes").into_iter().flat_map(|attributes| &attributes.entries);
    let defaults: Vec<TomlEntry<'_>> = attributes.filter_map(attribute_default).collect();
    for entry in &mut root.entries {
        let Some(section) = declared_section(&entry.key) else { continue };
        let TomlValue::List(declarations) = &mut entry.node.data else { continue };
        // More are an error when they are compiled.
        if declarations.len() > MAX_DECLARATIONS {
            continue;
        }
        let gone: Vec<_> = removed.extract_if(.., |(list, _)| *list == section.name).map(|(_, node)| node).collect();
        let spans: BTreeSet<Span> = gone.iter().map(|node| node.span).collect();
        declarations.extend(gone);
        if section.name == "system" {
            likes = inherit_keys(declarations, section, &formula_keys, problems);
            insert_defaults(declarations, &defaults, &formula_keys, problems);
        }
        apply_order(declarations, section, problems);
        let gone = declarations.extract_if(.., |node| spans.contains(&node.span));
        removed.extend(gone.map(|node| (section.name, node)));
    }
    likes
}

/// Puts back the systems that layers removed while others are like them: these go on counting as those. Gives their ids.
pub fn keep_kinds<'a>(root: &mut TomlTable<'a>, removed: &[RemovedDeclaration<'a>], likes: &Likes) -> BTreeSet<String> {
    let mut kept = BTreeSet::new();
    let Some(systems) = root.list_mut("system") else { return kept };
    let mut kinds: Vec<&str> = likes
        .iter()
        .filter(|(id, _)| systems.iter().any(|node| node.text_at("id") == Some(id)))
        .map(|(_, base)| base.as_str())
        .collect();
    let mut next = 0;
    while let Some(kind) = kinds.get(next).copied() {
        let more = likes.iter().filter(|(id, base)| id == kind && !kinds.contains(&base.as_str()));
        kinds.extend(more.map(|(_, base)| base.as_str()).collect::<Vec<_>>());
        next += 1;
    }
    for (_, node) in removed.iter().filter(|(section, _)| *section == "system") {
        let Some(id) = node.text_at("id").filter(|id| kinds.contains(id)) else { continue };
        if !systems.iter().any(|known| known.text_at("id") == Some(id)) {
            kept.insert(id.to_owned());
            systems.push(node.clone());
        }
    }
    kept
}

/// The longest chain of `like`; the limit bounds the growth of a ruleset.
const MAX_LIKE_DEPTH: usize = 8;

/// Keys and cells that all systems together may inherit.
const MAX_INHERITED: usize = 50_000;

fn attribute_default<'a>(attribute: &TomlEntry<'a>) -> Option<TomlEntry<'a>> {
    let node = match &attribute.node.data {
        TomlValue::Table(table) => table.get("default")?.clone(),
        _ => attribute.node.clone(),
    };
    Some(TomlEntry { key: attribute.key.clone(), span: attribute.span, node })
}

/// Replaces `base` in an attribute's formula by the inherited value.
fn insert_base(entry: &mut TomlEntry<'_>, old: &TomlNode<'_>, formula_keys: &FormulaKeys, problems: &Problems<'_>) {
    let TomlValue::Text(text) = &entry.node.data else { return };
    if !mentions_base(text) || !formula_keys.is_formula("system", &entry.key) {
        return;
    }
    match substitute_base(text, old) {
        BaseSubstitution::Unchanged => {}
        BaseSubstitution::Replaced(text) => entry.node.data = TomlValue::Text(text.into()),
        BaseSubstitution::TooLong => {
            let message = format!("formula `{}` is too long with `base` inserted", shorten(&entry.key));
            problems.error("too-long", entry.node.span, message, "replace `base` with a shorter formula");
        }
    }
}

/// Replaces the remaining `base` by the attribute's default.
fn insert_defaults(
    systems: &mut [TomlNode<'_>],
    defaults: &[TomlEntry<'_>],
    formula_keys: &FormulaKeys,
    problems: &Problems<'_>,
) {
    for node in systems {
        let TomlValue::Table(table) = &mut node.data else { continue };
        for entry in &mut table.entries {
            if let Some(default) = defaults.iter().find(|default| default.key == entry.key) {
                insert_base(entry, &default.node, formula_keys, problems);
            }
        }
    }
}

fn inherit_keys(
    systems: &mut [TomlNode<'_>],
    system: &SectionSpec,
    formula_keys: &FormulaKeys,
    problems: &Problems<'_>,
) -> Likes {
    let mut likes = Likes::new();
    let mut left = MAX_INHERITED;
    // In rounds: a system inherits only from one that has inherited everything itself.
    for _ in 0..MAX_LIKE_DEPTH {
        let open: Vec<usize> = (0..systems.len()).filter(|&n| base_system(&systems[n]).is_some()).collect();
        for n in open {
            let Some((wanted, _)) = base_system(&systems[n]) else { continue };
            let Some(base) = systems.iter().position(|node| node.text_at("id") == Some(wanted)) else { continue };
            if base == n || base_system(&systems[base]).is_some() {
                continue;
            }
            let Some(rest) = left.checked_sub(node_size(&systems[base])) else {
                let message = format!("systems inherit more than {MAX_INHERITED} keys through `like`");
                problems.error("too-large", systems[n].span, message, "");
                return likes;
            };
            left = rest;
            likes.extend(systems[n].text_at("id").map(|id| (id.to_owned(), wanted.to_owned())));
            let inherited = systems[base].clone();
            let (TomlValue::Table(own), TomlValue::Table(base)) = (&mut systems[n].data, inherited.data) else {
                continue;
            };
            own.entries.retain(|entry| entry.key != "like");
            for entry in base.entries {
                let is_own = system.key(&entry.key).is_some_and(|key| key.own);
                match own.entry_mut(&entry.key) {
                    Some(known) => {
                        insert_base(known, &entry.node, formula_keys, problems);
                        if let (TomlValue::Table(own), TomlValue::Table(base), true) =
                            (&mut known.node.data, entry.node.data, entry.key == "parameters")
                        {
                            let more: Vec<_> = base.entries.into_iter().filter(|e| own.get(&e.key).is_none()).collect();
                            own.entries.splice(0..0, more);
                        }
                    }
                    None if !is_own => own.entries.push(entry),
                    None => {}
                }
            }
        }
    }
    let ids: Vec<String> = systems.iter().filter_map(|node| node.text_at("id")).map(str::to_owned).collect();
    for node in systems {
        let Some((wanted, span)) = base_system(node).map(|(wanted, span)| (wanted.to_owned(), span)) else { continue };
        if ids.contains(&wanted) {
            problems.error(
                "endless-like",
                span,
                format!("`like = \"{}\"` is circular, or longer than {MAX_LIKE_DEPTH} steps", shorten(&wanted)),
                "",
            );
        } else {
            let help = suggest(&wanted, ids.iter().map(String::as_str));
            problems.error("unknown-system", span, format!("unknown system `{}` in `like`", shorten(&wanted)), help);
        }
        if let TomlValue::Table(table) = &mut node.data {
            table.entries.retain(|entry| entry.key != "like");
        }
    }
    likes
}

/// The number of keys and cells in a node.
fn node_size(node: &TomlNode<'_>) -> usize {
    match &node.data {
        TomlValue::List(list) => 1 + list.iter().map(node_size).sum::<usize>(),
        TomlValue::Table(table) => 1 + table.entries.iter().map(|entry| node_size(&entry.node)).sum::<usize>(),
        _ => 1,
    }
}

fn base_system<'n>(node: &'n TomlNode<'_>) -> Option<(&'n str, Span)> {
    text_and_span(node, "like")
}

fn text_and_span<'n>(node: &'n TomlNode<'_>, key: &str) -> Option<(&'n str, Span)> {
    let node = node.as_table()?.get(key)?;
    Some((node.as_text()?, node.span))
}

fn apply_order(declarations: &mut Vec<TomlNode<'_>>, section: &SectionSpec, problems: &Problems<'_>) {
    let (list, key) = (section.name, section.id().name);
    // By id, since each move shifts the places of others.
    let moved: Vec<(String, String, Span)> = declarations
        .iter()
        .filter_map(|node| {
            let (after, span) = text_and_span(node, "after")?;
            Some((node.text_at(key)?.to_owned(), after.to_owned(), span))
        })
        .take(1_000)
        .collect();
    for (id, after, span) in moved.into_iter().rev() {
        let place = |id: &str| declarations.iter().position(|node| node.text_at(key) == Some(id));
        let Some(n) = place(&id) else { continue };
        match place(&after) {
            Some(at) if at != n => {
                let node = declarations.remove(n);
                declarations.insert(if at > n { at } else { at + 1 }, node);
            }
            _ => {
                let known: Vec<_> = declarations.iter().filter_map(|node| node.text_at(key)).collect();
                let help = suggest(&after, known.iter().copied());
                problems.error("unknown-id", span, format!("unknown {list} `{}` in `after`", shorten(&after)), help);
            }
        }
    }
}
