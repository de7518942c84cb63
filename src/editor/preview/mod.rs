//! The sheet before the player as it will be printed: what is wanted of it, what is drawn of it. Takes what the panel looks at, has one job draw it
//! (the newest wish wins; there is never a queue) and holds the pictures. The old picture stays until the new one is there.

mod mark_labels;
mod page_index;
pub mod page_layout;
mod render;
mod schedule;
mod settings;
mod tiles;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::finding::Finding;
use crate::library::{Rulesets, open_templates};
use crate::progress::Progress;
use crate::sheet::TemplateCache;
use crate::store::Store;

use super::model::view::DocId;

pub use mark_labels::{mark_label, stem_label};
pub use page_index::{MarkedShape, PageIndex};
pub use render::{PreviewKey, PreviewPages, RenderRequest, RenderResult, render};
pub use schedule::start_render_if_needed;
pub use settings::{NOMINAL_CALIBRATION, PreviewChange, PreviewMode, PreviewSettings, Zoom};
pub use tiles::{TILE_SIDE, Tile, TileKey, page_fraction, page_pixels, tiles_in_rect};

/// The most bytes of pictures held beside those in sight.
const MAX_HIDDEN_BYTES: usize = 64 << 20;

/// What the panel looks at.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewViewport {
    /// The design.
    pub doc: DocId,
    /// Pixels a millimetre.
    pub scale: f32,
    /// The same in hundredths of the true size.
    pub percent: f32,
    /// The squares in sight, and those soon to be.
    pub visible_tiles: Vec<TileKey>,
}

/// The pictures.
#[derive(Default)]
pub struct Preview {
    /// Templates, each read and prepared once, by the ruleset they are for.
    template_caches: BTreeMap<Arc<str>, Arc<TemplateCache<'static>>>,
    template_generation: u64,
    /// The rules that the shelves were filled for.
    cached_rulesets: Option<Arc<Rulesets>>,
    viewport: Option<PreviewViewport>,
    sheets: BTreeMap<DocId, SheetPreview>,
    render_job: Option<Progress>,
    clock: u64,
}

/// What is drawn of a design's sheet.
pub struct SheetPreview {
    /// The pages' key.
    pub key: PreviewKey,
    /// The pages.
    pub pages: Arc<PreviewPages>,
    /// Pixels a millimetre of the squares.
    pub scale: f32,
    /// Whether colours are greys.
    pub grey: bool,
    /// The squares.
    pub tiles: BTreeMap<TileKey, Tile>,
    /// When it was last looked at.
    last_viewed: u64,
}

impl SheetPreview {
    fn bytes(&self) -> usize {
        self.tiles.values().map(Tile::bytes).sum()
    }
}

impl Preview {
    /// Reads templates anew: they, the rules or the workspace have changed.
    pub fn reload_templates(&mut self) {
        self.template_caches.clear();
        self.template_generation += 1;
    }

    /// The templates of a ruleset.
    fn template_cache(&mut self, ruleset: &Arc<str>, store: &Store) -> Arc<TemplateCache<'static>> {
        let new = || Arc::new(open_templates(store));
        Arc::clone(self.template_caches.entry(Arc::clone(ruleset)).or_insert_with(new))
    }

    /// What is drawn of a design's sheet.
    pub fn sheet(&self, doc: DocId) -> Option<&SheetPreview> {
        self.sheets.get(&doc)
    }

    /// What was found when a design's sheet was laid out.
    pub fn findings(&self, doc: DocId) -> &[Finding] {
        self.sheet(doc).map_or(&[], |shown| &shown.pages.findings)
    }

    /// Bytes of all pictures held.
    pub fn bytes(&self) -> usize {
        self.sheets.values().map(SheetPreview::bytes).sum()
    }

    /// What the panel looks at.
    pub fn viewport(&self) -> Option<&PreviewViewport> {
        self.viewport.as_ref()
    }

    /// The panel looks at something else.
    pub fn set_viewport(&mut self, look: PreviewViewport) {
        self.viewport = Some(look);
    }

    /// The size shown, in hundredths of the true one.
    pub fn percent(&self) -> f32 {
        self.viewport.as_ref().map_or(100.0, |look| look.percent)
    }

    /// A job has drawn.
    pub fn accept_rendered(&mut self, drawn: RenderResult) {
        self.render_job = None;
        let RenderResult { doc, key, pages: laid, scale, grey, kept_tiles: kept, new_tiles: fresh } = drawn;
        self.clock += 1;
        let mut tiles = match self.sheets.remove(&doc) {
            Some(shown) if shown.scale == scale && shown.grey == grey => shown.tiles,
            _ => BTreeMap::new(),
        };
        let kept: BTreeSet<TileKey> = kept.into_iter().collect();
        tiles.retain(|at, _| kept.contains(at));
        tiles.extend(fresh.into_iter().map(|(at, print, image)| (at, Tile::new(print, image))));
        self.sheets.insert(doc, SheetPreview { key, pages: laid, scale, grey, tiles, last_viewed: self.clock });
        self.evict_pictures();
    }

    /// Lets pictures go that are out of sight, those of other designs first.
    fn evict_pictures(&mut self) {
        let mut held = self.bytes();
        let mut others: Vec<(u64, DocId)> = self.sheets.iter().map(|(id, shown)| (shown.last_viewed, *id)).collect();
        others.sort_unstable();
        others.pop();
        for (_, id) in others {
            if held <= MAX_HIDDEN_BYTES {
                return;
            }
            if let Some(shown) = self.sheets.remove(&id) {
                held -= shown.bytes();
            }
        }
        let Some(look) = &self.viewport else { return };
        let Some(shown) = self.sheets.get_mut(&look.doc) else { return };
        let away = |at: &TileKey| look.visible_tiles.iter().map(|seen| seen.page.abs_diff(at.page)).min().unwrap_or(0);
        let mut far: Vec<(u32, TileKey)> =
            shown.tiles.keys().filter(|at| !look.visible_tiles.contains(at)).map(|at| (away(at), *at)).collect();
        far.sort_unstable();
        while held > MAX_HIDDEN_BYTES
            && let Some((_, at)) = far.pop()
        {
            held -= shown.tiles.remove(&at).map_or(0, |tile| tile.bytes());
        }
    }
}
