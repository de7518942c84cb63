//! Tiles: entries of a list or grid that are painted and clicked as a whole. Takes a rectangle and a name, gives the
//! response. Also text cut to a width.

use std::sync::Arc;

use egui::style::ScrollAnimation;
use egui::text::LayoutJob;
use egui::{Color32, FontId, Galley, Id, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::language::say;
use crate::theme::{BODY, SMALL, palette};

/// Height of a tile with two lines of text, in points.
pub const TWO_LINES: f32 = 42.0;

pub fn tile(ui: &mut Ui, rect: Rect, id: Id, name: &str, chosen: bool) -> Response {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, say(name)));
    // An arrow key moves the focus between two frames, so compare with the last frame.
    let reached = Id::unique("focused tile");
    if response.has_focus() && ui.data(|data| data.get_temp(reached)) != Some(id) {
        ui.data_mut(|data| data.insert_temp(reached, id));
        // Far enough to show the next tile: arrow keys only reach visible widgets.
        ui.scroll_to_rect_animation(rect.expand2(vec2(0.0, 64.0)), None, ScrollAnimation::none());
    }
    let (palette, round) = (palette(ui), 4);
    if chosen {
        ui.painter().rect_filled(rect, round, palette.selection);
    } else if response.hovered() || response.is_pointer_button_down_on() {
        ui.painter().rect_filled(rect, round, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect.shrink(1.0), round, Stroke::new(2.0, palette.accent), StrokeKind::Inside);
    }
    response
}

pub fn static_tile(ui: &mut Ui, rect: Rect, id: Id, name: &str) -> Response {
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, say(name)));
    response
}

pub fn ellipsize(ui: &Ui, text: &str, font: FontId, colour: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, colour);
    job.wrap.max_width = width.max(1.0);
    job.wrap.max_rows = 1;
    job.wrap.break_anywhere = true;
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// A title and a smaller note below it, on a tile of [`TWO_LINES`].
pub fn paint_two_lines(ui: &Ui, rect: Rect, title: (&str, Color32), note: (&str, Color32)) {
    let (left, width) = (rect.left() + 8.0, rect.width() - 16.0);
    for ((text, colour), y, size) in [(title, 12.0, BODY), (note, 30.0, SMALL)] {
        paint_text(ui, Pos2::new(left, rect.top() + y), text, FontId::proportional(size), colour, width);
    }
}

/// Left end and vertical middle at `at`; gives the width.
pub fn paint_text(ui: &Ui, at: Pos2, text: &str, font: FontId, colour: Color32, width: f32) -> f32 {
    paint_galley(ui, at, ellipsize(ui, &say(text), font, colour, width), false)
}

/// Right end and vertical middle at `at`; gives the width.
pub fn paint_text_right(ui: &Ui, at: Pos2, text: &str, font: FontId, colour: Color32, width: f32) -> f32 {
    paint_galley(ui, at, ellipsize(ui, &say(text), font, colour, width), true)
}

fn paint_galley(ui: &Ui, at: Pos2, galley: Arc<Galley>, to_right: bool) -> f32 {
    let size = galley.size();
    let left = if to_right { at.x - size.x } else { at.x };
    ui.painter().galley(Pos2::new(left, at.y - size.y / 2.0), galley, Color32::PLACEHOLDER);
    size.x
}

/// Within a cell of a table, at its left or right end, as it is written; gives the width.
pub fn paint_cell(ui: &Ui, cell: Rect, text: &str, font: FontId, colour: Color32, to_right: bool) -> f32 {
    let (cell, y) = (cell.shrink2(vec2(6.0, 0.0)), cell.center().y);
    let x = if to_right { cell.right() } else { cell.left() };
    paint_galley(ui, Pos2::new(x, y), ellipsize(ui, text, font, colour, cell.width()), to_right)
}
