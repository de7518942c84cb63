//! The dialog in which the user measures a millimetre on this screen.

use egui::{Sense, Stroke, Ui, vec2};

use crate::language::say;
use crate::preview::{NOMINAL_CALIBRATION, PreviewChange, page_layout};
use crate::widgets::{named_button, with_accessible_name};
use crate::{Command, EditorState};

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let calibration = state.settings.sheet.calibration;
    let native = ui.ctx().native_pixels_per_point().unwrap_or(1.0);
    let long = 100.0 * page_layout::true_scale(native, calibration) / ui.ctx().pixels_per_point();
    ui.set_width((long + 20.0).clamp(460.0, 900.0));
    ui.heading(say("Calibrate screen"));
    ui.label(say(
        "Hold a ruler against the bar and make it 100 mm long. Sheets at true size are then as large as on paper.",
    ));
    ui.add_space(8.0);
    let (rect, bar) = ui.allocate_exact_size(vec2(long, 26.0), Sense::hover());
    with_accessible_name(bar, "Bar to make 100 mm long");
    let stroke = Stroke::new(1.0, ui.visuals().text_color());
    let y = rect.center().y;
    ui.painter().line_segment([rect.left_center(), rect.right_center()], stroke);
    for n in 0..=10 {
        let x = rect.left() + long * n as f32 / 10.0;
        let half = if n % 5 == 0 { 12.0 } else { 7.0 };
        ui.painter().line_segment([egui::pos2(x, y - half), egui::pos2(x, y + half)], stroke);
    }
    ui.add_space(8.0);
    let mut set = |thousandths: u32| out.push(Command::Preview(PreviewChange::Calibration(thousandths)));
    ui.horizontal(|ui| {
        for (sign, name, by) in
            [("−−", "Much shorter", -20), ("−", "Shorter", -2), ("+", "Longer", 2), ("++", "Much longer", 20)]
        {
            if named_button(ui, sign, name) {
                set(calibration.saturating_add_signed(by));
            }
        }
        if ui.button(say("Use reported size")).clicked() {
            set(NOMINAL_CALIBRATION);
        }
    });
    crate::panels::dialog_parts::close_button(ui, out);
}
