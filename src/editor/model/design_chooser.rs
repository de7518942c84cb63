//! The dialog in which designs are chosen for a fleet: for what, what can be chosen, what is.

use std::sync::Arc;

use super::view::DocId;

/// What designs are chosen for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DesignChooserPurpose {
    /// Ships to add.
    AddShips,
    /// Another class for these ships.
    ChangeClass(Vec<u32>),
    /// Another class for every ship of a class, as the file calls it.
    RefitClass(String),
    /// What a ship carries by a relation of the ruleset.
    SetCarried {
        /// Her place in the file.
        ship: u32,
        /// The relation's id.
        relation: Arc<str>,
        /// What players call it.
        label: Arc<str>,
    },
}

/// The dialog in which designs are chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignChooser {
    /// For which fleet.
    pub doc: DocId,
    /// For what.
    pub purpose: DesignChooserPurpose,
    /// What was typed.
    pub search: String,
    /// What can be chosen, by name; `None` while the library is being looked through.
    pub candidates: Option<Arc<Vec<DesignCandidate>>>,
    /// What is chosen, as the file calls it, and how many.
    pub chosen: Vec<(String, u32)>,
    /// What it comes to: `+320 points, 1204 in all`.
    pub cost_summary: String,
    /// From which catalogue the candidates are.
    pub(in crate::editor) seen_catalogue: usize,
}

/// A design that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignCandidate {
    /// What the fleet's file would call it.
    pub reference: String,
    /// The class.
    pub name: String,
    /// What it costs.
    pub points: Option<i64>,
    /// Whether it keeps the rules.
    pub legal: bool,
    /// Where it is from: `in this fleet`, `built in`, `not saved`.
    pub source: &'static str,
    /// Why it may not be chosen for this.
    pub disabled_reason: Option<String>,
    /// The design's text, where the fleet's file cannot name it and so takes it in.
    pub embedded_text: Option<Arc<str>>,
}

impl DesignCandidate {
    /// Whether every word of a search is found in its name, its points or where it is from.
    pub fn matches_search(&self, search: &str) -> bool {
        let name = self.name.to_lowercase();
        let points = self.points.map(|points| points.to_string()).unwrap_or_default();
        let is_in = |word: &str| name.contains(word) || points == word || self.source.contains(word);
        search.to_lowercase().split_whitespace().all(is_in)
    }
}
