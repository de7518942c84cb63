//! The chart: the same page that is saved and printed. The pointer names bars and steps, a click explains them, arrow keys move along its axis.

use egui::{
    Color32, CursorIcon, EventFilter, Id, Key, Modifiers, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2,
};

use crate::language::say;
use crate::odds_page::model::{OddsPicture, OddsView};
use crate::odds_page::{OddsAnswer, OddsCommand, OddsSelection, OddsViewport};
use crate::pointer_moves::follow_pointer;
use crate::preview::MarkedShape;
use crate::theme::{palette, paper};
use crate::{Command, Doc, EditorState};
use moldloft_odds::odds::words::{matrix_situation_line, situation_line, who};

/// Widest chart, in points.
const MAX_WIDTH: f32 = 1200.0;
/// Widths of pictures are multiples of this, in pixels, so that a small change of the window draws nothing again.
const WIDTH_STEP: f32 = 8.0;
/// Points in a millimetre of the page, so that its letters, of 2.6 mm, are 13 points high.
const POINTS_PER_MM: f32 = 5.0;
/// Values that an arrow key with Shift moves.
const LARGE_STEP: i64 = 10;

/// In pixels.
fn pixel_width(ui: &Ui) -> f32 {
    let pixels = ui.available_width().clamp(80.0, MAX_WIDTH) * ui.ctx().pixels_per_point();
    (pixels / WIDTH_STEP).floor() * WIDTH_STEP
}

/// Reports the width that the chart has.
pub fn report_viewport(ui: &Ui, state: &EditorState, doc: &Doc, out: &mut Vec<Command>) {
    let width = pixel_width(ui);
    let page = (width / ui.ctx().pixels_per_point() / POINTS_PER_MM) as u32;
    let viewport = OddsViewport { doc: doc.id, width: width as u32, page };
    if state.odds.viewport() != Some(viewport) {
        out.push(Command::Odds(OddsCommand::SetViewport(viewport)));
    }
}

/// What a mark of the chart selects.
fn selection(mark: &str) -> Option<OddsSelection> {
    if let Some(bar) = mark.strip_prefix("bar_") {
        return bar.parse().ok().map(OddsSelection::Bar);
    }
    let (attack, _) = mark.strip_prefix("step_")?.split_once('_')?;
    attack.parse().ok().map(OddsSelection::Attack)
}

fn is_selected(view: &OddsView, mark: &str) -> bool {
    view.selection.is_some() && selection(mark) == view.selection
}

pub fn show(ui: &mut Ui, doc: &Doc, view: &OddsView, answer: &OddsAnswer, out: &mut Vec<Command>) {
    let Some(picture) = &view.picture else { return };
    let (wide, high) = picture.size;
    let per_point = ui.ctx().pixels_per_point();
    // Whole pixels, so that the picture is sharp.
    let per_pixel = |mm: f32| (mm * pixel_width(ui) / wide).round() / per_point;
    let per_mm = per_pixel(wide) / wide;
    let size = vec2(per_pixel(wide), per_pixel(high));
    let (room, _) = ui.allocate_exact_size(size + egui::Vec2::splat(1.0 / per_point), Sense::hover());
    let corner = (room.min.to_vec2() * per_point).ceil() / per_point;
    let rect = Rect::from_min_size(corner.to_pos2(), size);
    let response = ui.interact(rect, Id::unique(("chart of odds", doc.id)), Sense::click());
    let name = accessible_name(answer, view.is_current);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, say(&name)));
    paint(ui, rect, picture, view.is_current);
    let marks = || picture.index.marked_shapes.iter();
    let place = |shape: &MarkedShape| {
        let corner = rect.min + vec2(shape.rect.x, shape.rect.y) * per_mm;
        Rect::from_min_size(corner, vec2(shape.rect.w, shape.rect.h) * per_mm)
    };
    let accent = palette(ui).accent;
    for shape in marks().filter(|shape| is_selected(view, &shape.mark.name)) {
        ui.painter().rect_stroke(place(shape).expand(1.5), 1.0, Stroke::new(1.5, accent), StrokeKind::Outside);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 0.0, Stroke::new(2.0, accent), StrokeKind::Inside);
        keys(ui, &response, out);
    }
    if response.clicked() {
        response.request_focus();
    }
    let at = |pointer: Pos2| (pointer - rect.min) / per_mm;
    let under = |pointer: Pos2| picture.index.marked_shape_at(at(pointer).x, at(pointer).y);
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| response.clicked()) {
        let chosen = under(pointer).and_then(|shape| selection(&shape.mark.name));
        out.push(Command::Odds(OddsCommand::Select(chosen)));
    }
    follow_pointer(ui.ctx(), response.id);
    let Some(shape) = response.hover_pos().and_then(under) else { return };
    if selection(&shape.mark.name).is_some() {
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    }
    let layer = ui.layer_id();
    let tip = egui::Tooltip::always_open(ui.ctx().clone(), layer, response.id.with("tip"), egui::PopupAnchor::Pointer);
    tip.gap(14.0).show(|ui| {
        ui.label(say(&*shape.mark.label));
    });
}

fn accessible_name(answer: &OddsAnswer, is_current: bool) -> String {
    let what = match (answer.pair(), answer.matrix()) {
        (Some(odds), _) => format!("{}, {}", who(odds), situation_line(odds.rules(), &odds.situation)),
        (None, Some(matrix)) => matrix_situation_line(matrix),
        (None, None) => String::new(),
    };
    format!("Chart of odds: {what}{}", if is_current { "" } else { ", being worked out again" })
}

/// An old chart is dimmed until the new one is there.
fn paint(ui: &Ui, rect: Rect, picture: &OddsPicture, is_current: bool) {
    let painter = ui.painter();
    painter.rect_filled(rect.translate(vec2(0.0, 1.5)).expand(1.0), 1.0, Color32::from_black_alpha(40));
    painter.rect_filled(rect, 0.0, paper(ui));
    if let Some(texture) = picture.tile.texture(ui.ctx()) {
        let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
        let tint = if is_current { paper(ui) } else { paper(ui).gamma_multiply(0.43) };
        painter.image(texture, rect, whole, tint);
    }
}

fn keys(ui: &Ui, response: &egui::Response, out: &mut Vec<Command>) {
    let filter = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: false, escape: false };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let by = ui.input_mut(|input| {
        let mut by = 0;
        for (modifiers, step) in [(Modifiers::SHIFT, LARGE_STEP), (Modifiers::NONE, 1)] {
            by += step * i64::from(input.consume_key(modifiers, Key::ArrowRight));
            by -= step * i64::from(input.consume_key(modifiers, Key::ArrowLeft));
        }
        by
    });
    if by != 0 {
        out.push(Command::Odds(OddsCommand::StepAxis(by)));
    }
}
