//! What a thread does for the preview: takes an evaluated ship and what is to be seen of her sheet, gives its pages and their pictures. What was
//! drawn before and still holds is not drawn again. A fault is told, never fatal; touches neither state nor window.

use std::sync::Arc;

use egui::ColorImage;
use rayon::prelude::*;

use crate::editor::model::view::DocId;
use crate::editor::panic_guard::catch_panic;
use crate::evaluate::{Evaluation, number_job};
use crate::finding::Finding;
use crate::progress::Progress;
use crate::ruleset::SheetKind;
use crate::scene::Scene;
use crate::sheet::{
    self, Backs, CounterJob, PageSetup, PageStorage, SheetJob, SheetOptions, TemplateCache, lay_out_counters,
};

use super::page_index::PageIndex;
use super::settings::PreviewMode;
use super::tiles::{self, TileKey, page_pixels};

/// What pages are made from: equal keys make equal pages.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewKey {
    /// The file's revision.
    pub revision: u64,
    /// The unit of a fleet that is shown; empty for a design.
    pub unit: Arc<str>,
    /// How often templates have been read anew.
    pub template_generation: u64,
    /// Which pages.
    pub view: PreviewMode,
    /// How pages lie on the paper.
    pub page_setup: PageSetup,
    /// Large print.
    pub large_print: bool,
    /// The sheet chosen for the ruleset's designs.
    pub sheet: Option<String>,
}

/// Pages laid out.
#[derive(Debug)]
pub struct PreviewPages {
    /// The ship they show.
    pub ship: Arc<Evaluation>,
    /// The pages.
    pub scene: Scene,
    /// In step with them.
    pub page_indices: Vec<PageIndex>,
    /// What was found while laying out.
    pub findings: Vec<Finding>,
}

/// What is to be drawn.
pub struct RenderRequest {
    /// Of which design.
    pub doc: DocId,
    /// The pages.
    pub key: PreviewKey,
    /// The ship.
    pub ship: Arc<Evaluation>,
    /// The pages before: those wanted, if their key is the same.
    pub previous: Option<(PreviewKey, Arc<PreviewPages>)>,
    /// Squares drawn before, at the same scale.
    pub held_tiles: Vec<(TileKey, u64)>,
    /// Squares wanted.
    pub wanted_tiles: Vec<TileKey>,
    /// Pixels a millimetre.
    pub scale: f32,
    /// Colours as greys.
    pub grey: bool,
}

/// What was drawn.
#[derive(Clone, Debug)]
pub struct RenderResult {
    /// Of which design.
    pub doc: DocId,
    /// The pages' key.
    pub key: PreviewKey,
    /// The pages.
    pub pages: Arc<PreviewPages>,
    /// Pixels a millimetre.
    pub scale: f32,
    /// Colours as greys.
    pub grey: bool,
    /// Squares that still hold.
    pub kept_tiles: Vec<TileKey>,
    /// New ones, each with what it was drawn from; without a picture when it cannot be drawn.
    pub new_tiles: Vec<(TileKey, u64, Option<ColorImage>)>,
}

/// Does it, with the templates of the ship's ruleset.
pub fn render(order: RenderRequest, shelf: &TemplateCache<'_>) -> RenderResult {
    let RenderRequest { doc, key, ship, previous: before, held_tiles: held, wanted_tiles: wanted, scale, grey } = order;
    let laid = match &before {
        // The pages before live on until the new ones are there: no drawing of theirs leaves its place in memory to another.
        Some((same, laid)) if *same == key => Arc::clone(laid),
        _ => Arc::new(lay_out(&key, &ship, shelf)),
    };
    let part = |at: &TileKey| {
        let page = laid.scene.pages.get(at.page as usize)?;
        let part = at.pixel_rect(page_pixels((page.width, page.height), scale), scale)?;
        Some((page, &laid.page_indices[at.page as usize], part))
    };
    let kept: Vec<TileKey> = held
        .iter()
        .filter(|(at, print)| {
            part(at).is_some_and(|(_, index, part)| tiles::tile_fingerprint(index, &part, grey) == *print)
        })
        .map(|(at, _)| *at)
        .collect();
    let fresh = wanted
        .par_iter()
        .filter(|at| !kept.contains(at))
        .filter_map(|at| {
            let (page, index, part) = part(at)?;
            let draw = || tiles::draw_tile(page, index, &part, grey);
            let image = catch_panic(draw).unwrap_or_default();
            Some((*at, tiles::tile_fingerprint(index, &part, grey), image))
        })
        .collect();
    drop(before);
    RenderResult { doc, key, pages: laid, scale, grey, kept_tiles: kept, new_tiles: fresh }
}

fn lay_out(key: &PreviewKey, ship: &Arc<Evaluation>, shelf: &TemplateCache<'_>) -> PreviewPages {
    let pages = || {
        let (scene, findings) = make_scene(key, ship, shelf);
        let pages = scene.pages.par_iter().map(PageIndex::new).collect();
        PreviewPages { ship: Arc::clone(ship), scene, page_indices: pages, findings }
    };
    catch_panic(pages).unwrap_or_else(|| {
        let finding = Finding::error("sheet-failed", "cannot draw this sheet")
            .help("this is a bug in moldloft: please report it with the design");
        PreviewPages {
            ship: Arc::clone(ship),
            scene: Scene::default(),
            page_indices: Vec::new(),
            findings: vec![finding],
        }
    })
}

fn number_single_ship(ship: Evaluation) -> Vec<Evaluation> {
    let mut ships = vec![ship];
    number_job(&mut ships);
    ships
}

fn make_scene(key: &PreviewKey, ship: &Evaluation, shelf: &TemplateCache<'_>) -> (Scene, Vec<Finding>) {
    let mut ship = ship.clone();
    ship.wanted_sheet = key.sheet.as_deref().map(Into::into);
    let mut options =
        SheetOptions { page_setup: key.page_setup, large_print: key.large_print, ..SheetOptions::default() };
    let blank = |id: &str| Evaluation::blank(&ship.ruleset, id);
    let (ships, what) = match key.view {
        PreviewMode::Sheet => (number_single_ship(ship), "control sheets"),
        PreviewMode::Chits => {
            let ships = number_single_ship(ship);
            let job = CounterJob {
                ships: &ships,
                templates: shelf,
                page_setup: key.page_setup,
                backs: Backs::Duplex,
                copies: 1,
            };
            let (scene, mut more) = lay_out_counters(&job, PageStorage::Plain, &Progress::default());
            let mut findings = shelf.findings();
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
    sheet::print(&SheetJob { ships: &ships, templates: shelf, options, subject: what })
}
