//! The menu bar, made from the table of actions.

use egui::{Button, MenuBar, Ui};

use crate::editor::actions::{ACTIONS, Menu};
use crate::editor::{Command, State};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    MenuBar::new().ui(ui, |ui| {
        for menu in Menu::ALL {
            let actions = || ACTIONS.iter().filter(|action| action.menu == menu);
            if actions().next().is_none() {
                continue;
            }
            ui.menu_button(menu.name(), |ui| {
                ui.set_min_width(230.0);
                for action in actions() {
                    if action.apart {
                        ui.separator();
                    }
                    let command = (action.command)(state);
                    let mut button = Button::new(action.label(state));
                    if let Some(is_on) = action.is_on {
                        button = button.selected(is_on(state));
                    }
                    if let Some(key) = action.keys.first() {
                        button = button.shortcut_text(ui.ctx().format_shortcut(key));
                    }
                    if ui.add_enabled(command.is_some(), button).clicked() {
                        out.extend(command);
                        ui.close();
                    }
                }
            });
        }
    });
}
