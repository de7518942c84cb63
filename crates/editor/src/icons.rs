//! Icons, drawn with lines: takes a place and a colour. Every button with one has a name.

use std::f32::consts::TAU;

use egui::{
    Color32, Painter, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::theme::palette;
use crate::widgets::MIN_TARGET_SIZE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Close,
    More,
    /// Points down: what is below is shown.
    Expand,
    /// Points to the right.
    Collapse,
}

pub fn paint(painter: &Painter, icon: Icon, rect: Rect, colour: Color32) {
    let at = rect.center();
    let stroke = Stroke::new(1.6, colour);
    let line = |points: &[Pos2]| painter.add(Shape::line(points.to_vec(), stroke));
    let chevron = |turn: f32| {
        let rotate = egui::emath::Rot2::from_angle(turn);
        line(&[vec2(-2.5, -4.5), vec2(2.5, 0.0), vec2(-2.5, 4.5)].map(|by| at + rotate * by));
    };
    match icon {
        Icon::Close => {
            for (a, b) in [(-1.0, -1.0), (-1.0, 1.0)] {
                line(&[at + vec2(a, b) * 4.0, at - vec2(a, b) * 4.0]);
            }
        }
        Icon::More => {
            for n in -1..=1 {
                painter.circle_filled(pos2(at.x + 5.0 * n as f32, at.y), 1.6, colour);
            }
        }
        Icon::Collapse => chevron(0.0),
        Icon::Expand => chevron(TAU / 4.0),
    }
}

/// A button without a frame until it is pointed at.
pub fn icon_button(ui: &mut Ui, icon: Icon, name: &str) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(MIN_TARGET_SIZE, MIN_TARGET_SIZE), Sense::click());
    paint_button(ui, icon, name, rect, &response);
    response
}

/// The same in a place of its own.
pub fn paint_button(ui: &Ui, icon: Icon, name: &str, rect: Rect, response: &Response) {
    let is_enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, name));
    let palette = palette(ui);
    if response.hovered() || response.is_pointer_button_down_on() {
        ui.painter().rect_filled(rect, 4, ui.visuals().widgets.hovered.weak_bg_fill);
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 4, ui.visuals().selection.stroke, StrokeKind::Inside);
    }
    let ink = match (is_enabled, response.hovered()) {
        (false, _) => palette.line,
        (true, true) => ui.visuals().text_color(),
        (true, false) => palette.muted,
    };
    paint(ui.painter(), icon, rect, ink);
}
