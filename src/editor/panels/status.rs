//! One line below the window: what went well, until the next thing is done; whether the design keeps the rules, how many findings there are, and which rules judge it.

use egui::accesskit::Live;
use egui::{Align, Button, Label, Layout, RichText, Ui, vec2};

use super::findings::counted;
use crate::editor::rules::Ruling;
use crate::editor::theme::palette;
use crate::editor::widgets::{named, plain, quiet};
use crate::editor::{Command, Content, Doc, Inspector, State};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let Some(doc) = state.doc() else { return good_news(ui, state) };
        let palette = palette(ui);
        let (verdict, colour) = match (doc.is_legal(), &doc.content) {
            (Some(true), _) => ("Follows the rules", palette.good),
            (Some(false), _) if doc.is_blank() => ("Not complete yet", palette.quiet),
            (Some(false), _) => ("Breaks the rules", palette.error),
            (None, Content::Text(_)) => ("Cannot be read", palette.error),
            (None, _) => ("Not checked", palette.error),
        };
        let has_own = doc.ship().is_some_and(|ship| ship.own_words().is_some());
        let verdict = if has_own { format!("{verdict}, with own systems") } else { verdict.to_owned() };
        let counts = counted(doc.findings());
        let text = if counts.is_empty() { verdict } else { format!("{verdict}: {counts}") };
        let button = ui.add(Button::new(RichText::new(&text).color(colour)).frame(false).min_size(vec2(0.0, 24.0)));
        if named(button, &text).on_hover_text("Show the findings").clicked() {
            out.push(Command::Inspect(Inspector::Findings));
        }
        if let Some(tried) = &doc.tried {
            return on_trial(ui, doc, tried, out);
        }
        good_news(ui, state);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| match &state.rules.shown {
            Some(shown) => {
                let title = shown.rules.rules_title();
                let button = Button::new(RichText::new(&title).color(palette.quiet)).frame(false).truncate();
                let button = ui.add(button.min_size(vec2(0.0, 24.0)));
                if named(button, &format!("Rules: {title}")).on_hover_text("Show the rules in use").clicked() {
                    out.push(Command::Inspect(Inspector::Rules));
                }
            }
            None => {
                quiet(ui, "no usable ruleset");
            }
        });
    });
}

/// That other rules are tried on the design, and the way back.
fn on_trial(ui: &mut Ui, doc: &Doc, tried: &str, out: &mut Vec<Command>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if ui.button("Use the file's ruleset").clicked() {
            out.push(Command::Rules(Ruling::Try(None)));
        }
        let file = doc.rules_named().map_or("none", |id| id);
        let text = format!("Trial: {} is checked by {tried}. Its file names {file} and is not changed.", doc.name());
        let accent = palette(ui).accent;
        ui.add(Label::new(RichText::new(&text).color(accent)).truncate()).on_hover_text(&text);
    });
}

/// What was told last and went well. Screen readers say it when it appears.
fn good_news(ui: &mut Ui, state: &State) {
    let Some(notice) = state.notices.iter().rev().find(|notice| !notice.is_error) else { return };
    let room = (ui.available_width() - 220.0).max(120.0);
    ui.allocate_ui(vec2(room, 24.0), |ui| {
        let text = ui.add(Label::new(RichText::new(plain(&notice.text)).color(palette(ui).quiet)).truncate());
        ui.ctx().accesskit_node_builder(text.id, |node| node.set_live(Live::Polite));
    });
}
