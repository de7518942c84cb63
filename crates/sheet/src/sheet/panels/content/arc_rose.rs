//! Arcs of fire: reads them from a text, draws them as dark sectors of a circle around a ship that heads up the page.
//! Degrees count clockwise from the bow.

use std::collections::BTreeMap;
use std::f32::consts::PI;
use std::sync::{Arc, Mutex, PoisonError};

use moldloft_drawing::scene::{Drawing, Join, Paint, PaintStyle, Path, Segment, Shape, Stroke};

/// Sectors, each from its first degree clockwise to its last: `[315, 45]` is the bow's quarter. 0 to 360 is all round.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arcs(pub Vec<(u16, u16)>);

/// Words of a template for sectors, in addition to the usual ones.
pub type SectorWords = Vec<(Arc<str>, Arcs)>;

/// The usual words with the direction of their middle.
const DIRECTIONS: [(&str, i32); 12] = [
    ("forward", 0),
    ("fore", 0),
    ("ahead", 0),
    ("bow", 0),
    ("front", 0),
    ("starboard", 90),
    ("right", 90),
    ("aft", 180),
    ("rear", 180),
    ("stern", 180),
    ("port", 270),
    ("left", 270),
];
/// Width of a direction without degrees.
const QUARTER: i32 = 90;

impl Arcs {
    pub fn all_round() -> Self {
        Self(vec![(0, 360)])
    }

    /// Reads `all round`, `port`, `forward 120°`, `120°` (about the bow), `forward starboard`, `300-60` and lists of
    /// these with commas; `None` if a part is not understood or nothing is left.
    pub fn parse(text: &str, words: &SectorWords) -> Option<Self> {
        let mut sectors = Vec::new();
        let parts = text.split([',', ';', '+', '/']).map(str::trim).filter(|part| !part.is_empty());
        for part in parts {
            sectors.extend(Self::parse_part(&part.to_lowercase(), words)?.0);
        }
        (!sectors.is_empty()).then_some(Self(sectors))
    }

    fn parse_part(part: &str, words: &SectorWords) -> Option<Self> {
        if let Some((_, arcs)) = words.iter().find(|(word, _)| **word == *part) {
            return Some(arcs.clone());
        }
        if matches!(part, "all" | "all round" | "all-round" | "360°" | "360") {
            return Some(Self::all_round());
        }
        let numbers = part.trim_matches(['[', ']', '(', ')']).replace('°', "");
        if let Some((from, to)) = numbers.split_once(['-', '–', '.']) {
            let degrees = |text: &str| text.trim_matches(['.', ' ']).parse::<i32>().ok();
            if let (Some(from), Some(to)) = (degrees(from), degrees(to)) {
                return Some(Self::between(from, to));
            }
        }
        let (mut middle, mut wide): (Vec<i32>, _) = (Vec::new(), None);
        for word in part.split([' ', '-']).filter(|word| !word.is_empty()) {
            if let Some((_, direction)) = DIRECTIONS.iter().find(|(known, _)| *known == word) {
                middle.push(*direction);
            } else {
                let degrees = word.trim_end_matches('°').parse::<i32>().ok()?;
                wide = Some(degrees).filter(|degrees| (1..=360).contains(degrees));
                wide?;
            }
        }
        let middle = match middle.as_slice() {
            [] => {
                wide?;
                0
            }
            [one] => *one,
            // Between forward and port is 315°, not 135°.
            [one, other] if (one - other).abs() == 270 => 315,
            [one, other] if (one - other).abs() == 90 => (one + other) / 2,
            _ => return None,
        };
        let wide = wide.unwrap_or(QUARTER);
        if wide >= 360 {
            return Some(Self::all_round());
        }
        Some(Self::between(middle - wide / 2, middle + wide - wide / 2))
    }

    /// From one direction clockwise to another; equal ones are all round.
    pub fn between(from: i32, to: i32) -> Self {
        let around = |degrees: i32| degrees.rem_euclid(360) as u16;
        if around(from) == around(to) { Self::all_round() } else { Self(vec![(around(from), around(to))]) }
    }

    /// Whether a direction is in one of the sectors, its ends included.
    pub fn contains(&self, degrees: u16) -> bool {
        self.0.iter().any(|&(from, to)| {
            let wide = sector_width(from, to);
            (i32::from(degrees) - i32::from(from)).rem_euclid(360) <= wide
        })
    }
}

/// In degrees, 1 to 360.
fn sector_width(from: u16, to: u16) -> i32 {
    match (i32::from(to) - i32::from(from)).rem_euclid(360) {
        0 => 360,
        wide => wide,
    }
}

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
        sector(middle, radius, f32::from(from), sector_width(from, to) as f32, &mut segments);
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

    fn read(text: &str) -> Option<Vec<(u16, u16)>> {
        Arcs::parse(text, &Vec::new()).map(|arcs| arcs.0)
    }

    #[test]
    fn words_and_degrees_are_sectors_clockwise_from_the_bow() {
        for (text, sectors) in [
            ("all round", &[(0, 360)][..]),
            ("forward 120°", &[(300, 60)]),
            ("240°", &[(240, 120)]),
            ("port", &[(225, 315)]),
            ("starboard 180", &[(0, 180)]),
            ("aft port", &[(180, 270)]),
            ("Forward Port 60°", &[(285, 345)]),
            ("300-60", &[(300, 60)]),
            ("[315, 45]", &[]),
            ("315–45, aft 90°", &[(315, 45), (135, 225)]),
            ("somewhere", &[]),
            ("", &[]),
            ("0°", &[]),
            ("400°", &[]),
        ] {
            assert_eq!(read(text).unwrap_or_default(), sectors, "{text}");
        }
        let words = vec![("mouth".into(), Arcs::between(350, 10))];
        assert_eq!(Arcs::parse("mouth, aft", &words), Some(Arcs(vec![(350, 10), (135, 225)])));
    }

    #[test]
    fn a_sector_may_cross_the_bow() {
        let arcs = Arcs::between(315, 45);
        for (degrees, inside) in [(0, true), (44, true), (315, true), (314, false), (90, false), (180, false)] {
            assert_eq!(arcs.contains(degrees), inside, "{degrees}");
        }
        assert!((0..360).all(|degrees| Arcs::all_round().contains(degrees)));
    }

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
