//! Writes pages as SVG: takes a scene, gives one text a page. Each stands alone (no fonts, pictures or styles from outside), is measured in
//! millimetres, and names the design items it shows in `data-mark`. Equal scenes give equal texts.

use rayon::prelude::*;

use super::{Lettering, Refusal, watched};
use crate::progress::Progress;
use crate::scene::{Page, Scene};

mod lettering;
mod shapes;

/// What may be chosen about an SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Colours become greys.
    pub grey: bool,
    /// How it holds its text.
    pub lettering: Lettering,
    /// Whether a white rectangle covers the page below everything else. Without one, programs with a dark background show black on black.
    pub background: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { grey: false, lettering: Lettering::Outlined, background: true }
    }
}

/// Every page as an SVG file of its own that needs nothing from outside.
pub fn write(scene: &Scene, options: &Options) -> Vec<String> {
    scene.pages.par_iter().map(|shown| page(shown, &scene.meta.title, options)).collect()
}

/// The same, each page counted on the way.
///
/// # Errors
/// When it was asked to stop.
pub fn write_watched(scene: &Scene, options: &Options, progress: &Progress) -> Result<Vec<String>, Refusal> {
    progress.begin("page", scene.pages.len());
    let one = |shown| watched(progress, || Ok(page(shown, &scene.meta.title, options)));
    scene.pages.par_iter().map(one).collect()
}

/// One page as an SVG file.
pub fn page(page: &Page, title: &str, options: &Options) -> String {
    let mut writer = shapes::Writer::new(options);
    writer.items(&page.items());
    writer.finish(page, title)
}
