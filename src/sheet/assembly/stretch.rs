//! Shapes of a template's art, moved and stretched.

use crate::scene::{Path, Rect, Segment, Shape};

/// The rectangle around a shape's points.
pub fn bounds(shape: &Shape) -> Rect {
    let Shape::Path(path, _) = shape else { return Rect::default() };
    let (mut left, mut top, mut right, mut bottom) = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
    let mut add = |x: f32, y: f32| {
        (left, top, right, bottom) = (left.min(x), top.min(y), right.max(x), bottom.max(y));
    };
    for segment in &path.segments {
        match *segment {
            Segment::Move(x, y) | Segment::Line(x, y) => add(x, y),
            Segment::Curve(ax, ay, bx, by, x, y) => {
                [(ax, ay), (bx, by), (x, y)].into_iter().for_each(|(x, y)| add(x, y))
            }
            Segment::Close => {}
        }
    }
    if left > right { Rect::default() } else { Rect::new(left, top, right - left, bottom - top) }
}

/// The shape with its points moved; lines keep their width.
pub fn map_shape(shape: &Shape, to: impl Fn(f32, f32) -> (f32, f32)) -> Shape {
    let Shape::Path(path, style) = shape else { return shape.clone() };
    let segments = path.segments.iter().map(|segment| match *segment {
        Segment::Move(x, y) => {
            let (x, y) = to(x, y);
            Segment::Move(x, y)
        }
        Segment::Line(x, y) => {
            let (x, y) = to(x, y);
            Segment::Line(x, y)
        }
        Segment::Curve(ax, ay, bx, by, x, y) => {
            let ((ax, ay), (bx, by), (x, y)) = (to(ax, ay), to(bx, by), to(x, y));
            Segment::Curve(ax, ay, bx, by, x, y)
        }
        Segment::Close => Segment::Close,
    });
    Shape::Path(Path { segments: segments.collect(), even_odd: path.even_odd }, style.clone())
}
