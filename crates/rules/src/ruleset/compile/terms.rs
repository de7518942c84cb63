//! Compiles the glossary, and what tables and terms are about: takes their tables, gives names that exist.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::declarations::Declaration;
use super::{Compiler, label_from_id};
use crate::formula::{Record, TextTemplate, Value};
use crate::ruleset::outputs::{TableKind, TableSubject, TermDef};
use crate::ruleset::problems::{shorten, suggest};
use crate::ruleset::symbol_table::ScopeContext;
use crate::ruleset::symbols::Symbol;
use crate::ruleset::table_reader::TableReader;
use moldloft_base::source::Span;
use moldloft_base::source::toml::TomlValue;

impl Compiler<'_> {
    pub(super) fn compile_terms(&self, declarations: &[Declaration<'_, '_>]) -> Vec<TermDef> {
        let mut terms = Vec::new();
        for (id, reader) in declarations {
            let text = reader.required("text", self.compile_text_key(reader, "text", &ScopeContext::default()));
            let term = TermDef {
                id: id.clone(),
                label: reader.string("label").unwrap_or_else(|| label_from_id(id)),
                words: reader.texts("words").unwrap_or_default().into_iter().map(|(word, _)| word).collect(),
                text: text.unwrap_or_else(|| TextTemplate::literal("", reader.span())),
                describes: self.parse_described(reader),
                rule: reader.string("rule"),
            };
            let _ = self.marks(reader);
            reader.report_unknown_keys();
            // A term of what a layer removed goes along.
            let has_subject = !term.describes.is_empty() || reader.table.get("describes").is_none();
            if has_subject || !self.is_below_layer(reader.span()) {
                terms.push(term);
            }
        }
        terms
    }

    /// The names of `describes`; those that do not exist are reported and left out.
    fn parse_described(&self, reader: &TableReader<'_, '_>) -> Vec<Arc<str>> {
        let words = reader.texts("describes").unwrap_or_default();
        self.known_names(reader, "describes", words)
    }

    fn known_names(&self, reader: &TableReader<'_, '_>, key: &str, words: Vec<(Arc<str>, Span)>) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        for (word, span) in words {
            let is_value = matches!(self.symbols.index.get(&word), Some(Symbol::Value(_) | Symbol::Field(_)));
            match self.symbols.match_systems(&word) {
                // A layer may have removed it.
                Err(_) if !is_value && self.is_below_layer(span) => {}
                Ok(systems) if systems.is_empty() => {}
                Err(help) if !is_value => {
                    let values = self.symbols.values.iter().map(|(id, _)| &**id);
                    let fields = self.symbols.fields.iter().map(|(id, _, _)| &**id);
                    let help = if help.is_empty() { suggest(&word, values.chain(fields)) } else { help };
                    let message = format!("unknown system, field or value `{}` in `{key}`", shorten(&word));
                    reader.error("unknown-name", span, message, help);
                }
                _ => names.push(word),
            }
        }
        names
    }

    /// Whether a place is in a file that a layer changes.
    pub(super) fn is_below_layer(&self, span: Span) -> bool {
        usize::from(span.file) + 1 < self.layers.len()
    }

    pub(super) fn parse_table_subject(&self, reader: &TableReader<'_, '_>, kind: &TableKind) -> Option<TableSubject> {
        if let Some(rows) = self.parse_row_subjects(reader, kind) {
            let _ = reader.node("describes");
            return Some(rows);
        }
        reader.table.get("describes")?;
        if let (TableKind::Rows { columns, .. }, Some([(word, _)])) = (kind, reader.texts("describes").as_deref())
            && let Some(column) = columns.iter().position(|column| column.id == *word)
        {
            return Some(TableSubject::Column(column));
        }
        let names = self.parse_described(reader);
        (!names.is_empty()).then_some(TableSubject::Names(names))
    }

    /// The rows about nothing but systems that layers removed, unless one that is like them has no row of its own.
    pub(super) fn rows_of_removed(&self, kind: &TableKind, describes: Option<&TableSubject>) -> BTreeSet<usize> {
        let TableKind::Rows { rows, .. } = kind else { return BTreeSet::new() };
        let (systems, kept) = (&self.symbols.systems, &self.symbols.removed.kept);
        let has_row = |column: usize, system: usize| {
            let names = |cell: &Value| matches!(cell, Value::Text(id) if *id == systems[system].id);
            rows.iter().any(|row| match &row.entries[column].1 {
                Value::List(ids) => ids.iter().any(names),
                cell => names(cell),
            })
        };
        let is_removed = |column: usize, cell: &Value| match cell {
            Value::Text(id) => match kept.contains(&**id).then(|| self.symbols.system_index(id)).flatten() {
                Some(removed) => systems.iter().filter(|like| !kept.contains(&*like.id)).all(|like| {
                    let mut nearer = like.kinds.iter().take_while(|kind| **kind != removed);
                    !like.kinds.contains(&removed) || nearer.any(|kind| has_row(column, *kind))
                }),
                None => self.symbols.is_removed_system(id),
            },
            _ => false,
        };
        let names_removed = |(column, (_, cell)): (usize, &(Arc<str>, Value))| match cell {
            Value::List(ids) => !ids.is_empty() && ids.iter().all(|id| is_removed(column, id)),
            _ => false,
        };
        let is_about_removed = |row: &Record| match describes {
            Some(TableSubject::Column(column)) => is_removed(*column, &row.entries[*column].1),
            Some(TableSubject::Rows(subjects)) => {
                let first = row.entries.first().map(|(_, cell)| cell);
                subjects.iter().any(|(id, names)| names.is_empty() && first == Some(&Value::Text(id.clone())))
            }
            Some(TableSubject::Names(_)) | None => false,
        };
        let is_gone = |row: &Record| row.entries.iter().enumerate().any(names_removed) || is_about_removed(row);
        (0..rows.len()).filter(|row| is_gone(&rows[*row])).collect()
    }

    fn parse_row_subjects(&self, reader: &TableReader<'_, '_>, kind: &TableKind) -> Option<TableSubject> {
        const KEY: &str = "row_describes";
        let table = reader.table(KEY)?;
        let TableKind::Rows { rows, .. } = kind else {
            let span = reader.node(KEY).map_or(reader.span(), |node| node.span);
            reader.error("wrong-type", span, "`row_describes` without rows", "use `describes`");
            return None;
        };
        let first = |row: &Arc<Record>| match row.entries.first() {
            Some((_, Value::Text(text))) => Some(text.clone()),
            _ => None,
        };
        let known: Vec<Arc<str>> = rows.iter().filter_map(first).collect();
        let mut subjects = Vec::new();
        for entry in &table.entries {
            if !known.iter().any(|row| **row == *entry.key) {
                if self.is_below_layer(entry.span) {
                    continue;
                }
                let message = format!("no row begins with `{}`", shorten(&entry.key));
                reader.error("unknown-name", entry.span, message, suggest(&entry.key, known.iter().map(|row| &**row)));
                continue;
            }
            let nodes = match &entry.node.data {
                TomlValue::List(list) => &list[..],
                _ => std::slice::from_ref(&entry.node),
            };
            let mut words: Vec<(Arc<str>, Span)> = Vec::new();
            for node in nodes {
                match &node.data {
                    TomlValue::Text(text) => words.push((text.as_ref().into(), node.span)),
                    _ => reader.error("wrong-type", node.span, "expected a text or a list of texts", ""),
                }
            }
            subjects.push((entry.key.as_ref().into(), self.known_names(reader, KEY, words)));
        }
        Some(TableSubject::Rows(subjects))
    }
}
