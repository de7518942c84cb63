//! Guides to a first ship that are shown beside a design, and the reference sheet in Help.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::preview::Tile;
use crate::{DocId, with_kinds};
use moldloft_base::progress::Progress;

#[derive(Default)]
pub struct Guides {
    /// Of each design with a guide beside it: the step that was opened by hand.
    pub(crate) steps: BTreeMap<DocId, Option<usize>>,
    pub reference: Option<ReferenceSheets>,
}

impl Guides {
    pub fn is_open(&self, doc: DocId) -> bool {
        self.steps.contains_key(&doc)
    }

    /// `None`: the first that is not done.
    pub fn opened_step(&self, doc: DocId) -> Option<usize> {
        self.steps.get(&doc).copied().flatten()
    }
}

/// A game's reference sheets, as pictures.
pub struct ReferenceSheets {
    pub game: Arc<str>,
    pub(crate) drawing: Progress,
    /// `None` while they are drawn.
    pub pages: Option<Vec<Tile>>,
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum GuideCommand as GuideCommandKind {
        /// Begins an empty design of a game, with its guide beside it.
        Start(Arc<str>),
        /// Beside the current design.
        Open,
        Close,
        ShowStep(Option<usize>),
        /// Does what a step says, as one edit.
        Perform(usize),
        /// Opens the reference sheets of a game; without one, of the current document.
        ShowReference(Option<Arc<str>>),
        ReferenceDrawn { progress: Progress, pages: Vec<egui::ColorImage> },
    }
}
