//! Writes a scene as a PDF.
use super::Refusal;
use crate::scene::Scene;

/// What may be chosen about a PDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Colours become greys.
    pub grey: bool,
}

/// The whole scene as one PDF 1.7 file: equal scenes give equal bytes.
///
/// # Errors
/// A page without width or height.
pub fn write(_scene: &Scene, _options: &Options) -> Result<Vec<u8>, Refusal> {
    todo!()
}
