//! Fields that hold rows: sets cells, adds, takes out and moves rows, whether they are inline tables in an array or stand
//! under headers of their own. A row taken out leaves its comments.

use toml_edit::Value;

use crate::finding::Finding;

use super::inline_items::InlineItems;
use super::tree::{PathStep, path};
use super::{Document, cannot_edit, cannot_edit_form, toml_text};

impl Document {
    /// How many rows a field has.
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

    /// Takes a cell out of a row; one that is not there is no fault.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such row.
    pub fn remove_cell(&mut self, field: &str, row: usize, column: &str) -> Result<(), Finding> {
        let table = self.row_path(field, row)?;
        self.remove_key(&table, column)
    }

    /// Adds a row before the row `at`, or behind the last; gives its number. The field is added if need be.
    ///
    /// # Errors
    /// `cannot-edit` when the field holds something that is no rows.
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

    /// Takes a row out.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such row.
    pub fn remove_row(&mut self, field: &str, row: usize) -> Result<(), Finding> {
        self.remove_table(&path(&["fields", field]), row, true)
    }

    /// Moves a row so that it becomes row `to`.
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
