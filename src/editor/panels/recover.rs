//! The offer to restore what a crash left: each design with its file and what differs from it.

use egui::{RichText, ScrollArea, Ui};

use super::disk::{counted, lines_of};
use crate::editor::theme::bold;
use crate::editor::widgets::{card, named, primary, quiet};
use crate::editor::{Command, Discarding, Keeping, Offer, State};
use crate::press::many;

/// Lines shown of what differs in each.
const MOST_LINES: usize = 6;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let keep = &state.keep;
    ui.heading("Unsaved changes");
    ui.label("Moldloft ended before these were saved. Nothing is lost: restoring opens them as unsaved changes.");
    ScrollArea::vertical().id_salt("offers").max_height(380.0).show(ui, |ui| {
        for (place, offer) in keep.offers.iter().enumerate() {
            card(ui).show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.push_id(place, |ui| one(ui, state, place, offer, out));
            });
        }
    });
    ui.add_space(8.0);
    if keep.doubt == Some(Discarding::All) {
        ui.label("Discard all drafts? This cannot be undone.");
        ui.horizontal(|ui| {
            if primary(ui, "Keep it").clicked() {
                out.push(Command::Keep(Keeping::Doubt(None)));
            }
            if ui.button("Discard all drafts").clicked() {
                out.push(Command::Keep(Keeping::Discard(Discarding::All)));
            }
        });
        return;
    }
    ui.horizontal(|ui| {
        let all = primary(ui, "Restore all");
        if ui.memory(|memory| memory.focused().is_none()) {
            all.request_focus();
        }
        if all.clicked() {
            out.push(Command::Keep(Keeping::RestoreAll));
        }
        if ui.button("Discard all…").clicked() {
            out.push(Command::Keep(Keeping::Doubt(Some(Discarding::All))));
        }
        if ui.button("Later").on_hover_text("Offered again at the next start and in the File menu").clicked() {
            out.push(Command::Dismiss);
        }
    });
}

fn one(ui: &mut Ui, state: &State, place: usize, offer: &Offer, out: &mut Vec<Command>) {
    let draft = &offer.lost.draft;
    let name = if draft.name.is_empty() { "Unnamed" } else { &draft.name };
    let game = if draft.ruleset.is_empty() { String::new() } else { format!(" · {}", draft.ruleset) };
    ui.label(RichText::new(format!("{name}{game}")).family(bold()));
    match &draft.path {
        Some(path) => quiet(ui, path.display().to_string()),
        None => quiet(ui, "never saved"),
    };
    match (&draft.path, &offer.file) {
        (Some(_), Some(_)) => {
            ui.label(counted(&offer.differing));
            lines_of(ui, &offer.differing, MOST_LINES, 140.0);
        }
        (Some(_), None) => {
            ui.label("Its file is missing or cannot be read.");
        }
        (None, _) => {
            let lines = draft.text.lines().count();
            ui.label(format!("{} not saved anywhere else", many(lines, "line")));
        }
    }
    if offer.is_stale && offer.file.is_some() {
        ui.label("The file changed after this draft was started; both are kept until you choose.");
    }
    if state.keep.doubt == Some(Discarding::One(place)) {
        ui.label("Discard it? This cannot be undone.");
        ui.horizontal(|ui| {
            if named(ui.button("Keep it"), &format!("Keep {name}")).clicked() {
                out.push(Command::Keep(Keeping::Doubt(None)));
            }
            if named(ui.button("Discard it"), &format!("Confirm discarding {name}")).clicked() {
                out.push(Command::Keep(Keeping::Discard(Discarding::One(place))));
            }
        });
        return;
    }
    ui.horizontal(|ui| {
        if named(ui.button("Restore"), &format!("Restore {name}")).clicked() {
            out.push(Command::Keep(Keeping::Restore(place)));
        }
        if named(ui.button("Discard…"), &format!("Discard {name}")).clicked() {
            out.push(Command::Keep(Keeping::Doubt(Some(Discarding::One(place)))));
        }
    });
}
