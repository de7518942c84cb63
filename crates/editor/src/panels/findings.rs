//! The findings by severity, each with a sign, a word and a colour, its numbers, help and fix. A click goes to the
//! affected part.

use egui::style::ScrollAnimation;
use egui::{Align, Button, Color32, Frame, Label, Layout, Margin, RichText, Sense, Ui, vec2};

use crate::fix_all::model::FixAllCommand;
use crate::icons::Icon;
use crate::inspector::model::{FixOffer, InspectorCommand};
use crate::language::say;
use crate::suggest::panel::ask::ask_button;
use crate::theme::{bold, palette};
use crate::widgets::{
    heading, muted_label, paint_severity, severity_colour, text_button, with_accessible_name, with_curly_quotes,
};
use crate::{Command, Doc, DocContent, EditorState};
use moldloft_base::finding::{Finding, Severity};
use moldloft_odds::suggest::Request;
use moldloft_rules::evaluate::ExplainTarget;

pub fn count(state: &EditorState) -> usize {
    state.current_doc().map_or(0, |doc| doc.findings().len())
}

pub fn severity_label(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "note",
        other => other.as_str(),
    }
}

/// `2 errors, 1 warning`; empty if there are none.
pub fn count_summary(findings: &[Finding]) -> String {
    let all = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "note")];
    let counts =
        all.map(|(severity, word)| (findings.iter().filter(|finding| finding.severity == severity).count(), word));
    let accessible = counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, word)| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    });
    accessible.collect::<Vec<_>>().join(", ")
}

/// Shapes differ as well as colours.
pub fn severity_icon(ui: &mut Ui, severity: Severity) {
    let (rect, _) = ui.allocate_exact_size(vec2(16.0, 24.0), Sense::hover());
    paint_severity(ui, rect.center(), severity);
}

/// A finding with its help and the place in its file; `place`: where that is, before its code.
pub fn finding_card(ui: &mut Ui, finding: &Finding, place: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        severity_icon(ui, finding.severity);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            let message = format!("{}: {}", say(severity_label(finding.severity)), say(&finding.message));
            let text = RichText::new(with_curly_quotes(&message)).color(severity_colour(ui, finding.severity));
            ui.add(Label::new(text).wrap());
            if let Some(snippet) = &finding.at.snippet {
                ui.add(Label::new(RichText::new(snippet.text.trim()).monospace()).wrap());
            }
            if let Some(help) = &finding.help {
                ui.add(Label::new(with_curly_quotes(&format!("{}: {}", say("help"), say(help)))).wrap());
            }
            ui.horizontal_wrapped(|ui| {
                place(ui);
                muted_label(ui, &*finding.code);
            });
        });
    });
}

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(doc) = state.current_doc() else { return };
    let findings = doc.findings();
    let mut gap_view = FixedFindingView::new(ui, doc);
    if findings.is_empty() {
        gap_view.show_when_reached(ui, true);
        ui.horizontal(|ui| {
            ui.label(Icon::Good.text().color(palette(ui).good));
            muted_label(ui, format!("No findings: this {} follows the rules.", doc.kind_name()));
        });
        return;
    }
    let view = state.inspector_views.view(doc.id);
    ui.horizontal_wrapped(|ui| {
        muted_label(ui, count_summary(findings));
        if doc.evaluation().is_some_and(|evaluation| !evaluation.legal) && !doc.is_blank() {
            let hint = "All ways with the fewest changes";
            ask_button(ui, "Make legal…", hint, Request::Legal, out);
        }
        if let Some(count) = view.and_then(|view| view.fixable_count) {
            let button = ui.button(say(format!("Fix all {count}…"))).on_hover_text(say("Preview the fixes"));
            out.extend(button.clicked().then(|| Command::FixAll(FixAllCommand::Open)));
        }
    });
    if matches!(doc.content, DocContent::Text(_)) {
        muted_label(ui, "The file cannot be read as a design. Fix its text; nothing is lost.");
    }
    let is_blank = doc.is_blank();
    let mut last_group = "";
    for (severity, group) in [(Severity::Error, "ERRORS"), (Severity::Warning, "WARNINGS"), (Severity::Info, "NOTES")] {
        let of = || findings.iter().enumerate().filter(|(_, finding)| finding.severity == severity);
        if of().next().is_none() {
            continue;
        }
        ui.add_space(4.0);
        // A blank design lacks what comes next: that is no fault.
        let group = if is_blank && severity != Severity::Info { "STILL TO DO" } else { group };
        if last_group != group {
            heading(ui, group);
            last_group = group;
        }
        for (n, finding) in of() {
            gap_view.show_when_reached(ui, false);
            let offer = view.and_then(|view| view.offers.get(n)).and_then(Option::as_ref);
            let is_here = view.and_then(|view| view.selected_finding) == Some(n);
            finding_row(ui, doc, (n, finding), offer, is_here, out);
        }
    }
    gap_view.show_when_reached(ui, true);
}

/// The place of a finding that was fixed by a click. It is kept until the pointer leaves it, so that a second click
/// never hits the
/// next finding's button.
#[derive(Clone)]
struct FixedFindingGap {
    /// In points below the top of the list.
    top: f32,
    bottom: f32,
    description: String,
    /// The step to undo.
    edit: String,
}

struct FixedFindingView {
    gap: Option<FixedFindingGap>,
    id: egui::Id,
    origin: f32,
}

impl FixedFindingView {
    fn new(ui: &Ui, doc: &Doc) -> Self {
        let id = gap_id(doc);
        let gap = ui.data(|data| data.get_temp::<FixedFindingGap>(id));
        // Not of what was taken back.
        let gap = gap.filter(|gap| doc.history.undo_label() == Some(&*gap.edit));
        Self { gap, id, origin: ui.min_rect().top() }
    }

    fn show_when_reached(&mut self, ui: &mut Ui, is_end: bool) {
        let now = ui.cursor().top() - self.origin;
        if !self.gap.as_ref().is_some_and(|gap| is_end || now + 1.0 >= gap.top) {
            return;
        }
        let Some(gap) = self.gap.take() else { return };
        let start = now.max(gap.top).min(gap.bottom);
        ui.add_space(start - now);
        let size = vec2(ui.available_width(), gap.bottom - start);
        let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect.shrink2(vec2(4.0, 2.0))));
        inner.set_clip_rect(inner.clip_rect().intersect(rect));
        muted_label(&mut inner, format!("Done: {}", gap.description));
        // As long as the pointer is in the list, on its way to the next one.
        let is_over = ui.input(|input| input.pointer.latest_pos()).is_some_and(|at| ui.clip_rect().contains(at));
        if !is_over {
            ui.data_mut(|data| data.remove::<FixedFindingGap>(self.id));
            ui.ctx().request_repaint();
        }
    }
}

fn gap_id(doc: &Doc) -> egui::Id {
    egui::Id::unique(("finding fixed", doc.id.0))
}

fn finding_row(
    ui: &mut Ui,
    doc: &Doc,
    (n, finding): (usize, &Finding),
    offer: Option<&FixOffer>,
    is_here: bool,
    out: &mut Vec<Command>,
) {
    let ground = if is_here { palette(ui).selection } else { Color32::TRANSPARENT };
    let origin = ui.min_rect().top();
    let mut gap_view = None;
    let frame = Frame::new().fill(ground).corner_radius(4).inner_margin(Margin::symmetric(4, 2));
    let shown = frame.show(ui, |ui| {
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            severity_icon(ui, shown_severity(doc, finding));
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                let message = RichText::new(with_curly_quotes(&say(&finding.message))).family(bold());
                let message = text_button(ui, Button::new(message).wrap().min_size(vec2(0.0, 24.0)));
                let accessible = format!("{}: {}", say(severity_label(finding.severity)), say(&finding.message));
                if with_accessible_name(message, &accessible).on_hover_text(say("Go to the affected part")).clicked() {
                    out.push(Command::Inspector(InspectorCommand::GoToFinding(n)));
                }
                if let Some(offer) = offer {
                    let is_pressed = fix_button(ui, offer, out);
                    gap_view = (is_pressed && ui.input(|input| input.pointer.any_released()))
                        .then(|| (offer.description.clone(), offer.edit.label.clone()));
                }
                finding_details(ui, doc, finding, offer.is_some(), out);
            });
        });
        ui.set_min_width(ui.available_width());
    });
    if let Some((description, edit)) = gap_view {
        let rect = shown.response.rect;
        let gap = FixedFindingGap { top: rect.top() - origin, bottom: rect.bottom() - origin, description, edit };
        ui.data_mut(|data| data.insert_temp(gap_id(doc), gap));
    }
    // Once, so that the user can scroll away.
    let brought = egui::Id::unique(("finding brought", doc.id.0));
    let last = ui.data(|data| data.get_temp::<(u64, usize)>(brought));
    if is_here && last != Some((doc.revision, n)) {
        shown.response.scroll_to_me_animation(None, ScrollAnimation::none());
        ui.data_mut(|data| data.insert_temp(brought, (doc.revision, n)));
    }
}

/// What a blank design lacks looks like a note.
fn shown_severity(doc: &Doc, finding: &Finding) -> Severity {
    if doc.is_blank() { Severity::Info } else { finding.severity }
}

/// `primary_rear = 4, mass = 20` with the labels that the form has: `Primaries, rear = 4, Mass = 20`.
fn labelled_numbers(doc: &Doc, numbers: &str) -> String {
    let Some(evaluation) = doc.shown_ship() else { return numbers.to_owned() };
    let label = |id: &str| {
        let field = evaluation.fields.iter().find(|field| *field.id == *id).map(|field| &field.label);
        let value = || evaluation.values.iter().find(|value| *value.id == *id).map(|value| &value.label);
        field.or_else(value).filter(|label| !label.is_empty())
    };
    let labelled = numbers.split(", ").map(|part| match part.split_once(" = ") {
        Some((id, number)) => label(id).map_or_else(|| part.to_owned(), |label| format!("{label} = {number}")),
        None => part.to_owned(),
    });
    labelled.collect::<Vec<_>>().join(", ")
}

/// A fix says by itself what the help would.
fn finding_details(ui: &mut Ui, doc: &Doc, finding: &Finding, has_fix: bool, out: &mut Vec<Command>) {
    let mut known: Vec<String> = match doc.is_blank() {
        true => Vec::new(),
        false => vec![severity_label(finding.severity).to_owned()],
    };
    let is_text = matches!(doc.content, DocContent::Text(_));
    if finding.at.line > 0 && is_text {
        known.push(format!("line {}, column {}", finding.at.line, finding.at.column.max(1)));
    }
    known.extend(finding.at.item.as_deref().map(str::to_owned));
    // Users read `fed = 14`; calls are shown under Explain.
    let numbers = finding.numbers.iter().filter(|numbers| is_text || !numbers.contains('('));
    known.extend(numbers.map(|numbers| labelled_numbers(doc, numbers)));
    if is_text && let Some(snippet) = &finding.at.snippet {
        ui.add(Label::new(RichText::new(&snippet.text).monospace()).wrap());
    }
    if let Some(help) = finding.help.as_ref().filter(|_| !has_fix) {
        ui.add(Label::new(with_curly_quotes(&format!("{}: {}", say("help"), say(help)))).wrap());
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
        ui.spacing_mut().interact_size.y = 20.0;
        let quiet_ink = palette(ui).muted;
        if !known.is_empty() {
            let ink = severity_colour(ui, shown_severity(doc, finding));
            ui.add(Label::new(RichText::new(say(known.join(" · "))).color(ink)).wrap());
        }
        let code = RichText::new(&*finding.code).underline().color(quiet_ink);
        let code = text_button(ui, Button::new(code).min_size(vec2(0.0, 24.0)));
        let rule = finding.rule.as_ref().map(|rule| format!("{}: {rule}", say("rule")));
        let mut code = with_accessible_name(code, &format!("What {} means", finding.code));
        if let Some(rule) = &rule {
            code = code.on_hover_text(rule);
        }
        out.extend(code.clicked().then(|| Command::Explain(ExplainTarget::Code(finding.code.as_ref().into()))));
        // On a line of its own it would push the next finding out of sight.
        if let Some(text) = rule.filter(|text| {
            let font = egui::TextStyle::Body.resolve(ui.style());
            let galley = ui.painter().layout_no_wrap(text.clone(), font, quiet_ink);
            galley.size().x < ui.available_size_before_wrap().x
        }) {
            ui.label(RichText::new(text).color(quiet_ink));
        }
    });
}

pub fn fix_button(ui: &mut Ui, offer: &FixOffer, out: &mut Vec<Command>) -> bool {
    let change = if offer.change.is_empty() { String::new() } else { format!(" ({})", offer.change) };
    let text = format!("fix: {}{change}", offer.description);
    let accent = palette(ui).accent;
    let is_pressed = ui.add(Button::new(RichText::new(say(text)).color(accent)).wrap()).clicked();
    if is_pressed {
        out.push(Command::Edit(offer.edit.clone()));
    }
    is_pressed
}
