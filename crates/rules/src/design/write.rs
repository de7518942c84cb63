//! Writes a [`Design`] as new TOML that reads back as the same design. To keep a player's own file, use
//! [`Document`](super::Document).

use std::fmt::Write;

use moldloft_base::source::toml::TomlEntry;

use super::document::inline_data;
use super::model::{Design, SpannedText};

impl Design {
    /// In the usual order: top-level keys, fields, fits, custom systems.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        let head = [
            ("ruleset", &self.ruleset),
            ("name", &self.name),
            ("notes", &self.notes),
            ("silhouette", &self.silhouette),
        ];
        for (key, word) in head.into_iter().filter_map(|(key, word)| Some((key, word.as_ref()?))) {
            put_line(&mut out, key, &text(word));
        }
        put_entries(&mut out, &self.unknown);
        if !self.fields.is_empty() {
            out.push_str("\n[fields]\n");
            put_entries(&mut out, &self.fields);
        }
        for fit in &self.fits {
            out.push_str("\n[[fit]]\n");
            put_line(&mut out, "system", &text(&fit.system));
            if let Some(mount) = &fit.mount {
                put_line(&mut out, "mount", &text(mount));
            }
            if fit.count != 1 {
                put_line(&mut out, "count", &fit.count.to_string());
            }
            put_entries(&mut out, &fit.parameters);
        }
        for system in &self.systems {
            out.push_str("\n[[system]]\n");
            put_line(&mut out, "id", &text(&system.id));
            if let Some(like) = &system.like {
                put_line(&mut out, "like", &text(like));
            }
            put_entries(&mut out, &system.keys);
        }
        out
    }
}

fn put_line(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{} = {value}", toml_edit::Key::new(key));
}

fn put_entries(out: &mut String, entries: &[TomlEntry<'_>]) {
    for entry in entries {
        put_line(out, &entry.key, &inline_data(&entry.node.data));
    }
}

fn text(word: &SpannedText) -> String {
    toml_edit::Value::from(&*word.text).to_string()
}
