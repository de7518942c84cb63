//! Writes pages as SVG: takes a scene, gives one text a page. Each stands alone (no fonts, pictures or styles from outside), is measured in
//! millimetres, and names the design items it shows in `data-mark`. Equal scenes give equal texts.

use rayon::prelude::*;

use super::{ExportError, TextMode, with_progress};
use crate::progress::Progress;
use crate::scene::{Page, Scene};

mod shapes;
mod text;

/// What may be chosen about an SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SvgOptions {
    /// Colours become greys.
    pub grey: bool,
    /// How it holds its text.
    pub text_mode: TextMode,
    /// Whether a white rectangle covers the page below everything else. Without one, programs with a dark background show black on black.
    pub background: bool,
}

impl Default for SvgOptions {
    fn default() -> Self {
        Self { grey: false, text_mode: TextMode::Outlined, background: true }
    }
}

/// Every page as an SVG file of its own that needs nothing from outside.
pub fn write(scene: &Scene, options: &SvgOptions) -> Vec<String> {
    scene.pages.par_iter().map(|shown| write_page(shown, &scene.meta.title, options)).collect()
}

/// The same, each page counted on the way.
///
/// # Errors
/// When it was asked to stop.
pub fn write_with_progress(
    scene: &Scene,
    options: &SvgOptions,
    progress: &Progress,
) -> Result<Vec<String>, ExportError> {
    progress.begin_phase("page", scene.pages.len());
    let one = |shown| with_progress(progress, || Ok(write_page(shown, &scene.meta.title, options)));
    scene.pages.par_iter().map(one).collect()
}

/// One page as an SVG file.
pub fn write_page(page: &Page, title: &str, options: &SvgOptions) -> String {
    let mut writer = shapes::SvgWriter::new(options);
    writer.put_items(&page.items());
    writer.finish(page, title)
}
