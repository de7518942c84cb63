//! The actions for ships above the table, as in the menu.

use egui::{Button, RichText, Ui, vec2};

use super::FleetView;
use crate::editor::Command;
use crate::editor::actions::{ACTIONS, Menu};
use crate::editor::theme::{bold, palette};

pub fn show(ui: &mut Ui, page: &FleetView<'_>, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let actions = ACTIONS.iter().filter(|action| action.menu == Menu::Fleet);
        for (n, (action, brief)) in actions.filter_map(|action| Some((action, action.toolbar_label?))).enumerate() {
            let command = (action.command)(page.state);
            let label = match n {
                0 => RichText::new(brief).family(bold()).color(palette(ui).accent),
                _ => RichText::new(brief),
            };
            let keys = action.keys.first().map(|key| ui.ctx().format_shortcut(key));
            let keys = keys.map_or_else(String::new, |keys| format!(" ({keys})"));
            let button = ui.add_enabled(command.is_some(), Button::new(label).min_size(vec2(24.0, 26.0)));
            if button.on_hover_text(format!("{}{keys}", action.label)).clicked() {
                out.extend(command);
            }
        }
    });
}
