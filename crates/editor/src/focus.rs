//! Keyboard focus, for each tab and before each dialog: takes egui's focus and the state, gives the focus back where it
//! was, or to what is nearest, and says which row or mount has it. Changes nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::{Context, FocusDirection, Id, Key, Order, Rect, Ui, WidgetRect};

use crate::model::dialog::DialogKind;
use crate::regions::{self, Region};
use crate::suggest::model::SuggestCommand;
use crate::{Command, Dialog, Doc, EditorState, FormTarget, Tab, widgets};

/// Frames after which a widget that is gone has lost the focus.
const LOST_AFTER_FRAMES: u8 = 3;

#[derive(Debug, Default)]
pub struct FocusMemory {
    /// For each hidden tab; the start page is 0.
    saved_by_tab: BTreeMap<u64, Id>,
    current_tab: u64,
    shown_dialog: Option<DialogKind>,
    before_dialog: Option<Id>,
    restore_to: Option<Id>,
    /// Frames until the first widget of a new dialog gets the focus, unless another one takes it.
    opening_frames: u8,
    wants_first_widget: bool,
    /// Focus when the frame began: a new dialog clears it in its first frame.
    at_frame_start: Option<Id>,
    before_press: Option<Id>,
    /// Where it last was outside menus and lists, and whether it was in one of them when the frame before ended.
    behind_menus: Option<Id>,
    was_in_menu: bool,
    /// Where Tab goes on to in the next frame.
    goes_on: Option<FocusDirection>,
    /// Frames in which to check whether an edit by key has removed the focused widget.
    watch_frames: u8,
    /// Whether keys move it, in this frame.
    leads: bool,
    /// What had it last as it was shown last, of the page and of the dialog.
    shown_last: [Option<WidgetRect>; 2],
}

fn place_id() -> Id {
    Id::unique("place that has the keyboard")
}

/// A row or mount to which the keyboard came, and what was selected then.
#[derive(Clone)]
struct FocusedPlace {
    widget: Id,
    place: FormTarget,
    selected: (Vec<u32>, Option<Arc<str>>),
    /// Something else was selected since.
    is_past: bool,
}

/// If what has the keyboard is in this rectangle, it belongs to this row or mount.
pub fn mark_place(ui: &Ui, doc: &Doc, rect: Rect, place: FormTarget) {
    let Some(focused) = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id)) else { return };
    let is_here = rect.intersect(ui.clip_rect()).contains(focused.rect.center());
    if !is_here || focused.layer_id != ui.layer_id() {
        return;
    }
    let selected = (doc.selected.clone(), doc.selected_mount.clone());
    let known: Option<FocusedPlace> = ui.data(|data| data.get_temp(place_id()));
    let known = known.filter(|known| known.widget == focused.id);
    let is_past = known.is_some_and(|known| known.is_past || known.selected != selected);
    ui.data_mut(|data| data.insert_temp(place_id(), FocusedPlace { widget: focused.id, place, selected, is_past }));
}

/// The row or mount that has the keyboard, if it came there after what is selected was chosen.
pub fn focused_place(ctx: &Context, doc: &Doc) -> Option<FormTarget> {
    let known = known_place(ctx)?;
    let is_past = known.is_past || known.selected != (doc.selected.clone(), doc.selected_mount.clone());
    (!is_past).then_some(known.place)
}

fn known_place(ctx: &Context) -> Option<FocusedPlace> {
    let focused = ctx.memory(|memory| memory.focused())?;
    let known: FocusedPlace = ctx.data(|data| data.get_temp(place_id()))?;
    (known.widget == focused).then_some(known)
}

/// The place of the row that has the keyboard among the selected ones.
pub fn focused_rank(ctx: &Context, doc: &Doc) -> Option<usize> {
    let (FormTarget::Fit(row) | FormTarget::Ship { ship: row, .. }) = known_place(ctx)?.place else { return None };
    let is_before = |other: &&u32| **other < row;
    doc.selected.contains(&row).then(|| doc.selected.iter().filter(is_before).count())
}

/// The row at this place among the selected ones.
pub fn row_of_rank(doc: &Doc, rank: usize) -> Option<FormTarget> {
    let mut selected = doc.selected.clone();
    selected.sort_unstable();
    let row = *selected.get(rank)?;
    Some(if doc.as_fleet().is_some() { FormTarget::Ship { ship: row, key: "handle" } } else { FormTarget::Fit(row) })
}

/// The part of the window that a command shows: by key, the keyboard goes there.
pub fn region_shown(command: &Command, state: &EditorState) -> Option<Region> {
    match command {
        Command::ShowInspectorTab(_) => Some(Region::Inspector),
        Command::Suggest(SuggestCommand::Open | SuggestCommand::Apply(_)) => Some(Region::Inspector),
        Command::ShowPage(_) => Some(Region::Sheet),
        Command::ToggleLibrary if !state.settings.library => Some(Region::Library),
        _ => None,
    }
}

impl FocusMemory {
    /// `goes_to_region`: in this frame.
    pub fn begin_frame(&mut self, ctx: &Context, goes_to_region: bool) {
        let focused = ctx.memory(|memory| memory.focused());
        let keys = [Key::Tab, Key::ArrowUp, Key::ArrowDown, Key::ArrowLeft, Key::ArrowRight];
        let leads = goes_to_region || ctx.input(|input| keys.iter().any(|key| input.key_pressed(*key)));
        let was_led = std::mem::replace(&mut self.leads, leads);
        if let Some(id) = focused.filter(|_| focused != self.at_frame_start && was_led) {
            widgets::bring_into_sight(ctx, id);
        }
        self.at_frame_start = focused;
        // After Enter or Esc in a field, Tab goes on from it: it has the focus for a frame, then what is beside it.
        if let Some(direction) = self.goes_on.take() {
            ctx.memory_mut(|memory| memory.move_focus(direction));
        } else if self.at_frame_start.is_none() && ctx.input(|input| input.key_pressed(Key::Tab)) {
            let last = self.behind_menus.filter(|id| ctx.read_response(*id).is_some());
            if let Some(id) = last {
                let back = ctx.input(|input| input.modifiers.shift);
                self.goes_on = Some(if back { FocusDirection::Previous } else { FocusDirection::Next });
                ctx.memory_mut(|memory| {
                    memory.move_focus(FocusDirection::None);
                    memory.request_focus(id);
                });
                ctx.request_repaint();
            }
        }
        if std::mem::take(&mut self.wants_first_widget) {
            // The first focusable widget of this frame takes it.
            ctx.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
        }
        if ctx.input(|input| input.pointer.any_pressed()) {
            self.before_press = self.at_frame_start;
        }
    }

    /// Gives the target that should get the focus if the focused widget is gone.
    pub fn end_frame(&mut self, ctx: &Context, state: &EditorState, edited_by_key: bool) -> Option<FormTarget> {
        let focused = ctx.memory(|memory| memory.focused());
        self.track_tab(ctx, state, focused);
        self.track_dialog(ctx, state, focused);
        self.track_menus(ctx, state, focused);
        if focused != self.at_frame_start {
            ctx.request_repaint();
        }
        let place = self.place_after_edit(ctx, state, focused, edited_by_key);
        if place.is_none() {
            self.go_to_nearest(ctx, state);
        }
        place
    }

    /// Where it goes if an edit by key has removed the row that had it.
    fn place_after_edit(
        &mut self,
        ctx: &Context,
        state: &EditorState,
        focused: Option<Id>,
        edited_by_key: bool,
    ) -> Option<FormTarget> {
        if edited_by_key && focused.is_some() {
            self.watch_frames = LOST_AFTER_FRAMES;
        }
        if self.watch_frames == 0 || state.dialog.is_some() {
            return None;
        }
        self.watch_frames -= 1;
        ctx.request_repaint();
        if focused.is_some() || state.go_to.is_some() {
            return None;
        }
        self.watch_frames = 0;
        let doc = state.current_doc()?;
        let chosen = doc.selected.last().copied();
        if doc.as_fleet().is_some() {
            return chosen.map(|ship| FormTarget::Ship { ship, key: "handle" });
        }
        chosen.or_else(|| doc.as_design()?.design.fits.first().map(|fit| fit.index)).map(FormTarget::Fit)
    }

    /// What had it is gone, by key: what is nearest to its place in the same part of the window gets it.
    fn go_to_nearest(&mut self, ctx: &Context, state: &EditorState) {
        let shown_last = &mut self.shown_last[usize::from(state.dialog.is_some())];
        let focused = ctx.memory(|memory| memory.focused());
        let shown = |id: Id| ctx.viewport(|viewport| viewport.this_pass.widgets.get(id).copied());
        if let Some(id) = focused {
            let by_pointer = ctx.input(|input| input.pointer.any_down() || input.pointer.any_released());
            *shown_last = shown(id).or(*shown_last).filter(|_| !by_pointer);
            return;
        }
        let Some(last) = shown_last.filter(|last| shown(last.id).is_none()) else { return };
        if state.go_to.is_some() || self.restore_to.is_some() || self.opening_frames > 0 {
            return;
        }
        *shown_last = None;
        let (at, of_dialog) = (last.rect.center(), state.dialog.is_some());
        let region = regions::region_at(ctx, at).filter(|_| !of_dialog);
        let is_near = |widget: &&WidgetRect| {
            let can = widget.enabled && widget.sense.is_focusable() && widget.interact_rect.is_positive();
            can && (of_dialog || regions::region_at(ctx, widget.interact_rect.center()) == region)
        };
        let all: Vec<WidgetRect> =
            ctx.viewport(|viewport| viewport.this_pass.widgets.get_layer(last.layer_id).copied().collect());
        let distance = |widget: &WidgetRect| widget.interact_rect.distance_sq_to_pos(at);
        let nearest = all.iter().filter(is_near).min_by(|one, two| distance(one).total_cmp(&distance(two)));
        if let Some(widget) = nearest {
            ctx.memory_mut(|memory| memory.request_focus(widget.id));
            ctx.request_repaint();
        }
    }

    fn track_tab(&mut self, ctx: &Context, state: &EditorState, focused: Option<Id>) {
        let tab = match state.tab {
            Tab::Start => 0,
            Tab::Doc(id) => id.0,
        };
        if tab == self.current_tab {
            return;
        }
        let by_pointer = ctx.input(|input| input.pointer.any_released());
        let is_new = focused.is_some() && focused != self.at_frame_start;
        let before = if is_new { self.at_frame_start } else { focused };
        let old = before.or(self.before_press.filter(|_| by_pointer));
        let of_page = old.filter(|id| regions::is_in_page(ctx, *id));
        match of_page {
            Some(id) => self.saved_by_tab.insert(self.current_tab, id),
            None => self.saved_by_tab.remove(&self.current_tab),
        };
        self.current_tab = tab;
        self.shown_last = [None; 2];
        // A user who switches tabs by keyboard stays in the tab bar.
        if focused.is_some() && of_page.is_none() || is_new || state.go_to.is_some() || state.dialog.is_some() {
            return;
        }
        ctx.memory_mut(|memory| {
            if let Some(id) = of_page {
                memory.surrender_focus(id);
            }
            if let Some(id) = self.saved_by_tab.get(&tab) {
                memory.request_focus(*id);
            }
        });
        ctx.request_repaint();
    }

    fn track_dialog(&mut self, ctx: &Context, state: &EditorState, focused: Option<Id>) {
        let dialog = state.dialog.as_ref().map(Dialog::kind);
        if dialog != self.shown_dialog {
            if self.shown_dialog.is_none() {
                let behind = self.behind_menus.filter(|_| self.was_in_menu);
                self.before_dialog = behind.or(self.at_frame_start).or(focused);
            }
            self.shown_dialog = dialog;
            self.shown_last[1] = None;
            match (dialog, focused) {
                (Some(_), focused) => {
                    self.opening_frames = LOST_AFTER_FRAMES;
                    if let Some(id) = focused {
                        ctx.memory_mut(|memory| memory.surrender_focus(id));
                    }
                }
                (None, _) => {
                    self.opening_frames = 0;
                    self.restore_to = self.before_dialog.take().filter(|_| state.go_to.is_none());
                }
            }
            ctx.request_repaint();
            return;
        }
        // One frame later: until then the dialog's layer keeps the focus from what is behind it.
        if let Some(id) = self.restore_to.take() {
            ctx.memory_mut(|memory| memory.request_focus(id));
            ctx.request_repaint();
        }
        if self.opening_frames > 0 {
            self.opening_frames -= 1;
            ctx.request_repaint();
            self.wants_first_widget = self.opening_frames == 0 && focused.is_none();
        }
    }

    /// A menu or list that closes gives it back to what had it before.
    fn track_menus(&mut self, ctx: &Context, state: &EditorState, focused: Option<Id>) {
        let Some(id) = focused else {
            let is_free = state.dialog.is_none() && state.go_to.is_none();
            if let Some(id) = self.behind_menus.filter(|_| std::mem::take(&mut self.was_in_menu) && is_free) {
                ctx.memory_mut(|memory| memory.request_focus(id));
                ctx.request_repaint();
            }
            return;
        };
        let Some(response) = ctx.read_response(id) else { return };
        self.was_in_menu = response.layer_id.order > Order::Middle && state.dialog.is_none();
        if response.layer_id.order <= Order::Middle {
            self.behind_menus = Some(id);
        }
    }
}
