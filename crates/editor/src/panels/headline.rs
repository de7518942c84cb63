//! The totals of the design: points, headline values and budgets with what is left, wasted, or gained at the next step.

use egui::{Button, Label, RichText, Ui, vec2};

use crate::theme::{DISPLAY, SMALL, TITLE, bold, palette};
use crate::value_text::format_or;
use crate::widgets::{small_label, text_button, with_accessible_name};
use crate::{Command, Doc, EditorState, InspectorTab};
use moldloft_odds::suggest::{Request, SpendLimit};
use moldloft_rules::evaluate::{AmountRange, CostLine, Evaluation, ExplainTarget, Margin, MarginKind, ValueResult};
use moldloft_rules::formula::Value;
use moldloft_sheet::sheet::format_value;

use crate::panels::about;
use crate::panels::design_view::DesignView;
use crate::suggest::panel::{ask, goal_bar};

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
        number_row(ui, ship.evaluation, &numbers, out);
        if goal_bar::has_goals(&state.suggestions, ship.doc) {
            goal_bar::show(ui, state, ship.doc, out);
        }
    } else {
        let previews = state.inspector_tab == InspectorTab::Suggest;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(22.0, 4.0);
            for number in &numbers {
                number_block(ui, ship.evaluation, number, previews, out);
            }
        });
        goal_bar::show(ui, state, ship.doc, out);
    }
    ui.add_space(2.0);
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
            target: ExplainTarget::Costs,
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
const ROW_GAP: f32 = 14.0;

/// As many as one row has room for, what is over its limit first; the others, and all that is said of them, in a menu.
fn number_row(ui: &mut Ui, evaluation: &Evaluation, numbers: &[HeadlineNumber], out: &mut Vec<Command>) {
    let palette = palette(ui);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let padding = ui.spacing().button_padding;
        let text_width = |text: &str, size: f32, is_bold: bool| {
            let family = if is_bold { bold() } else { egui::FontFamily::Proportional };
            ui.painter().layout_no_wrap(text.to_owned(), egui::FontId::new(size, family), palette.muted).size().x
        };
        let over = |number: &HeadlineNumber| {
            number.below.iter().find(|below| below.is_over).map_or_else(String::new, |below| below.text.clone())
        };
        let width = |number: &HeadlineNumber| {
            let large = number.then.as_ref().unwrap_or(&number.shown);
            let label = text_width(&number.label.to_uppercase(), SMALL, false);
            label + text_width(large, TITLE, true) + text_width(&over(number), SMALL, false) + ROW_GAP + 15.0
        };
        let mut room = ui.available_width() - MORE_WIDTH;
        let mut fits = vec![false; numbers.len()];
        let order = (0..numbers.len()).filter(|n| *n == 0 || numbers[*n].is_over());
        let order: Vec<usize> = order.chain((1..numbers.len()).filter(|n| !numbers[*n].is_over())).collect();
        for n in order {
            room -= width(&numbers[n]);
            if room < 0.0 {
                break;
            }
            fits[n] = true;
        }
        for (number, _) in numbers.iter().zip(&fits).filter(|(_, fits)| **fits) {
            about::with_meaning(small_label(ui, number.label.to_uppercase()), evaluation, &number.label);
            number_button(ui, evaluation, number, TITLE, out);
            if number.is_over() {
                ui.add(Label::new(RichText::new(over(number)).size(SMALL).color(palette.error)).extend());
            }
            ui.add_space(ROW_GAP - 5.0);
        }
        ui.spacing_mut().button_padding = padding;
        let left = fits.iter().filter(|fits| !**fits).count();
        let words = if left == 0 { "More".to_owned() } else { format!("{left} more") };
        let menu = ui.menu_button(words, |ui| {
            ui.set_max_width(420.0);
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(22.0, 4.0);
                for number in numbers {
                    number_block(ui, evaluation, number, false, out);
                }
            });
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
    let next = next.map(|(at, then)| format!("{} at {at}{of}", format_value(then)));
    let both: Vec<String> = same.into_iter().chain(next).collect();
    (!both.is_empty()).then(|| both.join(" · "))
}

fn number_block(ui: &mut Ui, evaluation: &Evaluation, number: &HeadlineNumber, previews: bool, out: &mut Vec<Command>) {
    let palette = palette(ui);
    let HeadlineNumber { label, shown, then, below, .. } = number;
    let small_font = egui::FontId::proportional(SMALL);
    let wide = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), small_font.clone(), palette.muted).size().x;
    let width = below.iter().map(|below| wide(&below.text)).fold(wide(&label.to_uppercase()), f32::max);
    if width > ui.available_size_before_wrap().x {
        ui.end_row();
    }
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 0.0);
        ui.spacing_mut().interact_size.y = 17.0;
        about::with_meaning(small_label(ui, label.to_uppercase()), evaluation, label);
        // The block keeps its width while something is previewed.
        ui.set_min_width(width);
        number_button(ui, evaluation, number, DISPLAY, out);
        if then.is_some() {
            small_label(ui, format!("now {shown}"));
        } else if previews && below.is_empty() {
            // Room for it, so that the form does not move under the pointer.
            small_label(ui, "");
        }
        for below in below.iter().skip(usize::from(then.is_some())) {
            let colour = if below.is_over { palette.error } else { palette.muted };
            let text = RichText::new(&below.text).size(SMALL).color(colour);
            match &below.question {
                Some((request, question)) => {
                    let hint = format!("{}\nClick: {question}", below.hint);
                    let name = format!("{}: {question}", below.text);
                    ask::ask_link(ui, text, &name, &hint, request.clone(), out);
                }
                None => {
                    ui.add(Label::new(text).extend()).on_hover_text(&below.hint);
                }
            }
        }
    });
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
    let size = if large.chars().count() > 14 { TITLE.min(size) } else { size };
    let text = RichText::new(large).size(size).family(bold()).color(colour);
    ui.spacing_mut().button_padding = vec2(0.0, 0.0);
    let button = text_button(ui, Button::new(text).min_size(vec2(24.0, if size > TITLE { 28.0 } else { 24.0 })));
    let button = with_accessible_name(button, &number.accessible_name());
    let hover = |ui: &mut Ui| {
        about::show_number(ui, evaluation, &number.target);
        for below in number.below.iter().filter(|_| size <= TITLE) {
            ui.label(&below.text);
        }
    };
    if button.on_hover_ui(hover).clicked() {
        out.push(Command::Explain(number.target.clone()));
    }
}
