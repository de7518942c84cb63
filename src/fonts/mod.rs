//! The bundled faces, and one that a player may name for letters they lack: takes text, gives shaped glyphs with the advances that layout and
//! every writer use alike. Never asks the system for a font; a character no face holds is told, never drawn as a hollow box.

use std::ops::Range;
use std::sync::Arc;

mod face;
mod fallback;
mod outline;
mod shape;
mod split;
mod subset;
mod trial;

pub use fallback::{MOST_BYTES, use_fallback};
pub use outline::{Outline, Step, outline};
pub use subset::{Subset, subset, web};
pub use trial::{Trial, try_fallback};

/// The faces in `fonts/`, and the player's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Face {
    /// IBM Plex Sans Condensed Regular.
    Regular,
    /// IBM Plex Sans Condensed SemiBold.
    SemiBold,
    /// IBM Plex Sans Condensed Bold.
    Bold,
    /// The one named by [`use_fallback`], for letters that the others lack; the same for every weight. Empty where none was named.
    Fallback,
}

/// A line of text as glyphs; lengths in ems.
#[derive(Clone, Debug)]
pub struct Shaped {
    /// The face asked for; a glyph may be of the fallback.
    pub face: Face,
    /// The words.
    pub text: Box<str>,
    /// Glyphs from left to right.
    pub glyphs: Vec<Glyph>,
    /// Sum of the advances.
    pub width: f32,
    /// Characters that neither the face nor the fallback holds; they are drawn as nothing.
    pub missing: Vec<char>,
}

/// One glyph.
#[derive(Clone, Debug)]
pub struct Glyph {
    /// The face it is of.
    pub face: Face,
    /// Its number in the face.
    pub id: u16,
    /// How far the pen moves on.
    pub advance: f32,
    /// Shift to the right of the pen.
    pub dx: f32,
    /// Shift upwards from the baseline.
    pub dy: f32,
    /// Whether it is another than its character's own, or of words read from right to left.
    pub formed: bool,
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

impl Face {
    /// The bundled faces, lightest first.
    pub const ALL: [Self; 3] = [Self::Regular, Self::SemiBold, Self::Bold];
    /// Every face that a glyph can be of.
    pub const EVERY: [Self; 4] = [Self::Regular, Self::SemiBold, Self::Bold, Self::Fallback];

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

    /// Its heights. Capitals and figures of size `s` stand centred on `y` when the baseline is at
    /// `y + s * cap_height / 2`.
    pub fn metrics(self) -> &'static Metrics {
        &face::loaded(self).metrics
    }

    /// The whole font file.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Fallback => fallback::bytes(),
            Self::Regular => include_bytes!("../../fonts/IBMPlexSansCondensed-Regular.ttf"),
            Self::SemiBold => include_bytes!("../../fonts/IBMPlexSansCondensed-SemiBold.ttf"),
            Self::Bold => include_bytes!("../../fonts/IBMPlexSansCondensed-Bold.ttf"),
        }
    }

    /// Its PostScript name, the one PDF readers show.
    pub fn postscript_name(self) -> &'static str {
        match self {
            Self::Fallback => fallback::name(),
            Self::Regular => "IBMPlexSansCond",
            Self::SemiBold => "IBMPlexSansCond-SmBld",
            Self::Bold => "IBMPlexSansCond-Bold",
        }
    }
}

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
