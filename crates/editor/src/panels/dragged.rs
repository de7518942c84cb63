//! What is dragged with the pointer: fits of the design, or a system from the list. Gives what a drop on each mount
//! would do, by the rules, and draws what follows the pointer.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Color32, Context, DragAndDrop, FontId, Id, LayerId, Order, Pos2, Rect, Stroke, StrokeKind, Ui, pos2, vec2};

use crate::language::say;
use crate::panels::design_view::DesignView;
use crate::panels::system_sign::{SIGN_SIDE, SystemSign, paint_sign, ship_colour};
use crate::theme::{self, bold, palette};
use crate::widgets::{capitalize, memoized, with_curly_quotes};
use crate::{Command, DocId, Edit, Notice, fit_edits, inspector};
use moldloft_base::finding::{Finding, Severity};
use moldloft_rules::evaluate::{BoxShape, Evaluation, MountResult};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dragged {
    /// By index in the file.
    Fits(Vec<u32>),
    System {
        id: Arc<str>,
        count: u32,
    },
}

/// What a drop on a mount does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropEffect {
    /// `+2 mass, +6 points`; empty if nothing is counted.
    Allowed(String),
    /// Possible, but then the rules say this.
    Breaks(String),
    /// Why the mount cannot take it.
    Refused(String),
    /// It is there already.
    Nothing,
}

pub type DropEffects = Arc<BTreeMap<Arc<str>, DropEffect>>;

pub fn dragged(ctx: &Context) -> Option<Arc<Dragged>> {
    DragAndDrop::payload::<Dragged>(ctx)
}

/// Evaluates a drop on each mount once for what is dragged.
pub fn effects(ctx: &Context, ship: &DesignView<'_>, dragged: &Dragged) -> DropEffects {
    let key: (DocId, u64, Dragged) = (ship.doc.id, ship.doc.revision, dragged.clone());
    memoized(ctx, "drop effects", key, || {
        let mounts = ship.evaluation.mounts.iter();
        Arc::new(mounts.map(|mount| (mount.id.clone(), effect(ship, dragged, mount))).collect())
    })
}

pub fn effect(ship: &DesignView<'_>, dragged: &Dragged, mount: &MountResult) -> DropEffect {
    if let Some(why) = refusal(ship, dragged, mount) {
        return DropEffect::Refused(why);
    }
    let Some(edit) = drop_edit(ship, dragged, mount, None) else { return DropEffect::Nothing };
    let is_here = |fit: &u32| ship.evaluation.fits.iter().any(|one| one.index == *fit && one.mount == mount.id);
    if let Dragged::Fits(fits) = dragged
        && fits.iter().all(is_here)
    {
        return DropEffect::Nothing;
    }
    let Some(after) = inspector::evaluate_edit(ship.doc, &edit, &ship.state.rulesets) else {
        return DropEffect::Refused("cannot be checked there".to_owned());
    };
    match new_error(ship.evaluation, &after) {
        Some(finding) => DropEffect::Breaks(with_curly_quotes(&finding.message)),
        None => DropEffect::Allowed(inspector::describe_change(ship.evaluation, &after)),
    }
}

/// The first error that the design does not have yet.
fn new_error<'a>(before: &Evaluation, after: &'a Evaluation) -> Option<&'a Finding> {
    let errors = |of: &'a Evaluation| of.findings.iter().filter(|finding| finding.severity == Severity::Error);
    let known: Vec<&str> = before.findings.iter().map(|finding| &*finding.message).collect();
    errors(after).find(|finding| !known.contains(&&*finding.message))
}

/// Why a mount cannot take what is dragged.
pub fn refusal(ship: &DesignView<'_>, dragged: &Dragged, mount: &MountResult) -> Option<String> {
    if !mount.applies {
        return Some(format!("{} does not apply to this ship", mount.label));
    }
    match dragged {
        Dragged::Fits(fits) => {
            let moved = ship.evaluation.fits.iter();
            let mut moved = moved.filter(|fit| fits.contains(&fit.index) && fit.mount != mount.id);
            moved.find_map(|fit| ship.evaluation.mount_refusal(&fit.system, &mount.id))
        }
        Dragged::System { id, .. } => ship.evaluation.mount_refusal(id, &mount.id),
    }
}

/// `before`: a fit of the mount.
pub fn drop_edit(ship: &DesignView<'_>, dragged: &Dragged, mount: &MountResult, before: Option<u32>) -> Option<Edit> {
    match dragged {
        Dragged::Fits(fits) => fit_edits::move_to_mount(ship.doc, fits, &mount.id, before),
        Dragged::System { id, count } => fit_edits::add_system(ship.doc, id, Some(&mount.id), *count),
    }
}

/// The sign and name of what is dragged, beside the pointer.
pub fn show_ghost(ui: &Ui, ship: &DesignView<'_>) {
    let ctx = ui.ctx();
    let Some(dragged) = dragged(ctx) else { return };
    let Some(at) = ctx.input(|input| input.pointer.interact_pos()) else { return };
    let (sign, name, count) = describe(ship, &dragged);
    let palette = palette(ui);
    let painter = ctx.layer_painter(LayerId::new(Order::Tooltip, Id::unique("dragged")));
    let text = if count > 1 { format!("{count} × {name}") } else { capitalize(&say(&name)) };
    let galley = painter.layout_no_wrap(say(text), FontId::new(theme::SMALL, bold()), ui.visuals().text_color());
    let size = vec2(SIGN_SIDE + galley.size().x + 18.0, SIGN_SIDE + 10.0);
    let rect = Rect::from_min_size(at + vec2(14.0, 10.0), size);
    painter.rect(rect, 4, palette.card, Stroke::new(1.5, palette.accent), StrokeKind::Inside);
    let place = Rect::from_min_size(rect.min + vec2(5.0, 5.0), vec2(SIGN_SIDE, SIGN_SIDE));
    paint_sign(&painter, palette, &sign, place, ship_colour(ui, ship.evaluation));
    let y = rect.center().y - galley.size().y / 2.0;
    painter.galley(pos2(place.right() + 6.0, y), galley, ui.visuals().text_color());
}

/// Sign, name and number.
fn describe(ship: &DesignView<'_>, dragged: &Dragged) -> (SystemSign, String, u32) {
    let plain =
        |name: &str, count| (SystemSign { letters: "".into(), shape: BoxShape::Square }, name.to_owned(), count);
    match dragged {
        Dragged::System { id, count } => {
            let systems = fit_edits::available_systems(ship.evaluation);
            let Some(system) = systems.into_iter().find(|system| system.id == *id) else { return plain(id, *count) };
            let shape = ship.evaluation.ruleset.systems.get(system.kind).map_or(BoxShape::Square, |kind| kind.shape);
            (SystemSign { letters: system.abbr, shape }, system.name.to_string(), *count)
        }
        Dragged::Fits(fits) => match fits.as_slice() {
            [fit] => ship.evaluation.fits.iter().find(|known| known.index == *fit).map_or_else(
                || plain("system", 1),
                |fit| (SystemSign { letters: fit.abbr.clone(), shape: fit.shape }, fit.name.to_string(), fit.count),
            ),
            many => plain("systems", many.len() as u32),
        },
    }
}

/// Carries out a drop that the pointer makes in this frame. True if it does.
pub fn dropped(ui: &Ui, effect: &DropEffect, edit: impl FnOnce() -> Option<Edit>, out: &mut Vec<Command>) -> bool {
    if !ui.input(|input| input.pointer.any_released()) {
        return false;
    }
    DragAndDrop::clear_payload(ui.ctx());
    match effect {
        DropEffect::Refused(why) => out.push(Command::Notify(Notice::info(format!("Not moved: {why}")))),
        _ => out.extend(edit().map(Command::Edit)),
    }
    true
}

/// What a drop does, below what is dragged.
pub fn show_tip(ui: &Ui, pointer: Pos2, text: String, colour: Color32) {
    let place = Rect::from_min_size(pointer, vec2(12.0, 44.0));
    egui::Tooltip::always_open(ui.ctx().clone(), ui.layer_id(), Id::unique("drop"), place).show(|ui| {
        ui.set_max_width(340.0);
        ui.colored_label(colour, say(text))
    });
}
