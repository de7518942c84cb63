//! A design or a fleet: the library at the left, what it comes to and its form in the middle, the sheet and what is known of it at the right.

use egui::{Align, Button, CentralPanel, Context, Frame, Id, Layout, Panel, ScrollArea, Sense, Ui, UiBuilder, vec2};

use super::{compare, disk, explain, fields, findings, fleet, headline, library, mounts, own, plain, preview, rules};
use crate::editor::printing::Print;
use crate::editor::regions::{self, Region};
use crate::editor::settings::Panels;
use crate::editor::widgets::primary;
use crate::editor::{Command, Inspector, State};
use crate::press::What;

/// The least room for all of it, in points: with less, it is scrolled.
const LEAST: egui::Vec2 = vec2(900.0, 480.0);

/// The least width of the form, in points; and of a fleet's table.
const FORM: f32 = 400.0;
const TABLE: f32 = 640.0;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let room = ui.available_size();
    if room.x >= LEAST.x && room.y >= LEAST.y {
        return all(ui, state, out);
    }
    ScrollArea::both().id_salt("design").auto_shrink(false).show(ui, |ui| {
        let (rect, _) = ui.allocate_exact_size(room.max(LEAST), Sense::hover());
        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| all(ui, state, out));
    });
}

fn all(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    if state.doc().is_some_and(|doc| doc.theirs.is_some()) {
        Panel::top("disk").show(ui, |ui| disk::banner(ui, state, out));
    }
    let sizes = state.settings.panels;
    // The form needs its room most: where all three have too little, the library waits, and the sheet takes less than it was given.
    let room = ui.available_width();
    let is_fleet = state.doc().is_some_and(|doc| doc.fleet().is_some());
    let form = if is_fleet { TABLE } else { FORM };
    let has_library = state.settings.library && room >= form + 280.0 + 180.0;
    if has_library {
        let most = (room - form - 280.0).clamp(160.0, 320.0);
        let panel = Panel::left("library").default_size(sizes.library as f32).size_range(160.0..=most);
        let shown = panel.show(ui, |ui| {
            regions::begin(ui, Region::Library);
            library::show(ui, state, out);
        });
        note(ui, "library", shown.response.rect.width());
    }
    let most = (ui.available_width() - form).clamp(280.0, 900.0);
    let panel = Panel::right("sheet").default_size(sizes.sheet as f32).size_range(280.0..=most);
    let shown = panel.show(ui, |ui| {
        let panel = Panel::bottom("inspector").default_size(sizes.inspector as f32).size_range(120.0..=600.0);
        let shown = panel.resizable(true).show(ui, |ui| {
            regions::begin(ui, Region::Inspector);
            inspector(ui, state, out);
        });
        note(ui, "inspector", shown.response.rect.height());
        CentralPanel::default().show(ui, |ui| {
            regions::begin(ui, Region::Sheet);
            preview::show(ui, state, out);
        });
    });
    note(ui, "sheet", shown.response.rect.width());
    Panel::top("headline").show(ui, |ui| {
        regions::begin(ui, Region::Form);
        if is_fleet {
            fleet::headline::show(ui, state, out);
        } else {
            headline::show(ui, state, out);
        }
    });
    CentralPanel::default().show(ui, |ui| {
        regions::begin(ui, Region::Form);
        if plain::is_wanted(ui, state) {
            return plain::show(ui, state, out);
        }
        if is_fleet {
            return fleet::show(ui, state, out);
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

fn inspector(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let is_fleet = state.doc().is_some_and(|doc| doc.fleet().is_some());
    let shown = state.inspector_shown();
    ui.horizontal_wrapped(|ui| {
        let third = if is_fleet { (Inspector::Ship, "Damage and load") } else { (Inspector::Compare, "Compare") };
        for (inspector, name) in [
            (Inspector::Findings, findings::title(state)),
            (Inspector::Explain, "Explain".to_owned()),
            (third.0, third.1.to_owned()),
            (Inspector::Rules, rules::title(state)),
        ] {
            if ui.add(Button::selectable(shown == inspector, name)).clicked() {
                out.push(Command::Inspect(inspector));
            }
        }
    });
    Panel::bottom("out").frame(Frame::NONE).show_separator_line(false).show(ui, |ui| printing(ui, out));
    ScrollArea::vertical().id_salt("inspector").auto_shrink(false).show(ui, |ui| match shown {
        Inspector::Ship => fleet::ship::show(ui, state, out),
        Inspector::Findings => findings::show(ui, state, out),
        Inspector::Explain => explain::show(ui, state, out),
        Inspector::Compare => compare::show(ui, state, out),
        Inspector::Rules => rules::show(ui, state, out),
    });
}

/// Remembers within this run how large a part is.
fn note(ui: &Ui, part: &str, size: f32) {
    ui.data_mut(|data| data.insert_temp(Id::unique(("size of a part", part)), size));
}

/// How large the parts are that were shown.
pub fn note_sizes(ctx: &Context, panels: &mut Panels) {
    let sizes = [("library", &mut panels.library), ("sheet", &mut panels.sheet), ("inspector", &mut panels.inspector)];
    for (part, size) in sizes {
        let shown: Option<f32> = ctx.data(|data| data.get_temp(Id::unique(("size of a part", part))));
        if let Some(shown) = shown.filter(|shown| shown.is_finite() && *shown >= 1.0) {
            *size = shown.round() as u32;
        }
    }
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
