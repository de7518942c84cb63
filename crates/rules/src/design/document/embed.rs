//! Embeds designs in a fleet's file as `[[design]]` tables with their comments, and extracts them as separate texts.
//! Never checks a design.

use moldloft_base::finding::Finding;

use super::tree::{DocumentStatement, DocumentStatementKind, PathStep, child, path};
use super::{Document, TableList, cannot_edit, cannot_edit_form};

impl Document {
    /// Appends a design and returns its index. Its `ruleset` line is omitted: the fleet's applies.
    ///
    /// # Errors
    /// `cannot-edit` when the text is not TOML, or the file's form does not allow it.
    pub fn embed(&mut self, design: &str) -> Result<usize, Finding> {
        let design_document =
            Document::parse(design).map_err(|why| cannot_edit(format!("invalid TOML in the design: {why}")))?;
        let text = design_document.to_embedded_text(self.newline());
        let at = self.count(&TableList::Designs);
        self.insert_tables(&path(&["design"]), usize::MAX, &[text])?;
        Ok(at)
    }

    /// Replaces an embedded design.
    ///
    /// # Errors
    /// As [`Document::embed`]; nothing has changed then.
    pub fn set_design(&mut self, design: usize, text: &str) -> Result<(), Finding> {
        let design_document =
            Document::parse(text).map_err(|why| cannot_edit(format!("invalid TOML in the design: {why}")))?;
        let new = design_document.to_embedded_text(self.newline());
        self.transaction(|document| {
            let count = document.count(&TableList::Designs);
            document.remove(&TableList::Designs, design)?;
            document.insert_tables(&path(&["design"]), if design + 1 < count { design } else { usize::MAX }, &[new])
        })
    }

    /// An embedded design as a text of its own, with the given ruleset.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such design, or it is an inline table.
    pub fn design_text(&self, design: usize, ruleset: &str) -> Result<String, Finding> {
        let place = child(&path(&["design"]), PathStep::Nth(design));
        if self.tree.header(&place).is_none() {
            return Err(cannot_edit_form());
        }
        let newline = self.newline();
        let mut text = format!("ruleset = {}{newline}", toml_edit::Value::from(ruleset));
        let block = self.table_text(&place);
        let inner = Document::parse(&block).map_err(|_| cannot_edit_form())?;
        text.push_str(&inner.rewrite_statements(|line, header| match (&line.kind, header) {
            (DocumentStatementKind::Header { .. }, [_]) => Some(String::new()),
            (DocumentStatementKind::Header { many }, [_, rest @ ..]) => Some(header_text(rest, *many)),
            _ => None,
        }));
        Ok(text)
    }

    fn to_embedded_text(&self, newline: &str) -> String {
        let head_keys = |line: &DocumentStatement| {
            line.section.is_none()
                && matches!(line.address.as_slice(), [PathStep::Key(key)] if key == "ruleset" || key == "schema")
        };
        let body = self.rewrite_statements(|line, keys| match &line.kind {
            DocumentStatementKind::Header { many } => {
                let keys: Vec<&str> = std::iter::once("design").chain(keys.iter().copied()).collect();
                Some(header_text(&keys, *many))
            }
            DocumentStatementKind::Pair(_) if head_keys(line) => Some(String::new()),
            DocumentStatementKind::Pair(_) => None,
        });
        let body: String = body.split_inclusive('\n').filter(|line| !line.starts_with("#:")).collect();
        let body = body.trim_start_matches(['\r', '\n']);
        let mut text = format!("[[design]]{newline}{body}");
        if !text.ends_with('\n') {
            text.push_str(newline);
        }
        if text.contains("\"\"\"") || text.contains("'''") {
            text
        } else {
            text.replace("\r\n", "\n").replace('\n', newline)
        }
    }

    /// Rewrites some statements; an empty replacement removes the statement's lines.
    fn rewrite_statements(&self, new: impl Fn(&DocumentStatement, &[&str]) -> Option<String>) -> String {
        let mut text = String::with_capacity(self.text.len() + 200);
        let mut at = 0;
        for line in &self.tree.statements {
            let keys: Vec<&str> = line
                .address
                .iter()
                .filter_map(|step| if let PathStep::Key(key) = step { Some(key.as_str()) } else { None })
                .collect();
            let Some(new) = new(line, &keys) else { continue };
            let range = if new.is_empty() { line.lines.clone() } else { line.span.clone() };
            text.push_str(&self.text[at..range.start]);
            text.push_str(&new);
            at = range.end;
        }
        text.push_str(&self.text[at..]);
        text
    }
}

fn header_text(keys: &[&str], many: bool) -> String {
    let keys: Vec<String> = keys.iter().map(|key| super::toml_text::key(key)).collect();
    if many { format!("[[{}]]", keys.join(".")) } else { format!("[{}]", keys.join(".")) }
}
