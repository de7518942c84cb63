//! A table of an empty sheet: takes the ruleset's columns, gives rows to fill in by pencil.

use std::sync::Arc;

use super::table_group::{TableCell, TablePart};
use moldloft_rules::formula::{Formula, Value};
use moldloft_rules::ruleset::{BoxKind, FieldKind, Ruleset, TableColumn, TableKind};

/// A column of an empty table.
struct BlankColumn {
    id: Arc<str>,
    label: Arc<str>,
    /// As many boxes of this kind in every row, whatever the ship; otherwise a line to write on.
    boxes: Option<(u32, BoxKind)>,
}

impl From<&TableColumn> for BlankColumn {
    fn from(column: &TableColumn) -> Self {
        let count = match column.cell.as_ref().and_then(Formula::as_constant) {
            Some(Value::Int(count)) => u32::try_from(*count).ok().filter(|count| (1..=MOST_BOXES).contains(count)),
            _ => None,
        };
        Self { id: column.id.clone(), label: column.label.clone(), boxes: count.zip(column.boxes) }
    }
}

/// The most boxes in a cell.
const MOST_BOXES: u32 = 10;

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
    let columns: Vec<BlankColumn> = match (table, field) {
        (Some(TableKind::Rows { columns, .. } | TableKind::ForEach { columns, .. }), _) => {
            columns.iter().filter(|column| !column.hidden).map(BlankColumn::from).collect()
        }
        (_, Some(FieldKind::Rows(columns))) => {
            columns.iter().map(|c| BlankColumn { id: c.id.clone(), label: c.label.clone(), boxes: None }).collect()
        }
        _ => return None,
    };
    let columns: Vec<_> = columns.into_iter().filter(|column| wanted(&column.id)).collect();
    let row = |n: u32| -> Vec<TableCell> {
        let stem = |column: &BlankColumn| format!("{id}_{n}_{}", column.id).into();
        let cell = |column: &BlankColumn| match column.boxes {
            Some((count, kind)) => TableCell::Ticks(stem(column), vec![count], 0, kind.default_shape()),
            None => TableCell::Write(stem(column)),
        };
        columns.iter().map(cell).collect()
    };
    let mut headings: Vec<Arc<str>> = columns.iter().map(|column| ruleset.say_shared(&column.label)).collect();
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
fn begins_with_words(table: Option<&TableKind>, shown: &[BlankColumn]) -> bool {
    let Some(TableKind::Rows { columns, rows, .. }) = table else { return true };
    let first = shown.first().and_then(|first| columns.iter().position(|column| column.id == first.id));
    let value = first.and_then(|n| rows.first()?.entries.get(n));
    value.is_none_or(|(_, value)| matches!(value, Value::Text(_)))
}
