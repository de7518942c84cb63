//! A window for tests: the app over a temporary folder, with a platform that records its calls.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::editor::file_chooser::FileChooserCommand;
use moldloft::editor::jobs::{CommandSender, Jobs};
use moldloft::editor::{App, AppFolders, Command, Doc, EditorState, FilePick, PickPurpose, Platform, Settings};
use moldloft::store::Store;
use resvg::tiny_skia::Pixmap;
use tempfile::TempDir;

use crate::editor::painted::Painter;

/// A design of each game.
pub const SAMPLES: [&str; 5] = [
    "designs/b5-house-rules/sirenna.toml",
    "designs/battleships-1890s/saltholm.toml",
    "designs/sky-full-of-ships/atlas.toml",
    "designs/star-navy/chicago.toml",
    "designs/wars-of-honor/vigilant.toml",
];

#[derive(Default)]
pub struct PlatformLog {
    /// The answer of the next file chooser.
    pub choice: Vec<PathBuf>,
    /// The file chooser of the system cannot be opened.
    pub has_no_chooser: bool,
    pub picks: Vec<FilePick>,
    pub views: Vec<PathBuf>,
}

struct TestPlatform(Rc<RefCell<PlatformLog>>);

impl Platform for TestPlatform {
    fn pick_file(&mut self, pick: FilePick, give: CommandSender) {
        let mut platform = self.0.borrow_mut();
        if platform.has_no_chooser {
            return give.send(Command::FileChooser(FileChooserCommand::Open(Box::new(pick))));
        }
        let then: PickPurpose = pick.purpose;
        platform.picks.push(pick);
        give.send(Command::FilesPicked { paths: platform.choice.clone(), purpose: then });
    }

    fn open_externally(&mut self, path: &Path, _sender: CommandSender) -> Result<(), String> {
        self.0.borrow_mut().views.push(path.to_path_buf());
        Ok(())
    }
}

pub struct Bench {
    pub harness: Harness<'static, App>,
    pub platform: Rc<RefCell<PlatformLog>>,
    painter: Painter,
    /// The workspace is `space`; `config` and `drafts` are next to it.
    pub folder: TempDir,
}

impl Bench {
    /// A window of 1280 × 800 over a new workspace with these files of the repository
    /// (`designs/star-navy/lancet.toml`).
    pub fn new(files: &[&str]) -> Self {
        Self::over(Self::workspace_of(files))
    }

    fn workspace_of(files: &[&str]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let to = folder.path().join("space").join(file);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), to).unwrap();
        }
        std::fs::create_dir_all(folder.path().join("space/designs")).unwrap();
        folder
    }

    /// The same with the first of the files open.
    pub fn opened(files: &[&str]) -> Self {
        Self::opened_in(files, 1280.0, 800.0)
    }

    /// In points. As if the program were started with the file: the start page is never drawn.
    pub fn opened_in(files: &[&str], width: f32, height: f32) -> Self {
        let folder = Self::workspace_of(files);
        let file = folder.path().join("space").join(files[0]);
        Self::started(folder, width, height, Jobs::new(|| {}), vec![Command::Open(file)])
    }

    /// An existing folder, as if the program were started again.
    pub fn over(folder: TempDir) -> Self {
        Self::sized(folder, 1280.0, 800.0)
    }

    /// In points.
    pub fn sized(folder: TempDir, width: f32, height: f32) -> Self {
        Self::with_jobs(folder, width, height, Jobs::new(|| {}))
    }

    /// In points.
    pub fn with_jobs(folder: TempDir, width: f32, height: f32, jobs: Jobs) -> Self {
        Self::started(folder, width, height, jobs, Vec::new())
    }

    fn started(folder: TempDir, width: f32, height: f32, jobs: Jobs, first: Vec<Command>) -> Self {
        let places =
            AppFolders { config: Some(folder.path().join("config")), drafts: Some(folder.path().join("drafts")) };
        let settings = std::fs::read_to_string(folder.path().join("config/editor.json"));
        let settings = settings.ok().and_then(|text| Settings::parse(&text).ok());
        // As after the first start, with all games.
        let known = Settings { games: Some(Default::default()), ..Settings::default() };
        let settings = settings.unwrap_or(known);
        let space = folder.path().join("space");
        // Without a workspace, only built-in files are found.
        let store = if space.exists() { Store::open(Some(&space)).unwrap() } else { Store::built_in() };
        let platform = Rc::new(RefCell::new(PlatformLog::default()));
        let mut app =
            App::new(EditorState::new(store, places, settings), jobs, Box::new(TestPlatform(platform.clone())));
        first.into_iter().for_each(|command| app.apply(command));
        let painter = Painter::default();
        let harness = Harness::builder()
            .with_size(egui::vec2(width, height))
            .renderer(painter.clone())
            .with_max_steps(24)
            .build_ui_state(|ui, app: &mut App| app.frame(ui), app);
        let mut bench = Self { harness, platform, painter, folder };
        bench.settle();
        bench
    }

    /// Runs until no job runs and no frame is requested.
    pub fn settle(&mut self) {
        for _ in 0..40 {
            self.harness.run();
            self.harness.state().jobs().wait_until_idle();
            if !self.harness.state().jobs().has_results() {
                return;
            }
        }
        panic!("the window does not come to rest");
    }

    /// The last frame, as it is on a screen of one pixel a point.
    pub fn picture(&self) -> Pixmap {
        self.painter.picture(&self.harness.ctx, self.harness.output(), self.harness.ctx.content_rect().size())
    }

    pub fn state(&self) -> &EditorState {
        self.harness.state().state()
    }

    pub fn doc(&self) -> &Doc {
        self.state().current_doc().expect("a document is open")
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join("space").join(file)
    }

    pub fn give(&mut self, command: Command) {
        self.harness.state_mut().apply(command);
        self.settle();
    }

    pub fn open(&mut self, file: &str) {
        let path = self.path(file);
        self.give(Command::Open(path));
    }

    /// Clicks as a screen reader does, so that the widget need not be visible.
    pub fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click_accesskit();
        self.settle();
    }

    /// The label contains this.
    pub fn click_part(&mut self, label: &str) {
        self.harness.get_by_label_contains(label).click_accesskit();
        self.settle();
    }

    pub fn focus(&mut self, label: &str) {
        self.harness.get_by_label(label).focus();
        self.settle();
    }

    /// Where the first widget with this label is.
    pub fn rect(&self, label: &str) -> egui::Rect {
        let found = self.harness.query_all_by_label(label).next();
        found.unwrap_or_else(|| panic!("nothing is called “{label}”")).rect()
    }

    /// Writes a file of the workspace.
    pub fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// The first of several widgets with this label.
    pub fn click_first(&mut self, label: &str) {
        self.harness
            .get_all_by_label(label)
            .next()
            .unwrap_or_else(|| panic!("nothing is called “{label}”"))
            .click_accesskit();
        self.settle();
    }

    pub fn press(&mut self, modifiers: egui::Modifiers, key: egui::Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.settle();
    }

    /// Types into the focused widget.
    pub fn type_text(&mut self, text: &str) {
        self.harness.event(egui::Event::Text(text.into()));
        self.settle();
    }

    /// The label of the focused widget.
    pub fn focused(&self) -> Option<String> {
        let node = self.harness.root().children_recursive().find(|node| node.is_focused())?;
        node.accesskit_node().label()
    }

    /// Clicks as a pointer does.
    pub fn click_at(&mut self, at: egui::Pos2) {
        self.harness.hover_at(at);
        self.harness.run_steps(1);
        self.harness.drag_at(at);
        self.harness.run_steps(1);
        self.harness.drop_at(at);
        self.settle();
    }

    /// Presses at one place and moves to another, without letting go.
    pub fn carry(&mut self, from: egui::Pos2, to: egui::Pos2) {
        self.harness.hover_at(from);
        self.harness.run_steps(2);
        self.harness.drag_at(from);
        self.harness.run_steps(2);
        for part in [0.2, 0.6, 1.0] {
            self.harness.hover_at(from + (to - from) * part);
            self.harness.run_steps(2);
        }
    }

    pub fn drag(&mut self, from: egui::Pos2, to: egui::Pos2) {
        self.carry(from, to);
        self.harness.drop_at(to);
        self.settle();
    }

    pub fn shows(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    pub fn shows_part(&self, label: &str) -> bool {
        self.harness.query_all_by_label_contains(label).next().is_some()
    }

    pub fn is_enabled(&self, label: &str) -> bool {
        !self.harness.get_by_label(label).accesskit_node().is_disabled()
    }

    pub fn text(&self) -> String {
        self.doc().text().to_string()
    }
}
