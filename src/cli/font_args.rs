//! `--font`: a font for letters that the bundled faces lack, the same in every subcommand that draws.

use std::path::PathBuf;

use crate::finding::Finding;
use crate::library;

/// The player's font.
#[derive(clap::Args)]
pub struct FontArgs {
    /// Use a TrueType font (.ttf) for characters missing from the bundled fonts, such as Chinese or Hebrew; other installed fonts are never used
    #[arg(long, value_name = "FILE")]
    font: Option<PathBuf>,
}

impl FontArgs {
    /// Uses it, if one was named, for all that is drawn from now on.
    ///
    /// # Errors
    /// A finding when the file cannot be read or is no font that can be used.
    pub fn load(&self) -> Result<(), Finding> {
        self.font.as_deref().map_or(Ok(()), library::use_font)
    }
}
