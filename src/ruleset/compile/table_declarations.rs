//! The first pass over tables: takes their TOML, gives columns, rows and keys without formulas, and fills the symbol
//! table.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::formula::{Record, Type, Value};
use crate::source::Span;
use crate::source::toml::{TomlTable, TomlValue};

use super::declarations::Declaration;
use super::formulas::common_type;
use super::{Compiler, label_from_id};
use crate::ruleset::outputs::{BoxKind, TableColumn};
use crate::ruleset::problems::shorten;
use crate::ruleset::symbol_table::{TableSymbol, TypedName};
use crate::ruleset::table_reader::TableReader;

/// A table whose names are known; its formulas are not compiled yet.
pub(super) struct TableDraft<'t, 'c, 'v> {
    pub id: Arc<str>,
    pub reader: &'v TableReader<'t, 'c>,
    pub columns: Vec<TableColumn>,
    /// The TOML of each column, for its cell formula.
    pub sources: Vec<Option<&'t TomlTable<'t>>>,
    pub rows: Vec<Arc<Record>>,
    pub key: Vec<usize>,
    pub has_rows: bool,
}

impl Compiler<'_> {
    pub(super) fn declare_tables<'t, 'c, 'v>(
        &mut self,
        declarations: &'v [Declaration<'t, 'c>],
    ) -> Vec<TableDraft<'t, 'c, 'v>> {
        let mut drafts = Vec::new();
        for (id, reader) in declarations {
            let hide = reader.texts("hide").unwrap_or_default();
            let hidden: BTreeSet<&Arc<str>> = hide.iter().map(|(id, _)| id).collect();
            let mut columns: Vec<TableColumn> = Vec::new();
            let mut seen: BTreeMap<Arc<str>, usize> = BTreeMap::new();
            let mut sources = Vec::new();
            for node in reader.list("columns").unwrap_or_default() {
                let plain = |id: Arc<str>| TableColumn {
                    label: label_from_id(&id),
                    id,
                    ty: Type::Any,
                    hidden: false,
                    boxes: None,
                    signed: false,
                    is_optional: false,
                    is_new: false,
                    spread: false,
                    cell: None,
                };
                let (mut column, span, source) = match &node.data {
                    TomlValue::Text(text) => (plain(text.as_ref().into()), node.span, None),
                    TomlValue::Table(table) => {
                        let one = reader.nested(table, "column");
                        let Some((id, span)) = one.required("id", one.text("id")) else { continue };
                        let mut column = plain(id);
                        column.label = one.string("label").unwrap_or(column.label);
                        column.hidden = one.flag("hide").unwrap_or(false);
                        let boxes = one.flag("boxes").unwrap_or(false);
                        let kind = one.one_of("kind", &BoxKind::ALL);
                        if kind.is_some() && !boxes {
                            let message = format!("column `{}` has a `kind` but no boxes", column.id);
                            let help = "add boxes = true, or remove `kind`";
                            reader.error("missing-key", span, message, help);
                        }
                        column.boxes = boxes.then(|| kind.unwrap_or_default());
                        column.signed = one.flag("signed").unwrap_or(false);
                        column.is_optional = one.flag("optional").unwrap_or(false);
                        column.spread = one.flag("spread").unwrap_or(false);
                        let _ = one.node("cell");
                        one.report_unknown_keys();
                        (column, span, Some(table))
                    }
                    _ => {
                        reader.error("wrong-type", node.span, "expected an id or a table for a column", "");
                        continue;
                    }
                };
                column.is_new = span.file > reader.span().file;
                column.hidden |= hidden.contains(&column.id);
                if seen.contains_key(&column.id) {
                    reader.error("duplicate-id", span, format!("duplicate column `{}`", shorten(&column.id)), "");
                } else if self.check_id(&column.id, span, false) {
                    seen.insert(column.id.clone(), columns.len());
                    columns.push(column);
                    sources.push(source);
                }
            }
            let place = |word: &str, span: Span| {
                let found = seen.get(word).copied();
                if found.is_none() {
                    let help = self.problems.suggest(word, columns.iter().map(|column| &*column.id));
                    reader.error_without_label(
                        "unknown-column",
                        span,
                        format!("{} has no column `{}`", reader.label, shorten(word)),
                        help,
                    );
                }
                found
            };
            for (id, span) in &hide {
                place(id, *span);
            }
            let key: Vec<usize> =
                reader.texts("key").unwrap_or_default().iter().filter_map(|(id, span)| place(id, *span)).collect();
            let has_rows = reader.table.get("rows").is_some();
            let rows = self.parse_rows(reader, &columns);
            for (n, column) in columns.iter_mut().enumerate() {
                column.ty = common_type(rows.iter().map(|row| &row.entries[n].1));
            }
            let typed: Vec<TypedName> = columns.iter().map(|column| (column.id.clone(), column.ty.clone())).collect();
            let keys: Vec<Vec<Value>> =
                rows.iter().map(|row| key.iter().map(|&n| row.entries[n].1.clone()).collect()).collect();
            let mut seen = BTreeSet::new();
            for (n, words) in keys.iter().enumerate() {
                let words: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
                if !key.is_empty() && !seen.insert(words) {
                    reader.error("duplicate-id", reader.span(), format!("row {} has a duplicate key", n + 1), "");
                }
            }
            self.symbols.tables.push(TableSymbol {
                id: id.clone(),
                record: Type::Record(typed.clone().into()),
                columns: if has_rows { typed } else { Vec::new() },
                key: key.clone(),
                keys,
            });
            drafts.push(TableDraft { id: id.clone(), reader, columns, sources, rows, key, has_rows });
        }
        drafts
    }

    fn parse_rows(&self, reader: &TableReader<'_, '_>, columns: &[TableColumn]) -> Vec<Arc<Record>> {
        let mut rows = Vec::new();
        for node in reader.list("rows").unwrap_or_default() {
            let TomlValue::List(cells) = &node.data else {
                reader.error("wrong-type", node.span, "expected a list of cells for a row", "");
                continue;
            };
            if cells.len() != columns.len() {
                let s = if columns.len() == 1 { "" } else { "s" };
                let message = format!("expected {} cell{s} in a row, found {}", columns.len(), cells.len());
                reader.error("wrong-row", node.span, message, "");
                continue;
            }
            let values: Option<Vec<_>> = cells.iter().map(|cell| self.literal_value(&reader.label, cell)).collect();
            if let Some(values) = values {
                let entries = columns.iter().map(|column| column.id.clone()).zip(values).collect();
                rows.push(Arc::new(Record { entries }));
            }
        }
        rows
    }
}
