//! Finds mistakes in rulesets that load: takes a loaded ruleset, its designs and its templates, gives findings with
//! file, line and column. Never changes anything, never reads or writes a file.
//!
//! Static lints read the text only. Dynamic lints try the game's own designs and designs generated from them, always
//! the same ones, and report over how many.

mod attacks;
mod box_names;
mod braces;
mod catalogue;
mod context;
mod copies;
mod design_generator;
mod dynamic;
mod glossary;
mod guide;
mod layer_effects;
mod ranges;
mod reach;
mod reachability;
mod sheets;
mod side_effects;
mod style;
mod trial_runs;
mod unused;

pub use catalogue::{FindingExample, LINTS, Lint, LintInput, LintReport};
use context::LintContext;
pub use design_generator::generated_designs;
use layer_effects::LintCheck;
pub use reach::{Reach, ReaderKind, reach};

/// Checks a ruleset. For a layer, only what its own file contains or causes is reported: the files below have other
/// authors.
pub fn lint(subject: &LintInput<'_>) -> LintReport {
    let mut context = LintContext::new(subject, &|| true);
    for check in CHECKS {
        check(&mut context);
    }
    layer_effects::check(&mut context, &CHECKS);
    context.into_report()
}

/// The same until `go_on` gives false; then `None`.
pub fn lint_while(subject: &LintInput<'_>, go_on: &dyn Fn() -> bool) -> Option<LintReport> {
    let mut context = LintContext::new(subject, go_on);
    for check in CHECKS {
        if !go_on() {
            return None;
        }
        check(&mut context);
    }
    if go_on() {
        layer_effects::check(&mut context, &CHECKS);
    }
    go_on().then(|| context.into_report())
}

const CHECKS: [LintCheck; 13] = [
    attacks::check,
    copies::check,
    style::check,
    braces::check,
    unused::check,
    reachability::check,
    ranges::check,
    side_effects::check,
    box_names::check,
    sheets::check,
    glossary::check,
    guide::check,
    dynamic::check,
];
