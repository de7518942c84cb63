//! What is wrong with a ruleset: collects findings with their places, within a limit, and makes the hints that name the
//! nearest known word.

use std::cell::RefCell;
use std::sync::Arc;

use crate::formula::FormulaError;
use moldloft_base::finding::{Finding, Severity, nearest};
use moldloft_base::sanitize::shorten_line;
use moldloft_base::source::{Source, Span};

/// Findings with their places. Limited, so that a hostile file cannot fill memory.
pub struct Problems<'s> {
    sources: &'s [Source],
    found: RefCell<Vec<Problem>>,
}

struct Problem {
    error: RulesetError,
    /// It concerns one statement of a layer, which is skipped: the rest is usable.
    skipped: bool,
}

/// A finding with its place and what it is about.
#[derive(Clone)]
pub struct RulesetError {
    pub finding: Finding,
    pub span: Span,
    pub subject: ErrorSubject,
}

/// What an error is about, besides what the source has at its place.
#[derive(Clone, Debug, Default)]
pub struct ErrorSubject {
    /// Empty if it is not about one declaration.
    pub section: &'static str,
    /// The declaration's id, or the names of several.
    pub names: Vec<Arc<str>>,
}

const MAX_FINDINGS: usize = 200;

impl<'s> Problems<'s> {
    pub fn new(sources: &'s [Source]) -> Self {
        Self { sources, found: RefCell::new(Vec::new()) }
    }

    pub fn add(&self, finding: Finding, span: Span) {
        self.push(finding, span, ErrorSubject::default(), false);
    }

    fn push(&self, finding: Finding, span: Span, subject: ErrorSubject, skipped: bool) {
        if !self.is_full(skipped) {
            let mut found = self.found.borrow_mut();
            let source = self.sources.get(usize::from(span.file));
            let finding = finding.maybe_at(source.map(|source| source.place_with_snippet(span)));
            if !found.iter().any(|known| known.error.finding == finding) {
                found.push(Problem { error: RulesetError { finding, span, subject }, skipped });
            }
        }
    }

    /// Whether no more findings are kept, of skipped statements (`skipped`) or of the rest. The limit for skipped
    /// statements is lower, so that they never displace a blocking error.
    pub fn is_full(&self, skipped: bool) -> bool {
        self.found.borrow().len() >= if skipped { MAX_FINDINGS } else { 2 * MAX_FINDINGS }
    }

    /// [`suggest`], but empty when no more findings are kept.
    pub fn suggest<'a>(&self, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
        if self.is_full(false) { String::new() } else { suggest(word, known) }
    }

    pub fn error(&self, code: &'static str, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.error_about(ErrorSubject::default(), code, span, message, help);
    }

    pub fn error_about(
        &self,
        subject: ErrorSubject,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(error_finding(code, message.into(), help.into()), span, subject, false);
    }

    /// An error in one statement of a layer, which is skipped; the rest is usable.
    pub fn error_in_statement(
        &self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(error_finding(code, message.into(), help.into()), span, ErrorSubject::default(), true);
    }

    pub fn add_formula_error(&self, error: FormulaError) {
        let mut finding = Finding::error(error.code, error.message);
        finding.help = error.help;
        let subject = ErrorSubject { section: "", names: error.subject.into_iter().collect() };
        self.push(finding, error.span, subject, false);
    }

    pub fn into_findings(self) -> Vec<Finding> {
        let mut found: Vec<Finding> = self.found.into_inner().into_iter().map(|found| found.error.finding).collect();
        found.sort_by(|a, b| (&a.at.file, a.at.line, a.at.column).cmp(&(&b.at.file, b.at.line, b.at.column)));
        found
    }

    /// The errors that make the ruleset unusable.
    pub fn blocking_errors(&self) -> Vec<RulesetError> {
        self.found.borrow().iter().filter(|found| found.is_blocking()).map(|found| found.error.clone()).collect()
    }

    pub fn is_usable(&self) -> bool {
        !self.found.borrow().iter().any(Problem::is_blocking)
    }
}

impl Problem {
    fn is_blocking(&self) -> bool {
        !self.skipped && self.error.finding.severity == Severity::Error
    }
}

fn error_finding(code: &'static str, message: String, help: String) -> Finding {
    let finding = Finding::error(code, message);
    if help.is_empty() { finding } else { finding.help(help) }
}

/// `did you mean …?`, or all known names if there are few.
pub fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    suggest_near(word, known).0
}

/// The hint of [`suggest`] for a word that is an id or a `#tag`.
pub fn suggest_item<'a>(
    word: &str,
    ids: impl Iterator<Item = &'a Arc<str>>,
    tags: impl IntoIterator<Item = &'a Arc<str>>,
) -> String {
    let mut known: Vec<String> = ids.map(|id| id.to_string()).collect();
    for tag in tags.into_iter().map(|tag| format!("#{tag}")) {
        if !known.contains(&tag) {
            known.push(tag);
        }
    }
    suggest(word, known.iter().map(String::as_str))
}

/// The hint of [`suggest`], and the nearest name if there is one.
pub fn suggest_near<'a, T: Nameable<'a>>(
    word: &str,
    known: impl IntoIterator<Item = T> + Clone,
) -> (String, Option<T>) {
    let near = nearest(word, known.clone().into_iter().map(Nameable::name));
    if let Some(near) = near {
        return (format!("did you mean `{near}`?"), known.into_iter().find(|known| known.name() == near));
    }
    let known: Vec<&str> = known.into_iter().take(13).map(Nameable::name).collect();
    let help = match known.len() {
        0 => String::new(),
        1..=12 => format!("use one of: {}", known.join(", ")),
        _ => String::new(),
    };
    (help, None)
}

/// A name, or an item that has one.
pub trait Nameable<'a>: Copy {
    fn name(self) -> &'a str;
}

impl<'a> Nameable<'a> for &'a str {
    fn name(self) -> &'a str {
        self
    }
}

impl<'a> Nameable<'a> for &'a Arc<str> {
    fn name(self) -> &'a str {
        self
    }
}

/// A hint, followed by what else can be done.
pub fn append_hint(hint: &str, more: &str) -> String {
    match hint.strip_suffix('?') {
        _ if hint.is_empty() => more.to_owned(),
        Some(_) => format!("{hint} Otherwise {more}"),
        None => format!("{hint}; {more}"),
    }
}

/// The most characters of a word of the file in a message.
const MAX_QUOTED_CHARS: usize = 60;

/// A word of the file for a message.
pub fn shorten(text: &str) -> String {
    shorten_line(text, MAX_QUOTED_CHARS)
}

/// ` from 1 to 4`, ` of at least 1`, ` of at most 4` or nothing.
pub fn range_text(min: Option<i64>, max: Option<i64>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!(" from {min} to {max}"),
        (Some(min), None) => format!(" of at least {min}"),
        (None, Some(max)) => format!(" of at most {max}"),
        (None, None) => String::new(),
    }
}
