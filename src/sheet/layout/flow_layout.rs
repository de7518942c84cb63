//! A page's flow: takes a tree of rows and columns whose leaves are contents, and a rectangle; gives each content its
//! rectangle and draws it. What does not fit goes to a further page: first the optional contents are left out, then
//! whole contents move in the order that the template gives, and only then is the longest one continued.

use std::cell::Cell;

use super::flowable::{Flowable, SizeHint, allot_heights, column_positions};
use super::pen::SheetPen;
use super::text_style::TextStyles;
use crate::scene::Rect;

/// Tolerance of heights, mm.
const TOLERANCE: f32 = 0.02;
/// Room that nothing can use widens the gaps between rows, up to this factor.
const MAX_GAP_FACTOR: f32 = 2.0;
/// From a kilometre to a hundredth of a millimetre takes 27.
const MAX_BISECTIONS: usize = 32;

/// How a part of a flow behaves when there is too much or too little room.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlowOptions {
    /// Least height, mm, if the content needs less.
    pub least: Option<f32>,
    /// Greatest height, mm, if the content could use more.
    pub most: Option<f32>,
    /// The lower, the earlier it moves whole to a further page; `None`: it stays, and is continued if need be.
    pub move_order: Option<u32>,
    /// Left out where there is no room: a log, lines for notes.
    pub is_optional: bool,
    /// Drawn on this page only: what has no room on it is on no further page either.
    pub is_confined: bool,
}

/// A part of a page's flow.
#[derive(Debug)]
pub enum FlowPart {
    /// One under another.
    Rows {
        gap: f32,
        parts: Vec<Self>,
    },
    /// Side by side, each with its share of the width.
    Columns {
        gap: f32,
        parts: Vec<(f32, Self)>,
    },
    /// In reading order over some columns of one width, as even as possible.
    Balanced {
        gap: f32,
        columns: usize,
        parts: Vec<Self>,
    },
    Content(FlowContent),
}

/// A content and its behaviour.
#[derive(Debug)]
pub struct FlowContent {
    pub content: Box<dyn Flowable>,
    pub options: FlowOptions,
    measured: Cell<Option<(f32, SizeHint)>>,
}

impl FlowContent {
    pub fn new(content: Box<dyn Flowable>, options: FlowOptions) -> Self {
        Self { content, options, measured: Cell::new(None) }
    }

    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        if let Some((known, hint)) = self.measured.get()
            && (known - width).abs() < 1e-4
        {
            return hint;
        }
        let mut hint = self.content.measure(width, styles);
        if let Some(least) = self.options.least {
            hint.min_start = hint.min_start.max(least);
            hint.min = hint.min.max(least);
        }
        if let Some(most) = self.options.most {
            hint.max = hint.max.min(most.max(hint.min));
        }
        hint.natural = hint.natural.max(hint.min).min(hint.max.max(hint.min));
        hint.max = hint.max.max(hint.natural);
        self.measured.set(Some((width, hint)));
        hint
    }
}

impl FlowPart {
    /// Draws what fits into the rectangle; returns rests of contents, in reading order, then those that moved whole, in
    /// the order of their numbers.
    pub fn draw(mut self, rect: Rect, pen: &mut SheetPen) -> Vec<Box<dyn Flowable>> {
        let styles = pen.styles;
        let mut moved = Vec::new();
        while self.measure(rect.w, &styles).min > rect.h + TOLERANCE {
            let Some(leaving) = self.next_to_leave(rect.w, rect.h, &styles) else { break };
            self.take(leaving, &mut moved);
        }
        moved.sort_by_key(|(order, _)| *order);
        let mut rest = Vec::new();
        self.draw_within(rect, true, pen, &mut rest);
        rest.extend(moved.into_iter().map(|(_, content)| content));
        rest
    }

    /// The heights wanted at a width, mm.
    pub fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        match self {
            Self::Content(content) => content.measure(width, styles),
            Self::Rows { gap, parts } => SizeHint::stacked(parts.iter().map(|part| part.measure(width, styles)), *gap),
            Self::Columns { gap, parts } => {
                let widths = flow_columns(parts, *gap, width);
                SizeHint::side_by_side(
                    parts.iter().zip(widths).map(|((_, part), (_, width))| part.measure(width, styles)),
                )
            }
            Self::Balanced { gap, columns, parts } => {
                let width = even_width(width, *gap, *columns);
                let hints: Vec<_> = parts.iter().map(|part| part.measure(width, styles)).collect();
                let columns = balance(&hints, *gap, *columns);
                let mut hints = hints.into_iter();
                SizeHint::side_by_side(
                    columns.into_iter().map(|count| SizeHint::stacked(hints.by_ref().take(count), *gap)),
                )
            }
        }
    }

    fn draw_within(self, rect: Rect, spreads: bool, pen: &mut SheetPen, rest: &mut Vec<Box<dyn Flowable>>) {
        match self {
            Self::Content(content) => {
                let left = if rect.h > 0.0 { content.content.draw(rect, pen) } else { Some(content.content) };
                rest.extend(left.filter(|_| !content.options.is_confined));
            }
            Self::Rows { gap, parts } => draw_rows(parts, gap, rect, spreads, pen, rest),
            Self::Columns { gap, parts } => {
                let widths = flow_columns(&parts, gap, rect.w);
                for ((_, part), (x, width)) in parts.into_iter().zip(widths) {
                    part.draw_within(Rect::new(rect.x + x, rect.y, width, rect.h), spreads, pen, rest);
                }
            }
            Self::Balanced { gap, columns, parts } => {
                let width = even_width(rect.w, gap, columns);
                let hints: Vec<_> = parts.iter().map(|part| part.measure(width, &pen.styles)).collect();
                let mut parts = parts.into_iter();
                for (n, count) in balance(&hints, gap, columns).into_iter().enumerate() {
                    let x = rect.x + n as f32 * (width + gap);
                    let column = parts.by_ref().take(count).collect();
                    draw_rows(column, gap, Rect::new(x, rect.y, width, rect.h), spreads, pen, rest);
                }
            }
        }
    }

    /// What leaves the page next: optional contents before those that move, and of these the lowest number, if the part
    /// that is too high contains it.
    fn next_to_leave(&self, width: f32, height: f32, styles: &TextStyles) -> Option<Leaving> {
        let mut all = Vec::new();
        self.collect_leaving(&mut all);
        all.sort_unstable();
        all.dedup();
        all.into_iter().find(|leaving| self.is_relieved(*leaving, width, height, styles))
    }

    fn collect_leaving(&self, all: &mut Vec<Leaving>) {
        match self {
            Self::Content(content) => all.extend(Leaving::of(&content.options)),
            Self::Rows { parts, .. } | Self::Balanced { parts, .. } => {
                parts.iter().for_each(|part| part.collect_leaving(all));
            }
            Self::Columns { parts, .. } => parts.iter().for_each(|(_, part)| part.collect_leaving(all)),
        }
    }

    /// Whether a part that is too high for its room gets lower without this.
    fn is_relieved(&self, leaving: Leaving, width: f32, height: f32, styles: &TextStyles) -> bool {
        let too_high = |part: &Self, width: f32, height: f32| part.measure(width, styles).min > height + TOLERANCE;
        match self {
            Self::Content(content) => Leaving::of(&content.options) == Some(leaving),
            Self::Rows { gap, parts } => {
                let heights: Vec<f32> = parts.iter().map(|part| part.measure(width, styles).min).collect();
                let all = heights.iter().sum::<f32>() + gap * parts.len().saturating_sub(1) as f32;
                all > height + TOLERANCE
                    && parts
                        .iter()
                        .zip(heights)
                        .any(|(part, own)| part.is_relieved(leaving, width, height - (all - own), styles))
            }
            Self::Columns { gap, parts } => {
                let widths = flow_columns(parts, *gap, width);
                parts.iter().zip(widths).any(|((_, part), (_, width))| {
                    too_high(part, width, height) && part.is_relieved(leaving, width, height, styles)
                })
            }
            Self::Balanced { gap, columns, parts } => {
                let own = even_width(width, *gap, *columns);
                too_high(self, width, height) && parts.iter().any(|part| part.is_relieved(leaving, own, 0.0, styles))
            }
        }
    }

    /// Takes out what leaves, and containers that are then empty.
    fn take(&mut self, leaving: Leaving, moved: &mut Vec<(u32, Box<dyn Flowable>)>) {
        match self {
            Self::Content(_) => {}
            Self::Rows { parts, .. } | Self::Balanced { parts, .. } => {
                *parts = std::mem::take(parts).into_iter().filter_map(|part| part.without(leaving, moved)).collect();
            }
            Self::Columns { parts, .. } => {
                *parts = std::mem::take(parts)
                    .into_iter()
                    .filter_map(|(share, part)| Some((share, part.without(leaving, moved)?)))
                    .collect();
            }
        }
    }

    fn without(mut self, leaving: Leaving, moved: &mut Vec<(u32, Box<dyn Flowable>)>) -> Option<Self> {
        if let Self::Content(content) = self {
            if Leaving::of(&content.options) != Some(leaving) {
                return Some(Self::Content(content));
            }
            if let Leaving::Moved(order) = leaving {
                moved.push((order, content.content));
            }
            return None;
        }
        self.take(leaving, moved);
        (!self.is_empty()).then_some(self)
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Content(_) => false,
            Self::Rows { parts, .. } | Self::Balanced { parts, .. } => parts.is_empty(),
            Self::Columns { parts, .. } => parts.is_empty(),
        }
    }
}

/// What leaves a page that is too full, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Leaving {
    /// It is not printed.
    Optional,
    /// It is printed on a further page; the number of its `move`.
    Moved(u32),
}

impl Leaving {
    fn of(options: &FlowOptions) -> Option<Self> {
        if options.is_optional { Some(Self::Optional) } else { options.move_order.map(Self::Moved) }
    }
}

fn draw_rows(
    parts: Vec<FlowPart>,
    gap: f32,
    rect: Rect,
    spreads: bool,
    pen: &mut SheetPen,
    rest: &mut Vec<Box<dyn Flowable>>,
) {
    let hints: Vec<_> = parts.iter().map(|part| part.measure(rect.w, &pen.styles)).collect();
    let shares = allot_heights(&hints, rect.h, gap);
    let between = parts.len().saturating_sub(1) as f32;
    let used = shares.iter().sum::<f32>() + gap * between;
    let spare = if spreads && between > 0.0 && shares.iter().all(|share| *share > 0.0) {
        ((rect.h - used).max(0.0) / between).min(gap * (MAX_GAP_FACTOR - 1.0))
    } else {
        0.0
    };
    let mut y = rect.y;
    for (part, height) in parts.into_iter().zip(shares) {
        part.draw_within(Rect::new(rect.x, y, rect.w, height), false, pen, rest);
        if height > 0.0 {
            y += height + gap + spare;
        }
    }
}

fn flow_columns(parts: &[(f32, FlowPart)], gap: f32, width: f32) -> Vec<(f32, f32)> {
    let shares: Vec<f32> = parts.iter().map(|(share, _)| *share).collect();
    column_positions(&shares, 0.0, gap, width)
}

fn even_width(width: f32, gap: f32, columns: usize) -> f32 {
    ((width - gap * columns.saturating_sub(1) as f32) / columns.max(1) as f32).max(0.0)
}

/// How many contents each column gets, in reading order, so that the highest column is as low as possible.
fn balance(hints: &[SizeHint], gap: f32, columns: usize) -> Vec<usize> {
    let heights: Vec<f32> = hints.iter().map(|hint| hint.natural).collect();
    let columns = columns.max(1);
    let fill = |limit: f32| {
        let mut counts = vec![0_usize];
        let mut height = 0.0;
        for one in &heights {
            let next = if counts[counts.len() - 1] == 0 { *one } else { height + gap + one };
            if next > limit + TOLERANCE && counts[counts.len() - 1] > 0 {
                counts.push(1);
                height = *one;
            } else {
                let last = counts.len() - 1;
                counts[last] += 1;
                height = next;
            }
        }
        counts
    };
    // The lowest limit, to a hundredth of a millimetre, at which the columns suffice. Very large heights have no
    // hundredths: the number of steps is bounded.
    let mut high = heights.iter().sum::<f32>() + gap * heights.len() as f32;
    let mut low = 0.0;
    for _ in 0..MAX_BISECTIONS {
        if high - low <= 0.01 {
            break;
        }
        let middle = (low + high) / 2.0;
        if fill(middle).len() > columns {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut counts = fill(high);
    counts.resize(columns, 0);
    counts
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use proptest::prelude::*;

    use super::*;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;

    type Drawn = Arc<Mutex<Vec<(usize, Rect)>>>;

    /// Notes the rectangle it gets; what is lower than its least height is continued.
    #[derive(Debug)]
    struct Noted {
        n: usize,
        hint: SizeHint,
        drawn: Drawn,
    }

    impl Flowable for Noted {
        fn measure(&self, _width: f32, _styles: &TextStyles) -> SizeHint {
            self.hint
        }

        fn draw(self: Box<Self>, rect: Rect, _pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
            self.drawn.lock().unwrap().push((self.n, rect));
            if rect.h + 0.05 < self.hint.min { Some(self) } else { None }
        }
    }

    fn hint(min: f32, natural: f32, max: f32) -> SizeHint {
        SizeHint { min_start: min.min(5.0), min, natural, max }
    }

    fn content(n: usize, hint: SizeHint, options: FlowOptions, drawn: &Drawn) -> FlowPart {
        FlowPart::Content(FlowContent::new(Box::new(Noted { n, hint, drawn: Arc::clone(drawn) }), options))
    }

    fn draw(part: FlowPart, rect: Rect) -> usize {
        let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
        part.draw(rect, &mut pen).len()
    }

    fn moved(order: u32) -> FlowOptions {
        FlowOptions { move_order: Some(order), ..FlowOptions::default() }
    }

    #[test]
    fn what_has_no_room_leaves_in_the_templates_order() {
        let drawn = Drawn::default();
        let optional = FlowOptions { is_optional: true, ..FlowOptions::default() };
        let parts = vec![
            content(0, hint(40.0, 40.0, 40.0), FlowOptions::default(), &drawn),
            content(1, hint(30.0, 30.0, 30.0), moved(2), &drawn),
            content(2, hint(30.0, 30.0, 30.0), moved(1), &drawn),
            content(3, hint(20.0, 20.0, 90.0), optional, &drawn),
        ];
        // 120 are needed with gaps of 0: the optional part goes first, then the one numbered 1.
        let left = draw(FlowPart::Rows { gap: 0.0, parts }, Rect::new(0.0, 0.0, 100.0, 75.0));
        let shown: Vec<usize> = drawn.lock().unwrap().iter().map(|(n, _)| *n).collect();
        assert_eq!((shown, left), (vec![0, 1], 1));
    }

    #[test]
    fn what_makes_no_room_stays() {
        let drawn = Drawn::default();
        let rows = |parts| FlowPart::Rows { gap: 2.0, parts };
        let left = rows(vec![
            content(0, hint(60.0, 60.0, 60.0), FlowOptions::default(), &drawn),
            content(1, hint(60.0, 60.0, 60.0), moved(9), &drawn),
        ]);
        // Its number is lower, but its column has room.
        let right = rows(vec![content(2, hint(50.0, 50.0, 50.0), moved(1), &drawn)]);
        let part = FlowPart::Columns { gap: 4.0, parts: vec![(1.0, left), (1.0, right)] };
        let rest = draw(part, Rect::new(0.0, 0.0, 104.0, 100.0));
        let shown: Vec<usize> = drawn.lock().unwrap().iter().map(|(n, _)| *n).collect();
        assert_eq!((shown, rest), (vec![0, 2], 1));
        assert_eq!(drawn.lock().unwrap()[1].1.x, 54.0);
    }

    #[test]
    fn columns_are_filled_in_order_and_evenly() {
        let hints = [30.0, 10.0, 10.0, 10.0, 20.0].map(SizeHint::fixed);
        assert_eq!(balance(&hints, 0.0, 2), [2, 3]);
        assert_eq!(balance(&hints, 0.0, 3), [1, 3, 1]);
        assert_eq!(balance(&hints, 0.0, 9), [1, 1, 1, 1, 1, 0, 0, 0, 0]);
        assert_eq!(balance(&[], 0.0, 2), [0, 0]);
    }

    /// The height of the highest column, mm.
    fn highest(counts: &[usize], heights: &[f32], gap: f32) -> f32 {
        let mut left = heights;
        let mut most = 0.0_f32;
        for count in counts {
            let (column, rest) = left.split_at(*count);
            most = most.max(column.iter().sum::<f32>() + gap * count.saturating_sub(1) as f32);
            left = rest;
        }
        assert!(left.is_empty(), "{counts:?}");
        most
    }

    /// The height of the highest column when each split of the contents is tried.
    fn lowest_of_all(heights: &[f32], gap: f32, columns: usize) -> f32 {
        if columns == 1 {
            return highest(&[heights.len()], heights, gap);
        }
        let split = |first: usize| {
            highest(&[first], &heights[..first], gap).max(lowest_of_all(&heights[first..], gap, columns - 1))
        };
        (0..=heights.len()).map(split).fold(f32::MAX, f32::min)
    }

    #[test]
    fn columns_of_kilometres_are_balanced_too() {
        let hints = [SizeHint::fixed(1_500_000.0); 300];
        assert_eq!(balance(&hints, 3.0, 3), [100, 100, 100]);
        assert_eq!(balance(&[SizeHint::fixed(f32::INFINITY); 3], 3.0, 2).iter().sum::<usize>(), 3);
    }

    #[test]
    fn growing_parts_use_the_page_and_gaps_take_what_nothing_can_use() {
        let drawn = Drawn::default();
        let parts = |max: f32| {
            vec![
                content(0, hint(20.0, 30.0, 30.0), FlowOptions::default(), &drawn),
                content(1, hint(20.0, 30.0, max), FlowOptions::default(), &drawn),
            ]
        };
        draw(FlowPart::Rows { gap: 4.0, parts: parts(500.0) }, Rect::new(0.0, 10.0, 50.0, 134.0));
        draw(FlowPart::Rows { gap: 4.0, parts: parts(40.0) }, Rect::new(0.0, 10.0, 50.0, 134.0));
        let tops: Vec<(f32, f32)> = drawn.lock().unwrap().iter().map(|(_, rect)| (rect.y, rect.h)).collect();
        assert_eq!(tops, [(10.0, 30.0), (44.0, 100.0), (10.0, 30.0), (48.0, 40.0)]);
    }

    fn tree(depth: u32) -> BoxedStrategy<Sketch> {
        let heights = (4f32..40.0, 0f32..30.0, 0f32..80.0);
        let leaf =
            (heights, prop::option::of(0u32..4), any::<bool>()).prop_map(|((min, more, most), order, optional)| {
                Sketch::Leaf(hint(min, min + more, min + more + most), order, optional)
            });
        if depth == 0 {
            return leaf.boxed();
        }
        let parts = prop::collection::vec(tree(depth - 1), 1..5);
        prop_oneof![
            leaf,
            parts.clone().prop_map(Sketch::Rows),
            parts.clone().prop_map(Sketch::Columns),
            (2usize..4, parts).prop_map(|(columns, parts)| Sketch::Balanced(columns, parts)),
        ]
        .boxed()
    }

    #[derive(Clone, Debug)]
    enum Sketch {
        Leaf(SizeHint, Option<u32>, bool),
        Rows(Vec<Self>),
        Columns(Vec<Self>),
        Balanced(usize, Vec<Self>),
    }

    fn build(sketch: &Sketch, count: &mut usize, optional: &mut usize, drawn: &Drawn) -> FlowPart {
        let gap = 2.0;
        let mut all = |parts: &[Sketch]| -> Vec<FlowPart> {
            parts.iter().map(|part| build(part, count, optional, drawn)).collect()
        };
        match sketch {
            Sketch::Leaf(hint, move_order, is_optional) => {
                *count += 1;
                *optional += usize::from(*is_optional);
                let options =
                    FlowOptions { move_order: *move_order, is_optional: *is_optional, ..FlowOptions::default() };
                content(*count - 1, *hint, options, drawn)
            }
            Sketch::Rows(parts) => FlowPart::Rows { gap, parts: all(parts) },
            Sketch::Columns(parts) => {
                FlowPart::Columns { gap, parts: all(parts).into_iter().map(|part| (1.0, part)).collect() }
            }
            Sketch::Balanced(columns, parts) => FlowPart::Balanced { gap, columns: *columns, parts: all(parts) },
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn the_highest_column_is_as_low_as_possible(
            heights in prop::collection::vec(1f32..90.0, 0..9),
            columns in 1usize..5,
        ) {
            let hints: Vec<_> = heights.iter().map(|height| SizeHint::fixed(*height)).collect();
            let found = highest(&balance(&hints, 3.0, columns), &heights, 3.0);
            prop_assert!(found <= lowest_of_all(&heights, 3.0, columns) + 0.05, "{found}");
        }

        #[test]
        fn nothing_is_lost_overlaps_or_leaves_the_page(sketch in tree(3), height in 20f32..300.0) {
            let drawn = Drawn::default();
            let (mut count, mut optional) = (0, 0);
            let part = build(&sketch, &mut count, &mut optional, &drawn);
            let page = Rect::new(5.0, 7.0, 180.0, height);
            let rest = draw(part, page);
            let drawn = drawn.lock().unwrap();
            // Each is drawn whole, begun and continued, or kept for the next page; only optional parts may be left out.
            let begun = drawn.iter().filter(|(_, rect)| rect.h > 0.0).count();
            prop_assert!(begun + rest + optional >= count, "{begun} drawn, {rest} remain of {count}");
            for (n, rect) in drawn.iter() {
                prop_assert!(rect.y > page.y - 0.1 && rect.bottom() < page.bottom() + 0.1, "{n}: {rect:?} in {page:?}");
                prop_assert!(rect.x > page.x - 0.1 && rect.right() < page.right() + 0.1, "{n}: {rect:?} in {page:?}");
                let apart = drawn.iter().all(|(other, beside)| other == n || !rect.overlaps(beside, 0.1));
                prop_assert!(apart, "{n}: {rect:?} in {drawn:?}");
            }
        }
    }
}
