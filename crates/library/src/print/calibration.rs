//! The calibration page as a print job.

use moldloft_base::finding::Finding;
use moldloft_base::words::Words;
use moldloft_sheet::sheet::{self, PageSetup, calibration};

use super::{PrintedPages, Printer};

/// The calibration page on this paper, corrected for a printer if one is given. `then`: what to do with what was measured, in the words of the face.
///
/// # Errors
/// `paper-too-small`.
pub fn calibration_pages(
    mut page_setup: PageSetup,
    printer: Option<&Printer>,
    then: &str,
    words: Option<&Words>,
) -> Result<PrintedPages, Finding> {
    let (width, height) = page_setup.paper.size();
    if width.min(height) < calibration::MIN_PAPER_WIDTH {
        let message = format!("{} paper is too small for the rulers", page_setup.paper);
        return Err(Finding::error("paper-too-small", message)
            .help("calibrate on A5 or larger; the measurements apply to all papers"));
    }
    if let Some(printer) = printer {
        printer.apply_to(&mut page_setup);
    }
    let mut scene = calibration::calibration_scene(&page_setup, then, words);
    scene.pages = sheet::impose(scene.pages, &page_setup, true, words);
    Ok(PrintedPages { scene, ..PrintedPages::default() })
}
