//! Writes a scene as a PDF 1.7 file: takes the scene, gives the file's bytes. Pages are encoded in parallel, each distinct drawing is one
//! form XObject, fonts are cut down to the glyphs used. Equal scenes give equal bytes.

use rayon::prelude::*;

use super::{Refusal, paper, watched};
use crate::progress::Progress;
use crate::scene::{Page, Scene};

mod batch;
mod census;
mod content;
mod document;
mod file;
mod form;
mod identity;
mod line;
mod outline;
mod state;
mod structure;

use census::Census;
use content::Encoded;

/// What may be chosen about a PDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Colours become greys.
    pub grey: bool,
    /// Boxes can be ticked and fields filled in on the screen.
    pub form: bool,
}

/// The whole scene as one PDF 1.7 file: equal scenes give equal bytes.
///
/// # Errors
/// A page without width or height, or no page at all.
pub fn write(scene: &Scene, options: &Options) -> Result<Vec<u8>, Refusal> {
    write_watched(scene, options, &Progress::default())
}

/// The same, each page counted on the way.
///
/// # Errors
/// As for [`write()`], and when it was asked to stop.
pub fn write_watched(scene: &Scene, options: &Options, progress: &Progress) -> Result<Vec<u8>, Refusal> {
    let plan = Plan::of(scene, *options, progress)?;
    let pages = scene.pages.par_iter().zip(&plan.sizes);
    let pages = pages.map(|(page, &size)| plan.page(page, size, progress)).collect::<Result<_, _>>()?;
    plan.assemble(scene, pages)
}

/// The same; each page is let go of as soon as it is encoded, so that no more of the pages is held than of the file.
///
/// # Errors
/// As for [`write()`], and when it was asked to stop.
pub fn spend_watched(scene: &mut Scene, options: &Options, progress: &Progress) -> Result<Vec<u8>, Refusal> {
    let plan = Plan::of(scene, *options, progress)?;
    let pages = scene.pages.par_iter_mut().zip(&plan.sizes);
    let spend = |(page, &size): (&mut Page, &(f32, f32))| {
        let encoded = plan.page(page, size, progress);
        (page.items, page.folded) = Default::default();
        encoded
    };
    let pages = pages.map(spend).collect::<Result<_, _>>()?;
    plan.assemble(scene, pages)
}

/// What must be known of all pages before the first is encoded.
struct Plan {
    sizes: Vec<(f32, f32)>,
    census: Census,
    drawings: Vec<Encoded>,
    options: Options,
}

impl Plan {
    fn of(scene: &Scene, options: Options, progress: &Progress) -> Result<Self, Refusal> {
        if scene.pages.is_empty() {
            return Err(Refusal::NoPages);
        }
        let sizes = scene.pages.iter().enumerate().map(|(at, page)| paper(page, at + 1)).collect::<Result<_, _>>()?;
        progress.begin("page", scene.pages.len());
        let census = census::take(scene);
        let drawings = census.drawings.par_iter().map(|drawing| content::drawing(drawing, &census, options.grey));
        let drawings = drawings.collect();
        Ok(Self { sizes, census, drawings, options })
    }

    fn page(&self, page: &Page, size: (f32, f32), progress: &Progress) -> Result<Encoded, Refusal> {
        watched(progress, || Ok(content::page(page, size, &self.census, self.options)))
    }

    fn assemble(self, scene: &Scene, pages: Vec<Encoded>) -> Result<Vec<u8>, Refusal> {
        document::assemble(scene, &self.sizes, &self.census, self.drawings, pages, self.options)
    }
}
