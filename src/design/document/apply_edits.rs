//! Applies the edits that fix a finding: all of them or none.

use toml_edit::Value;

use crate::finding::{DesignEdit, DesignPart, Finding, Scalar};
use crate::source::toml::{TomlValue, parse};

use super::{Document, cannot_edit};

impl Document {
    /// Applies the steps in order; if one is refused, none takes effect.
    ///
    /// # Errors
    /// `cannot-edit` when the target does not exist, or the file's form does not allow the change.
    pub fn apply_edits(&mut self, steps: &[DesignEdit]) -> Result<(), Finding> {
        self.transaction(|document| steps.iter().try_for_each(|step| document.apply_edit(step)))
    }

    fn apply_edit(&mut self, step: &DesignEdit) -> Result<(), Finding> {
        match step {
            DesignEdit::SetField { field, value } => self.set_field(field, value.clone()),
            DesignEdit::SetCell { field, row, column, value } => self.set_cell(field, *row, column, value.clone()),
            DesignEdit::SetFit { fit, key, value } => self.set_fit(*fit as usize, key, value.clone()),
            DesignEdit::SetCustomSystem { system, key, value } => {
                let place = self.custom_system_index(system)?;
                self.set_system(place, key, value.clone())
            }
            DesignEdit::AddFit { system, mount, count, parameters } => {
                let parameters: Vec<(&str, Value)> =
                    parameters.iter().map(|(key, value)| (&**key, value.clone().into())).collect();
                self.add_fit(self.fit_count(), system, mount.as_deref(), *count, &parameters).map(|_| ())
            }
            DesignEdit::RemoveFit { fit } => self.remove_fit(*fit as usize),
            DesignEdit::RemoveKey { part: of, key } => match of {
                DesignPart::Fit(fit) => self.remove_fit_key(*fit as usize, key),
                DesignPart::Field(_) => self.remove_field(key),
                DesignPart::Row { field, row } => self.remove_cell(field, *row, key),
                DesignPart::CustomSystem(system) => {
                    let place = self.custom_system_index(system)?;
                    self.remove_system_key(place, key)
                }
                DesignPart::Design | DesignPart::TopKey(_) => self.remove_top(key),
                DesignPart::System(_) | DesignPart::Mount(_) => {
                    Err(cannot_edit("systems and mounts have no keys to remove"))
                }
                DesignPart::Ship { .. } | DesignPart::Group(_) => Err(cannot_edit("a design has no ships and groups")),
            },
        }
    }

    fn custom_system_index(&self, id: &str) -> Result<usize, Finding> {
        let (root, _) = parse(&self.text, 0);
        let named = |data: &TomlValue<'_>| match data {
            TomlValue::Table(table) => {
                matches!(table.get("id").map(|node| &node.data), Some(TomlValue::Text(text)) if *text == id)
            }
            _ => false,
        };
        let place = match root.get("system").map(|node| &node.data) {
            Some(TomlValue::List(list)) => list.iter().position(|node| named(&node.data)),
            Some(table) if named(table) => Some(0),
            _ => None,
        };
        place.ok_or_else(|| cannot_edit(format!("the design has no [[system]] `{id}`")))
    }
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Number(number) => number.into(),
            Scalar::Flag(flag) => flag.into(),
            Scalar::Text(text) => (&*text).into(),
        }
    }
}
