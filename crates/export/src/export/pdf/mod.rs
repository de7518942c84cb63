//! Writes a scene as a PDF 1.7 file: pages are encoded in parallel, what pages have in common is one stream, a drawing
//! that is shown several times is one form XObject, fonts are reduced to the glyphs used. Equal scenes give equal bytes.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::options::ExportOptions;
use super::page_work::{ExportError, page_size, with_progress};
use super::picture::pixel_streams;
use moldloft_base::progress::Progress;
use moldloft_drawing::scene::{Page, Scene};

mod acroform;
mod batch;
mod code_map;
mod content;
mod document;
mod form_identity;
mod graphics_state;
mod object_writer;
mod outline;
mod shared_content;
mod stamp;
mod structure;
mod syntax;
mod text_line;
mod usage;

use content::EncodedContent;
use shared_content::{EncodedPages, PAGES_AT_ONCE};
pub(super) use syntax::compress;
use usage::SceneUsage;

/// Writes a scene as one file.
///
/// # Errors
/// A page without width or height, or no pages.
pub fn write(scene: &Scene, options: &ExportOptions) -> Result<Vec<u8>, ExportError> {
    write_with_progress(scene, options, &Progress::default())
}

/// As [`write()`], with progress.
///
/// # Errors
/// As [`write()`], and [`ExportError::Cancelled`].
pub fn write_with_progress(
    scene: &Scene,
    options: &ExportOptions,
    progress: &Progress,
) -> Result<Vec<u8>, ExportError> {
    let plan = PdfPlan::new(scene, options, progress)?;
    let mut encoded = EncodedPages::default();
    for (pages, sizes) in scene.pages.chunks(PAGES_AT_ONCE).zip(plan.sizes.chunks(PAGES_AT_ONCE)) {
        let pages = pages.par_iter().zip(sizes);
        encoded.add(pages.map(|(page, &size)| plan.encode_page(page, size, progress)).collect::<Result<_, _>>()?);
    }
    plan.assemble(scene, encoded)
}

/// As [`write_with_progress`], but drops each page once it is encoded, to save memory.
///
/// # Errors
/// As [`write_with_progress`].
pub fn write_consuming(
    scene: &mut Scene,
    options: &ExportOptions,
    progress: &Progress,
) -> Result<Vec<u8>, ExportError> {
    let plan = PdfPlan::new(scene, options, progress)?;
    let spend = |(page, &size): (&mut Page, &(f32, f32))| {
        let encoded = plan.encode_page(page, size, progress);
        (page.items, page.compact) = Default::default();
        encoded
    };
    let mut all = EncodedPages::default();
    for (pages, sizes) in scene.pages.chunks_mut(PAGES_AT_ONCE).zip(plan.sizes.chunks(PAGES_AT_ONCE)) {
        all.add(pages.par_iter_mut().zip(sizes).map(spend).collect::<Result<_, _>>()?);
    }
    plan.assemble(scene, all)
}

/// What must be known of all pages before the first is encoded.
struct PdfPlan<'a> {
    sizes: Vec<(f32, f32)>,
    usage: SceneUsage,
    drawings: Vec<EncodedContent>,
    options: &'a ExportOptions,
}

impl<'a> PdfPlan<'a> {
    fn new(scene: &Scene, options: &'a ExportOptions, progress: &Progress) -> Result<Self, ExportError> {
        if scene.pages.is_empty() {
            return Err(ExportError::NoPages);
        }
        let sizes =
            scene.pages.iter().enumerate().map(|(at, page)| page_size(page, at + 1)).collect::<Result<_, _>>()?;
        progress.begin_phase("page", scene.pages.len());
        let mut usage = usage::collect_usage(scene);
        let drawings = usage.drawings.par_iter().map(|drawing| content::encode_drawing(drawing, &usage, options.grey));
        let mut drawings: Vec<EncodedContent> = drawings.collect();
        // What a form shows is a form.
        let nested: BTreeSet<usize> = drawings.iter().flat_map(|drawing| &drawing.drawings).copied().collect();
        for (number, (used, encoded)) in usage.drawings.iter_mut().zip(&mut drawings).enumerate() {
            used.picture = used.drawing.picture.as_ref().map(|picture| pixel_streams(picture, options.grey));
            let is_inline =
                used.picture.is_none() && !nested.contains(&number) && content::is_better_inline(used, encoded);
            used.inline = is_inline.then(|| std::mem::take(&mut encoded.bytes));
        }
        Ok(Self { sizes, usage, drawings, options })
    }

    fn encode_page(&self, page: &Page, size: (f32, f32), progress: &Progress) -> Result<EncodedContent, ExportError> {
        with_progress(progress, || Ok(content::encode_page(page, size, &self.usage, self.options)))
    }

    fn assemble(self, scene: &Scene, pages: EncodedPages) -> Result<Vec<u8>, ExportError> {
        document::assemble(scene, &self.sizes, &self.usage, self.drawings, pages, self.options.form)
    }
}
