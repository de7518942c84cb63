//! The preview of the sheet: takes the visible area, has one job at a time draw it (the newest request wins) and keeps
//! the pictures. The old picture stays until the new one is ready.

mod mark_labels;
mod page_index;
pub mod page_layout;
mod pictures;
mod render;
mod schedule;
mod settings;
mod tiles;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::DocId;
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::library::{Rulesets, open_templates};
use moldloft_library::store::Store;
use moldloft_sheet::sheet::TemplateCache;

pub use mark_labels::mark_label;
pub(crate) use mark_labels::stem_label;
pub use page_index::{MarkedShape, PageIndex};
pub(crate) use page_index::{join_near_rects, join_with_room};
pub(crate) use pictures::{page_picture, sheet_pictures, tint_differences};
pub use render::{PreviewKey, PreviewPages, RenderRequest, RenderResult, render};
pub(crate) use schedule::start_render_if_needed;
pub(crate) use settings::NOMINAL_CALIBRATION;
pub use settings::{PreviewChange, PreviewChangeKind, PreviewMode, PreviewSettings, Zoom};
pub use tiles::{Tile, TileKey, page_pixels, tiles_in_rect};
pub(crate) use tiles::{draw_tile, page_fraction};

/// Besides the visible ones.
const MAX_HIDDEN_BYTES: usize = 64 << 20;

#[derive(Clone, Debug, PartialEq)]
pub struct PreviewViewport {
    pub doc: DocId,
    /// Pixels per mm.
    pub scale: f32,
    /// Percent of the true size.
    pub percent: f32,
    /// With those that will soon be visible.
    pub visible_tiles: Vec<TileKey>,
}

#[derive(Default)]
pub struct Preview {
    template_caches: BTreeMap<Arc<str>, Arc<TemplateCache<'static>>>,
    template_generation: u64,
    /// The rulesets that the caches belong to.
    cached_rulesets: Option<Arc<Rulesets>>,
    viewport: Option<PreviewViewport>,
    sheets: BTreeMap<DocId, SheetPreview>,
    render_job: Option<Progress>,
    clock: u64,
}

pub struct SheetPreview {
    pub key: PreviewKey,
    pub pages: Arc<PreviewPages>,
    /// Pixels per mm.
    pub scale: f32,
    pub grey: bool,
    pub tiles: BTreeMap<TileKey, Tile>,
    last_viewed: u64,
}

impl SheetPreview {
    fn bytes(&self) -> usize {
        self.tiles.values().map(Tile::bytes).sum()
    }
}

impl Preview {
    pub fn reload_templates(&mut self) {
        self.template_caches.clear();
        self.template_generation += 1;
    }

    /// Grows with every change of templates.
    pub fn template_generation(&self) -> u64 {
        self.template_generation
    }

    fn template_cache(&mut self, ruleset: &Arc<str>, store: &Store) -> Arc<TemplateCache<'static>> {
        let new = || Arc::new(open_templates(store));
        Arc::clone(self.template_caches.entry(Arc::clone(ruleset)).or_insert_with(new))
    }

    pub fn sheet(&self, doc: DocId) -> Option<&SheetPreview> {
        self.sheets.get(&doc)
    }

    pub fn findings(&self, doc: DocId) -> &[Finding] {
        self.sheet(doc).map_or(&[], |shown| &shown.pages.findings)
    }

    pub fn bytes(&self) -> usize {
        self.sheets.values().map(SheetPreview::bytes).sum()
    }

    pub fn viewport(&self) -> Option<&PreviewViewport> {
        self.viewport.as_ref()
    }

    pub fn set_viewport(&mut self, viewport: PreviewViewport) {
        self.viewport = Some(viewport);
    }

    /// Percent of the true size.
    pub fn percent(&self) -> f32 {
        self.viewport.as_ref().map_or(100.0, |viewport| viewport.percent)
    }

    pub fn accept_rendered(&mut self, result: RenderResult) {
        self.render_job = None;
        let RenderResult { doc, key, pages, scale, grey, kept_tiles, new_tiles } = result;
        self.clock += 1;
        let mut tiles = match self.sheets.remove(&doc) {
            Some(shown) if shown.scale == scale && shown.grey == grey => shown.tiles,
            _ => BTreeMap::new(),
        };
        let kept_tiles: BTreeSet<TileKey> = kept_tiles.into_iter().collect();
        tiles.retain(|at, _| kept_tiles.contains(at));
        tiles.extend(new_tiles.into_iter().map(|(at, print, image)| (at, Tile::new(print, image))));
        self.sheets.insert(doc, SheetPreview { key, pages, scale, grey, tiles, last_viewed: self.clock });
        self.evict_pictures();
    }

    /// Drops pictures that are not visible, those of other documents first.
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
        let Some(viewport) = &self.viewport else { return };
        let Some(shown) = self.sheets.get_mut(&viewport.doc) else { return };
        let away =
            |at: &TileKey| viewport.visible_tiles.iter().map(|seen| seen.page.abs_diff(at.page)).min().unwrap_or(0);
        let mut far: Vec<(u32, TileKey)> =
            shown.tiles.keys().filter(|at| !viewport.visible_tiles.contains(at)).map(|at| (away(at), *at)).collect();
        far.sort_unstable();
        while held > MAX_HIDDEN_BYTES
            && let Some((_, at)) = far.pop()
        {
            held -= shown.tiles.remove(&at).map_or(0, |tile| tile.bytes());
        }
    }
}
