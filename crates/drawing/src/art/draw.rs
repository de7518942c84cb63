//! Converts usvg's tree into scene shapes in millimetres: takes the tree and the conditions of its elements, gives art
//! and outlines. Features that a scene lacks (gradients, filters, masks, clips) give a finding with their replacement.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock};

use usvg::tiny_skia_path::PathSegment;
use usvg::{Group, Node, Options, Tree};

use super::geometry::{Frame, MM_PER_PIXEL, Matrix};
use super::template::{ArtPiece, CutOutline};
use super::walk::ElementOrigin;
use crate::fonts::FontFace;
use crate::scene::{Cap, Drawing, Join, Paint, PaintStyle, Path, Segment, Shape, Stroke};
use moldloft_base::finding::{Finding, Place};
use moldloft_base::source::Source;

/// Larger coordinates, in mm, are refused.
const MAX_COORDINATE: f32 = 1e5;
const PATTERN_GREY: Paint = Paint::grey(0xd0);

/// The bundled faces for usvg, and the id of each.
static OUTLINE_FONTS: LazyLock<(Arc<usvg::fontdb::Database>, [usvg::fontdb::ID; 3])> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    let ids = FontFace::BUNDLED.map(|face| {
        let source = usvg::fontdb::Source::Binary(Arc::new(face.bytes()));
        fonts.load_font_source(source).first().copied().unwrap_or(usvg::fontdb::ID::dummy())
    });
    (Arc::new(fonts), ids)
});

pub(super) struct ElementIndex<'a> {
    /// The condition of an element and its contents.
    pub conditional: &'a HashMap<String, usize>,
    pub outlines: &'a HashSet<String>,
    pub places: &'a HashMap<String, ElementOrigin>,
}

pub(super) fn draw_art(
    source: &Source,
    text: &str,
    frame: &Frame,
    marks: &ElementIndex<'_>,
    has_text: bool,
) -> (Vec<ArtPiece>, Vec<CutOutline>, Vec<Finding>) {
    let options = Options {
        image_href_resolver: usvg::ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        font_size: 16.0,
        font_resolver: usvg::FontResolver {
            select_font: Box::new(|font, _| Some(OUTLINE_FONTS.1[FontFace::from_weight(font.weight()) as usize])),
            select_fallback: Box::new(|_, _, _| None),
        },
        fontdb: if has_text { Arc::clone(&OUTLINE_FONTS.0) } else { Arc::default() },
        ..Options::default()
    };
    let tree = match Tree::from_str(text, &options) {
        Ok(tree) => tree,
        Err(error) => {
            let found = Finding::error("template-not-drawn", format!("cannot read the drawing: {error}"));
            return (Vec::new(), Vec::new(), vec![found.at(source.place((0..1).into()))]);
        }
    };
    let mut draw = ArtBuilder {
        source,
        elements: marks,
        runs: Vec::new(),
        outlines: Vec::new(),
        findings: Vec::new(),
        reported: HashSet::new(),
    };
    draw.draw_group(tree.root(), None, 1.0, None);
    let ArtBuilder { runs, outlines, findings, .. } = draw;
    let pieces = runs
        .into_iter()
        .enumerate()
        .map(|(n, (when, shapes))| {
            let name = if n == 0 { source.file.to_string() } else { format!("{} ({})", source.file, n + 1) };
            ArtPiece {
                drawing: Arc::new(Drawing {
                    name,
                    width: frame.width as f32,
                    height: frame.height as f32,
                    picture: None,
                    shapes,
                }),
                when,
            }
        })
        .collect();
    (pieces, outlines, findings)
}

struct ArtBuilder<'a> {
    source: &'a Source,
    elements: &'a ElementIndex<'a>,
    outlines: Vec<CutOutline>,
    /// Shapes in painting order; a new run begins where the condition changes.
    runs: Vec<(Option<usize>, Vec<Shape>)>,
    findings: Vec<Finding>,
    reported: HashSet<(&'static str, String)>,
}

impl ArtBuilder<'_> {
    fn draw_group(&mut self, group: &Group, when: Option<usize>, alpha: f32, outer: Option<&str>) {
        let when = self.elements.conditional.get(group.id()).copied().or(when);
        let named = Some(group.id()).filter(|id| !id.is_empty());
        let own = named.or(outer);
        // A part tells more of a group without an id than what is around it.
        let id = named.or_else(|| first_id(group)).or(outer);
        if group.mask().is_some() {
            self.report_once("template-mask", id, "has a mask, which is ignored");
        }
        if group.clip_path().is_some_and(|clip| !clip_shows_all(clip, group)) {
            self.report_once("template-clip", id, "has a clip path, which is ignored");
        }
        if !group.filters().is_empty() {
            self.report_once("template-filter", id, "has a filter (blur, shadow), which is ignored");
        }
        if group.blend_mode() != usvg::BlendMode::Normal {
            self.report_once("template-blend", id, "has a blend mode, which is ignored");
        }
        let alpha = alpha * group.opacity().get();
        if group.opacity().get() < 1.0 && group.children().len() > 1 {
            self.report_once(
                "template-group-opacity",
                id,
                "is a transparent group; overlapping parts show through each other",
            );
        }
        for node in group.children() {
            match node {
                Node::Group(inner) => self.draw_group(inner, when, alpha, own),
                Node::Path(path) if path.is_visible() => {
                    let when = self.elements.conditional.get(path.id()).copied().or(when);
                    let id = if path.id().is_empty() { own } else { Some(path.id()) };
                    self.draw_path(path, path.abs_transform(), when, alpha, id);
                }
                Node::Text(text) => {
                    let when = self.elements.conditional.get(text.id()).copied().or(when);
                    let id = if text.id().is_empty() { own } else { Some(text.id()) };
                    // usvg gives lines under letters no place of their own.
                    for node in text.flattened().children() {
                        if let Node::Path(path) = node {
                            self.draw_path(path, text.abs_transform(), when, alpha, id);
                        }
                    }
                }
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }

    /// `t`: from the path's units to pixels.
    fn draw_path(&mut self, path: &usvg::Path, t: usvg::Transform, when: Option<usize>, alpha: f32, id: Option<&str>) {
        let matrix = Matrix([t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(|n| f64::from(n) * MM_PER_PIXEL));
        let Some(segments) = outline_segments(path.data(), &matrix) else {
            self.report_once("template-out-of-bounds", id, "extends far off the page; it is not drawn");
            return;
        };
        if self.elements.outlines.contains(path.id()) {
            self.outlines.push(CutOutline { path: Path { segments: segments.clone(), even_odd: false }, when });
        }
        let fill = path.fill().map(|fill| {
            let even_odd = fill.rule() == usvg::FillRule::EvenOdd;
            (self.convert_paint(fill.paint(), fill.opacity().get() * alpha, id), even_odd)
        });
        let stroke = path.stroke().map(|stroke| self.convert_stroke(stroke, &matrix, alpha, id));
        let even_odd = fill.is_some_and(|fill| fill.1);
        let fill = fill.map(|fill| fill.0).filter(|paint| paint.alpha > 0.0);
        let stroke = stroke.filter(|stroke| stroke.paint.alpha > 0.0 && stroke.width > 0.0);
        let shape = |style| Shape::Path(Path { segments: segments.clone(), even_odd }, style);
        if path.paint_order() == usvg::PaintOrder::StrokeAndFill && fill.is_some() && stroke.is_some() {
            self.push_shape(when, shape(PaintStyle { fill: None, stroke }));
            self.push_shape(when, shape(PaintStyle { fill, stroke: None }));
        } else if fill.is_some() || stroke.is_some() {
            self.push_shape(when, shape(PaintStyle { fill, stroke }));
        }
    }

    fn push_shape(&mut self, when: Option<usize>, shape: Shape) {
        match self.runs.last_mut().filter(|run| run.0 == when) {
            Some(run) => run.1.push(shape),
            None => self.runs.push((when, vec![shape])),
        }
    }

    fn convert_paint(&mut self, paint: &usvg::Paint, alpha: f32, id: Option<&str>) -> Paint {
        let stops = match paint {
            usvg::Paint::Color(color) => return Paint { rgb: [color.red, color.green, color.blue], alpha },
            usvg::Paint::LinearGradient(gradient) => gradient.stops(),
            usvg::Paint::RadialGradient(gradient) => gradient.stops(),
            usvg::Paint::Pattern(_) => {
                self.report_once("template-pattern", id, "has a pattern; it is drawn in light grey");
                return Paint { alpha: alpha * PATTERN_GREY.alpha, ..PATTERN_GREY };
            }
        };
        self.report_once("template-gradient", id, "has a gradient; it is drawn in the gradient's first colour");
        match stops.first() {
            Some(stop) => {
                let color = stop.color();
                Paint { rgb: [color.red, color.green, color.blue], alpha: alpha * stop.opacity().get() }
            }
            None => Paint { rgb: [0; 3], alpha: 0.0 },
        }
    }

    fn convert_stroke(&mut self, stroke: &usvg::Stroke, matrix: &Matrix, alpha: f32, id: Option<&str>) -> Stroke {
        let scale = matrix.uniform_scale() as f32;
        let [a, b, c, d, ..] = matrix.0;
        let (across, down) = (a.hypot(b), c.hypot(d));
        if (across - down).abs() > 0.1 * across.max(down) {
            self.report_once(
                "template-uneven-stroke",
                id,
                "has an unevenly stretched line; it is drawn with an even width",
            );
        }
        Stroke {
            paint: self.convert_paint(stroke.paint(), stroke.opacity().get() * alpha, id),
            width: stroke.width().get() * scale,
            dash: stroke.dasharray().map(|dash| dash.iter().map(|length| length * scale).collect()).unwrap_or_default(),
            cap: match stroke.linecap() {
                usvg::LineCap::Butt => Cap::Butt,
                usvg::LineCap::Round => Cap::Round,
                usvg::LineCap::Square => Cap::Square,
            },
            join: match stroke.linejoin() {
                usvg::LineJoin::Round => Join::Round,
                usvg::LineJoin::Bevel => Join::Bevel,
                usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => Join::Miter,
            },
        }
    }

    fn report_once(&mut self, code: &'static str, id: Option<&str>, what: &str) {
        let id = id.unwrap_or_default();
        if !self.reported.insert((code, id.to_owned())) {
            return;
        }
        let place = self.elements.places.get(id);
        let name = place.map_or("a part of the drawing", |place| place.name.as_str());
        let found = Finding::warning(code, format!("{name} {what}"));
        self.findings.push(match place {
            Some(place) => found.at(self.source.place_with_snippet(place.span)),
            None => found.at(Place::in_file(self.source.file.clone())),
        });
    }
}

fn first_id(group: &Group) -> Option<&str> {
    group.children().iter().find_map(|node| match node {
        Node::Group(inner) if inner.id().is_empty() => first_id(inner),
        node => Some(node.id()).filter(|id| !id.is_empty()),
    })
}

/// Whether a clip is an upright rectangle that contains the whole group.
fn clip_shows_all(clip: &usvg::ClipPath, group: &Group) -> bool {
    let [Node::Path(path)] = clip.root().children() else { return false };
    if clip.clip_path().is_some() || path.data().verbs().len() > 6 || clip.transform().has_skew() {
        return false;
    }
    let points = path.data().points();
    let Some(bounds) = path.data().bounds().transform(path.abs_transform().post_concat(clip.transform())) else {
        return false;
    };
    let corners = path.data().bounds();
    let rectangle = points.iter().all(|p| {
        (p.x == corners.left() || p.x == corners.right()) && (p.y == corners.top() || p.y == corners.bottom())
    });
    let inner = group.bounding_box();
    let slack = 0.01 * bounds.width().max(bounds.height());
    rectangle
        && bounds.left() - slack <= inner.left()
        && bounds.top() - slack <= inner.top()
        && bounds.right() + slack >= inner.right()
        && bounds.bottom() + slack >= inner.bottom()
}

fn outline_segments(path: &usvg::tiny_skia_path::Path, matrix: &Matrix) -> Option<Vec<Segment>> {
    let mut last = (0.0, 0.0);
    let mut segments = Vec::with_capacity(path.verbs().len());
    let at = |p: usvg::tiny_skia_path::Point| {
        let (x, y) = matrix.apply(f64::from(p.x), f64::from(p.y));
        (x as f32, y as f32)
    };
    for segment in path.segments() {
        let (segment, end) = match segment {
            PathSegment::MoveTo(p) => (Segment::Move(at(p).0, at(p).1), at(p)),
            PathSegment::LineTo(p) => (Segment::Line(at(p).0, at(p).1), at(p)),
            PathSegment::QuadTo(c, p) => {
                let ((cx, cy), (x, y)) = (at(c), at(p));
                let third = |from: f32, to: f32| from + (to - from) * 2.0 / 3.0;
                (Segment::Curve(third(last.0, cx), third(last.1, cy), third(x, cx), third(y, cy), x, y), (x, y))
            }
            PathSegment::CubicTo(c, d, p) => {
                let ((cx, cy), (dx, dy), (x, y)) = (at(c), at(d), at(p));
                (Segment::Curve(cx, cy, dx, dy, x, y), (x, y))
            }
            PathSegment::Close => (Segment::Close, last),
        };
        let within = |n: f32| n.is_finite() && n.abs() < MAX_COORDINATE;
        let near = match segment {
            Segment::Curve(a, b, c, d, ..) => within(a) && within(b) && within(c) && within(d),
            _ => true,
        };
        if !near || !within(end.0) || !within(end.1) {
            return None;
        }
        last = end;
        segments.push(segment);
    }
    Some(segments)
}
