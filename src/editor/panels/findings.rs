//! What is wrong with the design, or worth knowing.

use egui::Ui;

use crate::editor::theme::palette;
use crate::editor::widgets::quiet;
use crate::editor::{Command, State};
use crate::finding::Severity;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, _out: &mut Vec<Command>) {
    let Some(doc) = state.doc() else { return };
    if doc.findings().is_empty() {
        quiet(ui, "Nothing to find: this design keeps the rules.");
    }
    for finding in doc.findings() {
        let palette = palette(ui);
        let colour = match finding.severity {
            Severity::Error => palette.error,
            Severity::Warning => palette.warning,
            Severity::Info => palette.quiet,
        };
        ui.colored_label(colour, format!("{}: {}", finding.severity.word(), finding.message));
    }
}
