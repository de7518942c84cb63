//! What the panels of a fleet's page read, collected once a frame.

use crate::{Doc, EditorState, OpenFleet};

pub struct FleetView<'a> {
    pub state: &'a EditorState,
    pub doc: &'a Doc,
    pub fleet: &'a OpenFleet,
}

impl<'a> FleetView<'a> {
    pub fn new(state: &'a EditorState) -> Option<Self> {
        let doc = state.current_doc()?;
        Some(Self { state, doc, fleet: doc.as_fleet()? })
    }

    /// The selected ships if this is one of them, or else this ship alone.
    pub fn selection_with(&self, ship: u32) -> Vec<u32> {
        if self.doc.selected.contains(&ship) { self.doc.selected.clone() } else { vec![ship] }
    }
}
