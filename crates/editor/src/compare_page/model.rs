//! The page that compares designs or fleets side by side: what is compared, the table, the sheets, the commands.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::preview::Tile;
use crate::{DocId, with_kinds};
use moldloft_base::progress::Progress;
use moldloft_library::library::EvaluatedFleet;
use moldloft_library::store::FileRef;
use moldloft_rules::design::Document;
use moldloft_rules::design::fleet::Fleet;
use moldloft_rules::evaluate::{ComparedPart, DesignTable, Evaluation};
use moldloft_rules::ruleset::Ruleset;

/// Besides the current one.
pub const MAX_OTHERS: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CompareTarget {
    Saved,
    Doc(DocId),
    File(FileRef),
}

#[derive(Clone, Debug)]
pub enum ComparedContent {
    Design(Arc<Evaluation>),
    Fleet(Arc<EvaluatedFleet>),
}

/// One column.
#[derive(Clone, Debug)]
pub struct ComparedDoc {
    pub name: String,
    pub content: ComparedContent,
    pub(crate) document: Document,
}

impl ComparedDoc {
    pub fn ship(&self) -> Option<&Arc<Evaluation>> {
        if let ComparedContent::Design(ship) = &self.content { Some(ship) } else { None }
    }

    pub fn fleet(&self) -> Option<(&Arc<EvaluatedFleet>, &Fleet)> {
        if let ComparedContent::Fleet(fleet) = &self.content { Some((fleet, &fleet.fleet)) } else { None }
    }

    /// Those that it is checked by: on trial, not those of its file.
    pub fn rules(&self) -> Option<&Arc<Ruleset>> {
        match &self.content {
            ComparedContent::Design(ship) => Some(&ship.ruleset),
            ComparedContent::Fleet(fleet) => fleet.ruleset.as_ref(),
        }
    }

    pub fn points(&self) -> Option<i64> {
        match &self.content {
            ComparedContent::Design(ship) => ship.points,
            ComparedContent::Fleet(fleet) => fleet.points,
        }
    }

    pub fn is_legal(&self) -> bool {
        match &self.content {
            ComparedContent::Design(ship) => ship.legal,
            ComparedContent::Fleet(fleet) => fleet.legal,
        }
    }
}

/// What the table was computed for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompareKey {
    pub(crate) revision: u64,
    pub(crate) others: Vec<(CompareTarget, Option<u64>)>,
    pub(crate) saved: Option<Arc<str>>,
    pub(crate) rules_generation: u64,
}

/// What does not change with the edits of a document: the saved version or a file, with the rules in force.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum FixedColumnKey {
    Saved(Option<Arc<str>>, u64),
    File(FileRef, u64),
}

impl FixedColumnKey {
    pub(crate) fn is_of(&self, target: &CompareTarget) -> bool {
        match (self, target) {
            (Self::Saved(..), CompareTarget::Saved) => true,
            (Self::File(file, _), CompareTarget::File(other)) => file == other,
            _ => false,
        }
    }

    pub(crate) fn is_same_target(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Saved(..), Self::Saved(..)) => true,
            (Self::File(file, _), Self::File(other, _)) => file == other,
            _ => false,
        }
    }
}

#[derive(Default)]
pub struct ComparePage {
    pub is_open: bool,
    pub others: Vec<CompareTarget>,
    /// Among what could be another one.
    pub search: String,
    /// Rows that do not differ, too.
    pub shows_all: bool,
    /// Rows taken over since the page was opened: they stay in sight.
    pub taken: Vec<ComparedPart>,
    pub shows_sheets: bool,
    /// The current document, then the others; why one of them cannot be compared.
    pub columns: Vec<Result<ComparedDoc, String>>,
    /// Of the columns that can be compared, in their order.
    pub table: DesignTable,
    pub(crate) key: Option<CompareKey>,
    pub(crate) fixed_columns: Vec<(FixedColumnKey, Result<ComparedDoc, String>)>,
    pub(crate) drawing: Option<Progress>,
    /// Pages of each column that can be compared; `None` while they are drawn.
    pub sheets: Option<Vec<Vec<Tile>>>,
}

#[derive(Default)]
pub struct ComparePages {
    pub(crate) pages: BTreeMap<DocId, ComparePage>,
}

impl ComparePages {
    /// `None` if it is closed.
    pub fn open_page(&self, doc: DocId) -> Option<&ComparePage> {
        self.pages.get(&doc).filter(|page| page.is_open)
    }
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum CompareCommand as CompareCommandKind {
        Open,
        Close,
        Add(CompareTarget),
        /// By index among the others.
        Remove(usize),
        PickFile,
        Search(String),
        ShowAll(bool),
        ShowSheets(bool),
        /// Makes a part of the current document as it is in this column.
        Take { column: usize, part: ComparedPart },
        SheetsDrawn { doc: DocId, progress: Progress, pages: Vec<Vec<egui::ColorImage>> },
    }
}
