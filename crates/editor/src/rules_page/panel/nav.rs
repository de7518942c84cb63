//! The list of a ruleset's tables, with how much of each is changed or found.

use crate::language::say;
use crate::tile::paint_cell;
use egui::{FontId, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use crate::Command;
use crate::rules_page::RulesPageCommand;
use crate::rules_page::panel::view::PageView;
use crate::rules_page::panel::words::{ORDER, grid_name, plural};
use crate::theme::{BODY, SMALL, bold, palette};
use crate::widgets::muted_label;
use moldloft_rules::ruleset::RuleGrid;

const ROW_HEIGHT: f32 = 25.0;

pub fn show(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    ScrollArea::vertical().id_salt("rules tables").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        // Room for the scroll bar.
        ui.set_max_width((ui.available_width() - 8.0).max(0.0));
        let mut is_empty = true;
        for (section, ..) in ORDER {
            let grids: Vec<(&RuleGrid, usize)> = view
                .grids()
                .filter(|(grid, count)| *grid.id.section == *section && (*count > 0 || grid.id.part.is_none()))
                .filter(|(grid, _)| is_listed(view, grid))
                .collect();
            // A section without entries is listed, so that one can be added.
            let is_searched = !view.query.is_empty();
            if grids.is_empty() || (is_searched && grids.iter().all(|(_, count)| *count == 0)) {
                continue;
            }
            is_empty = false;
            let has_parts = grids.iter().any(|(grid, _)| grid.id.part.is_some());
            for (grid, count) in grids {
                if grid.id.part.is_none() && count == 0 && is_searched {
                    let text = RichText::new(say(plural(section))).color(palette(ui).muted);
                    ui.add_space(3.0);
                    ui.label(text);
                } else {
                    entry(ui, view, grid, count, has_parts, out);
                }
            }
            ui.add_space(3.0);
        }
        if is_empty {
            muted_label(ui, "nothing found");
        }
    });
}

/// Options and rows; other parts only where they are searched for, changed, or near what is shown.
fn is_listed(view: &PageView<'_>, grid: &RuleGrid) -> bool {
    let Some((_, key)) = &grid.id.part else { return true };
    matches!(&**key, "options" | "rows")
        || !view.query.is_empty()
        || view.changed_rows(grid) > 0
        || view.grid.is_some_and(|shown| shown.id.section == grid.id.section)
}

/// Several tables may have one title.
fn unique_name(view: &PageView<'_>, grid: &RuleGrid) -> String {
    let name = grid_name(grid);
    let is_same =
        |other: &RuleGrid| other.id != grid.id && other.id.section == grid.id.section && grid_name(other) == name;
    match &grid.id.part {
        Some((entry, _)) if view.open.book.grids.iter().any(is_same) => format!("{name} ({entry})"),
        _ => name,
    }
}

fn entry(ui: &mut Ui, view: &PageView<'_>, grid: &RuleGrid, count: usize, has_parts: bool, out: &mut Vec<Command>) {
    let colours = palette(ui);
    let name = unique_name(view, grid);
    let is_here = view.grid.is_some_and(|shown| shown.id == grid.id);
    let changed = view.changed_rows(grid);
    let is_part = grid.id.part.is_some();
    let accessible = match changed {
        0 => format!("Show {name}, {count}"),
        _ => format!("Show {name}, {count}, {changed} changed"),
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, say(&accessible)));
    if ui.is_rect_visible(rect) {
        if is_here {
            ui.painter().rect_filled(rect, 4.0, colours.selection);
        } else if response.hovered() {
            ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.hovered.weak_bg_fill);
        }
        if response.has_focus() {
            ui.painter().rect_stroke(rect, 4.0, Stroke::new(1.5, colours.accent), StrokeKind::Inside);
        }
        let small = FontId::proportional(SMALL);
        let ink = if is_here { colours.accent } else { ui.visuals().text_color() };
        let family = if !is_part && has_parts { bold() } else { egui::FontFamily::Proportional };
        let indent = if is_part { 14.0 } else { 0.0 };
        let (numbers, marks) = (34.0, if changed > 0 { 30.0 } else { 0.0 });
        let mut text = rect;
        text.min.x += indent;
        text.max.x -= numbers + marks;
        paint_cell(ui, text, &say(&name), FontId::new(BODY, family), ink, false);
        let mut number = rect;
        number.min.x = rect.right() - numbers;
        paint_cell(ui, number, &count.to_string(), small.clone(), colours.muted, true);
        if changed > 0 {
            let mut mark = number.translate(vec2(-numbers + 4.0, 0.0));
            mark.min.x -= 10.0;
            paint_cell(ui, mark, &say(format!("• {changed}")), small, colours.accent, true);
        }
    }
    let more = if changed > 0 { "\nchanged by this layer" } else { "" };
    let response = response.on_hover_text(say(format!("{name}{more}")));
    out.extend(response.clicked().then(|| Command::RulesPage(RulesPageCommand::ShowGrid(grid.id.clone()))));
}
