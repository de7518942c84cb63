//! Answers in words, the same on a terminal and in a window.

use crate::odds::words::figure;
use moldloft_base::finding::Severity;
use moldloft_base::sanitize::{amount_with_unit, plural};
use moldloft_rules::evaluate::TrialPart;

use super::answer::LeverChange;
use super::breaks::BreakPoint;
use super::lever::Lever;
use super::question::Subject;
use super::spend::{Purchase, Purchases, SpendLimit};
use super::terms::{number_of, term_label};

pub fn points_words(points: Option<i64>) -> String {
    points.map_or_else(|| "no points".to_owned(), |points| plural(points, "point"))
}

/// ` (−88 points)`, ` (+1 point)`; empty without points.
pub fn points_change(points: Option<i64>) -> String {
    let Some(points) = points else { return String::new() };
    let sign = if points < 0 { "−" } else { "+" };
    let s = if points.unsigned_abs() == 1 { "" } else { "s" };
    format!(" ({sign}{} point{s})", points.unsigned_abs())
}

impl LeverChange {
    /// `goes with it (launcher-without-magazine)`
    pub fn why(&self) -> Option<String> {
        self.follows.as_ref().map(|code| format!("goes with it ({code})"))
    }
}

impl BreakPoint {
    /// `structure blocks 15 → 13`
    pub fn turns_words(&self) -> String {
        let turns = self.turns.iter().map(|(label, from, to)| format!("{label} {from} → {to}"));
        turns.collect::<Vec<_>>().join(", ")
    }

    /// `3 changes none of these values (+20 points)`: of what the break-points are about, not of the rest of the sheet.
    pub fn same_words(&self) -> Option<String> {
        let (at, points, is_legal) = self.last_same?;
        Some(format!("{at} changes none of these values{}{}", points_change(points), alone_words(is_legal)))
    }

    /// `laser, port: 2 now; 3 changes none of these values (+20 points); 4: structure blocks 15 → 16 (+56 points)`
    pub fn words(&self) -> String {
        let same = self.same_words().map(|same| format!("; {same}"));
        let legal = alone_words(self.is_legal);
        format!(
            "{}: {} now{}; {}: {}{}{legal}",
            self.label,
            self.now,
            same.unwrap_or_default(),
            self.at,
            self.turns_words(),
            points_change(self.points)
        )
    }
}

fn alone_words(is_legal: bool) -> &'static str {
    if is_legal { "" } else { ", not legal by itself" }
}

/// A whole number, or the mean of a figure of odds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObjectiveNumber {
    Whole(i64),
    Mean(f64),
}

impl ObjectiveNumber {
    pub fn shown(self) -> String {
        match self {
            Self::Whole(number) => number.to_string(),
            Self::Mean(mean) => figure(mean),
        }
    }
}

/// `launchers: 7 instead of 6; 476 points; legal`
pub fn found_words(
    what: &str,
    number: ObjectiveNumber,
    before: Option<ObjectiveNumber>,
    (points_before, points): (Option<i64>, Option<i64>),
) -> String {
    let number = number.shown();
    let was = match before.map(ObjectiveNumber::shown) {
        Some(before) if before != number => format!(" instead of {before}"),
        Some(_) => ", as it is".to_owned(),
        None => String::new(),
    };
    let is_same = before.map(ObjectiveNumber::shown).is_some_and(|before| before == number);
    let points = match (points_before, points) {
        _ if what == "points" => String::new(),
        // What was given up for it is listed below.
        (Some(before), Some(now)) if is_same && before != now => {
            format!(", for {} instead of {before}", points_words(points))
        }
        _ => format!("; {}", points_words(points)),
    };
    format!("{what}: {number}{was}{points}; legal")
}

/// How much more than the budget the design has already.
pub fn over_budget(subject: &Subject, budget: &SpendLimit) -> Option<i64> {
    let now = number_of(&subject.evaluation, &budget.value)?;
    (now > budget.most).then(|| now.saturating_sub(budget.most))
}

/// `1732 points now; for 1800 points in all, one of these:`
pub fn spend_words(subject: &Subject, budget: &SpendLimit) -> String {
    let label = match budget.value.as_str() {
        "points" => None,
        value => Some(term_label(&subject.evaluation, value)),
    };
    let amount = |number: Option<i64>| match (&label, number) {
        (None, number) => points_words(number),
        (Some(label), Some(number)) => format!("{number} {label}"),
        (Some(label), None) => format!("no {label}"),
    };
    let now = amount(number_of(&subject.evaluation, &budget.value));
    match over_budget(subject, budget) {
        Some(over) => format!("{now} now, {} more than {}, so nothing can be added", amount(Some(over)), budget.most),
        None => format!("{now} now; for {} in all, one of these:", amount(Some(budget.most))),
    }
}

/// `3 more CnC, core: 1794 points`
pub fn purchase_words(subject: &Subject, budget: &SpendLimit, purchase: &Purchase) -> String {
    let after = &purchase.suggestion.after;
    let points = points_words(after.points);
    let so = match (budget.value.as_str(), number_of(after, &budget.value)) {
        ("points", _) | (_, None) => points,
        (value, Some(number)) => format!("{number} {}; {points}", term_label(&subject.evaluation, value)),
    };
    let also = purchase.also.as_ref().map(|(lever, more)| format!(" and {}", more_words(*more, lever)));
    format!("{}{}: {so}", more_words(purchase.more, &purchase.lever), also.unwrap_or_default())
}

/// `2 more CnC, core`; the label of a field is in the plural: `1 more fighter bay`.
fn more_words(more: i64, lever: &Lever) -> String {
    let is_field = matches!(lever.parts.first(), Some(TrialPart::Field(_)));
    let one = amount_with_unit("1", &lever.label);
    let label = if is_field && more == 1 { one.trim_start_matches("1 ") } else { &lever.label };
    format!("{more} more {label}")
}

/// Why a design has nothing to buy.
pub fn nothing_words(subject: &Subject) -> String {
    let errors = subject.evaluation.findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    match subject.evaluation.legal {
        true => "nothing".to_owned(),
        false => format!("nothing: the design has {}, so that no purchase makes it legal", plural(errors, "error")),
    }
}

/// `no more, or for no points: alpha node, …`; `None` where everything can be bought.
pub fn unbought_words(subject: &Subject, budget: &SpendLimit, found: &Purchases) -> Option<String> {
    let none: Vec<&str> = found.none.iter().map(|lever| &*lever.label).collect();
    let of = match budget.value.as_str() {
        "points" => "points".to_owned(),
        value => term_label(&subject.evaluation, value),
    };
    (!none.is_empty()).then(|| format!("no more, or for no {of}: {}", none.join("; ")))
}
