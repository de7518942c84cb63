//! Arrays of tables, fits, systems and rows alike, in each form a file may write them: `[[x]]` headers, an array of inline
//! tables, or the single table that should have been one of many. Adds, takes out and moves whole tables; the comments
//! directly above and behind a table go with it, others stay where they are.

use std::ops::Range;

use toml_edit::Value;

use crate::finding::Finding;

use super::tree::{Body, Kind, Node, Step, then};
use super::{Document, Edit, refused, unforeseen, written};

/// How a file writes an array of tables.
enum Form<'t> {
    /// Not at all.
    None,
    /// So many `[[x]]`.
    Headers(usize),
    /// `[x]`.
    Single,
    /// An array, and which of its parts count.
    Array(&'t Node, Vec<usize>),
    /// `x = { … }`.
    Lone(&'t Node),
    /// As something else.
    Other,
}

impl Document {
    fn form(&self, list: &[Step]) -> Form<'_> {
        if let Some(found) = self.tree.value(list) {
            return match &found.node.body {
                // Of fits and systems, what is no table does not count; of rows all do, and messages name them so.
                Body::List(parts) => {
                    let counts = |at: &usize| list.len() > 1 || matches!(parts[*at].node.body, Body::Table(_));
                    Form::Array(found.node, (0..parts.len()).filter(counts).collect())
                }
                Body::Table(_) => Form::Lone(found.node),
                Body::Plain => Form::Other,
            };
        }
        if self.tree.header(&then(list, Step::Nth(0))).is_some() {
            let is_one = |line: &&super::tree::Statement| {
                matches!(line.kind, Kind::Header { many: true })
                    && line.address.len() == list.len() + 1
                    && line.address.starts_with(list)
            };
            return Form::Headers(self.tree.statements.iter().filter(is_one).count());
        }
        match self.tree.header(list) {
            Some(_) => Form::Single,
            None if self.tree.below(list).is_empty() => Form::None,
            None => Form::Other,
        }
    }

    pub(super) fn count(&self, list: &[Step]) -> usize {
        match self.form(list) {
            Form::None => 0,
            Form::Headers(count) => count,
            Form::Array(_, counted) => counted.len(),
            Form::Single | Form::Lone(_) => 1,
            Form::Other => usize::from(list.len() == 1 && self.tree.value(list).is_none()),
        }
    }

    /// The way to one of the tables.
    pub(super) fn place(&self, list: &[Step], index: usize) -> Option<Vec<Step>> {
        match self.form(list) {
            Form::Headers(count) => (index < count).then(|| then(list, Step::Nth(index))),
            Form::Array(_, counted) => counted.get(index).map(|&at| then(list, Step::Nth(at))),
            _ => (index < self.count(list)).then(|| list.to_vec()),
        }
    }

    /// Adds a table of these pairs before the table `at`, or behind the last; gives its number.
    pub(super) fn add(&mut self, list: &[Step], at: usize, pairs: &[(&str, Value)]) -> Result<usize, Finding> {
        let at = at.min(self.count(list));
        let new = match self.form(list) {
            Form::Array(..) | Form::Lone(_) => {
                written::pairs(pairs.iter().map(|(key, value)| (*key, written::inline(value))))
            }
            _ => self.table(list, pairs),
        };
        self.put_in(list, at, &[new])?;
        Ok(at)
    }

    /// A table under a `[[x]]` header of its own.
    fn table(&self, list: &[Step], pairs: &[(&str, Value)]) -> String {
        let newline = self.newline();
        let keys: Vec<String> = list
            .iter()
            .filter_map(|step| if let Step::Key(key) = step { Some(written::key(key)) } else { None })
            .collect();
        let mut out = format!("[[{}]]{newline}", keys.join("."));
        for (key, value) in pairs {
            out.push_str(&format!("{} = {}{newline}", written::key(key), written::value(value, newline)));
        }
        out
    }

    /// Puts tables in before the table `at`, or behind the last: whole lines under headers of their own, or inline tables where the
    /// file has an array.
    pub(super) fn put_in(&mut self, list: &[Step], at: usize, new: &[String]) -> Result<(), Finding> {
        match self.form(list) {
            Form::Array(node, counted) => {
                let mut parts = self.parts(node)?;
                let at = counted.get(at).copied().unwrap_or(parts.pieces.len());
                new.iter().enumerate().for_each(|(n, item)| parts.insert(at + n, item.clone(), &[]));
                self.splice(vec![(node.span.clone(), parts.write())])
            }
            Form::Lone(node) => {
                let old = &self.text[node.span.clone()];
                let mut items: Vec<&str> = new.iter().map(String::as_str).collect();
                items.insert(if at == 0 { items.len() } else { 0 }, old);
                self.splice(vec![(node.span.clone(), format!("[{}]", items.join(", ")))])
            }
            Form::Single => self.whole(|document| {
                let header = document.tree.header(list).ok_or_else(unforeseen)?;
                let span = document.tree.statements[header].span.clone();
                let many = format!("[{}]", &document.text[span.clone()]);
                document.splice(vec![(span, many)])?;
                document.put_in(list, at, new)
            }),
            Form::Headers(count) => {
                let (place, text) = self.between(list, count, at, new)?;
                self.splice(vec![(place..place, text)])
            }
            Form::None => {
                let newline = self.newline();
                let joined = new.join(newline);
                // Fits come before systems.
                let systems = self.tree.header(&[Step::Key("system".into()), Step::Nth(0)]);
                let edit = match systems.filter(|_| list == [Step::Key("fit".into())]) {
                    Some(system) => {
                        let start = self.start(system);
                        (start..start, format!("{joined}{newline}"))
                    }
                    None => (self.text.len()..self.text.len(), self.as_last(&joined)),
                };
                self.splice(vec![edit])
            }
            Form::Other => Err(unforeseen()),
        }
    }

    /// Where new tables go among `count` with headers, and their text with the blank lines that are usual between them.
    fn between(&self, list: &[Step], count: usize, at: usize, new: &[String]) -> Result<(usize, String), Finding> {
        let newline = self.newline();
        let gap = if self.is_spaced(list, count) { newline } else { "" };
        let blocks = |nth: usize| self.blocks(&then(list, Step::Nth(nth)));
        if at < count {
            let start = blocks(at).first().ok_or_else(unforeseen)?.start;
            return Ok((start, new.iter().map(|block| format!("{block}{gap}")).collect()));
        }
        let end = blocks(count.saturating_sub(1)).last().ok_or_else(unforeseen)?.end;
        let text: String = new.iter().map(|block| format!("{gap}{block}")).collect();
        Ok((end, self.on_own_line(end, text)))
    }

    /// Whether most tables have a blank line before them; the first counts when it is alone.
    pub(super) fn is_spaced(&self, list: &[Step], count: usize) -> bool {
        if let Some((_, spaced)) = self.usual.filter(|_| list.len() == 1) {
            return spaced;
        }
        let spaced = |nth: &usize| {
            let header = self.tree.header(&then(list, Step::Nth(*nth)));
            header.is_some_and(|header| self.is_blank_before(self.start(header)))
        };
        let headers = usize::from(count > 1)..count.min(40);
        headers.clone().filter(spaced).count() * 2 >= headers.count()
    }

    /// Takes a table out: with its own comments, or leaving all of them where it was.
    pub(super) fn take_out(&mut self, list: &[Step], index: usize, keep: bool) -> Result<(), Finding> {
        let edits = match self.form(list) {
            Form::Array(node, counted) => {
                let at = *counted.get(index).ok_or_else(|| missing(index))?;
                if keep {
                    vec![(node.span.clone(), self.without(node, &[at])?)]
                } else {
                    let mut parts = self.parts(node)?;
                    parts.remove(at, &[]);
                    vec![(node.span.clone(), parts.write())]
                }
            }
            _ => {
                let table = self.place(list, index).ok_or_else(|| missing(index))?;
                if keep {
                    self.dropped(&table)
                } else if self.tree.header(&table).is_some() {
                    self.blocks(&table).into_iter().map(|block| (self.with_gap(block), String::new())).collect()
                } else {
                    // Its lines; of their comments those behind values go with them.
                    let runs = self.tree.below(&table).into_iter();
                    let lines = |run: Range<usize>| {
                        self.tree.statements[run.start].lines.start..self.tree.statements[run.end - 1].lines.end
                    };
                    runs.map(|run| (lines(run), String::new())).collect()
                }
            }
        };
        self.splice(edits)
    }

    /// Moves a table so that it becomes number `to`.
    pub(super) fn shift(&mut self, list: &[Step], from: usize, to: usize) -> Result<(), Finding> {
        let count = self.count(list);
        let to = to.min(count.saturating_sub(1));
        if from >= count {
            return Err(missing(from));
        }
        if from == to {
            return Ok(());
        }
        match self.form(list) {
            Form::Array(node, counted) => {
                let mut parts = self.parts(node)?;
                parts.shift(counted[from], counted[to]);
                self.splice(vec![(node.span.clone(), parts.write())])
            }
            Form::Headers(_) => {
                let text = self.table_text(&then(list, Step::Nth(from)));
                let (known, at) = if to > from { (to + 1, to + 1) } else { (count, to) };
                let (place, text) = self.between(list, known, at, &[text])?;
                let blocks = self.blocks(&then(list, Step::Nth(from)));
                let mut edits: Vec<Edit> =
                    blocks.into_iter().map(|block| (self.with_gap(block), String::new())).collect();
                edits.push((place..place, text));
                self.splice(edits)
            }
            _ => Err(unforeseen()),
        }
    }

    /// The lines of a table with headers, the tables in it and its own comments; each block's last line is ended.
    pub(super) fn table_text(&self, table: &[Step]) -> String {
        let mut out = String::new();
        for block in self.blocks(table) {
            out.push_str(&self.text[block]);
            if !out.ends_with('\n') {
                out.push_str(self.newline());
            }
        }
        out
    }

    /// Where a table stands, and the tables in it, each with the comments directly above and behind.
    pub(super) fn blocks(&self, table: &[Step]) -> Vec<Range<usize>> {
        let runs = self.tree.below(table).into_iter();
        runs.map(|run| self.start(run.start)..self.end(run.end - 1)).collect()
    }

    /// Where a statement's own comments begin: the lines directly above it that hold nothing else. What a file says to text
    /// editors in its first line belongs to none.
    pub(super) fn start(&self, statement: usize) -> usize {
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

    /// Where the comments directly behind a statement end; those directly above the next are the next one's.
    pub(super) fn end(&self, statement: usize) -> usize {
        let next = statement + 1;
        let limit = if next < self.tree.statements.len() { self.start(next) } else { self.text.len() };
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

    fn is_blank_before(&self, at: usize) -> bool {
        let Some(before) = self.text[..at].strip_suffix('\n') else { return at == 0 };
        before.rsplit('\n').next().unwrap_or_default().trim().is_empty()
    }

    /// A block to be taken out, with the blank lines that would then stand twice or at the end.
    pub(super) fn with_gap(&self, block: Range<usize>) -> Range<usize> {
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

fn missing(index: usize) -> Finding {
    refused(format!("unknown entry number {}", index + 1))
}
