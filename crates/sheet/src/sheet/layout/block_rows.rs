//! Heights within a block: takes the panels of a block as drawn, with the height that each needs, and the block's height;
//! gives where each height of the drawing goes. What needs more gets more, and the others share the rest as drawn. Pure
//! arithmetic.

use moldloft_base::hash::fnv32;

/// The most halvings of a range.
const HALVINGS: usize = 20;

/// A panel of a block, in mm from the block's top as drawn.
#[derive(Clone, Copy, Debug)]
pub struct BlockNeed {
    pub top: f32,
    pub bottom: f32,
    /// The height it needs, mm.
    pub needed: f32,
}

/// Where the heights of a drawing go, in order.
#[derive(Clone, Debug)]
pub struct BlockRows {
    stops: Vec<(f32, f32)>,
}

/// What is between two edges of panels as drawn.
struct BlockPart {
    bottom: f32,
    /// Whether it is between panels.
    is_gap: bool,
    /// The panels that end at its bottom.
    ends: Vec<BlockNeed>,
}

/// The parts of a drawing of a height, from the top.
fn parts_of(drawn: f32, needs: &[BlockNeed]) -> Vec<BlockPart> {
    let mut edges: Vec<f32> = needs.iter().flat_map(|need| [need.top, need.bottom]).chain([0.0, drawn]).collect();
    edges.iter_mut().for_each(|edge| *edge = edge.clamp(0.0, drawn));
    edges.sort_by(f32::total_cmp);
    edges.dedup();
    let part = |pair: &[f32]| BlockPart {
        bottom: pair[1],
        is_gap: !needs.is_empty() && !needs.iter().any(|need| need.top < pair[1] && need.bottom > pair[0]),
        ends: needs.iter().filter(|need| need.bottom.min(drawn) == pair[1]).copied().collect(),
    };
    edges.windows(2).map(part).collect()
}

impl BlockRows {
    /// A drawing of a height whose every part is this share of what is drawn, or more where a panel needs it; what is
    /// between panels is not less than drawn.
    pub fn at_share(drawn: f32, needs: &[BlockNeed], share: f32) -> Self {
        Self::of_parts(&parts_of(drawn, needs), share)
    }

    fn of_parts(parts: &[BlockPart], share: f32) -> Self {
        let mut rows = Self { stops: Vec::with_capacity(parts.len() + 1) };
        rows.stops.push((0.0, 0.0));
        let mut from = (0.0, 0.0);
        for part in parts {
            let own = if part.is_gap { share.max(1.0) } else { share };
            rows.stops.push((part.bottom, from.1 + (part.bottom - from.0) * own));
            part.ends.iter().for_each(|need| rows.give(need));
            from = rows.stops.last().copied().unwrap_or(from);
        }
        rows
    }

    /// Gives a panel that ends at the last stop what it needs: all that is drawn beside it becomes higher alike.
    fn give(&mut self, need: &BlockNeed) {
        let top = need.top.max(0.0);
        let begin = self.at(top);
        let more = need.needed / (self.height() - begin).max(1e-4);
        if more > 1.0 {
            let within = self.stops.iter_mut().filter(|(from, _)| *from > top);
            within.for_each(|(_, to)| *to = begin + (*to - begin) * more);
        }
    }

    /// A drawing of which as much as possible is drawn larger or smaller alike, in a height, mm; no part is less than a
    /// share of what is drawn, unless the height does not suffice for that.
    pub fn fitting(drawn: f32, needs: &[BlockNeed], least_share: f32, height: f32) -> Self {
        let (mut low, mut high) = (least_share, (height / drawn.max(0.01)).max(least_share));
        let parts = parts_of(drawn, needs);
        for _ in 0..HALVINGS {
            let middle = (low + high) / 2.0;
            if Self::of_parts(&parts, middle).height() <= height { low = middle } else { high = middle }
        }
        let mut rows = Self::of_parts(&parts, low);
        let scale = height / rows.height().max(0.01);
        rows.stops.iter_mut().for_each(|(_, to)| *to *= scale);
        rows
    }

    /// Tells apart rows of one height: 0 for a drawing whose parts keep their proportions.
    pub fn form(&self) -> u32 {
        let share = |&(from, to): &(f32, f32)| to / from.max(1e-4);
        let last = self.stops.last().map_or(1.0, share);
        if self.stops.iter().skip(1).all(|stop| (share(stop) - last).abs() * stop.0 < 0.05) {
            return 0;
        }
        let bytes: Vec<u8> =
            self.stops.iter().flat_map(|(from, to)| [from.to_le_bytes(), to.to_le_bytes()]).flatten().collect();
        fnv32(&bytes)
    }

    pub fn height(&self) -> f32 {
        self.stops.last().map_or(0.0, |(_, to)| *to)
    }

    /// The rows of a part of the drawing from a height on, mm, with this height, as shares of the part before and after.
    pub fn part(&self, top: f32, height: f32) -> Self {
        let (from, to) = (self.at(top), self.at(top + height));
        let before = |y: f32| (y - top) / height.max(1e-4);
        let after = |y: f32| (y - from) / (to - from).max(1e-4);
        let inner = self.stops.iter().filter(|(y, _)| *y > top && *y < top + height);
        let inner = inner.map(|&(y, to)| (before(y), after(to)));
        Self { stops: std::iter::once((0.0, 0.0)).chain(inner).chain([(1.0, 1.0)]).collect() }
    }

    /// Where a height of the drawing is.
    pub fn at(&self, y: f32) -> f32 {
        let after = self.stops.iter().position(|(from, _)| *from >= y).unwrap_or(self.stops.len() - 1).max(1);
        match (self.stops.get(after - 1), self.stops.get(after)) {
            (Some(&(from, low)), Some(&(to, high))) => low + (high - low) * (y - from) / (to - from).max(1e-4),
            _ => y,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEEDS: [BlockNeed; 3] = [
        BlockNeed { top: 0.0, bottom: 20.0, needed: 8.0 },
        BlockNeed { top: 20.0, bottom: 30.0, needed: 18.0 },
        BlockNeed { top: 0.0, bottom: 60.0, needed: 40.0 },
    ];

    #[test]
    fn what_needs_more_than_its_share_gets_it_from_the_others() {
        let rows = BlockRows::fitting(60.0, &NEEDS, 0.5, 48.0);
        assert!((rows.height() - 48.0).abs() < 0.01 && rows.at(30.0) - rows.at(20.0) > 17.9, "{rows:?}");
        assert!((rows.at(20.0) / 20.0 - (rows.at(60.0) - rows.at(30.0)) / 30.0).abs() < 0.01, "{rows:?}");
    }

    #[test]
    fn with_room_for_all_everything_keeps_its_proportions() {
        let rows = BlockRows::fitting(60.0, &NEEDS, 0.5, 120.0);
        assert!([0.0, 10.0, 20.0, 25.0, 60.0].iter().all(|y| (rows.at(*y) - 2.0 * y).abs() < 0.01), "{rows:?}");
    }

    #[test]
    fn the_least_height_is_that_of_the_longest_column() {
        assert!((BlockRows::at_share(60.0, &NEEDS, 0.5).height() - 43.0).abs() < 0.01);
    }

    #[test]
    fn what_is_between_panels_is_as_drawn_where_panels_are_lower() {
        let rows =
            BlockRows::fitting(60.0, &[NEEDS[0], BlockNeed { top: 25.0, bottom: 60.0, needed: 10.0 }], 0.5, 40.0);
        assert!((rows.at(25.0) - rows.at(20.0) - 5.0).abs() < 0.01 && rows.at(20.0) < 14.0, "{rows:?}");
        assert!(rows.form() != 0 && BlockRows::at_share(60.0, &NEEDS, 3.0).form() == 0);
    }
}
