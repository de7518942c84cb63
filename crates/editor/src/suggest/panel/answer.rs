//! The answer to a question: how far the search is, then what can be done, each previewed under the pointer or the keyboard, and
//! what is claimed.

use egui::text::{LayoutJob, TextFormat};
use egui::{
    FontFamily, FontId, Label, ProgressBar, Response, RichText, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2,
};

use crate::language::say;
use crate::panels::findings;
use crate::suggest::model::{AnswerStage, AskedQuestion, SuggestCommand, SuggestView};
use crate::suggest::panel::ask::{focus_id, spend_question};
use crate::suggest::panel::break_table;
use crate::suggest::panel::left::with_findings;
use crate::theme::{BODY, SMALL, bold, palette};
use crate::widgets::{capitalize, error_text, muted_label, muted_text, with_accessible_name, with_curly_quotes};
use crate::{Command, Doc};
use moldloft_base::progress::Progress;
use moldloft_base::sanitize::plural;
use moldloft_odds::suggest::{Proposal, Reply, Request, number_of, points_change, term_label};
use moldloft_rules::evaluate::Evaluation;

/// Seconds.
const PROGRESS_INTERVAL: f32 = 0.1;
/// Of a proposal's card.
const PADDING: Vec2 = vec2(10.0, 6.0);

pub fn show(ui: &mut Ui, doc: &Doc, view: &SuggestView, asked: &AskedQuestion, out: &mut Vec<Command>) {
    let is_current = asked.is_for(doc);
    ui.horizontal_wrapped(|ui| {
        if with_accessible_name(ui.button(say("‹ Questions")), "Back to the questions").clicked() {
            out.push(Command::Suggest(SuggestCommand::Open));
        }
        ui.label(RichText::new(say(title(doc, asked))).family(bold()));
        if matches!(asked.stage, AnswerStage::Working(_)) {
            // Up here, where no proposal comes under the pointer when the search ends.
            out.extend(ui.button(say("Cancel")).clicked().then(|| Command::Suggest(SuggestCommand::Cancel)));
        }
        let is_whole = is_current && !matches!(asked.stage, AnswerStage::Done { is_cancelled: true, .. });
        if !is_whole && !matches!(asked.stage, AnswerStage::Working(_)) && ui.button(say("Ask again")).clicked() {
            out.push(Command::Suggest(SuggestCommand::AskAgain));
        }
    });
    let mut wanted = None;
    match &asked.stage {
        AnswerStage::Working(progress) => working(ui, progress),
        AnswerStage::Failed(why) => {
            error_text(ui, with_curly_quotes(&capitalize(&say(why))));
        }
        AnswerStage::Done { .. } if !is_current => outdated(ui, asked),
        AnswerStage::Done { reply, is_cancelled } => {
            if *is_cancelled {
                let warning = palette(ui).warning;
                ui.colored_label(
                    warning,
                    say("Cancelled: the search was not finished. Asked again, it may find more."),
                );
            }
            wanted = answer(ui, doc, view, asked, reply, out);
        }
    }
    if wanted != view.previewed {
        out.push(Command::Suggest(SuggestCommand::Preview(wanted)));
    }
}

fn title(doc: &Doc, asked: &AskedQuestion) -> String {
    let evaluation = doc.evaluation();
    let label = |value: &str| evaluation.map_or_else(|| value.to_owned(), |evaluation| term_label(evaluation, value));
    match &asked.request {
        Request::Legal => "Make legal".to_owned(),
        Request::Cheaper => "The same for less".to_owned(),
        Request::Breaks(None) => "Break-points".to_owned(),
        Request::Breaks(Some(value)) => {
            let now = evaluation.and_then(|evaluation| number_of(evaluation, value)).filter(|_| asked.is_for(doc));
            let now = now.map_or_else(String::new, |now| format!(" ({now} now)"));
            format!("Break-points of {}{now}", label(value))
        }
        Request::Best => match &asked.question.objective {
            None => "A design that reaches the goals".to_owned(),
            Some((moldloft_odds::suggest::Sense::Maximise, formula)) => format!("The most {}", label(formula)),
            Some((moldloft_odds::suggest::Sense::Minimise, formula)) => format!("The least {}", label(formula)),
        },
        Request::Spend(budget) => {
            let now = evaluation.and_then(|evaluation| number_of(evaluation, &budget.value));
            match now.filter(|now| *now < budget.most && asked.is_for(doc)) {
                Some(now) => spend_question(doc, budget, budget.most - now),
                None => format!("What could be had for {} {}?", budget.most, label(&budget.value)),
            }
        }
    }
}

fn working(ui: &mut Ui, progress: &Progress) {
    let (done, total) = progress.done_and_total();
    let note = progress.note();
    let text = if note.is_empty() { "Searching…".to_owned() } else { capitalize(&note) };
    ui.label(say(&text));
    let share = if total == 0 { 0.0 } else { done as f32 / total as f32 };
    let bar =
        ui.add(ProgressBar::new(share).fill(palette(ui).accent).desired_width((ui.available_width() - 90.0).max(60.0)));
    with_accessible_name(bar, &format!("searched {done} of at most {total}"));
    ui.ctx().request_repaint_after_secs(PROGRESS_INTERVAL);
}

fn outdated(ui: &mut Ui, asked: &AskedQuestion) {
    match &asked.applied {
        Some(applied) => muted_text(ui, format!("Done: {applied}. One undo step takes it back.")),
        None => muted_text(ui, "The design has changed since this was asked."),
    };
}

/// Gives the proposal that is to be previewed.
fn answer(
    ui: &mut Ui,
    doc: &Doc,
    view: &SuggestView,
    asked: &AskedQuestion,
    reply: &Reply,
    out: &mut Vec<Command>,
) -> Option<usize> {
    if !reply.heading.is_empty() {
        ui.add(Label::new(RichText::new(capitalize(&say(&reply.heading))).family(bold())).wrap());
    }
    // Against whom comes before what it does to them.
    let (against, assumed) = reply.basis.split_at(reply.basis.len().min(1));
    for line in against {
        muted_text(ui, capitalize(line));
    }
    let before = doc.evaluation()?;
    let is_table = matches!(asked.request, Request::Breaks(_));
    let responses: Vec<(usize, Response)> = match is_table {
        true => break_table::show(ui, asked, reply),
        false => {
            // A design that is the best already has nothing to be changed.
            let rows = reply.proposals.iter().enumerate().filter(|(_, proposal)| !proposal.edits.is_empty());
            let one = reply.proposals.len() == 1 && asked.request == Request::Best;
            rows.map(|(n, proposal)| {
                let number = (!one && asked.request == Request::Legal).then_some(n + 1);
                (n, proposal_row(ui, before, proposal, number, view.previewed == Some(n), asked, &reply.heading))
            })
            .collect()
        }
    };
    for note in &reply.notes {
        ui.label(with_curly_quotes(&capitalize(&say(note.to_string()))));
    }
    if !responses.is_empty() {
        muted_label(ui, "Point at one to preview it; click or press Enter to apply it. Esc leaves.");
    }
    if let Some(claim) = &reply.claim {
        ui.add(Label::new(RichText::new(say(claim)).family(bold())).wrap());
    }
    for (what, text) in [("Limits: ", &reply.limits), ("", &reply.rest)] {
        if let Some(text) = text {
            muted_text(ui, format!("{what}{}", if what.is_empty() { capitalize(text) } else { text.clone() }));
        }
    }
    if reply.proposals.is_empty() && asked.request == Request::Best {
        // It is no dead end.
        muted_text(
            ui,
            "To look further, tick a number under “What may change” among the questions and widen its range.",
        );
    }
    for line in assumed {
        muted_text(ui, capitalize(line));
    }
    if let Some((n, _)) = responses.iter().find(|(_, response)| response.clicked()) {
        out.push(Command::Suggest(SuggestCommand::Apply(*n)));
        return None;
    }
    if let Some((_, first)) = responses.first()
        && ui.data(|data| data.get_temp::<bool>(focus_id())).is_some()
    {
        // A dialog that has just closed may still take the focus back.
        match first.has_focus() {
            true => ui.data_mut(|data| data.remove::<bool>(focus_id())),
            false => first.request_focus(),
        }
        ui.ctx().request_repaint();
    }
    pointed_at(ui, &responses)
}

/// The pointer goes before the keyboard while it moves.
fn pointed_at(ui: &Ui, responses: &[(usize, Response)]) -> Option<usize> {
    let first = |is: fn(&Response) -> bool| responses.iter().find(|(_, response)| is(response)).map(|(n, _)| *n);
    let (hovered, focused) = (first(Response::hovered), first(Response::has_focus));
    let moves = ui.input(|input| input.pointer.delta() != egui::Vec2::ZERO);
    if moves { hovered.or(focused) } else { focused.or(hovered) }
}

/// A card that is a button: one widget for screen readers, with all its words.
fn proposal_row(
    ui: &mut Ui,
    before: &Evaluation,
    proposal: &Proposal,
    number: Option<usize>,
    is_shown: bool,
    asked: &AskedQuestion,
    heading: &str,
) -> Response {
    let palette = palette(ui);
    let is_purchase = matches!(asked.request, Request::Spend(_));
    let mut lines = change_lines(proposal, is_purchase);
    match number {
        // The points are in the last line.
        Some(number) => {
            let first = if lines.is_empty() { proposal.title.clone() } else { lines.remove(0) };
            lines.insert(0, format!("{number}. {first}"));
        }
        // The heading has said it already.
        None if proposal.title == heading => {}
        None => lines.insert(0, proposal.title.clone()),
    }
    let mut outcome = outcome_words(before, proposal);
    outcome.extend(proposal.odds.iter().map(|odds| format!("\n{odds}")));
    let mut job = LayoutJob::default();
    // Room for the scroll bar.
    let width = ui.available_width() - 8.0;
    job.wrap.max_width = width - 2.0 * PADDING.x;
    let is_titled = number.is_some() || proposal.title != heading;
    for (n, line) in lines.iter().enumerate() {
        let family = if n == 0 && is_titled { bold() } else { FontFamily::Proportional };
        let format = TextFormat::simple(FontId::new(BODY, family), ui.visuals().text_color());
        job.append(&format!("{}\n", say(line)), 0.0, format);
    }
    job.append(&say(&outcome), 0.0, TextFormat::simple(FontId::proportional(SMALL), palette.muted));
    let galley = ui.painter().layout_job(job);
    let size = vec2(width, galley.size().y + 2.0 * PADDING.y);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let name = lines.iter().chain([&outcome]).cloned().collect::<Vec<_>>().join("; ");
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, say(&name)));
    let is_near = is_shown || response.hovered() || response.has_focus();
    let (fill, line) = if is_near { (palette.selection, palette.accent) } else { (palette.card, palette.line) };
    ui.painter().rect(rect, 4, fill, Stroke::new(1.0, line), StrokeKind::Inside);
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 4, Stroke::new(2.0, palette.accent), StrokeKind::Inside);
    }
    ui.painter().galley(rect.min + PADDING, galley, ui.visuals().text_color());
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    with_findings(response.on_hover_cursor(egui::CursorIcon::PointingHand), &proposal.after)
}

/// The title of a purchase names what is bought; what goes with it is left.
fn change_lines(proposal: &Proposal, is_purchase: bool) -> Vec<String> {
    let fix = proposal.fix.iter().cloned();
    let changes = proposal.changes.iter().filter(|change| !is_purchase || change.follows.is_some());
    let changes = changes.map(|change| {
        let why = change.why().map_or_else(String::new, |why| format!(" · {why}"));
        format!("{}{why}", change.words())
    });
    fix.chain(changes).collect()
}

/// `1732 → 1794 points (+62 points) · structure blocks 37 → 38 · no findings left`
fn outcome_words(before: &Evaluation, proposal: &Proposal) -> String {
    let after = &proposal.after;
    let mut parts = Vec::new();
    match (before.points, after.points) {
        (Some(was), Some(now)) if was == now => parts.push(format!("{}, as now", plural(now, "point"))),
        (Some(was), Some(now)) => {
            parts.push(format!("{was} → {}{}", plural(now, "point"), points_change(Some(now - was))))
        }
        (None, Some(now)) => parts.push(plural(now, "point")),
        (_, None) => {}
    }
    let shown = after.values.iter().filter(|value| (value.headline || value.limit.is_some()) && &*value.id != "points");
    for value in shown {
        let Some(was) = before.values.iter().find(|other| other.id == value.id) else { continue };
        if was.value != value.value {
            let word = |value: &moldloft_rules::formula::Value| value.shown().unwrap_or_else(|| "?".to_owned());
            parts.push(format!("{} {} → {}", value.label, word(&was.value), word(&value.value)));
        }
    }
    let left = findings::count_summary(&after.findings);
    parts.push(if left.is_empty() { "no findings left".to_owned() } else { format!("{left} left") });
    parts.join(" · ")
}
