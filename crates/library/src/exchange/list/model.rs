//! A fleet as a list names it: plain data, with values as TOML text.

use std::collections::BTreeMap;

use moldloft_base::finding::Finding;
use moldloft_base::sanitize::{capitalize, fold_for_search, id_as_words};

/// Names of the list's game; without them, handwritten lists are understood less well.
#[derive(Clone, Debug, Default)]
pub struct KnownNames {
    /// Spelling of classes, by normalised name.
    pub(super) classes: BTreeMap<String, String>,
    /// Ids of relations (`tow`) with their normalised labels.
    pub(super) relations: Vec<(String, String)>,
}

impl KnownNames {
    pub fn new(classes: impl IntoIterator<Item = String>, relations: impl IntoIterator<Item = String>) -> Self {
        let mut known = Self::default();
        known.relations.extend(
            relations.into_iter().map(|id| (fold_for_search(&relation_label(&id)), id)).map(|(label, id)| (id, label)),
        );
        known.add(classes);
        known
    }

    pub fn add(&mut self, classes: impl IntoIterator<Item = String>) {
        for class in classes {
            self.classes.entry(fold_for_search(&class)).or_insert(class);
        }
    }

    pub(super) fn find_class(&self, words: &str) -> Option<&String> {
        self.classes.get(&fold_for_search(words))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetList {
    pub ruleset: Option<String>,
    /// Title and version, as in the list.
    pub game: Option<String>,
    pub name: Option<String>,
    pub side: Option<String>,
    pub player: Option<String>,
    /// `#rrggbb`.
    pub colour: Option<String>,
    pub pattern: Option<String>,
    pub budget: Option<i64>,
    /// When the list was written.
    pub points: Option<i64>,
    /// When the list was written, by its rules.
    pub errors: usize,
    pub notes: Option<String>,
    pub groups: Vec<ListGroup>,
    pub ships: Vec<ListShip>,
    pub designs: Vec<ListClass>,
    /// Unreadable lines: number and text.
    pub unread: Vec<(u32, String)>,
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListGroup {
    pub id: String,
    pub kind: Option<String>,
    pub name: Option<String>,
    pub notes: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListShip {
    /// First line; 0 for none.
    pub line: u32,
    /// 1 when not given.
    pub count: Option<u32>,
    pub class: String,
    pub name: Option<String>,
    pub hull_number: Option<String>,
    pub captain: Option<String>,
    pub owner: Option<String>,
    pub group: Option<String>,
    pub notes: Option<String>,
    /// Of each.
    pub points: Option<i64>,
    pub carried: Vec<ListCarried>,
    pub loads: Vec<ListLoad>,
    /// Ticked boxes: stem and runs.
    pub damage: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListCarried {
    pub relation: String,
    /// A number of units without a class.
    pub plain: Option<i64>,
    pub ships: Vec<ListShip>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListLoad {
    pub system: String,
    pub mount: Option<String>,
    /// Parameters with values as TOML.
    pub values: Vec<(String, String)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListClass {
    pub name: String,
    pub notes: Option<String>,
    /// Values as TOML.
    pub fields: Vec<(String, String)>,
    pub fits: Vec<ListFit>,
    /// Custom systems: keys with values as TOML.
    pub systems: Vec<Vec<(String, String)>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFit {
    pub count: u32,
    pub load: ListLoad,
}

/// `Tow` for the id `tow`.
pub(super) fn relation_label(id: &str) -> String {
    capitalize(&id_as_words(id))
}
