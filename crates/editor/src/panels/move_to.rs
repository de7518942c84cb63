//! The dialog that moves the selected fits to a mount; mounts that cannot take them give the reason.

use egui::{Button, RichText, ScrollArea, Ui, vec2};

use crate::language::say;
use crate::panels::design_view::DesignView;
use crate::panels::dialog_parts::cancel_button;
use crate::panels::dragged::{self, Dragged};
use crate::theme::{SMALL, palette};
use crate::widgets::{capitalize, with_accessible_name};
use crate::{Command, EditorState, fit_edits};

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(ship) = DesignView::new(state) else {
        out.push(Command::CloseDialog);
        return;
    };
    let chosen = fit_edits::selected_fits(ship.doc);
    let moved = Dragged::Fits(chosen.clone());
    let systems = if chosen.len() == 1 { "1 system".to_owned() } else { format!("{} systems", chosen.len()) };
    ui.heading(say(format!("Move {systems} to")));
    let mut is_first = true;
    ScrollArea::vertical().max_height(440.0).show(ui, |ui| {
        for mount in ship.evaluation.mounts.iter().filter(|mount| mount.applies) {
            let why = dragged::refusal(&ship, &moved, mount);
            let edit = fit_edits::move_to_mount(ship.doc, &chosen, &mount.id, None).filter(|_| why.is_none());
            let button =
                Button::new(capitalize(&say(&mount.label))).right_text("").min_size(vec2(ui.available_width(), 28.0));
            let response =
                with_accessible_name(ui.add_enabled(edit.is_some(), button), &format!("move to {}", mount.label));
            if edit.is_some() && std::mem::take(&mut is_first) {
                crate::panels::dialog_parts::focus_first(ui, &response);
            }
            if response.clicked() {
                out.extend(edit.map(Command::Edit));
                out.push(Command::CloseDialog);
            }
            if let Some(why) = why {
                ui.add(egui::Label::new(RichText::new(say(why)).size(SMALL).color(palette(ui).muted)).wrap());
            }
        }
    });
    ui.add_space(6.0);
    cancel_button(ui, out);
}
