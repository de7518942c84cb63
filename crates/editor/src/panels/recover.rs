//! The dialog that offers drafts after a crash: each with its file and the differences.

use egui::{Label, RichText, ScrollArea, Ui};

use crate::language::say;
use crate::panels::dialog_parts::{close_button, focus_first};
use crate::panels::disk_changes::{diff_lines_view, diff_summary};
use crate::theme::{SMALL, bold};
use crate::widgets::{card_frame, muted_label, named_button, primary_button};
use crate::{Command, DiscardTarget, EditorState, PersistenceCommand, RecoveredDraft};
use moldloft_library::print::plural;

const MAX_LINES: usize = 6;
const REPORT_HEIGHT: f32 = 160.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let persistence = &state.persistence;
    if let Some(report) = &persistence.fault {
        show_fault(ui, report, out);
    }
    if persistence.recovered.is_empty() {
        return close_button(ui, out);
    }
    ui.heading(say("Unsaved changes"));
    ui.label(say("Moldloft ended before these were saved. Nothing is lost: restoring opens them as unsaved changes."));
    ScrollArea::vertical().id_salt("offers").max_height(380.0).show(ui, |ui| {
        for (index, recovered) in persistence.recovered.iter().enumerate() {
            card_frame(ui).show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.push_id(index, |ui| draft_card(ui, state, index, recovered, out));
            });
        }
    });
    ui.add_space(8.0);
    if persistence.pending_discard == Some(DiscardTarget::All) {
        ui.label(say("Discard all drafts? This cannot be undone."));
        ui.horizontal(|ui| {
            if primary_button(ui, "Keep it").clicked() {
                out.push(Command::Persistence(PersistenceCommand::ConfirmDiscard(None)));
            }
            if ui.button(say("Discard all drafts")).clicked() {
                out.push(Command::Persistence(PersistenceCommand::Discard(DiscardTarget::All)));
            }
        });
        return;
    }
    ui.horizontal(|ui| {
        let all = primary_button(ui, "Restore all");
        focus_first(ui, &all);
        out.extend(all.clicked().then(|| Command::Persistence(PersistenceCommand::RestoreAll)));
        if ui.button(say("Discard all…")).clicked() {
            out.push(Command::Persistence(PersistenceCommand::ConfirmDiscard(Some(DiscardTarget::All))));
        }
        if ui.button(say("Later")).on_hover_text(say("Offered again at the next start and in the File menu")).clicked()
        {
            out.push(Command::CloseDialog);
        }
    });
}

fn show_fault(ui: &mut Ui, report: &str, out: &mut Vec<Command>) {
    ui.heading(say("Moldloft ended by a fault of its own"));
    let about = "This report tells what happened and has the text that was open, with your own rules. Your folders and name are \
                 not in it. Please send it to those who make Moldloft.";
    ui.add(Label::new(say(about)).wrap());
    card_frame(ui).show(ui, |ui| {
        let lines = ScrollArea::both().id_salt("report").max_height(REPORT_HEIGHT).auto_shrink([false, true]);
        lines.show(ui, |ui| ui.add(Label::new(RichText::new(report).size(SMALL)).extend()));
    });
    out.extend(ui.button(say("Copy the report")).clicked().then_some(Command::CopyReport));
    ui.add_space(8.0);
}

fn draft_card(ui: &mut Ui, state: &EditorState, index: usize, recovered: &RecoveredDraft, out: &mut Vec<Command>) {
    let draft = &recovered.draft.draft;
    let name = if draft.name.is_empty() { "Unnamed" } else { &draft.name };
    let title = state.rulesets.find(&draft.ruleset).ruleset().map(|rules| rules.title.to_string());
    let game = title.or_else(|| (!draft.ruleset.is_empty()).then(|| draft.ruleset.to_string()));
    let game = game.map(|game| format!(" · {game}")).unwrap_or_default();
    ui.label(RichText::new(format!("{name}{game}")).family(bold()));
    match &draft.path {
        Some(path) => muted_label(ui, path.display().to_string()),
        None => muted_label(ui, "never saved"),
    };
    match (&draft.path, &recovered.file_text) {
        (Some(_), Some(_)) => {
            ui.label(say(diff_summary(&recovered.diff)));
            diff_lines_view(ui, &recovered.diff, MAX_LINES, 140.0);
        }
        (Some(_), None) => {
            ui.label(say("Its file is missing or cannot be read."));
        }
        (None, _) => {
            let lines = draft.text.lines().count();
            ui.label(say(format!("{} not saved anywhere else", plural(lines, "line"))));
        }
    }
    if recovered.file_changed && recovered.file_text.is_some() {
        ui.label(say("The file changed after this draft was started; both are kept until you choose."));
    }
    if state.persistence.pending_discard == Some(DiscardTarget::One(index)) {
        ui.label(say("Discard it? This cannot be undone."));
        ui.horizontal(|ui| {
            if named_button(ui, "Keep it", &format!("Keep {name}")) {
                out.push(Command::Persistence(PersistenceCommand::ConfirmDiscard(None)));
            }
            if named_button(ui, "Discard it", &format!("Confirm discarding {name}")) {
                out.push(Command::Persistence(PersistenceCommand::Discard(DiscardTarget::One(index))));
            }
        });
        return;
    }
    ui.horizontal(|ui| {
        if named_button(ui, "Restore", &format!("Restore {name}")) {
            out.push(Command::Persistence(PersistenceCommand::Restore(index)));
        }
        if named_button(ui, "Discard…", &format!("Discard {name}")) {
            out.push(Command::Persistence(PersistenceCommand::ConfirmDiscard(Some(DiscardTarget::One(index)))));
        }
    });
}
