//! Tests of components as grids: every box once, nothing over anything, the order and the room between lines.

use std::sync::Arc;

use super::super::box_rows::{BoxFace, BoxLayer, Companion, RowFaces};
use super::super::component_blocks::HeadBox;
use super::*;
use crate::sheet::layout::minimum_sizes::MinimumSizes;
use moldloft_drawing::scene::Shape;

fn unit(fit: u32, n: u32, name: &str, boxes: u32, lines: &[u32]) -> ComponentBlock {
    let head = HeadBox { stem: format!("gun{fit}").into(), n, face: BoxFace::Blank, shape: BoxShape::Square };
    ComponentBlock {
        name: Some(name.into()),
        badge: Some("12".into()),
        sign: None,
        head: Some(head),
        fit: Some(fit),
        stem: format!("boxes_{fit}_{n}").into(),
        first: 1,
        boxes,
        lines: lines.into(),
        shape: BoxShape::Square,
        note: "".into(),
        companions: Vec::new(),
    }
}

fn pips(count: u32) -> Vec<Companion> {
    let layer = BoxLayer::new("charge".into(), BoxShape::Round, RowFaces::Same(BoxFace::Blank));
    vec![Companion { layer, counts: Arc::from([count]), is_full_size: false }]
}

fn grids(blocks: Vec<ComponentBlock>) -> ComponentGrids {
    let look = UnitLook { badge_shape: BoxShape::Shield, ..UnitLook::default() };
    ComponentGrids { blocks, preferred_side: 4.2, may_split: false, look }
}

type Ticks = Vec<(String, Rect)>;

/// Page after page: the boxes with their names, and all texts with what they cover.
fn pages(content: ComponentGrids, rect: Rect) -> Vec<(Ticks, Ticks)> {
    let styles = TextStyles::new(MinimumSizes::default());
    let mut left: Option<Box<dyn Flowable>> = Some(Box::new(content));
    let mut pages = Vec::new();
    while let Some(content) = left.take() {
        assert!(pages.len() < 200, "no end of pages");
        let mut pen = SheetPen::new(styles, (0.0, 0.0));
        left = content.draw(rect, &mut pen);
        let (mut boxes, mut words) = (Vec::new(), Vec::new());
        for item in &pen.items {
            match (&item.shape, &item.mark) {
                (Shape::Rect { rect, .. }, Some(mark)) => boxes.push((mark.name.to_string(), *rect)),
                (Shape::Text(text), _) => {
                    let style = styles.body;
                    let wide = style.width(&text.shaped.text);
                    words.push((text.shaped.text.to_string(), Rect::new(text.x, text.y - 1.9, wide, 1.9)));
                }
                _ => {}
            }
        }
        if boxes.is_empty() {
            assert!(left.as_mut().is_some_and(|left| left.allow_split()), "neither drawn nor split");
            continue;
        }
        pages.push((boxes, words));
    }
    pages
}

/// Boxes without those of names.
fn own(boxes: &Ticks) -> Vec<&(String, Rect)> {
    boxes.iter().filter(|(name, _)| !name.starts_with("gun")).collect()
}

#[test]
fn every_box_is_drawn_once_over_no_other_and_over_no_name() {
    let names = ["C&C", "a very long name of some weapon or other", "structure"];
    for (width, height) in [(120.0, 60.0), (57.0, 40.0), (36.0, 30.0), (190.0, 200.0), (25.0, 90.0)] {
        let units: Vec<ComponentBlock> = [1, 13, 0, 60, 5, 200, 8, 31, 2]
            .iter()
            .zip(1..)
            .map(|(&boxes, n)| ComponentBlock {
                companions: if n % 3 == 1 { pips(n) } else { Vec::new() },
                ..unit(n, n, names[n as usize % 3], boxes, if n % 2 == 0 { &[6] } else { &[] })
            })
            .collect();
        let due: u32 = units.iter().map(|unit| unit.boxes + 1).sum::<u32>() + 1 + 4 + 7;
        let mut seen = 0;
        for (boxes, words) in pages(grids(units), Rect::new(0.0, 0.0, width, height)) {
            seen += boxes.len() as u32;
            let boxes = own(&boxes);
            for (n, (name, rect)) in boxes.iter().enumerate() {
                assert!(rect.x >= -0.01 && rect.right() <= width + 0.1, "{name}: {rect:?} in {width}");
                assert!(rect.bottom() <= height + 0.1, "{name}: {rect:?} in {height}");
                for (other, place) in &boxes[n + 1..] {
                    assert!(!rect.overlaps(place, 0.02), "{name} and {other} in {width} by {height}");
                }
                for (words, place) in words.iter().filter(|(words, _)| *words != "12") {
                    let near = Rect::new(place.x, place.y - 0.3, place.w, place.h + 0.6);
                    assert!(!near.overlaps(rect, 0.02), "{words} at {place:?} and {name} at {rect:?}");
                }
            }
        }
        assert_eq!(seen, due, "{width} by {height}");
    }
}

#[test]
fn rows_of_up_to_ten_are_one_joined_line_on_every_width() {
    for width in [60.0, 90.0, 150.0] {
        let page = pages(grids(vec![unit(1, 1, "laser", 7, &[])]), Rect::new(0.0, 0.0, width, 40.0));
        let boxes = own(&page[0].0);
        assert!(
            boxes.windows(2).all(|pair| (pair[1].1.x - pair[0].1.right()).abs() < 0.01 && pair[0].1.y == pair[1].1.y)
        );
    }
    let page = pages(grids(vec![unit(1, 1, "C&C", 12, &[6, 6])]), Rect::new(0.0, 0.0, 60.0, 40.0));
    let boxes = own(&page[0].0);
    assert!(boxes[6].1.y - boxes[0].1.bottom() > 0.8, "rows that count are apart");
}

/// Rows are data: smaller boxes come before a row in two lines.
#[test]
fn given_rows_are_not_broken_where_smaller_boxes_fit() {
    let page = pages(grids(vec![unit(1, 1, "C&C", 13, &[8, 5])]), Rect::new(0.0, 0.0, 33.0, 40.0));
    let boxes = own(&page[0].0);
    assert!(boxes[..8].iter().all(|(_, rect)| rect.y == boxes[0].1.y), "{boxes:?}");
}

#[test]
fn alike_units_mirror_one_another() {
    let units = vec![unit(1, 1, "laser 1", 8, &[]), unit(1, 2, "laser 2", 8, &[]), unit(2, 1, "array", 6, &[])];
    let page = pages(grids(units), Rect::new(10.0, 0.0, 150.0, 30.0));
    let boxes = own(&page[0].0);
    let edge = |stem: &str| {
        let own = boxes.iter().filter(|(name, _)| name.starts_with(stem));
        own.fold((f32::MAX, 0.0_f32), |(left, right), (_, rect)| (left.min(rect.x), right.max(rect.right())))
    };
    let (first, second, array) = (edge("boxes_1_1"), edge("boxes_1_2"), edge("boxes_2_1"));
    assert!(first.1 < array.0 && array.1 < second.0, "{first:?} {array:?} {second:?}");
    assert!((first.1 - first.0 - (second.1 - second.0)).abs() < 0.01);
}

#[test]
fn room_that_is_left_goes_between_lines_and_into_boxes() {
    let units = || (1..=4).map(|n| unit(n, 1, "thruster", 8, &[4, 4])).collect::<Vec<_>>();
    let side_and_gap = |height: f32| {
        let page = pages(grids(units()), Rect::new(0.0, 0.0, 34.0, height));
        assert_eq!(page.len(), 1);
        let boxes = own(&page[0].0);
        (boxes[0].1.w, boxes[8].1.y - boxes[7].1.bottom())
    };
    let hint = grids(units()).measure(34.0, &TextStyles::new(MinimumSizes::default()));
    let (small, tight) = side_and_gap(hint.min + 0.05);
    let (large, wide) = side_and_gap(hint.natural * 1.5);
    assert!(large > small + 0.4 && wide > tight + 2.0, "{small} {tight} {large} {wide}");
}

#[test]
fn few_units_in_a_high_section_are_near_its_heading_and_in_the_middle_of_a_low_one() {
    let top = |height: f32| {
        let drawn = pages(grids(vec![unit(0, 1, "engine", 8, &[8])]), Rect::new(0.0, 0.0, 100.0, height));
        drawn[0].0.iter().map(|(_, rect)| rect.y).fold(f32::MAX, f32::min)
    };
    assert!((12.0..20.0).contains(&top(180.0)), "{}", top(180.0));
    assert!(top(30.0) > 8.0 && top(30.0) < 14.0, "{}", top(30.0));
}

#[test]
fn the_height_for_boxes_of_a_size_holds_them_and_little_less_does_not() {
    let styles = TextStyles::new(MinimumSizes::default());
    let content = grids((1..=4).map(|n| unit(n, 1, "thruster", 8, &[4, 4])).collect());
    for size in [3.2, 3.6, 4.2] {
        let height = content.height_for_boxes(34.0, size, &styles).unwrap();
        let found = |height: f32| content.max_box_size(Rect::new(0.0, 0.0, 34.0, height), &styles).unwrap();
        assert!((found(height) - size).abs() < SIZE_STEP + 0.01, "{} for {size}", found(height));
        assert!(found(height - 2.0) < size - SIZE_STEP, "{} for {size}", found(height - 2.0));
    }
}
