//! Banners and error notices over the page: nothing moves under the pointer, and they never open under it.

use egui::{Align2, Area, Frame, Id, Order, ScrollArea, Ui, vec2};

use crate::language::say;
use crate::panels::{disk_changes, notices, rules_banner};
use crate::regions::{self, Region};
use crate::theme::palette;
use crate::{Command, EditorState};

const WIDTH_RANGE: (f32, f32) = (300.0, 760.0);
/// In points, of the bars above and below.
const BAR_HEIGHTS: (f32, f32) = (78.0, 40.0);

pub fn show(ui: &Ui, state: &EditorState, out: &mut Vec<Command>) {
    let is_changed = state.current_doc().is_some_and(|doc| doc.disk_change.is_some());
    let has_errors = state.notices.iter().any(|notice| notice.is_error);
    let key = Id::unique("overlay position");
    if !is_changed && !has_errors && !rules_banner::is_needed(&state.ruleset_status) {
        ui.data_mut(|data| data.remove::<bool>(key));
        return;
    }
    let room = ui.ctx().content_rect();
    let pointer = ui.ctx().pointer_latest_pos();
    let is_low = pointer.is_some_and(|at| at.y > room.center().y);
    let at_top = ui.data_mut(|data| *data.get_temp_mut_or_insert_with(key, || is_low));
    let (align, off) = match at_top {
        true => (Align2::RIGHT_TOP, vec2(-8.0, BAR_HEIGHTS.0)),
        false => (Align2::RIGHT_BOTTOM, vec2(-8.0, -BAR_HEIGHTS.1)),
    };
    let width = (room.width() * 0.6).clamp(WIDTH_RANGE.0, WIDTH_RANGE.1).min(room.width() - 16.0);
    let area = Area::new(Id::unique("overlay")).order(Order::Middle).anchor(align, off).movable(false);
    area.show(ui.ctx(), |ui| {
        let frame = Frame::popup(ui.style()).stroke(egui::Stroke::new(1.5, palette(ui).warning));
        frame.show(ui, |ui| {
            ui.set_width(width - 14.0);
            regions::begin_region(ui, Region::Notices);
            ScrollArea::vertical().max_height((room.height() * 0.4).max(80.0)).show(ui, |ui| {
                if is_changed {
                    disk_changes::show_banner(ui, state, out);
                }
                rules_banner::show(ui, state, out);
                notices::show(ui, &state.notices, out);
            });
        });
    });
}

/// Says that what is dragged over the window is opened when it is dropped.
pub fn show_drop_hint(ui: &Ui) {
    if ui.ctx().input(|input| input.raw.hovered_files.is_empty()) {
        return;
    }
    let area = Area::new(Id::unique("drop hint")).order(Order::Tooltip).anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0));
    area.interactable(false).show(ui.ctx(), |ui| {
        let stroke = egui::Stroke::new(2.0, palette(ui).accent);
        Frame::popup(ui.style()).stroke(stroke).inner_margin(24).show(ui, |ui| {
            ui.heading(say("Drop to open"));
            ui.label(say(
                "a design, a fleet, a bundle, house rules or a folder; a picture is for the ship that is shown",
            ));
        });
    });
}
