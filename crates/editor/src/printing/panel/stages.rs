//! The print room while it works, asks before files are replaced, and reports.

use egui::{Id, ProgressBar, ScrollArea, Ui};

use crate::language::say;
use crate::panels::dialog_parts::{cancel_button, focus_first};
use crate::printing::{PrintCommand, PrintReport};
use crate::widgets::{finding_lines, muted_label, primary_button};
use crate::{Command, EditorState};
use moldloft_base::progress::Progress;
use moldloft_library::print::PrintedFiles;

/// Set while the file's name is to get the focus.
pub fn other_name_id() -> Id {
    Id::unique("another name is typed")
}

/// Seconds.
const PROGRESS_INTERVAL: f32 = 0.1;

pub fn progress_view(ui: &mut Ui, progress: &Progress, out: &mut Vec<Command>) {
    let (done, of) = progress.done_and_total();
    let share = if of == 0 { 0.0 } else { done as f32 / of as f32 };
    let words = match progress.unit() {
        "" => "Reading the designs".to_owned(),
        step => format!("{step} {} of {of}", (done + 1).min(of.max(1))),
    };
    ui.label(say(&words));
    ui.add(ProgressBar::new(share).desired_width(ui.available_width()));
    ui.ctx().request_repaint_after_secs(PROGRESS_INTERVAL);
    let cancel = ui.button(say("Cancel"));
    focus_first(ui, &cancel);
    out.extend(cancel.clicked().then(|| Command::Print(PrintCommand::BackToSettings)));
}

pub fn confirm_replace_view(ui: &mut Ui, files: &PrintedFiles, out: &mut Vec<Command>) {
    match files.existing.as_slice() {
        [one] => ui.label(say(format!("{} already exists.", one.display()))),
        several => {
            ui.label(say(format!("{} of these files already exist:", several.len())));
            ScrollArea::vertical().max_height(160.0).show(ui, |ui| {
                for path in several {
                    ui.label(path.display().to_string());
                }
            });
            ui.label(say("Nothing has been written yet."))
        }
    };
    for finding in &files.kept {
        ui.label(say(format!("Warning: {}", finding.message)));
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        out.extend(ui.button(say("Replace")).clicked().then(|| Command::Print(PrintCommand::Replace)));
        let back = ui.button(say("Choose another name"));
        // Enter alone must not replace anything.
        focus_first(ui, &back);
        if back.clicked() {
            ui.data_mut(|data| data.insert_temp(other_name_id(), true));
            out.push(Command::Print(PrintCommand::BackToSettings));
        }
        cancel_button(ui, out);
    });
}

pub fn report_view(ui: &mut Ui, state: &EditorState, report: &PrintReport, out: &mut Vec<Command>) {
    ui.label(say(&report.summary));
    if report.any_written {
        muted_label(ui, "Findings while printing:");
    }
    let room = (ui.ctx().content_rect().height() - 220.0).max(100.0);
    ScrollArea::vertical().max_height(room).show(ui, |ui| {
        for finding in &report.findings {
            let place = finding.at.file.as_ref().map(|file| format!("{file}: "));
            finding_lines(ui, finding, &place.unwrap_or_default());
        }
    });
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let close = primary_button(ui, "Close");
        focus_first(ui, &close);
        out.extend(close.clicked().then_some(Command::CloseDialog));
        if report.any_written
            && state.platform.opens_files
            && let Some(path) = &report.path
            && ui.button(say("Open in the system's viewer")).clicked()
        {
            out.push(Command::OpenExternally(path.clone()));
        }
        if !report.any_written && ui.button(say("Back")).clicked() {
            out.push(Command::Print(PrintCommand::BackToSettings));
        }
    });
}
