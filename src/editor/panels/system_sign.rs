//! The sign of a system, as in its box on the sheet: letters in a frame. And the colour of a ship: that of its nation or
//! side, else of its game.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Painter, Rect, Stroke, StrokeKind, Ui};

use crate::editor::theme::{self, Palette, bold, palette};
use crate::editor::widgets::memoized;
use crate::evaluate::Evaluation;
use crate::ruleset::Ruleset;
use crate::sheet::ship_band;

/// In points.
pub const SIGN_SIDE: f32 = 18.0;

/// `letters` may be empty: then the frame is.
pub fn paint_sign(painter: &Painter, palette: &Palette, letters: &str, rect: Rect, colour: Color32) {
    let rect = rect.shrink(1.0);
    painter.rect(rect, 2, palette.card, Stroke::new(1.2, colour), StrokeKind::Inside);
    let size = match letters.chars().count() {
        0 | 1 => theme::SMALL,
        2 => theme::MICRO,
        _ => theme::MICRO - 2.0,
    };
    painter.text(rect.center(), Align2::CENTER_CENTER, letters, FontId::new(size, bold()), colour);
}

/// Readable on the ground of cards.
pub fn ship_colour(ui: &Ui, ship: &Arc<Evaluation>) -> Color32 {
    let key = (Arc::as_ptr(ship).addr(), ui.visuals().dark_mode);
    let of_ship = || ship_band(ship).map(|band| band.rgb).or(ship.ruleset.colour);
    memoized(ui.ctx(), "colour of the ship", key, || readable(ui, of_ship()))
}

pub fn game_colour(ui: &Ui, rules: &Ruleset) -> Color32 {
    readable(ui, rules.colour)
}

/// Mixed with white in the dark theme.
fn readable(ui: &Ui, rgb: Option<[u8; 3]>) -> Color32 {
    let Some([red, green, blue]) = rgb else { return palette(ui).muted };
    let colour = Color32::from_rgb(red, green, blue);
    if ui.visuals().dark_mode { colour.lerp_to_gamma(Color32::WHITE, 0.55) } else { colour }
}
