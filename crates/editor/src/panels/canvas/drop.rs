//! While a system is dragged: mounts on the sheet that can take it glow, the others say why not; a drop moves or adds it.

use egui::{Align2, Color32, CursorIcon, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::Command;
use crate::language::say;
use crate::panels::canvas::on_screen::{SheetOnScreen, TargetKey};
use crate::panels::canvas::targets::Target;
use crate::panels::design_view::DesignView;
use crate::panels::dragged::{self, DropEffect};
use crate::theme::{self, PAGE_ACCENT, Palette, bold, palette};
use crate::widgets::capitalize;
use moldloft_rules::evaluate::MountResult;

/// Pages are white in either theme.
const DOUBT: Color32 = Color32::from_rgb(0xb0, 0x70, 0x00);
const REFUSED: Color32 = Color32::from_rgb(0x8a, 0x8f, 0x98);

pub fn show(ui: &Ui, ship: &DesignView<'_>, sheet: &SheetOnScreen<'_>, targets: &[Target], out: &mut Vec<Command>) {
    let Some(dragged) = dragged::dragged(ui.ctx()) else { return };
    let effects = dragged::effects(ui.ctx(), ship, &dragged);
    let pointer = ui.input(|input| input.pointer.interact_pos()).filter(|at| sheet.window.contains(*at));
    let painter = ui.painter().with_clip_rect(sheet.window);
    let palette = palette(ui);
    let mut under: Option<(&MountResult, &DropEffect, Rect)> = None;
    let mut chips = ChipRow::new(sheet.window);
    for target in targets {
        let TargetKey::Mount(id) = &target.key else { continue };
        let Some(mount) = ship.evaluation.mounts.iter().find(|mount| mount.id == *id) else { continue };
        let Some(effect) = effects.get(id) else { continue };
        let mut places: Vec<Rect> = target
            .rects
            .iter()
            .filter_map(|(page, rect)| sheet.to_screen(*page, rect))
            .map(|rect| rect.expand(2.0))
            .collect();
        if places.is_empty() {
            places.push(chips.next(&painter, palette, &mount.label));
        }
        for place in places {
            draw_zone(&painter, place, effect);
            let smaller = under.as_ref().is_none_or(|(_, _, known)| place.area() < known.area());
            if pointer.is_some_and(|at| place.contains(at)) && smaller {
                under = Some((mount, effect, place));
            }
        }
    }
    let Some((mount, effect, place)) = under else {
        // A drop beside the mounts moves nothing and is no mistake.
        return;
    };
    painter.rect_stroke(place, 3, Stroke::new(3.0, colour_of(effect)), StrokeKind::Outside);
    let Some(at) = pointer else { return };
    if dragged::dropped(ui, effect, || dragged::drop_edit(ship, &dragged, mount, None), out) {
        return;
    }
    if let DropEffect::Refused(_) = effect {
        ui.ctx().set_cursor_icon(CursorIcon::NoDrop);
    }
    show_effect(ui, palette, at, mount, effect);
}

/// What a drop here does, below what is dragged.
fn show_effect(ui: &Ui, palette: &Palette, at: Pos2, mount: &MountResult, effect: &DropEffect) {
    let name = capitalize(&mount.label);
    let (text, colour) = match effect {
        DropEffect::Allowed(change) if change.is_empty() => (name, palette.accent),
        DropEffect::Allowed(change) => (format!("{name}: {change}"), palette.accent),
        DropEffect::Breaks(finding) => (format!("{name}: then {finding}"), palette.warning),
        DropEffect::Refused(why) => (format!("Not here: {why}"), palette.error),
        DropEffect::Nothing => (format!("{name}: it is here"), palette.muted),
    };
    dragged::show_tip(ui, at, text, colour);
}

fn colour_of(effect: &DropEffect) -> Color32 {
    match effect {
        DropEffect::Allowed(_) => PAGE_ACCENT,
        DropEffect::Breaks(_) => DOUBT,
        DropEffect::Refused(_) | DropEffect::Nothing => REFUSED,
    }
}

fn draw_zone(painter: &Painter, place: Rect, effect: &DropEffect) {
    let colour = colour_of(effect);
    match effect {
        DropEffect::Allowed(_) | DropEffect::Breaks(_) => {
            painter.rect_filled(place.expand(3.0), 5, colour.gamma_multiply(0.10));
            painter.rect(place, 3, colour.gamma_multiply(0.16), Stroke::new(1.8, colour), StrokeKind::Inside);
        }
        DropEffect::Nothing => {
            painter.rect_stroke(place, 3, Stroke::new(1.0, colour), StrokeKind::Inside);
        }
        DropEffect::Refused(_) => {
            painter.rect_filled(place, 3, Color32::from_white_alpha(150));
            let corners =
                [place.left_top(), place.right_top(), place.right_bottom(), place.left_bottom(), place.left_top()];
            painter.extend(Shape::dashed_line(&corners, Stroke::new(1.0, colour), 4.0, 3.0));
        }
    }
}

/// Places for mounts that the sheet does not draw, along the top.
struct ChipRow {
    window: Rect,
    left: f32,
}

impl ChipRow {
    fn new(window: Rect) -> Self {
        Self { window, left: window.left() + 10.0 }
    }

    fn next(&mut self, painter: &Painter, palette: &Palette, label: &str) -> Rect {
        let font = FontId::new(theme::SMALL, bold());
        let galley = painter.layout_no_wrap(capitalize(&say(label)), font, palette.muted);
        let at = pos2(self.left, self.window.top() + 10.0);
        let rect = Rect::from_min_size(at, galley.size() + vec2(20.0, 14.0));
        painter.rect(rect, 4, palette.card, Stroke::new(1.0, palette.line), StrokeKind::Inside);
        let centre = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
        painter.galley(centre.min, galley, palette.muted);
        self.left = rect.right() + 8.0;
        rect
    }
}
