//! Presets of the print room: the program's, then the user's own, which can be named and removed.

use egui::{Button, Id, TextEdit, Ui};

use crate::language::say;
use crate::printing::presets::{MAX_PRESET_NAME, PrintPreset};
use crate::printing::{PrintCommand, PrintDialog};
use crate::widgets::{is_left_by_enter, muted_label, named_button, with_accessible_name};
use crate::{Command, EditorState};

pub fn show(ui: &mut Ui, state: &EditorState, dialog: &PrintDialog, new: &mut PrintDialog, out: &mut Vec<Command>) {
    muted_label(ui, "Presets");
    for preset in PrintPreset::ALL {
        let is_on = preset.apply(&dialog.options, state.shows_fleet()) == dialog.options;
        let button = ui.add(Button::selectable(is_on, say(preset.name()))).on_hover_text(say(preset.about()));
        if with_accessible_name(button, &format!("Preset {}", preset.name())).clicked() {
            out.push(Command::Print(PrintCommand::ApplyPreset(preset)));
        }
    }
    for preset in &state.settings.print_presets {
        let is_on = preset.apply(&dialog.options) == dialog.options;
        let button = ui.add(Button::selectable(is_on, &preset.name));
        if with_accessible_name(button, &format!("Preset {}", preset.name)).clicked() {
            out.push(Command::Print(PrintCommand::ApplyOwnPreset(preset.name.clone())));
        }
        if is_on && named_button(ui, "Remove", &format!("Remove the preset {}", preset.name)) {
            out.push(Command::Print(PrintCommand::RemovePreset(preset.name.clone())));
        }
    }
    // What was clicked is gone: what is typed next is the name.
    let opened = Id::unique("name of a preset");
    let Some(name) = &mut new.preset_name else {
        if named_button(ui, "Save these…", "Save these settings as a preset") {
            new.preset_name = Some(String::new());
            ui.data_mut(|data| data.insert_temp(opened, true));
        }
        return;
    };
    let field = TextEdit::singleline(name).hint_text(say("name")).char_limit(MAX_PRESET_NAME).desired_width(130.0);
    let field = with_accessible_name(ui.add(field), "Name of the preset");
    let by_key = is_left_by_enter(ui, &field);
    if ui.data_mut(|data| data.remove_temp::<bool>(opened)).is_some() {
        field.request_focus();
    }
    if named_button(ui, "Save", "Save the preset") || by_key {
        out.push(Command::Print(PrintCommand::KeepPreset));
    }
    if named_button(ui, "Not now", "Do not save a preset") {
        new.preset_name = None;
    }
}
