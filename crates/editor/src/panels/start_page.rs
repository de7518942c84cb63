//! The start page: new designs and recent files on the left, the library on the right.

use egui::{Button, CentralPanel, Panel, ScrollArea, Ui};

use crate::language::say;
use crate::library_browser::model::LibraryCommand;
use crate::panels::{gallery, new_design, recent, welcome};
use crate::{Command, EditorState, Pane};

/// In points; below this, one part at a time is shown.
const MIN_WIDE_WIDTH: f32 = 640.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    if state.library.needs_scan() {
        out.push(Command::Library(LibraryCommand::Scan));
    }
    if state.library.asks_for_games || state.settings.must_ask_for_games() {
        CentralPanel::default().show(ui, |ui| welcome::show(ui, state, out));
        return;
    }
    let is_narrow = ui.available_width() < MIN_WIDE_WIDTH;
    if is_narrow {
        Panel::top("panes").show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                for (pane, name) in [(Pane::Form, "New and recent"), (Pane::Sheet, "Library")] {
                    let is_here = (state.pane == Pane::Form) == (pane == Pane::Form);
                    out.extend(
                        ui.add(Button::selectable(is_here, say(name))).clicked().then(|| Command::ShowPane(pane)),
                    );
                }
            });
        });
    }
    match (is_narrow, state.pane) {
        (false, _) => {
            let panel = Panel::left("begin").default_size(330.0).size_range(260.0..=460.0);
            panel.show(ui, |ui| begin_column(ui, state, out));
            CentralPanel::default().show(ui, |ui| gallery::show(ui, state, out));
        }
        (true, Pane::Form) => {
            CentralPanel::default().show(ui, |ui| begin_column(ui, state, out));
        }
        (true, _) => {
            CentralPanel::default().show(ui, |ui| gallery::show(ui, state, out));
        }
    }
}

fn begin_column(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    ScrollArea::vertical().id_salt("begin").auto_shrink(false).show(ui, |ui| {
        ui.add_space(4.0);
        // Room for the scroll bar.
        ui.set_max_width(ui.available_width() - 8.0);
        // Recent files first, if there are any.
        if state.settings.recent.is_empty() {
            new_design::show(ui, state, out);
            ui.add_space(14.0);
            recent::show(ui, state, out);
        } else {
            recent::show(ui, state, out);
            ui.add_space(14.0);
            new_design::show(ui, state, out);
        }
    });
}
