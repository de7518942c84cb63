//! What was told and not dismissed yet.

use egui::Ui;

use crate::editor::theme::palette;
use crate::editor::widgets::named;
use crate::editor::{Command, State};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    for (n, notice) in state.notices.iter().enumerate() {
        ui.horizontal(|ui| {
            let palette = palette(ui);
            let (sign, colour) = if notice.is_error { ("!", palette.error) } else { ("i", palette.accent) };
            ui.colored_label(colour, sign);
            if named(ui.button("×"), &format!("Dismiss: {}", notice.text)).clicked() {
                out.push(Command::DismissNotice(n));
            }
            ui.add(egui::Label::new(&notice.text).wrap());
        });
    }
}
