//! The actions for ships above the table, as in the menu.

use std::sync::Arc;

use egui::{Button, RichText, Ui, vec2};

use crate::Command;
use crate::actions::{ACTIONS, Menu};
use crate::fleet::panel::FleetView;
use crate::language::{say, say_keys};
use crate::theme::{bold, palette};
use crate::widgets::memoized;

pub fn show(ui: &mut Ui, page: &FleetView<'_>, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        let actions = || {
            let of_fleet = ACTIONS.iter().filter(|action| action.menu == Menu::Fleet);
            of_fleet.filter_map(|action| Some((action, action.toolbar_label?)))
        };
        // Finding out what is possible makes the edits, which takes long for large fleets.
        let key = (page.doc.id, page.doc.revision, page.doc.selected.clone(), page.doc.unit_index);
        let enabled: Arc<[bool]> = memoized(ui.ctx(), "fleet toolbar", key, || {
            actions().map(|(action, _)| (action.command)(page.state).is_some()).collect()
        });
        for (n, ((action, brief), enabled)) in actions().zip(enabled.iter()).enumerate() {
            let label = match n {
                0 => RichText::new(say(brief)).family(bold()).color(palette(ui).accent),
                _ => RichText::new(say(brief)),
            };
            let keys = action.keys.first().map(|key| say_keys(&ui.ctx().format_shortcut(key)));
            let keys = keys.map_or_else(String::new, |keys| format!(" ({keys})"));
            let button = ui.add_enabled(*enabled, Button::new(label).min_size(vec2(24.0, 26.0)));
            if button.on_hover_text(format!("{}{keys}", say(action.label))).clicked() {
                out.extend((action.command)(page.state));
            }
        }
    });
}
