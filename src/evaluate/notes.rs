//! The findings of a design, gathered with their places, what each concerns and what a mend of it can be made from. Takes them in any
//! order, gives them errors first, then in file order. Never decides what is wrong.

use std::sync::Arc;

use crate::design::{Concern, Design, Plain, Step, Subject};
use crate::finding::{Finding, Place};
use crate::ruleset::Ruleset;
use crate::source::Span;

use super::state::Of;

/// The most findings of one design; a player mends the first ones and looks again.
const MOST_FINDINGS: usize = 500;

/// What a finding concerns, and what made it.
#[derive(Debug, Default)]
pub(crate) struct About {
    pub subject: Subject,
    pub cause: Cause,
}

/// What made a finding, as far as a mend needs to know.
#[derive(Clone, Debug, Default)]
pub(crate) enum Cause {
    /// Nothing that a program could mend with certainty.
    #[default]
    Other,
    /// A fault of the design's words; these steps mend it.
    Steps(Vec<Step>),
    /// A check.
    Check {
        /// Its number.
        check: usize,
        /// What `it` was.
        of: Of,
        /// Of a row its place in the file.
        row: usize,
    },
}

impl From<Subject> for About {
    fn from(subject: Subject) -> Self {
        Self { subject, cause: Cause::Other }
    }
}

impl From<Concern> for About {
    fn from(Concern { subject, steps }: Concern) -> Self {
        Self { subject, cause: if steps.is_empty() { Cause::Other } else { Cause::Steps(steps) } }
    }
}

/// Where in a design's file a value stands.
#[derive(Clone, Copy)]
pub(super) enum Seat<'a> {
    Field(&'a Arc<str>),
    /// Field, row in the file, column.
    Cell(&'a Arc<str>, usize, &'a Arc<str>),
    /// Fit in the file, key.
    Fit(u32, &'a str),
    /// Own system, key.
    Own(&'a Arc<str>, &'a str),
    /// An item of a list that stands there.
    Within(&'a Seat<'a>),
}

impl Seat<'_> {
    pub(super) fn subject(self) -> Subject {
        match self {
            Seat::Field(field) => Subject::Field(field.clone()),
            Seat::Cell(field, row, _) => Subject::Row { field: field.clone(), row },
            Seat::Fit(fit, _) => Subject::Fit(fit),
            Seat::Own(system, _) => Subject::Own(system.clone()),
            Seat::Within(seat) => seat.subject(),
        }
    }

    fn set(self, value: Plain) -> Option<Step> {
        Some(match self {
            Seat::Field(field) => Step::SetField { field: field.clone(), value },
            Seat::Cell(field, row, column) => {
                Step::SetCell { field: field.clone(), row, column: column.clone(), value }
            }
            Seat::Fit(fit, key) => Step::SetFit { fit, key: key.into(), value },
            Seat::Own(system, key) => Step::SetOwn { system: system.clone(), key: key.into(), value },
            Seat::Within(_) => return None,
        })
    }

    /// A fault there that this value mends, if there is such a value.
    pub(super) fn meant(self, value: Option<Plain>) -> About {
        let step = value.and_then(|value| self.set(value));
        let cause = step.map_or(Cause::Other, |step| Cause::Steps(vec![step]));
        About { subject: self.subject(), cause }
    }

    /// A word there that nobody knows, and the near one that may be meant.
    pub(super) fn near(self, near: Option<&str>) -> About {
        self.meant(near.map(|near| Plain::Text(near.into())))
    }

    /// A key that nobody knows, with its value if that is plain: it becomes the near key, if that is free, or is taken out.
    pub(super) fn key(self, near: Option<(Seat<'_>, Plain)>) -> About {
        let subject = self.subject();
        let key = match self {
            Seat::Field(key) | Seat::Cell(_, _, key) => key.clone(),
            Seat::Fit(_, key) | Seat::Own(_, key) => key.into(),
            Seat::Within(seat) => return seat.subject().into(),
        };
        let renamed = near.and_then(|(seat, value)| seat.set(value));
        let removed = Step::RemoveKey { of: subject.clone(), key };
        About { subject, cause: Cause::Steps(renamed.into_iter().chain([removed]).collect()) }
    }
}

/// A finding of the language in the light in which layers see it; `false` when they do not want to hear of it.
pub fn soften(rules: &Ruleset, finding: &mut Finding) -> bool {
    for softened in rules.softened.iter().filter(|softened| finding.code == *softened.code) {
        let Some(severity) = softened.severity else { return false };
        finding.severity = severity;
        let whose = if rules.is_supplement(softened.span) { "supplement" } else { "house" };
        finding.rule = Some(format!("{}; {whose}: {}", rules.place(softened.span), softened.reason).into());
    }
    true
}

/// Findings, in step with what they concern and what made them.
pub(crate) type Noted = (Vec<Finding>, Vec<Subject>, Vec<Cause>);

/// The findings of a design, gathered with their places.
pub(crate) struct Notes<'a> {
    pub rules: &'a Ruleset,
    pub design: &'a Design,
    found: Vec<(Finding, About)>,
    left_out: usize,
    /// The place in another file that is being judged.
    at: Option<Place>,
}

impl<'a> Notes<'a> {
    pub(crate) fn new(rules: &'a Ruleset, design: &'a Design) -> Self {
        let about = design.concerns.iter().cloned().chain(std::iter::repeat_with(Concern::default));
        let found = design.findings.iter().cloned().zip(about.map(About::from)).collect();
        Self { rules, design, found, left_out: 0, at: None }
    }

    /// Whether no more findings are kept; counts the one that would be next. Ask before building one: what is not kept costs nothing, no
    /// sentence and no search for a near word.
    pub(crate) fn is_full(&mut self) -> bool {
        let full = self.found.len() >= MOST_FINDINGS;
        self.left_out += usize::from(full);
        full
    }

    pub(crate) fn add(&mut self, finding: Finding, span: Span, item: Option<Arc<str>>, about: impl Into<About>) {
        if self.is_full() {
            return;
        }
        let mut place = match &self.at {
            Some(place) => place.clone(),
            None if span == Span::default() => self.design.source.place(self.design.top),
            None => self.design.source.shown(span),
        };
        place.item = item.or(place.item);
        let about = if self.at.is_some() { About::default() } else { about.into() };
        self.found.push((finding.at(place), about));
    }

    /// What is noted from now on stands at this place of another file, such as a fleet's; with `None` in the design again.
    pub(super) fn elsewhere(&mut self, at: Option<Place>) {
        self.at = at;
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        item: Option<Arc<str>>,
        (message, help): (String, String),
        about: impl Into<About>,
    ) {
        let finding = Finding::error(code, message);
        self.add(if help.is_empty() { finding } else { finding.help(help) }, span, item, about);
    }

    /// Findings of the language in the light in which layers see them.
    fn soften(&mut self) {
        let rules = self.rules;
        self.found.retain_mut(|(finding, _)| soften(rules, finding));
    }

    /// All findings, errors first, then in file order.
    pub(crate) fn into_found(mut self) -> Noted {
        if self.left_out > 0 {
            let s = if self.left_out == 1 { "" } else { "s" };
            let message = format!("{} more finding{s} not shown", self.left_out);
            let place = self.design.source.place(self.design.top);
            let finding = Finding::error("too-many-findings", message).help("fix the first ones and check again");
            self.found.push((finding.at(place), About::default()));
        }
        self.soften();
        self.found.sort_by_key(|(finding, _)| (finding.severity, finding.at.line, finding.at.column));
        let (mut subjects, mut causes) = (Vec::new(), Vec::new());
        let findings = self.found.into_iter().map(|(finding, about)| {
            subjects.push(about.subject);
            causes.push(about.cause);
            finding
        });
        (findings.collect(), subjects, causes)
    }
}
