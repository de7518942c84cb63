//! Steps that mend a finding, carried out: all of them or none.

use toml_edit::Value;

use crate::design::{Step, Subject};
use crate::finding::Finding;
use crate::source::toml::{Data, parse};

use super::{Document, refused};

impl Document {
    /// Carries steps out in their order; if one is refused, all is as it was.
    ///
    /// # Errors
    /// `cannot-edit` when there is no such thing to change, or the file's form does not allow it.
    pub fn carry_out(&mut self, steps: &[Step]) -> Result<(), Finding> {
        self.whole(|document| steps.iter().try_for_each(|step| document.step(step)))
    }

    fn step(&mut self, step: &Step) -> Result<(), Finding> {
        match step {
            Step::SetField { field, value } => self.set_field(field, value.clone()),
            Step::SetCell { field, row, column, value } => self.set_cell(field, *row, column, value.clone()),
            Step::SetFit { fit, key, value } => self.set_fit(*fit as usize, key, value.clone()),
            Step::SetOwn { system, key, value } => {
                let place = self.own(system)?;
                self.set_system(place, key, value.clone())
            }
            Step::AddFit { system, mount, count, parameters } => {
                let parameters: Vec<(&str, Value)> =
                    parameters.iter().map(|(key, value)| (&**key, value.clone().into())).collect();
                self.add_fit(self.fits(), system, mount.as_deref(), *count, &parameters).map(|_| ())
            }
            Step::RemoveFit { fit } => self.remove_fit(*fit as usize),
            Step::RemoveKey { of, key } => match of {
                Subject::Fit(fit) => self.remove_fit_key(*fit as usize, key),
                Subject::Field(_) => self.remove_field(key),
                Subject::Row { field, row } => self.remove_cell(field, *row, key),
                Subject::Own(system) => {
                    let place = self.own(system)?;
                    self.remove_system_key(place, key)
                }
                Subject::Design | Subject::Head(_) => self.remove_top(key),
                Subject::System(_) | Subject::Mount(_) => Err(refused("systems and mounts have no keys to remove")),
            },
        }
    }

    /// The place of a system of the design's own.
    fn own(&self, id: &str) -> Result<usize, Finding> {
        let (root, _) = parse(&self.text, 0);
        let named = |data: &Data<'_>| match data {
            Data::Table(table) => {
                matches!(table.get("id").map(|node| &node.data), Some(Data::Text(text)) if *text == id)
            }
            _ => false,
        };
        let place = match root.get("system").map(|node| &node.data) {
            Some(Data::List(list)) => list.iter().position(|node| named(&node.data)),
            Some(table) if named(table) => Some(0),
            _ => None,
        };
        place.ok_or_else(|| refused(format!("the design has no [[system]] `{id}`")))
    }
}
