//! Adds the first row of a field: as an array of inline tables, one on each line.

use toml_edit::{Array, Value};

use moldloft_base::finding::Finding;

use super::inline_items::InlineItems;
use super::tree::path;
use super::{Document, cannot_edit_form, toml_text};

impl Document {
    /// Adds a field with one row; returns the row's index.
    pub(super) fn insert_first_row(&mut self, field: &str, cells: &[(&str, Value)]) -> Result<usize, Finding> {
        let fields = path(&["fields"]);
        let list = path(&["fields", field]);
        self.transaction(|document| {
            document.set_key(&fields, field, &Value::Array(Array::new()))?;
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
}
