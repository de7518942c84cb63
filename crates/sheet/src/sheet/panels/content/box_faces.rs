//! The contents of a track's boxes: takes its cells and the counters made for it, gives faces and labels. Never draws.

use std::sync::Arc;

use super::box_rows::{BoxFace, BoxRow, RowFaces};
use crate::sheet::assembly::ship_view::{ShipView, format_value};
use moldloft_rules::evaluate::{CounterResult, TrackResult};
use moldloft_rules::formula::Value;

/// The number on the first counter of this id that is made for the same thing as the track.
pub(in crate::sheet) fn counter_number(track: &TrackResult, counter: Option<&str>, view: &ShipView<'_>) -> Option<u32> {
    let id = counter?;
    let alike = |known: &&CounterResult| *known.id == *id && (known.row, known.fit) == (track.row, track.fit);
    view.evaluation.counters.iter().find(alike)?.first
}

/// Consecutive numbers from `first`.
pub(in crate::sheet) fn numbered_faces(first: u32, boxes: u32) -> RowFaces {
    RowFaces::Each((first..first.saturating_add(boxes)).map(|n| BoxFace::Value(n.to_string().into())).collect())
}

/// The turns left in each box of these rows: each row counts down to 1.
pub(in crate::sheet) fn countdown_faces(rows: &[u32]) -> RowFaces {
    let numbers = rows.iter().flat_map(|&boxes| (1..=boxes).rev());
    RowFaces::Each(numbers.map(|n| BoxFace::Value(n.to_string().into())).collect())
}

/// Whether a cell has a value, such as a number.
pub(in crate::sheet) fn has_value(cell: &Value) -> bool {
    matches!(cell, Value::Record(record) if record.get("n").is_some_and(|value| !format_value(value).is_empty()))
}

/// A value, an icon or a name. A number is counted from that of the first counter, if the box belongs to one.
pub(in crate::sheet) fn cell_face(
    cell: Option<&Value>,
    named: bool,
    first_counter: Option<u32>,
    view: &ShipView<'_>,
) -> BoxFace {
    let Some(Value::Record(record)) = cell else { return BoxFace::Blank };
    let word = |key: &str| record.get(key).map(format_value).filter(|words| !words.is_empty());
    let counted = |value: &Value| match (value, first_counter) {
        (Value::Int(n), Some(first)) if *n > 0 => Some((i64::from(first) - 1).saturating_add(*n).to_string().into()),
        _ => None,
    };
    let number = || record.get("n").and_then(counted).or_else(|| word("n"));
    if let Some(icon) = word("icon").and_then(|icon| view.icon_or_word(&icon)) {
        // Of boxes with icons, only some may be numbered: the others have 0.
        return match number().filter(|number| **number != *"0") {
            Some(number) => BoxFace::IconAndNumber(icon, number),
            None => BoxFace::Icon(icon),
        };
    }
    match number().or_else(|| word("label").filter(|_| named).map(|label| view.say_shared(&label))) {
        Some(words) => BoxFace::Value(words),
        None => BoxFace::Blank,
    }
}

/// A track's name beside or in its box.
pub(in crate::sheet) fn cell_label(cell: Option<&Value>, view: &ShipView<'_>) -> Arc<str> {
    view.say_shared(&plain_label(cell))
}

/// The same as the rules have it.
pub(in crate::sheet) fn plain_label(cell: Option<&Value>) -> Arc<str> {
    match cell {
        Some(Value::Record(record)) => record.get("label").map_or_else(|| "".into(), format_value),
        _ => "".into(),
    }
}

/// Whether every box has text of its own: such boxes are read, not counted, and need no groups of five.
pub(in crate::sheet) fn are_all_worded(rows: &[BoxRow]) -> bool {
    let worded = |face: &BoxFace| matches!(face, BoxFace::Value(_) | BoxFace::Template(_));
    rows.iter().flat_map(|row| &row.layers).all(|layer| match &layer.faces {
        RowFaces::Same(_) => false,
        RowFaces::Each(faces) => faces.iter().all(worded),
    })
}
