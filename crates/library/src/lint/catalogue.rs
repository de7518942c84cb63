//! The table of lints, and the input and result of a lint run.

use std::sync::Arc;

use moldloft_base::finding::{Finding, Severity};
use moldloft_rules::design::Design;
use moldloft_rules::ruleset::Ruleset;
use moldloft_sheet::sheet::TemplateCache;

pub struct LintInput<'a> {
    pub ruleset: &'a Arc<Ruleset>,
    /// Of the same game.
    pub designs: &'a [Design],
    pub templates: &'a TemplateCache<'a>,
}

/// The findings, and the number of designs tried.
pub struct LintReport {
    /// In file order.
    pub findings: Vec<Finding>,
    /// Designs that show some of the findings.
    pub examples: Vec<FindingExample>,
    /// Designs of the game that were tried.
    pub samples_tried: usize,
    /// Those of them that break the rules.
    pub samples_illegal: usize,
    /// Generated designs that were tried.
    pub made: usize,
}

/// A design that shows a finding: one of the game's, or a generated one.
#[derive(Clone, Debug)]
pub struct FindingExample {
    /// Index in [`LintReport::findings`].
    pub finding: usize,
    /// As it was tried.
    pub design: Design,
}

pub struct Lint {
    /// Kebab-case, names the fault.
    pub code: &'static str,
    /// Errors cannot work; warnings are likely mistakes; notes are about style.
    pub severity: Severity,
    pub about: &'static str,
    pub(super) below_layer: BelowLayer,
}

/// What happens with a finding in the files below a layer that the layer causes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BelowLayer {
    Reported,
    /// Something below is no longer used, which does no harm.
    Ignored,
    /// Reported only if designs that show the opposite without the layer do not show it with the layer.
    Retried,
}

use Severity::{Error, Info, Warning};

const fn new_lint(code: &'static str, severity: Severity, about: &'static str) -> Lint {
    Lint { code, severity, about, below_layer: BelowLayer::Reported }
}

impl Lint {
    const fn below_layer(self, below_layer: BelowLayer) -> Self {
        Self { below_layer, ..self }
    }
}

/// Faults that do not keep a ruleset from loading.
#[rustfmt::skip] // A lint a line.
pub static LINTS: &[Lint] = &[
    new_lint("always-holds", Info, "a condition holds for every possible design; it can be removed"),
    new_lint("attack-never-fires", Warning, "an attack fires in no situation that was tried with any design"),
    new_lint("axis-changes-nothing", Warning, "the situation that charts are drawn over changes no attack"),
    new_lint("base-version-missing", Info, "a layer does not name the version of the ruleset it was written for"),
    new_lint("braces-missing", Warning, "a text names numbers without {{ }}: they would be printed literally"),
    new_lint("cell-not-read", Warning, "attacks do not read all of what a cell says: odds do not count it"),
    new_lint("change-misses-attacks", Warning, "a layer changes a table that attacks do not read, since they have its numbers a second time"),
    new_lint("change-without-reason", Info, "a layer softens, changes or removes a check without a reason"),
    new_lint("changes-others-too", Warning, "a change of a system in a layer also changes other systems that are like it"),
    new_lint("check-always-fires", Warning, "a check fires in every tried design: no player can avoid it"),
    new_lint("check-never-fires", Warning,
        "a check fires in none of the tried designs, although some were made to break rules").below_layer(BelowLayer::Retried),
    new_lint("check-without-rule", Info, "a check does not name the rule of the game it comes from"),
    new_lint("continuation-missing", Warning, "no sheet prints what does not fit on a ship's sheet: large ships cannot be printed in full"),
    new_lint("costs-do-not-add-up", Warning, "the cost lines do not add up to `points` for a design"),
    new_lint("credit-missing", Info, "the header does not name the authors of the rules, their source or their terms"),
    new_lint("describes-nothing", Warning, "a table says what its rows describe, but no row names a system"),
    new_lint("divisor-can-be-zero", Warning, "a formula divides by zero for a possible design"),
    new_lint("fewer-designs-tried", Warning, "the formulas take too much work to try all designs: some faults may go unnoticed"),
    new_lint("formula-can-fail", Warning, "a formula cannot be computed for a possible design"),
    new_lint("gauge-name-without-left", Warning, "a step changes what is left of a gauge, but reads the firing ship's own number of that name"),
    new_lint("gauge-never-changes", Warning, "no attack changes a gauge").below_layer(BelowLayer::Ignored),
    new_lint("guide-not-legal", Warning, "the ship that the guide to a first ship leads to breaks the rules").below_layer(BelowLayer::Ignored),
    new_lint("guide-step-not-done", Warning, "a step of the guide is not done when what it says is done").below_layer(BelowLayer::Ignored),
    new_lint("id-not-kebab", Info, "an id that designs, templates or players see is not in lower case with hyphens"),
    new_lint("label-missing", Info, "players would see an id that is not a word"),
    new_lint("limit-without-check", Warning, "a value has a limit, but no check tests it"),
    new_lint("marks-collide", Error, "boxes of two things would have the same names: damage and forms could not tell them apart"),
    new_lint("message-without-numbers", Info, "a check compares numbers, but its message shows none"),
    new_lint("missing-template-file", Error, "a template, face or icon is in no templates folder"),
    new_lint("mount-takes-nothing", Warning, "no system is allowed in a mount"),
    new_lint("mounts-overlap", Warning, "designs have two mounts in the same place of the ship's plan"),
    new_lint("never-holds", Warning, "a condition holds for no possible design"),
    new_lint("number-written-twice", Warning,
        "a number is written in an attack and again in a table or value: a change of one misses the other").below_layer(BelowLayer::Ignored),
    new_lint("odds-without-answer", Warning, "a layer removes what attacks look up: their odds cannot be worked out any more"),
    new_lint("option-never-legal", Warning, "a check forbids this option in every design"),
    new_lint("ranges-leave-gap", Warning, "rows that a number finds by its range leave out numbers between them"),
    new_lint("ranges-overlap", Warning, "a number finds two rows by their ranges: the first counts"),
    new_lint("reach-beyond-axis", Warning, "an attack bears beyond the last value of the axis that can be asked for"),
    new_lint("reference-missing", Info, "no sheet shows the game's tables to all players"),
    new_lint("row-never-read", Warning, "no sheet shows a table, and no formula looks up this row of it"),
    new_lint("same-letter", Warning, "two systems have boxes that look alike on a sheet"),
    new_lint("sheet-missing", Warning, "no sheet prints a design"),
    new_lint("situation-never-read", Warning, "no attack or outcome reads a situation").below_layer(BelowLayer::Ignored),
    new_lint("system-without-mount", Warning, "a system has no allowed mount: it cannot be fitted"),
    new_lint("template-faulty", Error, "a template has errors: the parts concerned are not printed"),
    new_lint("text-never-fits", Warning, "a text of a sheet is cut off on every design that shows it"),
    new_lint("text-not-filled", Warning, "a text of an icon or drawing uses a value, but values are not filled in there"),
    new_lint("texts-without-read-if", Info,
        "attacks read the texts of a column that does not say which of them: a layer's other words are not found").below_layer(BelowLayer::Ignored),
    new_lint("track-not-shown", Warning, "no panel of a design's sheet shows a track"),
    new_lint("unused-attribute", Warning, "no formula or template reads an attribute").below_layer(BelowLayer::Ignored),
    new_lint("unused-column", Warning, "no formula or template reads a column, and no sheet shows it").below_layer(BelowLayer::Ignored),
    new_lint("unused-counter-data", Warning, "a counter has data that its face does not show").below_layer(BelowLayer::Ignored),
    new_lint("unused-field", Warning, "designs set a field, but nothing reads it"),
    new_lint("unused-option-data", Warning, "no formula or template reads a key of a choice's options").below_layer(BelowLayer::Ignored),
    new_lint("unused-parameter", Warning, "fits set a parameter, but nothing reads it"),
    new_lint("unused-setting", Warning, "nothing reads a setting").below_layer(BelowLayer::Ignored),
    new_lint("unused-table", Warning, "no sheet shows a table, and no formula reads it").below_layer(BelowLayer::Ignored),
    new_lint("unused-tag", Warning, "nothing uses a tag").below_layer(BelowLayer::Ignored),
    new_lint("unused-value", Warning, "no formula, template or list shows a value").below_layer(BelowLayer::Ignored),
    new_lint("weapon-without-attack", Warning, "no attack uses a weapon: the odds do not count it"),
    new_lint("whole-fit-times-count", Warning,
        "an amount for each of a fit's count reads a parameter for the whole fit, which then counts several times"),
    new_lint("word-explained-twice", Warning, "two terms of the glossary explain one word"),
];
