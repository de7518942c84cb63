//! What is behind a bar or a step that was clicked: its numbers, and the formulas of the attack.

use egui::{Button, Label, RichText, Ui};

use crate::Command;
use crate::language::say;
use crate::odds_page::model::OddsView;
use crate::odds_page::{OddsAnswer, OddsCommand, OddsSelection};
use crate::theme::{bold, palette};
use crate::widgets::{
    capitalize, card_frame, muted_quote, muted_text, named_button, text_button, with_accessible_name,
};
use moldloft_library::chart::chance_bars;
use moldloft_odds::odds::words::{gauge_label, percent};
use moldloft_odds::odds::{Bearing, Odds};
use moldloft_rules::evaluate::{Explanation, Provenance};

pub fn show(ui: &mut Ui, view: &OddsView, answer: &OddsAnswer, out: &mut Vec<Command>) {
    let Some((selection, odds)) = view.selection.zip(answer.pair()) else { return };
    ui.add_space(6.0);
    card_frame(ui).show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 2.0;
        match selection {
            OddsSelection::Bar(place) => bar(ui, odds, place, out),
            OddsSelection::Attack(place) => attack(ui, odds, place, &view.details, out),
        }
    });
}

fn title(ui: &mut Ui, text: &str, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(say(text)).family(bold()));
        if named_button(ui, "Close", "Close the explanation") {
            out.push(Command::Odds(OddsCommand::Select(None)));
        }
    });
}

fn bar(ui: &mut Ui, odds: &Odds, place: usize, out: &mut Vec<Command>) {
    let gauge = odds.headline_of(&odds.all);
    let Some(bar) = gauge.and_then(|gauge| chance_bars(gauge).into_iter().nth(place)) else {
        title(ui, "This is not in the chart any more.", out);
        return;
    };
    title(ui, &format!("{}: {} lost", capitalize(&say(gauge_label(odds))), bar.name), out);
    ui.add(Label::new(say(format!("exactly this: {}", percent(bar.chance)))).wrap());
    ui.add(Label::new(say(format!("as much or more: {}", percent(bar.or_more)))).wrap());
    ui.add(Label::new(say(format!("less: {}", percent(1.0 - bar.or_more)))).wrap());
    ui.horizontal_wrapped(|ui| {
        ui.label(say("It comes from all that bears. Formulas:"));
        for (place, attack) in odds.attacks.iter().enumerate().filter(|(_, one)| one.bearing == Bearing::Fires) {
            attack_link(ui, place, attack.title(), out);
        }
    });
}

fn attack_link(ui: &mut Ui, place: usize, name: &str, out: &mut Vec<Command>) {
    let text = RichText::new(say(name)).color(palette(ui).accent);
    let button = text_button(ui, Button::new(text));
    if with_accessible_name(button, &format!("Explain {name}")).clicked() {
        out.push(Command::Odds(OddsCommand::Select(Some(OddsSelection::Attack(place)))));
    }
}

fn attack(ui: &mut Ui, odds: &Odds, place: usize, lines: &[Explanation], out: &mut Vec<Command>) {
    let Some(attack) = odds.attacks.get(place) else {
        title(ui, "This attack is not in the answer any more.", out);
        return;
    };
    let result = lines.first().map_or("", |line| &*line.result);
    title(ui, &format!("{}: {result}", capitalize(&say(attack.title()))), out);
    for line in lines.iter().skip(1) {
        explanation_line(ui, line);
    }
    if let Some(line) = lines.first() {
        source_line(ui, line);
    }
}

fn explanation_line(ui: &mut Ui, line: &Explanation) {
    ui.horizontal_wrapped(|ui| {
        ui.add_space(14.0 * line.depth.saturating_sub(1).min(8) as f32);
        let is_step = line.formula.is_empty() && line.result.is_empty();
        let name = RichText::new(say(&*line.name));
        ui.label(if is_step { name.family(bold()) } else { name });
        if !line.formula.is_empty() {
            ui.add(Label::new(RichText::new(format!("= {}", line.formula)).color(palette(ui).muted)).wrap());
        }
        if !line.result.is_empty() {
            ui.label(RichText::new(say(format!("= {}", line.result))).family(bold()));
        }
    });
}

fn source_line(ui: &mut Ui, line: &Explanation) {
    if !line.rule.is_empty() {
        muted_quote(ui, format!("{}: {}", say("rule"), line.rule));
    }
    if let Some(note) = line.note.as_ref().filter(|_| line.provenance == Provenance::Assumed) {
        muted_text(ui, format!("assumed: {note}"));
    }
}
