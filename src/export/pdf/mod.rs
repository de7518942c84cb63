//! Writes a scene as a PDF 1.7 file: takes the scene, gives the file's bytes. Pages are encoded in parallel, each distinct drawing is one
//! form XObject, fonts are cut down to the glyphs used. Equal scenes give equal bytes.

use rayon::prelude::*;

use super::{Refusal, paper, watched};
use crate::progress::Progress;
use crate::scene::Scene;

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
    if scene.pages.is_empty() {
        return Err(Refusal::NoPages);
    }
    let sizes = scene.pages.iter().enumerate().map(|(at, page)| paper(page, at + 1)).collect::<Result<Vec<_>, _>>()?;
    progress.begin("page", scene.pages.len());
    let census = census::take(scene);
    let drawings: Vec<content::Encoded> =
        (census.drawings.par_iter()).map(|drawing| content::drawing(drawing, &census, options.grey)).collect();
    let pages: Vec<content::Encoded> = (scene.pages.par_iter().zip(&sizes))
        .map(|(page, &size)| watched(progress, || Ok(content::page(page, size, &census, *options))))
        .collect::<Result<_, _>>()?;
    document::assemble(scene, &sizes, &census, drawings, pages, *options)
}
