//! Changes of a design: takes a design's document and a list of steps, changes its text and nothing else. Knows no game.

use toml_edit::Value;

use crate::design::Document;

/// One thing a player did to a design: some steps that are done and undone together.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What is done, for the menu: `add a laser`.
    pub label: String,
    /// The steps in order.
    pub steps: Vec<Step>,
    /// Edits of the same key that follow one another are one: letters typed into one field.
    pub merge: Option<String>,
}

/// A single change of the text.
#[derive(Clone, Debug)]
pub enum Step {
    /// A key of `[fields]`.
    SetField {
        /// The field's id.
        field: String,
        /// The new value.
        value: Value,
    },
    /// A key of a fit: `count`, `mount`, `system` or a parameter.
    SetFit {
        /// Its place in the file, from 0.
        fit: u32,
        /// The key.
        key: String,
        /// The new value.
        value: Value,
    },
}

impl Edit {
    /// An edit of one step.
    pub fn one(label: impl Into<String>, step: Step) -> Self {
        Self { label: label.into(), steps: vec![step], merge: None }
    }

    /// Edits of this key that follow one another are one.
    #[must_use]
    pub fn merging(mut self, key: impl Into<String>) -> Self {
        self.merge = Some(key.into());
        self
    }

    /// Carries the steps out on a document. False when some step found nothing to change.
    pub fn apply(self, document: &mut Document) -> bool {
        let mut all = true;
        for step in self.steps {
            all &= match step {
                Step::SetField { field, value } => {
                    document.set_field(&field, value);
                    true
                }
                Step::SetFit { fit, key, value } => document.set_fit(fit as usize, &key, value),
            };
        }
        all
    }
}
