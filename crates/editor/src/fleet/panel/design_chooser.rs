//! Dialogs of a fleet: choosing designs with their cost, and naming a variant.

use std::sync::Arc;

use egui::{FontId, Id, Label, Rect, RichText, ScrollArea, Sense, TextEdit, Ui, pos2, vec2};

use crate::fleet::edits::{describe_ships, ship_label};
use crate::fleet::hull_numbers::class_display_name;
use crate::fleet::model::FleetCommand;
use crate::language::{say, tell};
use crate::library_browser::model::{LibraryCommand, Pictured};
use crate::panels::dialog_parts::{cancel_button, dialog_foot, focus_first};
use crate::panels::search::order_input;
use crate::panels::ship_picture::ShipPictures;
use crate::panels::system_picker::parse_search;
use crate::theme::{BODY, SMALL, palette};
use crate::tile::{paint_text, paint_text_right, static_tile, tile};
use crate::widgets::{
    MIN_TARGET_SIZE, amount_with_unit, capitalize, is_left_by_enter, muted_label, number_or_unknown, small_button,
    with_accessible_name,
};
use crate::{Command, DesignCandidate, DesignChooser, DesignChooserPurpose, EditorState};
use moldloft_rules::design::fleet::MAX_UNITS;

const LINE_HEIGHT: f32 = 40.0;
const PICTURE_WIDTH: f32 = 82.0;

pub fn show(ui: &mut Ui, state: &EditorState, chooser: &DesignChooser, out: &mut Vec<Command>) {
    let Some(fleet) = state.find_doc(chooser.doc).and_then(|doc| doc.as_fleet()) else {
        return out.push(Command::CloseDialog);
    };
    let (title, done) = match &chooser.purpose {
        DesignChooserPurpose::AddShips => ("Add ships".to_owned(), "Add".to_owned()),
        DesignChooserPurpose::ChangeClass(ships) => {
            (format!("Change the class of {}", describe_ships(fleet.fleet(), ships)), "Use this class".to_owned())
        }
        DesignChooserPurpose::RefitClass(class) => {
            let word = |ship: &&moldloft_rules::design::fleet::FleetShip| {
                ship.design.as_ref().is_some_and(|word| word.text.trim() == class.trim())
            };
            let many: u32 = fleet.fleet().ships.iter().filter(word).map(|ship| ship.count).sum();
            (format!("Refit all {} of the fleet ({many})", class_display_name(class)), "Refit".to_owned())
        }
        DesignChooserPurpose::SetCarried { ship, label, .. } => {
            (tell("{1} of {2}", &[&capitalize(&say(label)), &ship_label(fleet.fleet(), *ship)]), "Use these".to_owned())
        }
    };
    ui.heading(say(title));
    let mut new = chooser.clone();
    let id = Id::unique("choose a design");
    let hint =
        if new.allows_counts() { "search name or points; “4 name” for four" } else { "search name or points" };
    let order = state.settings.order;
    let field = ui.horizontal(|ui| {
        let width = ui.available_width() - 110.0;
        let field = TextEdit::singleline(&mut new.search).id(id).hint_text(say(hint)).char_limit(200);
        let field = with_accessible_name(ui.add(field.desired_width(width)), "Search the designs");
        order_input(ui, order, out);
        field
    });
    let field = field.inner;
    focus_first(ui, &field);
    let Some(candidates) = &chooser.candidates else {
        if state.library.needs_scan() {
            out.push(Command::Library(LibraryCommand::Scan));
        }
        muted_label(ui, "Reading the designs…");
        return cancel_button(ui, out);
    };
    let is_any = |wanted: &str| candidates.iter().any(|one| one.matches_search(wanted));
    let (many, wanted) = match new.allows_counts() {
        true => parse_search(&new.search.trim().to_lowercase(), is_any, is_any),
        false => (1, new.search.clone()),
    };
    let mut found: Vec<&DesignCandidate> = candidates.iter().filter(|one| one.matches_search(&wanted)).collect();
    found.sort_by_cached_key(|one| (one.disabled_reason.is_some(), order.sort_key(&one.kind, one.points)));
    let room = (ui.ctx().content_rect().height() - 270.0).clamp(120.0, 420.0);
    if found.is_empty() {
        let words = match candidates.is_empty() {
            true => "No design for these rules yet: start one on the start page.",
            false => "Nothing matches.",
        };
        muted_label(ui, words);
    }
    let mut pictures = ShipPictures::default();
    // Its height does not change while typing: the field stays where it is.
    ScrollArea::vertical().id_salt("designs").max_height(room).auto_shrink(false).show_rows(
        ui,
        LINE_HEIGHT,
        found.len(),
        |ui, rows| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for candidate in &found[rows] {
                let (id, picture) = candidate_line(ui, candidate, &mut new);
                let file = candidate.file.as_ref();
                let entry = file.and_then(|file| state.library.catalogue.entries().find(|entry| entry.file == *file));
                if let Some(entry) = entry {
                    let ink = ui.visuals().text_color();
                    pictures.paint(ui, state, picture, id, Pictured::Entry(Arc::clone(entry)), ink);
                }
            }
        },
    );
    pictures.draw_missing(state, out);
    let first = found.iter().find(|one| one.disabled_reason.is_none()).map(|one| one.reference.clone());
    if is_left_by_enter(ui, &field)
        && let Some(word) = first
    {
        // Enter takes the first one, Enter again, or without a search, does what the button does.
        let is_done = if new.search.is_empty() { !new.chosen.is_empty() } else { new.count(&word) > 0 };
        if is_done {
            out.push(Command::Fleet(FleetCommand::ConfirmDesignChooser));
        } else {
            new.set_count(&word, many.min(MAX_UNITS));
        }
    }
    if new != *chooser {
        out.push(Command::Fleet(FleetCommand::UpdateDesignChooser(Box::new(new))));
    }
    ui.add_space(4.0);
    let over = chooser.cost_summary.contains('!');
    let colour = if over { palette(ui).error } else { ui.visuals().text_color() };
    let words = match (chooser.chosen.is_empty(), chooser.cost_summary.is_empty()) {
        (true, _) => "Nothing selected yet.",
        (false, true) => "No changes yet.",
        (false, false) => &chooser.cost_summary,
    };
    ui.add(Label::new(RichText::new(say(words)).color(colour)).wrap());
    let can = !chooser.chosen.is_empty();
    dialog_foot(ui, &done, (can, false), out, || Command::Fleet(FleetCommand::ConfirmDesignChooser));
}

/// Gives its identity, and where its picture is.
fn candidate_line(ui: &mut Ui, one: &DesignCandidate, new: &mut DesignChooser) -> (Id, Rect) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), LINE_HEIGHT), Sense::hover());
    let count = new.count(&one.reference);
    let points = number_or_unknown(one.points);
    let legal = if one.legal { "" } else { ", not legal" };
    let from = if one.source.is_empty() { String::new() } else { format!(", {}", one.source) };
    let name = format!("choose {}, {}{legal}{from}", one.name, amount_with_unit(&points, "points"));
    let id = Id::unique(("candidate", &one.reference));
    let steps = if new.allows_counts() { 96.0 } else { 0.0 };
    let mut tile_rect = rect;
    tile_rect.max.x -= steps;
    let picture = Rect::from_min_size(rect.min + vec2(4.0, 2.0), vec2(PICTURE_WIDTH, LINE_HEIGHT - 4.0));
    let (palette, ink) = (palette(ui), ui.visuals().text_color());
    let (left, y) = (picture.right() + 8.0, rect.center().y);
    if let Some(why) = &one.disabled_reason {
        static_tile(ui, tile_rect, id, &format!("{name}: {why}")).on_hover_text(say(why));
        paint_text(
            ui,
            pos2(left, y),
            &format!("{} – {why}", one.name),
            FontId::proportional(BODY),
            palette.muted,
            tile_rect.right() - left - 8.0,
        );
    } else {
        let accessible = if count > 0 && new.allows_counts() { format!("{name}, {count} selected") } else { name };
        let mut response = tile(ui, tile_rect, id, &accessible, count > 0);
        response.ctx.accesskit_node_builder(response.id, |node| node.set_description(say(&*one.kind)));
        if one.embedded_text.is_some() {
            response = response.on_hover_text(say("Its current design is copied into the fleet's file"));
        }
        if response.clicked() {
            new.set_count(&one.reference, if new.allows_counts() { (count + 1).min(MAX_UNITS) } else { 1 });
        }
        let sign = if count > 0 && !new.allows_counts() { "• " } else { "" };
        let right =
            paint_text_right(ui, pos2(tile_rect.right() - 8.0, y), &points, FontId::proportional(BODY), ink, 80.0);
        let notes = [if one.legal { "" } else { "! not legal" }, &*one.kind, one.source];
        let notes = notes.into_iter().filter(|note| !note.is_empty()).collect::<Vec<_>>().join(" · ");
        let colour = if one.legal { palette.muted } else { palette.error };
        let room = tile_rect.right() - left - right - 20.0;
        let (name, small) = (format!("{sign}{}", one.name), FontId::proportional(SMALL));
        paint_text(ui, pos2(left, y - 9.0), &name, FontId::proportional(BODY), ink, room);
        paint_text(ui, pos2(left, y + 9.0), &notes, small, colour, room);
    }
    if new.allows_counts() && one.disabled_reason.is_none() {
        let place = Rect::from_x_y_ranges(tile_rect.right() + 4.0..=rect.right() - 2.0, y - 13.0..=y + 13.0);
        // The line has allocated this space already.
        let mut beside = ui.new_child(egui::UiBuilder::new().max_rect(place).id_salt(id));
        beside.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 4.0;
            let fewer = ui.add_enabled(count > 0, small_button("−"));
            if with_accessible_name(fewer, &format!("fewer {}", one.name)).clicked() {
                new.set_count(&one.reference, count - 1);
            }
            ui.add_sized([30.0, MIN_TARGET_SIZE], Label::new(count.to_string()));
            let more = ui.add_enabled(count < MAX_UNITS, small_button("+"));
            if with_accessible_name(more, &format!("more {}", one.name)).clicked() {
                new.set_count(&one.reference, count + 1);
            }
        });
    }
    (id, picture)
}

pub fn show_variant_dialog(ui: &mut Ui, ship: u32, name: &str, out: &mut Vec<Command>) {
    ui.heading(say("Save class as a variant"));
    muted_label(ui, "Saves the class as a new design under this name and gives it to this ship. No file is replaced.");
    let label = ui.label(say("Name of the variant"));
    let mut typed = name.to_owned();
    let field =
        ui.add(TextEdit::singleline(&mut typed).desired_width(f32::INFINITY).char_limit(80)).labelled_by(label.id);
    let enter = is_left_by_enter(ui, &field);
    focus_first(ui, &field);
    out.extend(field.changed().then(|| Command::OpenDialog(crate::Dialog::NameVariant { ship, name: typed.clone() })));
    let name = typed.trim();
    let save = || Command::Fleet(FleetCommand::SaveVariant { ship, name: name.to_owned() });
    dialog_foot(ui, "Save variant", (!name.is_empty(), enter), out, save);
}
