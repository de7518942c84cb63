//! A field of rows as a table: typed columns; rows can be added, moved and removed.

use egui::{Button, CollapsingHeader, Id, Label, RichText, Ui};

use crate::icons::{Icon, icon_button};
use crate::inputs::{InputOption, findings_badge};
use crate::language::say;
use crate::panels::design_view::DesignView;
use crate::panels::value_input::{InputKind, TypedInput, remove_button, unknown_key_row};
use crate::roll_table::RollTable;
use crate::theme::{SMALL, palette};
use crate::value_text::as_written;
use crate::widgets::{MIN_TARGET_SIZE, capitalize, muted_label, named_button, sized_cell, with_accessible_name};
use crate::{Command, Edit, FormTarget, fit_edits};
use moldloft_base::source::toml::{TomlEntry, TomlTable, TomlValue};
use moldloft_rules::design::{DesignPart, DocumentEdit, TableList, TablePath};
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::{ColumnKind, FieldColumn, FieldDef};

/// Tables with more rows start folded.
const SHOWN_AT_FIRST: usize = 4;
const TOOLS_WIDTH: f32 = MIN_TARGET_SIZE + 4.0;

pub fn show(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    field: &FieldDef,
    columns: &[FieldColumn],
    applies: bool,
    stated: Option<&TomlEntry<'static>>,
    out: &mut Vec<Command>,
) {
    let rows: Vec<Option<&TomlTable<'_>>> = match stated.map(|entry| &entry.node.data) {
        Some(TomlValue::List(list)) => {
            list.iter().map(|node| if let TomlValue::Table(table) = &node.data { Some(table) } else { None }).collect()
        }
        Some(TomlValue::Table(table)) => vec![Some(table)],
        None => Vec::new(),
        Some(other) => {
            ui.horizontal(|ui| {
                muted_label(ui, capitalize(&field.label));
                ui.colored_label(palette(ui).error, moldloft_rules::ruleset::shorten(&as_written(other)));
                if remove_button(ui, &field.label) {
                    out.push(Command::Edit(Edit::change(&field.label, TablePath::Fields, &field.id, None)));
                }
            });
            return;
        }
    };
    let about = |subject: &DesignPart| subject.field().is_some_and(|id| **id == *field.id);
    let all = ship.findings_about(about);
    let is_wanted = ship.is_wanted(&FormTarget::Field(field.id.to_string()));
    let (findings, label) = (
        ship.findings_about(|subject| matches!(subject, DesignPart::Field(_)) && about(subject)),
        capitalize(&field.label),
    );
    let many = match rows.len() {
        0 => "none".to_owned(),
        1 => "1 row".to_owned(),
        many => format!("{many} rows"),
    };
    let state = if applies { many } else { format!("{many}, does not apply") };
    let wrong = if all.is_empty() {
        String::new()
    } else {
        format!(" · {}", moldloft_library::print::plural(all.len(), "finding"))
    };
    let header = CollapsingHeader::new(say(format!("{label} · {state}{wrong}")))
        .id_salt(("rows", &*field.id))
        .default_open((1..=SHOWN_AT_FIRST).contains(&rows.len()))
        .open(is_wanted.then_some(true));
    let shown = header.show(ui, |ui| {
        if let Some(help) = &field.help {
            muted_label(ui, help.as_ref());
        }
        let widths = column_widths(columns, ui.available_width());
        header_row(ui, columns, &widths);
        for (n, row) in rows.iter().enumerate() {
            let findings = ship.findings_about(|subject| {
                matches!(subject, DesignPart::Row { row, .. } if *row == n) && about(subject)
            });
            let name = format!("{} row {}", field.label, n + 1);
            let line = RowLine { ship, field, n, rows: rows.len(), name };
            ui.push_id(n, |ui| {
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 6.0;
                    line.cells(ui, columns, &widths, *row, out);
                    line.buttons(ui, out);
                    findings_badge(ui, &findings, out);
                });
                line.unknown_keys(ui, columns, *row, out);
            });
        }
        let rolls = RollTable::new(ship.evaluation, field, columns);
        ui.horizontal(|ui| {
            if named_button(ui, "+ Row", &format!("Add a row to {}", field.label)) {
                let cells = rolls.as_ref().map_or_else(|| next_cells(columns, &rows), |rolls| rolls.next_row(&rows));
                let step = DocumentEdit::insert(TableList::Rows(field.id.to_string()), usize::MAX, cells);
                out.push(Command::Edit(Edit::single(format!("add a row to {}", field.label), step)));
            }
            // Below the rows, which it would move.
            findings_badge(ui, &findings, out);
            let Some(rolls) = &rolls else { return };
            let filled = rolls.filled();
            let button = ui.add_enabled(filled.is_some(), Button::new(say("Fill by boxes")));
            let button = with_accessible_name(button, &format!("Fill {} by boxes", field.label));
            let button = button.on_hover_text(say("New rows for all of the die: the more boxes, the more faces"));
            if button.on_disabled_hover_text(say("Nothing aboard can be hit, or more than the die has faces")).clicked()
            {
                let what = format!("fill {} by boxes", field.label);
                out.push(Command::Edit(Edit::change(&what, TablePath::Fields, &field.id, filled)));
            }
        });
    });
    if is_wanted {
        crate::inputs::focus_if_wanted(&shown.header_response, true, out);
    }
}

/// Columns without a default get a value; numbers go on from the last row.
fn next_cells(columns: &[FieldColumn], rows: &[Option<&TomlTable<'_>>]) -> Vec<(String, toml_edit::Value)> {
    let first = |column: &FieldColumn| -> Option<toml_edit::Value> {
        if column.default.is_some() {
            return None;
        }
        Some(match &column.kind {
            ColumnKind::Integer { min, max } => {
                let next = next_number(&column.id, rows).unwrap_or(0);
                next.clamp(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX)).into()
            }
            ColumnKind::Flag => false.into(),
            ColumnKind::Text => "".into(),
            ColumnKind::Choice(words) => words.first().map_or("", |word| word).into(),
            ColumnKind::Mount | ColumnKind::System => return None,
        })
    };
    columns.iter().filter_map(|column| Some((column.id.to_string(), first(column)?))).collect()
}

/// The last number with its last step, if the step before was the same: 4, 5, 6 go on with 7, and 3, 3, 4 with 4.
fn next_number(column: &str, rows: &[Option<&TomlTable<'_>>]) -> Option<i64> {
    let number = |back: usize| match rows.iter().rev().nth(back)?.as_ref()?.get(column)?.data {
        TomlValue::Int(number) => Some(number),
        _ => None,
    };
    let step = |back: usize| number(back)?.checked_sub(number(back + 1)?);
    let last = number(0)?;
    let goes_on = rows.len() < 3 || step(0) == step(1);
    last.checked_add(step(0).filter(|_| goes_on).unwrap_or(0))
}

fn column_widths(columns: &[FieldColumn], all: f32) -> Vec<f32> {
    let share = |column: &FieldColumn| match column.kind {
        ColumnKind::Flag => 0.5,
        ColumnKind::Integer { .. } => 1.0,
        _ => 2.0,
    };
    let room = (all - TOOLS_WIDTH - 24.0 - 6.0 * columns.len() as f32).max(40.0);
    let sum: f32 = columns.iter().map(share).sum();
    columns.iter().map(|column| (room * share(column) / sum.max(1.0)).clamp(36.0, 90.0 * share(column))).collect()
}

fn header_row(ui: &mut Ui, columns: &[FieldColumn], widths: &[f32]) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (column, width) in columns.iter().zip(widths) {
            sized_cell(ui, *width, 26.0, |ui| {
                ui.set_max_width(*width);
                let text = RichText::new(say(&*column.label)).size(SMALL).color(palette(ui).muted);
                ui.add(Label::new(text).truncate());
            });
        }
    });
}

/// A row of a field, in the table of them all.
struct RowLine<'a> {
    ship: &'a DesignView<'a>,
    field: &'a FieldDef,
    n: usize,
    rows: usize,
    /// For who reads by ear: `guns row 2`.
    name: String,
}

impl RowLine<'_> {
    fn path(&self) -> TablePath {
        TablePath::Row { field: self.field.id.to_string(), row: self.n }
    }

    fn cells(
        &self,
        ui: &mut Ui,
        columns: &[FieldColumn],
        widths: &[f32],
        row: Option<&TomlTable<'_>>,
        out: &mut Vec<Command>,
    ) {
        let Some(row) = row else {
            ui.colored_label(palette(ui).error, say("expected columns, such as { a = 1 }"));
            return;
        };
        for (column, width) in columns.iter().zip(widths) {
            sized_cell(ui, *width, 26.0, |ui| {
                ui.set_max_width(*width);
                self.cell(ui, column, *width, row.get(&column.id).map(|node| &node.data), out);
            });
        }
    }

    fn unknown_keys(&self, ui: &mut Ui, columns: &[FieldColumn], row: Option<&TomlTable<'_>>, out: &mut Vec<Command>) {
        let entries = row.into_iter().flat_map(|row| &row.entries);
        for entry in entries.filter(|entry| columns.iter().all(|column| *column.id != *entry.key)) {
            unknown_key_row(ui, entry, &self.name, self.path(), out);
        }
    }

    fn buttons(&self, ui: &mut Ui, out: &mut Vec<Command>) {
        let (n, rows) = (self.n, || TableList::Rows(self.field.id.to_string()));
        let response = icon_button(ui, Icon::More, &format!("More actions for {}", self.name));
        egui::Popup::menu(&response).show(|ui| {
            let mut offer = |ui: &mut Ui, label: &str, can: bool, step: DocumentEdit| {
                if ui.add_enabled(can, Button::new(say(label))).clicked() {
                    let what = format!("{}, {}", label.to_lowercase(), self.name);
                    out.push(Command::Edit(Edit::single(what, step)));
                }
            };
            let to = |to: usize| DocumentEdit::reorder(rows(), n, to);
            offer(ui, "Move up", n > 0, to(n.saturating_sub(1)));
            offer(ui, "Move down", n + 1 < self.rows, to(n + 1));
            offer(ui, "Add a row before", true, DocumentEdit::insert(rows(), n, Vec::new()));
            offer(ui, "Remove", true, DocumentEdit::remove(rows(), n));
        });
    }

    fn cell(
        &self,
        ui: &mut Ui,
        column: &FieldColumn,
        width: f32,
        stated: Option<&TomlValue<'_>>,
        out: &mut Vec<Command>,
    ) {
        let evaluation = self.ship.evaluation;
        let name = format!("{}, {}", column.label, self.name);
        let edit = |value| Some(Edit::change(&name, self.path(), &column.id, value));
        let options: Vec<(String, String)> = match &column.kind {
            ColumnKind::Mount => {
                let mounts = evaluation.mounts.iter();
                mounts.map(|mount| (mount.id.to_string(), capitalize(&mount.label))).collect()
            }
            ColumnKind::System => {
                let systems = fit_edits::available_systems(evaluation).into_iter();
                systems.map(|system| (system.id.to_string(), capitalize(&system.name))).collect()
            }
            ColumnKind::Choice(known) => known.iter().map(|word| (word.to_string(), capitalize(word))).collect(),
            ColumnKind::Integer { .. } | ColumnKind::Flag | ColumnKind::Text => Vec::new(),
        };
        let listed = options.iter().map(|(id, label)| InputOption::new(id, label));
        let (kind, width) = match &column.kind {
            ColumnKind::Integer { min, max } => {
                (InputKind::Integer { min: *min, max: *max, has_buttons: false }, width.min(64.0))
            }
            ColumnKind::Flag => (InputKind::Flag, width),
            ColumnKind::Text => (InputKind::Text, width),
            ColumnKind::Mount | ColumnKind::System | ColumnKind::Choice(_) => {
                (InputKind::Choice(listed.collect()), width - 2.0)
            }
        };
        let salt = Id::unique(("cell", &*self.field.id, self.n, &*column.id));
        let default = column.default.as_ref().unwrap_or(&Value::Null);
        let input = TypedInput { name: &name, kind, width, salt };
        input.show(ui, stated, default, out, edit);
    }
}
