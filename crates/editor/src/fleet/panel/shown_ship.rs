//! The ship whose sheet is shown: which copy, its damage as a list with numbers, and its load.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Button, Label, RichText, Role, TextEdit, Ui, WidgetInfo, vec2};

use crate::fleet::edits;
use crate::fleet::lines::unit_label;
use crate::fleet::model::FleetCommand;
use crate::fleet::panel::FleetView;
use crate::inputs::{InputOption, choice_input};
use crate::language::{say, tell};
use crate::panels::value_input::{InputKind, TypedInput};
use crate::preview::stem_label;
use crate::theme::{bold, palette};
use crate::widgets::{
    MIN_TARGET_SIZE, capitalize, heading, memoized, muted_label, named_button, sized_cell, small_button,
    with_accessible_name,
};
use crate::{Command, EditorState};
use moldloft_library::library::FleetUnit;
use moldloft_rules::design::Damage;
use moldloft_rules::evaluate::{Evaluation, tick_marks};
use moldloft_rules::formula::Value;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(page) = FleetView::new(state) else { return };
    let Some(unit) = page.fleet.shown_unit() else {
        muted_label(ui, "Select a ship to show its damage and load. A ship that cannot be checked has neither.");
        return;
    };
    unit_picker(ui, &page, unit, out);
    damage_list(ui, &page, unit, out);
    load_list(ui, &page, unit, out);
}

fn unit_picker(ui: &mut Ui, page: &FleetView<'_>, unit: &FleetUnit, out: &mut Vec<Command>) {
    let ship = page.fleet.fleet().ships.get(unit.entry);
    let Some(ship) = ship else { return };
    let units: Vec<&FleetUnit> = page.fleet.units(ship.index).map(|(_, unit)| unit).collect();
    ui.horizontal_wrapped(|ui| {
        if units.len() > 1 {
            let label = ui.label(say("Shown:"));
            let names: Vec<(String, String)> = units
                .iter()
                .enumerate()
                .map(|(n, unit)| {
                    let what = if unit.carried.is_some() {
                        format!("{}, {}", unit.evaluation.name, unit_label(unit))
                    } else {
                        unit_label(unit)
                    };
                    let same = units.iter().filter(|other| unit_label(other) == unit_label(unit)).count() > 1;
                    (n.to_string(), if same { format!("{what} ({})", n + 1) } else { what })
                })
                .collect();
            let options = names.iter().map(|(id, label)| InputOption::new(id, label));
            let now = (page.doc.unit_index as usize).min(units.len() - 1);
            let accessible = format!("Sheet shown: {}", names[now].1);
            let salt = ui.make_persistent_id("unit");
            let (response, made) = choice_input(ui, salt, &accessible, &now.to_string(), options, 200.0);
            response.labelled_by(label.id);
            out.extend(made.and_then(|n| n.parse().ok()).map(|n| Command::Fleet(FleetCommand::ShowUnit(n))));
        } else {
            ui.label(RichText::new(say(unit_label(unit))).family(bold()));
        }
        muted_label(ui, unit.evaluation.name.to_string());
    });
    if unit.copy > 1 {
        muted_label(ui, "One of several identical ships: ticking a box splits it off.");
    }
}

fn damage_list(ui: &mut Ui, page: &FleetView<'_>, unit: &FleetUnit, out: &mut Vec<Command>) {
    let ship = &unit.evaluation;
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        heading(ui, "DAMAGE AND ROUNDS SPENT");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let is_hurt = !ship.ship.damage.is_empty();
            if ui.add_enabled(is_hurt, Button::new(say("Clear damage"))).clicked() {
                out.push(Command::Fleet(FleetCommand::ClearDamage));
            }
        });
    });
    let key = (page.doc.id, page.doc.revision, page.fleet.shown_unit.as_ref().map(|(at, _)| *at));
    let rows = memoized(ui.ctx(), "boxes of the ship", key, || Arc::new(box_rows(ship)));
    if rows.is_empty() {
        muted_label(ui, "Its sheet has no boxes to tick.");
        return;
    }
    muted_label(ui, "Click a box on the sheet to tick it, or use these.");
    for row in rows.iter() {
        box_row(ui, &ship.ship.damage, row, out);
    }
}

/// The boxes of one stem.
struct DamageBoxes {
    stem: Arc<str>,
    name: String,
    boxes: u32,
}

/// As on the sheet: tracks first, then systems.
fn box_rows(ship: &Evaluation) -> Vec<DamageBoxes> {
    let all: BTreeMap<_, _> = tick_marks(ship).into_iter().filter(|(_, boxes)| boxes.kind.is_lasting()).collect();
    let mut order: Vec<&Arc<str>> = Vec::with_capacity(all.len());
    let tracks = ship.tracks.iter().filter_map(|track| all.get_key_value(&track.id)).map(|(stem, _)| stem);
    for stem in tracks.chain(all.keys()) {
        if !order.contains(&stem) {
            order.push(stem);
        }
    }
    let row = |stem: &Arc<str>| DamageBoxes {
        stem: stem.clone(),
        name: stem_label(ship, stem),
        boxes: all.get(stem).map_or(0, |boxes| boxes.count),
    };
    order.into_iter().map(row).collect()
}

fn box_row(ui: &mut Ui, damage: &Damage, row: &DamageBoxes, out: &mut Vec<Command>) {
    let DamageBoxes { stem, name, boxes } = row;
    let (stem, boxes) = (&**stem, *boxes);
    let ticked = damage.count(stem);
    ui.push_id(stem, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let wide = (ui.available_width() - 230.0).max(90.0);
            sized_cell(ui, wide, MIN_TARGET_SIZE, |ui| ui.add(Label::new(capitalize(&say(name))).truncate()));
            let mark = |number: u32| Command::Fleet(FleetCommand::ToggleBox { stem: stem.to_owned(), number });
            let fewer = ui.add_enabled(ticked > 0, small_button("−"));
            if with_accessible_name(fewer, &format!("untick a box of {name}")).clicked() {
                out.extend(damage.boxes(stem).last().map(mark));
            }
            let shown = RichText::new(say(format!("{ticked} of {boxes}")));
            let shown = if ticked > 0 { shown.family(bold()) } else { shown.color(palette(ui).muted) };
            let label = ui.add_sized([66.0, MIN_TARGET_SIZE], Label::new(shown));
            let accessible = format!("{name}: {ticked} of {boxes} ticked");
            label.widget_info(|| WidgetInfo::labeled(Role::Label, true, say(&accessible)));
            let more = ui.add_enabled(ticked < boxes, small_button("+"));
            if with_accessible_name(more, &format!("tick a box of {name}")).clicked() {
                out.extend((1..=boxes).find(|number| !damage.is_hit(stem, *number)).map(mark));
            }
            let words = damage.runs_text(stem);
            let id = ui.make_persistent_id("runs");
            // Applied when the field loses the focus: half a run is not valid.
            let mut typed: String = ui.data(|data| data.get_temp(id)).unwrap_or_else(|| words.clone());
            let field = TextEdit::singleline(&mut typed)
                .hint_text("1-3, 5")
                .desired_width(76.0)
                .min_size(vec2(24.0, MIN_TARGET_SIZE));
            let response = with_accessible_name(ui.add(field), &format!("boxes of {name} ticked"));
            if response.has_focus() {
                ui.data_mut(|data| data.insert_temp(id, typed.clone()));
            }
            if response.lost_focus() {
                ui.data_mut(|data| data.remove_temp::<String>(id));
                if typed.trim() != words {
                    out.push(Command::Fleet(FleetCommand::SetBoxes { stem: stem.to_owned(), boxes: typed }));
                }
            }
        });
    });
}

fn load_list(ui: &mut Ui, page: &FleetView<'_>, unit: &FleetUnit, out: &mut Vec<Command>) {
    let rules = &unit.evaluation.ruleset;
    let mut is_first = true;
    for fit in unit.evaluation.fits.iter().filter(|fit| fit.count > 0) {
        let base = unit.evaluation.state.custom_systems.iter().find(|own| own.id == fit.system).map(|own| own.base);
        let kind = rules.systems.iter().position(|system| system.id == fit.system).or(base);
        let Some(kind) = kind.and_then(|kind| rules.systems.get(kind)) else { continue };
        for parameter in kind.parameters.iter().filter(|parameter| parameter.load) {
            if std::mem::take(&mut is_first) {
                ui.add_space(6.0);
                heading(ui, "LOAD");
                if unit.carried.is_some() {
                    muted_label(ui, "Carried units are loaded as designed; give one its own entry to change its load.");
                    return;
                }
            }
            let mount = unit.evaluation.mounts.iter().find(|mount| mount.id == fit.mount);
            let place = mount.map_or_else(|| fit.mount.to_string(), |mount| mount.label.to_string());
            let name = format!("{}, {}", tell("{1} of {2}", &[&say(&parameter.label), &say(&fit.name)]), say(place));
            let now = fit.answers.iter().find(|(id, _)| *id == parameter.id).map_or(&Value::Null, |(_, value)| value);
            let entry = LoadEntry { system: &fit.system, mount: &fit.mount, parameter, now };
            load_input(ui, page, unit, &entry, &name, out);
        }
    }
}

/// What a ship has loaded somewhere, such as the missiles of a magazine.
struct LoadEntry<'a> {
    system: &'a str,
    mount: &'a str,
    parameter: &'a moldloft_rules::ruleset::ParameterDef,
    now: &'a Value,
}

fn load_input(
    ui: &mut Ui,
    page: &FleetView<'_>,
    unit: &FleetUnit,
    entry: &LoadEntry<'_>,
    name: &str,
    out: &mut Vec<Command>,
) {
    let LoadEntry { system, mount, parameter, now } = *entry;
    let fleet = page.fleet.fleet();
    let Some(ship) = fleet.ships.get(unit.entry) else { return };
    let is_here = |load: &&moldloft_rules::design::fleet::FleetLoad| {
        *load.system.text == *system && load.mount.as_ref().is_none_or(|word| *word.text == *mount)
    };
    let own = ship.load.iter().filter(is_here).any(|load| load.values.iter().any(|entry| *entry.key == *parameter.id));
    let set = |value: Option<toml_edit::Value>| {
        let of = (system, mount);
        edits::set_load(fleet, ship.index, of, (&parameter.id, &parameter.label), value)
    };
    ui.horizontal(|ui| {
        let wide = (ui.available_width() - 180.0).max(90.0);
        sized_cell(ui, wide, MIN_TARGET_SIZE, |ui| {
            ui.add(Label::new(capitalize(&say(name))).truncate()).on_hover_text(say(name))
        });
        let kind = match now {
            Value::Int(_) => InputKind::Integer {
                min: Some(parameter.min.unwrap_or(i64::MIN)),
                max: Some(parameter.max.unwrap_or(i64::MAX)),
                has_buttons: false,
            },
            Value::Flag(_) => InputKind::Flag,
            Value::Text(_) => InputKind::of_type(&parameter.ty, None, None, false),
            _ => InputKind::ReadOnly,
        };
        let (salt, width) = (ui.make_persistent_id(name), if matches!(now, Value::Int(_)) { 56.0 } else { 100.0 });
        if let InputKind::ReadOnly = kind {
            muted_label(ui, moldloft_sheet::sheet::format_value(now).to_string());
        } else {
            let width_left = vec2(width, MIN_TARGET_SIZE);
            let layout = egui::Layout::left_to_right(egui::Align::Center);
            let is_text = matches!(kind, InputKind::Text);
            let input = TypedInput { name, kind, width, salt };
            // A text takes all the width that is left.
            match is_text {
                true => drop(ui.allocate_ui_with_layout(width_left, layout, |ui| input.show(ui, None, now, out, set))),
                false => drop(input.show(ui, None, now, out, set)),
            }
        }
        if own && named_button(ui, "as designed", &format!("{name} as designed")) {
            out.extend(set(None).map(Command::Edit));
        }
    });
}
