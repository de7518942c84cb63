//! What a player can choose for all formats.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// Colours become greys of the same brightness.
    pub grey: bool,
    /// Boxes and fields of a PDF can be filled in on screen.
    pub form: bool,
    /// SVG only.
    pub text_mode: TextMode,
    /// PNG only; dots per inch.
    pub dpi: f32,
    /// Give an SVG or PNG a white rather than transparent background: programs with a dark one would show black on black.
    pub background: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { grey: false, form: false, text_mode: TextMode::Outlined, dpi: 150.0, background: true }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextMode {
    /// As outlines, which look the same everywhere.
    #[default]
    Outlined,
    /// As text with an embedded font: searchable and editable in programs that support it.
    Embedded,
}
