//! The menu bar, made from the table of actions. Alt and a letter opens a menu, F10 the first one; arrows go on from
//! there.

use egui::os::OperatingSystem;
use egui::{Button, Id, Key, MenuBar, Modifiers, Popup, Response, Ui};

use crate::actions::{ACTIONS, Menu};
use crate::language::{say, say_keys};
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
            let menu_button = ui.menu_button(say(menu.name()), |ui| {
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
        let is_pressed = |input: &mut egui::InputState, letter: char| {
            Key::from_name(&letter.to_string()).is_some_and(|letter| input.consume_key(Modifiers::ALT, letter))
        };
        menu_letters(menus)
            .into_iter()
            .position(|letter| letters && letter.is_some_and(|letter| is_pressed(input, letter)))
    })
}

/// The letter that opens each menu: its first, or, where one before begins with the same, the first that no menu begins with or has.
fn menu_letters(menus: &[Menu]) -> Vec<Option<char>> {
    let names: Vec<String> = menus.iter().map(|menu| say(menu.name()).to_uppercase()).collect();
    let first: Vec<Option<char>> = names.iter().map(|name| name.chars().next()).collect();
    let mut taken = Vec::new();
    for (n, name) in names.iter().enumerate() {
        let is_free = |letter: &char| !first.contains(&Some(*letter)) && !taken.contains(&Some(*letter));
        let is_first = !first[..n].contains(&first[n]);
        taken.push(if is_first { first[n] } else { name.chars().find(is_free) });
    }
    taken
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
        let mut button = Button::new(say(action.label(state)));
        if let Some(is_on) = action.is_on {
            button = button.selected(is_on(state));
        }
        if let Some(key) = action.keys.first() {
            button = button.shortcut_text(say_keys(&ui.ctx().format_shortcut(key)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_menu_has_a_letter_of_its_own() {
        let letters: String = menu_letters(&Menu::ALL).into_iter().flatten().collect();
        assert_eq!(letters, "FEVSLTRH");
    }
}
