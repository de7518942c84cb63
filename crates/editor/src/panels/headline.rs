//! The totals of the design: points, headline values and budgets with what is left, wasted, or gained at the next step.

use egui::{Button, FontId, Label, Rect, RichText, Sense, Ui, UiBuilder, Vec2, vec2};

use crate::language::{say, tell};
use crate::odds_page::panel::fight_bar;
use crate::panels::about;
use crate::panels::design_view::DesignView;
use crate::suggest::panel::{ask, goal_bar};
use crate::theme::{DISPLAY, SMALL, TITLE, bold, palette};
use crate::value_text::format_or;
use crate::widgets::{MIN_TARGET_SIZE, cut_text, sized_cell, small_label, text_button, with_accessible_name};
use crate::{Command, Doc, EditorState};
use moldloft_odds::suggest::{Request, SpendLimit};
use moldloft_rules::evaluate::{AmountRange, CostLine, Evaluation, ExplainTarget, Margin, MarginKind, ValueResult};
use moldloft_rules::formula::Value;
use moldloft_sheet::sheet::format_value;

struct SubLine {
    text: String,
    hint: String,
    is_over: bool,
    /// What a click asks, and its name.
    question: Option<(Request, String)>,
}

/// A number of the headline with what is said of it.
struct HeadlineNumber {
    label: String,
    shown: String,
    /// In the preview of a suggestion.
    then: Option<String>,
    target: ExplainTarget,
    below: Vec<SubLine>,
}

impl HeadlineNumber {
    fn is_over(&self) -> bool {
        self.below.iter().any(|below| below.is_over)
    }

    fn accessible_name(&self) -> String {
        let words: Vec<&str> = self.below.iter().map(|below| &*below.text).collect();
        match (&self.then, words.is_empty()) {
            (Some(then), _) => format!("{}: {then} in the preview, {} now", self.label, self.shown),
            (None, true) => format!("{}: {}", self.label, self.shown),
            (None, false) => format!("{}: {}, {}", self.label, self.shown, words.join(", ")),
        }
    }
}

/// `is_low`: one row, since the window is low.
pub fn show(ui: &mut Ui, state: &EditorState, is_low: bool, out: &mut Vec<Command>) {
    let Some(ship) = DesignView::new(state) else { return };
    let numbers = numbers(state, &ship);
    ui.add_space(2.0);
    if is_low {
        number_row(ui, state, &ship, &numbers, out);
    } else {
        blocks(ui, state, &ship, &numbers, out);
    }
    ui.add_space(2.0);
}

/// All numbers, and below them the goals and the fight.
fn blocks(ui: &mut Ui, state: &EditorState, ship: &DesignView<'_>, numbers: &[HeadlineNumber], out: &mut Vec<Command>) {
    number_grid(ui, numbers.len(), |ui, n| number_block(ui, ship.evaluation, &numbers[n], out));
    let room = ui.available_width();
    let fight = fight_bar::width(ship.doc, room);
    ui.horizontal(|ui| {
        let gap = ui.spacing().item_spacing.x;
        goal_bar::show(ui, state, ship.doc, room - fight.map_or(0.0, |width| width + gap), out);
        if let Some(width) = fight {
            ui.allocate_ui(vec2(width, goal_bar::HEIGHT), |ui| fight_bar::show(ui, state, ship.doc, out));
        }
    });
}

/// In points: a label, a number and two lines below it.
const CELL: Vec2 = vec2(124.0, 82.0);

/// Cells of one size, as many in a row as there is room for: none moves when a number, or what is said of it, is longer.
pub fn number_grid(ui: &mut Ui, count: usize, mut add: impl FnMut(&mut Ui, usize)) {
    let columns = ((ui.available_width() / CELL.x) as usize).clamp(1, count.max(1));
    let width = (ui.available_width() / columns as f32).floor().min(2.0 * CELL.x);
    let (room, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), CELL.y * count.div_ceil(columns) as f32), Sense::hover());
    for n in 0..count {
        let place = vec2((n % columns) as f32 * width, (n / columns) as f32 * CELL.y);
        let cell = Rect::from_min_size(room.min + place, vec2(width - 10.0, CELL.y));
        ui.scope_builder(UiBuilder::new().max_rect(cell).id_salt(("number", n)), |ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 0.0);
            ui.spacing_mut().interact_size.y = 15.0;
            add(ui, n);
        });
    }
    // Not after the last cell, which may be lower than its row.
    ui.advance_cursor_after_rect(room);
}

/// Points first, then in the ruleset's order.
fn numbers(state: &EditorState, ship: &DesignView<'_>) -> Vec<HeadlineNumber> {
    let values = &ship.evaluation.values;
    let previewed = state.previewed().map(|previewed| &previewed.proposal.after);
    let after = |id: &str| previewed?.values.iter().find(|value| *value.id == *id).map(|value| &value.value);
    let is_shown = |value: &&ValueResult| value.headline || value.limit.is_some();
    let mut numbers = Vec::new();
    if let Some(points) = ship.evaluation.points
        && !values.iter().any(|value| *value.id == *"points")
    {
        let then = previewed.and_then(|after| after.points).filter(|then| *then != points);
        numbers.push(HeadlineNumber {
            label: "points".to_owned(),
            shown: points.to_string(),
            then: then.map(|then| then.to_string()),
            target: match ship.evaluation.fields.iter().find(|field| *field.id == *"points") {
                Some(field) => ExplainTarget::Field(field.id.clone()),
                None => ExplainTarget::Costs,
            },
            below: cost_reductions(&ship.evaluation.costs).collect(),
        });
    }
    let (first, rest): (Vec<_>, Vec<_>) = values.iter().filter(is_shown).partition(|value| *value.id == *"points");
    numbers.extend(first.into_iter().chain(rest).map(|value| {
        let is_there = |id: &str| values.iter().filter(is_shown).any(|other| *other.id == *id);
        let margins = ship.doc.margins().iter();
        let mut below: Vec<SubLine> =
            margins.filter_map(|margin| margin_line(ship.doc, margin, &value.id, is_there)).collect();
        if *value.id == *"points" {
            below.extend(cost_reductions(&ship.evaluation.costs));
        }
        let then = after(&value.id).filter(|then| **then != value.value);
        HeadlineNumber {
            label: value.label.to_string(),
            shown: format_or(&value.value, "?"),
            then: then.map(|then| format_or(then, "?")),
            target: ExplainTarget::Value(value.id.clone()),
            below,
        }
    }));
    numbers
}

/// In points.
const MORE_WIDTH: f32 = 64.0;
const LOW_CELL: f32 = 132.0;

/// The first that one row has room for; all, and what is said of them, in a menu.
fn number_row(
    ui: &mut Ui,
    state: &EditorState,
    ship: &DesignView<'_>,
    numbers: &[HeadlineNumber],
    out: &mut Vec<Command>,
) {
    let shown = (((ui.available_width() - MORE_WIDTH) / LOW_CELL) as usize).clamp(1, numbers.len().max(1));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        for number in numbers.iter().take(shown) {
            sized_cell(ui, LOW_CELL - 5.0, MIN_TARGET_SIZE, |ui| {
                number_label(ui, ship.evaluation, number);
                number_button(ui, ship.evaluation, number, TITLE, out);
            });
        }
        let is_over = numbers.iter().skip(shown).any(HeadlineNumber::is_over);
        let words =
            RichText::new(say("More")).color(if is_over { palette(ui).error } else { ui.visuals().text_color() });
        let menu = ui.menu_button(words, |ui| {
            ui.set_width(420.0);
            blocks(ui, state, ship, numbers, out);
        });
        with_accessible_name(menu.response, "All numbers of the headline");
    });
}

/// Waste is shown below the wasted value if that is shown.
fn margin_line(doc: &Doc, margin: &Margin, value: &str, is_there: impl Fn(&str) -> bool) -> Option<SubLine> {
    let left = margin.remaining();
    let breaks = || {
        let request = Request::Breaks(Some(margin.value.to_string()));
        (request, format!("Break-points of {}: one more or fewer of each number", margin.label))
    };
    let question = match &margin.kind {
        MarginKind::Budget { limit, .. } if left > 0 => {
            let budget = SpendLimit { value: margin.value.to_string(), most: *limit };
            let question = ask::spend_question(doc, &budget, left);
            Some((Request::Spend(budget), question))
        }
        MarginKind::Budget { .. } => None,
        MarginKind::Slack(_) | MarginKind::Headroom(_) => Some(breaks()),
    };
    let (words, over) = match &margin.kind {
        MarginKind::Budget { .. } if *margin.value != *value => return None,
        MarginKind::Budget { limit, .. } if left < 0 => (format!("! {} over {limit}", left.unsigned_abs()), true),
        MarginKind::Budget { limit, .. } => (format!("of {limit} · {}", margin.remaining_text("")), false),
        MarginKind::Slack(steps) | MarginKind::Headroom(steps) => {
            let is_here = if is_there(&steps.value) { *steps.value == *value } else { *margin.value == *value };
            if !is_here || !is_there(&margin.value) {
                return None;
            }
            let of = if *steps.value == *value { String::new() } else { format!(" {}", steps.label) };
            let mut same = margin.remaining_text(&of);
            if let (MarginKind::Slack(_), Some(end)) =
                (&margin.kind, margin.same_result_text(&format_value(&margin.result)))
            {
                same = format!("{same}: {end}");
            }
            (join_margin_parts((left > 0).then_some(same), steps, &of)?, false)
        }
    };
    Some(SubLine { text: words, hint: margin.sentence(), is_over: over, question })
}

/// Without these lines the costs of the form do not add up to the points.
fn cost_reductions(costs: &[CostLine]) -> impl Iterator<Item = SubLine> {
    costs.iter().filter(|line| line.total < 0).map(|line| SubLine {
        text: format!("−{}: {}", line.total.unsigned_abs(), line.label),
        hint: "subtracted from the cost of the systems".to_owned(),
        is_over: false,
        question: None,
    })
}

fn join_margin_parts(same: Option<String>, steps: &AmountRange, of: &str) -> Option<String> {
    let next = steps.next.as_ref().filter(|(_, then)| !matches!(then, Value::Null));
    let of = if same.is_some() { "" } else { of };
    let next = next.map(|(at, then)| tell("{1} at {2}{3}", &[&format_value(then), &at.to_string(), &say(of)]));
    let both: Vec<String> = same.into_iter().chain(next).collect();
    (!both.is_empty()).then(|| both.join(" · "))
}

fn number_label(ui: &mut Ui, evaluation: &Evaluation, number: &HeadlineNumber) {
    let text = RichText::new(say(&number.label).to_uppercase()).size(SMALL).color(palette(ui).muted);
    about::with_meaning(ui.add(Label::new(text).truncate()), evaluation, &number.label);
}

fn number_block(ui: &mut Ui, evaluation: &Evaluation, number: &HeadlineNumber, out: &mut Vec<Command>) {
    number_label(ui, evaluation, number);
    ui.scope(|ui| number_button(ui, evaluation, number, DISPLAY, out));
    let mut below: Vec<&SubLine> = number.below.iter().collect();
    below.sort_by_key(|below| !below.is_over);
    if number.then.is_some() {
        small_label(ui, format!("now {}", number.shown));
        below.truncate(1);
    }
    match *below {
        [] => {}
        [one] if number.then.is_none() => sub_line(ui, one, 2, out),
        [one] => sub_line(ui, one, 1, out),
        [first, second] => [first, second].into_iter().for_each(|line| sub_line(ui, line, 1, out)),
        [first, ref rest @ ..] => {
            sub_line(ui, first, 1, out);
            let text = rest.iter().map(|line| &*line.text).collect::<Vec<_>>().join(" · ");
            let hint = rest.iter().map(|line| format!("{}: {}", line.text, line.hint)).collect::<Vec<_>>().join("\n");
            sub_line(ui, &SubLine { text, hint, is_over: false, question: None }, 1, out);
        }
    }
}

fn sub_line(ui: &mut Ui, line: &SubLine, rows: usize, out: &mut Vec<Command>) {
    let colour = if line.is_over { palette(ui).error } else { palette(ui).muted };
    let galley = cut_text(ui, &line.text, FontId::proportional(SMALL), colour, rows);
    match &line.question {
        Some((request, question)) => {
            let hint = format!("{}\n{}\nClick: {question}", line.text, line.hint);
            ask::ask_link(ui, galley, &format!("{}: {question}", line.text), &hint, request.clone(), out);
        }
        None => _ = ui.add(Label::new(galley)).on_hover_text(say(format!("{}\n{}", line.text, line.hint))),
    }
}

/// The number alone; a click explains it.
fn number_button(ui: &mut Ui, evaluation: &Evaluation, number: &HeadlineNumber, size: f32, out: &mut Vec<Command>) {
    let palette = palette(ui);
    let colour = match (&number.then, number.is_over()) {
        (Some(_), _) => palette.accent,
        (None, true) => palette.error,
        (None, false) => ui.visuals().text_color(),
    };
    let large = number.then.as_ref().unwrap_or(&number.shown);
    let height = if size > TITLE { 28.0 } else { 24.0 };
    // Words such as `heavy cruiser` have no room otherwise.
    let size = if large.chars().count() > 9 { TITLE.min(size) } else { size };
    let text = RichText::new(large).size(size).family(bold()).color(colour);
    ui.spacing_mut().button_padding = vec2(0.0, 0.0);
    let button = text_button(ui, Button::new(text).truncate().min_size(vec2(24.0, height)));
    let button = with_accessible_name(button, &number.accessible_name());
    let hover = |ui: &mut Ui| {
        about::show_number(ui, evaluation, &number.target);
        for below in number.below.iter().filter(|_| size <= TITLE) {
            ui.label(say(&below.text));
        }
    };
    out.extend(button.on_hover_ui(hover).clicked().then(|| Command::Explain(number.target.clone())));
}
