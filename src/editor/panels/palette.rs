//! The list of systems for a mount: search by typing, arrows and Enter, each with what it would come to on this ship; what the mount may
//! not take stands below, greyed, with the reason.

use egui::{
    Align, Button, Key, Layout, Modifiers, Popup, PopupCloseBehavior, Response, RichText, ScrollArea, TextEdit, Ui,
    vec2,
};

use super::mounts::capital;
use super::ship::Ship;
use crate::editor::fits::{self, Choice};
use crate::editor::inspect::signed;
use crate::editor::theme::palette;
use crate::editor::widgets::{amount, named, small};
use crate::editor::{Command, Palette, Place};

const WIDE: f32 = 340.0;

/// Shows it below its button.
pub fn show(ship: &Ship<'_>, button: &Response, open: &Palette, out: &mut Vec<Command>) {
    let mut stays = true;
    Popup::from_response(button)
        .open_bool(&mut stays)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .accessible_name("Add a system")
        .width(WIDE)
        .show(|ui| list(ui, ship, open, out));
    if !stays {
        out.push(Command::Palette(None));
        // On to what was added, or back to where the player came from.
        let mount = open.mount.as_deref().unwrap_or_default();
        let is_here = |fit: &u32| ship.evaluation.fits.iter().any(|one| one.index == *fit && *one.mount == *mount);
        match ship.doc.selected.last().copied().filter(is_here) {
            Some(fit) => out.push(Command::GoTo(Place::Fit(fit))),
            None => button.request_focus(),
        }
    }
}

fn list(ui: &mut Ui, ship: &Ship<'_>, open: &Palette, out: &mut Vec<Command>) {
    ui.set_width(WIDE);
    let mount = open.mount.as_deref();
    let systems = fits::systems(ship.evaluation);
    let suits = |system: &Choice, wanted: &str| {
        wanted.is_empty()
            || system.name.to_lowercase().contains(wanted)
            || system.abbr.to_lowercase() == wanted
            || system.id.contains(wanted)
            || ship.evaluation.ruleset.systems[system.kind].tags.iter().any(|tag| tag.contains(wanted))
    };
    let is_any = |wanted: &str| systems.iter().any(|system| suits(system, wanted));
    let (count, wanted) = meant(&open.search.trim().to_lowercase(), is_any);
    let all = systems.iter().filter(|system| suits(system, &wanted));
    let refusal = |system: &&Choice| mount.and_then(|mount| ship.evaluation.refusal(&system.id, mount));
    let (free, refused): (Vec<_>, Vec<_>) =
        all.map(|system| (refusal(&system), system)).partition(|(refusal, _)| refusal.is_none());
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let last = free.len().saturating_sub(1);
    let mut line = open.line.min(last);
    if pressed(Key::ArrowDown) {
        line = (line + 1).min(last);
    }
    if pressed(Key::ArrowUp) {
        line = line.saturating_sub(1);
    }
    let moved = line != open.line.min(last);
    let enter = pressed(Key::Enter);
    let mut typed = open.search.clone();
    let field = TextEdit::singleline(&mut typed).hint_text("search systems").desired_width(f32::INFINITY);
    let search = named(ui.add(field.min_size(vec2(24.0, 28.0))), "search systems");
    if !search.has_focus() {
        search.request_focus();
    }
    if typed != open.search || moved {
        let line = if typed == open.search { line } else { 0 };
        out.push(Command::Palette(Some(Palette { mount: open.mount.clone(), search: typed, line })));
    }
    ScrollArea::vertical().max_height(330.0).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        if free.is_empty() && refused.is_empty() {
            ui.add(egui::Label::new(RichText::new(nothing(&open.search)).color(palette(ui).quiet)).wrap());
        }
        for (n, (_, system)) in free.iter().enumerate() {
            let response = entry(ui, ship, system, mount, count, n == line);
            if n == line && moved {
                response.scroll_to_me(None);
            }
            if response.clicked() || (enter && n == line) {
                out.extend(fits::add(ship.doc, &system.id, mount, count).map(Command::Edit));
            }
        }
        if !refused.is_empty() {
            ui.add_space(6.0);
            small(ui, "Not allowed in this mount");
            for (why, system) in &refused {
                let why = why.clone().unwrap_or_default();
                ui.add_enabled_ui(false, |ui| {
                    let button = Button::new(capital(&system.name)).frame_when_inactive(false).truncate();
                    let response = ui.add(button.right_text("").min_size(vec2(WIDE - 16.0, 24.0)));
                    named(response, &format!("{}: not here, {why}", system.name)).on_disabled_hover_text(&why);
                });
                ui.add(egui::Label::new(RichText::new(&why).size(12.0).color(palette(ui).quiet)).wrap());
            }
        }
    });
    let adds = if count == 1 { "one; “4 name” adds four".to_owned() } else { count.to_string() };
    small(ui, format!("Enter adds {adds} · Esc closes"));
}

/// How many of what are meant: `4 beta`, `4x beta`, `beta 4`. What a system is called in full goes before: `graser 2` may be a name.
fn meant(search: &str, is_any: impl Fn(&str) -> bool) -> (u32, String) {
    let count = |word: &str| word.trim_end_matches(['x', '×']).parse().ok().filter(|count| (1..=999).contains(count));
    if is_any(search) {
        return (1, search.to_owned());
    }
    let before = search.split_once(char::is_whitespace).map(|(first, rest)| (first, rest.trim()));
    let behind = search.rsplit_once(char::is_whitespace).map(|(rest, last)| (last, rest.trim()));
    let mut ways = [before, behind].into_iter().flatten().filter_map(|(word, rest)| Some((count(word)?, rest)));
    ways.find(|(_, rest)| is_any(rest)).map_or((1, search.to_owned()), |(count, rest)| (count, rest.to_owned()))
}

/// That nothing is found, and what to type instead.
fn nothing(search: &str) -> String {
    format!("No system matches “{}”. Type part of its name, or the letters in its box.", search.trim())
}

/// A system that can be added, with what it would come to.
fn entry(ui: &mut Ui, ship: &Ship<'_>, system: &Choice, mount: Option<&str>, count: u32, is_next: bool) -> Response {
    let prices = &ship.state.prices;
    let known =
        (prices.doc == Some(ship.doc.id) && prices.mount.as_deref() == mount).then(|| prices.of.get(&system.id));
    let words: Vec<String> = match known.flatten() {
        Some(grown) => {
            let each = ship.measures.iter().zip(grown);
            each.map(|(measure, grown)| match grown {
                Some(grown) => amount(&signed(*grown), &measure.label),
                None => format!("? {}", measure.label),
            })
            .collect()
        }
        None => vec!["…".to_owned()],
    };
    let name = capital(&system.name);
    let shown = if system.abbr.is_empty() { name } else { format!("{name}  ·  {}", system.abbr) };
    let (each, many) = if count == 1 { ("", String::new()) } else { ("each ", format!("{count} × ")) };
    let shown = format!("{many}{shown}");
    let words = format!("{each}{}", words.join("   "));
    ui.with_layout(Layout::top_down(Align::Min), |ui| {
        let price = RichText::new(&words).size(13.0).color(palette(ui).quiet);
        let button = Button::selectable(is_next, shown).right_text(price).truncate();
        let response = ui.add(button.min_size(vec2(WIDE - 16.0, 26.0)));
        named(response, &format!("add {many}{}, {}", system.name, words))
    })
    .inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_before_or_behind_a_name_says_how_many() {
        let is_any = |wanted: &str| ["beta node", "mark 2 gun"].iter().any(|name| name.contains(wanted));
        let meant = |search: &str| meant(search, is_any);
        assert_eq!(meant("4 beta"), (4, "beta".to_owned()));
        assert_eq!(meant("12x beta"), (12, "beta".to_owned()));
        assert_eq!(meant("beta 4"), (4, "beta".to_owned()));
        assert_eq!(meant("mark 2"), (1, "mark 2".to_owned()), "that is its name");
        assert_eq!(meant("0 beta").0, 1);
        assert_eq!(meant("4 zeta"), (1, "4 zeta".to_owned()));
        assert_eq!(meant(""), (1, String::new()));
    }
}
