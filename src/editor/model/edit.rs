//! Changes of a design or a fleet: takes its document and a list of steps, changes its text and nothing else. Knows no game.

use std::sync::Arc;

use toml_edit::Value;

use crate::design::{Damage, Document, NewCarried, UnitPath};
use crate::finding::Finding;

/// One thing a player did to a design: some steps that are done and undone together.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What is done, for the menu: `add a laser`.
    pub label: String,
    /// The steps in order.
    pub steps: Vec<EditStep>,
    /// Edits of the same key that follow one another are one: letters typed into one field.
    pub merge_key: Option<String>,
    /// The fits that are chosen afterwards; without it those that were added or moved.
    pub selects: Option<Vec<u32>>,
}

/// A single change of the text. Fits, rows, own systems and ships are named by their place in the file, from 0.
#[derive(Clone, Debug)]
pub enum EditStep {
    /// A key before the first table: `name`, `notes`, `ruleset`.
    SetTopKey { key: String, value: Value },
    /// Takes such a key out.
    RemoveTopKey { key: String },
    /// A key of `[fields]`.
    SetField { field: String, value: Value },
    /// Takes such a key out: the ruleset's default holds.
    RemoveField { field: String },
    /// A cell of a field of rows.
    SetCell { field: String, row: usize, column: String, value: Value },
    /// Takes a cell out.
    RemoveCell { field: String, row: usize, column: String },
    /// Adds a row before the row `at`, or behind the last.
    AddRow { field: String, at: usize, cells: Vec<(String, Value)> },
    /// Takes a row out.
    RemoveRow { field: String, row: usize },
    /// Moves a row so that it becomes row `to`.
    MoveRow { field: String, from: usize, to: usize },
    /// A key of a fit: `count`, `mount`, `system` or a parameter.
    SetFit { fit: usize, key: String, value: Value },
    /// Takes such a key out.
    RemoveFitKey { fit: usize, key: String },
    /// Adds a fit before the fit `at`, or behind the last.
    AddFit { at: usize, system: String, mount: Option<String>, count: u32, parameters: Vec<(String, Value)> },
    /// Takes a fit out.
    RemoveFit { fit: usize },
    /// Moves a fit so that it becomes the fit `to`.
    MoveFit { from: usize, to: usize },
    /// Puts in what was copied, before the fit `at`, or behind the last.
    Paste { text: String, at: usize },
    /// Adds a system of the design's own.
    AddCustomSystem { id: String, like: String, keys: Vec<(String, Value)> },
    /// A key of a system of the design's own.
    SetCustomSystem { system: usize, key: String, value: Value },
    /// Takes such a key out.
    RemoveCustomSystemKey { system: usize, key: String },
    /// Takes a system of the design's own out.
    RemoveCustomSystem { system: usize },
    /// A key of a fleet's ship.
    SetShip { ship: usize, key: String, value: Value },
    /// Takes such a key out.
    RemoveShipKey { ship: usize, key: String },
    /// Adds a ship before the ship `at`, or behind the last.
    AddShip { at: usize, keys: Vec<(String, Value)> },
    /// Puts the like of a ship behind her.
    DuplicateShip { ship: usize },
    /// Makes each of several alike a ship of her own.
    SplitShip { ship: usize },
    /// Takes a ship out.
    RemoveShip { ship: usize },
    /// Moves a ship so that she becomes the ship `to`.
    MoveShip { from: usize, to: usize },
    /// What a ship has suffered, or one of what she carries.
    SetDamage { seat: UnitPath, damage: Damage },
    /// Adds to what a ship carries by a relation.
    AddCarried { ship: usize, relation: String, design: String, count: u32 },
    /// A key of something that a ship carries.
    SetCarried { ship: usize, relation: String, at: usize, key: String, value: Value },
    /// Takes such a key out.
    RemoveCarriedKey { ship: usize, relation: String, at: usize, key: String },
    /// Takes something that a ship carries out.
    RemoveCarried { ship: usize, relation: String, at: usize },
    /// Another load of a system at a mount, or at all of them; without a value as the design has it.
    SetLoad { ship: usize, system: String, mount: Option<String>, key: String, value: Option<Value> },
    /// Adds a group behind the last.
    AddGroup { keys: Vec<(String, Value)> },
    /// A key of a group.
    SetGroup { group: usize, key: String, value: Value },
    /// Takes a group out.
    RemoveGroup { group: usize },
    /// Puts a design's text into a fleet's file, behind the designs that travel there already.
    EmbedDesign { text: Arc<str> },
    /// What mends a finding.
    Fix(Vec<crate::design::DesignEdit>),
}

impl Edit {
    /// An edit of one step.
    pub fn single(label: impl Into<String>, step: EditStep) -> Self {
        Self::from_steps(label, vec![step])
    }

    /// An edit of several steps, done and undone together.
    pub fn from_steps(label: impl Into<String>, steps: Vec<EditStep>) -> Self {
        Self { label: label.into(), steps, merge_key: None, selects: None }
    }

    /// Edits of this key that follow one another are one.
    #[must_use]
    pub fn with_merge_key(mut self, key: impl Into<String>) -> Self {
        self.merge_key = Some(key.into());
        self
    }

    /// These fits, by their place in the file afterwards, are chosen then.
    #[must_use]
    pub fn selecting(mut self, fits: Vec<u32>) -> Self {
        self.selects = Some(fits);
        self
    }

    /// Carries the steps out on a document; gives the fits that were added or moved.
    ///
    /// # Errors
    /// Why one of them cannot be done; the document is then good for nothing.
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
            Self::SetDamage { seat, damage } => document.set_damage(&[(seat, damage)]).map(drop)?,
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
