//! The start page: new designs, recent files, the library.

use egui::Ui;

use crate::editor::{Command, State};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ui.heading("Moldloft");
    for path in &state.settings.recent {
        if ui.button(path.display().to_string()).clicked() {
            out.push(Command::Open(path.clone()));
        }
    }
}
