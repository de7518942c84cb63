//! The print dialog: what is printed, progress and commands.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::print_room::model::{PagesInSight, PlanKey, PrintPlan};
use crate::printing::presets::PrintPreset;
use crate::{DocId, with_kinds};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::print::{PageSelection, PrintKind, PrintedFiles, Printers};
use moldloft_library::store::FileRef;
use moldloft_sheet::sheet::{DuplexEdge, Paper};

pub use crate::printing::settings::{DPI_RANGE, PrintSettings};

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
    /// What pages of the game can be in, `de`, besides as the rules are written.
    pub languages: Arc<[String]>,
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
