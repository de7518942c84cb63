//! A window to test: the program over a folder of its own, with a desk that remembers what it was asked.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use moldloft::editor::file_chooser::FileChooserCommand;
use moldloft::editor::jobs::{CommandSender, Jobs};
use moldloft::editor::{App, AppFolders, Command, EditorState, FilePick, PickPurpose, Platform, Settings};
use moldloft::store::Store;
use tempfile::TempDir;

/// What the window asked of the system.
#[derive(Default)]
pub struct Asked {
    /// What the player chooses when a file chooser opens next.
    pub choice: Vec<PathBuf>,
    /// The system has no file chooser that opens.
    pub has_no_chooser: bool,
    /// File choosers that opened.
    pub picks: Vec<FilePick>,
    /// Files opened in other programs.
    pub views: Vec<PathBuf>,
}

struct TestDesk(Rc<RefCell<Asked>>);

impl Platform for TestDesk {
    fn pick_file(&mut self, pick: FilePick, give: CommandSender) {
        let mut asked = self.0.borrow_mut();
        if asked.has_no_chooser {
            return give.send(Command::FileChooser(FileChooserCommand::Open(Box::new(pick))));
        }
        let then: PickPurpose = pick.purpose;
        asked.picks.push(pick);
        give.send(Command::FilesPicked { paths: asked.choice.clone(), purpose: then });
    }

    fn open_externally(&mut self, path: &Path) -> Result<(), String> {
        self.0.borrow_mut().views.push(path.to_path_buf());
        Ok(())
    }
}

/// A window over a folder.
pub struct Bench {
    pub harness: Harness<'static, App>,
    pub asked: Rc<RefCell<Asked>>,
    /// The workspace; `config` and `drafts` stand beside it.
    pub folder: TempDir,
}

impl Bench {
    /// A window of 1280 × 800 over a new workspace with these files of the repository (`designs/star-navy/lancet.toml`).
    pub fn new(files: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let to = folder.path().join("space").join(file);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), to).unwrap();
        }
        std::fs::create_dir_all(folder.path().join("space/designs")).unwrap();
        Self::over(folder)
    }

    /// A window over a folder that is there already: the program started again.
    pub fn over(folder: TempDir) -> Self {
        Self::sized(folder, 1280.0, 800.0)
    }

    /// A window of a size.
    pub fn sized(folder: TempDir, width: f32, height: f32) -> Self {
        let places =
            AppFolders { config: Some(folder.path().join("config")), drafts: Some(folder.path().join("drafts")) };
        let settings = std::fs::read_to_string(folder.path().join("config/editor.json"));
        let settings = settings.ok().and_then(|text| Settings::parse(&text).ok()).unwrap_or_default();
        let space = folder.path().join("space");
        // Without a folder of the player's own, what is built in is all there is.
        let store = if space.exists() { Store::open(Some(&space)).unwrap() } else { Store::built_in() };
        let asked = Rc::new(RefCell::new(Asked::default()));
        let app =
            App::new(EditorState::new(store, places, settings), Jobs::new(|| {}), Box::new(TestDesk(asked.clone())));
        let harness = Harness::builder()
            .with_size(egui::vec2(width, height))
            .with_max_steps(24)
            .build_ui_state(|ui, app: &mut App| app.frame(ui), app);
        let mut bench = Self { harness, asked, folder };
        bench.settle();
        bench
    }

    /// Runs until nothing moves: no job in a thread, no frame asked for.
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

    /// The state.
    pub fn state(&self) -> &EditorState {
        self.harness.state().state()
    }

    /// A path in the workspace.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join("space").join(file)
    }

    /// Carries a command out.
    pub fn give(&mut self, command: Command) {
        self.harness.state_mut().apply(command);
        self.settle();
    }

    /// Opens a file of the workspace.
    pub fn open(&mut self, file: &str) {
        let path = self.path(file);
        self.give(Command::Open(path));
    }

    /// Clicks what is called so, as a screen reader does: also when it must be scrolled to.
    pub fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click_accesskit();
        self.settle();
    }

    /// Clicks the first of those called so.
    pub fn click_first(&mut self, label: &str) {
        self.harness
            .get_all_by_label(label)
            .next()
            .unwrap_or_else(|| panic!("nothing is called “{label}”"))
            .click_accesskit();
        self.settle();
    }

    /// Presses keys.
    pub fn press(&mut self, modifiers: egui::Modifiers, key: egui::Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.settle();
    }

    /// Types, where the keyboard is.
    pub fn type_text(&mut self, text: &str) {
        self.harness.event(egui::Event::Text(text.into()));
        self.settle();
    }

    /// What the thing that has the keyboard is called.
    pub fn focused(&self) -> Option<String> {
        let node = self.harness.root().children_recursive().find(|node| node.is_focused())?;
        node.accesskit_node().label()
    }

    /// Clicks at a place of the window, as a pointer does.
    pub fn click_at(&mut self, at: egui::Pos2) {
        self.harness.hover_at(at);
        self.harness.run_steps(1);
        self.harness.drag_at(at);
        self.harness.run_steps(1);
        self.harness.drop_at(at);
        self.settle();
    }

    /// Whether something is called so.
    pub fn shows(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    /// Whether something is called so in part.
    pub fn shows_part(&self, label: &str) -> bool {
        self.harness.query_all_by_label_contains(label).next().is_some()
    }

    /// Whether what is called so can be used.
    pub fn is_enabled(&self, label: &str) -> bool {
        !self.harness.get_by_label(label).accesskit_node().is_disabled()
    }

    /// The text of the design before the player.
    pub fn text(&self) -> String {
        self.state().current_doc().expect("a design is open").text().to_string()
    }
}
