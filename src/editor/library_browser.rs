//! The library, thumbnails, recent files and new designs. Takes commands and the state; scanning and drawing are jobs.

use std::path::Path;
use std::sync::Arc;

use egui::ColorImage;
use rayon::prelude::*;

use crate::library::{self, Catalogue, CatalogueEntry, Rulesets, new_design_text};
use crate::sheet::TemplateCache;
use crate::store::Store;

use super::effects::jobs::Jobs;
use super::model::command::Command;
use super::model::doc::DocOrigin;
use super::model::state::EditorState;
use super::model::view::{Notice, Pane, Tab};
use super::panic_guard::catch_panic;

pub use super::model::library::{LibraryBrowser, LibraryCommand, ThumbnailState};

pub const NEW_DESIGN_NAME: &str = "New design";

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
        LibraryCommand::ShowNewDesign => show_new_design(state),
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
            // The library may be hidden.
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

/// If a scan is running, it is repeated afterwards.
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
        let new = catch_panic(|| old.refresh(&store, &games, &also, library::MAX_CATALOGUE_FILES));
        // A panic there is a bug; the known catalogue is kept.
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
        let one = |entry: &Arc<CatalogueEntry>| catch_panic(|| draw_thumbnail(entry, &games, &templates, width));
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

/// Empty, or as a copy under a new name.
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
            state.add_doc(DocOrigin::New, text.into(), false);
        }
        Err(finding) => {
            let what = basis.map_or_else(|| game.to_string(), |entry| entry.path.display().to_string());
            state.notices.push(Notice::error(format!("{what}: {}", finding.message)));
        }
    }
}

/// Reloads rulesets and evaluates open documents again.
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

/// Preselects the game in use.
fn show_new_design(state: &mut EditorState) {
    let named = state.current_doc().and_then(|doc| doc.ruleset_id()).cloned();
    let lately = || state.docs.last().and_then(|doc| doc.ruleset_id()).cloned();
    let game = named.or_else(lately);
    let is_ready = |id: &Arc<str>| state.rulesets.find(id).ruleset().is_some();
    let game = game.filter(is_ready).or(state.library.game.take());
    state.show_tab(Tab::Start);
    state.pane = Pane::Form;
    state.library.game = game;
    state.library.wants_name_focus = true;
}
