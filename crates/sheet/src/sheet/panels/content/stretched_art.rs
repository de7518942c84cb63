//! Art stretched to a rectangle: takes a drawing, gives it with its points moved so that what it draws fills the
//! rectangle. Lines keep their width.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::sheet::layout::block_rows::BlockRows;
use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::fonts::{GlyphSegment, glyph_outline};
use moldloft_drawing::scene::{Drawing, Paint, PaintStyle, Path, Rect, Segment, Shape, Stroke, TextLine, Transform};

/// Sizes are rounded down to this, mm, so that ships share their drawings.
const SIZE_STEP: f32 = 0.1;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArtFit {
    /// Fills the rectangle.
    #[default]
    Stretch,
    /// Keeps its proportions.
    Contain,
}

/// How the art is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ArtLook {
    pub fit: ArtFit,
    /// Grey in percent in place of each fill.
    pub tint: Option<f32>,
    /// Width in mm in place of that of each line; 0 for no lines.
    pub line: Option<f32>,
    /// Clockwise, in degrees.
    pub turn: f32,
}

/// The drawings of one panel by source and size: one `Arc` for all ships of a size.
#[derive(Debug, Default)]
pub struct StretchCache {
    // By the source's address, which stays unique as long as the source is kept here, the size and the form of the rows.
    stretched: Mutex<BTreeMap<(usize, [u32; 3]), (Arc<Drawing>, Arc<Drawing>)>>,
}

impl StretchCache {
    fn get(&self, source: &Arc<Drawing>, look: ArtLook, size: (f32, f32), rows: Option<&BlockRows>) -> Arc<Drawing> {
        let form = rows.map_or(0, BlockRows::form);
        let key = (Arc::as_ptr(source).addr(), [size.0.to_bits(), size.1.to_bits(), form]);
        let mut known = self.stretched.lock().unwrap_or_else(PoisonError::into_inner);
        let stretch = || (Arc::clone(source), Arc::new(stretch_drawing(source, look, size, rows)));
        Arc::clone(&known.entry(key).or_insert_with(stretch).1)
    }
}

/// A drawing in a panel's rectangle, under what else is there. A picture of pixels keeps its proportions.
#[derive(Debug)]
pub struct StretchedArt {
    pub drawing: Arc<Drawing>,
    pub look: ArtLook,
    pub cache: Arc<StretchCache>,
    /// Where its heights go, as shares of its own; as drawn without.
    pub rows: Option<BlockRows>,
}

impl Flowable for StretchedArt {
    fn measure(&self, width: f32, _styles: &TextStyles) -> SizeHint {
        let ink = match self.drawing.picture {
            Some(_) => Some(Transform::rotate(self.look.turn).bounding_rect(&self.drawing.frame())),
            None => ink_bounds(&turned_paths(&self.drawing, self.look)),
        };
        let (height, across) = ink.map_or((0.0, 1.0), |ink| (ink.h, ink.w.max(0.01)));
        let height = width * height / across;
        SizeHint { min_start: 0.0, min: 0.0, natural: height, max: height }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        if self.drawing.picture.is_some() {
            pen.turned_drawing(&self.drawing, rect, self.look.turn, None);
            return None;
        }
        let round = |side: f32| (side / SIZE_STEP).round() * SIZE_STEP;
        let (width, height) = (round(rect.w), round(rect.h));
        if width > 0.0 && height > 0.0 {
            let drawing = self.cache.get(&self.drawing, self.look, (width, height), self.rows.as_ref());
            let origin = pen.origin;
            pen.origin = (origin.0 + rect.x, origin.1 + rect.y);
            pen.drawing_at_origin(&drawing);
            pen.origin = origin;
        }
        None
    }

    fn follow_rows(&mut self, rows: BlockRows) {
        self.rows = Some(rows).filter(|_| self.look.fit == ArtFit::Stretch);
    }
}

/// Everything that is drawn.
fn turned_paths(drawing: &Drawing, look: ArtLook) -> Vec<(Path, PaintStyle)> {
    let mut paths = Vec::new();
    let turn = Transform::rotate(look.turn);
    drawing.shapes.iter().for_each(|shape| add_paths(shape, &turn, &mut paths));
    paths
}

/// The rectangle around the points of everything drawn.
fn ink_bounds(paths: &[(Path, PaintStyle)]) -> Option<Rect> {
    paths.iter().filter_map(|(path, _)| path.bounds()).reduce(|a, b| {
        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
        Rect::new(x, y, a.right().max(b.right()) - x, a.bottom().max(b.bottom()) - y)
    })
}

/// The paths of a shape; of a text, its letters'.
fn add_paths(shape: &Shape, by: &Transform, paths: &mut Vec<(Path, PaintStyle)>) {
    match shape {
        Shape::Path(path, style) => {
            let mut path = path.clone();
            path.segments.iter_mut().for_each(|segment| move_points(segment, |x, y| by.apply(x, y)));
            paths.push((path, style.clone()));
        }
        Shape::Text(text) => paths.push((letters_of(text, by), PaintStyle { fill: Some(text.paint), stroke: None })),
        Shape::Group { transform, items } => {
            let by = by.then_inner(transform);
            items.iter().for_each(|item| add_paths(&item.shape, &by, paths));
        }
        // A template's art has none of these.
        Shape::Rect { .. } | Shape::Circle { .. } | Shape::Use { .. } => {}
    }
}

fn letters_of(text: &TextLine, by: &Transform) -> Path {
    let mut segments = Vec::new();
    let mut pen = text.x;
    for glyph in &text.shaped.glyphs {
        let (left, base) = (pen + glyph.dx * text.size, text.y - glyph.dy * text.size);
        let at = |x: f32, y: f32| by.apply(left + x * text.size, base + y * text.size);
        let mut last = (0.0, 0.0);
        for segment in &glyph_outline(glyph.face, glyph.id).segments {
            let third = |from: f32, to: f32| from + (to - from) * 2.0 / 3.0;
            let (segment, end) = match *segment {
                GlyphSegment::Move(x, y) => (Segment::Move(at(x, y).0, at(x, y).1), (x, y)),
                GlyphSegment::Line(x, y) => (Segment::Line(at(x, y).0, at(x, y).1), (x, y)),
                GlyphSegment::Quad(cx, cy, x, y) => {
                    let one = at(third(last.0, cx), third(last.1, cy));
                    let (two, end) = (at(third(x, cx), third(y, cy)), at(x, y));
                    (Segment::Curve(one.0, one.1, two.0, two.1, end.0, end.1), (x, y))
                }
                GlyphSegment::Curve(ax, ay, bx, by, x, y) => {
                    let (one, two, end) = (at(ax, ay), at(bx, by), at(x, y));
                    (Segment::Curve(one.0, one.1, two.0, two.1, end.0, end.1), (x, y))
                }
                GlyphSegment::Close => (Segment::Close, last),
            };
            segments.push(segment);
            last = end;
        }
        pen += glyph.advance * text.size + text.spacing;
    }
    Path { segments, even_odd: false }
}

fn move_points(segment: &mut Segment, to: impl Fn(f32, f32) -> (f32, f32)) {
    match segment {
        Segment::Move(x, y) | Segment::Line(x, y) => (*x, *y) = to(*x, *y),
        Segment::Curve(ax, ay, bx, by, x, y) => {
            for (x, y) in [(ax, ay), (bx, by), (x, y)] {
                (*x, *y) = to(*x, *y);
            }
        }
        Segment::Close => {}
    }
}

/// A drawing's paths in a size, mm, inside half the width of its heaviest line.
fn stretch_drawing(source: &Drawing, look: ArtLook, (width, height): (f32, f32), rows: Option<&BlockRows>) -> Drawing {
    let mut paths = turned_paths(source, look);
    let ink = ink_bounds(&paths).unwrap_or(Rect::new(0.0, 0.0, 1.0, 1.0));
    paths.iter_mut().for_each(|(_, style)| *style = restyle(style, look));
    let heaviest = paths.iter().filter_map(|(_, style)| style.stroke.as_ref()).map(|stroke| stroke.width);
    let margin = (heaviest.fold(0.0, f32::max) / 2.0).min(width / 4.0).min(height / 4.0);
    let across = (width - 2.0 * margin) / ink.w.max(0.01);
    let down = (height - 2.0 * margin) / ink.h.max(0.01);
    let (across, down) = match look.fit {
        ArtFit::Stretch => (across, down),
        ArtFit::Contain => (across.min(down), across.min(down)),
    };
    let (left, top) = ((width - ink.w * across) / 2.0, (height - ink.h * down) / 2.0);
    let within = |y: f32| match rows {
        Some(rows) => rows.at(y / ink.h.max(0.01)) * ink.h,
        None => y,
    };
    let to = |x: f32, y: f32| (left + (x - ink.x) * across, top + within(y - ink.y) * down);
    let shapes = paths.into_iter().map(|(mut path, style)| {
        path.segments.iter_mut().for_each(|segment| move_points(segment, to));
        Shape::Path(path, style)
    });
    Drawing { name: source.name.clone(), width, height, picture: None, shapes: shapes.collect() }
}

fn restyle(style: &PaintStyle, look: ArtLook) -> PaintStyle {
    let grey = |tint: f32| Paint::grey((255.0 - 2.55 * tint).round().clamp(0.0, 255.0) as u8);
    let fill = match (style.fill, look.tint) {
        (Some(_), Some(tint)) => Some(grey(tint)),
        (fill, _) => fill,
    };
    let stroke = style.stroke.clone().and_then(|stroke| match look.line {
        Some(width) if width <= 0.0 => None,
        Some(width) => Some(Stroke { width, ..stroke }),
        None => Some(stroke),
    });
    PaintStyle { fill, stroke }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::block_rows::BlockNeed;

    fn arrow() -> Drawing {
        let segments = vec![
            Segment::Move(20.0, 10.0),
            Segment::Line(30.0, 40.0),
            Segment::Curve(25.0, 35.0, 15.0, 35.0, 10.0, 40.0),
            Segment::Close,
        ];
        let style = PaintStyle { fill: Some(Paint::grey(200)), stroke: Some(Stroke::new(Paint::grey(0), 0.6)) };
        let shapes = vec![Shape::Path(Path { segments, even_odd: false }, style)];
        Drawing { name: "arrow.svg".into(), width: 100.0, height: 100.0, picture: None, shapes }
    }

    fn only(drawing: &Drawing) -> (Rect, PaintStyle) {
        match drawing.shapes.as_slice() {
            [Shape::Path(path, style)] => (path.bounds().unwrap(), style.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_drawn_fills_the_size_and_lines_keep_their_width() {
        let (bounds, style) = only(&stretch_drawing(&arrow(), ArtLook::default(), (50.0, 20.0), None));
        for (found, wanted) in [(bounds.x, 0.3), (bounds.y, 0.3), (bounds.w, 49.4), (bounds.h, 19.4)] {
            assert!((found - wanted).abs() < 1e-3, "{bounds:?}");
        }
        assert_eq!(style.stroke.unwrap().width, 0.6);
    }

    #[test]
    fn art_under_panels_whose_heights_are_traded_keeps_its_place_under_them() {
        // The upper half gets three quarters of the height.
        let need = |top: f32, needed: f32| BlockNeed { top, bottom: top + 20.0, needed };
        let rows = BlockRows::fitting(40.0, &[need(0.0, 30.0), need(20.0, 5.0)], 0.1, 40.0).part(0.0, 40.0);
        let waist = || {
            let segments = vec![Segment::Move(0.0, 0.0), Segment::Line(4.0, 15.0), Segment::Line(0.0, 30.0)];
            let shapes = vec![Shape::Path(Path { segments, even_odd: false }, PaintStyle::default())];
            Drawing { name: "waist.svg".into(), width: 4.0, height: 30.0, picture: None, shapes }
        };
        let middle = |rows: Option<&BlockRows>| {
            let drawing = stretch_drawing(&waist(), ArtLook::default(), (10.0, 40.0), rows);
            let Shape::Path(path, _) = &drawing.shapes[0] else { panic!("a path") };
            let Segment::Line(_, y) = path.segments[1] else { panic!("a line") };
            y
        };
        assert!((middle(None) - 20.0).abs() < 0.01 && (middle(Some(&rows)) - 30.0).abs() < 0.05);
    }

    #[test]
    fn art_that_is_contained_keeps_its_proportions_in_the_middle() {
        let look = ArtLook { fit: ArtFit::Contain, tint: Some(0.0), line: Some(0.0), turn: 0.0 };
        let (bounds, style) = only(&stretch_drawing(&arrow(), look, (50.0, 30.0), None));
        assert!((bounds.w - 20.0).abs() < 1e-3 && (bounds.x - 15.0).abs() < 1e-3, "{bounds:?}");
        assert_eq!((style.fill, style.stroke.is_none()), (Some(Paint::grey(255)), true));
    }

    #[test]
    fn a_turned_drawing_fills_the_size_the_other_way() {
        let look = ArtLook { fit: ArtFit::Contain, line: Some(0.0), turn: 90.0, ..ArtLook::default() };
        let (bounds, _) = only(&stretch_drawing(&arrow(), look, (30.0, 50.0), None));
        assert!((bounds.w - 30.0).abs() < 1e-3 && (bounds.h - 20.0).abs() < 1e-3, "{bounds:?}");
    }

    #[test]
    fn letters_are_drawn_with_it() {
        let line = |x| {
            let shaped = moldloft_drawing::fonts::shape(moldloft_drawing::fonts::FontFace::Bold, "H1");
            Shape::Text(TextLine { shaped, x, y: 20.0, size: 4.0, spacing: 0.0, paint: Paint::grey(7) })
        };
        let turned = Shape::Group {
            transform: Transform::rotate(90.0),
            items: vec![moldloft_drawing::scene::SceneItem { shape: line(10.0), mark: None }],
        };
        let source = Drawing { shapes: vec![line(0.0), turned], ..arrow() };
        let drawing =
            stretch_drawing(&source, ArtLook { fit: ArtFit::Contain, ..ArtLook::default() }, (50.0, 30.0), None);
        let paths: Vec<Rect> = drawing
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Path(path, style) if style.fill == Some(Paint::grey(7)) => path.bounds(),
                _ => None,
            })
            .collect();
        let [level, upright] = paths.as_slice() else { panic!("{drawing:?}") };
        assert!(level.w > level.h && upright.h > upright.w && (level.w - upright.h).abs() < 0.01, "{paths:?}");
    }

    #[test]
    fn equal_sizes_share_a_drawing() {
        let (cache, source) = (StretchCache::default(), Arc::new(arrow()));
        let one = cache.get(&source, ArtLook::default(), (50.0, 20.0), None);
        assert!(Arc::ptr_eq(&one, &cache.get(&source, ArtLook::default(), (50.0, 20.0), None)));
        assert!(!Arc::ptr_eq(&one, &cache.get(&source, ArtLook::default(), (50.0, 21.0), None)));
    }
}
