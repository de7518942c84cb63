//! What a design is: data with places, nothing decided.

use std::sync::Arc;

use crate::finding::Finding;
use crate::source::toml::TomlEntry;
use crate::source::{Source, Span};

/// A class of ship as its file states it.
#[derive(Clone, Debug)]
pub struct Design {
    /// The file and its text; every span below points into it.
    pub source: Source,
    /// The ruleset's id. `None` when the file names none (a finding says so).
    pub ruleset: Option<SpannedText>,
    /// Class of ship; a fleet names the individual ships.
    pub name: Option<SpannedText>,
    /// Free text.
    pub notes: Option<SpannedText>,
    /// Where it begins: the file's start, or its `[[design]]` header in a fleet's file.
    pub top: Span,
    /// `[fields]` in file order: key, the key's span, the value with its span.
    pub fields: Vec<TomlEntry<'static>>,
    /// `[[fit]]` in file order. One that names no system is left out (a finding says so).
    pub fits: Vec<Fit>,
    /// `[[system]]`: systems of the design's own.
    pub systems: Vec<CustomSystem>,
    /// Top-level keys nobody knows; kept, and each reported.
    pub unknown: Vec<TomlEntry<'static>>,
    /// What is wrong with the file itself. `evaluate` puts these before its own findings, so that none is ever lost.
    pub findings: Vec<Finding>,
}

/// A text of the file with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpannedText {
    /// The text.
    pub text: Arc<str>,
    /// Where its value stands, quotes included.
    pub span: Span,
}

/// Some of one system in one mount.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Its place among the file's `[[fit]]` tables, from 0.
    pub index: u32,
    /// The system's id.
    pub system: SpannedText,
    /// The mount's id; `None` where the file names none.
    pub mount: Option<SpannedText>,
    /// How many, 0 to 9,999; 1 when the file does not say. An unusable count is reported and taken as 0.
    pub count: u32,
    /// The other keys: the system's parameters, in file order.
    pub parameters: Vec<TomlEntry<'static>>,
    /// Where the fit stands: its `[[fit]]` header.
    pub span: Span,
}

/// A system that the design defines for itself.
#[derive(Clone, Debug)]
pub struct CustomSystem {
    /// Its id.
    pub id: SpannedText,
    /// The system of the ruleset that it is a kind of.
    pub like: Option<SpannedText>,
    /// The other keys, in file order.
    pub keys: Vec<TomlEntry<'static>>,
    /// Where it stands: its `[[system]]` header.
    pub span: Span,
}

impl Design {
    /// A design that says nothing yet.
    pub fn empty(source: Source) -> Self {
        Self {
            source,
            ruleset: None,
            name: None,
            notes: None,
            top: Span::default(),
            fields: Vec::new(),
            fits: Vec::new(),
            systems: Vec::new(),
            unknown: Vec::new(),
            findings: Vec::new(),
        }
    }
}
