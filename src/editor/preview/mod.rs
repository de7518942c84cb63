//! The sheet before the player as it will be printed: what is wanted of it, what is drawn of it. Takes what the panel looks at, has one job draw it
//! (the newest wish wins; there is never a queue) and holds the pictures. The old picture stays until the new one is there.

mod choice;
mod index;
pub mod place;
mod tiles;
mod words;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use choice::{Change, Choice, NOMINAL, View, Zoom};
pub use index::{Index, Spot};
pub use tiles::{At, SIDE, Tile, over, pixels, share};
pub use words::{stem_words, words};
pub use work::{Drawn, Key, Laid, Order, work};

use super::command::Command;
use super::doc::{Doc, DocId};
use super::jobs::Jobs;
use super::state::{State, Tab};
use crate::finding::Finding;
use crate::library::Games;
use crate::progress::Progress;
use crate::sheet::{Bed, Shelf};
use crate::store::Store;

/// The most bytes of pictures held beside those in sight.
const MOST_BYTES: usize = 64 << 20;

/// What the panel looks at.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The design.
    pub doc: DocId,
    /// Pixels a millimetre.
    pub scale: f32,
    /// The same in hundredths of the true size.
    pub percent: f32,
    /// The squares in sight, and those soon to be.
    pub tiles: Vec<At>,
}

/// The pictures.
#[derive(Default)]
pub struct Preview {
    /// Templates, each read and prepared once, by the ruleset they are for.
    shelves: BTreeMap<Arc<str>, Arc<Shelf<'static>>>,
    generation: u64,
    /// The rules that the shelves were filled for.
    games: Option<Arc<Games>>,
    look: Option<Look>,
    shown: BTreeMap<DocId, Shown>,
    running: Option<Progress>,
    turn: u64,
}

/// What is drawn of a design's sheet.
pub struct Shown {
    /// The pages' key.
    pub key: Key,
    /// The pages.
    pub laid: Arc<Laid>,
    /// Pixels a millimetre of the squares.
    pub scale: f32,
    /// Whether colours are greys.
    pub grey: bool,
    /// The squares.
    pub tiles: BTreeMap<At, Tile>,
    /// When it was last looked at.
    turn: u64,
}

impl Shown {
    fn bytes(&self) -> usize {
        self.tiles.values().map(Tile::bytes).sum()
    }
}

impl Preview {
    /// Reads templates anew: they, the rules or the workspace have changed.
    pub fn refresh(&mut self) {
        self.shelves.clear();
        self.generation += 1;
    }

    /// The templates of a ruleset.
    fn shelf(&mut self, ruleset: &Arc<str>, store: &Store) -> Arc<Shelf<'static>> {
        let new = || {
            let store = store.clone();
            Arc::new(Shelf::new(move |ids, name| store.template(ids, name)))
        };
        Arc::clone(self.shelves.entry(Arc::clone(ruleset)).or_insert_with(new))
    }

    /// What is drawn of a design's sheet.
    pub fn shown(&self, doc: DocId) -> Option<&Shown> {
        self.shown.get(&doc)
    }

    /// What was found when a design's sheet was laid out.
    pub fn findings(&self, doc: DocId) -> &[Finding] {
        self.shown(doc).map_or(&[], |shown| &shown.laid.findings)
    }

    /// Bytes of all pictures held.
    pub fn bytes(&self) -> usize {
        self.shown.values().map(Shown::bytes).sum()
    }

    /// What the panel looks at.
    pub fn look(&self) -> Option<&Look> {
        self.look.as_ref()
    }

    /// The panel looks at something else.
    pub fn set_look(&mut self, look: Look) {
        self.look = Some(look);
    }

    /// The size shown, in hundredths of the true one.
    pub fn percent(&self) -> f32 {
        self.look.as_ref().map_or(100.0, |look| look.percent)
    }

    /// A job has drawn.
    pub fn drawn(&mut self, drawn: Drawn) {
        self.running = None;
        let Drawn { doc, key, laid, scale, grey, kept, fresh } = drawn;
        self.turn += 1;
        let mut tiles = match self.shown.remove(&doc) {
            Some(shown) if shown.scale == scale && shown.grey == grey => shown.tiles,
            _ => BTreeMap::new(),
        };
        let kept: BTreeSet<At> = kept.into_iter().collect();
        tiles.retain(|at, _| kept.contains(at));
        tiles.extend(fresh.into_iter().map(|(at, print, image)| (at, Tile::new(print, image))));
        self.shown.insert(doc, Shown { key, laid, scale, grey, tiles, turn: self.turn });
        self.forget();
    }

    /// Lets pictures go that are out of sight, those of other designs first.
    fn forget(&mut self) {
        let mut held = self.bytes();
        let mut others: Vec<(u64, DocId)> = self.shown.iter().map(|(id, shown)| (shown.turn, *id)).collect();
        others.sort_unstable();
        others.pop();
        for (_, id) in others {
            if held <= MOST_BYTES {
                return;
            }
            if let Some(shown) = self.shown.remove(&id) {
                held -= shown.bytes();
            }
        }
        let Some(look) = &self.look else { return };
        let Some(shown) = self.shown.get_mut(&look.doc) else { return };
        let away = |at: &At| look.tiles.iter().map(|seen| seen.page.abs_diff(at.page)).min().unwrap_or(0);
        let mut far: Vec<(u32, At)> =
            shown.tiles.keys().filter(|at| !look.tiles.contains(at)).map(|at| (away(at), *at)).collect();
        far.sort_unstable();
        while held > MOST_BYTES
            && let Some((_, at)) = far.pop()
        {
            held -= shown.tiles.remove(&at).map_or(0, |tile| tile.bytes());
        }
    }
}

/// The pages wanted of a design.
fn key(state: &State, doc: &Doc) -> Option<Key> {
    let choice = &state.settings.sheet;
    let ruleset = &doc.ship()?.ruleset;
    Some(Key {
        revision: doc.revision,
        unit: doc.ship()?.ship.unit.clone(),
        generation: state.preview.generation,
        view: choice.view,
        // What a printer does wrong is not looked at.
        bed: Bed { paper: choice.paper, offset: (0.0, 0.0), ..state.settings.print.bed },
        large_print: choice.large_print,
        sheet: choice.sheets.get(&*ruleset.id).cloned(),
    })
}

/// Has drawn what is wanted and not there yet, unless something is being drawn already: its end calls for this again. Lets go what belongs to
/// designs that are closed.
pub fn follow(state: &mut State, jobs: &Jobs) {
    let State { preview, docs, .. } = state;
    preview.shown.retain(|id, _| docs.iter().any(|doc| doc.id == *id));
    if preview.games.as_ref().is_none_or(|games| !Arc::ptr_eq(games, &state.games)) {
        if preview.games.is_some() {
            preview.refresh();
        }
        preview.games = Some(state.games.clone());
    }
    if preview.running.is_some() {
        return;
    }
    if let Some(order) = order(state) {
        let shelf = state.preview.shelf(&order.ship.ruleset.id, &state.store);
        state.preview.running = Some(jobs.start(move |_| Some(Command::Drawn(Box::new(work(order, &shelf))))));
    }
}

fn order(state: &State) -> Option<Order> {
    let preview = &state.preview;
    let look = preview.look.as_ref().filter(|look| state.tab == Tab::Doc(look.doc))?;
    let doc = state.doc()?;
    let ship = Arc::clone(doc.ship()?);
    let key = key(state, doc)?;
    let grey = state.settings.sheet.grey;
    let shown = preview.shown.get(&look.doc);
    let alike = shown.filter(|shown| shown.scale == look.scale && shown.grey == grey);
    let there = |shown: &Shown| {
        let missing = |at: &&At| {
            let page = shown.laid.scene.pages.get(at.page as usize);
            let part = page.and_then(|page| at.part(pixels((page.width, page.height), shown.scale), shown.scale));
            part.is_some() && !shown.tiles.contains_key(at)
        };
        shown.key == key && !look.tiles.iter().any(|at| missing(&at))
    };
    if alike.is_some_and(there) {
        return None;
    }
    Some(Order {
        doc: look.doc,
        key,
        ship,
        before: shown.map(|shown| (shown.key.clone(), Arc::clone(&shown.laid))),
        held: alike.iter().flat_map(|shown| &shown.tiles).map(|(at, tile)| (*at, tile.print)).collect(),
        wanted: look.tiles.clone(),
        scale: look.scale,
        grey,
    })
}
