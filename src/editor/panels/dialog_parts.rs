//! What several dialogs have alike: who gets the keyboard first, the button that closes.

use egui::Ui;

use crate::editor::Command;
use crate::editor::widgets::primary_button;

/// Gives the keyboard to the first thing of a dialog that has just opened, or when nothing has it.
pub(super) fn focus_first(ui: &Ui, first: &egui::Response) {
    if ui.memory(|memory| memory.focused().is_none()) {
        first.request_focus();
    }
}

/// The button that closes a dialog which asks nothing.
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
