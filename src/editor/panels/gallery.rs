//! The library of the start page: everything that was found, by game, as small pictures or as a list. Only what is in sight is laid out, and
//! only its pictures are drawn.

use std::sync::Arc;

use egui::{Button, FontId, Id, Rect, ScrollArea, Sense, TextureOptions, Ui, pos2, vec2};

use super::entry::{command, open, said, short};
use super::search::{Asked, choices, words};
use crate::editor::browse::{Browsing, Drawn};
use crate::editor::theme::{bold, palette};
use crate::editor::tile::{still, tile, write, write_right};
use crate::editor::widgets::{heading, named, plain, quiet};
use crate::editor::{Command, Pick, State};
use crate::library::{Catalogue, Entry, Filter, Shown};

/// Width and height of a tile with a picture, and of the picture on it.
const TILE: (f32, f32) = (162.0, 250.0);
const PICTURE: (f32, f32) = (134.0, 176.0);
/// The ground that the picture lies on.
const GROUND: (f32, f32) = (150.0, 192.0);
/// Height of a line of the list, and of a game's title.
const LINE: f32 = 30.0;
const TITLE: f32 = 38.0;
/// Pictures drawn in one go.
const AT_ONCE: usize = 6;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let browse = &state.browse;
    let mut filter = browse.filter.clone();
    let mut asked = Asked::default();
    ui.horizontal(|ui| {
        heading(ui, "LIBRARY");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let pictures = state.settings.pictures;
            if ui.add(Button::selectable(!pictures, "List")).clicked() {
                out.push(Command::Browse(Browsing::Pictures(false)));
            }
            if ui.add(Button::selectable(pictures, "Pictures")).clicked() {
                out.push(Command::Browse(Browsing::Pictures(true)));
            }
            let (typed, keys) = words(ui, state, "gallery", &filter.text, out);
            asked = keys;
            filter.text = typed.unwrap_or_else(|| filter.text.clone());
        });
    });
    ui.horizontal_wrapped(|ui| {
        choices(ui, state, &mut filter);
        if !filter.is_empty() && ui.button("Clear the search").clicked() {
            filter = Filter::default();
        }
    });
    if filter != browse.filter {
        out.push(Command::Browse(Browsing::Filter(filter)));
    }
    folder(ui, state, out);
    for finding in &browse.catalogue.told {
        ui.colored_label(palette(ui).warning, plain(&format!("! {}", finding.message)));
    }
    if !browse.is_known {
        quiet(ui, "Reading your designs…");
        return;
    }
    let found = found(&browse.catalogue, &browse.filter);
    if found.is_empty() {
        nothing(ui, state, out);
        return;
    }
    if asked.open
        && let Some(first) = found.iter().flat_map(|(_, entries)| entries).find_map(|entry| open(entry))
    {
        out.push(first);
    }
    list(ui, state, &found, asked.down, out);
}

/// Which folder is the player's, and how to choose another.
fn folder(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let button = ui.button("Open folder…").on_hover_text("Choose the folder with your designs and rules");
        if button.clicked() {
            out.push(Command::Pick(Pick::workspace(state)));
        }
        let mine = state.browse.catalogue.entries().filter(|entry| !entry.built_in()).count();
        let text = match state.store.workspace() {
            None => "No folder is open: only built-in designs are listed.".to_owned(),
            Some(folder) if mine == 0 && state.browse.is_known => {
                format!("{} has no designs yet: start one on the left.", folder.display())
            }
            Some(folder) => folder.display().to_string(),
        };
        ui.add(egui::Label::new(egui::RichText::new(text).color(palette(ui).quiet)).truncate());
    });
}

/// What to do when nothing is found.
fn nothing(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let filter = &state.browse.filter;
    ui.add_space(24.0);
    if filter.is_empty() {
        quiet(ui, "No designs. Start one on the left, or open a folder with designs.");
        return;
    }
    let text = filter.text.trim();
    ui.label(if text.is_empty() { "Nothing matches.".to_owned() } else { format!("Nothing matches “{text}”.") });
    let more = Filter { text: filter.text.clone(), ..Filter::default() };
    if !text.is_empty() && more != *filter && state.browse.catalogue.entries().any(|entry| more.matches(entry)) {
        quiet(ui, "Without the other filters, there are matches.");
        if ui.button("Clear the other filters").clicked() {
            out.push(Command::Browse(Browsing::Filter(more)));
        }
    }
    if named(ui.button("Clear the search"), "Clear the search and show all").clicked() {
        out.push(Command::Browse(Browsing::Filter(Filter::default())));
    }
}

/// What a filter leaves of each group; groups of which nothing is left are left out.
pub fn found<'c>(catalogue: &'c Catalogue, filter: &Filter) -> Vec<(&'c str, Vec<&'c Arc<Entry>>)> {
    let query = filter.query();
    let groups = catalogue.groups.iter().map(|group| {
        let entries: Vec<_> = group.entries.iter().filter(|entry| query.matches(entry)).collect();
        (group.title.as_str(), entries)
    });
    groups.filter(|(_, entries)| !entries.is_empty()).collect()
}

/// The groups, as far as they are in sight.
fn list(ui: &mut Ui, state: &State, found: &[(&str, Vec<&Arc<Entry>>)], down: bool, out: &mut Vec<Command>) {
    let pictures = state.settings.pictures;
    let pixels = (PICTURE.0 * ui.ctx().pixels_per_point()).round() as u32;
    let mut lacking: Vec<Arc<Entry>> = Vec::new();
    ScrollArea::vertical().id_salt("gallery").auto_shrink(false).show_viewport(ui, |ui, sight| {
        let origin = ui.max_rect().min;
        let width = ui.available_width();
        let (across, height) = if pictures { (((width / TILE.0) as usize).max(1), TILE.1) } else { (1, LINE) };
        let tile_width = if pictures { TILE.0 } else { width };
        let mut y = 0.0;
        let mut first = true;
        for (title, entries) in found {
            let rect = Rect::from_min_size(origin + vec2(0.0, y), vec2(width, TITLE));
            if y + TITLE >= sight.min.y && y <= sight.max.y {
                heading_of(ui, rect, title, entries.len());
            }
            y += TITLE;
            let rows = entries.len().div_ceil(across);
            for row in 0..rows {
                let top = y + row as f32 * height;
                // A title and a row more at either end, for the keyboard to go to.
                let more = height + TITLE;
                if top + height + more < sight.min.y || top - more > sight.max.y {
                    continue;
                }
                for (column, entry) in entries.iter().skip(row * across).take(across).enumerate() {
                    let at = origin + vec2(column as f32 * tile_width, top);
                    let rect = Rect::from_min_size(at, vec2(tile_width, height)).shrink(2.0);
                    let id = Id::unique(("gallery", entry.origin as u8, &entry.path));
                    let response = match command(entry) {
                        Some(command) => {
                            let response = tile(ui, rect, id, &said(entry), false);
                            if response.clicked() {
                                out.push(command);
                            }
                            response
                        }
                        None => still(ui, rect, id, &said(entry)),
                    };
                    if std::mem::take(&mut first) && down {
                        response.request_focus();
                    }
                    if pictures {
                        if picture(ui, state, rect, entry, pixels) && !lacking.iter().any(|one| Arc::ptr_eq(one, entry))
                        {
                            lacking.push(Arc::clone(entry));
                        }
                    } else {
                        line(ui, rect, entry);
                    }
                    response.on_hover_ui(|ui| about(ui, entry));
                }
            }
            y += rows as f32 * height;
        }
        ui.allocate_rect(Rect::from_min_size(origin, vec2(width, y)), Sense::hover());
    });
    lacking.truncate(AT_ONCE);
    if !lacking.is_empty() && !state.browse.is_drawing() {
        out.push(Command::Browse(Browsing::Draw { entries: lacking, width: pixels }));
    }
}

fn heading_of(ui: &mut Ui, rect: Rect, title: &str, count: usize) {
    still(ui, rect, Id::unique(("gallery title", title)), &format!("{title}, {count} listed"));
    let (ink, colours) = (ui.visuals().text_color(), palette(ui));
    let at = pos2(rect.left() + 4.0, rect.bottom() - 14.0);
    let used = write(ui, at, title, FontId::new(16.0, bold()), ink, rect.width() - 80.0);
    let at = pos2(at.x + used + 10.0, at.y);
    write(ui, at, &count.to_string(), FontId::proportional(13.0), colours.quiet, 70.0);
}

/// A tile with a picture; whether the picture is still to be drawn.
fn picture(ui: &Ui, state: &State, rect: Rect, entry: &Arc<Entry>, pixels: u32) -> bool {
    let colours = palette(ui);
    let ground =
        Rect::from_center_size(pos2(rect.center().x, rect.top() + 4.0 + GROUND.1 / 2.0), vec2(GROUND.0, GROUND.1));
    ui.painter().rect_filled(ground, 3, colours.bar);
    let mut lacking = false;
    let mut words = "";
    match (&entry.shown, state.browse.picture(entry, pixels)) {
        (Shown::Fleet(_), _) => words = "fleet",
        (Shown::Unread(_), _) => words = "! cannot be read",
        (Shown::Design(_), Drawn::Later) => lacking = true,
        (Shown::Design(_), Drawn::Nothing) => words = "no sheet",
        (Shown::Design(_), Drawn::Picture(image)) => {
            let [width, height] = image.size.map(|side| side as f32);
            let scale = (PICTURE.0 / width).min(PICTURE.1 / height);
            let place = Rect::from_center_size(ground.center(), vec2(width, height) * scale);
            let id = Id::unique(("thumbnail", entry.origin as u8, &entry.path));
            let texture = ui.ctx().load_texture_cached("thumbnail", id, image, TextureOptions::LINEAR);
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(texture.id(), place, whole, egui::Color32::WHITE);
            ui.painter().rect_stroke(place, 0, egui::Stroke::new(1.0, colours.line), egui::StrokeKind::Outside);
        }
    }
    if !words.is_empty() {
        let font = FontId::proportional(14.0);
        ui.painter().text(ground.center(), egui::Align2::CENTER_CENTER, words, font, colours.quiet);
    }
    let (left, width) = (rect.left() + 6.0, rect.width() - 12.0);
    let ink = ui.visuals().text_color();
    write(ui, pos2(left, ground.bottom() + 16.0), &entry.name, FontId::new(15.0, bold()), ink, width);
    let (text, is_wrong) = short(entry);
    let colour = if is_wrong { colours.error } else { colours.quiet };
    write(ui, pos2(left, ground.bottom() + 36.0), &text, FontId::proportional(13.0), colour, width);
    lacking
}

/// A line of the list.
fn line(ui: &Ui, rect: Rect, entry: &Entry) {
    let colours = palette(ui);
    let (y, ink, small) = (rect.center().y, ui.visuals().text_color(), FontId::proportional(13.0));
    let (text, is_wrong) = short(entry);
    let colour = if is_wrong { colours.error } else { colours.quiet };
    let right = write_right(ui, pos2(rect.right() - 10.0, y), &text, small.clone(), colour, rect.width() * 0.35);
    let left = rect.left() + 8.0;
    let name = (rect.width() * 0.3).min(260.0);
    write(ui, pos2(left, y), &entry.name, FontId::proportional(15.0), ink, name - 10.0);
    let room = rect.width() - name - right - 40.0;
    let mut about = entry.line();
    if entry.built_in() {
        about.push_str(if about.is_empty() { "built-in" } else { " · built-in" });
    }
    write(ui, pos2(left + name, y), &about, small, colours.quiet, room);
}

/// More on an entry, for the pointer.
fn about(ui: &mut Ui, entry: &Entry) {
    ui.set_max_width(420.0);
    ui.label(egui::RichText::new(&*entry.name).family(bold()));
    if !matches!(entry.shown, Shown::Design(_)) {
        ui.label(entry.line());
    }
    if let Shown::Design(card) = &entry.shown {
        for (label, word) in &card.fields {
            quiet(ui, format!("{label}: {word}"));
        }
        let values: Vec<String> = card.headlines.iter().map(|(label, value)| format!("{label} {value}")).collect();
        if !values.is_empty() {
            ui.label(values.join(" · "));
        }
    }
    let place =
        if entry.built_in() { "built-in: editing makes a copy".to_owned() } else { entry.full.display().to_string() };
    quiet(ui, place);
}
