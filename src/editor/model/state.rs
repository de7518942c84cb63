//! All there is to show: open designs, the tab before the player, settings, dialogs, notices. Data and questions about it; changed by
//! `apply` alone.

use std::path::PathBuf;
use std::sync::Arc;

use crate::editor::preview::Preview;
use crate::library::Rulesets;
use crate::store::Store;

use super::dialog::Dialog;
use super::doc::{Doc, DocOrigin};
use super::inspector::InspectorViews;
use super::library::LibraryBrowser;
use super::persistence::Persistence;
use super::rules::RulesetStatus;
use super::settings::Settings;
use super::system_costs::SystemCosts;
use super::view::{DocId, FormTarget, InspectorTab, Notice, Pane, SystemPicker, Tab};

/// Folders of the program's own.
#[derive(Clone, Debug, Default)]
pub struct AppFolders {
    /// Where settings are kept; `None`: nowhere.
    pub config: Option<PathBuf>,
    /// Where drafts of unsaved designs are kept; `None`: nowhere.
    pub drafts: Option<PathBuf>,
}

/// What the system around the window can do: all, unless it reports otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlatformCapabilities {
    /// It has a window in which files are chosen; without one the editor shows its own.
    pub has_file_chooser: bool,
    /// It opens files and folders in other programs.
    pub opens_files: bool,
}

impl Default for PlatformCapabilities {
    fn default() -> Self {
        Self { has_file_chooser: true, opens_files: true }
    }
}

/// All there is to show.
pub struct EditorState {
    /// Folders of the program's own.
    pub folders: AppFolders,
    /// What the system can do.
    pub platform: PlatformCapabilities,
    /// Where files are found.
    pub store: Store,
    /// The games in force.
    pub rulesets: Arc<Rulesets>,
    /// What there is beside them, and what is looked for.
    pub library: LibraryBrowser,
    /// What keeps them safe.
    pub persistence: Persistence,
    /// Open designs, in the order of their tabs.
    pub docs: Vec<Doc>,
    /// What stands in the window.
    pub tab: Tab,
    /// Which part is shown in a narrow window.
    pub pane: Pane,
    /// What stands below the sheet.
    pub inspector_tab: InspectorTab,
    /// What is looked at there.
    pub inspector_views: InspectorViews,
    /// The rules, their files and what is wrong with them.
    pub ruleset_status: RulesetStatus,
    /// What is remembered.
    pub settings: Settings,
    /// What is drawn of sheets.
    pub preview: Preview,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// What was told and not dismissed yet.
    pub notices: Vec<Notice>,
    /// The window is to be closed.
    pub wants_quit: bool,
    /// The label that is to get the keyboard in the next frame: a click on a finding sets it.
    pub go_to: Option<FormTarget>,
    /// The list of systems, while it is open.
    pub system_picker: Option<SystemPicker>,
    /// What each system would come to on the design before the player.
    pub system_costs: SystemCosts,
    /// A text on its way to the system's clipboard.
    pub to_clipboard: Option<String>,
    /// The system is to be asked for its clipboard.
    pub wants_paste: bool,
    next_doc_number: u64,
}

impl EditorState {
    /// Nothing open.
    pub fn new(store: Store, places: AppFolders, settings: Settings) -> Self {
        Self {
            folders: places,
            platform: PlatformCapabilities::default(),
            rulesets: Arc::new(Rulesets::without_settings(&store)),
            preview: Preview::default(),
            library: LibraryBrowser::new(&store),
            store,
            persistence: Persistence::default(),
            docs: Vec::new(),
            tab: Tab::Start,
            pane: Pane::Form,
            inspector_tab: InspectorTab::Findings,
            inspector_views: InspectorViews::default(),
            ruleset_status: RulesetStatus::default(),
            settings,
            dialog: None,
            notices: Vec::new(),
            wants_quit: false,
            go_to: None,
            system_picker: None,
            system_costs: SystemCosts::default(),
            to_clipboard: None,
            wants_paste: false,
            next_doc_number: 0,
        }
    }

    /// The design before the player.
    pub fn current_doc(&self) -> Option<&Doc> {
        match self.tab {
            Tab::Doc(id) => self.docs.iter().find(|doc| doc.id == id),
            Tab::Start => None,
        }
    }

    /// What stands below the sheet now: a fleet is compared with nothing, a design has no ships.
    pub fn visible_inspector_tab(&self) -> InspectorTab {
        let is_fleet = self.current_doc().is_some_and(|doc| doc.as_fleet().is_some());
        match self.inspector_tab {
            InspectorTab::Ship if !is_fleet => InspectorTab::Findings,
            InspectorTab::Compare if is_fleet => InspectorTab::Ship,
            other => other,
        }
    }

    /// An open file.
    pub fn find_doc(&self, id: DocId) -> Option<&Doc> {
        self.docs.iter().find(|doc| doc.id == id)
    }

    /// Opens a text in a tab of its own. `saved`: it is on the disk as it is here.
    pub fn add_doc(&mut self, origin: DocOrigin, text: Arc<str>, saved: bool) {
        // An id is never given twice.
        self.next_doc_number += 1;
        let id = DocId(self.next_doc_number);
        let doc = Doc::new(id, origin, text, saved, &self.rulesets);
        self.docs.push(doc);
        self.tab = Tab::Doc(id);
    }

    /// Changes the document in the current tab, if there is one.
    pub fn update_doc(&mut self, change: impl FnOnce(&mut Doc, &Rulesets)) {
        let Tab::Doc(id) = self.tab else { return };
        if let Some(doc) = self.docs.iter_mut().find(|doc| doc.id == id) {
            change(doc, &self.rulesets);
        }
    }

    /// Shows a tab; one that is gone is not shown.
    pub fn show_tab(&mut self, tab: Tab) {
        if let Tab::Doc(id) = tab
            && self.find_doc(id).is_none()
        {
            return;
        }
        self.update_doc(|doc, _| doc.history.end_merge());
        self.system_picker = None;
        self.tab = tab;
    }

    /// Evaluates the open fleets again: files of their designs have changed.
    pub fn reevaluate_open_fleets(&mut self) {
        for doc in self.docs.iter_mut().filter(|doc| doc.as_fleet().is_some()) {
            doc.evaluate(&self.rulesets);
        }
    }

    /// Adds a notice, each text once.
    pub fn notify(&mut self, notice: Notice) {
        self.notices.retain(|other| *other != notice);
        self.notices.push(notice);
    }
}
