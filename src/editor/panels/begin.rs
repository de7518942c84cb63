//! Beginning a design: the games, each with what a design of it is and what a new one can begin from.

use egui::style::ScrollAnimation;
use egui::{Align, Button, Id, Key, Layout, RichText, TextEdit, Ui, vec2};

use crate::editor::browse::{Browsing, NEW};
use crate::editor::fleet::Mustering;
use crate::editor::theme::{bold, palette};
use crate::editor::tile::{tile, write};
use crate::editor::widgets::{card, heading, named, quiet};
use crate::editor::{Command, State};
use crate::library::catalogue::Game;
use crate::library::{Starter, starters};

/// Starters listed at the most.
const MOST: usize = 40;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    heading(ui, "NEW DESIGN OR FLEET");
    let games = &state.browse.catalogue.games;
    if games.is_empty() && state.browse.is_known {
        quiet(ui, "No rulesets: put one into the folder rulesets/ of your workspace.");
    }
    if state.browse.wants_name && !games.iter().any(|game| Some(&game.id) == state.browse.game.as_ref()) {
        // No game is meant yet: its list comes first.
        out.push(Command::Browse(Browsing::Named));
    }
    for (n, game) in games.iter().enumerate() {
        card(ui).show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            one(ui, state, game, n == 0, out);
        });
    }
}

fn one(ui: &mut Ui, state: &State, game: &Game, is_first: bool, out: &mut Vec<Command>) {
    let is_open = state.browse.game.as_ref() == Some(&game.id);
    let title = RichText::new(&game.title).family(bold()).size(16.0);
    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
        if game.ready && !is_open {
            let new = named(ui.button("New…"), &format!("New design for {}", game.title));
            if is_first && state.browse.wants_name && state.browse.game.is_none() {
                new.request_focus();
                new.scroll_to_me(None);
            }
            if new.clicked() {
                out.push(Command::Browse(Browsing::Game(Some(game.id.clone()))));
            }
            if named(ui.button("Fleet…"), &format!("New fleet for {}", game.title)).clicked() {
                out.push(Command::Fleet(Mustering::Begin(game.id.clone())));
            }
        }
        ui.with_layout(Layout::top_down(Align::Min), |ui| ui.add(egui::Label::new(title).wrap()));
    });
    if game.ready {
        ui.add(egui::Label::new(RichText::new(&game.about).color(palette(ui).quiet)).wrap());
    } else {
        ui.add(egui::Label::new(RichText::new(format!("! {}", game.about)).color(palette(ui).error)).wrap());
        return;
    }
    if !is_open {
        return;
    }
    ui.horizontal(|ui| {
        ui.label("Name");
        let mut name = state.browse.name.clone();
        let field = TextEdit::singleline(&mut name).hint_text(NEW).char_limit(80).desired_width(f32::INFINITY);
        let field = named(ui.add(field), "Name of the new design");
        if field.changed() {
            out.push(Command::Browse(Browsing::Name(name)));
        }
        if state.browse.wants_name {
            field.request_focus();
            field.scroll_to_me_animation(Some(Align::Center), ScrollAnimation::none());
            out.push(Command::Browse(Browsing::Named));
        }
        if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            out.push(Command::Browse(Browsing::Begin { game: game.id.clone(), basis: None }));
        }
    });
    quiet(ui, "Start from");
    let all = starters(game, &state.browse.catalogue);
    let more = all.len().saturating_sub(MOST);
    for starter in all.into_iter().take(MOST) {
        if row(ui, game, &starter) {
            let basis = starter.basis;
            out.push(Command::Browse(Browsing::Begin { game: game.id.clone(), basis }));
        }
    }
    if more > 0 {
        let text = format!("{more} more in the library: open one and save it under another name.");
        ui.add(egui::Label::new(RichText::new(text).color(palette(ui).quiet)).wrap());
    }
    if named(ui.add(Button::new("Not now")), &format!("No new design for {}", game.title)).clicked() {
        out.push(Command::Browse(Browsing::Game(None)));
    }
}

fn row(ui: &mut Ui, game: &Game, starter: &Starter) -> bool {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 42.0));
    let path = starter.basis.as_ref().map(|entry| entry.path.clone());
    let (name, shown) = match starter.basis {
        Some(_) => (format!("Start from a copy of {}", starter.title), format!("Copy of {}", starter.title)),
        None => (format!("Start from an empty design for {}", game.title), starter.title.to_string()),
    };
    let response = tile(ui, rect, Id::unique(("starter", &game.id, path)), &name, false);
    let (colours, ink) = (palette(ui), ui.visuals().text_color());
    let (left, width) = (rect.left() + 8.0, rect.width() - 16.0);
    let body = egui::FontId::proportional(15.0);
    write(ui, egui::pos2(left, rect.top() + 12.0), &shown, body, ink, width);
    let small = egui::FontId::proportional(13.0);
    write(ui, egui::pos2(left, rect.top() + 30.0), &starter.note, small, colours.quiet, width);
    response.clicked()
}
