//! A table of an empty sheet: takes the ruleset's columns, gives rows to fill in by pencil.

use std::sync::Arc;

use super::table_group::{TableCell, TablePart};
use crate::formula::Value;
use crate::ruleset::{FieldKind, Ruleset, TableKind};

/// Empty rows of a table or of a field with rows; `name` is printed where a panel has several tables.
pub fn blank_table(
    ruleset: &Ruleset,
    id: &Arc<str>,
    rows: u32,
    wanted: impl Fn(&Arc<str>) -> bool,
    name: Option<String>,
) -> Option<TablePart> {
    let table = ruleset.tables.iter().find(|table| table.id == *id).map(|table| &table.kind);
    let field = ruleset.fields.iter().find(|field| field.id == *id).map(|field| &field.kind);
    let columns: Vec<(Arc<str>, Arc<str>)> = match (table, field) {
        (Some(TableKind::Rows { columns, .. } | TableKind::ForEach { columns, .. }), _) => {
            columns.iter().filter(|column| !column.hidden).map(|c| (c.id.clone(), c.label.clone())).collect()
        }
        (_, Some(FieldKind::Rows(columns))) => columns.iter().map(|c| (c.id.clone(), c.label.clone())).collect(),
        _ => return None,
    };
    let columns: Vec<_> = columns.into_iter().filter(|(id, _)| wanted(id)).collect();
    let row = |n: u32| -> Vec<TableCell> {
        columns.iter().map(|(column, _)| TableCell::Write(format!("{id}_{n}_{column}").into())).collect()
    };
    let mut headings: Vec<Arc<str>> = columns.iter().map(|(_, label)| label.clone()).collect();
    let mut rows: Vec<Vec<TableCell>> = (1..=rows).map(row).collect();
    // As in filled tables: named at the head of a first column of words, or before the first row.
    if let Some(name) = name {
        match headings.first_mut().filter(|_| begins_with_words(table, &columns)) {
            Some(first) => *first = name.into(),
            None => {
                headings.insert(0, "".into());
                for (n, row) in rows.iter_mut().enumerate() {
                    row.insert(0, TableCell::Words(if n == 0 { &*name } else { "" }.into()));
                }
            }
        }
    }
    Some(TablePart { label: "".into(), headings, rows, note: "".into() })
}

/// Whether the first of these columns of a table has words in its first row.
fn begins_with_words(table: Option<&TableKind>, shown: &[(Arc<str>, Arc<str>)]) -> bool {
    let Some(TableKind::Rows { columns, rows, .. }) = table else { return true };
    let first = shown.first().and_then(|(id, _)| columns.iter().position(|column| column.id == *id));
    let value = first.and_then(|n| rows.first()?.entries.get(n));
    value.is_none_or(|(_, value)| matches!(value, Value::Text(_)))
}
