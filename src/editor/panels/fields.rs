//! The form's upper part: the name and what the ruleset asks of every design.

use egui::Ui;

use crate::editor::{Command, State};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, _out: &mut Vec<Command>) {
    let Some(doc) = state.doc() else { return };
    ui.heading(doc.name());
}
