//! Backs of cards and sheets: takes a ship and its front, gives the items of the back. A card's back is mirrored for
//! printing on both sides; a sheet's is the page after it, for a ship of one page. A back is no larger than its front and
//! has no further pages.

use std::rc::Rc;
use std::sync::Arc;

use super::page_filler::draw_panels;
use super::prepare::PreparedTemplate;
use super::ship_pages::{PageFrame, above_foot, draw_art, draw_slots, ship_name};
use super::ship_view::ShipView;
use super::shown_parts::ShownParts;
use super::template_cache::TemplateCache;
use crate::sheet::layout::mark_labels::MarkLabels;
use crate::sheet::layout::minimum_sizes::MinimumSizes;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::finding::Finding;
use moldloft_base::sanitize::list_names;
use moldloft_drawing::scene::{PrintedUnit, Rect, SceneItem};
use moldloft_rules::evaluate::Evaluation;
use moldloft_rules::ruleset::SheetDef;

/// The most ships that are named.
const MAX_NAMED: usize = 6;
/// Tolerance for a back as large as its front, mm.
const TOLERANCE: f32 = 0.5;

/// The first back of a ship that is no larger than its card, mm before scaling.
pub fn card_back(ship: &Evaluation, card: (f32, f32), templates: &TemplateCache<'_>) -> Option<Arc<PreparedTemplate>> {
    let backs = ship.backs().filter_map(|sheet| templates.prepared_template(&ship.ruleset, &sheet.template));
    let fits = |back: &Arc<PreparedTemplate>| {
        let (w, h) = back.size();
        w <= card.0 + TOLERANCE && h <= card.1 + TOLERANCE
    };
    backs.into_iter().find(fits)
}

/// The first back of a ship, or its compact form, that is as wide as its full sheet.
pub fn sheet_back(ship: &Evaluation, width: f32, templates: &TemplateCache<'_>) -> Option<Arc<PreparedTemplate>> {
    ship.backs().find_map(|back| form_of_width(ship, back, width, templates))
}

/// A sheet's template, or its compact form, that has this width.
pub fn form_of_width(
    ship: &Evaluation,
    sheet: &SheetDef,
    width: f32,
    templates: &TemplateCache<'_>,
) -> Option<Arc<PreparedTemplate>> {
    let full = templates.prepared_template(&ship.ruleset, &sheet.template);
    let compact = || templates.compact_template(&ship.ruleset, &sheet.template);
    let has_width = |form: &Arc<PreparedTemplate>| (form.size().0 - width).abs() <= TOLERANCE;
    full.filter(has_width).or_else(|| compact().filter(has_width))
}

/// A card's place on its page, mm, and how much it is enlarged.
#[derive(Clone, Copy, Debug)]
pub struct CardSpot {
    pub card: Rect,
    pub page_width: f32,
    pub scale: f32,
}

impl CardSpot {
    /// The spot of a back that is on the same page as its card, at a place of its own.
    pub fn on_front(place: Rect, scale: f32) -> Self {
        // Mirrored, it stays where it is.
        Self { card: place, page_width: 2.0 * place.x + place.w, scale }
    }

    /// Where a back of a size before scaling goes: behind the card's middle, on a page turned like that of a book.
    fn corner_behind(&self, (w, h): (f32, f32)) -> (f32, f32) {
        let Rect { x, y, w: width, h: height } = self.card;
        let mirrored = self.page_width - x - width;
        (mirrored + (width - w * self.scale) / 2.0, y + (height - h * self.scale) / 2.0)
    }

    /// The frame of a card's back, before scaling: as high as the card, if it flows.
    pub fn frame_behind(&self, back: &PreparedTemplate, minimums: MinimumSizes) -> PageFrame {
        let mut size = back.size();
        let room = self.card.h / self.scale;
        if let Some(flow) = &back.flow {
            size.1 = flow.page_height(room).min(room).max(size.1);
        }
        let (x, y) = self.corner_behind(size);
        let styles = TextStyles::new(minimums.for_page_scale(self.scale));
        PageFrame { styles, origin: (x / self.scale, y / self.scale), size, foot: 0.0 }
    }
}

/// A log by its name, and the number of its last row.
type LogRows = Vec<(Arc<str>, u32)>;

/// A log with fewer rows is continued even where that takes a further leaf.
const MIN_LOG_ROWS: u32 = 10;

/// Whether a back continues a log that has too few rows so far.
pub fn continues_short_log(back: &PreparedTemplate, log_rows: &LogRows) -> bool {
    back.continued_logs().any(|(_, names)| {
        let last = log_rows.iter().filter(|(name, _)| names.contains(name)).map(|(_, last)| *last).max();
        last.is_some_and(|last| last < MIN_LOG_ROWS)
    })
}

/// Draws a back in its frame, before scaling; `log_rows` are those of the ship's other pages. Notes those of the back, and
/// gives whether it says what the ship does to its enemies.
pub fn draw_back(
    back: &PreparedTemplate,
    ship: &Evaluation,
    frame: PageFrame,
    options: SheetOptions,
    templates: &TemplateCache<'_>,
    unit: Arc<PrintedUnit>,
    log_rows: &mut LogRows,
) -> (Vec<SceneItem>, Vec<Finding>, bool) {
    let view = ShipView::new(ship, options, frame.styles, templates).knowing([&back.texts]);
    let mut shown = ShownParts::after(log_rows.clone());
    let mut pen = SheetPen::for_ship(frame.styles, frame.origin, Rc::new(MarkLabels::new(ship, unit)));
    let frame = above_foot(back, &view, frame);
    let height = frame.size.1;
    draw_art(back, &view, &frame, &mut pen);
    let rest = draw_panels(back, (&view, &mut shown), height, &mut pen);
    draw_slots(back, &view, (2, 2), height, &mut pen);
    let mut findings: Vec<Finding> = pen.missing_characters.finding(ship_name(&view)).into_iter().collect();
    findings.append(&mut pen.findings);
    log_rows.extend_from_slice(&pen.log_rows);
    for (name, continued) in back.continued_logs() {
        let drawn = pen.log_rows.iter().filter(|(log, _)| log == name).map(|(_, last)| *last).max();
        log_rows.extend(drawn.into_iter().flat_map(|last| continued.iter().map(move |name| (Arc::clone(name), last))));
    }
    if !rest.is_empty() {
        let file = &back.template.source.file;
        let message = format!("{}: skipped a part of its back, {file} has no room for it", ship_name(&view));
        findings.push(Finding::warning("back-too-full", message).help("make its panels larger, or show less"));
    }
    let shows_odds = pen.shows_odds;
    (pen.finish(), findings, shows_odds)
}

/// The finding for ships whose pages have no room for that.
pub fn missing_fights(ships: &[&str]) -> Option<Finding> {
    let names = list_names(ships, MAX_NAMED);
    let message = format!("skipped the odds of {names}: no side of their sheets is blank and has room for them");
    let help = "name odds as the only part to have them on pages of their own";
    (!ships.is_empty()).then(|| Finding::info("odds-left-out", message).help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_back_is_behind_its_card_when_the_page_is_turned() {
        let spot = CardSpot { card: Rect::new(8.0, 10.0, 94.0, 105.0), page_width: 210.0, scale: 1.0 };
        assert_eq!(spot.corner_behind((94.0, 105.0)), (108.0, 10.0));
        assert_eq!(spot.corner_behind((90.0, 85.0)), (110.0, 20.0));
        let large = CardSpot { card: Rect::new(8.0, 10.0, 188.0, 170.0), scale: 2.0, ..spot };
        assert_eq!(large.corner_behind((94.0, 85.0)), (14.0, 10.0));
    }
}
