//! Another design beside this one.

use egui::Ui;

use crate::editor::{Command, State};

/// Shows it.
pub fn show(_ui: &mut Ui, _state: &State, _out: &mut Vec<Command>) {}
