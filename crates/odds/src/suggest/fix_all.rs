//! Fixes one after another: takes a design with findings, gives the steps, each of which leaves fewer findings and no new error.

use moldloft_base::finding::Severity;
use moldloft_rules::design::Document;
use moldloft_rules::evaluate::{Evaluation, QuickFix, quick_fix};

/// Fixes that are applied at once.
pub const MAX_FIXES_AT_ONCE: usize = 100;

/// A fix, and the design after it.
pub struct FixStep {
    pub fix: QuickFix,
    pub document: Document,
    pub after: Evaluation,
}

/// `is_wanted`: whether a fix may be used; `check` evaluates a changed file.
pub fn fix_all(
    document: &Document,
    evaluation: &Evaluation,
    is_wanted: &dyn Fn(&Evaluation, &QuickFix) -> bool,
    check: &dyn Fn(&Document) -> Option<Evaluation>,
) -> Vec<FixStep> {
    let mut steps: Vec<FixStep> = Vec::new();
    while steps.len() < MAX_FIXES_AT_ONCE {
        let (document, now) = steps.last().map_or((document, evaluation), |step| (&step.document, &step.after));
        let step = (0..now.findings.len()).find_map(|finding| {
            let fix = quick_fix(now, finding).filter(|fix| is_wanted(now, fix))?;
            let mut document = document.clone();
            document.apply_edits(&fix.edits).ok()?;
            let after = check(&document)?;
            is_improvement(now, &after).then_some(FixStep { fix, document, after })
        });
        match step {
            Some(step) => steps.push(step),
            None => break,
        }
    }
    steps
}

fn is_improvement(before: &Evaluation, after: &Evaluation) -> bool {
    let count_serious =
        |of: &Evaluation| of.findings.iter().filter(|finding| finding.severity != Severity::Info).count();
    let errors = |of: &Evaluation| -> Vec<String> {
        let errors = of.findings.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| format!("{} {:?}", finding.code, finding.at.item)).collect()
    };
    let known = errors(before);
    count_serious(after) < count_serious(before) && errors(after).iter().all(|error| known.contains(error))
}
