//! The sign of a system, as in its box on the sheet: letters in a frame. And the colour of a ship: that of its nation or
//! side, else of its game.

use std::sync::Arc;

use egui::{Align2, Color32, FontId, Painter, Rect, Shape, Stroke, StrokeKind, Ui, pos2};

use crate::theme::{self, Palette, bold, palette};
use crate::widgets::memoized;
use moldloft_rules::evaluate::{BoxShape, Evaluation};
use moldloft_rules::ruleset::{ROLE_TAGS, Ruleset};
use moldloft_sheet::sheet::ship_band;

/// In points.
pub const SIGN_SIDE: f32 = 18.0;

/// What its box shows, and the form of the box.
#[derive(Clone, Debug)]
pub struct SystemSign {
    /// May be empty.
    pub letters: Arc<str>,
    pub shape: BoxShape,
}

pub fn paint_sign(painter: &Painter, palette: &Palette, sign: &SystemSign, rect: Rect, colour: Color32) {
    let rect = rect.shrink(1.0);
    let stroke = Stroke::new(1.2, colour);
    match sign.shape {
        BoxShape::Circle | BoxShape::Round => {
            painter.circle(rect.center(), rect.width() / 2.0 - 0.6, palette.card, stroke);
        }
        BoxShape::Shield => {
            let (middle, waist) = (rect.center().x, rect.top() + rect.height() * 0.55);
            let outline = vec![
                rect.left_top(),
                rect.right_top(),
                pos2(rect.right(), waist),
                pos2(middle, rect.bottom()),
                pos2(rect.left(), waist),
            ];
            painter.add(Shape::convex_polygon(outline, palette.card, stroke));
        }
        BoxShape::Plain => {}
        BoxShape::Rounded => {
            painter.rect(rect, 5, palette.card, stroke, StrokeKind::Inside);
        }
        BoxShape::Square | BoxShape::Ruled | BoxShape::Arrow => {
            painter.rect(rect, 2, palette.card, stroke, StrokeKind::Inside);
        }
    }
    // Letters as the sheet has them: a drawing, not a text to read.
    let size = match sign.letters.chars().count() {
        0 | 1 => theme::SMALL,
        2 => 11.0,
        _ => 9.0,
    };
    painter.text(rect.center(), Align2::CENTER_CENTER, &*sign.letters, FontId::new(size, bold()), colour);
}

/// By what the system is for; the ship's own colour where its tags do not say.
pub fn sign_colour(ui: &Ui, ship: &Arc<Evaluation>, system: &str) -> Color32 {
    let own = ship.state.custom_systems.iter().find(|own| *own.id == *system).map(|own| own.base);
    let base = own.or_else(|| ship.ruleset.systems.iter().position(|known| *known.id == *system));
    let has_tag =
        |role: &&str| base.is_some_and(|base| ship.ruleset.systems[base].tags.iter().any(|tag| **tag == **role));
    let role = ROLE_TAGS.iter().position(has_tag);
    role.map_or_else(|| ship_colour(ui, ship), |role| palette(ui).roles[role])
}

/// Holds the ship, so that no other one takes its address.
#[derive(Clone)]
struct SameShip(Arc<Evaluation>);

impl PartialEq for SameShip {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Readable on the ground of cards.
pub fn ship_colour(ui: &Ui, ship: &Arc<Evaluation>) -> Color32 {
    let key = (SameShip(Arc::clone(ship)), ui.visuals().dark_mode);
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
