//! What every format does for each page: checks its size, counts it, and stops between two pages when the job is
//! cancelled.

use std::fmt;

use super::limits::{MAX_PAGE_MM, MAX_PIXELS, bounded_length};
use moldloft_base::progress::Progress;
use moldloft_drawing::scene::Page;

#[derive(Clone, Debug, PartialEq)]
pub enum ExportError {
    /// The picture would exceed the limit of pixels.
    TooLarge {
        /// Requested dots per inch.
        dpi: f32,
        /// Width and height in pixels.
        size: (u64, u64),
        /// The highest resolution that this page allows.
        most: f32,
    },
    /// The resolution must be a number above 0.
    NoResolution(f32),
    NoPaper {
        /// From 1.
        page: usize,
    },
    NoPages,
    Cancelled,
    /// Error message of the PDF library.
    Failed(String),
}

impl fmt::Display for ExportError {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::TooLarge { dpi, size: (width, height), most } => write!(
                out,
                "a picture at {dpi} dpi would have {width} × {height} pixels, more than {} million; this page allows up to {most:.0} dpi",
                MAX_PIXELS / 1_000_000
            ),
            Self::NoResolution(dpi) => write!(out, "invalid resolution {dpi} dpi: expected a number above 0"),
            Self::NoPaper { page } => write!(out, "page {page} has no width or no height"),
            Self::NoPages => write!(out, "no pages to print"),
            Self::Cancelled => write!(out, "cancelled"),
            Self::Failed(words) => write!(out, "cannot assemble the file: {words}"),
        }
    }
}

impl std::error::Error for ExportError {}

/// Runs the work of one page and counts it, unless the job is cancelled.
pub fn with_progress<T>(progress: &Progress, work: impl FnOnce() -> Result<T, ExportError>) -> Result<T, ExportError> {
    if progress.is_cancelled() {
        return Err(ExportError::Cancelled);
    }
    let done = work()?;
    progress.step();
    Ok(done)
}

/// Width and height in millimetres; `number` counts from 1.
pub fn page_size(page: &Page, number: usize) -> Result<(f32, f32), ExportError> {
    let (width, height) = (bounded_length(page.width).min(MAX_PAGE_MM), bounded_length(page.height).min(MAX_PAGE_MM));
    if width > 0.0 && height > 0.0 { Ok((width, height)) } else { Err(ExportError::NoPaper { page: number }) }
}
