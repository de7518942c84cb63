//! What keeps a player's work safe: drafts of what is not saved, the offer to restore what a crash left, and files that other
//! programs change. Carries out its own commands for `apply`; the disk is `store`'s.

mod disk;
mod drafts;
mod files;

use std::path::PathBuf;
use std::sync::Arc;

use crate::store::{Seal, Watch};

use super::apply::{Outside, files_changed};
use super::command::{Command, Dialog};
use super::doc::{Doc, DocId};
use super::state::State;

pub use disk::Theirs;
pub use drafts::Offer;
pub(super) use drafts::Pace;
pub use files::reopen;
pub(super) use files::{close, close_anyway, leave, open, quit, save, save_all, save_as, save_to, whole};

use drafts::DraftBox;

/// What is known of it.
#[derive(Default)]
pub struct Keep {
    /// What programs that are gone left behind, until it is restored or thrown away.
    pub offers: Vec<Offer>,
    /// What is thrown away if the player says so once more.
    pub doubt: Option<Discarding>,
    /// What is done when the next save has gone well.
    pub after: Option<After>,
    drafts: Option<DraftBox>,
    /// Texts that are safe as drafts.
    drafted: Vec<(DocId, Arc<str>)>,
    /// Of which workspace.
    watch: Option<(Option<PathBuf>, Watch)>,
}

/// What is to be done when everything needed is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// Closes the design.
    Close(DocId),
    /// Leaves the program.
    Leave,
}

/// What of a crash is thrown away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Discarding {
    /// One offer, by its place.
    One(usize),
    /// All of them.
    All,
}

/// What can be done to keep things safe.
#[derive(Clone, Debug)]
pub enum Keeping {
    /// Begins to keep drafts, and offers what is left of a crash.
    Start,
    /// Begins to watch the workspace and the open files.
    Watch,
    /// Writes the drafts that are due.
    Draft,
    /// Shows the offer again.
    Offer,
    /// Restores one of the offers, by its place.
    Restore(usize),
    /// Restores all of them.
    RestoreAll,
    /// Asks once more before throwing something away, or thinks better of it.
    Doubt(Option<Discarding>),
    /// Throws it away.
    Discard(Discarding),
    /// Files were changed, made or removed by another program.
    Touched(Vec<PathBuf>),
    /// Looks whether the open files are others by now.
    Look,
    /// Takes what stands in the file; undoing brings the player's own back.
    TakeTheirs(DocId),
    /// Keeps the player's own: the next save replaces what stands in the file.
    KeepMine(DocId),
    /// Asks where to save the player's own beside the file.
    SaveCopy(DocId),
    /// Saves there in the place of what is there, if it is still that.
    Replace {
        /// Where.
        path: PathBuf,
        /// What was there when the player was asked.
        seal: Seal,
    },
    /// Saves a design, then closes it.
    SaveAndClose(DocId),
    /// Saves all that would be lost, then leaves.
    SaveAndLeave,
    /// Puts a text in force that was typed as text.
    Text(String),
}

/// Carries one out.
pub(super) fn apply(state: &mut State, keeping: Keeping, outside: &mut Outside<'_>) {
    match keeping {
        Keeping::Start => drafts::start(state, outside.jobs),
        Keeping::Watch => watch(state, outside),
        Keeping::Draft => drafts::write(state, outside.jobs),
        Keeping::Offer => {
            state.keep.doubt = None;
            state.dialog = (!state.keep.offers.is_empty()).then_some(Dialog::Recover);
        }
        Keeping::Restore(place) => drafts::restore(state, place, outside.jobs),
        Keeping::RestoreAll => {
            while !state.keep.offers.is_empty() {
                drafts::restore(state, 0, outside.jobs);
            }
        }
        Keeping::Doubt(doubt) => state.keep.doubt = doubt,
        Keeping::Discard(what) => drafts::discard(state, what, outside.jobs),
        Keeping::Touched(paths) => {
            disk::look(state, |doc| doc.path().is_some_and(|path| paths.contains(path)));
            files_changed(state, &paths, outside.jobs);
        }
        Keeping::Look => {
            // Where the system says nothing when files change, looking now and then has to do.
            let polled = state.keep.watch.as_ref().filter(|(_, watch)| !watch.is_live()).map(|(_, watch)| watch.poll());
            disk::look(state, |_| true);
            if let Some(paths) = polled.filter(|paths| !paths.is_empty()) {
                return apply(state, Keeping::Touched(paths), outside);
            }
        }
        Keeping::TakeTheirs(id) => disk::take_theirs(state, id),
        Keeping::KeepMine(id) => disk::keep_mine(state, id),
        Keeping::SaveCopy(id) => files::ask_for_copy(state, id),
        Keeping::Replace { path, seal } => {
            state.dialog = None;
            files::save_over(state, &path, seal);
        }
        Keeping::SaveAndClose(id) => {
            state.dialog = None;
            state.keep.after = Some(After::Close(id));
            files::go_on(state);
        }
        Keeping::SaveAndLeave => {
            state.dialog = None;
            state.keep.after = Some(After::Leave);
            files::go_on(state);
        }
        Keeping::Text(text) => disk::typed(state, &text),
    }
    settle(state, outside);
}

/// What follows from every command: drafts of what is saved or closed go, and the files that are open are the ones watched.
pub(super) fn settle(state: &mut State, outside: &mut Outside<'_>) {
    drafts::tidy(state, outside.jobs);
    if state.keep.watch.as_ref().is_some_and(|(workspace, _)| workspace.as_deref() != state.store.workspace()) {
        watch(state, outside);
    }
    if let Some((_, watch)) = &state.keep.watch {
        watch.follow(state.docs.iter().filter_map(|doc| doc.path().cloned()));
    }
}

/// Watches the workspace in force.
fn watch(state: &mut State, outside: &mut Outside<'_>) {
    let give = outside.jobs.give();
    let told = move |paths| give.give(Command::Keep(Keeping::Touched(paths)));
    let workspace = state.store.workspace();
    state.keep.watch = Some((workspace.map(Into::into), Watch::new(workspace, told)));
}

impl Keep {
    /// Whether something has changed that no draft holds yet.
    pub fn is_behind(&self, docs: &[Doc]) -> bool {
        self.drafts.is_some() && docs.iter().any(|doc| doc.would_be_lost() && !self.holds(doc))
    }

    fn holds(&self, doc: &Doc) -> bool {
        self.drafted.iter().any(|(id, text)| *id == doc.id && text == doc.text())
    }
}
