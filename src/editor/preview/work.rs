//! What a thread does for the preview: takes an evaluated ship and what is to be seen of her sheet, gives its pages and their pictures. What was
//! drawn before and still holds is not drawn again. A fault is told, never fatal; touches neither state nor window.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use egui::ColorImage;
use rayon::prelude::*;

use super::choice::View;
use super::index::Index;
use super::tiles::{self, At, pixels};
use crate::editor::doc::DocId;
use crate::evaluate::{Evaluation, number};
use crate::finding::Finding;
use crate::ruleset::SheetKind;
use crate::scene::Scene;
use crate::sheet::{self, Backs, Bed, CounterJob, Job, Options, Shelf, counters};

/// What pages are made from: equal keys make equal pages.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The file's revision.
    pub revision: u64,
    /// The unit of a fleet that is shown; empty for a design.
    pub unit: Arc<str>,
    /// How often templates have been read anew.
    pub generation: u64,
    /// Which pages.
    pub view: View,
    /// How pages lie on the paper.
    pub bed: Bed,
    /// Large print.
    pub large_print: bool,
    /// The sheet chosen for the ruleset's designs.
    pub sheet: Option<String>,
}

/// Pages laid out.
#[derive(Debug)]
pub struct Laid {
    /// The ship they show.
    pub ship: Arc<Evaluation>,
    /// The pages.
    pub scene: Scene,
    /// In step with them.
    pub pages: Vec<Index>,
    /// What was found while laying out.
    pub findings: Vec<Finding>,
}

/// What is to be drawn.
pub struct Order {
    /// Of which design.
    pub doc: DocId,
    /// The pages.
    pub key: Key,
    /// The ship.
    pub ship: Arc<Evaluation>,
    /// The pages before: those wanted, if their key is the same.
    pub before: Option<(Key, Arc<Laid>)>,
    /// Squares drawn before, at the same scale.
    pub held: Vec<(At, u64)>,
    /// Squares wanted.
    pub wanted: Vec<At>,
    /// Pixels a millimetre.
    pub scale: f32,
    /// Colours as greys.
    pub grey: bool,
}

/// What was drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Of which design.
    pub doc: DocId,
    /// The pages' key.
    pub key: Key,
    /// The pages.
    pub laid: Arc<Laid>,
    /// Pixels a millimetre.
    pub scale: f32,
    /// Colours as greys.
    pub grey: bool,
    /// Squares that still hold.
    pub kept: Vec<At>,
    /// New ones, each with what it was drawn from; without a picture when it cannot be drawn.
    pub fresh: Vec<(At, u64, Option<ColorImage>)>,
}

/// Does it, with the templates of the ship's ruleset.
pub fn work(order: Order, shelf: &Shelf<'_>) -> Drawn {
    let Order { doc, key, ship, before, held, wanted, scale, grey } = order;
    let laid = match &before {
        // The pages before live on until the new ones are there: no drawing of theirs leaves its place in memory to another.
        Some((same, laid)) if *same == key => Arc::clone(laid),
        _ => Arc::new(laid_out(&key, &ship, shelf)),
    };
    let part = |at: &At| {
        let page = laid.scene.pages.get(at.page as usize)?;
        let part = at.part(pixels((page.width, page.height), scale), scale)?;
        Some((page, &laid.pages[at.page as usize], part))
    };
    let kept: Vec<At> = held
        .iter()
        .filter(|(at, print)| part(at).is_some_and(|(_, index, part)| tiles::print(index, &part, grey) == *print))
        .map(|(at, _)| *at)
        .collect();
    let fresh = wanted
        .par_iter()
        .filter(|at| !kept.contains(at))
        .filter_map(|at| {
            let (page, index, part) = part(at)?;
            let draw = || tiles::draw(page, index, &part, grey);
            let image = catch_unwind(AssertUnwindSafe(draw)).unwrap_or_default();
            Some((*at, tiles::print(index, &part, grey), image))
        })
        .collect();
    drop(before);
    Drawn { doc, key, laid, scale, grey, kept, fresh }
}

fn laid_out(key: &Key, ship: &Arc<Evaluation>, shelf: &Shelf<'_>) -> Laid {
    let pages = || {
        let (scene, findings) = pages(key, ship, shelf);
        let pages = scene.pages.par_iter().map(Index::new).collect();
        Laid { ship: Arc::clone(ship), scene, pages, findings }
    };
    catch_unwind(AssertUnwindSafe(pages)).unwrap_or_else(|_| {
        let finding = Finding::error("sheet-failed", "cannot draw this sheet")
            .help("this is a bug in moldloft: please report it with the design");
        Laid { ship: Arc::clone(ship), scene: Scene::default(), pages: Vec::new(), findings: vec![finding] }
    })
}

/// A ship for herself: one of a fleet has her numbers already.
fn alone(ship: Evaluation) -> Vec<Evaluation> {
    let is_numbered = !ship.ship.unit.is_empty();
    let mut ships = vec![ship];
    if !is_numbered {
        number(&mut ships);
    }
    ships
}

fn pages(key: &Key, ship: &Evaluation, shelf: &Shelf<'_>) -> (Scene, Vec<Finding>) {
    let mut ship = ship.clone();
    ship.wanted_sheet = key.sheet.as_deref().map(Into::into);
    let mut options = Options { bed: key.bed, large_print: key.large_print, ..Options::default() };
    let blank = |id: &str| Evaluation::blank(&ship.ruleset, id);
    let (ships, what) = match key.view {
        View::Sheet => (alone(ship), "control sheets"),
        View::Chits => {
            let ships = alone(ship);
            let job = CounterJob { ships: &ships, shelf, bed: key.bed, backs: Backs::Duplex, copies: 1 };
            let (scene, mut more) = counters(&job);
            let mut findings = shelf.findings();
            more.retain(|finding| !findings.contains(finding));
            findings.extend(more);
            return (scene, findings);
        }
        View::Reference => {
            let sheets = ship.ruleset.sheets.iter().filter(|sheet| sheet.kind == SheetKind::Reference);
            (sheets.filter_map(|sheet| blank(&sheet.id)).collect(), "reference")
        }
        View::Empty => {
            options.blank = true;
            let sheet = ship.sheet().map(|sheet| Arc::clone(&sheet.id));
            (sheet.and_then(|id| blank(&id)).into_iter().collect(), "blank sheets")
        }
    };
    sheet::print(&Job { ships: &ships, shelf, options, what })
}
