//! A fleet as plain text that goes into a forum post and comes back: [`write_list()`] takes an evaluated fleet and writes it, [`read_list()`] takes such a text, or
//! one written by hand, and gives a [`FleetList`], which [`FleetList::to_toml`] makes a fleet's file of. What could not be read is named by its line and kept as
//! a comment. Never opens a file.
//!
//! The text is lines: a label, a colon, what it says; a ship begins with a hyphen, or with a count. Whatever begins neither is the rest of the
//! line before, so that lines may be broken anywhere.

mod clean;
mod import;
mod line;
mod read;
mod share;
mod text;
mod toml;
mod value;

pub use import::{ImportedList, import_list};
pub use read::{named_game, read_list};
pub use share::{ShareOptions, write_list};

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::sanitize::fold_for_search;

/// What is known of the game that a list is for; without it less is understood.
#[derive(Clone, Debug, Default)]
pub struct KnownNames {
    /// Classes as they are written, by their names as they are compared.
    classes: BTreeMap<String, String>,
    /// Ids of relations, `tow`, and their labels as they are compared.
    relations: Vec<(String, String)>,
}

impl KnownNames {
    /// Knows these classes, and these relations by their ids.
    pub fn new(classes: impl IntoIterator<Item = String>, relations: impl IntoIterator<Item = String>) -> Self {
        let mut known = Self::default();
        known.relations.extend(
            relations.into_iter().map(|id| (fold_for_search(&relation_label(&id)), id)).map(|(label, id)| (id, label)),
        );
        known.add(classes);
        known
    }

    /// Knows these classes too.
    pub fn add(&mut self, classes: impl IntoIterator<Item = String>) {
        for class in classes {
            self.classes.entry(fold_for_search(&class)).or_insert(class);
        }
    }

    /// The class that words mean.
    fn find_class(&self, words: &str) -> Option<&String> {
        self.classes.get(&fold_for_search(words))
    }
}

/// A fleet as a list says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetList {
    /// The ruleset's id.
    pub ruleset: Option<String>,
    /// The game's title and version as the list says them.
    pub game: Option<String>,
    /// What the fleet is called.
    pub name: Option<String>,
    /// Whose it is.
    pub side: Option<String>,
    /// Who plays it.
    pub player: Option<String>,
    /// What it may cost.
    pub budget: Option<i64>,
    /// What it cost when the list was written.
    pub points: Option<i64>,
    /// Free text.
    pub notes: Option<String>,
    /// Squadrons.
    pub groups: Vec<ListGroup>,
    /// Ships.
    pub ships: Vec<ListShip>,
    /// Whole classes.
    pub designs: Vec<ListClass>,
    /// What could not be read: line and words.
    pub unread: Vec<(u32, String)>,
    /// What is wrong with the list.
    pub findings: Vec<Finding>,
}

/// A squadron.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListGroup {
    /// Its id.
    pub id: String,
    /// The relation it is of.
    pub kind: Option<String>,
    /// What it is called.
    pub name: Option<String>,
    /// Free text.
    pub notes: Option<String>,
}

/// Ships that are alike.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListShip {
    /// The line that they begin in; 0 for none.
    pub line: u32,
    /// How many; 1 when the list does not say.
    pub count: Option<u32>,
    /// The class.
    pub class: String,
    /// The ship's own name.
    pub name: Option<String>,
    /// Hull number.
    pub hull_number: Option<String>,
    /// Who commands her.
    pub captain: Option<String>,
    /// Whose she is.
    pub owner: Option<String>,
    /// The squadron, by id.
    pub group: Option<String>,
    /// Free text.
    pub notes: Option<String>,
    /// What each costs.
    pub points: Option<i64>,
    /// What she carries, by relation.
    pub carried: Vec<ListCarried>,
    /// Other loads.
    pub loads: Vec<ListLoad>,
    /// Ticked boxes: stem and runs.
    pub damage: Vec<(String, String)>,
}

/// What a ship carries by a relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListCarried {
    /// The relation's id.
    pub relation: String,
    /// A plain number.
    pub plain: Option<i64>,
    /// The units.
    pub ships: Vec<ListShip>,
}

/// A load.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListLoad {
    /// The system's id.
    pub system: String,
    /// The mount's id.
    pub mount: Option<String>,
    /// Parameters, their values as TOML.
    pub values: Vec<(String, String)>,
}

/// A whole class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListClass {
    /// Its name.
    pub name: String,
    /// Free text.
    pub notes: Option<String>,
    /// `[fields]`, values as TOML.
    pub fields: Vec<(String, String)>,
    /// `[[fit]]`.
    pub fits: Vec<ListFit>,
    /// `[[system]]`: keys and values as TOML.
    pub systems: Vec<Vec<(String, String)>>,
}

/// Some of one system in one mount.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFit {
    /// How many.
    pub count: u32,
    /// The rest of it.
    pub load: ListLoad,
}

/// A label for a relation's id: `Tow`.
fn relation_label(id: &str) -> String {
    let words = id.replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
