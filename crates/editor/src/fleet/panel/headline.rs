//! The fleet's totals: points against the budget, ships, and what is wrong.

use egui::{Label, RichText, Role, Ui, WidgetInfo, vec2};

use crate::EditorState;
use crate::theme::{DISPLAY, SMALL, TITLE, bold, palette};
use crate::widgets::small_label;
use moldloft_library::print::plural;

use crate::fleet::panel::FleetView;

/// `is_low`: one row, since the window is low.
pub fn show(ui: &mut Ui, state: &EditorState, is_low: bool) {
    let Some(page) = FleetView::new(state) else { return };
    let fleet = page.fleet;
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(26.0, 4.0);
        // A fleet without ships costs nothing; the cost of ships that cannot be evaluated is unknown.
        let unknown = || if fleet.fleet().ships.is_empty() { "0" } else { "?" }.to_owned();
        let points = fleet.evaluated.points.map_or_else(unknown, |points| points.to_string());
        let budget = fleet.fleet().budget.map(|budget| budget.points);
        let (below, over) = match (budget, fleet.points_left()) {
            (Some(budget), Some(left)) if left < 0 => (format!("! {} over {budget}", left.unsigned_abs()), true),
            (Some(budget), Some(left)) => (format!("of {budget} · {left} left"), false),
            _ => ("no budget".to_owned(), false),
        };
        number_block(ui, is_low, "points", &points, &below, over);
        let (ships, carried) = fleet.count_ships_and_carried();
        let carried_label = fleet.carry_relations().next().map_or("carried", |relation| &relation.label);
        let below = if carried > 0 { format!("{carried_label}: {carried}") } else { String::new() };
        number_block(ui, is_low, "ships", &ships.to_string(), &below, false);
        if !fleet.evaluated.skipped.is_empty() {
            number_block(
                ui,
                is_low,
                "skipped",
                &fleet.evaluated.skipped.len().to_string(),
                "! not checked, not counted",
                true,
            );
        }
        let bad = fleet.table_lines.iter().filter(|line| line.has_errors).count();
        if bad > 0 {
            number_block(ui, is_low, "not legal", &bad.to_string(), &format!("! {} to fix", plural(bad, "line")), true);
        }
    });
    ui.add_space(2.0);
}

/// `is_low`: in one line.
fn number_block(ui: &mut Ui, is_low: bool, label: &str, shown: &str, below: &str, over: bool) {
    let (palette, size) = (palette(ui), if is_low { TITLE } else { DISPLAY });
    let content = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing = if is_low { vec2(5.0, 0.0) } else { vec2(4.0, 0.0) };
        small_label(ui, label.to_uppercase());
        let colour = if over { palette.error } else { ui.visuals().text_color() };
        let number = ui.add(Label::new(RichText::new(shown).size(size).family(bold()).color(colour)).extend());
        let accessible = format!("{label}: {shown}{}{below}", if below.is_empty() { "" } else { ", " });
        number.widget_info(|| WidgetInfo::labeled(Role::Label, true, &accessible));
        let colour = if over { palette.error } else { palette.muted };
        let below = if below.is_empty() && !is_low { " " } else { below };
        ui.add(Label::new(RichText::new(below).size(SMALL).color(colour)).extend());
    };
    if is_low {
        ui.horizontal(content)
    } else {
        ui.vertical(content)
    };
}
