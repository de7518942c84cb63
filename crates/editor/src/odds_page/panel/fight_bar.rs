//! Who wins a fight, as a bar: the ship's part in its colour, the opponent's hatched in another one, between them what neither wins. In
//! the headline with the opponent that is pinned, and on the page of odds.

use egui::{Align2, FontId, Id, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use crate::icons::Icon;
use crate::language::say;
use crate::odds_page::model::Chances;
use crate::odds_page::{OddsCommand, fight, opponent_choices, opponent_name};
use crate::theme::{SMALL, bold, palette};
use crate::widgets::{cut_text, muted_text, small_label, with_accessible_name};
use crate::{Command, Doc, EditorState, RightPage};
use moldloft_base::sanitize::plural;
use moldloft_odds::odds::words::percent;

/// Of the bar with its figures, in points.
const HEIGHT: f32 = 30.0;
const BAR: f32 = 10.0;
const NAME_WIDTH: f32 = 116.0;
/// Between the lines that hatch the opponent's part.
const HATCH: f32 = 5.0;
/// Width from which the figures have words, in points.
const WORDED: f32 = 240.0;
/// From which all of them have, in points.
const SPELT_OUT: f32 = 480.0;
const TIP_WIDTH: f32 = 420.0;
/// Opponents in the list, those of nearest points first.
const MAX_RIVALS: usize = 12;

/// Of the headline; `None` where the rules have no fights.
pub fn width(doc: &Doc, room: f32) -> Option<f32> {
    fight::has_fights(doc).then_some((room * 0.45).min(380.0))
}

fn focus_id() -> Id {
    Id::unique("fight that has just been pinned")
}

/// The place is the same with and without an opponent.
pub fn show(ui: &mut Ui, state: &EditorState, doc: &Doc, out: &mut Vec<Command>) {
    let view = state.odds.view(doc.id).filter(|_| fight::is_pinned(state, doc.id));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let Some(view) = view else {
            let pin = ui.button((Icon::Fight.text(), say("Fight it…")));
            let pin =
                with_accessible_name(pin, "Fight it…").on_hover_text(say("A ship of equal points, until one is out"));
            if pin.clicked() {
                // The bar in its place has the focus next.
                ui.data_mut(|data| data.insert_temp(focus_id(), true));
                out.push(Command::Odds(OddsCommand::Pin));
            }
            return;
        };
        let name = opponent_name(state, view);
        rival_menu(ui, state, doc, &name, out);
        let size = vec2((ui.available_width() - 4.0).max(80.0), HEIGHT);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        if ui.data_mut(|data| data.remove_temp::<bool>(focus_id())).is_some() {
            response.request_focus();
        }
        let is_current = fight::is_current(state, view);
        let said = match view.fight.as_ref().map(|fight| &fight.chances) {
            None => Err("being worked out".to_owned()),
            Some(Err(why)) => Err(why.clone()),
            Some(Ok(chances)) => Ok(chances),
        };
        let words = match said {
            Ok(chances) => {
                paint(ui, rect, chances, is_current);
                format!("{}{}", words(chances), if is_current { "" } else { ", being worked out again" })
            }
            Err(why) => {
                let colour = palette(ui).muted;
                let text = cut_text(ui, &why, FontId::proportional(SMALL), colour, 2);
                ui.painter().galley(pos2(rect.left(), rect.center().y - text.size().y / 2.0), text, colour);
                why
            }
        };
        let words = format!("Fight against {name}: {words}");
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, say(&words)));
        if response.has_focus() || response.hovered() {
            let ring = Stroke::new(1.0, palette(ui).accent);
            ui.painter().rect_stroke(rect.expand(2.0), 4.0, ring, StrokeKind::Inside);
        }
        let rests_on = view.fight.as_ref().map_or("", |fight| &*fight.rests_on);
        response.ctx.accesskit_node_builder(response.id, |node| node.set_description(say(rests_on)));
        let response = response.on_hover_ui(|ui| {
            ui.set_max_width(TIP_WIDTH);
            ui.label(say(&words));
            muted_text(ui, rests_on);
            small_label(ui, "Click: the page of odds");
        });
        out.extend(response.clicked().then_some(Command::ShowPage(RightPage::Odds)));
    });
}

fn rival_menu(ui: &mut Ui, state: &EditorState, doc: &Doc, name: &str, out: &mut Vec<Command>) {
    let menu = ui.scope(|ui| {
        ui.set_max_width(NAME_WIDTH);
        ui.set_min_width(NAME_WIDTH);
        let text = format!("against {name}");
        let text = cut_text(ui, &text, FontId::proportional(SMALL), ui.visuals().text_color(), 1);
        ui.menu_button(text, |ui| rivals(ui, state, doc, out))
    });
    with_accessible_name(menu.inner.response, &format!("Opponent in the headline: {name}"));
}

fn rivals(ui: &mut Ui, state: &EditorState, doc: &Doc, out: &mut Vec<Command>) {
    let own = doc.shown_ship().and_then(|ship| ship.points).unwrap_or_default();
    let mut choices = opponent_choices(state, doc, "");
    choices.sort_by_key(|choice| choice.points.map_or(u64::MAX, |points| points.abs_diff(own)));
    for choice in choices.into_iter().take(MAX_RIVALS) {
        let points = choice.points.map_or_else(String::new, |points| format!(", {points}"));
        if ui.button(say(format!("{}{points}", choice.name))).clicked() {
            out.push(Command::Odds(OddsCommand::SetOpponent(choice.opponent)));
            ui.close();
        }
    }
    ui.separator();
    if ui.button(say("No opponent here")).clicked() {
        out.push(Command::Odds(OddsCommand::Unpin));
        ui.close();
    }
}

/// `wins 58 %, loses 39 %, both out 3 %, neither after 40 turns 0.1 %`.
fn words(chances: &Chances) -> String {
    let [wins, losses] = [chances.wins, chances.losses].map(percent);
    format!("wins {wins}, loses {losses}, {}", neither(chances))
}

/// What is no win of either.
fn neither(chances: &Chances) -> String {
    let [both, open] = [chances.both_out, chances.open()].map(percent);
    let turns = plural(chances.turns, "turn");
    if open == percent(0.0) {
        format!("both out {both}")
    } else {
        format!("both out {both}, neither after {turns} {open}")
    }
}

/// On the page of odds, across it.
pub fn show_wide(ui: &mut Ui, chances: &Chances, is_current: bool) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT + 6.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, say(format!("Duel: {}", words(chances)))));
    paint(ui, rect, chances, is_current);
}

fn paint(ui: &Ui, rect: Rect, chances: &Chances, is_current: bool) {
    let colours = palette(ui);
    let fade = if is_current { 1.0 } else { 0.5 };
    let [own, neutral, rival] =
        [colours.accent, colours.muted, colours.rival].map(|colour| colour.gamma_multiply(fade));
    let (wins, losses) = (chances.wins, chances.losses);
    let (top, painter) = (rect.top(), ui.painter());
    let font = || FontId::new(SMALL, bold());
    // In a short bar the figures say by their places and colours whose they are.
    let says = |word: &str, part: f64| match rect.width() > WORDED {
        true => format!("{word} {}", percent(part)),
        false => percent(part),
    };
    painter.text(rect.left_top(), Align2::LEFT_TOP, say(says("wins", wins)), font(), own);
    painter.text(rect.right_top(), Align2::RIGHT_TOP, say(says("loses", losses)), font(), rival);
    let middle = pos2(rect.center().x, top);
    let between = if rect.width() > SPELT_OUT { neither(chances) } else { says("neither", 1.0 - wins - losses) };
    painter.text(middle, Align2::CENTER_TOP, say(between), FontId::proportional(SMALL), neutral);
    let bar = Rect::from_min_max(pos2(rect.left(), rect.bottom() - BAR), rect.max);
    let at = |part: f64| bar.left() + bar.width() * part as f32;
    let (first, second) = (at(wins), at(1.0 - losses));
    painter.rect_filled(Rect::from_x_y_ranges(bar.left()..=first, bar.y_range()), 0.0, own);
    let other = Rect::from_x_y_ranges(second..=bar.right(), bar.y_range());
    painter.rect_filled(other, 0.0, rival.gamma_multiply(0.25));
    let hatched = painter.with_clip_rect(other);
    let mut x = second - BAR;
    while x < bar.right() {
        hatched.line_segment([pos2(x, bar.bottom()), pos2(x + BAR, bar.top())], Stroke::new(2.0, rival));
        x += HATCH;
    }
    painter.rect_stroke(bar, 0.0, Stroke::new(1.0, neutral), StrokeKind::Inside);
}
