//! Sets and removes values at any path of a file, in whatever form its tables are written: headers, dotted keys, inline
//! tables. What is missing is added as a person would write it, next to its like. Knows no key of any file.

use toml_edit::{Array, Value};

use moldloft_base::finding::Finding;

use super::tree::{DocumentStatementKind, NodeBody, PathStep};
use super::{Document, cannot_edit, cannot_edit_form, toml_text};

impl Document {
    /// Sets a value. A missing table gets a header of at most `header` keys; the rest is a dotted key.
    ///
    /// # Errors
    /// `cannot-edit` when the file's form does not allow it; nothing has changed then.
    pub fn set_at(&mut self, path: &[PathStep], value: &Value, header: usize) -> Result<(), Finding> {
        let Some((last, table)) = path.split_last() else { return Err(cannot_edit_form()) };
        let exists = self.tree.value(path).is_some();
        match last {
            PathStep::Key(key) if exists => self.set_key(table, key, value),
            PathStep::Nth(_) if exists => self.replace_item(path, value),
            PathStep::Key(_) => self.add_at(path, value, header),
            PathStep::Nth(at) => Err(cannot_edit(format!("unknown item number {}", at + 1))),
        }
    }

    /// Removes a key, an item or a table, and then each table above it with nothing left but keys in `notes`. Comments
    /// stay.
    ///
    /// # Errors
    /// As [`Document::set_at`].
    pub fn unset_at(&mut self, path: &[PathStep], notes: &[String]) -> Result<(), Finding> {
        self.transaction(|document| {
            let Some((last, table)) = path.split_last() else { return Err(cannot_edit_form()) };
            match last {
                PathStep::Nth(at) if document.tree.value(path).is_some() => {
                    let found = document.tree.value(table).ok_or_else(cannot_edit_form)?;
                    let edit = (found.node.span.clone(), document.text_without_items(found.node, &[*at])?);
                    document.splice(vec![edit])?;
                }
                PathStep::Nth(at) => document.remove_table(table, *at, false)?,
                PathStep::Key(key) => document.remove_key(table, key)?,
            }
            (1..path.len()).rev().try_for_each(|length| document.remove_if_bare(&path[..length], notes))
        })
    }

    /// Adds an item at the end of an array, which is added if necessary.
    ///
    /// # Errors
    /// As [`Document::set_at`].
    pub fn push_at(&mut self, path: &[PathStep], value: Value, header: usize) -> Result<(), Finding> {
        let Some(found) = self.tree.value(path) else {
            return self.set_at(path, &Value::Array(Array::from_iter([value])), header);
        };
        let NodeBody::List(_) = &found.node.body else { return Err(cannot_edit_form()) };
        let mut items = self.read_items(found.node)?;
        items.insert(usize::MAX, toml_text::inline_value(&value), &[]);
        self.splice(vec![(found.node.span.clone(), items.to_text())])
    }

    fn replace_item(&mut self, path: &[PathStep], value: &Value) -> Result<(), Finding> {
        let found = self.tree.value(path).ok_or_else(cannot_edit_form)?;
        let (old, new) = (found.node.span.clone(), toml_text::inline_value(value));
        if toml_text::is_same_value(&self.text[old.clone()], &new) { Ok(()) } else { self.splice(vec![(old, new)]) }
    }

    /// Adds a value that is not there, in the innermost table that is.
    fn add_at(&mut self, path: &[PathStep], value: &Value, header: usize) -> Result<(), Finding> {
        let newline = self.newline();
        for length in (1..path.len()).rev() {
            let (table, rest) = path.split_at(length);
            if let Some(found) = self.tree.value(table) {
                let NodeBody::Table(_) = &found.node.body else { return Err(cannot_edit_form()) };
                let mut items = self.read_items(found.node)?;
                items.insert(usize::MAX, format!("{} = {}", dotted(rest)?, toml_text::inline_value(value)), &[]);
                return self.splice(vec![(found.node.span.clone(), items.to_text())]);
            }
            if let Some(section) = self.tree.header(table) {
                let own = |at: &usize| self.tree.statements[*at].section == Some(section);
                let is_dotted = (0..self.tree.statements.len())
                    .filter(own)
                    .any(|at| at != section && self.tree.statements[at].address.starts_with(&path[..length + 1]));
                if length + 1 < path.len() && length < header && !is_dotted {
                    break;
                }
                let last = (0..self.tree.statements.len()).rfind(own).unwrap_or(section);
                return self.add_line(last, rest, value);
            }
            let under = |at: &usize| {
                let line = &self.tree.statements[*at];
                matches!(line.kind, DocumentStatementKind::Pair(_))
                    && line.address.starts_with(table)
                    && self.is_dotted(*at, table)
            };
            if let Some(last) = (0..self.tree.statements.len()).rfind(under) {
                let section = self.tree.statements[last].section;
                let above = section.map_or(0, |section| self.tree.statements[section].address.len());
                return self.add_line(last, &path[above..], value);
            }
        }
        let (table, rest) = path.split_at(header.clamp(1, path.len() - 1));
        let block = format!(
            "[{}]{newline}{} = {}{newline}",
            dotted(table)?,
            dotted(rest)?,
            toml_text::block_value(value, newline)
        );
        self.add_block(table, &block)
    }

    /// A pair on a line of its own after a statement.
    fn add_line(&mut self, after: usize, key: &[PathStep], value: &Value) -> Result<(), Finding> {
        let newline = self.newline();
        let lines = self.tree.statements[after].lines.clone();
        let written = toml_text::block_value(value, newline);
        let text = format!("{}{} = {written}{newline}", self.indent(lines.start), dotted(key)?);
        self.splice(vec![(lines.end..lines.end, self.as_own_line(lines.end, text))])
    }

    /// Adds a table with a header after the last table with the longest common beginning; else before the first array of
    /// tables, else at the end.
    fn add_block(&mut self, table: &[PathStep], block: &str) -> Result<(), Finding> {
        let newline = self.newline();
        for length in (1..table.len()).rev() {
            let Some(last) = self.tree.statements_below(&table[..length]).last().map(|run| run.end - 1) else {
                continue;
            };
            let header = self.tree.statements[last].section.unwrap_or(last);
            let gap = if self.is_blank_before(self.start_with_comments(header)) { newline } else { "" };
            let at = self.end_with_comments(last);
            return self.splice(vec![(at..at, self.as_own_line(at, format!("{gap}{block}")))]);
        }
        let is_list = |kind: &DocumentStatementKind| matches!(kind, DocumentStatementKind::Header { many: true });
        let edit = match self.tree.statements.iter().position(|line| is_list(&line.kind)) {
            Some(first) if first > 0 => {
                let at = self.end_with_comments(first - 1);
                (at..at, self.as_own_line(at, format!("{newline}{block}")))
            }
            Some(first) => {
                let at = self.start_with_comments(first);
                (at..at, format!("{block}{newline}"))
            }
            None => (self.text.len()..self.text.len(), self.as_last_block(block)),
        };
        self.splice(vec![edit])
    }

    /// Removes a table that holds nothing but keys in `notes`.
    fn remove_if_bare(&mut self, table: &[PathStep], notes: &[String]) -> Result<(), Finding> {
        let is_note = |key: &PathStep| matches!(key, PathStep::Key(key) if notes.contains(key));
        if let Some(found) = self.tree.value(table) {
            let is_bare = match &found.node.body {
                NodeBody::Table(items) => {
                    items.iter().all(|item| item.path.first().is_some_and(|key| notes.contains(key)))
                }
                NodeBody::List(items) => items.is_empty(),
                NodeBody::Plain => false,
            };
            let Some((PathStep::Key(key), above)) = table.split_last() else { return Ok(()) };
            return if is_bare { self.remove_key(above, key) } else { Ok(()) };
        }
        let runs = self.tree.statements_below(table);
        let [run] = &runs[..] else { return Ok(()) };
        let is_bare = self.tree.statements[run.clone()].iter().all(|line| match line.kind {
            DocumentStatementKind::Header { many } => !many && line.address == table,
            DocumentStatementKind::Pair(_) => line.address.get(table.len()).is_some_and(is_note),
        });
        let has_header = matches!(self.tree.statements[run.start].kind, DocumentStatementKind::Header { .. });
        if !is_bare || !has_header {
            return Ok(());
        }
        let lines = self.tree.statements[run.start].lines.start..self.tree.statements[run.end - 1].lines.end;
        let comments = self.tree.comments_in(&self.text, &lines);
        let kept: String = comments.iter().map(|comment| format!("{comment}{}", self.newline())).collect();
        let range = if kept.is_empty() { self.including_blank_lines(lines) } else { lines };
        self.splice(vec![(range, kept)])
    }
}

/// `system.laser."own key"`.
fn dotted(path: &[PathStep]) -> Result<String, Finding> {
    let keys: Option<Vec<String>> =
        path.iter().map(|step| if let PathStep::Key(key) = step { Some(toml_text::key(key)) } else { None }).collect();
    keys.map(|keys| keys.join(".")).ok_or_else(cannot_edit_form)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::DocumentEdit;

    const LAYER: &str = "# ours\n[ruleset]\nid = \"ours\"   # the file\nextends = \"base\"\n";

    fn steps(path: &str) -> Vec<PathStep> {
        path.split('.')
            .map(|key| key.parse().map_or_else(|_| key.replace('_', " ").as_str().into(), PathStep::Nth))
            .collect()
    }

    fn set(text: &str, path: &str, value: impl Into<Value>) -> String {
        let mut document = Document::parse(text).unwrap();
        let edit = DocumentEdit::SetAt { path: steps(path), value: value.into(), header: 3 };
        document.apply(edit).unwrap();
        document.to_text()
    }

    fn unset(text: &str, path: &str) -> String {
        let mut document = Document::parse(text).unwrap();
        document.apply(DocumentEdit::UnsetAt { path: steps(path), notes: vec!["reason".into()] }).unwrap();
        document.to_text()
    }

    #[test]
    fn a_first_change_gets_a_header_of_its_own_and_taken_back_leaves_nothing() {
        let changed = set(LAYER, "change.system.laser.points", 12);
        assert_eq!(changed, format!("{LAYER}\n[change.system.laser]\npoints = 12\n"));
        assert_eq!(unset(&changed, "change.system.laser.points"), LAYER);
        let with_reason = set(&changed, "change.system.laser.reason", "fair");
        assert_eq!(with_reason, format!("{changed}reason = \"fair\"\n"));
        assert_eq!(unset(&with_reason, "change.system.laser.points"), LAYER);
        let two = set(&changed, "change.system.graser.mass", "base + 1");
        assert_eq!(two, format!("{changed}\n[change.system.graser]\nmass = \"base + 1\"\n"));
        assert_eq!(unset(&two, "change.system.graser.mass"), changed);
        let mid = set(&format!("{LAYER}\n[[system]]\nid = \"x\"\n"), "change.system.laser.points", 12);
        assert_eq!(mid, format!("{LAYER}\n[change.system.laser]\npoints = 12\n\n[[system]]\nid = \"x\"\n"));
        assert_eq!(unset(&mid, "change.system.laser.points"), format!("{LAYER}\n[[system]]\nid = \"x\"\n"));
    }

    #[test]
    fn every_form_of_a_table_takes_a_key() {
        let forms = [
            ("change.system.laser.mass = 2\n", "change.system.laser.points = 12\n"),
            ("[change]\nsystem.laser.mass = 2\n", "system.laser.points = 12\n"),
            ("[change.system]\nlaser.mass = 2 # two\n", "laser.points = 12\n"),
            ("[change.system.laser]\nmass = 2\n", "points = 12\n"),
        ];
        for (text, line) in forms {
            assert_eq!(set(text, "change.system.laser.points", 12), format!("{text}{line}"));
            assert_eq!(unset(&format!("{text}{line}"), "change.system.laser.points"), text);
        }
        assert_eq!(
            set("[change.system]\nlaser = { mass = 2 }\n", "change.system.laser.points", 12),
            "[change.system]\nlaser = { mass = 2, points = 12 }\n"
        );
        assert_eq!(unset("[change.system]\nlaser = { mass = 2 }\n", "change.system.laser.mass"), "");
    }

    #[test]
    fn items_and_tables_of_arrays_are_changed_in_place() {
        let text = "[change.table.t]\nadd.rows = [[\"a\", 1], [\"b\", 2]] # two\n\n[[system]]\nid = \"x\"\n";
        let changed = set(text, "change.table.t.add.rows.1.1", 3);
        assert_eq!(changed, text.replace("[\"b\", 2]", "[\"b\", 3]"));
        assert_eq!(set(text, "system.0.mass", 4), format!("{text}mass = 4\n"));
        assert!(!unset(text, "system.0").contains("system"));
        assert_eq!(unset(text, "change.table.t.add.rows.0"), text.replace("[\"a\", 1], ", ""));
        let mut document = Document::parse(text).unwrap();
        let row = Value::from_iter([Value::from("c"), Value::from(5)]);
        document.apply(DocumentEdit::PushAt { path: steps("change.table.t.add.rows"), value: row, header: 3 }).unwrap();
        assert_eq!(document.text(), text.replace("2]]", "2], [\"c\", 5]]"));
    }

    #[test]
    fn what_is_no_table_is_refused_and_nothing_changes() {
        for text in ["change = 3\n", "change = [1]\n", "[change]\nsystem = \"x\"\n"] {
            let mut document = Document::parse(text).unwrap();
            let edit = DocumentEdit::SetAt { path: steps("change.system.laser.points"), value: 1.into(), header: 3 };
            assert!(document.apply(edit).is_err());
            assert_eq!(document.text(), text);
        }
    }
}
