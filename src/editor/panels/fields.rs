//! The form's upper part: the name and notes, and what the ruleset asks of every design.

use egui::{Id, Label, RichText, Ui, vec2};

use super::rows;
use super::ship::{Ship, raw};
use super::value::{stranger, take_out};
use crate::design::Subject;
use crate::editor::inputs::{Option_, choice, number, sign, text};
use crate::editor::theme::palette;
use crate::editor::widgets::{named, quiet, small};
use crate::editor::{Command, Edit, Place, State, Step};
use crate::evaluate::{FieldResult, Margin, MarginKind};
use crate::finding::Finding;
use crate::formula::Value;
use crate::ruleset::{Choice, Field, FieldKind};
use crate::source::toml::{Data, Entry};

/// The least width of a label with its input.
const LEAST: f32 = 300.0;
const LABEL: f32 = 108.0;
const MOST: i64 = 999_999_999;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(doc) = state.doc() else { return };
    let Some(judged) = doc.judged() else {
        quiet(ui, "This file cannot be read as a design. See the findings; fix it in a text editor.");
        return;
    };
    ui.style_mut().interaction.selectable_labels = false;
    ui.spacing_mut().item_spacing = vec2(8.0, 6.0);
    ui.add_space(4.0);
    let words =
        |word: &Option<crate::design::Word>| word.as_ref().map_or_else(String::new, |word| word.text.to_string());
    let ship = Ship::of(state);
    let top = |key: &'static str, typed: &str| {
        Edit::one(format!("change the {key}"), Step::SetTop { key: key.to_owned(), value: typed.into() })
    };
    let wanted = |place: Place| state.go_to.as_ref() == Some(&place);
    let found = |key: &str| {
        let is = |subject: &Subject| matches!(subject, Subject::Head(head) if **head == *key);
        ship.as_ref().map(|ship| ship.found(is)).unwrap_or_default()
    };
    let mut cells = Cells::new(ui);
    cells.cell(ui, "name", &found("name"), out, |ui, out| {
        let response = text(ui, "name", &words(&judged.design.name), 1, out, |typed| top("name", typed));
        arrive(&response, wanted(Place::Top("name")), out);
    });
    cells.cell(ui, "rules", &found("ruleset"), out, |ui, _| {
        let shown = match &ship {
            Some(ship) => ship.evaluation.ruleset.rules_title(),
            None => format!("{} (not usable)", words(&judged.design.ruleset)),
        };
        ui.add(Label::new(shown).truncate());
    });
    if let Some(ship) = &ship {
        let fields = ship.evaluation.fields.iter().zip(&ship.evaluation.ruleset.fields);
        for (result, field) in fields.clone().filter(|(_, field)| !matches!(field.kind, FieldKind::Rows(_))) {
            let stated = judged.design.fields.iter().find(|entry| *entry.key == *field.id);
            if result.applies {
                one(ui, ship, &mut cells, field, result, stated, out);
            } else if let Some(entry) = stated {
                idle(ui, &mut cells, field, entry, out);
            }
        }
    }
    cells.end(ui);
    cells.wide(ui, "notes", &found("notes"), out, |ui, out| {
        let response = text(ui, "notes", &words(&judged.design.notes), 2, out, |typed| top("notes", typed));
        arrive(&response, wanted(Place::Top("notes")), out);
    });
    let Some(ship) = ship else { return };
    for entry in &judged.design.fields {
        if ship.evaluation.ruleset.fields.iter().all(|field| *field.id != *entry.key) {
            let step = Step::RemoveField { field: entry.key.to_string() };
            let found = ship.found(|subject| matches!(subject, Subject::Field(id) if **id == *entry.key));
            sign(ui, &found, out);
            stranger(ui, &entry.key, &raw(&entry.node.data), "the fields", || {
                out.push(Command::Edit(Edit::one(format!("remove {}", entry.key), step.clone())));
            });
        }
    }
    for entry in &judged.design.unknown {
        let step = Step::RemoveTop { key: entry.key.to_string() };
        stranger(ui, &entry.key, &raw(&entry.node.data), "the design", || {
            out.push(Command::Edit(Edit::one(format!("remove {}", entry.key), step.clone())));
        });
    }
    let fields = ship.evaluation.fields.iter().zip(&ship.evaluation.ruleset.fields);
    for (result, field) in fields {
        if let FieldKind::Rows(columns) = &field.kind {
            let stated = judged.design.fields.iter().find(|entry| *entry.key == *field.id);
            if result.applies || stated.is_some() {
                rows::show(ui, &ship, field, columns, result.applies, stated, out);
            }
        }
    }
}

/// Brings the keyboard to something.
pub fn arrive(response: &egui::Response, is_wanted: bool, out: &mut Vec<Command>) {
    if is_wanted {
        response.request_focus();
        response.scroll_to_me(None);
        out.push(Command::Arrived);
    }
}

/// Labels and inputs in one column or two.
struct Cells {
    columns: usize,
    width: f32,
    at: usize,
    top: f32,
    bottom: f32,
}

impl Cells {
    fn new(ui: &Ui) -> Self {
        let all = ui.available_width();
        let columns = if all >= LEAST * 2.0 { 2 } else { 1 };
        let width = (all - 18.0 * (columns as f32 - 1.0)) / columns as f32;
        Self { columns, width, at: 0, top: 0.0, bottom: 0.0 }
    }

    fn cell(
        &mut self,
        ui: &mut Ui,
        label: &str,
        found: &[&Finding],
        out: &mut Vec<Command>,
        add: impl FnOnce(&mut Ui, &mut Vec<Command>),
    ) {
        let area = ui.available_rect_before_wrap();
        if self.at == 0 {
            self.top = area.top();
            self.bottom = self.top;
        }
        let left = area.left() + (self.width + 18.0) * self.at as f32;
        let rect = egui::Rect::from_min_size(egui::pos2(left, self.top), vec2(self.width, 26.0));
        let shown = ui.scope_builder(egui::UiBuilder::new().max_rect(rect).id_salt(label), |ui| {
            labelled(ui, label, found, out, add);
        });
        self.bottom = self.bottom.max(shown.response.rect.bottom());
        self.at += 1;
        if self.at == self.columns {
            self.end(ui);
        }
    }

    /// Ends a line that is not full.
    fn end(&mut self, ui: &mut Ui) {
        if self.at > 0 {
            let area = ui.available_rect_before_wrap();
            let used =
                egui::Rect::from_min_max(egui::pos2(area.left(), self.top), egui::pos2(area.right(), self.bottom));
            ui.expand_to_include_rect(used);
            ui.advance_cursor_after_rect(used);
            self.at = 0;
        }
    }

    fn wide(
        &mut self,
        ui: &mut Ui,
        label: &str,
        found: &[&Finding],
        out: &mut Vec<Command>,
        add: impl FnOnce(&mut Ui, &mut Vec<Command>),
    ) {
        self.end(ui);
        labelled(ui, label, found, out, add);
    }
}

/// A quiet label with the sign of what was found, and the input.
fn labelled(
    ui: &mut Ui,
    label: &str,
    found: &[&Finding],
    out: &mut Vec<Command>,
    add: impl FnOnce(&mut Ui, &mut Vec<Command>),
) {
    ui.horizontal_top(|ui| {
        let layout = egui::Layout::left_to_right(egui::Align::Center);
        let signs = if found.is_empty() { 0.0 } else { 24.0 };
        ui.allocate_ui_with_layout(vec2(LABEL, 26.0), layout, |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            ui.set_min_width(LABEL);
            let text = RichText::new(super::mounts::capital(label)).color(palette(ui).quiet);
            ui.allocate_ui_with_layout(vec2(LABEL - signs, 26.0), layout, |ui| {
                ui.set_min_width(LABEL - signs);
                ui.add(Label::new(text).wrap());
            });
            sign(ui, found, out);
        });
        ui.allocate_ui_with_layout(vec2(ui.available_width(), 26.0), layout, |ui| add(ui, out));
    });
}

/// A field that applies.
fn one(
    ui: &mut Ui,
    ship: &Ship<'_>,
    cells: &mut Cells,
    field: &Field,
    result: &FieldResult,
    stated: Option<&Entry<'static>>,
    out: &mut Vec<Command>,
) {
    let found = ship.found(|subject| matches!(subject, Subject::Field(id) if **id == *field.id));
    let is_wanted = ship.is_wanted(&Place::Field(field.id.to_string()));
    let name = &*result.label;
    let set = |value: toml_edit::Value| {
        Edit::one(format!("change {name}"), Step::SetField { field: field.id.to_string(), value })
    };
    let data = stated.map(|entry| &entry.node.data);
    cells.cell(ui, name, &found, out, |ui, out| {
        let response = match (&field.kind, data) {
            (FieldKind::Choice(options), None | Some(Data::Text(_))) => {
                let chosen = said(data, &field.default);
                let width = ui.available_width() - 2.0;
                let salt = Id::unique(("field", &*field.id));
                let (response, made) = choice(ui, salt, name, &chosen, listed(options), width);
                out.extend(made.map(|word| Command::Edit(set(word.into()))));
                response
            }
            (FieldKind::Integer { min, max }, None | Some(Data::Int(_))) => {
                let value = match (data, &field.default) {
                    (Some(Data::Int(value)), _) | (None, Value::Int(value)) => *value,
                    _ => 0,
                };
                let range = (value, min.unwrap_or(-MOST), max.unwrap_or(MOST));
                let response =
                    crate::editor::inputs::stepper(ui, (name, name), range, out, |value| Some(set(value.into())));
                let hint = match (min, max) {
                    (Some(min), Some(max)) if *max < 9_999 => format!("{min} to {max}").replace('-', "−"),
                    _ => String::new(),
                };
                match free(ship, &field.id) {
                    Some((words, sentences)) => small(ui, words).on_hover_text(sentences),
                    None => small(ui, hint),
                };
                response
            }
            (FieldKind::Flag, None | Some(Data::Flag(_))) => {
                let mut on = match (data, &field.default) {
                    (Some(Data::Flag(on)), _) | (None, Value::Flag(on)) => *on,
                    _ => false,
                };
                let response = named(ui.add(egui::Checkbox::without_text(&mut on)), name);
                if response.changed() {
                    out.push(Command::Edit(set(on.into())));
                }
                response
            }
            (FieldKind::Text, None | Some(Data::Text(_))) => {
                text(ui, name, &said(data, &field.default), 1, out, |typed| set(typed.into()))
            }
            _ => {
                let shown = data.map(raw).unwrap_or_default();
                let text = RichText::new(crate::ruleset::brief(&shown)).color(palette(ui).error);
                let response = ui.add(Label::new(text).truncate());
                if take_out(ui, name) {
                    let step = Step::RemoveField { field: field.id.to_string() };
                    out.push(Command::Edit(Edit::one(format!("remove {name}"), step)));
                }
                response
            }
        };
        arrive(&response, is_wanted, out);
        if let Some(help) = &field.help {
            response.on_hover_text(&**help);
        }
    });
}

/// What of a field is wasted, or could be more at the same price.
fn free(ship: &Ship<'_>, field: &str) -> Option<(String, String)> {
    let margins = ship.doc.margins().iter();
    let of_field = margins.filter(|margin| match &margin.kind {
        MarginKind::Spare(steps) | MarginKind::Room(steps) => *steps.of == *field,
        MarginKind::Budget { .. } => false,
    });
    let all: Vec<&Margin> = of_field.collect();
    let is_room = |margin: &&&Margin| matches!(margin.kind, MarginKind::Room(_));
    let room = all.iter().filter(is_room).map(|margin| margin.left()).min().filter(|left| *left > 0);
    let spare = all.iter().filter(|margin| !is_room(margin)).map(|margin| margin.left()).min().filter(|left| *left > 0);
    let words = match (room, spare) {
        (Some(room), _) => format!("room for {room} more"),
        (None, Some(spare)) => format!("{spare} spare"),
        _ => return None,
    };
    Some((words, all.iter().map(|margin| margin.sentence()).collect::<Vec<_>>().join("\n")))
}

/// A field that does not apply and yet holds something.
fn idle(ui: &mut Ui, cells: &mut Cells, field: &Field, entry: &Entry<'static>, out: &mut Vec<Command>) {
    cells.cell(ui, &field.label, &[], out, |ui, out| {
        let shown = match &entry.node.data {
            Data::Text(text) => text.to_string(),
            other => raw(other),
        };
        quiet(ui, format!("{} · does not apply", crate::ruleset::brief(&shown)));
        if take_out(ui, &field.label) {
            let step = Step::RemoveField { field: field.id.to_string() };
            out.push(Command::Edit(Edit::one(format!("remove {}", field.label), step)));
        }
    });
}

fn said(data: Option<&Data<'_>>, default: &Value) -> String {
    match (data, default) {
        (Some(Data::Text(text)), _) => text.to_string(),
        (None, Value::Text(text)) => text.to_string(),
        _ => String::new(),
    }
}

/// The options with what each answers as a hint.
fn listed(choice: &Choice) -> impl Iterator<Item = Option_<'_>> {
    choice.options.iter().map(|option| {
        let answers = choice.attributes.iter().zip(&option.values);
        let answers =
            answers.filter_map(|((id, _), value)| Some(format!("{}: {}", id.replace('_', " "), value.shown()?)));
        Option_ { id: &option.id, label: &option.label, hint: answers.collect::<Vec<_>>().join("\n"), refused: None }
    })
}

/// A number in a table.
pub fn small_number(
    ui: &mut Ui,
    name: &str,
    range: (i64, Option<i64>, Option<i64>),
    width: f32,
    out: &mut Vec<Command>,
    edit: impl Fn(i64) -> Edit,
) {
    let range = (range.0, range.1.unwrap_or(-MOST), range.2.unwrap_or(MOST));
    number(ui, name, range, width, out, |value| Some(edit(value)));
}
