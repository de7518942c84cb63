//! Draws items into pixels. Upright boxes, rules and small text, nearly all of a sheet, have fast paths; tiny-skia
//! draws the rest. A drawing that exceeds its edges is drawn separately and clipped.

use std::collections::HashMap;
use std::sync::Arc;

use image::{RgbaImage, imageops};
use resvg::tiny_skia::{
    Color, ColorU8, FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint as Colour, PathBuilder, Pixmap,
    PixmapPaint, Stroke as Pen, StrokeDash, Transform as Matrix,
};

use super::blend::{self, BlendColour};
use super::glyphs;
use super::ink::{PixelRect, ink_regions};
use crate::export::curves;
use crate::export::flatten::{
    finite_transform, for_each_nested_shape, for_each_shape, keeps_rects_upright, keeps_shape, max_scale,
};
use crate::export::limits::{MAX_DEPTH, bounded_length, opacity_percent, output_colour};
use moldloft_drawing::scene::{
    Cap, Drawing, Join, Paint, PaintStyle, Path, Picture, Rect, SceneItem, Segment, Shape, Stroke, TextLine, Transform,
};

/// Larger shapes, in pixels, are not drawn: no paper is that large, and their curves would take minutes.
const MAX_EXTENT: f32 = 500_000.0;

pub fn draw_items<'a>(pixmap: &mut Pixmap, items: impl Iterator<Item = &'a SceneItem>, page: &Transform, grey: bool) {
    let mut canvas = Canvas { pixmap, mask: None, grey, cut: HashMap::new(), depth: MAX_DEPTH };
    for item in items {
        for_each_shape(std::slice::from_ref(item), &mut |shape, transform| {
            canvas.draw_shape(shape, &page.then_inner(transform))
        });
    }
}

struct Canvas<'a> {
    pixmap: &'a mut Pixmap,
    mask: Option<Mask>,
    grey: bool,
    /// Whether a drawing exceeds its edges, by address.
    cut: HashMap<usize, bool>,
    depth: usize,
}

impl Canvas<'_> {
    fn draw_shape(&mut self, shape: &Shape, transform: &Transform) {
        match shape {
            Shape::Path(path, style) => match straight_rule(path, style, transform) {
                Some((edges, paint)) if self.mask.is_none() => self.fill_rectangle(edges, paint),
                _ => self.draw_path(
                    |to| path.segments.iter().for_each(|&segment| to(segment)),
                    style,
                    transform,
                    path.even_odd,
                ),
            },
            Shape::Rect { rect, radius, style } => {
                if self.mask.is_none()
                    && bounded_length(*radius) <= 0.0
                    && self.draw_upright_rect(rect, style, transform)
                {
                    return;
                }
                let rect = Rect::new(
                    bounded_length(rect.x),
                    bounded_length(rect.y),
                    bounded_length(rect.w).max(0.0),
                    bounded_length(rect.h).max(0.0),
                );
                self.draw_path(|to| curves::rounded_rect(&rect, bounded_length(*radius), to), style, transform, false);
            }
            Shape::Circle { x, y, radius, style } => {
                self.draw_path(
                    |to| curves::circle(bounded_length(*x), bounded_length(*y), bounded_length(*radius).max(0.0), to),
                    style,
                    transform,
                    false,
                );
            }
            Shape::Text(text) => self.draw_text(text, transform),
            Shape::Use { drawing, transform: inner } => {
                if self.depth > 0 {
                    self.depth -= 1;
                    self.draw_drawing(drawing, &transform.then_inner(&finite_transform(inner)));
                    self.depth += 1;
                }
            }
            Shape::Group { .. } => {}
        }
    }

    fn blend_colour(&self, paint: &Paint) -> BlendColour {
        BlendColour {
            rgb: output_colour(paint.rgb, self.grey),
            alpha: (f32::from(opacity_percent(paint.alpha)) * 2.55).round() as u8,
        }
    }

    fn skia_paint(&self, paint: &Paint) -> Colour<'static> {
        let BlendColour { rgb: [r, g, b], alpha } = self.blend_colour(paint);
        let mut colour = Colour::default();
        colour.set_color(Color::from_rgba8(r, g, b, alpha));
        colour.anti_alias = true;
        colour
    }

    fn fill_rectangle(&mut self, edges: [f32; 4], paint: Paint) {
        let ink = self.blend_colour(&paint);
        blend::fill_rectangle(self.pixmap, edges, ink);
    }

    /// Draws an upright box with square corners and a solid stroke; false for others.
    fn draw_upright_rect(&mut self, rect: &Rect, style: &PaintStyle, transform: &Transform) -> bool {
        let stroke = style.stroke.as_ref().filter(|stroke| bounded_length(stroke.width) > 0.0);
        let plain = stroke.is_none_or(|stroke| {
            stroke.dash.is_empty()
                && stroke.join == Join::Miter
                && opacity_percent(stroke.paint.alpha) == 100
                && keeps_shape(transform)
        });
        if !plain || !keeps_rects_upright(transform) {
            return false;
        }
        let (ax, ay) = transform.apply(bounded_length(rect.x), bounded_length(rect.y));
        let (bx, by) = transform.apply(
            bounded_length(rect.x) + bounded_length(rect.w).max(0.0),
            bounded_length(rect.y) + bounded_length(rect.h).max(0.0),
        );
        let (left, top, right, bottom) = (ax.min(bx), ay.min(by), ax.max(bx), ay.max(by));
        if let Some(paint) = style.fill {
            self.fill_rectangle([left, top, right, bottom], paint);
        }
        if let Some(stroke) = stroke {
            let half = bounded_length(stroke.width) * max_scale(transform) / 2.0;
            let (inner_top, inner_bottom) = ((top + half).min(bottom - half), (bottom - half).max(top + half));
            for edges in [
                [left - half, top - half, right + half, inner_top],
                [left - half, inner_bottom, right + half, bottom + half],
                [left - half, inner_top, left + half, inner_bottom],
                [right - half, inner_top, right + half, inner_bottom],
            ] {
                self.fill_rectangle(edges, stroke.paint);
            }
        }
        true
    }

    fn draw_path(
        &mut self,
        segments: impl Fn(&mut dyn FnMut(Segment)),
        style: &PaintStyle,
        transform: &Transform,
        even_odd: bool,
    ) {
        let mut builder = PathBuilder::new();
        let mut begun = false;
        segments(&mut |segment| {
            match segment {
                Segment::Move(x, y) => builder.move_to(bounded_length(x), bounded_length(y)),
                Segment::Line(x, y) | Segment::Curve(.., x, y) if !begun => {
                    builder.move_to(bounded_length(x), bounded_length(y))
                }
                Segment::Line(x, y) => builder.line_to(bounded_length(x), bounded_length(y)),
                Segment::Curve(ax, ay, bx, by, x, y) => {
                    builder.cubic_to(
                        bounded_length(ax),
                        bounded_length(ay),
                        bounded_length(bx),
                        bounded_length(by),
                        bounded_length(x),
                        bounded_length(y),
                    );
                }
                Segment::Close if !begun => return,
                Segment::Close => builder.close(),
            }
            begun = true;
        });
        let Some(path) = builder.finish() else { return };
        let bounds = path.bounds();
        let reach = bounds.left().abs().max(bounds.right().abs()).max(bounds.top().abs()).max(bounds.bottom().abs());
        let pen_width = style.stroke.as_ref().map_or(0.0, |stroke| bounded_length(stroke.width));
        if (reach + pen_width) * max_scale(transform) > MAX_EXTENT {
            return;
        }
        let matrix = skia_transform(transform);
        if let Some(paint) = style.fill {
            let rule = if even_odd { FillRule::EvenOdd } else { FillRule::Winding };
            self.pixmap.fill_path(&path, &self.skia_paint(&paint), rule, matrix, self.mask.as_ref());
        }
        if let Some(stroke) = style.stroke.as_ref().filter(|stroke| bounded_length(stroke.width) > 0.0) {
            let mut pen = skia_stroke(stroke);
            // Ten thousand dashes only look grey and would take minutes, so they are drawn solid.
            let around = (bounds.width() + bounds.height()) * path.len() as f32;
            let period: f32 = stroke.dash.iter().take(16).map(|&part| bounded_length(part).max(0.0)).sum();
            if around > 10_000.0 * period {
                pen.dash = None;
            }
            self.pixmap.stroke_path(&path, &self.skia_paint(&stroke.paint), &pen, matrix, self.mask.as_ref());
        }
    }

    fn draw_text(&mut self, text: &TextLine, transform: &Transform) {
        let (run, size) = (&text.shaped, bounded_length(text.size));
        if size <= 0.0 || opacity_percent(text.paint.alpha) == 0 {
            return;
        }
        let [a, b, c, d, ..] = transform.m;
        let em = a * size;
        let small = em > 0.0 && em <= glyphs::MAX_MASK_EM && b.abs() + c.abs() < 1e-6 && (a - d).abs() <= 1e-5 * a;
        let spacing = bounded_length(text.spacing) / size;
        let mut pen = 0.0;
        if small && self.mask.is_none() {
            let (x, y) = transform.apply(bounded_length(text.x), bounded_length(text.y));
            let ink = self.blend_colour(&text.paint);
            for glyph in &run.glyphs {
                let (gx, gy) = (x + (pen + glyph.dx) * em, y - glyph.dy * em);
                if let Some((drawn, (px, py))) = glyphs::cached_mask(glyph.face, glyph.id, em, gx, gy) {
                    let at = (px.saturating_add(drawn.left), py.saturating_add(drawn.top));
                    blend::blend_mask(self.pixmap, &drawn.coverage, drawn.width, at, ink);
                }
                pen += glyph.advance + spacing;
            }
            return;
        }
        let mut builder = PathBuilder::new();
        for glyph in &run.glyphs {
            glyphs::add_outline(&mut builder, glyph.face, glyph.id, pen + glyph.dx, -glyph.dy);
            pen += glyph.advance + spacing;
        }
        let Some(path) = builder.finish() else { return };
        let place = Transform { m: [size, 0.0, 0.0, size, bounded_length(text.x), bounded_length(text.y)] };
        let matrix = skia_transform(&transform.then_inner(&place));
        self.pixmap.fill_path(&path, &self.skia_paint(&text.paint), FillRule::Winding, matrix, self.mask.as_ref());
    }

    fn draw_drawing(&mut self, drawing: &Arc<Drawing>, transform: &Transform) {
        if let Some(picture) = &drawing.picture {
            self.draw_picture(picture, drawing, transform);
        }
        let cut = *self.cut.entry(Arc::as_ptr(drawing).addr()).or_insert_with(|| reaches_out(drawing));
        if !cut {
            for_each_nested_shape(&drawing.shapes, &mut |shape, inner| {
                self.draw_shape(shape, &transform.then_inner(inner))
            });
            return;
        }
        let (width, height) = (bounded_length(drawing.width), bounded_length(drawing.height));
        let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)].map(|(x, y)| transform.apply(x, y));
        let limit = |at: f32, most: u32| at.clamp(0.0, most as f32);
        let edge = |pick: fn(&(f32, f32)) -> f32, least: bool| {
            let all = corners.iter().map(pick);
            if least { all.fold(f32::MAX, f32::min) } else { all.fold(f32::MIN, f32::max) }
        };
        let left = limit(edge(|at| at.0, true).floor(), self.pixmap.width());
        let top = limit(edge(|at| at.1, true).floor(), self.pixmap.height());
        let right = limit(edge(|at| at.0, false).ceil(), self.pixmap.width());
        let bottom = limit(edge(|at| at.1, false).ceil(), self.pixmap.height());
        let clip = [left as u32, top as u32, right as u32, bottom as u32];
        let ink = ink_regions(&drawing.shapes, transform, clip);
        for (region, &rect) in ink.rects.iter().enumerate() {
            let holds = |shape: usize| ink.region_of_shape.get(shape).is_some_and(|of| *of == Some(region));
            self.draw_clipped(drawing, transform, corners, rect, holds);
        }
    }

    fn draw_picture(&mut self, picture: &Picture, drawing: &Drawing, transform: &Transform) {
        let pixels = RgbaImage::from_raw(picture.width, picture.height, picture.pixels.clone());
        let Some(mut pixels) = pixels.filter(|pixels| pixels.width() > 0 && pixels.height() > 0) else { return };
        let place = |pixels: &RgbaImage| {
            let across = bounded_length(drawing.width) / pixels.width() as f32;
            let down = bounded_length(drawing.height) / pixels.height() as f32;
            transform.then_inner(&Transform::scale(across, down))
        };
        // What is drawn much smaller is averaged first: the canvas looks at four pixels alone.
        let scale = max_scale(&place(&pixels));
        if scale < 1.0 {
            let side = |side: u32| ((side as f32 * scale).ceil() as u32).clamp(1, side);
            pixels = imageops::thumbnail(&pixels, side(picture.width), side(picture.height));
        }
        let matrix = skia_transform(&place(&pixels));
        let (width, height) = pixels.dimensions();
        let Some(mut pixmap) = Pixmap::new(width, height) else { return };
        for (to, from) in pixmap.pixels_mut().iter_mut().zip(pixels.pixels()) {
            let [r, g, b] = output_colour([from[0], from[1], from[2]], self.grey);
            *to = ColorU8::from_rgba(r, g, b, from[3]).premultiply();
        }
        let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
        self.pixmap.draw_pixmap(0, 0, pixmap.as_ref(), &paint, matrix, self.mask.as_ref());
    }

    /// Draws the shapes that `holds` accepts, by index, within the drawing's corners. They draw nothing outside of `rect`.
    fn draw_clipped(
        &mut self,
        drawing: &Drawing,
        transform: &Transform,
        corners: [(f32, f32); 4],
        [left, top, right, bottom]: PixelRect,
        holds: impl Fn(usize) -> bool,
    ) {
        let (wide, high) = (right - left, bottom - top);
        let (Some(mut clipped), Some(mut mask)) = (Pixmap::new(wide, high), Mask::new(wide, high)) else { return };
        let (x, y) = (left as f32, top as f32);
        let mut builder = PathBuilder::new();
        corners.iter().enumerate().for_each(|(index, &(across, down))| {
            if index == 0 { builder.move_to(across - x, down - y) } else { builder.line_to(across - x, down - y) }
        });
        builder.close();
        let Some(frame) = builder.finish() else { return };
        mask.fill_path(&frame, FillRule::Winding, true, Matrix::identity());
        let moved = Transform::translate(-x, -y).then_inner(transform);
        let mut inner = Canvas {
            pixmap: &mut clipped,
            mask: Some(mask),
            grey: self.grey,
            cut: std::mem::take(&mut self.cut),
            depth: self.depth,
        };
        let mut index = 0;
        for_each_nested_shape(&drawing.shapes, &mut |shape, transform| {
            if holds(index) {
                inner.draw_shape(shape, &moved.then_inner(transform));
            }
            index += 1;
        });
        self.cut = inner.cut;
        let Some(mask) = &self.mask else {
            return blend::draw_over(self.pixmap, &clipped, (left as usize, top as usize));
        };
        let paint = PixmapPaint::default();
        let at = (left as i32, top as i32);
        self.pixmap.draw_pixmap(at.0, at.1, clipped.as_ref(), &paint, Matrix::identity(), Some(mask));
    }
}

/// A horizontal or vertical rule with butt caps, as a rectangle in pixels.
fn straight_rule(path: &Path, style: &PaintStyle, transform: &Transform) -> Option<([f32; 4], Paint)> {
    let [Segment::Move(ax, ay), Segment::Line(bx, by)] = path.segments[..] else { return None };
    let stroke = style.stroke.as_ref()?;
    if stroke.cap != Cap::Butt
        || !stroke.dash.is_empty()
        || bounded_length(stroke.width) <= 0.0
        || !keeps_shape(transform)
    {
        return None;
    }
    let ((ax, ay), (bx, by)) = (
        transform.apply(bounded_length(ax), bounded_length(ay)),
        transform.apply(bounded_length(bx), bounded_length(by)),
    );
    let half = bounded_length(stroke.width) * max_scale(transform) / 2.0;
    if (ay - by).abs() < 1e-4 {
        Some(([ax.min(bx), ay - half, ax.max(bx), ay + half], stroke.paint))
    } else if (ax - bx).abs() < 1e-4 {
        Some(([ax - half, ay.min(by), ax + half, ay.max(by)], stroke.paint))
    } else {
        None
    }
}

fn skia_stroke(stroke: &Stroke) -> Pen {
    let mut dash: Vec<f32> = stroke.dash.iter().take(16).map(|&part| bounded_length(part).max(0.0)).collect();
    if dash.len() % 2 == 1 {
        dash.extend_from_within(..);
    }
    Pen {
        width: bounded_length(stroke.width),
        miter_limit: 4.0,
        line_cap: match stroke.cap {
            Cap::Butt => LineCap::Butt,
            Cap::Round => LineCap::Round,
            Cap::Square => LineCap::Square,
        },
        line_join: match stroke.join {
            Join::Miter => LineJoin::Miter,
            Join::Round => LineJoin::Round,
            Join::Bevel => LineJoin::Bevel,
        },
        dash: StrokeDash::new(dash, 0.0),
    }
}

fn skia_transform(transform: &Transform) -> Matrix {
    let [a, b, c, d, e, f] = transform.m;
    Matrix::from_row(a, b, c, d, e, f)
}

/// Whether any content exceeds the edges of a drawing. May err on the safe side, since control points count.
fn reaches_out(drawing: &Drawing) -> bool {
    let (width, height) = (bounded_length(drawing.width), bounded_length(drawing.height));
    let mut out = false;
    let mut see = |transform: &Transform, x: f32, y: f32, around: f32| {
        let (x, y) = transform.apply(bounded_length(x), bounded_length(y));
        let around = around - 0.01;
        out |= x - around < 0.0 || y - around < 0.0 || x + around > width || y + around > height;
    };
    for_each_nested_shape(&drawing.shapes, &mut |shape, transform| {
        let reach = |style: &PaintStyle, sharp: f32| {
            style
                .stroke
                .as_ref()
                .map_or(0.0, |stroke| bounded_length(stroke.width) * max_scale(transform) / 2.0 * sharp)
        };
        match shape {
            Shape::Path(path, style) => {
                let around = reach(style, if path.segments.len() > 2 { 1.5 } else { 1.0 });
                for segment in &path.segments {
                    match *segment {
                        Segment::Move(x, y) | Segment::Line(x, y) => see(transform, x, y, around),
                        Segment::Curve(ax, ay, bx, by, x, y) => {
                            [(ax, ay), (bx, by), (x, y)].into_iter().for_each(|(x, y)| see(transform, x, y, around));
                        }
                        Segment::Close => {}
                    }
                }
            }
            Shape::Rect { rect, style, .. } => {
                see(transform, rect.x, rect.y, reach(style, 1.0));
                see(transform, rect.right(), rect.bottom(), reach(style, 1.0));
                see(transform, rect.right(), rect.y, reach(style, 1.0));
                see(transform, rect.x, rect.bottom(), reach(style, 1.0));
            }
            Shape::Circle { x, y, radius, style } => {
                see(transform, *x, *y, radius * max_scale(transform) + reach(style, 1.0))
            }
            Shape::Text(text) => {
                see(transform, text.x, text.y - text.size, 0.0);
                see(transform, text.x + text.width(), text.y + 0.3 * text.size, 0.0);
            }
            Shape::Use { drawing, transform: inner } => {
                let whole = transform.then_inner(&finite_transform(inner));
                for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
                    see(&whole, x * bounded_length(drawing.width), y * bounded_length(drawing.height), 0.0);
                }
            }
            Shape::Group { .. } => {}
        }
    });
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use moldloft_drawing::scene::Page;

    /// Two frames and a line, some beyond the edges of the drawing.
    fn shapes() -> Vec<Shape> {
        let style = |fill: Option<Paint>| PaintStyle { fill, stroke: Some(Stroke::new(Paint::grey(20), 0.7)) };
        let frame = |x, y, fill| Shape::Rect { rect: Rect::new(x, y, 9.3, 6.1), radius: 1.0, style: style(fill) };
        let segments = vec![Segment::Move(-3.0, 41.2), Segment::Line(70.0, 33.9)];
        let line = Shape::Path(Path { segments, even_odd: false }, style(None));
        vec![frame(-2.0, 3.3, Some(Paint::grey(150))), frame(45.2, 25.7, None), line]
    }

    fn picture(drawings: Vec<Vec<Shape>>) -> Vec<u8> {
        let transform = Transform { m: [1.03, 0.0, 0.0, 1.03, 4.7, 2.9] };
        let items = drawings.into_iter().map(|shapes| {
            let drawing = Arc::new(Drawing { width: 52.0, height: 43.0, shapes, ..Drawing::default() });
            SceneItem { shape: Shape::Use { drawing, transform }, mark: None }
        });
        let page = Page { width: 80.0, height: 60.0, items: items.collect(), ..Page::default() };
        let mut pixmap = Pixmap::new(330, 240).unwrap();
        pixmap.fill(Color::WHITE);
        draw_items(&mut pixmap, page.items.iter(), &Transform::scale(4.11, 4.11), false);
        pixmap.data().to_vec()
    }

    #[test]
    fn shapes_of_a_clipped_drawing_look_the_same_apart_and_together() {
        let together = picture(vec![shapes()]);
        assert_eq!(together, picture(shapes().into_iter().map(|shape| vec![shape]).collect()));
        // An invisible line over all of it makes them share the pixels of the whole drawing.
        let everywhere = Shape::Path(
            Path { segments: vec![Segment::Move(-9.0, -9.0), Segment::Line(90.0, 90.0)], even_odd: false },
            PaintStyle::default(),
        );
        assert_eq!(together, picture(vec![shapes().into_iter().chain([everywhere]).collect()]));
        assert!(together.chunks_exact(4).any(|pixel| pixel[0] < 60));
    }
}
