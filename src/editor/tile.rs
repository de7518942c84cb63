//! Tiles: things in a list or grid that are painted as a whole and clicked as a whole. Takes a place and a name, gives the response; paints the
//! ground, what is chosen and where the keyboard is. Also texts cut to a width.

use std::sync::Arc;

use egui::style::ScrollAnimation;
use egui::text::LayoutJob;
use egui::{Color32, FontId, Galley, Id, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::theme::palette;

/// A tile to be clicked, called so. Its ground is painted; what stands on it is for the caller.
pub fn tile(ui: &mut Ui, rect: Rect, id: Id, name: &str, chosen: bool) -> Response {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, name));
    // An arrow key moves the keyboard between two frames: the tile sees only that it has it now.
    let reached = Id::unique("tile reached by the keyboard");
    if response.has_focus() && ui.data(|data| data.get_temp(reached)) != Some(id) {
        ui.data_mut(|data| data.insert_temp(reached, id));
        // So far that what comes next can be seen: the arrow keys only go to what is in sight.
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

/// A tile that only tells: nothing happens on a click.
pub fn static_tile(ui: &mut Ui, rect: Rect, id: Id, name: &str) -> Response {
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
    response
}

/// One line of text, cut with an ellipsis at a width.
pub fn ellipsize(ui: &Ui, text: &str, font: FontId, colour: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, colour);
    job.wrap.max_width = width.max(1.0);
    job.wrap.max_rows = 1;
    job.wrap.break_anywhere = true;
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Paints one line, its left end at `at`, the middle of its height there; gives its width.
pub fn paint_text(ui: &Ui, at: Pos2, text: &str, font: FontId, colour: Color32, width: f32) -> f32 {
    let galley = ellipsize(ui, text, font, colour, width);
    let size = galley.size();
    ui.painter().galley(Pos2::new(at.x, at.y - size.y / 2.0), galley, colour);
    size.x
}

/// Paints one line whose right end is at `at`; gives its width.
pub fn paint_text_right(ui: &Ui, at: Pos2, text: &str, font: FontId, colour: Color32, width: f32) -> f32 {
    let galley = ellipsize(ui, text, font, colour, width);
    let size = galley.size();
    ui.painter().galley(Pos2::new(at.x - size.x, at.y - size.y / 2.0), galley, colour);
    size.x
}
