//! Sets, adds and removes single keys in whatever form their table is written. Comments inside a replaced or removed
//! value are kept on lines of their own.

use std::ops::Range;

use toml_edit::Value;

use moldloft_base::finding::Finding;

use super::inline_items::InlineItems;
use super::tree::{DocumentNode, DocumentStatementKind, LocatedNode, NodeBody, PathStep, child};
use super::{Document, TextEdit, cannot_edit, cannot_edit_form, toml_text};

const LEADING_KEYS: [&str; 5] = ["schema", "ruleset", "name", "notes", "silhouette"];

impl Document {
    pub(super) fn set_key(&mut self, table: &[PathStep], key: &str, value: &Value) -> Result<(), Finding> {
        let target = child(table, PathStep::Key(key.to_owned()));
        let Some(found) = self.tree.value(&target) else {
            if self.has_statements_at(table, &target) {
                return self.transaction(|document| {
                    document.remove_key(table, key)?;
                    document.add_key(table, key, value)
                });
            }
            return self.add_key(table, key, value);
        };
        let old = found.node.span.clone();
        let new = match found.holder {
            None => toml_text::block_value(value, self.newline()),
            Some(_) => toml_text::inline_value(value),
        };
        if toml_text::is_same_value(&self.text[old.clone()], &new) {
            return Ok(());
        }
        let comments = self.tree.comments_in(&self.text, &old);
        let edits = match found.holder {
            None => {
                let start = self.tree.statements[found.statement].lines.start;
                vec![(start..start, self.comment_lines(&comments, start)), (old, new)]
            }
            Some(_) if comments.is_empty() => vec![(old, new)],
            Some((holder, at)) => {
                let mut parts = self.read_items(holder)?;
                parts.items[at].item = self.item_text(holder, at, &old, &new);
                let comments: Vec<String> = comments.into_iter().map(str::to_owned).collect();
                parts.insert_comments(at, &comments);
                vec![(holder.span.clone(), parts.to_text())]
            }
        };
        self.splice(edits)
    }

    /// Removes a key in any form; its comments stay.
    pub(super) fn remove_key(&mut self, table: &[PathStep], key: &str) -> Result<(), Finding> {
        let target = child(table, PathStep::Key(key.to_owned()));
        let mut edits = Vec::new();
        match self.tree.value(&target) {
            Some(LocatedNode { holder: Some((holder, at)), .. }) => {
                edits.push((holder.span.clone(), self.text_without_items(holder, &[at])?));
            }
            Some(_) => edits.extend(self.removal_edits(&target)),
            None => match self.inline_items_below(table, key) {
                Some((holder, places)) => edits.push((holder.span.clone(), self.text_without_items(holder, &places)?)),
                None => edits.extend(self.removal_edits(&target)),
            },
        }
        if edits.is_empty() { Ok(()) } else { self.splice(edits) }
    }

    fn has_statements_at(&self, table: &[PathStep], target: &[PathStep]) -> bool {
        let Some(PathStep::Key(key)) = target.last() else { return false };
        !self.tree.statements_below(target).is_empty() || self.inline_items_below(table, key).is_some()
    }

    fn inline_items_below(&self, table: &[PathStep], key: &str) -> Option<(&DocumentNode, Vec<usize>)> {
        let node = self.tree.value(table)?.node;
        let NodeBody::Table(parts) = &node.body else { return None };
        let places: Vec<usize> =
            (0..parts.len()).filter(|&at| parts[at].path.first().is_some_and(|first| first == key)).collect();
        (!places.is_empty()).then_some((node, places))
    }

    pub(super) fn text_without_items(&self, holder: &DocumentNode, places: &[usize]) -> Result<String, Finding> {
        let (NodeBody::Table(list) | NodeBody::List(list)) = &holder.body else { return Err(cannot_edit_form()) };
        let mut parts = self.read_items(holder)?;
        for &at in places.iter().rev() {
            let comments = parts.remove(at, &self.tree.comments_in(&self.text, &list[at].span));
            parts.insert_comments(at, &comments);
        }
        Ok(parts.to_text())
    }

    pub(super) fn read_items(&self, node: &DocumentNode) -> Result<InlineItems, Finding> {
        InlineItems::parse(&self.text, node, self.newline()).ok_or_else(cannot_edit_form)
    }

    fn item_text(&self, holder: &DocumentNode, at: usize, old: &Range<usize>, new: &str) -> String {
        let (NodeBody::Table(parts) | NodeBody::List(parts)) = &holder.body else { return new.to_owned() };
        let span = &parts[at].span;
        format!("{}{new}{}", &self.text[span.start..old.start], &self.text[old.end..span.end])
    }

    /// The cuts that remove all statements at and below an address but keep their comments.
    pub(super) fn removal_edits(&self, address: &[PathStep]) -> Vec<TextEdit> {
        let runs = self.tree.statements_below(address).into_iter();
        let edits = runs.map(|run| {
            let statements = &self.tree.statements;
            let lines = statements[run.start].lines.start..statements[run.end - 1].lines.end;
            let comments = self.tree.comments_in(&self.text, &lines);
            let kept = self.comment_lines(&comments, lines.start);
            (lines, kept)
        });
        edits.collect()
    }

    fn comment_lines(&self, comments: &[&str], at: usize) -> String {
        let indent = self.indent(at);
        comments.iter().map(|comment| format!("{indent}{comment}{}", self.newline())).collect()
    }

    pub(super) fn indent(&self, at: usize) -> &str {
        let line = &self.text[at..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    fn add_key(&mut self, table: &[PathStep], key: &str, value: &Value) -> Result<(), Finding> {
        let newline = self.newline();
        if let Some(found) = self.tree.value(table) {
            let NodeBody::Table(_) = &found.node.body else {
                return Err(cannot_edit(format!("cannot add to {}: it is not a table", address_text(table))));
            };
            let mut parts = self.read_items(found.node)?;
            let item = format!("{} = {}", toml_text::key(key), toml_text::inline_value(value));
            parts.insert(usize::MAX, item, &[]);
            return self.splice(vec![(found.node.span.clone(), parts.to_text())]);
        }
        let written = toml_text::block_value(value, newline);
        if table.is_empty() {
            return self.add_top_key(key, &written);
        }
        let header = self.tree.header(table);
        let under = |at: &usize| {
            let line = &self.tree.statements[*at];
            match header {
                Some(_) => line.section == header,
                None => {
                    matches!(line.kind, DocumentStatementKind::Pair(_))
                        && line.address.starts_with(table)
                        && self.is_dotted(*at, table)
                }
            }
        };
        let last = (0..self.tree.statements.len()).rev().find(under);
        if let Some(last) = last {
            let line = &self.tree.statements[last];
            let base = line.section.map_or(0, |section| self.tree.statements[section].address.len());
            let steps = table[base.min(table.len())..].iter();
            let path: String = steps
                .filter_map(|step| if let PathStep::Key(key) = step { Some(toml_text::key(key) + ".") } else { None })
                .collect();
            let (at, indent) = (line.lines.end, self.indent(line.lines.start));
            let text = format!("{indent}{path}{} = {written}{newline}", toml_text::key(key));
            return self.splice(vec![(at..at, self.as_own_line(at, text))]);
        }
        if let [parent @ .., PathStep::Key(name)] = table
            && !parent.is_empty()
        {
            return self.add_subtable(parent, name, key, value);
        }
        let [PathStep::Key(name)] = table else { return Err(cannot_edit_form()) };
        // A new table goes before its subtables, else before the fits and systems, else at the end.
        let pair = format!("[{}]{newline}{} = {written}{newline}", toml_text::key(name), toml_text::key(key));
        let tables = self.tree.statements_below(table).first().map(|run| run.start);
        let before = tables.or_else(|| {
            let is_list = |line: &super::tree::DocumentStatement| {
                matches!(line.kind, DocumentStatementKind::Header { many: true })
            };
            self.tree.statements.iter().position(is_list)
        });
        let at = before.map_or(self.text.len(), |statement| self.start_with_comments(statement));
        let text = if before.is_some() { format!("{pair}{newline}") } else { self.as_last_block(&pair) };
        self.splice(vec![(at..at, text)])
    }

    /// Adds a missing subtable with its first key, such as a ship's `damage`.
    fn add_subtable(&mut self, parent: &[PathStep], name: &str, key: &str, value: &Value) -> Result<(), Finding> {
        if self.tree.value(parent).is_some() {
            let mut table = toml_edit::InlineTable::new();
            table.insert(key, value.clone());
            return self.add_key(parent, name, &Value::InlineTable(table));
        }
        let header = self.tree.header(parent).ok_or_else(cannot_edit_form)?;
        let own = self.tree.statements.iter().rposition(|line| line.section == Some(header));
        let at = self.end_with_comments(own.unwrap_or(header));
        let newline = self.newline();
        let keys =
            parent.iter().filter_map(|step| if let PathStep::Key(key) = step { Some(key.as_str()) } else { None });
        let path: Vec<String> = keys.chain([name]).map(toml_text::key).collect();
        let text = format!(
            "{newline}[{}]{newline}{} = {}{newline}",
            path.join("."),
            toml_text::key(key),
            toml_text::block_value(value, newline)
        );
        self.splice(vec![(at..at, self.as_own_line(at, text))])
    }

    pub(super) fn is_dotted(&self, statement: usize, table: &[PathStep]) -> bool {
        let section = self.tree.statements[statement].section;
        section.is_none_or(|section| self.tree.statements[section].address.len() < table.len())
    }

    /// Inserts a pair before the first table, in the usual order of keys.
    fn add_top_key(&mut self, key: &str, written: &str) -> Result<(), Finding> {
        let newline = self.newline();
        let mut text = format!("{} = {written}{newline}", toml_text::key(key));
        let rank = |key: &str| LEADING_KEYS.iter().position(|known| *known == key).unwrap_or(LEADING_KEYS.len());
        let own = rank(key);
        let firsts = || self.tree.statements.iter().enumerate().filter(|(_, line)| line.section.is_none());
        let before = firsts().rfind(|(_, line)| match line.address.first() {
            Some(PathStep::Key(other)) => rank(other) < own || own == LEADING_KEYS.len(),
            _ => false,
        });
        let at = match before {
            Some((_, line)) => line.lines.end,
            None if firsts().next().is_some() => self.start_with_comments(0),
            None if self.tree.statements.is_empty() => self.text.len(),
            None => {
                text.push_str(newline);
                self.start_with_comments(0)
            }
        };
        self.splice(vec![(at..at, self.as_own_line(at, text))])
    }

    /// `text` for insertion at `at`, preceded by a line end if the file lacks one there.
    pub(super) fn as_own_line(&self, at: usize, text: String) -> String {
        if at > 0 && !self.text[..at].ends_with('\n') { format!("{}{text}", self.newline()) } else { text }
    }

    pub(super) fn as_last_block(&self, text: &str) -> String {
        let newline = self.newline();
        let end = self.text.as_str();
        let gap = if end.is_empty() || end.ends_with("\n\n") || end.ends_with("\n\r\n") || end == "\n" || end == "\r\n"
        {
            String::new()
        } else if end.ends_with('\n') {
            newline.to_owned()
        } else {
            newline.repeat(2)
        };
        format!("{gap}{text}")
    }
}

fn address_text(table: &[PathStep]) -> String {
    let keys = table.iter().filter_map(|step| if let PathStep::Key(key) = step { Some(key.as_str()) } else { None });
    format!("`{}`", keys.collect::<Vec<_>>().join("."))
}
