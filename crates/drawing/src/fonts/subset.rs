//! Reduces a face to the glyphs used: a bare subset for PDF, a complete small font for `@font-face`.

use std::collections::BTreeMap;

use skrifa::{FontRef, MetadataProvider, Tag};
use subsetter::GlyphRemapper;
use write_fonts::FontBuilder;

use super::face::{LoadedFace, loaded_face};
use super::types::FontFace;

#[derive(Clone, Debug)]
pub struct Subset {
    /// TrueType outlines without a character map.
    pub bytes: Vec<u8>,
    /// Old glyph id → new.
    pub glyphs: BTreeMap<u16, u16>,
}

/// Only these glyphs (and the empty one at 0), renumbered in the given order.
pub fn subset(face: FontFace, glyphs: impl IntoIterator<Item = u16>) -> Subset {
    subset_bytes(face.bytes(), glyphs)
}

/// As [`subset`], of a checked font file.
pub(super) fn subset_bytes(font: &[u8], glyphs: impl IntoIterator<Item = u16>) -> Subset {
    let mut numbers = GlyphRemapper::new();
    let glyphs = glyphs.into_iter().map(|glyph| (glyph, numbers.remap(glyph))).collect();
    // Tests subset each bundled face, and a fallback has been checked; if it fails all the same, PDF refuses the empty
    // bytes.
    let bytes = subsetter::subset(font, 0, &numbers).unwrap_or_default();
    Subset { bytes, glyphs }
}

/// A complete font with these characters that browsers accept.
pub fn web_font(face: FontFace, characters: impl IntoIterator<Item = char>) -> Vec<u8> {
    web_font_bytes(face.bytes(), loaded_face(face), characters)
}

/// As [`web_font`], of a checked font file.
pub(super) fn web_font_bytes(
    font: &[u8],
    loaded: &LoadedFace<'_>,
    characters: impl IntoIterator<Item = char>,
) -> Vec<u8> {
    let map = loaded.outlines.charmap();
    let wanted: BTreeMap<char, u16> = characters
        .into_iter()
        .filter_map(|character| Some((character, u16::try_from(map.map(character)?.to_u32()).ok()?)))
        .collect();
    let part = subset_bytes(font, wanted.values().copied());
    let pairs = wanted.iter().filter_map(|(&character, old)| Some((character, *part.glyphs.get(old)?)));
    let mut out = FontBuilder::new();
    out.add_raw(Tag::new(b"cmap"), character_map(pairs));
    // Browsers require this table; old fonts lack it.
    let os2 = [font, FontFace::Regular.bytes()].into_iter().find_map(|font| table(font, b"OS/2"));
    if let Some(os2) = os2 {
        out.add_raw(Tag::new(b"OS/2"), os2);
    }
    if let Ok(part) = FontRef::new(&part.bytes) {
        out.copy_missing_tables(part);
    }
    if !out.contains(Tag::new(b"post")) {
        let mut post = vec![0; 32];
        post[..4].copy_from_slice(&0x0003_0000_u32.to_be_bytes());
        out.add_raw(Tag::new(b"post"), post);
    }
    out.build()
}

/// A table of a font's file.
fn table<'a>(font: &'a [u8], tag: &[u8; 4]) -> Option<&'a [u8]> {
    FontRef::new(font).ok()?.table_data(Tag::new(tag)).map(|data| data.as_bytes())
}

/// A `cmap` with one subtable of format 12 (all of Unicode).
fn character_map(pairs: impl Iterator<Item = (char, u16)>) -> Vec<u8> {
    let groups: Vec<[u32; 3]> =
        pairs.map(|(character, glyph)| [character as u32, character as u32, u32::from(glyph)]).collect();
    let mut out = Vec::new();
    out.extend([0_u16, 1, 3, 10].iter().flat_map(|number| number.to_be_bytes()));
    out.extend(12_u32.to_be_bytes());
    out.extend([12_u16, 0].iter().flat_map(|number| number.to_be_bytes()));
    out.extend([16 + 12 * groups.len() as u32, 0, groups.len() as u32].iter().flat_map(|number| number.to_be_bytes()));
    out.extend(groups.iter().flatten().flat_map(|number| number.to_be_bytes()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fonts::shape;

    #[test]
    fn a_subset_is_small_and_opens() {
        for face in FontFace::BUNDLED {
            let glyphs: Vec<u16> = shape(face, "Structure 0123456789").glyphs.iter().map(|glyph| glyph.id).collect();
            let part = subset(face, glyphs.iter().copied());
            assert!(part.bytes.len() > 500 && part.bytes.len() < 20_000, "{}", part.bytes.len());
            assert!(glyphs.iter().all(|glyph| part.glyphs.contains_key(glyph)));
        }
    }

    #[test]
    fn a_web_font_maps_its_characters() {
        let font = web_font(FontFace::Bold, "HMS Ünïq→".chars());
        let opened = skrifa::FontRef::new(&font).expect("opens");
        assert!("HMS Ünïq→".chars().all(|character| opened.charmap().map(character).is_some()));
        assert!(opened.charmap().map('z').is_none());
        assert_eq!(web_font(FontFace::Bold, "HMS Ünïq→".chars()), font);
    }
}
