//! What holds while one works and is easily forgotten: rules on trial, and files of rules that are not in force.

use egui::{Label, RichText, Ui};

use super::findings::sign;
use crate::editor::rules::Ruling;
use crate::editor::theme::palette;
use crate::editor::widgets::{named, plain};
use crate::editor::{Command, Inspector, State, Tab};
use crate::finding::Severity;

/// Whether there is anything to say.
pub fn is_due(state: &State) -> bool {
    state.doc().is_some_and(|doc| doc.tried.is_some()) || !state.rules.waiting().is_empty()
}

/// Says it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = palette(ui);
    if let Some((doc, tried)) = state.doc().and_then(|doc| Some((doc, doc.tried.as_ref()?))) {
        let file = doc.rules_named().map_or("none", |id| id);
        ui.horizontal(|ui| {
            sign(ui, Severity::Info);
            if ui.button("Back to the rules of the file").clicked() {
                out.push(Command::Rules(Ruling::Try(None)));
            }
            let text =
                format!("On trial: {} is judged by {tried}. Its file names {file} and is not changed.", doc.name());
            ui.add(Label::new(RichText::new(text).color(palette.accent)).wrap());
        });
    }
    for (id, news) in state.rules.waiting() {
        ui.horizontal(|ui| {
            sign(ui, Severity::Warning);
            if matches!(state.tab, Tab::Doc(_)) {
                let show = named(ui.button("Show"), &format!("Show what is wrong with {id}"));
                if show.clicked() {
                    out.push(Command::Inspect(Inspector::Rules));
                }
            }
            let text = format!("{id}: the last good version is in force: {}", news.why());
            ui.add(Label::new(RichText::new(plain(&text)).color(palette.warning)).wrap());
        });
    }
}
