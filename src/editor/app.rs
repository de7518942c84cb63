//! The window's program: takes egui's frame, shows the panels over the state, carries out what they give.

use egui::{CentralPanel, Frame, Panel, Ui, ViewportCommand};

use crate::store;

use super::actions;
use super::apply::{Outside, apply};
use super::command::Command;
use super::desk::Desk;
use super::fleet;
use super::focus::Focus;
use super::inspect;
use super::jobs::Jobs;
use super::keep::{Keeping, Pace};
use super::panels;
use super::preview;
use super::regions::{self, Region};
use super::rules;
use super::state::{State, Tab};
use super::theme;

/// The program behind a window.
pub struct App {
    state: State,
    jobs: Jobs,
    desk: Box<dyn Desk>,
    /// The settings file's text as it was last written.
    written: String,
    pace: Pace,
    /// The same as it was in the frame before.
    seen: String,
    focus: Focus,
    is_set_up: bool,
    /// The window was asked to close.
    is_leaving: bool,
}

impl App {
    /// A program over a state.
    pub fn new(state: State, jobs: Jobs, desk: Box<dyn Desk>) -> Self {
        let written = state.settings.to_text();
        let mut app = Self {
            state,
            jobs,
            desk,
            seen: written.clone(),
            written,
            pace: Pace::default(),
            focus: Focus::default(),
            is_set_up: false,
            is_leaving: false,
        };
        app.apply(Command::Keep(Keeping::Start));
        app
    }

    /// What is shown.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Its threads.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// Carries a command out.
    pub fn apply(&mut self, command: Command) {
        apply(&mut self.state, command, &mut Outside { jobs: &self.jobs, desk: &mut *self.desk });
    }

    /// Shows one frame.
    pub fn frame(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        if !self.is_set_up {
            theme::set_up(&ctx);
            ctx.options_mut(|options| {
                options.zoom_with_keyboard = false;
                options.fallback_theme = egui::Theme::Light;
            });
            self.is_set_up = true;
        }
        for command in self.jobs.results() {
            self.apply(command);
        }
        // Keys and the window's own close button mean what the player sees; so letters typed in the same frame count first.
        let mut last = actions::pressed(&ctx, &self.state);
        if ctx.input(|input| input.viewport().close_requested()) && !self.state.quit {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            last.push(Command::Quit);
        }
        if self.state.dialog.is_none() {
            regions::keys(&ctx);
        }
        self.focus.note(&ctx);
        theme::follow(&ctx, &self.state.settings);
        self.note_window(&ctx);
        inspect::follow(&mut self.state);
        rules::follow(&mut self.state);
        fleet::choosing::follow(&mut self.state);

        let mut commands = Vec::new();
        show(ui, &self.state, &mut commands);
        let by_key = last.iter().any(|command| matches!(command, Command::Edit(_) | Command::Cut));
        commands.append(&mut last);
        if !commands.is_empty() {
            // What is shown is what was; the next frame shows what is.
            ctx.request_repaint();
        }
        for command in commands {
            self.apply(command);
        }
        if let Some(place) = self.focus.follow(&ctx, &self.state, by_key) {
            self.apply(Command::GoTo(place));
        }
        for command in self.pace.commands(&ctx, &self.state) {
            self.apply(command);
            ctx.request_repaint();
        }
        preview::follow(&mut self.state, &self.jobs);
        if let Some(text) = self.state.to_clipboard.take() {
            ctx.copy_text(text);
        }
        if std::mem::take(&mut self.state.wants_paste) {
            ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
        }
        self.remember(&ctx);
        if self.state.quit && !self.is_leaving {
            self.is_leaving = true;
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }

    fn note_window(&mut self, ctx: &egui::Context) {
        let zoom = ctx.zoom_factor();
        let size = ctx.input(|input| input.viewport().inner_rect.map(|rect| rect.size() * zoom));
        if let Some(size) = size.filter(|size| size.x >= 1.0 && size.y >= 1.0) {
            self.state.settings.window = Some((size.x.round() as u32, size.y.round() as u32));
        }
        // While a border is dragged nothing is remembered.
        if !ctx.input(|input| input.pointer.any_down()) {
            panels::design::note_sizes(ctx, &mut self.state.settings.panels);
        }
    }

    /// Writes the settings when they have changed and come to rest: not in every frame in which the wheel or the window's edge moves.
    fn remember(&mut self, ctx: &egui::Context) {
        let Some(folder) = &self.state.places.config else { return };
        let text = self.state.settings.to_text();
        if text != self.seen && !self.state.quit {
            self.seen = text;
            ctx.request_repaint();
        } else if text != self.written {
            // A folder that cannot be written costs the memory of the settings and nothing else.
            let _ = store::make_folder(folder).and_then(|()| store::save(&folder.join("editor.json"), text.as_bytes()));
            self.written.clone_from(&text);
            self.seen = text;
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.frame(ui);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}

/// The window, top to bottom.
fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let bar = Frame::new().fill(theme::palette(ui).bar).inner_margin(egui::Margin::symmetric(8, 4));
    Panel::top("menu").frame(bar).show(ui, |ui| {
        regions::begin(ui, Region::Menu);
        panels::menu::show(ui, state, out);
    });
    Panel::top("tabs").frame(bar).show(ui, |ui| {
        regions::begin(ui, Region::Tabs);
        panels::tabs::show(ui, state, out);
    });
    if let Tab::Doc(_) = state.tab {
        Panel::bottom("status").frame(bar).show(ui, |ui| panels::status::show(ui, state, out));
    }
    match state.tab {
        Tab::Start => {
            CentralPanel::default().show(ui, |ui| {
                regions::begin(ui, Region::Form);
                panels::start::show(ui, state, out);
            });
        }
        Tab::Doc(_) => panels::design::show(ui, state, out),
    }
    panels::over::show(ui, state, out);
    panels::ask::show(ui, state, out);
}
