//! Performs the guide to a first ship: takes the lint context, reports steps that are not done when they are performed, and
//! a ship that is not legal at the end.

use moldloft_base::finding::Severity;
use moldloft_rules::evaluate::guided_design;

use super::context::LintContext;

pub(super) fn check(context: &mut LintContext<'_>) {
    let rules = context.rules;
    let Some(last) = rules.guide.last() else { return };
    let guided = match guided_design(rules) {
        Ok(guided) => guided,
        Err((step, finding)) => {
            let Some(step) = rules.guide.get(step) else { return };
            let span = context.span("guide", &step.id, "fit");
            let message = format!("the step {} cannot be performed: {}", step.id, finding.message);
            return context.find("guide-step-not-done", span, message, "correct what it sets and fits");
        }
    };
    if let Some(step) = guided.undone.and_then(|step| rules.guide.get(step)) {
        let span = context.span("guide", &step.id, "done_when");
        let message = format!("the step {} is performed, but `done_when` is not true", step.id);
        let help = "let the step set and fit what its condition asks for, or change the condition";
        return context.find("guide-step-not-done", span, message, help);
    }
    let errors = guided.evaluation.findings.iter().filter(|finding| finding.severity == Severity::Error);
    if let Some(error) = errors.into_iter().next() {
        let span = context.span("guide", &last.id, "id");
        let message = format!("the ship that the guide leads to breaks the rules: {}", error.message);
        context.find("guide-not-legal", span, message, "add what is missing to its steps");
    }
}
