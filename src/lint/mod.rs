//! What a ruleset's author gets wrong though it loads: takes a loaded ruleset, its designs and its templates, gives findings with file,
//! line and column. One table lists the faults; one file holds those of a kind. Never changes anything, never touches the disk.
//!
//! What can be known from the text is said as such. What only shows when designs are evaluated is tried on the game's own designs and on
//! others made from them, the same each time, and says over how many.

mod box_names;
mod braces;
mod catalogue;
mod context;
mod design_generator;
mod dynamic;
mod layer_effects;
mod reachability;
mod sheets;
mod side_effects;
mod style;
mod trial_runs;
mod unused;

pub use catalogue::{FindingExample, LINTS, Lint, LintInput, LintReport};
use context::LintContext;
use layer_effects::LintCheck;

/// Looks a ruleset over. Of a layer only what its own file says or causes is spoken of: what is below it is another author's.
pub fn lint(subject: &LintInput<'_>) -> LintReport {
    let mut ground = LintContext::new(subject, &|| true);
    for look in CHECKS {
        look(&mut ground);
    }
    layer_effects::check(&mut ground, &CHECKS);
    ground.into_report()
}

/// The same for as long as it is wanted: `None` when `go_on` said no on the way.
pub fn lint_while(subject: &LintInput<'_>, go_on: &dyn Fn() -> bool) -> Option<LintReport> {
    let mut ground = LintContext::new(subject, go_on);
    for look in CHECKS {
        if !go_on() {
            return None;
        }
        look(&mut ground);
    }
    if go_on() {
        layer_effects::check(&mut ground, &CHECKS);
    }
    go_on().then(|| ground.into_report())
}

const CHECKS: [LintCheck; 8] = [
    style::check,
    braces::check,
    unused::check,
    reachability::check,
    side_effects::check,
    box_names::check,
    sheets::check,
    dynamic::check,
];
