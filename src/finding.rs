//! What is wrong, or worth knowing, and where: takes nothing, gives the one type every room reports in.
//! Never prints; the faces do.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

/// How much a finding matters. Only errors make a design illegal and set exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Against the rules, or cannot be used.
    Error,
    /// Allowed, but hardly what a player wants.
    Warning,
    /// Good to know.
    Info,
}

impl Severity {
    /// `error`, `warning`, `info`: as rulesets and reports write it.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// Where a finding points: a place in a file and, in a design, the thing it concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The file as the player named it; `None` when no file is concerned.
    pub file: Option<Arc<str>>,
    /// Line, counting from 1; 0 when unknown.
    pub line: u32,
    /// Column in characters, counting from 1; 0 when unknown.
    pub column: u32,
    /// The thing in a design or ruleset, in a player's words: `missile launcher, port`.
    pub item: Option<Arc<str>>,
    /// The source line and the caret's start and length in characters, for messages that show it.
    pub shown: Option<Arc<Shown>>,
}

/// A source line with the part at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The line's text without its line end, at most 160 characters around the fault.
    pub text: String,
    /// First character at fault, counting from 0 within `text`.
    pub start: usize,
    /// Characters at fault, at least 1.
    pub length: usize,
}

/// One thing found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Kebab-case, names the fault: `launcher-without-magazine`.
    pub code: Cow<'static, str>,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, with the numbers, in one sentence without a full stop.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where.
    pub at: Place,
    /// The values that the failing condition used: `launchers = 14, fed = 8`.
    pub numbers: Option<String>,
    /// The rule it comes from: `rulesets/wars-of-honor.toml:88`, or the rule's own name.
    pub rule: Option<Arc<str>>,
}

impl Finding {
    /// A finding with a code, a severity and a message; place and help are added with the methods below.
    pub fn new(code: impl Into<Cow<'static, str>>, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            severity,
            message: message.into(),
            help: None,
            at: Place::default(),
            numbers: None,
            rule: None,
        }
    }

    /// An error.
    pub fn error(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// A warning.
    pub fn warning(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// A note.
    pub fn info(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Info, message)
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.at = place;
        self
    }

    /// The finding as machine-readable reports hold it: `{"code", "severity", "message", "help", "at": {"file", "line", "item"}}`.
    pub fn report(&self) -> serde_json::Value {
        serde_json::json!({
            "code": &*self.code,
            "severity": self.severity,
            "message": self.message,
            "help": self.help,
            "at": {
                "file": self.at.file.as_deref(),
                "line": (self.at.line > 0).then_some(self.at.line),
                "item": self.at.item.as_deref(),
            },
        })
    }
}

/// The known word nearest to `word`, if one is near enough to be meant: the suggestion of every unknown name.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = word.to_lowercase().replace('_', "-");
    let allowed = 1.max(wanted.chars().count() / 3);
    known
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&wanted, &candidate.to_lowercase().replace('_', "-")), candidate))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}
