//! The bundled faces: takes text, gives shaped glyphs with the advances that layout and every writer use alike.
//! Never asks the system for a font; a character no face holds is told, never drawn as a hollow box.

use std::ops::Range;

/// The faces in `fonts/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Face {
    /// IBM Plex Sans Condensed Regular.
    Regular,
    /// IBM Plex Sans Condensed SemiBold.
    SemiBold,
    /// IBM Plex Sans Condensed Bold.
    Bold,
}

/// A line of text as glyphs; lengths in ems.
#[derive(Clone, Debug)]
pub struct Shaped {
    /// The face.
    pub face: Face,
    /// The words.
    pub text: Box<str>,
    /// Glyphs from left to right.
    pub glyphs: Vec<Glyph>,
    /// Sum of the advances.
    pub width: f32,
    /// Characters that the face does not hold; they are drawn as nothing.
    pub missing: Vec<char>,
}

/// One glyph.
#[derive(Clone, Debug)]
pub struct Glyph {
    /// Its number in the face.
    pub id: u16,
    /// How far the pen moves on.
    pub advance: f32,
    /// Shift to the right of the pen.
    pub dx: f32,
    /// Shift upwards from the baseline.
    pub dy: f32,
    /// Bytes of the text it stands for (a ligature: several characters).
    pub text: Range<u32>,
}
