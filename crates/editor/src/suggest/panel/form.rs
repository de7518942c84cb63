//! The form for a question: goals and an objective built by menus, what may change, what is pinned, how long to search.

use egui::{Align, Button, Checkbox, ComboBox, DragValue, Grid, Id, Layout, Response, RichText, Ui, vec2};

use crate::icons::{Icon, icon_button};
use crate::inputs::MAX_NUMBER;
use crate::language::say;
use crate::odds_page::target_words;
use crate::panels::dialog_parts::select_when_focused;
use crate::suggest::budgets;
use crate::suggest::goals::{GoalLine, MAX_GOALS, Relation};
use crate::suggest::model::{QuestionDraft, SuggestCommand, SuggestView};
use crate::suggest::panel::ask::{ask_button, ask_if_clicked, spend_question};
use crate::theme::{SMALL, palette};
use crate::typed_number::{TypedNumber, parse_decimal};
use crate::widgets::{capitalize, choice_list, heading, muted_text, primary_button, small_label, with_accessible_name};
use crate::{Command, Doc, EditorState};
use moldloft_base::finding::Severity;
use moldloft_odds::odds::names_odds;
use moldloft_odds::suggest::{Lever, MAX_EFFORT, Request, Sense, Term, TermKind, is_named_by, number_of};
use moldloft_rules::evaluate::{Evaluation, LeverKind};

/// Of a system that is not aboard.
const NEW_WINDOW: (i64, i64) = (0, 6);

pub fn show(ui: &mut Ui, state: &EditorState, doc: &Doc, view: &SuggestView, out: &mut Vec<Command>) {
    let Some(evaluation) = doc.evaluation() else { return };
    heading(ui, "GOALS");
    goal_lines(ui, view, evaluation, out);
    ui.add_space(6.0);
    ready_questions(ui, doc, view, evaluation, out);
    ui.add_space(6.0);
    heading(ui, "FIND THE BEST");
    objective(ui, view, out);
    ui.add_space(6.0);
    heading(ui, "WHAT MAY CHANGE");
    what_may_change(ui, state, view);
    lever_list(ui, view, evaluation, out);
    new_fit(ui, view, evaluation, out);
}

/// Questions that need no more words.
fn ready_questions(ui: &mut Ui, doc: &Doc, view: &SuggestView, evaluation: &Evaluation, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        if evaluation.findings.iter().any(|finding| finding.severity == Severity::Error) {
            ask_button(ui, "Make legal…", "All ways with the fewest changes", Request::Legal, out);
        }
        for (budget, left) in budgets(doc, view) {
            let question = spend_question(doc, &budget, left);
            ask_button(ui, &question, "The most of each thing that this buys", Request::Spend(budget), out);
        }
        if evaluation.points.is_some() {
            let hint = "Fewer points; what is shown large and goals that are reached stay as good. What is ticked may fall, or else supplies \
                        and what others are rounded from";
            ask_button(ui, "The same for less", hint, Request::Cheaper, out);
        }
        let hint = "Where one more or one fewer changes a value";
        ask_button(ui, "Break-points", hint, Request::Breaks(None), out);
    });
}

fn goal_lines(ui: &mut Ui, view: &SuggestView, evaluation: &Evaluation, out: &mut Vec<Command>) {
    let goals = &view.goals.goals;
    if goals.is_empty() {
        muted_text(ui, "None yet. Goals stay with this design; its file does not change.");
    } else {
        goal_grid(ui, view, evaluation, out);
    }
    let add = ui.add_enabled(goals.len() < MAX_GOALS && !view.terms.is_empty(), Button::new(say("+ Goal")));
    if add.clicked() {
        // The first that has none yet, as it is now.
        let free = view.terms.iter().find(|term| goals.iter().all(|goal| goal.what != term.formula));
        if let Some(term) = free.or(view.terms.first()) {
            let is_price = term.formula == "points" || is_limited(evaluation, &term.formula);
            let relation = if is_price { Relation::AtMost } else { Relation::AtLeast };
            let number = number_of(evaluation, &term.formula).unwrap_or(0);
            let goal = GoalLine { what: term.formula.clone(), relation, number, hundredths: 0 };
            ui.data_mut(|data| data.insert_temp(new_goal_id(), goals.len()));
            out.push(Command::Suggest(SuggestCommand::SetGoal { at: goals.len(), goal }));
        }
    }
}

fn goal_grid(ui: &mut Ui, view: &SuggestView, evaluation: &Evaluation, out: &mut Vec<Command>) {
    let goals = &view.goals.goals;
    Grid::new("goals").num_columns(4).spacing([6.0, 4.0]).show(ui, |ui| {
        for (at, goal) in goals.iter().enumerate() {
            let n = at + 1;
            let mut changed = goal.clone();
            if let Some(what) = term_menu(ui, &format!("goal {n}: what"), &goal.what, &view.terms, 170.0) {
                changed.number = number_of(evaluation, &what).unwrap_or(changed.number);
                changed.what = what;
                changed.hundredths = 0;
                // A mean is seldom a whole number.
                if changed.is_about_odds() && changed.relation == Relation::Exactly {
                    changed.relation = Relation::AtLeast;
                }
            }
            let list = ComboBox::from_id_salt(("relation", at)).width(44.0).selected_text(goal.relation.sign());
            let possible = Relation::ALL.into_iter().filter(|one| !goal.is_about_odds() || *one != Relation::Exactly);
            let relations = possible.map(|one| (one, format!("{} {}", one.sign(), one.words())));
            let name = format!("goal {n}: {}", goal.relation.words());
            changed.relation = choice_list(ui, list, &name, goal.relation, relations).unwrap_or(changed.relation);
            let name = format!("goal {n}: number");
            let field = match changed.is_about_odds() {
                true => figure(ui, &name, &mut changed),
                false => number(ui, &name, &mut changed.number, (-MAX_NUMBER, MAX_NUMBER)),
            };
            // What is typed after “+ Goal” is its number.
            if ui.data(|data| data.get_temp(new_goal_id())) == Some(at) {
                ui.data_mut(|data| data.remove::<usize>(new_goal_id()));
                field.request_focus();
                select_when_focused(ui, &field, &changed.number_text());
            }
            let remove = icon_button(ui, Icon::Close, &format!("remove goal {n}"));
            ui.end_row();
            if remove.clicked() {
                out.push(Command::Suggest(SuggestCommand::RemoveGoal(at)));
            } else if changed != *goal {
                out.push(Command::Suggest(SuggestCommand::SetGoal { at, goal: changed }));
            }
        }
    });
}

fn new_goal_id() -> Id {
    Id::unique("new goal")
}

fn is_limited(evaluation: &Evaluation, formula: &str) -> bool {
    evaluation.values.iter().any(|value| *value.id == *formula && value.limit.is_some())
}

fn objective(ui: &mut Ui, view: &SuggestView, out: &mut Vec<Command>) {
    let draft = &view.draft;
    let mut changed = draft.clone();
    ui.horizontal_wrapped(|ui| {
        let words = |sense: Sense| if sense == Sense::Maximise { "the most" } else { "the least" };
        let list = ComboBox::from_id_salt("sense").width(84.0).selected_text(say(words(draft.sense)));
        let senses = [Sense::Maximise, Sense::Minimise].map(|sense| (sense, words(sense)));
        let name = format!("find {}", words(draft.sense));
        changed.sense = choice_list(ui, list, &name, draft.sense, senses).unwrap_or(draft.sense);
        if let Some(what) = term_menu(ui, "of what", &draft.objective, &view.terms, 170.0) {
            changed.objective = what;
        }
        if !draft.objective.is_empty() {
            let clear = icon_button(ui, Icon::Close, "nothing, only the goals");
            if clear.on_hover_text(say("Only reach the goals")).clicked() {
                changed.objective.clear();
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        small_label(ui, "effort");
        let mut effort = draft.effort;
        let field =
            DragValue::new(&mut effort).range(1..=MAX_EFFORT).speed(0.1).suffix(" ×").min_size(vec2(52.0, 24.0));
        let field = with_accessible_name(ui.add(field), "effort, times the usual work");
        field.on_hover_text(say("How many times the usual work is done before the search stops"));
        changed.effort = effort;
        let find = primary_button(ui, "Find");
        ask_if_clicked(ui, &find, Request::Best, out);
    });
    set_draft(draft, changed, out);
}

/// What the ticks mean; of figures of odds also where their target is chosen.
fn what_may_change(ui: &mut Ui, state: &EditorState, view: &SuggestView) {
    let is_odds = names_odds(&view.draft.objective) || view.goals.goals.iter().any(GoalLine::is_about_odds);
    let ticks = match is_odds {
        true => "Tick what may change: every design is tried.",
        false => "Tick what may change, or nothing: then all that it depends on may.",
    };
    muted_text(ui, format!("{ticks} What is pinned stays as it is."));
    if is_odds {
        let against = target_words(state);
        muted_text(ui, format!("Odds are against {against}, as on the page Odds."));
    }
}

fn set_draft(draft: &QuestionDraft, changed: QuestionDraft, out: &mut Vec<Command>) {
    if changed != *draft {
        out.push(Command::Suggest(SuggestCommand::SetDraft(Box::new(changed))));
    }
}

fn number(ui: &mut Ui, name: &str, value: &mut i64, (least, most): (i64, i64)) -> Response {
    let found = TypedNumber::default();
    let now = *value;
    let field = found.whole(value, least..=most).min_size(vec2(52.0, 24.0));
    let response = with_accessible_name(ui.add(field), name);
    if let Some(before) = found.tell(&response, now) {
        *value = before;
    }
    response
}

/// The number of a goal about odds, with two places.
fn figure(ui: &mut Ui, name: &str, goal: &mut GoalLine) -> Response {
    let mut figure = goal.number as f64 + f64::from(goal.hundredths) / 100.0;
    let field = DragValue::new(&mut figure)
        .range(0.0..=MAX_NUMBER as f64)
        .max_decimals(2)
        .speed(0.05)
        .custom_parser(parse_decimal);
    let field = with_accessible_name(ui.add(field.min_size(vec2(52.0, 24.0))), name);
    if field.changed() {
        goal.set_figure(figure);
    }
    field
}

/// Gives the formula of another choice.
fn term_menu(ui: &mut Ui, name: &str, chosen: &str, all: &[Term], width: f32) -> Option<String> {
    let known = all.iter().find(|term| term.formula == chosen);
    let shown = match (known, chosen) {
        (Some(term), _) => term_text(term),
        (None, "") => "choose…".to_owned(),
        (None, chosen) => chosen.to_owned(),
    };
    let mut made = None;
    let salt = Id::unique(("term", name));
    let combo = ComboBox::from_id_salt(salt).width(width).height(360.0).truncate().selected_text(say(shown));
    let combo = combo.show_ui(ui, |ui| {
        let sections = [
            (TermKind::Value, "VALUES"),
            (TermKind::Field, "FIELDS"),
            (TermKind::Count, "NUMBER OF"),
            (TermKind::Odds, "ODDS"),
        ];
        for (kind, title) in sections {
            let mut of_kind = all.iter().filter(|term| term.kind == kind).peekable();
            if of_kind.peek().is_some() {
                heading(ui, title);
            }
            for term in of_kind {
                let button = Button::selectable(term.formula == chosen, say(term_text(term)));
                if ui.add(button.min_size(vec2(0.0, 24.0))).clicked() {
                    made = Some(term.formula.clone());
                }
            }
        }
    });
    with_accessible_name(combo.response, name);
    made
}

fn term_text(term: &Term) -> String {
    match term.kind {
        TermKind::Count => format!("number of {}", term.label),
        TermKind::Value | TermKind::Field | TermKind::Odds => term.label.to_string(),
    }
}

fn lever_list(ui: &mut Ui, view: &SuggestView, evaluation: &Evaluation, out: &mut Vec<Command>) {
    let draft = &view.draft;
    let mut changed = draft.clone();
    let is_aboard = |word: &str| view.levers.iter().any(|lever| *lever.id == *word);
    for (word, window) in &draft.levers {
        if !is_aboard(word) {
            let name = word.replace('@', ", ").replace('-', " ");
            let label = format!("{name} (not aboard)");
            let row = LeverRow { word, label: &label, lever: None, window: Some(*window), pin: None };
            row.show(ui, &mut changed, out);
        }
    }
    for lever in view.levers.iter() {
        let is_pinned = view.goals.pins.iter().any(|pin| is_named_by(&lever.id, pin));
        // A choice by its label, where the design has it as a field.
        let text = evaluation.fields.iter().find(|field| field.id == lever.id).map(|field| field.text.to_string());
        let now = text.filter(|_| lever.kind != LeverKind::Number).unwrap_or_else(|| lever.shown(lever.now));
        let label = format!("{} ({now})", lever.label);
        let window = draft.levers.get(&*lever.id).copied();
        let row = LeverRow { word: &lever.id, label: &label, lever: Some(lever), window, pin: Some(is_pinned) };
        row.show(ui, &mut changed, out);
    }
    set_draft(draft, changed, out);
}

/// A row of the list above.
struct LeverRow<'a> {
    word: &'a str,
    label: &'a str,
    /// `None` for what is not aboard.
    lever: Option<&'a Lever>,
    window: Option<(i64, i64)>,
    /// Whether it is pinned, if it can be.
    pin: Option<bool>,
}

impl LeverRow<'_> {
    fn show(&self, ui: &mut Ui, changed: &mut QuestionDraft, out: &mut Vec<Command>) {
        let Self { word, label, lever, window, pin } = *self;
        let is_pinned = pin == Some(true);
        let mut is_on = window.is_some();
        let size = vec2(ui.available_width(), 24.0);
        ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            if pin.is_some() {
                pin_button(ui, word, label, is_pinned, out);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Truncate);
                let tick = ui.add_enabled(!is_pinned, Checkbox::new(&mut is_on, capitalize(&say(label))));
                let tick = tick.on_hover_text(capitalize(&say(label)));
                with_accessible_name(tick, &format!("vary {label}"));
                if is_on != window.is_some() {
                    let whole = lever.map_or(NEW_WINDOW, |lever| (lever.low, lever.high));
                    match is_on {
                        true => changed.levers.insert(word.to_owned(), whole),
                        false => changed.levers.remove(word),
                    };
                }
            });
        });
        let is_number = lever.is_none_or(|lever| lever.kind == LeverKind::Number);
        if let Some((mut low, mut high)) = window.filter(|_| is_number && is_on && !is_pinned) {
            ui.horizontal(|ui| {
                ui.add_space(28.0);
                small_label(ui, "from");
                number(ui, &format!("{label}: from"), &mut low, (-MAX_NUMBER, high));
                small_label(ui, "to");
                number(ui, &format!("{label}: to"), &mut high, (low, MAX_NUMBER));
            });
            if window != Some((low, high)) {
                changed.levers.insert(word.to_owned(), (low, high));
            }
        }
    }
}

fn pin_button(ui: &mut Ui, word: &str, label: &str, is_pinned: bool, out: &mut Vec<Command>) {
    let colour = if is_pinned { palette(ui).accent } else { palette(ui).muted };
    let text = RichText::new(say(if is_pinned { "pinned" } else { "pin" })).size(SMALL).color(colour);
    let button = Button::new(text).selected(is_pinned).frame_when_inactive(is_pinned).min_size(vec2(52.0, 24.0));
    let verb = if is_pinned { "unpin" } else { "pin" };
    let response = with_accessible_name(ui.add(button), &format!("{verb} {label}"));
    if response.on_hover_text(say("What is pinned is changed by no suggestion")).clicked() {
        out.push(Command::Suggest(SuggestCommand::Pin { lever: word.to_owned(), on: !is_pinned }));
    }
}

/// A system that is not aboard, in a mount that may take it.
fn new_fit(ui: &mut Ui, view: &SuggestView, evaluation: &Evaluation, out: &mut Vec<Command>) {
    let rules = &evaluation.ruleset;
    if rules.mounts.is_empty() {
        return;
    }
    let draft = &view.draft;
    let mut changed = draft.clone();
    let (system, mount) = &draft.added;
    ui.horizontal_wrapped(|ui| {
        small_label(ui, "also");
        let name = rules.systems.iter().find(|known| *known.id == **system).map_or("a system…", |known| &known.name);
        let list =
            ComboBox::from_id_salt("added system").width(140.0).height(360.0).truncate().selected_text(say(name));
        let systems = rules.systems.iter().filter(|known| !known.is_abstract);
        let systems = systems.map(|known| (&*known.id, capitalize(&known.name)));
        if let Some(id) = choice_list(ui, list, "system to add", &**system, systems) {
            changed.added = (id.to_owned(), String::new());
        }
        let can = |id: &str| !system.is_empty() && evaluation.mount_refusal(system, id).is_none();
        let label = rules.mounts.iter().find(|known| *known.id == **mount).map_or("in…", |known| &known.label);
        let list = ComboBox::from_id_salt("added mount").width(110.0).truncate().selected_text(say(label));
        let mounts = rules.mounts.iter().filter(|known| can(&known.id));
        let mounts = mounts.map(|known| (&*known.id, capitalize(&say(&known.label))));
        if let Some(id) = choice_list(ui, list, "mount to add it in", &**mount, mounts) {
            changed.added.1 = id.to_owned();
        }
        let word = format!("{system}@{mount}");
        let is_there =
            view.levers.iter().any(|lever| is_named_by(&lever.id, &word)) || draft.levers.contains_key(&word);
        let can_add = !system.is_empty() && !mount.is_empty() && !is_there;
        let add = ui.add_enabled(can_add, Button::new(say("Add")));
        if with_accessible_name(add, "let the system be added").clicked() {
            changed.levers.insert(word, NEW_WINDOW);
            changed.added = (String::new(), String::new());
        }
    });
    set_draft(draft, changed, out);
}
