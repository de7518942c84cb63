//! What the room gives: faces, shaped lines, outlines. Data only.

use std::ops::Range;

/// The faces in `fonts/`, and the player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FontFace {
    /// IBM Plex Sans Condensed Regular.
    Regular,
    /// IBM Plex Sans Condensed SemiBold.
    SemiBold,
    /// IBM Plex Sans Condensed Bold.
    Bold,
    /// The one named by [`use_fallback`](super::use_fallback), for letters that the others lack; the same for every weight. Empty where none was named.
    Fallback,
}

/// A line of text as glyphs; lengths in ems.
#[derive(Clone, Debug)]
pub struct ShapedLine {
    /// The face asked for; a glyph may be of the fallback.
    pub face: FontFace,
    /// The words.
    pub text: Box<str>,
    /// Glyphs from left to right.
    pub glyphs: Vec<ShapedGlyph>,
    /// Sum of the advances.
    pub width: f32,
    /// Characters that neither the face nor the fallback holds; they are drawn as nothing.
    pub missing: Vec<char>,
}

/// One glyph.
#[derive(Clone, Debug)]
pub struct ShapedGlyph {
    /// The face it is of.
    pub face: FontFace,
    /// Its number in the face.
    pub id: u16,
    /// How far the pen moves on.
    pub advance: f32,
    /// Shift to the right of the pen.
    pub dx: f32,
    /// Shift upwards from the baseline.
    pub dy: f32,
    /// Whether it is another than its character's own, or of words read from right to left.
    pub is_substituted: bool,
    /// Bytes of the text it stands for: empty for the further glyphs of one character.
    pub text: Range<u32>,
}

/// Heights of a face, in ems, all positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// From the baseline up to the top of a line.
    pub ascent: f32,
    /// From the baseline down to the foot of a line.
    pub descent: f32,
    /// Height of capitals and figures.
    pub cap_height: f32,
    /// Height of a small x.
    pub x_height: f32,
}

impl FontFace {
    /// The bundled faces, lightest first.
    pub const BUNDLED: [Self; 3] = [Self::Regular, Self::SemiBold, Self::Bold];
    /// Every face that a glyph can be of.
    pub const WITH_FALLBACK: [Self; 4] = [Self::Regular, Self::SemiBold, Self::Bold, Self::Fallback];

    /// The face for a CSS `font-weight`: Bold from 650, SemiBold from 550.
    pub const fn from_weight(weight: u16) -> Self {
        match weight {
            650.. => Self::Bold,
            550..=649 => Self::SemiBold,
            _ => Self::Regular,
        }
    }

    /// Its CSS `font-weight`.
    pub const fn weight(self) -> u16 {
        match self {
            Self::Regular | Self::Fallback => 400,
            Self::SemiBold => 600,
            Self::Bold => 700,
        }
    }

    /// The whole font file of a bundled face; of Regular for the fallback.
    pub(super) const fn bundled_bytes(self) -> &'static [u8] {
        match self {
            Self::Regular | Self::Fallback => include_bytes!("../../fonts/IBMPlexSansCondensed-Regular.ttf"),
            Self::SemiBold => include_bytes!("../../fonts/IBMPlexSansCondensed-SemiBold.ttf"),
            Self::Bold => include_bytes!("../../fonts/IBMPlexSansCondensed-Bold.ttf"),
        }
    }
}

/// A glyph's outline in ems, y downwards, the pen at the origin. Inside is counted non-zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlyphOutline {
    /// Steps, every subpath closed.
    pub steps: Vec<GlyphSegment>,
    /// Left, top, right, bottom of all points; zeroes for a blank.
    pub bounds: [f32; 4],
}

/// A step of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GlyphSegment {
    /// Starts a subpath.
    Move(f32, f32),
    /// A straight line.
    Line(f32, f32),
    /// A quadratic curve: control point, end.
    Quad(f32, f32, f32, f32),
    /// A cubic curve: two control points, end.
    Curve(f32, f32, f32, f32, f32, f32),
    /// Back to the subpath's start.
    Close,
}
