//! Where a number comes from: formula, numbers, result, rule and provenance, down to the leaves. Names link to their
//! explanations; without a query, lists everything that can be explained.

use egui::{Button, Grid, Label, RichText, Sense, Shape, Stroke, Ui, vec2};

use crate::inspector::model::{InspectorCommand, InspectorView};
use crate::language::say;
use crate::panels::about;
use crate::theme::{SMALL, bold, palette};
use crate::value_text::format_or;
use crate::widgets::{capitalize, heading, muted_label, text_button, with_accessible_name};
use crate::{Command, EditorState};
use moldloft_rules::evaluate::{Evaluation, ExplainTarget, Explanation, Provenance};

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let Some(evaluation) = doc.shown_ship() else {
        muted_label(ui, "Nothing to explain: the design cannot be checked; see its findings.");
        return;
    };
    let Some(view) = state.inspector_views.view(doc.id) else { return };
    toolbar(ui, view, evaluation, out);
    match &view.query {
        None => query_list(ui, evaluation, out),
        Some(ExplainTarget::Costs) => cost_list(ui, evaluation, out),
        Some(_) if view.explanation.is_empty() => {
            muted_label(ui, "This no longer exists in the design.");
        }
        Some(target) => {
            about::show_terms_of(ui, evaluation, target);
            explanation_tree(ui, view, out);
        }
    }
}

fn toolbar(ui: &mut Ui, view: &InspectorView, evaluation: &Evaluation, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        if ui.add_enabled(view.has_back(), Button::new(say("Back"))).clicked() {
            out.push(Command::Inspector(InspectorCommand::Back));
        }
        if ui.add_enabled(view.has_forward(), Button::new(say("Forward"))).clicked() {
            out.push(Command::Inspector(InspectorCommand::Forward));
        }
        if ui.add(Button::selectable(view.query.is_none(), say("All values"))).clicked() {
            out.push(Command::Inspector(InspectorCommand::ListAll));
        }
        if ui.add(Button::selectable(view.query == Some(ExplainTarget::Costs), say("Cost"))).clicked() {
            out.push(Command::Explain(ExplainTarget::Costs));
        }
        if view.query.is_some() && ui.button(say("Copy")).on_hover_text(say("Copy as text")).clicked() {
            ui.ctx().copy_text(match &view.query {
                Some(ExplainTarget::Costs) => cost_text(evaluation),
                _ => explanation_text(&view.explanation),
            });
        }
    });
}

fn query_link(ui: &mut Ui, name: &str, target: ExplainTarget, out: &mut Vec<Command>) {
    let text = RichText::new(say(name)).color(palette(ui).accent);
    let button = Button::new(text).frame(false).wrap_mode(egui::TextWrapMode::Extend);
    let button = ui.add(button.min_size(vec2(0.0, 24.0)));
    out.extend(with_accessible_name(button, &format!("Explain {name}")).clicked().then(|| Command::Explain(target)));
}

fn query_list(ui: &mut Ui, evaluation: &Evaluation, out: &mut Vec<Command>) {
    heading(ui, "VALUES");
    Grid::new("values").num_columns(2).min_row_height(24.0).show(ui, |ui| {
        for value in &evaluation.values {
            query_link(ui, &value.label, ExplainTarget::Value(value.id.clone()), out);
            let limit = value.limit.map_or_else(String::new, |limit| format!(" of {limit}"));
            ui.label(say(format!("{}{limit}", format_or(&value.value, "unknown"))));
            ui.end_row();
        }
    });
    let fields = || evaluation.fields.iter().filter(|field| field.applies);
    if fields().next().is_some() {
        ui.add_space(6.0);
        heading(ui, "SET BY THE DESIGN");
        Grid::new("fields").num_columns(2).min_row_height(24.0).show(ui, |ui| {
            for field in fields() {
                query_link(ui, &field.label, ExplainTarget::Field(field.id.clone()), out);
                ui.label(say(if field.text.is_empty() { "not set" } else { &*field.text }));
                ui.end_row();
            }
        });
    }
}

fn cost_list(ui: &mut Ui, evaluation: &Evaluation, out: &mut Vec<Command>) {
    if evaluation.costs.is_empty() {
        muted_label(ui, "Nothing costs anything yet.");
        return;
    }
    Grid::new("costs").num_columns(3).min_row_height(24.0).show(ui, |ui| {
        for (n, line) in evaluation.costs.iter().enumerate() {
            query_link(ui, &line.label, ExplainTarget::Cost(n), out);
            ui.label(say(format!("{} × {} =", line.count, line.each)));
            let house = if line.house { " (house rule)" } else { "" };
            ui.label(say(format!("{}{house}", line.total)));
            ui.end_row();
        }
        ui.label(RichText::new(say("total")).family(bold()));
        ui.label("");
        let all = evaluation.points.map_or_else(|| "unknown".to_owned(), |points| points.to_string());
        ui.label(RichText::new(say(all)).family(bold()));
        ui.end_row();
    });
}

fn explanation_tree(ui: &mut Ui, view: &InspectorView, out: &mut Vec<Command>) {
    let lines = &view.explanation;
    let mut hidden_below: Option<u32> = None;
    for (n, line) in lines.iter().enumerate() {
        if hidden_below.is_some_and(|depth| line.depth > depth) {
            continue;
        }
        hidden_below = None;
        let branch = view.branches.get(n).and_then(Option::as_ref);
        let is_folded = branch.is_some_and(|branch| view.collapsed.contains(branch));
        if is_folded {
            hidden_below = Some(line.depth);
        }
        ui.horizontal_top(|ui| {
            // Deep lines keep room for text.
            ui.add_space(14.0 * line.depth.min(8) as f32);
            match branch {
                Some(branch) if fold_button(ui, &line.name, is_folded).clicked() => {
                    out.push(Command::Inspector(InspectorCommand::ToggleBranch(branch.clone())));
                }
                Some(_) => {}
                None => {
                    ui.allocate_exact_size(vec2(24.0, 24.0), Sense::hover());
                }
            }
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                ui.horizontal_wrapped(|ui| {
                    match &line.target {
                        Some(target) if n > 0 => query_link(ui, &line.name, target.clone(), out),
                        _ => {
                            ui.label(RichText::new(say(&*line.name)).family(bold()));
                        }
                    }
                    ui.label(RichText::new(say(format!("= {}", line.result))).family(bold()));
                });
                let formula = RichText::new(formula_steps(line).join(" = ")).size(SMALL);
                if line.sentence.is_empty() {
                    for part in formula_steps(line) {
                        ui.add(Label::new(format!("= {part}")).wrap());
                    }
                } else {
                    ui.add(Label::new(capitalize(&say(&line.sentence))).wrap());
                    ui.add(Label::new(formula.color(palette(ui).muted)).wrap());
                }
                let source = source_text(line);
                if !source.is_empty() {
                    let colour = match line.provenance {
                        Provenance::Assumed | Provenance::House => palette(ui).warning,
                        _ => palette(ui).muted,
                    };
                    ui.add(Label::new(RichText::new(source).color(colour)).wrap());
                }
            });
        });
    }
}

/// The formula and the formula with numbers, without repetitions.
fn formula_steps(line: &Explanation) -> Vec<&str> {
    let mut steps: Vec<&str> = Vec::new();
    for part in [&*line.formula, &*line.numbers] {
        if !part.is_empty() && *part != *line.result && steps.last() != Some(&part) {
            steps.push(part);
        }
    }
    steps
}

fn source_text(line: &Explanation) -> String {
    let mark = match line.provenance {
        Provenance::Published => "",
        Provenance::Derived => "derived",
        Provenance::Assumed => "assumed",
        Provenance::House => "house rule",
    };
    let (mark, note) = (say(mark), say(line.note.as_deref().unwrap_or_default()));
    let why = match (&*mark, &*note) {
        ("", note) => note.to_owned(),
        (mark, "") => mark.to_owned(),
        (mark, note) => format!("{mark}: {note}"),
    };
    let rule = if line.rule.is_empty() { String::new() } else { format!("{}: {}", say("rule"), line.rule) };
    [rule, why].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ")
}

fn fold_button(ui: &mut Ui, name: &str, is_folded: bool) -> egui::Response {
    let response = text_button(ui, Button::new("").min_size(vec2(24.0, 24.0)));
    let colour = ui.visuals().text_color();
    let points = if is_folded {
        [vec2(-3.0, -5.0), vec2(5.0, 0.0), vec2(-3.0, 5.0)]
    } else {
        [vec2(-5.0, -3.0), vec2(5.0, -3.0), vec2(0.0, 5.0)]
    };
    let middle = response.rect.center();
    ui.painter().add(Shape::convex_polygon(points.map(|by| middle + by).to_vec(), colour, Stroke::NONE));
    let what = if is_folded { "Expand" } else { "Collapse" };
    with_accessible_name(response, &format!("{what} {name}"))
}

fn explanation_text(lines: &[Explanation]) -> String {
    let mut text = String::new();
    for line in lines {
        let indent = "  ".repeat(line.depth.min(20) as usize);
        let parts: String = formula_steps(line).iter().map(|part| format!(" = {part}")).collect();
        if line.sentence.is_empty() {
            text.push_str(&format!("{indent}{}{parts} = {}\n", line.name, line.result));
        } else {
            text.push_str(&format!("{indent}{}: {}\n{indent}   {parts} = {}\n", line.name, line.sentence, line.result));
        }
        let source = source_text(line);
        if !source.is_empty() {
            text.push_str(&format!("{indent}    {source}\n"));
        }
    }
    text
}

fn cost_text(evaluation: &Evaluation) -> String {
    let lines = evaluation
        .costs
        .iter()
        .map(|line| format!("{}: {} × {} = {}\n", line.label, line.count, line.each, line.total));
    let all = evaluation.points.map_or_else(String::new, |points| format!("total: {points}\n"));
    lines.chain([all]).collect()
}
