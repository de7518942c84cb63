//! Walks nested groups: takes items, gives each shape with its combined transform, in painting order. Non-finite
//! numbers become harmless, and nesting beyond [`MAX_DEPTH`] is skipped. Never draws.

use moldloft_drawing::scene::{MarkKind, SceneItem, Shape, Transform};

use super::limits::{MAX_DEPTH, bounded_length};

/// Calls `draw` for every shape other than a group, with its transform.
pub fn for_each_shape<'a>(items: &'a [SceneItem], draw: &mut impl FnMut(&'a Shape, &Transform)) {
    for item in items {
        visit_shape(&item.shape, &Transform::IDENTITY, MAX_DEPTH, draw);
    }
}

/// Calls `each` for every item (a group before its contents) with its index and transform. Crosses over ticked boxes
/// are left out, since a form shows them itself.
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

/// As [`for_each_shape`], for the shapes of a drawing.
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

pub fn finite_transform(transform: &Transform) -> Transform {
    Transform { m: transform.m.map(bounded_length) }
}

/// The larger scale of the two axes.
pub fn max_scale(transform: &Transform) -> f32 {
    let [a, b, c, d, ..] = transform.m;
    a.hypot(b).max(c.hypot(d))
}

/// Whether circles stay circles, so that widths and dashes can be scaled by [`max_scale`] without distortion.
pub fn keeps_shape(transform: &Transform) -> bool {
    let [a, b, c, d, ..] = transform.m;
    let (first, second) = (a.hypot(b), c.hypot(d));
    (first - second).abs() <= 1e-4 * first.max(second) && (a * c + b * d).abs() <= 1e-4 * first * second
}

pub fn keeps_rects_upright(transform: &Transform) -> bool {
    let [a, b, c, d, ..] = transform.m;
    let small = 1e-6 * max_scale(transform);
    (b.abs() <= small && c.abs() <= small) || (a.abs() <= small && d.abs() <= small)
}
