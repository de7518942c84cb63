//! The search field and filters of the library, for the start page and the library panel.

use egui::{ComboBox, Event, Id, Key, Modifiers, TextEdit, Ui};

use crate::language::say;
use crate::library_browser::model::{LibraryBrowser, LibraryCommand};
use crate::model::settings::DesignOrder;
use crate::widgets::{choice_list, muted_label, with_accessible_name};
use crate::{Command, EditorState};
use moldloft_library::library::{CatalogueFilter, LegalFilter, OriginFilter};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchKeys {
    pub moves_to_results: bool,
    pub opens_first: bool,
}

/// `id` distinguishes the two search fields.
pub fn search_field(
    ui: &mut Ui,
    state: &EditorState,
    id: &str,
    text: &str,
    out: &mut Vec<Command>,
) -> (Option<String>, SearchKeys) {
    let id = Id::unique(("search", id));
    if !state.library.wants_search_focus && !ui.ctx().text_edit_focused() && state.dialog.is_none() {
        // As in many programs, a lone `/` goes to the search; it is not typed.
        let slash = |event: &Event| matches!(event, Event::Text(typed) if typed == "/");
        if ui.input(|input| input.events.iter().any(slash)) {
            out.push(Command::Library(LibraryCommand::FocusSearch));
        }
    }
    let mut keys = SearchKeys::default();
    if ui.memory(|memory| memory.has_focus(id)) {
        ui.input_mut(|input| {
            keys.moves_to_results = input.consume_key(Modifiers::NONE, Key::ArrowDown);
            keys.opens_first = input.consume_key(Modifiers::NONE, Key::Enter);
        });
    }
    let mut typed = text.to_owned();
    let field = TextEdit::singleline(&mut typed).id(id).hint_text(say("name, 400-900, graser>4…"));
    let field = ui.add(field.desired_width(f32::INFINITY).char_limit(200));
    let field = with_accessible_name(field, "Search the library").on_hover_text(
        say("All words must match: names, classes, systems aboard, letters, tags.\n400-900, >400 or <=900: points. graser>4, laser=6 or thrust>=16: what a design carries.\nEnter opens the first, ↓ goes to the list."),
    );
    if state.library.wants_search_focus {
        field.request_focus();
        out.push(Command::Library(LibraryCommand::SearchFocused));
    }
    let had_focus = field.has_focus() || field.lost_focus();
    let cleared = had_focus && !typed.is_empty() && ui.input(|input| input.key_pressed(Key::Escape));
    if cleared {
        typed.clear();
        field.request_focus();
    }
    (field.changed().then_some(typed.clone()).or(cleared.then_some(typed)), keys)
}

pub fn filter_inputs(ui: &mut Ui, library: &LibraryBrowser, filter: &mut CatalogueFilter) {
    let title = |id: &str| {
        let games = &library.catalogue.games;
        games.iter().find(|game| *game.id == *id).map_or_else(|| id.to_owned(), |game| game.title.clone())
    };
    let shown = filter.ruleset.as_deref().map_or_else(|| "all games".to_owned(), title);
    let games = library.catalogue.games.iter().map(|game| (Some(game.id.to_string()), &*game.title));
    let games = std::iter::once((None, "all games")).chain(games);
    let list = ComboBox::from_id_salt("game").selected_text(say(shown)).width(150.0);
    if let Some(game) = choice_list(ui, list, "Game", filter.ruleset.clone(), games) {
        filter.ruleset = game;
    }
    muted_label(ui, "points");
    optional_number(ui, "Points from", "from", &mut filter.points.0);
    muted_label(ui, "–");
    optional_number(ui, "Points up to", "to", &mut filter.points.1);
    let legal =
        [(LegalFilter::Any, "any legality"), (LegalFilter::Legal, "legal"), (LegalFilter::NotLegal, "not legal")];
    combo_box(ui, "Legality", 100.0, &mut filter.legal, &legal);
    let origins = [
        (OriginFilter::Any, "any origin"),
        (OriginFilter::Workspace, "your folder"),
        (OriginFilter::BuiltIn, "built-in"),
        (OriginFilter::Elsewhere, "elsewhere"),
    ];
    combo_box(ui, "Origin", 110.0, &mut filter.origin, &origins);
}

/// How lists of designs are sorted.
pub fn order_input(ui: &mut Ui, order: DesignOrder, out: &mut Vec<Command>) {
    let mut chosen = order;
    combo_box(ui, "Sorted", 84.0, &mut chosen, &DesignOrder::ALL);
    out.extend((chosen != order).then_some(Command::Library(LibraryCommand::SetOrder(chosen))));
}

fn combo_box<T: Copy + PartialEq>(ui: &mut Ui, name: &str, width: f32, value: &mut T, all: &[(T, &str)]) {
    let shown = all.iter().find(|(one, _)| one == value).map_or("", |(_, word)| word);
    let list = ComboBox::from_id_salt(name).selected_text(say(shown)).width(width);
    *value = choice_list(ui, list, name, *value, all.iter().copied()).unwrap_or(*value);
}

fn optional_number(ui: &mut Ui, name: &str, hint: &str, value: &mut Option<i64>) {
    let mut typed = value.map_or_else(String::new, |value| value.to_string());
    let field = ui.add(TextEdit::singleline(&mut typed).hint_text(say(hint)).desired_width(52.0).char_limit(9));
    if with_accessible_name(field, name).changed() {
        let figures: String = typed.chars().filter(char::is_ascii_digit).collect();
        *value = figures.parse().ok();
    }
}
