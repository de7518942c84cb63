//! Writes a line of text as a show operator, gives the bounds of its ink, and tells which texts of a form are one line.

use super::graphics_state::{FONT_PLACES, put_font};
use super::structure::StructureRole;
use super::syntax::{put_object, text_string};
use super::usage::EmbeddedFont;
use crate::export::limits::bounded_length;
use crate::export::number::{put, to_steps};
use moldloft_drawing::fonts::{self, FontFace};
use moldloft_drawing::scene::{Rect, TextLine};

/// A marked line of text whose pieces are still to be written.
pub(super) struct PendingLine {
    pub item: usize,
    pub role: StructureRole,
    pub marks: Vec<u32>,
}

/// Which texts of a page are one line.
#[derive(Default)]
pub(super) struct LineTracker<'a> {
    pub all: Vec<PendingLine>,
    pub titles: Vec<&'a str>,
    pub item: usize,
    pub field: Option<Rect>,
    /// Where the last line may continue: baseline and right end.
    pub end: Option<(i64, i64)>,
}

impl LineTracker<'_> {
    /// Whether this is the label inside a box, which its field describes.
    pub fn is_box_label(&self, words: &str, x: f32, y: f32) -> bool {
        let inside = |rect: &Rect| x >= rect.x && x <= rect.right() && y >= rect.y && y <= rect.bottom();
        words.chars().count() <= 3
            && !words.chars().any(|letter| letter.is_ascii_digit())
            && self.field.as_ref().is_some_and(inside)
    }

    /// The line to which a text belongs: the last one if it continues that.
    pub fn line_for(
        &mut self,
        text: &TextLine,
        role: StructureRole,
        (x, y): (i64, i64),
        width: i64,
        upright: bool,
    ) -> u32 {
        let goes_on = upright
            && role == StructureRole::Body
            && self.all.last().is_some_and(|last| last.role == StructureRole::Body)
            && self.end.is_some_and(|(baseline, right)| (baseline - y).abs() < 10 && (x - right).abs() < 35);
        if !goes_on {
            self.all.push(PendingLine { item: self.item, role, marks: Vec::new() });
        }
        self.end = (upright && !text.shaped.text.is_empty()).then_some((y, x + width));
        self.all.len() as u32 - 1
    }
}

/// Bounds of the ink in the line's own millimetres: left, top, right, bottom.
pub(super) fn ink_box(text: &TextLine) -> (f32, f32, f32, f32) {
    let size = bounded_length(text.size);
    // In ems.
    let (spacing, mut pen) = (bounded_length(text.spacing) / size, 0.0);
    let (mut left, mut top, mut right, mut bottom) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    for glyph in &text.shaped.glyphs {
        let bounds = fonts::glyph_outline(glyph.face, glyph.id).bounds;
        let (x, y) = (pen + glyph.dx, -glyph.dy);
        left = left.min(x + bounds[0]);
        right = right.max(x + bounds[2]);
        top = top.min(y + bounds[1]);
        bottom = bottom.max(y + bounds[3]);
        pen += glyph.advance + spacing;
    }
    let (x, y) = (bounded_length(text.x), bounded_length(text.y));
    (x + left * size, y + top * size, x + right * size, y + bottom * size)
}

pub(super) fn put_actual_text(out: &mut Vec<u8>, words: &str) {
    out.extend_from_slice(b"/Span<</ActualText");
    put_object(out, &text_string(words));
    out.extend_from_slice(b">>BDC\n");
}

/// The show operator for text in this face: a string without kerning, else an array; raised glyphs and those of another
/// face are shown separately.
pub(super) fn show_operator(
    out: &mut Vec<u8>,
    text: &TextLine,
    face: FontFace,
    embedded: &[Option<EmbeddedFont>],
    em: f32,
) {
    let font_size = to_steps(em, FONT_PLACES);
    let mut current = face;
    let start = out.len();
    out.extend_from_slice(b"[(");
    let (mut kerned, mut shift, mut raised) = (false, 0.0_f32, 0.0_f32);
    for glyph in &text.shaped.glyphs {
        if (glyph.dy - raised).abs() > 1e-4 {
            out.extend_from_slice(b")]TJ ");
            put(out, glyph.dy * em, 0);
            out.extend_from_slice(b" Ts[(");
            raised = glyph.dy;
            kerned = true;
        }
        if glyph.face != current {
            out.extend_from_slice(b")]TJ ");
            put_font(out, glyph.face, font_size);
            out.extend_from_slice(b"[(");
            current = glyph.face;
            kerned = true;
        }
        // Thousandths that the pen must move right, beyond the advances of the glyphs shown.
        let before = ((shift + glyph.dx) * 1000.0).round();
        if before != 0.0 {
            out.push(b')');
            put(out, -before, 0);
            out.push(b'(');
            kerned = true;
        }
        shift += glyph.advance - before / 1000.0 - fonts::advance(glyph.face, glyph.id);
        if let Some(font) = &embedded[glyph.face as usize] {
            font.put_code(out, glyph.id);
        }
    }
    if kerned {
        out.extend_from_slice(b")]TJ");
        if raised != 0.0 {
            out.extend_from_slice(b" 0 Ts");
        }
        if current != face {
            out.push(b' ');
            put_font(out, face, font_size);
        }
        out.push(b'\n');
    } else {
        out.remove(start);
        out.extend_from_slice(b")Tj\n");
    }
}
