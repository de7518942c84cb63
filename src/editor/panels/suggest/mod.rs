//! Suggestions for the current design: the form for a question, or the answer to the last one.

mod answer;
pub mod ask;
mod break_table;
mod form;
pub mod goal_bar;
mod left;

use egui::{Key, Modifiers, Popup, Ui};

use crate::editor::model::suggest::SuggestCommand;
use crate::editor::widgets::muted_label;
use crate::editor::{Command, EditorState};

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let Some(view) = state.suggestions.view(doc.id).filter(|_| doc.evaluation().is_some()) else {
        muted_label(ui, "No suggestions: the design cannot be checked; see its findings.");
        return;
    };
    leave_by_escape(ui, out);
    match &view.asked {
        Some(asked) if view.shows_answer => answer::show(ui, doc, view, asked, out),
        _ => form::show(ui, state, doc, view, out),
    }
}

/// Unless Esc is meant for something else: a list, a dialog, another part of the window.
fn leave_by_escape(ui: &Ui, out: &mut Vec<Command>) {
    let ctx = ui.ctx();
    let focused = ctx.memory(|memory| memory.focused()).and_then(|id| ctx.read_response(id));
    let is_elsewhere = focused.is_some_and(|response| !ui.max_rect().contains(response.rect.center()));
    let is_dialog = ctx.memory(|memory| memory.top_modal_layer().is_some());
    if is_elsewhere || is_dialog || Popup::is_any_open(ctx) || ctx.text_edit_focused() {
        return;
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        out.push(Command::Suggest(SuggestCommand::Leave));
    }
}
