//! Parts that several dialogs share.

use egui::{DragValue, Response, TextEdit, Ui};

use crate::language::say;
use crate::widgets::{primary_button, select_all};
use crate::{Command, FilePick};

const BROWSE_WIDTH: f32 = 90.0;

/// Focuses the first widget of a new dialog.
pub(crate) fn focus_first(ui: &Ui, first: &Response) {
    // A field that Enter has left in this frame says so to its dialog first.
    if ui.memory(|memory| memory.focused().is_none()) && !first.lost_focus() {
        first.request_focus();
    }
}

/// What is typed into a field that the keyboard has reached replaces its text. Call it after `focus_first`.
pub(crate) fn select_when_focused(ui: &Ui, field: &Response, text: &str) {
    let by_pointer = ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    if field.gained_focus() && !(by_pointer && field.contains_pointer()) {
        select_all(ui.ctx(), field.id, text);
    }
}

pub(crate) fn close_button(ui: &mut Ui, out: &mut Vec<Command>) {
    ui.add_space(8.0);
    let close = primary_button(ui, "Close");
    focus_first(ui, &close);
    out.extend(close.clicked().then_some(Command::CloseDialog));
}

pub(crate) fn cancel_button(ui: &mut Ui, out: &mut Vec<Command>) {
    out.extend(ui.button(say("Cancel")).clicked().then_some(Command::CloseDialog));
}

/// The foot of a dialog: what it does, by its button or by Enter, if it can; else nothing. Gives the button.
pub(crate) fn dialog_foot(
    ui: &mut Ui,
    done: &str,
    (can, enter): (bool, bool),
    out: &mut Vec<Command>,
    command: impl FnOnce() -> Command,
) -> Response {
    ui.horizontal(|ui| {
        let button = ui.add_enabled_ui(can, |ui| primary_button(ui, done)).inner;
        out.extend((can && (button.clicked() || enter)).then(command));
        cancel_button(ui, out);
        button
    })
    .inner
}

/// A path that can be typed or chosen. Its label is above it, or before it in a row.
pub(crate) fn path_field(
    ui: &mut Ui,
    label: &str,
    path: &mut String,
    pick: impl FnOnce(&str) -> FilePick,
    out: &mut Vec<Command>,
) -> Response {
    let label = ui.label(say(label));
    ui.horizontal(|ui| {
        let width = (ui.available_width() - BROWSE_WIDTH).max(120.0);
        let field = ui.add(TextEdit::singleline(path).desired_width(width)).labelled_by(label.id);
        out.extend(ui.button(say("Browse…")).clicked().then(|| Command::PickFile(pick(path))));
        field
    })
    .inner
}

/// A row of a grid with two columns: a label and its inputs.
pub(crate) fn form_row(ui: &mut Ui, label: &str, add: impl FnOnce(&mut Ui)) {
    ui.label(say(label));
    // In a column of its own, so that the row is as high as all its lines.
    ui.vertical(|ui| ui.horizontal_wrapped(add));
    ui.end_row();
}

/// A number with its unit after it.
pub(crate) fn labelled_number(ui: &mut Ui, field: DragValue<'_>, unit: &str) -> Response {
    let field = ui.add(field);
    let label = ui.label(say(unit));
    field.labelled_by(label.id)
}
