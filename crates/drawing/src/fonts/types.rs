//! Data only: faces, shaped lines and outlines.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FontFace {
    /// IBM Plex Sans Condensed Regular.
    Regular,
    /// IBM Plex Sans Condensed SemiBold.
    SemiBold,
    /// IBM Plex Sans Condensed Bold.
    Bold,
    /// Set by [`use_fallback`](super::use_fallback) for characters that the others lack; the same for every weight.
    /// Empty if none is set.
    Fallback,
}

/// A line of text as glyphs; lengths in ems.
#[derive(Clone, Debug)]
pub struct ShapedLine {
    /// The requested face; glyphs may be from the fallback.
    pub face: FontFace,
    pub text: Box<str>,
    /// From left to right.
    pub glyphs: Vec<ShapedGlyph>,
    pub width: f32,
    /// Characters that no face covers; nothing is drawn for them.
    pub missing: Vec<char>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ShapedGlyph {
    pub face: FontFace,
    pub id: u16,
    /// Distance to the next pen position.
    pub advance: f32,
    /// Offset to the right of the pen.
    pub dx: f32,
    /// Offset above the baseline.
    pub dy: f32,
    /// Not the default glyph of its character, or part of right-to-left text.
    pub is_substituted: bool,
    /// Bytes of the text; empty for further glyphs of one character.
    pub text: Range<u32>,
}

/// Heights of a face in ems, all positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    pub ascent: f32,
    pub descent: f32,
    /// Height of capitals and figures.
    pub cap_height: f32,
    pub x_height: f32,
}

impl FontFace {
    pub const BUNDLED: [Self; 3] = [Self::Regular, Self::SemiBold, Self::Bold];
    pub const WITH_FALLBACK: [Self; 4] = [Self::Regular, Self::SemiBold, Self::Bold, Self::Fallback];

    /// For a CSS `font-weight`: Bold from 650, SemiBold from 550.
    pub const fn from_weight(weight: u16) -> Self {
        match weight {
            650.. => Self::Bold,
            550..=649 => Self::SemiBold,
            _ => Self::Regular,
        }
    }

    pub const fn weight(self) -> u16 {
        match self {
            Self::Regular | Self::Fallback => 400,
            Self::SemiBold => 600,
            Self::Bold => 700,
        }
    }

    /// The font file; for the fallback, that of Regular.
    pub(super) const fn bundled_bytes(self) -> &'static [u8] {
        match self {
            Self::Regular | Self::Fallback => include_bytes!("../../../../fonts/IBMPlexSansCondensed-Regular.ttf"),
            Self::SemiBold => include_bytes!("../../../../fonts/IBMPlexSansCondensed-SemiBold.ttf"),
            Self::Bold => include_bytes!("../../../../fonts/IBMPlexSansCondensed-Bold.ttf"),
        }
    }
}

/// A glyph's outline in ems, y downwards, with the pen at the origin; non-zero fill.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlyphOutline {
    pub segments: Vec<GlyphSegment>,
    /// Left, top, right, bottom of all points; zeros if blank.
    pub bounds: [f32; 4],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GlyphSegment {
    Move(f32, f32),
    Line(f32, f32),
    /// Control point, end.
    Quad(f32, f32, f32, f32),
    /// Two control points, end.
    Curve(f32, f32, f32, f32, f32, f32),
    /// Back to the start of the subpath.
    Close,
}
