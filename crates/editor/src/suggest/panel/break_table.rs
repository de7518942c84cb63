//! Break-points as a table: a row for each number of the design, what the next turn down and up gives and costs. Each cell can be
//! previewed and applied.

use egui::{Button, Grid, Label, Response, RichText, ScrollArea, Ui, vec2};

use crate::language::say;
use crate::suggest::model::AskedQuestion;
use crate::suggest::panel::left::with_findings;
use crate::theme::{SMALL, palette};
use crate::widgets::{MIN_TARGET_SIZE, muted_label, small_label, with_accessible_name};
use moldloft_odds::suggest::{BreakPoint, Reply, Request, points_change};

const CELL_WIDTH: f32 = 104.0;

/// Gives the response of each proposal's cell, by index.
pub fn show(ui: &mut Ui, asked: &AskedQuestion, reply: &Reply) -> Vec<(usize, Response)> {
    let mut rows: Vec<(&BreakPoint, [Option<usize>; 2])> = Vec::new();
    for (n, proposal) in reply.proposals.iter().enumerate() {
        let Some(point) = &proposal.break_point else { continue };
        let side = usize::from(point.at > point.now);
        match rows.iter_mut().find(|(known, sides)| known.lever == point.lever && sides[side].is_none()) {
            Some((_, sides)) => sides[side] = Some(n),
            None => {
                let mut sides = [None, None];
                sides[side] = Some(n);
                rows.push((point, sides));
            }
        }
    }
    let mut responses = Vec::new();
    if rows.is_empty() {
        return responses;
    }
    // What turns is said once, where one value is asked about.
    let is_single = matches!(&asked.request, Request::Breaks(Some(_)));
    let wide = (ui.available_width() - 2.0 * CELL_WIDTH - 70.0).max(110.0);
    ScrollArea::horizontal().id_salt("break-points").show(ui, |ui| {
        Grid::new("break-points").num_columns(4).striped(true).spacing([8.0, 3.0]).show(ui, |ui| {
            for title in ["", "now", "fewer", "more"] {
                muted_label(ui, title);
            }
            ui.end_row();
            for (point, sides) in &rows {
                ui.scope(|ui| {
                    ui.set_max_width(wide);
                    ui.set_min_width(wide);
                    ui.add(Label::new(say(&*point.label)).wrap());
                });
                ui.label(point.now.to_string());
                for side in sides {
                    match side.and_then(|n| Some((n, reply.proposals.get(n)?))) {
                        Some((n, proposal)) => {
                            if let Some(point) = &proposal.break_point {
                                responses.push((n, with_findings(cell(ui, point, is_single), &proposal.after)));
                            }
                        }
                        None => {
                            ui.allocate_ui(vec2(CELL_WIDTH, MIN_TARGET_SIZE), |ui| small_label(ui, "nothing near"));
                        }
                    }
                }
                ui.end_row();
            }
        });
    });
    responses.sort_by_key(|(n, _)| *n);
    responses
}

/// `3: 16` and `+84 points` below it.
fn cell(ui: &mut Ui, point: &BreakPoint, is_single: bool) -> Response {
    let turns = match &*point.turns {
        [(_, _, to)] if is_single => to.to_string(),
        turns => turns.iter().map(|(label, _, to)| format!("{label} {to}")).collect::<Vec<_>>().join(", "),
    };
    let points = points_change(point.points);
    let points = points.trim().trim_start_matches('(').trim_end_matches(')');
    let legal = if point.is_legal { "" } else { "\nnot legal alone" };
    let text = format!("{} gives {turns}\n{points}{legal}", point.at);
    let colour = if point.is_legal { ui.visuals().text_color() } else { palette(ui).warning };
    let response = ui
        .scope(|ui| {
            ui.set_max_width(CELL_WIDTH);
            let text = RichText::new(say(text)).size(SMALL).color(colour);
            let button = ui.add(Button::new(text).wrap().min_size(vec2(CELL_WIDTH, MIN_TARGET_SIZE)));
            with_accessible_name(button, &point.words())
        })
        .inner;
    match point.same_words() {
        Some(same) => response.on_hover_text(say(same)),
        None => response,
    }
}
