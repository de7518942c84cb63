//! Icons: those of Phosphor (fonts/Phosphor-icons.ttf, a part of its font), drawn at a place or before a text. Every button with one has a name.

use egui::{
    Align2, Color32, FontFamily, FontId, Painter, Rect, Response, RichText, Role, Sense, StrokeKind, Ui, WidgetInfo,
    vec2,
};

use crate::language::say;
use crate::theme::{BODY, palette};
use crate::widgets::MIN_TARGET_SIZE;

pub const FONT: &[u8] = include_bytes!("../../../fonts/Phosphor-icons.ttf");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Close,
    More,
    /// Points down: what is below is shown.
    Expand,
    /// Points to the right.
    Collapse,
    Earlier,
    Print,
    Chits,
    Suggest,
    Fight,
    Sheet,
    Odds,
    Folder,
    Good,
}

impl Icon {
    /// Its place in the font.
    const fn letter(self) -> char {
        match self {
            Self::Close => '\u{e4f6}',
            Self::More => '\u{e1fe}',
            Self::Expand => '\u{e136}',
            Self::Collapse => '\u{e13a}',
            Self::Earlier => '\u{e138}',
            Self::Print => '\u{e3dc}',
            Self::Chits => '\u{e190}',
            Self::Suggest => '\u{e2dc}',
            Self::Fight => '\u{e5ba}',
            Self::Sheet => '\u{e23a}',
            Self::Odds => '\u{e150}',
            Self::Folder => '\u{e256}',
            Self::Good => '\u{e184}',
        }
    }

    /// Before a text in a button, which needs a name of its own.
    pub fn text(self) -> RichText {
        RichText::new(self.letter()).family(family()).size(BODY)
    }
}

pub fn family() -> FontFamily {
    FontFamily::Name("icons".into())
}

pub fn paint(painter: &Painter, icon: Icon, rect: Rect, colour: Color32) {
    painter.text(rect.center(), Align2::CENTER_CENTER, icon.letter(), FontId::new(BODY, family()), colour);
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
    response.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, say(name)));
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
