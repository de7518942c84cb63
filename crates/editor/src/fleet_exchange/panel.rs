//! The dialogs for importing a list and for exporting tokens.

use egui::{DragValue, Grid, ScrollArea, TextEdit, Ui};

use crate::fleet_exchange::model::{ExchangeCommand, TokensDialog};
use crate::language::say;
use crate::panels::dialog_parts::{cancel_button, dialog_foot, focus_first, path_field};
use crate::widgets::{muted_label, primary_button, with_accessible_name};
use crate::{Command, Dialog, FilePick, PickPurpose};
use moldloft_library::exchange::{MAX_DPI, MIN_DPI, TabletopProgram};

pub fn show_import_list(ui: &mut Ui, text: &str, out: &mut Vec<Command>) {
    ui.heading(say("Import a list"));
    muted_label(
        ui,
        "Paste a fleet list: from Copy as text, or lines such as 3 x Tern \"HMS Argus\", DD-12; or the text of a bundle.",
    );
    let mut typed = text.to_owned();
    let room = (ui.ctx().content_rect().height() - 240.0).clamp(120.0, 380.0);
    ScrollArea::vertical().id_salt("list").max_height(room).show(ui, |ui| {
        let field = TextEdit::multiline(&mut typed).desired_width(f32::INFINITY).desired_rows(12).char_limit(400_000);
        let field = with_accessible_name(ui.add(field), "Fleet list");
        focus_first(ui, &field);
    });
    if typed != text {
        out.push(Command::OpenDialog(Dialog::ImportList { text: typed.clone() }));
    }
    let can = !typed.trim().is_empty();
    dialog_foot(ui, "Import", (can, false), out, || Command::Exchange(ExchangeCommand::ImportList(typed)));
}

pub fn show_tokens(ui: &mut Ui, ask: &TokensDialog, out: &mut Vec<Command>) {
    ui.heading(say("Export tokens"));
    let mut new = ask.clone();
    Grid::new("tokens").num_columns(2).spacing([16.0, 8.0]).show(ui, |ui| {
        ui.label(say("Program"));
        ui.vertical(|ui| {
            ui.radio_value(&mut new.program, TabletopProgram::Plain, say("any program: pictures and a list of them"));
            ui.radio_value(&mut new.program, TabletopProgram::TabletopSimulator, "Tabletop Simulator");
            ui.radio_value(&mut new.program, TabletopProgram::Vassal, "VASSAL");
        });
        ui.end_row();
        let label = ui.label(say("Dots per inch"));
        let range = MIN_DPI as u32..=MAX_DPI as u32;
        ui.add(DragValue::new(&mut new.dpi).range(range)).labelled_by(label.id);
        ui.end_row();
        ui.label(say("Background"));
        ui.checkbox(&mut new.transparent, say("transparent, without a white card"));
        ui.end_row();
        let pick = |path: &str| {
            let here = std::path::Path::new(path.trim()).parent();
            FilePick::folder("Folder for the tokens", here, PickPurpose::FillDialogPath)
        };
        path_field(ui, "Folder", &mut new.folder, pick, out);
        ui.end_row();
    });
    muted_label(ui, "A new or empty folder, or one with tokens from an earlier export; nothing else is replaced.");
    if new != *ask {
        out.push(Command::OpenDialog(Dialog::Tokens(new)));
    }
    ui.horizontal(|ui| {
        let write = primary_button(ui, "Write tokens");
        focus_first(ui, &write);
        out.extend(write.clicked().then(|| Command::Exchange(ExchangeCommand::WriteTokens)));
        cancel_button(ui, out);
    });
}
