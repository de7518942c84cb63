//! Walks nested groups and hands every shape on with the one transform it stands under: takes items, gives shapes in painting order.
//! Never draws. Hostile numbers become harmless here, and nesting beyond [`MAX_DEPTH`] is not followed.

use crate::scene::{MarkKind, SceneItem, Shape, Transform};

use super::bounded_length;

/// Groups within groups that are followed.
pub const MAX_DEPTH: usize = 64;

/// Calls `draw` for every shape but groups, with its transform.
pub fn for_each_shape<'a>(items: &'a [SceneItem], draw: &mut impl FnMut(&'a Shape, &Transform)) {
    for item in items {
        visit_shape(&item.shape, &Transform::IDENTITY, MAX_DEPTH, draw);
    }
}

/// Calls `each` for every item, groups too and before what they hold, with its number and the transform that it stands under. The crosses over
/// ticked boxes are left out: a form shows those by itself.
pub fn for_each_item<'a>(items: &'a [SceneItem], each: &mut impl FnMut(usize, &'a SceneItem, &Transform)) {
    let mut number = 0;
    visit_numbered(items, &Transform::IDENTITY, MAX_DEPTH, &mut number, each);
}

fn visit_numbered<'a>(
    items: &'a [SceneItem],
    outer: &Transform,
    depth: usize,
    number: &mut usize,
    each: &mut impl FnMut(usize, &'a SceneItem, &Transform),
) {
    for item in items {
        if item.mark.as_ref().is_some_and(|mark| mark.kind == MarkKind::Cross) {
            continue;
        }
        each(*number, item, outer);
        *number += 1;
        if let (Shape::Group { transform, items }, Some(depth)) = (&item.shape, depth.checked_sub(1)) {
            visit_numbered(items, &outer.then_inner(&finite_transform(transform)), depth, number, each);
        }
    }
}

/// The same for the shapes of a drawing.
pub fn for_each_nested_shape<'a>(shapes: &'a [Shape], draw: &mut impl FnMut(&'a Shape, &Transform)) {
    for inner in shapes {
        visit_shape(inner, &Transform::IDENTITY, MAX_DEPTH, draw);
    }
}

fn visit_shape<'a>(shown: &'a Shape, outer: &Transform, depth: usize, draw: &mut impl FnMut(&'a Shape, &Transform)) {
    match shown {
        Shape::Group { transform, items } => {
            if depth > 0 {
                let transform = outer.then_inner(&finite_transform(transform));
                for item in items {
                    visit_shape(&item.shape, &transform, depth - 1, draw);
                }
            }
        }
        _ => draw(shown, outer),
    }
}

/// A transform of numbers fit to be written.
pub fn finite_transform(transform: &Transform) -> Transform {
    Transform { m: transform.m.map(bounded_length) }
}

/// How much a transform enlarges, at most: the longer of the two axes.
pub fn max_scale(transform: &Transform) -> f32 {
    let [a, b, c, d, ..] = transform.m;
    a.hypot(b).max(c.hypot(d))
}

/// Whether circles stay circles: then widths and dashes can be scaled by [`max_scale`], and no stroke is distorted.
pub fn keeps_shape(transform: &Transform) -> bool {
    let [a, b, c, d, ..] = transform.m;
    let (first, second) = (a.hypot(b), c.hypot(d));
    (first - second).abs() <= 1e-4 * first.max(second) && (a * c + b * d).abs() <= 1e-4 * first * second
}

/// Whether upright rectangles stay upright.
pub fn keeps_rects_upright(transform: &Transform) -> bool {
    let [a, b, c, d, ..] = transform.m;
    let small = 1e-6 * max_scale(transform);
    (b.abs() <= small && c.abs() <= small) || (a.abs() <= small && d.abs() <= small)
}
