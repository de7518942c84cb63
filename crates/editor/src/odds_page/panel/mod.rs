//! The page of odds: what the ship's weapons do to another ship. Who is the stronger, the chart, the figures and what they rest on; opponent and
//! situation on the left, or below the chart in a narrow page.

mod chart;
mod controls;
mod details;
pub mod fight_bar;
pub mod file_dialog;
mod matrix;
mod parts;
mod tables;

use egui::{Button, FontFamily, FontId, Label, ScrollArea, Ui, UiBuilder, vec2};

use crate::icons::Icon;
use crate::language::say;
use crate::library_browser::LibraryCommand;
use crate::odds_page::model::{Chances, OddsContent, OddsView};
use crate::odds_page::{OddsAnswer, OddsCommand, current_answer};
use crate::theme::{BODY, TITLE, bold, palette};
use crate::widgets::{cut_text, finding_lines, muted_label, muted_text, with_accessible_name};
use crate::{Command, Doc, EditorState, RightPage};
use moldloft_odds::odds::{Verdict, verdict};
use moldloft_rules::evaluate::Evaluation;

/// From this width on, in points, the situation is beside the chart.
const WIDE: f32 = 980.0;
const CONTROLS_WIDTH: f32 = 250.0;
/// In points; the overlay at the foot of the page must not hide the last rows for good.
const FOOT_MARGIN: f32 = 72.0;

/// The buttons that choose between sheet and odds.
pub fn page_switch(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    for (page, icon, label, name) in [
        (RightPage::Sheet, Icon::Sheet, "Sheet", "Show the sheet"),
        (RightPage::Odds, Icon::Odds, "Odds", "Show the odds"),
    ] {
        let button = ui.add(Button::selectable(state.settings.page == page, (icon.text(), say(label))));
        out.extend(with_accessible_name(button, name).clicked().then(|| Command::ShowPage(page)));
    }
}

/// Below its controls. `is_low`: the window is.
pub fn show(ui: &mut Ui, state: &EditorState, is_low: bool, out: &mut Vec<Command>) {
    let Some((doc, view)) = state.current_doc().and_then(|doc| Some((doc, state.odds.view(doc.id)?))) else { return };
    let Some(ship) = doc.shown_ship() else {
        let words = match doc.as_fleet().is_some_and(|fleet| fleet.fleet().ships.is_empty()) {
            true => "Select a ship to work out its odds.",
            false => "No odds: this ship cannot be checked yet. See the findings.",
        };
        muted_text(ui, words);
        return;
    };
    let rules = &ship.ruleset;
    if rules.attack_rules.attacks.is_empty() {
        muted_text(ui, format!("No odds: the rules of {} do not say how attacks are resolved.", rules.base.title));
        muted_text(ui, "A ruleset or a house layer declares that with [[attack]] (docs/rulesets/attacks.md).");
        return;
    }
    if state.library.needs_scan() {
        out.push(Command::Library(LibraryCommand::Scan));
    }
    // Faded edges would make the chart look as if it were printed paler.
    ui.spacing_mut().scroll.fade.strength = 0.0;
    if ui.available_width() < WIDE {
        ScrollArea::vertical().id_salt(("odds", doc.id)).auto_shrink(false).show(ui, |ui| {
            // Room for the scroll bar.
            ui.set_max_width((ui.available_width() - 8.0).max(0.0));
            content(ui, state, doc, view, is_low, out);
            controls::show(ui, state, doc, view, ship, true, out);
            ui.separator();
            figures(ui, doc, view, ship, out);
        });
        return;
    }
    let room = ui.available_rect_before_wrap();
    let (mut left, mut right) = (room, room);
    left.max.x = room.left() + CONTROLS_WIDTH;
    right.min.x = left.max.x + 12.0;
    ui.scope_builder(UiBuilder::new().max_rect(left).id_salt("controls"), |ui| {
        ScrollArea::vertical().id_salt(("situation", doc.id)).auto_shrink(false).show(ui, |ui| {
            ui.set_max_width((ui.available_width() - 10.0).max(0.0));
            controls::show(ui, state, doc, view, ship, false, out);
            ui.add_space(FOOT_MARGIN);
        });
    });
    ui.painter().vline(left.max.x + 4.0, room.y_range(), egui::Stroke::new(1.0, palette(ui).line));
    ui.scope_builder(UiBuilder::new().max_rect(right).id_salt("answer"), |ui| {
        ScrollArea::vertical().id_salt(("odds", doc.id)).auto_shrink(false).show(ui, |ui| {
            ui.set_max_width((ui.available_width() - 8.0).max(0.0));
            content(ui, state, doc, view, is_low, out);
            figures(ui, doc, view, ship, out);
        });
    });
}

/// `has_switch`: with the buttons that choose between sheet and odds.
pub fn show_bar(ui: &mut Ui, state: &EditorState, has_switch: bool, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if has_switch {
            page_switch(ui, state, out);
            ui.add_space(8.0);
        }
        actions(ui, state, out);
    });
}

/// All of it in one menu, for a row that has other things too.
pub fn show_menu(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let menu = ui.menu_button(say("More"), |ui| actions(ui, state, out));
    with_accessible_name(menu.response, "What can be done with the odds");
}

fn actions(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(view) = state.current_doc().and_then(|doc| state.odds.view(doc.id)) else { return };
    let has_answer = current_answer(state).is_some();
    for (label, name, command) in [
        ("Copy", "Copy the odds as text", OddsCommand::Copy),
        ("Save or print…", "Save or print the odds…", OddsCommand::OpenFileDialog),
    ] {
        let button = with_accessible_name(ui.add_enabled(has_answer, Button::new(say(label))), name);
        out.extend(button.clicked().then_some(Command::Odds(command)));
    }
    // Always there, so that nothing moves when work begins and ends.
    if view.is_cancelled() {
        let resume = with_accessible_name(ui.button(say("Resume")), "Work out the odds");
        out.extend(resume.clicked().then(|| Command::Odds(OddsCommand::Resume)));
        muted_label(ui, "Cancelled");
    } else {
        let is_working = state.odds.is_working() && !view.is_current;
        let cancel = ui.add_enabled(is_working, Button::new(say("Cancel")));
        if with_accessible_name(cancel, "Cancel working out the odds").clicked() {
            out.push(Command::Odds(OddsCommand::Cancel));
        }
        if is_working {
            muted_label(ui, "Working out…");
        }
    }
}

/// Who is the stronger, and the chart.
fn content(ui: &mut Ui, state: &EditorState, doc: &Doc, view: &OddsView, is_low: bool, out: &mut Vec<Command>) {
    chart::report_viewport(ui, state, doc, out);
    let Some(answer) = &view.answer else {
        muted_label(ui, if view.is_cancelled() { "Nothing is worked out." } else { "Working out…" });
        return;
    };
    findings(ui, answer);
    verdict_lines(ui, answer, if is_low { 1 } else { 2 });
    if let Some(chances) = answer.pair().and_then(|odds| odds.duel.as_ref()).and_then(Chances::of) {
        fight_bar::show_wide(ui, &chances, view.is_current);
        ui.add_space(4.0);
    }
    chart::show(ui, doc, view, answer, out);
}

fn figures(ui: &mut Ui, doc: &Doc, view: &OddsView, ship: &Evaluation, out: &mut Vec<Command>) {
    let Some(answer) = &view.answer else { return };
    details::show(ui, view, answer, out);
    if !view.is_current {
        ui.multiply_opacity(0.55);
    }
    match &answer.content {
        OddsContent::Pair(odds) => {
            match &answer.compared {
                Some(Ok(other)) => tables::comparison_table(ui, doc, odds, other),
                Some(Err(finding)) => finding_lines(ui, finding, ""),
                None => {}
            }
            tables::show(ui, doc, view, odds, ship, out);
        }
        OddsContent::Matrix(found) => matrix::show(ui, found),
        OddsContent::Refused(_) => {}
    }
    ui.add_space(FOOT_MARGIN);
}

/// Who is the stronger and where, with room for some lines each, so that the chart keeps its place.
fn verdict_lines(ui: &mut Ui, answer: &OddsAnswer, lines: usize) {
    let Some(Verdict { who, place }) = answer.pair().and_then(verdict) else { return };
    let colours = palette(ui);
    for (text, size, family, colour) in
        [(who, TITLE, bold(), ui.visuals().text_color()), (place, BODY, FontFamily::Proportional, colours.muted)]
    {
        let galley = cut_text(ui, &text, FontId::new(size, family), colour, lines);
        let line = ui.fonts_mut(|fonts| fonts.row_height(&FontId::proportional(size)));
        let room = vec2(ui.available_width(), lines as f32 * line);
        ui.allocate_ui(room, |ui| {
            ui.set_min_size(room);
            if !text.is_empty() {
                ui.add(Label::new(galley)).on_hover_text(say(text));
            }
        });
    }
}

fn findings(ui: &mut Ui, answer: &OddsAnswer) {
    const MAX_SHOWN: usize = 4;
    answer.findings().iter().take(MAX_SHOWN).for_each(|finding| finding_lines(ui, finding, ""));
    let left = answer.findings().len().saturating_sub(MAX_SHOWN);
    if left > 0 {
        muted_label(ui, format!("and {left} more"));
    }
}
