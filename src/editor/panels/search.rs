//! Searching the library: the words, the game, the points, whether the rules must be kept, where from. Shared by the start page and the panel
//! beside a design.

use egui::{ComboBox, Event, Id, Key, Modifiers, TextEdit, Ui};

use crate::editor::browse::Browsing;
use crate::editor::widgets::{named, quiet};
use crate::editor::{Command, State};
use crate::library::{Filter, Legal, Origin};

/// What the keyboard asks of the list from within the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// To the first that was found.
    pub down: bool,
    /// Open it.
    pub open: bool,
}

/// The field for words, as wide as there is room for; `text` is what stands in it, `id` tells the two of them apart.
pub fn words(ui: &mut Ui, state: &State, id: &str, text: &str, out: &mut Vec<Command>) -> (Option<String>, Asked) {
    let id = Id::unique(("search", id));
    if !state.browse.find && !ui.ctx().text_edit_focused() && state.dialog.is_none() {
        // A lone `/` goes to the search, as in many programs; it is not typed into it.
        let slash = |event: &Event| matches!(event, Event::Text(typed) if typed == "/");
        if ui.input(|input| input.events.iter().any(slash)) {
            out.push(Command::Browse(Browsing::Find));
        }
    }
    let mut asked = Asked::default();
    if ui.memory(|memory| memory.has_focus(id)) {
        ui.input_mut(|input| {
            asked.down = input.consume_key(Modifiers::NONE, Key::ArrowDown);
            asked.open = input.consume_key(Modifiers::NONE, Key::Enter);
        });
    }
    let mut typed = text.to_owned();
    let field = TextEdit::singleline(&mut typed).id(id).hint_text("search name, class, points…");
    let field = ui.add(field.desired_width(f32::INFINITY).char_limit(200));
    let field = named(field, "Search the library").on_hover_text(
        "All words must match; 400-900, >400 or <=900 filters by points. Enter opens the first, ↓ goes to the list.",
    );
    if state.browse.find {
        field.request_focus();
        out.push(Command::Browse(Browsing::Found));
    }
    let had = field.has_focus() || field.lost_focus();
    let cleared = had && !typed.is_empty() && ui.input(|input| input.key_pressed(Key::Escape));
    if cleared {
        typed.clear();
        field.request_focus();
    }
    (field.changed().then_some(typed.clone()).or(cleared.then_some(typed)), asked)
}

/// The other choices, in a line; they go over the whole filter.
pub fn choices(ui: &mut Ui, state: &State, filter: &mut Filter) {
    let title = |id: &str| {
        let games = &state.browse.catalogue.games;
        games.iter().find(|game| *game.id == *id).map_or_else(|| id.to_owned(), |game| game.title.clone())
    };
    let shown = filter.ruleset.as_deref().map_or_else(|| "all games".to_owned(), title);
    let combo = ComboBox::from_id_salt("game").selected_text(shown).width(150.0).show_ui(ui, |ui| {
        ui.selectable_value(&mut filter.ruleset, None, "all games");
        for game in &state.browse.catalogue.games {
            ui.selectable_value(&mut filter.ruleset, Some(game.id.to_string()), &game.title);
        }
    });
    named(combo.response, "Game");
    quiet(ui, "points");
    bound(ui, "Points from", "from", &mut filter.points.0);
    quiet(ui, "–");
    bound(ui, "Points up to", "to", &mut filter.points.1);
    let legal = [(Legal::Any, "any legality"), (Legal::Legal, "legal"), (Legal::NotLegal, "not legal")];
    one_of(ui, "Legality", 100.0, &mut filter.legal, &legal);
    let origins = [
        (None, "any origin"),
        (Some(Origin::Workspace), "your folder"),
        (Some(Origin::BuiltIn), "built-in"),
        (Some(Origin::Elsewhere), "elsewhere"),
    ];
    one_of(ui, "Origin", 110.0, &mut filter.origin, &origins);
}

fn one_of<T: Copy + PartialEq>(ui: &mut Ui, name: &str, width: f32, value: &mut T, all: &[(T, &str)]) {
    let shown = all.iter().find(|(one, _)| one == value).map_or("", |(_, word)| word);
    let combo = ComboBox::from_id_salt(name).selected_text(shown).width(width).show_ui(ui, |ui| {
        for (one, word) in all {
            ui.selectable_value(value, *one, *word);
        }
    });
    named(combo.response, name);
}

/// A number that may be left empty.
fn bound(ui: &mut Ui, name: &str, hint: &str, value: &mut Option<i64>) {
    let mut typed = value.map_or_else(String::new, |value| value.to_string());
    let field = ui.add(TextEdit::singleline(&mut typed).hint_text(hint).desired_width(52.0).char_limit(9));
    if named(field, name).changed() {
        let figures: String = typed.chars().filter(char::is_ascii_digit).collect();
        *value = figures.parse().ok();
    }
}
