//! Opening, saving, closing, leaving: no file is replaced that is not the one the player knows of, and nothing is closed that
//! would be lost without asking.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::editor::fleet::rebase;
use crate::editor::model::command::Command;
use crate::editor::model::dialog::Dialog;
use crate::editor::model::doc::{Doc, DocOrigin};
use crate::editor::model::edit::Edit;
use crate::editor::model::persistence::AfterSave;
use crate::editor::model::state::EditorState;
use crate::editor::model::view::{DocId, Notice, Tab};
use crate::editor::paths::absolute_path;
use crate::library;
use crate::sanitize::design_file_name;
use crate::store::{self, ContentHash, SaveError};

use super::disk_changes;

/// How the name of a built-in design begins among the tabs remembered: no file's does.
const BUILT_IN_PREFIX: &str = "moldloft:";

/// Opens a file, or shows it when it is open.
pub fn open(state: &mut EditorState, path: &Path) {
    let path = &*absolute_path(path);
    if let Some(doc) = state.docs.iter().find(|doc| doc.path().is_some_and(|open| open == path)) {
        state.tab = Tab::Doc(doc.id);
        return;
    }
    match store::read_hashed(path) {
        Ok((text, seal)) => {
            state.settings.add_recent(path);
            if let Some(folder) = path.parent() {
                store::clear_parts(folder);
            }
            state.add_doc(DocOrigin::File(path.to_path_buf()), text.into(), true);
            if let Some(doc) = state.docs.last_mut() {
                doc.disk_hash = seal;
            }
        }
        Err(finding) => {
            let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
            state.notify(Notice::error(format!("{}: {}{help}", path.display(), finding.message)));
        }
    }
}

/// Saves the design before the player; asks where if it belongs nowhere yet.
pub fn save(state: &mut EditorState) {
    match state.current_doc().map(|doc| (doc.path().cloned(), doc.disk_hash)) {
        Some((Some(path), seal)) => save_over(state, &path, seal),
        Some((None, _)) => save_as(state),
        None => {}
    }
}

/// Asks where to save the design before the player.
pub fn save_as(state: &mut EditorState) {
    let Some(doc) = state.current_doc() else { return };
    let path = doc.path().cloned().unwrap_or_else(|| proposed_path(state, doc));
    state.dialog = Some(Dialog::SaveAs { path: path.to_string_lossy().into_owned() });
}

/// Where a new design would be looked for: the workspace's folder for its game, named as the class is.
fn proposed_path(state: &EditorState, doc: &Doc) -> PathBuf {
    let place = doc.ruleset_id().and_then(|game| match doc.as_fleet() {
        Some(_) => state.store.free_path(&format!("designs/{game}/fleets"), &design_file_name(&doc.name())),
        None => library::new_design_path(&state.store, game, &doc.name()),
    });
    absolute_path(&place.unwrap_or_else(|| design_file_name(&doc.name()).into()))
}

/// Asks where to save the player's own beside the file: under the file's name with a number.
pub fn ask_save_copy(state: &mut EditorState, id: DocId) {
    let Some(path) = state.find_doc(id).and_then(Doc::path) else { return };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = (2..1_000).map(|n| path.with_file_name(format!("{stem}-{n}.toml")));
    let free = names.into_iter().find(|path| ContentHash::of_path(path) == ContentHash::Absent);
    let path = free.unwrap_or_else(|| path.clone()).to_string_lossy().into_owned();
    state.tab = Tab::Doc(id);
    state.dialog = Some(Dialog::SaveAs { path });
}

/// Saves the design before the player there, as the player typed it. What is there is not replaced before the player says so.
pub fn save_to(state: &mut EditorState, path: &Path) {
    let Some(doc) = state.current_doc() else { return };
    if path.as_os_str().is_empty() {
        return state.notify(Notice::error("missing file name"));
    }
    // A design's file ends in .toml, or the library does not find it; `Mk. 2` has no ending.
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let mut named = path.as_os_str().to_owned();
    if !is_toml {
        named.push(".toml");
    }
    let path = absolute_path(Path::new(&named));
    if doc.path() == Some(&path) {
        let seal = doc.disk_hash;
        return save_over(state, &path, seal);
    }
    let id = doc.id;
    if let Some(other) = state.docs.iter().find(|other| other.id != id && other.path() == Some(&path)) {
        let text = format!("{} is open in another tab ({}); choose another name", path.display(), other.name());
        return state.notify(Notice::error(text));
    }
    let in_workspace = state.store.workspace().is_some_and(|workspace| path.starts_with(workspace));
    if let Some(folder) = path.parent().filter(|_| in_workspace)
        && let Err(finding) = store::make_folder(folder)
    {
        return state.notify(Notice::error(format!("{}: {}", folder.display(), finding.message)));
    }
    match ContentHash::of_path(&path) {
        ContentHash::Absent => save_over(state, &path, ContentHash::Absent),
        seal => state.dialog = Some(Dialog::ConfirmReplace { path, expected_hash: seal }),
    }
}

/// Saves the design before the player there, if what is there is still this.
pub fn save_over(state: &mut EditorState, path: &Path, expected: ContentHash) {
    let Some(doc) = state.current_doc() else { return };
    let (id, is_own) = (doc.id, doc.path().is_some_and(|own| own == path));
    let moved = !is_own && rebase_fleet(state, id, path);
    let Some(text) = state.current_doc().map(|doc| doc.text().clone()) else { return };
    let done = store::save_over(path, text.as_bytes(), Some(expected));
    if done.is_err()
        && moved
        && let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id)
    {
        // It stays where it was.
        doc.undo(&state.rulesets);
    }
    match done {
        Ok(seal) => finish_save(state, id, path, text, seal),
        // Where nothing is, nothing can be replaced.
        Err(SaveError::Changed { now: ContentHash::Absent, .. }) if expected != ContentHash::Absent => {
            save_over(state, path, ContentHash::Absent);
        }
        Err(SaveError::Changed { now, .. }) => {
            state.persistence.after_save = None;
            if is_own {
                state.docs.iter_mut().filter(|doc| doc.id == id).for_each(disk_changes::check_file);
                state.dialog = Some(Dialog::ChangedOnDisk(id));
            } else {
                state.dialog = Some(Dialog::ConfirmReplace { path: path.to_path_buf(), expected_hash: now });
            }
        }
        Err(SaveError::Unwritable(finding)) => {
            state.persistence.after_save = None;
            let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
            state.notify(Notice::error(format!("{}: {}{help}", path.display(), finding.message)));
        }
    }
}

/// A fleet names designs by paths from its own folder: elsewhere they are others. Whether there were any.
fn rebase_fleet(state: &mut EditorState, id: DocId, path: &Path) -> bool {
    let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) else { return false };
    let steps = doc.as_fleet().map(|fleet| rebase::rebase_steps(fleet, path.parent())).unwrap_or_default();
    if steps.is_empty() {
        return false;
    }
    doc.history.end_merge();
    let edit = Edit::from_steps("update the design paths", steps).selecting(doc.selected.clone());
    doc.edit(edit, &state.rulesets).unwrap_or(false)
}

fn finish_save(state: &mut EditorState, id: DocId, path: &Path, text: Arc<str>, seal: ContentHash) {
    if matches!(state.dialog, Some(Dialog::SaveAs { .. } | Dialog::ConfirmReplace { .. })) {
        state.dialog = None;
    }
    state.settings.add_recent(path);
    if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) {
        doc.saved = Some(text);
        doc.disk_hash = seal;
        doc.disk_change = None;
        doc.history.end_merge();
        doc.origin = DocOrigin::File(path.to_path_buf());
        doc.evaluate(&state.rulesets);
    }
    state.reevaluate_open_fleets();
    state.notify(Notice::info(format!("Saved: {}", path.display())));
    continue_closing(state);
}

/// Saves all that is changed and belongs to a file.
pub fn save_all(state: &mut EditorState) {
    let before = state.tab;
    let changed: Vec<(DocId, PathBuf, ContentHash)> = state
        .docs
        .iter()
        .filter(|doc| doc.has_unsaved_work())
        .filter_map(|doc| Some((doc.id, doc.path()?.clone(), doc.disk_hash)))
        .collect();
    for (id, path, seal) in changed {
        state.tab = Tab::Doc(id);
        save_over(state, &path, seal);
        if state.dialog.is_some() {
            // The design that the question is about stays before the player.
            return;
        }
    }
    state.tab = before;
}

/// Does the next thing that is to be done before closing or leaving.
pub fn continue_closing(state: &mut EditorState) {
    let next = match state.persistence.after_save {
        None => return,
        Some(AfterSave::Close(id)) => state.docs.iter().find(|doc| doc.id == id && doc.has_unsaved_work()),
        Some(AfterSave::Quit) => state.docs.iter().find(|doc| doc.has_unsaved_work()),
    };
    if let Some(id) = next.map(|doc| doc.id) {
        state.tab = Tab::Doc(id);
        return save(state);
    }
    match state.persistence.after_save.take() {
        Some(AfterSave::Close(id)) => close_anyway(state, id),
        Some(AfterSave::Quit) => quit(state),
        None => {}
    }
}

/// Closes a design; asks first when it would lose something.
pub fn close(state: &mut EditorState, id: DocId) {
    let Some(doc) = state.find_doc(id) else { return };
    if doc.has_unsaved_work() {
        state.tab = Tab::Doc(id);
        state.dialog = Some(Dialog::ConfirmClose(id));
    } else {
        close_anyway(state, id);
    }
}

/// Closes a design, whatever it holds.
pub fn close_anyway(state: &mut EditorState, id: DocId) {
    let Some(at) = state.docs.iter().position(|doc| doc.id == id) else { return };
    state.docs.remove(at);
    if state.tab == Tab::Doc(id) {
        let beside = state.docs.get(at).or_else(|| state.docs.get(at.wrapping_sub(1)));
        state.tab = beside.map_or(Tab::Start, |doc| Tab::Doc(doc.id));
    }
    if matches!(&state.dialog, Some(Dialog::ConfirmClose(other) | Dialog::ChangedOnDisk(other)) if *other == id) {
        state.dialog = None;
    }
}

/// Leaves; asks first when something would be lost.
pub fn quit(state: &mut EditorState) {
    if state.docs.iter().any(Doc::has_unsaved_work) {
        remember_tabs(state);
        state.dialog = Some(Dialog::ConfirmQuit);
    } else {
        quit_anyway(state);
    }
}

/// Leaves, whatever is open.
pub fn quit_anyway(state: &mut EditorState) {
    remember_tabs(state);
    state.wants_quit = true;
}

fn remember_tabs(state: &mut EditorState) {
    state.settings.tabs = state.docs.iter().filter_map(tab_path).collect();
    state.settings.tab = state.current_doc().and_then(tab_path);
}

/// How a tab stands in the settings: its file, or the name of what is built in.
fn tab_path(doc: &Doc) -> Option<PathBuf> {
    match &doc.origin {
        DocOrigin::File(path) => Some(path.clone()),
        DocOrigin::BuiltIn(name) => Some(format!("{BUILT_IN_PREFIX}{}", name.to_string_lossy()).into()),
        DocOrigin::New => None,
    }
}

/// What opens a tab that was remembered.
pub fn reopen_command(tab: &Path) -> Command {
    match tab.to_str().and_then(|tab| tab.strip_prefix(BUILT_IN_PREFIX)) {
        Some(name) => Command::OpenBuiltIn(name.into()),
        None => Command::Open(tab.into()),
    }
}
