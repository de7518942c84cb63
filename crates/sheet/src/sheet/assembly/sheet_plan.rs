//! Which templates a ship's pages use, and at what size: takes a ship and the job's options, gives its first page or
//! card and its continuation pages. Small paper and large print use a template's compact form, where it has one.

use std::sync::Arc;

use super::prepare::PreparedTemplate;
use super::template_cache::TemplateCache;
use crate::sheet::page_setup::paper::FULL_SHEET_SIZE;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use crate::sheet::page_setup::sheet_placement::SheetPlacement;
use crate::sheet::page_setup::{MAX_ENLARGEMENT, PageSetup};
use moldloft_drawing::scene::Rect;
use moldloft_rules::ruleset::Ruleset;

/// A template that takes up less of the area common to A4 and Letter is a card.
const MAX_CARD_SHARE: f32 = 0.6;
/// A card in large print that is alone on a page and uses less of it is a sheet.
const MIN_CARD_SHARE: f32 = 0.8;

/// The templates of a ship and how they are placed.
#[derive(Clone)]
pub struct SheetPlan {
    pub first: Arc<PreparedTemplate>,
    /// `None`: plain pages.
    pub continuation: Option<Arc<PreparedTemplate>>,
    pub is_card: bool,
    /// The first page or card.
    pub own: SheetPlacement,
    /// The continuation pages.
    pub next: SheetPlacement,
}

impl SheetPlan {
    /// The plan for a template and perhaps its continuation, by their names; `None` if the template cannot be used.
    pub fn new(
        first_name: &str,
        continuation_name: Option<&str>,
        templates: &TemplateCache<'_>,
        ruleset: &Arc<Ruleset>,
        options: &SheetOptions,
    ) -> Option<Self> {
        let first = templates.prepared_template(ruleset, first_name)?;
        let continuation = continuation_name.and_then(|name| templates.prepared_template(ruleset, name));
        let continuation = continuation.filter(|more| more.takes_leftovers());
        let page_setup = &options.page_setup;
        let size = first.size();
        let is_card = size.0 * size.1 < FULL_SHEET_SIZE.0 * FULL_SHEET_SIZE.1 * MAX_CARD_SHARE;
        if is_card {
            let compact = Self::of_compact_card(size, (first_name, continuation_name), templates, ruleset, options);
            return Some(compact.unwrap_or_else(|| Self::of_card(first, continuation, options)));
        }
        let plain = Self::of_sheet(first, continuation, page_setup);
        if plain.own.placement.scale >= 1.0 && !options.large_print {
            return Some(plain);
        }
        let Some(compact) = templates.compact_template(ruleset, first_name) else { return Some(plain) };
        let more = plain.continuation.as_ref().and(continuation_name);
        let more = more.and_then(|name| templates.compact_template(ruleset, name));
        let mut small = Self::of_sheet(compact, more.filter(|more| more.takes_leftovers()), page_setup);
        if options.large_print {
            small.enlarge();
        }
        Some(if small.own.placement.scale > plain.own.placement.scale { small } else { plain })
    }

    fn of_sheet(
        first: Arc<PreparedTemplate>,
        continuation: Option<Arc<PreparedTemplate>>,
        page_setup: &PageSetup,
    ) -> Self {
        let size = first.size();
        let more = match &continuation {
            Some(more) => more.size(),
            None => (size.0.min(FULL_SHEET_SIZE.0), size.1.min(FULL_SHEET_SIZE.1)),
        };
        // Both in the same cells of the paper, even where only one of them would fit more to a page.
        let placement = page_setup.placement((size.0.max(more.0), size.1.max(more.1)));
        let own = SheetPlacement { placement, size };
        let next = SheetPlacement { placement, size: more };
        let mut plan = Self { first, continuation, is_card: false, own, next };
        plan.scale(placement.scale);
        plan
    }

    /// In large print a card that the paper has no room to enlarge, or that would leave much of a page free, is a sheet of
    /// its own, if it has a compact form.
    fn of_compact_card(
        size: (f32, f32),
        (name, continuation_name): (&str, Option<&str>),
        templates: &TemplateCache<'_>,
        ruleset: &Arc<Ruleset>,
        options: &SheetOptions,
    ) -> Option<Self> {
        let page_setup = &options.page_setup;
        let scale = card_enlargement(page_setup, size);
        let is_large = scale >= options.minimum_sizes().scale - 0.01;
        if !options.large_print || is_large && uses_page(page_setup, (size.0 * scale, size.1 * scale)) {
            return None;
        }
        let compact = templates.compact_template(ruleset, name)?;
        let more = continuation_name.and_then(|name| templates.compact_template(ruleset, name));
        let mut plan = Self::of_sheet(compact, more.filter(|more| more.takes_leftovers()), page_setup);
        plan.enlarge();
        Some(plan)
    }

    /// A card keeps its size, and so does its continuation: a plain page as large as the paper allows. In large print
    /// it is enlarged as a whole.
    fn of_card(
        first: Arc<PreparedTemplate>,
        mut continuation: Option<Arc<PreparedTemplate>>,
        options: &SheetOptions,
    ) -> Self {
        let page_setup = &options.page_setup;
        let mut own = SheetPlacement::new(page_setup, first.size());
        own.placement.scale = if options.large_print { card_enlargement(page_setup, first.size()) } else { 1.0 };
        let more = continuation.as_ref().map_or(FULL_SHEET_SIZE, |more| more.size());
        let mut next = SheetPlacement::new(page_setup, more);
        if next.placement.scale < 1.0 {
            let (w, h) = next.placement.grid.smallest_cell_area();
            (continuation, next) = (None, SheetPlacement::new(page_setup, (w, h)));
        }
        next.fill_height(continuation.as_ref().and_then(|more| more.flow.as_ref()));
        Self { first, continuation, is_card: true, own, next }
    }

    /// Enlarges the pages to the paper, within bounds.
    fn enlarge(&mut self) {
        let grid = self.own.placement.grid;
        let sizes = std::iter::once(self.first.size()).chain(self.continuation.iter().map(|more| more.size()));
        let scale = sizes.map(|size| PageSetup::enlargement(&grid, size)).fold(MAX_ENLARGEMENT, f32::min);
        self.scale(scale.max(self.own.placement.scale));
    }

    /// All pages of a ship have the same scale.
    fn scale(&mut self, scale: f32) {
        (self.own.placement.scale, self.next.placement.scale) = (scale, scale);
        self.own.fill_height(self.first.flow.as_ref());
        self.next.fill_height(self.continuation.as_ref().and_then(|more| more.flow.as_ref()));
    }
}

/// How much larger a card is in large print: as far as the paper has room for it.
fn card_enlargement(page_setup: &PageSetup, size: (f32, f32)) -> f32 {
    let scales =
        page_setup.printable_areas().map(|paper| (paper.area.w / size.0.max(1.0)).min(paper.area.h / size.1.max(1.0)));
    scales[0].max(scales[1]).clamp(1.0, MAX_ENLARGEMENT)
}

/// Whether a page holds several cards of this size, or one uses most of it.
fn uses_page(page_setup: &PageSetup, (width, height): (f32, f32)) -> bool {
    let count = |room: f32, side: f32| ((room + 0.01) / side.max(1.0)).floor();
    let uses = |area: Rect| match count(area.w, width) * count(area.h, height) {
        cards if cards < 1.5 => cards * width * height >= area.w * area.h * MIN_CARD_SHARE,
        _ => true,
    };
    page_setup.printable_areas().iter().any(|paper| uses(paper.area))
}
