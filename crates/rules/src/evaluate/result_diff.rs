//! Compares a ship under two rulesets: takes both evaluations of a design, gives each value, system, track, table,
//! counter and cost line that differs. Points and findings are left to the caller.

use std::collections::BTreeMap;

use crate::formula::Value;

use super::compared_items::{ComparedItem, value_text};
use super::{CounterResult, Evaluation, TableResult, TrackResult};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResultChange {
    /// `value`, `field`, `system`, `track`, `table`, `counter` or `cost`.
    pub kind: &'static str,
    /// Ids: `structure`, `laser.mass`, `missiles.haven.defence`.
    pub id: String,
    /// For players: `structure`, `laser: mass`.
    pub label: String,
    /// As it was; `None` where it was not.
    pub before: Option<String>,
    /// `None` if it is missing.
    pub after: Option<String>,
    /// The new number minus the old.
    pub difference: Option<i64>,
}

/// All differences but points and findings, in the order of a sheet.
pub fn diff_results(before: &Evaluation, after: &Evaluation) -> Vec<ResultChange> {
    let kinds: [(&'static str, fn(&Evaluation) -> Vec<ComparedItem>); 7] = [
        ("field", field_entries),
        ("value", value_entries),
        ("system", system_entries),
        ("track", track_list_entries),
        ("table", table_list_entries),
        ("counter", counter_list_entries),
        ("cost", cost_entries),
    ];
    let mut effects = Vec::new();
    for (kind, things) in kinds {
        diff_entries(kind, things(before), things(after), &mut effects);
    }
    effects
}

fn diff_entries(kind: &'static str, before: Vec<ComparedItem>, after: Vec<ComparedItem>, into: &mut Vec<ResultChange>) {
    let mut old: BTreeMap<String, ComparedItem> = before.into_iter().map(|thing| (thing.key.clone(), thing)).collect();
    let mut kept = Vec::new();
    for thing in after {
        let was = old.remove(&thing.key);
        if was.as_ref().is_some_and(|was| was.text == thing.text) {
            continue;
        }
        let by = was.as_ref().and_then(|was| thing.number?.checked_sub(was.number?));
        let ComparedItem { key: id, label, text: shown, .. } = thing;
        kept.push(ResultChange {
            kind,
            id,
            label,
            before: was.map(|was| was.text),
            after: Some(shown),
            difference: by,
        });
    }
    kept.extend(old.into_values().map(|ComparedItem { key: id, label, text: shown, .. }| ResultChange {
        kind,
        id,
        label,
        before: Some(shown),
        after: None,
        difference: None,
    }));
    into.extend(kept);
}

fn field_entries(of: &Evaluation) -> Vec<ComparedItem> {
    of.fields
        .iter()
        .filter(|field| field.applies)
        .map(|field| ComparedItem {
            text: field.text.to_string(),
            ..ComparedItem::from_value(&*field.id, &*field.label, &field.value)
        })
        .collect()
}

fn value_entries(of: &Evaluation) -> Vec<ComparedItem> {
    let mut things = Vec::new();
    for value in of.values.iter().filter(|value| &*value.id != "points") {
        things.push(ComparedItem::from_value(&*value.id, &*value.label, &value.value));
        if let Some(limit) = value.limit {
            things.push(ComparedItem::from_value(
                format!("{}.limit", value.id),
                format!("{}: limit", value.label),
                &Value::Int(limit),
            ));
        }
    }
    things
}

/// Attributes of the systems aboard, once for each system with equal fits.
fn system_entries(of: &Evaluation) -> Vec<ComparedItem> {
    let mut things: Vec<ComparedItem> = Vec::new();
    let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for fit in &of.fits {
        for (answer, value) in &fit.answers {
            let thing =
                ComparedItem::from_value(format!("{}.{answer}", fit.system), format!("{}: {answer}", fit.name), value);
            let known = seen.entry(thing.key.clone()).or_default();
            // Fits that differ are numbered.
            if !known.contains(&thing.text) {
                known.push(thing.text.clone());
                let number = if known.len() > 1 { format!("#{}", known.len()) } else { String::new() };
                things.push(ComparedItem { key: format!("{}{number}", thing.key), ..thing });
            }
        }
    }
    things
}

fn track_list_entries(of: &Evaluation) -> Vec<ComparedItem> {
    let mut things = Vec::new();
    for track in &of.tracks {
        track_entries(track, &mut things);
    }
    things
}

fn track_entries(track: &TrackResult, things: &mut Vec<ComparedItem>) {
    let label = if track.label.is_empty() { &track.id } else { &track.label };
    let part =
        |key: &str, shown: String| ComparedItem::new(format!("{}.{key}", track.id), format!("{label}: {key}"), shown);
    things.push(ComparedItem::from_value(
        format!("{}.boxes", track.id),
        format!("{label}: boxes"),
        &Value::Int(track.boxes().into()),
    ));
    let rows: Vec<String> = track.rows.iter().map(u32::to_string).collect();
    if rows.len() > 1 {
        things.push(part("rows", rows.join(" ")));
    }
    for (name, labels) in &track.row_labels {
        let labels: Vec<&str> = labels.iter().map(|label| if label.is_empty() { "–" } else { &**label }).collect();
        things.push(part(name, labels.join(" ")));
    }
    if !track.row_notes.is_empty() {
        let notes: Vec<&str> = track.row_notes.iter().map(|note| if note.is_empty() { "–" } else { &**note }).collect();
        things.push(part("row note", notes.join(" · ")));
    }
    if !track.badge.is_empty() {
        things.push(part("badge", track.badge.to_string()));
    }
    if !track.cells.is_empty() {
        things.push(part("in the boxes", track.cells.iter().map(value_text).collect::<Vec<_>>().join(" ")));
    }
    if !track.marks.is_empty() {
        let marks = track.marks.iter().map(|mark| format!("{} {}", mark.at, mark.icon));
        things.push(part("marks", marks.collect::<Vec<_>>().join(", ")));
    }
}

fn table_list_entries(of: &Evaluation) -> Vec<ComparedItem> {
    let mut things = Vec::new();
    for table in &of.tables {
        table_entries(table, &mut things);
    }
    things
}

/// Rows are matched by their first column, grids by their row numbers.
fn table_entries(table: &TableResult, things: &mut Vec<ComparedItem>) {
    let label = if table.label.is_empty() { &table.id } else { &table.label };
    if !table.note.is_empty() {
        things.push(ComparedItem::new(format!("{}.note", table.id), format!("{label}: note"), &*table.note));
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (n, row) in table.rows.iter().enumerate() {
        let name = match (table.row_labels.get(n), row.first()) {
            (Some(down), _) => down.to_string(),
            (None, Some(first)) => value_text(first),
            (None, None) => continue,
        };
        let times = seen.entry(name.clone()).or_insert(0);
        *times += 1;
        let name = if *times > 1 { format!("{name} ({times})") } else { name };
        let skip = usize::from(table.row_labels.get(n).is_none());
        for (column, cell) in table.columns.iter().zip(row).skip(skip) {
            let id = format!("{}.{name}.{}", table.id, column.id);
            things.push(ComparedItem::from_value(id, format!("{label}, {name}: {}", column.label), cell));
        }
    }
}

fn counter_list_entries(of: &Evaluation) -> Vec<ComparedItem> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut things = Vec::new();
    for counter in &of.counters {
        let times = seen.entry(counter.id.to_string()).or_insert(0);
        *times += 1;
        let number = if *times > 1 { format!(" ({times})") } else { String::new() };
        counter_entries(counter, &number, &mut things);
    }
    things
}

fn counter_entries(counter: &CounterResult, number: &str, things: &mut Vec<ComparedItem>) {
    let (id, label) = (format!("{}{number}", counter.id), format!("{}{number}", counter.label));
    let count = Value::Int(counter.count.into());
    things.push(ComparedItem::from_value(format!("{id}.count"), format!("{label}: count"), &count));
    let (width, height) = counter.size;
    things.push(ComparedItem::new(format!("{id}.size"), format!("{label}: size"), format!("{width} × {height} mm")));
    for (word, value) in &counter.data {
        things.push(ComparedItem::from_value(format!("{id}.{word}"), format!("{label}: {word}"), value));
    }
}

fn cost_entries(of: &Evaluation) -> Vec<ComparedItem> {
    let mut sums: Vec<ComparedItem> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &of.costs {
        let shown = format!("{} × {} = {}", line.count, line.each, line.total);
        let place = *places.entry(&line.label).or_insert(sums.len());
        match sums.get_mut(place) {
            Some(known) => {
                known.text.push_str(&format!(", {shown}"));
                known.number = known.number.and_then(|number| number.checked_add(line.total));
            }
            None => sums.push(ComparedItem {
                number: Some(line.total),
                ..ComparedItem::new(&*line.label, &*line.label, shown)
            }),
        }
    }
    sums
}
