//! Fields that hold rows: sets cells, adds, takes out and moves rows, whether they are inline tables in an array or stand
//! under headers of their own. A row taken out leaves its comments.

use toml_edit::Value;

use crate::finding::Finding;

use super::parts::Parts;
use super::tree::{Step, way};
use super::{Document, refused, unforeseen, written};

impl Document {
    /// How many rows a field has.
    pub fn rows(&self, field: &str) -> usize {
        self.count(&way(&["fields", field]))
    }

    /// Sets a cell of a row.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such row.
    pub fn set_cell(&mut self, field: &str, row: usize, column: &str, value: impl Into<Value>) -> Result<(), Finding> {
        let table = self.row(field, row)?;
        self.set(&table, column, &value.into())
    }

    /// Takes a cell out of a row; one that is not there is no fault.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such row.
    pub fn remove_cell(&mut self, field: &str, row: usize, column: &str) -> Result<(), Finding> {
        let table = self.row(field, row)?;
        self.remove(&table, column)
    }

    /// Adds a row before the row `at`, or behind the last; gives its number. The field is added if need be.
    ///
    /// # Errors
    /// `cannot-edit` when the field holds something that is no rows.
    pub fn add_row(&mut self, field: &str, at: usize, cells: &[(&str, Value)]) -> Result<usize, Finding> {
        let list = way(&["fields", field]);
        if self.tree.value(&list).is_some() || !self.tree.below(&list).is_empty() {
            return self.add(&list, at, cells);
        }
        self.whole(|document| {
            document.set_field(field, Value::Array(toml_edit::Array::new()))?;
            let node = document.tree.value(&list).ok_or_else(unforeseen)?;
            let item = written::pairs(cells.iter().map(|(key, value)| (*key, written::inline(value))));
            let edit = match node.holder {
                None => {
                    let mut parts = Parts::list(document.newline());
                    parts.insert(0, item, &[]);
                    parts.write()
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
        self.take_out(&way(&["fields", field]), row, true)
    }

    /// Moves a row so that it becomes row `to`.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such row.
    pub fn move_row(&mut self, field: &str, from: usize, to: usize) -> Result<(), Finding> {
        self.shift(&way(&["fields", field]), from, to)
    }

    fn row(&self, field: &str, row: usize) -> Result<Vec<Step>, Finding> {
        self.place(&way(&["fields", field]), row).ok_or_else(|| refused(format!("`{field}` has no row {}", row + 1)))
    }
}
