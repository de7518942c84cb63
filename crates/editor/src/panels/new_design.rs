//! Starting a design or fleet: the games and what a new design can start from.

use egui::style::ScrollAnimation;
use egui::{Align, Button, Id, Layout, RichText, TextEdit, Ui, vec2};

use crate::fleet::model::FleetCommand;
use crate::guide::model::GuideCommand;
use crate::language::{say, tell};
use crate::library_browser::NEW_DESIGN_NAME;
use crate::library_browser::model::LibraryCommand;
use crate::rules_page::model::RulesPageCommand;
use crate::theme::{SMALL, TITLE, bold, palette};
use crate::tile::{TWO_LINES, paint_two_lines, tile};
use crate::widgets::{
    card_frame, error_text, heading, is_left_by_enter, muted_label, muted_text, named_button, text_button,
    with_accessible_name,
};
use crate::{Command, EditorState};
use moldloft_library::library::{Game, Starter, starters};

const MAX_STARTERS: usize = 40;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    heading(ui, "NEW DESIGN OR FLEET");
    let games = &state.library.catalogue.games;
    if games.is_empty() && state.library.is_scanned {
        muted_label(ui, "No rulesets: put one into the folder rulesets/ of your workspace.");
    }
    if state.library.wants_name_focus && !games.iter().any(|game| Some(&game.id) == state.library.game.as_ref()) {
        // No game is preselected: show the list first.
        out.push(Command::Library(LibraryCommand::NameFocused));
    }
    let is_open = |game: &Game| state.library.game.as_ref() == Some(&game.id);
    let plays = |game: &Game| {
        state.settings.plays(&game.id) || game.bases.iter().any(|base| state.settings.plays(base)) || is_open(game)
    };
    for (n, game) in games.iter().filter(|game| plays(game) || !game.built_in).enumerate() {
        card_frame(ui).show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            game_section(ui, state, game, n == 0, out);
        });
    }
}

fn game_section(ui: &mut Ui, state: &EditorState, game: &Game, is_first: bool, out: &mut Vec<Command>) {
    let is_open = state.library.game.as_ref() == Some(&game.id);
    // What is in brackets stays on one line.
    let title = RichText::new(game.title.replace("(* ", "(*\u{a0}")).family(bold()).size(TITLE);
    ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
        if game.ready && !is_open {
            let new = with_accessible_name(ui.button(say("New…")), &format!("New design for {}", game.title));
            if is_first && state.library.wants_name_focus && state.library.game.is_none() {
                new.request_focus();
                new.scroll_to_me(None);
            }
            out.extend(new.clicked().then(|| Command::Library(LibraryCommand::ChooseGame(Some(game.id.clone())))));
            if named_button(ui, "Fleet…", &format!("New fleet for {}", game.title)) {
                out.push(Command::Fleet(FleetCommand::New(game.id.clone())));
            }
        }
        ui.with_layout(Layout::top_down(Align::Min), |ui| ui.add(egui::Label::new(title).wrap()));
    });
    if game.ready {
        let games = &state.library.catalogue.games;
        let says_no_more = |base: &&Game| game.bases.contains(&base.id) && base.about == game.about;
        muted_text(
            ui,
            match games.iter().find(says_no_more) {
                Some(base) => tell("House rules on top of {1}.", &[&base.title]),
                None => game.about.clone(),
            },
        );
        let link = RichText::new(say("Rules and house rules")).size(SMALL).color(palette(ui).accent);
        let link = text_button(ui, Button::new(link).min_size(vec2(0.0, 24.0)));
        if with_accessible_name(link, &format!("Rules of {}", game.title)).clicked() {
            out.push(Command::RulesPage(RulesPageCommand::Open(game.id.to_string())));
        }
    } else {
        error_text(ui, format!("! {}", game.about));
        return;
    }
    if !is_open {
        return;
    }
    ui.horizontal(|ui| {
        ui.label(say("Name"));
        let mut name = state.library.name.clone();
        let field =
            TextEdit::singleline(&mut name).hint_text(say(NEW_DESIGN_NAME)).char_limit(80).desired_width(f32::INFINITY);
        let field = with_accessible_name(ui.add(field), "Name of the new design");
        out.extend(field.changed().then(|| Command::Library(LibraryCommand::SetName(name))));
        if state.library.wants_name_focus {
            field.request_focus();
            field.scroll_to_me_animation(Some(Align::Center), ScrollAnimation::none());
            out.push(Command::Library(LibraryCommand::NameFocused));
        }
        if is_left_by_enter(ui, &field) {
            out.push(Command::Library(LibraryCommand::CreateDesign { game: game.id.clone(), copy_of: None }));
        }
    });
    let has_guide = state.rulesets.find(&game.id).ruleset().is_some_and(|rules| !rules.guide.is_empty());
    if has_guide && named_button(ui, "Step by step", &format!("First ship for {}, step by step", game.title)) {
        out.push(Command::Guide(GuideCommand::Start(game.id.clone())));
    }
    muted_label(ui, "Start from");
    let all = starters(game, &state.library.catalogue);
    let more = all.len().saturating_sub(MAX_STARTERS);
    for starter in all.into_iter().take(MAX_STARTERS) {
        if starter_row(ui, game, &starter) {
            let basis = starter.source;
            out.push(Command::Library(LibraryCommand::CreateDesign { game: game.id.clone(), copy_of: basis }));
        }
    }
    if more > 0 {
        let text = format!("{more} more in the library: open one and save it under another name.");
        muted_text(ui, text);
    }
    if with_accessible_name(ui.add(Button::new(say("Not now"))), &format!("No new design for {}", game.title)).clicked()
    {
        out.push(Command::Library(LibraryCommand::ChooseGame(None)));
    }
}

fn starter_row(ui: &mut Ui, game: &Game, starter: &Starter) -> bool {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), TWO_LINES));
    let file = starter.source.as_ref().map(|entry| &entry.file);
    let (name, shown) = match starter.source {
        Some(_) => (format!("Start from a copy of {}", starter.title), format!("Copy of {}", starter.title)),
        None => (format!("Start from an empty design for {}", game.title), starter.title.to_string()),
    };
    let response = tile(ui, rect, Id::unique(("starter", &game.id, file)), &name, false);
    let (colours, ink) = (palette(ui), ui.visuals().text_color());
    paint_two_lines(ui, rect, (&shown, ink), (&starter.note, colours.muted));
    response.clicked()
}
