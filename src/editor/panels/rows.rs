//! A field of rows as a table: typed columns; rows are added, taken out and moved.

use egui::{Button, Checkbox, CollapsingHeader, Id, Label, RichText, Ui, vec2};

use super::fields::small_number;
use super::mounts::capital;
use super::ship::{Ship, raw};
use super::value::take_out;
use crate::design::Subject;
use crate::editor::fits;
use crate::editor::inputs::{HIT, Option_, choice, sign, text};
use crate::editor::theme::palette;
use crate::editor::widgets::{named, quiet};
use crate::editor::{Command, Edit, Place, Step};
use crate::formula::Value;
use crate::ruleset::{Column, ColumnKind, Field};
use crate::source::toml::{Data, Entry, Table};

/// Rows that are shown without being asked for.
const FEW: usize = 4;
const TOOLS: f32 = HIT + 4.0;

/// Shows it.
pub fn show(
    ui: &mut Ui,
    ship: &Ship<'_>,
    field: &Field,
    columns: &[Column],
    applies: bool,
    stated: Option<&Entry<'static>>,
    out: &mut Vec<Command>,
) {
    let rows: Vec<Option<&Table<'_>>> = match stated.map(|entry| &entry.node.data) {
        Some(Data::List(list)) => {
            list.iter().map(|node| if let Data::Table(table) = &node.data { Some(table) } else { None }).collect()
        }
        Some(Data::Table(table)) => vec![Some(table)],
        None => Vec::new(),
        Some(other) => {
            ui.horizontal(|ui| {
                quiet(ui, capital(&field.label));
                ui.colored_label(palette(ui).error, crate::ruleset::brief(&raw(other)));
                if take_out(ui, &field.label) {
                    let step = Step::RemoveField { field: field.id.to_string() };
                    out.push(Command::Edit(Edit::one(format!("remove {}", field.label), step)));
                }
            });
            return;
        }
    };
    let about = |subject: &Subject| subject.field().is_some_and(|id| **id == *field.id);
    let all = ship.found(about);
    let is_wanted = ship.is_wanted(&Place::Field(field.id.to_string()));
    let (found, label) =
        (ship.found(|subject| matches!(subject, Subject::Field(_)) && about(subject)), capital(&field.label));
    let many = match rows.len() {
        0 => "none".to_owned(),
        1 => "1 row".to_owned(),
        many => format!("{many} rows"),
    };
    let state = if applies { many } else { format!("{many}, does not apply") };
    let wrong =
        if all.is_empty() { String::new() } else { format!(" · {}", crate::press::many(all.len(), "finding")) };
    let header = CollapsingHeader::new(format!("{label} · {state}{wrong}"))
        .id_salt(("rows", &*field.id))
        .default_open((1..=FEW).contains(&rows.len()))
        .open(is_wanted.then_some(true));
    let shown = header.show(ui, |ui| {
        if field.help.is_some() || !found.is_empty() {
            ui.horizontal(|ui| {
                sign(ui, &found, out);
                quiet(ui, field.help.as_deref().unwrap_or_default());
            });
        }
        let widths = widths(columns, ui.available_width());
        heads(ui, columns, &widths);
        for (n, row) in rows.iter().enumerate() {
            let found =
                ship.found(|subject| matches!(subject, Subject::Row { row, .. } if *row == n) && about(subject));
            ui.push_id(n, |ui| line(ui, ship, field, columns, &widths, n, rows.len(), *row, &found, out));
        }
        if named(ui.button("+ Row"), &format!("Add a row to {}", field.label)).clicked() {
            let step = Step::AddRow { field: field.id.to_string(), at: usize::MAX, cells: cells(columns) };
            out.push(Command::Edit(Edit::one(format!("add a row to {}", field.label), step)));
        }
    });
    if is_wanted {
        super::fields::arrive(&shown.header_response, true, out);
    }
}

/// What a new row says: what has no default is begun with.
fn cells(columns: &[Column]) -> Vec<(String, toml_edit::Value)> {
    let first = |column: &Column| -> Option<toml_edit::Value> {
        if column.default.is_some() {
            return None;
        }
        Some(match &column.kind {
            ColumnKind::Integer { min, max } => 0.clamp(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX)).into(),
            ColumnKind::Flag => false.into(),
            ColumnKind::Text => "".into(),
            ColumnKind::Choice(words) => words.first().map_or("", |word| word).into(),
            ColumnKind::Mount | ColumnKind::System => return None,
        })
    };
    columns.iter().filter_map(|column| Some((column.id.to_string(), first(column)?))).collect()
}

fn widths(columns: &[Column], all: f32) -> Vec<f32> {
    let share = |column: &Column| match column.kind {
        ColumnKind::Flag => 0.5,
        ColumnKind::Integer { .. } => 1.0,
        _ => 2.0,
    };
    let room = (all - TOOLS - 24.0 - 6.0 * columns.len() as f32).max(40.0);
    let sum: f32 = columns.iter().map(share).sum();
    columns.iter().map(|column| (room * share(column) / sum.max(1.0)).clamp(36.0, 90.0 * share(column))).collect()
}

fn heads(ui: &mut Ui, columns: &[Column], widths: &[f32]) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (column, width) in columns.iter().zip(widths) {
            cell(ui, *width, |ui| {
                let text = RichText::new(&*column.label).size(12.5).color(palette(ui).quiet);
                ui.add(Label::new(text).truncate());
            });
        }
    });
}

fn cell<R>(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui) -> R) {
    ui.allocate_ui_with_layout(vec2(width, 26.0), egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.set_min_width(width);
        ui.set_max_width(width);
        add(ui);
    });
}

#[allow(clippy::too_many_arguments, reason = "a row of a table is many things")]
fn line(
    ui: &mut Ui,
    ship: &Ship<'_>,
    field: &Field,
    columns: &[Column],
    widths: &[f32],
    n: usize,
    rows: usize,
    row: Option<&Table<'_>>,
    found: &[&crate::finding::Finding],
    out: &mut Vec<Command>,
) {
    let said = format!("{} row {}", field.label, n + 1);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        match row {
            Some(row) => {
                for (column, width) in columns.iter().zip(widths) {
                    cell(ui, *width, |ui| value(ui, ship, field, column, n, *width, row, &said, out));
                }
            }
            None => {
                ui.colored_label(palette(ui).error, "expected columns, such as { a = 1 }");
            }
        }
        tools(ui, field, n, rows, &said, out);
        sign(ui, found, out);
    });
    let unknown = row.into_iter().flat_map(|row| &row.entries);
    for entry in unknown.filter(|entry| columns.iter().all(|column| *column.id != *entry.key)) {
        super::value::stranger(ui, &entry.key, &raw(&entry.node.data), &said, || {
            let step = Step::RemoveCell { field: field.id.to_string(), row: n, column: entry.key.to_string() };
            out.push(Command::Edit(Edit::one(format!("remove {}", entry.key), step)));
        });
    }
}

/// Moves and takes out a row.
fn tools(ui: &mut Ui, field: &Field, n: usize, rows: usize, said: &str, out: &mut Vec<Command>) {
    let button = Button::new("…").frame_when_inactive(false).min_size(vec2(HIT, HIT));
    let field = field.id.to_string();
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
        let mut offer = |ui: &mut Ui, label: &str, can: bool, step: Step| {
            if ui.add_enabled(can, Button::new(label)).clicked() {
                out.push(Command::Edit(Edit::one(format!("{}, {said}", label.to_lowercase()), step)));
            }
        };
        let to = |to: usize| Step::MoveRow { field: field.clone(), from: n, to };
        offer(ui, "Move up", n > 0, to(n.saturating_sub(1)));
        offer(ui, "Move down", n + 1 < rows, to(n + 1));
        offer(ui, "Add a row before", true, Step::AddRow { field: field.clone(), at: n, cells: Vec::new() });
        offer(ui, "Remove", true, Step::RemoveRow { field: field.clone(), row: n });
    });
    named(response, &format!("More actions for {said}"));
}

#[allow(clippy::too_many_arguments, reason = "a cell of a table is many things")]
fn value(
    ui: &mut Ui,
    ship: &Ship<'_>,
    field: &Field,
    column: &Column,
    n: usize,
    width: f32,
    row: &Table<'_>,
    said: &str,
    out: &mut Vec<Command>,
) {
    let name = format!("{}, {said}", column.label);
    let stated = row.get(&column.id).map(|node| &node.data);
    let set = |value: toml_edit::Value| {
        let (field, column) = (field.id.to_string(), column.id.to_string());
        Edit::one(format!("change {name}"), Step::SetCell { field, row: n, column, value })
    };
    let words = || match (stated, &column.default) {
        (Some(Data::Text(text)), _) => text.to_string(),
        (_, Some(Value::Text(text))) => text.to_string(),
        _ => String::new(),
    };
    let pick = |ui: &mut Ui, options: Vec<(String, String)>, out: &mut Vec<Command>| {
        let salt = Id::unique(("cell", &*field.id, n, &*column.id));
        let listed = options
            .iter()
            .map(|(id, label)| Option_ { id, label, hint: String::new(), refused: None })
            .collect::<Vec<_>>();
        let (_, made) = choice(ui, salt, &name, &words(), listed, width - 2.0);
        out.extend(made.map(|word| Command::Edit(set(word.into()))));
    };
    match (&column.kind, stated) {
        (ColumnKind::Integer { min, max }, None | Some(Data::Int(_))) => {
            let number = match (stated, &column.default) {
                (Some(Data::Int(number)), _) | (None, Some(Value::Int(number))) => *number,
                _ => 0,
            };
            small_number(ui, &name, (number, *min, *max), width.min(64.0), out, |number| set(number.into()));
        }
        (ColumnKind::Flag, None | Some(Data::Flag(_))) => {
            let mut on = match (stated, &column.default) {
                (Some(Data::Flag(on)), _) | (None, Some(Value::Flag(on))) => *on,
                _ => false,
            };
            if named(ui.add(Checkbox::without_text(&mut on)), &name).changed() {
                out.push(Command::Edit(set(on.into())));
            }
        }
        (ColumnKind::Text, None | Some(Data::Text(_))) => {
            text(ui, &name, &words(), 1, out, |typed| set(typed.into()));
        }
        (ColumnKind::Mount, None | Some(Data::Text(_))) => {
            let mounts = ship.evaluation.mounts.iter();
            pick(ui, mounts.map(|mount| (mount.id.to_string(), capital(&mount.label))).collect(), out);
        }
        (ColumnKind::System, None | Some(Data::Text(_))) => {
            let systems = fits::systems(ship.evaluation).into_iter();
            pick(ui, systems.map(|system| (system.id.to_string(), capital(&system.name))).collect(), out);
        }
        (ColumnKind::Choice(known), None | Some(Data::Text(_))) => {
            pick(ui, known.iter().map(|word| (word.to_string(), capital(word))).collect(), out);
        }
        (_, Some(other)) => {
            let text = RichText::new(crate::ruleset::brief(&raw(other))).color(palette(ui).error);
            ui.add(Label::new(text).truncate());
            if super::value::take_out(ui, &name) {
                let step = Step::RemoveCell { field: field.id.to_string(), row: n, column: column.id.to_string() };
                out.push(Command::Edit(Edit::one(format!("remove {name}"), step)));
            }
        }
    }
}
