//! Drafts: writes the text of what is not saved where a crash does not reach it, in a thread and in order; offers what a crash
//! left and restores it.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use egui::{Context, Event};

use crate::finding::Finding;
use crate::store::{Draft, Drafts, Lost, Seal, read_sealed};

use super::{Discarding, Keep, Keeping};
use crate::editor::apply::{add, tell};
use crate::editor::command::{Command, Dialog};
use crate::editor::doc::{Doc, DocId, Origin};
use crate::editor::jobs::Jobs;
use crate::editor::lines::{Differing, differing};
use crate::editor::state::{Notice, State, Tab};

/// Seconds after a change until it is safe.
const PAUSE: f64 = 1.0;

/// A draft that a program left behind, beside what its file says now.
#[derive(Clone, Debug)]
pub struct Offer {
    /// It, and where it lies.
    pub lost: Lost,
    /// What its file says now; `None` when there is none, or it cannot be read.
    pub file: Option<String>,
    /// The lines in which they differ.
    pub differing: Vec<Differing>,
    /// Whether the file is another than the one the draft was made from.
    pub is_stale: bool,
}

/// The drafts, and what is to be done to them. Threads do it, one after another, in the order in which it was given.
#[derive(Clone)]
pub(super) struct DraftBox {
    drafts: Arc<Mutex<Drafts>>,
    queue: Arc<Mutex<VecDeque<Task>>>,
}

enum Task {
    Put(u64, Box<Draft>),
    Remove(u64),
    Discard(Box<Lost>),
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

impl DraftBox {
    fn give(&self, task: Task, jobs: &Jobs) {
        {
            let mut queue = lock(&self.queue);
            if let Task::Put(id, _) | Task::Remove(id) = &task {
                queue.retain(|other| !matches!(other, Task::Put(other, _) if other == id));
            }
            queue.push_back(task);
        }
        let all = self.clone();
        jobs.start(move |_| {
            let finding = all.work()?;
            let text = format!("Cannot write the draft of unsaved changes: {}", finding.message);
            Some(Command::Notice(Notice::error(text)))
        });
    }

    /// Does all that is to be done; the first fault is told.
    fn work(&self) -> Option<Finding> {
        let mut drafts = lock(&self.drafts);
        let mut fault = None;
        loop {
            let Some(task) = lock(&self.queue).pop_front() else { return fault };
            let done = match task {
                Task::Put(id, draft) => drafts.put(id, &draft),
                Task::Remove(id) => drafts.remove(id),
                Task::Discard(lost) => drafts.discard(&lost),
            };
            fault = fault.or(done.err());
        }
    }
}

impl Drop for Keep {
    fn drop(&mut self) {
        // A window that closes has done everything it said.
        if let Some(drafts) = &self.drafts {
            drafts.work();
        }
    }
}

/// When the next drafts are due: a moment after a change, and when the player turns to another window.
#[derive(Default)]
pub struct Pace {
    due: Option<f64>,
}

impl Pace {
    /// What is due in this frame; asks for a frame when something will be due.
    pub fn commands(&mut self, ctx: &Context, state: &State) -> Vec<Command> {
        let (now, turned) = ctx.input(|input| {
            let turned = input.events.iter().rev().find_map(|event| match event {
                Event::WindowFocused(here) => Some(*here),
                _ => None,
            });
            (input.time, turned)
        });
        let mut commands = Vec::new();
        if !state.quit && state.keep.is_behind(&state.docs) {
            let due = *self.due.get_or_insert(now + PAUSE);
            if now >= due || turned == Some(false) {
                self.due = None;
                commands.push(Command::Keep(Keeping::Draft));
            } else {
                ctx.request_repaint_after_secs((due - now) as f32);
            }
        } else {
            self.due = None;
        }
        if turned == Some(true) {
            commands.push(Command::Keep(Keeping::Look));
        }
        commands
    }
}

/// Takes a folder for drafts and offers what is left of a crash.
pub(super) fn start(state: &mut State, jobs: &Jobs) {
    let Some(folder) = state.places.drafts.clone().filter(|_| state.keep.drafts.is_none()) else { return };
    let mut drafts = match Drafts::open(&folder) {
        Ok(drafts) => drafts,
        Err(finding) => return tell(state, notice(&finding)),
    };
    let (lost, findings) = drafts.recoverable();
    state.keep.drafts = Some(DraftBox { drafts: Arc::new(Mutex::new(drafts)), queue: Arc::default() });
    for finding in findings {
        let file = finding.at.file.as_deref().unwrap_or_default();
        tell(state, Notice::error(format!("{file}: {}", notice(&finding).text)));
    }
    for lost in lost {
        let offer = offer(lost);
        if offer.file.is_some() && offer.differing.is_empty() {
            // The file says the same: nothing is lost.
            throw_away(state, offer.lost, jobs);
        } else {
            state.keep.offers.push(offer);
        }
    }
    if !state.keep.offers.is_empty() {
        state.dialog = Some(Dialog::Recover);
    }
}

fn notice(finding: &Finding) -> Notice {
    let help = finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
    Notice::error(format!("{}{help}", finding.message))
}

fn offer(lost: Lost) -> Offer {
    let now = lost.draft.path.as_deref().map(read_sealed);
    let seal = match &now {
        Some(Ok((_, seal))) => *seal,
        Some(Err(_)) | None => Seal::Absent,
    };
    let file = now.and_then(Result::ok).map(|(text, _)| text);
    let differing = differing(&lost.draft.text, file.as_deref().unwrap_or_default());
    let is_stale = lost.draft.path.is_some() && seal != lost.draft.seal;
    Offer { lost, file, differing, is_stale }
}

/// Writes the drafts of all that is not saved and has no draft that says the same.
pub(super) fn write(state: &mut State, jobs: &Jobs) {
    let Some(drafts) = state.keep.drafts.clone() else { return };
    let due: Vec<&Doc> = state.docs.iter().filter(|doc| doc.would_be_lost() && !state.keep.holds(doc)).collect();
    let due: Vec<(DocId, Draft)> = due.into_iter().map(|doc| (doc.id, draft(doc))).collect();
    for (id, draft) in due {
        put(&mut state.keep, &drafts, id, draft, jobs);
    }
}

fn put(keep: &mut Keep, drafts: &DraftBox, id: DocId, draft: Draft, jobs: &Jobs) {
    keep.drafted.retain(|(other, _)| *other != id);
    keep.drafted.push((id, draft.text.as_str().into()));
    drafts.give(Task::Put(id.0, Box::new(draft)), jobs);
}

fn draft(doc: &Doc) -> Draft {
    Draft {
        path: doc.path().cloned().map(|path| std::path::absolute(&path).unwrap_or(path)),
        seal: doc.seal,
        ruleset: doc.rules_named().map(ToString::to_string).unwrap_or_default(),
        name: doc.name(),
        text: doc.text().to_string(),
    }
}

/// Lets go of the drafts of what is saved or closed.
pub(super) fn tidy(state: &mut State, jobs: &Jobs) {
    let Some(drafts) = state.keep.drafts.clone() else { return };
    let leaves = state.quit;
    let docs = &state.docs;
    let is_needed = |id: DocId| !leaves && docs.iter().any(|doc| doc.id == id && doc.would_be_lost());
    let (kept, gone) = std::mem::take(&mut state.keep.drafted).into_iter().partition(|(id, _)| is_needed(*id));
    state.keep.drafted = kept;
    let gone: Vec<(DocId, Arc<str>)> = gone;
    for (id, _) in gone {
        drafts.give(Task::Remove(id.0), jobs);
    }
}

/// Opens what was offered: in its file's tab, as changes that are not saved, so that undoing shows the file.
pub(super) fn restore(state: &mut State, place: usize, jobs: &Jobs) {
    let Some(drafts) = state.keep.drafts.clone().filter(|_| place < state.keep.offers.len()) else { return };
    let offer = state.keep.offers.remove(place);
    let draft = &offer.lost.draft;
    let opened = draft.path.as_deref().and_then(|path| file_tab(state, path));
    // A tab that has changes of its own keeps them: this draft stands beside it.
    let has_own = |doc: &Doc| doc.is_changed() && **doc.text() != *draft.text;
    let is_taken = opened.and_then(|id| state.doc_of(id)).is_some_and(has_own);
    match opened {
        Some(_) if is_taken => {
            add(state, Origin::New, draft.text.as_str().into(), false);
            let text = "Unsaved changes opened in a separate tab, because their file has other changes in another tab";
            tell(state, Notice::info(text));
        }
        Some(id) => {
            if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) {
                if doc.seal != draft.seal && doc.theirs.is_none() {
                    // The file is another than the one these changes were made to: both are kept, the player decides.
                    doc.theirs = Some(super::Theirs { text: Some(doc.text().clone()), seal: doc.seal });
                    doc.seal = draft.seal;
                }
                doc.replace(draft.text.as_str().into(), "restore unsaved changes".into(), None, &state.games);
            }
        }
        None => {
            let origin = draft.path.clone().map_or(Origin::New, Origin::File);
            add(state, origin, draft.text.as_str().into(), false);
        }
    }
    let Tab::Doc(id) = state.tab else { return };
    // Safe in the new place before the old one goes.
    if let Some(doc) = state.doc_of(id) {
        let new = self::draft(doc);
        put(&mut state.keep, &drafts, id, new, jobs);
    }
    throw_away(state, offer.lost, jobs);
    done(state);
}

/// The tab of a file, opened if need be; `None` when it cannot be.
fn file_tab(state: &mut State, path: &Path) -> Option<DocId> {
    let same = |doc: &&Doc| {
        let absolute = doc.path().and_then(|other| std::path::absolute(other).ok());
        absolute.as_deref() == Some(path)
    };
    if let Some(id) = state.docs.iter().find(same).map(|doc| doc.id) {
        state.tab = Tab::Doc(id);
        return Some(id);
    }
    read_sealed(path).ok()?;
    super::open(state, path);
    state.docs.iter().find(same).map(|doc| doc.id)
}

fn throw_away(state: &mut State, lost: Lost, jobs: &Jobs) {
    if let Some(drafts) = &state.keep.drafts {
        drafts.give(Task::Discard(Box::new(lost)), jobs);
    }
}

/// Throws offers away for good.
pub(super) fn discard(state: &mut State, what: Discarding, jobs: &Jobs) {
    let gone: Vec<Offer> = match what {
        Discarding::All => state.keep.offers.drain(..).collect(),
        Discarding::One(place) if place < state.keep.offers.len() => vec![state.keep.offers.remove(place)],
        Discarding::One(_) => Vec::new(),
    };
    for offer in gone {
        throw_away(state, offer.lost, jobs);
    }
    done(state);
}

/// Closes the offer when nothing is left of it.
fn done(state: &mut State) {
    state.keep.doubt = None;
    if state.keep.offers.is_empty() && state.dialog == Some(Dialog::Recover) {
        state.dialog = None;
    }
}
