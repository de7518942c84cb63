//! Walks nested groups and hands every shape on with the one transform it stands under: takes items, gives shapes in painting order.
//! Never draws. Hostile numbers become harmless here, and nesting beyond [`DEEPEST`] is not followed.

use crate::scene::{Item, MarkKind, Shape, Transform};

use super::safe;

/// Groups within groups that are followed.
pub const DEEPEST: usize = 64;

/// Calls `draw` for every shape but groups, with its transform.
pub fn walk<'a>(items: &'a [Item], draw: &mut impl FnMut(&'a Shape, &Transform)) {
    for item in items {
        shape(&item.shape, &Transform::IDENTITY, DEEPEST, draw);
    }
}

/// Calls `each` for every item, groups too and before what they hold, with its number and the transform that it stands under. The crosses over
/// ticked boxes are left out: a form shows those by itself.
pub fn each<'a>(items: &'a [Item], each: &mut impl FnMut(usize, &'a Item, &Transform)) {
    let mut number = 0;
    numbered(items, &Transform::IDENTITY, DEEPEST, &mut number, each);
}

fn numbered<'a>(
    items: &'a [Item],
    outer: &Transform,
    depth: usize,
    number: &mut usize,
    each: &mut impl FnMut(usize, &'a Item, &Transform),
) {
    for item in items {
        if item.mark.as_ref().is_some_and(|mark| mark.kind == MarkKind::Cross) {
            continue;
        }
        each(*number, item, outer);
        *number += 1;
        if let (Shape::Group { transform, items }, Some(depth)) = (&item.shape, depth.checked_sub(1)) {
            numbered(items, &outer.then_inner(&sound(transform)), depth, number, each);
        }
    }
}

/// The same for the shapes of a drawing.
pub fn walk_shapes<'a>(shapes: &'a [Shape], draw: &mut impl FnMut(&'a Shape, &Transform)) {
    for inner in shapes {
        shape(inner, &Transform::IDENTITY, DEEPEST, draw);
    }
}

fn shape<'a>(shown: &'a Shape, outer: &Transform, depth: usize, draw: &mut impl FnMut(&'a Shape, &Transform)) {
    match shown {
        Shape::Group { transform, items } => {
            if depth > 0 {
                let transform = outer.then_inner(&sound(transform));
                for item in items {
                    shape(&item.shape, &transform, depth - 1, draw);
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
