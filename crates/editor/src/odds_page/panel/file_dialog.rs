//! The dialog that saves or prints the odds: a path, by whose ending it is a chart or a table, and the paper.

use egui::{ComboBox, Ui};

use crate::language::say;
use crate::odds_page::model::{OddsCommand, OddsFileDialog};
use crate::panels::dialog_parts::{cancel_button, dialog_foot, focus_first, path_field};
use crate::widgets::{choice_list, is_left_by_enter, muted_label, primary_button};
use crate::{Command, Dialog, EditorState, FilePick};
use moldloft_sheet::sheet::Paper;

/// File types with their endings.
const TYPES: [(&str, &str); 4] = [("PDF", "pdf"), ("SVG", "svg"), ("PNG", "png"), ("Table", "csv")];

pub fn show(ui: &mut Ui, state: &EditorState, ask: &OddsFileDialog, out: &mut Vec<Command>) {
    ui.heading(say("Save or print the odds"));
    if let Some(existing) = &ask.existing {
        return confirm_replace(ui, ask, existing, out);
    }
    let mut new = ask.clone();
    let pick = |path: &str| {
        let ending = std::path::Path::new(path.trim()).extension().map(|ending| ending.to_ascii_lowercase());
        let kind = TYPES.iter().find(|(_, known)| ending.as_ref().is_some_and(|ending| ending == known));
        FilePick::save("Save the odds", path, *kind.unwrap_or(&TYPES[0]))
    };
    let field = path_field(ui, "File", &mut new.path, pick, out);
    let enter = is_left_by_enter(ui, &field);
    focus_first(ui, &field);
    let ending = std::path::Path::new(new.path.trim()).extension().map(|ending| ending.to_ascii_lowercase());
    ui.horizontal_wrapped(|ui| {
        for (name, known) in TYPES {
            let is_now = ending.as_ref().is_some_and(|ending| ending == known);
            if ui.radio(is_now, say(name)).clicked() {
                new.path = std::path::Path::new(new.path.trim()).with_extension(known).to_string_lossy().into_owned();
            }
        }
    });
    let is_table = ending.as_ref().is_some_and(|ending| ending == "csv");
    ui.add_enabled_ui(!is_table, |ui| {
        ui.horizontal(|ui| {
            ui.label(say("Paper"));
            let name = new.paper.map_or_else(|| "as large as the chart".to_owned(), |paper| paper.name().to_string());
            let list = ComboBox::from_id_salt("paper of the odds").selected_text(say(&name)).width(180.0);
            let papers = [Paper::A4, Paper::Letter].map(|paper| (Some(paper), paper.name().to_string()));
            let papers = std::iter::once((None, "as large as the chart".to_owned())).chain(papers);
            let name = format!("Paper of the chart: {name}");
            new.paper = choice_list(ui, list, &name, new.paper, papers).unwrap_or(new.paper);
        });
    });
    if state.platform.opens_files {
        ui.checkbox(&mut new.view, say("open it afterwards, to look at or print"));
    }
    if new != *ask {
        out.push(Command::OpenDialog(Dialog::OddsFile(new.clone())));
    }
    ui.add_space(4.0);
    let write = || Command::Odds(OddsCommand::WriteFile { replace: false });
    dialog_foot(ui, "Save", (true, enter), out, write);
}

fn confirm_replace(ui: &mut Ui, ask: &OddsFileDialog, existing: &str, out: &mut Vec<Command>) {
    ui.label(say(format!("{existing} already exists.")));
    muted_label(ui, "Nothing has been written yet.");
    ui.horizontal(|ui| {
        if primary_button(ui, "Replace").clicked() {
            out.push(Command::Odds(OddsCommand::WriteFile { replace: true }));
        }
        let back = ui.button(say("Choose another name"));
        // Enter alone must not replace anything.
        focus_first(ui, &back);
        if back.clicked() {
            out.push(Command::OpenDialog(Dialog::OddsFile(OddsFileDialog { existing: None, ..ask.clone() })));
        }
        cancel_button(ui, out);
    });
}
