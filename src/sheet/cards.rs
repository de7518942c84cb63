//! Cards, several to a page: takes their sizes one after another, gives each a page and a place on it. Cards of one size stand side by side
//! in strips, strips of any height one under another; a full page stands alone. Never draws.

use super::options::SHARED;

/// Between cards, mm.
const GAP: f32 = 6.0;
/// No card comes nearer to the edge of the shared area, mm.
const MARGIN: f32 = 8.0;

/// How cards of one size stand on a page that they have to themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    size: (f32, f32),
    columns: usize,
    rows: usize,
    gap: (f32, f32),
    /// As wide as the page: it has its own margins and is cut along its edge.
    bleed: bool,
}

impl Layout {
    /// That of a card of so many mm.
    pub fn new((width, height): (f32, f32)) -> Self {
        let along = |size: f32, room: f32| ((room - 2.0 * MARGIN + GAP) / (size + GAP)).floor().max(0.0) as usize;
        let bleed = width > SHARED.0 - 2.0 * MARGIN - 0.1;
        let columns = if bleed { 1 } else { along(width, SHARED.0).max(1) };
        let (rows, gap) = if bleed {
            let rows = ((SHARED.1 + 0.5) / height).floor().max(1.0);
            (rows as usize, ((SHARED.1 - rows * height) / (rows + 1.0)).clamp(0.0, GAP))
        } else {
            (along(height, SHARED.1).max(1), GAP)
        };
        Self { size: (width, height), columns, rows, gap: (if bleed { 0.0 } else { GAP }, gap), bleed }
    }

    /// Whether another card can share its page.
    fn shares(&self) -> bool {
        self.columns * self.rows > 1 || self.size.0 * self.size.1 < SHARED.0 * SHARED.1 * 0.6
    }

    fn width(&self) -> f32 {
        self.columns as f32 * (self.size.0 + self.gap.0) - self.gap.0
    }
}

/// Cards of one size side by side.
struct Strip {
    layout: Layout,
    filled: usize,
}

/// A page opened for first pages.
#[derive(Default)]
pub struct Open {
    strips: Vec<Strip>,
}

impl Open {
    /// Several templates stand on it, or one that is much smaller than the paper.
    pub fn is_cards(&self) -> bool {
        self.strips.iter().all(|strip| strip.layout.shares())
    }

    /// Whether all its cards are of one size.
    fn alike(&self) -> bool {
        self.strips.windows(2).all(|pair| pair[0].layout == pair[1].layout)
    }

    fn gap(&self) -> f32 {
        match self.strips.first() {
            Some(first) if self.alike() => first.layout.gap.1,
            _ => GAP,
        }
    }

    /// Whether a strip of such cards still fits below the others.
    fn has_room(&self, layout: &Layout) -> bool {
        if self.strips.iter().all(|strip| strip.layout == *layout) {
            return self.strips.len() < layout.rows;
        }
        let heights: f32 = self.strips.iter().map(|strip| strip.layout.size.1 + GAP).sum();
        let room = if layout.bleed { self.room() } else { SHARED.1 - 2.0 * MARGIN };
        heights + layout.size.1 <= room + 0.01
    }

    /// The height that strips of several sizes share.
    fn room(&self) -> f32 {
        let bleed = self.strips.iter().all(|strip| strip.layout.bleed);
        if bleed { SHARED.1 } else { SHARED.1 - 2.0 * MARGIN }
    }

    /// The upper left corner of a card on paper of so many mm.
    pub fn origin(&self, (strip, column): (usize, usize), paper: (f32, f32)) -> (f32, f32) {
        let layout = &self.strips[strip].layout;
        // They stand as if the page were full: from the top, and so that single sheets of a job lie on one another.
        let used =
            if self.alike() { layout.rows as f32 * (layout.size.1 + layout.gap.1) - layout.gap.1 } else { self.room() };
        let above: f32 = self.strips[..strip].iter().map(|strip| strip.layout.size.1 + self.gap()).sum();
        let left = (paper.0 - layout.width()) / 2.0;
        (left + column as f32 * (layout.size.0 + layout.gap.0), (paper.1 - used) / 2.0 + above)
    }
}

/// Gives a card its page and its place there: the first with room, or a new page. An own page for what shares none.
pub fn seat(pages: &mut Vec<Open>, layout: Layout) -> (usize, (usize, usize)) {
    if layout.shares() {
        for (n, page) in pages.iter_mut().enumerate().filter(|(_, page)| page.is_cards()) {
            let free = page.strips.iter().position(|strip| strip.layout == layout && strip.filled < layout.columns);
            if let Some(strip) = free {
                page.strips[strip].filled += 1;
                return (n, (strip, page.strips[strip].filled - 1));
            }
            if page.has_room(&layout) {
                page.strips.push(Strip { layout, filled: 1 });
                return (n, (page.strips.len() - 1, 0));
            }
        }
    }
    pages.push(Open { strips: vec![Strip { layout, filled: 1 }] });
    (pages.len() - 1, (0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const A4: (f32, f32) = (210.0, 297.0);

    #[test]
    fn cards_of_two_sizes_share_a_page() {
        let mut pages = Vec::new();
        let (half, quarter) = (Layout::new((194.0, 129.0)), Layout::new((94.0, 82.0)));
        let seats: Vec<usize> =
            [half, quarter, quarter, quarter, half, quarter].map(|layout| seat(&mut pages, layout).0).into();
        assert_eq!(seats, [0, 0, 0, 1, 1, 1]);
        assert_eq!(pages[0].origin((1, 1), A4).0, 8.0 + 94.0 + 6.0);
    }

    #[test]
    fn a_full_page_stands_alone() {
        let mut pages = Vec::new();
        let (full, card) = (Layout::new((194.0, 263.0)), Layout::new((94.0, 60.0)));
        let seats: Vec<usize> = [full, card, full, card].map(|layout| seat(&mut pages, layout).0).into();
        assert_eq!(seats, [0, 1, 2, 1]);
        assert!(!pages[0].is_cards() && pages[1].is_cards());
    }

    proptest! {
        #[test]
        fn no_card_stands_over_another_or_off_the_paper(
            sizes in prop::collection::vec((40.0f32..205.0, 30.0f32..270.0), 1..4),
            picks in prop::collection::vec(0usize..4, 1..40),
        ) {
            let mut pages = Vec::new();
            let cards: Vec<_> = picks.iter().map(|pick| sizes[pick % sizes.len()]).collect();
            let seats: Vec<_> = cards.iter().map(|size| seat(&mut pages, Layout::new(*size))).collect();
            let places: Vec<_> = seats.iter().map(|(page, at)| (*page, pages[*page].origin(*at, A4))).collect();
            for (n, ((page, (x, y)), (w, h))) in places.iter().zip(&cards).enumerate() {
                prop_assert!(*x >= 0.0 && *y >= 0.0 && x + w <= A4.0 + 0.01 && y + h <= A4.1 + 0.01);
                for ((other, (u, v)), (ow, oh)) in places[..n].iter().zip(&cards) {
                    prop_assert!(page != other || x + w <= u + 0.01 || u + ow <= x + 0.01 || y + h <= v + 0.01 || v + oh <= y + 0.01);
                }
            }
        }
    }
}
