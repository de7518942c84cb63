//! Suggestions for the current design: the form for a question, or the answer to the last one.

mod answer;
pub mod ask;
mod break_table;
pub mod chip;
mod form;
pub mod goal_bar;
mod left;

use egui::{Id, Key, Modifiers, Popup, Ui};

use crate::suggest::model::SuggestCommand;
use crate::widgets::muted_label;
use crate::{Command, EditorState};

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let Some(view) = state.suggestions.view(doc.id).filter(|_| doc.evaluation().is_some()) else {
        muted_label(ui, "No suggestions: the design cannot be checked; see its findings.");
        return;
    };
    leave_by_escape(ui, state, out);
    match &view.asked {
        Some(asked) if view.shows_answer => answer::show(ui, doc, view, asked, out),
        _ => form::show(ui, state, doc, view, out),
    }
}

/// Unless Esc is meant for something else: a list, a dialog, another part of the window.
fn leave_by_escape(ui: &Ui, state: &EditorState, out: &mut Vec<Command>) {
    let ctx = ui.ctx();
    // Esc has taken the focus away before this frame.
    let key = Id::unique("focus before Esc");
    let now = (ctx.memory(|memory| memory.focused()), ctx.text_edit_focused());
    let before: Option<(Option<Id>, bool)> = ui.data(|data| data.get_temp(key));
    ui.data_mut(|data| data.insert_temp(key, now));
    let (before, was_typing) = before.unwrap_or(now);
    let here = |id: &Id| {
        let focused = ctx.read_response(*id);
        focused.is_none_or(|focused| focused.layer_id == ui.layer_id() && ui.max_rect().contains(focused.rect.center()))
    };
    let is_elsewhere = ![now.0, before].iter().flatten().all(here);
    let is_list = state.system_picker.is_some() || Popup::is_any_open(ctx);
    let is_dialog = ctx.memory(|memory| memory.top_modal_layer().is_some());
    if is_elsewhere || is_list || is_dialog || now.1 || was_typing {
        return;
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        out.push(Command::Suggest(SuggestCommand::Leave));
    }
}
