//! Systems of the design's own, in games whose designs define some: name, letters, and what the ruleset lets a system answer.

use egui::{Button, CollapsingHeader, RichText, Ui, vec2};

use super::mounts::capital;
use super::ship::{Ship, raw};
use super::value::{self, stranger};
use crate::design::{OwnSystem, Subject};
use crate::editor::fits;
use crate::editor::inputs::{HIT, Option_, choice, sign};
use crate::editor::theme::palette;
use crate::editor::widgets::{heading, named, quiet};
use crate::editor::{Command, Edit, State, Step};
use crate::formula::{Type, Value};
use crate::press::many;
use crate::ruleset::System;

/// Width of the inputs.
const WIDTH: f32 = 200.0;

/// Shows them, where the game has kinds for them.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(ship) = Ship::of(state) else { return };
    let kinds: Vec<&System> = ship.evaluation.ruleset.systems.iter().filter(|system| system.is_abstract).collect();
    let own = &ship.judged.design.systems;
    if kinds.is_empty() && own.is_empty() {
        return;
    }
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        heading(ui, "OWN SYSTEMS");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| add(ui, &ship, &kinds, out));
    });
    if own.is_empty() {
        quiet(ui, "This game lets a design define systems. Add one, then fit it to a mount.");
    }
    for (n, system) in own.iter().enumerate() {
        ui.push_id(("own", n), |ui| one(ui, &ship, n, system, out));
    }
}

fn add(ui: &mut Ui, ship: &Ship<'_>, kinds: &[&System], out: &mut Vec<Command>) {
    let text = RichText::new("+ Define").color(palette(ui).accent);
    let button = Button::new(text).frame_when_inactive(false).min_size(vec2(HIT, HIT));
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
        for kind in kinds {
            if ui.button(format!("A {}", kind.name)).clicked() {
                let id = free(ship, &kind.id);
                let step = Step::AddSystem { id: id.clone(), like: kind.id.to_string(), keys: Vec::new() };
                out.push(Command::Edit(Edit::one(format!("define {id}"), step)));
            }
        }
    });
    named(response, "Define a system");
}

/// An id that no system has.
fn free(ship: &Ship<'_>, kind: &str) -> String {
    let taken = |id: &str| {
        ship.evaluation.ruleset.systems.iter().any(|system| *system.id == *id)
            || ship.judged.design.systems.iter().any(|system| *system.id.text == *id)
    };
    let ids = (1..).map(|n| format!("new-{kind}-{n}"));
    ids.take(10_000).find(|id| !taken(id)).unwrap_or_else(|| format!("new-{kind}"))
}

fn one(ui: &mut Ui, ship: &Ship<'_>, n: usize, system: &OwnSystem, out: &mut Vec<Command>) {
    let rules = &ship.evaluation.ruleset;
    let id = &*system.id.text;
    let found = ship.found(|subject| matches!(subject, Subject::Own(own) if **own == *id));
    let name = fits::systems(ship.evaluation).into_iter().find(|known| *known.id == *id).map(|known| known.name);
    let name = name.map_or_else(|| id.to_owned(), |name| name.to_string());
    let wrong = if found.is_empty() { String::new() } else { format!(" · {}", many(found.len(), "finding")) };
    let set = |key: &str, value: toml_edit::Value| {
        Edit::one(format!("change {key} of {name}"), Step::SetSystem { system: n, key: key.to_owned(), value })
    };
    let header = CollapsingHeader::new(format!("{}{wrong}", capital(&name))).id_salt(("own", n));
    header.show(ui, |ui| {
        sign(ui, &found, out);
        let stated = |key: &str| system.keys.iter().find(|entry| *entry.key == *key).map(|entry| &entry.node.data);
        let known = ship.evaluation.state.own.iter().find(|own| *own.id == *id);
        let line = |ui: &mut Ui, key: &str, label: &str, ty: &Type, default: &Value, out: &mut Vec<Command>| {
            let said = format!("{label} of {name}");
            let kind = value::Kind { ty, least: None, most: None, label, name: &said, is_brief: false, width: WIDTH };
            if value::show(ui, &kind, stated(key), default, out, |value| set(key, value)) {
                let step = Step::RemoveSystemKey { system: n, key: key.to_owned() };
                out.push(Command::Edit(Edit::one(format!("remove {label} from {name}"), step)));
            }
        };
        line(ui, "name", "name", &Type::TEXT, &Value::text(&name), out);
        let letters = known.map(|own| own.abbr.to_string()).unwrap_or_default();
        line(ui, "abbr", "letters in its box", &Type::TEXT, &Value::text(&letters), out);
        value::line(ui, "kind", WIDTH, |ui| {
            let like = system.like.as_ref().map_or("", |like| &*like.text);
            let labels: Vec<(String, String)> =
                rules.systems.iter().map(|kind| (kind.id.to_string(), capital(&kind.name))).collect();
            let options = labels.iter().map(|(id, label)| Option_ { id, label, hint: String::new(), refused: None });
            let salt = ui.make_persistent_id("like");
            let (_, made) = choice(ui, salt, &format!("kind of {name}"), like, options, WIDTH - 4.0);
            out.extend(made.map(|made| Command::Edit(set("like", made.into()))));
        });
        let answers = rules.lexicon.answers.iter();
        for answer in answers {
            if let Some(default) = &answer.default {
                line(ui, &answer.id, &answer.id.replace('_', " "), &answer.ty, default, out);
            }
        }
        let is_known = |key: &str| {
            ["name", "abbr", "icon", "shape", "tags", "mounts", "rule"].contains(&key)
                || ["assumed", "derived", "house", "published"].contains(&key)
                || rules.lexicon.answers.iter().any(|answer| *answer.id == *key && answer.default.is_some())
        };
        for entry in system.keys.iter().filter(|entry| !is_known(&entry.key)) {
            stranger(ui, &entry.key, &raw(&entry.node.data), &name, || {
                let step = Step::RemoveSystemKey { system: n, key: entry.key.to_string() };
                out.push(Command::Edit(Edit::one(format!("remove {} from {name}", entry.key), step)));
            });
        }
        let fitted = ship.judged.design.fits.iter().filter(|fit| *fit.system.text == *id).count();
        ui.horizontal(|ui| {
            if named(ui.button("Remove"), &format!("remove the system {name}")).clicked() {
                let step = Step::RemoveSystem { system: n };
                out.push(Command::Edit(Edit::one(format!("remove the system {name}"), step)));
            }
            if fitted > 0 {
                quiet(ui, format!("{fitted} fitted; would stay, unknown to the rules"));
            }
        });
    });
}
