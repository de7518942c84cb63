//! The palette of everything (Ctrl+K) and the glossary: a search field, arrow keys, Enter.

use egui::{Align, Button, EventFilter, Key, Label, Layout, Modifiers, RichText, ScrollArea, TextEdit, Ui, vec2};

use crate::language::say;
use crate::palette::{PaletteCommand, PaletteDialog, PaletteEntry, find_entries};
use crate::panels::dialog_parts::close_button;
use crate::suggest::model::SuggestCommand;
use crate::suggest::panel::ask;
use crate::theme::{SMALL, bold, palette};
use crate::widgets::{capitalize, muted_text, sized_cell, small_label, with_accessible_name};
use crate::{Command, Dialog, EditorState};
use moldloft_base::sanitize::fold_for_search;
use moldloft_rules::evaluate::{TermText, all_terms};

const ROW_HEIGHT: f32 = 28.0;

pub fn show(ui: &mut Ui, state: &EditorState, open: &PaletteDialog, out: &mut Vec<Command>) {
    let entries = find_entries(state, &open.query);
    let last = entries.len().saturating_sub(1);
    let pressed = |ui: &Ui, key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let mut line = open.highlighted.min(last);
    for (key, step) in [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, 8), (Key::PageUp, -8)] {
        if pressed(ui, key) {
            line = line.saturating_add_signed(step).min(last);
        }
    }
    let moved = line != open.highlighted.min(last);
    let enter = pressed(ui, Key::Enter);
    let mut typed = open.query.clone();
    let hint = "a command, system, design, value or word";
    let field = TextEdit::singleline(&mut typed).hint_text(say(hint)).desired_width(f32::INFINITY).char_limit(200);
    let field = with_accessible_name(ui.add(field.min_size(vec2(24.0, 30.0))), "Find anything");
    if !field.has_focus() {
        field.request_focus();
    }
    let keys = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(field.id, keys));
    if typed != open.query || moved {
        let highlighted = if typed == open.query { line } else { 0 };
        out.push(Command::Palette(PaletteCommand::Update(PaletteDialog { query: typed, highlighted })));
    }
    let room = (ui.ctx().content_rect().height() - 190.0).clamp(120.0, 440.0);
    // Its height does not change while typing: the field stays where it is.
    ScrollArea::vertical().id_salt("palette").max_height(room).auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        if entries.is_empty() {
            muted_text(ui, format!("Nothing is called “{}”.", open.query.trim()));
        }
        for (n, entry) in entries.iter().enumerate() {
            let response = entry_row(ui, entry, n == line);
            if n == line && moved {
                response.scroll_to_me(None);
            }
            if response.clicked() || (enter && n == line) {
                // As by its button: the field that had the focus goes with the palette.
                if matches!(entry.command, Command::Suggest(SuggestCommand::Ask(_))) {
                    ui.data_mut(|data| data.insert_temp(ask::focus_id(), true));
                }
                out.push(Command::Palette(PaletteCommand::Choose(entry.key.clone())));
            }
        }
    });
    small_label(ui, "Enter does it · “4 beta” adds four · “graser>4”, “400-900” find designs · Esc closes");
}

fn entry_row(ui: &mut Ui, entry: &PaletteEntry, is_next: bool) -> egui::Response {
    let width = ui.available_width();
    let muted = palette(ui).muted;
    let layout = Layout::left_to_right(Align::Center);
    let row = ui.allocate_ui_with_layout(vec2(width, ROW_HEIGHT), layout, |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let kind = RichText::new(say(entry.kind.name())).size(SMALL).color(muted);
        sized_cell(ui, 52.0, ROW_HEIGHT, |ui| ui.add(Label::new(kind).selectable(false)));
        // Long details, such as meanings, keep to their half.
        let detail: String = entry.detail.chars().take(44).collect();
        let detail = if detail.len() < entry.detail.len() { format!("{detail}…") } else { detail };
        let detail = RichText::new(say(detail)).size(SMALL).color(muted);
        let button = Button::selectable(is_next, capitalize(&say(&entry.title))).right_text(detail).truncate();
        ui.add(button.min_size(vec2(ui.available_width(), ROW_HEIGHT)))
    });
    let name = format!("{}: {}", entry.kind.name(), entry.title);
    let response = with_accessible_name(row.inner, &name);
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_selected(is_next);
        node.set_description(say(&*entry.detail));
    });
    response
}

/// The game's words with their meanings, one of them first.
pub fn show_glossary(ui: &mut Ui, state: &EditorState, query: &str, first: &str, out: &mut Vec<Command>) {
    ui.heading(say("Glossary"));
    let ship = state.current_doc().and_then(|doc| doc.shown_ship());
    let mut terms: Vec<TermText> = ship.map(|ship| all_terms(ship)).unwrap_or_default();
    terms.sort_by_key(|term| (*term.id != *first, fold_for_search(&term.label)));
    let mut typed = query.to_owned();
    let field =
        TextEdit::singleline(&mut typed).hint_text(say("search words")).desired_width(f32::INFINITY).char_limit(200);
    if with_accessible_name(ui.add(field), "Search the glossary").changed() {
        out.push(Command::OpenDialog(Dialog::Glossary { query: typed, first: first.to_owned() }));
    }
    let wanted = fold_for_search(query.trim());
    let room = (ui.ctx().content_rect().height() - 220.0).clamp(120.0, 460.0);
    ScrollArea::vertical().id_salt("glossary").max_height(room).auto_shrink([false, true]).show(ui, |ui| {
        let mut is_empty = true;
        for term in &terms {
            let text = fold_for_search(&format!("{} {}", term.label, term.text));
            if !text.contains(&*wanted) {
                continue;
            }
            is_empty = false;
            ui.label(RichText::new(capitalize(&say(&term.label))).family(bold()));
            ui.add(Label::new(say(&term.text)).wrap());
            ui.add_space(4.0);
        }
        if is_empty && terms.is_empty() {
            muted_text(ui, "The rules of this page have no glossary.");
        } else if is_empty {
            muted_text(ui, format!("No word matches “{}”.", query.trim()));
        }
    });
    close_button(ui, out);
}
