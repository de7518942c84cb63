//! What is done on the drawn sheet: systems are dragged onto its mounts, empty mounts are filled, boxes are clicked and
//! ticked, with the pointer and with the keyboard.

mod drop;
mod fit_menu;
mod on_screen;
mod targets;
mod ticking;
mod walk;

use std::sync::Arc;

use egui::{Context, DragAndDrop, Pos2, Response, Ui};

use crate::panels::design_view::DesignView;
use crate::panels::dragged::Dragged;
use crate::panels::selection;
use crate::preview::{PreviewMode, SheetPreview};
use crate::widgets::capitalize;
use crate::{Command, Doc, EditorState, FormTarget, fit_edits};

use on_screen::{TargetKey, held_id, is_editable};

pub(crate) use on_screen::{SheetOnScreen, holds_drag};
pub(crate) use ticking::{is_fleet_damage, toggle_box};
pub(crate) use walk::take_scroll_offset;

/// What the pointer does, and what the keyboard reaches. True if the pointer is busy with it.
pub fn show(
    ui: &mut Ui,
    state: &EditorState,
    doc: &Doc,
    shown: &SheetPreview,
    sheet: &SheetOnScreen<'_>,
    response: &Response,
    out: &mut Vec<Command>,
) -> bool {
    if doc.as_fleet().is_some() {
        walk::show(ui, state, doc, shown, sheet, response, out);
        return ticking::tick_dragged_boxes(ui, doc, shown, sheet, response, out);
    }
    let is_sheet = shown.key.proposal.is_none() && shown.key.view == PreviewMode::Sheet;
    let Some(ship) = DesignView::new(state).filter(|_| is_sheet) else {
        ui.data_mut(|data| data.insert_temp(held_id(doc), false));
        return false;
    };
    let areas = targets::targets(ui.ctx(), shown, doc);
    if is_editable(doc, shown) {
        start_drag(ui, doc, shown, sheet, response);
        drop::show(ui, &ship, sheet, &areas, out);
    }
    walk::show(ui, state, doc, shown, sheet, response, out);
    fit_menu::show(ui, &ship, sheet, &areas, response, out);
    walk::show_picker(ui, &ship, sheet, &areas, response, out);
    DragAndDrop::has_payload_of_type::<Dragged>(ui.ctx())
}

/// A drag that begins on a system's box moves that system, or all that are selected.
fn start_drag(ui: &Ui, doc: &Doc, shown: &SheetPreview, sheet: &SheetOnScreen<'_>, response: &Response) {
    let begun = ui.input(|input| input.pointer.press_origin()).filter(|_| response.is_pointer_button_down_on());
    let fit = begun.and_then(|at| sheet.marked_shape_at(shown, at)).and_then(|shape| shape.mark.fit);
    let has_mounts = doc.evaluation().is_some_and(|ship| !ship.ruleset.mounts.is_empty());
    let fit = fit.filter(|_| has_mounts);
    ui.data_mut(|data| data.insert_temp(held_id(doc), fit.is_some()));
    if let Some(fit) = fit.filter(|_| response.drag_started()) {
        let fits = if doc.selected.contains(&fit) { fit_edits::selected_fits(doc) } else { vec![fit] };
        DragAndDrop::set_payload(ui.ctx(), Dragged::Fits(fits));
    }
}

/// A click on the sheet of a design: a box selects its system and shows what can be done with it, the room around it
/// opens the list of systems for its mount. Ctrl or Shift extends the selection.
pub fn click(
    ui: &Ui,
    doc: &Doc,
    shown: &SheetPreview,
    sheet: &SheetOnScreen<'_>,
    pointer: Pos2,
    out: &mut Vec<Command>,
) {
    if !is_editable(doc, shown) {
        return;
    }
    let has_fit =
        |fit: u32| doc.as_design().is_some_and(|open| open.design.fits.iter().any(|known| known.index == fit));
    let shape = sheet.marked_shape_at(shown, pointer);
    if let Some(fit) = shape.and_then(|shape| shape.mark.fit).filter(|fit| has_fit(*fit)) {
        let more = ui.input(|input| input.modifiers.command || input.modifiers.shift);
        let chosen = if more { selection::toggled(&doc.selected, fit) } else { vec![fit] };
        if !more {
            fit_menu::open(ui.ctx(), doc, fit);
        }
        out.extend([Command::Select(chosen), Command::GoTo(FormTarget::FitInView(fit))]);
        return;
    }
    if shape.is_none()
        && let Some(mount) = mount_at(ui.ctx(), doc, shown, sheet, pointer)
    {
        out.extend([Command::SelectMount(mount.clone()), Command::PickForSheet(mount)]);
    }
}

/// The mount whose area is at a point; the smallest.
pub fn mount_at(
    ctx: &Context,
    doc: &Doc,
    shown: &SheetPreview,
    sheet: &SheetOnScreen<'_>,
    pointer: Pos2,
) -> Option<Arc<str>> {
    if doc.as_fleet().is_some() || !is_editable(doc, shown) {
        return None;
    }
    let areas = targets::targets(ctx, shown, doc);
    let places = areas.iter().filter_map(|target| match &target.key {
        TargetKey::Mount(mount) => Some((mount, target)),
        _ => None,
    });
    let hits = places.flat_map(|(mount, target)| {
        target.rects.iter().filter_map(move |(page, rect)| Some((mount, sheet.to_screen(*page, rect)?)))
    });
    let inside = hits.filter(|(_, rect)| rect.contains(pointer));
    inside.min_by(|(_, one), (_, other)| one.area().total_cmp(&other.area())).map(|(mount, _)| mount.clone())
}

/// What a click there does.
pub fn mount_label_at(
    ctx: &Context,
    doc: &Doc,
    shown: &SheetPreview,
    sheet: &SheetOnScreen<'_>,
    pointer: Pos2,
) -> Option<String> {
    let mount = mount_at(ctx, doc, shown, sheet, pointer)?;
    let label = fit_edits::mount_label(&shown.pages.ship, &mount);
    Some(format!("{}: click to add a system", capitalize(&label)))
}
