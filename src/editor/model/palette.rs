//! The palette of everything: what is typed and what is highlighted. Plain data.

use super::command::Command;
use super::kinds::with_kinds;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaletteDialog {
    pub query: String,
    pub highlighted: usize,
}

/// Something to do, open or look up.
#[derive(Clone, Debug)]
pub struct PaletteEntry {
    /// The same in every run: `command Print…`, `design /home/me/x.toml`.
    pub key: String,
    pub kind: EntryKind,
    pub title: String,
    /// Shown after the title: a key, points, a number.
    pub detail: String,
    /// Searched, but not shown.
    pub words: String,
    pub command: Command,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    Command,
    Tab,
    System,
    Field,
    Value,
    Term,
    Design,
}

impl EntryKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Tab => "open",
            Self::System => "add",
            Self::Field => "set",
            Self::Value => "explain",
            Self::Term => "word",
            Self::Design => "library",
        }
    }
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum PaletteCommand as PaletteCommandKind {
        Open,
        Update(PaletteDialog),
        /// An entry, by its key and query; closes the palette.
        Choose(String),
        /// The whole glossary, with one term first.
        ShowTerm(String),
    }
}

/// Used entries that are remembered.
pub const MAX_USED: usize = 40;
