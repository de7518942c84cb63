//! The print room: its settings, what is printed, progress and commands.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::export::{self, FORMATS, Format, TextMode};
use crate::finding::Finding;
use crate::print::{
    CHIT_SIZES, MAX_COPIES, MAX_OFFSET, PackPart, PageSelection, PrintKind, PrintOptions, PrintedFiles, Printer,
    Printers,
};
use crate::progress::Progress;
use crate::sheet::{Backs, DuplexEdge, Margins, PageSetup, Paper};
use crate::store::FileRef;

use super::kinds::with_kinds;
use super::print_presets::PrintPreset;
use super::print_room::{PagesInSight, PlanKey, PrintPlan};
use super::view::DocId;

/// In dots per inch.
pub const DPI_RANGE: (u32, u32) = (20, 1200);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PrintSettings {
    pub what: PrintKind,
    /// By file extension.
    pub format: String,
    #[serde(flatten)]
    pub page_setup: PageSetup,
    /// Name of the calibrated printer.
    pub printer: Option<String>,
    pub grey: bool,
    /// Every box and letter 1.3 times as large.
    pub large_print: bool,
    /// Each ship's design as a QR code.
    pub qr: bool,
    pub copies: u32,
    pub dpi: u32,
    pub transparent: bool,
    pub lettering: TextMode,
    pub backs: Backs,
    /// Side of a chit in mm; `None`: as in the rules.
    pub chit: Option<u32>,
    /// Parts of a fleet's pack; empty means all.
    pub parts: BTreeSet<PackPart>,
    pub single_sided: bool,
    /// A PDF form to fill in on the screen.
    pub form: bool,
    pub view: bool,
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
    /// The first format if the extension is unknown.
    pub fn format(&self) -> &'static Format {
        export::format_for(&self.format).unwrap_or(&FORMATS[0])
    }

    pub(in crate::editor) fn clamp(&mut self) {
        self.format = self.format().extension.to_owned();
        self.copies = self.copies.clamp(1, MAX_COPIES);
        self.dpi = self.dpi.clamp(DPI_RANGE.0, DPI_RANGE.1);
        self.chit = self.chit.map(|side| side.clamp(CHIT_SIZES.0, CHIT_SIZES.1));
        let clamp_offset = |mm: f32| if mm.is_finite() { mm.clamp(-MAX_OFFSET, MAX_OFFSET) } else { 0.0 };
        self.page_setup.offset = (clamp_offset(self.page_setup.offset.0), clamp_offset(self.page_setup.offset.1));
        self.page_setup.margins = self.page_setup.margins.map(Margins::clamped);
    }

    pub fn select_printer(&mut self, printer: Option<&Printer>) {
        self.printer = printer.map(|printer| printer.name.clone());
        self.page_setup.turn = printer.map_or(DuplexEdge::Long, |printer| printer.turn);
        // A typed offset belongs to the printer before.
        self.page_setup.offset = (0.0, 0.0);
    }

    /// # Errors
    /// `unknown-printer` if it was removed meanwhile.
    pub(in crate::editor) fn print_options(&self, printers: &Printers) -> Result<PrintOptions, Finding> {
        let mut setup = self.page_setup;
        if let Some(name) = &self.printer {
            printers.require(name)?.apply_to(&mut setup);
        }
        Ok(PrintOptions {
            kind: self.what,
            page_setup: setup,
            large_print: self.large_print && self.what != PrintKind::Counters,
            copies: if self.what.sheet_kind().is_some() { 1 } else { self.copies },
            backs: self.backs,
            qr: self.qr && self.what != PrintKind::Counters,
        })
    }

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

/// A fleet that is printed with the current one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PrintSource {
    Open(DocId),
    /// Of the library.
    File(FileRef),
}

#[derive(Clone, Debug, PartialEq)]
pub struct PrintDialog {
    pub options: PrintSettings,
    /// All open documents instead of the current one.
    pub all_open: bool,
    /// Fleets besides the current one.
    pub more: BTreeSet<PrintSource>,
    /// The pages to print, as typed; empty means all.
    pub pages: String,
    pub path: String,
    /// Set if the user typed a name: no other is proposed then.
    pub path_edited: bool,
    /// Why nothing can be written there.
    pub path_problem: Option<String>,
    /// While the settings get a name.
    pub preset_name: Option<String>,
    /// If there is no room for both: the pages instead of the settings.
    pub shows_pages: bool,
    pub printers: Arc<Printers>,
    pub stage: PrintStage,
}

impl PrintDialog {
    /// # Errors
    /// What is wrong with the typed pages.
    pub fn selection(&self) -> Result<PageSelection, String> {
        if self.pages.trim().is_empty() { Ok(PageSelection::default()) } else { self.pages.parse() }
    }
}

/// What was measured on a calibration page, as typed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CalibrationForm {
    pub printer: String,
    pub paper: Paper,
    pub turn: DuplexEdge,
    /// Lengths of the rulers in mm.
    pub across: String,
    pub down: String,
    /// Position of the cross on the scales of the back, in mm.
    pub back: (String, String),
    /// White edges in mm; empty: not measured.
    pub margin: String,
    pub error: Option<String>,
    /// That the page was written, and where.
    pub written: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum PrintStage {
    #[default]
    Settings,
    Working(Progress),
    ConfirmReplace(Arc<PrintedFiles>),
    Report(Arc<PrintReport>),
    Calibrate(Box<CalibrationForm>),
}

#[derive(Debug, PartialEq)]
pub struct PrintReport {
    /// `vigilant.pdf: 1 ship on 1 page`, or that nothing was printed.
    pub summary: String,
    pub any_written: bool,
    pub findings: Vec<Finding>,
    /// The written file, or the folder of several.
    pub path: Option<PathBuf>,
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum PrintCommand as PrintCommandKind {
        /// `None`: what was printed last.
        Open(Option<PrintKind>),
        UpdateDialog(Box<PrintDialog>),
        Start,
        Replace,
        /// Cancels a running job.
        BackToSettings,
        FilesMade(Progress, Result<Arc<PrintedFiles>, Arc<PrintReport>>),
        FilesWritten(Progress, Arc<PrintReport>, PathBuf),
        ApplyPreset(PrintPreset),
        /// By its name.
        ApplyOwnPreset(String),
        /// Under the name that is typed in the dialog.
        KeepPreset,
        RemovePreset(String),
        PlanMade { key: Box<PlanKey>, progress: Progress, plan: Arc<PrintPlan> },
        /// What is in sight.
        ShowPages(PagesInSight),
        /// Each page with its picture; `None` if it could not be drawn.
        PagesDrawn { progress: Progress, width: u32, grey: bool, pictures: Vec<(u32, Option<egui::ColorImage>)> },
        StepPictureSize { larger: bool },
        OpenCalibration,
        UpdateCalibration(Box<CalibrationForm>),
        WriteCalibrationPage,
        KeepCalibration,
    }
}
