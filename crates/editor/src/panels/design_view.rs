//! What the form's panels read of the current design, collected once a frame.

use std::sync::Arc;

use crate::model::doc::OpenDesign;
use crate::{CostMeasure, Doc, EditorState, FormTarget};
use moldloft_base::finding::Finding;
use moldloft_rules::design::{DesignPart, Fit};
use moldloft_rules::evaluate::{Evaluation, FitResult};
use moldloft_rules::formula::Value;

pub struct DesignView<'a> {
    pub state: &'a EditorState,
    pub doc: &'a Doc,
    pub design: &'a OpenDesign,
    pub evaluation: &'a Arc<Evaluation>,
    pub measures: &'a [CostMeasure],
    /// Indices of the fits in the order of the form.
    pub order: Vec<u32>,
}

impl<'a> DesignView<'a> {
    pub fn new(state: &'a EditorState) -> Option<Self> {
        let doc = state.current_doc()?;
        let open_design = doc.as_design()?;
        let evaluation = open_design.evaluation.as_ref()?;
        Some(Self { state, doc, design: open_design, evaluation, measures: doc.measures(), order: Vec::new() })
    }

    pub fn findings_about(&self, is: impl Fn(&DesignPart) -> bool) -> Vec<&'a Finding> {
        self.evaluation.findings.iter().filter(|finding| is(finding.subject())).collect()
    }

    pub fn is_wanted(&self, place: &FormTarget) -> bool {
        self.state.go_to.as_ref() == Some(place)
    }

    pub fn fit(&self, index: u32) -> Option<&'a Fit> {
        self.design.design.fits.iter().find(|fit| fit.index == index)
    }

    /// For the design's own systems, the one they are based on.
    pub fn ruleset_system(&self, system: &str) -> Option<&'a moldloft_rules::ruleset::SystemDef> {
        let rules = &self.evaluation.ruleset;
        let own = || {
            let own = self.evaluation.state.custom_systems.iter().find(|own| *own.id == *system)?;
            rules.systems.get(own.base)
        };
        rules.systems.iter().find(|known| *known.id == *system).or_else(own)
    }

    /// All that there is room for, or the points alone.
    pub fn visible_measures(&self, is_wide: bool) -> impl Iterator<Item = &CostMeasure> {
        let points = self.measures.iter().position(|measure| *measure.value == *"points").unwrap_or(0);
        let shown = self.measures.iter().enumerate().filter(move |(n, _)| is_wide && *n < 3 || *n == points);
        shown.map(|(_, measure)| measure)
    }

    /// For each measure: of one, and of all.
    pub fn fit_costs(&self, fit: &FitResult) -> Vec<(&CostMeasure, i64, i64)> {
        let of = |measure: &CostMeasure| {
            let answer = fit.answers.iter().find(|(id, _)| *id == measure.attribute)?;
            if let Value::Int(one) = answer.1 { Some(one) } else { None }
        };
        let each = self.measures.iter().filter_map(|measure| Some((measure, of(measure)?)));
        each.map(|(measure, one)| (measure, one, one.saturating_mul(i64::from(fit.count)))).collect()
    }
}
