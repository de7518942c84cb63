//! What keeps a player's work safe: drafts of what is not saved, the offer to restore what a crash left, and files that other
//! programs change. Carries out its own commands for `apply`; the disk is `store`'s.

mod disk_changes;
mod drafts;
mod files;

use std::path::PathBuf;
use std::sync::Arc;

use crate::store::{ContentHash, FileWatcher};

use super::apply::{Effects, files_changed};
use super::command::{Command, Dialog};
use super::doc::{Doc, DocId};
use super::state::EditorState;

pub use disk_changes::DiskChange;
pub(super) use drafts::DraftTimer;
pub use drafts::RecoveredDraft;
pub use files::reopen_command;
pub(super) use files::{absolute_path, close, close_anyway, open, quit, quit_anyway, save, save_all, save_as, save_to};

use drafts::DraftQueue;

/// What is known of it.
#[derive(Default)]
pub struct Persistence {
    /// What programs that are gone left behind, until it is restored or thrown away.
    pub recovered: Vec<RecoveredDraft>,
    /// What is thrown away if the player says so once more.
    pub pending_discard: Option<DiscardTarget>,
    /// What is done when the next save has gone well.
    pub after_save: Option<AfterSave>,
    drafts: Option<DraftQueue>,
    /// Texts that are safe as drafts.
    saved_drafts: Vec<(DocId, Arc<str>)>,
    /// Of which workspace.
    watcher: Option<(Option<PathBuf>, FileWatcher)>,
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

/// Carries one out.
pub(super) fn apply(state: &mut EditorState, keeping: PersistenceCommand, outside: &mut Effects<'_>) {
    match keeping {
        PersistenceCommand::Start => drafts::start(state, outside.jobs),
        PersistenceCommand::Watch => start_watching(state, outside),
        PersistenceCommand::WriteDrafts => drafts::write(state, outside.jobs),
        PersistenceCommand::ShowRecovered => {
            state.persistence.pending_discard = None;
            state.dialog = (!state.persistence.recovered.is_empty()).then_some(Dialog::RecoverDrafts);
        }
        PersistenceCommand::Restore(place) => drafts::restore(state, place, outside.jobs),
        PersistenceCommand::RestoreAll => {
            while !state.persistence.recovered.is_empty() {
                drafts::restore(state, 0, outside.jobs);
            }
        }
        PersistenceCommand::ConfirmDiscard(doubt) => state.persistence.pending_discard = doubt,
        PersistenceCommand::Discard(what) => drafts::discard(state, what, outside.jobs),
        PersistenceCommand::FilesChanged(paths) => {
            disk_changes::check_files(state, |doc| doc.path().is_some_and(|path| paths.contains(path)));
            files_changed(state, &paths, outside.jobs);
        }
        PersistenceCommand::CheckFiles => {
            // Where the system says nothing when files change, looking now and then has to do.
            let polled =
                state.persistence.watcher.as_ref().filter(|(_, watch)| !watch.is_live()).map(|(_, watch)| watch.poll());
            disk_changes::check_files(state, |_| true);
            if let Some(paths) = polled.filter(|paths| !paths.is_empty()) {
                return apply(state, PersistenceCommand::FilesChanged(paths), outside);
            }
        }
        PersistenceCommand::TakeDiskVersion(id) => disk_changes::take_disk_version(state, id),
        PersistenceCommand::KeepOwnVersion(id) => disk_changes::keep_own_version(state, id),
        PersistenceCommand::SaveCopy(id) => files::ask_save_copy(state, id),
        PersistenceCommand::ReplaceFile { path, expected_hash: seal } => {
            state.dialog = None;
            files::save_over(state, &path, seal);
        }
        PersistenceCommand::SaveAndClose(id) => {
            state.dialog = None;
            state.persistence.after_save = Some(AfterSave::Close(id));
            files::continue_closing(state);
        }
        PersistenceCommand::SaveAndQuit => {
            state.dialog = None;
            state.persistence.after_save = Some(AfterSave::Quit);
            files::continue_closing(state);
        }
        PersistenceCommand::SetText(text) => disk_changes::set_text(state, &text),
    }
    sync_after_command(state, outside);
}

/// What follows from every command: drafts of what is saved or closed go, and the files that are open are the ones watched.
pub(super) fn sync_after_command(state: &mut EditorState, outside: &mut Effects<'_>) {
    drafts::remove_obsolete(state, outside.jobs);
    if state.persistence.watcher.as_ref().is_some_and(|(workspace, _)| workspace.as_deref() != state.store.workspace())
    {
        start_watching(state, outside);
    }
    if let Some((_, watch)) = &state.persistence.watcher {
        watch.watch_files(state.docs.iter().filter_map(|doc| doc.path().cloned()));
    }
}

/// Watches the workspace in force.
fn start_watching(state: &mut EditorState, outside: &mut Effects<'_>) {
    let give = outside.jobs.sender();
    let told = move |paths| give.send(Command::Persistence(PersistenceCommand::FilesChanged(paths)));
    let workspace = state.store.workspace();
    state.persistence.watcher = Some((workspace.map(Into::into), FileWatcher::new(workspace, told)));
}

impl Persistence {
    /// Whether something has changed that no draft holds yet.
    pub fn has_undrafted_changes(&self, docs: &[Doc]) -> bool {
        self.drafts.is_some() && docs.iter().any(|doc| doc.has_unsaved_work() && !self.has_draft(doc))
    }

    fn has_draft(&self, doc: &Doc) -> bool {
        self.saved_drafts.iter().any(|(id, text)| *id == doc.id && text == doc.text())
    }
}
