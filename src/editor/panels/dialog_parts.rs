//! Parts that several dialogs share.

use egui::{Response, Ui};

use crate::editor::Command;
use crate::editor::widgets::primary_button;

/// Focuses the first widget of a new dialog.
pub(super) fn focus_first(ui: &Ui, first: &Response) {
    if ui.memory(|memory| memory.focused().is_none()) {
        first.request_focus();
    }
}

pub(super) fn close_button(ui: &mut Ui, out: &mut Vec<Command>) {
    ui.add_space(8.0);
    let close = primary_button(ui, "Close");
    focus_first(ui, &close);
    if close.clicked() {
        out.push(Command::CloseDialog);
    }
}

pub(super) fn cancel_button(ui: &mut Ui, out: &mut Vec<Command>) {
    if ui.button("Cancel").clicked() {
        out.push(Command::CloseDialog);
    }
}
