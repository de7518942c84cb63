//! Arcs of fire: draws them as dark sectors of a circle around a ship that heads up the page.

use std::collections::BTreeMap;
use std::f32::consts::PI;
use std::sync::{Arc, Mutex, PoisonError};

use moldloft_drawing::scene::{Drawing, Join, Paint, PaintStyle, Path, Segment, Shape, Stroke};
use moldloft_rules::arcs::Arcs;

/// Side of a rose's drawing; it is scaled as a whole.
const SIDE: f32 = 10.0;
const RIM: f32 = 0.45;
const RIM_INK: Paint = Paint::grey(60);
const SECTOR: Paint = Paint::grey(95);

/// Drawings of roses: one `Arc` for all with the same arcs.
#[derive(Debug, Default)]
pub struct RoseCache {
    drawn: Mutex<BTreeMap<Arcs, Arc<Drawing>>>,
}

impl RoseCache {
    pub fn rose(&self, arcs: &Arcs) -> Arc<Drawing> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(drawn.entry(arcs.clone()).or_insert_with(|| Arc::new(draw_rose(arcs))))
    }
}

fn draw_rose(arcs: &Arcs) -> Drawing {
    let middle = SIDE / 2.0;
    let radius = middle - RIM / 2.0;
    let mut segments = Vec::new();
    for &(from, to) in &arcs.0 {
        sector(middle, radius, f32::from(from), Arcs::width(from, to) as f32, &mut segments);
    }
    let mut rim = Vec::new();
    sector(middle, radius, 0.0, 360.0, &mut rim);
    let path = |segments| Path { segments, even_odd: false };
    let rim_style = PaintStyle { fill: None, stroke: Some(Stroke::new(RIM_INK, RIM)) };
    let shapes = vec![
        Shape::Path(path(rim.clone()), PaintStyle { fill: Some(Paint::grey(255)), stroke: None }),
        Shape::Path(path(segments), PaintStyle { fill: Some(SECTOR), stroke: None }),
        Shape::Path(path(rim), rim_style),
        ship(middle),
    ];
    Drawing { name: "arcs".into(), width: SIDE, height: SIDE, picture: None, shapes }
}

/// A small arrowhead that points up.
fn ship(middle: f32) -> Shape {
    let point = |x: f32, y: f32| (middle + x, middle + y);
    let corners = [point(0.0, -1.5), point(1.0, 1.2), point(0.0, 0.7), point(-1.0, 1.2)];
    let mut segments: Vec<Segment> = corners
        .iter()
        .enumerate()
        .map(|(n, &(x, y))| if n == 0 { Segment::Move(x, y) } else { Segment::Line(x, y) })
        .collect();
    segments.push(Segment::Close);
    let stroke = Stroke { join: Join::Round, ..Stroke::new(RIM_INK, RIM * 0.7) };
    let style = PaintStyle { fill: Some(Paint::grey(255)), stroke: Some(stroke) };
    Shape::Path(Path { segments, even_odd: false }, style)
}

/// A sector of a circle; all of it for 360 degrees.
fn sector(middle: f32, radius: f32, from: f32, wide: f32, segments: &mut Vec<Segment>) {
    let at = |radius: f32, degrees: f32| {
        let angle = degrees * PI / 180.0;
        (middle + radius * angle.sin(), middle - radius * angle.cos())
    };
    let (x, y) = at(radius, from);
    segments.push(Segment::Move(x, y));
    arc(&at, radius, from, wide, segments);
    if wide < 360.0 {
        segments.push(Segment::Line(middle, middle));
    }
    segments.push(Segment::Close);
}

/// Curves along a circle, a quarter at most each.
fn arc(at: &impl Fn(f32, f32) -> (f32, f32), radius: f32, from: f32, wide: f32, segments: &mut Vec<Segment>) {
    let many = (wide.abs() / 90.0).ceil().max(1.0);
    let step = wide / many;
    let reach = 4.0 / 3.0 * (step * PI / 720.0).tan();
    for n in 0..many as usize {
        let begin = from + step * n as f32;
        let end = begin + step;
        let (bx, by) = at(radius, begin);
        let (ex, ey) = at(radius, end);
        // The tangent is a quarter further.
        let (tbx, tby) = at(radius, begin + 90.0);
        let (tex, tey) = at(radius, end + 90.0);
        let (cx, cy) = at(0.0, 0.0);
        segments.push(Segment::Curve(
            bx + (tbx - cx) * reach,
            by + (tby - cy) * reach,
            ex - (tex - cx) * reach,
            ey - (tey - cy) * reach,
            ex,
            ey,
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rose_stays_in_its_circle_and_equal_ones_are_shared() {
        let cache = RoseCache::default();
        let arcs = Arcs::between(200, 160);
        let rose = cache.rose(&arcs);
        assert!(Arc::ptr_eq(&rose, &cache.rose(&arcs)));
        for shape in &rose.shapes {
            let Shape::Path(path, _) = shape else { panic!("{shape:?}") };
            for segment in &path.segments {
                if let Segment::Move(x, y) | Segment::Line(x, y) | Segment::Curve(_, _, _, _, x, y) = *segment {
                    assert!((x - 5.0).hypot(y - 5.0) <= 5.0, "{x} {y}");
                }
            }
        }
    }
}
