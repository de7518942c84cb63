//! Edits of a design's or fleet's file as data, and the table that each of them changes. Knows no game.

use std::sync::Arc;

use toml_edit::Value;

use crate::design::Damage;
use moldloft_base::finding::DesignEdit;
use moldloft_base::source::PathStep;

/// A table with keys. Indices count from 0 in file order, as [`Fit::index`](crate::design::Fit::index) does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TablePath {
    /// The keys before the first table: `ruleset`, `name`, `notes`.
    Top,
    /// `[fields]`, which is added if necessary.
    Fields,
    Row {
        field: String,
        row: usize,
    },
    Fit(usize),
    CustomSystem(usize),
    Ship(usize),
    /// A unit in the list of a ship's relation.
    Carried {
        ship: usize,
        relation: String,
        at: usize,
    },
    Group(usize),
}

/// Tables in file order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableList {
    /// The rows of a field, which is added if necessary.
    Rows(String),
    Fits,
    CustomSystems,
    Ships,
    Carried {
        ship: usize,
        relation: String,
    },
    Groups,
    /// Designs embedded in a fleet's file.
    Designs,
}

/// One unit in a fleet's file: one copy of an entry, or one of the units that it carries.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnitPath {
    pub ship: usize,
    /// Which copy of the entry, from 1.
    pub copy: u32,
    /// For a carried unit: the relation's id, the index in its list, and which copy, from 1.
    pub carried: Option<(String, usize, u32)>,
}

#[derive(Clone, Debug)]
pub enum DocumentEdit {
    Set {
        table: TablePath,
        key: String,
        value: Value,
    },
    /// Removes a key, if present.
    Unset {
        table: TablePath,
        key: String,
    },
    /// Inserts a table before table `at`, or at the end.
    Insert {
        list: TableList,
        at: usize,
        keys: Vec<(String, Value)>,
    },
    Remove {
        list: TableList,
        at: usize,
    },
    /// Moves a table to index `to`.
    Reorder {
        list: TableList,
        from: usize,
        to: usize,
    },
    AddFit {
        at: usize,
        system: String,
        mount: Option<String>,
        count: u32,
        parameters: Vec<(String, Value)>,
    },
    /// Inserts copied fits before fit `at`, or at the end.
    Paste {
        text: String,
        at: usize,
    },
    /// Inserts copied ships before ship `at`, or at the end.
    PasteShips {
        text: String,
        at: usize,
    },
    AddCustomSystem {
        id: String,
        like: String,
        keys: Vec<(String, Value)>,
    },
    /// Adds a copy of a ship after it.
    DuplicateShip {
        ship: usize,
    },
    /// Makes each of several equal ships an entry of its own.
    SplitShip {
        ship: usize,
    },
    SetDamage {
        unit: UnitPath,
        damage: Damage,
    },
    AddCarried {
        ship: usize,
        relation: String,
        design: String,
        count: u32,
    },
    /// Loads a system at a mount, or at all mounts, differently; without a value, as the design has it.
    SetLoad {
        ship: usize,
        system: String,
        mount: Option<String>,
        key: String,
        value: Option<Value>,
    },
    /// Appends a design to a fleet's file.
    EmbedDesign {
        text: Arc<str>,
    },
    /// Fixes a finding.
    Fix(Vec<DesignEdit>),
    /// Sets a value anywhere in a file of any kind. A missing table gets a header of at most `header` keys.
    SetAt {
        path: Vec<PathStep>,
        value: Value,
        header: usize,
    },
    /// Removes a key, an item or a table, and then each table above it that holds nothing but keys in `notes`.
    UnsetAt {
        path: Vec<PathStep>,
        notes: Vec<String>,
    },
    /// Adds an item at the end of an array, which is added if necessary.
    PushAt {
        path: Vec<PathStep>,
        value: Value,
        header: usize,
    },
    /// Appends a table of an array: `[[system]]` with its keys.
    AppendTable {
        list: String,
        keys: Vec<(String, Value)>,
    },
}

impl DocumentEdit {
    pub fn set(table: TablePath, key: impl Into<String>, value: impl Into<Value>) -> Self {
        Self::Set { table, key: key.into(), value: value.into() }
    }

    pub fn unset(table: TablePath, key: impl Into<String>) -> Self {
        Self::Unset { table, key: key.into() }
    }

    pub fn insert(list: TableList, at: usize, keys: Vec<(String, Value)>) -> Self {
        Self::Insert { list, at, keys }
    }

    pub fn remove(list: TableList, at: usize) -> Self {
        Self::Remove { list, at }
    }

    pub fn reorder(list: TableList, from: usize, to: usize) -> Self {
        Self::Reorder { list, from, to }
    }
}
