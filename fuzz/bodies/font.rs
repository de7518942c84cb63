//! What the fuzz target `font` and the corpus test do with an input: take it as a player's font for letters that the bundled faces lack; shape, draw
//! and cut it as printing does.

use moldloft::fonts::{FontFace, try_fallback};

/// Letters of several scripts, with marks, digits between words read from right to left, and some that no font holds.
const LINE: &str = "HMS é 漢字 אב 12 גד سلام नमस्ते कि ไทย 한국 🚢 x\u{301}\u{20dd} \u{2060}\u{e000}";

/// Runs one input.
///
/// # Panics
/// When a promise about fonts is broken.
pub fn run(data: &[u8]) {
    let trial = match try_fallback(data, LINE) {
        Ok(trial) => trial,
        Err(found) => return assert!(!found.is_empty()),
    };
    assert!(!trial.name.is_empty() && trial.name.is_ascii());
    assert!(trial.shaped.width.is_finite() && trial.shaped.glyphs.len() <= 100 * LINE.len());
    for glyph in &trial.shaped.glyphs {
        assert!(glyph.advance.is_finite() && glyph.dx.is_finite() && glyph.dy.is_finite(), "{glyph:?}");
        assert!(LINE.get(glyph.text.start as usize..glyph.text.end as usize).is_some(), "{glyph:?}");
    }
    for outline in &trial.outlines {
        assert!(outline.bounds.iter().all(|edge| edge.is_finite()), "{:?}", outline.bounds);
    }
    if trial.shaped.glyphs.iter().any(|glyph| glyph.face == FontFace::Fallback) {
        assert!(!trial.subset.is_empty(), "a font that is taken can be cut");
        let font = printpdf::ParsedFont::from_bytes(&trial.subset, 0, &mut Vec::new());
        assert!(font.is_some(), "a font that is taken can be put into a PDF");
    }
}
