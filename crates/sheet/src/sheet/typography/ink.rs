//! What is visible on a page: takes its items, gives texts with the extent of their glyphs, and lines with the shape
//! that they outline.

use crate::sheet::layout::minimum_sizes::POINT_MM;
use moldloft_drawing::fonts::{FontFace, glyph_outline};
use moldloft_drawing::scene::{
    Drawing, MarkKind, PaintStyle, Path, Rect, SceneItem, Segment, Shape, TextLine, Transform,
};

/// A line of text as it is drawn.
pub(super) struct InkText {
    pub words: Box<str>,
    pub face: FontFace,
    /// In points on the page.
    pub points: f32,
    /// Letter spacing in ems.
    pub spacing: f32,
    /// Extent of the glyphs before `to_page`.
    pub local: Rect,
    pub to_page: Transform,
    /// The baseline's position on the page, mm.
    pub baseline: f32,
    /// Extent of the glyphs on the page.
    pub extent: Rect,
    /// Index among everything drawn.
    pub order: usize,
}

/// A straight piece of a visible line.
pub(super) struct InkLine {
    pub from: (f32, f32),
    pub to: (f32, f32),
    /// Half its width, mm.
    pub half: f32,
    /// Index in `shapes`.
    pub shape: usize,
}

/// What lines outline.
pub(super) struct InkShape {
    pub bounds: Rect,
    pub is_closed: bool,
    pub order: usize,
}

/// What covers everything drawn before it.
pub(super) struct InkCover {
    pub bounds: Rect,
    pub order: usize,
}

pub(super) struct PageInk {
    pub size: (f32, f32),
    pub texts: Vec<InkText>,
    pub lines: Vec<InkLine>,
    pub shapes: Vec<InkShape>,
    pub covers: Vec<InkCover>,
    /// Small drawings: icons.
    pub icons: Vec<Rect>,
}

/// Paler lines are shading, not lines: grey levels of 255.
const PALE: u32 = 228;
/// Drawings of at most this width and height are icons, which belong to a text like its letters, mm.
const MAX_ICON: f32 = 14.0;
/// Pieces of a curve.
const CURVE_PIECES: u16 = 6;
/// Pieces of a circle.
const CIRCLE_PIECES: usize = 16;
/// A filled shape of this width is a line, mm.
const MAX_FILLED_LINE: f32 = 0.8;
/// Coordinates beyond it are not on any paper, mm.
const MAX_COORDINATE: f32 = 3_000.0;
/// Items beyond it are not looked at.
const MAX_ITEMS: usize = 200_000;
/// How deep groups are looked into.
const MAX_DEPTH: usize = 24;

impl PageInk {
    pub fn new(items: &[SceneItem], size: (f32, f32)) -> Self {
        let (texts, lines, shapes) = (Vec::new(), Vec::new(), Vec::new());
        let mut ink = Self { size, texts, lines, shapes, covers: Vec::new(), icons: Vec::new() };
        let mut order = 0;
        ink.add_items(items, &Transform::IDENTITY, &mut order, 0);
        ink
    }

    fn add_items(&mut self, items: &[SceneItem], by: &Transform, order: &mut usize, depth: usize) {
        for item in items {
            // A pencil's cross is over what it strikes out.
            if item.mark.as_ref().is_some_and(|mark| mark.kind == MarkKind::Cross) {
                continue;
            }
            if let Shape::Group { transform, items } = &item.shape {
                if depth < MAX_DEPTH {
                    self.add_items(items, &by.then_inner(transform), order, depth + 1);
                }
                continue;
            }
            self.add_shape(&item.shape, by, order, depth);
        }
    }

    fn add_shape(&mut self, shape: &Shape, by: &Transform, order: &mut usize, depth: usize) {
        *order += 1;
        if *order > MAX_ITEMS {
            return;
        }
        match shape {
            Shape::Text(text) => self.add_text(text, by, *order),
            Shape::Rect { rect, style, .. } => {
                let (left, top, right, bottom) = (rect.x, rect.y, rect.right(), rect.bottom());
                let points = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
                self.add_outline(&[points], true, style, by, *order);
            }
            Shape::Circle { x, y, radius, style } => {
                let points: [_; CIRCLE_PIECES + 1] = std::array::from_fn(|n| {
                    let (sin, cos) = (std::f32::consts::TAU * n as f32 / CIRCLE_PIECES as f32).sin_cos();
                    (x + radius * cos, y + radius * sin)
                });
                self.add_outline(&[points], true, style, by, *order);
            }
            Shape::Path(path, style) => {
                let (outlines, is_closed) = flatten(path);
                self.add_outline(&outlines, is_closed, style, by, *order);
            }
            Shape::Use { drawing, transform } => self.add_drawing(drawing, &by.then_inner(transform), order, depth),
            Shape::Group { .. } => {}
        }
    }

    fn add_drawing(&mut self, drawing: &Drawing, by: &Transform, order: &mut usize, depth: usize) {
        let extent = by.bounding_rect(&Rect::new(0.0, 0.0, drawing.width, drawing.height));
        if extent.w.max(extent.h) <= MAX_ICON {
            self.icons.push(extent);
        } else if depth < MAX_DEPTH {
            let (lines, shapes, covers) = (self.lines.len(), self.shapes.len(), self.covers.len());
            for shape in &drawing.shapes {
                match shape {
                    Shape::Group { transform, items } => {
                        self.add_items(items, &by.then_inner(transform), order, depth + 1);
                    }
                    shape => self.add_shape(shape, by, order, depth + 1),
                }
            }
            // A drawing is clipped to its size.
            self.shapes[shapes..].iter_mut().for_each(|shape| shape.bounds = common_part(&shape.bounds, &extent));
            self.covers[covers..].iter_mut().for_each(|cover| cover.bounds = common_part(&cover.bounds, &extent));
            let drawn = self.lines.split_off(lines);
            self.lines.extend(drawn.into_iter().filter_map(|line| clipped(line, &extent)));
        }
    }

    fn add_text(&mut self, text: &TextLine, by: &Transform, order: usize) {
        let Some(local) = glyph_extent(text) else { return };
        let extent = by.bounding_rect(&local);
        if !is_on_paper(&extent) {
            return;
        }
        let [a, b, ..] = by.m;
        self.texts.push(InkText {
            words: text.shaped.text.clone(),
            face: text.shaped.face,
            points: text.size * a.hypot(b) / POINT_MM,
            spacing: text.spacing / text.size.max(0.01),
            local,
            to_page: *by,
            baseline: by.apply(text.x, text.y).1,
            extent,
            order,
        });
    }

    fn add_outline(
        &mut self,
        outlines: &[impl AsRef<[(f32, f32)]>],
        is_closed: bool,
        style: &PaintStyle,
        by: &Transform,
        order: usize,
    ) {
        let points = outlines.iter().flat_map(AsRef::as_ref).map(|&(x, y)| by.apply(x, y));
        let Some(bounds) = Rect::around(points) else { return };
        if !is_on_paper(&bounds) {
            return;
        }
        let opaque = style.fill.filter(|fill| fill.alpha > 0.98);
        if is_closed && opaque.is_some() {
            self.covers.push(InkCover { bounds, order });
        }
        let [a, b, ..] = by.m;
        let growth = a.hypot(b);
        let stroke =
            style.stroke.as_ref().filter(|stroke| stroke.width > 0.0 && is_dark(stroke.paint.rgb, stroke.paint.alpha));
        let is_filled_line =
            bounds.w.min(bounds.h) <= MAX_FILLED_LINE && style.fill.is_some_and(|fill| is_dark(fill.rgb, fill.alpha));
        let half = match stroke {
            Some(stroke) => stroke.width * growth / 2.0,
            None if is_filled_line => 0.0,
            None => return,
        };
        let shape = self.shapes.len();
        self.shapes.push(InkShape { bounds, is_closed: is_closed && !is_filled_line, order });
        for points in outlines {
            for pair in points.as_ref().windows(2) {
                let &[from, to] = pair else { continue };
                self.lines.push(InkLine { from: by.apply(from.0, from.1), to: by.apply(to.0, to.1), half, shape });
            }
        }
    }
}

fn common_part(one: &Rect, other: &Rect) -> Rect {
    let (x, y) = (one.x.max(other.x), one.y.max(other.y));
    let (right, bottom) = (one.right().min(other.right()), one.bottom().min(other.bottom()));
    Rect::new(x, y, (right - x).max(0.0), (bottom - y).max(0.0))
}

/// The part of a line within a rectangle.
fn clipped(line: InkLine, extent: &Rect) -> Option<InkLine> {
    let (dx, dy) = (line.to.0 - line.from.0, line.to.1 - line.from.1);
    let (mut start, mut end) = (0.0_f32, 1.0_f32);
    let sides = [
        (-dx, line.from.0 - extent.x),
        (dx, extent.right() - line.from.0),
        (-dy, line.from.1 - extent.y),
        (dy, extent.bottom() - line.from.1),
    ];
    for (step, room) in sides {
        if step == 0.0 {
            if room < -0.05 {
                return None;
            }
        } else if step < 0.0 {
            start = start.max(room / step);
        } else {
            end = end.min(room / step);
        }
    }
    let at = |t: f32| (line.from.0 + dx * t, line.from.1 + dy * t);
    (start <= end).then(|| InkLine { from: at(start), to: at(end), ..line })
}

/// Whether an outline is about as large as a whole counter.
pub(super) fn is_frame_of(bounds: &Rect, whole: &Rect) -> bool {
    bounds.w >= whole.w * 0.8 && bounds.h >= whole.h * 0.7
}

fn is_on_paper(rect: &Rect) -> bool {
    [rect.x, rect.y, rect.right(), rect.bottom()].iter().all(|n| n.is_finite() && n.abs() < MAX_COORDINATE)
}

fn is_dark([r, g, b]: [u8; 3], alpha: f32) -> bool {
    let level = (u32::from(r) * 3 + u32::from(g) * 6 + u32::from(b)) / 10;
    alpha > 0.1 && level < PALE
}

/// The extent of a text's visible glyphs; `None` for blanks.
fn glyph_extent(text: &TextLine) -> Option<Rect> {
    let mut pen = 0.0;
    let corners = text.shaped.glyphs.iter().flat_map(|glyph| {
        let [left, top, right, bottom] = glyph_outline(glyph.face, glyph.id).bounds;
        let x = text.x + pen + glyph.dx * text.size;
        let y = text.y - glyph.dy * text.size;
        pen += glyph.advance * text.size + text.spacing;
        let is_blank = left == right;
        let corner = |across: f32, down: f32| (x + across * text.size, y + down * text.size);
        (!is_blank).then(|| [corner(left, top), corner(right, bottom)]).into_iter().flatten()
    });
    Rect::around(corners)
}

/// A path's subpaths as points, and whether all of them are closed.
fn flatten(path: &Path) -> (Vec<Vec<(f32, f32)>>, bool) {
    let mut outlines: Vec<Vec<(f32, f32)>> = Vec::new();
    let mut is_closed = !path.segments.is_empty();
    for segment in &path.segments {
        if let Segment::Move(x, y) = *segment {
            is_closed &= outlines.last().is_none_or(|points| points.first() == points.last() && points.len() > 2);
            outlines.push(vec![(x, y)]);
            continue;
        }
        let Some(points) = outlines.last_mut() else { continue };
        let Some(&(px, py)) = points.last() else { continue };
        match *segment {
            Segment::Line(x, y) => points.push((x, y)),
            Segment::Curve(ax, ay, bx, by, x, y) => points.extend((1..=CURVE_PIECES).map(|n| {
                let t = f32::from(n) / f32::from(CURVE_PIECES);
                let u = 1.0 - t;
                let [p, a, b, q] = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
                (p * px + a * ax + b * bx + q * x, p * py + a * ay + b * by + q * y)
            })),
            Segment::Close => points.extend(points.first().copied()),
            Segment::Move(..) => {}
        }
    }
    is_closed &= outlines.last().is_some_and(|points| points.first() == points.last() && points.len() > 2);
    (outlines, is_closed)
}
