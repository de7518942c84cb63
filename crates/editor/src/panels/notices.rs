//! Error notices, until dismissed. Good news is shown in the `status` line, so that nothing moves under the pointer.
//! Screen readers announce both.

use egui::accesskit::Live;
use egui::{Frame, Margin, Ui};

use crate::icons::{Icon, icon_button};
use crate::language::say;
use crate::theme::palette;
use crate::widgets::with_curly_quotes;
use crate::{Command, Notice, Tab};

pub fn show(ui: &mut Ui, notices: &[Notice], out: &mut Vec<Command>) {
    for (n, notice) in notices.iter().enumerate().filter(|(_, notice)| notice.is_error) {
        let palette = palette(ui);
        Frame::new().fill(palette.error_background).inner_margin(Margin::symmetric(10, 4)).corner_radius(4).show(
            ui,
            |ui| {
                ui.horizontal_top(|ui| {
                    ui.label(egui::RichText::new("!").color(palette.error).strong());
                    let room = (ui.available_width() - 40.0).max(80.0);
                    ui.vertical(|ui| {
                        ui.set_width(room);
                        let text = ui.add(egui::Label::new(with_curly_quotes(&say(&notice.text))).wrap());
                        ui.ctx().accesskit_node_builder(text.id, |node| node.set_live(Live::Assertive));
                        let Some((doc, path)) = &notice.copies else { return };
                        let button = ui.button(say("Save a copy where designs find it"));
                        if button.on_hover_text(path.display().to_string()).clicked() {
                            let shown = Command::ShowTab(Tab::Doc(*doc));
                            out.extend([Command::DismissNotice(n), shown, Command::SaveTo(path.clone())]);
                        }
                    });
                    if icon_button(ui, Icon::Close, &format!("Dismiss: {}", notice.text)).clicked() {
                        out.push(Command::DismissNotice(n));
                    }
                });
            },
        );
    }
}
