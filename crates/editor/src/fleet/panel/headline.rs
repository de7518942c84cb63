//! The fleet's totals: points against the budget, ships, and what is wrong.

use egui::{Label, RichText, Role, Ui, WidgetInfo, vec2};

use crate::EditorState;
use crate::fleet::panel::FleetView;
use crate::language::say;
use crate::panels::headline::number_grid;
use crate::theme::{DISPLAY, SMALL, TITLE, bold, palette};
use crate::widgets::small_label;
use moldloft_library::print::plural;

/// `is_low`: one row, since the window is low.
pub fn show(ui: &mut Ui, state: &EditorState, is_low: bool) {
    let Some(page) = FleetView::new(state) else { return };
    let fleet = page.fleet;
    // A fleet without ships costs nothing; the cost of ships that cannot be evaluated is unknown.
    let unknown = || if fleet.fleet().ships.is_empty() { "0" } else { "?" }.to_owned();
    let points = fleet.evaluated.points.map_or_else(unknown, |points| points.to_string());
    let budget = fleet.fleet().budget.map(|budget| budget.points);
    let (below, is_over) = match (budget, fleet.points_left()) {
        (Some(budget), Some(left)) if left < 0 => (format!("! {} over {budget}", left.unsigned_abs()), true),
        (Some(budget), Some(left)) => (format!("of {budget} · {left} left"), false),
        _ => ("no budget".to_owned(), false),
    };
    let (ships, carried) = fleet.count_ships_and_carried();
    let carried_label = fleet.carry_relations().next().map_or("carried", |relation| &relation.label);
    let carried = if carried > 0 { format!("{carried_label}: {carried}") } else { String::new() };
    let mut numbers = vec![("points", points, below, is_over), ("ships", ships.to_string(), carried, false)];
    let skipped = fleet.evaluated.skipped.len();
    if skipped > 0 {
        numbers.push(("skipped", skipped.to_string(), "! not checked, not counted".to_owned(), true));
    }
    let bad = fleet.table_lines.iter().filter(|line| line.has_errors).count();
    if bad > 0 {
        numbers.push(("not legal", bad.to_string(), format!("! {} to fix", plural(bad, "line")), true));
    }
    ui.add_space(2.0);
    let add = |ui: &mut Ui, (label, shown, below, is_over): &(&str, String, String, bool)| {
        number_block(ui, is_low, label, shown, below, *is_over);
    };
    if is_low {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(26.0, 4.0);
            numbers.iter().for_each(|number| add(ui, number));
        });
    } else {
        // Room for all four, so that none moves when another comes.
        number_grid(ui, 4, |ui, n| numbers.get(n).into_iter().for_each(|number| add(ui, number)));
    }
    ui.add_space(2.0);
}

/// `is_low`: in one line.
fn number_block(ui: &mut Ui, is_low: bool, label: &str, shown: &str, below: &str, over: bool) {
    let (palette, size) = (palette(ui), if is_low { TITLE } else { DISPLAY });
    let content = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing = if is_low { vec2(5.0, 0.0) } else { vec2(4.0, 0.0) };
        small_label(ui, say(label).to_uppercase());
        let colour = if over { palette.error } else { ui.visuals().text_color() };
        let number = ui.add(Label::new(RichText::new(say(shown)).size(size).family(bold()).color(colour)).extend());
        let accessible = format!("{label}: {shown}{}{below}", if below.is_empty() { "" } else { ", " });
        number.widget_info(|| WidgetInfo::labeled(Role::Label, true, say(&accessible)));
        let colour = if over { palette.error } else { palette.muted };
        let below = if below.is_empty() && !is_low { " " } else { below };
        ui.add(Label::new(RichText::new(say(below)).size(SMALL).color(colour)).extend());
    };
    if is_low {
        ui.horizontal(content)
    } else {
        ui.vertical(content)
    };
}
