//! Tests of components as grids: every box once, nothing over anything, the order and the room between lines.

use std::sync::Arc;

use super::super::box_rows::{BoxLayer, Companion, RowFaces};
use super::*;
use crate::sheet::layout::minimum_sizes::MinimumSizes;
use moldloft_drawing::scene::Shape;

fn unit(fit: u32, n: u32, name: &str, boxes: u32, lines: &[u32]) -> Unit {
    let layer = BoxLayer::new(format!("boxes_{fit}_{n}").into(), BoxShape::Square, RowFaces::Same(BoxFace::Blank));
    Unit {
        name_mark: Some(format!("gun{fit}_{n}").into()),
        badge: Some("12".into()),
        lines: lines.into(),
        ..Unit::new(Some(name.into()), boxes, BoxLayer { fit: Some(fit), ..layer })
    }
}

fn pips(count: u32) -> Vec<Companion> {
    let layer = BoxLayer::new("charge".into(), BoxShape::Round, RowFaces::Same(BoxFace::Blank));
    vec![Companion { layer, counts: Arc::from([count]), is_full_size: false }]
}

fn grids(units: Vec<Unit>) -> Units {
    Units { units, preferred_side: 4.2, badge_shape: BoxShape::Shield, ..Units::default() }
}

fn columns(units: Vec<Unit>, names: NamePlace, max_columns: usize) -> Units {
    Units { names, max_columns, badge_shape: BoxShape::Rounded, ..grids(units) }
}

type Ticks = Vec<(String, Rect)>;

/// Page after page: the boxes with their names, and all texts with what they cover.
fn pages(content: Units, rect: Rect) -> Vec<(Ticks, Ticks)> {
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
    let units: Vec<Unit> = [1, 13, 0, 60, 5, 200, 8, 31, 2]
        .iter()
        .zip(1..)
        .map(|(&boxes, n)| Unit {
            companions: if n % 3 == 1 { pips(n) } else { Vec::new() },
            ..unit(n, n, names[n as usize % 3], boxes, if n % 2 == 0 { &[6] } else { &[] })
        })
        .collect();
    let due: u32 = units.iter().map(|unit| unit.boxes + 1).sum::<u32>() + 1 + 4 + 7;
    let (above, left) = (grids(units.clone()), columns(units.clone(), NamePlace::Left, 3));
    for (content, width, height) in [
        (&above, 120.0, 60.0),
        (&above, 57.0, 40.0),
        (&above, 36.0, 30.0),
        (&above, 190.0, 200.0),
        (&above, 25.0, 90.0),
        (&left, 57.0, 30.0),
        (&left, 190.0, 200.0),
        (&left, 40.0, 22.0),
        (&columns(units, NamePlace::Right, 2), 120.0, 60.0),
    ] {
        let mut seen = 0;
        for (boxes, words) in pages(content.clone(), Rect::new(0.0, 0.0, width, height)) {
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

/// A word is never broken: units are set in fewer columns, then their names have smaller letters.
#[test]
fn words_of_names_are_not_broken() {
    for (names, width) in [(NamePlace::Left, 50.0), (NamePlace::Left, 36.0), (NamePlace::Right, 60.0)] {
        let units =
            ["experimental cannon", "thruster", "sensors"].iter().zip(1..).map(|(name, n)| unit(n, 1, name, 6, &[]));
        let drawn = pages(columns(units.collect(), names, 2), Rect::new(0.0, 0.0, width, 200.0));
        for word in ["experimental", "thruster", "sensors"] {
            assert!(
                drawn[0].1.iter().any(|(words, _)| words.starts_with(word)),
                "{word} in {width} mm: {:?}",
                drawn[0].1
            );
        }
    }
}

#[test]
fn lines_of_columns_share_the_height_only_if_told_so() {
    let tops = |spreads: bool| -> Vec<f32> {
        let units = (1..=3).map(|n| Unit { badge: None, ..unit(n, 1, "bridge", 1, &[]) }).collect();
        let content = Units { spreads, ..columns(units, NamePlace::Right, 1) };
        let drawn = pages(content, Rect::new(0.0, 0.0, 60.0, 60.0));
        own(&drawn[0].0).iter().map(|(_, rect)| rect.y + rect.h / 2.0).collect()
    };
    let spread = tops(true);
    assert!(spread.iter().zip([10.0, 30.0, 50.0]).all(|(top, middle)| (top - middle).abs() < 0.1), "{spread:?}");
    assert!(tops(false)[2] < 20.0);
}
