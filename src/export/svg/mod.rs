//! Writes pages as SVG.
use super::Lettering;
use crate::scene::Scene;

/// What may be chosen about an SVG.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Colours become greys.
    pub grey: bool,
    /// How it holds its text.
    pub lettering: Lettering,
}

/// Every page as an SVG file of its own that needs nothing from outside.
pub fn write(_scene: &Scene, _options: &Options) -> Vec<String> {
    todo!()
}
