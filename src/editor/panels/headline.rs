//! The totals of the design: points, headline values and budgets with what is left, wasted, or gained at the next step.

use egui::{Button, Label, RichText, Ui, vec2};

use crate::editor::theme::{DISPLAY, SMALL, TITLE, bold, palette};
use crate::editor::value_text::format_or;
use crate::editor::widgets::{small_label, text_button, with_accessible_name};
use crate::editor::{Command, Doc, EditorState, InspectorTab};
use crate::evaluate::{AmountRange, CostLine, Evaluation, ExplainTarget, Margin, MarginKind, ValueResult};
use crate::formula::Value;
use crate::sheet::format_value;
use crate::suggest::{Request, SpendLimit};

use super::about;
use super::design_view::DesignView;
use super::suggest::{ask, goal_bar};

struct SubLine {
    text: String,
    hint: String,
    is_over: bool,
    /// What a click asks, and its name.
    question: Option<(Request, String)>,
}

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(ship) = DesignView::new(state) else { return };
    let values = &ship.evaluation.values;
    let previewed = state.previewed().map(|previewed| &previewed.proposal.after);
    let after = |id: &str| previewed?.values.iter().find(|value| *value.id == *id).map(|value| &value.value);
    let previews = state.inspector_tab == InspectorTab::Suggest;
    let is_shown = |value: &&ValueResult| value.headline || value.limit.is_some();
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(22.0, 4.0);
        if let Some(points) = ship.evaluation.points
            && !values.iter().any(|value| *value.id == *"points")
        {
            let below: Vec<SubLine> = cost_reductions(&ship.evaluation.costs).collect();
            let then = previewed.and_then(|after| after.points).filter(|then| *then != points);
            let shown = (points.to_string(), then.map(|then| then.to_string()));
            number_block(ui, ship.evaluation, "points", &shown, ExplainTarget::Costs, (&below, previews), out);
        }
        // Points first, then in the ruleset's order.
        let (first, rest): (Vec<_>, Vec<_>) = values.iter().filter(is_shown).partition(|value| *value.id == *"points");
        for value in first.into_iter().chain(rest) {
            let is_there = |id: &str| values.iter().filter(is_shown).any(|other| *other.id == *id);
            let margins = ship.doc.margins().iter();
            let below: Vec<SubLine> =
                margins.filter_map(|margin| margin_line(ship.doc, margin, &value.id, is_there)).collect();
            let mut below = below;
            if *value.id == *"points" {
                below.extend(cost_reductions(&ship.evaluation.costs));
            }
            let then = after(&value.id).filter(|then| **then != value.value);
            let shown = (format_or(&value.value, "?"), then.map(|then| format_or(then, "?")));
            let target = ExplainTarget::Value(value.id.clone());
            number_block(ui, ship.evaluation, &value.label, &shown, target, (&below, previews), out);
        }
    });
    goal_bar::show(ui, state, ship.doc, out);
    ui.add_space(2.0);
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

fn number_block(
    ui: &mut Ui,
    evaluation: &Evaluation,
    label: &str,
    (shown, then): &(String, Option<String>),
    target: ExplainTarget,
    (below, previews): (&[SubLine], bool),
    out: &mut Vec<Command>,
) {
    let palette = palette(ui);
    let over = below.iter().any(|below| below.is_over);
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
        let colour = match (then, over) {
            (Some(_), _) => palette.accent,
            (None, true) => palette.error,
            (None, false) => ui.visuals().text_color(),
        };
        let large = then.as_ref().unwrap_or(shown);
        let size = if large.chars().count() > 14 { TITLE } else { DISPLAY };
        let number = RichText::new(large).size(size).family(bold()).color(colour);
        ui.spacing_mut().button_padding = vec2(0.0, 0.0);
        let button = text_button(ui, Button::new(number).min_size(vec2(24.0, 28.0)));
        let words: Vec<&str> = below.iter().map(|below| &*below.text).collect();
        let accessible = match then {
            Some(then) => format!("{label}: {then} in the preview, {shown} now"),
            None => format!("{label}: {shown}{}{}", if words.is_empty() { "" } else { ", " }, words.join(", ")),
        };
        let button = with_accessible_name(button, &accessible);
        if button.on_hover_ui(|ui| about::show_number(ui, evaluation, &target)).clicked() {
            out.push(Command::Explain(target));
        }
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
