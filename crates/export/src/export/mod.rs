//! Turns a scene into the bytes of PDF, SVG or PNG files. Never touches the disk or the clock, so equal scenes give
//! equal bytes; numbers that are not finite are written as zero. A [`Progress`] counts the pages and can stop the work
//! between two of them.

use std::path::Path;

use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_drawing::scene::Scene;

mod curves;
mod flatten;
mod limits;
mod number;
mod options;
mod page_work;
pub mod pdf;
mod picture;
pub mod png;
pub mod svg;

pub use options::{ExportOptions, TextMode};
pub use page_work::ExportError;
pub use png::{PictureRegion, render_page, render_region};

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
        write: |scene, options, progress| Ok(vec![pdf::write_with_progress(scene, options, progress)?]),
        write_consuming: |scene, options, progress| Ok(vec![pdf::write_consuming(scene, options, progress)?]),
    },
    Format {
        name: "SVG",
        extension: "svg",
        page_by_page: true,
        write: svg::write_with_progress,
        write_consuming: |scene, options, progress| svg::write_with_progress(scene, options, progress),
    },
    Format {
        name: "PNG",
        extension: "png",
        page_by_page: true,
        write: png::write_with_progress,
        write_consuming: |scene, options, progress| png::write_with_progress(scene, options, progress),
    },
];

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
