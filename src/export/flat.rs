//! Walks nested groups and hands every shape on with the one transform it stands under: takes items, gives shapes in painting order.
//! Never draws. Hostile numbers become harmless here, and nesting beyond [`DEEPEST`] is not followed.

use crate::scene::{Item, Shape, Transform};

use super::safe;

/// Groups within groups that are followed.
pub const DEEPEST: usize = 64;

/// Calls `draw` for every shape but groups, with its transform.
pub fn walk<'a>(items: &'a [Item], draw: &mut impl FnMut(&'a Shape, &Transform)) {
    for item in items {
        shape(&item.shape, &Transform::IDENTITY, DEEPEST, draw);
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
