//! A side's band: takes a colour, a pattern and a size, gives a drawing that its pattern distinguishes in grey.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::scene::{Drawing, Join, Paint, PaintStyle, Path, Rect, Segment, Shape, Stroke};
use moldloft_rules::evaluate::{Band, BandPattern};

/// The drawings of one panel: one `Arc` for all ships of a side.
#[derive(Debug, Default)]
pub struct BandCache {
    drawn: Mutex<BTreeMap<(Band, u32, u32), Arc<Drawing>>>,
}

impl BandCache {
    fn get(&self, band: Band, width: f32, height: f32) -> Arc<Drawing> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(draw_band(band, width, height));
        Arc::clone(drawn.entry((band, width.to_bits(), height.to_bits())).or_insert_with(new))
    }
}

/// A band in a panel's rectangle.
#[derive(Debug)]
pub struct BandArt {
    pub band: Band,
    pub cache: Arc<BandCache>,
}

impl Flowable for BandArt {
    fn measure(&self, _width: f32, _styles: &TextStyles) -> SizeHint {
        SizeHint { min_start: 0.0, min: 0.0, natural: 10.0, max: 10.0 }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        if rect.w > 0.1 && rect.h > 0.1 {
            let drawing = self.cache.get(self.band, rect.w, rect.h);
            let origin = pen.origin;
            pen.origin = (origin.0 + rect.x, origin.1 + rect.y);
            pen.drawing_at_origin(&drawing);
            pen.origin = origin;
        }
        None
    }
}

/// Distance from one figure of a pattern to the next, mm, at most: a narrow band has smaller ones.
const STEP: f32 = 2.4;
const FRAME: f32 = 0.25;
/// More figures than this are not drawn.
const MAX_FIGURES: f32 = 2000.0;

fn draw_band(band: Band, width: f32, height: f32) -> Drawing {
    let [r, g, b] = band.rgb;
    let ink = Paint::rgb(r, g, b);
    let fill = |paint: Paint| PaintStyle { fill: Some(paint), stroke: None };
    let step = STEP.min(width.min(height) * 0.8).max(height.max(width) / MAX_FIGURES);
    let rows = (height / step).ceil() as i32;
    let mut shapes = Vec::new();
    let ground = if band.pattern == BandPattern::Solid { ink } else { Paint::grey(255) };
    shapes.push(Shape::Path(rectangle(Rect::new(0.0, 0.0, width, height)), fill(ground)));
    let path = |segments: Vec<Segment>| Path { segments, even_odd: false };
    let stroked = |segments: Vec<Segment>, weight: f32| {
        let stroke = Stroke { join: Join::Miter, ..Stroke::new(ink, weight) };
        Shape::Path(path(segments), PaintStyle { fill: None, stroke: Some(stroke) })
    };
    match band.pattern {
        BandPattern::Solid => {}
        BandPattern::Diagonal => {
            let extra = (width / step).ceil() as i32 + 1;
            let lines = (0..rows + extra).flat_map(|n| {
                let y = step * (n as f32 + 0.25);
                // Beyond both edges, where the drawing is clipped.
                [Segment::Move(-step, y + step), Segment::Line(width + step, y - width - step)]
            });
            shapes.push(stroked(lines.collect(), step * std::f32::consts::FRAC_1_SQRT_2 * 0.5));
        }
        BandPattern::Horizontal => {
            let lines = (0..rows).flat_map(|n| {
                let y = step * (n as f32 + 0.5);
                [Segment::Move(0.0, y), Segment::Line(width, y)]
            });
            shapes.push(stroked(lines.collect(), step * 0.5));
        }
        BandPattern::Chevrons => {
            // They follow one another along the longer side.
            let (across, along) = (width.min(height), width.max(height));
            let point = |a: f32, b: f32| if width > height { (b, a) } else { (a, b) };
            let lines = (0..=(along / step).ceil() as i32).flat_map(|n| {
                let tip = step * 1.4 * n as f32;
                let foot = tip + across * 0.5 + step;
                let ((ax, ay), (bx, by), (cx, cy)) =
                    (point(-step, foot), point(across / 2.0, tip), point(across + step, foot));
                [Segment::Move(ax, ay), Segment::Line(bx, by), Segment::Line(cx, cy)]
            });
            shapes.push(stroked(lines.collect(), step * 0.45));
        }
        BandPattern::Dots | BandPattern::Checks => {
            let checks = band.pattern == BandPattern::Checks;
            // Whole figures across the band.
            let across = (width / step * 1.5).round().max(2.0) as i32;
            let side = (width / across as f32).max(height / MAX_FIGURES);
            let mut segments = Vec::new();
            for row in 0..(height / side).ceil() as i32 {
                for column in (0..across).filter(|column| (row + column) % 2 == 0) {
                    let cell = Rect::new(column as f32 * side, row as f32 * side, side, side);
                    segments.extend(if checks { rectangle(cell).segments } else { dot(cell) });
                }
            }
            shapes.push(Shape::Path(path(segments), fill(ink)));
        }
    }
    let frame = PaintStyle { fill: None, stroke: Some(Stroke::new(ink, FRAME)) };
    shapes.push(Shape::Path(rectangle(Rect::new(0.0, 0.0, width, height).inset(FRAME / 2.0)), frame));
    Drawing { name: "band".into(), width, height, picture: None, shapes }
}

fn rectangle(rect: Rect) -> Path {
    let segments = vec![
        Segment::Move(rect.x, rect.y),
        Segment::Line(rect.right(), rect.y),
        Segment::Line(rect.right(), rect.bottom()),
        Segment::Line(rect.x, rect.bottom()),
        Segment::Close,
    ];
    Path { segments, even_odd: false }
}

fn dot(cell: Rect) -> Vec<Segment> {
    let (x, y, r) = (cell.x + cell.w / 2.0, cell.y + cell.h / 2.0, cell.w * 0.46);
    let k = r * 0.5523;
    vec![
        Segment::Move(x + r, y),
        Segment::Curve(x + r, y + k, x + k, y + r, x, y + r),
        Segment::Curve(x - k, y + r, x - r, y + k, x - r, y),
        Segment::Curve(x - r, y - k, x - k, y - r, x, y - r),
        Segment::Curve(x + k, y - r, x + r, y - k, x + r, y),
        Segment::Close,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_differ_in_more_than_colour() {
        let look = |pattern| {
            let drawing = draw_band(Band { rgb: [10, 20, 30], pattern }, 4.0, 16.0);
            assert_eq!((drawing.width, drawing.height), (4.0, 16.0));
            format!("{:?}", drawing.shapes)
        };
        let mut looks: Vec<String> = BandPattern::ALL.iter().map(|(_, pattern)| look(*pattern)).collect();
        looks.sort();
        looks.dedup();
        assert_eq!(looks.len(), BandPattern::ALL.len());
    }

    #[test]
    fn a_thin_or_huge_band_is_drawn_within_bounds() {
        for (_, pattern) in BandPattern::ALL {
            for (width, height) in [(0.2, 5000.0), (5000.0, 0.2), (4.0, 16.0)] {
                let drawing = draw_band(Band { rgb: [0, 0, 0], pattern }, width, height);
                let reach = drawing.shapes.iter().filter_map(|shape| match shape {
                    Shape::Path(path, _) if pattern == BandPattern::Chevrons => path.bounds(),
                    _ => None,
                });
                for bounds in reach {
                    let least = width.min(height) + 3.0 * STEP;
                    assert!(bounds.x >= -least && bounds.y >= -least, "{pattern:?} {bounds:?}");
                }
                let segments = drawing.shapes.iter().map(|shape| match shape {
                    Shape::Path(path, _) => path.segments.len(),
                    _ => 0,
                });
                assert!(segments.sum::<usize>() < 200_000, "{pattern:?}");
            }
        }
    }
}
