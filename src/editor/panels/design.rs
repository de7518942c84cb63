//! A design or a fleet: the library at the left, what it comes to and its form in the middle, the sheet and what is known of it at the right.

use egui::{Align, Button, CentralPanel, Context, Frame, Id, Layout, Panel, ScrollArea, Sense, Ui, UiBuilder, vec2};

use super::{compare, explain, fields, findings, fleet, headline, library, mounts, own, plain, preview, rules};
use crate::editor::printing::Print;
use crate::editor::regions::{self, Region};
use crate::editor::settings::Panels;
use crate::editor::widgets::{named, primary};
use crate::editor::{Command, Inspector, Pane, State};
use crate::press::What;

/// The least room that anything is laid out in, in points: with less, it is scrolled.
const LEAST: egui::Vec2 = vec2(340.0, 240.0);

/// The least width of the form, in points; and of a fleet's table.
const FORM: f32 = 400.0;
const TABLE: f32 = 640.0;
/// The least width of the sheet, and of the library.
const SHEET: f32 = 280.0;
const LIBRARY: f32 = 180.0;
/// Room below the form, so that what lies over the page's foot hides nothing for good.
const FOOT: f32 = 72.0;

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
    let sizes = state.settings.panels;
    // The form needs its room most: with too little the library goes first, then the sheet; then one part at a time is shown.
    let (room, high) = (ui.available_width(), ui.available_height());
    let is_fleet = state.doc().is_some_and(|doc| doc.fleet().is_some());
    let least = if is_fleet { TABLE } else { FORM };
    if room < least + SHEET + 20.0 {
        return narrow(ui, state, is_fleet, out);
    }
    let has_library = state.settings.library && room >= least + SHEET + LIBRARY;
    if has_library {
        let most = (room - least - SHEET).clamp(160.0, 320.0);
        let panel = Panel::left("library").default_size(sizes.library as f32).size_range(160.0..=most);
        let shown = panel.show(ui, |ui| {
            regions::begin(ui, Region::Library);
            library::show(ui, state, out);
        });
        note(ui, "library", shown.response.rect.width());
    }
    let most = (ui.available_width() - least).clamp(SHEET, 900.0);
    let panel = Panel::right("sheet").default_size(sizes.sheet as f32).size_range(SHEET..=most);
    let shown = panel.show(ui, |ui| {
        let most = (high * 0.6).clamp(120.0, 600.0);
        let panel = Panel::bottom("inspector").default_size(sizes.inspector as f32).size_range(120.0..=most);
        let shown = panel.resizable(true).show(ui, |ui| {
            regions::begin(ui, Region::Inspector);
            inspector(ui, state, true, out);
        });
        note(ui, "inspector", shown.response.rect.height());
        CentralPanel::default().show(ui, |ui| {
            regions::begin(ui, Region::Sheet);
            preview::show(ui, state, out);
        });
    });
    note(ui, "sheet", shown.response.rect.width());
    form(ui, state, is_fleet, out);
}

/// One part at a time, and how to come to the others; printing is always in reach.
fn narrow(ui: &mut Ui, state: &State, is_fleet: bool, out: &mut Vec<Command>) {
    Panel::top("panes").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let form = if is_fleet { "Fleet" } else { "Ship" };
            for (pane, name) in [(Pane::Form, form), (Pane::Sheet, "Sheet"), (Pane::Known, "Findings and rules")] {
                let button = ui.add(Button::selectable(state.pane == pane, name));
                if named(button, &format!("Show {}", name.to_lowercase())).clicked() {
                    out.push(Command::Pane(pane));
                }
            }
            if primary(ui, "Print…").clicked() {
                out.push(Command::Print(Print::Open(None)));
            }
        });
    });
    match state.pane {
        Pane::Form => form(ui, state, is_fleet, out),
        Pane::Sheet => {
            CentralPanel::default().show(ui, |ui| {
                regions::begin(ui, Region::Sheet);
                preview::show(ui, state, out);
            });
        }
        Pane::Known => {
            CentralPanel::default().show(ui, |ui| {
                regions::begin(ui, Region::Inspector);
                inspector(ui, state, false, out);
            });
        }
    }
}

/// What it comes to, and its form or table. What is typed into and scrolled is of this file alone.
fn form(ui: &mut Ui, state: &State, is_fleet: bool, out: &mut Vec<Command>) {
    let id = state.doc().map(|doc| doc.id.0);
    let most = (ui.available_height() * 0.4).max(60.0);
    Panel::top("headline").show(ui, |ui| {
        regions::begin(ui, Region::Form);
        // It grows where it must and shrinks no more: the form below stays where it is.
        let key = Id::unique(("height of the headline", id, ui.available_width().round() as i32));
        let before: f32 = ui.data(|data| data.get_temp(key)).unwrap_or_default();
        let area = ScrollArea::vertical().id_salt(("headline", id)).max_height(most);
        area.min_scrolled_height(before.min(most)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            let shown = ui.scope(|ui| {
                if is_fleet {
                    fleet::headline::show(ui, state, out);
                } else {
                    headline::show(ui, state, out);
                }
            });
            let now = shown.response.rect.height();
            if now > before {
                ui.data_mut(|data| data.insert_temp(key, now));
                ui.request_repaint();
            } else {
                ui.add_space(before - now);
            }
        });
    });
    CentralPanel::default().show(ui, |ui| {
        regions::begin(ui, Region::Form);
        ui.push_id(("form", id), |ui| {
            if plain::is_wanted(ui, state) {
                return plain::show(ui, state, out);
            }
            if is_fleet {
                return fleet::show(ui, state, out);
            }
            ScrollArea::vertical().id_salt(("form", id)).auto_shrink(false).show(ui, |ui| {
                // Beside the scroll bar.
                ui.set_max_width((ui.available_width() - 8.0).max(0.0));
                fields::show(ui, state, out);
                mounts::show(ui, state, out);
                own::show(ui, state, out);
                ui.add_space(FOOT);
                // A place that is not there is waited for no longer.
                if state.go_to.is_some() && !out.iter().any(|command| matches!(command, Command::Arrived)) {
                    out.push(Command::Arrived);
                }
            });
        });
    });
}

fn inspector(ui: &mut Ui, state: &State, prints: bool, out: &mut Vec<Command>) {
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
    if prints {
        Panel::bottom("out").frame(Frame::NONE).show_separator_line(false).show(ui, |ui| printing(ui, out));
    }
    let salt = ("inspector", state.doc().map(|doc| doc.id.0), shown as u8);
    ui.push_id(salt, |ui| {
        ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, |ui| match shown {
            Inspector::Ship => fleet::ship::show(ui, state, out),
            Inspector::Findings => findings::show(ui, state, out),
            Inspector::Explain => explain::show(ui, state, out),
            Inspector::Compare => compare::show(ui, state, out),
            Inspector::Rules => rules::show(ui, state, out),
        });
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
