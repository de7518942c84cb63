//! Collects the findings of a design with their place, the part concerned and the source of a fix; gives errors first,
//! then in file order.

use std::sync::Arc;

use crate::design::Design;
use crate::ruleset::Ruleset;
use moldloft_base::finding::{DesignEdit, DesignPart, Finding, FindingOrigin, Place, Scalar};
use moldloft_base::source::Span;

/// The most findings of one design.
pub(super) const MAX_FINDINGS: usize = 500;

#[derive(Clone, Copy)]
pub(super) enum ValuePath<'a> {
    Field(&'a Arc<str>),
    /// Field, row in the file, column.
    Cell(&'a Arc<str>, usize, &'a Arc<str>),
    Fit(u32, &'a str),
    CustomSystem(&'a Arc<str>, &'a str),
    ListItem(&'a ValuePath<'a>),
}

impl ValuePath<'_> {
    pub(super) fn subject(self) -> DesignPart {
        match self {
            ValuePath::Field(field) => DesignPart::Field(field.clone()),
            ValuePath::Cell(field, row, _) => DesignPart::Row { field: field.clone(), row },
            ValuePath::Fit(fit, _) => DesignPart::Fit(fit),
            ValuePath::CustomSystem(system, _) => DesignPart::CustomSystem(system.clone()),
            ValuePath::ListItem(path) => path.subject(),
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

    /// A fault there that this value fixes, if there is one.
    pub(super) fn with_value(self, value: Option<Scalar>) -> FindingOrigin {
        let edit = value.and_then(|value| self.set_edit(value));
        FindingOrigin::with_edits(self.subject(), edit.into_iter().collect())
    }

    /// An unknown word there, and the similar one that is probably meant.
    pub(super) fn with_near_word(self, near: Option<&str>) -> FindingOrigin {
        self.with_value(near.map(|near| Scalar::Text(near.into())))
    }

    /// An unknown key and its value: it is renamed to the similar key if that is free, else removed.
    pub(super) fn for_unknown_key(self, near: Option<(ValuePath<'_>, Scalar)>) -> FindingOrigin {
        let subject = self.subject();
        let key = match self {
            ValuePath::Field(key) | ValuePath::Cell(_, _, key) => key.clone(),
            ValuePath::Fit(_, key) | ValuePath::CustomSystem(_, key) => key.into(),
            ValuePath::ListItem(path) => return path.subject().into(),
        };
        let renamed = near.and_then(|(path, value)| path.set_edit(value));
        let removed = DesignEdit::RemoveKey { part: subject.clone(), key };
        FindingOrigin::with_edits(subject, renamed.into_iter().chain([removed]).collect())
    }
}

/// Adjusts a finding's severity for rulesets with layers; `false` if it should be dropped.
pub fn soften_for_layers(rules: &Ruleset, finding: &mut Finding) -> bool {
    for softened in rules.severity_overrides.iter().filter(|softened| finding.code == *softened.code) {
        let Some(severity) = softened.severity else { return false };
        finding.severity = severity;
        let origin = if rules.is_supplement(softened.span) { "supplement" } else { "house" };
        finding.rule = Some(format!("{}; {origin}: {}", rules.location(softened.span), softened.reason).into());
    }
    true
}

pub struct Diagnostics<'a> {
    pub rules: &'a Ruleset,
    pub design: &'a Design,
    found: Vec<Finding>,
    left_out: usize,
    /// The current place in another file, if any.
    at: Option<Place>,
}

impl<'a> Diagnostics<'a> {
    pub fn new(rules: &'a Ruleset, design: &'a Design) -> Self {
        Self { rules, design, found: design.findings.clone(), left_out: 0, at: None }
    }

    /// Those added so far, in order.
    pub(super) fn findings(&self) -> &[Finding] {
        &self.found
    }

    /// Drops all but the first.
    pub(super) fn truncate(&mut self, first: usize) {
        self.found.truncate(first);
        self.left_out = 0;
    }

    /// Whether no more findings are kept; counts the one that would be next. Check it before building one, so that
    /// discarded ones cost nothing.
    pub fn is_full(&mut self) -> bool {
        let full = self.found.len() >= MAX_FINDINGS;
        self.left_out += usize::from(full);
        full
    }

    pub fn add(&mut self, finding: Finding, span: Span, item: Option<Arc<str>>, about: impl Into<FindingOrigin>) {
        if self.is_full() {
            return;
        }
        let mut place = match &self.at {
            Some(place) => place.clone(),
            None if span == Span::default() => self.design.source.place(self.design.top),
            None => self.design.source.place_with_snippet(span),
        };
        place.item = item.or(place.item);
        let origin = if self.at.is_some() { FindingOrigin::default() } else { about.into() };
        self.found.push(finding.at(place).with_origin(origin));
    }

    /// Places later findings in another file, such as a fleet's; with `None`, in the design again.
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

    /// An error because of which a part of the design is left out, or has an unusable value.
    pub(super) fn error_left_out(
        &mut self,
        code: &'static str,
        span: Span,
        item: Option<Arc<str>>,
        texts: (String, String),
        about: impl Into<FindingOrigin>,
    ) {
        self.error(code, span, item, texts, about.into().leaving_out());
    }

    fn soften_all(&mut self) {
        let rules = self.rules;
        self.found.retain_mut(|finding| soften_for_layers(rules, finding));
    }

    pub fn into_findings(mut self) -> Vec<Finding> {
        if self.left_out > 0 {
            let s = if self.left_out == 1 { "" } else { "s" };
            let message = format!("{} more finding{s} not shown", self.left_out);
            let place = self.design.source.place(self.design.top);
            let finding = Finding::error("too-many-findings", message).help("fix the first ones and check again");
            self.found.push(finding.at(place).with_origin(FindingOrigin::default().leaving_out()));
        }
        self.soften_all();
        self.found.sort_by_key(|finding| (finding.severity, finding.at.line, finding.at.column));
        self.found
    }
}
