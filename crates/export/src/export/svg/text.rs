//! Writes text as outlines (each glyph of a page defined once, the text kept in `aria-label`), or as text elements with
//! an embedded font.

use std::collections::{BTreeMap, BTreeSet};

use super::xml::{put_escaped, put_number};
use crate::export::limits::bounded_length;
use crate::export::number::{MAX_NUMBER, put};
use crate::export::options::TextMode;
use moldloft_drawing::fonts::{self, FontFace, GlyphSegment, ShapedGlyph};
use moldloft_drawing::scene::TextLine;

const UNITS_PER_EM: f32 = 1000.0;

pub struct TextWriter {
    text_mode: TextMode,
    glyphs: BTreeSet<(FontFace, u16)>,
    characters: BTreeMap<FontFace, BTreeSet<char>>,
}

fn face_letter(face: FontFace) -> char {
    match face {
        FontFace::Regular => 'r',
        FontFace::SemiBold => 'm',
        FontFace::Bold => 'b',
        FontFace::Fallback => 'f',
    }
}

impl TextWriter {
    pub fn new(text_mode: TextMode) -> Self {
        Self { text_mode, glyphs: BTreeSet::new(), characters: BTreeMap::new() }
    }

    pub fn put_text(&mut self, out: &mut Vec<u8>, text: &TextLine, attributes: &[u8]) {
        if bounded_length(text.size) <= 0.0 || text.shaped.glyphs.is_empty() {
            return;
        }
        match self.text_mode {
            TextMode::Outlined => self.put_outlined(out, text, attributes),
            // A viewer could not join or reorder letters of a reduced font, so shaped text is drawn as outlines.
            TextMode::Embedded if text.shaped.glyphs.iter().any(is_shaped) => self.put_outlined(out, text, attributes),
            TextMode::Embedded => self.put_embedded(out, text, attributes),
        }
    }

    fn put_outlined(&mut self, out: &mut Vec<u8>, text: &TextLine, attributes: &[u8]) {
        let size = bounded_length(text.size);
        out.extend_from_slice(b"<g role=\"img\" aria-label=\"");
        put_escaped(out, &text.shaped.text);
        out.extend_from_slice(b"\" transform=\"translate(");
        put(out, bounded_length(text.x), 3);
        out.push(b' ');
        put(out, bounded_length(text.y), 3);
        out.extend_from_slice(b") scale(");
        put(out, size / UNITS_PER_EM, 6);
        out.extend_from_slice(b")\"");
        out.extend_from_slice(attributes);
        out.push(b'>');
        let mut pen = 0.0;
        for glyph in &text.shaped.glyphs {
            let x = (pen + glyph.dx) * UNITS_PER_EM;
            // Numbers of two thousand ems would be clamped, and are off any page.
            let face = glyph.face;
            if x.abs() < MAX_NUMBER && !fonts::glyph_outline(face, glyph.id).segments.is_empty() {
                self.glyphs.insert((face, glyph.id));
                out.extend_from_slice(format!("<use xlink:href=\"#{}{}\"", face_letter(face), glyph.id).as_bytes());
                put_number(out, "x", x, 1);
                if glyph.dy != 0.0 {
                    put_number(out, "y", -glyph.dy * UNITS_PER_EM, 1);
                }
                out.extend_from_slice(b"/>");
            }
            pen += glyph.advance + bounded_length(text.spacing) / size;
        }
        out.extend_from_slice(b"</g>\n");
    }

    fn put_embedded(&mut self, out: &mut Vec<u8>, text: &TextLine, attributes: &[u8]) {
        let (face, size) = (text.shaped.face, bounded_length(text.size));
        let (mut pen, mut words, mut places, mut mixed) = (0.0, String::new(), Vec::new(), false);
        for glyph in &text.shaped.glyphs {
            let part = text.shaped.text.get(glyph.text.start as usize..glyph.text.end as usize).unwrap_or_default();
            mixed |= glyph.face != face;
            for character in part.chars() {
                let shown = if character.is_control() { ' ' } else { character };
                self.characters.entry(glyph.face).or_default().insert(shown);
                words.push(shown);
                if !places.is_empty() {
                    places.push(b' ');
                }
                put(&mut places, bounded_length(text.x) + pen * size, 3);
            }
            pen += glyph.advance + bounded_length(text.spacing) / size;
        }
        out.extend_from_slice(b"<text x=\"");
        out.extend_from_slice(&places);
        out.push(b'"');
        put_number(out, "y", bounded_length(text.y), 3);
        put_number(out, "font-size", size, 3);
        let family = format!(
            " font-family=\"'Moldloft {}', {}'IBM Plex Sans Condensed', sans-serif\" font-weight=\"{}\"",
            face_letter(face),
            if mixed { "'Moldloft f', " } else { "" },
            face.weight()
        );
        out.extend_from_slice(family.as_bytes());
        out.extend_from_slice(attributes);
        out.extend_from_slice(b" xml:space=\"preserve\">");
        put_escaped(out, &words);
        out.extend_from_slice(b"</text>\n");
    }

    /// For the file's `defs`.
    pub fn definitions(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for &(face, glyph) in &self.glyphs {
            out.extend_from_slice(format!("<path id=\"{}{glyph}\" d=\"", face_letter(face)).as_bytes());
            for segment in &fonts::glyph_outline(face, glyph).segments {
                put_segment(&mut out, segment);
            }
            out.extend_from_slice(b"\"/>\n");
        }
        if !self.characters.is_empty() {
            out.extend_from_slice(b"<style>\n");
            for (&face, characters) in &self.characters {
                let font = base64(&fonts::web_font(face, characters.iter().copied()));
                let rule = format!(
                    "@font-face {{ font-family: 'Moldloft {}'; font-weight: {}; src: url(data:font/ttf;base64,{font}) format('truetype'); }}\n",
                    face_letter(face),
                    // The fallback has one face for all weights, so the viewer must not embolden it.
                    if face == FontFace::Fallback { "100 900".to_owned() } else { face.weight().to_string() }
                );
                out.extend_from_slice(rule.as_bytes());
            }
            out.extend_from_slice(b"</style>\n");
        }
        out
    }
}

/// Whether a glyph of the fallback is substituted, or moved from the pen position.
fn is_shaped(glyph: &ShapedGlyph) -> bool {
    glyph.face == FontFace::Fallback && (glyph.is_substituted || glyph.dx != 0.0 || glyph.dy != 0.0)
}

fn put_segment(out: &mut Vec<u8>, segment: &GlyphSegment) {
    let (letter, numbers): (u8, &[f32]) = match segment {
        GlyphSegment::Move(x, y) => (b'M', &[*x, *y]),
        GlyphSegment::Line(x, y) => (b'L', &[*x, *y]),
        GlyphSegment::Quad(cx, cy, x, y) => (b'Q', &[*cx, *cy, *x, *y]),
        GlyphSegment::Curve(ax, ay, bx, by, x, y) => (b'C', &[*ax, *ay, *bx, *by, *x, *y]),
        GlyphSegment::Close => (b'Z', &[]),
    };
    out.push(letter);
    for (index, number) in numbers.iter().enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        put(out, number * UNITS_PER_EM, 1);
    }
}

/// RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, &byte| (word << 8) | u32::from(byte)) << (8 * (3 - chunk.len()));
        for index in 0..4 {
            let sign = SIGNS[(word >> (18 - 6 * index)) as usize & 63];
            out.push(if index <= chunk.len() { char::from(sign) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_follows_the_rfc() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }
}
