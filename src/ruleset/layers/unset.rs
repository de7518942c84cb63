//! `unset = ["boxes"]` in a layer's `[change.WORD.ID]`: keys of the thing below that are no longer said. Takes the thing's table and
//! the layer's, takes the keys out, and tells of those that are not there or must be.

use crate::source::toml::{Data, Node, Table};

use super::also;
use super::said::{At, Laid, Sort};
use crate::ruleset::reader::{PROVENANCE, brief, suggest};
use crate::ruleset::words::word;

pub(super) fn unset(old: &mut Table<'_>, new: &Table<'_>, at: &At, laid: &Laid<'_>) {
    let Some(node) = new.get("unset") else { return };
    let one = [node];
    let list: Vec<&Node<'_>> = match &node.data {
        Data::List(list) => list.iter().collect(),
        Data::Text(_) => one.to_vec(),
        data => {
            let message = format!("expected a list of keys after `unset`, found {}", data.kind());
            laid.wrong("wrong-type", node.span, message, "use unset = [\"boxes\"]");
            return;
        }
    };
    let what = format!("{} `{}`", at.word, brief(&at.id));
    for node in list {
        let Data::Text(key) = &node.data else {
            let message = format!("expected the name of a key to unset, found {}", node.data.kind());
            laid.wrong("wrong-type", node.span, message, "use unset = [\"boxes\"]");
            continue;
        };
        let must =
            word(&at.word).is_some_and(|word| word.keys.iter().any(|known| known.required && known.name == *key));
        if must {
            let message = format!("{what}: cannot unset `{key}`, it is required");
            laid.wrong("missing-key", node.span, message, format!("change it with {key} = …"));
        } else if new.get(key).is_some() {
            let message = format!("{what}: `{}` is both unset and set", brief(key));
            laid.wrong("removed-and-changed", node.span, message, "set it or unset it, not both");
        } else if let Some(place) = old.entries.iter().position(|entry| entry.key == *key) {
            let gone = at.inner("key", key, None).before(old.entries[place].span);
            if laid.says(node.span, node.span, Sort::Removed, gone) {
                old.entries.remove(place);
                forget(old, key);
            }
        } else {
            let near = suggest(key, old.entries.iter().map(|entry| entry.key.as_ref()).collect::<Vec<_>>());
            let message = format!("{what}: cannot unset `{}`, it is not set", brief(key));
            let help = match old.get("like").map(|node| &node.data) {
                Some(Data::Text(like)) => {
                    also(&near, &format!("change what it inherits from `{}`, it cannot be unset", brief(like)))
                }
                _ => near,
            };
            laid.wrong("unknown-key", node.span, message, help);
        }
    }
}

/// Whose number it was is no longer said either.
fn forget(table: &mut Table<'_>, key: &str) {
    for entry in table.entries.iter_mut().filter(|entry| PROVENANCE.contains(&entry.key.as_ref())) {
        if let Data::Table(reasons) = &mut entry.node.data {
            reasons.entries.retain(|reason| reason.key != key);
        }
    }
}
