//! What was told and not dismissed yet: what went well until the next thing is done, what went wrong until the player has dismissed it.
//! Screen readers say it when it appears.

use egui::accesskit::Live;
use egui::{Button, Frame, Margin, Ui};

use crate::editor::theme::palette;
use crate::editor::widgets::named;
use crate::editor::{Command, State};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    for (n, notice) in state.notices.iter().enumerate() {
        let palette = palette(ui);
        let (sign, colour, ground) = if notice.is_error {
            ("!", palette.error, palette.error_ground)
        } else {
            ("i", palette.accent, palette.chosen)
        };
        Frame::new().fill(ground).inner_margin(Margin::symmetric(10, 4)).corner_radius(4).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                ui.label(egui::RichText::new(sign).color(colour).strong());
                let room = (ui.available_width() - 40.0).max(80.0);
                ui.vertical(|ui| {
                    ui.set_width(room);
                    let text = ui.add(egui::Label::new(&notice.text).wrap());
                    let live = if notice.is_error { Live::Assertive } else { Live::Polite };
                    ui.ctx().accesskit_node_builder(text.id, |node| node.set_live(live));
                });
                let dismiss = ui.add(Button::new("×").frame(false).min_size(egui::vec2(24.0, 24.0)));
                if named(dismiss, &format!("Dismiss: {}", notice.text)).clicked() {
                    out.push(Command::DismissNotice(n));
                }
            });
        });
    }
}
