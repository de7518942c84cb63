//! Files that other programs change while they are open: notices, and does what the player decides. Nothing is replaced
//! before that, neither in the window nor in the file.

use std::sync::Arc;

use crate::store::{Seal, read_sealed};

use crate::editor::command::Dialog;
use crate::editor::doc::{Doc, DocId};
use crate::editor::state::{Notice, State, Tab};

/// What stands in a design's file by now, when it is not what was read or saved last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theirs {
    /// Its text; `None` when the file is gone or cannot be read.
    pub text: Option<Arc<str>>,
    /// The same in few bytes.
    pub seal: Seal,
}

/// Looks at the files of these designs.
pub(super) fn look(state: &mut State, which: impl Fn(&Doc) -> bool) {
    for doc in state.docs.iter_mut().filter(|doc| which(doc)) {
        compare(doc);
    }
}

/// Looks whether a design's file is another by now.
pub(super) fn compare(doc: &mut Doc) {
    let Some(path) = doc.path() else { return };
    let theirs = match read_sealed(path) {
        Ok((_, seal)) if seal == doc.seal => None,
        Ok((text, seal)) if text == **doc.text() => {
            // They come to the same.
            doc.saved = Some(text.into());
            doc.seal = seal;
            None
        }
        Ok((text, seal)) => Some(Theirs { text: Some(text.into()), seal }),
        Err(_) => Some(Seal::now(path)).filter(|seal| *seal != doc.seal).map(|seal| Theirs { text: None, seal }),
    };
    doc.theirs = theirs;
}

fn with(state: &mut State, id: DocId, to: impl FnOnce(&mut Doc, Theirs, &crate::library::Games)) {
    if let Some(doc) = state.docs.iter_mut().find(|doc| doc.id == id)
        && let Some(theirs) = doc.theirs.take()
    {
        to(doc, theirs, &state.games);
    }
    if state.dialog == Some(Dialog::OnDisk(id)) {
        state.dialog = None;
    }
}

pub(super) fn take_theirs(state: &mut State, id: DocId) {
    with(state, id, |doc, theirs, games| {
        let Some(text) = theirs.text else { return };
        doc.saved = Some(text.clone());
        doc.seal = theirs.seal;
        doc.history.seal();
        doc.replace(text, "load the file's version".into(), None, games);
    });
}

pub(super) fn keep_mine(state: &mut State, id: DocId) {
    with(state, id, |doc, theirs, _| {
        doc.saved = theirs.text;
        doc.seal = theirs.seal;
    });
}

/// Puts a text in force that was typed as text, with the line ends and the byte-order mark that the file has.
pub(super) fn typed(state: &mut State, text: &str) {
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
    if matches!(doc.origin, crate::editor::Origin::BuiltIn(_)) {
        return state.notices.push(Notice::error("cannot change a built-in file; save a copy first"));
    }
    doc.replace(text.into(), "edit the text".into(), Some("text".into()), &state.games);
}
