//! Lengths and transforms of an SVG: takes the root element's size and view box, gives the transform from user units to
//! millimetres.

use std::str::FromStr;

use usvg::roxmltree::Node;

use super::style::parse_length;
use crate::scene::Rect;
use moldloft_base::sanitize::shorten;

/// Millimetres per CSS pixel.
pub(super) const MM_PER_PIXEL: f64 = 25.4 / 96.0;
/// Allowed sides of a template, in mm.
const SIDE_LIMITS: std::ops::RangeInclusive<f64> = 0.5..=5000.0;

/// `x' = a·x + c·y + e`, `y' = b·x + d·y + f`, in the precision of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Matrix(pub [f64; 6]);

impl Matrix {
    pub const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// First `inner`, then `self`.
    pub fn then_inner(&self, inner: &Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [ia, ib, ic, id, ie, if_] = inner.0;
        Self([
            a * ia + c * ib,
            b * ia + d * ib,
            a * ic + c * id,
            b * ic + d * id,
            a * ie + c * if_ + e,
            b * ie + d * if_ + f,
        ])
    }

    pub fn apply(&self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    pub fn uniform_scale(&self) -> f64 {
        let [a, b, c, d, ..] = self.0;
        (a * d - b * c).abs().sqrt()
    }

    /// Whether it stretches, skews or mirrors, and so distorts letters.
    pub fn is_distorting(&self) -> bool {
        let [a, b, c, d, ..] = self.0;
        let slack = 0.01 * self.uniform_scale();
        (a - d).abs() > slack || (b + c).abs() > slack
    }

    pub fn is_axis_aligned(&self) -> bool {
        let [a, b, c, d, ..] = self.0;
        let slack = 1e-3 * self.uniform_scale();
        (b.abs() <= slack && c.abs() <= slack) || (a.abs() <= slack && d.abs() <= slack)
    }

    /// Clockwise, in degrees.
    pub fn rotation(&self) -> f64 {
        let degrees = self.0[1].atan2(self.0[0]).to_degrees();
        // Rotations in Inkscape are only exact to some decimals; straight text should be straight.
        if (degrees - degrees.round()).abs() < 1e-3 { degrees.round() } else { degrees }
    }

    pub fn bounding_rect(&self, x: f64, y: f64, w: f64, h: f64) -> Rect {
        let corners = [(x, y), (x + w, y), (x, y + h), (x + w, y + h)].map(|(x, y)| self.apply(x, y));
        let least = |pick: fn(&(f64, f64)) -> f64| corners.iter().map(pick).fold(f64::INFINITY, f64::min);
        let most = |pick: fn(&(f64, f64)) -> f64| corners.iter().map(pick).fold(f64::NEG_INFINITY, f64::max);
        let (left, top) = (least(|p| p.0), least(|p| p.1));
        Rect::new(left as f32, top as f32, (most(|p| p.0) - left) as f32, (most(|p| p.1) - top) as f32)
    }

    pub fn is_finite(&self) -> bool {
        self.0.iter().all(|n| n.is_finite() && n.abs() < 1e9)
    }
}

/// The element's own `transform`, that of its style before that of its attribute; nothing if it has none, `None` if it cannot be
/// read.
pub(super) fn own_transform(node: Node, styled: Option<&str>) -> Option<Matrix> {
    let styled = styled.map(plain_transform);
    let Some(text) = styled.as_deref().or(node.attribute("transform")).filter(|text| *text != "none") else {
        return Some(Matrix::IDENTITY);
    };
    let t = svgtypes::Transform::from_str(text).ok()?;
    let matrix = Matrix([t.a, t.b, t.c, t.d, t.e, t.f]);
    matrix.is_finite().then_some(matrix)
}

/// A transform of CSS as an attribute has it: without units, in the attribute's functions.
fn plain_transform(text: &str) -> String {
    let plain = text.replace("deg", "").replace("px", "").replace("translateX(", "translate(");
    let plain = plain.replace("translateY(", "translate(0,").replace("scaleY(", "scale(1,");
    let mut out = String::with_capacity(plain.len());
    let mut parts = plain.split("scaleX(");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (number, rest) = part.split_once(')').unwrap_or((part, ""));
        out.push_str(&format!("scale({number},1){rest}"));
    }
    out
}

/// Whether an outline is an upright rectangle, as a rectangle converted to a path is.
pub(super) fn is_upright_rectangle(points: &[(f64, f64)]) -> bool {
    let is_same = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).abs() < 1e-3 && (a.1 - b.1).abs() < 1e-3;
    let mut corners: Vec<(f64, f64)> = points.to_vec();
    corners.dedup_by(|a, b| is_same(a, b));
    if corners.len() == 5 && is_same(&corners[0], &corners[4]) {
        corners.pop();
    }
    let is_level = |n: usize| (corners[n].1 - corners[(n + 1) % 4].1).abs() < 1e-3;
    let is_plumb = |n: usize| (corners[n].0 - corners[(n + 1) % 4].0).abs() < 1e-3;
    corners.len() == 4
        && ((0..4).all(|n| if n % 2 == 0 { is_level(n) } else { is_plumb(n) })
            || (0..4).all(|n| if n % 2 == 0 { is_plumb(n) } else { is_level(n) }))
}

/// The most points of an outline.
const MAX_OUTLINE_POINTS: usize = 4000;
/// Straight pieces in place of one curve.
const CURVE_PIECES: usize = 12;

/// The corners of a polygon; `None` if there are fewer than three.
pub(super) fn polygon_points(text: &str) -> Option<Vec<(f64, f64)>> {
    let points: Vec<(f64, f64)> = svgtypes::PointsParser::from(text).take(MAX_OUTLINE_POINTS + 1).collect();
    (3..=MAX_OUTLINE_POINTS).contains(&points.len()).then_some(points)
}

/// The ends of a line or a path without curves to speak of, in user units.
pub(super) fn line_ends(node: Node) -> Option<((f64, f64), (f64, f64))> {
    use svgtypes::SimplePathSegment as S;
    let number = |name: &str| node.attribute(name).map_or(Some(0.0), |text| text.trim().parse().ok());
    match node.tag_name().name() {
        "line" => Some(((number("x1")?, number("y1")?), (number("x2")?, number("y2")?))),
        "path" => {
            let end = |segment| match segment {
                S::MoveTo { x, y } | S::LineTo { x, y } | S::CurveTo { x, y, .. } | S::Quadratic { x, y, .. } => {
                    Some((x, y))
                }
                S::ClosePath => None,
            };
            let path = svgtypes::SimplifyingPathParser::from(node.attribute("d")?);
            let mut ends = path.map_while(Result::ok).filter_map(end);
            let first = ends.next()?;
            Some((first, ends.last()?))
        }
        _ => None,
    }
    .filter(|(a, b)| [a.0, a.1, b.0, b.1].iter().all(|n| n.is_finite() && n.abs() < 1e5))
}

/// The points of one closed path, curves as straight pieces; `None` if it is open, or more than one.
pub(super) fn closed_path_points(text: &str) -> Option<Vec<(f64, f64)>> {
    use svgtypes::SimplePathSegment as S;
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut is_closed = false;
    for segment in svgtypes::SimplifyingPathParser::from(text) {
        let (x, y) = points.last().copied().unwrap_or_default();
        let pieces = (1..=CURVE_PIECES).map(|n| n as f64 / CURVE_PIECES as f64);
        match segment.ok()? {
            S::MoveTo { x, y } if points.is_empty() => points.push((x, y)),
            S::ClosePath => is_closed = true,
            // Another part of the path.
            _ if is_closed || points.is_empty() => return None,
            S::MoveTo { .. } => return None,
            S::LineTo { x, y } => points.push((x, y)),
            S::CurveTo { x1, y1, x2, y2, x: ex, y: ey } => points.extend(pieces.map(|t| {
                let at = |a: f64, b: f64, c: f64, d: f64| {
                    let u = 1.0 - t;
                    u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
                };
                (at(x, x1, x2, ex), at(y, y1, y2, ey))
            })),
            S::Quadratic { x1, y1, x: ex, y: ey } => points.extend(pieces.map(|t| {
                let at = |a: f64, b: f64, c: f64| (1.0 - t) * (1.0 - t) * a + 2.0 * (1.0 - t) * t * b + t * t * c;
                (at(x, x1, ex), at(y, y1, ey))
            })),
        }
        if points.len() > MAX_OUTLINE_POINTS {
            return None;
        }
    }
    let (first, last) = (points.first()?, points.last()?);
    let meets = (first.0 - last.0).abs() + (first.1 - last.1).abs() < 1e-6;
    ((is_closed || meets) && points.len() >= 3).then_some(points)
}

pub(super) struct Frame {
    /// In mm.
    pub width: f64,
    /// In mm.
    pub height: f64,
    /// From user units to mm.
    pub matrix: Matrix,
    /// Width and height in user units, of which lengths in per cent are parts.
    pub view: (f64, f64),
    /// No size was given; the view box is taken as millimetres.
    pub is_size_guessed: bool,
}

pub(super) fn read_frame(root: Node) -> Result<Frame, String> {
    let view = match root.attribute("viewBox") {
        Some(text) => match svgtypes::ViewBox::from_str(text) {
            Ok(view) if view.w.is_finite() && view.h.is_finite() && view.w > 0.0 && view.h > 0.0 => Some(view),
            _ => {
                return Err(format!(
                    "expected a view box of four numbers, the last two above 0, found “{}”",
                    shorten(text, 40)
                ));
            }
        },
        None => None,
    };
    let side = |name: &str| match root.attribute(name).map(str::trim) {
        None | Some("auto") => Ok(None),
        Some(text) if text.ends_with('%') => Ok(None),
        Some(text) => match parse_length(text, 16.0, 0.0) {
            Some(pixels) => Ok(Some(pixels * MM_PER_PIXEL)),
            None => Err(format!("expected a length for its {name}, found “{}”", shorten(text, 40))),
        },
    };
    let (width, height, guessed) = match (side("width")?, side("height")?, &view) {
        (Some(width), Some(height), _) => (width, height, false),
        (Some(width), None, Some(view)) => (width, width * view.h / view.w, false),
        (None, Some(height), Some(view)) => (height * view.w / view.h, height, false),
        (None, None, Some(view)) => (view.w, view.h, true),
        _ => return Err("it has neither a size nor a view box".into()),
    };
    if !SIDE_LIMITS.contains(&width) || !SIDE_LIMITS.contains(&height) {
        return Err(format!(
            "it is {width:.3} x {height:.3} mm; sides must be {} to {} mm",
            SIDE_LIMITS.start(),
            SIDE_LIMITS.end()
        ));
    }
    let Some(view) = view else {
        return Ok(Frame {
            width,
            height,
            matrix: Matrix([MM_PER_PIXEL, 0.0, 0.0, MM_PER_PIXEL, 0.0, 0.0]),
            view: (width / MM_PER_PIXEL, height / MM_PER_PIXEL),
            is_size_guessed: guessed,
        });
    };
    let (mut sx, mut sy) = (width / view.w, height / view.h);
    let aspect = root.attribute("preserveAspectRatio").and_then(|text| svgtypes::AspectRatio::from_str(text).ok());
    let align = aspect.map_or(svgtypes::Align::XMidYMid, |aspect| aspect.align);
    let (mut dx, mut dy) = (0.0, 0.0);
    if align != svgtypes::Align::None {
        let uniform = if aspect.is_some_and(|aspect| aspect.slice) { sx.max(sy) } else { sx.min(sy) };
        (sx, sy) = (uniform, uniform);
        let (across, down) = align_shares(align);
        dx = (width - view.w * uniform) * across;
        dy = (height - view.h * uniform) * down;
    }
    let matrix = Matrix([sx, 0.0, 0.0, sy, dx - view.x * sx, dy - view.y * sy]);
    if matrix.is_finite() {
        Ok(Frame { width, height, matrix, view: (view.w, view.h), is_size_guessed: guessed })
    } else {
        Err("its view box is out of bounds".into())
    }
}

fn align_shares(align: svgtypes::Align) -> (f64, f64) {
    use svgtypes::Align as A;
    let across = match align {
        A::XMinYMin | A::XMinYMid | A::XMinYMax => 0.0,
        A::XMaxYMin | A::XMaxYMid | A::XMaxYMax => 1.0,
        _ => 0.5,
    };
    let down = match align {
        A::XMinYMin | A::XMidYMin | A::XMaxYMin => 0.0,
        A::XMinYMax | A::XMidYMax | A::XMaxYMax => 1.0,
        _ => 0.5,
    };
    (across, down)
}
