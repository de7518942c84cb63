//! What is drawn and put on the table: tracks, tables, counters. Takes the computed state, gives their results in the
//! ruleset's order; what a ship does not have is not among them, and no number in a design can make them endless.

use std::sync::Arc;

use crate::design::Subject;
use crate::finding::Finding;
use crate::formula::{Formula, Host, Record, Value};
use crate::ruleset::{ColumnKind, FieldKind, Local, Name, Ruleset, Table, TableColumn, TableKind, Track};
use crate::source::Span;

use super::house::House;
use super::run::{Run, strongest};
use super::state::{Of, View};
use super::{ColumnResult, CounterResult, Evaluation, Provenance, TableResult, TrackMark, TrackResult};

/// The most boxes of one track, and of all tracks of a ship.
const MOST_BOXES: i64 = 100_000;
/// The most counters of one sort.
const MOST_COUNTERS: i64 = 100_000;

pub(super) fn tracks(run: &mut Run<'_>, evaluation: &mut Evaluation, holds: &[bool]) {
    let rules = run.rules.clone();
    let mut left = MOST_BOXES;
    for track in &rules.tracks {
        for of in run.each(track.for_each.as_ref()) {
            if let Some(when) = &track.when
                && run.flag(when, of, &track.id) != Some(true)
            {
                continue;
            }
            if let Some(mut result) = one_track(run, track, of, &mut left) {
                let system = if let Of::Fit(n) = of { Some(run.state.fits[n].base) } else { None };
                let house = House::new(&rules, &run.state, holds);
                result.house = house.is_some_and(|house| house.track(track, system));
                evaluation.tracks.push(result);
            }
        }
    }
}

/// The tracks that are the same for every ship, for an empty sheet.
pub(super) fn fixed_tracks(run: &mut Run<'_>, evaluation: &mut Evaluation) {
    let rules = run.rules.clone();
    let mut left = MOST_BOXES;
    // A value that is the same for every ship is as good as a number.
    let known = |slot| matches!(Name::of(slot), Name::Value(n) if rules.values[n].formula.is_constant());
    let same = |boxes: &Formula| boxes.calls().next().is_none() && boxes.reads().all(known);
    let fixed = |track: &&Track| track.for_each.is_none() && track.when.is_none() && same(&track.boxes);
    for track in rules.tracks.iter().filter(fixed) {
        evaluation.tracks.extend(one_track(run, track, Of::Nothing, &mut left));
    }
}

fn one_track(run: &mut Run<'_>, track: &Track, of: Of, left: &mut i64) -> Option<TrackResult> {
    let wanted: Vec<i64> = match run.value(&track.boxes, of, &track.id) {
        Value::Int(boxes) => vec![boxes],
        Value::List(rows) => rows.iter().map(|row| if let Value::Int(boxes) = row { *boxes } else { 0 }).collect(),
        _ => return None,
    };
    let boxes =
        wanted.iter().filter(|row| **row > 0).try_fold(0_i64, |sum, row| sum.checked_add(*row)).unwrap_or(i64::MAX);
    if boxes == 0 {
        return None;
    }
    if boxes > *left {
        let message = format!("{}: {boxes} boxes, a ship can have at most {MOST_BOXES}", track.id);
        let mut finding =
            Finding::error("too-many-boxes", message).help("look for a number in the design that is far too large");
        finding.rule = Some(run.rules.place(track.span));
        let (span, item) = run.place(of);
        let subject = run.subject(of);
        run.notes.add(finding, span, item.or_else(|| Some(track.id.clone())), subject);
        return None;
    }
    *left -= boxes;
    let lines = match &track.lines {
        Some(lines) => lengths(&run.value(lines, of, &track.id)),
        None => Vec::new(),
    };
    let rows: Vec<u32> = wanted.into_iter().filter(|row| *row > 0).map(|row| row as u32).collect();
    let label = run.text(&track.label, of, &track.id).unwrap_or_default();
    let badge = track.badge.as_ref().and_then(|badge| run.text(badge, of, &track.id)).unwrap_or_default();
    let row_labels = track
        .row_labels
        .iter()
        .map(|(id, formula)| {
            let said = (1..=rows.len()).map(|row| {
                let set = [(Local::Row, row as i64), (Local::Rows, rows.len() as i64)];
                local(run, formula, of, &set, &track.id)
            });
            (id.clone(), said.map(|value| word(&value)).collect())
        })
        .collect();
    let cells = cells(run, track, of, &rows, boxes);
    let mut marks = Vec::new();
    for sign in &track.signs {
        let at = run.int(&sign.at, of, &track.id).unwrap_or(0);
        if (1..=boxes).contains(&at) {
            let label = run.text(&sign.label, of, &track.id).unwrap_or_default();
            marks.push(TrackMark { at: at as u32, icon: sign.icon.clone(), label });
        }
    }
    let (id, mount, fit) = match of {
        Of::Nothing => (track.id.clone(), None, None),
        Of::Fit(n) => {
            let fit = &run.state.fits[n];
            let index = run.notes.design.fits.get(fit.place).map_or(0, |fit| fit.index);
            (format!("{}_{}", track.id, index + 1).into(), fit.mount.map(|n| run.rules.mounts[n].id.clone()), Some(n))
        }
        Of::Mount(n) => {
            (format!("{}_{}", track.id, run.rules.mounts[n].id).into(), Some(run.rules.mounts[n].id.clone()), None)
        }
        Of::System(system) => (format!("{}_{}", track.id, run.state.system(run.rules, system).id).into(), None, None),
        Of::Row(_, row) | Of::TableRow(_, row) => (format!("{}_{}", track.id, row + 1).into(), None, None),
    };
    Some(TrackResult {
        id,
        track: track.id.clone(),
        label,
        badge,
        rows,
        lines,
        row_labels,
        cells,
        kind: track.kind,
        marks,
        shape: track.shape,
        face: track.face.clone(),
        required: track.required,
        house: false,
        mount,
        fit,
        row: row_of(of),
    })
}

/// The row of a field or table that something is made for.
fn row_of(of: Of) -> Option<usize> {
    match of {
        Of::Row(_, row) | Of::TableRow(_, row) => Some(row),
        _ => None,
    }
}

/// Lengths of lines: those that a box can stand in, no more than a track has boxes.
fn lengths(value: &Value) -> Vec<u32> {
    let Value::List(list) = value else { return Vec::new() };
    let lengths = list.iter().filter_map(|length| if let Value::Int(length) = length { Some(*length) } else { None });
    lengths.filter(|length| *length > 0).map(|length| length.min(MOST_BOXES) as u32).collect()
}

/// What stands in each box: a record a box, or nothing at all.
fn cells(run: &mut Run<'_>, track: &Track, of: Of, rows: &[u32], boxes: i64) -> Vec<Value> {
    if track.cell.is_empty() {
        return Vec::new();
    }
    let varying = [Name::Local(Local::Box).slot(), Name::Local(Local::Row).slot()];
    let mut formulas: Vec<(Arc<str>, Formula)> = Vec::with_capacity(track.cell.len());
    {
        let mut view = run.view(of);
        view.set(Local::Boxes, boxes);
        for (id, formula) in &track.cell {
            formulas.push((id.clone(), settled(formula, boxes as usize, &view, &varying)));
        }
    }
    let mut cells = Vec::with_capacity(boxes as usize);
    let mut number = 0;
    for (row, count) in rows.iter().enumerate() {
        for _ in 0..*count {
            number += 1;
            let set = [(Local::Box, number), (Local::Boxes, boxes), (Local::Row, row as i64 + 1)];
            let entries =
                formulas.iter().map(|(id, formula)| (id.clone(), local(run, formula, of, &set, &track.id))).collect();
            cells.push(Value::Record(Arc::new(Record { entries })));
        }
    }
    cells
}

fn local(run: &mut Run<'_>, formula: &Formula, of: Of, set: &[(Local, i64)], item: &str) -> Value {
    if !run.may(formula.at, of, item) {
        return Value::Null;
    }
    let mut view = run.view(of);
    for (local, value) in set {
        view.set(*local, *value);
    }
    match formula.eval(&view) {
        Ok(value) => value,
        Err(mistake) => {
            run.failed(mistake, formula.at, of, item);
            Value::Null
        }
    }
}

fn word(value: &Value) -> Arc<str> {
    match value {
        Value::Text(text) => text.clone(),
        Value::Null => "".into(),
        value => super::state::shown(value).into(),
    }
}

/// Tables with the rows that concern the ship, or, for the reference sheet, all rows of those that are written out.
pub(super) fn tables(run: &mut Run<'_>, evaluation: &mut Evaluation, holds: &[bool], all: bool) {
    let rules = run.rules.clone();
    for (number, table) in rules.tables.iter().enumerate() {
        // Where a table has a row for each something, its condition is asked of each.
        let each = matches!(table.kind, TableKind::ForEach { .. });
        if let Some(when) = &table.when
            && !all
            && !each
            && run.flag(when, Of::Nothing, &table.id) != Some(true)
        {
            continue;
        }
        let filled = match &table.kind {
            TableKind::Rows { columns, rows, concerns, .. } => {
                let mut shown = Vec::new();
                for row in 0..rows.len() {
                    let of = Of::TableRow(number, row);
                    if all || concerns.as_ref().is_none_or(|concerns| run.flag(concerns, of, &table.id) == Some(true)) {
                        shown.push(of);
                    }
                }
                let cells = |of: &Of| match of {
                    Of::TableRow(_, row) => rows[*row].entries.iter().map(|(_, value)| value.clone()).collect(),
                    _ => Vec::new(),
                };
                let rows: Vec<Vec<Value>> = shown.iter().map(cells).collect();
                lay_out(columns, rows, shown, all)
            }
            TableKind::ForEach { of, columns } => {
                let mut shown = run.each(Some(of));
                if let Some(when) = &table.when {
                    shown.retain(|of| run.flag(when, *of, &table.id) == Some(true));
                }
                let mut rows = Vec::new();
                for of in &shown {
                    let mut cells = Vec::new();
                    for column in columns {
                        cells.push(column.cell.as_ref().map_or(Value::Null, |cell| run.value(cell, *of, &table.id)));
                    }
                    rows.push(cells);
                }
                lay_out(columns, rows, shown, false)
            }
            TableKind::Grid { .. } => grid(run, table),
        };
        let Some(filled) = filled else { continue };
        let label = run.text(&table.label, Of::Nothing, &table.id).unwrap_or_default();
        let note = table.note.as_ref().and_then(|note| run.text(note, Of::Nothing, &table.id)).unwrap_or_default();
        evaluation.tables.push(TableResult {
            id: table.id.clone(),
            label,
            columns: filled.columns,
            rows: filled.rows,
            down: filled.down,
            down_at: filled.down_at,
            grid: filled.grid,
            provenance: strongest(&rules, &table.marks, holds),
            house: House::new(&rules, &run.state, holds).is_some_and(|house| house.table(table)),
            note,
        });
        run.state.tables.push(filled.of);
    }
    field_tables(run, &rules, evaluation);
}

/// Rows that the design states are tables too.
fn field_tables(run: &mut Run<'_>, rules: &Ruleset, evaluation: &mut Evaluation) {
    for (number, field) in rules.fields.iter().enumerate() {
        let (FieldKind::Rows(columns), Some(Value::List(list))) = (&field.kind, run.state.fields.get(number)) else {
            continue;
        };
        if list.is_empty() {
            continue;
        }
        let cells = |row: &Value| match row {
            Value::Record(record) => record.entries.iter().map(|(_, value)| value.clone()).collect(),
            _ => vec![Value::Null; columns.len()],
        };
        let columns = columns
            .iter()
            .map(|column| ColumnResult {
                id: column.id.clone(),
                label: column.label.clone(),
                boxes: None,
                signed: matches!(column.kind, ColumnKind::Integer { min: Some(..=-1), .. }),
            })
            .collect();
        evaluation.tables.push(TableResult {
            id: field.id.clone(),
            label: field.label.clone(),
            columns,
            rows: list.iter().map(cells).collect(),
            down: Vec::new(),
            down_at: Vec::new(),
            grid: false,
            provenance: Provenance::Published,
            house: false,
            note: "".into(),
        });
        run.state.tables.push((0..list.len()).map(|row| Of::Row(number, row)).collect());
    }
}

struct Filled {
    columns: Vec<ColumnResult>,
    rows: Vec<Vec<Value>>,
    down: Vec<Arc<str>>,
    down_at: Vec<i64>,
    grid: bool,
    of: Vec<Of>,
}

/// Leaves hidden columns out and spreads lists over columns.
fn lay_out(columns: &[TableColumn], rows: Vec<Vec<Value>>, of: Vec<Of>, hidden_too: bool) -> Option<Filled> {
    if rows.is_empty() {
        return None;
    }
    let mut results = Vec::new();
    let mut laid: Vec<Vec<Value>> = vec![Vec::new(); rows.len()];
    for (n, column) in columns.iter().enumerate().filter(|(_, column)| hidden_too || !column.hidden) {
        let result =
            |id: Arc<str>, label: Arc<str>| ColumnResult { id, label, boxes: column.boxes, signed: column.signed };
        if column.spread {
            let entries = |row: &Vec<Value>| if let Value::List(list) = &row[n] { list.len() } else { 0 };
            let most = rows.iter().map(entries).max().unwrap_or(0).min(200);
            for place in 0..most {
                results.push(result(format!("{}_{place}", column.id).into(), place.to_string().into()));
                for (row, laid) in rows.iter().zip(&mut laid) {
                    let cell = if let Value::List(list) = &row[n] { list.get(place).cloned() } else { None };
                    laid.push(cell.unwrap_or_else(|| Value::Text("".into())));
                }
            }
            continue;
        }
        results.push(result(column.id.clone(), column.label.clone()));
        for (row, laid) in rows.iter().zip(&mut laid) {
            laid.push(row[n].clone());
        }
    }
    Some(Filled { columns: results, rows: laid, down: Vec::new(), down_at: Vec::new(), grid: false, of })
}

fn grid(run: &mut Run<'_>, table: &Table) -> Option<Filled> {
    let TableKind::Grid { across, down, across_label, down_label, cell } = &table.kind else { return None };
    let numbers = |value: Value| match value {
        Value::List(list) => {
            list.iter().filter_map(|value| if let Value::Int(number) = value { Some(*number) } else { None }).collect()
        }
        _ => Vec::<i64>::new(),
    };
    let across = numbers(run.value(across, Of::Nothing, &table.id));
    let down = numbers(run.value(down, Of::Nothing, &table.id));
    if across.is_empty() || down.is_empty() {
        return None;
    }
    if across.len().saturating_mul(down.len()) > 10_000 || across.len() > 200 {
        let message = format!("{}: {} × {} cells are too many for a table", table.id, across.len(), down.len());
        let mut finding =
            Finding::error("too-large", message).help("look for a number in the design that is far too large");
        finding.rule = Some(run.rules.place(table.span));
        run.notes.add(finding, Span::default(), Some(table.id.clone()), Subject::Design);
        return None;
    }
    let mut label = |formula: &Option<Formula>, local_name: Local, number: i64| match formula {
        Some(formula) => word(&local(run, formula, Of::Nothing, &[(local_name, number)], &table.id)),
        None => number.to_string().into(),
    };
    let columns = across
        .iter()
        .map(|&number| ColumnResult {
            id: number.to_string().into(),
            label: label(across_label, Local::Across, number),
            boxes: None,
            signed: false,
        })
        .collect();
    let labels = down.iter().map(|&number| label(down_label, Local::Down, number)).collect();
    let varying = [Name::Local(Local::Across).slot(), Name::Local(Local::Down).slot()];
    let cell = settled(cell, across.len() * down.len(), &run.view(Of::Nothing), &varying);
    let cell = |run: &mut Run<'_>, across, down| {
        local(run, &cell, Of::Nothing, &[(Local::Across, across), (Local::Down, down)], &table.id)
    };
    let rows = down.iter().map(|&down| across.iter().map(|&across| cell(run, across, down)).collect()).collect();
    Some(Filled { columns, rows, of: vec![Of::Nothing; down.len()], down: labels, down_at: down, grid: true })
}

pub(super) fn counters(run: &mut Run<'_>, evaluation: &mut Evaluation) {
    let rules = run.rules.clone();
    for counter in &rules.counters {
        for of in run.each(counter.for_each.as_ref()) {
            if let Some(when) = &counter.when
                && run.flag(when, of, &counter.id) != Some(true)
            {
                continue;
            }
            for group in &counter.groups {
                let count = run.int(&group.count, of, &counter.id).unwrap_or(0);
                if count <= 0 {
                    continue;
                }
                if count > MOST_COUNTERS {
                    let message =
                        format!("{}: {count} counters, at most {MOST_COUNTERS} of one kind allowed", counter.id);
                    let mut finding = Finding::error("too-many-counters", message)
                        .help("look for a number in the design that is far too large");
                    finding.rule = Some(run.rules.place(counter.span));
                    let (span, item) = run.place(of);
                    let subject = run.subject(of);
                    run.notes.add(finding, span, item, subject);
                    continue;
                }
                let words: Vec<Value> = group.words.iter().map(|formula| run.value(formula, of, &counter.id)).collect();
                let mut data: Vec<(Arc<str>, Value)> =
                    counter.words.iter().map(|(id, _)| id.clone()).zip(words.iter().cloned()).collect();
                for (id, formula) in &counter.data {
                    let value = {
                        let view = View { group: &words, ..run.view(of) };
                        formula.eval(&view)
                    };
                    let value = value.unwrap_or_else(|mistake| {
                        run.failed(mistake, formula.at, of, &counter.id);
                        Value::Null
                    });
                    data.push((id.clone(), value));
                }
                let mut side = |(formula, tenths): &(Formula, i64)| {
                    let size = run.int(formula, Of::Nothing, &counter.id).and_then(|size| size.checked_mul(*tenths));
                    size.unwrap_or(200).clamp(10, 5_000) as f32 / 10.0
                };
                let size = (side(&counter.size[0]), side(&counter.size[1]));
                evaluation.counters.push(CounterResult {
                    id: counter.id.clone(),
                    label: run.text(&counter.label, of, &counter.id).unwrap_or_default(),
                    fit: if let Of::Fit(n) = of { Some(n) } else { None },
                    row: row_of(of),
                    count: count as u32,
                    first: None,
                    series: (counter.series.is_some() || counter.first.is_some()).then(|| counter.id.clone()),
                    size,
                    face: counter.face.clone(),
                    back: counter.back.clone(),
                    data,
                });
                run.state.counters.push(of);
            }
        }
    }
}

/// A formula with what does not vary replaced by its value, where there is enough to go over to be worth it.
fn settled(formula: &Formula, times: usize, host: &dyn Host, varying: &[u32]) -> Formula {
    if times > 8 { formula.settle(host, varying) } else { formula.clone() }
}
