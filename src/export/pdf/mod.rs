//! Writes a scene as a PDF 1.7 file: takes the scene, gives the file's bytes. Pages are encoded in parallel, each distinct drawing is one
//! form XObject, fonts are cut down to the glyphs used. Equal scenes give equal bytes.

use rayon::prelude::*;

use super::{ExportError, page_size, with_progress};
use crate::progress::Progress;
use crate::scene::{Page, Scene};

mod acroform;
mod batch;
mod content;
mod document;
mod form_identity;
mod graphics_state;
mod object_writer;
mod outline;
mod structure;
mod text_line;
mod usage;

use content::EncodedContent;
use usage::SceneUsage;

/// What may be chosen about a PDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PdfOptions {
    /// Colours become greys.
    pub grey: bool,
    /// Boxes can be ticked and fields filled in on the screen.
    pub form: bool,
}

/// The whole scene as one PDF 1.7 file: equal scenes give equal bytes.
///
/// # Errors
/// A page without width or height, or no page at all.
pub fn write(scene: &Scene, options: &PdfOptions) -> Result<Vec<u8>, ExportError> {
    write_with_progress(scene, options, &Progress::default())
}

/// The same, each page counted on the way.
///
/// # Errors
/// As for [`write()`], and when it was asked to stop.
pub fn write_with_progress(scene: &Scene, options: &PdfOptions, progress: &Progress) -> Result<Vec<u8>, ExportError> {
    let plan = PdfPlan::new(scene, *options, progress)?;
    let pages = scene.pages.par_iter().zip(&plan.sizes);
    let pages = pages.map(|(page, &size)| plan.encode_page(page, size, progress)).collect::<Result<_, _>>()?;
    plan.assemble(scene, pages)
}

/// The same; each page is let go of as soon as it is encoded, so that no more of the pages is held than of the file.
///
/// # Errors
/// As for [`write()`], and when it was asked to stop.
pub fn write_consuming(scene: &mut Scene, options: &PdfOptions, progress: &Progress) -> Result<Vec<u8>, ExportError> {
    let plan = PdfPlan::new(scene, *options, progress)?;
    let pages = scene.pages.par_iter_mut().zip(&plan.sizes);
    let spend = |(page, &size): (&mut Page, &(f32, f32))| {
        let encoded = plan.encode_page(page, size, progress);
        (page.items, page.compact) = Default::default();
        encoded
    };
    let pages = pages.map(spend).collect::<Result<_, _>>()?;
    plan.assemble(scene, pages)
}

/// What must be known of all pages before the first is encoded.
struct PdfPlan {
    sizes: Vec<(f32, f32)>,
    census: SceneUsage,
    drawings: Vec<EncodedContent>,
    options: PdfOptions,
}

impl PdfPlan {
    fn new(scene: &Scene, options: PdfOptions, progress: &Progress) -> Result<Self, ExportError> {
        if scene.pages.is_empty() {
            return Err(ExportError::NoPages);
        }
        let sizes =
            scene.pages.iter().enumerate().map(|(at, page)| page_size(page, at + 1)).collect::<Result<_, _>>()?;
        progress.begin_phase("page", scene.pages.len());
        let census = usage::collect_usage(scene);
        let drawings =
            census.drawings.par_iter().map(|drawing| content::encode_drawing(drawing, &census, options.grey));
        let drawings = drawings.collect();
        Ok(Self { sizes, census, drawings, options })
    }

    fn encode_page(&self, page: &Page, size: (f32, f32), progress: &Progress) -> Result<EncodedContent, ExportError> {
        with_progress(progress, || Ok(content::encode_page(page, size, &self.census, self.options)))
    }

    fn assemble(self, scene: &Scene, pages: Vec<EncodedContent>) -> Result<Vec<u8>, ExportError> {
        document::assemble(scene, &self.sizes, &self.census, self.drawings, pages, self.options)
    }
}
