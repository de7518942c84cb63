//! Writes each page as a self-contained SVG in millimetres, without external fonts, pictures or styles; `data-mark`
//! names the parts of the design. Equal scenes give equal texts.

use rayon::prelude::*;

use super::{ExportError, TextMode, with_progress};
use crate::progress::Progress;
use crate::scene::{Page, Scene};

mod shapes;
mod text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SvgOptions {
    pub grey: bool,
    pub text_mode: TextMode,
    /// Draw a white rectangle below everything, since programs with a dark background would show black on black.
    pub background: bool,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self { grey: false, text_mode: TextMode::Outlined, background: true }
    }
}

pub fn write(scene: &Scene, options: &SvgOptions) -> Vec<String> {
    scene.pages.par_iter().map(|shown| write_page(shown, &scene.meta.title, options)).collect()
}

/// As [`write()`], with progress.
///
/// # Errors
/// [`ExportError::Cancelled`].
pub fn write_with_progress(
    scene: &Scene,
    options: &SvgOptions,
    progress: &Progress,
) -> Result<Vec<String>, ExportError> {
    progress.begin_phase("page", scene.pages.len());
    let one = |shown| with_progress(progress, || Ok(write_page(shown, &scene.meta.title, options)));
    scene.pages.par_iter().map(one).collect()
}

pub fn write_page(page: &Page, title: &str, options: &SvgOptions) -> String {
    let mut writer = shapes::SvgWriter::new(options);
    writer.put_items(&page.items());
    writer.finish(page, title)
}
