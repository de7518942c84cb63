//! Looking for designs: what there is, what is searched, the small pictures drawn so far, recent files, what a new design begins from. Carries
//! out its own commands for `apply`; reading, judging and drawing are jobs in threads.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::ColorImage;
use rayon::prelude::*;

use crate::library::{self, Catalogue, CatalogueEntry, CatalogueFilter, Rulesets, new_design_text};
use crate::sheet::TemplateCache;
use crate::store::Store;

use super::apply::add_doc;
use super::command::Command;
use super::doc::DocOrigin;
use super::jobs::Jobs;
use super::state::{EditorState, Notice, Tab};

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
    thumbnails: Vec<SheetThumbnail>,
    /// Entries whose pictures are being drawn.
    drawing: Vec<Arc<CatalogueEntry>>,
    /// Whether the store is being looked through, and whether it must be again.
    is_scanning: bool,
    must_rescan: bool,
    /// Grows with every other workspace: what was looked through before is not shown.
    workspace_generation: u64,
    /// Grows with every change of templates: pictures drawn from older ones are not kept.
    template_generation: u64,
    templates: Arc<TemplateCache<'static>>,
}

/// A small picture of a sheet.
struct SheetThumbnail {
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
/// The name a new design has when the player gives none.
pub const NEW_DESIGN_NAME: &str = "New design";

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
            templates: open_templates(store),
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

fn open_templates(store: &Store) -> Arc<TemplateCache<'static>> {
    let store = store.clone();
    Arc::new(TemplateCache::new(move |ids, name| store.template(ids, name)))
}

/// Carries a command out.
pub fn apply(state: &mut EditorState, command: LibraryCommand, jobs: &Jobs) {
    let browse = &mut state.library;
    match command {
        LibraryCommand::Scan => scan(state, jobs),
        LibraryCommand::ScanDone { workspace_generation: round, catalogue } => {
            if round == browse.workspace_generation {
                finish_scan(state, catalogue, jobs);
            }
        }
        LibraryCommand::SetFilter(filter) => browse.filter = filter,
        LibraryCommand::SearchPanel(text) => browse.panel_filter.text = text,
        LibraryCommand::DrawThumbnails { entries, width } => draw_thumbnails(state, entries, width, jobs),
        LibraryCommand::ThumbnailsDrawn { template_generation: edition, thumbnails: pictures, width } => {
            if edition == browse.template_generation {
                browse.store_thumbnails(pictures, width);
            }
        }
        LibraryCommand::ShowNewDesign => super::apply::show_new_design(state),
        LibraryCommand::NameFocused => browse.wants_name_focus = false,
        LibraryCommand::ChooseGame(game) => {
            browse.wants_name_focus = game.is_some();
            browse.game = game;
        }
        LibraryCommand::SetName(name) => browse.name = name,
        LibraryCommand::ShowThumbnails(pictures) => state.settings.pictures = pictures,
        LibraryCommand::CreateDesign { game, copy_of: basis } => create_design(state, &game, basis.as_deref()),
        LibraryCommand::ToggleGroup(title) => {
            if !browse.collapsed_groups.remove(&title) {
                browse.collapsed_groups.insert(title);
            }
        }
        LibraryCommand::FocusSearch => {
            browse.wants_search_focus = true;
            // Beside a design the search may be hidden.
            state.settings.library |= state.tab != Tab::Start;
        }
        LibraryCommand::SearchFocused => browse.wants_search_focus = false,
        LibraryCommand::ForgetRecent(path) => state.settings.recent.retain(|recent| *recent != path),
        LibraryCommand::Invalidate => {
            browse.invalidate_thumbnails(&state.store);
            state.preview.reload_templates();
            scan(state, jobs);
        }
        LibraryCommand::SetWorkspace(path) => set_workspace(state, &path, jobs),
    }
}

/// Looks the store through in a thread; when one is at it, it is done again afterwards.
fn scan(state: &mut EditorState, jobs: &Jobs) {
    let browse = &mut state.library;
    if browse.is_scanning {
        browse.must_rescan = true;
        return;
    }
    browse.is_scanning = true;
    let (old, round) = (browse.catalogue.clone(), browse.workspace_generation);
    let (store, games, also) = (state.store.clone(), state.rulesets.clone(), state.settings.recent.clone());
    jobs.start(move |_| {
        let new = catch_unwind(AssertUnwindSafe(|| old.refresh(&store, &games, &also, library::MAX_CATALOGUE_FILES)));
        // What fails so is a fault of this program; what was known is still known.
        let catalogue = new.map_or(old, Arc::new);
        Some(Command::Library(LibraryCommand::ScanDone { workspace_generation: round, catalogue }))
    });
}

fn finish_scan(state: &mut EditorState, catalogue: Arc<Catalogue>, jobs: &Jobs) {
    let browse = &mut state.library;
    browse.catalogue = catalogue;
    browse.is_scanned = true;
    browse.is_scanning = false;
    if std::mem::take(&mut browse.must_rescan) {
        scan(state, jobs);
    }
}

fn draw_thumbnails(state: &mut EditorState, entries: Vec<Arc<CatalogueEntry>>, width: u32, jobs: &Jobs) {
    let browse = &mut state.library;
    if browse.is_drawing() || entries.is_empty() {
        return;
    }
    browse.drawing.clone_from(&entries);
    let (games, templates, edition) = (state.rulesets.clone(), browse.templates.clone(), browse.template_generation);
    jobs.start(move |_| {
        let one = |entry: &Arc<CatalogueEntry>| {
            catch_unwind(AssertUnwindSafe(|| draw_thumbnail(entry, &games, &templates, width)))
        };
        let pictures = entries.par_iter().map(|entry| (entry.clone(), one(entry).unwrap_or_default())).collect();
        Some(Command::Library(LibraryCommand::ThumbnailsDrawn {
            template_generation: edition,
            thumbnails: pictures,
            width,
        }))
    });
}

fn draw_thumbnail(
    entry: &CatalogueEntry,
    games: &Rulesets,
    templates: &TemplateCache<'_>,
    width: u32,
) -> Option<Arc<ColorImage>> {
    let evaluation = library::check_source(games, &entry.read().ok()?).evaluation?;
    let small = library::thumbnail(&evaluation, templates, width)?;
    let size = [small.width as usize, small.height as usize];
    Some(Arc::new(ColorImage::from_rgba_premultiplied(size, &small.rgba)))
}

impl LibraryBrowser {
    fn invalidate_thumbnails(&mut self, store: &Store) {
        self.templates = open_templates(store);
        self.template_generation += 1;
        self.thumbnails.clear();
        self.drawing.clear();
    }

    fn store_thumbnails(&mut self, pictures: Vec<(Arc<CatalogueEntry>, Option<Arc<ColorImage>>)>, width: u32) {
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

/// Begins a design: empty, or as another under a new name.
fn create_design(state: &mut EditorState, game: &Arc<str>, basis: Option<&CatalogueEntry>) {
    let name = state.library.name.trim();
    let name = if name.is_empty() { NEW_DESIGN_NAME } else { name };
    let text = match state.rulesets.find(game) {
        library::LoadedRuleset::Ready(ruleset, _) => new_design_text(&ruleset, basis, name),
        other => match other.findings().first() {
            Some(finding) => Err(finding.clone()),
            None => return,
        },
    };
    match text {
        Ok(text) => {
            state.library.name.clear();
            state.library.game = None;
            add_doc(state, DocOrigin::New, text.into(), false);
        }
        Err(finding) => {
            let what = basis.map_or_else(|| game.to_string(), |entry| entry.path.display().to_string());
            state.notices.push(Notice::error(format!("{what}: {}", finding.message)));
        }
    }
}

/// Another folder: its games, its designs; what is open is judged anew.
fn set_workspace(state: &mut EditorState, path: &Path, jobs: &Jobs) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match Store::open_containing(&path) {
        Ok(store) => {
            state.settings.workspace = store.workspace().map(Path::to_path_buf);
            state.rulesets = Arc::new(Rulesets::without_settings(&store));
            let (round, edition) = (state.library.workspace_generation + 1, state.library.template_generation + 1);
            state.library = LibraryBrowser {
                workspace_generation: round,
                template_generation: edition,
                ..LibraryBrowser::new(&store)
            };
            state.store = store;
            for doc in &mut state.docs {
                doc.evaluate(&state.rulesets);
            }
            scan(state, jobs);
        }
        Err(finding) => state.notices.push(Notice::error(format!("{}: {}", path.display(), finding.message))),
    }
}
