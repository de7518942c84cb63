//! Open files that other programs change: one without changes of its own is read again, and undo brings the old text
//! back; of others the user decides, and nothing is replaced before that, neither in the window nor on disk.

use crate::{Dialog, DiskChange, Doc, DocId, EditorState, Notice, Tab};
use moldloft_library::store::{ContentHash, read_hashed};

pub(crate) fn check_files(state: &mut EditorState, which: impl Fn(&Doc) -> bool) {
    let mut to_read = Vec::new();
    for doc in state.docs.iter_mut().filter(|doc| which(doc)) {
        let is_clean = !doc.is_changed();
        check_file(doc);
        let has_text = doc.disk_change.as_ref().is_some_and(|change| change.text.is_some());
        to_read.extend((is_clean && has_text).then_some(doc.id));
    }
    for id in to_read {
        take_disk_version(state, id);
        let name = state.find_doc(id).map(Doc::name).unwrap_or_default();
        state
            .notify(Notice::info(format!("Another program changed {name}: read again; undo brings the old text back")));
    }
}

pub(crate) fn check_file(doc: &mut Doc) {
    let Some(path) = doc.path() else { return };
    let change = match read_hashed(path) {
        Ok((_, hash)) if hash == doc.disk_hash => None,
        Ok((text, hash)) if text == **doc.text() => {
            // Both have the same text.
            doc.saved = Some(text.into());
            doc.disk_hash = hash;
            None
        }
        Ok((text, hash)) => Some(DiskChange { text: Some(text.into()), hash }),
        Err(_) => Some(ContentHash::of_path(path))
            .filter(|hash| *hash != doc.disk_hash)
            .map(|hash| DiskChange { text: None, hash }),
    };
    doc.disk_change = change;
}

fn with_disk_change(
    state: &mut EditorState,
    id: DocId,
    resolve: impl FnOnce(&mut Doc, DiskChange, &moldloft_library::library::Rulesets),
) {
    if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id)
        && let Some(change) = doc.disk_change.take()
    {
        resolve(doc, change, &state.rulesets);
    }
    if state.dialog == Some(Dialog::ChangedOnDisk(id)) {
        state.dialog = None;
    }
}

pub(crate) fn take_disk_version(state: &mut EditorState, id: DocId) {
    with_disk_change(state, id, |doc, change, rulesets| {
        let Some(text) = change.text else { return };
        doc.saved = Some(text.clone());
        doc.disk_hash = change.hash;
        doc.history.end_merge();
        doc.replace(text, "load the file's version".into(), None, rulesets);
    });
}

pub(crate) fn keep_own_version(state: &mut EditorState, id: DocId) {
    with_disk_change(state, id, |doc, change, _| {
        doc.saved = change.text;
        doc.disk_hash = change.hash;
    });
}

/// Keeps the file's line ends and byte-order mark.
pub(crate) fn set_text(state: &mut EditorState, text: &str) {
    let Tab::Doc(id) = state.tab else { return };
    let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id) else { return };
    let old = doc.text().clone();
    let windows = old.matches("\r\n").count() * 2 > old.matches('\n').count();
    let mut text = text.replace("\r\n", "\n");
    if windows {
        text = text.replace('\n', "\r\n");
    }
    if old.starts_with('\u{feff}') {
        text.insert(0, '\u{feff}');
    }
    if doc.is_built_in() {
        return state.notices.push(Notice::error("cannot change a built-in file; save a copy first"));
    }
    doc.replace(text.into(), "edit the text".into(), Some("text".into()), &state.rulesets);
}
