//! Writes each page as a self-contained SVG in millimetres, without external fonts, pictures or styles; `data-mark`
//! names the parts of the design. Equal scenes give equal texts.

use rayon::prelude::*;

use super::options::ExportOptions;
use super::page_work::{ExportError, with_progress};
use moldloft_base::progress::Progress;
use moldloft_drawing::scene::{Page, Scene};

mod shapes;
mod text;
mod xml;

pub fn write(scene: &Scene, options: &ExportOptions) -> Vec<String> {
    scene.pages.par_iter().map(|page| write_page(page, &scene.meta.title, options)).collect()
}

/// As [`write()`], with progress, as bytes.
///
/// # Errors
/// [`ExportError::Cancelled`].
pub fn write_with_progress(
    scene: &Scene,
    options: &ExportOptions,
    progress: &Progress,
) -> Result<Vec<Vec<u8>>, ExportError> {
    progress.begin_phase("page", scene.pages.len());
    let one = |page| with_progress(progress, || Ok(write_page(page, &scene.meta.title, options).into_bytes()));
    scene.pages.par_iter().map(one).collect()
}

pub fn write_page(page: &Page, title: &str, options: &ExportOptions) -> String {
    let mut writer = shapes::SvgWriter::new(options);
    writer.put_items(&page.items());
    writer.finish(page, title)
}
