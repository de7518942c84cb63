//! Opening, saving, closing, quitting: never replaces a file that the user has not seen and never closes unsaved work
//! without asking.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::effects::persistence::disk_changes;
use crate::fleet::rebase;
use crate::model::persistence::AfterSave;
use crate::paths::{absolute_path, new_workspace, workspace_around};
use crate::{Command, Dialog, Doc, DocId, Edit, EditorState, Notice, Tab};
use moldloft_base::sanitize::design_file_name;
use moldloft_library::library;
use moldloft_library::store::{self, ContentHash, FileRef, SaveError};

/// Marks built-in designs among the remembered tabs: no path of a file begins so.
const BUILT_IN_PREFIX: &str = "moldloft:";

/// If the file is already open, its tab is shown.
pub fn open(state: &mut EditorState, path: &Path) {
    let path = &*absolute_path(path);
    if let Some(doc) = state.docs.iter().find(|doc| doc.path().is_some_and(|open| open == path)) {
        state.tab = Tab::Doc(doc.id);
        return;
    }
    match store::read_hashed(path) {
        Ok((text, hash)) => {
            state.settings.add_recent(path);
            if let Some(folder) = path.parent() {
                store::clear_parts(folder);
            }
            state.add_doc(Some(FileRef::on_disk(path)), text.into(), true);
            if let Some(doc) = state.docs.last_mut() {
                doc.disk_hash = hash;
            }
        }
        Err(finding) => {
            state.notify(Notice::about(path, &finding));
        }
    }
}

/// Asks where to save if the document has no file yet.
pub fn save(state: &mut EditorState) {
    match state.current_doc().map(|doc| (doc.path().cloned(), doc.disk_hash)) {
        Some((Some(path), hash)) => save_over(state, &path, hash),
        Some((None, _)) => save_as(state),
        None => {}
    }
}

pub fn save_as(state: &mut EditorState) {
    let Some(doc) = state.current_doc() else { return };
    let path = doc.path().cloned().unwrap_or_else(|| proposed_path(state, doc));
    state.dialog = Some(Dialog::SaveAs { path: path.to_string_lossy().into_owned() });
}

/// In the workspace's folder for its game, named after the class, where the library finds it.
fn proposed_path(state: &EditorState, doc: &Doc) -> PathBuf {
    if let Some(ruleset) = doc.as_ruleset() {
        return rules_path(state, &ruleset.id);
    }
    let place = doc.ruleset_id().and_then(|game| match doc.as_fleet() {
        Some(_) => state.store.free_path(&format!("designs/{game}/fleets"), &design_file_name(&doc.name())),
        None => library::new_design_path(&state.store, game, &doc.name()),
    });
    absolute_path(&place.unwrap_or_else(|| design_file_name(&doc.name()).into()))
}

/// Designs find rules only in the folder `rulesets/` of a workspace: without one, a new one is begun.
fn rules_path(state: &EditorState, id: &str) -> PathBuf {
    let name = format!("{}.toml", moldloft_base::sanitize::file_stem(id, "house-rules"));
    let new = || Some(new_workspace(&[store::documents(), store::home()])?.join("rulesets").join(&name));
    let place = state.store.free_path("rulesets", &name).or_else(new);
    absolute_path(&place.unwrap_or_else(|| name.clone().into()))
}

/// Says of rules that were saved where no design finds them how they come to be used.
fn tell_of_unused_rules(state: &mut EditorState, id: DocId, path: &Path) {
    let Some(ruleset) = state.find_doc(id).and_then(Doc::as_ruleset).map(|open| open.id.clone()) else { return };
    let own = state.store.workspace().map(absolute_path);
    let is_found = workspace_around(path).is_some_and(|around| own.is_none_or(|own| own == around));
    if !is_found {
        let notice = Notice::unused_rules(id, rules_path(state, &ruleset));
        state.notify(notice);
    }
}

/// Asks where to save the user's version next to the file, under its name with a number.
pub fn ask_save_copy(state: &mut EditorState, id: DocId) {
    let Some(path) = state.find_doc(id).and_then(Doc::path) else { return };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = (2..1_000).map(|n| path.with_file_name(format!("{stem}-{n}.toml")));
    let free = names.into_iter().find(|path| ContentHash::of_path(path) == ContentHash::Absent);
    let path = free.unwrap_or_else(|| path.clone()).to_string_lossy().into_owned();
    state.tab = Tab::Doc(id);
    state.dialog = Some(Dialog::SaveAs { path });
}

/// Saves the current document under a typed path; asks before replacing a file.
pub fn save_to(state: &mut EditorState, path: &Path) {
    let Some(doc) = state.current_doc() else { return };
    if path.as_os_str().is_empty() {
        return state.notify(Notice::error("missing file name"));
    }
    // The library finds only files ending in .toml; in `Mk. 2`, `2` is no extension.
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let mut named = path.as_os_str().to_owned();
    if !is_toml {
        named.push(".toml");
    }
    let path = absolute_path(Path::new(&named));
    if doc.path() == Some(&path) {
        let hash = doc.disk_hash;
        return save_over(state, &path, hash);
    }
    let id = doc.id;
    if let Some(other) = state.docs.iter().find(|other| other.id != id && other.path() == Some(&path)) {
        let text = format!("{} is open in another tab ({}); choose another name", path.display(), other.name());
        return state.notify(Notice::error(text));
    }
    let in_workspace = match state.store.workspace() {
        Some(workspace) => path.starts_with(workspace),
        None => workspace_around(&path).is_some(),
    };
    if let Some(folder) = path.parent().filter(|_| in_workspace)
        && let Err(finding) = store::make_folder(folder)
    {
        return state.notify(Notice::error(format!("{}: {}", folder.display(), finding.message)));
    }
    match ContentHash::of_path(&path) {
        ContentHash::Absent => save_over(state, &path, ContentHash::Absent),
        hash => state.dialog = Some(Dialog::ConfirmReplace { path, expected_hash: hash }),
    }
}

/// Saves only if the file still has the expected content.
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
        // It stays in its old folder.
        doc.undo(&state.rulesets);
    }
    match done {
        Ok(hash) => finish_save(state, id, path, text, hash),
        // The file is gone, so nothing is replaced.
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
            state.notify(Notice::about(path, &finding));
        }
    }
}

/// Updates the relative paths of a fleet that is saved to another folder. True if there were any.
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

fn finish_save(state: &mut EditorState, id: DocId, path: &Path, text: Arc<str>, hash: ContentHash) {
    if matches!(state.dialog, Some(Dialog::SaveAs { .. } | Dialog::ConfirmReplace { .. })) {
        state.dialog = None;
    }
    state.settings.add_recent(path);
    let is_elsewhere = state.find_doc(id).is_some_and(|doc| doc.path().is_none_or(|own| own != path));
    if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) {
        doc.saved = Some(text);
        doc.disk_hash = hash;
        doc.disk_change = None;
        doc.history.end_merge();
        doc.file = Some(FileRef::on_disk(path));
        doc.evaluate(&state.rulesets);
    }
    state.reevaluate_open_fleets();
    let fleets = fleets_with(state, path);
    state.notify(Notice::info(format!("Saved: {}{fleets}", path.display())));
    if is_elsewhere {
        tell_of_unused_rules(state, id, path);
    }
    continue_closing(state);
}

/// `; it is in 2 fleets, which change with it: Commerce raid, Escort`
fn fleets_with(state: &EditorState, path: &Path) -> String {
    let fleets: Vec<&str> =
        state.library.catalogue.entries().filter(|entry| entry.has_design(path)).map(|entry| &*entry.name).collect();
    match *fleets {
        [] => String::new(),
        [name] => format!("; it is in a fleet, which changes with it: {name}"),
        _ => format!("; it is in {} fleets, which change with it: {}", fleets.len(), fleets.join(", ")),
    }
}

pub fn save_all(state: &mut EditorState) {
    let before = state.tab;
    let changed: Vec<(DocId, PathBuf, ContentHash)> = state
        .docs
        .iter()
        .filter(|doc| doc.has_unsaved_work())
        .filter_map(|doc| Some((doc.id, doc.path()?.clone(), doc.disk_hash)))
        .collect();
    for (id, path, hash) in changed {
        state.tab = Tab::Doc(id);
        save_over(state, &path, hash);
        if state.dialog.is_some() {
            // The document that the question is about stays visible.
            return;
        }
    }
    state.tab = before;
}

/// The next step before closing or quitting.
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

/// Asks first if changes would be lost.
pub fn close(state: &mut EditorState, id: DocId) {
    let Some(doc) = state.find_doc(id) else { return };
    if doc.has_unsaved_work() {
        state.tab = Tab::Doc(id);
        state.dialog = Some(Dialog::ConfirmClose(id));
    } else {
        close_anyway(state, id);
    }
}

pub fn close_anyway(state: &mut EditorState, id: DocId) {
    let Some(at) = state.docs.iter().position(|doc| doc.id == id) else { return };
    state.docs.remove(at);
    if state.tab == Tab::Doc(id) {
        let neighbour = state.docs.get(at).or_else(|| state.docs.get(at.wrapping_sub(1)));
        state.tab = neighbour.map_or(Tab::Start, |doc| Tab::Doc(doc.id));
    }
    if matches!(&state.dialog, Some(Dialog::ConfirmClose(other) | Dialog::ChangedOnDisk(other)) if *other == id) {
        state.dialog = None;
    }
}

/// Asks first if changes would be lost.
pub fn quit(state: &mut EditorState) {
    if state.docs.iter().any(Doc::has_unsaved_work) {
        remember_tabs(state);
        state.dialog = Some(Dialog::ConfirmQuit);
    } else {
        quit_anyway(state);
    }
}

pub fn quit_anyway(state: &mut EditorState) {
    remember_tabs(state);
    state.wants_quit = true;
}

/// To be opened again at the next start, after a crash too.
pub fn remember_tabs(state: &mut EditorState) {
    (state.settings.tabs, state.settings.tab) = open_tabs(state);
}

/// All that have a file, and the current one.
pub fn open_tabs(state: &EditorState) -> (Vec<PathBuf>, Option<PathBuf>) {
    (state.docs.iter().filter_map(tab_path).collect(), state.current_doc().and_then(tab_path))
}

/// The entry for the remembered tabs: the file, or the name of a built-in design.
fn tab_path(doc: &Doc) -> Option<PathBuf> {
    let FileRef { path, built_in } = doc.file.as_ref()?;
    Some(if *built_in { format!("{BUILT_IN_PREFIX}{}", path.to_string_lossy()).into() } else { path.clone() })
}

pub fn reopen_command(tab: &Path) -> Command {
    match tab.to_str().and_then(|tab| tab.strip_prefix(BUILT_IN_PREFIX)) {
        Some(name) => Command::OpenBuiltIn(name.into()),
        None => Command::Open(tab.into()),
    }
}
