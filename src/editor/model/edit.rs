//! Edits of a design or fleet: takes a document and steps, changes its text. Knows no game.

use std::sync::Arc;

use toml_edit::Value;

use crate::design::{Damage, Document, NewCarried, UnitPath};
use crate::finding::Finding;

use super::kinds::with_kinds;

/// Steps that are done and undone together.
#[derive(Clone, Debug)]
pub struct Edit {
    /// For the menu: `add a laser`.
    pub label: String,
    pub steps: Vec<EditStep>,
    /// Consecutive edits with the same key are merged: letters typed into one field.
    pub merge_key: Option<String>,
    /// Fits to select afterwards; without it, those that were added or moved.
    pub selects: Option<Vec<u32>>,
}

with_kinds! {
    /// A single change of the text. Fits, rows, own systems and ships are given by index in the file.
    #[derive(Clone, Debug)]
    pub enum EditStep as EditStepKind {
        /// A key before the first table: `name`, `notes`, `ruleset`.
        SetTopKey { key: String, value: Value },
        RemoveTopKey { key: String },
        SetField { field: String, value: Value },
        /// The ruleset's default applies again.
        RemoveField { field: String },
        SetCell { field: String, row: usize, column: String, value: Value },
        RemoveCell { field: String, row: usize, column: String },
        /// Before row `at`, or after the last.
        AddRow { field: String, at: usize, cells: Vec<(String, Value)> },
        RemoveRow { field: String, row: usize },
        MoveRow { field: String, from: usize, to: usize },
        /// `count`, `mount`, `system` or a parameter.
        SetFit { fit: usize, key: String, value: Value },
        RemoveFitKey { fit: usize, key: String },
        /// Before fit `at`, or after the last.
        AddFit { at: usize, system: String, mount: Option<String>, count: u32, parameters: Vec<(String, Value)> },
        RemoveFit { fit: usize },
        MoveFit { from: usize, to: usize },
        /// Before fit `at`, or after the last.
        Paste { text: String, at: usize },
        AddCustomSystem { id: String, like: String, keys: Vec<(String, Value)> },
        SetCustomSystem { system: usize, key: String, value: Value },
        RemoveCustomSystemKey { system: usize, key: String },
        RemoveCustomSystem { system: usize },
        SetShip { ship: usize, key: String, value: Value },
        RemoveShipKey { ship: usize, key: String },
        /// Before ship `at`, or after the last.
        AddShip { at: usize, keys: Vec<(String, Value)> },
        /// The copy comes after the ship.
        DuplicateShip { ship: usize },
        /// Makes each copy an entry of its own.
        SplitShip { ship: usize },
        RemoveShip { ship: usize },
        MoveShip { from: usize, to: usize },
        SetDamage { path: UnitPath, damage: Damage },
        AddCarried { ship: usize, relation: String, design: String, count: u32 },
        SetCarried { ship: usize, relation: String, at: usize, key: String, value: Value },
        RemoveCarriedKey { ship: usize, relation: String, at: usize, key: String },
        RemoveCarried { ship: usize, relation: String, at: usize },
        /// `mount: None` means all mounts; `value: None` means as designed.
        SetLoad { ship: usize, system: String, mount: Option<String>, key: String, value: Option<Value> },
        AddGroup { keys: Vec<(String, Value)> },
        SetGroup { group: usize, key: String, value: Value },
        RemoveGroup { group: usize },
        /// Adds a design's text to a fleet's file.
        EmbedDesign { text: Arc<str> },
        Fix(Vec<crate::design::DesignEdit>),
    }
}

impl Edit {
    pub fn single(label: impl Into<String>, step: EditStep) -> Self {
        Self::from_steps(label, vec![step])
    }

    pub fn from_steps(label: impl Into<String>, steps: Vec<EditStep>) -> Self {
        Self { label: label.into(), steps, merge_key: None, selects: None }
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
            touched.extend(step.apply(document)?);
        }
        Ok(touched)
    }
}

impl EditStep {
    fn apply(self, document: &mut Document) -> Result<Vec<usize>, Finding> {
        match self {
            Self::SetTopKey { key, value } => document.set_top(&key, value)?,
            Self::RemoveTopKey { key } => document.remove_top(&key)?,
            Self::SetField { field, value } => document.set_field(&field, value)?,
            Self::RemoveField { field } => document.remove_field(&field)?,
            Self::SetCell { field, row, column, value } => document.set_cell(&field, row, &column, value)?,
            Self::RemoveCell { field, row, column } => document.remove_cell(&field, row, &column)?,
            Self::AddRow { field, at, cells } => {
                document.add_row(&field, at, &borrow_pairs(&cells))?;
            }
            Self::RemoveRow { field, row } => document.remove_row(&field, row)?,
            Self::MoveRow { field, from, to } => document.move_row(&field, from, to)?,
            Self::SetFit { fit, key, value } => document.set_fit(fit, &key, value)?,
            Self::RemoveFitKey { fit, key } => document.remove_fit_key(fit, &key)?,
            Self::AddFit { at, system, mount, count, parameters } => {
                return document
                    .add_fit(at, &system, mount.as_deref(), count, &borrow_pairs(&parameters))
                    .map(|fit| vec![fit]);
            }
            Self::RemoveFit { fit } => document.remove_fit(fit)?,
            Self::MoveFit { from, to } => {
                document.move_fit(from, to)?;
                return Ok(vec![to]);
            }
            Self::Paste { text, at } => return document.insert_fits(&text, at),
            Self::AddCustomSystem { id, like, keys } => {
                document.add_system(&id, &like, &borrow_pairs(&keys))?;
            }
            Self::SetCustomSystem { system, key, value } => document.set_system(system, &key, value)?,
            Self::RemoveCustomSystemKey { system, key } => document.remove_system_key(system, &key)?,
            Self::RemoveCustomSystem { system } => document.remove_system(system)?,
            Self::SetShip { ship, key, value } => document.set_ship(ship, &key, value)?,
            Self::RemoveShipKey { ship, key } => document.remove_ship_key(ship, &key)?,
            Self::AddShip { at, keys } => return document.add_ship(at, &borrow_pairs(&keys)).map(|ship| vec![ship]),
            Self::DuplicateShip { ship } => return document.copy_ship(ship).map(|ship| vec![ship]),
            Self::SplitShip { ship } => document.split_ship(ship)?,
            Self::RemoveShip { ship } => document.remove_ship(ship)?,
            Self::MoveShip { from, to } => document.move_ship(from, to)?,
            Self::SetDamage { path, damage } => document.set_damage(&[(path, damage)]).map(drop)?,
            Self::AddCarried { ship, relation, design, count } => {
                document.add_carried(ship, &relation, &NewCarried { design: &design, count })?;
            }
            Self::SetCarried { ship, relation, at, key, value } => {
                document.set_carried(ship, &relation, at, &key, value)?;
            }
            Self::RemoveCarriedKey { ship, relation, at, key } => {
                document.remove_carried_key(ship, &relation, at, &key)?;
            }
            Self::RemoveCarried { ship, relation, at } => document.remove_carried(ship, &relation, at)?,
            Self::SetLoad { ship, system, mount, key, value } => {
                document.set_load(ship, &system, mount.as_deref(), &key, value)?;
            }
            Self::AddGroup { keys } => {
                document.add_group(&borrow_pairs(&keys))?;
            }
            Self::SetGroup { group, key, value } => document.set_group(group, &key, value)?,
            Self::RemoveGroup { group } => document.remove_group(group)?,
            Self::EmbedDesign { text } => {
                document.embed(&text)?;
            }
            Self::Fix(steps) => document.apply_edits(&steps)?,
        }
        Ok(Vec::new())
    }
}

fn borrow_pairs(list: &[(String, Value)]) -> Vec<(&str, Value)> {
    list.iter().map(|(key, value)| (key.as_str(), value.clone())).collect()
}
