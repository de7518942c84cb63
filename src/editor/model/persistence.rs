//! What is known of the player's work being safe: drafts, what a crash left, what is done after a save; and what can be done about it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::editor::line_diff::DiffLine;
use crate::store::{ContentHash, LeftoverDraft};

use super::doc::Doc;
use super::view::DocId;

/// What is known of it.
#[derive(Default)]
pub struct Persistence {
    /// What programs that are gone left behind, until it is restored or thrown away.
    pub recovered: Vec<RecoveredDraft>,
    /// What is thrown away if the player says so once more.
    pub pending_discard: Option<DiscardTarget>,
    /// What is done when the next save has gone well.
    pub after_save: Option<AfterSave>,
    /// Whether drafts are kept.
    pub(in crate::editor) keeps_drafts: bool,
    /// Texts that are safe as drafts.
    pub(in crate::editor) saved_drafts: Vec<(DocId, Arc<str>)>,
}

/// What is to be done when everything needed is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterSave {
    /// Closes the design.
    Close(DocId),
    /// Leaves the program.
    Quit,
}

/// What of a crash is thrown away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiscardTarget {
    /// One offer, by its place.
    One(usize),
    /// All of them.
    All,
}

/// What can be done to keep things safe.
#[derive(Clone, Debug)]
pub enum PersistenceCommand {
    /// Begins to keep drafts, and offers what is left of a crash.
    Start,
    /// Begins to watch the workspace and the open files.
    Watch,
    /// Writes the drafts that are due.
    WriteDrafts,
    /// Shows the offer again.
    ShowRecovered,
    /// Restores one of the offers, by its place.
    Restore(usize),
    /// Restores all of them.
    RestoreAll,
    /// Asks once more before throwing something away, or thinks better of it.
    ConfirmDiscard(Option<DiscardTarget>),
    /// Throws it away.
    Discard(DiscardTarget),
    /// Files were changed, made or removed by another program.
    FilesChanged(Vec<PathBuf>),
    /// Looks whether the open files are others by now.
    CheckFiles,
    /// Takes what stands in the file; undoing brings the player's own back.
    TakeDiskVersion(DocId),
    /// Keeps the player's own: the next save replaces what stands in the file.
    KeepOwnVersion(DocId),
    /// Asks where to save the player's own beside the file.
    SaveCopy(DocId),
    /// Saves there in the place of what is there, if it is still that.
    ReplaceFile {
        /// Where.
        path: PathBuf,
        /// What was there when the player was asked.
        expected_hash: ContentHash,
    },
    /// Saves a design, then closes it.
    SaveAndClose(DocId),
    /// Saves all that would be lost, then leaves.
    SaveAndQuit,
    /// Puts a text in force that was typed as text.
    SetText(String),
}

impl Persistence {
    /// Whether something has changed that no draft holds yet.
    pub fn has_undrafted_changes(&self, docs: &[Doc]) -> bool {
        self.keeps_drafts && docs.iter().any(|doc| doc.has_unsaved_work() && !self.has_draft(doc))
    }

    pub(in crate::editor) fn has_draft(&self, doc: &Doc) -> bool {
        self.saved_drafts.iter().any(|(id, text)| *id == doc.id && text == doc.text())
    }
}

/// A draft that a program left behind, beside what its file says now.
#[derive(Clone, Debug)]
pub struct RecoveredDraft {
    /// It, and where it lies.
    pub draft: LeftoverDraft,
    /// What its file says now; `None` when there is none, or it cannot be read.
    pub file_text: Option<String>,
    /// The lines in which they differ.
    pub diff: Vec<DiffLine>,
    /// Whether the file is another than the one the draft was made from.
    pub file_changed: bool,
}
