//! The findings of a design, gathered with their places, what each concerns and what a mend of it can be made from. Takes them in any
//! order, gives them errors first, then in file order. Never decides what is wrong.

use std::sync::Arc;

use crate::design::Design;
use crate::finding::{DesignEdit, DesignPart, Finding, FindingOrigin, Place, Scalar};
use crate::ruleset::Ruleset;
use crate::source::Span;

/// The most findings of one design; a player mends the first ones and looks again.
const MAX_FINDINGS: usize = 500;

/// Where in a design's file a value stands.
#[derive(Clone, Copy)]
pub(super) enum ValuePath<'a> {
    Field(&'a Arc<str>),
    /// Field, row in the file, column.
    Cell(&'a Arc<str>, usize, &'a Arc<str>),
    /// Fit in the file, key.
    Fit(u32, &'a str),
    /// Own system, key.
    CustomSystem(&'a Arc<str>, &'a str),
    /// An item of a list that stands there.
    ListItem(&'a ValuePath<'a>),
}

impl ValuePath<'_> {
    pub(super) fn subject(self) -> DesignPart {
        match self {
            ValuePath::Field(field) => DesignPart::Field(field.clone()),
            ValuePath::Cell(field, row, _) => DesignPart::Row { field: field.clone(), row },
            ValuePath::Fit(fit, _) => DesignPart::Fit(fit),
            ValuePath::CustomSystem(system, _) => DesignPart::CustomSystem(system.clone()),
            ValuePath::ListItem(seat) => seat.subject(),
        }
    }

    fn set_edit(self, value: Scalar) -> Option<DesignEdit> {
        Some(match self {
            ValuePath::Field(field) => DesignEdit::SetField { field: field.clone(), value },
            ValuePath::Cell(field, row, column) => {
                DesignEdit::SetCell { field: field.clone(), row, column: column.clone(), value }
            }
            ValuePath::Fit(fit, key) => DesignEdit::SetFit { fit, key: key.into(), value },
            ValuePath::CustomSystem(system, key) => {
                DesignEdit::SetCustomSystem { system: system.clone(), key: key.into(), value }
            }
            ValuePath::ListItem(_) => return None,
        })
    }

    /// A fault there that this value mends, if there is such a value.
    pub(super) fn with_value(self, value: Option<Scalar>) -> FindingOrigin {
        let edit = value.and_then(|value| self.set_edit(value));
        FindingOrigin::with_edits(self.subject(), edit.into_iter().collect())
    }

    /// A word there that nobody knows, and the near one that may be meant.
    pub(super) fn with_near_word(self, near: Option<&str>) -> FindingOrigin {
        self.with_value(near.map(|near| Scalar::Text(near.into())))
    }

    /// A key that nobody knows, with its value if that is plain: it becomes the near key, if that is free, or is taken out.
    pub(super) fn for_unknown_key(self, near: Option<(ValuePath<'_>, Scalar)>) -> FindingOrigin {
        let subject = self.subject();
        let key = match self {
            ValuePath::Field(key) | ValuePath::Cell(_, _, key) => key.clone(),
            ValuePath::Fit(_, key) | ValuePath::CustomSystem(_, key) => key.into(),
            ValuePath::ListItem(seat) => return seat.subject().into(),
        };
        let renamed = near.and_then(|(seat, value)| seat.set_edit(value));
        let removed = DesignEdit::RemoveKey { part: subject.clone(), key };
        FindingOrigin::with_edits(subject, renamed.into_iter().chain([removed]).collect())
    }
}

/// A finding of the language in the light in which layers see it; `false` when they do not want to hear of it.
pub fn soften_for_layers(rules: &Ruleset, finding: &mut Finding) -> bool {
    for softened in rules.severity_overrides.iter().filter(|softened| finding.code == *softened.code) {
        let Some(severity) = softened.severity else { return false };
        finding.severity = severity;
        let whose = if rules.is_supplement(softened.span) { "supplement" } else { "house" };
        finding.rule = Some(format!("{}; {whose}: {}", rules.location(softened.span), softened.reason).into());
    }
    true
}

/// The findings of a design, gathered with their places.
pub(crate) struct Diagnostics<'a> {
    pub rules: &'a Ruleset,
    pub design: &'a Design,
    found: Vec<Finding>,
    left_out: usize,
    /// The place in another file that is being judged.
    at: Option<Place>,
}

impl<'a> Diagnostics<'a> {
    pub(crate) fn new(rules: &'a Ruleset, design: &'a Design) -> Self {
        Self { rules, design, found: design.findings.clone(), left_out: 0, at: None }
    }

    /// Whether no more findings are kept; counts the one that would be next. Ask before building one: what is not kept costs nothing, no
    /// sentence and no search for a near word.
    pub(crate) fn is_full(&mut self) -> bool {
        let full = self.found.len() >= MAX_FINDINGS;
        self.left_out += usize::from(full);
        full
    }

    pub(crate) fn add(
        &mut self,
        finding: Finding,
        span: Span,
        item: Option<Arc<str>>,
        about: impl Into<FindingOrigin>,
    ) {
        if self.is_full() {
            return;
        }
        let mut place = match &self.at {
            Some(place) => place.clone(),
            None if span == Span::default() => self.design.source.place(self.design.top),
            None => self.design.source.shown(span),
        };
        place.item = item.or(place.item);
        let origin = if self.at.is_some() { FindingOrigin::default() } else { about.into() };
        self.found.push(finding.at(place).with_origin(origin));
    }

    /// What is noted from now on stands at this place of another file, such as a fleet's; with `None` in the design again.
    pub(super) fn set_place(&mut self, at: Option<Place>) {
        self.at = at;
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        span: Span,
        item: Option<Arc<str>>,
        (message, help): (String, String),
        about: impl Into<FindingOrigin>,
    ) {
        let finding = Finding::error(code, message);
        self.add(if help.is_empty() { finding } else { finding.help(help) }, span, item, about);
    }

    /// Findings of the language in the light in which layers see them.
    fn soften_all(&mut self) {
        let rules = self.rules;
        self.found.retain_mut(|finding| soften_for_layers(rules, finding));
    }

    /// All findings, errors first, then in file order.
    pub(crate) fn into_findings(mut self) -> Vec<Finding> {
        if self.left_out > 0 {
            let s = if self.left_out == 1 { "" } else { "s" };
            let message = format!("{} more finding{s} not shown", self.left_out);
            let place = self.design.source.place(self.design.top);
            let finding = Finding::error("too-many-findings", message).help("fix the first ones and check again");
            self.found.push(finding.at(place));
        }
        self.soften_all();
        self.found.sort_by_key(|finding| (finding.severity, finding.at.line, finding.at.column));
        self.found
    }
}
