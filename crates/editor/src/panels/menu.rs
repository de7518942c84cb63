//! The menu bar, made from the table of actions. Alt and a letter opens a menu, F10 the first one; arrows go on from
//! there.

use egui::os::OperatingSystem;
use egui::{Button, Id, Key, MenuBar, Modifiers, Popup, Response, Ui};

use crate::actions::{ACTIONS, Menu};
use crate::{Command, EditorState};

fn focus_request_id() -> Id {
    Id::unique("menu opened by a key")
}

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let menus: Vec<Menu> = Menu::ALL.into_iter().filter(|menu| menu_actions(*menu).next().is_some()).collect();
    let open: Option<usize> = ui.data(|data| data.get_temp(Id::unique("menu that is open")));
    let wanted = if state.dialog.is_some() { None } else { menu_for_key(ui, &menus, open) };
    let focus: Option<usize> = ui.data_mut(|data| data.remove_temp(focus_request_id()));
    let mut now = None;
    MenuBar::new().ui(ui, |ui| {
        for (n, menu) in menus.iter().enumerate() {
            let menu_button = ui.menu_button(menu.name(), |ui| {
                ui.set_min_width(230.0);
                menu_entries(ui, state, *menu, focus == Some(n), out);
            });
            if menu_button.inner.is_some() {
                now = Some(n);
            }
            focus_ring(ui, &menu_button.response);
            if wanted == Some(n) {
                Popup::open_id(ui.ctx(), Popup::default_response_id(&menu_button.response));
                ui.data_mut(|data| data.insert_temp(focus_request_id(), n));
                ui.ctx().request_repaint();
            }
        }
    });
    ui.data_mut(|data| match now {
        Some(now) => {
            data.insert_temp(Id::unique("menu that is open"), now);
        }
        None => {
            data.remove_temp::<usize>(Id::unique("menu that is open"));
        }
    });
}

fn menu_actions(menu: Menu) -> impl Iterator<Item = &'static crate::actions::Action> {
    ACTIONS.iter().filter(move |action| action.menu == menu)
}

fn menu_for_key(ui: &Ui, menus: &[Menu], open: Option<usize>) -> Option<usize> {
    // On macOS, Alt types letters.
    let letters = !matches!(ui.ctx().os(), OperatingSystem::Mac | OperatingSystem::IOS);
    ui.input_mut(|input| {
        // With Shift it opens the menu of what has the focus.
        if !input.modifiers.shift && input.consume_key(Modifiers::NONE, Key::F10) {
            return Some(0);
        }
        if let Some(open) = open {
            if input.consume_key(Modifiers::NONE, Key::ArrowRight) {
                return Some((open + 1) % menus.len());
            }
            if input.consume_key(Modifiers::NONE, Key::ArrowLeft) {
                return Some((open + menus.len() - 1) % menus.len());
            }
        }
        // Menus with the same first letter need another one.
        let letter = |menu: &Menu| match menu {
            Menu::Sheet => Some(Key::T),
            Menu::Fleet => Some(Key::L),
            other => Key::from_name(&other.name()[..1]),
        };
        let is_pressed = |input: &mut egui::InputState, menu: &Menu| {
            letter(menu).is_some_and(|letter| input.consume_key(Modifiers::ALT, letter))
        };
        menus.iter().position(|menu| letters && is_pressed(input, menu))
    })
}

/// A pale ground alone is hard to see.
fn focus_ring(ui: &Ui, of: &Response) {
    if of.has_focus() {
        let ring = ui.visuals().selection.stroke;
        ui.painter().rect_stroke(of.rect, 4.0, ring, egui::StrokeKind::Inside);
    }
}

fn menu_entries(ui: &mut Ui, state: &EditorState, menu: Menu, mut focus: bool, out: &mut Vec<Command>) {
    for action in menu_actions(menu) {
        if action.separator_above {
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
        let entry = ui.add_enabled(command.is_some(), button);
        focus_ring(ui, &entry);
        if focus && command.is_some() {
            entry.request_focus();
            focus = false;
        }
        if entry.clicked() {
            out.extend(command);
            ui.close();
        }
    }
}
