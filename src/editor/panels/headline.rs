//! What the design comes to, always in sight: points, the values the ruleset calls its headlines, every budget with what is left of it.

use egui::{Button, Label, RichText, Ui, vec2};

use super::ship::Ship;
use crate::editor::theme::{bold, palette};
use crate::editor::widgets::{named, small};
use crate::editor::{Command, Inspector, State};
use crate::evaluate::ValueResult;
use crate::formula::Value;
use crate::sheet::shown;

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(ship) = Ship::of(state) else { return };
    let values = &ship.evaluation.values;
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(22.0, 4.0);
        if let Some(points) = ship.evaluation.points
            && !values.iter().any(|value| *value.id == *"points")
        {
            block(ui, "points", &points.to_string(), None, out);
        }
        // Points first, then as the ruleset orders them.
        let (first, rest): (Vec<_>, Vec<_>) =
            values.iter().filter(|value| value.headline || value.limit.is_some()).partition(|v| &*v.id == "points");
        for value in first.into_iter().chain(rest) {
            block(ui, &value.label, &shown(&value.value), budget(value), out);
        }
    });
    ui.add_space(2.0);
}

/// What is left of a budget, and whether it is over.
fn budget(value: &ValueResult) -> Option<(String, bool)> {
    let (Value::Int(spent), Some(limit)) = (&value.value, value.limit) else { return None };
    let left = limit.saturating_sub(*spent);
    Some(if left < 0 {
        (format!("{} over {limit}", left.unsigned_abs()), true)
    } else {
        (format!("of {limit} · {left} left"), false)
    })
}

fn block(ui: &mut Ui, label: &str, shown: &str, below: Option<(String, bool)>, out: &mut Vec<Command>) {
    let palette = palette(ui);
    let over = below.as_ref().is_some_and(|(_, over)| *over);
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 0.0);
        small(ui, label.to_uppercase());
        let colour = if over { palette.error } else { ui.visuals().text_color() };
        let size = if shown.chars().count() > 14 { 17.0 } else { 24.0 };
        let number = RichText::new(shown).size(size).family(bold()).color(colour);
        ui.spacing_mut().button_padding = vec2(0.0, 0.0);
        let button = ui.add(Button::new(number).frame(false).min_size(vec2(24.0, 28.0)));
        let said = match &below {
            Some((words, _)) => format!("{label}: {shown}, {words}"),
            None => format!("{label}: {shown}"),
        };
        if named(button, &said).on_hover_text("Where this comes from").clicked() {
            out.push(Command::Inspect(Inspector::Explain));
        }
        if let Some((words, over)) = below {
            let (words, colour) = if over { (format!("! {words}"), palette.error) } else { (words, palette.quiet) };
            ui.add(Label::new(RichText::new(words).size(12.5).color(colour)));
        }
    });
}
