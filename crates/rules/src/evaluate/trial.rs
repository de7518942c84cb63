//! Tries other numbers in a design: takes a design and changes of single numbers, gives values and faults by the formulas of
//! [`evaluate`](super::evaluate), without texts, tracks and tables.

use std::sync::Arc;

use crate::design::{Design, Ship};
use crate::formula::{Formula, Value};
use crate::ruleset::{FieldKind, Ruleset};
use moldloft_base::finding::{Finding, Severity};

use super::diagnostics::{Diagnostics, MAX_FINDINGS, soften_for_layers};
use super::evaluator::Evaluator;
use super::state::{CallMemo, ItTarget, ShipState};
use super::work_budget::WorkBudget;
use super::{apply_loads, checks, custom_system_checks, custom_systems, resolve};

/// What a trial can change. Indices are those of the ruleset's fields and attributes, and of the fits that the rules know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrialPart {
    Field(usize),
    Count(usize),
    /// Fit, attribute.
    Parameter(usize, usize),
}

/// A finding of a trial, without its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrialFault {
    pub code: Arc<str>,
    pub severity: Severity,
    /// Of a check: its index.
    pub check: Option<usize>,
    /// Of a check: what `it` was.
    pub target: ItTarget,
}

/// A fit as a trial knows it.
#[derive(Clone, Debug)]
pub struct TrialFit {
    /// As in [`TrialPart::Count`].
    pub part: usize,
    /// As in [`DesignEdit`](moldloft_base::finding::DesignEdit).
    pub file_index: u32,
    pub system: Arc<str>,
    pub name: Arc<str>,
    /// The ruleset's system that it is, or is based on.
    pub base: usize,
    pub mount: Option<usize>,
    pub mount_id: Arc<str>,
    pub tags: Arc<[Arc<str>]>,
    pub count: i64,
}

/// A design whose numbers can be changed and computed again, in microseconds.
pub struct Trial<'a> {
    run: Evaluator<'a>,
    /// By check; `None`: off.
    severities: Vec<Option<Severity>>,
    /// Findings about the design's text, which no trial changes.
    base_findings: usize,
    base_faults: Vec<TrialFault>,
    faults: Vec<TrialFault>,
    has_computed: bool,
}

impl<'a> Trial<'a> {
    pub fn new(ruleset: &'a Arc<Ruleset>, design: &'a Design, ship: &'a Ship) -> Self {
        let mut state = ShipState { name: design.name.as_ref().map(|name| name.text.clone()), ..ShipState::default() };
        state.notes = design.notes.as_ref().map(|notes| notes.text.clone());
        state.relations = ruleset.relations.iter().map(|relation| ship.relation_count(&relation.id)).collect();
        let mut notes = Diagnostics::new(ruleset, design);
        custom_systems::resolve_custom_systems(&mut notes, &mut state);
        resolve::resolve(&mut notes, &mut state);
        apply_loads::apply_loads(&mut notes, &mut state, &ship.load);
        let severities = ruleset.checks.iter().map(|check| {
            let mut finding = Finding::new(check.code.to_string(), check.severity?, "");
            soften_for_layers(ruleset, &mut finding).then_some(finding.severity)
        });
        let severities = severities.collect();
        let base_findings = notes.findings().len();
        let base_faults = notes.findings().iter().filter_map(|finding| fault_of(ruleset, finding)).collect();
        let mut run = Evaluator::new(ruleset, ship, state, notes, WorkBudget::for_ship());
        run.keeps_fits = true;
        Self { run, severities, base_findings, base_faults, faults: Vec::new(), has_computed: false }
    }

    /// The severity of a check's findings; `None`: off.
    pub fn severity(&self, check: usize) -> Option<Severity> {
        self.severities.get(check).copied().flatten()
    }

    pub fn fits(&self) -> Vec<TrialFit> {
        let state = &self.run.state;
        let rules = self.run.rules;
        let design = self.run.notes.design;
        let fit = |(n, fit): (usize, &super::state::ResolvedFit)| {
            let face = state.system(rules, fit.system);
            TrialFit {
                part: n,
                file_index: design.fits.get(fit.index).map_or(0, |fit| fit.index),
                system: face.id.clone(),
                name: face.name.clone(),
                base: fit.base,
                mount: fit.mount,
                mount_id: fit.mount_id.clone(),
                tags: face.tags.clone(),
                count: fit.count,
            }
        };
        state.fits.iter().enumerate().map(fit).collect()
    }

    pub fn rules(&self) -> &'a Arc<Ruleset> {
        self.run.rules
    }

    /// Changes a number, flag or choice; [`Trial::compute`] shows what follows. A value that the part cannot have is ignored.
    pub fn set(&mut self, part: TrialPart, value: &Value) {
        self.has_computed = false;
        let attributes = self.run.rules.symbols.attributes.len();
        let state = &mut self.run.state;
        match part {
            TrialPart::Field(field) => {
                let Some(rule) = self.run.rules.fields.get(field) else { return };
                if let FieldKind::Choice(choice) = &rule.kind {
                    let Value::Text(word) = value else { return };
                    let Some(option) = choice.options.iter().position(|option| option.id == *word) else { return };
                    state.chosen[field] = Some(option);
                }
                state.fields[field] = value.clone();
                state.stated_fields[field] = true;
            }
            TrialPart::Count(fit) => {
                if let (Some(fit), Value::Int(count)) = (state.fits.get_mut(fit), value) {
                    fit.count = *count;
                }
            }
            TrialPart::Parameter(fit, attribute) => {
                if let Some(answer) = state.answers.get_mut(fit * attributes + attribute) {
                    *answer = value.clone();
                }
            }
        }
    }

    /// The value of a part now.
    pub fn get(&self, part: TrialPart) -> Value {
        let state = &self.run.state;
        let attributes = self.run.rules.symbols.attributes.len();
        let value = match part {
            TrialPart::Field(field) => state.fields.get(field).cloned(),
            TrialPart::Count(fit) => state.fits.get(fit).map(|fit| Value::Int(fit.count)),
            TrialPart::Parameter(fit, attribute) => state.answers.get(fit * attributes + attribute).cloned(),
        };
        value.unwrap_or(Value::Null)
    }

    /// Computes values, attributes and checks for the numbers as they are now.
    pub fn compute(&mut self) {
        if std::mem::replace(&mut self.has_computed, true) {
            return;
        }
        let run = &mut self.run;
        run.notes.truncate(self.base_findings);
        run.state.failures.clear();
        run.state.fired_checks.clear();
        run.is_cut_short = false;
        run.effort = WorkBudget::for_ship();
        run.memo.iter().for_each(CallMemo::forget_count);
        run.compute();
        if !run.effort.is_spent() {
            if !run.state.custom_systems.is_empty() {
                custom_system_checks::check_custom_systems(run);
            }
            run.report_missing_fields();
        }
        if !run.ship.relations.is_empty() || run.ship.carried_by.is_some() {
            let ship = run.ship;
            checks::check_relations(run, ship);
        }
        checks::fire_checks(run);
        self.faults.clear();
        self.faults.extend_from_slice(&self.base_faults);
        let rules = run.rules;
        let raised = run.notes.findings().iter().skip(self.base_findings);
        self.faults.extend(raised.filter_map(|finding| fault_of(rules, finding)));
        for fired in &run.state.fired_checks {
            let severity = self.severities.get(fired.check).copied().flatten();
            let Some(severity) = severity else { continue };
            let code = rules.checks[fired.check].code.clone();
            self.faults.push(TrialFault { code, severity, check: Some(fired.check), target: fired.target });
        }
        if run.notes.findings().len() + run.state.fired_checks.len() > MAX_FINDINGS {
            let mut fault = TrialFault::of_code("too-many-findings", Severity::Error);
            fault.target = ItTarget::Nothing;
            self.faults.push(fault);
        }
    }

    /// As of the last [`Trial::compute`].
    pub fn faults(&self) -> &[TrialFault] {
        &self.faults
    }

    /// Faults of the design's text, which no number mends.
    pub fn text_faults(&self) -> &[TrialFault] {
        &self.base_faults
    }

    /// Whether the formulas took too much work; then values are missing.
    pub fn is_cut_short(&self) -> bool {
        self.run.is_cut_short
    }

    /// The formula over the values of the last [`Trial::compute`]; null if it fails.
    pub fn eval(&self, formula: &Formula) -> Value {
        formula.eval(&self.run.view(ItTarget::Nothing)).unwrap_or(Value::Null)
    }

    /// A value of the ruleset, by index.
    pub fn value(&self, value: usize) -> &Value {
        self.run.state.values.get(value).unwrap_or(&Value::Null)
    }

    /// Work of the last [`Trial::compute`], in plain formulas.
    pub fn work(&self) -> u64 {
        self.run.effort.spent()
    }

    pub fn state(&self) -> &ShipState {
        &self.run.state
    }

    pub fn ship(&self) -> &'a Ship {
        self.run.ship
    }
}

impl TrialFault {
    fn of_code(code: &str, severity: Severity) -> Self {
        Self { code: code.into(), severity, check: None, target: ItTarget::Nothing }
    }
}

/// `None` where a layer drops the finding.
fn fault_of(rules: &Ruleset, finding: &Finding) -> Option<TrialFault> {
    let mut finding = Finding::new(finding.code.to_string(), finding.severity, "");
    soften_for_layers(rules, &mut finding).then(|| TrialFault::of_code(&finding.code, finding.severity))
}
