//! The dialog in which designs are chosen for a fleet: its purpose, the candidates and the choice.

use std::sync::Arc;

use crate::DocId;
use moldloft_library::store::FileRef;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesignChooserPurpose {
    AddShips,
    ChangeClass(Vec<u32>),
    /// As the file names the class.
    RefitClass(String),
    SetCarried {
        ship: u32,
        relation: Arc<str>,
        label: Arc<str>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct DesignChooser {
    pub doc: DocId,
    pub purpose: DesignChooserPurpose,
    pub search: String,
    /// Sorted by name; `None` while the library is scanned.
    pub candidates: Option<Arc<Vec<DesignCandidate>>>,
    /// References with their counts.
    pub chosen: Vec<(String, u32)>,
    /// `+320 points: 1204 total, 296 left in the budget`.
    pub cost_summary: String,
    pub(crate) seen_catalogue: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct DesignCandidate {
    pub reference: String,
    pub name: String,
    /// `heavy cruiser`; may be empty.
    pub kind: Arc<str>,
    /// Of the library.
    pub file: Option<FileRef>,
    pub points: Option<i64>,
    pub legal: bool,
    /// `in this fleet`, `built-in`, `not saved`, `elsewhere`, or empty.
    pub source: &'static str,
    /// Set if it is not allowed here.
    pub disabled_reason: Option<String>,
    /// The text to embed if the fleet's file cannot refer to the design.
    pub embedded_text: Option<Arc<str>>,
}

impl DesignCandidate {
    /// Whether every word occurs in the name, the kind, the points or the source.
    pub fn matches_search(&self, search: &str) -> bool {
        let name = self.name.to_lowercase();
        let points = self.points.map(|points| points.to_string()).unwrap_or_default();
        let is_in = |word: &str| {
            name.contains(word) || self.kind.contains(word) || points == word || self.source.contains(word)
        };
        search.to_lowercase().split_whitespace().all(is_in)
    }
}
