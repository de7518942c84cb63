//! The list of a ruleset's tables, with how much of each is changed or found.

use egui::{Align, Button, Layout, RichText, ScrollArea, Ui, vec2};

use crate::editor::Command;
use crate::editor::rules_page::RulesPageCommand;
use crate::editor::theme::{bold, palette};
use crate::editor::widgets::{muted_label, with_accessible_name};
use crate::ruleset::RuleGrid;

use super::PageView;
use super::words::{ORDER, grid_name, plural};

pub fn show(ui: &mut Ui, view: &PageView<'_>, out: &mut Vec<Command>) {
    ScrollArea::vertical().id_salt("rules tables").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        let mut is_empty = true;
        for (section, ..) in ORDER {
            let grids: Vec<(&RuleGrid, usize)> = view
                .grids()
                .filter(|(grid, count)| *grid.id.section == *section && (*count > 0 || grid.id.part.is_none()))
                .collect();
            if grids.iter().all(|(_, count)| *count == 0) {
                continue;
            }
            is_empty = false;
            let has_parts = grids.iter().any(|(grid, _)| grid.id.part.is_some());
            for (grid, count) in grids {
                if grid.id.part.is_none() && count == 0 {
                    let text = RichText::new(plural(section)).color(palette(ui).muted);
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

fn entry(ui: &mut Ui, view: &PageView<'_>, grid: &RuleGrid, count: usize, has_parts: bool, out: &mut Vec<Command>) {
    let name = grid_name(grid);
    let is_here = view.grid.is_some_and(|shown| shown.id == grid.id);
    let changed = view.changed_rows(grid);
    let is_part = grid.id.part.is_some();
    ui.horizontal(|ui| {
        if is_part {
            ui.add_space(12.0);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let number = RichText::new(count.to_string()).size(12.5).color(palette(ui).muted);
            ui.add_sized(vec2(24.0, 20.0), egui::Label::new(number));
            if changed > 0 {
                let text = RichText::new(format!("● {changed}")).size(12.5).color(palette(ui).accent);
                ui.label(text).on_hover_text("changed by this layer");
            }
            ui.with_layout(Layout::left_to_right(Align::Center).with_main_justify(true), |ui| {
                let text = RichText::new(&name);
                let text = if !is_part && has_parts { text.family(bold()) } else { text };
                let button = Button::selectable(is_here, text).truncate().min_size(vec2(0.0, 24.0));
                let accessible = match changed {
                    0 => format!("Show {name}, {count}"),
                    _ => format!("Show {name}, {count}, {changed} changed"),
                };
                if with_accessible_name(ui.add(button), &accessible).clicked() {
                    out.push(Command::RulesPage(RulesPageCommand::ShowGrid(grid.id.clone())));
                }
            });
        });
    });
}
