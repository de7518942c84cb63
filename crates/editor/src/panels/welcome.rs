//! The first start: asks which games are played, and shows of each its kind of sheet in three sample ships. Each can be
//! opened at once, or a first ship begun step by step.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Align, Checkbox, Id, Label, Layout, Rect, RichText, ScrollArea, Ui, UiBuilder, vec2};

use crate::guide::model::GuideCommand;
use crate::language::{known_languages, say};
use crate::library_browser::model::{EntryPicture, LibraryBrowser, LibraryCommand, Pictured};
use crate::panels::gallery::{PICTURE_WIDTH, TILE_SIZE, thumbnail_tile};
use crate::panels::library_entry::entry_tile;
use crate::panels::settings::language_choice;
use crate::panels::ship_picture::draw_missing;
use crate::theme::{TITLE, bold};
use crate::widgets::{card_frame, muted_label, muted_text, named_button, primary_button, with_accessible_name};
use crate::{Command, EditorState};
use moldloft_library::library::{CatalogueEntry, EntrySummary, Game};

const SAMPLES: usize = 3;
/// In points.
const GOOD_CARD_WIDTH: f32 = 660.0;
/// In points: three sample ships with names cut short.
const MIN_CARD_WIDTH: f32 = 440.0;
/// In points; a game alone in its row.
const MAX_CARD_WIDTH: f32 = 900.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let browser = &state.library;
    let chosen = browser.chosen_games.clone();
    ui.add_space(6.0);
    let line = ui.heading(say("Which games do you play?")).rect;
    muted_text(
        ui,
        "Only their designs and rules are then listed. You can change this at any time with “Games…” on the start page. \
         Click a ship to look at it.",
    );
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let text = match chosen.len() {
            0 => "Begin with all games".to_owned(),
            1 => "Begin with this game".to_owned(),
            count => format!("Begin with these {count} games"),
        };
        let begin = primary_button(ui, &text);
        // Once, so that the keyboard need not go through the menus first.
        let key = Id::unique("the first start has had the focus");
        let had_focus = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<bool>(key), true));
        if !had_focus && state.dialog.is_none() && ui.memory(|memory| memory.focused().is_none()) {
            begin.request_focus();
        }
        out.extend(begin.clicked().then(|| Command::Library(LibraryCommand::SetGames(chosen.clone()))));
        if !chosen.is_empty() && ui.button(say("All games")).clicked() {
            out.push(Command::Library(LibraryCommand::SetGames(BTreeSet::new())));
        }
    });
    ui.add_space(8.0);
    if !browser.is_scanned {
        muted_label(ui, "Reading the games…");
        return;
    }
    let mut missing: Vec<Pictured> = Vec::new();
    let pixels = (PICTURE_WIDTH * ui.ctx().pixels_per_point()).round() as u32;
    ScrollArea::vertical().id_salt("welcome").auto_shrink(false).show(ui, |ui| {
        let room = ui.available_width() - 14.0;
        let (per_row, width) = card_columns(room);
        let games: Vec<&Game> =
            browser.catalogue.games.iter().filter(|game| game.ready && game.bases.is_empty()).collect();
        for row in games.chunks(per_row) {
            ui.horizontal_top(|ui| {
                for game in row {
                    ui.allocate_ui_with_layout(vec2(width, 10.0), Layout::top_down(Align::Min), |ui| {
                        card_frame(ui).show(ui, |ui| {
                            ui.set_width(width - 22.0);
                            game_card(ui, state, game, pixels, &mut missing, out);
                        });
                    });
                }
            });
        }
    });
    draw_missing(state, missing, EntryPicture::Sheet(pixels), out);
    // Last in the order of the Tab key: most players need it never or once.
    if !known_languages(state).is_empty() {
        let place = Rect::from_x_y_ranges(line.right()..=ui.max_rect().right(), line.y_range());
        let layout = Layout::right_to_left(Align::Center);
        ui.scope_builder(UiBuilder::new().max_rect(place).layout(layout), |ui| language_choice(ui, state, out));
    }
}

/// How many games are side by side, and the width of each, so that no part of the window stays empty.
fn card_columns(room: f32) -> (usize, f32) {
    let width = |columns: usize| room / columns as f32 - 10.0;
    let most = (room / (GOOD_CARD_WIDTH + 10.0)).ceil().max(1.0) as usize;
    let columns = if width(most) < MIN_CARD_WIDTH { most.saturating_sub(1).max(1) } else { most };
    (columns, width(columns).min(MAX_CARD_WIDTH))
}

fn game_card(
    ui: &mut Ui,
    state: &EditorState,
    game: &Game,
    pixels: u32,
    missing: &mut Vec<Pictured>,
    out: &mut Vec<Command>,
) {
    let mut chosen = state.library.chosen_games.clone();
    let mut is_on = chosen.contains(&*game.id);
    let title = RichText::new(&game.title).family(bold()).size(TITLE);
    if ui.add(Checkbox::new(&mut is_on, title)).changed() {
        if is_on {
            chosen.insert(game.id.to_string());
        } else {
            chosen.remove(&*game.id);
        }
        out.push(Command::Library(LibraryCommand::ChooseGames(chosen)));
    }
    ui.add(Label::new(say(&game.about)).wrap());
    let samples = samples(&state.library, game);
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), TILE_SIZE.1 + 4.0));
    let across = (area.width() / SAMPLES as f32).min(TILE_SIZE.0);
    for (n, entry) in samples.iter().enumerate() {
        let at = area.min + vec2(n as f32 * across, 0.0);
        let rect = Rect::from_min_size(at, vec2(across, TILE_SIZE.1)).shrink(2.0);
        entry_tile(ui, rect, Id::unique(("sample", &entry.file)), entry, false, out);
        missing.extend(thumbnail_tile(ui, &state.library, rect, entry, pixels));
    }
    ui.horizontal_wrapped(|ui| {
        let has_guide = state.rulesets.find(&game.id).ruleset().is_some_and(|rules| !rules.guide.is_empty());
        if has_guide && named_button(ui, "Your first ship, step by step", &format!("First ship for {}", game.title)) {
            out.push(Command::Guide(GuideCommand::Start(game.id.clone())));
        }
        let reference = ui.button(say("Reference sheet"));
        if with_accessible_name(reference, &format!("Reference sheet of {}", game.title)).clicked() {
            out.push(Command::Guide(GuideCommand::ShowReference(Some(game.id.clone()))));
        }
    });
}

/// The smallest, one in the middle and the largest of its legal ships.
fn samples(library: &LibraryBrowser, game: &Game) -> Vec<Arc<CatalogueEntry>> {
    let entries = library.catalogue.entries();
    let is_sample = |entry: &&Arc<CatalogueEntry>| {
        let is_legal = matches!(&entry.summary, EntrySummary::Design(card) if card.legal);
        is_legal && entry.ruleset == game.id
    };
    let mut ships: Vec<&Arc<CatalogueEntry>> = entries.filter(is_sample).collect();
    ships.sort_by_key(|entry| entry.points());
    let count = ships.len();
    let mut places = vec![0, count / 2, count.saturating_sub(1)];
    places.dedup();
    places.into_iter().filter_map(|at| ships.get(at).map(|entry| Arc::clone(entry))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_fill_the_window_whatever_its_width() {
        for room in (400..2_600).step_by(20).map(|room| room as f32) {
            let (columns, width) = card_columns(room);
            assert!(columns as f32 * (width + 10.0) >= room * 0.9, "{room}: {columns} of {width}");
            assert!(columns == 1 || width >= MIN_CARD_WIDTH, "{room}: {columns} of {width}");
        }
        assert_eq!(card_columns(990.0).0, 2, "1024 x 700");
    }
}
