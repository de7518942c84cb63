//! The library: catalogue, filters, thumbnails and the new design.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use egui::ColorImage;

use crate::model::settings::DesignOrder;
use crate::with_kinds;
use moldloft_library::library::{Catalogue, CatalogueEntry, CatalogueFilter, open_templates};
use moldloft_library::store::Store;
use moldloft_rules::design::Design;
use moldloft_rules::ruleset::Ruleset;
use moldloft_sheet::sheet::TemplateCache;

pub struct LibraryBrowser {
    pub catalogue: Arc<Catalogue>,
    pub is_scanned: bool,
    pub filter: CatalogueFilter,
    pub panel_filter: CatalogueFilter,
    /// What `filter` leaves of the catalogue, and `panel_filter`.
    pub matches: FilteredCatalogue,
    pub panel_matches: FilteredCatalogue,
    /// Whether the start page asks which games are played.
    pub asks_for_games: bool,
    /// The answer so far.
    pub chosen_games: BTreeSet<String>,
    pub game: Option<Arc<str>>,
    pub name: String,
    /// Focus the name in the next frame.
    pub wants_name_focus: bool,
    /// By title.
    pub collapsed_groups: BTreeSet<String>,
    /// Focus the search in the next frame.
    pub wants_search_focus: bool,
    pub(crate) thumbnails: Vec<EntryThumbnail>,
    pub(crate) is_drawing: bool,
    pub(crate) is_scanning: bool,
    pub(crate) must_rescan: bool,
    /// Grows with every change of workspace: results of earlier scans are ignored.
    pub(crate) workspace_generation: u64,
    /// Grows with every change of templates: older thumbnails are dropped.
    pub(crate) template_generation: u64,
    pub(crate) templates: Arc<TemplateCache<'static>>,
}

/// How something is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryPicture {
    /// Its token and sheet, so wide in pixels.
    Sheet(u32),
    /// Its silhouette, within a width and height in pixels.
    Silhouette(u32, u32),
}

/// What a picture is of.
#[derive(Clone, Debug)]
pub enum Pictured {
    Entry(Arc<CatalogueEntry>),
    /// A design as it is in an open file, by these rules.
    Design(Arc<Design>, Arc<Ruleset>),
}

impl Pictured {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Entry(one), Self::Entry(two)) => Arc::ptr_eq(one, two),
            (Self::Design(one, rules), Self::Design(two, others)) => {
                Arc::ptr_eq(one, two) && Arc::ptr_eq(rules, others)
            }
            _ => false,
        }
    }

    /// Whether nothing but the picture itself can show it any more.
    fn is_outdated_by(&self, newer: &Self) -> bool {
        match (self, newer) {
            (Self::Entry(one), Self::Entry(two)) => one.file == two.file,
            (Self::Design(design, _), _) => self.is(newer) || Arc::strong_count(design) == 1,
            _ => false,
        }
    }
}

pub struct EntryThumbnail {
    of: Pictured,
    picture: EntryPicture,
    /// `None` if there is nothing to draw.
    image: Option<Arc<ColorImage>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ThumbnailState {
    Ready(Arc<ColorImage>),
    Unavailable,
    Pending,
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum LibraryCommand as LibraryCommandKind {
        Scan,
        ScanDone { workspace_generation: u64, catalogue: Arc<Catalogue> },
        SetFilter(CatalogueFilter),
        SearchPanel(String),
        DrawThumbnails { of: Vec<Pictured>, picture: EntryPicture },
        ThumbnailsDrawn {
            template_generation: u64,
            thumbnails: Vec<(Pictured, Option<Arc<ColorImage>>)>,
            picture: EntryPicture,
        },
        ShowNewDesign,
        NameFocused,
        ChooseGame(Option<Arc<str>>),
        SetName(String),
        ShowThumbnails(bool),
        SetOrder(DesignOrder),
        CreateDesign {
            game: Arc<str>,
            /// `None`: an empty design.
            copy_of: Option<Arc<CatalogueEntry>>,
        },
        ToggleGroup(String),
        FocusSearch,
        SearchFocused,
        ForgetRecent(PathBuf),
        Invalidate,
        SetWorkspace(PathBuf),
        /// Opens the question which games are played.
        AskForGames,
        /// Ticks games in that question.
        ChooseGames(BTreeSet<String>),
        /// Answers it; empty: all.
        SetGames(BTreeSet<String>),
    }
}

const MAX_THUMBNAIL_BYTES: usize = 48_000_000;

/// A group of the catalogue with the entries that match a filter.
#[derive(Clone)]
pub struct FilteredGroup {
    pub title: String,
    pub entries: Vec<Arc<CatalogueEntry>>,
}

/// What a filter leaves of a catalogue, kept until one of them changes.
#[derive(Default)]
pub struct FilteredCatalogue {
    groups: Arc<[FilteredGroup]>,
    source: Option<(Arc<Catalogue>, CatalogueFilter, DesignOrder)>,
}

impl FilteredCatalogue {
    /// Groups without matches are omitted.
    pub fn groups(&self) -> &Arc<[FilteredGroup]> {
        &self.groups
    }

    fn update(&mut self, catalogue: &Arc<Catalogue>, filter: &CatalogueFilter, order: DesignOrder) {
        let is_same = |(old, used, sorted): &(Arc<Catalogue>, CatalogueFilter, DesignOrder)| {
            Arc::ptr_eq(old, catalogue) && used == filter && *sorted == order
        };
        if self.source.as_ref().is_some_and(is_same) {
            return;
        }
        let query = filter.query();
        let groups = catalogue.groups.iter().map(|group| {
            let mut entries: Vec<Arc<CatalogueEntry>> =
                group.entries.iter().filter(|entry| query.matches(entry)).cloned().collect();
            entries.sort_by_cached_key(|entry| order.sort_key(entry.kind(), entry.points()));
            FilteredGroup { title: group.title.clone(), entries }
        });
        self.groups = groups.filter(|group| !group.entries.is_empty()).collect();
        self.source = Some((catalogue.clone(), filter.clone(), order));
    }
}

impl LibraryBrowser {
    pub fn new(store: &Store) -> Self {
        Self {
            catalogue: Arc::default(),
            is_scanned: false,
            filter: CatalogueFilter::default(),
            panel_filter: CatalogueFilter::default(),
            matches: FilteredCatalogue::default(),
            panel_matches: FilteredCatalogue::default(),
            asks_for_games: false,
            chosen_games: BTreeSet::new(),
            game: None,
            name: String::new(),
            wants_name_focus: false,
            collapsed_groups: BTreeSet::new(),
            wants_search_focus: false,
            thumbnails: Vec::new(),
            is_drawing: false,
            is_scanning: false,
            must_rescan: false,
            workspace_generation: 0,
            template_generation: 0,
            templates: Arc::new(open_templates(store)),
        }
    }

    pub fn needs_scan(&self) -> bool {
        !self.is_scanned && !self.is_scanning
    }

    pub fn is_drawing(&self) -> bool {
        self.is_drawing
    }

    pub fn thumbnail(&self, of: &Pictured, picture: EntryPicture) -> ThumbnailState {
        let is_it = |one: &&EntryThumbnail| one.picture == picture && one.of.is(of);
        let known = self.thumbnails.iter().rev().find(is_it);
        match known.map(|one| &one.image) {
            Some(Some(image)) => ThumbnailState::Ready(image.clone()),
            Some(None) => ThumbnailState::Unavailable,
            None => ThumbnailState::Pending,
        }
    }
}

impl LibraryBrowser {
    pub(crate) fn update_matches(&mut self, order: DesignOrder) {
        self.matches.update(&self.catalogue, &self.filter, order);
        self.panel_matches.update(&self.catalogue, &self.panel_filter, order);
    }

    pub(crate) fn invalidate_thumbnails(&mut self, store: &Store) {
        self.templates = Arc::new(open_templates(store));
        self.template_generation += 1;
        self.thumbnails.clear();
        self.is_drawing = false;
    }

    pub(crate) fn store_thumbnails(
        &mut self,
        pictures: Vec<(Pictured, Option<Arc<ColorImage>>)>,
        picture: EntryPicture,
    ) {
        self.is_drawing = false;
        for (of, image) in pictures {
            self.thumbnails.retain(|one| one.picture != picture || !one.of.is_outdated_by(&of));
            self.thumbnails.push(EntryThumbnail { of, picture, image });
        }
        let bytes = |one: &EntryThumbnail| one.image.as_ref().map_or(0, |image| image.pixels.len() * 4);
        let mut all: usize = self.thumbnails.iter().map(bytes).sum();
        let mut dropped = 0;
        while all > MAX_THUMBNAIL_BYTES && dropped + 1 < self.thumbnails.len() {
            all -= bytes(&self.thumbnails[dropped]);
            dropped += 1;
        }
        self.thumbnails.drain(..dropped);
    }
}
