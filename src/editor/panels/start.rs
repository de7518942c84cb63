//! The start page: new designs and recent files at the left, the library at the right.

use egui::{CentralPanel, Panel, ScrollArea, Ui};

use super::{begin, gallery, recent};
use crate::editor::browse::Browsing;
use crate::editor::{Command, State};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    if state.browse.is_to_be_looked() {
        out.push(Command::Browse(Browsing::Look));
    }
    Panel::left("begin").default_size(330.0).size_range(260.0..=460.0).show(ui, |ui| {
        ScrollArea::vertical().id_salt("begin").auto_shrink(false).show(ui, |ui| {
            ui.add_space(4.0);
            // Room for the scroll bar.
            ui.set_max_width(ui.available_width() - 8.0);
            // Who was here before goes on; who was not begins.
            if state.settings.recent.is_empty() {
                begin::show(ui, state, out);
                ui.add_space(14.0);
                recent::show(ui, state, out);
            } else {
                recent::show(ui, state, out);
                ui.add_space(14.0);
                begin::show(ui, state, out);
            }
        });
    });
    CentralPanel::default().show(ui, |ui| gallery::show(ui, state, out));
}
