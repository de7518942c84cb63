//! A fleet: what it comes to above, its own words, what can be done to its ships, and their table.

mod cells;
pub mod design_chooser;
mod details;
pub mod headline;
pub mod shown_ship;
mod table;
mod toolbar;

use egui::Ui;

use crate::editor::model::open_fleet::OpenFleet;
use crate::editor::{Command, Doc, EditorState};

/// What the panels of a fleet's page read, gathered once a frame.
pub struct FleetView<'a> {
    pub state: &'a EditorState,
    pub doc: &'a Doc,
    pub fleet: &'a OpenFleet,
}

impl<'a> FleetView<'a> {
    /// The fleet before the player.
    pub fn new(state: &'a EditorState) -> Option<Self> {
        let doc = state.current_doc()?;
        Some(Self { state, doc, fleet: doc.as_fleet()? })
    }
}

/// Shows it, the headline left aside.
pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(page) = FleetView::new(state) else { return };
    ui.style_mut().interaction.selectable_labels = false;
    details::show(ui, &page, out);
    toolbar::show(ui, &page, out);
    table::show(ui, &page, out);
    // A place that is not there is waited for no longer.
    if state.go_to.is_some() && !out.iter().any(|command| matches!(command, Command::ClearGoTo)) {
        out.push(Command::ClearGoTo);
    }
}
