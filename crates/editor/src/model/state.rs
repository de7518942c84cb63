//! The editor's state: open documents, tabs, settings, dialogs, notices. Changed by `apply` alone.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::compare_page::model::ComparePages;
use crate::guide::model::Guides;
use crate::inspector::model::InspectorViews;
use crate::language::{WindowLanguage, window_rulesets};
use crate::library_browser::model::LibraryBrowser;
use crate::model::rules::RulesetStatus;
use crate::odds_page::model::OddsPages;
use crate::preview::Preview;
use crate::print_room::model::PrintRoom;
use crate::rules_page::model::RulesPage;
use crate::suggest::model::{Previewed, Suggestions};
use crate::system_costs::model::SystemCosts;
use crate::{Dialog, Doc, DocId, FormTarget, InspectorTab, Notice, Pane, Persistence, Settings, SystemPicker, Tab};
use moldloft_library::library::Rulesets;
use moldloft_library::store::{FileRef, Store};
use moldloft_rules::ruleset::Ruleset;

#[derive(Clone, Debug, Default)]
pub struct AppFolders {
    /// For settings; `None`: they are not kept.
    pub config: Option<PathBuf>,
    /// For drafts of unsaved documents; `None`: they are not kept.
    pub drafts: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlatformCapabilities {
    /// Without one, the editor shows its own.
    pub has_file_chooser: bool,
    pub opens_files: bool,
    /// Its first page, if it is there.
    pub guide: Option<PathBuf>,
}

impl Default for PlatformCapabilities {
    fn default() -> Self {
        Self { has_file_chooser: true, opens_files: true, guide: None }
    }
}

pub struct EditorState {
    pub folders: AppFolders,
    pub platform: PlatformCapabilities,
    pub store: Store,
    pub rulesets: Arc<Rulesets>,
    pub library: LibraryBrowser,
    pub persistence: Persistence,
    /// In the order of their tabs.
    pub docs: Vec<Doc>,
    pub tab: Tab,
    /// Shows a file that is only looked at: the next one takes its place.
    pub glance_tab: Option<DocId>,
    pub pane: Pane,
    pub inspector_tab: InspectorTab,
    pub inspector_views: InspectorViews,
    pub compare_pages: ComparePages,
    pub guides: Guides,
    pub suggestions: Suggestions,
    pub ruleset_status: RulesetStatus,
    /// Of open rulesets.
    pub rules_pages: BTreeMap<DocId, RulesPage>,
    pub settings: Settings,
    pub language: WindowLanguage,
    pub preview: Preview,
    /// Size of sheets side by side, in percent of their column's width.
    pub pictures_percent: f32,
    pub odds: OddsPages,
    pub dialog: Option<Dialog>,
    pub print_room: PrintRoom,
    pub notices: Vec<Notice>,
    pub wants_quit: bool,
    /// To be focused in the next frame.
    pub go_to: Option<FormTarget>,
    pub system_picker: Option<SystemPicker>,
    /// The list of systems is beside the mount's place on the sheet, not in the form.
    pub picker_on_sheet: bool,
    pub system_costs: SystemCosts,
    pub to_clipboard: Option<String>,
    pub wants_paste: bool,
    next_doc_number: u64,
}

impl EditorState {
    pub fn new(store: Store, places: AppFolders, settings: Settings) -> Self {
        Self {
            folders: places,
            platform: PlatformCapabilities::default(),
            rulesets: window_rulesets(&store, &settings),
            preview: Preview::default(),
            pictures_percent: 100.0,
            odds: OddsPages::default(),
            library: LibraryBrowser::new(&store),
            store,
            persistence: Persistence::default(),
            docs: Vec::new(),
            tab: Tab::Start,
            glance_tab: None,
            pane: Pane::Form,
            inspector_tab: InspectorTab::Findings,
            inspector_views: InspectorViews::default(),
            compare_pages: ComparePages::default(),
            guides: Guides::default(),
            suggestions: Suggestions::default(),
            ruleset_status: RulesetStatus::default(),
            rules_pages: BTreeMap::new(),
            settings,
            language: WindowLanguage::default(),
            dialog: None,
            print_room: PrintRoom::default(),
            notices: Vec::new(),
            wants_quit: false,
            go_to: None,
            system_picker: None,
            picker_on_sheet: false,
            system_costs: SystemCosts::default(),
            to_clipboard: None,
            wants_paste: false,
            next_doc_number: 0,
        }
    }

    pub fn current_doc(&self) -> Option<&Doc> {
        match self.tab {
            Tab::Doc(id) => self.docs.iter().find(|doc| doc.id == id),
            Tab::Start => None,
        }
    }

    pub fn shows_fleet(&self) -> bool {
        self.current_doc().is_some_and(|doc| doc.as_fleet().is_some())
    }

    /// The proposal that is shown in place of the current design.
    pub fn previewed(&self) -> Option<Previewed<'_>> {
        let doc = self.current_doc().filter(|_| self.visible_inspector_tab() == InspectorTab::Suggest)?;
        self.suggestions.view(doc.id)?.previewed(doc)
    }

    /// Whether the current page shows sheets side by side.
    pub fn shows_pictures(&self) -> bool {
        let Tab::Doc(id) = self.tab else { return false };
        let before_after = self.rules_pages.get(&id).is_some_and(|page| page.sheets.is_some());
        before_after || self.compare_pages.open_page(id).is_some_and(|page| page.shows_sheets)
    }

    /// Fleets have no suggestions, designs have no ships.
    pub fn visible_inspector_tab(&self) -> InspectorTab {
        let is_fleet = self.shows_fleet();
        match self.inspector_tab {
            InspectorTab::Ship if !is_fleet => InspectorTab::Findings,
            InspectorTab::Suggest if is_fleet => InspectorTab::Findings,
            other => other,
        }
    }

    /// The usable rulesets of the game that these rules are of, or of all games: ids and rules.
    pub(crate) fn rulesets_of_game(&self, own: Option<&Ruleset>) -> Vec<(String, Arc<Ruleset>)> {
        let loaded = |id: &String| Some((id.clone(), self.rulesets.find(id).ruleset()?.clone()));
        let known = self.ruleset_status.available.iter().filter_map(|known| loaded(&known.id));
        known.filter(|(_, rules)| own.is_none_or(|own| rules.base.id == own.base.id)).collect()
    }

    pub fn find_doc(&self, id: DocId) -> Option<&Doc> {
        self.docs.iter().find(|doc| doc.id == id)
    }

    /// `saved`: the file has this text.
    pub fn add_doc(&mut self, file: Option<FileRef>, text: Arc<str>, saved: bool) {
        // Ids are never reused.
        self.next_doc_number += 1;
        let id = DocId(self.next_doc_number);
        let doc = Doc::new(id, file, text, saved, &self.rulesets);
        self.docs.push(doc);
        self.tab = Tab::Doc(id);
    }

    pub fn update_doc(&mut self, change: impl FnOnce(&mut Doc, &Rulesets)) {
        let Tab::Doc(id) = self.tab else { return };
        if let Some(doc) = self.docs.iter_mut().find(|doc| doc.id == id) {
            change(doc, &self.rulesets);
        }
    }

    /// A tab that no longer exists is not shown.
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

    pub fn reevaluate_open_fleets(&mut self) {
        for doc in self.docs.iter_mut().filter(|doc| doc.as_fleet().is_some()) {
            doc.evaluate(&self.rulesets);
        }
    }

    pub fn notify(&mut self, notice: Notice) {
        self.notices.retain(|other| *other != notice);
        self.notices.push(notice);
    }
}
