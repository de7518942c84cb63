//! One line below the window: whether the design keeps the rules, how many findings there are, and which rules judge it.

use egui::{Align, Button, Layout, RichText, Ui, vec2};

use super::findings::counted;
use crate::editor::theme::palette;
use crate::editor::widgets::{named, quiet};
use crate::editor::{Command, Content, Inspector, State};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(doc) = state.doc() else { return };
    ui.horizontal(|ui| {
        let palette = palette(ui);
        let (verdict, colour) = match (doc.evaluation(), &doc.content) {
            (Some(evaluation), _) if evaluation.legal => ("Keeps the rules", palette.good),
            (Some(_), _) => ("Breaks the rules", palette.error),
            (None, Content::Text(_)) => ("Cannot be read", palette.error),
            (None, _) => ("Not judged", palette.error),
        };
        let counts = counted(doc.findings());
        let text = if counts.is_empty() { verdict.to_owned() } else { format!("{verdict}: {counts}") };
        let button = ui.add(Button::new(RichText::new(&text).color(colour)).frame(false).min_size(vec2(0.0, 24.0)));
        if named(button, &text).on_hover_text("Show the findings").clicked() {
            out.push(Command::Inspect(Inspector::Findings));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| match &state.rules.shown {
            Some(shown) => {
                let title = shown.rules.rules_title();
                let button = Button::new(RichText::new(&title).color(palette.quiet)).frame(false).truncate();
                let button = ui.add(button.min_size(vec2(0.0, 24.0)));
                if named(button, &format!("Rules: {title}")).on_hover_text("Show the rules in force").clicked() {
                    out.push(Command::Inspect(Inspector::Rules));
                }
            }
            None => {
                quiet(ui, "no rules in force");
            }
        });
    });
}
