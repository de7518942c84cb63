//! The sheet by keyboard: Enter on the sheet goes to its mounts and boxes, arrows go from one to the next, Enter shows
//! what can be done there, Esc returns to the sheet. Screen readers find each by its name.

use egui::accesskit::Action;
use egui::{
    Context, EventFilter, Id, Key, Modifiers, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    vec2,
};

use crate::fleet::model::FleetCommand;
use crate::language::say;
use crate::panels::canvas::on_screen::{SheetOnScreen, TargetKey, is_editable, return_focus, target_id, walk_id};
use crate::panels::canvas::targets::{Target, targets};
use crate::panels::canvas::{fit_menu, ticking};
use crate::panels::design_view::DesignView;
use crate::panels::system_picker;
use crate::preview::SheetPreview;
use crate::theme::PAGE_ACCENT;
use crate::widgets::MIN_TARGET_SIZE;
use crate::{Command, Doc, EditorState, FormTarget, fit_edits};

/// The scroll offset that shows the place that the keyboard has gone to.
pub fn take_scroll_offset(ctx: &Context, doc: &Doc) -> Option<Vec2> {
    ctx.data_mut(|data| data.remove_temp::<Vec2>(walk_id(doc).with("reveal")))
}

pub fn show(
    ui: &mut Ui,
    state: &EditorState,
    doc: &Doc,
    shown: &SheetPreview,
    sheet: &SheetOnScreen<'_>,
    response: &Response,
    out: &mut Vec<Command>,
) {
    let all = targets(ui.ctx(), shown, doc);
    let known: Option<TargetKey> = ui.data(|data| data.get_temp(walk_id(doc)));
    let mut walk = Walk { doc, sheet, all: &all, current: known.as_ref().and_then(|key| find(&all, key)) };
    if known.is_some() && walk.current.is_none() {
        // It is gone: what is selected takes its place.
        walk.current = walk.start();
        match walk.current {
            Some(at) => walk.go_to(ui, at),
            None => {
                ui.data_mut(|data| data.remove::<TargetKey>(walk_id(doc)));
                response.request_focus();
            }
        }
    }
    let enters = |ui: &Ui| {
        ui.input_mut(|input| {
            input.consume_key(Modifiers::NONE, Key::Enter) || input.consume_key(Modifiers::NONE, Key::Space)
        })
    };
    if response.has_focus()
        && enters(ui)
        && let Some(at) = walk.start()
    {
        walk.go_to(ui, at);
        walk.select(at, out);
    }
    // Hundreds of boxes are named only while the keyboard is among them.
    let is_walking = walk.current.is_some();
    if doc.as_fleet().is_some() && !is_walking {
        return;
    }
    for (at, target) in all.iter().enumerate() {
        let Some(rect) = walk.place(at) else { continue };
        let is_current = walk.current == Some(at);
        if !is_current && !rect.intersects(sheet.window) {
            continue;
        }
        let id = target_id(doc, &target.key);
        let sense = if is_current { Sense::focusable_noninteractive() } else { Sense::hover() };
        let node = ui.interact(touchable(rect.intersect(sheet.window), sheet.window), id, sense);
        let ticked = match &target.key {
            TargetKey::Box(name) => ticking::is_ticked(doc, name),
            _ => None,
        };
        node.widget_info(|| match ticked {
            Some(ticked) => WidgetInfo::selected(Role::CheckBox, true, ticked, say(&target.name)),
            None => WidgetInfo::labeled(Role::Button, true, say(&target.name)),
        });
        ui.ctx().accesskit_node_builder(id, |node| {
            node.add_action(Action::Click);
            node.add_action(Action::Focus);
        });
        let asked = |action| ui.input(|input| input.has_accesskit_action_request(id, action));
        if asked(Action::Focus) && !is_current {
            walk.go_to(ui, at);
        }
        if asked(Action::Click) && is_editable_now(doc, shown) {
            walk.go_to(ui, at);
            walk.act(ui, at, shown, out);
        }
    }
    let Some(at) = walk.current else { return };
    let id = target_id(doc, &all[at].key);
    if ui.memory(|memory| memory.has_focus(id)) {
        if let Some(rect) = walk.place(at) {
            let painter = ui.painter().with_clip_rect(sheet.window);
            painter.rect_stroke(rect.expand(3.0), 4, Stroke::new(2.5, PAGE_ACCENT), StrokeKind::Outside);
        }
        let filter = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: true };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            ui.data_mut(|data| data.remove::<TargetKey>(walk_id(doc)));
            response.request_focus();
            return;
        }
        if is_editable_now(doc, shown) {
            if enters(ui) {
                walk.act(ui, at, shown, out);
            }
            walk.count_keys(ui, state, at, out);
        }
        walk.move_keys(ui, at, shown, out);
    }
}

/// A fleet's ticks do not move its boxes.
fn is_editable_now(doc: &Doc, shown: &SheetPreview) -> bool {
    doc.as_fleet().is_some() || is_editable(doc, shown)
}

fn find(all: &[Target], key: &TargetKey) -> Option<usize> {
    all.iter().position(|target| target.key == *key)
}

struct Walk<'a> {
    doc: &'a Doc,
    sheet: &'a SheetOnScreen<'a>,
    all: &'a [Target],
    current: Option<usize>,
}

impl Walk<'_> {
    /// In the window's coordinates.
    fn place(&self, at: usize) -> Option<Rect> {
        let (page, rect) = self.all.get(at)?.rects.first()?;
        self.sheet.to_screen(*page, rect)
    }

    /// What is selected, or the first in sight.
    fn start(&self) -> Option<usize> {
        let selected = self.doc.selected.first().filter(|_| self.doc.as_fleet().is_none());
        let selected = selected.and_then(|fit| find(self.all, &TargetKey::Fit(*fit)));
        let mount = self.doc.selected_mount.clone().and_then(|mount| find(self.all, &TargetKey::Mount(mount)));
        let has_place = |at: &usize| self.place(*at).is_some();
        let is_in_sight = |at: &usize| self.place(*at).is_some_and(|rect| self.sheet.window.intersects(rect));
        let mut all = 0..self.all.len();
        selected.or(mount).filter(has_place).or_else(|| all.clone().find(is_in_sight)).or_else(|| all.find(has_place))
    }

    fn go_to(&mut self, ui: &Ui, at: usize) {
        let Some(rect) = self.place(at) else { return };
        self.current = Some(at);
        let (doc, window) = (self.doc, self.sheet.window);
        let key = self.all[at].key.clone();
        ui.memory_mut(|memory| memory.request_focus(target_id(doc, &key)));
        ui.data_mut(|data| {
            data.insert_temp(walk_id(doc), key);
            if !window.contains_rect(rect) && !rect.contains_rect(window) {
                let offset = self.sheet.scroll_offset + (rect.center() - window.center());
                data.insert_temp(walk_id(doc).with("reveal"), offset);
            }
        });
        ui.ctx().request_repaint();
    }

    fn select(&self, at: usize, out: &mut Vec<Command>) {
        match &self.all[at].key {
            TargetKey::Fit(fit) => {
                out.extend([Command::Select(vec![*fit]), Command::GoTo(FormTarget::FitInView(*fit))]);
            }
            TargetKey::Mount(mount) => out.push(Command::SelectMount(mount.clone())),
            TargetKey::Box(_) => {}
        }
    }

    fn act(&self, ui: &Ui, at: usize, shown: &SheetPreview, out: &mut Vec<Command>) {
        match &self.all[at].key {
            TargetKey::Fit(fit) => {
                out.push(Command::Select(vec![*fit]));
                fit_menu::open_focused(ui.ctx(), self.doc, *fit);
            }
            TargetKey::Mount(mount) => {
                out.extend([Command::SelectMount(mount.clone()), Command::PickForSheet(mount.clone())]);
            }
            TargetKey::Box(name) => self.toggle(name, shown, out),
        }
    }

    fn toggle(&self, name: &str, shown: &SheetPreview, out: &mut Vec<Command>) {
        let pages = shown.pages.page_indices.iter();
        let mut shapes = pages.flat_map(|index| &index.marked_shapes);
        if let Some(shape) = shapes.find(|shape| *shape.mark.name == *name) {
            ticking::toggle_box(self.doc, shown, shape, out);
        }
    }

    /// `+` and `-` change the number of a system.
    fn count_keys(&self, ui: &Ui, state: &EditorState, at: usize, out: &mut Vec<Command>) {
        let (TargetKey::Fit(fit), Some(ship)) = (&self.all[at].key, DesignView::new(state)) else { return };
        let Some(fit) = ship.evaluation.fits.iter().find(|known| known.index == *fit) else { return };
        let by = ui.input_mut(|input| {
            let mut pressed = |key| i64::from(input.consume_key(Modifiers::NONE, key));
            pressed(Key::Plus) + pressed(Key::Equals) - pressed(Key::Minus)
        });
        let count = i64::from(fit.count) + by;
        if by != 0 && count >= 0 {
            out.extend(fit_edits::set_count(self.doc, fit, count).map(Command::Edit));
        }
    }

    fn move_keys(&mut self, ui: &Ui, at: usize, shown: &SheetPreview, out: &mut Vec<Command>) {
        let arrows = [
            (Key::ArrowUp, vec2(0.0, -1.0)),
            (Key::ArrowDown, vec2(0.0, 1.0)),
            (Key::ArrowLeft, vec2(-1.0, 0.0)),
            (Key::ArrowRight, vec2(1.0, 0.0)),
        ];
        let places: Vec<Option<Rect>> = (0..self.all.len()).map(|at| self.place(at)).collect();
        let in_order = |step: isize| {
            let mut next = at;
            for _ in 0..places.len() {
                next = next.checked_add_signed(step)?;
                if places.get(next)?.is_some() {
                    return Some(next);
                }
            }
            None
        };
        let (mut to, mut spreads) = (None, false);
        ui.input_mut(|input| {
            for (key, way) in arrows {
                let shift = input.consume_key(Modifiers::SHIFT, key);
                if shift || input.consume_key(Modifiers::NONE, key) {
                    to = nearest(&places, at, way);
                    spreads = shift;
                }
            }
            for (key, step) in [(Key::PageDown, 1), (Key::PageUp, -1)] {
                if input.consume_key(Modifiers::NONE, key) {
                    to = in_order(step);
                }
            }
            if input.consume_key(Modifiers::NONE, Key::Home) {
                to = places.iter().position(Option::is_some);
            }
            if input.consume_key(Modifiers::NONE, Key::End) {
                to = places.iter().rposition(Option::is_some);
            }
        });
        let Some(to) = to else { return };
        // With Shift the next box becomes as this one.
        if let (true, TargetKey::Box(here), TargetKey::Box(there)) = (spreads, &self.all[at].key, &self.all[to].key)
            && let (Some(wanted), Some(now)) = (ticking::is_ticked(self.doc, here), ticking::is_ticked(self.doc, there))
            && wanted != now
            && let Some((stem, number)) = there.rsplit_once('_')
            && let Ok(number) = number.parse()
            && ticking::shows_present_ship(self.doc, shown)
        {
            let boxes = vec![(stem.to_owned(), number)];
            out.push(Command::Fleet(FleetCommand::MarkBoxes { boxes, ticked: wanted }));
        }
        self.go_to(ui, to);
        self.select(to, out);
    }
}

/// Not smaller than anything else that is clicked.
fn touchable(rect: Rect, window: Rect) -> Rect {
    let rect = Rect::from_center_size(rect.center(), rect.size().max(Vec2::splat(MIN_TARGET_SIZE)));
    let into = |low: f32, high: f32, least: f32, most: f32| (least - low).max(0.0) + (most - high).min(0.0);
    rect.translate(vec2(
        into(rect.left(), rect.right(), window.left(), window.right()),
        into(rect.top(), rect.bottom(), window.top(), window.bottom()),
    ))
}

/// The next place in a direction: near, and not far to the side.
fn nearest(places: &[Option<Rect>], from: usize, way: Vec2) -> Option<usize> {
    let start = places.get(from).copied().flatten()?.center();
    let side = vec2(-way.y, way.x);
    let score = |rect: Rect| {
        let by = rect.center() - start;
        let (ahead, aside) = (by.dot(way), by.dot(side).abs());
        (ahead > 0.5 && ahead * 3.0 > aside).then_some(ahead + 2.0 * aside)
    };
    let scored = places.iter().enumerate().filter(|(at, _)| *at != from);
    let scored = scored.filter_map(|(at, place)| Some((at, score((*place)?)?)));
    scored.min_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(at, _)| at)
}

/// The list of systems for a mount of the sheet, beside it.
pub fn show_picker(
    ui: &mut Ui,
    ship: &DesignView<'_>,
    sheet: &SheetOnScreen<'_>,
    targets: &[Target],
    response: &Response,
    out: &mut Vec<Command>,
) {
    let Some(open) = ship.state.system_picker.as_ref().filter(|_| ship.state.picker_on_sheet) else { return };
    let of_mount = |target: &&Target| match &target.key {
        TargetKey::Mount(mount) => open.mount.as_deref() == Some(&**mount),
        _ => false,
    };
    let place = targets.iter().find(of_mount).and_then(|target| target.rects.first());
    let place = place.and_then(|(page, rect)| sheet.to_screen(*page, rect)).map(|rect| rect.intersect(sheet.window));
    let top = Rect::from_min_size(sheet.window.min + vec2(10.0, 10.0), vec2(200.0, 1.0));
    let place = place.filter(|rect| rect.is_positive()).unwrap_or(top);
    let anchor = ui.interact(place, Id::unique(("sheet picker", ship.doc.id)), Sense::hover());
    ui.painter().rect_stroke(place.expand(2.0), 3, Stroke::new(2.0, PAGE_ACCENT), StrokeKind::Outside);
    let before = out.len();
    system_picker::show(ship, &anchor, open, out);
    if out[before..].iter().any(|command| matches!(command, Command::SystemPicker(None))) {
        return_focus(ui.ctx(), ship.doc, response);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn arrows_go_to_the_nearest_ahead() {
        let at = |x: f32, y: f32| Some(Rect::from_min_size(pos2(x, y), vec2(4.0, 4.0)));
        let places = [at(0.0, 0.0), at(10.0, 1.0), at(40.0, 0.0), at(0.0, 30.0), None, at(11.0, 60.0)];
        assert_eq!(nearest(&places, 0, vec2(1.0, 0.0)), Some(1));
        assert_eq!(nearest(&places, 1, vec2(1.0, 0.0)), Some(2));
        assert_eq!(nearest(&places, 2, vec2(-1.0, 0.0)), Some(1));
        assert_eq!(nearest(&places, 0, vec2(0.0, 1.0)), Some(3));
        assert_eq!(nearest(&places, 3, vec2(0.0, 1.0)), Some(5));
        assert_eq!(nearest(&places, 0, vec2(0.0, -1.0)), None);
        assert_eq!(nearest(&places, 4, vec2(0.0, -1.0)), None, "it has no place");
    }
}
