//! Opening, saving, closing, leaving: no file is replaced that is not the one the player knows of, and nothing is closed that
//! would be lost without asking.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cleaning::design_file;
use crate::library;
use crate::store::{self, Refused, Seal};

use super::{After, disk};
use crate::editor::apply::{add, tell};
use crate::editor::command::{Command, Dialog};
use crate::editor::doc::{Doc, DocId, Origin};
use crate::editor::edit::Edit;
use crate::editor::fleet::moved;
use crate::editor::state::{Notice, State, Tab};

/// How the name of a built-in design begins among the tabs remembered: no file's does.
const BUILT_IN: &str = "moldloft:";

/// Opens a file, or shows it when it is open.
pub fn open(state: &mut State, path: &Path) {
    let path = &*whole(path);
    if let Some(doc) = state.docs.iter().find(|doc| doc.path().is_some_and(|open| open == path)) {
        state.tab = Tab::Doc(doc.id);
        return;
    }
    match store::read_sealed(path) {
        Ok((text, seal)) => {
            state.settings.remember(path);
            if let Some(folder) = path.parent() {
                store::clear_parts(folder);
            }
            add(state, Origin::File(path.to_path_buf()), text.into(), true);
            if let Some(doc) = state.docs.last_mut() {
                doc.seal = seal;
            }
        }
        Err(finding) => {
            let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
            tell(state, Notice::error(format!("{}: {}{help}", path.display(), finding.message)));
        }
    }
}

/// The whole path: it names the same file wherever the program is started next, and one file has one tab.
pub fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// Saves the design before the player; asks where if it belongs nowhere yet.
pub fn save(state: &mut State) {
    match state.doc().map(|doc| (doc.path().cloned(), doc.seal)) {
        Some((Some(path), seal)) => save_over(state, &path, seal),
        Some((None, _)) => save_as(state),
        None => {}
    }
}

/// Asks where to save the design before the player.
pub fn save_as(state: &mut State) {
    let Some(doc) = state.doc() else { return };
    let path = doc.path().cloned().unwrap_or_else(|| proposed(state, doc));
    state.dialog = Some(Dialog::SaveAs { path: path.to_string_lossy().into_owned() });
}

/// Where a new design would be looked for: the workspace's folder for its game, named as the class is.
fn proposed(state: &State, doc: &Doc) -> PathBuf {
    let place = doc.rules_named().and_then(|game| match doc.fleet() {
        Some(_) => state.store.free(&format!("designs/{game}/fleets"), &design_file(&doc.name())),
        None => library::basis::place(&state.store, game, &doc.name()),
    });
    whole(&place.unwrap_or_else(|| design_file(&doc.name()).into()))
}

/// Asks where to save the player's own beside the file: under the file's name with a number.
pub fn ask_for_copy(state: &mut State, id: DocId) {
    let Some(path) = state.doc_of(id).and_then(Doc::path) else { return };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let names = (2..1_000).map(|n| path.with_file_name(format!("{stem}-{n}.toml")));
    let free = names.into_iter().find(|path| Seal::now(path) == Seal::Absent);
    let path = free.unwrap_or_else(|| path.clone()).to_string_lossy().into_owned();
    state.tab = Tab::Doc(id);
    state.dialog = Some(Dialog::SaveAs { path });
}

/// Saves the design before the player there, as the player typed it. What is there is not replaced before the player says so.
pub fn save_to(state: &mut State, path: &Path) {
    let Some(doc) = state.doc() else { return };
    if path.as_os_str().is_empty() {
        return tell(state, Notice::error("missing file name"));
    }
    // A design's file ends in .toml, or the library does not find it; `Mk. 2` has no ending.
    let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let mut named = path.as_os_str().to_owned();
    if !is_toml {
        named.push(".toml");
    }
    let path = whole(Path::new(&named));
    if doc.path() == Some(&path) {
        let seal = doc.seal;
        return save_over(state, &path, seal);
    }
    let id = doc.id;
    if let Some(other) = state.docs.iter().find(|other| other.id != id && other.path() == Some(&path)) {
        let text = format!("{} is open in another tab ({}); choose another name", path.display(), other.name());
        return tell(state, Notice::error(text));
    }
    let in_workspace = state.store.workspace().is_some_and(|workspace| path.starts_with(workspace));
    if let Some(folder) = path.parent().filter(|_| in_workspace)
        && let Err(finding) = store::make_folder(folder)
    {
        return tell(state, Notice::error(format!("{}: {}", folder.display(), finding.message)));
    }
    match Seal::now(&path) {
        Seal::Absent => save_over(state, &path, Seal::Absent),
        seal => state.dialog = Some(Dialog::Replace { path, seal }),
    }
}

/// Saves the design before the player there, if what is there is still this.
pub fn save_over(state: &mut State, path: &Path, expected: Seal) {
    let Some(doc) = state.doc() else { return };
    let (id, is_own) = (doc.id, doc.path().is_some_and(|own| own == path));
    let moved = !is_own && moved(state, id, path);
    let Some(text) = state.doc().map(|doc| doc.text().clone()) else { return };
    let done = store::save_over(path, text.as_bytes(), Some(expected));
    if done.is_err()
        && moved
        && let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id)
    {
        // It stays where it was.
        doc.undo(&state.games);
    }
    match done {
        Ok(seal) => saved(state, id, path, text, seal),
        // Where nothing is, nothing can be replaced.
        Err(Refused::Changed { now: Seal::Absent, .. }) if expected != Seal::Absent => {
            save_over(state, path, Seal::Absent);
        }
        Err(Refused::Changed { now, .. }) => {
            state.keep.after = None;
            if is_own {
                state.docs.iter_mut().filter(|doc| doc.id == id).for_each(disk::compare);
                state.dialog = Some(Dialog::OnDisk(id));
            } else {
                state.dialog = Some(Dialog::Replace { path: path.to_path_buf(), seal: now });
            }
        }
        Err(Refused::Unwritable(finding)) => {
            state.keep.after = None;
            let help = finding.help.map(|help| format!("; {help}")).unwrap_or_default();
            tell(state, Notice::error(format!("{}: {}{help}", path.display(), finding.message)));
        }
    }
}

/// A fleet names designs by paths from its own folder: elsewhere they are others. Whether there were any.
fn moved(state: &mut State, id: DocId, path: &Path) -> bool {
    let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) else { return false };
    let steps = doc.fleet().map(|fleet| moved::steps(fleet, path.parent())).unwrap_or_default();
    if steps.is_empty() {
        return false;
    }
    doc.history.seal();
    let edit = Edit::all("update the design paths", steps).choosing(doc.selected.clone());
    doc.edit(edit, &state.games).unwrap_or(false)
}

fn saved(state: &mut State, id: DocId, path: &Path, text: Arc<str>, seal: Seal) {
    if matches!(state.dialog, Some(Dialog::SaveAs { .. } | Dialog::Replace { .. })) {
        state.dialog = None;
    }
    state.settings.remember(path);
    if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) {
        doc.saved = Some(text);
        doc.seal = seal;
        doc.theirs = None;
        doc.history.seal();
        doc.origin = Origin::File(path.to_path_buf());
        doc.judge(&state.games);
    }
    crate::editor::fleet::designs_changed(state);
    tell(state, Notice::info(format!("Saved: {}", path.display())));
    go_on(state);
}

/// Saves all that is changed and belongs to a file.
pub fn save_all(state: &mut State) {
    let before = state.tab;
    let changed: Vec<(DocId, PathBuf, Seal)> = state
        .docs
        .iter()
        .filter(|doc| doc.would_be_lost())
        .filter_map(|doc| Some((doc.id, doc.path()?.clone(), doc.seal)))
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
pub fn go_on(state: &mut State) {
    let next = match state.keep.after {
        None => return,
        Some(After::Close(id)) => state.docs.iter().find(|doc| doc.id == id && doc.would_be_lost()),
        Some(After::Leave) => state.docs.iter().find(|doc| doc.would_be_lost()),
    };
    if let Some(id) = next.map(|doc| doc.id) {
        state.tab = Tab::Doc(id);
        return save(state);
    }
    match state.keep.after.take() {
        Some(After::Close(id)) => close_anyway(state, id),
        Some(After::Leave) => quit(state),
        None => {}
    }
}

/// Closes a design; asks first when it would lose something.
pub fn close(state: &mut State, id: DocId) {
    let Some(doc) = state.doc_of(id) else { return };
    if doc.would_be_lost() {
        state.tab = Tab::Doc(id);
        state.dialog = Some(Dialog::CloseChanged(id));
    } else {
        close_anyway(state, id);
    }
}

/// Closes a design, whatever it holds.
pub fn close_anyway(state: &mut State, id: DocId) {
    let Some(at) = state.docs.iter().position(|doc| doc.id == id) else { return };
    state.docs.remove(at);
    if state.tab == Tab::Doc(id) {
        let beside = state.docs.get(at).or_else(|| state.docs.get(at.wrapping_sub(1)));
        state.tab = beside.map_or(Tab::Start, |doc| Tab::Doc(doc.id));
    }
    if matches!(&state.dialog, Some(Dialog::CloseChanged(other) | Dialog::OnDisk(other)) if *other == id) {
        state.dialog = None;
    }
}

/// Leaves; asks first when something would be lost.
pub fn quit(state: &mut State) {
    if state.docs.iter().any(Doc::would_be_lost) {
        remember_tabs(state);
        state.dialog = Some(Dialog::QuitChanged);
    } else {
        leave(state);
    }
}

/// Leaves, whatever is open.
pub fn leave(state: &mut State) {
    remember_tabs(state);
    state.quit = true;
}

fn remember_tabs(state: &mut State) {
    state.settings.tabs = state.docs.iter().filter_map(remembered).collect();
    state.settings.tab = state.doc().and_then(remembered);
}

/// How a tab stands in the settings: its file, or the name of what is built in.
fn remembered(doc: &Doc) -> Option<PathBuf> {
    match &doc.origin {
        Origin::File(path) => Some(path.clone()),
        Origin::BuiltIn(name) => Some(format!("{BUILT_IN}{}", name.to_string_lossy()).into()),
        Origin::New => None,
    }
}

/// What opens a tab that was remembered.
pub fn reopen(tab: &Path) -> Command {
    match tab.to_str().and_then(|tab| tab.strip_prefix(BUILT_IN)) {
        Some(name) => Command::OpenBuiltIn(name.into()),
        None => Command::Open(tab.into()),
    }
}
