//! Shows the open dialog.

use egui::style::ScrollAnimation;
use egui::{Frame, Grid, Id, Key, Modal, Modifiers, ScrollArea, Ui, vec2};

use crate::actions::{ACTIONS, Action, Menu};
use crate::language::{say, say_keys};
use crate::panels::dialog_parts::{cancel_button, close_button, dialog_foot, focus_first, path_field};
use crate::printing::PrintStage;
use crate::printing::panel as print_panel;
use crate::widgets::{heading, is_left_by_enter, named_button, primary_button};
use crate::{Command, Dialog, DocId, EditorState, FilePick, PersistenceCommand};

pub fn show_open_dialog(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(dialog) = &state.dialog else { return };
    let room = ui.ctx().content_rect().size() - vec2(56.0, 48.0);
    let frame = Frame::popup(ui.style()).inner_margin(16);
    let modal = Modal::new(Id::unique("dialog")).frame(frame).show(ui.ctx(), |ui| {
        if let Dialog::Print(open) = dialog
            && open.stage == PrintStage::Settings
        {
            // It keeps its buttons in sight by itself.
            let size = print_panel::dialog_size(open, room);
            ui.set_min_size(size);
            ui.set_max_size(size);
            return print_panel::show(ui, state, open, out);
        }
        let width: f32 = if matches!(dialog, Dialog::Reference) {
            1040.0
        } else if matches!(dialog, Dialog::Keys) {
            760.0
        } else if matches!(
            dialog,
            Dialog::Print(_)
                | Dialog::ChooseDesigns(_)
                | Dialog::ImportList { .. }
                | Dialog::FileChooser(_)
                | Dialog::Share(_)
                | Dialog::Bundle(_)
                | Dialog::Palette(_)
                | Dialog::AddRule(_)
                | Dialog::Glossary { .. }
        ) {
            560.0
        } else {
            460.0
        };
        ui.set_width(width.min(room.x));
        // The window's size, not that of the last dialog.
        ui.set_max_height(room.y);
        // A small window scrolls.
        let scroll = ScrollArea::both().id_salt("dialog").max_width(room.x).max_height(room.y);
        scroll.show(ui, |ui| match dialog {
            Dialog::Keys => show_shortcuts(ui, out),
            Dialog::Settings => crate::panels::settings::show(ui, state, out),
            Dialog::About => show_about(ui, out),
            Dialog::Reference => crate::guide::panel::show_reference(ui, state, out),
            Dialog::SaveAs { path } => show_save_as(ui, state, path, out),
            Dialog::Palette(open) => crate::palette::panel::show(ui, state, open, out),
            Dialog::Glossary { query, first } => crate::palette::panel::show_glossary(ui, state, query, first, out),
            Dialog::MoveTo => crate::panels::move_to::show(ui, state, out),
            Dialog::Print(open) => print_panel::show(ui, state, open, out),
            Dialog::ConfirmClose(id) => show_confirm_close(ui, state, *id, out),
            Dialog::ConfirmQuit => show_confirm_quit(ui, state, out),
            Dialog::RecoverDrafts => crate::panels::recover::show(ui, state, out),
            Dialog::ConfirmReplace { path, expected_hash: hash } => {
                crate::panels::disk_changes::show_confirm_replace(ui, path, *hash, out)
            }
            Dialog::ChangedOnDisk(id) => crate::panels::disk_changes::show_dialog(ui, state, *id, out),
            Dialog::FixAll(fix_all) => crate::fix_all::panel::show(ui, fix_all, out),
            Dialog::FileChooser(chooser) => crate::file_chooser::panel::show(ui, chooser, out),
            Dialog::Calibrate => crate::printing::calibrate_panel::show(ui, state, out),
            Dialog::ChooseDesigns(chooser) => crate::fleet::panel::design_chooser::show(ui, state, chooser, out),
            Dialog::ImportList { text } => crate::fleet_exchange::panel::show_import_list(ui, text, out),
            Dialog::Share(share) => crate::bundles::panel::show_share(ui, share, out),
            Dialog::Bundle(opened) => crate::bundles::panel::show_opened(ui, opened, out),
            Dialog::Tokens(open) => crate::fleet_exchange::panel::show_tokens(ui, open, out),
            Dialog::OddsFile(open) => crate::odds_page::panel::file_dialog::show(ui, state, open, out),
            Dialog::NewLayer(open) => crate::rules_page::panel::dialogs::show_new_layer(ui, state, open, out),
            Dialog::RuleReason(open) => crate::rules_page::panel::dialogs::show_reason(ui, open, out),
            Dialog::NewRule => crate::rules_page::panel::add_row::show_kinds(ui, state, out),
            Dialog::AddRule(open) => crate::rules_page::panel::add_row::show(ui, state, open, out),
            Dialog::NameVariant { ship, name } => {
                crate::fleet::panel::design_chooser::show_variant_dialog(ui, *ship, name, out)
            }
        });
    });
    let is_beside = modal.backdrop_response.clicked() && dialog.keeps_typing();
    if modal.should_close() && !is_beside {
        out.push(Command::CloseDialog);
    }
}

fn show_shortcuts(ui: &mut Ui, out: &mut Vec<Command>) {
    ui.heading(say("Keyboard shortcuts"));
    let room = (ui.ctx().content_rect().height() - 170.0).max(120.0);
    ScrollArea::vertical().max_height(room).auto_shrink([false, true]).show(ui, |ui| {
        scroll_by_keys(ui, room);
        let with_keys =
            |menu: Menu| ACTIONS.iter().filter(move |action| action.menu == menu && !action.keys.is_empty());
        let all: usize = Menu::ALL.into_iter().map(|menu| with_keys(menu).count()).sum();
        let ctx = ui.ctx().clone();
        let columns = if ui.available_width() < 560.0 { 1 } else { 2 };
        ui.columns(columns, |columns| {
            let mut shown = 0;
            for menu in Menu::ALL.into_iter().filter(|menu| with_keys(*menu).next().is_some()) {
                // The second column begins with the first menu after the middle.
                let ui = &mut columns[if columns.len() > 1 && shown * 2 >= all { 1 } else { 0 }];
                let keys = |action: &Action| {
                    let keys = action.keys.iter().map(|key| say_keys(&ctx.format_shortcut(key)));
                    (action.label, keys.collect::<Vec<_>>().join(", "))
                };
                key_list(ui, menu.name(), with_keys(menu).map(keys));
                shown += with_keys(menu).count();
            }
            let last = columns.len() - 1;
            key_list(&mut columns[last], "Besides", OTHER_KEYS.map(|(what, keys)| (what, say(keys))));
        });
    });
    close_button(ui, out);
}

fn key_list<'a>(ui: &mut Ui, title: &str, rows: impl IntoIterator<Item = (&'a str, String)>) {
    heading(ui, &title.to_uppercase());
    Grid::new(("keys", title)).num_columns(2).min_col_width(150.0).spacing([16.0, 2.0]).show(ui, |ui| {
        for (what, keys) in rows {
            ui.label(say(what));
            ui.label(keys);
            ui.end_row();
        }
    });
    ui.add_space(8.0);
}

/// Keys that are no commands of a menu.
const OTHER_KEYS: [(&str, &str); 8] = [
    ("Next part of the window", "F6, Shift+F6"),
    ("The menus", "F10, Alt and a letter"),
    ("Menu of what has the focus", "Shift+F10"),
    ("Number of a row", "the digits, or + and −"),
    ("Next or previous row", "↓, ↑"),
    ("Select a row", "Space, Shift+↓"),
    ("Next mount, in the list of systems", "PgDn, PgUp"),
    ("Close a menu, list or dialog", "Esc"),
];

/// For a list without anything that could have the focus.
fn scroll_by_keys(ui: &Ui, room: f32) {
    let by = ui.input_mut(|input| {
        let mut by = 0.0;
        for (key, step) in
            [(Key::PageDown, 0.9 * room), (Key::PageUp, -0.9 * room), (Key::ArrowDown, 40.0), (Key::ArrowUp, -40.0)]
        {
            by += input.count_and_consume_key(Modifiers::NONE, key) as f32 * step;
        }
        by
    });
    if by != 0.0 {
        ui.scroll_with_delta_animation(vec2(0.0, -by), ScrollAnimation::none());
    }
}

fn show_about(ui: &mut Ui, out: &mut Vec<Command>) {
    ui.heading(say(format!("Moldloft {}", env!("CARGO_PKG_VERSION"))));
    ui.label(say("Checks ship designs for tabletop fleets and draws their control sheets, chits and tables."));
    ui.label(say("MIT or Apache 2.0. The typeface is IBM Plex Sans Condensed, under the SIL Open Font License."));
    ui.label(say(
        "The games belong to their authors; each sheet names them. Printed sheets are for play, not for sale.",
    ));
    close_button(ui, out);
}

fn show_save_as(ui: &mut Ui, state: &EditorState, path: &str, out: &mut Vec<Command>) {
    ui.heading(say("Save as"));
    let mut typed = path.to_owned();
    let pick = |path: &str| {
        let pick = FilePick::save("Save the design", path, ("Designs", "toml"));
        let folder = pick.folder.or_else(|| state.store.workspace().map(Into::into));
        FilePick { folder, ..pick }
    };
    let field = path_field(ui, "File", &mut typed, pick, out);
    let enter = is_left_by_enter(ui, &field);
    focus_first(ui, &field);
    out.extend(field.changed().then(|| Command::OpenDialog(Dialog::SaveAs { path: typed.clone() })));
    dialog_foot(ui, "Save", (true, enter), out, || Command::SaveTo(typed.trim().into()));
}

fn show_confirm_close(ui: &mut Ui, state: &EditorState, id: DocId, out: &mut Vec<Command>) {
    let name = state.find_doc(id).map(|doc| doc.name()).unwrap_or_default();
    ui.heading(say(format!("Save {name} before closing?")));
    ui.label(say("It has unsaved changes."));
    ui.horizontal(|ui| {
        if primary_button(ui, "Save").clicked() {
            out.push(Command::Persistence(PersistenceCommand::SaveAndClose(id)));
        }
        if named_button(ui, "Do not save", &format!("Close {name} without saving")) {
            out.extend([Command::CloseDialog, Command::CloseAnyway(id)]);
        }
        cancel_button(ui, out);
    });
}

fn show_confirm_quit(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    ui.heading(say("Save before quitting?"));
    for doc in state.docs.iter().filter(|doc| doc.has_unsaved_work()) {
        ui.label(say(format!("{} has unsaved changes.", doc.name())));
    }
    ui.horizontal(|ui| {
        if primary_button(ui, "Save all").clicked() {
            out.push(Command::Persistence(PersistenceCommand::SaveAndQuit));
        }
        out.extend(ui.button(say("Quit without saving")).clicked().then_some(Command::QuitAnyway));
        cancel_button(ui, out);
    });
}
