//! What the print dialog asks and what is remembered of it, how far printing is, and what can be done there.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::export::{self, FORMATS, Format, TextMode};
use crate::finding::Finding;
use crate::print::{
    CHIT_SIZES, MAX_COPIES, MAX_OFFSET, PackPart, PrintKind, PrintOptions, PrintedFiles, Printer, Printers,
};
use crate::progress::Progress;
use crate::sheet::{Backs, DuplexEdge, Margins, PageSetup};

/// Dots per inch that may be asked for.
pub const DPI_RANGE: (u32, u32) = (20, 1200);

/// How a player prints, remembered from one time to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PrintSettings {
    /// What.
    pub what: PrintKind,
    /// The format, by the ending of its files.
    pub format: String,
    /// How pages lie on the paper.
    #[serde(flatten)]
    pub page_setup: PageSetup,
    /// The name of the printer whose faults are corrected.
    pub printer: Option<String>,
    /// Greys instead of colours.
    pub grey: bool,
    /// Every box and letter 1.3 times as large.
    pub large_print: bool,
    /// Each ship's design as a QR code.
    pub qr: bool,
    /// How often each ship is printed.
    pub copies: u32,
    /// Dots per inch of a PNG.
    pub dpi: u32,
    /// Whether an SVG or PNG has no background.
    pub transparent: bool,
    /// How an SVG holds its text.
    pub lettering: TextMode,
    /// How fronts and backs of chits come together.
    pub backs: Backs,
    /// Side of a chit in mm; `None`: as the rules have it.
    pub chit: Option<u32>,
    /// Which parts of a fleet's pack; all of them when there is none.
    pub parts: BTreeSet<PackPart>,
    /// Fleets are printed on one side of the paper.
    pub single_sided: bool,
    /// A PDF to fill in on the screen.
    pub form: bool,
    /// Whether what was printed is opened.
    pub view: bool,
    /// The folder printed to last.
    pub folder: Option<PathBuf>,
}

impl Default for PrintSettings {
    fn default() -> Self {
        Self {
            what: PrintKind::Sheets,
            format: "pdf".into(),
            page_setup: PageSetup::default(),
            printer: None,
            grey: false,
            large_print: false,
            qr: false,
            copies: 1,
            dpi: 150,
            transparent: false,
            lettering: TextMode::Outlined,
            backs: Backs::Duplex,
            chit: None,
            parts: BTreeSet::new(),
            single_sided: false,
            form: false,
            view: true,
            folder: None,
        }
    }
}

impl PrintSettings {
    /// The format; the first there is for an ending that is none.
    pub fn format(&self) -> &'static Format {
        export::format_for(&self.format).unwrap_or(&FORMATS[0])
    }

    /// Brings every figure into its range.
    pub(in crate::editor) fn clamp(&mut self) {
        self.format = self.format().extension.to_owned();
        self.copies = self.copies.clamp(1, MAX_COPIES);
        self.dpi = self.dpi.clamp(DPI_RANGE.0, DPI_RANGE.1);
        self.chit = self.chit.map(|side| side.clamp(CHIT_SIZES.0, CHIT_SIZES.1));
        let mend = |mm: f32| if mm.is_finite() { mm.clamp(-MAX_OFFSET, MAX_OFFSET) } else { 0.0 };
        self.page_setup.offset = (mend(self.page_setup.offset.0), mend(self.page_setup.offset.1));
        self.page_setup.margins = self.page_setup.margins.map(Margins::clamped);
    }

    /// Names a printer, with its own way of turning the paper.
    pub fn select_printer(&mut self, printer: Option<&Printer>) {
        self.printer = printer.map(|printer| printer.name.clone());
        self.page_setup.turn = printer.map_or(DuplexEdge::Long, |printer| printer.turn);
        // What was typed by hand belonged to another printer.
        self.page_setup.offset = (0.0, 0.0);
    }

    /// # Errors
    /// `unknown-printer`, when it was removed meanwhile.
    pub(in crate::editor) fn print_options(&self, printers: &Printers) -> Result<PrintOptions, Finding> {
        let mut bed = self.page_setup;
        if let Some(name) = &self.printer {
            printers.require(name)?.apply_to(&mut bed);
        }
        Ok(PrintOptions {
            kind: self.what,
            page_setup: bed,
            large_print: self.large_print && self.what != PrintKind::Counters,
            copies: if self.what.sheet_kind().is_some() { 1 } else { self.copies },
            backs: self.backs,
            qr: self.qr && self.what != PrintKind::Counters,
        })
    }

    /// How the files are written.
    pub fn export_options(&self) -> export::ExportOptions {
        export::ExportOptions {
            grey: self.grey,
            form: self.form && self.format == "pdf",
            text_mode: self.lettering,
            dpi: self.dpi as f32,
            background: !self.transparent,
        }
    }
}

/// What the dialog asks.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintDialog {
    /// How.
    pub options: PrintSettings,
    /// All open designs instead of the one shown.
    pub all_open: bool,
    /// The file, as typed.
    pub path: String,
    /// Whether the player named the file: then no other name is proposed.
    pub path_edited: bool,
    /// The printers that were measured.
    pub printers: Arc<Printers>,
    /// What the dialog shows.
    pub stage: PrintStage,
}

/// What the print dialog shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PrintStage {
    /// The questions.
    #[default]
    Settings,
    /// How far the work is.
    Working(Progress),
    /// Files are there already: may they be replaced?
    ConfirmReplace(Arc<PrintedFiles>),
    /// What was found while printing.
    Report(Arc<PrintReport>),
}

/// How it went.
#[derive(Debug, PartialEq)]
pub struct PrintReport {
    /// `vigilant.pdf: 1 ship on 1 page`, or that nothing was printed.
    pub summary: String,
    /// Whether something was written.
    pub any_written: bool,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// What is done in the print dialog.
#[derive(Clone, Debug)]
pub enum PrintCommand {
    /// Opens it; for this, or for what was printed last.
    Open(Option<PrintKind>),
    /// The player changed something.
    UpdateDialog(Box<PrintDialog>),
    /// Prints.
    Start,
    /// Prints over the files that are there.
    Replace,
    /// Back to the questions; stops what runs.
    BackToSettings,
    /// A job made the files, or found why there are none.
    FilesMade(Progress, Result<Arc<PrintedFiles>, Arc<PrintReport>>),
    /// A job wrote them, or could not.
    FilesWritten(Progress, Arc<PrintReport>, PathBuf),
}
