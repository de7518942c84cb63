//! What leaves a page, what comes back, and that nothing is lost.

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
    part.draw(rect, &mut pen).into_iter().map(count_contents).sum()
}

/// Narrow ones are side by side in one.
fn count_contents(mut content: Box<dyn Flowable>) -> usize {
    let parts = content.take_parts();
    if parts.is_empty() { 1 } else { parts.into_iter().map(count_contents).sum() }
}

fn moved(order: u32) -> FlowOptions {
    FlowOptions { move_order: Some(order), ..FlowOptions::default() }
}

/// On one page alone the plan shrinks; where something leaves anyway, what moves leaves until the plan has what it prefers.
#[test]
fn a_plan_gets_what_it_prefers_where_there_is_a_further_page() {
    let shown = |height: f32| {
        let drawn = Drawn::default();
        let plan = FlowOptions { boxes: HitBoxes::Plan, ..FlowOptions::default() };
        let parts = vec![
            content(0, hint(40.0, 60.0, 60.0), plan, &drawn),
            content(1, hint(20.0, 20.0, 20.0), moved(1), &drawn),
            content(2, hint(20.0, 20.0, 20.0), moved(2), &drawn),
            content(3, hint(10.0, 10.0, 10.0), FlowOptions::default(), &drawn),
        ];
        draw(FlowPart::Rows { gap: 0.0, parts }, Rect::new(0.0, 0.0, 100.0, height));
        let drawn = drawn.lock().unwrap();
        (drawn.iter().map(|(n, _)| *n).collect::<Vec<_>>(), drawn[0].1.h)
    };
    assert_eq!(shown(90.0), (vec![0, 1, 2, 3], 40.0));
    assert_eq!(shown(92.0), (vec![0, 1, 2, 3], 42.0));
    assert_eq!(shown(80.0), (vec![0, 3], 60.0));
}

/// As high as its boxes, which want 6 mm and take no less than 3; each is so many of them high at a width.
#[derive(Debug)]
struct Boxes {
    n: usize,
    rows: fn(f32) -> f32,
    preferred: f32,
    drawn: Drawn,
}

impl Flowable for Boxes {
    fn measure(&self, width: f32, _styles: &TextStyles) -> SizeHint {
        let high = |size: f32| (self.rows)(width) * size;
        SizeHint { min_start: high(3.0), min: high(3.0), natural: high(self.preferred), max: high(self.preferred) }
    }

    fn draw(self: Box<Self>, rect: Rect, _pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        self.drawn.lock().unwrap().push((self.n, rect));
        None
    }

    fn max_box_size(&self, rect: Rect, _styles: &TextStyles) -> Option<f32> {
        Some((rect.h / (self.rows)(rect.w)).clamp(3.0, self.preferred))
    }

    fn height_for_boxes(&self, width: f32, size: f32, _styles: &TextStyles) -> Option<f32> {
        Some((self.rows)(width) * size.min(self.preferred))
    }

    fn limit_box_size(&mut self, size: f32) {
        self.preferred = self.preferred.min(size);
    }
}

fn plan(n: usize, rows: fn(f32) -> f32, drawn: &Drawn) -> FlowPart {
    let boxes = Boxes { n, rows, preferred: 6.0, drawn: Arc::clone(drawn) };
    let options = FlowOptions { boxes: HitBoxes::Plan, ..FlowOptions::default() };
    FlowPart::Content(FlowContent::new(Box::new(boxes), options))
}

fn heights(drawn: &Drawn) -> Vec<(usize, f32)> {
    drawn.lock().unwrap().iter().map(|(n, rect)| (*n, rect.h.round())).collect()
}

#[test]
fn plans_of_a_page_have_boxes_of_one_size() {
    let drawn = Drawn::default();
    let parts = vec![plan(0, |_| 10.0, &drawn), plan(1, |_| 30.0, &drawn)];
    assert_eq!(draw(FlowPart::Rows { gap: 0.0, parts }, Rect::new(0.0, 0.0, 100.0, 160.0)), 0);
    assert_eq!(heights(&drawn), [(0, 40.0), (1, 120.0)], "4 mm in both");
}

#[test]
fn plans_that_a_page_does_not_hold_are_on_it_in_reading_order() {
    let drawn = Drawn::default();
    let parts = vec![plan(0, |_| 20.0, &drawn), plan(1, |_| 30.0, &drawn), plan(2, |_| 5.0, &drawn)];
    assert_eq!(draw(FlowPart::Rows { gap: 0.0, parts }, Rect::new(0.0, 0.0, 100.0, 100.0)), 1);
    assert_eq!(heights(&drawn).iter().map(|(n, _)| *n).collect::<Vec<_>>(), [0, 2], "all the room is the first's");
}

/// Beside a plan that is too high, a column leaves, so that it gets wider; on the next page its parts are side by side.
#[test]
fn a_column_leaves_so_that_the_plan_beside_it_gets_wider() {
    let drawn = Drawn::default();
    let fixed = |n| content(n, hint(30.0, 30.0, 30.0), FlowOptions::default(), &drawn);
    let side = |parts| FlowPart::Rows { gap: 0.0, parts };
    let rows: fn(f32) -> f32 = |width| if width > 70.0 { 30.0 } else { 40.0 };
    let columns = vec![
        (20.0, side(vec![fixed(0), fixed(1)])),
        (60.0, plan(2, rows, &drawn)),
        (20.0, side(vec![fixed(3), fixed(4)])),
    ];
    let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
    let mut rest = FlowPart::Columns { gap: 0.0, parts: columns }.draw(Rect::new(0.0, 0.0, 100.0, 100.0), &mut pen);
    let on_page: Vec<(usize, f32)> = drawn.lock().unwrap().drain(..).map(|(n, rect)| (n, rect.w.round())).collect();
    assert_eq!(on_page, [(0, 25.0), (1, 25.0), (2, 75.0)], "the last column leaves");
    assert_eq!(rest.len(), 1);
    assert!(rest.remove(0).draw(Rect::new(0.0, 0.0, 100.0, 100.0), &mut pen).is_none());
    let overleaf: Vec<(f32, f32)> = drawn.lock().unwrap().iter().map(|(_, rect)| (rect.x, rect.y)).collect();
    assert_eq!(overleaf, [(0.0, 0.0), (52.5, 0.0)]);
}

/// In large print, what is beside the plan leaves until its boxes are as large as they should be, but not for nothing.
#[test]
fn all_makes_room_for_a_plan_in_large_print() {
    let shown = |room: RoomForPlans, height: f32| {
        let drawn = Drawn::default();
        let tables = FlowOptions { boxes: HitBoxes::Ship, ..FlowOptions::default() };
        let optional = FlowOptions { is_optional: true, ..FlowOptions::default() };
        let parts = vec![
            plan(0, |_| 20.0, &drawn),
            content(1, hint(30.0, 30.0, 30.0), tables, &drawn),
            content(2, hint(10.0, 10.0, 10.0), optional, &drawn),
        ];
        let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
        pen.makes_room = room;
        let left = FlowPart::Rows { gap: 0.0, parts }.draw(Rect::new(0.0, 0.0, 100.0, height), &mut pen).len();
        (heights(&drawn).iter().map(|(n, _)| *n).collect::<Vec<_>>(), left)
    };
    assert_eq!(shown(RoomForPlans::Overleaf, 100.0), (vec![0, 1, 2], 0));
    assert_eq!(shown(RoomForPlans::Page, 100.0), (vec![0], 1), "the plan wants 120, and has boxes of 5 mm");
    assert_eq!(shown(RoomForPlans::Page, 160.0), (vec![0, 1, 2], 0), "all have room");
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
fn optional_contents_leave_one_by_one_from_the_last() {
    let optional = FlowOptions { is_optional: true, ..FlowOptions::default() };
    for (height, shown) in [(100.0, vec![0, 1, 2, 3]), (80.0, vec![0, 1, 2]), (60.0, vec![0, 1]), (40.0, vec![0])] {
        let drawn = Drawn::default();
        let mut parts = vec![content(0, hint(40.0, 40.0, 40.0), FlowOptions::default(), &drawn)];
        parts.extend((1..4).map(|n| content(n, hint(20.0, 20.0, 20.0), optional, &drawn)));
        let left = draw(FlowPart::Rows { gap: 0.0, parts }, Rect::new(0.0, 0.0, 100.0, height));
        assert_eq!(drawn.lock().unwrap().iter().map(|(n, _)| *n).collect::<Vec<_>>(), shown, "{height}");
        assert_eq!(left, 0);
    }
}

#[test]
fn what_left_first_comes_back_where_a_later_one_leaves_room() {
    let drawn = Drawn::default();
    let parts = vec![
        content(0, hint(40.0, 40.0, 40.0), FlowOptions::default(), &drawn),
        content(1, hint(70.0, 70.0, 70.0), moved(3), &drawn),
        content(2, hint(30.0, 30.0, 30.0), moved(2), &drawn),
        content(3, hint(25.0, 25.0, 25.0), moved(1), &drawn),
    ];
    // 1 and 2 leave, but that is not enough; without 3 there is room for 2, but not for 1, too.
    let left = draw(FlowPart::Rows { gap: 0.0, parts }, Rect::new(0.0, 0.0, 100.0, 90.0));
    let shown: Vec<usize> = drawn.lock().unwrap().iter().map(|(n, _)| *n).collect();
    assert_eq!((shown, left), (vec![0, 2], 2));
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

fn with_boxes(boxes: HitBoxes) -> FlowOptions {
    FlowOptions { boxes, ..moved(9) }
}

#[test]
fn a_plan_stays_and_all_else_leaves_for_it_the_ships_boxes_last() {
    for (height, shown) in [(140.0, vec![0, 1, 2]), (110.0, vec![0, 1]), (70.0, vec![1])] {
        let drawn = Drawn::default();
        let structure = FlowOptions { boxes: HitBoxes::Ship, ..FlowOptions::default() };
        let parts = vec![
            content(0, hint(40.0, 40.0, 40.0), structure, &drawn),
            content(1, hint(60.0, 60.0, 90.0), with_boxes(HitBoxes::Plan), &drawn),
            content(2, hint(30.0, 30.0, 30.0), FlowOptions::default(), &drawn),
            content(3, hint(30.0, 30.0, 30.0), moved(1), &drawn),
        ];
        let left = draw(FlowPart::Rows { gap: 0.0, parts }, Rect::new(0.0, 0.0, 100.0, height));
        assert_eq!(drawn.lock().unwrap().iter().map(|(n, _)| *n).collect::<Vec<_>>(), shown, "{height}");
        assert_eq!(left, 4 - shown.len());
    }
}

#[test]
fn what_is_a_plans_heading_alone_is_on_no_page_without_it() {
    for (is_bare, left) in [(true, 1), (false, 2)] {
        let drawn = Drawn::default();
        let heading = FlowOptions { is_bare, ..FlowOptions::default() };
        let parts = vec![
            content(0, hint(5.0, 5.0, 5.0), heading, &drawn),
            content(1, hint(60.0, 60.0, 60.0), with_boxes(HitBoxes::Plan), &drawn),
            content(2, hint(5.0, 5.0, 5.0), heading, &drawn),
        ];
        assert_eq!(draw(FlowPart::Rows { gap: 0.0, parts }, Rect::new(0.0, 0.0, 100.0, 60.0)), left, "{is_bare}");
    }
}

#[test]
fn a_plan_gets_what_it_prefers_first() {
    let drawn = Drawn::default();
    let parts = vec![
        content(0, hint(20.0, 60.0, 60.0), FlowOptions::default(), &drawn),
        content(1, hint(40.0, 60.0, 90.0), with_boxes(HitBoxes::Plan), &drawn),
    ];
    draw(FlowPart::Rows { gap: 0.0, parts }, Rect::new(0.0, 0.0, 100.0, 90.0));
    assert_eq!(drawn.lock().unwrap().iter().map(|(_, rect)| rect.h).collect::<Vec<_>>(), [30.0, 60.0]);
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
    let leaf = (heights, prop::option::of(0u32..4), any::<bool>()).prop_map(|((min, more, most), order, optional)| {
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
    let mut all =
        |parts: &[Sketch]| -> Vec<FlowPart> { parts.iter().map(|part| build(part, count, optional, drawn)).collect() };
    match sketch {
        Sketch::Leaf(hint, move_order, is_optional) => {
            *count += 1;
            *optional += usize::from(*is_optional);
            let options = FlowOptions { move_order: *move_order, is_optional: *is_optional, ..FlowOptions::default() };
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
