//! Everything on a ship's sheet that is ticked or crossed off in play, by mark stem: tracks, systems, counters that the
//! ruleset calls `ticked`, boxes in tables. Takes an evaluation, gives the count and kind of boxes of each stem; drawn
//! boxes are numbered the same way.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::formula::Value;

use super::{BoxKind, Evaluation};

/// Boxes by stem: `structure` with 24 is `structure_1` to `structure_24`.
pub type TickMarks = BTreeMap<Arc<str>, MarkBoxes>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkBoxes {
    pub count: u32,
    /// Systems are hit, counters used up.
    pub kind: BoxKind,
}

pub fn tick_marks(evaluation: &Evaluation) -> TickMarks {
    let mut marks = TickMarks::new();
    let mut add = |stem: Arc<str>, boxes: u32, kind: BoxKind| {
        if boxes > 0 {
            let sum = marks.entry(stem).or_insert(MarkBoxes { count: 0, kind });
            sum.count = sum.count.saturating_add(boxes);
            // If two items share a name, hits take precedence.
            sum.kind = sum.kind.min(kind);
        }
    };
    for track in &evaluation.tracks {
        add(track.id.clone(), track.boxes(), track.kind);
    }
    for fit in &evaluation.fits {
        add(format!("{}_{}", fit.system, fit.mount).into(), fit.count, BoxKind::Damage);
    }
    let ticked = |id: &str| evaluation.ruleset.counters.iter().any(|rule| *rule.id == *id && rule.ticked);
    for counter in evaluation.counters.iter().filter(|counter| ticked(&counter.id)) {
        add(counter.id.clone(), counter.count, BoxKind::Ammo);
    }
    for table in &evaluation.tables {
        for (c, column) in table.columns.iter().enumerate() {
            let Some(kind) = column.boxes else { continue };
            for (r, row) in table.rows.iter().enumerate() {
                add(format!("{}_{}_{}", table.id, r + 1, column.id).into(), box_count(row.get(c)), kind);
            }
        }
    }
    marks
}

fn box_count(value: Option<&Value>) -> u32 {
    let number = |number: i64| u32::try_from(number.clamp(0, 1_000)).unwrap_or(0);
    match value {
        Some(Value::Int(boxes)) => number(*boxes),
        Some(Value::List(list)) => {
            list.iter().map(|value| if let Value::Int(boxes) = value { number(*boxes) } else { 0 }).sum()
        }
        _ => 0,
    }
}
