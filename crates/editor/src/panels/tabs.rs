//! The tabs: the start page and the open documents. A design that is only looked at is in italics: the next one takes
//! its place.

use std::sync::Arc;

use egui::style::ScrollAnimation;
use egui::{Atom, AtomExt, Atoms, Button, Id, Popup, Rect, RichText, ScrollArea, Ui, Vec2, pos2, vec2};

use crate::icons::{Icon, icon_button};
use crate::language::say;
use crate::library_browser::model::Pictured;
use crate::panels::ship_picture::ShipPictures;
use crate::widgets::{sized_cell, with_accessible_name};
use crate::{Command, Doc, EditorState, Tab};
use moldloft_base::sanitize::shorten;

const MAX_NAME_CHARS: usize = 28;
/// In points, of every tab: none moves when a name, or what is said of it, is another.
const TAB_WIDTH: f32 = 184.0;
/// Of a ship's silhouette, in points.
const PICTURE_SIZE: Vec2 = vec2(36.0, 18.0);
/// In points, for the list of all tabs.
const LIST_WIDTH: f32 = 40.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let key = Id::unique("tabs overflow");
    let overflows = ui.data(|data| data.get_temp::<bool>(key)).unwrap_or(false);
    ui.horizontal(|ui| {
        // Always in sight, however many are open.
        let start = ui.add(Button::selectable(state.tab == Tab::Start, say("Start")));
        out.extend(start.clicked().then_some(Command::ShowTab(Tab::Start)));
        let room = ui.available_width() - LIST_WIDTH;
        let area = ScrollArea::horizontal().id_salt("tabs").max_width(room.max(60.0)).auto_shrink([true, true]);
        let shown = area.show(ui, |ui| ui.horizontal(|ui| tab_row(ui, state, out)));
        let now = shown.content_size.x > room + 0.5;
        if now != overflows {
            ui.data_mut(|data| data.insert_temp(key, now));
            ui.request_repaint();
        }
        if overflows {
            tab_list(ui, state, out);
        }
    });
}

/// All tabs by name, where the row has no room for them.
fn tab_list(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let button = icon_button(ui, Icon::Expand, &format!("All {} open documents", state.docs.len()));
    let button = button.on_hover_text(say("All open documents"));
    Popup::menu(&button).show(|ui| {
        ScrollArea::vertical().max_height(420.0).show(ui, |ui| {
            for doc in &state.docs {
                let (shown, accessible) = tab_names(doc);
                let is_here = state.tab == Tab::Doc(doc.id);
                let entry = ui.add(Button::selectable(is_here, shown));
                if with_accessible_name(entry, &format!("show {accessible}")).clicked() {
                    out.push(Command::ShowTab(Tab::Doc(doc.id)));
                }
            }
        });
    });
}

/// Shown, and for screen readers.
fn tab_names(doc: &Doc) -> (String, String) {
    let name = doc.name();
    let short = shorten(&name, MAX_NAME_CHARS);
    let (shown, accessible) = match &doc.file {
        Some(file) if file.built_in => (format!("{short} ({})", say("built-in")), format!("{name}, built-in")),
        _ if doc.is_changed() => (format!("• {short}"), format!("{name}, not saved")),
        _ => (short.clone(), name.clone()),
    };
    match &doc.rules_override {
        Some(override_id) => (format!("{shown} ({override_id})"), format!("{accessible}, checked by {override_id}")),
        None => (shown, accessible),
    }
}

fn tab_row(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let mut pictures = ShipPictures::default();
    for doc in &state.docs {
        ui.separator();
        let (shown, accessible) = tab_names(doc);
        let is_here = state.tab == Tab::Doc(doc.id);
        let is_glance = state.glance_tab == Some(doc.id);
        let text = RichText::new(shown);
        let text = if is_glance { text.italics() } else { text };
        let ship = doc.as_design().and_then(|open| Some((open, open.evaluation.as_ref()?)));
        let picture = Id::unique(("tab", doc.id));
        let mut content = Atoms::new(text);
        if ship.is_some() {
            content.push_left(Atom::default().atom_size(PICTURE_SIZE));
        }
        let button = Button::selectable(is_here, content).truncate().right_text("").min_size(vec2(TAB_WIDTH, 0.0));
        let high = ui.spacing().interact_size.y;
        let tab = sized_cell(ui, TAB_WIDTH, high, |ui| {
            ui.set_max_width(TAB_WIDTH);
            ui.add(button)
        });
        if let Some((open, evaluation)) = ship {
            let left = tab.rect.left() + ui.spacing().button_padding.x;
            let place = Rect::from_min_size(pos2(left, tab.rect.center().y - PICTURE_SIZE.y / 2.0), PICTURE_SIZE);
            let of = Pictured::Design(Arc::clone(&open.design), Arc::clone(&evaluation.ruleset));
            pictures.paint(ui, state, place, picture, of, ui.visuals().text_color());
        }
        let tab = with_accessible_name(tab, &accessible);
        let place = match &doc.file {
            Some(file) if file.built_in => say("Built-in: the first change creates your own copy"),
            Some(file) => file.to_string(),
            None => say("Not saved yet"),
        };
        let place = format!("{}\n{place}", doc.name());
        let tab = match is_glance {
            true => tab.on_hover_text(say(format!(
                "{place}\nThe next design from the library takes this tab; double-click to keep it"
            ))),
            false => tab.on_hover_text(place),
        };
        out.extend(tab.clicked().then(|| Command::ShowTab(Tab::Doc(doc.id))));
        if tab.double_clicked() && is_glance {
            out.push(Command::KeepTab(doc.id));
        }
        let close = icon_button(ui, Icon::Close, &format!("Close {}", doc.name()));
        let (whole, sight) = (tab.rect.union(close.rect), ui.clip_rect().expand(1.0));
        let is_cut = whole.left() < sight.left() || whole.right() > sight.right();
        if is_here && is_cut && whole.width() < sight.width() {
            ui.scroll_to_rect_animation(whole, None, ScrollAnimation::none());
        }
        if tab.middle_clicked() || close.clicked() {
            out.push(Command::Close(doc.id));
        }
    }
    pictures.draw_missing(state, out);
}
