//! Edits fields that hold rows: sets cells; adds, removes and moves rows, in an array of inline tables or under
//! headers. The comments of a removed row stay.

use toml_edit::Value;

use crate::finding::Finding;

use super::inline_items::InlineItems;
use super::tree::{PathStep, path};
use super::{Document, cannot_edit, cannot_edit_form, toml_text};

impl Document {
    pub fn row_count(&self, field: &str) -> usize {
        self.table_count(&path(&["fields", field]))
    }

    /// Sets a cell of a row.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such row.
    pub fn set_cell(&mut self, field: &str, row: usize, column: &str, value: impl Into<Value>) -> Result<(), Finding> {
        let table = self.row_path(field, row)?;
        self.set_key(&table, column, &value.into())
    }

    /// Removes a cell of a row, if present.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such row.
    pub fn remove_cell(&mut self, field: &str, row: usize, column: &str) -> Result<(), Finding> {
        let table = self.row_path(field, row)?;
        self.remove_key(&table, column)
    }

    /// Inserts a row before row `at`, or at the end; returns its index. The field is added if necessary.
    ///
    /// # Errors
    /// `cannot-edit` when the field does not hold rows.
    pub fn add_row(&mut self, field: &str, at: usize, cells: &[(&str, Value)]) -> Result<usize, Finding> {
        let list = path(&["fields", field]);
        if self.tree.value(&list).is_some() || !self.tree.statements_below(&list).is_empty() {
            return self.add_table(&list, at, cells);
        }
        self.transaction(|document| {
            document.set_field(field, Value::Array(toml_edit::Array::new()))?;
            let node = document.tree.value(&list).ok_or_else(cannot_edit_form)?;
            let item = toml_text::inline_table(cells.iter().map(|(key, value)| (*key, toml_text::inline_value(value))));
            let edit = match node.holder {
                None => {
                    let mut parts = InlineItems::empty_array(document.newline());
                    parts.insert(0, item, &[]);
                    parts.to_text()
                }
                Some(_) => format!("[{item}]"),
            };
            let span = node.node.span.clone();
            document.splice(vec![(span, edit)])?;
            Ok(0)
        })
    }

    /// Removes a row; its comments stay.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such row.
    pub fn remove_row(&mut self, field: &str, row: usize) -> Result<(), Finding> {
        self.remove_table(&path(&["fields", field]), row, true)
    }

    /// Moves a row to index `to`.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such row.
    pub fn move_row(&mut self, field: &str, from: usize, to: usize) -> Result<(), Finding> {
        self.move_table(&path(&["fields", field]), from, to)
    }

    fn row_path(&self, field: &str, row: usize) -> Result<Vec<PathStep>, Finding> {
        self.table_path(&path(&["fields", field]), row)
            .ok_or_else(|| cannot_edit(format!("`{field}` has no row {}", row + 1)))
    }
}
