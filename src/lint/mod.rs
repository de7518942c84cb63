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
    lint_of("always-holds", Info, "a condition holds for every choice a design can make, so it can be left out"),
    lint_of("base-version-missing", Info, "a layer does not say for which version of the ruleset it was written"),
    lint_of("braces-missing", Warning, "a text names numbers without {{ }}: the words themselves would be printed"),
    lint_of("change-without-reason", Info, "a layer softens, changes or takes out a check and does not say why"),
    lint_of(
        "changes-others-too",
        Warning,
        "a layer changes a system, and with it others that are like it and do not say otherwise",
    ),
    lint_of(
        "check-always-fires",
        Warning,
        "a check is found in every design that was tried: no player can do anything about it",
    ),
    lint_of(
        "check-never-fires",
        Warning,
        "a check is found in none of the designs that were tried, though they were made to break rules",
    ),
    lint_of("check-without-rule", Info, "a check does not name the rule of the game it comes from"),
    lint_of(
        "continuation-missing",
        Warning,
        "no sheet takes what does not fit on a ship's sheet: large ships cannot be printed whole",
    ),
    lint_of("costs-do-not-add-up", Warning, "the lines of the cost and the value `points` differ for a design"),
    lint_of(
        "credit-missing",
        Info,
        "the header leaves out whom the rules are owed to, where they were published, or under which terms",
    ),
    lint_of("divisor-can-be-zero", Warning, "a formula divides by something that is 0 for a design that may exist"),
    lint_of(
        "fewer-designs-tried",
        Warning,
        "the formulas take so much work that not all designs were tried: what only shows in others is not found",
    ),
    lint_of("formula-can-fail", Warning, "a formula cannot be computed for a design that may exist"),
    lint_of(
        "id-not-kebab",
        Info,
        "an id that designs, templates or players read is not written in small letters and hyphens",
    ),
    lint_of("label-missing", Info, "players would read a bare id that is no word"),
    lint_of("limit-without-check", Warning, "a value has a limit, and no check looks whether it is kept"),
    lint_of(
        "marks-collide",
        Error,
        "boxes of two things would bear the same names: damage and forms could not tell them apart",
    ),
    lint_of("message-without-numbers", Info, "a check compares numbers and its message shows none"),
    lint_of("missing-template-file", Error, "a template, face or icon is named that is in no templates folder"),
    lint_of("mount-takes-nothing", Warning, "no system may stand in a mount"),
    lint_of("mounts-overlap", Warning, "designs have two mounts at once that stand in one place of the ship's plan"),
    lint_of("never-holds", Warning, "a condition holds for no choice that a design can make"),
    lint_of("option-never-legal", Warning, "whatever else a design says, a check forbids this option"),
    lint_of("reference-missing", Info, "no sheet shows the game's tables to all players"),
    lint_of(
        "row-never-read",
        Warning,
        "formulas look rows of a table up, no sheet shows it, and no key they use reaches this row",
    ),
    lint_of("sheet-missing", Warning, "no sheet prints a design"),
    lint_of("system-without-mount", Warning, "a system may stand in no mount: it cannot be fitted"),
    lint_of("template-faulty", Error, "a template has errors of its own: what it asks for is not printed"),
    lint_of("text-never-fits", Warning, "a text of a sheet has to be cut on every design that shows it"),
    lint_of(
        "text-not-filled",
        Warning,
        "a text of an icon or a drawing asks for a value, and nothing is filled in there",
    ),
    lint_of("track-not-shown", Warning, "no panel of a design's sheet shows a track"),
    lint_of("unused-attribute", Warning, "no formula and no template reads an attribute"),
    lint_of("unused-column", Warning, "no formula and no template reads a column, and no sheet shows it"),
    lint_of("unused-counter-data", Warning, "a counter hands its face something that the face does not read"),
    lint_of("unused-field", Warning, "a design states it, and nothing reads it"),
    lint_of("unused-option-data", Warning, "no formula and no template reads a key of a choice's options"),
    lint_of("unused-parameter", Warning, "a fit states it, and nothing reads it"),
    lint_of("unused-setting", Warning, "nothing reads a setting"),
    lint_of("unused-table", Warning, "no sheet shows a table, and no formula looks into it"),
    lint_of("unused-tag", Warning, "nothing names a tag"),
    lint_of("unused-value", Warning, "no formula, template or list shows a value"),
    lint_of(
        "whole-fit-times-count",
        Warning,
        "what each of a fit's count is worth reads what is stated for the whole fit, which then counts once for each",
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
