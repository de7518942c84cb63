//! The library on the start page, by game, as thumbnails or as a list. Only visible entries are laid out and drawn.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Button, Color32, FontId, Id, Rect, ScrollArea, Sense, TextureOptions, Ui, Vec2, pos2, vec2};

use crate::language::say;
use crate::library_browser::model::{
    EntryPicture, FilteredGroup, LibraryBrowser, LibraryCommand, Pictured, ThumbnailState,
};
use crate::panels::library_entry::{entry_tile, open_entry_command, points_in_words, points_summary};
use crate::panels::search::{SearchKeys, filter_inputs, order_input, search_field};
use crate::panels::ship_picture::{ShipPictures, WHOLE_PICTURE, draw_missing};
use crate::theme::{BODY, SMALL, TITLE, bold, palette};
use crate::tile::{paint_text, paint_text_right, static_tile};
use crate::widgets::{heading, muted_label, named_button, with_curly_quotes};
use crate::{Command, EditorState, FilePick};
use moldloft_library::library::{CatalogueEntry, CatalogueFilter, EntrySummary};

/// In points.
pub const TILE_SIZE: (f32, f32) = (162.0, 250.0);
const PICTURE_SIZE: (f32, f32) = (134.0, 176.0);
pub const PICTURE_WIDTH: f32 = PICTURE_SIZE.0;
const PICTURE_BACKGROUND_SIZE: (f32, f32) = (150.0, 192.0);
const LINE_HEIGHT: f32 = 30.0;
/// Of a ship's silhouette in a line.
const SILHOUETTE_SIZE: Vec2 = vec2(40.0, 22.0);
const TITLE_HEIGHT: f32 = 38.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let browser = &state.library;
    let mut filter = browser.filter.clone();
    let mut search_keys = SearchKeys::default();
    ui.horizontal(|ui| {
        heading(ui, "LIBRARY");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let pictures = state.settings.pictures;
            if ui.add(Button::selectable(!pictures, say("List"))).clicked() {
                out.push(Command::Library(LibraryCommand::ShowThumbnails(false)));
            }
            if ui.add(Button::selectable(pictures, say("Pictures"))).clicked() {
                out.push(Command::Library(LibraryCommand::ShowThumbnails(true)));
            }
            let (typed, keys) = search_field(ui, state, "gallery", &filter.text, out);
            search_keys = keys;
            filter.text = typed.unwrap_or_else(|| filter.text.clone());
        });
    });
    ui.horizontal_wrapped(|ui| {
        filter_inputs(ui, browser, &mut filter);
        order_input(ui, state.settings.order, out);
        if !filter.is_empty() && ui.button(say("Clear the search")).clicked() {
            filter = CatalogueFilter::default();
        }
    });
    if filter != browser.filter {
        out.push(Command::Library(LibraryCommand::SetFilter(filter)));
    }
    workspace_row(ui, state, out);
    for finding in &browser.catalogue.findings {
        ui.colored_label(palette(ui).warning, with_curly_quotes(&format!("! {}", say(&finding.message))));
    }
    if !browser.is_scanned {
        muted_label(ui, "Reading your designs…");
        return;
    }
    let found = &played_groups(state, browser.matches.groups(), !browser.filter.is_empty());
    if found.is_empty() {
        empty_message(ui, browser, out);
        return;
    }
    if search_keys.opens_first
        && let Some(first) = found.iter().flat_map(|group| &group.entries).find_map(|entry| open_entry_command(entry))
    {
        out.push(first);
    }
    group_list(ui, state, found, search_keys.moves_to_results, out);
}

/// Groups of games that are not played are left out, unless they have own designs or are searched for.
pub fn played_groups<'s>(
    state: &'s EditorState,
    groups: &'s [FilteredGroup],
    is_searched: bool,
) -> Vec<Cow<'s, FilteredGroup>> {
    let browser = &state.library;
    let plays_all = state.settings.games.as_ref().is_none_or(BTreeSet::is_empty) || is_searched;
    let bases = |id: &str| browser.catalogue.games.iter().find(|game| *game.id == *id).map(|game| &game.bases);
    let is_played = |entry: &Arc<CatalogueEntry>| {
        let plays = |id: &str| state.settings.plays(id);
        let base = || bases(&entry.ruleset).is_some_and(|bases| bases.iter().any(|base| plays(base)));
        !entry.built_in() || plays(&entry.ruleset) || base()
    };
    let group = |group: &'s FilteredGroup| -> Option<Cow<'s, FilteredGroup>> {
        if plays_all || group.entries.iter().all(is_played) {
            return Some(Cow::Borrowed(group));
        }
        let entries: Vec<_> = group.entries.iter().filter(|entry| is_played(entry)).cloned().collect();
        (!entries.is_empty()).then(|| Cow::Owned(FilteredGroup { title: group.title.clone(), entries }))
    };
    groups.iter().filter_map(group).collect()
}

fn workspace_row(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let button = ui.button(say("Open folder…")).on_hover_text(say("Choose the folder with your designs and rules"));
        out.extend(button.clicked().then(|| Command::PickFile(FilePick::workspace(&state.store))));
        if ui.button(say("Games…")).on_hover_text(say("Choose which games are listed")).clicked() {
            out.push(Command::Library(LibraryCommand::AskForGames));
        }
        let mine = state.library.catalogue.entries().filter(|entry| !entry.built_in()).count();
        let text = match state.store.workspace() {
            None if mine > 0 => "No folder is open: built-in designs and your recent files are listed.".to_owned(),
            None => "No folder is open: only built-in designs are listed.".to_owned(),
            Some(folder) if mine == 0 && state.library.is_scanned => {
                format!("{} has no designs yet: start one on the left.", folder.display())
            }
            Some(folder) => folder.display().to_string(),
        };
        ui.add(egui::Label::new(egui::RichText::new(text).color(palette(ui).muted)).truncate());
    });
}

fn empty_message(ui: &mut Ui, library: &LibraryBrowser, out: &mut Vec<Command>) {
    let filter = &library.filter;
    ui.add_space(24.0);
    if filter.is_empty() {
        muted_label(ui, "No designs. Start one on the left, or open a folder with designs.");
        return;
    }
    let text = filter.text.trim();
    ui.label(say(if text.is_empty() {
        "Nothing matches.".to_owned()
    } else {
        format!("Nothing matches “{text}”.")
    }));
    let more = CatalogueFilter { text: filter.text.clone(), ..CatalogueFilter::default() };
    if !text.is_empty() && more != *filter && library.catalogue.entries().any(|entry| more.matches(entry)) {
        muted_label(ui, "Without the other filters, there are matches.");
        if ui.button(say("Clear the other filters")).clicked() {
            out.push(Command::Library(LibraryCommand::SetFilter(more)));
        }
    }
    if named_button(ui, "Clear the search", "Clear the search and show all") {
        out.push(Command::Library(LibraryCommand::SetFilter(CatalogueFilter::default())));
    }
}

fn group_list(
    ui: &mut Ui,
    state: &EditorState,
    found: &[Cow<'_, FilteredGroup>],
    focus_first: bool,
    out: &mut Vec<Command>,
) {
    let pictures = state.settings.pictures;
    let pixels = (PICTURE_SIZE.0 * ui.ctx().pixels_per_point()).round() as u32;
    let (mut missing, mut silhouettes) = (Vec::new(), ShipPictures::default());
    ScrollArea::vertical().id_salt("gallery").auto_shrink(false).show_viewport(ui, |ui, visible| {
        let origin = ui.max_rect().min;
        let width = ui.available_width();
        let (per_row, height) =
            if pictures { (((width / TILE_SIZE.0) as usize).max(1), TILE_SIZE.1) } else { (1, LINE_HEIGHT) };
        let tile_width = if pictures { TILE_SIZE.0 } else { width };
        let mut y = 0.0;
        let mut first = true;
        for group in found {
            let FilteredGroup { title, entries } = &**group;
            let rect = Rect::from_min_size(origin + vec2(0.0, y), vec2(width, TITLE_HEIGHT));
            if y + TITLE_HEIGHT >= visible.min.y && y <= visible.max.y {
                group_heading(ui, rect, title, entries.len());
            }
            y += TITLE_HEIGHT;
            let rows = entries.len().div_ceil(per_row);
            for row in 0..rows {
                let top = y + row as f32 * height;
                // A title and a row more at either end, for arrow keys.
                let more = height + TITLE_HEIGHT;
                if top + height + more < visible.min.y || top - more > visible.max.y {
                    continue;
                }
                for (column, entry) in entries.iter().skip(row * per_row).take(per_row).enumerate() {
                    let at = origin + vec2(column as f32 * tile_width, top);
                    let rect = Rect::from_min_size(at, vec2(tile_width, height)).shrink(2.0);
                    let id = Id::unique(("gallery", &entry.file));
                    let response = entry_tile(ui, rect, id, entry, false, out);
                    if std::mem::take(&mut first) && focus_first {
                        response.request_focus();
                    }
                    if pictures {
                        missing.extend(thumbnail_tile(ui, &state.library, rect, entry, pixels));
                    } else {
                        entry_line(ui, state, rect, (id, entry), &mut silhouettes);
                    }
                    // A tooltip that is already open would stay above a dialog.
                    if state.dialog.is_none() {
                        response.on_hover_ui(|ui| entry_tooltip(ui, entry));
                    }
                }
            }
            y += rows as f32 * height;
        }
        ui.allocate_rect(Rect::from_min_size(origin, vec2(width, y)), Sense::hover());
    });
    draw_missing(state, missing, EntryPicture::Sheet(pixels), out);
    silhouettes.draw_missing(state, out);
}

fn group_heading(ui: &mut Ui, rect: Rect, title: &str, count: usize) {
    static_tile(ui, rect, Id::unique(("gallery title", title)), &format!("{title}, {count} listed"));
    let (ink, colours) = (ui.visuals().text_color(), palette(ui));
    let at = pos2(rect.left() + 4.0, rect.bottom() - 14.0);
    let used = paint_text(ui, at, title, FontId::new(TITLE, bold()), ink, rect.width() - 80.0);
    let at = pos2(at.x + used + 10.0, at.y);
    paint_text(ui, at, &count.to_string(), FontId::proportional(SMALL), colours.muted, 70.0);
}

/// Gives what is still to be drawn.
pub fn thumbnail_tile(
    ui: &Ui,
    library: &LibraryBrowser,
    rect: Rect,
    entry: &Arc<CatalogueEntry>,
    pixels: u32,
) -> Option<Pictured> {
    let colours = palette(ui);
    let ground = Rect::from_center_size(
        pos2(rect.center().x, rect.top() + 4.0 + PICTURE_BACKGROUND_SIZE.1 / 2.0),
        vec2(PICTURE_BACKGROUND_SIZE.0, PICTURE_BACKGROUND_SIZE.1),
    );
    ui.painter().rect_filled(ground, 3, colours.bar);
    let (mut missing, mut words) = (None, "");
    let of = Pictured::Entry(Arc::clone(entry));
    match (&entry.summary, library.thumbnail(&of, EntryPicture::Sheet(pixels))) {
        (EntrySummary::Unreadable(_), _) => words = "! cannot be read",
        (_, ThumbnailState::Pending) => missing = Some(of),
        (EntrySummary::Fleet(_), ThumbnailState::Unavailable) => words = "no ships",
        (_, ThumbnailState::Unavailable) => words = "no sheet",
        (_, ThumbnailState::Ready(image)) => {
            let [width, height] = image.size.map(|side| side as f32);
            let scale = (PICTURE_SIZE.0 / width).min(PICTURE_SIZE.1 / height);
            let place = Rect::from_center_size(ground.center(), vec2(width, height) * scale);
            let id = Id::unique(("thumbnail", &entry.file));
            let texture = ui.ctx().load_texture_cached("thumbnail", id, image, TextureOptions::LINEAR);
            ui.painter().image(texture.id(), place, WHOLE_PICTURE, Color32::WHITE);
            ui.painter().rect_stroke(place, 0, egui::Stroke::new(1.0, colours.line), egui::StrokeKind::Outside);
        }
    }
    if !words.is_empty() {
        let font = FontId::proportional(BODY);
        ui.painter().text(ground.center(), egui::Align2::CENTER_CENTER, words, font, colours.muted);
    }
    let (left, width) = (rect.left() + 6.0, rect.width() - 12.0);
    let ink = ui.visuals().text_color();
    paint_text(ui, pos2(left, ground.bottom() + 16.0), &entry.name, FontId::new(BODY, bold()), ink, width);
    let (mut text, is_wrong) = points_in_words(entry);
    if !entry.kind().is_empty() {
        text = format!("{text} · {}", entry.kind());
    }
    let colour = if is_wrong { colours.error } else { colours.muted };
    paint_text(ui, pos2(left, ground.bottom() + 36.0), &text, FontId::proportional(SMALL), colour, width);
    missing
}

fn entry_line(
    ui: &Ui,
    state: &EditorState,
    rect: Rect,
    (id, entry): (Id, &Arc<CatalogueEntry>),
    pictures: &mut ShipPictures,
) {
    let colours = palette(ui);
    let (y, ink, small) = (rect.center().y, ui.visuals().text_color(), FontId::proportional(SMALL));
    let (text, is_wrong) = points_summary(entry);
    let colour = if is_wrong { colours.error } else { colours.muted };
    let right = paint_text_right(ui, pos2(rect.right() - 10.0, y), &text, small.clone(), colour, rect.width() * 0.35);
    let picture = Rect::from_center_size(pos2(rect.left() + 8.0 + SILHOUETTE_SIZE.x / 2.0, y), SILHOUETTE_SIZE);
    if matches!(entry.summary, EntrySummary::Design(_)) {
        pictures.paint(ui, state, picture, id, Pictured::Entry(Arc::clone(entry)), ink);
    }
    let left = picture.right() + 8.0;
    let name = (rect.width() * 0.3).min(260.0);
    paint_text(ui, pos2(left, y), &entry.name, FontId::proportional(BODY), ink, name - 10.0);
    let room = rect.right() - left - name - right - 24.0;
    let mut about = entry.summary_line();
    if entry.built_in() {
        about.push_str(if about.is_empty() { "built-in" } else { " · built-in" });
    }
    paint_text(ui, pos2(left + name, y), &about, small, colours.muted, room);
}

fn entry_tooltip(ui: &mut Ui, entry: &CatalogueEntry) {
    ui.set_max_width(420.0);
    ui.label(egui::RichText::new(&*entry.name).family(bold()));
    if !matches!(entry.summary, EntrySummary::Design(_)) {
        ui.label(say(entry.summary_line()));
    }
    if let EntrySummary::Design(card) = &entry.summary {
        for (label, word) in &card.fields {
            muted_label(ui, format!("{label}: {word}"));
        }
        let values: Vec<String> = card.headlines.iter().map(|(label, value)| format!("{label} {value}")).collect();
        if !values.is_empty() {
            ui.label(say(values.join(" · ")));
        }
    }
    let place = if entry.built_in() {
        "built-in: editing makes a copy".to_owned()
    } else {
        entry.absolute_path.display().to_string()
    };
    muted_label(ui, place);
}
