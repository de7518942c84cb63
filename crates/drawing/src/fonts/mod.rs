//! The bundled faces and an optional fallback: takes text, gives shaped glyphs with the advances that layout and all
//! writers use. Never uses a system font; reports characters that no face covers instead of drawing a box.

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

/// Shapes one line of text with kerning and tabular figures but without ligatures, so that letter spacing and text
/// search work on letters. Control characters count as spaces. The result depends only on the arguments and the
/// fallback; results are cached within bounds, for all threads.
pub fn shape(face: FontFace, text: &str) -> Arc<ShapedLine> {
    shape::shape_cached(face, text)
}

/// In ems.
pub fn width(face: FontFace, text: &str) -> f32 {
    shape(face, text).width
}

/// Width of a single glyph in ems.
pub fn advance(face: FontFace, glyph: u16) -> f32 {
    face::loaded_face(face).advances.get(usize::from(glyph)).copied().unwrap_or(0.0)
}
