//! All there is to show: open designs, the tab before the player, settings, dialogs, notices. Data and questions about it; changed by
//! `apply` alone.

use std::path::PathBuf;
use std::sync::Arc;

use crate::library::Rulesets;
use crate::store::Store;

use super::command::Dialog;
use super::doc::{Doc, DocId};
use super::inspector::InspectorViews;
use super::library_browser::LibraryBrowser;
use super::persistence::Persistence;
use super::preview::Preview;
use super::ruleset_status::RulesetStatus;
use super::settings::Settings;
use super::system_costs::SystemCosts;

/// Folders of the program's own.
#[derive(Clone, Debug, Default)]
pub struct AppFolders {
    /// Where settings are kept; `None`: nowhere.
    pub config: Option<PathBuf>,
    /// Where drafts of unsaved designs are kept; `None`: nowhere.
    pub drafts: Option<PathBuf>,
}

/// What stands in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// The start page.
    Start,
    /// An open design.
    Doc(DocId),
}

/// What stands below the sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InspectorTab {
    /// What is wrong.
    #[default]
    Findings,
    /// The ship of a fleet whose sheet is shown: what she has suffered, what she is loaded with.
    Ship,
    /// Where a number comes from.
    Explain,
    /// Another design beside this one.
    Compare,
    /// The rules it is judged by.
    Rules,
}

/// The part of an open file that is shown where there is room for one only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    /// The form of a design, the table of a fleet; on the start page what can be begun.
    #[default]
    Form,
    /// The sheet; on the start page the library.
    Sheet,
    /// What is known of it: findings, explanations, rules.
    Inspector,
}

/// Something to tell the player, until it is dismissed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Whether something went wrong.
    pub is_error: bool,
    /// What.
    pub text: String,
}

impl Notice {
    /// Something that went well.
    pub fn info(text: impl Into<String>) -> Self {
        Self { is_error: false, text: text.into() }
    }

    /// Something that went wrong.
    pub fn error(text: impl Into<String>) -> Self {
        Self { is_error: true, text: text.into() }
    }
}

/// All there is to show.
pub struct EditorState {
    /// Folders of the program's own.
    pub folders: AppFolders,
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
    pub(super) next_doc_number: u64,
}

/// The list of systems that can be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemPicker {
    /// The mount they are added to; `None` in games without mounts.
    pub mount: Option<String>,
    /// What was typed.
    pub query: String,
    /// The line that Enter adds.
    pub highlighted: usize,
}

/// A place of the form that a player is brought to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormTarget {
    /// The name, notes.
    TopKey(&'static str),
    /// A field.
    Field(String),
    /// A fit, by its place in the file.
    Fit(u32),
    /// A mount.
    Mount(String),
    /// A cell of a fleet's ship, by her place in the file.
    Ship {
        /// Which.
        ship: u32,
        /// The key of the file that the cell stands for.
        key: &'static str,
    },
    /// A group of a fleet.
    Group(u32),
}

impl EditorState {
    /// Nothing open.
    pub fn new(store: Store, places: AppFolders, settings: Settings) -> Self {
        Self {
            folders: places,
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

    /// An id that no design had yet.
    pub(super) fn allocate_doc_id(&mut self) -> DocId {
        self.next_doc_number += 1;
        DocId(self.next_doc_number)
    }
}
