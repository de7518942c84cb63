//! Measuring a printer: the page to print, what to measure on it, and where the numbers go.

use egui::{Grid, Label, TextEdit, Ui};

use crate::Command;
use crate::language::say;
use crate::panels::dialog_parts::{cancel_button, focus_first, form_row};
use crate::printing::{CalibrationForm, PrintCommand};
use crate::widgets::{error_text, muted_text, primary_button, with_accessible_name};
use moldloft_sheet::sheet::{DuplexEdge, Paper, calibration::ruler_lengths};

pub fn show(ui: &mut Ui, form: &CalibrationForm, out: &mut Vec<Command>) {
    let mut new = form.clone();
    ui.heading(say("Calibrate a printer"));
    muted_text(
        ui,
        "Printers draw a page a little too small, and put the back beside the front. Print the calibration page on both \
         sides at 100 %, measure it with a ruler, and type what you find: pages for this printer then come out at true size.",
    );
    Grid::new("calibration").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        form_row(ui, "Paper", |ui| {
            for paper in Paper::ALL {
                ui.radio_value(&mut new.paper, paper, paper.name());
            }
        });
        form_row(ui, "Flip", |ui| {
            for (turn, name) in [(DuplexEdge::Long, "on the long edge"), (DuplexEdge::Short, "on the short edge")] {
                ui.radio_value(&mut new.turn, turn, say(name));
            }
        });
        form_row(ui, "1. Page", |ui| {
            let write = ui.button(say("Write the calibration page"));
            focus_first(ui, &write);
            out.extend(write.clicked().then(|| Command::Print(PrintCommand::WriteCalibrationPage)));
        });
        let label = ui.label(say("2. Printer"));
        let field =
            TextEdit::singleline(&mut new.printer).hint_text(say("its name, such as study")).desired_width(220.0);
        ui.add(field).labelled_by(label.id);
        ui.end_row();
        let (across, down) = ruler_lengths(form.paper);
        ui.label(say("3. Rulers"));
        ui.horizontal_wrapped(|ui| {
            number(ui, &mut new.across, "Length across", across);
            ui.label(say("mm across,"));
            number(ui, &mut new.down, "Length down", down);
            ui.label(say("mm down"));
        });
        ui.end_row();
        ui.label(say("4. Cross"));
        ui.horizontal_wrapped(|ui| {
            number(ui, &mut new.back.0, "Cross to the right", 0.0);
            ui.label(say("mm to the right,"));
            number(ui, &mut new.back.1, "Cross down", 0.0);
            ui.label(say("mm down"));
        });
        ui.end_row();
        ui.label(say("5. White edge"));
        ui.horizontal_wrapped(|ui| {
            let field = TextEdit::singleline(&mut new.margin).desired_width(60.0);
            with_accessible_name(ui.add(field), "White edge");
            ui.label(say("mm, if more than 8"));
        });
        ui.end_row();
    });
    muted_text(ui, "The cross: hold the sheet against the light and read it on the scales of the back.");
    if let Some(text) = &form.written {
        ui.add(Label::new(say(text)).wrap());
    }
    if let Some(message) = &form.error {
        error_text(ui, format!("! {message}"));
    }
    if new != *form {
        out.push(Command::Print(PrintCommand::UpdateCalibration(Box::new(new))));
    }
    ui.horizontal(|ui| {
        if primary_button(ui, "Keep these measurements").clicked() {
            out.push(Command::Print(PrintCommand::KeepCalibration));
        }
        out.extend(ui.button(say("Back to printing")).clicked().then(|| Command::Print(PrintCommand::BackToSettings)));
        cancel_button(ui, out);
    });
}

fn number(ui: &mut Ui, text: &mut String, name: &str, exact: f32) {
    let field = TextEdit::singleline(text).hint_text(exact.to_string()).desired_width(60.0);
    with_accessible_name(ui.add(field), name);
}
