//! The print dialog: settings, progress, report.

use std::collections::BTreeSet;

use egui::{Checkbox, DragValue, Grid, ProgressBar, ScrollArea, TextEdit, Ui};

use crate::editor::model::file_chooser::FilePick;
use crate::editor::printing::{DPI_RANGE, PrintCommand, PrintDialog, PrintReport, PrintSettings, PrintStage};
use crate::editor::widgets::{muted_label, primary_button};
use crate::editor::{Command, EditorState};
use crate::export::{FORMATS, TextMode};
use crate::finding::Finding;
use crate::print::{CHIT_SIZES, MAX_COPIES, MAX_OFFSET, PackPart, PrintKind, PrintedFiles, Printers};
use crate::progress::Progress;
use crate::sheet::{Backs, DuplexEdge};

use super::dialog_parts::{cancel_button, focus_first, form_row, labelled_number};
use super::findings::severity_colour;

/// Seconds.
const PROGRESS_INTERVAL: f32 = 0.1;

pub fn show(ui: &mut Ui, state: &EditorState, dialog: &PrintDialog, out: &mut Vec<Command>) {
    let is_fleet = state.shows_fleet();
    let title = if dialog.options.what == PrintKind::Counters { "Print chits" } else { "Print" };
    ui.heading(if is_fleet { "Print the pack" } else { title });
    match &dialog.stage {
        PrintStage::Settings => settings_form(ui, state, dialog, out),
        PrintStage::Working(progress) => progress_view(ui, progress, out),
        PrintStage::ConfirmReplace(files) => confirm_replace_view(ui, files, out),
        PrintStage::Report(report) => report_view(ui, report, out),
    }
}

fn settings_form(ui: &mut Ui, state: &EditorState, dialog: &PrintDialog, out: &mut Vec<Command>) {
    let mut new = dialog.clone();
    // The buttons below stay visible at any window size.
    let room = (ui.ctx().content_rect().height() - 190.0).max(120.0);
    ScrollArea::vertical().max_height(room).show(ui, |ui| {
        Grid::new("print").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
            let is_fleet = state.shows_fleet();
            if is_fleet {
                fleet_inputs(ui, state, &mut new);
            } else {
                subject_inputs(ui, state, &mut new);
            }
            output_inputs(ui, &mut new.options, &dialog.printers, is_fleet);
            let has_chits = matches!(new.options.what, PrintKind::Counters | PrintKind::SheetsAndCounters);
            let of_pack = new.options.parts.is_empty() || new.options.parts.contains(&PackPart::Chits);
            if if is_fleet { of_pack } else { has_chits } {
                chit_inputs(ui, &mut new.options, is_fleet);
            }
        });
        ui.add_space(6.0);
        let label = ui.label("File");
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 100.0).max(120.0);
            ui.add(TextEdit::singleline(&mut new.path).desired_width(width)).labelled_by(label.id);
            if ui.button("Browse…").clicked() {
                let format = dialog.options.format();
                let pick = FilePick::save("Print to a file", &dialog.path, (format.name, format.extension));
                out.push(Command::PickFile(pick));
            }
        });
        if state.platform.opens_files {
            ui.checkbox(&mut new.options.view, "Open when done");
        }
    });
    if let Some(doc) = state.current_doc().filter(|doc| doc.is_legal() == Some(false)) {
        muted_label(ui, format!("This {} breaks the rules; the printout says so.", doc.kind_name()));
    }
    if new != *dialog {
        out.push(Command::Print(PrintCommand::UpdateDialog(Box::new(new))));
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let print = primary_button(ui, "Print");
        focus_first(ui, &print);
        if print.clicked() {
            out.push(Command::Print(PrintCommand::Start));
        }
        cancel_button(ui, out);
    });
}

fn subject_inputs(ui: &mut Ui, state: &EditorState, dialog: &mut PrintDialog) {
    ui.label("What");
    let ships = [
        (PrintKind::Sheets, "Control sheets"),
        (PrintKind::SheetsAndCounters, "Control sheets and chits"),
        (PrintKind::Counters, "Chits"),
    ];
    let games = [(PrintKind::Reference, "Reference sheet"), (PrintKind::Blank, "Blank sheets")];
    ui.vertical(|ui| {
        for row in [&ships[..], &games[..]] {
            ui.horizontal(|ui| {
                for (what, name) in row {
                    ui.radio_value(&mut dialog.options.what, *what, *name);
                }
            });
        }
    });
    ui.end_row();
    let designs = state.docs.iter().filter(|doc| doc.as_fleet().is_none()).count();
    if dialog.options.what.sheet_kind().is_some() {
        ui.label("Of");
        let game = state.current_doc().and_then(|doc| doc.shown_ship()).map(|ship| ship.ruleset.title.to_string());
        ui.label(game.unwrap_or_else(|| "no usable ruleset in this design".into()));
        ui.end_row();
    } else if designs > 1 {
        form_row(ui, "Of", |ui| {
            let here = state.current_doc().map(|doc| doc.name()).unwrap_or_default();
            ui.radio_value(&mut dialog.all_open, false, here);
            ui.radio_value(&mut dialog.all_open, true, format!("all {designs} open designs"));
        });
    }
}

fn fleet_inputs(ui: &mut Ui, state: &EditorState, dialog: &mut PrintDialog) {
    let open = state.docs.iter().filter(|doc| doc.as_fleet().is_some()).count();
    if open > 1 {
        form_row(ui, "Of", |ui| {
            let here = state.current_doc().map(|doc| doc.name()).unwrap_or_default();
            ui.radio_value(&mut dialog.all_open, false, here);
            ui.radio_value(&mut dialog.all_open, true, format!("all {open} open fleets, as a battle pack"));
        });
    }
    form_row(ui, "Parts", |ui| {
        let fleets = if dialog.all_open { open } else { 1 };
        let usual = PackPart::usual(fleets);
        let mut parts = if dialog.options.parts.is_empty() { usual.clone() } else { dialog.options.parts.clone() };
        for (part, name) in PackPart::ALL {
            let mut on = parts.contains(&part);
            // A pack needs at least one part.
            let is_last = on && parts.len() == 1;
            if ui.add_enabled(!is_last, Checkbox::new(&mut on, name)).changed() {
                if on {
                    parts.insert(part)
                } else {
                    parts.remove(&part)
                };
            }
        }
        dialog.options.parts = if parts == usual { BTreeSet::new() } else { parts };
    });
    ui.label("Sides");
    ui.checkbox(&mut dialog.options.single_sided, "single-sided");
    ui.end_row();
}

fn output_inputs(ui: &mut Ui, options: &mut PrintSettings, printers: &Printers, is_fleet: bool) {
    ui.label("Format");
    ui.horizontal(|ui| {
        for format in FORMATS {
            ui.radio_value(&mut options.format, format.extension.to_owned(), format.name);
        }
    });
    ui.end_row();
    match &*options.format {
        "png" => {
            let label = ui.label("Dots per inch");
            ui.horizontal(|ui| {
                ui.add(DragValue::new(&mut options.dpi).range(DPI_RANGE.0..=DPI_RANGE.1)).labelled_by(label.id);
                ui.checkbox(&mut options.transparent, "Transparent background");
            });
            ui.end_row();
        }
        "svg" => {
            ui.label("Text");
            ui.horizontal(|ui| {
                ui.radio_value(&mut options.lettering, TextMode::Outlined, "as outlines, the same everywhere");
                ui.radio_value(&mut options.lettering, TextMode::Embedded, "as text, with its font");
            });
            ui.end_row();
            ui.label("Background");
            ui.checkbox(&mut options.transparent, "Transparent background");
            ui.end_row();
        }
        "pdf" => {
            ui.label("Form");
            ui.checkbox(&mut options.form, "fillable on the screen");
            ui.end_row();
        }
        _ => {}
    }
    super::page_setup::show(ui, &mut options.page_setup);
    super::page_setup::show_printer(ui, options, printers);
    form_row(ui, "Print", |ui| {
        ui.checkbox(&mut options.grey, "Greyscale");
        ui.add_enabled_ui(is_fleet || options.what != PrintKind::Counters, |ui| {
            ui.checkbox(&mut options.large_print, "Large print");
            ui.checkbox(&mut options.qr, "QR code of the design")
        });
    });
    if is_fleet || options.what.sheet_kind().is_none() {
        let label = ui.label("Copies");
        ui.add(DragValue::new(&mut options.copies).range(1..=MAX_COPIES)).labelled_by(label.id);
        ui.end_row();
    }
}

fn chit_inputs(ui: &mut Ui, options: &mut PrintSettings, is_fleet: bool) {
    form_row(ui, "Backs", |ui| {
        ui.radio_value(&mut options.backs, Backs::Duplex, "on the other side");
        ui.radio_value(&mut options.backs, Backs::Fold, "next to the front, to fold");
        ui.radio_value(&mut options.backs, Backs::None, "none");
    });
    if options.backs == Backs::Duplex {
        form_row(ui, "Flip", |ui| {
            for (turn, name) in [(DuplexEdge::Long, "on the long edge"), (DuplexEdge::Short, "on the short edge")] {
                ui.radio_value(&mut options.page_setup.turn, turn, name);
            }
        });
        ui.label("Back side");
        ui.horizontal(|ui| {
            for (mm, name) in
                [(&mut options.page_setup.offset.0, "mm to the right"), (&mut options.page_setup.offset.1, "mm down")]
            {
                labelled_number(
                    ui,
                    DragValue::new(mm).range(-MAX_OFFSET..=MAX_OFFSET).speed(0.1).max_decimals(1),
                    name,
                );
            }
        });
        ui.end_row();
    }
    if is_fleet {
        return;
    }
    ui.label("Size");
    ui.horizontal(|ui| {
        let mut own = options.chit.is_some();
        if ui.checkbox(&mut own, "custom chit size").changed() {
            options.chit = own.then_some(20);
        }
        if let Some(side) = &mut options.chit {
            labelled_number(ui, DragValue::new(side).range(CHIT_SIZES.0..=CHIT_SIZES.1), "mm per side");
        }
    });
    ui.end_row();
}

fn progress_view(ui: &mut Ui, progress: &Progress, out: &mut Vec<Command>) {
    let (done, of) = progress.done_and_total();
    let share = if of == 0 { 0.0 } else { done as f32 / of as f32 };
    let words = match progress.unit() {
        "" => "Reading the designs".to_owned(),
        step => format!("{step} {} of {of}", (done + 1).min(of.max(1))),
    };
    ui.label(&words);
    ui.add(ProgressBar::new(share).desired_width(ui.available_width()));
    ui.ctx().request_repaint_after_secs(PROGRESS_INTERVAL);
    let cancel = ui.button("Cancel");
    focus_first(ui, &cancel);
    if cancel.clicked() {
        out.push(Command::Print(PrintCommand::BackToSettings));
    }
}

fn confirm_replace_view(ui: &mut Ui, files: &PrintedFiles, out: &mut Vec<Command>) {
    match files.existing.as_slice() {
        [one] => ui.label(format!("{} already exists.", one.display())),
        several => {
            ui.label(format!("{} of these files already exist:", several.len()));
            ScrollArea::vertical().max_height(160.0).show(ui, |ui| {
                for path in several {
                    ui.label(path.display().to_string());
                }
            });
            ui.label("Nothing has been written yet.")
        }
    };
    for finding in &files.filled_forms {
        ui.label(format!("Warning: {}", finding.message));
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        if primary_button(ui, "Replace").clicked() {
            out.push(Command::Print(PrintCommand::Replace));
        }
        let back = ui.button("Choose another name");
        // Enter alone must not replace anything.
        focus_first(ui, &back);
        if back.clicked() {
            out.push(Command::Print(PrintCommand::BackToSettings));
        }
        cancel_button(ui, out);
    });
}

fn report_view(ui: &mut Ui, report: &PrintReport, out: &mut Vec<Command>) {
    ui.label(&report.summary);
    if report.any_written {
        muted_label(ui, "Findings while printing:");
    }
    let room = (ui.ctx().content_rect().height() - 220.0).max(100.0);
    ScrollArea::vertical()
        .max_height(room)
        .show(ui, |ui| report.findings.iter().for_each(|found| finding_row(ui, found)));
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let close = primary_button(ui, "Close");
        focus_first(ui, &close);
        if close.clicked() {
            out.push(Command::CloseDialog);
        }
        if !report.any_written && ui.button("Back").clicked() {
            out.push(Command::Print(PrintCommand::BackToSettings));
        }
    });
}

fn finding_row(ui: &mut Ui, finding: &Finding) {
    let colour = severity_colour(ui, finding.severity);
    let place = finding.at.file.as_ref().map(|file| format!("{file}: ")).unwrap_or_default();
    ui.colored_label(colour, format!("{}: {place}{}", finding.severity.as_str(), finding.message));
    if let Some(help) = &finding.help {
        muted_label(ui, format!("→ {help}"));
    }
}
