//! Keyboard focus, for each tab and before each dialog: takes egui's focus and the state, gives the focus back where it
//! was. Changes nothing else.

use std::collections::BTreeMap;

use egui::{Context, FocusDirection, Id, Key, Order};

use crate::model::dialog::DialogKind;
use crate::{Dialog, EditorState, FormTarget, Tab, regions};

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
}

impl FocusMemory {
    pub fn begin_frame(&mut self, ctx: &Context) {
        self.at_frame_start = ctx.memory(|memory| memory.focused());
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
