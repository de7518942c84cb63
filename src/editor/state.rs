//! All there is to show: open designs, the tab before the player, settings, dialogs, notices. Data and questions about it; changed by
//! `apply` alone.

use std::path::PathBuf;
use std::sync::Arc;

use crate::library::Games;
use crate::store::Store;

use super::browse::Browse;
use super::command::Dialog;
use super::doc::{Doc, DocId};
use super::inspect::Inspect;
use super::keep::Keep;
use super::preview::Preview;
use super::prices::Prices;
use super::rules::Rules;
use super::settings::Settings;

/// Folders of the program's own.
#[derive(Clone, Debug, Default)]
pub struct Places {
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
pub enum Inspector {
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
    Known,
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
pub struct State {
    /// Folders of the program's own.
    pub places: Places,
    /// Where files are found.
    pub store: Store,
    /// The games in force.
    pub games: Arc<Games>,
    /// What there is beside them, and what is looked for.
    pub browse: Browse,
    /// What keeps them safe.
    pub keep: Keep,
    /// Open designs, in the order of their tabs.
    pub docs: Vec<Doc>,
    /// What stands in the window.
    pub tab: Tab,
    /// Which part is shown in a narrow window.
    pub pane: Pane,
    /// What stands below the sheet.
    pub inspector: Inspector,
    /// What is looked at there.
    pub inspect: Inspect,
    /// The rules, their files and what is wrong with them.
    pub rules: Rules,
    /// What is remembered.
    pub settings: Settings,
    /// What is drawn of sheets.
    pub preview: Preview,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// What was told and not dismissed yet.
    pub notices: Vec<Notice>,
    /// The window is to be closed.
    pub quit: bool,
    /// The label that is to get the keyboard in the next frame: a click on a finding sets it.
    pub go_to: Option<Place>,
    /// The list of systems, while it is open.
    pub palette: Option<Palette>,
    /// What each system would come to on the design before the player.
    pub prices: Prices,
    /// A text on its way to the system's clipboard.
    pub to_clipboard: Option<String>,
    /// The system is to be asked for its clipboard.
    pub wants_paste: bool,
    pub(super) next_doc: u64,
}

/// The list of systems that can be added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Palette {
    /// The mount they are added to; `None` in games without mounts.
    pub mount: Option<String>,
    /// What was typed.
    pub search: String,
    /// The line that Enter adds.
    pub line: usize,
}

/// A place of the form that a player is brought to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The name, notes.
    Top(&'static str),
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

impl State {
    /// Nothing open.
    pub fn new(store: Store, places: Places, settings: Settings) -> Self {
        Self {
            places,
            games: Arc::new(Games::plain(&store)),
            preview: Preview::default(),
            browse: Browse::new(&store),
            store,
            keep: Keep::default(),
            docs: Vec::new(),
            tab: Tab::Start,
            pane: Pane::Form,
            inspector: Inspector::Findings,
            inspect: Inspect::default(),
            rules: Rules::default(),
            settings,
            dialog: None,
            notices: Vec::new(),
            quit: false,
            go_to: None,
            palette: None,
            prices: Prices::default(),
            to_clipboard: None,
            wants_paste: false,
            next_doc: 0,
        }
    }

    /// The design before the player.
    pub fn doc(&self) -> Option<&Doc> {
        match self.tab {
            Tab::Doc(id) => self.docs.iter().find(|doc| doc.id == id),
            Tab::Start => None,
        }
    }

    /// What stands below the sheet now: a fleet is compared with nothing, a design has no ships.
    pub fn inspector_shown(&self) -> Inspector {
        let is_fleet = self.doc().is_some_and(|doc| doc.fleet().is_some());
        match self.inspector {
            Inspector::Ship if !is_fleet => Inspector::Findings,
            Inspector::Compare if is_fleet => Inspector::Ship,
            other => other,
        }
    }

    /// An open file.
    pub fn doc_of(&self, id: DocId) -> Option<&Doc> {
        self.docs.iter().find(|doc| doc.id == id)
    }

    /// An id that no design had yet.
    pub(super) fn new_id(&mut self) -> DocId {
        self.next_doc += 1;
        DocId(self.next_doc)
    }
}
