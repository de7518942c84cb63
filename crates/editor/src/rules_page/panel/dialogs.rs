//! The dialogs of the rules page: a new layer, the reason of a change, a new row by form.

use std::sync::Arc;

use egui::{ComboBox, Grid, Id, Label, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::panels::dialog_parts::{cancel_button, focus_first, select_when_focused};
use crate::rules_page::panel::completion;
use crate::rules_page::panel::list_cells;
use crate::rules_page::panel::words::{part_name, severity_name, singular};
use crate::rules_page::{AddRowDialog, NewLayerDialog, ReasonDialog, RuleChange, RulesPageCommand, proposed_file};
use crate::theme::bold;
use crate::widgets::{
    capitalize, choice_list, error_text, is_left_by_enter, muted_text, named_button, primary_button,
    with_accessible_name, with_curly_quotes,
};
use crate::{Command, Dialog, EditorState, OpenRuleset};
use moldloft_base::sanitize::shorten_line;
use moldloft_rules::ruleset::{CellKind, FormColumn, GridId, declaration_key, form_columns};

/// Of text fields, in points.
const FIELD_WIDTH: f32 = 340.0;
/// Of a menu beside a field.
const MENU_WIDTH: f32 = 96.0;
const COMPLETION_HEIGHT: f32 = 58.0;
const MAX_VALUE_CHARS: usize = 60;

pub fn show_new_layer(ui: &mut Ui, state: &EditorState, dialog: &NewLayerDialog, out: &mut Vec<Command>) {
    ui.heading("New house rules");
    let base = state.find_doc(dialog.base).map(|doc| doc.name()).unwrap_or_default();
    let about =
        format!("A layer keeps only what differs from {base}. Nothing is copied; you can take each change back.");
    ui.add(Label::new(about).wrap());
    let base = state.find_doc(dialog.base).and_then(|doc| doc.as_ruleset());
    if let Some(change) = base.zip(dialog.change.as_ref()).and_then(|(base, change)| change_words(base, change)) {
        ui.add(Label::new(RichText::new(format!("First change: {change}")).family(bold())).wrap());
    }
    ui.add_space(4.0);
    let mut now = dialog.clone();
    let mut file = proposed_file(state, dialog);
    let mut enter = false;
    Grid::new("new layer").num_columns(2).spacing([12.0, 8.0]).show(ui, |ui| {
        let label = ui.label("Name");
        let field = ui.add(TextEdit::singleline(&mut now.name).desired_width(FIELD_WIDTH)).labelled_by(label.id);
        focus_first(ui, &field);
        select_when_focused(ui, &field, &now.name);
        enter |= is_left_by_enter(ui, &field);
        ui.end_row();
        if dialog.change.as_ref().is_some_and(|change| matches!(change, RuleChange::Cell { .. })) {
            let label = ui.label("Reason");
            let hint = "why you play it this way; players see it";
            let field = TextEdit::singleline(&mut now.reason).hint_text(hint).desired_width(FIELD_WIDTH);
            let field = ui.add(field).labelled_by(label.id);
            enter |= is_left_by_enter(ui, &field);
            ui.end_row();
        }
        let label = ui.label("File");
        let field = ui.add(TextEdit::singleline(&mut file).desired_width(FIELD_WIDTH)).labelled_by(label.id);
        select_when_focused(ui, &field, &file);
        enter |= is_left_by_enter(ui, &field);
        if field.changed() {
            now.file = Some(file.clone());
        }
        ui.end_row();
    });
    match state.store.workspace() {
        Some(folder) => muted_text(ui, format!("in {}", folder.join("rulesets").display())),
        None => muted_text(ui, "No folder is open: the layer is kept in its tab until you save it."),
    };
    if let Some(error) = &dialog.error {
        error_text(ui, with_curly_quotes(error));
    }
    if now != *dialog {
        now.error = None;
        out.push(Command::OpenDialog(Dialog::NewLayer(now)));
    }
    ui.horizontal(|ui| {
        if primary_button(ui, "Create").clicked() || enter {
            out.push(Command::RulesPage(RulesPageCommand::CreateLayer));
        }
        cancel_button(ui, out);
    });
}

/// `laser · points: 10 → 12`; `None` for changes that have had a dialog of their own.
fn change_words(base: &OpenRuleset, change: &RuleChange) -> Option<String> {
    let RuleChange::Cell { cell, text } = change else { return None };
    let grid = base.book.grid(&cell.grid)?;
    let (row, number) = (grid.row(&cell.row)?, grid.column(&cell.column)?);
    let before = row.cells.get(number)?.text.as_deref().unwrap_or("not set");
    let side = |text: &str| shorten_line(text, MAX_VALUE_CHARS);
    Some(format!("{} · {}: {} → {}", row.label, grid.columns[number].label, side(before), side(text)))
}

pub fn show_reason(ui: &mut Ui, dialog: &ReasonDialog, out: &mut Vec<Command>) {
    let mut change = dialog.change.clone();
    let title = match &change {
        RuleChange::Severity { code, severity, .. } if severity == "off" => format!("Switch off {code}"),
        RuleChange::Severity { code, severity, .. } => format!("Make {code} {}", severity_name(severity)),
        RuleChange::Remove { row, .. } => format!("Remove {row}"),
        _ => "Reason".to_owned(),
    };
    ui.heading(title);
    let mut enter = false;
    let mut typed = String::new();
    if let RuleChange::Severity { reason, .. } | RuleChange::Remove { reason, .. } = &mut change {
        let label = ui.label("Reason");
        let hint = "why your group plays it this way";
        let field = TextEdit::singleline(reason).hint_text(hint).desired_width(f32::INFINITY);
        let field = ui.add(field).labelled_by(label.id);
        enter = is_left_by_enter(ui, &field);
        focus_first(ui, &field);
        typed = reason.trim().to_owned();
    }
    muted_text(ui, "Sheets and opponents see it.");
    let is_required = matches!(change, RuleChange::Severity { .. });
    if change != dialog.change {
        out.push(Command::OpenDialog(Dialog::RuleReason(ReasonDialog { change: change.clone() })));
    }
    ui.horizontal(|ui| {
        let can = !typed.is_empty() || !is_required;
        ui.add_enabled_ui(can, |ui| {
            let is_clicked = primary_button(ui, "Apply").clicked();
            if can && (is_clicked || enter) {
                out.extend([Command::CloseDialog, Command::RulesPage(RulesPageCommand::Change(change))]);
            }
        });
        cancel_button(ui, out);
    });
}

pub fn show_add_row(ui: &mut Ui, state: &EditorState, dialog: &AddRowDialog, out: &mut Vec<Command>) {
    let Some(open) = state.current_doc().and_then(|doc| doc.as_ruleset()) else { return };
    let Some(grid) = open.book.grid(&dialog.grid) else { return };
    let title = match &dialog.grid.part {
        Some((_, key)) => format!("New {} of {}", part_name(key).1, grid.title),
        None => format!("New {}", singular(&dialog.grid.section)),
    };
    ui.heading(title);
    let mut now = dialog.clone();
    let room = (ui.ctx().content_rect().height() - 300.0).clamp(120.0, 520.0);
    let columns = form_columns(grid);
    let systems = system_rows(open);
    let mut enter = false;
    let is_rare = |key: &str| columns.iter().any(|known| known.is_rare && *known.column.key == *key);
    ScrollArea::vertical().id_salt("new row").max_height(room).auto_shrink([false, true]).show(ui, |ui| {
        Grid::new("new row").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
            for (key, text) in now.cells.iter_mut().filter(|(key, _)| !is_rare(key)) {
                enter |= new_row_input(ui, &dialog.grid, &columns, &systems, key, text);
            }
        });
        if columns.iter().any(|known| known.is_rare) {
            ui.collapsing("More", |ui| {
                Grid::new("more of new row").num_columns(2).spacing([12.0, 6.0]).show(ui, |ui| {
                    for (key, text) in now.cells.iter_mut().filter(|(key, _)| is_rare(key)) {
                        enter |= new_row_input(ui, &dialog.grid, &columns, &systems, key, text);
                    }
                });
            });
        }
    });
    if columns.iter().any(|known| matches!(known.column.kind, CellKind::Formula(_) | CellKind::Template)) {
        complete_formula(ui, open, &mut now.cells);
    }
    if let Some(error) = &dialog.error {
        ui.label(RichText::new("Not added:").family(bold()));
        error_text(ui, with_curly_quotes(error));
    }
    if now != *dialog {
        now.error = None;
        out.push(Command::OpenDialog(Dialog::AddRule(now)));
    }
    ui.horizontal(|ui| {
        if primary_button(ui, "Add").clicked() || enter {
            out.push(Command::RulesPage(RulesPageCommand::AddRow));
        }
        cancel_button(ui, out);
    });
}

/// Ids and names, for what a new one may be like.
fn system_rows(open: &OpenRuleset) -> Vec<(Arc<str>, String)> {
    let grid = open.book.grid(&GridId { section: "system".into(), part: None });
    let rows = grid.map(|grid| &*grid.rows).unwrap_or_default();
    rows.iter().map(|row| (row.key.clone(), capitalize(&row.label))).collect()
}

/// The name and the field of a key; several lines for what is written as in the file. True if Enter has left it.
fn new_row_input(
    ui: &mut Ui,
    grid: &GridId,
    columns: &[FormColumn],
    systems: &[(Arc<str>, String)],
    key: &str,
    text: &mut String,
) -> bool {
    let known = columns.iter().find(|known| *known.column.key == *key);
    let name = match (key, known) {
        ("", _) if grid.part.is_none() => declaration_key(&grid.section),
        ("", _) => "id",
        (_, Some(known)) => &known.column.label,
        (key, None) => key,
    };
    let kind = known.map(|known| known.column.kind);
    let label = ui.label(name);
    let mut hint = match (key, kind) {
        ("", _) => "small letters, digits and hyphens".to_owned(),
        ("like", _) => "a system whose keys it has, such as laser".to_owned(),
        (_, Some(CellKind::Formula(holds))) => format!("{holds}, or a formula"),
        (_, Some(CellKind::Choice(words))) => words.join(", "),
        (_, Some(CellKind::Words)) => "words, separated by commas".to_owned(),
        (_, Some(CellKind::Flag)) => "true or false".to_owned(),
        (_, Some(CellKind::Template)) => "text with {{ formula }}".to_owned(),
        (_, Some(CellKind::Toml)) => known.map(|known| known.example.clone()).unwrap_or_default(),
        _ => String::new(),
    };
    if known.is_some_and(|known| known.required) {
        hint = format!("required{}{hint}", if hint.is_empty() { "" } else { ": " });
    }
    let id = Id::unique(("new rule", key));
    let example = known.map(|known| &*known.example).filter(|example| list_cells::list_in(example).is_some());
    if kind == Some(CellKind::Toml)
        && !ui.memory(|memory| memory.has_focus(id))
        && let Some(list) = list_cells::list_in(text)
    {
        ui.vertical(|ui| {
            if let Some(changed) = list_cells::show(ui, &list, name) {
                *text = changed;
            }
        });
        ui.end_row();
        return false;
    }
    let is_like = key == "like" && grid.part.is_none() && &*grid.section == "system";
    let is_long = kind == Some(CellKind::Toml);
    let word = |word: &&str| ((*word).into(), (*word).to_owned());
    let options: Vec<(Arc<str>, String)> = match kind {
        _ if is_like => systems.to_vec(),
        Some(CellKind::Choice(words)) => words.iter().map(word).collect(),
        Some(CellKind::Flag) => ["true", "false"].iter().map(word).collect(),
        _ => Vec::new(),
    };
    let width = if options.is_empty() { FIELD_WIDTH } else { FIELD_WIDTH - MENU_WIDTH - 8.0 };
    let input = |ui: &mut Ui, text: &mut String| {
        let field = match is_long {
            true => TextEdit::multiline(text).code_editor().desired_rows(2),
            false => TextEdit::singleline(text),
        };
        ui.add(field.id(id).hint_text(hint).desired_width(width))
    };
    let field = match options.is_empty() {
        true => input(ui, text),
        false => {
            let row = ui.horizontal(|ui| {
                let field = input(ui, text);
                let menu_name =
                    if is_like { "the system that it is like".to_owned() } else { format!("{name}: choose") };
                option_menu(ui, &menu_name, &options, text);
                field
            });
            row.inner
        }
    };
    if matches!(kind, Some(CellKind::Formula(_) | CellKind::Template)) && field.has_focus() {
        ui.data_mut(|data| data.insert_temp(formula_field_id(), key.to_owned()));
    }
    let field = with_accessible_name(field.labelled_by(label.id), name);
    if key.is_empty() {
        focus_first(ui, &field);
    }
    if !is_long {
        select_when_focused(ui, &field, text);
    }
    let enter = !is_long && is_left_by_enter(ui, &field);
    if let Some(about) = known.map(|known| known.column.about).filter(|about| !about.is_empty()) {
        field.on_hover_text(about);
    }
    if let Some(example) = example.filter(|_| text.is_empty())
        && named_button(ui, "As cells", &format!("fill in {name} as cells"))
    {
        *text = example.to_owned();
    }
    ui.end_row();
    enter
}

fn option_menu(ui: &mut Ui, name: &str, options: &[(Arc<str>, String)], text: &mut String) {
    let list = ComboBox::from_id_salt(name).selected_text("choose…").width(MENU_WIDTH).height(300.0);
    let choices = options.iter().map(|(id, label)| (&**id, label));
    if let Some(id) = choice_list(ui, list, name, &**text, choices).map(str::to_owned) {
        *text = id;
    }
}

/// The key of the last field with a formula that had the focus.
fn formula_field_id() -> Id {
    Id::unique("formula of a new rule")
}

/// Names for the formula that is typed, in a place of their own so that the fields do not move.
fn complete_formula(ui: &mut Ui, open: &OpenRuleset, cells: &mut [(Arc<str>, String)]) {
    let key: Option<String> = ui.data(|data| data.get_temp(formula_field_id()));
    ui.allocate_ui(vec2(ui.available_width(), COMPLETION_HEIGHT), |ui| {
        ui.set_min_height(COMPLETION_HEIGHT);
        let Some((key, text)) = cells.iter_mut().find(|(known, _)| key.as_deref() == Some(known)) else { return };
        let field = Id::unique(("new rule", &**key));
        // A press on an offer takes the focus away first.
        let is_here = ui.memory(|memory| memory.focused().is_none_or(|focused| focused == field));
        if is_here && let Some(completed) = completion::show(ui, field, text, &open.names) {
            *text = completed;
        }
    });
}
