//! The guide to a first ship: takes a step and a design, says whether it is done, and gives the edits that do it.

use std::sync::Arc;

use crate::design::{Design, Document, DocumentEdit, Ship, TablePath, written_value};
use crate::formula::Value;
use crate::ruleset::{GuideStep, Ruleset};
use moldloft_base::finding::Finding;
use moldloft_base::source::Source;

use super::{Evaluation, SlotScope, evaluate};

/// How far a guide leads.
#[derive(Clone, Debug)]
pub struct GuidedDesign {
    /// The design's file.
    pub text: String,
    pub evaluation: Evaluation,
    /// The first step that was performed and is not done.
    pub undone: Option<usize>,
}

impl Evaluation {
    /// False where the condition cannot be computed.
    pub fn is_guide_step_done(&self, step: &GuideStep) -> bool {
        self.eval(&step.done, &SlotScope::default()) == Value::Flag(true)
    }

    /// The first step that is not done.
    pub fn next_guide_step(&self) -> Option<usize> {
        self.ruleset.guide.iter().position(|step| !self.is_guide_step_done(step))
    }
}

/// What a step does to a design: sets its fields, declares its own systems, and fits what is missing.
pub fn guide_edits(step: &GuideStep, design: &Design) -> Vec<DocumentEdit> {
    let set = step
        .sets
        .iter()
        .map(|entry| DocumentEdit::set(TablePath::Fields, entry.key.to_string(), written_value(&entry.node.data)));
    let mut edits: Vec<DocumentEdit> = set.collect();
    for own in &step.systems {
        let is_known = design.systems.iter().any(|known| *known.id.text == *own.id);
        edits.extend((!is_known).then(|| DocumentEdit::AddCustomSystem {
            id: own.id.to_string(),
            like: own.like.to_string(),
            keys: own.entries.iter().map(|entry| (entry.key.to_string(), written_value(&entry.node.data))).collect(),
        }));
    }
    for fit in &step.fits {
        let aboard = design.fits.iter().filter(|known| {
            *known.system.text == *fit.system && known.mount.as_ref().map(|mount| &*mount.text) == fit.mount.as_deref()
        });
        let aboard: u32 = aboard.map(|known| known.count).sum();
        if aboard >= fit.count {
            continue;
        }
        edits.push(DocumentEdit::AddFit {
            at: usize::MAX,
            system: fit.system.to_string(),
            mount: fit.mount.as_deref().map(str::to_owned),
            count: fit.count - aboard,
            parameters: fit
                .parameters
                .iter()
                .map(|entry| (entry.key.to_string(), written_value(&entry.node.data)))
                .collect(),
        });
    }
    edits
}

/// The ship that a ruleset's guide leads to: an empty design with all steps performed.
///
/// # Errors
/// Why a step cannot be performed, with its index.
pub fn guided_design(ruleset: &Arc<Ruleset>) -> Result<GuidedDesign, (usize, Finding)> {
    let start = format!("ruleset = \"{}\"\n", ruleset.id);
    let first = |message: String| (0, Finding::error("cannot-edit", message));
    let mut document = Document::parse(&start).map_err(first)?;
    let mut undone = None;
    let read = |document: &Document| {
        let design = Design::read(&Source::new("(guide)", document.text()));
        design.map_err(|findings| {
            findings.into_iter().next().unwrap_or_else(|| Finding::error("cannot-edit", "cannot read the design"))
        })
    };
    let mut evaluation = None;
    for (n, step) in ruleset.guide.iter().enumerate() {
        let design = read(&document).map_err(|finding| (n, finding))?;
        for edit in guide_edits(step, &design) {
            document.apply(edit).map_err(|finding| (n, finding))?;
        }
        let design = read(&document).map_err(|finding| (n, finding))?;
        let now = evaluate(ruleset, &design, &Ship::default());
        if undone.is_none() && !now.is_guide_step_done(step) {
            undone = Some(n);
        }
        evaluation = Some(now);
    }
    let evaluation = match evaluation {
        Some(evaluation) => evaluation,
        None => evaluate(ruleset, &read(&document).map_err(|finding| (0, finding))?, &Ship::default()),
    };
    Ok(GuidedDesign { text: document.to_text(), evaluation, undone })
}
