//! Computes tracks, tables and counters: takes the computed state, gives the results that the ship has, in the
//! ruleset's order. No number in a design can make them unbounded.

use std::sync::Arc;

use crate::formula::{Formula, Record, TextTemplate, Value};
use crate::ruleset::{
    ColumnKind, FieldKind, KnownGrid, LocalVar, Ruleset, Symbol, TableColumn, TableKind, TableSubject, TrackDef,
};
use moldloft_base::finding::{Finding, FindingOrigin};

use super::evaluator::{Evaluator, strongest};
use super::grids::{fill_grid, fold_constants, value_text};
use super::house_rules::HouseRuleUse;
use super::state::{ItTarget, StateView};
use super::{ColumnResult, CounterResult, Evaluation, Provenance, TableResult, TrackMark, TrackResult};

/// The most boxes of one track, and of all tracks of a ship.
const MAX_BOXES: i64 = 100_000;
const MAX_COUNTERS: i64 = 100_000;

pub(super) fn add_tracks(run: &mut Evaluator<'_>, evaluation: &mut Evaluation, active_marks: &[bool]) {
    let rules = run.rules.clone();
    let mut left = MAX_BOXES;
    for track in &rules.tracks {
        for of in run.targets(track.for_each.as_ref()) {
            if let Some(when) = &track.when
                && run.eval_flag(when, of, &track.id) != Some(true)
            {
                continue;
            }
            if let Some(mut result) = track_result(run, track, of, &mut left) {
                let system = if let ItTarget::Fit(n) = of { Some(run.state.fits[n].base) } else { None };
                let house = HouseRuleUse::new(&rules, &run.state, active_marks);
                result.house = house.is_some_and(|house| house.uses_in_track(track, system));
                evaluation.tracks.push(result);
            }
        }
    }
}

/// Tracks common to all ships, for an empty sheet.
pub(super) fn add_fixed_tracks(run: &mut Evaluator<'_>, evaluation: &mut Evaluation) {
    let rules = run.rules.clone();
    let mut left = MAX_BOXES;
    // A value common to all ships counts as a number.
    let known = |slot| matches!(Symbol::from_slot(slot), Symbol::Value(n) if rules.values[n].formula.is_constant());
    let same = |boxes: &Formula| boxes.calls().next().is_none() && boxes.reads().all(known);
    let fixed = |track: &&TrackDef| track.for_each.is_none() && track.when.is_none() && same(&track.boxes);
    for track in rules.tracks.iter().filter(fixed) {
        evaluation.tracks.extend(track_result(run, track, ItTarget::Nothing, &mut left));
    }
}

/// The boxes of each row, and of all together.
fn track_boxes(run: &mut Evaluator<'_>, track: &TrackDef, of: ItTarget, left: &mut i64) -> Option<(Vec<i64>, i64)> {
    let wanted: Vec<i64> = match run.eval_value(&track.boxes, of, &track.id) {
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
        let message = format!("{}: {boxes} boxes, a ship can have at most {MAX_BOXES} in all", track.id);
        let mut finding =
            Finding::error("too-many-boxes", message).help("look for a number in the design that is far too large");
        finding.rule = Some(run.rules.location(track.span));
        let (span, item) = run.target_place(of);
        let origin = FindingOrigin::from(run.target_part(of)).leaving_out();
        run.notes.add(finding, span, item.or_else(|| Some(track.id.clone())), origin);
        return None;
    }
    *left -= boxes;
    Some((wanted, boxes))
}

fn track_result(run: &mut Evaluator<'_>, track: &TrackDef, of: ItTarget, left: &mut i64) -> Option<TrackResult> {
    let (wanted, boxes) = track_boxes(run, track, of, left)?;
    let lines = match &track.lines {
        Some(lines) => line_lengths(&run.eval_value(lines, of, &track.id)),
        None => Vec::new(),
    };
    let rows: Vec<u32> = wanted.into_iter().filter(|row| *row > 0).map(|row| row as u32).collect();
    let label = run.shown_text(&track.label, of, &track.id);
    let badge = track.badge.as_ref().map(|badge| run.shown_text(badge, of, &track.id)).unwrap_or_default();
    let row_labels = track
        .row_labels
        .iter()
        .filter(|(_, formula)| !run.is_needless(formula, rows.len()))
        .collect::<Vec<_>>()
        .into_iter()
        .map(|(id, formula)| {
            let values = (1..=rows.len()).map(|row| {
                let set = [(LocalVar::Row, row as i64), (LocalVar::Rows, rows.len() as i64)];
                run.eval_with_locals(formula, of, &set, &track.id)
            });
            (id.clone(), values.map(|value| value_text(&value)).collect())
        })
        .collect();
    let row_notes = match &track.row_note {
        Some(note) => (1..=rows.len()).map(|row| row_note(run, note, of, (row, rows.len()), &track.id)).collect(),
        None => Vec::new(),
    };
    let cells = box_cells(run, track, of, &rows, boxes);
    let mut marks = Vec::new();
    for sign in &track.signs {
        let at = run.eval_int(&sign.at, of, &track.id).unwrap_or(0);
        if (1..=boxes).contains(&at) {
            let label = run.shown_text(&sign.label, of, &track.id);
            marks.push(TrackMark { at: at as u32, icon: sign.icon.clone(), label });
        }
    }
    if !run.keeps_results {
        return None;
    }
    let (id, mount, fit) = match of {
        ItTarget::Nothing => (track.id.clone(), None, None),
        ItTarget::Fit(n) => {
            let fit = &run.state.fits[n];
            let index = run.notes.design.fits.get(fit.index).map_or(0, |fit| fit.index);
            (format!("{}_{}", track.id, index + 1).into(), fit.mount.map(|n| run.rules.mounts[n].id.clone()), Some(n))
        }
        ItTarget::Mount(n) => {
            (format!("{}_{}", track.id, run.rules.mounts[n].id).into(), Some(run.rules.mounts[n].id.clone()), None)
        }
        ItTarget::System(system) => {
            (format!("{}_{}", track.id, run.state.system(run.rules, system).id).into(), None, None)
        }
        ItTarget::Row(_, row) | ItTarget::TableRow(_, row) => (format!("{}_{}", track.id, row + 1).into(), None, None),
    };
    Some(TrackResult {
        id,
        track: track.id.clone(),
        label,
        badge,
        rows,
        lines,
        row_labels,
        row_notes,
        cells,
        kind: track.kind,
        marks,
        shape: track.shape,
        box_template: track.face.clone(),
        required: track.required,
        house: false,
        mount,
        fit,
        row: row_of(of),
    })
}

fn row_of(of: ItTarget) -> Option<usize> {
    match of {
        ItTarget::Row(_, row) | ItTarget::TableRow(_, row) => Some(row),
        _ => None,
    }
}

/// Without lengths below 1, at most as many as a track may have boxes.
fn line_lengths(value: &Value) -> Vec<u32> {
    let Value::List(list) = value else { return Vec::new() };
    let lengths = list.iter().filter_map(|length| if let Value::Int(length) = length { Some(*length) } else { None });
    lengths.filter(|length| *length > 0).map(|length| length.min(MAX_BOXES) as u32).collect()
}

/// Contents of the boxes: one record each, or empty.
fn box_cells(run: &mut Evaluator<'_>, track: &TrackDef, of: ItTarget, rows: &[u32], boxes: i64) -> Vec<Value> {
    if track.cell.is_empty() {
        return Vec::new();
    }
    let varying = [Symbol::Local(LocalVar::Box).slot(), Symbol::Local(LocalVar::Row).slot()];
    let mut formulas: Vec<(Arc<str>, Formula)> = Vec::with_capacity(track.cell.len());
    {
        let mut view = run.view(of);
        view.set_local(LocalVar::Boxes, boxes);
        for (id, formula) in &track.cell {
            if run.is_needless(formula, boxes as usize) {
                continue;
            }
            formulas.push((id.clone(), fold_constants(formula, boxes as usize, &view, &varying)));
        }
    }
    if formulas.is_empty() {
        return Vec::new();
    }
    let mut cells = Vec::with_capacity(if run.keeps_results { boxes as usize } else { 0 });
    let mut number = 0;
    for (row, count) in rows.iter().enumerate() {
        for _ in 0..*count {
            number += 1;
            let set = [(LocalVar::Box, number), (LocalVar::Boxes, boxes), (LocalVar::Row, row as i64 + 1)];
            let mut entries = Vec::with_capacity(if run.keeps_results { formulas.len() } else { 0 });
            for (id, formula) in &formulas {
                let value = run.eval_with_locals(formula, of, &set, &track.id);
                if run.keeps_results {
                    entries.push((id.clone(), value));
                }
            }
            if run.keeps_results {
                cells.push(Value::Record(Arc::new(Record { entries })));
            }
        }
    }
    cells
}

/// The note of a row, from 1, of this many.
fn row_note(
    run: &mut Evaluator<'_>,
    note: &TextTemplate,
    of: ItTarget,
    (row, rows): (usize, usize),
    item: &str,
) -> Arc<str> {
    if !run.may_evaluate(note.at, of, item) {
        return "".into();
    }
    let mut view = run.view(of);
    view.set_local(LocalVar::Row, row as i64);
    view.set_local(LocalVar::Rows, rows as i64);
    match note.eval(&view) {
        Ok(words) => words.unwrap_or_default().into(),
        Err(mistake) => {
            run.report_failure(mistake, note.at, of, item);
            "".into()
        }
    }
}

/// Tables with the rows that concern the ship; `all`: all rows of written tables, and of tables for each of those, for a
/// reference sheet.
pub(super) fn add_tables(run: &mut Evaluator<'_>, evaluation: &mut Evaluation, active_marks: &[bool], all: bool) {
    let rules = run.rules.clone();
    for (number, table) in rules.tables.iter().enumerate() {
        if !all && run.is_needless_table(table) {
            continue;
        }
        // A table with rows made for each item has its condition checked for each row.
        let each = matches!(table.kind, TableKind::ForEach { .. });
        if let Some(when) = &table.when
            && !all
            && !each
            && run.eval_flag(when, ItTarget::Nothing, &table.id) != Some(true)
        {
            continue;
        }
        let filled = match &table.kind {
            TableKind::Rows { columns, rows, concerns, .. } => {
                let mut shown = Vec::new();
                for row in (0..rows.len()).filter(|row| !table.hidden_rows.contains(row)) {
                    let of = ItTarget::TableRow(number, row);
                    if all
                        || concerns.as_ref().is_none_or(|concerns| run.eval_flag(concerns, of, &table.id) == Some(true))
                    {
                        shown.push(of);
                    }
                }
                let cells = |of: &ItTarget| match of {
                    ItTarget::TableRow(_, row) if run.keeps_results => {
                        let mut cells: Vec<Value> = rows[*row].entries.iter().map(|(_, value)| value.clone()).collect();
                        name_alike(run, number, &rows[*row], all, &mut cells);
                        cells
                    }
                    _ => Vec::new(),
                };
                let rows: Vec<Vec<Value>> = shown.iter().map(cells).collect();
                expand_columns(columns, rows, shown, all, run.keeps_results)
            }
            TableKind::ForEach { of, columns } => {
                let mut shown = run.targets(Some(of));
                if let Some(when) = &table.when {
                    // Rows of a written table are all on the reference sheet.
                    let is_written = |of: &ItTarget| all && matches!(of, ItTarget::TableRow(..));
                    shown.retain(|of| is_written(of) || run.eval_flag(when, *of, &table.id) == Some(true));
                }
                let mut rows = Vec::new();
                for of in &shown {
                    let mut cells = Vec::new();
                    for column in columns {
                        cells.push(
                            column.cell.as_ref().map_or(Value::Null, |cell| run.shown_value(cell, *of, &table.id)),
                        );
                    }
                    rows.push(cells);
                }
                expand_columns(columns, rows, shown, false, run.keeps_results)
            }
            TableKind::Grid { .. } => fill_grid(run, number).map(|grid| filled(&grid, run.keeps_results)),
        };
        let Some(filled) = filled else { continue };
        let label = run.shown_text(&table.label, ItTarget::Nothing, &table.id);
        let note =
            table.note.as_ref().map(|note| run.shown_text(note, ItTarget::Nothing, &table.id)).unwrap_or_default();
        if !run.keeps_results {
            continue;
        }
        evaluation.tables.push(TableResult {
            id: table.id.clone(),
            label,
            columns: filled.columns,
            rows: filled.rows,
            row_labels: filled.row_labels,
            row_numbers: filled.row_numbers,
            grid: filled.grid,
            provenance: strongest(&rules, &table.marks, active_marks),
            house: HouseRuleUse::new(&rules, &run.state, active_marks).is_some_and(|house| house.uses_in_table(table)),
            note,
        });
        run.state.table_targets.push(filled.targets);
    }
    if run.keeps_results {
        add_field_tables(run, &rules, evaluation);
    }
}

/// Puts after the name of a row that is called by its system those of systems that go by the row, for it is of the nearest that they
/// are like: `laser, ion cannon`. On a reference sheet they are the ruleset's, else those aboard.
fn name_alike(run: &Evaluator<'_>, number: usize, row: &Record, all: bool, cells: &mut [Value]) {
    let rules = &run.rules;
    let mut table = &rules.tables[number];
    // A table that is made from another is about the same; it may leave out rows that the other has.
    while table.describes.is_none()
        && let Some(of) = table.made_from
    {
        table = &rules.tables[of];
    }
    let Some(TableSubject::Column(column)) = table.describes else { return };
    let column = &table.columns()[column].id;
    let is_about = |row: &Record, system: usize| {
        let is_its_id = |word: &Value| matches!(word, Value::Text(word) if *word == rules.systems[system].id);
        row.get(column).is_some_and(|about| match about {
            Value::List(words) => words.iter().any(is_its_id),
            word => is_its_id(word),
        })
    };
    let Some(Value::Text(label)) = cells.first_mut() else { return };
    let named = (0..rules.systems.len()).find(|n| is_about(row, *n) && rules.systems[*n].is_called(label));
    let Some(named) = named else { return };
    let aboard = run.state.fits.iter().filter(|fit| fit.count > 0).map(|fit| (fit.system, fit.base));
    let known = (0..rules.systems.len()).filter(|n| !rules.systems[*n].is_abstract).map(|n| (n, n));
    let systems: Vec<(usize, usize)> = if all { known.collect() } else { aboard.collect() };
    let mut names: Vec<&str> = Vec::new();
    for (system, base) in systems {
        let has_row = |kind: &&usize| table.rows().iter().any(|row| is_about(row, **kind));
        let goes_by = rules.systems[base].kinds.iter().find(has_row);
        let name = &**run.state.system(rules, system).name;
        if goes_by.is_some_and(|kind| *kind != system && is_about(row, *kind))
            && !rules.systems[named].is_called(name)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    if !names.is_empty() {
        // What a layer removed is not aboard.
        let first = if rules.systems[named].is_removed { String::new() } else { format!("{label}, ") };
        *label = (first + &names.join(", ")).into();
    }
}

/// Fields with rows are tables too.
fn add_field_tables(run: &mut Evaluator<'_>, rules: &Ruleset, evaluation: &mut Evaluation) {
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
            row_labels: Vec::new(),
            row_numbers: Vec::new(),
            grid: false,
            provenance: Provenance::Published,
            house: false,
            note: "".into(),
        });
        run.state.table_targets.push((0..list.len()).map(|row| ItTarget::Row(number, row)).collect());
    }
}

#[derive(Default)]
struct FilledTable {
    columns: Vec<ColumnResult>,
    rows: Vec<Vec<Value>>,
    row_labels: Vec<Arc<str>>,
    row_numbers: Vec<i64>,
    grid: bool,
    targets: Vec<ItTarget>,
}

fn expand_columns(
    columns: &[TableColumn],
    rows: Vec<Vec<Value>>,
    of: Vec<ItTarget>,
    hidden_too: bool,
    keeps_results: bool,
) -> Option<FilledTable> {
    if rows.is_empty() {
        return None;
    }
    let columns = if keeps_results { columns } else { &[] };
    let mut results = Vec::new();
    let mut printed: Vec<Vec<Value>> = vec![Vec::new(); rows.len()];
    for (n, column) in columns.iter().enumerate().filter(|(_, column)| hidden_too || !column.hidden) {
        let result =
            |id: Arc<str>, label: Arc<str>| ColumnResult { id, label, boxes: column.boxes, signed: column.signed };
        if column.spread {
            let entries = |row: &Vec<Value>| if let Value::List(list) = &row[n] { list.len() } else { 0 };
            let most = rows.iter().map(entries).max().unwrap_or(0).min(200);
            for place in 0..most {
                results.push(result(format!("{}_{place}", column.id).into(), place.to_string().into()));
                for (row, printed) in rows.iter().zip(&mut printed) {
                    let cell = if let Value::List(list) = &row[n] { list.get(place).cloned() } else { None };
                    printed.push(cell.unwrap_or_else(|| Value::Text("".into())));
                }
            }
            continue;
        }
        results.push(result(column.id.clone(), column.label.clone()));
        for (row, printed) in rows.iter().zip(&mut printed) {
            printed.push(row[n].clone());
        }
    }
    Some(FilledTable {
        columns: results,
        rows: printed,
        row_labels: Vec::new(),
        row_numbers: Vec::new(),
        grid: false,
        targets: of,
    })
}

fn filled(grid: &KnownGrid, keeps_results: bool) -> FilledTable {
    let mut table = FilledTable { grid: true, ..FilledTable::default() };
    if keeps_results {
        let column = |(number, label): (&i64, &Arc<str>)| ColumnResult {
            id: number.to_string().into(),
            label: label.clone(),
            boxes: None,
            signed: false,
        };
        table.columns = grid.across.iter().zip(&grid.across_labels).map(column).collect();
        table.rows.clone_from(&grid.cells);
        table.row_labels.clone_from(&grid.down_labels);
        table.row_numbers.clone_from(&grid.down);
        table.targets = vec![ItTarget::Nothing; grid.down.len()];
    }
    table
}

pub(super) fn add_counters(run: &mut Evaluator<'_>, evaluation: &mut Evaluation) {
    let rules = run.rules.clone();
    for counter in &rules.counters {
        for of in run.targets(counter.for_each.as_ref()) {
            if let Some(when) = &counter.when
                && run.eval_flag(when, of, &counter.id) != Some(true)
            {
                continue;
            }
            for group in &counter.groups {
                let count = run.eval_int(&group.count, of, &counter.id).unwrap_or(0);
                if count <= 0 {
                    continue;
                }
                if count > MAX_COUNTERS {
                    let message =
                        format!("{}: {count} counters, at most {MAX_COUNTERS} of one kind allowed", counter.id);
                    let mut finding = Finding::error("too-many-counters", message)
                        .help("look for a number in the design that is far too large");
                    finding.rule = Some(run.rules.location(counter.span));
                    let (span, item) = run.target_place(of);
                    let origin = FindingOrigin::from(run.target_part(of)).leaving_out();
                    run.notes.add(finding, span, item, origin);
                    continue;
                }
                let words: Vec<Value> =
                    group.words.iter().map(|formula| run.eval_value(formula, of, &counter.id)).collect();
                let mut data: Vec<(Arc<str>, Value)> =
                    counter.words.iter().map(|(id, _)| id.clone()).zip(words.iter().cloned()).collect();
                for (id, formula) in &counter.data {
                    let value = {
                        let view = StateView { group: &words, ..run.view(of) };
                        formula.eval(&view)
                    };
                    let value = value.unwrap_or_else(|mistake| {
                        run.report_failure(mistake, formula.at, of, &counter.id);
                        Value::Null
                    });
                    data.push((id.clone(), value));
                }
                let mut side = |(formula, tenths): &(Formula, i64)| {
                    let size = run
                        .eval_int(formula, ItTarget::Nothing, &counter.id)
                        .and_then(|size| size.checked_mul(*tenths));
                    size.unwrap_or(200).clamp(10, 5_000) as f32 / 10.0
                };
                let size = (side(&counter.size[0]), side(&counter.size[1]));
                let label = run.shown_text(&counter.label, of, &counter.id);
                let acts_as = counter.acts_as.as_ref().map(|words| run.shown_text(words, of, &counter.id));
                if !run.keeps_results {
                    continue;
                }
                evaluation.counters.push(CounterResult {
                    id: counter.id.clone(),
                    label,
                    fit: if let ItTarget::Fit(n) = of { Some(n) } else { None },
                    row: row_of(of),
                    count: count as u32,
                    first: None,
                    series: (counter.series.is_some() || counter.first.is_some()).then(|| counter.id.clone()),
                    size,
                    face: counter.face.clone(),
                    back: counter.back.clone(),
                    acts_as,
                    data,
                });
                run.state.counter_targets.push(of);
            }
        }
    }
}
