//! What looking for designs shows: what there is, what is searched, the small pictures drawn so far, what a new design begins from.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use egui::ColorImage;

use crate::library::{Catalogue, CatalogueEntry, CatalogueFilter, open_templates};
use crate::sheet::TemplateCache;
use crate::store::Store;

/// What a search shows and has shown.
pub struct LibraryBrowser {
    /// Every design and fleet, as last looked through.
    pub catalogue: Arc<Catalogue>,
    /// Whether it has been looked through at all.
    pub is_scanned: bool,
    /// What the start page looks for.
    pub filter: CatalogueFilter,
    /// What the panel beside a design looks for.
    pub panel_filter: CatalogueFilter,
    /// The game whose starters are shown.
    pub game: Option<Arc<str>>,
    /// The name that a new design will have.
    pub name: String,
    /// The name of the new design is to get the keyboard in the next frame.
    pub wants_name_focus: bool,
    /// Groups of the panel that are folded, by title.
    pub collapsed_groups: BTreeSet<String>,
    /// The search is to get the keyboard in the next frame.
    pub wants_search_focus: bool,
    /// Small pictures, the last one drawn last.
    pub(in crate::editor) thumbnails: Vec<SheetThumbnail>,
    /// Entries whose pictures are being drawn.
    pub(in crate::editor) drawing: Vec<Arc<CatalogueEntry>>,
    /// Whether the store is being looked through, and whether it must be again.
    pub(in crate::editor) is_scanning: bool,
    pub(in crate::editor) must_rescan: bool,
    /// Grows with every other workspace: what was looked through before is not shown.
    pub(in crate::editor) workspace_generation: u64,
    /// Grows with every change of templates: pictures drawn from older ones are not kept.
    pub(in crate::editor) template_generation: u64,
    pub(in crate::editor) templates: Arc<TemplateCache<'static>>,
}

/// A small picture of a sheet.
pub struct SheetThumbnail {
    entry: Arc<CatalogueEntry>,
    width: u32,
    /// `None` when there is nothing to draw.
    image: Option<Arc<ColorImage>>,
}

/// What is known of a small picture.
#[derive(Clone, Debug, PartialEq)]
pub enum ThumbnailState {
    /// This is it.
    Ready(Arc<ColorImage>),
    /// There is none.
    Unavailable,
    /// It is to be drawn.
    Pending,
}

/// What can be done while looking for designs.
#[derive(Clone, Debug)]
pub enum LibraryCommand {
    /// Looks through the workspace: what has changed is read again.
    Scan,
    /// That is done.
    ScanDone {
        /// Of which workspace.
        workspace_generation: u64,
        /// What there is.
        catalogue: Arc<Catalogue>,
    },
    /// Looks for something on the start page.
    SetFilter(CatalogueFilter),
    /// Looks for something beside a design.
    SearchPanel(String),
    /// Draws small pictures, so many pixels wide.
    DrawThumbnails {
        /// Of these.
        entries: Vec<Arc<CatalogueEntry>>,
        /// Pixels.
        width: u32,
    },
    /// They are drawn.
    ThumbnailsDrawn {
        /// From which templates.
        template_generation: u64,
        /// Each with its picture, if there is one.
        thumbnails: Vec<(Arc<CatalogueEntry>, Option<Arc<ColorImage>>)>,
        /// Pixels.
        width: u32,
    },
    /// Shows the start page, ready for a new design.
    ShowNewDesign,
    /// The keyboard is at its name.
    NameFocused,
    /// Shows what a new design of a game can begin from.
    ChooseGame(Option<Arc<str>>),
    /// Names the new design.
    SetName(String),
    /// Shows small pictures, or a list.
    ShowThumbnails(bool),
    /// Begins a new design.
    CreateDesign {
        /// Of this game.
        game: Arc<str>,
        /// As a copy of this one; else empty.
        copy_of: Option<Arc<CatalogueEntry>>,
    },
    /// Folds or unfolds a group of the panel.
    ToggleGroup(String),
    /// Brings the keyboard to the search.
    FocusSearch,
    /// It is there.
    SearchFocused,
    /// Forgets a recent file.
    ForgetRecent(PathBuf),
    /// Rules or templates have changed: pictures are drawn anew, designs judged anew.
    Invalidate,
    /// Uses another folder as workspace.
    SetWorkspace(PathBuf),
}

/// Bytes of pictures that are kept.
const MAX_THUMBNAIL_BYTES: usize = 48_000_000;

impl LibraryBrowser {
    /// Nothing looked through yet.
    pub fn new(store: &Store) -> Self {
        Self {
            catalogue: Arc::default(),
            is_scanned: false,
            filter: CatalogueFilter::default(),
            panel_filter: CatalogueFilter::default(),
            game: None,
            name: String::new(),
            wants_name_focus: false,
            collapsed_groups: BTreeSet::new(),
            wants_search_focus: false,
            thumbnails: Vec::new(),
            drawing: Vec::new(),
            is_scanning: false,
            must_rescan: false,
            workspace_generation: 0,
            template_generation: 0,
            templates: Arc::new(open_templates(store)),
        }
    }

    /// Whether the store has to be looked through for the first time.
    pub fn needs_scan(&self) -> bool {
        !self.is_scanned && !self.is_scanning
    }

    /// Whether pictures are being drawn.
    pub fn is_drawing(&self) -> bool {
        !self.drawing.is_empty()
    }

    /// What is known of a picture of this width.
    pub fn thumbnail(&self, entry: &Arc<CatalogueEntry>, width: u32) -> ThumbnailState {
        let known = self.thumbnails.iter().rev().find(|one| Arc::ptr_eq(&one.entry, entry) && one.width == width);
        match known.map(|one| &one.image) {
            Some(Some(image)) => ThumbnailState::Ready(image.clone()),
            Some(None) => ThumbnailState::Unavailable,
            None => ThumbnailState::Pending,
        }
    }
}

impl LibraryBrowser {
    pub(in crate::editor) fn invalidate_thumbnails(&mut self, store: &Store) {
        self.templates = Arc::new(open_templates(store));
        self.template_generation += 1;
        self.thumbnails.clear();
        self.drawing.clear();
    }

    pub(in crate::editor) fn store_thumbnails(
        &mut self,
        pictures: Vec<(Arc<CatalogueEntry>, Option<Arc<ColorImage>>)>,
        width: u32,
    ) {
        self.drawing.clear();
        for (entry, image) in pictures {
            self.thumbnails.retain(|one| one.entry.path != entry.path || one.width != width);
            self.thumbnails.push(SheetThumbnail { entry, width, image });
        }
        let bytes = |one: &SheetThumbnail| one.image.as_ref().map_or(0, |image| image.pixels.len() * 4);
        let mut all: usize = self.thumbnails.iter().map(bytes).sum();
        let mut gone = 0;
        while all > MAX_THUMBNAIL_BYTES && gone + 1 < self.thumbnails.len() {
            all -= bytes(&self.thumbnails[gone]);
            gone += 1;
        }
        self.thumbnails.drain(..gone);
    }
}
