//! Draws pages as pictures.
use resvg::tiny_skia::Pixmap;

use super::Refusal;
use crate::scene::{Page, Scene};

/// The most pixels a picture may have.
pub const MOST_PIXELS: u64 = 200_000_000;

/// What may be chosen about a PNG.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Colours become greys.
    pub grey: bool,
    /// Dots per inch.
    pub dpi: f32,
    /// Whether there is a white ground rather than none.
    pub ground: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { grey: false, dpi: 150.0, ground: true }
    }
}

/// Every page as a PNG file that states its size in millimetres.
///
/// # Errors
/// A page without width or height, or a resolution that would make a picture beyond [`MOST_PIXELS`].
pub fn write(_scene: &Scene, _options: &Options) -> Result<Vec<Vec<u8>>, Refusal> {
    todo!()
}

/// One page drawn on white: for a preview.
///
/// # Errors
/// As for [`write`].
pub fn picture(_page: &Page, _dpi: f32) -> Result<Pixmap, Refusal> {
    todo!()
}
