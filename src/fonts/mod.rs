//! The bundled faces, and one that a player may name for letters they lack: takes text, gives shaped glyphs with the advances that layout and
//! every writer use alike. Never asks the system for a font; a character no face holds is told, never drawn as a hollow box.

use std::sync::Arc;

mod face;
mod fallback;
mod outline;
mod shape;
mod split;
mod subset;
mod trial;
mod types;

pub use fallback::{MOST_BYTES, use_fallback};
pub use outline::outline;
pub use subset::{Subset, subset, web};
pub use trial::{Trial, try_fallback};
pub use types::{Face, Glyph, Metrics, Outline, Shaped, Step};

/// Shapes one line of text: kerned, without ligatures (so that letter spacing and searching work on letters), figures all of one
/// width. Control characters count as spaces. The result depends on nothing but its two arguments and the
/// fallback, which is named before the first line is shaped; a bounded cache, shared by all threads, answers for
/// words shaped before.
pub fn shape(face: Face, text: &str) -> Arc<Shaped> {
    shape::cached(face, text)
}

/// Width of a line of text in ems.
pub fn width(face: Face, text: &str) -> f32 {
    shape(face, text).width
}

/// How wide a glyph is by itself, in ems.
pub fn advance(face: Face, glyph: u16) -> f32 {
    face::loaded(face).advances.get(usize::from(glyph)).copied().unwrap_or(0.0)
}

/// Characters of a text that no face holds, each once, in the order met. The bundled faces hold the same characters.
pub fn missing(text: &str) -> Vec<char> {
    shape(Face::Regular, text).missing.clone()
}
