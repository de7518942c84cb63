//! Boxes of a fleet's ship: a click ticks one, a drag ticks all that it crosses, as one step of undo.

use std::f32::consts::TAU;

use egui::{Id, Pos2, Response, Ui, Vec2};

use crate::fleet::model::FleetCommand;
use crate::panels::canvas::on_screen::{SheetOnScreen, held_id};
use crate::preview::{MarkedShape, PreviewMode, SheetPreview};
use crate::{Command, Doc};
use moldloft_drawing::scene::{Mark, MarkKind};

/// In points.
const NEAR: f32 = 6.0;

/// Damage or ammunition, which a fleet keeps.
pub fn is_fleet_damage(shown: &SheetPreview, mark: &Mark) -> bool {
    let Some((stem, _)) = mark.name.rsplit_once('_').filter(|_| mark.kind == MarkKind::Tick) else { return false };
    shown.pages.lasting_stems.contains(stem)
}

/// Stem and number of a box that can be ticked now: the picture may show another ship or an earlier text.
pub fn tickable(doc: &Doc, shown: &SheetPreview, mark: &Mark) -> Option<(String, u32)> {
    let is_sheet = matches!(shown.key.view, PreviewMode::Sheet);
    if !shows_present_ship(doc, shown) || !is_sheet || !is_fleet_damage(shown, mark) {
        return None;
    }
    let (stem, number) = mark.name.rsplit_once('_')?;
    Some((stem.to_owned(), number.parse().ok()?))
}

/// `None` if it cannot be ticked.
pub fn is_ticked(doc: &Doc, mark_name: &str) -> Option<bool> {
    let damage = &doc.as_fleet()?.shown_unit()?.evaluation.ship.damage;
    let (stem, number) = mark_name.rsplit_once('_')?;
    Some(damage.is_hit(stem, number.parse().ok()?))
}

pub fn toggle_box(doc: &Doc, shown: &SheetPreview, shape: &MarkedShape, out: &mut Vec<Command>) {
    if let Some((stem, number)) = tickable(doc, shown, &shape.mark) {
        out.push(Command::Fleet(FleetCommand::ToggleBox { stem, number }));
    }
}

/// Sets all boxes under the drag to the new state of the first one. True if it began on a box, so that the sheet is
/// not scrolled.
pub fn tick_dragged_boxes(
    ui: &Ui,
    doc: &Doc,
    shown: &SheetPreview,
    sheet: &SheetOnScreen<'_>,
    response: &Response,
    out: &mut Vec<Command>,
) -> bool {
    let key = Id::unique(("sheet", doc.id)).with("ticking");
    let (begun, now, moved) =
        ui.input(|input| (input.pointer.press_origin(), input.pointer.interact_pos(), input.pointer.delta()));
    let is_box = |at: Pos2| sheet.marked_shape_at(shown, at).filter(|shape| shape.mark.kind == MarkKind::Tick);
    // Beside a box is meant for it: boxes may be small on the screen.
    let nearest = |at: Pos2| {
        let around =
            [0.0, 2.0, 4.0, 6.0, 1.0, 3.0, 5.0, 7.0].map(|eighth| at + Vec2::angled(eighth * TAU / 8.0) * NEAR);
        std::iter::once(at).chain(around).find_map(is_box)
    };
    let first = begun.filter(|_| response.is_pointer_button_down_on()).and_then(nearest);
    ui.data_mut(|data| data.insert_temp(held_id(doc), first.is_some()));
    if response.drag_stopped() {
        out.push(Command::EndMerge);
    }
    let (Some(first), Some(now)) = (first, now.filter(|_| response.dragged())) else { return false };
    let target = key.with("to");
    let to = match response.drag_started() {
        true => {
            out.push(Command::EndMerge);
            is_ticked(doc, &first.mark.name).map(|hit| !hit)
        }
        false => ui.data(|data| data.get_temp::<bool>(target)),
    };
    let Some(to) = to else { return true };
    ui.data_mut(|data| data.insert_temp(target, to));
    // The pointer jumps from frame to frame: boxes in between count too.
    let steps = (moved.length() / 2.0).ceil().clamp(1.0, 400.0) as u32;
    let way = (0..=steps).map(|step| now - moved * (step as f32 / steps as f32));
    let mut boxes: Vec<(String, u32)> = Vec::new();
    let start = response.drag_started().then_some(first);
    for shape in way.filter_map(is_box).chain(start) {
        if is_ticked(doc, &shape.mark.name) == Some(!to)
            && let Some(one) = tickable(doc, shown, &shape.mark).filter(|one| !boxes.contains(one))
        {
            boxes.push(one);
        }
    }
    if !boxes.is_empty() {
        out.push(Command::Fleet(FleetCommand::MarkBoxes { boxes, ticked: to }));
    }
    true
}

pub fn shows_present_ship(doc: &Doc, shown: &SheetPreview) -> bool {
    doc.shown_ship().is_some_and(|ship| ship.ship.unit == shown.key.unit)
}
