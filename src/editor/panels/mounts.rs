//! The form's lower part: what stands aboard, mount by mount, laid out like the ship seen from above, bow up.

use std::sync::Arc;

use egui::{Button, DragAndDrop, Margin, Pos2, Rect, RichText, Role, Ui, UiBuilder, pos2, vec2};

use super::ship::Ship;
use super::{fit, palette, stray};
use crate::design::Subject;
use crate::editor::fits;
use crate::editor::inputs::{HIT, sign};
use crate::editor::layout::{Row, Side, arrange};
use crate::editor::theme::{self, bold};
use crate::editor::widgets::{card, heading, named, quiet, small};
use crate::editor::{Command, Notice, Palette, Place, State};
use crate::evaluate::MountResult;

/// The least width of a card beside others.
const LEAST: f32 = 236.0;
const GAP: f32 = 8.0;

/// Fits on their way to another place.
#[derive(Debug)]
pub struct Dragged(pub Vec<u32>);

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(mut ship) = Ship::of(state) else { return };
    let rules = ship.evaluation.ruleset.clone();
    if rules.systems.iter().all(|system| system.is_abstract) && ship.judged.design.fits.is_empty() {
        return;
    }
    ui.style_mut().interaction.selectable_labels = false;
    ui.add_space(6.0);
    let shown = |mount: &MountResult| mount.applies || !mount.fits.is_empty();
    let mounts: Vec<(usize, Option<(i8, i8)>)> = ship
        .evaluation
        .mounts
        .iter()
        .enumerate()
        .filter(|(_, mount)| shown(mount))
        .map(|(n, _)| (n, rules.mounts.get(n).and_then(|mount| mount.plan)))
        .collect();
    let width = ui.available_width();
    let columns = (((width + GAP) / (LEAST + GAP)).floor() as usize).clamp(1, 4);
    ui.horizontal(|ui| {
        heading(ui, "SYSTEMS");
        if ship.judged.design.fits.is_empty() {
            let where_ = if rules.mounts.is_empty() { "" } else { " to a mount" };
            quiet(ui, format!("Add a system{where_} to start."));
        } else {
            captions(ui, &ship, if columns == 1 { width } else { (width - GAP) / 2.0 });
        }
    });
    let rows = arrange(&mounts, columns);
    ship.order = order(&ship, &rows);
    for (n, row) in rows.iter().enumerate() {
        band(ui, &ship, n, row, columns, out);
        ui.add_space(GAP - ui.spacing().item_spacing.y);
    }
    if rules.mounts.is_empty() {
        plain(ui, &ship, out);
    }
    stray::show(ui, &ship, out);
}

/// The fits as they stand in the form.
fn order(ship: &Ship<'_>, rows: &[Row]) -> Vec<u32> {
    let mounts = rows.iter().flat_map(|row| &row.cards).filter_map(|mount| ship.evaluation.mounts.get(*mount));
    let mut fits: Vec<u32> =
        mounts.flat_map(|mount| &mount.fits).filter_map(|fit| Some(ship.evaluation.fits.get(*fit)?.index)).collect();
    fits.extend(
        ship.judged.design.fits.iter().map(|fit| fit.index).filter(|fit| !fits.contains(fit)).collect::<Vec<_>>(),
    );
    fits
}

/// Cards beside one another, as high as the highest.
fn band(ui: &mut Ui, ship: &Ship<'_>, n: usize, row: &Row, columns: usize, out: &mut Vec<Command>) {
    let all = ui.available_rect_before_wrap();
    let many = if columns == 1 { 1 } else { row.cards.len().max(2) };
    let width = ((all.width() - GAP * (many - 1) as f32) / many as f32).floor();
    let left = match (row.cards.len(), row.side) {
        (1, Side::Middle) => ((all.width() - width) / 2.0).floor(),
        (1, Side::Starboard) => all.width() - width,
        _ => 0.0,
    };
    let key = egui::Id::unique(("band", ship.doc.id.0, n, columns));
    let before: f32 = ui.data(|data| data.get_temp(key)).unwrap_or_default();
    let (mut high, mut bottom) = (0.0_f32, all.top());
    for (place, mount) in row.cards.iter().enumerate() {
        let Some(mount) = ship.evaluation.mounts.get(*mount) else { continue };
        let at = pos2(all.left() + left + (width + GAP) * place as f32, all.top());
        let rect = Rect::from_min_size(at, vec2(width, f32::INFINITY));
        let builder = UiBuilder::new()
            .max_rect(rect)
            .id_salt(("mount", &*mount.id))
            .accessibility_role(Role::Group)
            .accessibility_label(&*mount.label);
        let shown = ui.scope_builder(builder, |ui| one(ui, ship, mount, before, out));
        high = high.max(shown.inner);
        bottom = bottom.max(shown.response.rect.bottom());
    }
    if (high - before).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(key, high));
        ui.request_repaint();
    }
    let used = Rect::from_min_max(all.min, pos2(all.right(), bottom));
    ui.expand_to_include_rect(used);
    ui.advance_cursor_after_rect(used);
}

/// The card of a mount; gives how high its content is.
fn one(ui: &mut Ui, ship: &Ship<'_>, mount: &MountResult, least: f32, out: &mut Vec<Command>) -> f32 {
    let mut rows: Vec<(u32, Rect)> = Vec::new();
    let frame = card(ui).inner_margin(Margin { left: 6, right: 10, top: 8, bottom: 8 });
    let margin = frame.inner_margin.sum().y + 2.0;
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        head(ui, ship, mount, out);
        for index in &mount.fits {
            let Some(result) = ship.evaluation.fits.get(*index) else { continue };
            rows.push((result.index, fit::show(ui, ship, result, out)));
        }
        let high = ui.min_rect().height() + margin;
        ui.expand_to_include_y(ui.min_rect().top() + least - margin);
        high
    });
    let rect = shown.response.rect;
    if ship.is_wanted(&Place::Mount(mount.id.to_string())) {
        ui.scroll_to_rect(rect, Some(egui::Align::Center));
    }
    dropped(ui, ship, mount, rect, &rows, out);
    shown.inner
}

/// What the numbers at the right of the rows are.
fn captions(ui: &mut Ui, ship: &Ship<'_>, card: f32) {
    let shown: Vec<&str> = ship.measures_shown(fit::is_wide(card - 18.0)).map(|measure| &*measure.label).collect();
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| small(ui, shown.join(" · ")));
}

fn head(ui: &mut Ui, ship: &Ship<'_>, mount: &MountResult, out: &mut Vec<Command>) {
    let rules = &ship.evaluation.ruleset;
    ui.horizontal(|ui| {
        let is_chosen = ship.doc.mount.as_ref() == Some(&mount.id);
        let name = Button::selectable(is_chosen, RichText::new(capital(&mount.label)).family(bold()));
        ui.spacing_mut().button_padding.x = 4.0;
        let name = ui.add(name.min_size(vec2(HIT, HIT))).on_hover_text("Select it: new and pasted systems go here");
        if name.clicked() {
            out.push(Command::ChooseMount(mount.id.clone()));
        }
        let found = ship.found(|subject| matches!(subject, Subject::Mount(id) if *id == mount.id));
        sign(ui, &found, out);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            add(ui, ship, Some(&mount.id), &mount.label, mount.applies, out);
            if let Some(other) = fits::mirror_of(rules, &mount.id).and_then(|n| rules.mounts.get(n)) {
                more(ui, ship, mount, &other.label, out);
            }
        });
    });
    if !mount.applies {
        small(ui, "Does not apply to this ship: move or remove these systems.");
    }
}

/// The button that opens the list of systems, and the list.
fn add(ui: &mut Ui, ship: &Ship<'_>, mount: Option<&Arc<str>>, label: &str, can: bool, out: &mut Vec<Command>) {
    let colour = theme::palette(ui).accent;
    let text = RichText::new("+ Add").color(if can { colour } else { theme::palette(ui).quiet });
    let button = ui.add_enabled(can, Button::new(text).frame_when_inactive(false).min_size(vec2(HIT, HIT)));
    let said = if label.is_empty() { "Add a system".to_owned() } else { format!("Add to {label}") };
    let button = named(button, &said);
    let mount = mount.map(ToString::to_string);
    if ship.is_wanted(&Place::Mount(mount.clone().unwrap_or_default())) {
        button.request_focus();
        out.push(Command::Arrived);
    }
    match &ship.state.palette {
        Some(open) if open.mount == mount => palette::show(ship, &button, open, out),
        _ if button.clicked() => {
            let palette = Palette { mount, ..Palette::default() };
            out.push(Command::Palette(Some(palette)));
        }
        _ => {}
    }
}

/// The menu of a mount that has a counterpart.
fn more(ui: &mut Ui, ship: &Ship<'_>, mount: &MountResult, other: &str, out: &mut Vec<Command>) {
    let button = Button::new("…").frame_when_inactive(false).min_size(vec2(HIT, HIT));
    let (response, _) = egui::containers::menu::MenuButton::from_button(button).ui(ui, |ui| {
        let edit = fits::mirror_mount(ship.doc, &mount.id);
        let text = format!("Make {other} like {}", mount.label);
        if ui.add_enabled(edit.is_some(), Button::new(text)).clicked() {
            out.extend(edit.map(Command::Edit));
        }
    });
    named(response, &format!("More actions for {}", mount.label));
}

/// The one card of a game without mounts.
fn plain(ui: &mut Ui, ship: &Ship<'_>, out: &mut Vec<Command>) {
    card(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.label(RichText::new("Systems").family(bold()));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| add(ui, ship, None, "", true, out));
        });
        for result in &ship.evaluation.fits {
            fit::show(ui, ship, result, out);
        }
    });
}

/// What is dragged over a card: a line where it would go, or why it may not.
fn dropped(ui: &Ui, ship: &Ship<'_>, mount: &MountResult, rect: Rect, rows: &[(u32, Rect)], out: &mut Vec<Command>) {
    let Some(dragged) = DragAndDrop::payload::<Dragged>(ui) else { return };
    let Some(at) = ui.input(|input| input.pointer.interact_pos()).filter(|at| rect.contains(*at)) else { return };
    let released = ui.input(|input| input.pointer.any_released());
    let refused = refused(ship, &dragged.0, mount);
    let palette = theme::palette(ui);
    let before = rows.iter().find(|(_, row)| at.y < row.center().y);
    if let Some(why) = &refused {
        ui.painter().rect_stroke(rect, 4, egui::Stroke::new(2.0, palette.error), egui::StrokeKind::Inside);
        if !released {
            egui::Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), egui::Id::unique("refused"), at_pointer(at))
                .show(|ui| ui.colored_label(palette.error, why));
        }
    } else {
        ui.painter().rect_stroke(rect, 4, egui::Stroke::new(2.0, palette.accent), egui::StrokeKind::Inside);
        let y = before.map(|(_, row)| row.top() - 2.0).or(rows.last().map(|(_, row)| row.bottom() + 1.0));
        if let Some(y) = y {
            ui.painter().hline(rect.x_range().shrink(8.0), y, egui::Stroke::new(2.0, palette.accent));
        }
    }
    if released {
        DragAndDrop::clear_payload(ui);
        match refused {
            Some(why) => out.push(Command::Notice(Notice::info(format!("Not moved: {why}")))),
            None => {
                let edit = fits::move_to(ship.doc, &dragged.0, &mount.id, before.map(|(fit, _)| *fit));
                out.extend(edit.map(Command::Edit));
            }
        }
    }
}

fn at_pointer(at: Pos2) -> Rect {
    Rect::from_min_size(at, vec2(12.0, 12.0))
}

/// Why these fits may not stand in a mount.
pub fn refused(ship: &Ship<'_>, moved: &[u32], mount: &MountResult) -> Option<String> {
    let fits = ship.evaluation.fits.iter();
    let mut moved = fits.filter(|fit| moved.contains(&fit.index) && fit.mount != mount.id);
    moved.find_map(|fit| ship.evaluation.refusal(&fit.system, &mount.id))
}

/// With a capital.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
