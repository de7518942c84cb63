//! The editor's own file chooser: the folder, a field for a name or path, and the entries.

use egui::{FontId, Id, Label, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::file_chooser::model::FileChooserCommand;
use crate::language::say;
use crate::model::dialog::FileChooser;
use crate::panels::dialog_parts::{cancel_button, focus_first};
use crate::theme::{BODY, bold};
use crate::tile::{paint_text, tile};
use crate::widgets::{error_text, is_left_by_enter, muted_label, primary_button, small_label, with_accessible_name};
use crate::{Command, FilePickKind};
use moldloft_library::store::{self, MAX_LISTED};

const LINE_HEIGHT: f32 = 28.0;

pub fn show(ui: &mut Ui, chooser: &FileChooser, out: &mut Vec<Command>) {
    let (label, done) = match chooser.request.kind {
        FilePickKind::Open => ("File", "Open"),
        FilePickKind::Save => ("File name", "Use this name"),
        FilePickKind::Folder => ("Folder", "Use this folder"),
    };
    ui.heading(say(&chooser.request.title));
    small_label(ui, "Cannot open the file chooser of this system.");
    ui.horizontal(|ui| {
        let above = chooser.folder.parent();
        let up = ui.add_enabled(above.is_some(), egui::Button::new(say("Up")));
        if with_accessible_name(up, "Parent folder").clicked() {
            out.extend(above.map(|above| Command::FileChooser(FileChooserCommand::EnterFolder(above.to_path_buf()))));
        }
        if ui.button(say("Home")).clicked() {
            out.extend(store::home().map(|home| Command::FileChooser(FileChooserCommand::EnterFolder(home))));
        }
        let place = chooser.folder.display().to_string();
        let shown = ui.add(Label::new(RichText::new(&place).family(bold())).truncate());
        with_accessible_name(shown, &format!("In {place}"));
    });
    let field_label = ui.label(say(label));
    let mut typed = chooser.input.clone();
    let field = TextEdit::singleline(&mut typed).hint_text(say("name or path")).desired_width(f32::INFINITY);
    let field = ui.add(field.id(Id::unique("file to choose")).char_limit(4_000)).labelled_by(field_label.id);
    let enter = is_left_by_enter(ui, &field);
    focus_first(ui, &field);
    out.extend(field.changed().then(|| Command::FileChooser(FileChooserCommand::SetInput(typed))));
    entry_list(ui, chooser, out);
    if let Some(why) = &chooser.error {
        error_text(ui, format!("! {why}"));
    }
    ui.horizontal(|ui| {
        if primary_button(ui, done).clicked() || enter {
            out.push(Command::FileChooser(FileChooserCommand::Accept(chooser.path_to_accept())));
            if enter {
                // The typed path may be a folder.
                field.request_focus();
            }
        }
        cancel_button(ui, out);
    });
}

fn entry_list(ui: &mut Ui, chooser: &FileChooser, out: &mut Vec<Command>) {
    let room = (ui.ctx().content_rect().height() - 300.0).clamp(90.0, 360.0);
    ui.allocate_ui(vec2(ui.available_width(), room), |ui| {
        ui.set_min_height(room);
        let held = match &chooser.contents {
            Ok(held) => held,
            Err(why) => {
                error_text(ui, format!("! {why}"));
                return;
            }
        };
        let (folders, files) = chooser.visible_entries();
        let count = folders.len() + files.len();
        if count == 0 {
            let endings: Vec<&str> =
                chooser.request.extensions.iter().flat_map(|(_, endings)| endings).map(String::as_str).collect();
            muted_label(
                ui,
                match (chooser.input.trim().is_empty(), chooser.request.kind) {
                    (false, FilePickKind::Open | FilePickKind::Folder) => "Nothing here matches.".to_owned(),
                    (_, FilePickKind::Folder) => "This folder has no subfolders.".to_owned(),
                    _ if endings.is_empty() => "This folder is empty.".to_owned(),
                    _ => format!("This folder has no subfolders and no .{} files.", endings.join(" or .")),
                },
            );
        }
        if held.is_truncated {
            muted_label(ui, format!("Only the first {MAX_LISTED} are listed: type the name."));
        }
        let area = ScrollArea::vertical().id_salt(("files", &chooser.folder)).auto_shrink(false);
        area.show_rows(ui, LINE_HEIGHT, count, |ui, rows| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for n in rows {
                let (name, is_folder) = match folders.get(n) {
                    Some(name) => (*name, true),
                    None => (files[n - folders.len()], false),
                };
                entry_line(ui, chooser, name, is_folder, out);
            }
        });
    });
}

fn entry_line(ui: &mut Ui, chooser: &FileChooser, name: &str, is_folder: bool, out: &mut Vec<Command>) {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), LINE_HEIGHT));
    let accessible = format!("{} {name}", if is_folder { "folder" } else { "file" });
    let is_chosen = chooser.input.trim() == name;
    let response = tile(ui, rect, Id::unique(("file to choose", name, is_folder)), &accessible, is_chosen);
    let (shown, font) = match is_folder {
        true => (format!("{name}/"), FontId::new(BODY, bold())),
        false => (name.to_owned(), FontId::proportional(BODY)),
    };
    let ink = ui.visuals().text_color();
    paint_text(ui, egui::pos2(rect.left() + 8.0, rect.center().y), &shown, font, ink, rect.width() - 16.0);
    if !response.clicked() {
        return;
    }
    let path = chooser.folder.join(name);
    // A second click accepts the selected file.
    out.push(Command::FileChooser(match (is_folder, is_chosen) {
        (true, _) => FileChooserCommand::EnterFolder(path),
        (false, true) => FileChooserCommand::Accept(path),
        (false, false) => FileChooserCommand::SetInput(name.to_owned()),
    }));
}
