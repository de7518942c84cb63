//! Tries a font as the fallback without setting it: shapes, draws and subsets as the real fallback would. For tests and
//! fuzzing, since a process can set only one font.

use super::face::load_face;
use super::outline::draw_outline;
use super::types::{FontFace, GlyphOutline, ShapedLine};
use super::{fallback, shape, subset};

#[derive(Clone, Debug)]
pub struct FallbackTrial {
    pub name: String,
    pub shaped: ShapedLine,
    pub outlines: Vec<GlyphOutline>,
    pub subset: Vec<u8>,
    pub web_font: Vec<u8>,
}

/// Uses a font as the fallback for one line.
///
/// # Errors
/// What was found instead of a TrueType font with `glyf` outlines.
pub fn try_fallback(bytes: &[u8], text: &str) -> Result<FallbackTrial, String> {
    let name = fallback::check_font(bytes)?;
    let loaded = load_face(bytes);
    let shaped = shape::shape_with_fallback(FontFace::Regular, text, &loaded);
    let own: Vec<u16> =
        shaped.glyphs.iter().filter(|glyph| glyph.face == FontFace::Fallback).map(|glyph| glyph.id).collect();
    Ok(FallbackTrial {
        name,
        outlines: own.iter().filter_map(|&glyph| draw_outline(&loaded, glyph).cloned()).collect(),
        subset: subset::subset_bytes(bytes, own.iter().copied()).bytes,
        web_font: subset::web_font_bytes(bytes, &loaded, text.chars()),
        shaped,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fallback::tiny_font;
    use super::*;

    #[test]
    fn a_font_is_tried_and_none_is_named() {
        let trial = try_fallback(&tiny_font::font(&['א', '漢']), "HMS 漢 א").expect("a font");
        assert_eq!((trial.name.as_str(), trial.outlines.len()), ("Tiny-Regular", 2));
        assert!(trial.shaped.missing.is_empty() && !trial.subset.is_empty() && !trial.web_font.is_empty());
        assert_eq!(super::super::shape(FontFace::Regular, "漢").missing, ['漢']);
        assert!(try_fallback(b"%PDF", "x").is_err());
    }
}
