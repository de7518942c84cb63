//! Walks nested groups and hands every shape on with the one transform it stands under: takes items, gives shapes in painting order.
//! Never draws. Hostile numbers become harmless here, and nesting beyond [`DEEPEST`] is not followed.

use crate::scene::{Item, Mark, MarkKind, Shape, Transform};

use super::safe;

/// Groups within groups that are followed.
pub const DEEPEST: usize = 64;

/// Calls `draw` for every shape but groups, with its transform.
pub fn walk<'a>(items: &'a [Item], draw: &mut impl FnMut(&'a Shape, &Transform)) {
    for item in items {
        shape(&item.shape, &Transform::IDENTITY, DEEPEST, true, draw);
    }
}

/// The same, the crosses over ticked boxes left out: a form shows those by itself.
pub fn walk_uncrossed<'a>(items: &'a [Item], draw: &mut impl FnMut(&'a Shape, &Transform)) {
    for item in items.iter().filter(|item| !is_cross(item)) {
        shape(&item.shape, &Transform::IDENTITY, DEEPEST, false, draw);
    }
}

fn is_cross(item: &Item) -> bool {
    item.mark.as_ref().is_some_and(|mark| mark.kind == MarkKind::Cross)
}

/// Calls `each` for every marked item, groups too, with the transform that it stands under.
pub fn marks<'a>(items: &'a [Item], each: &mut impl FnMut(&'a Mark, &'a Shape, &Transform)) {
    marked(items, &Transform::IDENTITY, DEEPEST, each);
}

fn marked<'a>(
    items: &'a [Item],
    outer: &Transform,
    depth: usize,
    each: &mut impl FnMut(&'a Mark, &'a Shape, &Transform),
) {
    for item in items {
        if let Some(mark) = &item.mark {
            each(mark, &item.shape, outer);
        }
        if let (Shape::Group { transform, items }, Some(depth)) = (&item.shape, depth.checked_sub(1)) {
            marked(items, &outer.then_inner(&sound(transform)), depth, each);
        }
    }
}

/// The same for the shapes of a drawing.
pub fn walk_shapes<'a>(shapes: &'a [Shape], draw: &mut impl FnMut(&'a Shape, &Transform)) {
    for inner in shapes {
        shape(inner, &Transform::IDENTITY, DEEPEST, true, draw);
    }
}

fn shape<'a>(
    shown: &'a Shape,
    outer: &Transform,
    depth: usize,
    crosses: bool,
    draw: &mut impl FnMut(&'a Shape, &Transform),
) {
    match shown {
        Shape::Group { transform, items } => {
            if depth > 0 {
                let transform = outer.then_inner(&sound(transform));
                for item in items.iter().filter(|item| crosses || !is_cross(item)) {
                    shape(&item.shape, &transform, depth - 1, crosses, draw);
                }
            }
        }
        _ => draw(shown, outer),
    }
}

/// A transform of numbers fit to be written.
pub fn sound(transform: &Transform) -> Transform {
    Transform { m: transform.m.map(safe) }
}

/// How much a transform enlarges, at most: the longer of the two axes.
pub fn scale(transform: &Transform) -> f32 {
    let [a, b, c, d, ..] = transform.m;
    a.hypot(b).max(c.hypot(d))
}

/// Whether circles stay circles: then widths and dashes can be scaled by [`scale`], and no stroke is distorted.
pub fn keeps_shape(transform: &Transform) -> bool {
    let [a, b, c, d, ..] = transform.m;
    let (first, second) = (a.hypot(b), c.hypot(d));
    (first - second).abs() <= 1e-4 * first.max(second) && (a * c + b * d).abs() <= 1e-4 * first * second
}

/// Whether upright rectangles stay upright.
pub fn keeps_upright(transform: &Transform) -> bool {
    let [a, b, c, d, ..] = transform.m;
    let small = 1e-6 * scale(transform);
    (b.abs() <= small && c.abs() <= small) || (a.abs() <= small && d.abs() <= small)
}
