//! The library, thumbnails, recent files and new designs. Takes commands and the state; scanning and drawing are jobs.

pub mod model;
pub mod panel;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use egui::ColorImage;
use rayon::prelude::*;

use crate::fleet::model::FleetCommand;
use crate::language::{say, window_rulesets};
use crate::panic_guard::catch_panic;
use crate::{Command, EditorState, FormTarget, Jobs, Notice, Pane, Tab};
use moldloft_library::library::{self, Catalogue, CatalogueEntry, EntrySummary, Rulesets, new_design_text};
use moldloft_library::store::Store;
use moldloft_rules::design::Ship;
use moldloft_rules::evaluate::{Evaluation, evaluate};
use moldloft_sheet::sheet::TemplateCache;

pub(crate) use crate::library_browser::model::LibraryBrowser;
pub use crate::library_browser::model::{EntryPicture, LibraryCommand, Pictured, ThumbnailState};

pub const NEW_DESIGN_NAME: &str = "New design";

pub fn apply(state: &mut EditorState, command: LibraryCommand, jobs: &Jobs) {
    let browser = &mut state.library;
    match command {
        LibraryCommand::Scan => scan(state, jobs),
        LibraryCommand::ScanDone { workspace_generation, catalogue } => {
            if workspace_generation == browser.workspace_generation {
                finish_scan(state, catalogue, jobs);
            }
        }
        LibraryCommand::SetFilter(filter) => browser.filter = filter,
        LibraryCommand::SearchPanel(text) => browser.panel_filter.text = text,
        LibraryCommand::DrawThumbnails { of, picture } => draw_thumbnails(state, of, picture, jobs),
        LibraryCommand::ThumbnailsDrawn { template_generation, thumbnails, picture } => {
            if template_generation == browser.template_generation {
                browser.store_thumbnails(thumbnails, picture);
            }
        }
        LibraryCommand::ShowNewDesign => show_new_design(state),
        LibraryCommand::NameFocused => browser.wants_name_focus = false,
        LibraryCommand::ChooseGame(game) => {
            browser.wants_name_focus = game.is_some();
            browser.game = game;
        }
        LibraryCommand::SetName(name) => browser.name = name,
        LibraryCommand::ShowThumbnails(thumbnails) => state.settings.pictures = thumbnails,
        LibraryCommand::SetOrder(order) => state.settings.order = order,
        LibraryCommand::CreateDesign { game, copy_of } => create_design(state, &game, copy_of.as_deref()),
        LibraryCommand::ToggleGroup(title) => {
            if !browser.collapsed_groups.remove(&title) {
                browser.collapsed_groups.insert(title);
            }
        }
        LibraryCommand::FocusSearch => {
            browser.wants_search_focus = true;
            // The library may be hidden.
            state.settings.library |= state.tab != Tab::Start;
        }
        LibraryCommand::SearchFocused => browser.wants_search_focus = false,
        LibraryCommand::ForgetRecent(path) => state.settings.recent.retain(|recent| *recent != path),
        LibraryCommand::Invalidate => {
            browser.invalidate_thumbnails(&state.store);
            state.preview.reload_templates();
            scan(state, jobs);
        }
        LibraryCommand::SetWorkspace(path) => set_workspace(state, &path, jobs),
        LibraryCommand::AskForGames => {
            browser.asks_for_games = true;
            browser.chosen_games = state.settings.games.clone().unwrap_or_default();
            state.show_tab(Tab::Start);
        }
        LibraryCommand::ChooseGames(games) => browser.chosen_games = games,
        LibraryCommand::SetGames(games) => {
            browser.asks_for_games = false;
            browser.game = browser.game.take().filter(|game| games.is_empty() || games.contains(&**game));
            state.settings.games = Some(games);
        }
    }
}

/// Filters the catalogue again if it or a filter has changed.
pub fn update(state: &mut EditorState) {
    state.library.update_matches(state.settings.order);
}

/// If a scan is running, it is repeated afterwards.
fn scan(state: &mut EditorState, jobs: &Jobs) {
    let browser = &mut state.library;
    if browser.is_scanning {
        browser.must_rescan = true;
        return;
    }
    browser.is_scanning = true;
    let (old, workspace_generation) = (browser.catalogue.clone(), browser.workspace_generation);
    let (store, rulesets, recent) = (state.store.clone(), state.rulesets.clone(), state.settings.recent.clone());
    jobs.start(move |_| {
        let new = catch_panic(|| old.refresh(&store, &rulesets, &recent, library::MAX_CATALOGUE_FILES));
        // A panic there is a bug; the known catalogue is kept.
        let catalogue = new.map_or(old, Arc::new);
        Some(Command::Library(LibraryCommand::ScanDone { workspace_generation, catalogue }))
    });
}

fn finish_scan(state: &mut EditorState, catalogue: Arc<Catalogue>, jobs: &Jobs) {
    let browser = &mut state.library;
    browser.catalogue = catalogue;
    browser.is_scanned = true;
    browser.is_scanning = false;
    if std::mem::take(&mut browser.must_rescan) {
        scan(state, jobs);
    }
}

fn draw_thumbnails(state: &mut EditorState, of: Vec<Pictured>, picture: EntryPicture, jobs: &Jobs) {
    let browser = &mut state.library;
    if browser.is_drawing || of.is_empty() {
        return;
    }
    browser.is_drawing = true;
    let sizes = largest_points(&browser.catalogue);
    let (rulesets, templates, template_generation) =
        (state.rulesets.clone(), browser.templates.clone(), browser.template_generation);
    jobs.start(move |_| {
        let one = |of: &Pictured| {
            let drawn = catch_panic(|| match (of, picture) {
                (Pictured::Design(design, rules), EntryPicture::Silhouette(width, height)) => {
                    let ship = evaluate(rules, design, &Ship::default());
                    // As long under rules on trial as by its own.
                    let own = design.ruleset.as_ref().map_or(&rules.id, |word| &word.text);
                    let largest = sizes.get(own).copied().unwrap_or(0);
                    silhouette(&ship, &templates, (width, height), largest)
                }
                (Pictured::Design(..), EntryPicture::Sheet(_)) => None,
                (Pictured::Entry(entry), _) => {
                    draw_thumbnail(entry, &rulesets, &templates, picture, largest(entry, &sizes))
                }
            });
            drawn.unwrap_or_default()
        };
        let thumbnails = of.par_iter().map(|of| (of.clone(), one(of))).collect();
        Some(Command::Library(LibraryCommand::ThumbnailsDrawn { template_generation, thumbnails, picture }))
    });
}

fn draw_thumbnail(
    entry: &CatalogueEntry,
    rulesets: &Rulesets,
    templates: &TemplateCache<'_>,
    picture: EntryPicture,
    largest: i64,
) -> Option<Arc<ColorImage>> {
    let source = entry.read().ok()?;
    let evaluation = || library::check_source(rulesets, &source).evaluation;
    let small = match (picture, &entry.summary) {
        (EntryPicture::Silhouette(width, height), _) => {
            return silhouette(&evaluation()?, templates, (width, height), largest);
        }
        (EntryPicture::Sheet(width), EntrySummary::Fleet(_)) => {
            let fleet = library::check_fleet(rulesets, &source, &entry.file).ok()?;
            library::fleet_picture(&fleet, templates, width)?
        }
        (EntryPicture::Sheet(width), _) => {
            let points = entry.points().unwrap_or(0).max(0) as f32;
            library::design_picture(&evaluation()?, templates, width, (points / largest.max(1) as f32).sqrt())?
        }
    };
    Some(Arc::new(ColorImage::from_rgba_premultiplied(size_of(&small), &small.rgba)))
}

/// White where the drawing is black and clear where it is white, to be painted in the theme's colours. Light fills and thin
/// lines are strengthened, for so small a picture; the dearest ship of a game is twice as long as a cheap one.
fn silhouette(
    ship: &Evaluation,
    templates: &TemplateCache<'_>,
    most: (u32, u32),
    largest: i64,
) -> Option<Arc<ColorImage>> {
    let points = ship.points.unwrap_or(0).clamp(0, largest.max(1)) as f32;
    let share = (1.0 + (points / largest.max(1) as f32).sqrt()) / 2.0;
    let room = [most.0, most.1].map(|side| ((side as f32 * share).round() as u32).max(1));
    let small = library::silhouette_picture(ship, templates, room.into())?;
    let strength = |pixel: &[u8]| {
        let light = pixel.iter().take(3).map(|part| f32::from(*part)).sum::<f32>() / (3.0 * 255.0);
        ((1.0 - light).powf(0.35) * 255.0) as u8
    };
    let rgba: Vec<u8> = small.rgba.chunks_exact(4).flat_map(|pixel| [strength(pixel); 4]).collect();
    Some(Arc::new(ColorImage::from_rgba_premultiplied(size_of(&small), &rgba)))
}

fn size_of(picture: &library::Thumbnail) -> [usize; 2] {
    [picture.width as usize, picture.height as usize]
}

/// The most points of a design of each ruleset.
fn largest_points(catalogue: &Catalogue) -> BTreeMap<Arc<str>, i64> {
    let mut largest = BTreeMap::new();
    for entry in catalogue.entries().filter(|entry| matches!(entry.summary, EntrySummary::Design(_))) {
        let most = largest.entry(Arc::clone(&entry.ruleset)).or_insert(0);
        *most = entry.points().unwrap_or(0).max(*most);
    }
    largest
}

fn largest(entry: &CatalogueEntry, sizes: &BTreeMap<Arc<str>, i64>) -> i64 {
    sizes.get(&entry.ruleset).copied().unwrap_or(0)
}

/// Empty, or as a copy under a new name.
fn create_design(state: &mut EditorState, game: &Arc<str>, copy_of: Option<&CatalogueEntry>) {
    let typed = state.library.name.trim().to_owned();
    let name = if typed.is_empty() { say(NEW_DESIGN_NAME) } else { typed.clone() };
    let text = match state.rulesets.find(game) {
        library::LoadedRuleset::Ready(ruleset, _) => new_design_text(&ruleset, copy_of, &name),
        other => match other.findings().first() {
            Some(finding) => Err(finding.clone()),
            None => return,
        },
    };
    match text {
        Ok(text) => {
            state.library.name.clear();
            state.library.game = None;
            state.add_doc(None, text.into(), false);
            // What is typed first is its name.
            state.go_to = typed.is_empty().then_some(FormTarget::TopKey("name"));
        }
        Err(finding) => {
            let what = copy_of.map_or_else(|| game.to_string(), |entry| entry.file.to_string());
            state.notices.push(Notice::error(format!("{what}: {}", finding.message)));
        }
    }
}

fn set_workspace(state: &mut EditorState, path: &Path, jobs: &Jobs) {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    match Store::open_containing(&path) {
        Ok(store) => {
            state.settings.workspace = store.workspace().map(Path::to_path_buf);
            state.store = store;
            read_anew(state, jobs);
        }
        Err(finding) => state.notices.push(Notice::error(format!("{}: {}", path.display(), finding.message))),
    }
}

/// Reloads rulesets and the library, and evaluates open documents again.
pub fn read_anew(state: &mut EditorState, jobs: &Jobs) {
    state.rulesets = window_rulesets(&state.store, &state.settings);
    let (workspace_generation, template_generation) =
        (state.library.workspace_generation + 1, state.library.template_generation + 1);
    let asks_for_games = state.library.asks_for_games;
    state.library = LibraryBrowser {
        workspace_generation,
        template_generation,
        asks_for_games,
        ..LibraryBrowser::new(&state.store)
    };
    for doc in &mut state.docs {
        doc.evaluate(&state.rulesets);
    }
    scan(state, jobs);
}

/// That of the current document, else of the last one.
fn game_in_use(state: &EditorState) -> Option<Arc<str>> {
    let named = state.current_doc().and_then(|doc| doc.ruleset_id()).cloned();
    let last = || state.docs.last().and_then(|doc| doc.ruleset_id()).cloned();
    named.or_else(last).filter(|id| state.rulesets.find(id).ruleset().is_some())
}

/// Of the game in use or the only one that is played; else the games are shown.
pub fn new_fleet(state: &EditorState) -> Command {
    let played = || {
        let mut games = state.settings.games.iter().flatten();
        games.next().filter(|_| games.next().is_none()).map(|game| Arc::from(game.as_str()))
    };
    match game_in_use(state).or_else(played) {
        Some(game) => Command::Fleet(FleetCommand::New(game)),
        None => Command::Library(LibraryCommand::ShowNewDesign),
    }
}

/// Preselects the game in use.
fn show_new_design(state: &mut EditorState) {
    if state.settings.must_ask_for_games() {
        // Who makes a design at once plays what is ticked, or all games until said otherwise.
        state.settings.games = Some(state.library.chosen_games.clone());
    }
    state.library.asks_for_games = false;
    let game = game_in_use(state).or(state.library.game.take());
    state.show_tab(Tab::Start);
    state.pane = Pane::Form;
    state.library.game = game;
    state.library.wants_name_focus = true;
}
