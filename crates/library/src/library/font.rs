//! A player's font for characters that the bundled fonts lack.

use std::path::Path;

use moldloft_drawing::fonts;

use crate::store;
use moldloft_base::finding::Finding;

/// Uses a font file for characters that the bundled fonts lack.
///
/// # Errors
/// A finding when the file cannot be read or is not a usable font.
pub fn use_font(path: &Path) -> Result<(), Finding> {
    let bytes = store::read_bytes(path, fonts::MAX_BYTES)?;
    fonts::use_fallback(bytes).map_err(|found| {
        let expected = "expected a TrueType font with glyf outlines";
        Finding::error("unusable-font", format!("cannot use {}: {expected}, found {found}", path.display()))
            .help("use a .ttf file with TrueType outlines")
    })
}
