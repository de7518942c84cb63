//! An entry of the library in words: what a tile says beside its name, what a screen reader says, what a click does.

use std::fmt::Write;
use std::sync::Arc;

use crate::editor::widgets::amount;
use crate::editor::{Command, Doc, Origin};
use crate::library::{self, Entry, Shown};

/// What a click does; `None` when there is nothing to open.
pub fn command(entry: &Entry) -> Option<Command> {
    match (&entry.shown, entry.origin) {
        (_, _) if entry.is_gone() => None,
        (_, library::Origin::BuiltIn) => Some(Command::OpenBuiltIn(entry.path.clone())),
        (_, _) => Some(Command::Open(entry.full.clone())),
    }
}

/// The same, for lists of entries.
pub fn open(entry: &Arc<Entry>) -> Option<Command> {
    command(entry)
}

/// Points and whether the rules are kept, in few words; and whether something is wrong.
pub fn short(entry: &Entry) -> (String, bool) {
    match &entry.shown {
        Shown::Design(card) => {
            let mut text = card.points.map_or_else(String::new, |points| points.to_string());
            if !card.legal {
                let _ = write!(text, "{}! not legal", if text.is_empty() { "" } else { " · " });
            }
            (text, !card.legal)
        }
        Shown::Fleet(card) => {
            let mut text = card.points.map_or_else(|| entry.line(), |points| points.to_string());
            if !card.legal {
                let _ = write!(text, " · ! not legal");
            }
            (text, !card.legal)
        }
        Shown::Unread(_) if entry.is_gone() => ("! file not found".to_owned(), true),
        Shown::Unread(_) => ("! cannot be read".to_owned(), true),
    }
}

/// What a screen reader says of it.
pub fn said(entry: &Entry) -> String {
    let mut text = entry.name.to_string();
    match &entry.shown {
        Shown::Design(card) => {
            if let Some(points) = card.points {
                let _ = write!(text, ", {}", amount(&points.to_string(), "points"));
            }
            if !card.legal {
                text.push_str(", not legal");
            }
        }
        Shown::Fleet(_) => {
            let _ = write!(text, ", fleet of {}", entry.line());
        }
        Shown::Unread(_) if entry.is_gone() => text.push_str(", file not found"),
        Shown::Unread(_) => text.push_str(", cannot be read"),
    }
    if entry.built_in() {
        text.push_str(", built-in");
    }
    text
}

/// Whether it is the design that is open.
pub fn is_open(entry: &Entry, doc: &Doc) -> bool {
    match &doc.origin {
        Origin::New => false,
        Origin::BuiltIn(path) => entry.built_in() && entry.path == *path,
        Origin::File(path) => !entry.built_in() && entry.full == *path,
    }
}
