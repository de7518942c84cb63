//! Writes a [`FleetList`] as a fleet's file, with unreadable lines as comments.

use std::fmt::Write;

use super::value::quoted;
use super::{FleetList, ListCarried, ListLoad, ListShip};
use moldloft_base::sanitize::is_unsafe;

impl FleetList {
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        put_texts(
            &mut out,
            &[
                ("ruleset", &self.ruleset),
                ("name", &self.name),
                ("side", &self.side),
                ("player", &self.player),
                ("colour", &self.colour),
                ("pattern", &self.pattern),
            ],
        );
        if let Some(budget) = self.budget {
            let _ = writeln!(out, "budget = {budget}");
        }
        put_texts(&mut out, &[("notes", &self.notes)]);
        if !self.unread.is_empty() {
            out.push_str("\n# Not understood in the list:\n");
            for (line, words) in &self.unread {
                let words: String = words.chars().filter(|c| !is_unsafe(*c)).collect();
                let _ = writeln!(out, "# line {line}: {words}");
            }
        }
        for group in &self.groups {
            out.push_str("\n[[group]]\n");
            let id = Some(group.id.clone());
            put_texts(&mut out, &[("id", &id), ("kind", &group.kind), ("name", &group.name), ("notes", &group.notes)]);
        }
        for ship in &self.ships {
            out.push_str("\n[[ship]]\n");
            for (key, value) in ship.toml_pairs() {
                let _ = writeln!(out, "{} = {value}", toml_key(&key));
            }
            if !ship.damage.is_empty() {
                out.push_str("[ship.damage]\n");
                for (stem, runs) in ship.ticked_stems() {
                    let _ = writeln!(out, "{} = {}", toml_key(&stem), quoted(&runs));
                }
            }
        }
        for class in &self.designs {
            out.push_str("\n[[design]]\n");
            put_texts(&mut out, &[("name", &Some(class.name.clone())), ("notes", &class.notes)]);
            if !class.fields.is_empty() {
                out.push_str("[design.fields]\n");
                put_pairs(&mut out, &class.fields, &[]);
            }
            for fit in &class.fits {
                out.push_str("[[design.fit]]\n");
                put_texts(&mut out, &[("system", &Some(fit.load.system.clone())), ("mount", &fit.load.mount)]);
                if fit.count != 1 {
                    let _ = writeln!(out, "count = {}", fit.count);
                }
                put_pairs(&mut out, &fit.load.values, &["system", "mount", "count"]);
            }
            for system in &class.systems {
                out.push_str("[[design.system]]\n");
                put_pairs(&mut out, system, &[]);
            }
        }
        out
    }
}

impl ListShip {
    /// Without damage.
    fn toml_pairs(&self) -> Vec<(String, String)> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut put = |key: &str, value: String| {
            if !pairs.iter().any(|(known, _)| known == key) {
                pairs.push((key.to_owned(), value));
            }
        };
        if !self.class.is_empty() && self.class != "?" {
            put("design", quoted(&self.class));
        }
        let texts = [
            ("name", &self.name),
            ("hull_number", &self.hull_number),
            ("captain", &self.captain),
            ("owner", &self.owner),
            ("notes", &self.notes),
        ];
        for (key, words) in texts {
            if let Some(words) = words {
                put(key, quoted(words));
            }
        }
        if let Some(count) = self.count {
            put("count", count.to_string());
        }
        if let Some(group) = &self.group {
            put("group", quoted(group));
        }
        for ListCarried { relation, plain, ships } in &self.carried {
            match plain {
                Some(count) if ships.is_empty() => put(relation, count.to_string()),
                _ => {
                    let ships: Vec<String> = ships.iter().map(ListShip::inline_table).collect();
                    put(relation, format!("[{}]", ships.join(", ")));
                }
            }
        }
        if !self.loads.is_empty() {
            let loads: Vec<String> = self.loads.iter().map(ListLoad::inline_table).collect();
            put("load", format!("[{}]", loads.join(", ")));
        }
        pairs
    }

    fn inline_table(&self) -> String {
        let mut pairs = self.toml_pairs();
        if !self.damage.is_empty() {
            let stems: Vec<String> = self
                .ticked_stems()
                .iter()
                .map(|(stem, runs)| format!("{} = {}", toml_key(stem), quoted(runs)))
                .collect();
            pairs.push(("damage".into(), format!("{{ {} }}", stems.join(", "))));
        }
        inline_pairs(&pairs)
    }

    /// Each stem once.
    fn ticked_stems(&self) -> Vec<(String, String)> {
        let mut stems: Vec<(String, String)> = Vec::new();
        for (stem, runs) in &self.damage {
            match stems.iter_mut().find(|(known, _)| known == stem) {
                Some((_, known)) => *known += &format!(", {runs}"),
                None => stems.push((stem.clone(), runs.clone())),
            }
        }
        stems
    }
}

impl ListLoad {
    fn inline_table(&self) -> String {
        let mut pairs = vec![("system".to_owned(), quoted(&self.system))];
        pairs.extend(self.mount.iter().map(|mount| ("mount".to_owned(), quoted(mount))));
        pairs.extend(self.values.iter().cloned());
        inline_pairs(&first_of_each_key(&pairs))
    }
}

fn inline_pairs(pairs: &[(String, String)]) -> String {
    let inner: Vec<String> = pairs.iter().map(|(key, value)| format!("{} = {value}", toml_key(key))).collect();
    format!("{{ {} }}", inner.join(", "))
}

/// The first value of each key.
fn first_of_each_key(pairs: &[(String, String)]) -> Vec<(String, String)> {
    let mut kept: Vec<(String, String)> = Vec::new();
    for pair in pairs {
        if !kept.iter().any(|(key, _)| *key == pair.0) {
            kept.push(pair.clone());
        }
    }
    kept
}

fn put_pairs(out: &mut String, pairs: &[(String, String)], but: &[&str]) {
    for (key, value) in first_of_each_key(pairs) {
        if !but.contains(&&*key) {
            let _ = writeln!(out, "{} = {value}", toml_key(&key));
        }
    }
}

fn put_texts(out: &mut String, all: &[(&str, &Option<String>)]) {
    for (key, words) in all {
        if let Some(words) = words {
            let _ = writeln!(out, "{key} = {}", quoted(words));
        }
    }
}

fn toml_key(key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if bare { key.to_owned() } else { quoted(key) }
}
