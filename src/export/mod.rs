//! Turns a scene into files' bytes: PDF, SVG, PNG. Takes a [`Scene`] and a few options, gives bytes; never touches the disk, never asks
//! for the time, so equal scenes give equal bytes. Numbers that are no numbers are written as zeroes. Each page done is counted by a
//! [`Progress`], which may stop the work between two pages.

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

/// What a player may choose about the files.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportOptions {
    /// Colours become greys of the same brightness.
    pub grey: bool,
    /// A PDF's boxes can be ticked and its fields filled in on the screen.
    pub form: bool,
    /// How an SVG holds its text.
    pub text_mode: TextMode,
    /// Dots per inch of a PNG.
    pub dpi: f32,
    /// Whether an SVG or PNG has a white ground rather than none.
    pub background: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { grey: false, form: false, text_mode: TextMode::Outlined, dpi: 150.0, background: true }
    }
}

/// How an SVG holds its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextMode {
    /// As outlines: looks the same everywhere.
    #[default]
    Outlined,
    /// As text with the font inside the file: can be searched and edited, in programs that read such fonts.
    Embedded,
}

/// A kind of file that can be written.
pub struct Format {
    /// What it is called: `PDF`.
    pub name: &'static str,
    /// Ending of file names, without the dot.
    pub extension: &'static str,
    /// Whether every page is a file of its own.
    pub page_by_page: bool,
    /// Writes the files: one, or one a page.
    pub write: fn(&Scene, &ExportOptions, &Progress) -> Result<FileBytes, ExportError>,
    /// Writes the same; the pages may be empty afterwards, so that no more is held than needs to be.
    pub write_consuming: fn(&mut Scene, &ExportOptions, &Progress) -> Result<FileBytes, ExportError>,
}

/// The bytes of the files written, in the pages' order.
pub type FileBytes = Vec<Vec<u8>>;

/// Every format.
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

/// The format that an ending of a file name asks for, in small letters or capitals.
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

/// Why nothing was written.
#[derive(Clone, Debug, PartialEq)]
pub enum ExportError {
    /// The picture would be beyond [`png::MAX_PIXELS`].
    TooLarge {
        /// Dots per inch asked for.
        dpi: f32,
        /// Width and height it would have, in pixels.
        size: (u64, u64),
        /// The most dots per inch that this page allows.
        most: f32,
    },
    /// Dots per inch must be a number above 0.
    NoResolution(f32),
    /// A page without width or height.
    NoPaper {
        /// Which page, counting from 1.
        page: usize,
    },
    /// A scene without pages.
    NoPages,
    /// It was asked to stop.
    Cancelled,
    /// The library that assembles the file gave up; its own words.
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

/// A page's work, unless all is to stop; its end is told.
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

/// The widest or highest page written, in millimetres: PDF readers stop at 14,400 points.
pub const MAX_PAGE_MM: f32 = 5000.0;

/// The colour as it is written: itself, or the grey of the same brightness (the weights of ITU-R BT.709).
pub(crate) fn output_colour(rgb: [u8; 3], grey: bool) -> [u8; 3] {
    if !grey || (rgb[0] == rgb[1] && rgb[1] == rgb[2]) {
        return rgb;
    }
    let [r, g, b] = rgb.map(u32::from);
    [((r * 2126 + g * 7152 + b * 722 + 5000) / 10_000) as u8; 3]
}

/// An opacity as it is written: from 0 to 1, in hundredths; what is no number is solid.
pub(crate) fn opacity_percent(alpha: f32) -> u8 {
    if alpha.is_nan() { 100 } else { (alpha.clamp(0.0, 1.0) * 100.0).round() as u8 }
}

/// A length fit to be written: what is no number becomes 0, and nothing lies further than twenty metres away.
pub(crate) fn bounded_length(length: f32) -> f32 {
    if length.is_nan() { 0.0 } else { length.clamp(-20_000.0, 20_000.0) }
}

/// A page's width and height, refused if there is no paper at all.
pub(crate) fn page_size(page: &Page, number: usize) -> Result<(f32, f32), ExportError> {
    let (width, height) = (bounded_length(page.width).min(MAX_PAGE_MM), bounded_length(page.height).min(MAX_PAGE_MM));
    if width > 0.0 && height > 0.0 { Ok((width, height)) } else { Err(ExportError::NoPaper { page: number }) }
}
