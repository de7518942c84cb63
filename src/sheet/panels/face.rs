//! A box drawn from a small template: takes the template made ready and one box of a track, gives its art and its texts filled, scaled into
//! the box. Its texts are never smaller than the smallest print: it says how large a box they need.

use std::sync::Arc;

use crate::evaluate::{Focus, It};
use crate::scene::Rect;
use crate::sheet::pen::{Hand, Hands, Pen, Role};
use crate::sheet::prepare::{Filled, Prepared};
use crate::sheet::view::View;

/// A small template filled for one box.
#[derive(Clone)]
pub struct DrawnFace {
    face: Arc<Prepared>,
    /// By place in the template's conditions.
    holds: Vec<bool>,
    /// Its texts, filled, by place in the template's texts made ready.
    words: Vec<(usize, String)>,
}

impl std::fmt::Debug for DrawnFace {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("DrawnFace").field("words", &self.words).finish_non_exhaustive()
    }
}

impl DrawnFace {
    /// The face of a box (from 0) of a track, by its place in the evaluation; of no track for an empty sheet.
    pub fn of(face: &Arc<Prepared>, track: Option<usize>, n: usize, view: &View<'_>) -> Self {
        let it = track.map_or(It::Nothing, |track| It::Box { track, n });
        let focus = Focus { it, ..Focus::default() };
        let template = &face.template;
        let mut holds: Vec<bool> = Vec::with_capacity(face.conditions.len());
        for (condition, formula) in template.conditions.iter().zip(&face.conditions) {
            let outer = condition.parent.is_none_or(|parent| holds.get(parent).copied().unwrap_or(false));
            holds.push(outer && formula.as_ref().is_some_and(|formula| view.holds(formula, &focus)));
        }
        let shown = |when: Option<usize>| when.is_none_or(|when| holds.get(when).copied().unwrap_or(false));
        let words = face.slots.iter().enumerate().filter(|(_, filled)| shown(template.slots[filled.place].when));
        let words = words.filter_map(|(n, filled)| Some((n, filled.words(view, &focus)?)));
        let words = words.filter(|(_, words)| !words.trim().is_empty()).collect();
        Self { face: Arc::clone(face), words, holds }
    }

    /// The hand of a text on a box drawn at this scale, and how wide it may be.
    fn hand(&self, filled: &Filled, words: &str, scale: f32, hands: &Hands) -> (Hand, f32) {
        let slot = &self.face.template.slots[filled.place];
        let role = role(filled);
        let size = hands.floor.at_least(slot.size * scale, role);
        let hand = Hand { face: slot.face, size, paint: slot.paint, spacing: slot.spacing / slot.size.max(0.01) };
        let room = filled.width.unwrap_or(self.face.template.width) * scale;
        let size = hands.floor.shrink(size, hand.width(words) / size.mm(), room, role);
        (Hand { size, ..hand }, room)
    }

    /// The least height of the box, mm, at which its texts are legible and keep to their widths.
    pub fn least(&self, hands: &Hands) -> f32 {
        let template = &self.face.template;
        let one = |(n, words): &(usize, String)| {
            let filled = &self.face.slots[*n];
            let slot = &template.slots[filled.place];
            let smallest = match role(filled) {
                Role::Played => hands.floor.played,
                Role::Label => hands.floor.text,
            };
            // At the scale of nothing, the hand is that of the smallest size.
            let (hand, _) = self.hand(filled, words, 0.0, hands);
            let high = smallest / slot.size.max(0.1);
            let wide = hand.width(words) / filled.width.unwrap_or(template.width).max(0.1);
            high.max(wide) * template.height
        };
        self.words.iter().map(one).fold(0.0, f32::max)
    }

    /// Draws it into a box.
    pub fn draw(&self, rect: Rect, pen: &mut Pen) {
        let template = &self.face.template;
        let scale = (rect.w / template.width.max(0.1)).min(rect.h / template.height.max(0.1));
        let (width, height) = (template.width * scale, template.height * scale);
        let place = Rect::new(rect.x + (rect.w - width) / 2.0, rect.y + (rect.h - height) / 2.0, width, height);
        let shown = |when: Option<usize>| when.is_none_or(|when| self.holds.get(when).copied().unwrap_or(false));
        for piece in template.pieces.iter().filter(|piece| shown(piece.when)) {
            pen.drawing(&piece.drawing, place, None);
        }
        for (n, words) in &self.words {
            let filled = &self.face.slots[*n];
            let slot = &template.slots[filled.place];
            let (hand, _) = self.hand(filled, words, scale, &pen.hands);
            pen.text(words, hand, place.x + slot.x * scale, place.y + slot.y * scale, slot.anchor);
        }
    }
}

fn role(filled: &Filled) -> Role {
    if filled.played { Role::Played } else { Role::Label }
}
