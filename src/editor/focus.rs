//! Where the keyboard is, for each tab and before each dialog: takes egui's memory of the focus and the state, gives the focus back where it was.
//! Changes nothing but that memory.

use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};

use egui::{Context, FocusDirection, Id};

use super::command::Dialog;
use super::regions;
use super::state::{Place, State, Tab};

/// Frames after which a widget that is gone has lost the keyboard.
const LOST_AFTER: u8 = 3;

/// Where the keyboard was.
#[derive(Debug, Default)]
pub struct Focus {
    /// In each tab that is not shown; the start page is 0.
    tabs: BTreeMap<u64, Id>,
    tab: u64,
    dialog: Option<Discriminant<Dialog>>,
    /// Before the dialog opened.
    behind: Option<Id>,
    /// What gets it back now that the dialog is gone.
    back: Option<Id>,
    /// Frames until the first thing of a dialog gets it, if nothing of the dialog's has taken it.
    opening: u8,
    /// The first thing of the dialog is to have it.
    wants_first: bool,
    /// What had it when the frame began: a dialog takes it away while it is shown first.
    begun: Option<Id>,
    /// What had it before the pointer was pressed.
    pressed: Option<Id>,
    /// Frames in which it is watched whether an edit by a key has taken away what had it.
    watched: u8,
}

impl Focus {
    /// Before a frame is shown.
    pub fn note(&mut self, ctx: &Context) {
        self.begun = ctx.memory(|memory| memory.focused());
        if std::mem::take(&mut self.wants_first) {
            // While the frame is shown the first thing that can have it takes it.
            ctx.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
        }
        if ctx.input(|input| input.pointer.any_pressed()) {
            self.pressed = self.begun;
        }
    }

    /// After a frame was shown and what came of it was done; gives the place that the keyboard goes to when what had it is gone.
    pub fn follow(&mut self, ctx: &Context, state: &State, edited_by_key: bool) -> Option<Place> {
        let focused = ctx.memory(|memory| memory.focused());
        self.follow_tab(ctx, state, focused);
        self.follow_dialog(ctx, state, focused);
        if edited_by_key && focused.is_some() {
            self.watched = LOST_AFTER;
        }
        if self.watched == 0 || state.dialog.is_some() {
            return None;
        }
        self.watched -= 1;
        ctx.request_repaint();
        if focused.is_some() || state.go_to.is_some() {
            return None;
        }
        self.watched = 0;
        let doc = state.doc()?;
        let chosen = doc.selected.last().copied();
        if doc.fleet().is_some() {
            return chosen.map(|ship| Place::Ship { ship, key: "handle" });
        }
        chosen.or_else(|| doc.judged()?.design.fits.first().map(|fit| fit.index)).map(Place::Fit)
    }

    fn follow_tab(&mut self, ctx: &Context, state: &State, focused: Option<Id>) {
        let tab = match state.tab {
            Tab::Start => 0,
            Tab::Doc(id) => id.0,
        };
        if tab == self.tab {
            return;
        }
        let by_pointer = ctx.input(|input| input.pointer.any_released());
        let old = focused.or(self.pressed.filter(|_| by_pointer));
        let of_page = old.filter(|id| regions::is_of_page(ctx, *id));
        match of_page {
            Some(id) => self.tabs.insert(self.tab, id),
            None => self.tabs.remove(&self.tab),
        };
        self.tab = tab;
        // Who goes through the tabs by keyboard stays there.
        if focused.is_some() && of_page.is_none() || state.go_to.is_some() || state.dialog.is_some() {
            return;
        }
        ctx.memory_mut(|memory| {
            if let Some(id) = of_page {
                memory.surrender_focus(id);
            }
            if let Some(id) = self.tabs.get(&tab) {
                memory.request_focus(*id);
            }
        });
        ctx.request_repaint();
    }

    fn follow_dialog(&mut self, ctx: &Context, state: &State, focused: Option<Id>) {
        let dialog = state.dialog.as_ref().map(discriminant);
        if dialog != self.dialog {
            if self.dialog.is_none() {
                self.behind = self.begun.or(focused);
            }
            self.dialog = dialog;
            match (dialog, focused) {
                (Some(_), focused) => {
                    self.opening = LOST_AFTER;
                    if let Some(id) = focused {
                        ctx.memory_mut(|memory| memory.surrender_focus(id));
                    }
                }
                (None, _) => {
                    self.opening = 0;
                    self.back = self.behind.take().filter(|_| state.go_to.is_none());
                }
            }
            ctx.request_repaint();
            return;
        }
        // A frame later: until then the dialog's layer keeps what lies behind it from the keyboard.
        if let Some(id) = self.back.take() {
            ctx.memory_mut(|memory| memory.request_focus(id));
            ctx.request_repaint();
        }
        if self.opening > 0 {
            self.opening -= 1;
            ctx.request_repaint();
            self.wants_first = self.opening == 0 && focused.is_none();
        }
    }
}
