//! Recent files; each can be removed from the list.

use egui::{Id, Ui, vec2};

use crate::icons::{Icon, icon_button};
use crate::language::say;
use crate::library_browser::model::LibraryCommand;
use crate::theme::palette;
use crate::tile::{TWO_LINES, paint_two_lines, static_tile, tile};
use crate::widgets::{heading, muted_label};
use crate::{Command, EditorState};

const SHOWN_AT_FIRST: usize = 4;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    heading(ui, "RECENT FILES");
    let recent = &state.settings.recent;
    if recent.is_empty() {
        muted_label(ui, "Designs that you open or save are listed here.");
    }
    let all = Id::unique("all recent files");
    let shows_all = ui.data(|data| data.get_temp(all)).unwrap_or(false);
    let most = if shows_all || recent.len() <= SHOWN_AT_FIRST + 1 { recent.len() } else { SHOWN_AT_FIRST };
    for path in &recent[..most] {
        let entry = state.library.catalogue.entry(path);
        let is_gone = entry.is_some_and(|entry| entry.is_gone());
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = entry.filter(|_| !is_gone).map_or_else(|| stem, |entry| entry.name.to_string());
        let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        ui.horizontal(|ui| {
            let (_, rect) = ui.allocate_space(vec2((ui.available_width() - 34.0).max(60.0), TWO_LINES));
            let id = Id::unique(("recent", path));
            let response = if is_gone {
                static_tile(ui, rect, id, &format!("{name}: file not found"))
            } else {
                tile(ui, rect, id, &format!("Open {name} again"), false)
            };
            let (colours, ink) = (palette(ui), ui.visuals().text_color());
            let (title, note) = match is_gone {
                true => (colours.muted, ("! file not found", colours.error)),
                false => (ink, (folder.as_str(), colours.muted)),
            };
            paint_two_lines(ui, rect, (&name, title), note);
            if response.on_hover_text(path.display().to_string()).clicked() {
                out.push(Command::Open(path.clone()));
            }
            let forget = icon_button(ui, Icon::Close, &format!("Forget {name}"))
                .on_hover_text(say("Remove from this list; the file is kept"));
            out.extend(forget.clicked().then(|| Command::Library(LibraryCommand::ForgetRecent(path.clone()))));
        });
    }
    if most < recent.len() && ui.button(say(format!("Show all {}", recent.len()))).clicked() {
        ui.data_mut(|data| data.insert_temp(all, true));
    }
}
