//! The bundled faces, and one that a player may name for letters they lack: takes text, gives shaped glyphs with the advances that layout and
//! every writer use alike. Never asks the system for a font; a character no face holds is told, never drawn as a hollow box.

use std::sync::Arc;

mod face;
mod fallback;
mod font_runs;
mod outline;
mod shape;
mod subset;
mod trial;
mod types;

pub use fallback::{MAX_BYTES, use_fallback};
pub use outline::glyph_outline;
pub use subset::{Subset, subset, web_font};
pub use trial::{FallbackTrial, try_fallback};
pub use types::{FontFace, GlyphOutline, GlyphSegment, Metrics, ShapedGlyph, ShapedLine};

/// Shapes one line of text: kerned, without ligatures (so that letter spacing and searching work on letters), figures all of one
/// width. Control characters count as spaces. The result depends on nothing but its two arguments and the
/// fallback, which is named before the first line is shaped; a bounded cache, shared by all threads, answers for
/// words shaped before.
pub fn shape(face: FontFace, text: &str) -> Arc<ShapedLine> {
    shape::shape_cached(face, text)
}

/// Width of a line of text in ems.
pub fn width(face: FontFace, text: &str) -> f32 {
    shape(face, text).width
}

/// How wide a glyph is by itself, in ems.
pub fn advance(face: FontFace, glyph: u16) -> f32 {
    face::loaded_face(face).advances.get(usize::from(glyph)).copied().unwrap_or(0.0)
}

/// Characters of a text that no face holds, each once, in the order met. The bundled faces hold the same characters.
pub fn missing(text: &str) -> Vec<char> {
    shape(FontFace::Regular, text).missing.clone()
}
