//! Merges a layer's changes into the steps of an attack or a routine: takes both TOML trees, changes the first in place.
//! Steps are found by their id, also those within other steps.

use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};

use super::log::{LayerLog, StatementTarget};
use super::unset::unset_keys;
use crate::ruleset::grammar::{KeyType, declared_section};
use crate::ruleset::problems::{append_hint, shorten};

/// Whether a key of a declaration holds steps.
pub(super) fn holds_steps(section: &str, key: &str) -> bool {
    let key = declared_section(section).and_then(|section| section.key(key));
    key.is_some_and(|key| key.holds == KeyType::Tables("attack step"))
}

pub(super) fn change_steps<'a>(
    steps: &mut Vec<TomlNode<'a>>,
    changes: TomlTable<'a>,
    at: &StatementTarget,
    log: &LayerLog<'_>,
    merge: &mut dyn FnMut(&mut TomlTable<'a>, TomlTable<'a>),
) {
    for entry in changes.entries {
        let Some((list, n)) = find_step(steps, &entry.key) else {
            let mut known = Vec::new();
            collect_ids(steps, &mut known);
            let near = log.suggest(&entry.key, known.iter().map(String::as_str));
            let help = append_hint(&near, "add a new one under add.step, or name a step with `id`");
            let message = format!("{at} has no step `{}`", shorten(&entry.key));
            log.reject("unknown-id", entry.span, message, help);
            continue;
        };
        let help = "use { NAME = \"…\" }, or { remove = true }";
        let Some(mut new) = log.table_of(entry.node, "of keys for a step", help) else { continue };
        if let Some(is_removed) = log.removal(&new, at, ("step", &entry.key, list[n].span)) {
            if is_removed {
                list.remove(n);
            }
            continue;
        }
        if let TomlValue::Table(old) = &mut list[n].data {
            unset_keys(old, &new, at, log);
            new.entries.retain(|entry| entry.key != "unset");
            merge(old, new);
        }
    }
}

/// The list that has the step of this id, and its index there.
fn find_step<'s, 'a>(steps: &'s mut Vec<TomlNode<'a>>, id: &str) -> Option<(&'s mut Vec<TomlNode<'a>>, usize)> {
    if let Some(n) = steps.iter().position(|step| step.text_at("id") == Some(id)) {
        return Some((steps, n));
    }
    steps.iter_mut().find_map(|step| {
        let TomlValue::Table(table) = &mut step.data else { return None };
        find_step(table.list_mut("each")?, id)
    })
}

fn collect_ids(steps: &[TomlNode<'_>], ids: &mut Vec<String>) {
    for step in steps {
        ids.extend(step.text_at("id").map(str::to_owned));
        if let TomlValue::Table(table) = &step.data {
            collect_ids(table.list("each"), ids);
        }
    }
}
