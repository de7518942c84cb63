//! The measures of a system's cost: takes a ruleset, gives the values of a ship that systems add to.

use std::sync::Arc;

use moldloft_rules::formula::Formula;
use moldloft_rules::ruleset::{CallKind, FitFilter, Ruleset};

/// A value of the ship that systems add to: `mass`, `points`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostMeasure {
    pub attribute: Arc<str>,
    pub value: Arc<str>,
    pub label: Arc<str>,
}

/// Attributes that the ruleset totals into a value of the same name, a headline or a budget.
pub fn cost_measures(rules: &Ruleset) -> Vec<CostMeasure> {
    let sums = |formula: &Formula, answer: usize| {
        let calls = formula.calls().filter_map(|call| rules.symbols.calls.get(call));
        calls.into_iter().any(|call| {
            call.kind == CallKind::Total(answer) && call.system == FitFilter::Any && call.mount == FitFilter::Any
        })
    };
    let answers = rules.symbols.attributes.iter().enumerate().filter(|(_, answer)| answer.default.is_some());
    let found = answers.filter_map(|(n, answer)| {
        let value = rules.values.iter().find(|value| value.id == answer.id).or_else(|| {
            rules.values.iter().find(|value| (value.headline || value.limit.is_some()) && sums(&value.formula, n))
        })?;
        Some(CostMeasure { attribute: answer.id.clone(), value: value.id.clone(), label: value.label.clone() })
    });
    found.collect()
}
