//! The settings dialog: appearance, paper, screen, drafts, recent files.

use egui::{Grid, Ui};

use crate::language::{known_languages, say};
use crate::library_browser::model::LibraryCommand;
use crate::panels::dialog_parts::form_row;
use crate::preview::PreviewChange;
use crate::widgets::{muted_label, named_button};
use crate::{Command, Dialog, EditorState, Theme};
use moldloft_sheet::sheet::Paper;

/// English, and each language that the window has words in, by its own name.
pub(super) fn language_choice(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let now = &state.settings.language;
    let english = (None, "English".to_owned());
    for (code, name) in std::iter::once(english).chain(known_languages(state)) {
        if ui.radio(*now == code, name).clicked() {
            out.push(Command::SetLanguage(code));
        }
    }
}

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    ui.heading(say("Settings"));
    Grid::new("settings").num_columns(2).spacing([16.0, 10.0]).show(ui, |ui| {
        form_row(ui, "Appearance", |ui| {
            for (theme, name) in [(Theme::System, "follow system"), (Theme::Light, "light"), (Theme::Dark, "dark")] {
                out.extend(
                    ui.radio(state.settings.theme == theme, say(name)).clicked().then(|| Command::SetTheme(theme)),
                );
            }
        });
        form_row(ui, "Language", |ui| language_choice(ui, state, out));
        ui.label(say("Interface size"));
        ui.horizontal(|ui| {
            out.extend(named_button(ui, "−", "Smaller interface").then_some(Command::StepScale { larger: false }));
            ui.label(format!("{} %", state.settings.scale));
            out.extend(named_button(ui, "+", "Larger interface").then_some(Command::StepScale { larger: true }));
            out.extend(ui.button(say("Reset")).clicked().then_some(Command::ResetScale));
        });
        ui.end_row();
        form_row(ui, "Paper", |ui| {
            let own = Some(state.settings.sheet.paper).filter(|paper| !Paper::ALL.contains(paper));
            for paper in Paper::ALL.into_iter().chain(own) {
                if ui.radio(state.settings.sheet.paper == paper, paper.name()).clicked() {
                    out.push(Command::Preview(PreviewChange::Paper(paper)));
                }
            }
        });
        ui.label(say("Screen"));
        out.extend(ui.button(say("Calibrate screen…")).clicked().then(|| Command::OpenDialog(Dialog::Calibrate)));
        ui.end_row();
        ui.label(say("Recent files"));
        ui.horizontal(|ui| {
            let count = state.settings.recent.len();
            if ui.add_enabled(count > 0, egui::Button::new(say("Clear the list"))).clicked() {
                out.extend(
                    state
                        .settings
                        .recent
                        .iter()
                        .cloned()
                        .map(|path| Command::Library(LibraryCommand::ForgetRecent(path))),
                );
            }
            muted_label(ui, if count == 0 { "none".to_owned() } else { format!("{count} remembered") });
        });
        ui.end_row();
    });
    ui.add_space(6.0);
    match &state.folders.drafts {
        Some(folder) => {
            muted_label(ui, "Drafts of unsaved changes are in");
            ui.add(egui::Label::new(folder.display().to_string()).wrap());
            if state.platform.opens_files && ui.button(say("Show the folder")).clicked() {
                out.push(Command::OpenExternally(folder.clone()));
            }
        }
        None => {
            muted_label(ui, "This system has no folder for drafts: unsaved changes are lost in a crash.");
        }
    }
    crate::panels::dialog_parts::close_button(ui, out);
}
