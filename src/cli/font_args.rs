//! `--font`: a font for characters that the bundled faces lack, common to all subcommands that draw.

use std::path::PathBuf;

use moldloft_base::finding::Finding;
use moldloft_library::library;

// The player's font.
#[derive(clap::Args)]
pub struct FontArgs {
    /// Use a TrueType font (.ttf) for characters missing from the bundled fonts, such as Chinese or Hebrew; other installed fonts are never used
    #[arg(long, value_name = "FILE")]
    font: Option<PathBuf>,
}

impl FontArgs {
    /// Uses the given font, if any, for everything drawn from now on.
    ///
    /// # Errors
    /// A finding when the file cannot be read or is not a usable font.
    pub fn load(&self) -> Result<(), Finding> {
        self.font.as_deref().map_or(Ok(()), library::use_font)
    }
}
