//! What is wrong, or worth knowing, and where: the one type in which every room reports.

mod advice;
mod origin;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use crate::allowance::count_work;
use crate::sanitize::for_terminal;

pub use advice::{Advice, QuestionPart};
pub use origin::{DesignEdit, DesignPart, FindingFix, FindingOrigin, Scalar};

/// How serious a finding is. Only errors make a design illegal and set exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Against the rules, or unusable.
    Error,
    /// Allowed, but rarely intended.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// `error`, `warning`, `info`, as in rulesets and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// Where a finding is: in a file, at a line of it, in an item of a design. Any of these may be unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The file as the player named it; `None` when no file is concerned.
    pub file: Option<Arc<str>>,
    /// From 1; 0 when unknown.
    pub line: u32,
    /// In characters, from 1; 0 when unknown.
    pub column: u32,
    /// The item in a design or ruleset, for players: `missile launcher, port`.
    pub item: Option<Arc<str>>,
    /// The line itself.
    pub snippet: Option<Arc<SourceSnippet>>,
}

impl Place {
    /// A whole file.
    pub fn in_file(file: impl Into<Arc<str>>) -> Self {
        Self { file: Some(file.into()), ..Self::default() }
    }

    /// The same at a line, from 1.
    #[must_use]
    pub fn at_line(self, line: u32) -> Self {
        Self { line, ..self }
    }
}

/// A line of a file, with the part of it that is at fault.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceSnippet {
    /// Without its line end, at most 160 characters around the fault.
    pub text: String,
    /// First character at fault, from 0 in `text`.
    pub start: usize,
    /// Characters at fault, at least 1.
    pub length: usize,
}

/// Faults on which the program itself acts; each has a code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// `no-such-file`: nothing is there.
    NoSuchFile,
    /// `not-a-file`: a folder, a device, or no path of a file.
    NotAFile,
    /// `unreadable-file`: the system refuses to read it.
    UnreadableFile,
    /// `file-too-large`
    FileTooLarge,
    /// `file-exists`: something of this name is there already.
    FileExists,
    /// `not-a-design`: TOML, but of something else.
    NotADesign,
    /// `not-a-form`: no file of a form, or a PDF without fields.
    NotAForm,
    /// `missing-design`: a fleet's design cannot be found.
    MissingDesign,
    /// `missing-template-file`: in no templates folder.
    MissingTemplateFile,
    /// `unknown-setting`: the ruleset has no such setting.
    UnknownSetting,
    /// `too-many-states`: more work than one question about odds may take.
    TooManyStates,
}

impl Cause {
    /// The code of findings with this cause.
    pub fn code(self) -> &'static str {
        match self {
            Cause::NoSuchFile => "no-such-file",
            Cause::NotAFile => "not-a-file",
            Cause::UnreadableFile => "unreadable-file",
            Cause::FileTooLarge => "file-too-large",
            Cause::FileExists => "file-exists",
            Cause::NotADesign => "not-a-design",
            Cause::NotAForm => "not-a-form",
            Cause::MissingDesign => "missing-design",
            Cause::MissingTemplateFile => "missing-template-file",
            Cause::UnknownSetting => "unknown-setting",
            Cause::TooManyStates => "too-many-states",
        }
    }
}

/// What is wrong, or worth knowing, in a design, a fleet, a ruleset or a template. Its [`Display`](fmt::Display) is one line; its
/// parts are for programs that show it in their own way.
///
/// A finding of a check has the check's place in `rule`, and the numbers of its condition. Findings that the program itself
/// raises (`unknown-system`, `no-such-file`) have no rule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Kebab-case, names the fault: `launcher-without-magazine`. For people and reports; the program acts on `cause`.
    pub code: Cow<'static, str>,
    /// Set if the program acts on this fault.
    pub cause: Option<Cause>,
    /// Only errors make a design illegal.
    pub severity: Severity,
    /// What is wrong, with the numbers, in one sentence without a full stop.
    pub message: String,
    /// What to do, in a few words that start with a verb; `None` where nothing is certain.
    pub help: Option<String>,
    /// Set if faces word the help themselves; `help` then names no option of any.
    pub advice: Option<Box<Advice>>,
    /// The part of a question in whose text it is.
    pub asked: Option<QuestionPart>,
    /// Where it is.
    pub at: Place,
    /// The values in the failing condition: `launchers = 14, fed = 8`.
    pub numbers: Option<String>,
    /// The rule's place, `rulesets/wars-of-honor.toml:88`, or its own name.
    pub rule: Option<Arc<str>>,
    /// Findings of one code and topic report one fault met in several places; whoever joins their lists keeps the first. Never shown.
    pub topic: Option<Arc<str>>,
    /// What it concerns in a design, and its fix; boxed, since most findings concern the whole.
    pub origin: Option<Box<FindingOrigin>>,
}

impl Finding {
    /// Place and help are added with the methods below.
    pub fn new(code: impl Into<Cow<'static, str>>, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            cause: None,
            severity,
            message: message.into(),
            help: None,
            advice: None,
            asked: None,
            at: Place::default(),
            numbers: None,
            rule: None,
            topic: None,
            origin: None,
        }
    }

    /// A finding of severity error.
    pub fn error(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// An error with the cause's own code.
    pub fn caused(cause: Cause, message: impl Into<String>) -> Self {
        Self { cause: Some(cause), ..Self::error(cause.code(), message) }
    }

    /// A finding of severity warning.
    pub fn warning(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// A finding that is only worth knowing.
    pub fn info(code: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Info, message)
    }

    /// With what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        (self.help, self.advice) = (Some(help.into()), None);
        self
    }

    /// With what to do, if anything is certain.
    #[must_use]
    pub fn maybe_help(self, help: Option<String>) -> Self {
        match help {
            Some(help) => self.help(help),
            None => self,
        }
    }

    /// The same in other words.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// With the values of a condition: `launchers = 14, fed = 8`.
    #[must_use]
    pub fn numbers(mut self, numbers: impl Into<String>) -> Self {
        self.numbers = Some(numbers.into());
        self
    }

    /// By the rule at this place.
    #[must_use]
    pub fn rule(mut self, rule: impl Into<Arc<str>>) -> Self {
        self.rule = Some(rule.into());
        self
    }

    /// Help that faces word themselves.
    #[must_use]
    pub fn advise(mut self, advice: Advice) -> Self {
        self.help = Some(advice.to_string());
        self.advice = Some(Box::new(advice));
        self
    }

    /// In the text of this part of a question.
    #[must_use]
    pub fn asked_in(mut self, part: QuestionPart) -> Self {
        self.asked = Some(part);
        self
    }

    /// At this place.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.at = place;
        self
    }

    /// At this place, if it is known.
    #[must_use]
    pub fn maybe_at(self, place: Option<Place>) -> Self {
        match place {
            Some(place) => self.at(place),
            None => self,
        }
    }

    /// Names the fault for lists that report it once.
    #[must_use]
    pub fn topic(mut self, topic: impl Into<Arc<str>>) -> Self {
        self.topic = Some(topic.into());
        self
    }

    /// Whether both report one fault: they are equal, or share code and topic.
    pub fn repeats(&self, other: &Self) -> bool {
        match &self.topic {
            Some(_) => self.code == other.code && self.topic == other.topic,
            None => self == other,
        }
    }

    /// With what it concerns, and its fix.
    #[must_use]
    pub fn with_origin(mut self, origin: impl Into<FindingOrigin>) -> Self {
        self.set_origin(origin.into());
        self
    }

    /// Sets what it concerns, and its fix.
    pub fn set_origin(&mut self, origin: FindingOrigin) {
        self.origin = (origin != FindingOrigin::default()).then(|| Box::new(origin));
    }

    /// The part of the design that it concerns.
    pub fn subject(&self) -> &DesignPart {
        self.origin.as_ref().map_or(&DesignPart::Design, |origin| &origin.subject)
    }

    /// What fixes it.
    pub fn fix(&self) -> &FindingFix {
        self.origin.as_ref().map_or(&FindingFix::None, |origin| &origin.fix)
    }

    /// For machine-readable reports: `{"code", "severity", "message", "help", "at": {"file", "line", "item"}}`.
    pub fn to_json(&self) -> serde_json::Value {
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

/// One line, `vigilant.toml:8:1: error[load-over-capacity]: box launcher holds 6, loaded 7 (remove 1)`, with nothing in it that drives a terminal.
impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.at.file {
            write!(out, "{}:", for_terminal(file))?;
            if self.at.line > 0 {
                write!(out, "{}:{}:", self.at.line, self.at.column.max(1))?;
            }
            write!(out, " ")?;
        }
        let word = if self.severity == Severity::Info { "note" } else { self.severity.as_str() };
        write!(out, "{word}[{}]: {}", for_terminal(&self.code), for_terminal(&self.message))?;
        match &self.help {
            Some(help) => write!(out, " ({})", for_terminal(help)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Finding {}

/// Findings up to a limit; those beyond it are counted but not built, so that they cost nothing.
#[derive(Clone, Debug, Default)]
pub struct FindingList {
    kept: Vec<Finding>,
    dropped: usize,
}

impl FindingList {
    /// The most findings kept of one kind.
    pub const MAX: usize = 500;

    /// Whether the limit is reached; counts the finding that would be next.
    pub fn is_full(&mut self) -> bool {
        let full = self.kept.len() >= Self::MAX;
        self.dropped += usize::from(full);
        full
    }

    pub fn add(&mut self, make: impl FnOnce() -> Finding) {
        if !self.is_full() {
            self.kept.push(make());
        }
    }

    /// The findings, followed by one at `at` with the number left out, if any.
    pub fn into_vec(mut self, at: Place) -> Vec<Finding> {
        if self.dropped > 0 {
            let message = match self.dropped {
                1 => "1 more finding is not shown".to_owned(),
                more => format!("{more} more findings are not shown"),
            };
            let finding = Finding::error("too-many-findings", message).help("fix the first ones and check again");
            self.kept.push(finding.at(at));
        }
        self.kept
    }
}

/// Longer words, in characters, get no suggestion.
pub const MAX_SUGGEST_CHARS: usize = 64;
/// The most known words compared with one word.
pub const MAX_SUGGEST_CANDIDATES: usize = 1_000;

/// The known word nearest to `word`, if near enough to be a suggestion. Words of more than [`MAX_SUGGEST_CHARS`]
/// characters have none, and at most [`MAX_SUGGEST_CANDIDATES`] known words are compared.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A character has at most four bytes.
    if word.len() > 4 * MAX_SUGGEST_CHARS || word.chars().count() > MAX_SUGGEST_CHARS {
        return None;
    }
    let wanted = word.to_lowercase().replace('_', "-");
    let letters = wanted.chars().count();
    let allowed = 1.max(letters / 3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known.into_iter().take(MAX_SUGGEST_CANDIDATES) {
        if candidate.len() > 4 * (letters + allowed) {
            continue;
        }
        let other = candidate.to_lowercase().replace('_', "-");
        let length = other.chars().count();
        // The difference in length is a lower bound on the distance.
        if length.abs_diff(letters) > allowed {
            continue;
        }
        count_work(letters * length);
        let distance = strsim::osa_distance(&wanted, &other);
        if distance <= most_edits(&wanted, &other) && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Help with the known word nearest to `word`, if there is one: [`nearest`].
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|near| format!("did you mean `{near}`?"))
}

/// The edits by which two words may differ: a third of their letters, of the mount's alone where the system before `@` is the same. Another
/// number, or another letter alone, is no misspelt one.
fn most_edits(wanted: &str, other: &str) -> usize {
    let is_number = |word: &str| word.trim_start_matches(['-', '−']).bytes().all(|byte| byte.is_ascii_digit());
    if is_number(wanted) || is_number(other) {
        return 0;
    }
    let mount = |word: &'_ str| word.split_once('@').map(|(system, mount)| (system.len(), mount.chars().count()));
    let letters = match (mount(wanted), mount(other)) {
        (Some((system, letters)), Some((same, _))) if wanted[..system] == other[..same] => letters,
        _ => wanted.chars().count(),
    };
    if letters == 1 { 0 } else { 1.max(letters / 3) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allowance::work_counted;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["laser", "missile-launcher", "graser"];
        assert_eq!(nearest("lasre", known), Some("laser"));
        assert_eq!(nearest("Missile_Launcher", known), Some("missile-launcher"));
        assert_eq!(nearest("sidewall", known), None);
        assert_eq!(nearest("7", ["0", "6"]), None);
        assert_eq!(nearest("laser@prot", ["laser@aft", "laser@fore"]), None);
        assert_eq!(nearest("laser@prot", ["laser@aft", "laser@port"]), Some("laser@port"));
    }

    #[test]
    fn a_finding_is_shown_in_one_line() {
        let mut finding = Finding::error("load-over-capacity", "box launcher holds 6,\nloaded 7").help("remove 1");
        assert_eq!(finding.to_string(), "error[load-over-capacity]: box launcher holds 6, loaded 7 (remove 1)");
        finding.at = Place::in_file("a\u{1b}.toml").at_line(8);
        assert!(finding.to_string().starts_with("a\\u{1b}.toml:8:1: error["), "{finding}");
    }

    #[test]
    fn what_is_not_kept_is_not_built() {
        let (mut findings, mut built) = (FindingList::default(), 0);
        for n in 0..FindingList::MAX + 7 {
            findings.add(|| {
                built += 1;
                Finding::error("x", n.to_string())
            });
        }
        let kept = findings.into_vec(Place::default());
        assert_eq!((built, kept.len()), (FindingList::MAX, FindingList::MAX + 1));
        assert!(kept.last().unwrap().message.starts_with("7 more"));
    }

    #[test]
    fn no_word_and_no_list_is_too_long_to_compare() {
        let long = "a".repeat(MAX_SUGGEST_CHARS + 1);
        assert_eq!(nearest(&long, [&*long]), None);
        assert_eq!(nearest(&long[1..], [&*long]), Some(&*long));
        let many: Vec<String> = (0..100_000).map(|n| format!("{n:064}")).collect();
        let before = work_counted();
        let _ = nearest(&"x".repeat(MAX_SUGGEST_CHARS), many.iter().map(String::as_str));
        assert!(work_counted() - before <= 2 * (MAX_SUGGEST_CANDIDATES * MAX_SUGGEST_CHARS * MAX_SUGGEST_CHARS) as u64);
    }
}
