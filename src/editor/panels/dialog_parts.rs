//! Parts that several dialogs share.

use egui::{DragValue, Response, Ui};

use crate::editor::Command;
use crate::editor::widgets::primary_button;

/// Focuses the first widget of a new dialog.
pub(super) fn focus_first(ui: &Ui, first: &Response) {
    // A field that Enter has left in this frame says so to its dialog first.
    if ui.memory(|memory| memory.focused().is_none()) && !first.lost_focus() {
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

/// A row of a grid with two columns: a label and its inputs.
pub(super) fn form_row(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui)) {
    ui.label(label);
    // In a column of its own, so that the row is as high as all its lines.
    ui.vertical(|ui| ui.horizontal_wrapped(add));
    ui.end_row();
}

/// A number with its unit after it.
pub(super) fn labelled_number(ui: &mut Ui, field: DragValue<'_>, unit: &str) -> Response {
    let field = ui.add(field);
    let label = ui.label(unit);
    field.labelled_by(label.id)
}
