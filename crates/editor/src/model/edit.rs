//! Edits of a design or fleet: takes a document and steps, changes its text. Knows no game.

use moldloft_base::finding::Finding;
use moldloft_rules::design::{Document, DocumentEdit, TablePath};

/// Steps that are done and undone together.
#[derive(Clone, Debug)]
pub struct Edit {
    /// For the menu: `add a laser`.
    pub label: String,
    pub steps: Vec<DocumentEdit>,
    /// Consecutive edits with the same key are merged: letters typed into one field.
    pub merge_key: Option<String>,
    /// Fits to select afterwards; without it, those that were added or moved.
    pub selects: Option<Vec<u32>>,
    /// Of a ruleset: values of cells change, no rows come or go.
    pub keeps_rows: bool,
}

impl Edit {
    pub fn single(label: impl Into<String>, step: DocumentEdit) -> Self {
        Self::from_steps(label, vec![step])
    }

    /// Sets a key of the file, or takes it out; `what`: its name for the menu.
    pub fn change(what: &str, path: TablePath, key: &str, value: Option<toml_edit::Value>) -> Self {
        match value {
            Some(value) => Self::single(format!("change {what}"), DocumentEdit::set(path, key, value)),
            None => Self::single(format!("remove {what}"), DocumentEdit::unset(path, key)),
        }
    }

    pub fn from_steps(label: impl Into<String>, steps: Vec<DocumentEdit>) -> Self {
        Self { label: label.into(), steps, merge_key: None, selects: None, keeps_rows: false }
    }

    #[must_use]
    pub fn with_merge_key(mut self, key: impl Into<String>) -> Self {
        self.merge_key = Some(key.into());
        self
    }

    /// Indices after the edit.
    #[must_use]
    pub fn selecting(mut self, fits: Vec<u32>) -> Self {
        self.selects = Some(fits);
        self
    }

    /// Gives the fits that were added or moved.
    ///
    /// # Errors
    /// Why a step is not possible; the document is then unusable.
    pub fn apply(self, document: &mut Document) -> Result<Vec<usize>, Finding> {
        let mut touched = Vec::new();
        for step in self.steps {
            touched.extend(document.apply(step)?);
        }
        Ok(touched)
    }
}
