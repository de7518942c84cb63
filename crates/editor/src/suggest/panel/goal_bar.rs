//! The bar below the totals: each goal with how far the design is from it, what is pinned, what is left to spend.

use egui::{Button, RichText, ScrollArea, Ui, vec2};

use crate::icons::Icon;
use crate::language::say;
use crate::suggest::budgets;
use crate::suggest::goals::{GoalLine, GoalState, Relation};
use crate::suggest::model::{SuggestCommand, SuggestView};
use crate::suggest::panel::ask::{ask_button, spend_question};
use crate::theme::{bold, palette};
use crate::widgets::with_accessible_name;
use crate::{Command, Doc, EditorState};
use moldloft_odds::suggest::{Request, is_named_by, term_label};
use moldloft_rules::evaluate::{Evaluation, MarginKind};

/// In points, with the bar that scrolls it.
pub const HEIGHT: f32 = 34.0;

/// One row, which scrolls where it is too long: what is below keeps its place.
pub fn show(ui: &mut Ui, state: &EditorState, doc: &Doc, width: f32, out: &mut Vec<Command>) {
    let size = vec2(width, HEIGHT);
    ui.allocate_ui(size, |ui| {
        ui.set_min_size(size);
        ui.set_max_width(width);
        ScrollArea::horizontal().id_salt("goals").show(ui, |ui| {
            ui.horizontal(|ui| chips(ui, state, doc, out));
        });
    });
}

fn chips(ui: &mut Ui, state: &EditorState, doc: &Doc, out: &mut Vec<Command>) {
    let Some(view) = state.suggestions.view(doc.id) else { return };
    let Some(own) = doc.evaluation() else { return };
    let previewed = state.previewed();
    let shown: &Evaluation = previewed.as_ref().map_or(own, |previewed| &previewed.proposal.after);
    let button = with_accessible_name(ui.button((Icon::Suggest.text(), say("Suggest…"))), "Suggest…");
    let button = button.on_hover_text(say("Goals, pins, and the best design within limits (Ctrl+G)"));
    out.extend(button.clicked().then(|| Command::Suggest(SuggestCommand::Open)));
    if previewed.is_some() {
        ui.label(RichText::new(say("Preview: nothing is changed yet")).family(bold()).color(palette(ui).accent));
    }
    for goal in &view.goals.goals {
        goal_chip(ui, doc, shown, goal, out);
    }
    for (budget, left) in budgets(doc, view).into_iter().take(2) {
        let question = spend_question(doc, &budget, left);
        ask_button(ui, &question, "The most of each thing that this buys", Request::Spend(budget), out);
    }
    pinned_chip(ui, view, out);
}

fn goal_chip(ui: &mut Ui, doc: &Doc, shown: &Evaluation, goal: &GoalLine, out: &mut Vec<Command>) {
    let palette = palette(ui);
    let goal_words = format!("{} {} {}", term_label(shown, &goal.what), goal.relation.sign(), goal.number_text());
    let (state_words, colour) = match (goal.state(shown), goal.relation) {
        (GoalState::Unknown, _) if goal.is_about_odds() => ("for Find".to_owned(), palette.muted),
        (GoalState::Unknown, _) => ("not known".to_owned(), palette.warning),
        (GoalState::Met { left: 0 }, Relation::AtMost) => ("none left".to_owned(), palette.good),
        (GoalState::Met { left: 0 }, _) => ("reached".to_owned(), palette.good),
        (GoalState::Met { left }, Relation::AtMost) => (format!("{left} left"), palette.good),
        (GoalState::Met { left }, _) => (format!("{left} above"), palette.good),
        (GoalState::Missed { by }, Relation::AtMost) => (format!("! {by} over"), palette.error),
        (GoalState::Missed { by }, Relation::AtLeast) => (format!("! {by} short"), palette.error),
        (GoalState::Missed { by }, Relation::Exactly) => (format!("! {by} off"), palette.error),
    };
    // What is wasted, or free, at this value.
    let margins: Vec<_> = doc.margins().iter().filter(|margin| *margin.value == *goal.what).collect();
    let wasted = margins.iter().find_map(|margin| match &margin.kind {
        MarginKind::Slack(steps) if margin.remaining() > 0 => Some(margin.remaining_text(&format!(" {}", steps.label))),
        MarginKind::Headroom(steps) if margin.remaining() > 0 => {
            Some(margin.remaining_text(&format!(" {}", steps.label)))
        }
        _ => None,
    });
    let text = match wasted {
        Some(wasted) => format!("{state_words} · {wasted}"),
        None => state_words,
    };
    let mut job = egui::text::LayoutJob::default();
    let style = ui.style().clone();
    let append = |job: &mut egui::text::LayoutJob, text: RichText| {
        text.append_to(job, &style, egui::FontSelection::Default, egui::Align::Center);
    };
    append(&mut job, RichText::new(format!("{goal_words}  ")).family(bold()).color(ui.visuals().text_color()));
    append(&mut job, RichText::new(say(&text)).color(colour));
    let hint: Vec<String> = margins.iter().map(|margin| margin.sentence()).collect();
    let button = ui.add(Button::new(job).frame(true));
    let button = with_accessible_name(button, &format!("goal: {goal_words}, {text}"));
    let hint = if hint.is_empty() { "Change the goals".to_owned() } else { hint.join("\n") };
    out.extend(button.on_hover_text(say(hint)).clicked().then(|| Command::Suggest(SuggestCommand::Open)));
}

fn pinned_chip(ui: &mut Ui, view: &SuggestView, out: &mut Vec<Command>) {
    let pins = &view.goals.pins;
    let labels: Vec<&str> = view
        .levers
        .iter()
        .filter(|lever| pins.iter().any(|pin| is_named_by(&lever.id, pin)))
        .map(|lever| &*lever.label)
        .collect();
    if labels.is_empty() {
        return;
    }
    let text = match &*labels {
        [one] => format!("Pinned: {one}"),
        many => format!("{} pinned", many.len()),
    };
    let button = ui
        .button(say(&text))
        .on_hover_text(say(format!("Suggestions leave these as they are:\n{}", labels.join("\n"))));
    out.extend(button.clicked().then(|| Command::Suggest(SuggestCommand::Open)));
}
