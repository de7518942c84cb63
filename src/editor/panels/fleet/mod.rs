//! A fleet: what it comes to above, its own words, what can be done to its ships, and their table.

mod cells;
mod columns;
pub mod design_chooser;
mod details;
pub mod headline;
pub mod shown_ship;
mod table;
mod toolbar;
mod view;

use egui::Ui;

use crate::editor::{Command, EditorState};

pub use view::FleetView;

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
