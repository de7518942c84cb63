//! The dialogs of the rules page: a new layer, the reason of a change.

use egui::{Grid, Label, RichText, TextEdit, Ui};

use crate::language::say;
use crate::panels::dialog_parts::{dialog_foot, focus_first, select_when_focused};
use crate::rules_page::panel::words::severity_name;
use crate::rules_page::{NewLayerDialog, ReasonDialog, RuleChange, RulesPageCommand, proposed_file};
use crate::theme::bold;
use crate::widgets::{error_text, is_left_by_enter, muted_text, with_curly_quotes};
use crate::{Command, Dialog, EditorState, OpenRuleset};
use moldloft_base::sanitize::shorten_line;

/// Of text fields, in points.
pub const FIELD_WIDTH: f32 = 340.0;
const MAX_VALUE_CHARS: usize = 60;

pub fn show_new_layer(ui: &mut Ui, state: &EditorState, dialog: &NewLayerDialog, out: &mut Vec<Command>) {
    ui.heading(say("New house rules"));
    let base = state.find_doc(dialog.base).map(|doc| doc.name()).unwrap_or_default();
    let about =
        format!("A layer keeps only what differs from {base}. Nothing is copied; you can take each change back.");
    ui.add(Label::new(say(about)).wrap());
    let base = state.find_doc(dialog.base).and_then(|doc| doc.as_ruleset());
    if let Some(change) = base.zip(dialog.change.as_ref()).and_then(|(base, change)| change_words(base, change)) {
        ui.add(Label::new(RichText::new(say(format!("First change: {change}"))).family(bold())).wrap());
    }
    ui.add_space(4.0);
    let mut now = dialog.clone();
    let mut file = proposed_file(state, dialog);
    let mut enter = false;
    Grid::new("new layer").num_columns(2).spacing([12.0, 8.0]).show(ui, |ui| {
        let label = ui.label(say("Name"));
        let field = ui.add(TextEdit::singleline(&mut now.name).desired_width(FIELD_WIDTH)).labelled_by(label.id);
        focus_first(ui, &field);
        select_when_focused(ui, &field, &now.name);
        enter |= is_left_by_enter(ui, &field);
        ui.end_row();
        if dialog.change.as_ref().is_some_and(|change| matches!(change, RuleChange::Cell { .. })) {
            enter |= reason_row(ui, &mut now.reason);
        }
        let label = ui.label(say("File"));
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
    dialog_foot(ui, "Create", (true, enter), out, || Command::RulesPage(RulesPageCommand::CreateLayer));
}

/// A row of a form's grid; true if Enter has left it.
pub fn reason_row(ui: &mut Ui, reason: &mut String) -> bool {
    let label = ui.label(say("Reason"));
    let field = TextEdit::singleline(reason).hint_text(say("why you play it this way; players see it"));
    let field = ui.add(field.desired_width(FIELD_WIDTH)).labelled_by(label.id);
    ui.end_row();
    is_left_by_enter(ui, &field)
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
    ui.heading(say(title));
    let mut enter = false;
    let mut typed = String::new();
    if let RuleChange::Severity { reason, .. } | RuleChange::Remove { reason, .. } = &mut change {
        let label = ui.label(say("Reason"));
        let hint = "why your group plays it this way";
        let field = TextEdit::singleline(reason).hint_text(say(hint)).desired_width(f32::INFINITY);
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
    let can = !typed.is_empty() || !is_required;
    dialog_foot(ui, "Apply", (can, enter), out, || Command::RulesPage(RulesPageCommand::Change(change)));
}
