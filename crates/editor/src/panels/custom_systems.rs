//! The design's own systems, in games that allow them: name, abbreviation and attributes.

use egui::{CollapsingHeader, Id, RichText, Ui};

use crate::inputs::{InputOption, choice_input, findings_badge};
use crate::language::{say, tell};
use crate::panels::design_view::DesignView;
use crate::panels::value_input::{self, unknown_key_row};
use crate::theme::palette;
use crate::widgets::{capitalize, heading, muted_label, named_button, small_button, with_accessible_name};
use crate::{Command, Edit, EditorState, fit_edits};
use moldloft_library::print::plural;
use moldloft_rules::design::{CustomSystem, DesignPart, DocumentEdit, TableList, TablePath};
use moldloft_rules::formula::{Type, Value};
use moldloft_rules::ruleset::SystemDef;

const INPUT_WIDTH: f32 = 200.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(ship) = DesignView::new(state) else { return };
    let kinds: Vec<&SystemDef> = ship.evaluation.ruleset.systems.iter().filter(|system| system.is_open()).collect();
    let own = &ship.design.design.systems;
    if kinds.is_empty() && own.is_empty() {
        return;
    }
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        heading(ui, "OWN SYSTEMS");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| add_buttons(ui, &ship, &kinds, out));
    });
    if own.is_empty() {
        muted_label(ui, "This game lets a design define systems. Add one, then fit it to a mount.");
    }
    for (n, system) in own.iter().enumerate() {
        ui.push_id(("own", n), |ui| custom_system_card(ui, &ship, n, system, out));
    }
}

fn add_buttons(ui: &mut Ui, ship: &DesignView<'_>, kinds: &[&SystemDef], out: &mut Vec<Command>) {
    let text = RichText::new(say("+ Define")).color(palette(ui).accent);
    let button = small_button(text).frame_when_inactive(false);
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
        for kind in kinds {
            let is_clicked = ui.button(say(format!("A {}", kind.name))).clicked();
            out.extend(is_clicked.then(|| define(ui, ship, kind, None, None)));
        }
    });
    with_accessible_name(response, "Define a system");
}

/// Adds a system of the design's own, fits one to the mount that may take it, and shows its form.
pub fn define(ui: &Ui, ship: &DesignView<'_>, kind: &SystemDef, name: Option<&str>, mount: Option<&str>) -> Command {
    let id = free_system_id(ship, &kind.id);
    let keys = name.map(|name| ("name".to_owned(), name.into())).into_iter().collect();
    ui.data_mut(|data| data.insert_temp(new_system_id(), id.clone()));
    let mut steps = vec![DocumentEdit::AddCustomSystem { id: id.clone(), like: kind.id.to_string(), keys }];
    let rules = &ship.evaluation.ruleset;
    let is_free = |mount: &&str| rules.mount_refusal_for(&kind.name, kind.mounts.as_deref(), None, mount).is_none();
    let mount = mount.filter(is_free);
    steps.extend(mount.map(|mount| DocumentEdit::AddFit {
        at: fit_edits::end_of_mount(ship.doc, Some(mount)),
        system: id.clone(),
        mount: Some(mount.to_owned()),
        count: 1,
        parameters: Vec::new(),
    }));
    Command::Edit(Edit::from_steps(format!("define {id}"), steps))
}

fn new_system_id() -> Id {
    Id::unique("newly defined system")
}

fn free_system_id(ship: &DesignView<'_>, kind: &str) -> String {
    let taken = |id: &str| {
        ship.evaluation.ruleset.systems.iter().any(|system| *system.id == *id)
            || ship.design.design.systems.iter().any(|system| *system.id.text == *id)
    };
    let ids = (1..).map(|n| format!("new-{kind}-{n}"));
    ids.take(10_000).find(|id| !taken(id)).unwrap_or_else(|| format!("new-{kind}"))
}

fn custom_system_card(ui: &mut Ui, ship: &DesignView<'_>, n: usize, system: &CustomSystem, out: &mut Vec<Command>) {
    let rules = &ship.evaluation.ruleset;
    let id = &*system.id.text;
    let findings = ship.findings_about(|subject| matches!(subject, DesignPart::CustomSystem(own) if **own == *id));
    let name = fit_edits::available_systems(ship.evaluation)
        .into_iter()
        .find(|known| *known.id == *id)
        .map(|known| known.name);
    let name = name.map_or_else(|| id.to_owned(), |name| name.to_string());
    let wrong = if findings.is_empty() { String::new() } else { format!(" · {}", plural(findings.len(), "finding")) };
    let change = |what: &str, key: &str, value| Edit::change(what, TablePath::CustomSystem(n), key, value);
    // What was just defined is named next.
    let is_new = ui.data(|data| data.get_temp::<String>(new_system_id())).is_some_and(|new| new == id);
    let header = CollapsingHeader::new(say(format!("{}{wrong}", capitalize(&name)))).id_salt(("own", n));
    let header = header.open(is_new.then_some(true));
    header.show(ui, |ui| {
        findings_badge(ui, &findings, out);
        if is_new {
            ui.data_mut(|data| data.remove::<String>(new_system_id()));
        }
        let stated = |key: &str| system.keys.iter().find(|entry| *entry.key == *key).map(|entry| &entry.node.data);
        let known = ship.evaluation.state.custom_systems.iter().find(|own| *own.id == *id);
        let line = |ui: &mut Ui, key: &str, words: (&str, &str), ty: &Type, default: &Value, out: &mut Vec<Command>| {
            let (label, example) = words;
            let accessible = tell("{1} of {2}", &[&say(label), &name]);
            let with_example = tell("{1}, such as {2}", &[&say(label), example]);
            let label = if example.is_empty() { label } else { &with_example };
            let kind = value_input::ValueSpec {
                ty,
                min: None,
                max: None,
                label,
                accessible_name: &accessible,
                is_brief: false,
                wants_focus: is_new && key == "name",
                width: INPUT_WIDTH,
            };
            value_input::show(ui, &kind, stated(key), default, out, |value| change(&accessible, key, value));
        };
        line(ui, "name", ("name", ""), &Type::TEXT, &Value::text(&name), out);
        let letters = known.map(|own| own.abbr.to_string()).unwrap_or_default();
        line(ui, "abbr", ("letters in its box", ""), &Type::TEXT, &Value::text(&letters), out);
        value_input::labelled_line(ui, "kind", INPUT_WIDTH, |ui| {
            let like = system.like.as_ref().map_or("", |like| &*like.text);
            let labels: Vec<(String, String)> =
                rules.systems.iter().map(|kind| (kind.id.to_string(), capitalize(&kind.name))).collect();
            let options = labels.iter().map(|(id, label)| InputOption::new(id, label));
            let salt = ui.make_persistent_id("like");
            let (_, made) = choice_input(ui, salt, &format!("kind of {name}"), like, options, INPUT_WIDTH - 4.0);
            out.extend(made.map(|made| Command::Edit(change(&format!("kind of {name}"), "like", Some(made.into())))));
        });
        let kind = known.and_then(|own| rules.systems.get(own.base));
        for (n, answer) in rules.symbols.attributes.iter().enumerate() {
            let is_open = stated(&answer.id).is_some()
                || kind.is_none_or(|kind| !rules.custom_systems.is_locked(kind, &rules.symbols.attributes, n));
            if let Some(default) = answer.default.as_ref().filter(|_| is_open) {
                let label = answer.id.replace('_', " ");
                line(ui, &answer.id, (&label, &answer.example), &answer.ty, default, out);
            }
        }
        let is_known = |key: &str| {
            ["name", "abbr", "icon", "shape", "tags", "mounts", "rule"].contains(&key)
                || ["assumed", "derived", "house", "published"].contains(&key)
                || rules.symbols.attributes.iter().any(|answer| *answer.id == *key && answer.default.is_some())
        };
        for entry in system.keys.iter().filter(|entry| !is_known(&entry.key)) {
            unknown_key_row(ui, entry, &name, TablePath::CustomSystem(n), out);
        }
        let fitted = ship.design.design.fits.iter().filter(|fit| *fit.system.text == *id).count();
        ui.horizontal(|ui| {
            if named_button(ui, "Remove", &format!("remove the system {name}")) {
                let step = DocumentEdit::remove(TableList::CustomSystems, n);
                out.push(Command::Edit(Edit::single(format!("remove the system {name}"), step)));
            }
            if fitted > 0 {
                muted_label(ui, format!("{fitted} fitted; would stay, unknown to the rules"));
            }
        });
    });
}
