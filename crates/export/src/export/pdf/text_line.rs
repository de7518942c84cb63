//! Writes a line of text as a show operator, and gives the bounds of its ink.

use super::graphics_state::put_font;
use super::syntax::{put_object, text_string};
use super::usage::EmbeddedFont;
use crate::export::limits::bounded_length;
use crate::export::number::{put, to_steps};
use moldloft_drawing::fonts::{self, FontFace};
use moldloft_drawing::scene::TextLine;

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
    let font_size = to_steps(em, 3);
    let mut current = face;
    let start = out.len();
    out.extend_from_slice(b"[(");
    let (mut kerned, mut shift, mut raised) = (false, 0.0_f32, 0.0_f32);
    for glyph in &text.shaped.glyphs {
        if (glyph.dy - raised).abs() > 1e-4 {
            out.extend_from_slice(b")]TJ ");
            put(out, glyph.dy * em, 2);
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
