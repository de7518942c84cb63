//! Buttons that ask a question.

use egui::{Button, Id, Response, Ui, WidgetText, vec2};

use crate::language::say;
use crate::suggest::budgets;
use crate::suggest::model::SuggestCommand;
use crate::theme::palette;
use crate::widgets::{text_button, with_accessible_name};
use crate::{Command, Doc, EditorState};
use moldloft_odds::suggest::{Request, SpendLimit, term_label};

/// Set while the first proposal is to get the focus.
pub fn focus_id() -> Id {
    Id::unique("focus of the first proposal")
}

/// A button that asks a question. By keyboard, the first proposal gets the focus.
pub fn ask_button(ui: &mut Ui, label: &str, hint: &str, request: Request, out: &mut Vec<Command>) -> Response {
    let response = ui.button(say(label)).on_hover_text(say(hint));
    ask_if_clicked(ui, &response, request, out);
    response
}

pub fn ask_if_clicked(ui: &Ui, response: &Response, request: Request, out: &mut Vec<Command>) {
    if response.clicked() {
        if response.has_focus() {
            ui.data_mut(|data| data.insert_temp(focus_id(), true));
        }
        out.push(Command::Suggest(SuggestCommand::Ask(request)));
    }
}

/// Small letters that ask a question when clicked.
pub fn ask_link(
    ui: &mut Ui,
    text: impl Into<WidgetText>,
    name: &str,
    hint: &str,
    request: Request,
    out: &mut Vec<Command>,
) {
    let response = text_button(ui, Button::new(text.into()).min_size(vec2(0.0, 15.0)));
    let response = with_accessible_name(response, name).on_hover_text(say(hint));
    if response.hovered() {
        let rect = response.rect;
        ui.painter().hline(rect.x_range(), rect.bottom() - 1.0, egui::Stroke::new(1.0, palette(ui).muted));
    }
    ask_if_clicked(ui, &response, request, out);
}

/// By name: where the best is asked for, and what the points and budgets that are left could buy.
pub fn named_questions(state: &EditorState) -> Vec<(String, SuggestCommand)> {
    let Some(doc) = state.current_doc().filter(|doc| doc.evaluation().is_some()) else { return Vec::new() };
    let Some(view) = state.suggestions.view(doc.id) else { return Vec::new() };
    let spend = budgets(doc, view)
        .into_iter()
        .map(|(budget, left)| (spend_question(doc, &budget, left), SuggestCommand::Ask(Request::Spend(budget))));
    std::iter::once(("Find the best".to_owned(), SuggestCommand::Open)).chain(spend).collect()
}

/// `What could 68 points buy?`
pub fn spend_question(doc: &Doc, budget: &SpendLimit, left: i64) -> String {
    let label = match (budget.value.as_str(), left, doc.evaluation()) {
        ("points", 1, _) => "point".to_owned(),
        ("points", ..) | (_, _, None) => "points".to_owned(),
        (value, _, Some(evaluation)) => term_label(evaluation, value),
    };
    format!("What could {left} {label} buy?")
}
