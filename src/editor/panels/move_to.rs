//! Where the chosen fits are moved to: the mounts, those that may not take them with the reason.

use egui::{Button, RichText, ScrollArea, Ui, vec2};

use super::mounts::{capital, refused};
use super::ship::Ship;
use crate::editor::theme::palette;
use crate::editor::widgets::named;
use crate::editor::{Command, State, fits};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(ship) = Ship::of(state) else {
        out.push(Command::Dismiss);
        return;
    };
    let chosen = fits::chosen(ship.doc);
    let many = if chosen.len() == 1 { "1 system".to_owned() } else { format!("{} systems", chosen.len()) };
    ui.heading(format!("Move {many} to"));
    let mut is_first = true;
    ScrollArea::vertical().max_height(440.0).show(ui, |ui| {
        for mount in ship.evaluation.mounts.iter().filter(|mount| mount.applies) {
            let why = refused(&ship, &chosen, mount);
            let edit = fits::move_to(ship.doc, &chosen, &mount.id, None).filter(|_| why.is_none());
            let button = Button::new(capital(&mount.label)).right_text("").min_size(vec2(ui.available_width(), 28.0));
            let response = named(ui.add_enabled(edit.is_some(), button), &format!("move to {}", mount.label));
            if edit.is_some() && std::mem::take(&mut is_first) {
                super::ask::focus_first(ui, &response);
            }
            if response.clicked() {
                out.extend(edit.map(Command::Edit));
                out.push(Command::Dismiss);
            }
            if let Some(why) = why {
                ui.add(egui::Label::new(RichText::new(why).size(12.5).color(palette(ui).quiet)).wrap());
            }
        }
    });
    ui.add_space(6.0);
    if ui.button("Cancel").clicked() {
        out.push(Command::Dismiss);
    }
}
