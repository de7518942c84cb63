//! The drawing job of the preview: takes an evaluated ship and the visible area, gives pages and tiles; unchanged tiles
//! are not redrawn. A failure becomes a finding.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::ColorImage;
use rayon::prelude::*;

use crate::DocId;
use crate::panic_guard::catch_panic;
use crate::preview::page_index::PageIndex;
use crate::preview::settings::PreviewMode;
use crate::preview::tiles::{self, TileKey, page_pixels};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_drawing::scene::Scene;
use moldloft_rules::evaluate::{Evaluation, number_job, tick_marks};
use moldloft_rules::ruleset::SheetKind;
use moldloft_sheet::sheet::{
    self, Backs, CounterJob, PageSetup, PageStorage, SheetJob, SheetOptions, TemplateCache, lay_out_counters,
};

/// Equal keys make equal pages.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewKey {
    pub revision: u64,
    /// Of a suggestion that is shown in place of the design: the answer and its index.
    pub proposal: Option<(u64, usize)>,
    /// Empty for a design.
    pub unit: Arc<str>,
    pub template_generation: u64,
    pub view: PreviewMode,
    pub page_setup: PageSetup,
    pub large_print: bool,
    pub sheet: Option<String>,
}

#[derive(Debug)]
pub struct PreviewPages {
    pub ship: Arc<Evaluation>,
    pub scene: Scene,
    pub page_indices: Vec<PageIndex>,
    /// Stems of the boxes that a fleet keeps: damage and ammunition.
    pub lasting_stems: BTreeSet<Arc<str>>,
    pub findings: Vec<Finding>,
}

pub struct RenderRequest {
    pub doc: DocId,
    pub key: PreviewKey,
    pub ship: Arc<Evaluation>,
    /// Reused if the key is the same.
    pub previous: Option<(PreviewKey, Arc<PreviewPages>)>,
    pub held_tiles: Vec<(TileKey, u64)>,
    pub wanted_tiles: Vec<TileKey>,
    /// Pixels per mm.
    pub scale: f32,
    pub grey: bool,
}

#[derive(Clone, Debug)]
pub struct RenderResult {
    pub doc: DocId,
    pub key: PreviewKey,
    pub pages: Arc<PreviewPages>,
    /// Pixels per mm.
    pub scale: f32,
    pub grey: bool,
    pub kept_tiles: Vec<TileKey>,
    /// Each with its fingerprint; `None` if it could not be drawn.
    pub new_tiles: Vec<(TileKey, u64, Option<ColorImage>)>,
}

pub fn render(request: RenderRequest, templates: &TemplateCache<'_>) -> RenderResult {
    let RenderRequest { doc, key, ship, previous, held_tiles, wanted_tiles, scale, grey } = request;
    let sheet_pages = match &previous {
        // The old pages live until the new ones are ready, so that no new drawing reuses the address of an old one.
        Some((same, sheet_pages)) if *same == key => Arc::clone(sheet_pages),
        _ => Arc::new(lay_out(&key, &ship, templates)),
    };
    let part = |at: &TileKey| {
        let page = sheet_pages.scene.pages.get(at.page as usize)?;
        let part = at.pixel_rect(page_pixels((page.width, page.height), scale), scale)?;
        Some((page, &sheet_pages.page_indices[at.page as usize], part))
    };
    let kept_tiles: Vec<TileKey> = held_tiles
        .iter()
        .filter(|(at, print)| {
            part(at).is_some_and(|(_, index, part)| tiles::tile_fingerprint(index, &part, grey) == *print)
        })
        .map(|(at, _)| *at)
        .collect();
    let new_tiles = wanted_tiles
        .par_iter()
        .filter(|at| !kept_tiles.contains(at))
        .filter_map(|at| {
            let (page, index, part) = part(at)?;
            let draw = || tiles::draw_tile(page, index, &part, grey);
            let image = catch_panic(draw).unwrap_or_default();
            Some((*at, tiles::tile_fingerprint(index, &part, grey), image))
        })
        .collect();
    drop(previous);
    RenderResult { doc, key, pages: sheet_pages, scale, grey, kept_tiles, new_tiles }
}

pub(crate) fn lay_out(key: &PreviewKey, ship: &Arc<Evaluation>, templates: &TemplateCache<'_>) -> PreviewPages {
    let pages = || {
        let (scene, findings) = make_scene(key, ship, templates);
        let pages = scene.pages.par_iter().map(PageIndex::new).collect();
        let lasting = tick_marks(ship).into_iter().filter(|(_, boxes)| boxes.kind.is_lasting());
        let lasting_stems = lasting.map(|(stem, _)| stem).collect();
        PreviewPages { ship: Arc::clone(ship), scene, page_indices: pages, lasting_stems, findings }
    };
    catch_panic(pages).unwrap_or_else(|| {
        let finding = Finding::error("sheet-failed", "cannot draw this sheet")
            .help("this is a bug in moldloft: please report it with the design");
        PreviewPages {
            ship: Arc::clone(ship),
            scene: Scene::default(),
            page_indices: Vec::new(),
            lasting_stems: BTreeSet::new(),
            findings: vec![finding],
        }
    })
}

fn number_single_ship(ship: Evaluation) -> Vec<Evaluation> {
    let mut ships = vec![ship];
    number_job(&mut ships);
    ships
}

fn make_scene(key: &PreviewKey, ship: &Evaluation, templates: &TemplateCache<'_>) -> (Scene, Vec<Finding>) {
    let mut ship = ship.clone();
    ship.wanted_sheet = key.sheet.as_deref().map(Into::into);
    let mut options = SheetOptions {
        page_setup: key.page_setup,
        large_print: key.large_print,
        marks_values: true,
        maps_mounts: true,
        ..SheetOptions::default()
    };
    let blank = |id: &str| Evaluation::blank(&ship.ruleset, id);
    let (ships, what) = match key.view {
        PreviewMode::Sheet => (number_single_ship(ship), "control sheets"),
        PreviewMode::Chits => {
            let ships = number_single_ship(ship);
            let job =
                CounterJob { ships: &ships, templates, page_setup: key.page_setup, backs: Backs::Duplex, copies: 1 };
            let (scene, mut more) = lay_out_counters(&job, PageStorage::Plain, &Progress::default());
            let mut findings = templates.findings();
            more.retain(|finding| !findings.contains(finding));
            findings.extend(more);
            return (scene, findings);
        }
        PreviewMode::Reference => {
            let sheets = ship.ruleset.sheets.iter().filter(|sheet| sheet.kind == SheetKind::Reference);
            (sheets.filter_map(|sheet| blank(&sheet.id)).collect(), "reference")
        }
        PreviewMode::Empty => {
            options.is_blank = true;
            let sheet = ship.sheet().map(|sheet| Arc::clone(&sheet.id));
            (sheet.and_then(|id| blank(&id)).into_iter().collect(), "blank sheets")
        }
    };
    sheet::print(&SheetJob { ships: &ships, templates, options, subject: what })
}
