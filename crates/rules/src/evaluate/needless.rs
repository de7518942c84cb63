//! What need not be evaluated when no results are kept: formulas that cannot fail, and so find no fault. This only saves time: their work counts as if they
//! were evaluated, and the findings are the same.

use std::sync::Arc;

use crate::formula::{Formula, TextTemplate, Value};
use crate::ruleset::{TableDef, TableKind};

use super::evaluator::Evaluator;
use super::state::ItTarget;

impl Evaluator<'_> {
    /// Whether formulas and texts may be left out, so many times each.
    fn leaves_out(&self, formulas: &[(&Formula, usize)], texts: &[&TextTemplate]) -> bool {
        let leaves_out = !self.keeps_results
            && !self.effort.is_spent()
            && formulas.iter().all(|(formula, _)| formula.never_fails())
            && texts.iter().all(|text| text.never_fails());
        if leaves_out {
            let inner = texts.iter().flat_map(|text| text.formulas()).map(|formula| (formula, 1));
            let work = |(formula, times): (&Formula, usize)| times.saturating_mul(formula.least_work() as usize);
            self.effort.spend(formulas.iter().copied().chain(inner).map(work).fold(0, usize::saturating_add));
        }
        leaves_out
    }

    pub(super) fn is_needless(&self, formula: &Formula, times: usize) -> bool {
        self.leaves_out(&[(formula, times)], &[])
    }

    pub(super) fn is_needless_text(&self, text: &TextTemplate) -> bool {
        self.leaves_out(&[], &[text])
    }

    /// Of a table of written rows.
    pub(super) fn is_needless_table(&self, table: &TableDef) -> bool {
        let TableKind::Rows { rows, concerns, .. } = &table.kind else { return false };
        let when = table.when.as_ref().map(|when| (when, 1));
        let concerns = concerns.as_ref().map(|concerns| (concerns, rows.len()));
        let formulas: Vec<_> = when.into_iter().chain(concerns).collect();
        let texts: Vec<_> = std::iter::once(&table.label).chain(&table.note).collect();
        self.leaves_out(&formulas, &texts)
    }

    /// A text that is only kept with the results.
    pub(super) fn shown_text(&mut self, text: &TextTemplate, of: ItTarget, item: &str) -> Arc<str> {
        if self.is_needless_text(text) { Arc::default() } else { self.eval_text(text, of, item).unwrap_or_default() }
    }

    /// A value that is only kept with the results.
    pub(super) fn shown_value(&mut self, formula: &Formula, of: ItTarget, item: &str) -> Value {
        if self.is_needless(formula, 1) { Value::Null } else { self.eval_value(formula, of, item) }
    }

    /// Whether a condition of what is only kept with the results holds.
    pub(super) fn is_shown(&mut self, condition: Option<&Formula>, item: &str) -> bool {
        condition.is_none_or(|formula| self.is_needless(formula, 1)) || self.applies(condition, item)
    }
}
