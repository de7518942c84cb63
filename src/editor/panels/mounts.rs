//! The form's lower part: what stands aboard, mount by mount, laid out like the ship.

use egui::Ui;

use crate::editor::widgets::{card, named};
use crate::editor::{Command, Edit, State, Step};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(evaluation) = state.doc().and_then(|doc| doc.evaluation()) else { return };
    for mount in evaluation.mounts.iter().filter(|mount| mount.applies || !mount.fits.is_empty()) {
        card(ui).show(ui, |ui| {
            ui.strong(&*mount.label);
            for fit in mount.fits.iter().filter_map(|fit| evaluation.fits.get(*fit)) {
                ui.horizontal(|ui| {
                    ui.label(&*fit.name);
                    let set = |count: u32| {
                        let step = Step::SetFit {
                            fit: fit.index as usize,
                            key: "count".into(),
                            value: i64::from(count).into(),
                        };
                        Command::Edit(Edit::one(format!("set the count of {}", fit.name), step))
                    };
                    let fewer = named(ui.button("−"), &format!("fewer {}, {}", fit.name, mount.label));
                    if fewer.clicked() {
                        out.push(set(fit.count.saturating_sub(1)));
                    }
                    ui.label(fit.count.to_string());
                    if named(ui.button("+"), &format!("more {}, {}", fit.name, mount.label)).clicked() {
                        out.push(set(fit.count.saturating_add(1).min(9_999)));
                    }
                });
            }
        });
    }
}
