//! The tables of a ruleset, as data.

use std::sync::Arc;

use crate::ruleset::grammar::declared_section;
use crate::ruleset::model::Provenance;
use moldloft_base::source::{PathStep, Span};

/// The tables of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    pub grids: Vec<RuleGrid>,
}

/// Which table: a section, or what is under one key of a declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GridId {
    /// `system`
    pub section: Arc<str>,
    /// `nation`, and the key: `options`, `rows`, `parameters`; `None` for a whole section.
    pub part: Option<(Arc<str>, Arc<str>)>,
}

#[derive(Clone, Debug)]
pub struct RuleGrid {
    pub id: GridId,
    /// The declaration's name for players; empty for a whole section.
    pub title: String,
    pub columns: Vec<GridColumn>,
    pub rows: Vec<GridRow>,
}

#[derive(Clone, Debug)]
pub struct GridColumn {
    pub key: Arc<str>,
    pub label: String,
    /// `points`; empty for none.
    pub unit: String,
    pub kind: CellKind,
    /// What the key is for; empty for the author's own keys.
    pub about: &'static str,
}

/// What a cell holds, for its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    Integer,
    Flag,
    Text,
    /// Text with `{{ formula }}`.
    Template,
    /// A formula or a literal; what it gives.
    Formula(&'static str),
    /// A number, flag or text.
    Literal,
    Choice(&'static [&'static str]),
    /// Texts, separated by commas.
    Words,
    /// Any value, as in the file.
    Toml,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowState {
    /// As in the rules below.
    #[default]
    Below,
    /// The last layer changes some of it.
    Changed,
    /// The last layer adds it.
    Added,
    /// The last layer removes it.
    Removed,
}

#[derive(Clone, Debug, Default)]
pub struct GridRow {
    /// The id, the words of a row's key, or a number.
    pub key: Arc<str>,
    /// For players.
    pub label: String,
    pub state: RowState,
    /// Where the last layer changes it, or has it.
    pub path: Vec<PathStep>,
    /// The last layer's reason for its changes.
    pub reason: Option<String>,
    /// One for each column.
    pub cells: Vec<RuleCell>,
}

#[derive(Clone, Debug, Default)]
pub struct RuleCell {
    /// As written; `None` if it is not set.
    pub text: Option<Arc<str>>,
    /// With `base` put in, if that differs.
    pub in_full: Option<Arc<str>>,
    /// In the rules below the last layer.
    pub below: Option<Arc<str>>,
    /// In the ruleset that extends none.
    pub base: Option<Arc<str>>,
    /// Whether the last layer sets it.
    pub is_set: bool,
    /// Whether the text is a value that can be typed, not a table or a list of tables.
    pub is_plain: bool,
    /// Where it is written: the number of the source and the place in it.
    pub span: Option<Span>,
    pub provenance: Vec<(Provenance, String)>,
}

impl RuleGrid {
    pub fn column(&self, key: &str) -> Option<usize> {
        self.columns.iter().position(|column| *column.key == *key)
    }

    pub fn row(&self, key: &str) -> Option<&GridRow> {
        self.rows.iter().find(|row| *row.key == *key)
    }
}

impl GridRow {
    /// Where the last layer sets a cell of this row.
    pub fn cell_path(&self, column: &str, number: usize) -> Vec<PathStep> {
        match self.path.last() {
            // A row that the layer adds is a list of cells.
            Some(PathStep::Nth(_)) if self.path.iter().any(|step| *step == PathStep::Key("rows".into())) => {
                self.path.iter().cloned().chain([PathStep::Nth(number)]).collect()
            }
            _ => with_step(&self.path, column),
        }
    }
}

pub(super) fn with_step(path: &[PathStep], key: &str) -> Vec<PathStep> {
    path.iter().cloned().chain([PathStep::Key(key.to_owned())]).collect()
}

/// The key that names a declaration of a section: `id` or `code`.
pub fn declaration_key(section: &str) -> &'static str {
    declared_section(section).map_or("id", |section| section.id().name)
}
