//! What can be done with a system on the sheet, beside its boxes: more, fewer, move, mirror, remove.

use egui::{Button, Context, Id, Popup, PopupAnchor, PopupCloseBehavior, Response, RichText, Ui, vec2};

use crate::inputs::stepper;
use crate::language::say;
use crate::panels::canvas::on_screen::{SheetOnScreen, TargetKey, return_focus};
use crate::panels::canvas::targets::Target;
use crate::panels::design_view::DesignView;
use crate::theme::bold;
use crate::widgets::{MIN_TARGET_SIZE, capitalize, small_label, with_accessible_name};
use crate::{Command, Dialog, Doc, FormTarget, fit_edits};
use moldloft_rules::design::MAX_COUNT;

const WIDTH: f32 = 190.0;

fn menu_id(doc: &Doc) -> Id {
    Id::unique(("sheet", doc.id)).with("fit menu")
}

/// From the next frame on.
pub fn open(ctx: &Context, doc: &Doc, fit: u32) {
    ctx.data_mut(|data| data.insert_temp(menu_id(doc), fit));
    ctx.request_repaint();
}

/// Its first button gets the focus.
pub fn open_focused(ctx: &Context, doc: &Doc, fit: u32) {
    open(ctx, doc, fit);
    ctx.data_mut(|data| data.insert_temp(menu_id(doc).with("focus"), true));
}

pub fn show(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    sheet: &SheetOnScreen<'_>,
    targets: &[Target],
    response: &Response,
    out: &mut Vec<Command>,
) {
    let id = menu_id(ship.doc);
    let Some(index) = ui.data(|data| data.get_temp::<u32>(id)) else { return };
    let fit = ship.evaluation.fits.iter().find(|fit| fit.index == index);
    let target = targets.iter().find(|target| target.key == TargetKey::Fit(index));
    let place = target.and_then(|target| target.rects.first());
    let place = place.and_then(|(page, rect)| sheet.to_screen(*page, rect));
    let (Some(fit), Some(place)) = (fit, place.filter(|rect| rect.intersects(sheet.window))) else {
        ui.data_mut(|data| data.remove::<u32>(id));
        return;
    };
    let label = fit_edits::fit_label(ship.evaluation, fit);
    let wants_focus = ui.data_mut(|data| data.remove_temp::<bool>(id.with("focus"))).unwrap_or(false);
    let mut stays = true;
    let anchor = PopupAnchor::ParentRect(place.intersect(sheet.window).expand(4.0));
    let popup = Popup::new(id.with("popup"), ui.ctx().clone(), anchor, ui.layer_id());
    let popup = popup.open_bool(&mut stays).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let mut is_done = false;
    popup.accessible_name(format!("{label} on the sheet")).width(WIDTH).show(|ui| {
        ui.set_width(WIDTH);
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        ui.label(RichText::new(capitalize(&say(&label))).family(bold()));
        ui.horizontal(|ui| {
            let number = format!("number of {label} on the sheet");
            let names = (&*format!("{label} on the sheet"), &*number);
            let count = (i64::from(fit.count), 0, i64::from(MAX_COUNT));
            let input = stepper(ui, names, count, out, |count| fit_edits::set_count(ship.doc, fit, count));
            if wants_focus {
                input.request_focus();
            }
            let costs = ship.fit_costs(fit);
            let costs: Vec<String> = costs.iter().map(|(measure, _, all)| format!("{all} {}", measure.label)).collect();
            small_label(ui, costs.join(" · "));
        });
        ui.separator();
        let mut entry = |ui: &mut Ui, text: &str, keys: &str, is_possible: bool| {
            let button = Button::new(say(text)).right_text(keys).frame_when_inactive(false);
            let button = ui.add_enabled(is_possible, button.min_size(vec2(WIDTH - 4.0, MIN_TARGET_SIZE)));
            let clicked = with_accessible_name(button, text).clicked();
            is_done |= clicked;
            clicked
        };
        // What follows applies to the selection.
        let chosen = Command::Select(vec![index]);
        let has_mounts = !ship.evaluation.ruleset.mounts.is_empty();
        if has_mounts && entry(ui, "Move to…", "Ctrl+M", true) {
            out.extend([chosen.clone(), Command::OpenDialog(Dialog::MoveTo)]);
        }
        let is_selected = ship.doc.selected.as_slice() == [index];
        let mirror = fit_edits::mirror_selected(ship.doc).filter(|_| is_selected);
        if has_mounts && entry(ui, "Mirror", "Ctrl+R", mirror.is_some()) {
            out.extend(mirror.map(Command::Edit));
        }
        if entry(ui, "Duplicate", "Ctrl+D", is_selected) {
            out.extend(fit_edits::duplicate_selected(ship.doc).map(Command::Edit));
        }
        if entry(ui, "Remove", "Delete", true) {
            out.extend(fit_edits::remove_fits(ship.doc, &[index]).map(Command::Edit));
        }
        if entry(ui, "Show in the form", "", true) {
            out.extend([chosen, Command::GoTo(FormTarget::Fit(index))]);
        }
    });
    if !stays || is_done {
        ui.data_mut(|data| data.remove::<u32>(id));
        let goes_elsewhere =
            out.iter().any(|command| matches!(command, Command::GoTo(FormTarget::Fit(_)) | Command::OpenDialog(_)));
        if !goes_elsewhere && !ui.input(|input| input.pointer.any_released()) {
            return_focus(ui.ctx(), ship.doc, response);
        }
    }
}
