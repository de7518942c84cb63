//! The player's font for characters that the bundled faces lack. It is checked as a whole before use, since it comes
//! from outside. One per process, set before any text is shaped.

use std::sync::OnceLock;

use skrifa::GlyphId;
use skrifa::raw::tables::glyf::{Glyf, Glyph};
use skrifa::raw::tables::loca::Loca;
use skrifa::raw::{FontRef, TableProvider};
use skrifa::{MetadataProvider, string::StringId};
use subsetter::GlyphRemapper;

use super::types::FontFace;

pub const MAX_BYTES: usize = 64 * 1024 * 1024;
/// Points of one glyph, components included.
const MAX_POINTS: u32 = 20_000;
/// Direct components of one glyph.
const MAX_PARTS: usize = 500;
/// Nesting of composite glyphs.
const MAX_DEPTH: u8 = 8;
const HEAD_MAGIC: u32 = 0x5F0F_3CF5;
const MAX_NAME_LENGTH: usize = 60;

struct FallbackFont {
    bytes: &'static [u8],
    name: &'static str,
}

static FALLBACK: OnceLock<FallbackFont> = OnceLock::new();

/// Sets the TrueType font for characters that the bundled faces lack. Call it once, before any text is shaped.
///
/// # Errors
/// What was found instead of a TrueType font with `glyf` outlines.
pub fn use_fallback(bytes: Vec<u8>) -> Result<(), String> {
    let name = check_font(&bytes)?;
    let same = FALLBACK.get().map(|chosen| chosen.bytes == bytes);
    if same == Some(true) {
        return Ok(());
    }
    // Leaked: like the bundled faces, it is used until the process ends.
    let chosen = FallbackFont { bytes: Vec::leak(bytes), name: String::leak(name) };
    FALLBACK.set(chosen).map_err(|_| "a second font; only one can be used".to_owned())
}

pub(super) fn is_set() -> bool {
    FALLBACK.get().is_some()
}

/// The Regular face if none is set.
pub(super) fn bytes() -> &'static [u8] {
    FALLBACK.get().map_or_else(|| FontFace::Regular.bundled_bytes(), |chosen| chosen.bytes)
}

pub(super) fn name() -> &'static str {
    FALLBACK.get().map_or("Fallback", |chosen| chosen.name)
}

/// Checks every table that is used later; returns the font's name.
pub(super) fn check_font(bytes: &[u8]) -> Result<String, String> {
    let kind = bytes.get(..4).unwrap_or_default();
    match kind {
        [0, 1, 0, 0] | b"true" => {}
        b"OTTO" => return Err("an OpenType font with CFF outlines".into()),
        b"ttcf" => return Err("a font collection".into()),
        b"wOFF" | b"wOF2" => return Err("a web font (WOFF)".into()),
        _ => return Err("a file that is not a font".into()),
    }
    let broken = |what: &str| format!("a font whose table `{what}` is missing or broken");
    let font = FontRef::new(bytes).map_err(|_| "a broken font".to_owned())?;
    let head = font.head().map_err(|_| broken("head"))?;
    if !(16..=16_384).contains(&head.units_per_em()) || head.magic_number() != HEAD_MAGIC {
        return Err(broken("head"));
    }
    let most = font.maxp().map_err(|_| broken("maxp"))?;
    if most.max_component_depth().is_none() {
        return Err(broken("maxp"));
    }
    let count = most.num_glyphs();
    let lines = font.hhea().map_err(|_| broken("hhea"))?;
    // A PDF reader refuses the font otherwise.
    if lines.version().major != 1 || lines.metric_data_format() != 0 {
        return Err(broken("hhea"));
    }
    let widths = lines.number_of_h_metrics();
    let metrics = font.hmtx().map_err(|_| broken("hmtx"))?.h_metrics().len();
    if count == 0 || widths == 0 || widths > count || metrics < usize::from(widths) {
        return Err(broken("hmtx"));
    }
    let shapes = GlyphTables {
        glyf: font.glyf().map_err(|_| broken("glyf"))?,
        loca: font.loca(None).map_err(|_| broken("loca"))?,
    };
    if shapes.loca.len() < usize::from(count) {
        return Err(broken("loca"));
    }
    let mut known = vec![None; usize::from(count)];
    for glyph in 0..count {
        shapes.count_points(glyph, MAX_DEPTH, &mut known)?;
    }
    if !skrifa::FontRef::new(bytes).is_ok_and(|font| font.charmap().has_map()) {
        return Err(broken("cmap"));
    }
    // Every glyph must survive subsetting, or the pages that use it could not be written.
    let mut all = GlyphRemapper::new();
    for glyph in 0..count {
        all.remap(glyph);
    }
    let cut = subsetter::subset(bytes, 0, &all).map_err(|_| "a broken font".to_owned())?;
    if printpdf::ParsedFont::from_bytes(&cut, 0, &mut Vec::new()).is_none() || harfrust::FontRef::new(bytes).is_err() {
        return Err("a broken font".into());
    }
    Ok(plain_font_name(&font))
}

fn plain_font_name(font: &FontRef) -> String {
    let name = font.localized_strings(StringId::POSTSCRIPT_NAME).english_or_first();
    let letters = name.iter().flat_map(|name| name.chars());
    let plain = letters.filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(MAX_NAME_LENGTH).collect::<String>();
    if plain.is_empty() { "Fallback".into() } else { plain }
}

struct GlyphTables<'a> {
    glyf: Glyf<'a>,
    loca: Loca<'a>,
}

impl GlyphTables<'_> {
    /// Points and nesting depth of a glyph; each is counted once, however many glyphs use it.
    fn count_points(&self, glyph: u16, deep: u8, known: &mut [Option<(u32, u8)>]) -> Result<(u32, u8), String> {
        let wrong = |what: &str| format!("a font whose glyph {glyph} {what}");
        let place = known.get(usize::from(glyph)).ok_or_else(|| wrong("is missing, but part of another glyph"))?;
        if let Some(known) = *place {
            return Ok(known);
        }
        let shape = self.loca.get_glyf(GlyphId::from(glyph), &self.glyf).map_err(|_| wrong("is broken"))?;
        let (mut points, mut depth) = (0_u32, 0);
        match shape {
            None => {}
            // Drawing reads points wherever there is data.
            Some(Glyph::Simple(simple)) if simple.num_points() == 0 && !simple.glyph_data().is_empty() => {
                return Err(wrong("has no points, but data of points"));
            }
            Some(Glyph::Simple(simple)) => points = u32::try_from(simple.num_points()).unwrap_or(u32::MAX),
            Some(Glyph::Composite(made)) => {
                let deep = deep.checked_sub(1).ok_or_else(|| wrong("is nested too deeply or part of itself"))?;
                for (number, part) in made.components().enumerate() {
                    let (more, below) = self.count_points(part.glyph.to_u16(), deep, known)?;
                    points = points.saturating_add(more);
                    depth = depth.max(below + 1);
                    if number >= MAX_PARTS {
                        return Err(wrong(&format!("has more than {MAX_PARTS} parts")));
                    }
                }
            }
        }
        if points > MAX_POINTS {
            return Err(wrong(&format!("has {points} points, at most {MAX_POINTS} allowed")));
        }
        if depth > MAX_DEPTH {
            return Err(wrong("is nested too deeply"));
        }
        known[usize::from(glyph)] = Some((points, depth));
        Ok((points, depth))
    }
}

#[cfg(test)]
#[path = "../../../../tests/support/tiny_font.rs"]
pub(super) mod tiny_font;

#[cfg(test)]
mod tests {
    use super::tiny_font::{font, font_made_of_itself};
    use super::*;

    #[test]
    fn a_small_font_is_taken_and_others_are_named() {
        assert_eq!(check_font(&font(&['א', '漢'])), Ok("Tiny-Regular".into()));
        assert_eq!(check_font(b"OTTO....."), Err("an OpenType font with CFF outlines".into()));
        assert_eq!(check_font(b"ttcf...."), Err("a font collection".into()));
        assert_eq!(check_font(b"%PDF"), Err("a file that is not a font".into()));
        assert_eq!(check_font(b""), Err("a file that is not a font".into()));
        let found = check_font(&font_made_of_itself()).expect_err("is refused");
        assert!(found.contains("part of itself"), "{found}");
        for face in super::super::FontFace::BUNDLED {
            assert_eq!(check_font(face.bytes()), Ok(face.postscript_name().into()));
        }
    }

    #[test]
    fn broken_fonts_are_refused_or_usable_and_never_a_panic() {
        let whole = font(&['א', '漢']);
        for end in 0..whole.len() {
            let _ = check_font(&whole[..end]);
        }
        let mut taken = 0;
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] = value;
                if check_font(&bytes).is_ok() {
                    taken += 1;
                    let mut all = GlyphRemapper::new();
                    for glyph in 0..3 {
                        all.remap(glyph);
                    }
                    let cut = subsetter::subset(&bytes, 0, &all);
                    assert!(cut.is_ok_and(|cut| skrifa::FontRef::new(&cut).is_ok()), "byte {at} as {value}");
                }
            }
        }
        assert!(taken > 0);
    }
}
