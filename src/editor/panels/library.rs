//! The library beside a design: what else there is, by game, a click away. The design before the player is marked.

use std::sync::Arc;

use egui::style::ScrollAnimation;
use egui::{Align, Button, FontId, Id, Panel, Rect, ScrollArea, Sense, Ui, pos2, vec2};

use super::entry::{command, is_open, open, said, short};
use super::gallery::found;
use super::search::words;
use crate::editor::browse::Browsing;
use crate::editor::theme::{bold, palette};
use crate::editor::tile::{still, tile, write, write_right};
use crate::editor::widgets::{heading, named, quiet};
use crate::editor::{Command, State};
use crate::library::Entry;

/// Height of a line.
const LINE: f32 = 28.0;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let browse = &state.browse;
    if browse.is_to_be_looked() {
        out.push(Command::Browse(Browsing::Look));
    }
    Panel::bottom("library foot").show_separator_line(false).show(ui, |ui| {
        let new = egui::RichText::new("+ New design").family(bold()).color(palette(ui).accent);
        if named(ui.add(Button::new(new).frame(false).min_size(vec2(24.0, 26.0))), "New design").clicked() {
            out.push(Command::Browse(Browsing::New));
        }
    });
    ui.horizontal(|ui| {
        heading(ui, "LIBRARY");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let hide = ui.add(Button::new("×").frame(false).min_size(vec2(24.0, 24.0)));
            if named(hide, "Hide the library").on_hover_text("Hide the library (Ctrl+L shows it again)").clicked() {
                out.push(Command::ToggleLibrary);
            }
        });
    });
    let (typed, asked) = words(ui, state, "panel", &browse.narrow.text, out);
    if let Some(typed) = typed {
        out.push(Command::Browse(Browsing::Narrow(typed)));
    }
    if !browse.is_known {
        quiet(ui, "Reading your designs…");
        return;
    }
    let found = found(&browse.catalogue, &browse.narrow);
    if found.is_empty() {
        ui.add(egui::Label::new(format!("Nothing matches “{}”.", browse.narrow.text.trim())).wrap());
        if ui.button("Clear the search").clicked() {
            out.push(Command::Browse(Browsing::Narrow(String::new())));
        }
        return;
    }
    if asked.open
        && let Some(first) = found.iter().flat_map(|(_, entries)| entries).find_map(|entry| open(entry))
    {
        out.push(first);
    }
    ScrollArea::vertical()
        .id_salt("library")
        .auto_shrink(false)
        .show_viewport(ui, |ui, sight| list(ui, state, &found, sight, asked.down, out));
}

/// The groups, as far as they are in sight.
fn list(
    ui: &mut Ui,
    state: &State,
    found: &[(&str, Vec<&Arc<Entry>>)],
    sight: Rect,
    down: bool,
    out: &mut Vec<Command>,
) {
    let (origin, width) = (ui.max_rect().min, ui.available_width());
    // What was searched for is shown even if its group is folded.
    let searched = !state.browse.narrow.text.trim().is_empty();
    let mut y = 0.0;
    let mut first = true;
    // Another design is before the player: its line is brought into sight, once.
    let seen = Id::unique("library shows");
    let open = state.doc().filter(|doc| ui.data(|data| data.get_temp(seen)) != Some(doc.id));
    for (title, entries) in found {
        let folded = !searched && state.browse.folded.contains(*title);
        let near = |y: f32| y + 3.0 * LINE >= sight.min.y && y <= sight.max.y + 2.0 * LINE;
        if near(y) {
            group(ui, Rect::from_min_size(origin + vec2(0.0, y + 4.0), vec2(width, LINE)), title, folded, out);
        }
        y += LINE + 4.0;
        for entry in entries.iter().filter(|_| !folded) {
            if near(y) {
                let rect = Rect::from_min_size(origin + vec2(0.0, y), vec2(width, LINE));
                let response = line(ui, state, rect, entry, out);
                if std::mem::take(&mut first) && down {
                    response.request_focus();
                }
            }
            if open.is_some_and(|doc| is_open(entry, doc)) {
                let rect = Rect::from_min_size(origin + vec2(0.0, y), vec2(width, LINE));
                if !sight.contains_rect(rect.translate(-origin.to_vec2())) {
                    ui.scroll_to_rect_animation(rect, Some(Align::Center), ScrollAnimation::none());
                }
            }
            y += LINE;
        }
        y += 8.0;
    }
    if let Some(doc) = open {
        ui.data_mut(|data| data.insert_temp(seen, doc.id));
    }
    ui.allocate_rect(Rect::from_min_size(origin, vec2(width, y)), Sense::hover());
}

/// A group's title, which folds and unfolds it.
fn group(ui: &mut Ui, rect: Rect, title: &str, folded: bool, out: &mut Vec<Command>) {
    let said = format!("{title}, {}", if folded { "collapsed" } else { "expanded" });
    let response = tile(ui, rect, Id::unique(("library group", title)), &said, false);
    if response.clicked() {
        out.push(Command::Browse(Browsing::Fold(title.to_owned())));
    }
    response.on_hover_text(title);
    let (ink, y) = (ui.visuals().text_color(), rect.center().y);
    let sign = if folded { "+" } else { "–" };
    write(ui, pos2(rect.left() + 4.0, y), sign, FontId::new(15.0, bold()), palette(ui).quiet, 14.0);
    write(ui, pos2(rect.left() + 18.0, y), title, FontId::new(15.0, bold()), ink, rect.width() - 22.0);
}

fn line(ui: &mut Ui, state: &State, rect: Rect, entry: &Arc<Entry>, out: &mut Vec<Command>) -> egui::Response {
    let chosen = state.doc().is_some_and(|doc| is_open(entry, doc));
    let id = Id::unique(("library", entry.origin as u8, &entry.path));
    let response = match command(entry) {
        Some(command) => {
            let response = tile(ui, rect, id, &said(entry), chosen);
            if response.clicked() {
                out.push(command);
            }
            response
        }
        None => still(ui, rect, id, &said(entry)),
    };
    let colours = palette(ui);
    let (text, is_wrong) = short(entry);
    let colour = if is_wrong { colours.error } else { colours.quiet };
    let y = rect.center().y;
    let right =
        write_right(ui, pos2(rect.right() - 8.0, y), &text, FontId::proportional(13.0), colour, rect.width() / 2.0);
    let font = if chosen { FontId::new(15.0, bold()) } else { FontId::proportional(15.0) };
    let room = rect.width() - right - 38.0;
    write(ui, pos2(rect.left() + 18.0, y), &entry.name, font, ui.visuals().text_color(), room);
    let place =
        if entry.built_in() { "built-in: editing makes a copy".into() } else { entry.full.display().to_string() };
    response.on_hover_text(format!("{}\n{place}", entry.line()).trim().to_owned())
}
