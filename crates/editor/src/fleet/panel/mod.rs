//! The page of a fleet: details, toolbar and table.

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

use crate::{Command, EditorState};

pub(crate) use view::FleetView;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(page) = FleetView::new(state) else { return };
    ui.style_mut().interaction.selectable_labels = false;
    details::show(ui, &page, out);
    toolbar::show(ui, &page, out);
    table::show(ui, &page, out);
    // The target does not exist.
    if state.go_to.is_some() && !out.iter().any(|command| matches!(command, Command::ClearGoTo)) {
        out.push(Command::ClearGoTo);
    }
}
