//! Files of rules that are not in force because of their errors.

use egui::{Label, RichText, Ui};

use super::findings::sign;
use crate::editor::theme::palette;
use crate::editor::widgets::{named, plain};
use crate::editor::{Command, Inspector, State, Tab};
use crate::finding::Severity;

/// Whether there is anything to say.
pub fn is_due(state: &State) -> bool {
    !state.rules.waiting().is_empty()
}

/// Says it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = palette(ui);
    for (id, news) in state.rules.waiting() {
        ui.horizontal(|ui| {
            sign(ui, Severity::Warning);
            if matches!(state.tab, Tab::Doc(_)) {
                let show = named(ui.button("Show"), &format!("Show what is wrong with {id}"));
                if show.clicked() {
                    out.push(Command::Inspect(Inspector::Rules));
                }
            }
            let text = format!("{id}: using the last good version: {}", news.why());
            ui.add(Label::new(RichText::new(plain(&text)).color(palette.warning)).wrap());
        });
    }
}
