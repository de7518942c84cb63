//! Drafts: saves the text of unsaved documents where a crash cannot reach it, offers what a crash left and restores it.

use std::path::Path;

use egui::{Context, Event};

use crate::effects::Effects;
use crate::effects::disk::{DraftQueue, DraftTask};
use crate::effects::persistence::files;
use crate::line_diff::diff_lines;
use crate::{
    Command, Dialog, DiscardTarget, DiskChange, Doc, DocId, EditorState, Jobs, Notice, Persistence, PersistenceCommand,
    RecoveredDraft, Tab, message_with_help,
};
use moldloft_library::store::{ContentHash, Draft, Drafts, FileRef, LeftoverDraft, read_hashed, take_fault};

/// Seconds from a change to its draft.
const DRAFT_DELAY: f64 = 1.0;

/// When the next drafts are due: a moment after a change, or when the window loses the focus.
#[derive(Default)]
pub struct DraftTimer {
    due_at: Option<f64>,
}

impl DraftTimer {
    /// Asks for a later frame if something will be due.
    pub fn due_commands(&mut self, ctx: &Context, state: &EditorState) -> Vec<Command> {
        let (now, focus_change) = ctx.input(|input| {
            let focus_change = input.events.iter().rev().find_map(|event| match event {
                Event::WindowFocused(here) => Some(*here),
                _ => None,
            });
            (input.time, focus_change)
        });
        let mut commands = Vec::new();
        if !state.wants_quit && state.persistence.has_undrafted_changes(&state.docs) {
            let due = *self.due_at.get_or_insert(now + DRAFT_DELAY);
            if now >= due || focus_change == Some(false) {
                self.due_at = None;
                commands.push(Command::Persistence(PersistenceCommand::WriteDrafts));
            } else {
                ctx.request_repaint_after_secs((due - now) as f32);
            }
        } else {
            self.due_at = None;
        }
        if focus_change == Some(true) {
            commands.push(Command::Persistence(PersistenceCommand::CheckFiles));
        }
        commands
    }
}

pub(crate) fn start(state: &mut EditorState, effects: &mut Effects<'_>) {
    let Some(folder) = state.folders.drafts.clone().filter(|_| effects.disk.drafts.is_none()) else { return };
    let mut drafts = match Drafts::open(&folder) {
        Ok(drafts) => drafts,
        Err(finding) => return state.notify(Notice::from_finding(&finding)),
    };
    let (leftover, findings) = drafts.leftover_drafts();
    effects.disk.drafts = Some(DraftQueue::new(drafts));
    state.persistence.keeps_drafts = true;
    for finding in findings {
        let file = finding.at.file.as_deref().unwrap_or_default();
        state.notify(Notice::error(format!("{file}: {}", message_with_help(&finding))));
    }
    for leftover in leftover {
        let offer = recovered_draft(leftover);
        if offer.file_text.is_some() && offer.diff.is_empty() {
            // The file has the same text: nothing is lost.
            discard_draft(offer.draft, effects);
        } else {
            state.persistence.recovered.push(offer);
        }
    }
    state.persistence.fault = take_fault(&folder);
    if state.persistence.is_after_crash() {
        state.dialog = Some(Dialog::RecoverDrafts);
    }
}

fn recovered_draft(leftover: LeftoverDraft) -> RecoveredDraft {
    let now = leftover.draft.path.as_deref().map(read_hashed);
    let hash = match &now {
        Some(Ok((_, hash))) => *hash,
        Some(Err(_)) | None => ContentHash::Absent,
    };
    let file = now.and_then(Result::ok).map(|(text, _)| text);
    let differing = diff_lines(&leftover.draft.text, file.as_deref().unwrap_or_default());
    let is_stale = leftover.draft.path.is_some() && hash != leftover.draft.content_hash;
    RecoveredDraft { draft: leftover, file_text: file, diff: differing, file_changed: is_stale }
}

/// Writes drafts of all unsaved documents that have no up-to-date draft.
pub(crate) fn write(state: &mut EditorState, effects: &mut Effects<'_>) {
    let Some(drafts) = effects.disk.drafts.clone() else { return };
    for doc in &state.docs {
        if doc.has_unsaved_work() && !state.persistence.has_draft(doc) {
            enqueue_write(&mut state.persistence, &drafts, doc, effects.jobs);
        }
    }
}

fn enqueue_write(persistence: &mut Persistence, drafts: &DraftQueue, doc: &Doc, jobs: &Jobs) {
    persistence.saved_drafts.retain(|(other, _)| *other != doc.id);
    persistence.saved_drafts.push((doc.id, doc.text().clone()));
    let draft = Draft {
        path: doc.path().cloned().map(|path| std::path::absolute(&path).unwrap_or(path)),
        content_hash: doc.disk_hash,
        ruleset: doc.ruleset_id().map(ToString::to_string).unwrap_or_default(),
        name: doc.name(),
        text: doc.text().to_string(),
    };
    drafts.enqueue(DraftTask::Write(doc.id.0, Box::new(draft)), jobs);
}

/// Removes the drafts of saved and closed documents.
pub(crate) fn remove_obsolete(state: &mut EditorState, effects: &mut Effects<'_>) {
    let Some(drafts) = effects.disk.drafts.clone() else { return };
    let leaves = state.wants_quit;
    let docs = &state.docs;
    let is_needed = |id: DocId| !leaves && docs.iter().any(|doc| doc.id == id && doc.has_unsaved_work());
    for (id, _) in state.persistence.saved_drafts.extract_if(.., |(id, _)| !is_needed(*id)) {
        drafts.enqueue(DraftTask::Remove(id.0), effects.jobs);
    }
}

/// Opens a recovered draft in its file's tab, as unsaved changes, so that undo shows the file.
pub(crate) fn restore(state: &mut EditorState, place: usize, effects: &mut Effects<'_>) {
    let Some(drafts) = effects.disk.drafts.clone().filter(|_| place < state.persistence.recovered.len()) else {
        return;
    };
    let offer = state.persistence.recovered.remove(place);
    let draft = &offer.draft.draft;
    let opened = draft.path.as_deref().and_then(|path| find_or_open_tab(state, path));
    // A tab with changes of its own keeps them; the draft is opened in another tab.
    let has_own = |doc: &Doc| doc.is_changed() && **doc.text() != *draft.text;
    let is_taken = opened.and_then(|id| state.find_doc(id)).is_some_and(has_own);
    match opened {
        Some(_) if is_taken => {
            state.add_doc(None, draft.text.as_str().into(), false);
            let text = "Unsaved changes opened in a separate tab, because their file has other changes in another tab";
            state.notify(Notice::info(text));
        }
        Some(id) => {
            if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) {
                if doc.disk_hash != draft.content_hash && doc.disk_change.is_none() {
                    // The file is not the one that was edited: both versions are kept until the user decides.
                    doc.disk_change = Some(DiskChange { text: Some(doc.text().clone()), hash: doc.disk_hash });
                    doc.disk_hash = draft.content_hash;
                }
                doc.replace(draft.text.as_str().into(), "restore unsaved changes".into(), None, &state.rulesets);
            }
        }
        None => {
            let file = draft.path.clone().map(FileRef::on_disk);
            state.add_doc(file, draft.text.as_str().into(), false);
        }
    }
    let Tab::Doc(id) = state.tab else { return };
    // Write the new draft before removing the old one.
    if let Some(doc) = state.docs.iter().find(|doc| doc.id == id) {
        enqueue_write(&mut state.persistence, &drafts, doc, effects.jobs);
    }
    discard_draft(offer.draft, effects);
    close_if_empty(state);
}

/// The tab of a file, opened if necessary; `None` if it cannot be opened.
fn find_or_open_tab(state: &mut EditorState, path: &Path) -> Option<DocId> {
    let same = |doc: &&Doc| {
        let absolute = doc.path().and_then(|other| std::path::absolute(other).ok());
        absolute.as_deref() == Some(path)
    };
    if let Some(id) = state.docs.iter().find(same).map(|doc| doc.id) {
        state.tab = Tab::Doc(id);
        return Some(id);
    }
    read_hashed(path).ok()?;
    files::open(state, path);
    state.docs.iter().find(same).map(|doc| doc.id)
}

fn discard_draft(leftover: LeftoverDraft, effects: &Effects<'_>) {
    if let Some(drafts) = &effects.disk.drafts {
        drafts.enqueue(DraftTask::Discard(Box::new(leftover)), effects.jobs);
    }
}

pub(crate) fn discard(state: &mut EditorState, what: DiscardTarget, effects: &Effects<'_>) {
    let removed: Vec<RecoveredDraft> = match what {
        DiscardTarget::All => state.persistence.recovered.drain(..).collect(),
        DiscardTarget::One(place) if place < state.persistence.recovered.len() => {
            vec![state.persistence.recovered.remove(place)]
        }
        DiscardTarget::One(_) => Vec::new(),
    };
    for offer in removed {
        discard_draft(offer.draft, effects);
    }
    close_if_empty(state);
}

fn close_if_empty(state: &mut EditorState) {
    state.persistence.pending_discard = None;
    if state.persistence.recovered.is_empty() && state.dialog == Some(Dialog::RecoverDrafts) {
        state.dialog = None;
    }
}
