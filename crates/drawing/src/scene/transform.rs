//! Applies a transform to an item in place. Coordinates are changed where the shape allows it, so that a box stays a
//! box; groups are the last resort.

use super::{PaintStyle, Path, Rect, SceneItem, Segment, Shape, Transform};

impl SceneItem {
    pub fn transform(&mut self, by: &Transform) {
        transform_shape(&mut self.shape, by);
    }
}

impl Transform {
    /// Translation and uniform scale: text stays text.
    fn is_uniform(&self) -> bool {
        let [a, b, c, d, ..] = self.m;
        b == 0.0 && c == 0.0 && a > 0.0 && a == d
    }

    fn is_axis_aligned(&self) -> bool {
        let [a, b, c, d, ..] = self.m;
        (b == 0.0 && c == 0.0) || (a == 0.0 && d == 0.0)
    }

    /// Mean factor for lengths.
    fn mean_scale(&self) -> f32 {
        let [a, b, c, d, ..] = self.m;
        (a * d - b * c).abs().sqrt()
    }

    pub fn bounding_rect(&self, rect: &Rect) -> Rect {
        let corners =
            [(rect.x, rect.y), (rect.right(), rect.y), (rect.x, rect.bottom()), (rect.right(), rect.bottom())];
        Rect::around(corners.map(|(x, y)| self.apply(x, y))).unwrap_or_default()
    }
}

fn transform_shape(shape: &mut Shape, by: &Transform) {
    let growth = by.mean_scale();
    match shape {
        Shape::Use { transform, .. } | Shape::Group { transform, .. } => *transform = by.then_inner(transform),
        Shape::Text(text) if by.is_uniform() => {
            (text.x, text.y) = by.apply(text.x, text.y);
            text.size *= growth;
            text.spacing *= growth;
        }
        Shape::Path(path, style) if by.is_axis_aligned() => {
            path.transform(by);
            scale_style(style, growth);
        }
        Shape::Rect { rect, radius, style } if by.is_axis_aligned() => {
            *rect = by.bounding_rect(rect);
            *radius *= growth;
            scale_style(style, growth);
        }
        Shape::Circle { x, y, radius, style } if by.is_axis_aligned() => {
            (*x, *y) = by.apply(*x, *y);
            *radius *= growth;
            scale_style(style, growth);
        }
        _ => {
            let inner = std::mem::replace(shape, Shape::Path(Path::default(), PaintStyle::default()));
            *shape = Shape::Group { transform: *by, items: vec![SceneItem { shape: inner, mark: None }] };
        }
    }
}

impl Path {
    fn transform(&mut self, by: &Transform) {
        for segment in &mut self.segments {
            match segment {
                Segment::Move(x, y) | Segment::Line(x, y) => (*x, *y) = by.apply(*x, *y),
                Segment::Curve(ax, ay, bx, by_, x, y) => {
                    (*ax, *ay) = by.apply(*ax, *ay);
                    (*bx, *by_) = by.apply(*bx, *by_);
                    (*x, *y) = by.apply(*x, *y);
                }
                Segment::Close => {}
            }
        }
    }
}

fn scale_style(style: &mut PaintStyle, by: f32) {
    if let Some(stroke) = style.stroke.as_mut().filter(|_| by != 1.0) {
        stroke.width *= by;
        stroke.dash.iter_mut().for_each(|part| *part *= by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed() -> SceneItem {
        SceneItem {
            shape: Shape::Rect { rect: Rect::new(10.0, 20.0, 4.0, 3.0), radius: 0.0, style: PaintStyle::default() },
            mark: None,
        }
    }

    fn rect(item: &SceneItem) -> Rect {
        match &item.shape {
            Shape::Rect { rect, .. } => *rect,
            other => panic!("a box became {other:?}"),
        }
    }

    #[test]
    fn boxes_stay_boxes() {
        let mut moved = boxed();
        moved.transform(&Transform { m: [0.5, 0.0, 0.0, 0.5, 1.0, 2.0] });
        assert_eq!(rect(&moved), Rect::new(6.0, 12.0, 2.0, 1.5));
        let mut turned = boxed();
        // A quarter turn anticlockwise on a page 100 mm wide.
        turned.transform(&Transform { m: [0.0, -1.0, 1.0, 0.0, 0.0, 100.0] });
        assert_eq!(rect(&turned), Rect::new(20.0, 86.0, 3.0, 4.0));
        let mut half = boxed();
        half.transform(&Transform { m: [-1.0, 0.0, 0.0, -1.0, 100.0, 100.0] });
        assert_eq!(rect(&half), Rect::new(86.0, 77.0, 4.0, 3.0));
        let mut slanted = boxed();
        slanted.transform(&Transform::rotate(30.0));
        assert!(matches!(slanted.shape, Shape::Group { .. }));
    }
}
