//! What a player can choose for all formats.

use serde::{Deserialize, Serialize};

/// How pages become files. By default in colour, no form, letters as outlines, pictures of 150 dots per inch on white.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExportOptions {
    /// Colours become greys of the same brightness.
    pub grey: bool,
    /// Boxes and fields of a PDF can be filled in on screen.
    pub form: bool,
    /// How an SVG has its letters; other formats ignore it.
    pub text_mode: TextMode,
    /// Of a PNG, in dots per inch; above 0, and not so many that a page has more pixels than one picture may. Other formats ignore it.
    pub dpi: f32,
    /// Give an SVG or PNG a white rather than transparent background: programs with a dark one would show black on black.
    pub background: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { grey: false, form: false, text_mode: TextMode::Outlined, dpi: 150.0, background: true }
    }
}

moldloft_base::setters! { ExportOptions { grey: bool, form: bool, text_mode: TextMode, dpi: f32, background: bool } }

/// How an SVG has its letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum TextMode {
    /// As outlines, which look the same everywhere.
    #[default]
    Outlined,
    /// As text with an embedded font: searchable and editable in programs that support it.
    Embedded,
}
