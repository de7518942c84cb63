//! The fleet's own words: name, side, player, budget, notes, groups. Folded away when the player wants the room for the table.

use egui::{Button, CollapsingHeader, RichText, Ui, vec2};

use super::Page;
use crate::design::Word;
use crate::editor::fleet::{NEW_FLEET, edits};
use crate::editor::inputs::{HIT, Option_, choice, number, text};
use crate::editor::panels::fields::arrive;
use crate::editor::theme::palette;
use crate::editor::widgets::{named, quiet};
use crate::editor::{Command, Edit, Place, Step};
use crate::press::many;

/// Width of a label.
const LABEL: f32 = 56.0;
/// The most points of a budget.
const MOST: i64 = 1_000_000_000;

/// Shows it.
pub fn show(ui: &mut Ui, page: &Page<'_>, out: &mut Vec<Command>) {
    let fleet = page.fleet.fleet();
    let is_wanted = matches!(page.state.go_to, Some(Place::Top(_) | Place::Group(_)));
    let header = CollapsingHeader::new("Name, side, budget, groups").id_salt(("fleet head", page.doc.id.0));
    let header = header.default_open(true).open(is_wanted.then_some(true));
    header.show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
        let words = |word: &Option<Word>| word.as_ref().map_or_else(String::new, |word| word.text.to_string());
        let half = ((ui.available_width() - 20.0) / 2.0 - LABEL - 16.0).max(80.0);
        let line = |ui: &mut Ui, key: &'static str, value: &Option<Word>, width: f32, out: &mut Vec<Command>| {
            label(ui, key);
            ui.allocate_ui(vec2(width, 26.0), |ui| {
                ui.set_width(width);
                let response = text(ui, &format!("{key} of the fleet"), &words(value), 1, out, |typed| {
                    edits::head(fleet, key, typed)
                });
                let is_wanted = page.state.go_to == Some(Place::Top(key));
                if is_wanted && value.as_ref().is_some_and(|word| *word.text == *NEW_FLEET) {
                    choose_all(ui, response.id, NEW_FLEET);
                }
                arrive(&response, is_wanted, out);
            });
        };
        ui.horizontal(|ui| {
            line(ui, "name", &fleet.name, half, out);
            line(ui, "side", &fleet.side, half, out);
        });
        ui.horizontal(|ui| {
            line(ui, "player", &fleet.player, half, out);
            label(ui, "budget");
            let now = fleet.budget.map_or(0, |budget| budget.points);
            let response = number(ui, "budget of the fleet", (now, 0, MOST), 90.0, out, |points| {
                Some(edits::budget(fleet, points))
            });
            arrive(&response, page.state.go_to == Some(Place::Top("budget")), out);
            quiet(ui, if now == 0 { "points, 0: none" } else { "points" });
        });
        ui.horizontal(|ui| {
            let wide = (ui.available_width() - LABEL - 16.0).max(80.0);
            line(ui, "notes", &fleet.notes, wide, out);
        });
        groups(ui, page, out);
    });
}

/// Chooses all of a field's text, so that what is typed stands in its place.
fn choose_all(ui: &Ui, id: egui::Id, text: &str) {
    use egui::text::{CCursor, CCursorRange};
    let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id).unwrap_or_default();
    let all = CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()));
    state.cursor.set_char_range(Some(all));
    state.store(ui.ctx(), id);
}

fn label(ui: &mut Ui, text: &str) {
    let colour = palette(ui).quiet;
    ui.allocate_ui_with_layout(vec2(LABEL, 26.0), egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.set_min_width(LABEL);
        ui.label(RichText::new(text).color(colour));
    });
}

/// The groups, where the game knows such, or the file has some.
fn groups(ui: &mut Ui, page: &Page<'_>, out: &mut Vec<Command>) {
    let fleet = page.fleet.fleet();
    let kinds: Vec<(&str, &str)> = page.fleet.grouping().map(|relation| (&*relation.id, &*relation.label)).collect();
    ui.horizontal_wrapped(|ui| {
        label(ui, "groups");
        for group in &fleet.groups {
            let id = &*group.id.text;
            ui.scope(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                let name = group.name.as_ref().map_or("", |word| &word.text);
                ui.allocate_ui(vec2(150.0, 26.0), |ui| {
                    ui.set_width(150.0);
                    let said = format!("name of group {}", group.index + 1);
                    let response = text(ui, &said, name, 1, out, |typed| edits::group_name(group, typed));
                    arrive(&response, page.state.go_to == Some(Place::Group(group.index)), out);
                });
                if !kinds.is_empty() {
                    let now = group.kind.as_ref().map_or("", |word| &word.text);
                    let none = (now.is_empty()).then_some(&("", "no kind"));
                    let options = none.into_iter().chain(&kinds).map(|(id, label)| Option_ {
                        id,
                        label,
                        hint: String::new(),
                        refused: None,
                    });
                    let salt = ui.make_persistent_id(("group kind", group.index));
                    let said = format!("kind of group {}", group.index + 1);
                    let (_, made) = choice(ui, salt, &said, now, options, 96.0);
                    out.extend(made.map(|kind| Command::Edit(edits::group_kind(group, &kind))));
                }
                let out_ = ui.add(Button::new("×").frame(false).min_size(vec2(HIT, HIT)));
                let ships = fleet.ships.iter().filter(|ship| ship.group.as_ref().is_some_and(|word| *word.text == *id));
                let hint = format!("Remove the group, keep its {}", many(ships.count(), "ship"));
                if named(out_, &format!("remove group {}", group.index + 1)).on_hover_text(hint).clicked() {
                    out.push(Command::Edit(edits::remove_group(group)));
                }
            });
        }
        if named(ui.button("+ Group"), "add a group").clicked() {
            let id = edits::free_group(fleet);
            let kind = kinds.first().map(|(id, _)| *id);
            let mut keys = vec![("id".to_owned(), id.as_str().into())];
            keys.extend(kind.map(|kind| ("kind".to_owned(), kind.into())));
            keys.push(("name".to_owned(), format!("Group {}", fleet.groups.len() + 1).into()));
            out.push(Command::Edit(Edit::one("add a group", Step::AddGroup { keys })));
        }
    });
}
