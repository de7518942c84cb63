//! The page of a ruleset or layer: what is shown and typed, what a job computed, the dialogs and the commands.

use std::sync::Arc;

use crate::preview::Tile;
use crate::rules_page::sentence::Sentence;
use crate::{Dialog, DocId, OpenRuleset, with_kinds};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::library::ImpactRow;
use moldloft_library::store::FileRef;
use moldloft_rules::ruleset::GridId;

/// A cell of a table of the rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId {
    pub grid: GridId,
    pub row: Arc<str>,
    pub column: Arc<str>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RulesSide {
    #[default]
    Impact,
    Text,
    Findings,
}

/// What is shown of a ruleset, kept for each open document.
#[derive(Default)]
pub struct RulesPage {
    /// The first one if it is gone.
    pub grid: Option<GridId>,
    pub cell: Option<CellId>,
    /// What is typed into the selected cell, as long as it stays selected.
    pub typed: Option<String>,
    /// What was wrong with a text typed into a ruleset that is no layer, as if a layer had it.
    pub trial: Option<CellTrial>,
    pub(crate) trial_job: Option<Progress>,
    pub query: String,
    pub side: RulesSide,
    pub impact: ImpactStatus,
    /// The evaluated state that the impact belongs to.
    pub(crate) impact_key: Option<ImpactKey>,
    /// The job that makes the tables again.
    pub(crate) tables_job: Option<Progress>,
    pub sheets: Option<SheetsBeforeAfter>,
    /// The design or fleet for which a rule is being made: it follows the layer once that is saved.
    pub made_for: Option<DocId>,
    /// Formulas of checks are shown beside their sentences.
    pub shows_formulas: bool,
}

/// A text in the selected cell, tried in a layer that is not kept.
#[derive(Clone, Debug)]
pub struct CellTrial {
    pub cell: CellId,
    pub typed: String,
    pub findings: Vec<Finding>,
}

/// Equal keys have the same impact.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImpactKey {
    pub revision: u64,
    /// Of the rulesets on disk.
    pub generation: u64,
    /// Documents that are not saved, with their revisions.
    pub open: Vec<(DocId, u64)>,
}

#[derive(Default)]
pub enum ImpactStatus {
    /// There is nothing to compare.
    #[default]
    Empty,
    /// The rows before, until the new ones are there.
    Running(Progress, Arc<[(FileRef, ImpactRow)]>),
    Done(Arc<[(FileRef, ImpactRow)]>),
    Failed(String),
}

impl ImpactStatus {
    pub fn rows(&self) -> &[(FileRef, ImpactRow)] {
        match self {
            Self::Running(_, rows) | Self::Done(rows) => rows,
            Self::Empty | Self::Failed(_) => &[],
        }
    }
}

/// A design's sheet under both rulesets.
pub struct SheetsBeforeAfter {
    pub file: FileRef,
    pub name: String,
    pub(crate) progress: Progress,
    /// Pages before and after; `None` while they are drawn.
    pub pages: Option<[Vec<Tile>; 2]>,
}

/// A change of a layer, as data, so that it can wait until there is a layer.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleChange {
    Cell {
        cell: CellId,
        text: String,
    },
    /// `reason` is required for a milder one.
    Severity {
        code: Arc<str>,
        severity: String,
        reason: String,
    },
    /// Removes a row.
    Remove {
        grid: GridId,
        row: Arc<str>,
        reason: String,
    },
    /// Adds a row with these texts by column; empty ones are left out.
    Add {
        grid: GridId,
        cells: Vec<(Arc<str>, String)>,
        reason: String,
    },
    Reason {
        grid: GridId,
        row: Arc<str>,
        reason: String,
    },
}

/// The first change: asks for the layer's name.
#[derive(Clone, Debug, PartialEq)]
pub struct NewLayerDialog {
    pub base: DocId,
    pub name: String,
    pub reason: String,
    /// The file's name without folder; follows the name until it is typed.
    pub file: Option<String>,
    pub change: Option<RuleChange>,
    /// The form that the change is of, shown again when this is cancelled.
    pub(crate) form: Option<Box<Dialog>>,
    pub error: Option<String>,
}

/// A check or built-in finding made milder, or a row removed: asks for the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct ReasonDialog {
    pub change: RuleChange,
}

/// A new row by form.
#[derive(Clone, Debug, PartialEq)]
pub struct AddRowDialog {
    pub grid: GridId,
    /// Text by column; the id has no column.
    pub cells: Vec<(Arc<str>, String)>,
    /// The id was typed; else it follows the name.
    pub has_own_id: bool,
    pub reason: String,
    /// What a check says.
    pub sentence: Sentence,
    pub error: Option<String>,
}

impl AddRowDialog {
    pub fn change(&self) -> RuleChange {
        let (grid, cells, reason) = (self.grid.clone(), self.cells.clone(), self.reason.clone());
        RuleChange::Add { grid, cells, reason }
    }

    pub fn text(&self, column: &str) -> &str {
        self.cells.iter().find(|(known, _)| **known == *column).map_or("", |(_, text)| text)
    }

    pub fn set(&mut self, column: &str, text: String) {
        if let Some((_, old)) = self.cells.iter_mut().find(|(known, _)| **known == *column) {
            *old = text;
        }
    }
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum RulesPageCommand as RulesPageCommandKind {
        /// Opens the page of a ruleset by its id.
        Open(String),
        ShowGrid(GridId),
        SelectCell(CellId),
        /// Shows the cell at a place of the layer's text.
        ShowLine(u32),
        /// Into the selected cell.
        Type(String),
        Search(String),
        ShowSide(RulesSide),
        Change(RuleChange),
        /// Removes a cell's change from the layer.
        TakeBack(CellId),
        /// Removes all that the layer says about a row.
        TakeBackRow { grid: GridId, row: Arc<str> },
        /// Makes the layer that the open dialog asks for.
        CreateLayer,
        /// Adds the row that the open dialog has.
        AddRow,
        /// For a look: by id, without changing the file.
        ToggleLayer(String),
        /// Among the rulesets that the layer extends directly.
        MoveLayer { from: usize, to: usize },
        AddLayer(String),
        DropLayer(usize),
        /// Of the text at a revision; `None` if it failed.
        TablesMade { doc: DocId, revision: u64, progress: Progress, tables: Option<Box<OpenRuleset>> },
        /// The findings of a text typed into a ruleset that is no layer.
        Tried { doc: DocId, progress: Progress, trial: Option<Box<CellTrial>> },
        ImpactDone { doc: DocId, progress: Progress, result: Result<Arc<[(FileRef, ImpactRow)]>, String> },
        /// `None` closes them.
        ShowSheets(Option<(FileRef, String)>),
        SheetsDrawn { doc: DocId, progress: Progress, pages: Option<[Vec<egui::ColorImage>; 2]> },
        OpenReasonDialog(RuleChange),
        OpenAddDialog { grid: GridId, like: Option<Arc<str>> },
        /// Asks which kind of rule, on the page of the rules in use.
        BeginRule,
        /// The design or fleet that follows the layer once it is saved.
        MakeFor(Option<DocId>),
        ShowFormulas(bool),
        Failed(Box<Finding>),
    }
}
