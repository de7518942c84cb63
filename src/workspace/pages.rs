//! Printing: takes checked ships and fleets, gives pages, then bytes or files.

use std::path::{Path, PathBuf};

use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_export::export::{ExportOptions, FORMATS, FileBytes, Format, format_for, format_for_path};
use moldloft_library::print::{self, MAX_COPIES, PackOptions, PrintOptions, PrintedPages};
use moldloft_library::store::page_path;
use moldloft_rules::evaluate::Evaluation;

use super::{CheckedFleet, CheckedShip, Error, Workspace};

impl Workspace {
    /// Lays out the control sheets or the counters of ships on paper. Counters are numbered through all ships of the
    /// call.
    ///
    /// # Errors
    /// `wrong-argument` when `options` asks for a kind of print that needs no ship, or for copies outside 1 to 1000.
    pub fn print(&self, ships: &[CheckedShip], options: &PrintOptions) -> Result<Pages, Error> {
        if options.kind.sheet_kind().is_some() {
            let message = "expected a kind of print with ships, found one without";
            return Err(Finding::error("wrong-argument", message).help("use Workspace::print_ruleset").into());
        }
        check_copies(options)?;
        let ships: Vec<Evaluation> = ships.iter().map(|ship| ship.evaluation.clone()).collect();
        Ok(Pages(print::print_ships(self.store(), ships, options, &Progress::default())))
    }

    /// Lays out the sheets of a ruleset that need no ship: its tables for all players (`PrintKind::Reference`) or empty
    /// control sheets to fill in by pencil (`PrintKind::Blank`).
    ///
    /// # Errors
    /// `unknown-ruleset` or `unusable-ruleset`; `no-reference-sheet`; `wrong-argument` when `options` asks for another
    /// kind of print, or for copies outside 1 to 1000.
    pub fn print_ruleset(&self, ruleset: &str, options: &PrintOptions) -> Result<Pages, Error> {
        if options.kind.sheet_kind().is_none() {
            let message = "expected a kind of print without ships, found one with ships";
            return Err(Finding::error("wrong-argument", message).help("use Workspace::print").into());
        }
        check_copies(options)?;
        let ruleset = self.usable_ruleset(ruleset)?;
        Ok(Pages(print::print_ruleset(self.store(), &ruleset, options, &Progress::default())?))
    }

    /// Lays out the pack of one or several fleets: roster, summary for the opponent, control sheets, counters and order
    /// logs of each, then the reference sheets of the games, once. Fronts and backs are laid out for the format that the
    /// pages are for: pictures have no blank backs.
    ///
    /// # Errors
    /// `wrong-argument` when `options` asks for copies outside 1 to 1000. A pack of more than 20,000 pages is cut, with
    /// a finding.
    pub fn print_pack(
        &self,
        fleets: &[CheckedFleet],
        options: &PackOptions,
        format: FileFormat,
    ) -> Result<Pages, Error> {
        check_copies(&options.print)?;
        let fleets: Vec<_> = fleets.iter().map(|fleet| fleet.fleet.clone()).collect();
        Ok(Pages(print::print_fleets(self.store(), &fleets, options, format.encoder(), &Progress::default())))
    }
}

fn check_copies(options: &PrintOptions) -> Result<(), Finding> {
    if (1..=MAX_COPIES).contains(&options.copies) {
        return Ok(());
    }
    Err(Finding::error("wrong-argument", format!("expected 1 to {MAX_COPIES} copies, found {}", options.copies)))
}

/// The format of a file of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileFormat {
    /// One file with all pages, as large as they are printed.
    Pdf,
    /// A file for each page.
    Svg,
    /// A file for each page.
    Png,
}

impl FileFormat {
    fn encoder(self) -> &'static Format {
        let extension = match self {
            Self::Pdf => "pdf",
            Self::Svg => "svg",
            Self::Png => "png",
        };
        format_for(extension).unwrap_or(&FORMATS[0])
    }
}

/// Pages laid out on paper. Equal pages always give equal bytes.
pub struct Pages(PrintedPages);

impl Pages {
    /// The number of pages, blank backs included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.scene.pages.len()
    }

    /// Whether there are no pages, because there are no ships or no sheets for them.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.scene.pages.is_empty()
    }

    /// Findings of the layout: a text that was cut, a fault in a template, a character that no font has.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.0.findings
    }

    /// All pages as one PDF.
    ///
    /// # Errors
    /// `not-written` when there is no page.
    pub fn to_pdf(&self, options: &ExportOptions) -> Result<Vec<u8>, Error> {
        self.write(FileFormat::Pdf, options).map(|files| files.into_iter().next().unwrap_or_default())
    }

    /// Each page as an SVG, in UTF-8.
    ///
    /// # Errors
    /// `not-written` when there is no page; `form-needs-pdf` when `options` asks for a form.
    pub fn to_svg(&self, options: &ExportOptions) -> Result<Vec<Vec<u8>>, Error> {
        self.write(FileFormat::Svg, options)
    }

    /// Each page as a PNG.
    ///
    /// # Errors
    /// `not-written` when there is no page, or when the dots per inch of `options` are not above 0 or give a picture
    /// that is too large; `form-needs-pdf` when `options` asks for a form.
    pub fn to_png(&self, options: &ExportOptions) -> Result<Vec<Vec<u8>>, Error> {
        self.write(FileFormat::Png, options)
    }

    /// Writes a `.pdf`, `.svg` or `.png` file. Several pages of SVG or PNG become `NAME-1.svg`, `NAME-2.svg` and so on.
    /// Each file is written completely or not at all. Existing files are replaced, except forms that were filled in.
    /// Returns the paths of the files.
    ///
    /// # Errors
    /// `unknown-format`; the errors of [`to_pdf`](Self::to_pdf), [`to_svg`](Self::to_svg) and [`to_png`](Self::to_png);
    /// `form-filled-in`; `unwritable`, with the files that are already written.
    pub fn save(&self, path: impl AsRef<Path>, options: &ExportOptions) -> Result<Vec<PathBuf>, Error> {
        let path = path.as_ref();
        let mut pages = PrintedPages { scene: self.0.scene.clone(), ..PrintedPages::default() };
        let progress = Progress::default();
        let files = pages.write(path.to_owned(), format_for_path(path)?, options, &progress)?;
        files.save_unless_kept(&progress)?;
        Ok((1..=files.files.len()).map(|page| page_path(path, page, files.files.len())).collect())
    }

    fn write(&self, format: FileFormat, options: &ExportOptions) -> Result<FileBytes, Error> {
        Ok(print::write_bytes(&mut self.0.scene.clone(), format.encoder(), options, &Progress::default())?)
    }
}
