//! Drafts, recovery after a crash and what to do after saving; and the commands for them.

use std::path::PathBuf;
use std::sync::Arc;

use crate::line_diff::DiffLine;
use crate::{Doc, DocId, with_kinds};
use moldloft_library::store::{ContentHash, LeftoverDraft};

#[derive(Default)]
pub struct Persistence {
    /// Drafts left by programs that ended without saving.
    pub recovered: Vec<RecoveredDraft>,
    /// The report of the fault by which the program ended before.
    pub fault: Option<String>,
    /// Discarded if the user confirms.
    pub pending_discard: Option<DiscardTarget>,
    /// What to do after the next successful save.
    pub after_save: Option<AfterSave>,
    pub(crate) keeps_drafts: bool,
    pub(crate) saved_drafts: Vec<(DocId, Arc<str>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterSave {
    Close(DocId),
    Quit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscardTarget {
    One(usize),
    All,
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum PersistenceCommand as PersistenceCommandKind {
        /// Starts keeping drafts and offers those of a crash.
        Start,
        /// Watches the workspace and the open files.
        Watch,
        WriteDrafts,
        ShowRecovered,
        /// By index.
        Restore(usize),
        RestoreAll,
        /// `None` cancels.
        ConfirmDiscard(Option<DiscardTarget>),
        Discard(DiscardTarget),
        /// Changed, created or removed by another program.
        FilesChanged(Vec<PathBuf>),
        /// Checks whether the open files have changed.
        CheckFiles,
        /// Undo restores the user's version.
        TakeDiskVersion(DocId),
        /// The next save replaces the file.
        KeepOwnVersion(DocId),
        SaveCopy(DocId),
        /// Only if the file still has the expected content.
        ReplaceFile {
            path: PathBuf,
            /// Content when the user was asked.
            expected_hash: ContentHash,
        },
        SaveAndClose(DocId),
        SaveAndQuit,
        SetText(String),
    }
}

impl Persistence {
    pub fn has_undrafted_changes(&self, docs: &[Doc]) -> bool {
        self.keeps_drafts && docs.iter().any(|doc| doc.has_unsaved_work() && !self.has_draft(doc))
    }

    /// Whether the program ended before without being asked to, and there is something to tell of it.
    pub fn is_after_crash(&self) -> bool {
        self.fault.is_some() || !self.recovered.is_empty()
    }

    pub(crate) fn has_draft(&self, doc: &Doc) -> bool {
        self.saved_drafts.iter().any(|(id, text)| *id == doc.id && text == doc.text())
    }
}

#[derive(Clone, Debug)]
pub struct RecoveredDraft {
    pub draft: LeftoverDraft,
    /// `None` if it is missing or cannot be read.
    pub file_text: Option<String>,
    pub diff: Vec<DiffLine>,
    /// Whether the file changed after the draft was started.
    pub file_changed: bool,
}
