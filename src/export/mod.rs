//! Turns a scene into the bytes of PDF, SVG or PNG files. Never touches the disk or the clock, so equal scenes give
//! equal bytes; numbers that are not finite are written as zero. A [`Progress`] counts the pages and can stop the work
//! between two of them.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::finding::Finding;
use crate::progress::Progress;
use crate::scene::{Page, Scene};

mod curves;
mod flatten;
mod number;
pub mod pdf;
pub mod png;
pub mod svg;

pub use png::{PictureRegion, render_page, render_region};

#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// Colours become greys of the same brightness.
    pub grey: bool,
    /// Boxes and fields of a PDF can be filled in on screen.
    pub form: bool,
    /// SVG only.
    pub text_mode: TextMode,
    /// PNG only; dots per inch.
    pub dpi: f32,
    /// Give an SVG or PNG a white rather than transparent background.
    pub background: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { grey: false, form: false, text_mode: TextMode::Outlined, dpi: 150.0, background: true }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextMode {
    /// As outlines, which look the same everywhere.
    #[default]
    Outlined,
    /// As text with an embedded font: searchable and editable in programs that support it.
    Embedded,
}

pub struct Format {
    pub name: &'static str,
    /// Without the dot.
    pub extension: &'static str,
    pub page_by_page: bool,
    /// Writes one file, or one for each page.
    pub write: fn(&Scene, &ExportOptions, &Progress) -> Result<FileBytes, ExportError>,
    /// As `write`, but may empty the pages to save memory.
    pub write_consuming: fn(&mut Scene, &ExportOptions, &Progress) -> Result<FileBytes, ExportError>,
}

/// One entry for each file, in the order of pages.
pub type FileBytes = Vec<Vec<u8>>;

pub static FORMATS: &[Format] = &[
    Format {
        name: "PDF",
        extension: "pdf",
        page_by_page: false,
        write: |scene, options, progress| {
            Ok(vec![pdf::write_with_progress(
                scene,
                &pdf::PdfOptions { grey: options.grey, form: options.form },
                progress,
            )?])
        },
        write_consuming: |scene, options, progress| {
            Ok(vec![pdf::write_consuming(
                scene,
                &pdf::PdfOptions { grey: options.grey, form: options.form },
                progress,
            )?])
        },
    },
    Format {
        name: "SVG",
        extension: "svg",
        page_by_page: true,
        write: svg_pages,
        write_consuming: |scene, options, progress| svg_pages(scene, options, progress),
    },
    Format {
        name: "PNG",
        extension: "png",
        page_by_page: true,
        write: png_pages,
        write_consuming: |scene, options, progress| png_pages(scene, options, progress),
    },
];

fn svg_pages(scene: &Scene, options: &ExportOptions, progress: &Progress) -> Result<FileBytes, ExportError> {
    let options = svg::SvgOptions { grey: options.grey, text_mode: options.text_mode, background: options.background };
    Ok(svg::write_with_progress(scene, &options, progress)?.into_iter().map(String::into_bytes).collect())
}

fn png_pages(scene: &Scene, options: &ExportOptions, progress: &Progress) -> Result<FileBytes, ExportError> {
    let options = png::PngOptions { grey: options.grey, dpi: options.dpi, background: options.background };
    png::write_with_progress(scene, &options, progress)
}

/// By file extension, ignoring case.
pub fn format_for(extension: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.extension.eq_ignore_ascii_case(extension))
}

/// The format that a file's name asks for.
///
/// # Errors
/// `unknown-format` when it asks for none that can be written.
pub fn format_for_path(path: &Path) -> Result<&'static Format, Finding> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(format_for).ok_or_else(|| {
        let known: Vec<String> = FORMATS.iter().map(|format| format!(".{}", format.extension)).collect();
        Finding::error("unknown-format", format!("unknown file type: {}", path.display()))
            .help(format!("use a file name that ends in {}", known.join(" or ")))
    })
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExportError {
    /// The picture would exceed [`png::MAX_PIXELS`].
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
                png::MAX_PIXELS / 1_000_000
            ),
            Self::NoResolution(dpi) => write!(out, "invalid resolution {dpi} dpi: expected a number above 0"),
            Self::NoPaper { page } => {
                write!(out, "page {page} has no width or no height")
            }
            Self::NoPages => write!(out, "no pages to print"),
            Self::Cancelled => write!(out, "cancelled"),
            Self::Failed(words) => write!(out, "cannot assemble the file: {words}"),
        }
    }
}

impl std::error::Error for ExportError {}

/// Runs the work of one page and counts it, unless the job is cancelled.
pub(crate) fn with_progress<T>(
    progress: &Progress,
    work: impl FnOnce() -> Result<T, ExportError>,
) -> Result<T, ExportError> {
    if progress.is_cancelled() {
        return Err(ExportError::Cancelled);
    }
    let done = work()?;
    progress.step();
    Ok(done)
}

/// Largest side of a page in millimetres; PDF readers allow 14,400 points.
pub const MAX_PAGE_MM: f32 = 5000.0;

/// The colour to write: unchanged, or the grey of the same brightness (weights of ITU-R BT.709).
pub(crate) fn output_colour(rgb: [u8; 3], grey: bool) -> [u8; 3] {
    if !grey || (rgb[0] == rgb[1] && rgb[1] == rgb[2]) {
        return rgb;
    }
    let [r, g, b] = rgb.map(u32::from);
    [((r * 2126 + g * 7152 + b * 722 + 5000) / 10_000) as u8; 3]
}

/// The opacity to write, in per cent from 0 to 100; NaN counts as opaque.
pub(crate) fn opacity_percent(alpha: f32) -> u8 {
    if alpha.is_nan() { 100 } else { (alpha.clamp(0.0, 1.0) * 100.0).round() as u8 }
}

/// The length to write: NaN becomes 0, and the limit is twenty metres.
pub(crate) fn bounded_length(length: f32) -> f32 {
    if length.is_nan() { 0.0 } else { length.clamp(-20_000.0, 20_000.0) }
}

pub(crate) fn page_size(page: &Page, number: usize) -> Result<(f32, f32), ExportError> {
    let (width, height) = (bounded_length(page.width).min(MAX_PAGE_MM), bounded_length(page.height).min(MAX_PAGE_MM));
    if width > 0.0 && height > 0.0 { Ok((width, height)) } else { Err(ExportError::NoPaper { page: number }) }
}
