//! Adds, removes and moves tables of an array (fits, systems, rows) in each form that a file may use: `[[x]]` headers,
//! an array of inline tables, or a single table. Comments directly above and after a table move with it.

use std::ops::Range;

use toml_edit::Value;

use moldloft_base::finding::Finding;

use super::tree::{DocumentNode, DocumentStatementKind, NodeBody, PathStep, child};
use super::{Document, TextEdit, cannot_edit, cannot_edit_form, toml_text};

enum ArrayForm<'t> {
    None,
    TableHeaders(usize),
    SingleTable,
    /// An array, and which of its items count.
    Array(&'t DocumentNode, Vec<usize>),
    InlineTable(&'t DocumentNode),
    Other,
}

impl Document {
    fn array_form(&self, list: &[PathStep]) -> ArrayForm<'_> {
        if let Some(found) = self.tree.value(list) {
            return match &found.node.body {
                // Among fits and systems only tables count; among rows every item does, since messages number them so.
                NodeBody::List(parts) => {
                    let counts = |at: &usize| list.len() > 1 || matches!(parts[*at].node.body, NodeBody::Table(_));
                    ArrayForm::Array(found.node, (0..parts.len()).filter(counts).collect())
                }
                NodeBody::Table(_) => ArrayForm::InlineTable(found.node),
                NodeBody::Plain => ArrayForm::Other,
            };
        }
        if self.tree.header(&child(list, PathStep::Nth(0))).is_some() {
            let is_one = |line: &&super::tree::DocumentStatement| {
                matches!(line.kind, DocumentStatementKind::Header { many: true })
                    && line.address.len() == list.len() + 1
                    && line.address.starts_with(list)
            };
            return ArrayForm::TableHeaders(self.tree.statements.iter().filter(is_one).count());
        }
        match self.tree.header(list) {
            Some(_) => ArrayForm::SingleTable,
            None if self.tree.statements_below(list).is_empty() => ArrayForm::None,
            None => ArrayForm::Other,
        }
    }

    pub(super) fn table_count(&self, list: &[PathStep]) -> usize {
        match self.array_form(list) {
            ArrayForm::None => 0,
            ArrayForm::TableHeaders(count) => count,
            ArrayForm::Array(_, counted) => counted.len(),
            ArrayForm::SingleTable | ArrayForm::InlineTable(_) => 1,
            ArrayForm::Other => usize::from(list.len() == 1 && self.tree.value(list).is_none()),
        }
    }

    pub(super) fn table_path(&self, list: &[PathStep], index: usize) -> Option<Vec<PathStep>> {
        match self.array_form(list) {
            ArrayForm::TableHeaders(count) => (index < count).then(|| child(list, PathStep::Nth(index))),
            ArrayForm::Array(_, counted) => counted.get(index).map(|&at| child(list, PathStep::Nth(at))),
            _ => (index < self.table_count(list)).then(|| list.to_vec()),
        }
    }

    /// Inserts a table before table `at`, or at the end; returns its index.
    pub(super) fn add_table(
        &mut self,
        list: &[PathStep],
        at: usize,
        pairs: &[(&str, Value)],
    ) -> Result<usize, Finding> {
        let at = at.min(self.table_count(list));
        let new = match self.array_form(list) {
            ArrayForm::Array(..) | ArrayForm::InlineTable(_) => {
                toml_text::inline_table(pairs.iter().map(|(key, value)| (*key, toml_text::inline_value(value))))
            }
            _ => self.table_with_header(list, pairs),
        };
        self.insert_tables(list, at, &[new])?;
        Ok(at)
    }

    fn table_with_header(&self, list: &[PathStep], pairs: &[(&str, Value)]) -> String {
        let newline = self.newline();
        let keys: Vec<String> = list
            .iter()
            .filter_map(|step| if let PathStep::Key(key) = step { Some(toml_text::key(key)) } else { None })
            .collect();
        let mut out = format!("[[{}]]{newline}", keys.join("."));
        for (key, value) in pairs {
            push_key(&mut out, &toml_text::key(key), value, newline);
        }
        out
    }

    /// Inserts tables before table `at`, or at the end: as lines under headers, or as inline tables if the file has an
    /// array.
    pub(super) fn insert_tables(&mut self, list: &[PathStep], at: usize, new: &[String]) -> Result<(), Finding> {
        match self.array_form(list) {
            ArrayForm::Array(node, counted) => {
                let mut parts = self.read_items(node)?;
                let at = counted.get(at).copied().unwrap_or(parts.items.len());
                new.iter().enumerate().for_each(|(n, item)| parts.insert(at + n, item.clone(), &[]));
                self.splice(vec![(node.span.clone(), parts.to_text())])
            }
            ArrayForm::InlineTable(node) => {
                let old = &self.text[node.span.clone()];
                let mut items: Vec<&str> = new.iter().map(String::as_str).collect();
                items.insert(if at == 0 { items.len() } else { 0 }, old);
                self.splice(vec![(node.span.clone(), format!("[{}]", items.join(", ")))])
            }
            ArrayForm::SingleTable => self.transaction(|document| {
                let header = document.tree.header(list).ok_or_else(cannot_edit_form)?;
                let span = document.tree.statements[header].span.clone();
                let many = format!("[{}]", &document.text[span.clone()]);
                document.splice(vec![(span, many)])?;
                document.insert_tables(list, at, new)
            }),
            ArrayForm::TableHeaders(count) => {
                let (place, text) = self.insertion_point(list, count, at, new)?;
                self.splice(vec![(place..place, text)])
            }
            ArrayForm::None => {
                let newline = self.newline();
                let joined = new.join(newline);
                let systems = self.tree.header(&[PathStep::Key("system".into()), PathStep::Nth(0)]);
                let edit = match systems.filter(|_| list == [PathStep::Key("fit".into())]) {
                    Some(system) => {
                        let start = self.start_with_comments(system);
                        (start..start, format!("{joined}{newline}"))
                    }
                    None => (self.text.len()..self.text.len(), self.as_last_block(&joined)),
                };
                self.splice(vec![edit])
            }
            ArrayForm::Other => Err(cannot_edit_form()),
        }
    }

    fn insertion_point(
        &self,
        list: &[PathStep],
        count: usize,
        at: usize,
        new: &[String],
    ) -> Result<(usize, String), Finding> {
        let newline = self.newline();
        let gap = if self.has_blank_lines(list, count) { newline } else { "" };
        let blocks = |nth: usize| self.table_blocks(&child(list, PathStep::Nth(nth)));
        if at < count {
            let start = blocks(at).first().ok_or_else(cannot_edit_form)?.start;
            return Ok((start, new.iter().map(|block| format!("{block}{gap}")).collect()));
        }
        let end = blocks(count.saturating_sub(1)).last().ok_or_else(cannot_edit_form)?.end;
        let text: String = new.iter().map(|block| format!("{gap}{block}")).collect();
        Ok((end, self.as_own_line(end, text)))
    }

    /// Whether most tables have a blank line before them; the first counts only if it is the only one.
    pub(super) fn has_blank_lines(&self, list: &[PathStep], count: usize) -> bool {
        if let Some((_, spaced)) = self.default_style.filter(|_| list.len() == 1) {
            return spaced;
        }
        let spaced = |nth: &usize| {
            let header = self.tree.header(&child(list, PathStep::Nth(*nth)));
            header.is_some_and(|header| self.is_blank_before(self.start_with_comments(header)))
        };
        let headers = usize::from(count > 1)..count.min(40);
        headers.clone().filter(spaced).count() * 2 >= headers.count()
    }

    /// Removes a table, and its own comments unless `keep`.
    pub(super) fn remove_table(&mut self, list: &[PathStep], index: usize, keep: bool) -> Result<(), Finding> {
        let edits = match self.array_form(list) {
            ArrayForm::Array(node, counted) => {
                let at = *counted.get(index).ok_or_else(|| no_such_table(index))?;
                if keep {
                    vec![(node.span.clone(), self.text_without_items(node, &[at])?)]
                } else {
                    let mut parts = self.read_items(node)?;
                    parts.remove(at, &[]);
                    vec![(node.span.clone(), parts.to_text())]
                }
            }
            _ => {
                let table = self.table_path(list, index).ok_or_else(|| no_such_table(index))?;
                if keep {
                    self.removal_edits(&table)
                } else if self.tree.header(&table).is_some() {
                    self.table_blocks(&table)
                        .into_iter()
                        .map(|block| (self.including_blank_lines(block), String::new()))
                        .collect()
                } else {
                    let runs = self.tree.statements_below(&table).into_iter();
                    let lines = |run: Range<usize>| {
                        self.tree.statements[run.start].lines.start..self.tree.statements[run.end - 1].lines.end
                    };
                    runs.map(|run| (lines(run), String::new())).collect()
                }
            }
        };
        self.splice(edits)
    }

    pub(super) fn move_table(&mut self, list: &[PathStep], from: usize, to: usize) -> Result<(), Finding> {
        let count = self.table_count(list);
        let to = to.min(count.saturating_sub(1));
        if from >= count {
            return Err(no_such_table(from));
        }
        if from == to {
            return Ok(());
        }
        match self.array_form(list) {
            ArrayForm::Array(node, counted) => {
                let mut parts = self.read_items(node)?;
                parts.move_item(counted[from], counted[to]);
                self.splice(vec![(node.span.clone(), parts.to_text())])
            }
            ArrayForm::TableHeaders(_) => {
                let text = self.table_text(&child(list, PathStep::Nth(from)));
                let (known, at) = if to > from { (to + 1, to + 1) } else { (count, to) };
                let (place, text) = self.insertion_point(list, known, at, &[text])?;
                let blocks = self.table_blocks(&child(list, PathStep::Nth(from)));
                let mut edits: Vec<TextEdit> =
                    blocks.into_iter().map(|block| (self.including_blank_lines(block), String::new())).collect();
                edits.push((place..place, text));
                self.splice(edits)
            }
            _ => Err(cannot_edit_form()),
        }
    }

    /// The lines of a table with headers, with subtables and its own comments; each block ends with a line end.
    pub(super) fn table_text(&self, table: &[PathStep]) -> String {
        let mut out = String::new();
        for block in self.table_blocks(table) {
            out.push_str(&self.text[block]);
            if !out.ends_with('\n') {
                out.push_str(self.newline());
            }
        }
        out
    }

    pub(super) fn table_blocks(&self, table: &[PathStep]) -> Vec<Range<usize>> {
        let runs = self.tree.statements_below(table).into_iter();
        runs.map(|run| self.start_with_comments(run.start)..self.end_with_comments(run.end - 1)).collect()
    }

    /// Where a statement's own comments begin: the comment lines directly above it. An editor directive in the first
    /// line of the file belongs to no statement.
    pub(super) fn start_with_comments(&self, statement: usize) -> usize {
        let limit = statement.checked_sub(1).map_or(0, |before| self.tree.statements[before].lines.end);
        let mut start = self.tree.statements[statement].lines.start;
        while start > limit {
            let line = self.text[..start - 1].rfind('\n').map_or(0, |newline| newline + 1);
            let words = self.text[line..start].trim();
            if !words.starts_with('#') || words.starts_with("#:") {
                break;
            }
            start = line;
        }
        start
    }

    /// Where the comments directly after a statement end; those directly above the next statement belong to that.
    pub(super) fn end_with_comments(&self, statement: usize) -> usize {
        let next = statement + 1;
        let limit = if next < self.tree.statements.len() { self.start_with_comments(next) } else { self.text.len() };
        let mut end = self.tree.statements[statement].lines.end;
        while end < limit {
            let line = self.text[end..limit].find('\n').map_or(limit, |newline| end + newline + 1);
            if !self.text[end..line].trim().starts_with('#') {
                break;
            }
            end = line;
        }
        end
    }

    pub(super) fn is_blank_before(&self, at: usize) -> bool {
        let Some(before) = self.text[..at].strip_suffix('\n') else { return at == 0 };
        before.rsplit('\n').next().unwrap_or_default().trim().is_empty()
    }

    /// Extends a block to be removed by the blank lines that would otherwise be doubled or left at the end.
    pub(super) fn including_blank_lines(&self, block: Range<usize>) -> Range<usize> {
        let mut end = block.end;
        while let Some(line) = self.text[end..].split_inclusive('\n').next()
            && line.trim().is_empty()
        {
            end += line.len();
        }
        if end == self.text.len() {
            let mut start = block.start;
            while self.text[..start].ends_with('\n') && self.is_blank_before(start) && start > 0 {
                start = self.text[..start - 1].rfind('\n').map_or(0, |newline| newline + 1);
            }
            return start..end;
        }
        if self.is_blank_before(block.start) { block.start..end } else { block }
    }
}

fn no_such_table(index: usize) -> Finding {
    cannot_edit(format!("unknown entry number {}", index + 1))
}

/// A line for a key, or for each dotted key below it: `left.hull = …`.
fn push_key(out: &mut String, key: &str, value: &Value, newline: &str) {
    match value.as_inline_table().filter(|table| table.is_dotted() && !table.is_empty()) {
        Some(table) => {
            for (below, value) in table.iter() {
                push_key(out, &format!("{key}.{}", toml_text::key(below)), value, newline);
            }
        }
        None => out.push_str(&format!("{key} = {}{newline}", toml_text::block_value(value, newline))),
    }
}
