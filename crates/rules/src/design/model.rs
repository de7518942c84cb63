//! A design as data with places in its file.

use std::sync::Arc;

use moldloft_base::finding::Finding;
use moldloft_base::source::toml::TomlEntry;
use moldloft_base::source::{Source, Span};

#[derive(Clone, Debug, Default)]
pub struct Design {
    /// All spans below refer to it.
    pub source: Source,
    /// The ruleset's id. `None` if missing, which is reported.
    pub ruleset: Option<SpannedText>,
    /// The class; a fleet names the individual ships.
    pub name: Option<SpannedText>,
    pub notes: Option<SpannedText>,
    /// An SVG file beside the design's own, drawn in place of the game's outline.
    pub silhouette: Option<SpannedText>,
    /// The start of the file, or the `[[design]]` header in a fleet's file.
    pub top: Span,
    /// In file order.
    pub fields: Vec<TomlEntry<'static>>,
    /// In file order. A fit without a system is left out (a finding reports it).
    pub fits: Vec<Fit>,
    pub systems: Vec<CustomSystem>,
    /// Unknown top-level keys; kept, each with a finding.
    pub unknown: Vec<TomlEntry<'static>>,
    pub findings: Vec<Finding>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpannedText {
    pub text: Arc<str>,
    /// Quotes included.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Fit {
    /// Index among the file's `[[fit]]` tables, from 0.
    pub index: u32,
    pub system: SpannedText,
    /// The mount's id; `None` where the file names none.
    pub mount: Option<SpannedText>,
    /// 0 to 9,999; 1 when not given. An invalid count is reported and read as 0.
    pub count: u32,
    /// As the file has it, where that is a whole number; else as `count`.
    pub written_count: i64,
    /// The other keys, in file order: parameters of the system.
    pub parameters: Vec<TomlEntry<'static>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct CustomSystem {
    pub id: SpannedText,
    pub like: Option<SpannedText>,
    pub keys: Vec<TomlEntry<'static>>,
    pub span: Span,
}

impl Design {
    pub fn empty(source: Source) -> Self {
        Self { source, ..Self::default() }
    }
}
