//! The opponent, the situation by its kinds, and what else is asked: turns, duel, all against all.

use egui::{Button, Checkbox, ComboBox, DragValue, PopupCloseBehavior, ScrollArea, Slider, TextEdit, Ui, vec2};

use crate::language::say;
use crate::odds_page::model::OddsView;
use crate::odds_page::{
    MAX_TURNS, OddsCommand, OpponentChoice, axis_rule, comparable_rules, opponent_choices, opponent_name,
    situation_word,
};
use crate::widgets::{
    MIN_TARGET_SIZE, amount_with_unit, choice_list, heading, is_left_by_enter, muted_label, with_accessible_name,
};
use crate::{Command, Doc, EditorState};
use moldloft_odds::odds::{MAX_AXIS, MAX_MATRIX, read_best};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::{Situation, SituationKind};

/// Most numbers of a slider.
const MAX_SLIDER: u64 = 100_000;
/// Most characters of all options of a choice that has buttons; others are lists.
const MAX_RADIO_CHARS: usize = 60;
/// About the width of a character, in points.
const CHARACTER: f32 = 7.5;
/// Between two inputs of a line, in points.
const GAP: f32 = 16.0;
/// Most opponents in the list; a search finds the others.
const MAX_CHOICES: usize = 200;

/// Puts inputs one below the other, or, above the chart, as many in a line as there is room for.
#[derive(Clone, Copy)]
struct Flow {
    is_above: bool,
    /// Width of a line, in points.
    room: f32,
}

impl Flow {
    fn all(&self, ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
        if self.is_above {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(GAP, 6.0);
                add(ui);
            });
        } else {
            ui.vertical(add);
        }
    }

    /// One input with its label, which no line divides.
    fn group(&self, ui: &mut Ui, salt: &str, add: impl FnOnce(&mut Ui)) {
        if !self.is_above {
            ui.push_id(salt, |ui| ui.vertical(add));
            ui.add_space(4.0);
            return;
        }
        // As wide as in the last frame.
        let id = ui.make_persistent_id(("group", salt));
        let known: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        if known > ui.available_size_before_wrap().x {
            ui.end_row();
        }
        let shown = ui.push_id(salt, |ui| {
            let inner = ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                add(ui);
            });
            inner.response.rect.width()
        });
        if (shown.inner - known).abs() > 0.5 {
            ui.data_mut(|data| data.insert_temp(id, shown.inner));
            ui.request_repaint();
        }
    }
}

/// `is_above`: in a narrow page, above the chart.
pub fn show(
    ui: &mut Ui,
    state: &EditorState,
    doc: &Doc,
    view: &OddsView,
    ship: &Evaluation,
    is_above: bool,
    out: &mut Vec<Command>,
) {
    let flow = Flow { is_above, room: ui.available_width() };
    flow.all(ui, |ui| {
        if !is_above {
            heading(ui, "OPPONENT");
        }
        flow.group(ui, "opponent", |ui| {
            if is_above {
                ui.label(say("against"));
            }
            ui.add_enabled_ui(!view.is_matrix, |ui| opponent_picker(ui, state, doc, view, out));
        });
        flow.group(ui, "all", |ui| matrix_input(ui, doc, view, out));
        if view.is_matrix {
            flow.group(ui, "best", |ui| {
                ui.horizontal(|ui| best_picker(ui, view, ship, out));
            });
        }
        if ship.ruleset.attack_rules.attacks.len() > 1 {
            flow.group(ui, "attack", |ui| {
                ui.horizontal(|ui| attack_picker(ui, view, ship, out));
            });
        }
        if !ship.ruleset.attack_rules.situations.is_empty() {
            situation_inputs(ui, flow, view, ship, out);
        }
        if !view.is_matrix {
            if !is_above {
                ui.add_space(8.0);
                heading(ui, "TURNS");
            }
            flow.group(ui, "turns", |ui| battle_inputs(ui, view, out));
            if !is_above {
                ui.add_space(8.0);
                heading(ui, "RULES");
            }
            flow.group(ui, "rules", |ui| {
                ui.horizontal(|ui| rules_picker(ui, state, view, ship, out));
            });
        }
    });
}

fn situation_inputs(ui: &mut Ui, flow: Flow, view: &OddsView, ship: &Evaluation, out: &mut Vec<Command>) {
    let rules = &ship.ruleset.attack_rules;
    if !flow.is_above {
        ui.add_space(8.0);
        heading(ui, "SITUATION");
    }
    let axis = axis_rule(view, rules).map(|rule| rule.id.clone());
    for rule in &rules.situations {
        let (word, is_axis) = (situation_word(view, rule), axis.as_ref() == Some(&rule.id));
        flow.group(ui, &format!("situation {}", rule.id), |ui| {
            situation_input(ui, rule, &word, is_axis, flow, out);
        });
    }
    flow.group(ui, "defaults", |ui| {
        let reset = ui.add_enabled(!view.situation.is_empty(), Button::new(say("Defaults")));
        if with_accessible_name(reset, "Reset the situation to its defaults").clicked() {
            out.push(Command::Odds(OddsCommand::ResetSituation));
        }
    });
    if !view.is_matrix {
        flow.group(ui, "over", |ui| {
            ui.horizontal(|ui| over_picker(ui, view, ship, out));
        });
    }
}

fn matrix_input(ui: &mut Ui, doc: &Doc, view: &OddsView, out: &mut Vec<Command>) {
    let mut is_matrix = view.is_matrix;
    let words = match doc.as_fleet() {
        Some(_) => "The classes of this fleet against one another",
        None => "This design, the open ones and those of the library against one another",
    };
    let all = ui.add(Checkbox::new(&mut is_matrix, say("all against all")));
    if all.on_hover_text(say(format!("{words}, at most {MAX_MATRIX}"))).changed() {
        out.push(Command::Odds(OddsCommand::SetMatrix(is_matrix)));
    }
}

/// What each firing ship of a matrix chooses for itself.
fn best_picker(ui: &mut Ui, view: &OddsView, ship: &Evaluation, out: &mut Vec<Command>) {
    let rules = &ship.ruleset.attack_rules;
    let situations = rules.situations.iter().filter(|rule| read_best(rules, &rule.id).is_ok());
    let choices = situations.map(|rule| (&*rule.id, &*rule.label));
    ui.label(say("best")).on_hover_text(say("Each firing ship chooses this for the largest mean"));
    one_of(ui, "Best", ("best", "none", 150.0), view.best.as_deref(), choices, OddsCommand::SetBest, out);
}

/// Other rules by which the same fight is worked out, too.
fn rules_picker(ui: &mut Ui, state: &EditorState, view: &OddsView, ship: &Evaluation, out: &mut Vec<Command>) {
    let known = comparable_rules(state, &ship.ruleset);
    let hint = match known.is_empty() {
        true => "Make a house layer on the page Rules first",
        false => "The same figures by other rules of this game, side by side",
    };
    ui.label(say("compare with")).on_hover_text(say(hint));
    let choices = known.iter().map(|id| (id.as_str(), id.as_str()));
    let look = ("other rules", "no other rules", 150.0);
    one_of(ui, "Compare with", look, view.other_rules.as_deref(), choices, OddsCommand::SetOtherRules, out);
}

fn attack_picker(ui: &mut Ui, view: &OddsView, ship: &Evaluation, out: &mut Vec<Command>) {
    let attacks = &ship.ruleset.attack_rules.attacks;
    let choices = attacks.iter().map(|attack| (&*attack.id, &*attack.id));
    ui.label(say("attacks that count")).on_hover_text(say("Only this attack of both ships counts"));
    let look = ("attack", "all attacks", 150.0);
    one_of(ui, "Count", look, view.attack.as_deref(), choices, OddsCommand::SetAttack, out);
}

/// A list of ids and labels, with a first line for none of them; `look`: its id, the first line and its width.
fn one_of<'c>(
    ui: &mut Ui,
    title: &str,
    look: (&str, &str, f32),
    now: Option<&str>,
    choices: impl Iterator<Item = (&'c str, &'c str)> + Clone,
    command: impl Fn(Option<String>) -> OddsCommand,
    out: &mut Vec<Command>,
) {
    let (id, none, width) = look;
    let known = now.and_then(|now| choices.clone().find(|(id, _)| *id == now));
    let words = known.map_or(none, |(_, label)| label);
    let list = ComboBox::from_id_salt(id).selected_text(say(words)).width(width).truncate();
    let all = std::iter::once((None, none)).chain(choices.map(|(id, label)| (Some(id), label)));
    let chosen = choice_list(ui, list, &format!("{title}: {words}"), known.map(|(id, _)| id), all);
    out.extend(chosen.map(|id| Command::Odds(command(id.map(str::to_owned)))));
}

fn opponent_picker(ui: &mut Ui, state: &EditorState, doc: &Doc, view: &OddsView, out: &mut Vec<Command>) {
    let now = opponent_name(state, view);
    let combo =
        ComboBox::from_id_salt(("opponent", doc.id)).selected_text(say(&now)).width(200.0).truncate().height(420.0);
    let combo = combo.close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let shown = combo.show_ui(ui, |ui| {
        ui.set_min_width(300.0);
        let mut search = view.search.clone();
        let field = TextEdit::singleline(&mut search).hint_text(say("search name, class, nation…")).char_limit(200);
        let field = with_accessible_name(ui.add(field.desired_width(f32::INFINITY)), "Search the opponents");
        let enter = is_left_by_enter(ui, &field);
        if ui.memory(|memory| memory.focused().is_none()) {
            field.request_focus();
        }
        if search != view.search {
            out.push(Command::Odds(OddsCommand::Search(search.clone())));
        }
        let choices = opponent_choices(state, doc, &search);
        let mut chosen = None;
        // Enter takes the first.
        if enter && !search.trim().is_empty() {
            chosen = choices.first();
        }
        ScrollArea::vertical().id_salt("opponents").max_height(340.0).show(ui, |ui| {
            for choice in choices.iter().take(MAX_CHOICES) {
                if opponent_button(ui, view, choice) {
                    chosen = Some(choice);
                }
            }
            match choices.len() {
                0 if state.library.is_scanned => muted_label(ui, "Nothing matches."),
                0 => muted_label(ui, "Reading the designs…"),
                count if count > MAX_CHOICES => muted_label(ui, format!("and {} more: search", count - MAX_CHOICES)),
                _ => return,
            };
        });
        if let Some(choice) = chosen {
            out.push(Command::Odds(OddsCommand::SetOpponent(choice.opponent.clone())));
            ui.close();
        }
    });
    with_accessible_name(shown.response, &format!("Opponent: {now}"));
}

fn opponent_button(ui: &mut Ui, view: &OddsView, choice: &OpponentChoice) -> bool {
    let points = choice.points.map(|points| amount_with_unit(&points.to_string(), "points"));
    let notes: Vec<String> =
        points.into_iter().chain(Some(choice.source.to_owned()).filter(|source| !source.is_empty())).collect();
    let notes = notes.join(", ");
    let button = Button::selectable(view.opponent == choice.opponent, say(&choice.name)).shortcut_text(say(&notes));
    let button = ui.add(button.min_size(vec2(ui.available_width(), MIN_TARGET_SIZE)));
    with_accessible_name(button, &format!("{}, {notes}", choice.name)).clicked()
}

fn set(id: &str, word: String) -> Command {
    Command::Odds(OddsCommand::SetSituation { id: id.to_owned(), word: Some(word) })
}

fn situation_input(ui: &mut Ui, rule: &Situation, word: &str, is_axis: bool, flow: Flow, out: &mut Vec<Command>) {
    let Flow { is_above, room } = flow;
    let name = if rule.unit.is_empty() { rule.label.to_string() } else { format!("{}, {}", rule.label, rule.unit) };
    let label = |ui: &mut Ui| {
        let label = ui.scope(|ui| {
            // An input is beside it.
            ui.set_max_width(if is_above { (room - 170.0).max(80.0) } else { room });
            let label = egui::Label::new(say(&name));
            ui.add(if is_above { label.truncate() } else { label.wrap() })
        });
        let label = label.inner;
        if !rule.help.is_empty() {
            label.on_hover_text(say(&*rule.help));
        }
    };
    match &rule.kind {
        SituationKind::Flag => {
            let mut is_on = word == "true";
            let tick = ui.add(Checkbox::new(&mut is_on, say(&*rule.label)));
            let tick = if rule.help.is_empty() { tick } else { tick.on_hover_text(say(&*rule.help)) };
            out.extend(tick.changed().then(|| set(&rule.id, is_on.to_string())));
        }
        SituationKind::Integer { min, max } => {
            label(ui);
            let (before, mut number) = (word.parse::<i64>().unwrap_or(*min), word.parse::<i64>().unwrap_or(*min));
            ui.horizontal(|ui| {
                if min.abs_diff(*max) <= MAX_SLIDER {
                    ui.spacing_mut().slider_width = match (is_above, is_axis) {
                        (false, _) => (ui.available_width() - 56.0).max(60.0),
                        (true, true) => (room * 0.3).min(220.0),
                        (true, false) => 90.0,
                    };
                    let slider = Slider::new(&mut number, *min..=*max).step_by(1.0).show_value(false);
                    let slider = with_accessible_name(ui.add(slider), &name);
                    if is_axis {
                        slider.on_hover_text(say("The arrow keys move it, also in the chart"));
                    }
                }
                let field = DragValue::new(&mut number).range(*min..=*max).speed(0.1);
                ui.spacing_mut().interact_size.x = 44.0;
                with_accessible_name(ui.add(field), &format!("{name}: number"));
            });
            if number != before {
                out.push(set(&rule.id, number.to_string()));
            }
        }
        SituationKind::Choice(options) => {
            label(ui);
            let length: usize = options.iter().map(|(_, label)| label.chars().count() + 4).sum();
            let is_wide = is_above && (length + name.chars().count()) as f32 * CHARACTER > room;
            if length <= MAX_RADIO_CHARS && !is_wide {
                let radios = |ui: &mut Ui| {
                    for (id, option) in options {
                        let radio = ui.radio(**id == *word, say(&**option));
                        if with_accessible_name(radio, &format!("{}: {option}", rule.label)).clicked() {
                            out.push(set(&rule.id, id.to_string()));
                        }
                    }
                };
                if is_above {
                    ui.horizontal(radios)
                } else {
                    ui.horizontal_wrapped(radios)
                };
                return;
            }
            let now = options.iter().find(|(id, _)| **id == *word).map_or(word, |(_, label)| &**label);
            let width = if is_above { 180.0 } else { (ui.available_width() - 12.0).max(100.0) };
            let list = ComboBox::from_id_salt("options").selected_text(say(now)).width(width).truncate();
            let options = options.iter().map(|(id, option)| (&**id, &**option));
            let chosen = choice_list(ui, list, &format!("{}: {now}", rule.label), word, options);
            out.extend(chosen.map(|id| set(&rule.id, id.to_owned())));
        }
    }
}

fn over_picker(ui: &mut Ui, view: &OddsView, ship: &Evaluation, out: &mut Vec<Command>) {
    let rules = &ship.ruleset.attack_rules;
    let now = axis_rule(view, rules);
    ui.label(say("chart over"));
    let words = now.map_or("nothing", |rule| &*rule.label);
    let list = ComboBox::from_id_salt("over").selected_text(say(words)).width(110.0).truncate();
    let list = list.show_ui(ui, |ui| {
        for rule in &rules.situations {
            let is_now = now.is_some_and(|now| now.id == rule.id);
            let button = ui.selectable_label(is_now, say(&*rule.label));
            let is_cut =
                matches!(rule.kind, SituationKind::Integer { min, max } if min.abs_diff(max) >= MAX_AXIS as u64);
            let button =
                if is_cut { button.on_hover_text(say(format!("its first {MAX_AXIS} values"))) } else { button };
            if button.clicked() {
                // The rules' own axis is the default.
                out.push(Command::Odds(OddsCommand::SetOver(Some(rule.id.to_string()).filter(|_| !rule.axis))));
            }
        }
    });
    with_accessible_name(list.response, &format!("Chart over: {words}"));
}

fn battle_inputs(ui: &mut Ui, view: &OddsView, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let mut turns = view.turns;
        let field = DragValue::new(&mut turns).range(0..=MAX_TURNS).speed(0.1);
        let field = with_accessible_name(ui.add(field), "Turns of fire");
        if field.on_hover_text(say("How soon each ship destroys the other; 0: not asked")).changed() {
            out.push(Command::Odds(OddsCommand::SetTurns(turns)));
        }
        ui.label(say("turns of fire"));
        let mut has_duel = !view.has_no_duel;
        let duel = ui.add(Checkbox::new(&mut has_duel, say("duel")));
        if duel.on_hover_text(say("Both fire until one is destroyed, each as hurt as it is by then")).changed() {
            out.push(Command::Odds(OddsCommand::SetDuel(has_duel)));
        }
    });
}
