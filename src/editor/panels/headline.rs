//! What the design comes to, always in sight: points, the values the ruleset calls its headlines, every budget.

use egui::{RichText, Ui};

use crate::editor::theme::{bold, palette};
use crate::editor::widgets::quiet;
use crate::editor::{Command, State};
use crate::formula::Value;
use crate::sheet::shown;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, _out: &mut Vec<Command>) {
    let Some(evaluation) = state.doc().and_then(|doc| doc.evaluation()) else { return };
    ui.horizontal_wrapped(|ui| {
        for value in evaluation.values.iter().filter(|value| value.headline || value.limit.is_some()) {
            ui.vertical(|ui| {
                quiet(ui, value.label.to_string());
                let over = matches!((&value.value, value.limit), (Value::Int(value), Some(limit)) if *value > limit);
                let colour = if over { palette(ui).error } else { ui.visuals().text_color() };
                ui.label(RichText::new(&*shown(&value.value)).size(22.0).family(bold()).color(colour));
            });
        }
    });
}
