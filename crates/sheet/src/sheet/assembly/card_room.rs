//! What uses the room that cards leave free on a page: takes their places and the page, gives places for more of them or
//! for their backs, and lines to write on.

use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::page_setup::PageSetup;
use crate::sheet::page_setup::card_packing::free_places;
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Rect, SceneItem};

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
/// The lines are below cards that use less than this share of the height, else beside them where there is this width, mm.
const MAX_USED: f32 = 0.55;
const MIN_BESIDE: f32 = 28.0;
/// Between cards and the heading, and between lines, mm at normal size.
const GAP: f32 = 8.0;
const LINE: f32 = 8.0;

/// How far the cards of a page move to the left, mm, so that there is room for notes beside them: 0 if there is room below
/// them, or none.
pub fn shift_for_notes(cards: &[Rect], page: (f32, f32), options: &SheetOptions) -> f32 {
    let Some(area) = printable_area(page, options) else { return 0.0 };
    let left = cards.iter().map(|card| card.x).fold(f32::MAX, f32::min);
    let right = cards.iter().map(Rect::right).fold(0.0, f32::max);
    let bottom = cards.iter().map(Rect::bottom).fold(area.y, f32::max);
    let is_high = bottom - area.y > area.h * MAX_USED;
    let room = area.w - (right - left) - GAP;
    if is_high && room >= MIN_BESIDE { (left - area.x).max(0.0) } else { 0.0 }
}

/// Lines for notes below the cards of a page, or at their right; nothing where they use most of the page.
pub fn note_lines(title: &str, cards: &[Rect], page: (f32, f32), options: &SheetOptions) -> Vec<SceneItem> {
    let Some(area) = printable_area(page, options) else { return Vec::new() };
    let bottom = cards.iter().map(Rect::bottom).fold(area.y, f32::max);
    let right = cards.iter().map(Rect::right).fold(area.x, f32::max) + GAP;
    let room = if bottom - area.y <= area.h * MAX_USED {
        Rect::new(area.x, bottom + GAP, area.w, area.bottom() - bottom - GAP)
    } else if area.right() - right >= MIN_BESIDE {
        let top = cards.iter().map(|card| card.y).fold(area.bottom(), f32::min);
        Rect::new(right, top, area.right() - right, bottom - top)
    } else {
        return Vec::new();
    };
    let mut pen = SheetPen::from_options(options);
    let (style, scale) = (pen.styles.title, pen.styles.minimums.scale);
    let mut y = room.y + style.cap_height();
    pen.text(title, style, room.x, y, Anchor::Start);
    y += 1.5;
    pen.rule(room.x, y, room.w, LINE_WIDTH * 1.4, INK);
    y += LINE * scale;
    let count = ((room.bottom() - y) / (LINE * scale)).floor().max(0.0) as u16;
    let line = |n: u16| {
        let y = y + f32::from(n) * LINE * scale;
        [room.x, y, room.right(), y]
    };
    pen.lines((0..=count).map(line), THIN_LINE, RULE_INK);
    pen.items
}

fn printable_area(page: (f32, f32), options: &SheetOptions) -> Option<Rect> {
    let mut printable = options.page_setup.printable_areas().into_iter();
    printable.find(|printable| printable.page == page).map(|printable| printable.area)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::page_setup::paper::Paper;
    use moldloft_drawing::scene::Shape;

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
        let lines = note_lines("NOTES", &[Rect::new(8.0, 8.0, 94.0, 62.0)], page, &options);
        assert!(!lines.is_empty());
        let wide = [Rect::new(8.0, 8.0, 180.0, 200.0)];
        assert!(note_lines("NOTES", &wide, page, &options).is_empty() && shift_for_notes(&wide, page, &options) == 0.0);
    }

    #[test]
    fn lines_are_beside_high_cards_that_move_to_the_left_for_them() {
        let options = SheetOptions { page_setup: Paper::A5.into(), ..SheetOptions::default() };
        let (area, page) = (options.page_setup.printable_areas()[0].area, options.page_setup.printable_areas()[0].page);
        let middle = Rect::new(area.x + (area.w - 94.0) / 2.0, area.y, 94.0, 150.0);
        let shift = shift_for_notes(&[middle], page, &options);
        assert!((middle.x - shift - area.x).abs() < 0.01, "{shift}");
        let moved = Rect { x: middle.x - shift, ..middle };
        for item in note_lines("NOTES", &[moved], page, &options) {
            let bounds = match &item.shape {
                Shape::Text(text) => Rect::new(text.x, text.y, text.width(), 0.0),
                Shape::Path(path, _) => path.bounds().expect("lines"),
                _ => continue,
            };
            assert!(bounds.x > moved.right() + GAP - 0.5 && bounds.right() <= area.right() + 0.5, "{bounds:?}");
        }
        // Low cards have them below, where they are.
        assert_eq!(shift_for_notes(&[Rect { h: 60.0, ..middle }], page, &options), 0.0);
    }
}
