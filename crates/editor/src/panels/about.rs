//! What a thing of the game is: the figures of a system from the ruleset's tables, with its letters as on the sheet, and
//! the terms of the glossary for a label. For tooltips, rows and lists.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Label, Response, RichText, Ui, vec2};

use crate::language::say;
use crate::panels::system_sign::{SIGN_SIDE, SystemSign, paint_sign};
use crate::theme::{SMALL, bold, palette};
use crate::widgets::{capitalize, memoized, small_label};
use crate::{Doc, fit_edits};
use moldloft_rules::evaluate::{
    Evaluation, ExplainTarget, TableExtract, TermText, explain_target, table_extracts, terms_about, terms_in,
};
use moldloft_rules::formula::Value;
use moldloft_rules::ruleset::BoxShape;
use moldloft_sheet::sheet::{format_signed, format_value};

/// In points.
const TIP_WIDTH: f32 = 400.0;
/// The longest figures beside a name.
const MAX_FIGURE_CHARS: usize = 34;

/// A cell as on the sheet, with its sign if its column has signs.
fn cell_text(value: &Value, signed: bool) -> String {
    match value {
        Value::Int(number) if signed => format_signed(*number).to_string(),
        // An id, such as an option of a choice.
        Value::Text(text) if text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') => {
            text.replace('-', " ")
        }
        value => format_value(value).replace('\u{a0}', " "),
    }
}

/// `12 MU · 2D6`: the short cells of the first row.
fn short_figures(extracts: &[TableExtract], name: &str) -> String {
    let Some((extract, row)) = extracts.iter().find_map(|extract| Some((extract, extract.rows.first()?))) else {
        return String::new();
    };
    let mut parts: Vec<String> = Vec::new();
    for (column, value) in extract.columns.iter().zip(row) {
        let text = cell_text(value, column.signed);
        let is_name = text.eq_ignore_ascii_case(name);
        // Words are for the tooltip.
        let is_figure = text.chars().any(char::is_numeric) && text.chars().count() <= 16;
        let part = match value {
            Value::Int(_) => format!("{} {text}", column.label),
            Value::Text(_) if is_figure && !text.chars().any(char::is_alphabetic) => format!("{} {text}", column.label),
            Value::Text(_) if is_figure && !is_name => text,
            Value::List(list) if list.iter().all(|item| matches!(item, Value::Int(_))) => {
                format!("{} {}", column.label, text.replace(", ", " "))
            }
            _ => continue,
        };
        let length = parts.iter().map(|part| part.chars().count() + 3).sum::<usize>() + part.chars().count();
        if length > MAX_FIGURE_CHARS {
            break;
        }
        parts.push(part);
    }
    parts.join(" · ")
}

/// The short figures of all systems aboard, by id; computed again when the design changes.
pub fn figures_aboard(ui: &Ui, doc: &Doc, evaluation: &Evaluation) -> Arc<BTreeMap<Arc<str>, String>> {
    memoized(ui.ctx(), "figures aboard", (doc.id.0, doc.revision), || {
        let systems = evaluation.fits.iter().map(|fit| (fit.system.clone(), fit.name.clone()));
        let systems: BTreeMap<Arc<str>, Arc<str>> = systems.collect();
        let figures = systems.into_iter().map(|(id, name)| {
            let figures = short_figures(&table_extracts(evaluation, &id), &name);
            (id, figures)
        });
        Arc::new(figures.collect())
    })
}

/// The figures of a system for a line of a list.
pub fn line_of_figures(extracts: &[TableExtract], name: &str) -> String {
    short_figures(extracts, name)
}

/// A tooltip with what a system does.
pub fn show_system(ui: &mut Ui, evaluation: &Evaluation, id: &str, extracts: &[TableExtract]) {
    ui.set_max_width(TIP_WIDTH);
    let known = fit_edits::available_systems(evaluation).into_iter().find(|system| *system.id == *id);
    let Some(known) = known else { return };
    let shape = evaluation.ruleset.systems.get(known.kind).map_or(BoxShape::default(), |system| system.shape);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(SIGN_SIDE, SIGN_SIDE), egui::Sense::hover());
        let sign = SystemSign { letters: known.abbr.clone(), shape };
        paint_sign(ui.painter(), palette(ui), &sign, rect, palette(ui).muted);
        ui.label(RichText::new(capitalize(&say(&known.name))).family(bold()));
    });
    show_terms(ui, &terms_for(evaluation, id, &known.name));
    for extract in extracts {
        show_extract(ui, extract, &known.name);
    }
}

/// What the fit of a sheet's box does.
pub fn show_system_of(ui: &mut Ui, ship: &Evaluation, fit: Option<u32>) {
    let Some(fit) = fit.and_then(|index| ship.fits.iter().find(|fit| fit.index == index)) else { return };
    let figures = short_figures(&table_extracts(ship, &fit.system), &fit.name);
    if !figures.is_empty() {
        small_label(ui, figures);
    }
}

fn show_extract(ui: &mut Ui, extract: &TableExtract, name: &str) {
    ui.add_space(3.0);
    let heading = capitalize(&extract.label);
    if !heading.is_empty() {
        ui.label(RichText::new(say(heading)).size(SMALL).family(bold()).color(palette(ui).muted));
    }
    for row in &extract.rows {
        let cells = extract.columns.iter().zip(row).filter_map(|(column, value)| {
            let text = cell_text(value, column.signed);
            let is_number = matches!(value, Value::Int(_)) || text.chars().count() <= 8;
            match &*column.label {
                _ if text.is_empty() || text.eq_ignore_ascii_case(name) => None,
                label if is_number && !label.is_empty() && *label != *text => Some(format!("{label} {text}")),
                _ => Some(text),
            }
        });
        let line = cells.collect::<Vec<_>>().join(" · ");
        ui.add(Label::new(RichText::new(say(line)).size(SMALL)).wrap());
    }
    if !extract.note.is_empty() {
        ui.add(Label::new(RichText::new(say(&extract.note)).size(SMALL).color(palette(ui).muted)).wrap());
    }
}

/// Those that are about it, then those whose words are in its label.
fn terms_for(evaluation: &Evaluation, id: &str, label: &str) -> Vec<TermText> {
    let mut terms = terms_about(evaluation, id);
    for term in terms_in(evaluation, label) {
        if !terms.contains(&term) {
            terms.push(term);
        }
    }
    terms
}

fn show_terms(ui: &mut Ui, terms: &[TermText]) {
    for term in terms {
        let line = format!("{}: {}", capitalize(&term.label), term.text);
        ui.add(Label::new(RichText::new(say(line)).size(SMALL)).wrap());
    }
}

/// Adds a tooltip with what a label means: terms of the glossary, and rows of tables about the field of this name.
pub fn with_meaning(response: Response, evaluation: &Evaluation, label: &str) -> Response {
    if !response.hovered() {
        return response;
    }
    let field = evaluation.fields.iter().find(|field| *field.label == *label);
    let id = field.map_or("", |field| &*field.id);
    let terms = terms_for(evaluation, id, label);
    let extracts = if id.is_empty() { Vec::new() } else { table_extracts(evaluation, id) };
    if terms.is_empty() && extracts.is_empty() {
        return response;
    }
    response.on_hover_ui(|ui| {
        ui.set_max_width(TIP_WIDTH);
        show_terms(ui, &terms);
        for extract in &extracts {
            show_extract(ui, extract, "");
        }
    })
}

/// A tooltip for a number: how it comes about in words, and what it means.
pub fn show_number(ui: &mut Ui, evaluation: &Evaluation, target: &ExplainTarget) {
    ui.set_max_width(TIP_WIDTH);
    let lines = explain_target(evaluation, target);
    if let Some(line) = lines.iter().find(|line| line.target.as_ref() == Some(target)) {
        // `set by the design`, or a sum.
        let stated = || format!("{}: {}", line.formula, line.result);
        let words = if line.sentence.is_empty() { stated() } else { line.sentence.clone() };
        ui.add(Label::new(capitalize(&say(&words))).wrap());
    }
    show_terms(ui, &terms_of_target(evaluation, target));
    small_label(ui, "Click: where this comes from");
}

fn terms_of_target(evaluation: &Evaluation, target: &ExplainTarget) -> Vec<TermText> {
    match target {
        ExplainTarget::Value(id) | ExplainTarget::Limit(id) => {
            let value = evaluation.values.iter().find(|value| value.id == *id);
            value.map(|value| terms_for(evaluation, id, &value.label)).unwrap_or_default()
        }
        ExplainTarget::Field(id) => {
            let field = evaluation.fields.iter().find(|field| field.id == *id);
            field.map(|field| terms_for(evaluation, id, &field.label)).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// The meaning of what is explained.
pub fn show_terms_of(ui: &mut Ui, evaluation: &Evaluation, target: &ExplainTarget) {
    let terms = terms_of_target(evaluation, target);
    if !terms.is_empty() {
        show_terms(ui, &terms);
        ui.add_space(4.0);
    }
}
