//! Keeps the user's work safe: drafts, recovery after a crash, files changed by other programs. Takes its commands,
//! changes the state and gives the commands that follow.

mod disk_changes;
mod drafts;
mod files;

use crate::effects::Effects;
use crate::model::persistence::AfterSave;
use crate::{Command, Dialog, EditorState, PersistenceCommand};
use moldloft_library::store::FileWatcher;

pub(crate) use drafts::DraftTimer;
pub use files::{close, open, quit, reopen_command, save, save_to};
pub(crate) use files::{close_anyway, open_tabs, quit_anyway, remember_tabs, save_all, save_as};

pub fn apply(state: &mut EditorState, command: PersistenceCommand, effects: &mut Effects<'_>) -> Vec<Command> {
    match command {
        PersistenceCommand::Start => drafts::start(state, effects),
        PersistenceCommand::Watch => start_watching(state, effects),
        PersistenceCommand::WriteDrafts => drafts::write(state, effects),
        PersistenceCommand::ShowRecovered => {
            state.persistence.pending_discard = None;
            state.dialog = state.persistence.is_after_crash().then_some(Dialog::RecoverDrafts);
        }
        PersistenceCommand::Restore(place) => drafts::restore(state, place, effects),
        PersistenceCommand::RestoreAll => {
            while !state.persistence.recovered.is_empty() {
                drafts::restore(state, 0, effects);
            }
        }
        PersistenceCommand::ConfirmDiscard(target) => state.persistence.pending_discard = target,
        PersistenceCommand::Discard(what) => drafts::discard(state, what, effects),
        PersistenceCommand::FilesChanged(paths) => {
            disk_changes::check_files(state, |doc| doc.path().is_some_and(|path| paths.contains(path)));
            return vec![Command::RereadFiles(paths)];
        }
        PersistenceCommand::CheckFiles => {
            // If the system does not report file changes, polling has to do.
            let polled = effects
                .disk
                .watcher
                .as_ref()
                .filter(|(_, watcher)| !watcher.is_live())
                .map(|(_, watcher)| watcher.poll());
            disk_changes::check_files(state, |_| true);
            if let Some(paths) = polled.filter(|paths| !paths.is_empty()) {
                return apply(state, PersistenceCommand::FilesChanged(paths), effects);
            }
        }
        PersistenceCommand::TakeDiskVersion(id) => disk_changes::take_disk_version(state, id),
        PersistenceCommand::KeepOwnVersion(id) => disk_changes::keep_own_version(state, id),
        PersistenceCommand::SaveCopy(id) => files::ask_save_copy(state, id),
        PersistenceCommand::ReplaceFile { path, expected_hash } => {
            state.dialog = None;
            files::save_over(state, &path, expected_hash);
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
    Vec::new()
}

/// Runs after every command: removes obsolete drafts and watches the open files.
pub fn sync_after_command(state: &mut EditorState, effects: &mut Effects<'_>) {
    drafts::remove_obsolete(state, effects);
    if effects.disk.watcher.as_ref().is_some_and(|(workspace, _)| workspace.as_deref() != state.store.workspace()) {
        start_watching(state, effects);
    }
    if let Some((_, watcher)) = &effects.disk.watcher {
        watcher.watch_files(state.docs.iter().filter_map(|doc| doc.path().cloned()));
    }
}

fn start_watching(state: &mut EditorState, effects: &mut Effects<'_>) {
    let sender = effects.jobs.sender();
    let changed = move |paths| sender.send(Command::Persistence(PersistenceCommand::FilesChanged(paths)));
    let workspace = state.store.workspace();
    effects.disk.watcher = Some((workspace.map(Into::into), FileWatcher::new(workspace, changed)));
}
