//! Measuring a printer from the print room: writes the calibration page, stores what was measured on it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::message_with_help;
use crate::printing::model::{CalibrationForm, PrintDialog};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_base::words::Words;
use moldloft_export::export::{ExportOptions, FORMATS};
use moldloft_library::print::{MeasuredPrinter, Printer, Printers, calibration_pages};
use moldloft_library::store;
use moldloft_sheet::sheet::{Margins, PageSetup};

/// A name that is free; one of the first that were written before is replaced after many.
const MAX_PAGES_KEPT: usize = 99;

pub fn new_form(dialog: &PrintDialog) -> CalibrationForm {
    let setup = &dialog.options.page_setup;
    let printer = dialog.options.printer.clone().unwrap_or_default();
    CalibrationForm { printer, paper: setup.paper, turn: setup.turn, ..CalibrationForm::default() }
}

/// Writes the page next to where prints go, and gives its path.
///
/// # Errors
/// Why it cannot be written.
pub fn write_page(form: &CalibrationForm, folder: &Path, words: Option<&Words>) -> Result<PathBuf, Finding> {
    let setup = PageSetup::from(form.paper).turn(form.turn);
    let mut pages =
        calibration_pages(setup, None, "Then type these figures into the form of the print dialog.", words)?;
    let name = |n: usize| match n {
        1 => folder.join("calibration-page.pdf"),
        n => folder.join(format!("calibration-page-{n}.pdf")),
    };
    let path = (1..=MAX_PAGES_KEPT).map(name).find(|path| store::path_kind(path).is_none());
    let path = path.ok_or_else(|| {
        Finding::error("not-written", format!("{} calibration pages are in {}", MAX_PAGES_KEPT, folder.display()))
            .help("remove some of them")
    })?;
    let progress = Progress::default();
    let files = pages.write(path.clone(), &FORMATS[0], &ExportOptions::default(), &progress)?;
    files.save(&progress)?;
    Ok(path)
}

/// Stores the measurements, and gives all printers and the measured one.
///
/// # Errors
/// What is wrong with them, or why they cannot be stored.
pub fn store_printer(form: &CalibrationForm, folder: Option<&Path>) -> Result<(Arc<Printers>, Printer), String> {
    let wrong = |finding: Finding| message_with_help(&finding);
    let folder = folder.ok_or("cannot store printers: this system has no settings folder")?;
    store::make_folder(folder).map_err(wrong)?;
    // Locked from reading to writing, so that concurrent changes of printers are not lost.
    let _lock = store::Lock::for_folder(folder).map_err(wrong)?;
    let (mut printers, unreadable) = Printers::load(Some(folder));
    if let Some(finding) = unreadable {
        return Err(wrong(finding));
    }
    let side = |text: &str| if text.trim().is_empty() { Ok(0.0) } else { number(text, "the place of the cross") };
    let margin = match form.margin.trim() {
        "" => None,
        margin => Some(Margins::all(number(margin, "the white margin")?).clamped()),
    };
    let measured = MeasuredPrinter {
        lengths: Some((number(&form.across, "the length across")?, number(&form.down, "the length down")?)),
        back: Some((side(&form.back.0)?, side(&form.back.1)?)),
        margin,
        turn: Some(form.turn),
    };
    let printer = printers.measure(&form.printer, form.paper, &measured).map_err(wrong)?;
    let text = printers.to_text();
    // Impossible corrections are refused by the reader.
    let printers = Printers::parse(&text).map_err(|_| "expected the cross within 20 mm of the middle".to_owned())?;
    printers.save(folder).map_err(wrong)?;
    Ok((Arc::new(printers), printer))
}

fn number(text: &str, what: &str) -> Result<f32, String> {
    let plain = text.trim().trim_end_matches("mm").trim().replace(',', ".").replace('−', "-");
    let read = plain.parse::<f32>().ok().filter(|mm| mm.is_finite());
    read.ok_or_else(|| format!("expected {what} in mm, found “{}”", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_read_as_they_are_typed() {
        assert_eq!(number(" 196,5 mm", "a length"), Ok(196.5));
        assert_eq!(number("−0.5", "a length"), Ok(-0.5));
        assert!(number("wide", "the length across").unwrap_err().contains("expected the length across in mm"));
        assert!(store_printer(&CalibrationForm::default(), None).is_err());
    }
}
