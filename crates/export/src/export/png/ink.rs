//! Where the shapes of a drawing can have ink: takes a drawing and its place, gives rectangles of whole pixels that do not
//! overlap, and in which of them each shape is. So a clipped drawing needs pixels only where it draws.

use crate::export::flatten::{finite_transform, for_each_nested_shape, max_scale};
use crate::export::limits::bounded_length;
use moldloft_drawing::scene::{PaintStyle, Segment, Shape, Transform};

/// With more shapes, they share one rectangle.
const MAX_SEPARATE: usize = 64;
/// In pixels: rounding, and the soft edges of shapes.
const MARGIN: f32 = 2.0;

/// Left, top, right and bottom, in pixels.
pub type PixelRect = [u32; 4];

pub struct InkRegions {
    pub rects: Vec<PixelRect>,
    /// For each shape in painting order, the index of its rectangle; `None` if it is outside of the clip.
    pub region_of_shape: Vec<Option<usize>>,
}

pub fn ink_regions(shapes: &[Shape], transform: &Transform, clip: PixelRect) -> InkRegions {
    let mut inked: Vec<Option<PixelRect>> = Vec::new();
    for_each_nested_shape(shapes, &mut |shape, inner| {
        inked.push(pixels_in(shape_reach(shape, &transform.then_inner(inner)), clip));
    });
    let mut rects: Vec<PixelRect> = Vec::new();
    for rect in inked.iter().flatten() {
        let mut rect = *rect;
        // A union may touch others.
        while let Some(at) = rects.iter().position(|other| inked.len() > MAX_SEPARATE || overlap(other, &rect)) {
            let other = rects.swap_remove(at);
            rect = [rect[0].min(other[0]), rect[1].min(other[1]), rect[2].max(other[2]), rect[3].max(other[3])];
        }
        rects.push(rect);
    }
    let region = |rect: &PixelRect| rects.iter().position(|region| overlap(region, rect));
    let region_of_shape = inked.iter().map(|rect| rect.as_ref().and_then(region)).collect();
    InkRegions { rects, region_of_shape }
}

fn overlap(a: &PixelRect, b: &PixelRect) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn pixels_in([left, top, right, bottom]: [f32; 4], clip: PixelRect) -> Option<PixelRect> {
    // Conversions saturate; a shape without points has an empty reach.
    let low = |at: f32, least: u32| ((at - MARGIN).floor() as u32).max(least);
    let high = |at: f32, most: u32| ((at + MARGIN).ceil() as u32).min(most);
    let rect = [low(left, clip[0]), low(top, clip[1]), high(right, clip[2]), high(bottom, clip[3])];
    (rect[0] < rect[2] && rect[1] < rect[3]).then_some(rect)
}

/// How far a shape may draw: left, top, right and bottom, in pixels.
fn shape_reach(shape: &Shape, transform: &Transform) -> [f32; 4] {
    let mut reach = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
    let mut add = |transform: &Transform, x: f32, y: f32| {
        let (x, y) = transform.apply(bounded_length(x), bounded_length(y));
        reach = [reach[0].min(x), reach[1].min(y), reach[2].max(x), reach[3].max(y)];
    };
    let mut corners = |transform: &Transform, x: f32, y: f32, w: f32, h: f32| {
        let (right, bottom) = (bounded_length(x) + bounded_length(w), bounded_length(y) + bounded_length(h));
        [(x, y), (right, y), (x, bottom), (right, bottom)].into_iter().for_each(|(x, y)| add(transform, x, y));
    };
    // A mitred corner reaches four half widths out.
    let pen = |style: &PaintStyle| {
        style.stroke.as_ref().map_or(0.0, |stroke| bounded_length(stroke.width) * 2.0 * max_scale(transform))
    };
    let more = match shape {
        Shape::Path(path, style) => {
            for segment in &path.segments {
                match *segment {
                    Segment::Move(x, y) | Segment::Line(x, y) => add(transform, x, y),
                    Segment::Curve(ax, ay, bx, by, x, y) => {
                        [(ax, ay), (bx, by), (x, y)].into_iter().for_each(|(x, y)| add(transform, x, y));
                    }
                    Segment::Close => {}
                }
            }
            pen(style)
        }
        Shape::Rect { rect, style, .. } => {
            corners(transform, rect.x, rect.y, rect.w.max(0.0), rect.h.max(0.0));
            pen(style)
        }
        Shape::Circle { x, y, radius, style } => {
            let radius = bounded_length(*radius).max(0.0);
            let (x, y) = (bounded_length(*x), bounded_length(*y));
            corners(transform, x - radius, y - radius, radius * 2.0, radius * 2.0);
            pen(style)
        }
        Shape::Use { drawing, transform: inner } => {
            // Contents reach at most 0.01 mm over the edges, or are clipped to them.
            let whole = transform.then_inner(&finite_transform(inner));
            corners(&whole, 0.0, 0.0, drawing.width, drawing.height);
            0.02 * max_scale(&whole)
        }
        // Letters may reach beyond their line.
        Shape::Text(_) => {
            return [f32::NEG_INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::INFINITY];
        }
        Shape::Group { .. } => 0.0,
    };
    [reach[0] - more, reach[1] - more, reach[2] + more, reach[3] + more]
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_drawing::scene::{Paint, Path, Rect, Stroke};

    fn rule(y: f32) -> Shape {
        let style = PaintStyle { fill: None, stroke: Some(Stroke::new(Paint::grey(0), 0.5)) };
        let segments = vec![Segment::Move(0.0, y), Segment::Line(100.0, y)];
        Shape::Path(Path { segments, even_odd: false }, style)
    }

    #[test]
    fn rules_far_apart_have_pixels_of_their_own() {
        let shapes = [rule(10.0), rule(10.5), rule(60.0), rule(500.0)];
        let found = ink_regions(&shapes, &Transform::scale(2.0, 2.0), [0, 0, 150, 400]);
        assert_eq!(found.rects, [[0, 16, 150, 25], [0, 116, 150, 124]]);
        assert_eq!(found.region_of_shape, [Some(0), Some(0), Some(1), None]);
    }

    #[test]
    fn numbers_that_are_none_are_read_as_the_canvas_reads_them() {
        let clip = [3, 4, 50, 60];
        let broken = Shape::Rect {
            rect: Rect::new(f32::NAN, 0.0, f32::INFINITY, 20_000.0),
            radius: 0.0,
            style: PaintStyle { fill: Some(Paint::grey(0)), stroke: None },
        };
        assert_eq!(ink_regions(&[broken], &Transform::IDENTITY, clip).rects, [clip]);
        let empty = Shape::Path(Path::default(), PaintStyle::default());
        assert!(ink_regions(&[empty], &Transform::IDENTITY, clip).rects.is_empty());
    }
}
