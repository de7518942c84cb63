//! A design: the library at the left, what it comes to and its form in the middle, the sheet and what is known of it at the right.

use egui::{Align, Button, CentralPanel, Frame, Layout, Panel, ScrollArea, Ui};

use super::{compare, disk, explain, fields, findings, headline, library, mounts, own, plain, preview, rules};
use crate::editor::printing::Print;
use crate::editor::widgets::primary;
use crate::editor::{Command, Inspector, State};
use crate::press::What;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    if state.doc().is_some_and(|doc| doc.theirs.is_some()) {
        Panel::top("disk").show(ui, |ui| disk::banner(ui, state, out));
    }
    if state.settings.library {
        Panel::left("library")
            .default_size(210.0)
            .size_range(160.0..=320.0)
            .show(ui, |ui| library::show(ui, state, out));
    }
    Panel::right("sheet").default_size(430.0).size_range(280.0..=900.0).show(ui, |ui| {
        Panel::bottom("inspector").default_size(270.0).size_range(120.0..=600.0).resizable(true).show(ui, |ui| {
            ui.horizontal(|ui| {
                for (inspector, name) in [
                    (Inspector::Findings, findings::title(state)),
                    (Inspector::Explain, "Explain".to_owned()),
                    (Inspector::Compare, "Compare".to_owned()),
                    (Inspector::Rules, rules::title(state)),
                ] {
                    if ui.add(Button::selectable(state.inspector == inspector, name)).clicked() {
                        out.push(Command::Inspect(inspector));
                    }
                }
            });
            Panel::bottom("out").frame(Frame::NONE).show_separator_line(false).show(ui, |ui| printing(ui, out));
            ScrollArea::vertical().id_salt("inspector").auto_shrink(false).show(ui, |ui| match state.inspector {
                Inspector::Findings => findings::show(ui, state, out),
                Inspector::Explain => explain::show(ui, state, out),
                Inspector::Compare => compare::show(ui, state, out),
                Inspector::Rules => rules::show(ui, state, out),
            });
        });
        CentralPanel::default().show(ui, |ui| preview::show(ui, state, out));
    });
    Panel::top("headline").show(ui, |ui| headline::show(ui, state, out));
    CentralPanel::default().show(ui, |ui| {
        if plain::is_wanted(ui, state) {
            return plain::show(ui, state, out);
        }
        ScrollArea::vertical().id_salt("form").auto_shrink(false).show(ui, |ui| {
            // Beside the scroll bar.
            ui.set_max_width((ui.available_width() - 8.0).max(0.0));
            fields::show(ui, state, out);
            mounts::show(ui, state, out);
            own::show(ui, state, out);
            // A place that is not there is waited for no longer.
            if state.go_to.is_some() && !out.iter().any(|command| matches!(command, Command::Arrived)) {
                out.push(Command::Arrived);
            }
        });
    });
}

/// What the design is for in the end: paper.
fn printing(ui: &mut Ui, out: &mut Vec<Command>) {
    ui.add_space(4.0);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if primary(ui, "Print…").clicked() {
            out.push(Command::Print(Print::Open(None)));
        }
        if ui.button("Chits…").clicked() {
            out.push(Command::Print(Print::Open(Some(What::Counters))));
        }
    });
}
