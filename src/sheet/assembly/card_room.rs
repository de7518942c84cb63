//! What uses the room that cards leave free on a page: takes their places and the page, gives places for more of them or
//! for their backs, and lines to write on.

use crate::art::Anchor;
use crate::scene::{Rect, SceneItem};
use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::page_setup::PageSetup;
use crate::sheet::page_setup::card_packing::free_places;
use crate::sheet::page_setup::sheet_options::SheetOptions;

/// The area between the margins of a page with these cards.
fn card_area(cards: &[Rect], page: (f32, f32), page_setup: &PageSetup) -> Option<Rect> {
    let first = cards.first()?;
    let areas = page_setup.printable_areas();
    page_setup.card_area(areas.iter().find(|printable| printable.page == page)?, (first.w, first.h))
}

/// Places for the backs of all cards, each as large as its card, if the page has room for all of them.
pub fn places_for_backs(cards: &[Rect], page: (f32, f32), page_setup: &PageSetup) -> Option<Vec<Rect>> {
    let area = card_area(cards, page, page_setup)?;
    let sizes: Vec<_> = cards.iter().map(|card| (card.w, card.h)).collect();
    free_places(&area, cards, &sizes)
}

/// Places for more of these cards, the largest first, each with the index of the one that it repeats.
pub fn places_for_repeats(cards: &[Rect], page: (f32, f32), page_setup: &PageSetup) -> Vec<(usize, Rect)> {
    let Some(area) = card_area(cards, page, page_setup) else { return Vec::new() };
    let mut order: Vec<usize> = (0..cards.len()).collect();
    order.sort_by(|&a, &b| (cards[b].w * cards[b].h).total_cmp(&(cards[a].w * cards[a].h)).then(a.cmp(&b)));
    let mut taken = cards.to_vec();
    let mut repeats = Vec::new();
    while repeats.len() < MAX_REPEATS {
        let place = |n: &usize| Some((*n, *free_places(&area, &taken, &[(cards[*n].w, cards[*n].h)])?.first()?));
        let Some(repeat) = order.iter().find_map(place) else { break };
        taken.push(repeat.1);
        repeats.push(repeat);
    }
    repeats
}

/// The most cards that are added to a page.
const MAX_REPEATS: usize = 100;
/// The lines are drawn if cards use less than this share of the height.
const MAX_USED: f32 = 0.55;
/// Between cards and the heading, and between lines, mm at normal size.
const GAP: f32 = 8.0;
const LINE: f32 = 8.0;

/// Nothing where the cards use most of the page.
pub fn lines_below_cards(cards: &[Rect], page: (f32, f32), options: &SheetOptions) -> Vec<SceneItem> {
    let mut printable = options.page_setup.printable_areas().into_iter();
    let Some(area) = printable.find(|printable| printable.page == page).map(|printable| printable.area) else {
        return Vec::new();
    };
    let used = cards.iter().map(Rect::bottom).fold(area.y, f32::max);
    if used - area.y > area.h * MAX_USED {
        return Vec::new();
    }
    let mut pen = SheetPen::from_options(options);
    let (title, scale) = (pen.styles.title, pen.styles.minimums.scale);
    let mut y = used + GAP + title.cap_height();
    pen.text("NOTES", title, area.x, y, Anchor::Start);
    y += 1.5;
    pen.rule(area.x, y, area.w, LINE_WIDTH * 1.4, INK);
    y += LINE * scale;
    let count = ((area.bottom() - y) / (LINE * scale)).floor().max(0.0) as u16;
    let line = |n: u16| {
        let y = y + f32::from(n) * LINE * scale;
        [area.x, y, area.right(), y]
    };
    pen.lines((0..=count).map(line), THIN_LINE, RULE_INK);
    pen.items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_room_holds_all_backs_or_more_cards() {
        let (setup, page) = (PageSetup::default(), (210.0, 297.0));
        let half = Rect::new(8.0, 8.0, 194.0, 129.0);
        assert_eq!(places_for_backs(&[half], page, &setup).map(|places| places.len()), Some(1));
        assert_eq!(places_for_backs(&[half, Rect { y: 143.0, ..half }], page, &setup), None);
        let repeats = places_for_repeats(&[half], page, &setup);
        assert_eq!(repeats, [(0, Rect::new(8.0, 143.0, 194.0, 129.0))]);
        let small = Rect::new(8.0, 143.0, 94.0, 62.0);
        assert_eq!(places_for_repeats(&[half, small], page, &setup).len(), 3);
    }

    #[test]
    fn lines_are_below_the_cards_and_within_the_margins() {
        let options = SheetOptions::default();
        let page = (210.0, 297.0);
        let lines = lines_below_cards(&[Rect::new(8.0, 8.0, 94.0, 62.0)], page, &options);
        assert!(!lines.is_empty());
        assert!(lines_below_cards(&[Rect::new(8.0, 8.0, 94.0, 200.0)], page, &options).is_empty());
    }
}
