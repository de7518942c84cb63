//! The page of a design or fleet: library on the left, headline and form in the middle, sheet and inspector on the
//! right.

use egui::{Align, Button, CentralPanel, Context, Frame, Id, Layout, Panel, ScrollArea, Sense, Ui, UiBuilder, vec2};

use crate::editor::model::settings::PanelSizes;
use crate::editor::printing::PrintCommand;
use crate::editor::regions::{self, Region};
use crate::editor::widgets::{primary_button, with_accessible_name};
use crate::editor::{Command, EditorState, InspectorTab, Pane};
use crate::print::PrintKind;

use super::{
    compare, custom_systems, explain, fields, findings, fleet, headline, library, mounts, preview, raw_text, rules,
    suggest,
};

/// In points; a smaller area is scrolled.
const MIN_SIZE: egui::Vec2 = vec2(340.0, 240.0);

/// In points.
const MIN_FORM_WIDTH: f32 = 400.0;
const MIN_TABLE_WIDTH: f32 = 640.0;
/// In points.
const MIN_SHEET_WIDTH: f32 = 280.0;
const MIN_LIBRARY_WIDTH: f32 = 180.0;
/// In points; the overlay at the foot of the page must not hide the last rows for good.
const FOOT_MARGIN: f32 = 72.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let room = ui.available_size();
    if room.x >= MIN_SIZE.x && room.y >= MIN_SIZE.y {
        return wide_layout(ui, state, out);
    }
    ScrollArea::both().id_salt("design").auto_shrink(false).show(ui, |ui| {
        let (rect, _) = ui.allocate_exact_size(room.max(MIN_SIZE), Sense::hover());
        ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| wide_layout(ui, state, out));
    });
}

fn wide_layout(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let sizes = state.settings.panels;
    // In a narrow window the library goes first, then one part at a time is shown.
    let (room, high) = (ui.available_width(), ui.available_height());
    let is_fleet = state.shows_fleet();
    let least = if is_fleet { MIN_TABLE_WIDTH } else { MIN_FORM_WIDTH };
    if room < least + MIN_SHEET_WIDTH + 20.0 {
        return narrow_layout(ui, state, is_fleet, out);
    }
    let has_library = state.settings.library && room >= least + MIN_SHEET_WIDTH + MIN_LIBRARY_WIDTH;
    if has_library {
        let most = (room - least - MIN_SHEET_WIDTH).clamp(160.0, 320.0);
        let panel = Panel::left("library").default_size(sizes.library as f32).size_range(160.0..=most);
        let shown = panel.show(ui, |ui| {
            regions::begin_region(ui, Region::Library);
            library::show(ui, state, out);
        });
        record_size(ui, "library", shown.response.rect.width());
    }
    let most = (ui.available_width() - least).clamp(MIN_SHEET_WIDTH, 900.0);
    let panel = Panel::right("sheet").default_size(sizes.sheet as f32).size_range(MIN_SHEET_WIDTH..=most);
    let shown = panel.show(ui, |ui| {
        let most = (high * 0.6).clamp(120.0, 600.0);
        // Suggestions are long; the pane has a height of its own for them.
        let (name, height) = match state.visible_inspector_tab() {
            InspectorTab::Suggest => ("suggestions", (sizes.inspector as f32).max(high * 0.5)),
            _ => ("inspector", sizes.inspector as f32),
        };
        let panel = Panel::bottom(name).default_size(height).size_range(120.0..=most);
        let shown = panel.resizable(true).show(ui, |ui| {
            regions::begin_region(ui, Region::Inspector);
            inspector_column(ui, state, true, out);
        });
        record_size(ui, name, shown.response.rect.height());
        CentralPanel::default().show(ui, |ui| {
            regions::begin_region(ui, Region::Sheet);
            preview::show(ui, state, out);
        });
    });
    record_size(ui, "sheet", shown.response.rect.width());
    form_column(ui, state, is_fleet, out);
}

fn narrow_layout(ui: &mut Ui, state: &EditorState, is_fleet: bool, out: &mut Vec<Command>) {
    Panel::top("panes").show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let form = if is_fleet { "Fleet" } else { "Ship" };
            for (pane, name) in [(Pane::Form, form), (Pane::Sheet, "Sheet"), (Pane::Inspector, "Findings and rules")] {
                let button = ui.add(Button::selectable(state.pane == pane, name));
                if with_accessible_name(button, &format!("Show {}", name.to_lowercase())).clicked() {
                    out.push(Command::ShowPane(pane));
                }
            }
            if primary_button(ui, "Print…").clicked() {
                out.push(Command::Print(PrintCommand::Open(None)));
            }
        });
    });
    match state.pane {
        Pane::Form => form_column(ui, state, is_fleet, out),
        Pane::Sheet => {
            CentralPanel::default().show(ui, |ui| {
                regions::begin_region(ui, Region::Sheet);
                preview::show(ui, state, out);
            });
        }
        Pane::Inspector => {
            CentralPanel::default().show(ui, |ui| {
                regions::begin_region(ui, Region::Inspector);
                inspector_column(ui, state, false, out);
            });
        }
    }
}

fn form_column(ui: &mut Ui, state: &EditorState, is_fleet: bool, out: &mut Vec<Command>) {
    let id = state.current_doc().map(|doc| doc.id.0);
    let most = (ui.available_height() * 0.4).max(60.0);
    Panel::top("headline").show(ui, |ui| {
        regions::begin_region(ui, Region::Form);
        // It grows but never shrinks, so that the form below does not move.
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
        regions::begin_region(ui, Region::Form);
        ui.push_id(("form", id), |ui| {
            if raw_text::is_wanted(ui, state) {
                return raw_text::show(ui, state, out);
            }
            if is_fleet {
                return fleet::show(ui, state, out);
            }
            ScrollArea::vertical().id_salt(("form", id)).auto_shrink(false).show(ui, |ui| {
                // Room for the scroll bar.
                ui.set_max_width((ui.available_width() - 8.0).max(0.0));
                fields::show(ui, state, out);
                mounts::show(ui, state, out);
                custom_systems::show(ui, state, out);
                ui.add_space(FOOT_MARGIN);
                // The target does not exist.
                if state.go_to.is_some() && !out.iter().any(|command| matches!(command, Command::ClearGoTo)) {
                    out.push(Command::ClearGoTo);
                }
            });
        });
    });
}

fn inspector_column(ui: &mut Ui, state: &EditorState, prints: bool, out: &mut Vec<Command>) {
    let is_fleet = state.shows_fleet();
    let shown = state.visible_inspector_tab();
    ui.horizontal_wrapped(|ui| {
        let third = if is_fleet { (InspectorTab::Ship, "Damage and load") } else { (InspectorTab::Compare, "Compare") };
        for (inspector, name) in [
            (InspectorTab::Findings, findings::tab_title(state)),
            (InspectorTab::Explain, "Explain".to_owned()),
            (third.0, third.1.to_owned()),
            (InspectorTab::Suggest, "Suggest".to_owned()),
            (InspectorTab::Rules, rules::tab_title(state)),
        ] {
            if is_fleet && inspector == InspectorTab::Suggest {
                continue;
            }
            if ui.add(Button::selectable(shown == inspector, name)).clicked() {
                out.push(Command::ShowInspectorTab(inspector));
            }
        }
    });
    if prints {
        Panel::bottom("out").frame(Frame::NONE).show_separator_line(false).show(ui, |ui| print_buttons(ui, out));
    }
    let salt = ("inspector", state.current_doc().map(|doc| doc.id.0), shown as u8);
    ui.push_id(salt, |ui| {
        ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, |ui| match shown {
            InspectorTab::Ship => fleet::shown_ship::show(ui, state, out),
            InspectorTab::Findings => findings::show(ui, state, out),
            InspectorTab::Explain => explain::show(ui, state, out),
            InspectorTab::Compare => compare::show(ui, state, out),
            InspectorTab::Suggest => suggest::show(ui, state, out),
            InspectorTab::Rules => rules::show(ui, state, out),
        });
    });
}

fn record_size(ui: &Ui, part: &str, size: f32) {
    ui.data_mut(|data| data.insert_temp(Id::unique(("size of a part", part)), size));
}

pub fn record_panel_sizes(ctx: &Context, panels: &mut PanelSizes) {
    let sizes = [("library", &mut panels.library), ("sheet", &mut panels.sheet), ("inspector", &mut panels.inspector)];
    for (part, size) in sizes {
        let shown: Option<f32> = ctx.data(|data| data.get_temp(Id::unique(("size of a part", part))));
        if let Some(shown) = shown.filter(|shown| shown.is_finite() && *shown >= 1.0) {
            *size = shown.round() as u32;
        }
    }
}

fn print_buttons(ui: &mut Ui, out: &mut Vec<Command>) {
    ui.add_space(4.0);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if primary_button(ui, "Print…").clicked() {
            out.push(Command::Print(PrintCommand::Open(None)));
        }
        if ui.button("Chits…").clicked() {
            out.push(Command::Print(PrintCommand::Open(Some(PrintKind::Counters))));
        }
    });
}
