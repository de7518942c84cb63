//! Dialogs of a fleet: which designs it takes, each with its points and what the fleet would come to; what a variant is to be called.

use egui::{Button, FontId, Id, Key, Label, RichText, ScrollArea, Sense, TextEdit, Ui, pos2, vec2};

use crate::design::fleet::UNITS_MOST;
use crate::editor::browse::Browsing;
use crate::editor::fleet::Mustering;
use crate::editor::fleet::candidates::Candidate;
use crate::editor::fleet::choosing::{Choosing, For};
use crate::editor::fleet::edits::{about, said};
use crate::editor::fleet::hulls::class_said;
use crate::editor::inputs::HIT;
use crate::editor::theme::palette;
use crate::editor::tile::{still, tile, write, write_right};
use crate::editor::widgets::{amount, named, primary, quiet};
use crate::editor::{Command, State};

/// Height of a line.
const LINE: f32 = 32.0;

/// Shows the dialog in which designs are chosen.
pub fn show(ui: &mut Ui, state: &State, choosing: &Choosing, out: &mut Vec<Command>) {
    let Some(fleet) = state.doc_of(choosing.doc).and_then(|doc| doc.fleet()) else {
        return out.push(Command::Dismiss);
    };
    let (title, done) = match &choosing.what {
        For::Add => ("Add ships".to_owned(), "Add".to_owned()),
        For::Class(ships) => {
            (format!("Change the class of {}", about(fleet.fleet(), ships)), "Use this class".to_owned())
        }
        For::Refit(class) => {
            let word = |ship: &&crate::design::fleet::FleetShip| {
                ship.design.as_ref().is_some_and(|word| word.text.trim() == class.trim())
            };
            let many: u32 = fleet.fleet().ships.iter().filter(word).map(|ship| ship.count).sum();
            (format!("Refit all {} of the fleet ({many})", class_said(class)), "Refit".to_owned())
        }
        For::Carried { ship, label, .. } => (
            format!("{} of {}", super::super::mounts::capital(label), said(fleet.fleet(), *ship)),
            "Use these".to_owned(),
        ),
    };
    ui.heading(title);
    let mut new = choosing.clone();
    let id = Id::unique("choose a design");
    let field = TextEdit::singleline(&mut new.search).id(id).hint_text("search name or points…");
    let field = named(ui.add(field.desired_width(f32::INFINITY).char_limit(200)), "Search the designs");
    if ui.memory(|memory| memory.focused().is_none()) {
        field.request_focus();
    }
    let Some(candidates) = &choosing.candidates else {
        if state.browse.is_to_be_looked() {
            out.push(Command::Browse(Browsing::Look));
        }
        quiet(ui, "Reading the designs…");
        return cancel(ui, out);
    };
    let found: Vec<&Candidate> = candidates.iter().filter(|one| one.is_meant(&new.search)).collect();
    let room = (ui.ctx().content_rect().height() - 270.0).clamp(120.0, 420.0);
    ScrollArea::vertical().id_salt("designs").max_height(room).auto_shrink([false, true]).show_rows(
        ui,
        LINE,
        found.len(),
        |ui, rows| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for candidate in &found[rows] {
                line(ui, candidate, &mut new);
            }
        },
    );
    if found.is_empty() {
        let words = match candidates.is_empty() {
            true => "No design for these rules yet: start one on the start page.",
            false => "Nothing matches.",
        };
        quiet(ui, words);
    }
    let first = found.iter().find(|one| one.refused.is_none()).map(|one| one.word.clone());
    if field.lost_focus()
        && ui.input(|input| input.key_pressed(Key::Enter))
        && let Some(word) = first
    {
        new.set(&word, new.count(&word).max(1));
    }
    if new != *choosing {
        out.push(Command::Fleet(Mustering::Chosen(Box::new(new))));
    }
    ui.add_space(4.0);
    let over = choosing.effect.contains('!');
    let colour = if over { palette(ui).error } else { ui.visuals().text_color() };
    let words = match (choosing.chosen.is_empty(), choosing.effect.is_empty()) {
        (true, _) => "Nothing selected yet.",
        (false, true) => "No changes yet.",
        (false, false) => &choosing.effect,
    };
    ui.add(Label::new(RichText::new(words).color(colour)).wrap());
    ui.horizontal(|ui| {
        let can = !choosing.chosen.is_empty();
        ui.add_enabled_ui(can, |ui| {
            if primary(ui, &done).clicked() {
                out.push(Command::Fleet(Mustering::Take));
            }
        });
        if ui.button("Cancel").clicked() {
            out.push(Command::Dismiss);
        }
    });
}

fn cancel(ui: &mut Ui, out: &mut Vec<Command>) {
    if ui.button("Cancel").clicked() {
        out.push(Command::Dismiss);
    }
}

/// A design: a click takes it, or one more of it.
fn line(ui: &mut Ui, one: &Candidate, new: &mut Choosing) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE), Sense::hover());
    let count = new.count(&one.word);
    let points = one.points.map_or_else(|| "?".to_owned(), |points| points.to_string());
    let legal = if one.legal { "" } else { ", not legal" };
    let from = if one.from.is_empty() { String::new() } else { format!(", {}", one.from) };
    let name = format!("choose {}, {}{legal}{from}", one.name, amount(&points, "points"));
    let id = Id::unique(("candidate", &one.word));
    let steps = if new.is_counted() { 96.0 } else { 0.0 };
    let mut tile_rect = rect;
    tile_rect.max.x -= steps;
    let (palette, ink) = (palette(ui), ui.visuals().text_color());
    let y = rect.center().y;
    if let Some(why) = &one.refused {
        still(ui, tile_rect, id, &format!("{name}: {why}")).on_hover_text(why);
        write(
            ui,
            pos2(rect.left() + 8.0, y),
            &format!("{} – {why}", one.name),
            FontId::proportional(15.0),
            palette.quiet,
            tile_rect.width() - 90.0,
        );
    } else {
        let said = if count > 0 && new.is_counted() { format!("{name}, {count} selected") } else { name };
        let mut response = tile(ui, tile_rect, id, &said, count > 0);
        if one.embeds.is_some() {
            response = response.on_hover_text("Its current design is copied into the fleet's file");
        }
        if response.clicked() {
            new.set(&one.word, if new.is_counted() { (count + 1).min(UNITS_MOST) } else { 1 });
        }
        let sign = if count > 0 && !new.is_counted() { "• " } else { "" };
        let right = write_right(ui, pos2(tile_rect.right() - 8.0, y), &points, FontId::proportional(15.0), ink, 80.0);
        let note = match (one.legal, one.from) {
            (true, from) => from.to_owned(),
            (false, _) => "! not legal".to_owned(),
        };
        let colour = if one.legal { palette.quiet } else { palette.error };
        let more = write_right(
            ui,
            pos2(tile_rect.right() - 20.0 - right, y),
            &note,
            FontId::proportional(13.0),
            colour,
            110.0,
        );
        let room = tile_rect.width() - right - more - 40.0;
        write(ui, pos2(rect.left() + 8.0, y), &format!("{sign}{}", one.name), FontId::proportional(15.0), ink, room);
    }
    if new.is_counted() && one.refused.is_none() {
        let place =
            egui::Rect::from_min_max(pos2(tile_rect.right() + 4.0, rect.top() + 3.0), rect.max - vec2(2.0, 3.0));
        // The line has its room already.
        let mut beside = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt(id));
        beside.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 4.0;
            let fewer = ui.add_enabled(count > 0, Button::new("−").min_size(vec2(HIT, HIT)));
            if named(fewer, &format!("fewer {}", one.name)).clicked() {
                new.set(&one.word, count - 1);
            }
            ui.add_sized([30.0, HIT], Label::new(count.to_string()));
            let more = ui.add_enabled(count < UNITS_MOST, Button::new("+").min_size(vec2(HIT, HIT)));
            if named(more, &format!("more {}", one.name)).clicked() {
                new.set(&one.word, count + 1);
            }
        });
    }
}

/// Shows the dialog that asks for a variant's name.
pub fn variant(ui: &mut Ui, ship: u32, name: &str, out: &mut Vec<Command>) {
    ui.heading("Save class as a variant");
    quiet(ui, "Saves the class as a new design under this name and gives it to this ship. No file is replaced.");
    let label = ui.label("Name of the variant");
    let mut typed = name.to_owned();
    let field =
        ui.add(TextEdit::singleline(&mut typed).desired_width(f32::INFINITY).char_limit(80)).labelled_by(label.id);
    let enter = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if ui.memory(|memory| memory.focused().is_none()) {
        field.request_focus();
    }
    if field.changed() {
        out.push(Command::Ask(crate::editor::Dialog::Variant { ship, name: typed.clone() }));
    }
    ui.horizontal(|ui| {
        let can = !typed.trim().is_empty();
        let save = ui.add_enabled_ui(can, |ui| primary(ui, "Save variant").clicked()).inner;
        if can && (save || enter) {
            out.push(Command::Fleet(Mustering::SaveVariant { ship, name: typed.trim().to_owned() }));
        }
        if ui.button("Cancel").clicked() {
            out.push(Command::Dismiss);
        }
    });
}
