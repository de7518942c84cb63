//! A design's sheets before and after, side by side, with the differences tinted.

use egui::{Align, Id, Key, Layout, Modifiers, Popup, RichText, Ui};

use crate::Command;
use crate::language::say;
use crate::panels::sheet_pictures::{self, PictureColumn};
use crate::rules_page::panel::view::PageView;
use crate::rules_page::{RulesPageCommand, SheetsBeforeAfter};
use crate::theme::{TITLE, bold};
use crate::widgets::{muted_label, named_button};

pub fn show(ui: &mut Ui, view: &PageView<'_>, sheets: &SheetsBeforeAfter, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(say(format!("{}: sheets before and after", sheets.name))).family(bold()).size(TITLE));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let ctx = ui.ctx();
            let is_other = ctx.memory(|memory| memory.top_modal_layer().is_some()) || Popup::is_any_open(ctx);
            let escape = !is_other && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
            if named_button(ui, "Back to the table", "close the sheets") || escape {
                out.push(Command::RulesPage(RulesPageCommand::ShowSheets(None)));
            }
            ui.add_space(12.0);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                sheet_pictures::zoom_buttons(ui, view.state.pictures_percent, out);
            });
        });
    });
    let Some([before, after]) = &sheets.pages else {
        muted_label(ui, "Drawing…");
        return;
    };
    if before.is_empty() && after.is_empty() {
        muted_label(ui, "The sheets cannot be drawn by these rules.");
        return;
    }
    let width = ((ui.available_width() - 20.0) / 2.0).max(80.0);
    let columns = [(before, "before"), (after, "after")].map(|(pages, title)| PictureColumn {
        title,
        pages,
        name: format!("sheet of {} {title}", sheets.name),
    });
    let id = Id::unique(("sheets before and after", view.doc.id.0, &sheets.name));
    sheet_pictures::show(ui, id, view.state.pictures_percent, width, &columns, out);
}
