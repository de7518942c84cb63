//! Break-points: takes a design, gives for each lever the next number up and down at which a value turns, and the points it costs.

use std::sync::Arc;

use moldloft_base::finding::{DesignEdit, Finding, did_you_mean};
use moldloft_base::sanitize::shorten;
use moldloft_rules::evaluate::evaluate;
use moldloft_rules::formula::Value;

use super::lever::{Lever, all_levers, hard_bounds};
use super::limits::MAX_LOOKED_AT;
use super::question::{Question, SearchSpace, Subject, WarningPolicy};
use super::scorer::Scorer;

/// Steps that a lever is moved up and down.
const STEPS: i64 = 40;

/// Where a value turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakPoint {
    pub lever: Arc<str>,
    pub label: Arc<str>,
    /// The lever's number now and where the value turns.
    pub now: i64,
    pub at: i64,
    /// Values that turn there: label, what they are and what they become.
    pub turns: Vec<(Arc<str>, Arc<str>, Arc<str>)>,
    /// What the points rise or fall by there; `None` without points.
    pub points: Option<i64>,
    /// The last number before, where it is not the present one, its points, and whether the design is legal there.
    pub last_same: Option<(i64, Option<i64>, bool)>,
    /// Whether the design is legal there, with nothing else moved.
    pub is_legal: bool,
    /// What moves the lever there.
    pub edits: Vec<DesignEdit>,
}

/// The break-points of one value, or of all that are shown large or rounded.
///
/// # Errors
/// `unknown-name` with the nearest value.
pub fn break_points(subject: &Subject, value: Option<&str>) -> Result<Vec<BreakPoint>, Finding> {
    let rules = &subject.rules;
    let watched: Vec<usize> = match value {
        Some(id) => match rules.values.iter().position(|known| *known.id == *id) {
            Some(known) => vec![known],
            None => {
                let help = did_you_mean(id, rules.values.iter().map(|value| &*value.id))
                    .unwrap_or_else(|| "name a value; `moldloft explain DESIGN` lists them".to_owned());
                return Err(Finding::error("unknown-name", format!("unknown value `{}`", shorten(id, 60))).help(help));
            }
        },
        None => {
            let shown = |n: &usize| {
                let value = &rules.values[*n];
                let turns = value.headline || !value.spare_of.is_empty() || !value.room_for.is_empty();
                // A plain sum turns with every step.
                let is_sum = value.spare_of.is_empty()
                    && rules
                        .values
                        .iter()
                        .any(|other| other.spare_of.contains(&moldloft_rules::ruleset::Amount::Value(*n)));
                turns && !is_sum && &*value.id != "points"
            };
            (0..rules.values.len()).filter(shown).collect()
        }
    };
    let bare = SearchSpace::bare(subject, &Question { warnings: WarningPolicy::Any, ..Question::default() });
    let levers = all_levers(&bare.trial());
    let mut found = Vec::new();
    let mut work = 0;
    for lever in levers.into_iter().take(MAX_LOOKED_AT) {
        let space = bare.with_levers(vec![lever]);
        let mut scorer = Scorer::new(&space);
        if work > scorer.work_limit {
            break;
        }
        for by in [-1, 1] {
            found.extend(turn(&mut scorer, &watched, by));
        }
        work += scorer.work;
    }
    Ok(found)
}

fn turn(scorer: &mut Scorer<'_, '_>, watched: &[usize], by: i64) -> Option<BreakPoint> {
    let space = scorer.space;
    let lever: &Lever = &space.levers[0];
    let values =
        |scorer: &Scorer<'_, '_>| watched.iter().map(|n| scorer.trial.value(*n).clone()).collect::<Vec<Value>>();
    let points = |scorer: &Scorer<'_, '_>| match space.points.as_ref().map(|formula| scorer.trial.eval(formula)) {
        Some(Value::Int(points)) => Some(points),
        _ => None,
    };
    scorer.set(&[lever.now]);
    let (before, cost) = (values(scorer), points(scorer));
    let difference = |now: Option<i64>| Some(now? - cost?);
    let mut last_same = None;
    // Beyond the lever's window, but not beyond what the rules allow.
    let (least, most) = (lever.low.min(lever.now), hard_bounds(&scorer.trial, lever).1);
    for step in 1..=STEPS {
        let at = lever.now + by * step;
        if at < least || at > most {
            return None;
        }
        scorer.set(&[at]);
        let after = values(scorer);
        if after != before {
            let rules = &space.subject.rules;
            let shown = |value: &Value| Arc::from(value.shown().unwrap_or_else(|| "?".to_owned()));
            let each = watched.iter().zip(before.iter().zip(&after)).filter(|(_, (a, b))| a != b);
            let turns = each.map(|(n, (a, b))| (rules.values[*n].label.clone(), shown(a), shown(b))).collect();
            let points = difference(points(scorer));
            let is_legal = scorer.score(&[at]).is_some();
            let last_same = last_same.map(|(at, points)| (at, points, scorer.score(&[at]).is_some()));
            let (id, label) = (lever.id.clone(), lever.label.clone());
            return Some(BreakPoint {
                lever: id,
                label,
                now: lever.now,
                at,
                turns,
                points,
                last_same,
                is_legal,
                edits: edits_to(scorer, at, watched, &after),
            });
        }
        last_same = Some((at, difference(points(scorer))));
    }
    None
}

/// Fits of which none is left are removed, unless a count of 0 makes something else of the design.
fn edits_to(scorer: &Scorer<'_, '_>, at: i64, watched: &[usize], wanted: &[Value]) -> Vec<DesignEdit> {
    let space = scorer.space;
    let removed = space.edits(&[at], true);
    let is_same = space.subject.edited(&removed).is_ok_and(|(_, design)| {
        let values = &evaluate(&space.subject.rules, &design, &space.subject.ship).values;
        watched.iter().zip(wanted).all(|(n, wanted)| values.get(*n).is_some_and(|value| value.value == *wanted))
    });
    if is_same || at != 0 { removed } else { space.edits(&[at], false) }
}
