//! What a ruleset's author gets wrong though it loads: takes a loaded ruleset, its designs and its templates, gives findings with file,
//! line and column. One table lists the faults; one file holds those of a kind. Never changes anything, never touches the disk.
//!
//! What can be known from the text is said as such. What only shows when designs are evaluated is tried on the game's own designs and on
//! others made from them, the same each time, and says over how many.

mod braces;
mod caused;
mod ground;
mod marks;
mod reach;
mod sheets;
mod spread;
mod told;
mod tried;
mod tries;
mod unused;
mod vary;

use std::sync::Arc;

use crate::design::Design;
use crate::finding::{Finding, Severity};
use crate::ruleset::Ruleset;
use crate::sheet::Shelf;

use ground::Ground;

/// What is looked at.
pub struct Subject<'a> {
    /// The ruleset, with its layers.
    pub ruleset: &'a Arc<Ruleset>,
    /// Designs of the game.
    pub designs: &'a [Design],
    /// Its templates.
    pub shelf: &'a Shelf<'a>,
}

/// What was found, and over how many designs.
pub struct Report {
    /// In the order of the file.
    pub findings: Vec<Finding>,
    /// Designs that show some of them.
    pub trials: Vec<Trial>,
    /// The game's designs that were tried.
    pub samples: usize,
    /// The designs made for the purpose.
    pub made: usize,
}

/// A design that shows a finding: one of the game's, or one made to try the rules.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Which of the findings, by its place.
    pub finding: usize,
    /// The design, as it was tried.
    pub design: Design,
}

/// A fault that is looked for.
pub struct Lint {
    /// Kebab-case, names the fault.
    pub code: &'static str,
    /// Errors cannot work; warnings are likely mistakes; notes are about how it reads.
    pub severity: Severity,
    /// What it means.
    pub about: &'static str,
}

use Severity::{Error, Info, Warning};

const fn lint_of(code: &'static str, severity: Severity, about: &'static str) -> Lint {
    Lint { code, severity, about }
}

/// Every fault that is looked for, beyond those that keep a ruleset from loading.
pub static LINTS: &[Lint] = &[
    lint_of("always-holds", Info, "a condition holds for every possible design; it can be removed"),
    lint_of("base-version-missing", Info, "a layer does not name the version of the ruleset it was written for"),
    lint_of("braces-missing", Warning, "a text names numbers without {{ }}: they would be printed literally"),
    lint_of("change-without-reason", Info, "a layer softens, changes or removes a check without a reason"),
    lint_of(
        "changes-others-too",
        Warning,
        "a change of a system in a layer also changes other systems that are like it",
    ),
    lint_of("check-always-fires", Warning, "a check fires in every tried design: no player can avoid it"),
    lint_of(
        "check-never-fires",
        Warning,
        "a check fires in none of the tried designs, although some were made to break rules",
    ),
    lint_of("check-without-rule", Info, "a check does not name the rule of the game it comes from"),
    lint_of(
        "continuation-missing",
        Warning,
        "no sheet prints what does not fit on a ship's sheet: large ships cannot be printed in full",
    ),
    lint_of("costs-do-not-add-up", Warning, "the cost lines do not add up to `points` for a design"),
    lint_of("credit-missing", Info, "the header does not name the authors of the rules, their source or their terms"),
    lint_of("divisor-can-be-zero", Warning, "a formula divides by zero for a possible design"),
    lint_of(
        "fewer-designs-tried",
        Warning,
        "the formulas take too much work to try all designs: some faults may go unnoticed",
    ),
    lint_of("formula-can-fail", Warning, "a formula cannot be computed for a possible design"),
    lint_of("id-not-kebab", Info, "an id that designs, templates or players see is not in lower case with hyphens"),
    lint_of("label-missing", Info, "players would see an id that is not a word"),
    lint_of("limit-without-check", Warning, "a value has a limit, but no check tests it"),
    lint_of(
        "marks-collide",
        Error,
        "boxes of two things would have the same names: damage and forms could not tell them apart",
    ),
    lint_of("message-without-numbers", Info, "a check compares numbers, but its message shows none"),
    lint_of("missing-template-file", Error, "a template, face or icon is in no templates folder"),
    lint_of("mount-takes-nothing", Warning, "no system is allowed in a mount"),
    lint_of("mounts-overlap", Warning, "designs have two mounts in the same place of the ship's plan"),
    lint_of("never-holds", Warning, "a condition holds for no possible design"),
    lint_of("option-never-legal", Warning, "a check forbids this option in every design"),
    lint_of("reference-missing", Info, "no sheet shows the game's tables to all players"),
    lint_of("row-never-read", Warning, "no sheet shows a table, and no formula looks up this row of it"),
    lint_of("sheet-missing", Warning, "no sheet prints a design"),
    lint_of("system-without-mount", Warning, "a system has no allowed mount: it cannot be fitted"),
    lint_of("template-faulty", Error, "a template has errors: the parts concerned are not printed"),
    lint_of("text-never-fits", Warning, "a text of a sheet is cut off on every design that shows it"),
    lint_of(
        "text-not-filled",
        Warning,
        "a text of an icon or drawing uses a value, but values are not filled in there",
    ),
    lint_of("track-not-shown", Warning, "no panel of a design's sheet shows a track"),
    lint_of("unused-attribute", Warning, "no formula or template reads an attribute"),
    lint_of("unused-column", Warning, "no formula or template reads a column, and no sheet shows it"),
    lint_of("unused-counter-data", Warning, "a counter has data that its face does not show"),
    lint_of("unused-field", Warning, "designs set a field, but nothing reads it"),
    lint_of("unused-option-data", Warning, "no formula or template reads a key of a choice's options"),
    lint_of("unused-parameter", Warning, "fits set a parameter, but nothing reads it"),
    lint_of("unused-setting", Warning, "nothing reads a setting"),
    lint_of("unused-table", Warning, "no sheet shows a table, and no formula reads it"),
    lint_of("unused-tag", Warning, "nothing uses a tag"),
    lint_of("unused-value", Warning, "no formula, template or list shows a value"),
    lint_of(
        "whole-fit-times-count",
        Warning,
        "an amount for each of a fit's count reads a parameter for the whole fit, which then counts several times",
    ),
];

/// Looks a ruleset over. Of a layer only what its own file says or causes is spoken of: what is below it is another author's.
pub fn lint(subject: &Subject<'_>) -> Report {
    let mut ground = Ground::new(subject, &|| true);
    for look in LOOKS {
        look(&mut ground);
    }
    caused::look(&mut ground);
    ground.into_report()
}

/// The same for as long as it is wanted: `None` when `go_on` said no on the way.
pub fn lint_while(subject: &Subject<'_>, go_on: &dyn Fn() -> bool) -> Option<Report> {
    let mut ground = Ground::new(subject, go_on);
    for look in LOOKS {
        if !go_on() {
            return None;
        }
        look(&mut ground);
    }
    if go_on() {
        caused::look(&mut ground);
    }
    go_on().then(|| ground.into_report())
}

const LOOKS: [fn(&mut Ground<'_>); 8] =
    [told::look, braces::look, unused::look, reach::look, spread::look, marks::look, sheets::look, tries::look];
