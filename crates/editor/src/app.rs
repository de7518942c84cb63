//! The eframe application: takes a frame, shows the panels for the state and carries out their commands.

use std::path::PathBuf;

use egui::{CentralPanel, Frame, Panel, Ui, ViewportCommand};

use crate::apply::apply;
use crate::effects::persistence::{self, DraftTimer};
use crate::effects::{DiskServices, Effects};
use crate::focus::FocusMemory;
use crate::regions::{self, Region};
use crate::typed_events::TypedEvents;
use crate::{
    Command, EditorState, Jobs, PersistenceCommand, PickPurpose, Platform, Settings, Tab, compare_page, fault, fleet,
    focus, guide, inspector, language, library_browser, odds_page, panels, pressed_keys, preview, print_room,
    ruleset_status, suggest, theme,
};
use moldloft_library::store;

pub struct App {
    state: EditorState,
    jobs: Jobs,
    platform: Box<dyn Platform>,
    disk: DiskServices,
    /// As last written to the settings file.
    saved_settings: Settings,
    draft_timer: DraftTimer,
    /// As in the frame before.
    last_settings: Settings,
    last_tabs: (Vec<PathBuf>, Option<PathBuf>),
    focus: FocusMemory,
    is_set_up: bool,
    /// Frames until a first window takes the whole screen: a window manager hears of it only once it is shown.
    frames_to_maximise: u8,
    is_closing: bool,
    typed: TypedEvents,
}

impl App {
    pub fn new(mut state: EditorState, jobs: Jobs, platform: Box<dyn Platform>) -> Self {
        state.platform = platform.capabilities();
        let settings = state.settings.clone();
        let mut app = Self {
            state,
            jobs,
            platform,
            disk: DiskServices::default(),
            last_settings: settings.clone(),
            last_tabs: Default::default(),
            saved_settings: settings,
            draft_timer: DraftTimer::default(),
            focus: FocusMemory::default(),
            is_set_up: false,
            frames_to_maximise: 0,
            is_closing: false,
            typed: TypedEvents::default(),
        };
        app.apply(Command::Persistence(PersistenceCommand::Start));
        app
    }

    pub fn state(&self) -> &EditorState {
        &self.state
    }

    /// From now on it is known which texts the window asked for ([`moldloft_base::words::Words::asked`]).
    pub fn watch_words(&mut self) {
        self.state.language.is_watched = true;
    }

    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    pub fn apply(&mut self, command: Command) {
        let mut effects = Effects { jobs: &self.jobs, platform: &mut *self.platform, disk: &mut self.disk };
        let spoken = self.state.language.spoken();
        language::speaking(spoken, || apply(&mut self.state, command, &mut effects));
    }

    pub fn frame(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        if !self.is_set_up {
            theme::install_fonts_and_styles(&ctx);
            ctx.options_mut(|options| {
                options.zoom_with_keyboard = false;
                options.fallback_theme = egui::Theme::Light;
            });
            self.is_set_up = true;
            self.frames_to_maximise = if self.state.settings.window.is_none() { 3 } else { 0 };
        }
        if self.frames_to_maximise > 0 {
            self.frames_to_maximise -= 1;
            match self.frames_to_maximise {
                0 => ctx.send_viewport_cmd(ViewportCommand::Maximized(true)),
                _ => ctx.request_repaint(),
            }
        }
        for command in self.jobs.take_results() {
            self.apply(command);
        }
        if let Some(command) = pressed_keys::select_focused(&ctx, &self.state) {
            self.apply(command);
        }
        // Keys and the window's close button apply to what the user sees, so letters typed in the same frame come
        // first.
        let mut last = pressed_keys::pressed_commands(&ctx, &self.state);
        if ctx.input(|input| input.viewport().close_requested()) && !self.state.wants_quit {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            last.push(Command::Quit);
        }
        last.extend(dropped_files(&ctx));
        let goes_to_region = self.state.dialog.is_none() && regions::handle_keys(&ctx);
        self.focus.begin_frame(&ctx, goes_to_region);
        theme::apply_settings(&ctx, &self.state.settings);
        self.record_window_size(&ctx);
        inspector::update(&mut self.state);
        compare_page::update(&mut self.state);
        guide::update(&mut self.state);
        suggest::update(&mut self.state);
        ruleset_status::update(&mut self.state);
        library_browser::update(&mut self.state);
        fleet::design_chooser::update_candidates(&mut self.state);
        odds_page::update(&mut self.state);
        language::update(&mut self.state);

        let mut commands = Vec::new();
        language::speaking(self.state.language.spoken(), || show_window(ui, &self.state, &mut commands));
        let by_key = last.iter().any(|command| matches!(command, Command::Edit(_) | Command::Cut));
        // By its key, or by a menu entry or button that a key has pressed.
        let is_pressed = ctx.input(|input| input.key_pressed(egui::Key::Enter) || input.key_pressed(egui::Key::Space));
        let all_by_key = commands.iter().filter(|_| is_pressed).chain(&last);
        let shown = all_by_key.filter_map(|command| focus::region_shown(command, &self.state)).next_back();
        commands.append(&mut last);
        if !commands.is_empty() {
            // The panels have shown the old state.
            ctx.request_repaint();
        }
        if let Some(region) = shown {
            regions::go_to(&ctx, region);
        }
        let doc = self.state.current_doc().filter(|_| by_key);
        let moved = doc.and_then(|doc| Some((focus::focused_rank(&ctx, doc)?, doc.selected.clone())));
        for command in commands {
            self.apply(command);
        }
        // The keyboard goes with its row.
        let doc = self.state.current_doc();
        if let (Some(doc), Some((rank, selected))) = (doc, moved)
            && doc.selected != selected
            && let Some(place) = focus::row_of_rank(doc, rank)
        {
            self.apply(Command::GoTo(place));
        }
        if let Some(place) = self.focus.end_frame(&ctx, &self.state, by_key) {
            self.apply(Command::GoTo(place));
        }
        for command in self.draft_timer.due_commands(&ctx, &self.state) {
            self.apply(command);
            ctx.request_repaint();
        }
        preview::start_render_if_needed(&mut self.state, &self.jobs);
        compare_page::start_drawing_if_needed(&mut self.state, &self.jobs);
        print_room::start_jobs_if_needed(&mut self.state, &self.jobs);
        odds_page::start_job_if_needed(&mut self.state, &self.jobs);
        if let Some(text) = self.state.to_clipboard.take() {
            ctx.copy_text(text);
        }
        if std::mem::take(&mut self.state.wants_paste) {
            ctx.send_viewport_cmd(ViewportCommand::RequestPaste);
        }
        // Those of the settings stay until one is opened or closed.
        let tabs = persistence::open_tabs(&self.state);
        if !self.state.wants_quit && tabs != self.last_tabs {
            persistence::remember_tabs(&mut self.state);
            self.last_tabs = tabs;
        }
        self.save_settings_when_idle(&ctx);
        if self.state.wants_quit && !self.is_closing {
            self.is_closing = true;
            ctx.send_viewport_cmd(ViewportCommand::Close);
        }
    }

    /// Before the program ends by a fault: unsaved work becomes drafts, and what happened is told at the next start.
    pub fn keep_all(&mut self, fault: &str) {
        if let Some(folder) = &self.state.folders.drafts {
            // A report that fails as the frame did leaves what the hook has kept.
            let _ = fault::guarded(|| store::keep_fault(folder, &fault::report_of(Some(&self.state), Some(fault))));
        }
        let _ = fault::guarded(|| self.apply(Command::Persistence(PersistenceCommand::WriteDrafts)));
        // Writes those that wait.
        self.disk = DiskServices::default();
    }

    fn record_window_size(&mut self, ctx: &egui::Context) {
        let zoom = ctx.zoom_factor();
        let size = ctx.input(|input| input.viewport().inner_rect.map(|rect| rect.size() * zoom));
        if let Some(size) = size.filter(|size| size.x >= 1.0 && size.y >= 1.0) {
            self.state.settings.window = Some((size.x.round() as u32, size.y.round() as u32));
        }
        // Not while a border is dragged.
        if !ctx.input(|input| input.pointer.any_down()) {
            panels::design::record_panel_sizes(ctx, &mut self.state.settings.panels);
        }
    }

    /// Writes the settings once they have stopped changing, not in every frame of a scroll or resize.
    fn save_settings_when_idle(&mut self, ctx: &egui::Context) {
        let Some(folder) = &self.state.folders.config else { return };
        let settings = &self.state.settings;
        if *settings != self.last_settings && !self.state.wants_quit {
            self.last_settings.clone_from(settings);
            ctx.request_repaint();
        } else if *settings != self.saved_settings {
            let text = settings.to_text();
            // If the folder cannot be written, only the settings are lost.
            let _ = store::make_folder(folder).and_then(|()| store::save(&folder.join("editor.json"), text.as_bytes()));
            self.saved_settings.clone_from(settings);
            self.last_settings.clone_from(settings);
        }
    }
}

/// Files and folders that were dropped on the window.
fn dropped_files(ctx: &egui::Context) -> Option<Command> {
    let paths: Vec<PathBuf> =
        ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_path_buf()).collect());
    (!paths.is_empty()).then_some(Command::FilesPicked { paths, purpose: PickPurpose::Open })
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        if let Err(fault) = fault::guarded(|| self.frame(ui)) {
            self.keep_all(&fault);
            std::panic::resume_unwind(Box::new(fault));
        }
    }

    fn raw_input_hook(&mut self, ctx: &egui::Context, raw: &mut egui::RawInput) {
        raw.events = self.typed.of_frame(std::mem::take(&mut raw.events));
        if self.typed.is_holding() {
            ctx.request_repaint();
        }
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}

/// From the first frame of a dialog on: until it is in the way of the pointer.
const FRAMES_WITHOUT_TOOLTIP: u8 = 3;

fn show_window(ui: &mut Ui, state: &EditorState, out: &mut Vec<Command>) {
    // A tooltip stays as long as the pointer is over its widget, even under a dialog: without a pointer for some frames it is gone.
    let key = egui::Id::unique("frames of a dialog");
    let before = if state.dialog.is_some() { ui.data(|data| data.get_temp::<u8>(key)).unwrap_or(0) } else { 0 };
    let frames = if state.dialog.is_some() { before.saturating_add(1) } else { 0 };
    ui.data_mut(|data| data.insert_temp(key, frames));
    let is_new = (1..=FRAMES_WITHOUT_TOOLTIP).contains(&frames);
    let pointer = is_new.then(|| ui.input_mut(|input| std::mem::take(&mut input.pointer)));
    if is_new {
        ui.request_repaint();
    }
    let bar = Frame::new().fill(theme::palette(ui).bar).inner_margin(egui::Margin::symmetric(8, 4));
    Panel::top("menu").frame(bar).show(ui, |ui| {
        regions::begin_region(ui, Region::Menu);
        panels::menu::show(ui, state, out);
    });
    Panel::top("tabs").frame(bar).show(ui, |ui| {
        regions::begin_region(ui, Region::Tabs);
        panels::tabs::show(ui, state, out);
    });
    if let Tab::Doc(_) = state.tab {
        Panel::bottom("status").frame(bar).show(ui, |ui| panels::status::show(ui, state, out));
    }
    match state.tab {
        Tab::Start => {
            CentralPanel::default().show(ui, |ui| {
                regions::begin_region(ui, Region::Form);
                panels::start_page::show(ui, state, out);
            });
        }
        Tab::Doc(_) if state.current_doc().is_some_and(|doc| doc.as_ruleset().is_some()) => {
            crate::rules_page::panel::show(ui, state, out);
        }
        Tab::Doc(id) if state.compare_pages.open_page(id).is_some() => {
            CentralPanel::default().show(ui, |ui| {
                regions::begin_region(ui, Region::Form);
                crate::compare_page::panel::show(ui, state, out);
            });
        }
        Tab::Doc(id) => {
            if state.guides.is_open(id) {
                crate::guide::panel::show_beside(ui, state, out);
            }
            panels::design::show(ui, state, out);
        }
    }
    panels::overlay::show(ui, state, out);
    panels::overlay::show_drop_hint(ui);
    if let Some(pointer) = pointer {
        ui.input_mut(|input| input.pointer = pointer);
    }
    panels::dialogs::show_open_dialog(ui, state, out);
}
