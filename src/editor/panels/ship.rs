//! What the form's panels read of the design before the player, gathered once a frame.

use std::sync::Arc;

use crate::design::{Fit, Subject};
use crate::editor::doc::Judged;
use crate::editor::prices::{Measure, measures};
use crate::editor::{Doc, Place, State};
use crate::evaluate::{Evaluation, FitResult};
use crate::finding::Finding;
use crate::formula::Value;
use crate::source::toml::Data;

/// A design that the rules can judge.
pub struct Ship<'a> {
    pub state: &'a State,
    pub doc: &'a Doc,
    pub judged: &'a Judged,
    pub evaluation: &'a Arc<Evaluation>,
    /// What counts of a system.
    pub measures: Vec<Measure>,
    /// The fits as they stand in the form, by their place in the file.
    pub order: Vec<u32>,
}

impl<'a> Ship<'a> {
    /// The design before the player, if it is judged.
    pub fn of(state: &'a State) -> Option<Self> {
        let doc = state.doc()?;
        let judged = doc.judged()?;
        let evaluation = judged.evaluation.as_ref()?;
        let measures = measures(&evaluation.ruleset);
        Some(Self { state, doc, judged, evaluation, measures, order: Vec::new() })
    }

    /// What was found about something.
    pub fn found(&self, is: impl Fn(&Subject) -> bool) -> Vec<&'a Finding> {
        let all = self.evaluation.findings.iter().zip(&self.evaluation.subjects);
        all.filter(|(_, subject)| is(subject)).map(|(finding, _)| finding).collect()
    }

    /// Whether the player is to be brought to this place.
    pub fn is_wanted(&self, place: &Place) -> bool {
        self.state.go_to.as_ref() == Some(place)
    }

    /// What the file says of a fit.
    pub fn fit(&self, index: u32) -> Option<&'a Fit> {
        self.judged.design.fits.iter().find(|fit| fit.index == index)
    }

    /// The ruleset's system that a fit's is, or is like.
    pub fn kind(&self, system: &str) -> Option<&'a crate::ruleset::System> {
        let rules = &self.evaluation.ruleset;
        let own = || {
            let own = self.evaluation.state.own.iter().find(|own| *own.id == *system)?;
            rules.systems.get(own.base)
        };
        rules.systems.iter().find(|known| *known.id == *system).or_else(own)
    }

    /// The measures that rows of fits show: all that there is room for, or the points alone.
    pub fn measures_shown(&self, is_wide: bool) -> impl Iterator<Item = &Measure> {
        let points = self.measures.iter().position(|measure| *measure.value == *"points").unwrap_or(0);
        let shown = self.measures.iter().enumerate().filter(move |(n, _)| is_wide && *n < 3 || *n == points);
        shown.map(|(_, measure)| measure)
    }

    /// What a fit comes to, for each of the measures: of one, and of all.
    pub fn costs(&self, fit: &FitResult) -> Vec<(&Measure, i64, i64)> {
        let of = |measure: &Measure| {
            let answer = fit.answers.iter().find(|(id, _)| *id == measure.attribute)?;
            if let Value::Int(one) = answer.1 { Some(one) } else { None }
        };
        let each = self.measures.iter().filter_map(|measure| Some((measure, of(measure)?)));
        each.map(|(measure, one)| (measure, one, one.saturating_mul(i64::from(fit.count)))).collect()
    }
}

/// What a file says, as it would be written.
pub fn raw(data: &Data<'_>) -> String {
    crate::editor::fits::value(data).to_string().trim().to_owned()
}
