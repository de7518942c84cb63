//! The palette of everything: what is typed and what is highlighted. Plain data.

use crate::with_kinds;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PaletteDialog {
    pub query: String,
    pub highlighted: usize,
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
        /// Focuses the system that an entry has added.
        GoToAdded,
        /// The whole glossary, with one term first.
        ShowTerm(String),
    }
}
