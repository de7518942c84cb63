//! The tabs: the start page and the open documents.

use egui::style::ScrollAnimation;
use egui::{Button, ScrollArea, Ui};

use crate::editor::widgets::{small_button, with_accessible_name};
use crate::editor::{Command, EditorState, Tab};
use crate::sanitize::shorten;

const MAX_NAME_CHARS: usize = 28;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    ScrollArea::horizontal().id_salt("tabs").show(ui, |ui| {
        ui.horizontal(|ui| {
            if ui.add(Button::selectable(state.tab == Tab::Start, "Start")).clicked() {
                out.push(Command::ShowTab(Tab::Start));
            }
            for doc in &state.docs {
                ui.separator();
                let name = doc.name();
                let short = shorten(&name, MAX_NAME_CHARS);
                let (shown, accessible) = match &doc.file {
                    Some(file) if file.built_in => (format!("{short} (built-in)"), format!("{name}, built-in")),
                    _ if doc.is_changed() => (format!("{short} •"), format!("{name}, not saved")),
                    _ => (short.clone(), name.clone()),
                };
                let (shown, accessible) = match &doc.rules_override {
                    Some(override_id) => {
                        (format!("{shown} ({override_id})"), format!("{accessible}, checked by {override_id}"))
                    }
                    None => (shown, accessible),
                };
                let is_here = state.tab == Tab::Doc(doc.id);
                let tab = with_accessible_name(ui.add(Button::selectable(is_here, shown)), &accessible);
                let tab = match &doc.file {
                    Some(file) if file.built_in => {
                        tab.on_hover_text("Built-in: the first change creates your own copy")
                    }
                    Some(file) => tab.on_hover_text(file.to_string()),
                    None => tab.on_hover_text("Not saved yet"),
                };
                if tab.clicked() {
                    out.push(Command::ShowTab(Tab::Doc(doc.id)));
                }
                let close = ui.add(small_button("×").frame(false));
                let (whole, sight) = (tab.rect.union(close.rect), ui.clip_rect().expand(1.0));
                let is_cut = whole.left() < sight.left() || whole.right() > sight.right();
                if is_here && is_cut && whole.width() < sight.width() {
                    ui.scroll_to_rect_animation(whole, None, ScrollAnimation::none());
                }
                if tab.middle_clicked() || with_accessible_name(close, &format!("Close {name}")).clicked() {
                    out.push(Command::Close(doc.id));
                }
            }
        });
    });
}
