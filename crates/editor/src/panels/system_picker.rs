//! The list of systems for a mount: search, arrows and Enter, with the cost of each on this ship. Systems that the
//! mount cannot take come last, with the reason.

use std::sync::Arc;

use crate::fit_edits::{self, SystemOption};
use crate::language::{say, tell};
use crate::panels::design_view::DesignView;
use crate::panels::dragged::Dragged;
use crate::panels::system_sign::{SIGN_SIDE, SystemSign, paint_sign, sign_colour};
use crate::panels::{about, custom_systems};
use crate::theme::{SMALL, palette};
use crate::widgets::{amount_with_unit, capitalize, muted_text, select_all, small_label, with_accessible_name};
use crate::{Command, FormTarget, SystemPicker};
use egui::{
    Align, Align2, Button, FontId, Id, Key, Layout, Modifiers, Popup, PopupCloseBehavior, Rect, Response, RichText,
    ScrollArea, Sense, TextEdit, Ui, pos2, vec2,
};
use moldloft_rules::evaluate::{MountResult, system_search_text};
use moldloft_sheet::sheet::format_signed;

const POPUP_WIDTH: f32 = 380.0;
const ROW_HEIGHT: f32 = 26.0;

pub fn show(ship: &DesignView<'_>, button: &Response, open: &SystemPicker, out: &mut Vec<Command>) {
    let mut stays = true;
    Popup::from_response(button)
        .open_bool(&mut stays)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .accessible_name(say("Add a system"))
        .width(POPUP_WIDTH)
        .show(|ui| system_list(ui, ship, open, out));
    if !stays {
        out.push(Command::SystemPicker(None));
        // The sheet takes the focus back by itself.
        if ship.state.picker_on_sheet {
            return;
        }
        // Focus what was added, or return to the button.
        let mount = open.mount.as_deref().unwrap_or_default();
        let is_here = |fit: &u32| ship.evaluation.fits.iter().any(|one| one.index == *fit && *one.mount == *mount);
        match ship.doc.selected.last().copied().filter(is_here) {
            Some(fit) => out.push(Command::GoTo(FormTarget::Fit(fit))),
            None => button.request_focus(),
        }
    }
}

fn system_list(ui: &mut Ui, ship: &DesignView<'_>, open: &SystemPicker, out: &mut Vec<Command>) {
    ui.set_width(POPUP_WIDTH);
    let mount = open.mount.as_deref();
    let systems = fit_edits::available_systems(ship.evaluation);
    let named = |system: &SystemOption, wanted: &str| {
        wanted.is_empty()
            || system.name.to_lowercase().contains(wanted)
            || system.abbr.to_lowercase() == wanted
            || system.id.contains(wanted)
            || ship.evaluation.ruleset.systems[system.kind].tags.iter().any(|tag| tag.contains(wanted))
    };
    let is_named = |wanted: &str| systems.iter().any(|system| named(system, wanted));
    // Without a system of this name, what the tables and the glossary say counts.
    let suits = |system: &SystemOption, wanted: &str| {
        let all_words = || {
            let text = system_search_text(ship.evaluation, &system.id);
            wanted.split_whitespace().all(|word| text.contains(word))
        };
        named(system, wanted) || (!is_named(wanted) && all_words())
    };
    let is_any = |wanted: &str| systems.iter().any(|system| suits(system, wanted));
    let refusal = |system: &&SystemOption| mount.and_then(|mount| ship.evaluation.mount_refusal(&system.id, mount));
    let read = |part: &str| parse_search(&part.trim().to_lowercase(), is_named, is_any);
    // Of several, those before the last comma are settled; the list is about the last.
    let (settled, query) = open.query.rsplit_once(',').unwrap_or(("", &open.query));
    let settled: Vec<(&str, Option<(u32, &SystemOption)>)> = settled
        .split(',')
        .filter(|part| !part.trim().is_empty())
        .map(|part| {
            let (count, wanted) = read(part);
            let found = systems.iter().find(|system| suits(system, &wanted) && refusal(system).is_none());
            (part.trim(), found.map(|system| (count, system)))
        })
        .collect();
    let before: Vec<(Arc<str>, u32)> =
        settled.iter().filter_map(|(_, found)| found.map(|(many, system)| (system.id.clone(), many))).collect();
    let (count, wanted) = read(query);
    let all = systems.iter().filter(|system| suits(system, &wanted));
    let (free, refused): (Vec<_>, Vec<_>) =
        all.map(|system| (refusal(&system), system)).partition(|(refusal, _)| refusal.is_none());
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let last = free.len().saturating_sub(1);
    let mut line = open.highlighted.min(last);
    if pressed(Key::ArrowDown) {
        line = (line + 1).min(last);
    }
    if pressed(Key::ArrowUp) {
        line = line.saturating_sub(1);
    }
    let moved = line != open.highlighted.min(last);
    let enter = pressed(Key::Enter);
    let next = match (pressed(Key::PageDown), pressed(Key::PageUp)) {
        (true, _) => mount_beside(ship, mount, 1),
        (_, true) => mount_beside(ship, mount, -1),
        _ => None,
    };
    if let Some(mount) = mount {
        small_label(ui, format!("Add to {}", fit_edits::mount_label(ship.evaluation, mount)));
    }
    let mut typed = open.query.clone();
    let field_id = Id::unique(("search systems", ship.doc.id.0));
    let field =
        TextEdit::singleline(&mut typed).id(field_id).hint_text(say("search systems")).desired_width(f32::INFINITY);
    let search = with_accessible_name(ui.add(field.min_size(vec2(24.0, 28.0))), "search systems");
    if !search.has_focus() {
        search.request_focus();
    }
    if let Some(next) = next {
        out.push(Command::SystemPicker(Some(SystemPicker {
            mount: Some(next.id.to_string()),
            ..SystemPicker::default()
        })));
        out.push(Command::GoTo(FormTarget::Mount(next.id.to_string())));
    } else if typed != open.query || moved || count != open.count || before != open.before {
        let highlighted = if typed == open.query { line } else { 0 };
        let picker = SystemPicker { mount: open.mount.clone(), query: typed, count, before, highlighted };
        out.push(Command::SystemPicker(Some(picker)));
    }
    // Of one height whatever is found, so that the list never changes sides.
    let high = (ui.ctx().content_rect().height() * 0.5).min(330.0);
    ScrollArea::vertical().max_height(high).min_scrolled_height(high).auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 1.0;
        for (part, found) in &settled {
            match found {
                Some((count, system)) => {
                    let rules = &ship.evaluation.ruleset;
                    let name = fit_edits::counted_name(rules, system.kind, &say(&system.name), *count);
                    small_label(ui, tell("{1} and", &[&name]));
                }
                None => _ = ui.colored_label(palette(ui).error, say(no_match_message(part))),
            }
        }
        if free.is_empty() && refused.is_empty() {
            muted_text(ui, no_match_message(query));
            for kind in ship.evaluation.ruleset.systems.iter().filter(|system| system.is_abstract) {
                let label = format!("Define “{}” as a {}", query.trim(), kind.name);
                if ui.button(say(label)).clicked() {
                    let define = custom_systems::define(ui, ship, kind, Some(query.trim()), mount);
                    out.extend([define, Command::SystemPicker(None)]);
                }
            }
        }
        for (n, (_, system)) in free.iter().enumerate() {
            let response = system_row(ui, ship, system, (open, count), n == line);
            if n == line && moved {
                response.scroll_to_me(None);
            }
            if response.clicked() || (enter && n == line) {
                let found = settled.iter().map(|(_, found)| *found).chain([Some((count, *system))]);
                let found = found.map(|found| found.map(|(many, one)| (one.id.clone(), many)));
                let wanted = found.collect::<Option<Vec<_>>>().unwrap_or_default();
                out.extend(fit_edits::add_systems(ship.doc, &wanted, mount).map(Command::Edit));
                // What is typed next replaces the search; Enter adds the same once more.
                select_all(ui.ctx(), field_id, &open.query);
            }
        }
        if !refused.is_empty() {
            ui.add_space(6.0);
            small_label(ui, "Not allowed in this mount");
            for (why, system) in &refused {
                let why = why.clone().unwrap_or_default();
                ui.add_enabled_ui(false, |ui| {
                    let button = Button::new(capitalize(&say(&system.name))).frame_when_inactive(false).truncate();
                    let response = ui.add(button.right_text("").min_size(vec2(POPUP_WIDTH - 16.0, 24.0)));
                    with_accessible_name(response, &format!("{}: not here, {why}", system.name))
                        .on_disabled_hover_text(say(&why));
                });
                ui.add(egui::Label::new(RichText::new(say(&why)).size(SMALL).color(palette(ui).muted)).wrap());
            }
        }
    });
    let total = settled.iter().filter_map(|(_, found)| *found).fold(count, |sum, (many, _)| sum.saturating_add(many));
    let adds = if total == 1 { "one; “4 name, 2 name” adds several".to_owned() } else { total.to_string() };
    let next = mount_beside(ship, mount, 1).map_or_else(String::new, |next| format!(" · PgDn: {}", next.label));
    small_label(ui, format!("Enter adds {adds} · Esc closes{next}"));
}

/// The mount after or before one, in the ruleset's order and around the end; not on the sheet, which has an order of its own.
fn mount_beside<'a>(ship: &DesignView<'a>, mount: Option<&str>, step: isize) -> Option<&'a MountResult> {
    let mounts: Vec<&MountResult> = ship.evaluation.mounts.iter().filter(|mount| mount.applies).collect();
    let at = mounts.iter().position(|known| Some(&*known.id) == mount)?;
    let to = (at as isize + step).rem_euclid(mounts.len() as isize) as usize;
    mounts.get(to).copied().filter(|_| to != at && !ship.state.picker_on_sheet)
}

/// `4 beta`, `4x beta` and `beta 4` mean four. A name has precedence: `graser 2` may be one. What tables say has not, for many
/// have a 4.
pub(crate) fn parse_search(
    search: &str,
    is_named: impl Fn(&str) -> bool,
    is_any: impl Fn(&str) -> bool,
) -> (u32, String) {
    let count = |word: &str| word.trim_end_matches(['x', '×']).parse().ok().filter(|count| (1..=999).contains(count));
    if is_named(search) {
        return (1, search.to_owned());
    }
    let before = search.split_once(char::is_whitespace).map(|(first, rest)| (first, rest.trim()));
    let behind = search.rsplit_once(char::is_whitespace).map(|(rest, last)| (last, rest.trim()));
    let mut ways = [before, behind].into_iter().flatten().filter_map(|(word, rest)| Some((count(word)?, rest)));
    ways.find(|(_, rest)| is_any(rest)).map_or((1, search.to_owned()), |(count, rest)| (count, rest.to_owned()))
}

fn no_match_message(search: &str) -> String {
    format!("No system matches “{}”. Type part of its name, its letters, or a word of what it does.", search.trim())
}

fn system_row(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    system: &SystemOption,
    (open, count): (&SystemPicker, u32),
    is_next: bool,
) -> Response {
    let prices = &ship.state.system_costs;
    let known = (prices.is_of(ship.doc.id, open) && prices.count == count).then(|| prices.by_system.get(&system.id));
    let words: Vec<String> = match known.flatten() {
        Some(grown) => {
            let each = ship.measures.iter().zip(grown);
            each.map(|(measure, grown)| match grown {
                Some(grown) => amount_with_unit(&format_signed(*grown), &measure.label),
                None => format!("? {}", measure.label),
            })
            .collect()
        }
        None => vec!["…".to_owned()],
    };
    let shown = capitalize(&say(&system.name));
    let extracts = prices.extracts.get(&system.id).map_or(&[][..], Vec::as_slice);
    let figures = say(about::line_of_figures(extracts, &system.name));
    let shown = fit_edits::counted_name(&ship.evaluation.ruleset, system.kind, &shown, count);
    let words = say(words.join("   "));
    let words = if open.before.is_empty() { words } else { tell("in all {1}", &[&words]) };
    ui.with_layout(Layout::top_down(Align::Min), |ui| {
        let muted = palette(ui).muted;
        let price = RichText::new(&words).size(SMALL).color(muted);
        let height = if figures.is_empty() { ROW_HEIGHT } else { ROW_HEIGHT + 15.0 };
        let (row, _) = ui.allocate_exact_size(vec2(POPUP_WIDTH - 16.0, height), Sense::hover());
        // The name, the letters and the second line are painted over the button.
        let button = Button::selectable(is_next, "").right_text(price).truncate().min_size(row.size());
        let response = ui.put(row, button.sense(Sense::click_and_drag()));
        if response.drag_started() {
            response.dnd_set_drag_payload(Dragged::System { id: system.id.clone(), count });
        }
        let ink = ui.style().interact_selectable(&response, is_next).text_color();
        let name_at = pos2(row.left() + 33.0, row.top() + ROW_HEIGHT / 2.0);
        let font = egui::TextStyle::Button.resolve(ui.style());
        ui.painter().text(name_at, Align2::LEFT_CENTER, &shown, font, ink);
        let shape = ship.evaluation.ruleset.systems[system.kind].shape;
        let glyph_at = pos2(row.left() + 16.0, row.top() + ROW_HEIGHT / 2.0);
        let sign = SystemSign { letters: system.abbr.clone(), shape };
        let place = Rect::from_center_size(glyph_at, vec2(SIGN_SIDE, SIGN_SIDE));
        paint_sign(ui.painter(), palette(ui), &sign, place, sign_colour(ui, ship.evaluation, &system.id));
        if !figures.is_empty() {
            let at = pos2(row.left() + 33.0, row.bottom() - 3.0);
            ui.painter().text(at, Align2::LEFT_BOTTOM, &figures, FontId::proportional(SMALL), muted);
        }
        let name = fit_edits::counted_name(&ship.evaluation.ruleset, system.kind, &say(&system.name), count);
        let name = format!("add {name}, {words}");
        let response = with_accessible_name(response, &name);
        if !figures.is_empty() {
            response.ctx.accesskit_node_builder(response.id, |node| node.set_description(say(&*figures)));
        }
        response.on_hover_ui(|ui| about::show_system(ui, ship.evaluation, &system.id, extracts))
    })
    .inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_before_or_behind_a_name_says_how_many() {
        let is_any = |wanted: &str| ["beta node", "mark 2 gun"].iter().any(|name| name.contains(wanted));
        let meant = |search: &str| parse_search(search, is_any, |wanted| is_any(wanted) || wanted == "3 beta");
        assert_eq!(meant("4 beta"), (4, "beta".to_owned()));
        assert_eq!(meant("12x beta"), (12, "beta".to_owned()));
        assert_eq!(meant("beta 4"), (4, "beta".to_owned()));
        assert_eq!(meant("3 beta"), (3, "beta".to_owned()), "though its tables have a 3");
        assert_eq!(meant("mark 2"), (1, "mark 2".to_owned()), "that is its name");
        assert_eq!(meant("0 beta").0, 1);
        assert_eq!(meant("4 zeta"), (1, "4 zeta".to_owned()));
        assert_eq!(meant(""), (1, String::new()));
    }
}
