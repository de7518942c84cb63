//! The library beside a design: what else there is, a click away.

use egui::Ui;

use crate::editor::widgets::heading;
use crate::editor::{Command, State};

/// Shows it.
pub fn show(ui: &mut Ui, _state: &State, _out: &mut Vec<Command>) {
    heading(ui, "LIBRARY");
}
