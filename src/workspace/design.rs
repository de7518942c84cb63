//! A class of ship that is made and changed: takes its file and edits, gives its file.

use moldloft_base::finding::{DesignEdit, Finding, Scalar};
use moldloft_base::source::Source;
use moldloft_rules::design::{Design, Document, TableList, TablePath, written_scalar};

use super::Error;

/// A class of ship: its file, read. Nothing in it is checked yet, so an edit may name what the rules do not have; the
/// [check](super::Workspace::check) reports it.
///
/// Edits change only the lines concerned. Comments, order and line ends of the file stay as they are.
///
/// # Errors
/// Every edit fails with `cannot-edit` where there is no such fit or row, or the file is written in a way that does not
/// allow the change. Nothing has changed then.
#[derive(Clone, Debug)]
pub struct ShipDesign {
    pub(super) design: Design,
}

/// A number of one system in one mount, as the design's file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShipFit<'a> {
    /// Its place in the file, from 0: what [`ShipDesign::set_fit`] and [`ShipDesign::remove_fit`] take.
    pub index: u32,
    /// The system's id, known to the rules or not.
    pub system: &'a str,
    /// The mount's id; `None` where the file names none.
    pub mount: Option<&'a str>,
    /// How many, 0 to 9,999.
    pub count: u32,
}

impl ShipDesign {
    /// Reads a design from text. Findings use `file` as its name; the file need not exist.
    ///
    /// # Errors
    /// The text is not TOML, not a design, or in a newer format.
    pub fn from_toml(file: &str, text: &str) -> Result<Self, Error> {
        Ok(Self { design: Design::read(&Source::new(file, text))? })
    }

    /// The text of its file: as it was read, with the edits made since.
    #[must_use]
    pub fn to_toml(&self) -> &str {
        &self.design.source.text
    }

    /// The class of ship; empty when the design names none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.design.name.as_ref().map_or("", |name| &name.text)
    }

    /// The id of the ruleset that the design names.
    #[must_use]
    pub fn ruleset(&self) -> Option<&str> {
        self.design.ruleset.as_ref().map(|id| &*id.text)
    }

    /// What is aboard, in the order of the file.
    pub fn fits(&self) -> impl Iterator<Item = ShipFit<'_>> {
        self.design.fits.iter().map(|fit| ShipFit {
            index: fit.index,
            system: &fit.system.text,
            mount: fit.mount.as_ref().map(|mount| &*mount.text),
            count: fit.count,
        })
    }

    /// Names the class of ship.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn set_name(&mut self, name: &str) -> Result<&mut Self, Error> {
        self.edit(|document| document.set(&TablePath::Top, "name", name))
    }

    /// Names other rules, by id.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn set_ruleset(&mut self, ruleset: &str) -> Result<&mut Self, Error> {
        self.edit(|document| document.set(&TablePath::Top, "ruleset", ruleset))
    }

    /// Sets the notes that are printed on the sheet.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn set_notes(&mut self, notes: &str) -> Result<&mut Self, Error> {
        self.edit(|document| document.set(&TablePath::Top, "notes", notes))
    }

    /// Sets a field of the rules: a whole number, `true` or `false`, the id of an option, or a text.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn set_field(&mut self, field: &str, value: impl Into<Scalar>) -> Result<&mut Self, Error> {
        self.apply(&[DesignEdit::SetField { field: field.into(), value: value.into() }])
    }

    /// Removes a field, which then has its default.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn unset_field(&mut self, field: &str) -> Result<&mut Self, Error> {
        self.edit(|document| document.unset(&TablePath::Fields, field))
    }

    /// Adds a row to a field that has rows.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn add_row(&mut self, field: &str, cells: &[(&str, Scalar)]) -> Result<&mut Self, Error> {
        let cells: Vec<_> = cells.iter().map(|(column, value)| (*column, written_scalar(value))).collect();
        self.edit(|document| document.insert(&TableList::Rows(field.to_owned()), usize::MAX, &cells).map(drop))
    }

    /// Removes a row, from 0, of a field that has rows.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn remove_row(&mut self, field: &str, row: usize) -> Result<&mut Self, Error> {
        self.edit(|document| document.remove(&TableList::Rows(field.to_owned()), row))
    }

    /// Adds `count` of a system at the end of the file. `mount`: its id, or `None` in games without mounts.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn add_fit<'m>(
        &mut self,
        system: &str,
        mount: impl Into<Option<&'m str>>,
        count: u32,
    ) -> Result<&mut Self, Error> {
        self.add_fit_with(system, mount, count, &[])
    }

    /// Adds a system with its options: the parameters that the rules let a player choose, such as
    /// `("laser_heads", 20.into())`.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn add_fit_with<'m>(
        &mut self,
        system: &str,
        mount: impl Into<Option<&'m str>>,
        count: u32,
        options: &[(&str, Scalar)],
    ) -> Result<&mut Self, Error> {
        self.apply(&[DesignEdit::AddFit {
            system: system.into(),
            mount: mount.into().map(Into::into),
            count,
            parameters: options.iter().map(|(key, value)| ((*key).into(), value.clone())).collect(),
        }])
    }

    /// Sets the `count`, the `mount`, the `system` or an option of a fit, by its [index](ShipFit::index).
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn set_fit(&mut self, fit: u32, key: &str, value: impl Into<Scalar>) -> Result<&mut Self, Error> {
        self.apply(&[DesignEdit::SetFit { fit, key: key.into(), value: value.into() }])
    }

    /// Removes a fit, by its [index](ShipFit::index); those after it move up.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn remove_fit(&mut self, fit: u32) -> Result<&mut Self, Error> {
        self.apply(&[DesignEdit::RemoveFit { fit }])
    }

    /// Defines a system of the design's own, based on one of the rules.
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn add_system(&mut self, id: &str, like: &str, keys: &[(&str, Scalar)]) -> Result<&mut Self, Error> {
        let keys: Vec<_> = keys.iter().map(|(key, value)| (*key, written_scalar(value))).collect();
        self.edit(|document| document.add_custom_system(id, like, &keys).map(drop))
    }

    /// Makes several changes, all or none: those of a [suggestion](super::SuggestedChange::edits), or of a
    /// [finding's fix](super::CheckedShip::fix).
    ///
    /// # Errors
    /// `cannot-edit`.
    pub fn apply(&mut self, edits: &[DesignEdit]) -> Result<&mut Self, Error> {
        self.edit(|document| document.apply_edits(edits))
    }

    fn edit(&mut self, edit: impl FnOnce(&mut Document) -> Result<(), Finding>) -> Result<&mut Self, Error> {
        let source = &self.design.source;
        let mut document = Document::parse(&source.text).map_err(|message| Finding::error("invalid-toml", message))?;
        edit(&mut document)?;
        self.design = Design::read(&Source::new(source.file.clone(), &document.to_text()))?;
        Ok(self)
    }
}
