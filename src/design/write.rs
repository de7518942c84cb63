//! A design as TOML from nothing: takes a [`Design`], gives text that reads back as the same design. For a file that a
//! player has written, [`Document`](super::Document) keeps what the player wrote.

use std::fmt::Write;

use crate::source::toml::{Data, Entry};

use super::model::{Design, Word};

impl Design {
    /// The design as TOML, in the usual order: header, fields, fits, systems of its own.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        let head = [("ruleset", &self.ruleset), ("name", &self.name), ("notes", &self.notes)];
        for (key, word) in head.into_iter().filter_map(|(key, word)| Some((key, word.as_ref()?))) {
            line(&mut out, key, &text(word));
        }
        entries(&mut out, &self.unknown);
        if !self.fields.is_empty() {
            out.push_str("\n[fields]\n");
            entries(&mut out, &self.fields);
        }
        for fit in &self.fits {
            out.push_str("\n[[fit]]\n");
            line(&mut out, "system", &text(&fit.system));
            if let Some(mount) = &fit.mount {
                line(&mut out, "mount", &text(mount));
            }
            if fit.count != 1 {
                line(&mut out, "count", &fit.count.to_string());
            }
            entries(&mut out, &fit.parameters);
        }
        for system in &self.systems {
            out.push_str("\n[[system]]\n");
            line(&mut out, "id", &text(&system.id));
            if let Some(like) = &system.like {
                line(&mut out, "like", &text(like));
            }
            entries(&mut out, &system.keys);
        }
        out
    }
}

fn line(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{} = {value}", toml_edit::Key::new(key));
}

fn entries(out: &mut String, entries: &[Entry<'_>]) {
    for entry in entries {
        let mut value = String::new();
        data(&mut value, &entry.node.data);
        line(out, &entry.key, &value);
    }
}

fn text(word: &Word) -> String {
    quoted(&word.text)
}

fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string()
}

fn data(out: &mut String, value: &Data<'_>) {
    match value {
        Data::Int(number) => {
            let _ = write!(out, "{number}");
        }
        Data::Float(written) => out.push_str(written),
        Data::Flag(flag) => {
            let _ = write!(out, "{flag}");
        }
        Data::Text(text) => out.push_str(&quoted(text)),
        Data::Date(written) => out.push_str(written),
        Data::List(list) => {
            out.push('[');
            for (n, item) in list.iter().enumerate() {
                out.push_str(if n == 0 { "" } else { ", " });
                data(out, &item.data);
            }
            out.push(']');
        }
        Data::Table(table) => {
            out.push('{');
            for (n, entry) in table.entries.iter().enumerate() {
                let _ = write!(out, "{}{} = ", if n == 0 { " " } else { ", " }, toml_edit::Key::new(&*entry.key));
                data(out, &entry.node.data);
            }
            out.push_str(" }");
        }
    }
}
