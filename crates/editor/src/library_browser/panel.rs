//! The library panel next to a design. The current design is marked.

use std::borrow::Cow;
use std::sync::Arc;

use egui::style::ScrollAnimation;
use egui::{Align, Button, Color32, FontId, Id, Key, Panel, Rect, Response, ScrollArea, Sense, Ui, Vec2, pos2, vec2};

use crate::compare_page::model::{CompareCommand, CompareTarget};
use crate::icons::{self, Icon, icon_button};
use crate::language::say;
use crate::library_browser::model::{FilteredGroup, LibraryCommand, Pictured};
use crate::panels::gallery::played_groups;
use crate::panels::library_entry::{entry_tile, file_ref, is_open, open_entry_command, short_points};
use crate::panels::search::{order_input, search_field};
use crate::panels::ship_picture::ShipPictures;
use crate::panels::system_sign::game_colour;
use crate::theme::{BODY, SMALL, bold, palette};
use crate::tile::{paint_text, paint_text_right, tile};
use crate::widgets::{context_menu, heading, muted_label, text_button, with_accessible_name};
use crate::{Command, EditorState};
use moldloft_library::library::{CatalogueEntry, EntrySummary, LoadedRuleset};

const LINE_HEIGHT: f32 = 28.0;
/// Of a ship's silhouette, in points.
const PICTURE_SIZE: Vec2 = vec2(40.0, 20.0);

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let browser = &state.library;
    if browser.needs_scan() {
        out.push(Command::Library(LibraryCommand::Scan));
    }
    Panel::bottom("library foot").show_separator_line(false).show(ui, |ui| {
        let new = egui::RichText::new(say("+ New design")).family(bold()).color(palette(ui).accent);
        if with_accessible_name(text_button(ui, Button::new(new).min_size(vec2(24.0, 26.0))), "New design").clicked() {
            out.push(Command::Library(LibraryCommand::ShowNewDesign));
        }
    });
    ui.horizontal(|ui| {
        heading(ui, "LIBRARY");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let hide = icon_button(ui, Icon::Close, "Hide the library");
            if hide.on_hover_text(say("Hide the library (Ctrl+L shows it again)")).clicked() {
                out.push(Command::ToggleLibrary);
            }
            order_input(ui, state.settings.order, out);
        });
    });
    let (typed, keys) = search_field(ui, state, "panel", &browser.panel_filter.text, out);
    if let Some(typed) = typed {
        out.push(Command::Library(LibraryCommand::SearchPanel(typed)));
    }
    if !browser.is_scanned {
        muted_label(ui, "Reading your designs…");
        return;
    }
    let found = &played_groups(state, browser.panel_matches.groups(), !browser.panel_filter.is_empty());
    if found.is_empty() {
        ui.add(egui::Label::new(say(format!("Nothing matches “{}”.", browser.panel_filter.text.trim()))).wrap());
        if ui.button(say("Clear the search")).clicked() {
            out.push(Command::Library(LibraryCommand::SearchPanel(String::new())));
        }
        return;
    }
    if keys.opens_first
        && let Some(first) = found.iter().flat_map(|group| &group.entries).find_map(|entry| open_entry_command(entry))
    {
        out.push(first);
    }
    ScrollArea::vertical()
        .id_salt("library")
        .auto_shrink(false)
        .show_viewport(ui, |ui, visible| group_list(ui, state, found, visible, keys.moves_to_results, out));
}

fn group_list(
    ui: &mut Ui,
    state: &EditorState,
    found: &[Cow<'_, FilteredGroup>],
    visible: Rect,
    focus_first: bool,
    out: &mut Vec<Command>,
) {
    let (origin, width) = (ui.max_rect().min, ui.available_width());
    // A search shows folded groups too.
    let searched = !state.library.panel_filter.text.trim().is_empty();
    let mut y = 0.0;
    let mut first = true;
    let mut pictures = ShipPictures::default();
    // Scroll to the line of the current design, once after a change of tab.
    let seen = Id::unique("library shows");
    let open = state.current_doc().filter(|doc| ui.data(|data| data.get_temp(seen)) != Some(doc.id));
    for group in found {
        let FilteredGroup { title, entries } = &**group;
        let folded = !searched && state.library.collapsed_groups.contains(title);
        let near = |y: f32| y + 3.0 * LINE_HEIGHT >= visible.min.y && y <= visible.max.y + 2.0 * LINE_HEIGHT;
        if near(y) {
            group_title(
                ui,
                Rect::from_min_size(origin + vec2(0.0, y + 4.0), vec2(width, LINE_HEIGHT)),
                title,
                folded,
                colour_of_group(ui, entries),
                out,
            );
        }
        y += LINE_HEIGHT + 4.0;
        for entry in entries.iter().filter(|_| !folded) {
            if near(y) {
                let rect = Rect::from_min_size(origin + vec2(0.0, y), vec2(width, LINE_HEIGHT));
                let response = entry_line(ui, state, rect, entry, &mut pictures, out);
                if std::mem::take(&mut first) && focus_first {
                    response.request_focus();
                }
            }
            if open.is_some_and(|doc| is_open(entry, doc)) {
                let rect = Rect::from_min_size(origin + vec2(0.0, y), vec2(width, LINE_HEIGHT));
                if !visible.contains_rect(rect.translate(-origin.to_vec2())) {
                    ui.scroll_to_rect_animation(rect, Some(Align::Center), ScrollAnimation::none());
                }
            }
            y += LINE_HEIGHT;
        }
        y += 8.0;
    }
    pictures.draw_missing(state, out);
    if let Some(doc) = open {
        ui.data_mut(|data| data.insert_temp(seen, doc.id));
    }
    ui.allocate_rect(Rect::from_min_size(origin, vec2(width, y)), Sense::hover());
}

/// Of the game, if all are of one.
fn colour_of_group(ui: &Ui, entries: &[Arc<CatalogueEntry>]) -> Option<Color32> {
    let first = entries.first()?;
    let is_one = entries.iter().all(|entry| entry.ruleset == first.ruleset);
    match first.rules.as_ref().filter(|_| is_one)? {
        LoadedRuleset::Ready(rules, _) => rules.colour.is_some().then(|| game_colour(ui, rules)),
        LoadedRuleset::Broken(_) | LoadedRuleset::Missing(_) => None,
    }
}

fn group_title(ui: &mut Ui, rect: Rect, title: &str, folded: bool, colour: Option<Color32>, out: &mut Vec<Command>) {
    let accessible = format!("{title}, {}", if folded { "collapsed" } else { "expanded" });
    let response = tile(ui, rect, Id::unique(("library group", title)), &accessible, false);
    out.extend(response.clicked().then(|| Command::Library(LibraryCommand::ToggleGroup(title.to_owned()))));
    response.on_hover_text(title);
    let (ink, y) = (ui.visuals().text_color(), rect.center().y);
    if let Some(colour) = colour {
        let mark = Rect::from_min_max(pos2(rect.left(), rect.bottom() - 2.0), pos2(rect.right(), rect.bottom()));
        ui.painter().rect_filled(mark, 1, colour);
    }
    let sign = if folded { Icon::Collapse } else { Icon::Expand };
    let place = Rect::from_center_size(pos2(rect.left() + 9.0, y), vec2(14.0, 14.0));
    icons::paint(ui.painter(), sign, place, palette(ui).muted);
    paint_text(ui, pos2(rect.left() + 20.0, y), title, FontId::new(BODY, bold()), ink, rect.width() - 22.0);
}

fn entry_line(
    ui: &mut Ui,
    state: &EditorState,
    rect: Rect,
    entry: &Arc<CatalogueEntry>,
    pictures: &mut ShipPictures,
    out: &mut Vec<Command>,
) -> egui::Response {
    let chosen = state.current_doc().is_some_and(|doc| is_open(entry, doc));
    let id = Id::unique(("library", &entry.file));
    let mut opened = Vec::new();
    let response = entry_tile(ui, rect, id, entry, chosen, &mut opened);
    if !opened.is_empty() {
        out.push(Command::Glance(file_ref(entry)));
    }
    if response.double_clicked() || (response.has_focus() && ui.input(|input| input.key_pressed(Key::Enter))) {
        out.extend(open_entry_command(entry));
        out.push(Command::KeepCurrentTab);
    }
    entry_menu(state, &response, entry, out);
    let colours = palette(ui);
    let (text, is_wrong) = short_points(entry);
    let colour = if is_wrong { colours.error } else { colours.muted };
    let y = rect.center().y;
    let right = paint_text_right(
        ui,
        pos2(rect.right() - 8.0, y),
        &text,
        FontId::proportional(SMALL),
        colour,
        rect.width() / 2.0,
    );
    let font = if chosen { FontId::new(BODY, bold()) } else { FontId::proportional(BODY) };
    let ink = ui.visuals().text_color();
    let picture = Rect::from_center_size(pos2(rect.left() + 8.0 + PICTURE_SIZE.x / 2.0, y), PICTURE_SIZE);
    let left = match entry.summary {
        EntrySummary::Design(_) => {
            pictures.paint(ui, state, picture, id, Pictured::Entry(Arc::clone(entry)), ink);
            picture.right() + 6.0
        }
        _ => rect.left() + 18.0,
    };
    paint_text(ui, pos2(left, y), &entry.name, font, ink, rect.right() - left - right - 20.0);
    let place = if entry.built_in() {
        say("built-in: editing makes a copy")
    } else {
        entry.absolute_path.display().to_string()
    };
    response.on_hover_text(format!("{}\n{place}", say(entry.summary_line())).trim().to_owned())
}

fn entry_menu(state: &EditorState, response: &Response, entry: &Arc<CatalogueEntry>, out: &mut Vec<Command>) {
    let Some(open) = open_entry_command(entry) else { return };
    context_menu(response, |ui| {
        ui.set_min_width(190.0);
        if ui.button(say("Open and keep the tab")).clicked() {
            out.extend([open, Command::KeepCurrentTab]);
        }
        let is_design = matches!(entry.summary, EntrySummary::Design(_));
        let compares = state.current_doc().is_some_and(|doc| doc.as_design().is_some() && !is_open(entry, doc));
        if is_design && ui.add_enabled(compares, Button::new(say("Compare with the open design"))).clicked() {
            out.push(Command::Compare(CompareCommand::Add(CompareTarget::File(file_ref(entry)))));
        }
        if !entry.built_in() {
            if ui.button(say("Copy its path")).clicked() {
                ui.ctx().copy_text(entry.absolute_path.display().to_string());
            }
            let folder = entry.absolute_path.parent().filter(|_| state.platform.opens_files);
            if ui.add_enabled(folder.is_some(), Button::new(say("Open its folder"))).clicked() {
                out.extend(folder.map(|folder| Command::OpenExternally(folder.to_path_buf())));
            }
        }
    });
}
