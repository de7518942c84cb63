//! Everything on a ship's sheet that is ticked off or struck out in play, by the stem of its marks: tracks, systems, counters that the ruleset calls `ticked`, boxes in tables. Takes an
//! evaluation, gives how many boxes each stem has; what is drawn counts the same way.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formula::Value;

use super::Evaluation;

/// How many boxes each stem of marks has: `structure` 24 stands for `structure_1` to `structure_24`.
pub type Marks = BTreeMap<Arc<str>, u32>;

/// Every stem of tick marks of a ship, with its boxes.
pub fn marks(evaluation: &Evaluation) -> Marks {
    let mut marks = Marks::new();
    let mut add = |stem: Arc<str>, boxes: u32| {
        if boxes > 0 {
            let sum = marks.entry(stem).or_insert(0);
            *sum = sum.saturating_add(boxes);
        }
    };
    for track in &evaluation.tracks {
        add(track.id.clone(), track.boxes());
    }
    for fit in &evaluation.fits {
        add(format!("{}_{}", fit.system, fit.mount).into(), fit.count);
    }
    let ticked = |id: &str| evaluation.ruleset.counters.iter().any(|rule| *rule.id == *id && rule.ticked);
    for counter in evaluation.counters.iter().filter(|counter| ticked(&counter.id)) {
        add(counter.id.clone(), counter.count);
    }
    for table in &evaluation.tables {
        for (c, column) in table.columns.iter().enumerate().filter(|(_, column)| column.boxes) {
            for (r, row) in table.rows.iter().enumerate() {
                add(format!("{}_{}_{}", table.id, r + 1, column.id).into(), boxes(row.get(c)));
            }
        }
    }
    marks
}

/// The boxes of a cell: a number, or a list of numbers.
fn boxes(value: Option<&Value>) -> u32 {
    let number = |number: i64| u32::try_from(number.clamp(0, 1_000)).unwrap_or(0);
    match value {
        Some(Value::Int(boxes)) => number(*boxes),
        Some(Value::List(list)) => {
            list.iter().map(|value| if let Value::Int(boxes) = value { number(*boxes) } else { 0 }).sum()
        }
        _ => 0,
    }
}
