//! Packs cards several to a page: takes their sizes in order, gives each a page and a position at its true size. Cards
//! are side by side in strips, strips below each other; the paper is turned the way that needs fewer pages. Never
//! draws.

use std::collections::HashMap;

use crate::sheet::page_setup::{PageSetup, PrintableArea};
use moldloft_drawing::scene::Rect;

/// Preferred and least gap between cards for the marks at their corners, mm.
const GAP: f32 = 6.0;
const MIN_GAP: f32 = 3.0;
/// A lower card may go in a strip if it has at least this share of the strip's height.
const MIN_STRIP_SHARE: f32 = 0.75;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardPosition {
    /// Index among the pages of cards.
    pub page: usize,
    /// Upper left corner.
    pub corner: (f32, f32),
}

#[derive(Default)]
pub struct PackedCards {
    /// One per card; `None` if no page has room for it.
    pub positions: Vec<Option<CardPosition>>,
    /// Width and height of each page, mm.
    pub pages: Vec<(f32, f32)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PaperOrientation {
    Upright,
    Turned,
    /// For each page, the orientation that holds more of its first card.
    BestPerPage,
}

/// Uses as few pages as the orientations allow; upright if both need as many.
pub fn pack_cards(cards: &[(f32, f32)], page_setup: &PageSetup) -> PackedCards {
    let printable_areas = page_setup.printable_areas();
    let mut best = None;
    for way in [PaperOrientation::Upright, PaperOrientation::Turned, PaperOrientation::BestPerPage] {
        let pages = place_cards(cards, page_setup, &printable_areas, way);
        let lost = pages.positions.iter().filter(|position| position.is_none()).count();
        let cost = (lost, pages.pages.len());
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, pages));
        }
    }
    best.map_or_else(PackedCards::default, |(_, pages)| pages.into_packed())
}

/// How many cards of a size fit along a length, and the gap between them.
fn count_and_gap_along(size: f32, room: f32) -> (usize, f32) {
    let count = ((room + 0.05 + MIN_GAP) / (size + MIN_GAP)).floor().max(1.0);
    let gap = if count > 1.0 { ((room - count * size) / (count - 1.0)).clamp(0.0, GAP) } else { 0.0 };
    (count as usize, gap)
}

fn count_in_area(size: (f32, f32), room: &Rect) -> usize {
    count_and_gap_along(size.0, room.w).0 * count_and_gap_along(size.1, room.h).0
}

struct CardStrip {
    height: f32,
    gap: f32,
    /// The width it would take up if full of cards like its first.
    full: f32,
    /// The width already used.
    width: f32,
    first: (f32, f32),
}

struct CardPage {
    page: (f32, f32),
    area: Rect,
    strips: Vec<CardStrip>,
    height: f32,
}

struct CardPages {
    /// Page, strip, distance from the strip's left.
    positions: Vec<Option<(usize, usize, f32)>>,
    pages: Vec<CardPage>,
}

fn place_cards(
    cards: &[(f32, f32)],
    page_setup: &PageSetup,
    printable_areas: &[PrintableArea; 2],
    way: PaperOrientation,
) -> CardPages {
    let mut pages = CardPages { positions: Vec::with_capacity(cards.len()), pages: Vec::new() };
    // Pages only fill up: one without room for a size never gets any later.
    let mut from: HashMap<(u32, u32), usize> = HashMap::new();
    for &size in cards {
        let room = |printable: &PrintableArea| page_setup.card_area(printable, size);
        let rooms = [room(&printable_areas[0]), room(&printable_areas[1])];
        let from = from.entry((size.0.to_bits(), size.1.to_bits())).or_default();
        let mut found = None;
        while let Some(page) = pages.pages.get_mut(*from) {
            let own = printable_areas
                .iter()
                .zip(&rooms)
                .find(|(printable, _)| printable.page == page.page)
                .and_then(|(_, room)| *room);
            // A card with margins of its own and one without do not share a page.
            if own == Some(page.area)
                && let Some((strip, x)) = page.place_card(size)
            {
                found = Some((*from, strip, x));
                break;
            }
            *from += 1;
        }
        if found.is_none() {
            let chosen = match (way, &rooms) {
                (_, [Some(_), None]) | (PaperOrientation::Upright, [Some(_), _]) => Some(0),
                (_, [None, Some(_)]) | (PaperOrientation::Turned, [_, Some(_)]) => Some(1),
                (PaperOrientation::BestPerPage, [Some(upright), Some(turned)]) => {
                    Some(usize::from(count_in_area(size, turned) > count_in_area(size, upright)))
                }
                (_, [None, None]) => None,
            };
            if let Some((printable, area)) = chosen.and_then(|way| Some((&printable_areas[way], rooms[way]?))) {
                let mut page = CardPage { page: printable.page, area, strips: Vec::new(), height: 0.0 };
                found = page.place_card(size).map(|(strip, x)| (pages.pages.len(), strip, x));
                pages.pages.push(page);
            }
        }
        pages.positions.push(found);
    }
    pages
}

impl CardPage {
    /// Finds a position for a card: its strip, and the distance from the strip's left.
    fn place_card(&mut self, size: (f32, f32)) -> Option<(usize, f32)> {
        let area = self.area;
        for (n, strip) in self.strips.iter_mut().enumerate() {
            let x = strip.width + strip.gap.max(MIN_GAP);
            if size.1 <= strip.height + 0.01 && size.1 >= strip.height * MIN_STRIP_SHARE && x + size.0 <= area.w + 0.05
            {
                strip.width = x + size.0;
                return Some((n, x));
            }
        }
        let between = if self.strips.is_empty() { 0.0 } else { MIN_GAP };
        if !self.strips.is_empty() && self.height + between + size.1 > area.h + 0.05 {
            return None;
        }
        let (count, gap) = count_and_gap_along(size.0, area.w);
        let full = count as f32 * (size.0 + gap) - gap;
        self.strips.push(CardStrip { height: size.1, gap, full, width: size.0, first: size });
        self.height += between + size.1;
        Some((self.strips.len() - 1, 0.0))
    }

    /// The upper and left edge of each strip: from the top down, on every page. Pages of cards of one size are placed as if they
    /// were full, so that the sheets of a job can be stacked and cut together.
    fn strip_corners(&self) -> Vec<(f32, f32)> {
        let alike = self.strips.windows(2).all(|pair| pair[0].first == pair[1].first);
        let gap = match self.strips.first() {
            Some(strip) if alike => count_and_gap_along(strip.height, self.area.h).1,
            _ => {
                let heights: f32 = self.strips.iter().map(|strip| strip.height).sum();
                let between = (self.strips.len().max(2) - 1) as f32;
                ((self.area.h - heights) / between).clamp(0.0, GAP)
            }
        };
        // What has margins of its own is in the middle of its page.
        let is_whole = self.area.h >= self.page.1;
        let mut y = self.area.y + if is_whole { (self.area.h - self.height).max(0.0) / 2.0 } else { 0.0 };
        let corner = |strip: &CardStrip| {
            let at = (self.area.x + (self.area.w - strip.full.max(strip.width)).max(0.0) / 2.0, y);
            y += strip.height + gap;
            at
        };
        self.strips.iter().map(corner).collect()
    }
}

impl CardPages {
    fn into_packed(self) -> PackedCards {
        let corners: Vec<_> = self.pages.iter().map(CardPage::strip_corners).collect();
        let settled = |position: &Option<(usize, usize, f32)>| {
            let (page, strip, across) = (*position)?;
            let (x, y) = corners[page][strip];
            Some(CardPosition { page, corner: (x + across, y) })
        };
        PackedCards {
            positions: self.positions.iter().map(settled).collect(),
            pages: self.pages.iter().map(|open| open.page).collect(),
        }
    }
}

/// Places for more cards in the free room of an area, in order; `None` unless all of them have room.
pub fn free_places(area: &Rect, taken: &[Rect], sizes: &[(f32, f32)]) -> Option<Vec<Rect>> {
    let mut taken = taken.to_vec();
    let mut places = Vec::with_capacity(sizes.len());
    for size in sizes {
        let place = free_place(area, &taken, *size)?;
        taken.push(place);
        places.push(place);
    }
    Some(places)
}

/// The uppermost place beside or below others: of those of one height at the left, the margin last, so that cards are
/// under one another.
fn free_place(area: &Rect, taken: &[Rect], (w, h): (f32, f32)) -> Option<Rect> {
    let corners = |gap: f32| {
        taken.iter().flat_map(move |card| {
            let below = card.bottom() + gap;
            [(0, card.right() + gap, card.y), (0, card.x, below), (1, area.x, below)]
        })
    };
    let is_free = |place: &Rect| {
        let around = place.inset(0.05 - MIN_GAP);
        place.right() <= area.right() + 0.05
            && place.bottom() <= area.bottom() + 0.05
            && taken.iter().all(|card| !card.overlaps(&around, 0.0))
    };
    let first = |gap: f32| {
        let places = corners(gap).map(|(rank, x, y)| (rank, Rect::new(x, y, w, h))).filter(|(_, place)| is_free(place));
        let first = places.min_by(|(m, a), (n, b)| a.y.total_cmp(&b.y).then(m.cmp(n)).then(a.x.total_cmp(&b.x)));
        first.map(|(_, place)| place)
    };
    first(GAP).or_else(|| first(MIN_GAP))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sheet::{Margins, Paper};

    fn pages(packed: &PackedCards) -> Vec<usize> {
        packed.positions.iter().map(|position| position.expect("it has room").page).collect()
    }

    #[test]
    fn further_cards_are_under_those_above_rather_than_at_the_margin() {
        let area = Rect::new(8.0, 8.0, 132.0, 194.0);
        let card = Rect::new(27.0, 10.0, 94.0, 58.0);
        let places = free_places(&area, &[card], &[(94.0, 58.0), (94.0, 58.0)]).expect("both have room");
        assert!(places.iter().all(|place| place.x == card.x), "{places:?}");
        // One too wide for the place under the card begins at the margin.
        let wide = free_places(&area, &[card], &[(130.0, 58.0)]).expect("it has room");
        assert_eq!(wide[0].x, area.x);
    }

    #[test]
    fn cards_of_two_sizes_share_a_page() {
        let (half, quarter) = ((194.0, 129.0), (94.0, 82.0));
        let packed = pack_cards(&[half, quarter, quarter, quarter, half, quarter], &PageSetup::default());
        assert_eq!(pages(&packed), [0, 0, 0, 1, 1, 1]);
        assert_eq!(packed.positions[2].unwrap().corner.0, 8.0 + 94.0 + 6.0);
        assert_eq!(packed.pages, [(210.0, 297.0); 2]);
    }

    #[test]
    fn cards_begin_at_the_same_height_on_every_page() {
        let (half, quarter) = ((194.0, 129.0), (94.0, 82.0));
        let packed = pack_cards(&[half, quarter, quarter, half, half, half], &PageSetup::default());
        assert_eq!(pages(&packed), [0, 0, 0, 1, 1, 2]);
        let top = |n: usize| packed.positions[n].unwrap().corner.1;
        assert_eq!([top(0), top(3), top(5)], [8.0; 3]);
    }

    /// How many cards of a size fit on one page.
    fn on_a_page(size: (f32, f32), paper: &str) -> (usize, (f32, f32)) {
        let packed = pack_cards(&[size; 60], &PageSetup::from(paper.parse::<Paper>().unwrap()));
        let first = pages(&packed).into_iter().filter(|page| *page == 0).count();
        (first, packed.pages[0])
    }

    #[test]
    fn free_room_beside_and_below_cards_is_found() {
        let area = Rect::new(8.0, 8.0, 194.0, 281.0);
        let card = Rect::new(8.0, 8.0, 94.0, 105.0);
        let beside = free_places(&area, &[card], &[(94.0, 105.0)]).unwrap();
        assert_eq!(beside, [Rect::new(108.0, 8.0, 94.0, 105.0)]);
        let half = Rect::new(8.0, 8.0, 194.0, 129.0);
        let below = free_places(&area, &[half], &[(194.0, 129.0)]).unwrap();
        assert_eq!(below, [Rect::new(8.0, 143.0, 194.0, 129.0)]);
        assert!(free_places(&area, &[half], &[(194.0, 129.0); 2]).is_none());
        let three = [card, Rect::new(108.0, 8.0, 94.0, 105.0), Rect::new(8.0, 119.0, 94.0, 105.0)];
        assert_eq!(free_places(&area, &three, &[(94.0, 105.0)]).unwrap()[0].x, 108.0);
    }

    #[test]
    fn larger_paper_is_used_and_turned_where_that_holds_more() {
        let (half, pod) = ((194.0, 129.0), (94.0, 62.0));
        let turned = |paper: &str| paper.parse::<Paper>().map(|paper| (paper.size().1, paper.size().0)).unwrap();
        assert_eq!(on_a_page(half, "a4"), (2, (210.0, 297.0)));
        assert_eq!(on_a_page(half, "letter").0, 2);
        assert_eq!(on_a_page(half, "a3"), (4, turned("a3")));
        assert_eq!(on_a_page(half, "tabloid"), (4, turned("tabloid")));
        assert_eq!(on_a_page(half, "a5"), (1, turned("a5")));
        assert_eq!(on_a_page(pod, "a4"), (8, (210.0, 297.0)));
        assert_eq!(on_a_page(pod, "letter").0, 8);
        assert_eq!(on_a_page(pod, "a5"), (4, turned("a5")));
        assert_eq!(on_a_page(pod, "legal").0, 10);
        assert_eq!(on_a_page(pod, "a3"), (16, turned("a3")));
        let small = pack_cards(&[half, pod], &PageSetup::from("100x150mm".parse::<Paper>().unwrap()));
        assert!(small.positions[0].is_none() && small.positions[1].is_some());
    }

    proptest! {
        #[test]
        fn no_card_stands_over_another_or_in_the_margins(
            sizes in prop::collection::vec((20.0f32..205.0, 20.0f32..270.0), 1..5),
            picks in prop::collection::vec(0usize..5, 1..60),
            paper in (90.0f32..450.0, 90.0f32..450.0), margins in prop::array::uniform4(0.0f32..20.0), usual: bool,
        ) {
            let [top, right, bottom, left] = margins;
            let margins = Margins { top, right, bottom, left };
            let page_setup = PageSetup { margins: (!usual).then_some(margins), ..Paper::from_mm(paper.0, paper.1).unwrap().into() };
            let cards: Vec<_> = picks.iter().map(|pick| sizes[pick % sizes.len()]).collect();
            let packed = pack_cards(&cards, &page_setup);
            let printable_areas = page_setup.printable_areas();
            for (n, (position, &(w, h))) in packed.positions.iter().zip(&cards).enumerate() {
                let Some(position) = position else {
                    // Only what no page could hold alone is left out.
                    prop_assert!(printable_areas.iter().all(|printable| page_setup.card_area(printable, (w, h)).is_none()));
                    continue;
                };
                let printable = printable_areas.iter().find(|printable| printable.page == packed.pages[position.page]).expect("one of the two");
                let room = page_setup.card_area(printable, (w, h)).expect("it has room");
                let (x, y) = position.corner;
                prop_assert!(x >= room.x - 0.01 && y >= room.y - 0.01, "{:?} {:?}", position, room);
                prop_assert!(x + w <= room.right() + 0.06 && y + h <= room.bottom() + 0.06, "{:?} {:?} {:?}", position, room, (w, h));
                for (other, &(ow, oh)) in packed.positions[..n].iter().zip(&cards) {
                    let Some(other) = other.filter(|other| other.page == position.page) else { continue };
                    let (u, v) = other.corner;
                    let clear = MIN_GAP - 0.06;
                    prop_assert!(x + w + clear <= u || u + ow + clear <= x || y + h + clear <= v || v + oh + clear <= y);
                }
            }
            // Cards of one size fill every page but the last as full as the better orientation allows.
            let alike = pack_cards(&vec![sizes[0]; 40], &page_setup);
            let most = printable_areas.iter().filter_map(|printable| Some(count_in_area(sizes[0], &page_setup.card_area(printable, sizes[0])?))).max();
            prop_assert_eq!(alike.pages.len(), most.map_or(0, |most| 40usize.div_ceil(most)));
        }
    }
}
