//! A design's sheets before and after, side by side, with the differences tinted.

use egui::{Align, Image, Key, Layout, Modifiers, Popup, RichText, ScrollArea, Ui, Vec2, vec2};

use crate::editor::Command;
use crate::editor::preview::Tile;
use crate::editor::rules_page::{RulesPageCommand, SheetsBeforeAfter};
use crate::editor::theme::{SUBTITLE, bold};
use crate::editor::widgets::{muted_label, named_button, with_accessible_name};

use super::view::PageView;

pub fn show(ui: &mut Ui, view: &PageView<'_>, sheets: &SheetsBeforeAfter, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("{}: sheets before and after", sheets.name)).family(bold()).size(SUBTITLE));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let ctx = ui.ctx();
            let is_other = ctx.memory(|memory| memory.top_modal_layer().is_some()) || Popup::is_any_open(ctx);
            let escape = !is_other && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
            if named_button(ui, "Back to the table", "close the sheets") || escape {
                out.push(Command::RulesPage(RulesPageCommand::ShowSheets(None)));
            }
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
    ScrollArea::vertical().id_salt(("sheets", view.doc.id.0)).auto_shrink(false).show(ui, |ui| {
        let width = ((ui.available_width() - 20.0) / 2.0).max(80.0);
        ui.horizontal_top(|ui| {
            for (pages, name) in [(before, "before"), (after, "after")] {
                ui.vertical(|ui| {
                    ui.set_width(width);
                    ui.label(RichText::new(name).family(bold()));
                    for (n, page) in pages.iter().enumerate() {
                        picture(ui, page, width, &format!("sheet of {} {name}, page {}", sheets.name, n + 1));
                    }
                });
            }
        });
    });
}

fn picture(ui: &mut Ui, page: &Tile, width: f32, name: &str) {
    let Some(texture) = page.texture(ui.ctx()) else { return };
    let (wide, high) = (page.size.0.max(1) as f32, page.size.1 as f32);
    let size: Vec2 = vec2(width, width * high / wide);
    let image = ui.add(Image::new((texture, size)).alt_text(name));
    with_accessible_name(image, name);
}
