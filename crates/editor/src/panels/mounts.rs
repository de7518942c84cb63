//! The lower part of the form: the fits by mount, laid out like the ship seen from above, bow up.

use std::sync::Arc;

use egui::{Button, Margin, Pos2, Rect, RichText, Role, Ui, UiBuilder, pos2, vec2};

use crate::icons::{Icon, icon_button};
use crate::inputs::findings_badge;
use crate::language::say;
use crate::mount_layout::{CardRow, CardSide, arrange_mounts};
use crate::panels::design_view::DesignView;
use crate::panels::dragged::{self, Dragged, DropEffect};
use crate::panels::fit_row;
use crate::panels::system_sign::ship_colour;
use crate::panels::{system_picker, unresolved_fits};
use crate::suggest::panel::chip;
use crate::theme::{self, bold};
use crate::widgets::{
    MIN_TARGET_SIZE, capitalize, card_frame, heading, muted_label, small_button, small_label, with_accessible_name,
};
use crate::{Command, EditorState, FormTarget, SystemPicker, fit_edits, focus};
use moldloft_rules::design::DesignPart;
use moldloft_rules::evaluate::MountResult;

const MIN_CARD_WIDTH: f32 = 262.0;
const GAP: f32 = 8.0;

pub fn show(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    let Some(mut ship) = DesignView::new(state) else { return };
    let rules = ship.evaluation.ruleset.clone();
    if rules.systems.iter().all(|system| system.is_abstract) && ship.design.design.fits.is_empty() {
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
    let columns = (((width + GAP) / (MIN_CARD_WIDTH + GAP)).floor() as usize).clamp(1, 4);
    ui.horizontal(|ui| {
        heading(ui, "SYSTEMS");
        if ship.design.design.fits.is_empty() {
            let where_ = if rules.mounts.is_empty() { "" } else { " to a mount" };
            muted_label(ui, format!("Add a system{where_} to start."));
        } else {
            column_captions(ui, &ship, if columns == 1 { width } else { (width - GAP) / 2.0 });
        }
    });
    let rows = arrange_mounts(&mounts, columns);
    ship.order = fit_order(&ship, &rows);
    for (n, row) in rows.iter().enumerate() {
        card_row(ui, &ship, n, row, columns, out);
        ui.add_space(GAP - ui.spacing().item_spacing.y);
    }
    if rules.mounts.is_empty() {
        mountless_card(ui, &ship, out);
    }
    unresolved_fits::show(ui, &ship, out);
}

fn fit_order(ship: &DesignView<'_>, rows: &[CardRow]) -> Vec<u32> {
    let mounts = rows.iter().flat_map(|row| &row.cards).filter_map(|mount| ship.evaluation.mounts.get(*mount));
    let mut fits: Vec<u32> =
        mounts.flat_map(|mount| &mount.fits).filter_map(|fit| Some(ship.evaluation.fits.get(*fit)?.index)).collect();
    fits.extend(
        ship.design.design.fits.iter().map(|fit| fit.index).filter(|fit| !fits.contains(fit)).collect::<Vec<_>>(),
    );
    fits
}

fn card_row(ui: &mut Ui, ship: &DesignView<'_>, n: usize, row: &CardRow, columns: usize, out: &mut Vec<Command>) {
    let all = ui.available_rect_before_wrap();
    let many = if columns == 1 { 1 } else { row.cards.len().max(2) };
    let width = ((all.width() - GAP * (many - 1) as f32) / many as f32).floor();
    let left = match (row.cards.len(), row.side) {
        (1, CardSide::Middle) => ((all.width() - width) / 2.0).floor(),
        (1, CardSide::Starboard) => all.width() - width,
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
        let shown = ui.scope_builder(builder, |ui| mount_card(ui, ship, mount, before, out));
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

/// Gives the height of its content.
fn mount_card(ui: &mut Ui, ship: &DesignView<'_>, mount: &MountResult, least: f32, out: &mut Vec<Command>) -> f32 {
    let mut rows: Vec<(u32, Rect)> = Vec::new();
    let frame = card_frame(ui).inner_margin(Margin { left: 9, right: 8, top: 5, bottom: 6 });
    let margin = frame.inner_margin.sum().y + 2.0;
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        card_header(ui, ship, mount, out);
        for index in &mount.fits {
            let Some(result) = ship.evaluation.fits.get(*index) else { continue };
            rows.push((result.index, fit_row::show(ui, ship, result, out)));
        }
        let high = ui.min_rect().height() + margin;
        ui.expand_to_include_y(ui.min_rect().top() + least - margin);
        high
    });
    let rect = shown.response.rect;
    let stripe = Rect::from_min_max(rect.min + vec2(1.0, 1.0), pos2(rect.left() + 4.0, rect.bottom() - 1.0));
    let round = egui::CornerRadius { nw: 4, sw: 4, ne: 0, se: 0 };
    ui.painter().rect_filled(stripe, round, ship_colour(ui, ship.evaluation));
    if ship.is_wanted(&FormTarget::Mount(mount.id.to_string())) {
        ui.scroll_to_rect(rect, Some(egui::Align::Center));
    }
    handle_drop(ui, ship, mount, rect, &rows, out);
    shown.inner
}

fn column_captions(ui: &mut Ui, ship: &DesignView<'_>, card: f32) {
    let shown: Vec<&str> =
        ship.visible_measures(fit_row::has_room_for_all_costs(card - 18.0)).map(|measure| &*measure.label).collect();
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| small_label(ui, shown.join(" · ")));
}

fn card_header(ui: &mut Ui, ship: &DesignView<'_>, mount: &MountResult, out: &mut Vec<Command>) {
    let rules = &ship.evaluation.ruleset;
    let header = ui.horizontal(|ui| {
        let is_chosen = ship.doc.selected_mount.as_ref() == Some(&mount.id);
        let name = Button::selectable(is_chosen, RichText::new(capitalize(&say(&mount.label))).family(bold()));
        ui.spacing_mut().button_padding.x = 4.0;
        let name = ui
            .add(name.min_size(vec2(MIN_TARGET_SIZE, MIN_TARGET_SIZE)))
            .on_hover_text(say("Select it: new and pasted systems go here"));
        out.extend(name.clicked().then(|| Command::SelectMount(mount.id.clone())));
        let findings = ship.findings_about(|subject| matches!(subject, DesignPart::Mount(id) if *id == mount.id));
        findings_badge(ui, &findings, out);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            add_system_button(ui, ship, Some(&mount.id), &mount.label, mount.applies, out);
            if let Some(other) = fit_edits::mirrored_mount(rules, &mount.id).and_then(|n| rules.mounts.get(n)) {
                mirror_menu(ui, ship, mount, (&other.id, &other.label), out);
            }
            chip::show(ui, ship.state, ship.doc, mount, out);
        });
    });
    focus::mark_place(ui, ship.doc, header.response.rect, FormTarget::Mount(mount.id.to_string()));
    if !mount.applies {
        small_label(ui, "Does not apply to this ship: move or remove these systems.");
    }
}

fn add_system_button(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    mount: Option<&Arc<str>>,
    label: &str,
    can: bool,
    out: &mut Vec<Command>,
) {
    let colour = theme::palette(ui).accent;
    let text = RichText::new(say("+ Add")).color(if can { colour } else { theme::palette(ui).muted });
    let button = ui.add_enabled(can, small_button(text).frame_when_inactive(false));
    let accessible = if label.is_empty() { "Add a system".to_owned() } else { format!("Add to {label}") };
    let button = with_accessible_name(button, &accessible);
    let mount = mount.map(ToString::to_string);
    if ship.is_wanted(&FormTarget::Mount(mount.clone().unwrap_or_default())) {
        button.request_focus();
        out.push(Command::ClearGoTo);
    }
    match &ship.state.system_picker {
        Some(open) if open.mount == mount && !ship.state.picker_on_sheet => {
            system_picker::show(ship, &button, open, out)
        }
        _ if button.clicked() => {
            let palette = SystemPicker { mount, ..SystemPicker::default() };
            out.push(Command::SystemPicker(Some(palette)));
        }
        _ => {}
    }
}

fn mirror_menu(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    mount: &MountResult,
    (other, other_label): (&str, &str),
    out: &mut Vec<Command>,
) {
    let response = icon_button(ui, Icon::More, &format!("More actions for {}", mount.label));
    egui::Popup::menu(&response).show(|ui| {
        // To this mount first: an empty one is filled from the other.
        let ways = [(other, &*mount.label, other_label), (&*mount.id, other_label, &*mount.label)];
        for (from, to, model) in ways {
            let edit = fit_edits::mirror_mount(ship.doc, from);
            if ui.add_enabled(edit.is_some(), Button::new(say(format!("Make {to} like {model}")))).clicked() {
                out.extend(edit.map(Command::Edit));
            }
        }
    });
}

fn mountless_card(ui: &mut Ui, ship: &DesignView<'_>, out: &mut Vec<Command>) {
    card_frame(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.label(RichText::new(say("Systems")).family(bold()));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                add_system_button(ui, ship, None, "", true, out)
            });
        });
        for result in &ship.evaluation.fits {
            fit_row::show(ui, ship, result, out);
        }
    });
}

fn handle_drop(
    ui: &Ui,
    ship: &DesignView<'_>,
    mount: &MountResult,
    rect: Rect,
    rows: &[(u32, Rect)],
    out: &mut Vec<Command>,
) {
    let Some(dragged) = dragged::dragged(ui.ctx()) else { return };
    let effects = dragged::effects(ui.ctx(), ship, &dragged);
    let Some(effect) = effects.get(&mount.id) else { return };
    let palette = theme::palette(ui);
    let colour = match effect {
        DropEffect::Allowed(_) | DropEffect::Nothing => palette.accent,
        DropEffect::Breaks(_) => palette.warning,
        DropEffect::Refused(_) => palette.error,
    };
    let at = ui.input(|input| input.pointer.interact_pos()).filter(|at| rect.contains(*at));
    // A list over the form is no card.
    let is_on_top = |at: &Pos2| ui.ctx().layer_id_at(*at).is_none_or(|layer| layer == ui.layer_id());
    let Some(at) = at.filter(|at| ui.clip_rect().contains(*at) && is_on_top(at)) else {
        if matches!(effect, DropEffect::Allowed(_) | DropEffect::Breaks(_)) {
            ui.painter().rect_stroke(rect, 4, egui::Stroke::new(1.5, colour), egui::StrokeKind::Inside);
        }
        return;
    };
    ui.painter().rect_stroke(rect, 4, egui::Stroke::new(2.5, colour), egui::StrokeKind::Inside);
    let before = rows.iter().find(|(_, row)| at.y < row.center().y);
    let keeps_place = matches!(&*dragged, Dragged::System { .. });
    if !matches!(effect, DropEffect::Refused(_)) && !keeps_place {
        let y = before.map(|(_, row)| row.top() - 2.0).or(rows.last().map(|(_, row)| row.bottom() + 1.0));
        if let Some(y) = y {
            ui.painter().hline(rect.x_range().shrink(8.0), y, egui::Stroke::new(2.0, palette.accent));
        }
    }
    let edit = || dragged::drop_edit(ship, &dragged, mount, before.map(|(fit, _)| *fit));
    if dragged::dropped(ui, effect, edit, out) {
        return;
    }
    let words = match effect {
        DropEffect::Refused(words) | DropEffect::Allowed(words) if !words.is_empty() => words.clone(),
        DropEffect::Breaks(finding) => format!("then {finding}"),
        _ => return,
    };
    dragged::show_tip(ui, at, words, colour);
}
