//! Where a number comes from: its formula, the numbers put in, the result, the rule and who stands for it, down to the leaves. A click on a name
//! goes on to it; without anything chosen, all that can be asked for is listed.

use egui::{Button, Grid, Label, RichText, Sense, Shape, Stroke, Ui, vec2};

use crate::editor::inspect::{Inspecting, Look, branch};
use crate::editor::theme::{bold, palette};
use crate::editor::widgets::{heading, named, quiet};
use crate::editor::{Command, State};
use crate::evaluate::{Asked, Evaluation, Explained, Provenance};
use crate::formula::Value;
use crate::sheet::shown;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(doc) = state.doc() else { return };
    let Some(evaluation) = doc.ship() else {
        quiet(ui, "Nothing to explain: the design cannot be checked; see its findings.");
        return;
    };
    let Some(look) = state.inspect.look(doc.id) else { return };
    tools(ui, look, evaluation, out);
    match &look.asked {
        None => list(ui, evaluation, out),
        Some(Asked::Costs) => costs(ui, evaluation, out),
        Some(_) if look.explained.is_empty() => {
            quiet(ui, "This no longer exists in the design.");
        }
        Some(_) => tree(ui, look, out),
    }
}

fn tools(ui: &mut Ui, look: &Look, evaluation: &Evaluation, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        if ui.add_enabled(look.has_back(), Button::new("Back")).clicked() {
            out.push(Command::Inspecting(Inspecting::Back));
        }
        if ui.add_enabled(look.has_forward(), Button::new("Forward")).clicked() {
            out.push(Command::Inspecting(Inspecting::Forward));
        }
        if ui.add(Button::selectable(look.asked.is_none(), "All values")).clicked() {
            out.push(Command::Inspecting(Inspecting::List));
        }
        if ui.add(Button::selectable(look.asked == Some(Asked::Costs), "Cost")).clicked() {
            out.push(Command::Explain(Asked::Costs));
        }
        if look.asked.is_some() && ui.button("Copy").on_hover_text("Copy as text").clicked() {
            ui.ctx().copy_text(match &look.asked {
                Some(Asked::Costs) => cost_text(evaluation),
                _ => text(&look.explained),
            });
        }
    });
}

/// A name that goes on to its explanation.
fn ask(ui: &mut Ui, name: &str, asked: Asked, out: &mut Vec<Command>) {
    let text = RichText::new(name).color(palette(ui).accent);
    let button = Button::new(text).frame(false).wrap_mode(egui::TextWrapMode::Extend);
    let button = ui.add(button.min_size(vec2(0.0, 24.0)));
    if named(button, &format!("Explain {name}")).clicked() {
        out.push(Command::Explain(asked));
    }
}

fn list(ui: &mut Ui, evaluation: &Evaluation, out: &mut Vec<Command>) {
    heading(ui, "VALUES");
    Grid::new("values").num_columns(2).striped(true).min_row_height(24.0).show(ui, |ui| {
        for value in &evaluation.values {
            ask(ui, &value.label, Asked::Value(value.id.clone()), out);
            let limit = value.limit.map_or_else(String::new, |limit| format!(" of {limit}"));
            ui.label(format!("{}{limit}", number(&value.value)));
            ui.end_row();
        }
    });
    let fields = || evaluation.fields.iter().filter(|field| field.applies);
    if fields().next().is_some() {
        ui.add_space(6.0);
        heading(ui, "SET BY THE DESIGN");
        Grid::new("fields").num_columns(2).striped(true).min_row_height(24.0).show(ui, |ui| {
            for field in fields() {
                ask(ui, &field.label, Asked::Field(field.id.clone()), out);
                ui.label(if field.shown.is_empty() { "not set" } else { &*field.shown });
                ui.end_row();
            }
        });
    }
}

fn number(value: &Value) -> String {
    if value.is_null() { "unknown".to_owned() } else { shown(value).to_string() }
}

fn costs(ui: &mut Ui, evaluation: &Evaluation, out: &mut Vec<Command>) {
    if evaluation.costs.is_empty() {
        quiet(ui, "Nothing costs anything yet.");
        return;
    }
    Grid::new("costs").num_columns(3).striped(true).min_row_height(24.0).show(ui, |ui| {
        for (n, line) in evaluation.costs.iter().enumerate() {
            ask(ui, &line.label, Asked::Cost(n), out);
            ui.label(format!("{} × {} =", line.count, line.each));
            let house = if line.house { " (house rule)" } else { "" };
            ui.label(format!("{}{house}", line.total));
            ui.end_row();
        }
        ui.label(RichText::new("total").family(bold()));
        ui.label("");
        let all = evaluation.points.map_or_else(|| "unknown".to_owned(), |points| points.to_string());
        ui.label(RichText::new(all).family(bold()));
        ui.end_row();
    });
}

fn tree(ui: &mut Ui, look: &Look, out: &mut Vec<Command>) {
    let lines = &look.explained;
    let mut hidden_below: Option<u32> = None;
    for (n, line) in lines.iter().enumerate() {
        if hidden_below.is_some_and(|depth| line.depth > depth) {
            continue;
        }
        hidden_below = None;
        let is_branch = lines.get(n + 1).is_some_and(|next| next.depth > line.depth);
        let name = is_branch.then(|| branch(lines, n));
        let is_folded = name.as_ref().is_some_and(|name| look.folded.contains(name));
        if is_folded {
            hidden_below = Some(line.depth);
        }
        ui.horizontal_top(|ui| {
            // Deep ones keep room to be read in.
            ui.add_space(14.0 * line.depth.min(8) as f32);
            match name {
                Some(name) if fold(ui, &line.name, is_folded).clicked() => {
                    out.push(Command::Inspecting(Inspecting::Fold(name)));
                }
                Some(_) => {}
                None => {
                    ui.allocate_exact_size(vec2(24.0, 24.0), Sense::hover());
                }
            }
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                ui.horizontal_wrapped(|ui| {
                    match &line.asked {
                        Some(asked) if n > 0 => ask(ui, &line.name, asked.clone(), out),
                        _ => {
                            ui.label(RichText::new(&*line.name).family(bold()));
                        }
                    }
                    ui.label(RichText::new(format!("= {}", line.result)).family(bold()));
                });
                for part in steps(line) {
                    ui.add(Label::new(format!("= {part}")).wrap());
                }
                let source = source(line);
                if !source.is_empty() {
                    let colour = match line.provenance {
                        Provenance::Assumed | Provenance::House => palette(ui).warning,
                        _ => palette(ui).quiet,
                    };
                    ui.add(Label::new(RichText::new(source).color(colour)).wrap());
                }
            });
        });
    }
}

/// The formula and the formula with numbers, as far as each says more than the last.
fn steps(line: &Explained) -> Vec<&str> {
    let mut steps: Vec<&str> = Vec::new();
    for part in [&*line.formula, &*line.numbers] {
        if !part.is_empty() && *part != *line.result && steps.last() != Some(&part) {
            steps.push(part);
        }
    }
    steps
}

/// The rule, who stands for the number, and why.
fn source(line: &Explained) -> String {
    let mark = match line.provenance {
        Provenance::Published => "",
        Provenance::Derived => "derived",
        Provenance::Assumed => "assumed",
        Provenance::House => "house rule",
    };
    let note = line.note.as_deref().unwrap_or_default();
    let why = match (mark, note) {
        ("", note) => note.to_owned(),
        (mark, "") => mark.to_owned(),
        (mark, note) => format!("{mark}: {note}"),
    };
    let rule = if line.rule.is_empty() { String::new() } else { format!("rule: {}", line.rule) };
    [rule, why].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// A triangle that opens and closes.
fn fold(ui: &mut Ui, name: &str, is_folded: bool) -> egui::Response {
    let response = ui.add(Button::new("").frame(false).min_size(vec2(24.0, 24.0)));
    let colour = ui.visuals().text_color();
    let points = if is_folded {
        [vec2(-3.0, -5.0), vec2(5.0, 0.0), vec2(-3.0, 5.0)]
    } else {
        [vec2(-5.0, -3.0), vec2(5.0, -3.0), vec2(0.0, 5.0)]
    };
    let middle = response.rect.center();
    ui.painter().add(Shape::convex_polygon(points.map(|by| middle + by).to_vec(), colour, Stroke::NONE));
    let what = if is_folded { "Expand" } else { "Collapse" };
    named(response, &format!("{what} {name}"))
}

/// The explanation as text, to be sent to somebody.
fn text(lines: &[Explained]) -> String {
    let mut text = String::new();
    for line in lines {
        let indent = "  ".repeat(line.depth.min(20) as usize);
        let parts: String = steps(line).iter().map(|part| format!(" = {part}")).collect();
        text.push_str(&format!("{indent}{}{parts} = {}\n", line.name, line.result));
        let source = source(line);
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
