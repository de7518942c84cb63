//! `unset = ["boxes"]` in a layer's `[change.SECTION.ID]`: takes the declaration's table and the layer's, removes the
//! keys, and reports those that are absent or required.

use moldloft_base::source::toml::{TomlNode, TomlTable, TomlValue};

use super::log::{LayerLog, StatementTarget};
use super::statements::ChangeKind;
use crate::ruleset::grammar::{is_provenance_key, section};
use crate::ruleset::problems::{append_hint, shorten, suggest};

pub(super) fn unset_keys(old: &mut TomlTable<'_>, new: &TomlTable<'_>, at: &StatementTarget, log: &LayerLog<'_>) {
    let Some(node) = new.get("unset") else { return };
    let one = [node];
    let list: Vec<&TomlNode<'_>> = match &node.data {
        TomlValue::List(list) => list.iter().collect(),
        TomlValue::Text(_) => one.to_vec(),
        data => {
            let message = format!("expected a list of keys after `unset`, found {}", data.type_name());
            log.reject("wrong-type", node.span, message, "use unset = [\"boxes\"]");
            return;
        }
    };
    for node in list {
        let TomlValue::Text(key) = &node.data else {
            let message = format!("expected the name of a key to unset, found {}", node.data.type_name());
            log.reject("wrong-type", node.span, message, "use unset = [\"boxes\"]");
            continue;
        };
        let must = section(&at.section).and_then(|section| section.key(key)).is_some_and(|key| key.required);
        if must {
            let message = format!("{at}: cannot unset `{key}`, it is required");
            log.reject("missing-key", node.span, message, format!("change it with {key} = …"));
        } else if new.get(key).is_some() {
            let message = format!("{at}: `{}` is both unset and set", shorten(key));
            log.reject("removed-and-changed", node.span, message, "set it or unset it, not both");
        } else if let Some(place) = old.entries.iter().position(|entry| entry.key == *key) {
            let removed = at.child("key", key, None).with_before(old.entries[place].span);
            if log.record(node.span, node.span, ChangeKind::Removed, removed) {
                old.entries.remove(place);
                remove_provenance(old, key);
            }
        } else {
            let near = suggest(key, old.entries.iter().map(|entry| entry.key.as_ref()).collect::<Vec<_>>());
            let message = format!("{at}: cannot unset `{}`, it is not set", shorten(key));
            let help = match old.text("like") {
                Some(like) => {
                    append_hint(&near, &format!("change what it inherits from `{}`, it cannot be unset", shorten(like)))
                }
                _ => near,
            };
            log.reject("unknown-key", node.span, message, help);
        }
    }
}

/// Removes the key from the marks of provenance too.
fn remove_provenance(table: &mut TomlTable<'_>, key: &str) {
    for entry in table.entries.iter_mut().filter(|entry| is_provenance_key(&entry.key)) {
        if let TomlValue::Table(reasons) = &mut entry.node.data {
            reasons.entries.retain(|reason| reason.key != key);
        }
    }
}
