//! The selected cell: its input, what is in force and below, where it comes from, its findings, and taking it back.

use egui::{Align, Checkbox, ComboBox, Id, Key, Label, Layout, RichText, TextEdit, Ui, vec2};

use crate::Command;
use crate::language::{say, tell};
use crate::layer_edits::parse_typed;
use crate::panels::findings::severity_icon;
use crate::rules_page::panel::completion;
use crate::rules_page::panel::grid::line_height;
use crate::rules_page::panel::list_cells;
use crate::rules_page::panel::table_cells;
use crate::rules_page::panel::view::PageView;
use crate::rules_page::panel::words::{provenance_name, severity_name};
use crate::rules_page::{CellId, RuleChange, RulesPageCommand, RulesSide};
use crate::theme::{bold, palette};
use crate::widgets::{
    choice_list, error_text, muted_label, muted_text, named_button, primary_button, select_all, severity_colour,
    with_accessible_name, with_curly_quotes,
};
use moldloft_base::finding::Finding;
use moldloft_rules::ruleset::{CellKind, GridColumn, GridRow, RowState, RuleCell};

const REASON_WIDTH: f32 = 420.0;
const MAX_ROWS: usize = 5;
const MAX_NAME_CHARS: usize = 20;

struct CellView<'a> {
    id: &'a CellId,
    column: &'a GridColumn,
    row: &'a GridRow,
    cell: &'a RuleCell,
    /// As typed, or as written.
    text: String,
}

pub fn show(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    let Some(cell) = find(view) else {
        muted_label(ui, "Select a cell to see where its value comes from, and to change it.");
        return;
    };
    ui.add_space(2.0);
    head(ui, view, &cell, out);
    let accessible = tell("{1} of {2}", &[&say(&cell.column.label), &cell.row.label]);
    if cell.row.state == RowState::Removed {
        muted_label(ui, "This layer removes it.");
    } else if let Some(parts) = parts_of(view, &cell) {
        parts_input(ui, view, &cell, &parts, &accessible, out);
    } else if !cell.cell.is_plain && cell.column.kind == CellKind::Toml {
        muted_text(ui, cell.text.clone());
        ui.horizontal(|ui| {
            muted_label(ui, "A table: edit it as text.");
            if ui.button(say("Show the text")).clicked() {
                out.push(Command::RulesPage(RulesPageCommand::ShowSide(RulesSide::Text)));
            }
        });
    } else {
        input(ui, view, &cell, &accessible, out);
    }
    origin(ui, view, &cell);
    for finding in view.open.findings_at(cell.cell) {
        cell_finding(ui, finding);
    }
    reason(ui, view, &cell, out);
    ui.add_space(2.0);
}

fn cell_finding(ui: &mut Ui, finding: &Finding) {
    ui.horizontal_top(|ui| {
        severity_icon(ui, finding.severity);
        let help = finding.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        let text = with_curly_quotes(&format!("{}{help}", finding.message));
        ui.add(Label::new(RichText::new(say(text)).color(severity_colour(ui, finding.severity))).wrap());
    });
}

fn find<'a>(view: &PageView<'a>) -> Option<CellView<'a>> {
    let id = view.page.cell.as_ref()?;
    let grid = view.open.book.grid(&id.grid)?;
    let (row, number) = (grid.row(&id.row)?, grid.column(&id.column)?);
    let (column, cell) = (&grid.columns[number], row.cells.get(number)?);
    let text = view.page.typed.clone().or_else(|| cell.text.as_deref().map(str::to_owned)).unwrap_or_default();
    Some(CellView { id, column, row, cell, text })
}

fn head(ui: &mut Ui, view: &PageView<'_>, cell: &CellView<'_>, out: &mut Vec<Command>) {
    ui.horizontal(|ui| title_row(ui, cell, out));
    if !view.is_layer() && view.page.typed.is_some() {
        muted_label(ui, "Not changed yet.");
    }
}

fn title_row(ui: &mut Ui, cell: &CellView<'_>, out: &mut Vec<Command>) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let (grid, row) = (cell.id.grid.clone(), cell.id.row.clone());
        let is_built_in_check = &*grid.section == "check" && cell.row.label.ends_with("(built-in)");
        match cell.row.state {
            RowState::Added | RowState::Removed => {
                let what = if cell.row.state == RowState::Added { "Remove again" } else { "Take back" };
                if named_button(ui, what, &format!("take back the row {}", cell.row.label)) {
                    out.push(Command::RulesPage(RulesPageCommand::TakeBackRow { grid, row }));
                }
            }
            RowState::Below | RowState::Changed if !is_built_in_check => {
                let name = format!("remove {}", cell.row.label);
                let is_short = cell.row.label.chars().count() <= MAX_NAME_CHARS;
                let what = if is_short { &*cell.row.label } else { "this row" };
                if named_button(ui, &format!("Remove {what}…"), &name) {
                    let change = RuleChange::Remove { grid, row, reason: String::new() };
                    out.push(Command::RulesPage(RulesPageCommand::OpenReasonDialog(change)));
                }
            }
            RowState::Below | RowState::Changed => {}
        }
        // Left of what stays: a second click on the same spot does nothing else.
        if cell.cell.is_set
            && named_button(ui, "Take back", &format!("take back {} of {}", cell.column.label, cell.row.label))
        {
            out.push(Command::RulesPage(RulesPageCommand::TakeBack(cell.id.clone())));
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let title = format!("{} · {}", cell.row.label, cell.column.label);
            ui.add(Label::new(RichText::new(say(title)).family(bold())).truncate());
            let hint = match cell.column.kind {
                CellKind::Integer => "a whole number".to_owned(),
                CellKind::Formula(holds) => format!("{holds}, or a formula"),
                CellKind::Template => "text with {{ formula }}".to_owned(),
                CellKind::Words => "words, separated by commas".to_owned(),
                _ => String::new(),
            };
            let unit = &cell.column.unit;
            let hint = if unit.is_empty() || *unit == cell.column.label { hint } else { format!("{hint}, in {unit}") };
            let colour = palette(ui).muted;
            ui.add(Label::new(RichText::new(say(hint)).color(colour)).truncate()).on_hover_text(say(cell.column.about));
        });
    });
}

/// What a cell holds that has cells of its own.
enum Parts {
    List(toml_edit::Array),
    Table(toml_edit::InlineTable),
}

/// The list of tables or the table that a cell holds, with what was typed.
fn parts_of(view: &PageView<'_>, cell: &CellView<'_>) -> Option<Parts> {
    if cell.cell.is_plain || !matches!(cell.column.kind, CellKind::Toml | CellKind::Literal) {
        return None;
    }
    let text = view.page.typed.as_deref().or_else(|| whole_text(view, cell.cell))?;
    list_cells::list_in(text).map(Parts::List).or_else(|| table_cells::table_in(text).map(Parts::Table))
}

/// As in the file: cells show long texts shortened.
fn whole_text<'a>(view: &PageView<'a>, cell: &RuleCell) -> Option<&'a str> {
    let span = cell.span?;
    view.open.sources.get(usize::from(span.file))?.text.get(span.start as usize..span.end as usize)
}

fn parts_input(
    ui: &mut Ui,
    view: &PageView<'_>,
    cell: &CellView<'_>,
    parts: &Parts,
    accessible: &str,
    out: &mut Vec<Command>,
) {
    let typed = match parts {
        Parts::List(list) => list_cells::show(ui, list, accessible),
        Parts::Table(table) => table_cells::show(ui, table, accessible),
    };
    if let Some(text) = typed {
        out.push(Command::RulesPage(RulesPageCommand::Type(text)));
    }
    let typed = view.page.typed.clone().filter(|typed| Some(&**typed) != whole_text(view, cell.cell));
    if let Some(text) = typed.filter(|_| !view.is_layer())
        && primary_button(ui, "Change in a house layer…").clicked()
    {
        let change = RuleChange::Cell { cell: cell.id.clone(), text };
        out.push(Command::RulesPage(RulesPageCommand::Change(change)));
    }
}

fn input(ui: &mut Ui, view: &PageView<'_>, cell: &CellView<'_>, accessible: &str, out: &mut Vec<Command>) {
    let change = |text: String| RuleChange::Cell { cell: cell.id.clone(), text };
    match cell.column.kind {
        CellKind::Choice(words) if &*cell.id.grid.section == "check" && &*cell.id.column == "severity" => {
            severity_input(ui, cell, words, accessible, out);
        }
        CellKind::Choice(words) => {
            let list = ComboBox::from_id_salt("rules choice").selected_text(&cell.text).width(180.0);
            let chosen = choice_list(ui, list, accessible, &*cell.text, words.iter().map(|word| (*word, *word)));
            out.extend(chosen.map(|word| Command::RulesPage(RulesPageCommand::Change(change(word.to_owned())))));
        }
        CellKind::Flag => {
            let mut on = cell.text == "true";
            let tick = with_accessible_name(ui.add(Checkbox::without_text(&mut on)), accessible);
            out.extend(tick.changed().then(|| Command::RulesPage(RulesPageCommand::Change(change(on.to_string())))));
        }
        kind => text_input(ui, view, cell, kind, accessible, out),
    }
}

/// Milder severities need a reason; a dialog asks for it.
fn severity_input(ui: &mut Ui, cell: &CellView<'_>, words: &[&str], accessible: &str, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        for word in words {
            let name = match *word {
                "info" => "note",
                other => other,
            };
            let button = ui.selectable_label(cell.text == **word, say(name));
            if with_accessible_name(button, &format!("{accessible}: {}", severity_name(word))).clicked()
                && cell.text != **word
            {
                let change = RuleChange::Severity {
                    code: cell.id.row.clone(),
                    severity: (*word).to_owned(),
                    reason: cell.row.reason.clone().unwrap_or_default(),
                };
                out.push(Command::RulesPage(RulesPageCommand::OpenReasonDialog(change)));
            }
        }
        muted_label(ui, "for designs that break it");
    });
}

fn text_input(
    ui: &mut Ui,
    view: &PageView<'_>,
    cell: &CellView<'_>,
    kind: CellKind,
    accessible: &str,
    out: &mut Vec<Command>,
) {
    let id = view.input_id();
    let mut typed = cell.text.clone();
    let is_long = matches!(kind, CellKind::Formula(_) | CellKind::Template | CellKind::Toml);
    let is_formula = matches!(kind, CellKind::Formula(_) | CellKind::Template);
    let width = ui.available_width() - 4.0;
    let field = if is_long {
        let lines = typed.lines().count().min(MAX_ROWS);
        let rows = (typed.len() as f32 * 7.0 / width.max(100.0)).ceil().clamp(1.0, MAX_ROWS as f32) as usize;
        TextEdit::multiline(&mut typed).desired_rows(rows.max(lines))
    } else {
        TextEdit::singleline(&mut typed)
    };
    let field = field.id(id).desired_width(width).return_key(None).min_size(vec2(24.0, line_height(ui) + 8.0));
    let field = with_accessible_name(ui.add(field), accessible);
    let enter = field.has_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    focus_new_cell(ui, id, cell, &field);
    out.extend(field.changed().then(|| Command::RulesPage(RulesPageCommand::Type(typed.clone()))));
    out.extend(field.lost_focus().then_some(Command::EndMerge));
    if let Err(message) = parse_typed(kind, &typed, cell.cell.text.as_deref())
        && view.page.typed.is_some()
    {
        error_text(ui, with_curly_quotes(&message));
    }
    if is_formula
        && (field.has_focus() || ui.memory(|memory| memory.focused().is_none()))
        && let Some(completed) = completion::show(ui, id, &typed, &view.open.names)
    {
        out.push(Command::RulesPage(RulesPageCommand::Type(completed)));
    }
    let findings = view.page.trial.iter().filter(|trial| Some(&trial.typed) == view.page.typed.as_ref());
    for finding in findings.flat_map(|trial| &trial.findings) {
        cell_finding(ui, finding);
    }
    if !view.is_layer() && view.page.typed.as_ref().is_some_and(|typed| Some(&**typed) != cell.cell.text.as_deref()) {
        let wants = primary_button(ui, "Change in a house layer…").clicked() || enter;
        if wants {
            let change = RuleChange::Cell { cell: cell.id.clone(), text: typed };
            out.push(Command::RulesPage(RulesPageCommand::Change(change)));
        }
    }
}

/// A newly selected cell gets the focus with its text selected, so that typing replaces it.
fn focus_new_cell(ui: &Ui, id: Id, cell: &CellView<'_>, field: &egui::Response) {
    let key = id.with("shown");
    let last: Option<CellId> = ui.data(|data| data.get_temp(key));
    if last.as_ref() == Some(cell.id) {
        return;
    }
    ui.data_mut(|data| data.insert_temp(key, cell.id.clone()));
    select_all(ui.ctx(), id, &cell.text);
    field.request_focus();
}

/// What is in force, below and in the base, and where it is written.
fn origin(ui: &mut Ui, view: &PageView<'_>, cell: &CellView<'_>) {
    let value = |text: &Option<std::sync::Arc<str>>| text.as_deref().unwrap_or("not set").to_owned();
    let mut parts: Vec<String> = Vec::new();
    if cell.cell.is_set || cell.cell.below != cell.cell.text {
        if view.open.is_layer() && cell.row.state != RowState::Added {
            parts.push(format!("before: {}", value(&cell.cell.below)));
        }
        if cell.cell.base != cell.cell.below {
            let base = view.open.stack.first().map(|base| base.title.clone()).unwrap_or_default();
            parts.push(format!("{base}: {}", value(&cell.cell.base)));
        }
    }
    if let Some(full) = &cell.cell.in_full {
        parts.push(format!("in full: {full}"));
    }
    let marks = cell.cell.provenance.iter().map(|(provenance, why)| match why.is_empty() {
        true => provenance_name(*provenance).to_owned(),
        false => format!("{}: {why}", provenance_name(*provenance)),
    });
    parts.extend(marks);
    if cell.cell.provenance.is_empty() && cell.cell.text.is_some() {
        parts.push(
            if cell.cell.is_set || cell.row.state == RowState::Added { "house rule" } else { "in the text" }.to_owned(),
        );
    }
    let rule = view.open.book.grid(&cell.id.grid).and_then(|grid| grid.column("rule"));
    if let Some(rule) = rule.and_then(|at| cell.row.cells.get(at)?.text.as_deref()) {
        parts.push(format!("rule: {rule}"));
    }
    if let Some(span) = cell.cell.span {
        parts.push(view.open.place(span));
    }
    muted_text(ui, with_curly_quotes(&parts.join("  ·  ")));
}

fn reason(ui: &mut Ui, view: &PageView<'_>, cell: &CellView<'_>, out: &mut Vec<Command>) {
    if !view.is_layer() || !matches!(cell.row.state, RowState::Changed | RowState::Removed) {
        return;
    }
    ui.horizontal(|ui| {
        let label = ui.label(say("Reason"));
        let mut typed = cell.row.reason.clone().unwrap_or_default();
        let hint = "why your group plays it this way";
        let width = (ui.available_width() - 4.0).min(REASON_WIDTH);
        let field = ui.add(TextEdit::singleline(&mut typed).hint_text(say(hint)).desired_width(width));
        let field = with_accessible_name(field, &format!("reason for {}", cell.row.label)).labelled_by(label.id);
        if field.changed() {
            let (grid, row) = (cell.id.grid.clone(), cell.id.row.clone());
            let change = RuleChange::Reason { grid, row, reason: typed };
            out.push(Command::RulesPage(RulesPageCommand::Change(change)));
        }
        out.extend(field.lost_focus().then_some(Command::EndMerge));
    });
}
