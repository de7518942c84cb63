//! The fleet's own keys: name, side, player, budget, notes, groups. Can be folded.

use egui::{CollapsingHeader, Ui, vec2};

use crate::fleet::panel::FleetView;
use crate::fleet::panel::table::line_height;
use crate::fleet::{NEW_FLEET_NAME, edits};
use crate::icons::{Icon, icon_button};
use crate::inputs::{InputOption, choice_input, focus_if_wanted, number_input, text_input};
use crate::language::say;
use crate::value_text::text_or_empty;
use crate::widgets::{capitalize, muted_label, named_button, select_all, sized_cell};
use crate::{Command, Edit, FormTarget};
use moldloft_library::print::plural;
use moldloft_rules::design::{DocumentEdit, SpannedText, TableList};

const LABEL_WIDTH: f32 = 56.0;
const SHIPS_IN_SIGHT: usize = 12;
/// With the head of the table, in points.
const DETAILS_AND_TOOLBAR: f32 = 220.0;
const MAX_BUDGET: i64 = 1_000_000_000;

pub fn show(ui: &mut Ui, page: &FleetView<'_>, out: &mut Vec<Command>) {
    let fleet = page.fleet.fleet();
    let is_wanted = matches!(page.state.go_to, Some(FormTarget::TopKey(_) | FormTarget::Group(_)));
    let header = CollapsingHeader::new(say("Name, side, budget, notes, groups")).id_salt(("fleet head", page.doc.id.0));
    // Where it would leave too little of the table, it begins as a line.
    let table = page.fleet.table_lines.len().min(SHIPS_IN_SIGHT) as f32 * line_height(ui);
    let header = header.default_open(ui.available_height() >= DETAILS_AND_TOOLBAR + table);
    let header = header.open(is_wanted.then_some(true));
    header.show(ui, |ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
        let half = ((ui.available_width() - 20.0) / 2.0 - LABEL_WIDTH - 16.0).max(80.0);
        let line = |ui: &mut Ui, key: &'static str, value: &Option<SpannedText>, width: f32, out: &mut Vec<Command>| {
            field_label(ui, key);
            ui.allocate_ui(vec2(width, 26.0), |ui| {
                ui.set_width(width);
                let response = text_input(ui, &format!("{key} of the fleet"), &text_or_empty(value), 1, out, |typed| {
                    Some(edits::set_head_key(fleet, key, typed))
                });
                let is_wanted = page.state.go_to == Some(FormTarget::TopKey(key));
                if is_wanted && value.as_ref().is_some_and(|word| *word.text == *say(NEW_FLEET_NAME)) {
                    select_all(ui.ctx(), response.id, &say(NEW_FLEET_NAME));
                }
                focus_if_wanted(&response, is_wanted, out);
            });
        };
        ui.horizontal(|ui| {
            line(ui, "name", &fleet.name, half, out);
            line(ui, "side", &fleet.side, half, out);
        });
        ui.horizontal(|ui| {
            line(ui, "player", &fleet.player, half, out);
            field_label(ui, "budget");
            let now = fleet.budget.map_or(0, |budget| budget.points);
            let response = number_input(ui, "budget of the fleet", (now, 0, MAX_BUDGET), 90.0, out, |points| {
                Some(edits::set_budget(fleet, points))
            });
            focus_if_wanted(&response, page.state.go_to == Some(FormTarget::TopKey("budget")), out);
            muted_label(ui, if now == 0 { "points, 0: none" } else { "points" });
        });
        ui.horizontal(|ui| {
            let wide = (ui.available_width() - LABEL_WIDTH - 16.0).max(80.0);
            line(ui, "notes", &fleet.notes, wide, out);
        });
        group_list(ui, page, out);
    });
}

fn field_label(ui: &mut Ui, text: &str) {
    sized_cell(ui, LABEL_WIDTH, 26.0, |ui| muted_label(ui, capitalize(text)));
}

fn group_list(ui: &mut Ui, page: &FleetView<'_>, out: &mut Vec<Command>) {
    let fleet = page.fleet.fleet();
    let kinds: Vec<(&str, &str)> =
        page.fleet.group_relations().map(|relation| (&*relation.id, &*relation.label)).collect();
    ui.horizontal_wrapped(|ui| {
        field_label(ui, "groups");
        for group in &fleet.groups {
            let id = &*group.id.text;
            ui.scope(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                let name = group.name.as_ref().map_or("", |word| &word.text);
                ui.allocate_ui(vec2(150.0, 26.0), |ui| {
                    ui.set_width(150.0);
                    let accessible = format!("name of group {}", group.index + 1);
                    let response =
                        text_input(ui, &accessible, name, 1, out, |typed| Some(edits::set_group_name(group, typed)));
                    focus_if_wanted(&response, page.state.go_to == Some(FormTarget::Group(group.index)), out);
                });
                if !kinds.is_empty() {
                    let now = group.kind.as_ref().map_or("", |word| &word.text);
                    let none = (now.is_empty()).then_some(&("", "no kind"));
                    let options = none.into_iter().chain(&kinds).map(|(id, label)| InputOption::new(id, label));
                    let salt = ui.make_persistent_id(("group kind", group.index));
                    let accessible = format!("kind of group {}", group.index + 1);
                    let (_, made) = choice_input(ui, salt, &accessible, now, options, 96.0);
                    out.extend(made.map(|kind| Command::Edit(edits::set_group_kind(group, &kind))));
                }
                let ships = fleet.ships.iter().filter(|ship| ship.group.as_ref().is_some_and(|word| *word.text == *id));
                let hint = format!("Remove the group, keep its {}", plural(ships.count(), "ship"));
                let remove = icon_button(ui, Icon::Close, &format!("remove group {}", group.index + 1));
                out.extend(
                    remove.on_hover_text(say(hint)).clicked().then(|| Command::Edit(edits::remove_group(group))),
                );
            });
        }
        if named_button(ui, "+ Group", "add a group") {
            let id = edits::free_group_id(fleet);
            let kind = kinds.first().map(|(id, _)| *id);
            let mut keys = vec![("id".to_owned(), id.as_str().into())];
            keys.extend(kind.map(|kind| ("kind".to_owned(), kind.into())));
            keys.push(("name".to_owned(), format!("Group {}", fleet.groups.len() + 1).into()));
            out.push(Command::Edit(Edit::single(
                "add a group",
                DocumentEdit::insert(TableList::Groups, usize::MAX, keys),
            )));
        }
    });
}
