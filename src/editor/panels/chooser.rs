//! The dialog in which a file or a folder is chosen, where the system has none: where one is, a field for a name or a path, what the folder holds.

use egui::{FontId, Id, Key, Label, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::ask::focus_first;
use crate::editor::chooser::{Chooser, Filing};
use crate::editor::theme::{bold, palette};
use crate::editor::tile::{tile, write};
use crate::editor::widgets::{named, primary, quiet, small};
use crate::editor::{Command, PickKind};
use crate::store::{self, MOST_LISTED};

/// Height of a line.
const LINE: f32 = 28.0;

/// Shows it.
pub fn show(ui: &mut Ui, chooser: &Chooser, out: &mut Vec<Command>) {
    let (label, done) = match chooser.pick.kind {
        PickKind::Open => ("File", "Open"),
        PickKind::Save => ("File name", "Use this name"),
        PickKind::Folder => ("Folder", "Use this folder"),
    };
    ui.heading(&chooser.pick.title);
    small(ui, "Cannot open the file chooser of this system.");
    ui.horizontal(|ui| {
        let above = chooser.folder.parent();
        let up = ui.add_enabled(above.is_some(), egui::Button::new("Up"));
        if named(up, "Parent folder").clicked() {
            out.extend(above.map(|above| Command::Files(Filing::Into(above.to_path_buf()))));
        }
        if ui.button("Home").clicked() {
            out.extend(store::home().map(|home| Command::Files(Filing::Into(home))));
        }
        let place = chooser.folder.display().to_string();
        let shown = ui.add(Label::new(RichText::new(&place).family(bold())).truncate());
        named(shown, &format!("In {place}"));
    });
    let field_label = ui.label(label);
    let mut typed = chooser.typed.clone();
    let field = TextEdit::singleline(&mut typed).hint_text("name or path").desired_width(f32::INFINITY);
    let field = ui.add(field.id(Id::unique("file to choose")).char_limit(4_000)).labelled_by(field_label.id);
    let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    focus_first(ui, &field);
    if field.changed() {
        out.push(Command::Files(Filing::Typed(typed)));
    }
    list(ui, chooser, out);
    if let Some(why) = &chooser.refused {
        ui.add(Label::new(RichText::new(format!("! {why}")).color(palette(ui).error)).wrap());
    }
    ui.horizontal(|ui| {
        if primary(ui, done).clicked() || enter {
            out.push(Command::Files(Filing::Take(chooser.meant())));
            if enter {
                // What was typed may lead on into a folder.
                field.request_focus();
            }
        }
        if ui.button("Cancel").clicked() {
            out.push(Command::Dismiss);
        }
    });
}

fn list(ui: &mut Ui, chooser: &Chooser, out: &mut Vec<Command>) {
    let room = (ui.ctx().content_rect().height() - 300.0).clamp(90.0, 360.0);
    ui.allocate_ui(vec2(ui.available_width(), room), |ui| {
        ui.set_min_height(room);
        let held = match &chooser.held {
            Ok(held) => held,
            Err(why) => {
                ui.add(Label::new(RichText::new(format!("! {why}")).color(palette(ui).error)).wrap());
                return;
            }
        };
        let (folders, files) = chooser.listed();
        let count = folders.len() + files.len();
        if count == 0 {
            let endings: Vec<&str> =
                chooser.pick.endings.iter().flat_map(|(_, endings)| endings).map(String::as_str).collect();
            quiet(
                ui,
                match (chooser.typed.trim().is_empty(), chooser.pick.kind) {
                    (false, PickKind::Open | PickKind::Folder) => "Nothing here matches.".to_owned(),
                    (_, PickKind::Folder) => "This folder has no subfolders.".to_owned(),
                    _ if endings.is_empty() => "This folder is empty.".to_owned(),
                    _ => format!("This folder has no subfolders and no .{} files.", endings.join(" or .")),
                },
            );
        }
        if held.more {
            quiet(ui, format!("Only the first {MOST_LISTED} are listed: type the name."));
        }
        let area = ScrollArea::vertical().id_salt(("files", &chooser.folder)).auto_shrink(false);
        area.show_rows(ui, LINE, count, |ui, rows| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for n in rows {
                let (name, is_folder) = match folders.get(n) {
                    Some(name) => (*name, true),
                    None => (files[n - folders.len()], false),
                };
                line(ui, chooser, name, is_folder, out);
            }
        });
    });
}

fn line(ui: &mut Ui, chooser: &Chooser, name: &str, is_folder: bool, out: &mut Vec<Command>) {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), LINE));
    let said = format!("{} {name}", if is_folder { "folder" } else { "file" });
    let is_chosen = chooser.typed.trim() == name;
    let response = tile(ui, rect, Id::unique(("file to choose", name, is_folder)), &said, is_chosen);
    let (shown, font) = match is_folder {
        true => (format!("{name}/"), FontId::new(15.0, bold())),
        false => (name.to_owned(), FontId::proportional(15.0)),
    };
    let ink = ui.visuals().text_color();
    write(ui, egui::pos2(rect.left() + 8.0, rect.center().y), &shown, font, ink, rect.width() - 16.0);
    if !response.clicked() {
        return;
    }
    let path = chooser.folder.join(name);
    // A second click takes what the first one chose.
    out.push(Command::Files(match (is_folder, is_chosen) {
        (true, _) => Filing::Into(path),
        (false, true) => Filing::Take(path),
        (false, false) => Filing::Typed(name.to_owned()),
    }));
}
