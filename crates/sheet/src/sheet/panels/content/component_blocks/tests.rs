//! Tests of blocks of components: how they are split and how their boxes are arranged.

use std::sync::Arc;

use super::super::box_rows::Companion;
use super::*;
use crate::sheet::layout::minimum_sizes::MinimumSizes;

fn unit(n: u32, name: &str, boxes: u32) -> ComponentBlock {
    let head = HeadBox { stem: "gun".into(), n, face: BoxFace::Letters("ML".into()), shape: BoxShape::Square };
    let (stem, shape) = (format!("boxes_{n}").into(), BoxShape::Square);
    let badge = Some("12".into());
    let lines = if n.is_multiple_of(2) { Arc::from([5]) } else { Arc::from([]) };
    ComponentBlock {
        name: Some(name.into()),
        badge,
        sign: None,
        head: Some(head),
        fit: None,
        stem,
        first: 1,
        boxes,
        lines,
        shape,
        note: "".into(),
        companions: Vec::new(),
    }
}

/// Draws page after page; returns every tick box with its name.
fn drawn(units: ComponentBlocks, rect: Rect) -> Vec<Vec<(String, Rect)>> {
    let styles = TextStyles::new(MinimumSizes::default());
    let mut left: Option<Box<dyn Flowable>> = Some(Box::new(units));
    let mut pages = Vec::new();
    while let Some(content) = left.take() {
        assert!(pages.len() < 200, "no end of pages");
        let mut pen = SheetPen::new(styles, (0.0, 0.0));
        left = content.draw(rect, &mut pen);
        let ticks = pen.items.iter().filter_map(|item| match (&item.shape, &item.mark) {
            (moldloft_drawing::scene::Shape::Rect { rect, .. }, Some(mark)) => Some((mark.name.to_string(), *rect)),
            _ => None,
        });
        let ticks: Vec<(String, Rect)> = ticks.collect();
        if ticks.is_empty() {
            assert!(left.as_mut().is_some_and(|left| left.allow_split()), "neither drawn nor split");
            continue;
        }
        pages.push(ticks);
    }
    pages
}

#[test]
fn every_box_is_drawn_once_within_its_page_and_over_no_other() {
    let names = ["C&C", "a very long name of some weapon or other", "structure"];
    for (width, height, abreast) in [(57.0, 30.0, 1), (108.0, 26.0, 2), (40.0, 22.0, 1), (190.0, 200.0, 3)] {
        let units: Vec<ComponentBlock> =
            (1..=9).map(|n| unit(n, names[n as usize % 3], [1, 13, 0, 60, 5, 200, 8, 31, 2][n as usize - 1])).collect();
        let due: u32 = units.iter().map(|unit| unit.boxes + 1).sum();
        let rect = Rect::new(0.0, 0.0, width, height);
        let pages = drawn(
            ComponentBlocks {
                blocks: units,
                preferred_side: 3.6,
                columns: abreast,
                may_split: false,
                look: UnitLook::default(),
            },
            rect,
        );
        let mut seen = std::collections::BTreeSet::new();
        for page in &pages {
            for (n, (name, rect)) in page.iter().enumerate() {
                assert!(seen.insert(name.clone()), "{name} twice");
                assert!(rect.right() <= width + 0.1 && rect.bottom() <= height + 0.1, "{name}: {rect:?}");
                assert!(rect.w >= 2.999 && rect.h >= 2.999, "{name}: {rect:?}");
                for (other, place) in &page[n + 1..] {
                    assert!(!rect.overlaps(place, 0.02), "{name} and {other} in {width} by {height}");
                }
            }
        }
        assert_eq!(seen.len() as u32, due);
    }
}

#[test]
fn a_unit_is_not_split_unless_a_page_is_too_small_for_it() {
    let units = || ComponentBlocks {
        blocks: vec![unit(2, "laser", 25), unit(4, "gun", 30)],
        preferred_side: 3.6,
        columns: 1,
        may_split: false,
        look: UnitLook::default(),
    };
    // 25 boxes in rows of five, then 30: together higher than the page, which holds either.
    let pages = drawn(units(), Rect::new(0.0, 0.0, 60.0, 26.0));
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [26, 31]);
    let start = units().measure(60.0, &TextStyles::new(MinimumSizes::default())).min_start;
    assert!(start > 15.0, "it is not begun in less room than its first unit needs: {start}");
    let pages = drawn(units(), Rect::new(0.0, 0.0, 60.0, 12.0));
    assert!(pages.len() > 2 && pages.iter().map(Vec::len).sum::<usize>() == 57);
}

#[test]
fn boxes_of_several_lines_stand_in_fives() {
    let (style, look) = (TextStyles::new(MinimumSizes::default()).body, UnitLook::default());
    let columns = BlockColumns { name: 20.0, badge: 4.0, sign: 0.0, head: 4.0, side: 3.0, width: 60.0, style, look };
    assert_eq!(columns.boxes_per_line(30.0, 8, true), 8, "all of them fit");
    assert_eq!(columns.boxes_per_line(30.0, 10, true), 5, "nine would fit");
    assert_eq!(columns.boxes_per_line(30.0, 40, true), 9, "fives would leave much of the width");
    assert_eq!(columns.boxes_per_line(30.0, 12, false), 9, "a short row is not grouped");
    assert_eq!(columns.boxes_per_line(12.0, 12, true), 3);
}

#[test]
fn companions_are_after_the_last_line_where_they_fit() {
    use super::super::box_rows::{BoxLayer, RowFaces};
    let layer = BoxLayer {
        stem: "charge".into(),
        first: 1,
        first_face: 0,
        faces: RowFaces::Same(BoxFace::default()),
        shape: BoxShape::Round,
        fit: None,
        signs: Arc::from([]),
    };
    let companion = Companion { layer, counts: Arc::from([3]), is_full_size: false };
    let height = |width: f32, companions: Vec<Companion>| {
        let block = ComponentBlock { companions, lines: Arc::from([]), ..unit(1, "laser", 5) };
        let blocks = ComponentBlocks {
            blocks: vec![block],
            preferred_side: 3.0,
            columns: 1,
            may_split: false,
            look: UnitLook::default(),
        };
        blocks.measure(width, &TextStyles::new(MinimumSizes::default())).min
    };
    assert_eq!(height(90.0, vec![companion.clone()]), height(90.0, Vec::new()), "beside the boxes");
    assert!(height(40.0, vec![companion]) > height(40.0, Vec::new()) + 1.0, "under them");
}

/// A name over its boxes takes the room that the signs after it leave, before it takes a second line.
#[test]
fn names_over_boxes_are_whole_where_there_is_room() {
    let name = "hangar bay number 12";
    let blocks = vec![ComponentBlock { head: None, lines: Arc::from([6]), ..unit(1, name, 12) }];
    let blocks =
        ComponentBlocks { blocks, preferred_side: 3.0, columns: 1, may_split: false, look: UnitLook::default() };
    let styles = TextStyles::new(MinimumSizes::default());
    let width = styles.body.width(name) + styles.value.width("12") + 6.0;
    assert!(styles.body.width(name) > width * 0.42);
    let mut pen = SheetPen::new(styles, (0.0, 0.0));
    assert!(Box::new(blocks).draw(Rect::new(0.0, 0.0, width, 40.0), &mut pen).is_none());
    let words = pen.items.iter().filter_map(|item| match &item.shape {
        moldloft_drawing::scene::Shape::Text(text) => Some(text.shaped.text.to_string()),
        _ => None,
    });
    assert_eq!(words.collect::<Vec<_>>(), [name, "12"]);
}

fn tick_boxes(blocks: ComponentBlocks, width: f32) -> (Vec<(String, Rect)>, Vec<String>) {
    let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
    assert!(Box::new(blocks).draw(Rect::new(0.0, 0.0, width, 90.0), &mut pen).is_none());
    let (mut ticks, mut words) = (Vec::new(), Vec::new());
    for item in &pen.items {
        match (&item.shape, &item.mark) {
            (moldloft_drawing::scene::Shape::Rect { rect, .. }, Some(mark)) => {
                ticks.push((mark.name.to_string(), *rect))
            }
            (moldloft_drawing::scene::Shape::Text(text), _) => words.push(text.shaped.text.to_string()),
            _ => {}
        }
    }
    (ticks, words)
}

/// A word is never broken: units are set in fewer columns, then their names have smaller letters.
#[test]
fn words_of_names_are_not_broken() {
    for width in [50.0, 36.0, 25.0] {
        let blocks = ["experimental cannon", "thruster", "sensors"];
        let blocks =
            blocks.iter().zip(1..).map(|(name, n)| ComponentBlock { head: None, ..unit(n, name, 6) }).collect();
        let look = UnitLook { badge_shape: BoxShape::Shield, ..UnitLook::default() };
        let (_, words) =
            tick_boxes(ComponentBlocks { blocks, preferred_side: 4.0, columns: 2, may_split: false, look }, width);
        for word in ["thruster", "sensors"] {
            assert!(words.iter().any(|words| words == word), "{word} in {width} mm: {words:?}");
        }
        assert!(words.iter().any(|words| words.starts_with("experimental")), "{width} mm: {words:?}");
    }
}

/// A unit whose name is struck out has no box before its boxes; the name has its mark.
#[test]
fn a_name_takes_the_place_of_a_head_box() {
    let blocks = |strikes_name: bool| {
        let blocks = vec![ComponentBlock { lines: Arc::from([]), ..unit(1, "laser", 5) }];
        let look = UnitLook { strikes_name, ..UnitLook::default() };
        tick_boxes(ComponentBlocks { blocks, preferred_side: 4.0, columns: 1, may_split: false, look }, 80.0).0
    };
    let (boxed, named) = (blocks(false), blocks(true));
    let names = |ticks: &[(String, Rect)]| ticks.iter().map(|tick| tick.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&boxed), names(&named));
    assert_eq!(named[0].1.x, 0.0, "the mark is on the name");
    assert!(named[1].1.x < boxed[1].1.x - 4.0, "the boxes have the room of the head");
}

/// Rows that a design gives have one line each, without the gaps of groups, in smaller boxes if that saves them.
#[test]
fn a_short_row_is_one_line_without_gaps() {
    let blocks = vec![ComponentBlock { head: None, lines: Arc::from([6, 6]), ..unit(1, "C&C", 12) }];
    let look = UnitLook::default();
    let (ticks, _) =
        tick_boxes(ComponentBlocks { blocks, preferred_side: 4.0, columns: 1, may_split: false, look }, 21.5);
    let tops: std::collections::BTreeSet<i64> = ticks.iter().map(|tick| (tick.1.y * 100.0) as i64).collect();
    assert_eq!(tops.len(), 2, "{ticks:?}");
    let apart: Vec<f32> = ticks[..6].windows(2).map(|pair| pair[1].1.x - pair[0].1.right()).collect();
    assert!(apart.iter().all(|gap| (gap - apart[0]).abs() < 0.01), "{apart:?}");
    assert!(ticks[6].1.y - ticks[0].1.bottom() > 1.0, "rows are apart");
}
