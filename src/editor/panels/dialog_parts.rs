//! Parts that several dialogs share.

use egui::Ui;

use crate::editor::Command;
use crate::editor::widgets::primary_button;

/// Focuses the first widget of a new dialog.
pub(super) fn focus_first(ui: &Ui, first: &egui::Response) {
    if ui.memory(|memory| memory.focused().is_none()) {
        first.request_focus();
    }
}

pub(super) fn close_button(ui: &mut Ui, out: &mut Vec<Command>) {
    ui.add_space(8.0);
    let close = primary_button(ui, "Close");
    if ui.memory(|memory| memory.focused().is_none()) {
        close.request_focus();
    }
    if close.clicked() {
        out.push(Command::CloseDialog);
    }
}
