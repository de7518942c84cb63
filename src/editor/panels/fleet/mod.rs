//! A fleet: what it comes to above, its own words, what can be done to its ships, and their table.

mod cells;
pub mod choose;
mod head;
pub mod headline;
pub mod ship;
mod table;
mod tools;

use egui::Ui;

use crate::editor::fleet::Gathered;
use crate::editor::{Command, Doc, State};

/// What the panels of a fleet's page read, gathered once a frame.
pub struct Page<'a> {
    pub state: &'a State,
    pub doc: &'a Doc,
    pub fleet: &'a Gathered,
}

impl<'a> Page<'a> {
    /// The fleet before the player.
    pub fn of(state: &'a State) -> Option<Self> {
        let doc = state.doc()?;
        Some(Self { state, doc, fleet: doc.fleet()? })
    }
}

/// Shows it, the headline left aside.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(page) = Page::of(state) else { return };
    ui.style_mut().interaction.selectable_labels = false;
    head::show(ui, &page, out);
    tools::show(ui, &page, out);
    table::show(ui, &page, out);
    // A place that is not there is waited for no longer.
    if state.go_to.is_some() && !out.iter().any(|command| matches!(command, Command::Arrived)) {
        out.push(Command::Arrived);
    }
}
