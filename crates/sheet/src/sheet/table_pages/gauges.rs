//! Arcs of fire and courses to cut out: takes angles, a radius and the page setup, gives pages of sectors and discs at
//! their exact size.

use crate::sheet::assembly::ship_view::with_decimals;
use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH, MinimumSizes, POINT_MM, QUIET_INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::{SheetPen, box_style};
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use crate::sheet::page_setup::PageSetup;
use crate::sheet::page_setup::paper::format_mm;
use crate::sheet::page_setup::ruler;
use moldloft_base::words::{Words, in_words};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Bookmark, Page};

/// The smallest and the largest radius, mm.
pub const RADII: (f32, f32) = (20.0, 400.0);
/// The narrowest and the widest arc, degrees.
pub const ARCS: (f32, f32) = (5.0, 360.0);
/// The radius where none is asked for, mm.
const USUAL_RADIUS: f32 = 75.0;
/// The fewest and the most courses of a disc.
pub const COURSES: (u8, u8) = (4, 36);
/// Between two gauges, mm: room for scissors.
const GAP: f32 = 6.0;
/// From a ring to the baseline of its distance, mm.
const RING_LABEL: f32 = 3.2;
/// Where the numbers of courses are, as a share of the radius.
const NUMBER_RING: f32 = 0.86;
/// Size of those numbers in points for each millimetre of the radius, within the limits of a size that is read on the table.
const NUMBER_POINTS: f32 = 0.17;
const NUMBER_SIZES: (f32, f32) = (8.0, 14.0);
/// Above the ruler at the foot of a page, mm.
const RULER_ROOM: f32 = 7.0;
/// Degrees of a straight piece of an arc: less than 0.02 mm from the curve at the largest radius.
const PIECE: f32 = 1.0;

/// A piece to cut out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MapGauge {
    /// A sector of so many degrees.
    Arc(f32),
    /// A disc with so many courses, counted clockwise from the top, the last one there.
    Courses(u8),
}

/// What is cut out, all of one radius.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gauges {
    /// In printing order; none by default.
    pub gauges: Vec<MapGauge>,
    /// In mm; `None` for 75 mm, or the most that the paper holds.
    pub radius: Option<f32>,
}

impl MapGauge {
    fn degrees(self) -> f32 {
        match self {
            Self::Arc(degrees) => degrees,
            Self::Courses(_) => 360.0,
        }
    }

    /// The piece's bounds about its middle: its half width, its height above and below.
    fn reach(self, radius: f32) -> (f32, f32, f32) {
        let half = (self.degrees() / 2.0).to_radians();
        let wide = if self.degrees() >= 180.0 { radius } else { radius * half.sin() };
        (wide, radius, (-half.cos() * radius).max(0.0))
    }
}

/// A point so many degrees clockwise from straight up.
pub(super) fn point(middle: (f32, f32), radius: f32, degrees: f32) -> (f32, f32) {
    let (sin, cos) = degrees.to_radians().sin_cos();
    (middle.0 + radius * sin, middle.1 - radius * cos)
}

impl Gauges {
    /// The pages, as many pieces on each as fit; `None` if one is larger than the paper.
    pub fn pages(&self, page_setup: &PageSetup, words: Option<&Words>) -> Option<Vec<Page>> {
        let [paper, _] = page_setup.printable_areas();
        let holds = |gauge: &MapGauge, radius: f32| {
            let (wide, above, below) = gauge.reach(radius);
            wide * 2.0 <= paper.area.w + 0.05 && above + below <= paper.area.h + 0.05
        };
        // Whole millimetres, so that the radius is measured easily.
        let usual = || {
            let radii = std::iter::successors(Some(USUAL_RADIUS), |radius| Some(radius - 1.0));
            let mut radii = radii.take_while(|radius| *radius >= RADII.0);
            radii.find(|radius| self.gauges.iter().all(|gauge| holds(gauge, *radius)))
        };
        let radius =
            self.radius.or_else(usual).filter(|radius| self.gauges.iter().all(|gauge| holds(gauge, *radius)))?;
        let new_pen = || SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
        // For checking the scale, where the pieces leave room for it.
        let add_ruler = |pen: &mut SheetPen, foot: f32| {
            if foot + RULER_ROOM <= paper.area.bottom() {
                let mm = ruler::longest_ruler(paper.area.w);
                ruler::draw_ruler(mm, paper.area.x, paper.area.bottom(), &format!("{mm} mm"), pen);
            }
        };
        let mut pages: Vec<SheetPen> = Vec::new();
        // The corner at which the next piece would begin, and the foot of the row.
        let (mut x, mut y, mut foot) = (paper.area.x, paper.area.y, paper.area.y);
        for gauge in &self.gauges {
            let (wide, above, below) = gauge.reach(radius);
            let size = (wide * 2.0, above + below);
            if x + size.0 > paper.area.right() + 0.05 {
                (x, y) = (paper.area.x, foot + GAP);
            }
            if pages.is_empty() || y + size.1 > paper.area.bottom() + 0.05 {
                pages.last_mut().into_iter().for_each(|pen| add_ruler(pen, foot));
                pages.push(new_pen());
                (x, y, foot) = (paper.area.x, paper.area.y, paper.area.y);
            }
            if let Some(pen) = pages.last_mut() {
                gauge.draw((x + wide, y + above), radius, words, pen);
            }
            (x, foot) = (x + size.0 + GAP, foot.max(y + size.1));
        }
        pages.last_mut().into_iter().for_each(|pen| add_ruler(pen, foot));
        let (width, height) = paper.page;
        let title = |n: usize| match n {
            0 => in_words(words, "arcs and courses"),
            n => in_words(words, &format!("arcs and courses, page {}", n + 1)),
        };
        let page = |(n, pen): (usize, SheetPen)| {
            let bookmarks = vec![Bookmark { depth: 0, title: title(n) }];
            Page { width, height, bookmarks, items: pen.finish(), ..Page::default() }
        };
        Some(pages.into_iter().enumerate().map(page).collect())
    }
}

impl MapGauge {
    fn draw(self, middle: (f32, f32), radius: f32, words: Option<&Words>, pen: &mut SheetPen) {
        let say_number = |number: f32| with_decimals(words, &format_mm(number));
        let half = self.degrees() / 2.0;
        let arc = |radius: f32| {
            let pieces = (half * 2.0 / PIECE).ceil().max(1.0) as u16;
            let at = move |n: u16| point(middle, radius, -half + half * 2.0 * f32::from(n) / f32::from(pieces));
            (0..pieces).map(move |n| {
                let (a, b) = (at(n), at(n + 1));
                [a.0, a.1, b.0, b.1]
            })
        };
        let spoke = |from: f32, to: f32, degrees: f32| {
            let (a, b) = (point(middle, from, degrees), point(middle, to, degrees));
            [a.0, a.1, b.0, b.1]
        };
        let whole = half > 179.9;
        let sides = [-half, half].map(|side| spoke(0.0, radius, side));
        let outline = arc(radius).chain(sides.into_iter().filter(|_| !whole));
        pen.lines(outline, LINE_WIDTH, INK);
        let label = pen.styles.small;
        match self {
            MapGauge::Arc(degrees) => {
                // A ring each 25 mm, a line in the middle.
                let rings = (1_u8..).map(|n| f32::from(n) * 25.0).take_while(|ring| *ring < radius - 5.0);
                pen.lines(rings.clone().flat_map(arc), THIN_LINE, RULE_INK);
                // Its distance under each ring, where the sector is wide enough and the words below leave room.
                let words = radius * 0.86;
                let is_free = |ring: &f32| {
                    let baseline = ring - RING_LABEL;
                    let beside = if half < 80.0 { baseline * half.to_radians().tan() } else { radius };
                    beside > 8.0 && (baseline > words + 2.8 || baseline < words - 7.5)
                };
                for ring in rings.filter(is_free) {
                    let at = (middle.0 + 1.5, middle.1 - ring + RING_LABEL);
                    pen.text(&say_number(ring), label, at.0, at.1, Anchor::Start);
                }
                pen.lines(std::iter::once(spoke(radius * 0.2, radius, 0.0)), THIN_LINE, QUIET_INK);
                let angle = format!("{}°", say_number(degrees));
                pen.text(&angle, pen.styles.value, middle.0 + 1.5, middle.1 - radius * 0.86, Anchor::Start);
                pen.text(
                    &format!("{} mm", say_number(radius)),
                    label,
                    middle.0 + 1.5,
                    middle.1 - radius * 0.86 + 3.5,
                    Anchor::Start,
                );
            }
            MapGauge::Courses(count) => {
                let step = 360.0 / f32::from(count);
                let points = (radius * NUMBER_POINTS).clamp(NUMBER_SIZES.0, NUMBER_SIZES.1);
                // Two figures have their share of the ring.
                let most = std::f32::consts::TAU * radius * NUMBER_RING / f32::from(count) / 2.2;
                let size = pen.styles.minimums.text_size(points.min(most / POINT_MM), TextRole::Play);
                let value = TextStyle { size, ..pen.styles.value };
                // Each number is on its own line, which leaves room for it.
                let at = radius * NUMBER_RING;
                let free = value.size.mm() * 0.8;
                let courses = || (1..=count).map(|n| (n, f32::from(n) * step));
                let lines = courses().flat_map(|(_, degrees)| {
                    [spoke(radius * 0.25, at - free, degrees), spoke(at + free, radius, degrees)]
                });
                pen.lines(lines, THIN_LINE, QUIET_INK);
                for (n, degrees) in courses() {
                    let place = point(middle, at, degrees);
                    pen.text_centred(&n.to_string(), value, place.0, place.1, None);
                }
                pen.circle(middle.0, middle.1, 1.0, box_style(), None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::page_setup::paper::Paper;
    use moldloft_drawing::scene::{Rect, Segment, Shape};

    fn holds(area: &Rect, (x, y): (f32, f32)) -> bool {
        x >= area.x - 0.1 && x <= area.right() + 0.1 && y >= area.y - 0.1 && y <= area.bottom() + 0.1
    }

    #[test]
    fn pieces_are_on_the_paper_and_have_their_radius() {
        let arcs = [30.0, 60.0, 90.0, 120.0, 180.0, 240.0, 300.0, 360.0].map(MapGauge::Arc);
        let gauges = Gauges {
            gauges: arcs.into_iter().chain([MapGauge::Courses(12), MapGauge::Courses(36)]).collect(),
            radius: Some(60.0),
        };
        for paper in Paper::ALL {
            let setup = PageSetup::from(paper);
            let pages = gauges.pages(&setup, None).expect("all fit");
            assert!(pages.len() > 1);
            for page in &pages {
                for item in &page.items {
                    if let Shape::Path(path, _) = &item.shape {
                        for segment in &path.segments {
                            let (Segment::Move(x, y) | Segment::Line(x, y)) = segment else { panic!("{segment:?}") };
                            assert!(holds(&setup.printable_areas()[0].area, (*x, *y)), "{paper}: {x} {y}");
                        }
                    }
                }
            }
        }
        let one = Gauges { gauges: vec![MapGauge::Arc(60.0)], radius: Some(80.0) };
        let page = one.pages(&PageSetup::default(), None).expect("fits").remove(0);
        let Shape::Path(outline, _) = &page.items[0].shape else { panic!("no outline") };
        let bounds = outline.bounds().expect("lines");
        assert!((bounds.w - 80.0).abs() < 0.05 && (bounds.h - 80.0).abs() < 0.05, "{bounds:?}");
        let words = |gauge: MapGauge| {
            let pages =
                Gauges { gauges: vec![gauge], radius: Some(80.0) }.pages(&PageSetup::default(), None).expect("fits");
            let text = |item: &moldloft_drawing::scene::SceneItem| match &item.shape {
                Shape::Text(text) => Some(text.shaped.text.to_string()),
                _ => None,
            };
            pages[0].items.iter().filter_map(text).collect::<Vec<_>>()
        };
        let wide = words(MapGauge::Arc(60.0));
        assert!(["25", "50"].iter().all(|ring| wide.iter().any(|word| word == ring)), "{wide:?}");
        // A ruler to check the scale with.
        assert!(wide.iter().any(|word| word == "100 mm"), "{wide:?}");
        // The ring of 25 mm in a narrow sector has no room for it.
        assert!(!words(MapGauge::Arc(20.0)).contains(&"25".to_owned()));
    }

    #[test]
    fn a_piece_larger_than_the_paper_gives_no_pages() {
        assert!(
            Gauges { gauges: vec![MapGauge::Courses(12)], radius: Some(110.0) }
                .pages(&PageSetup::default(), None)
                .is_none()
        );
    }

    #[test]
    fn without_a_radius_pieces_are_as_large_as_small_paper_holds() {
        let gauges = Gauges { gauges: vec![MapGauge::Arc(60.0), MapGauge::Courses(12)], radius: None };
        let widths = |paper: Paper| -> Vec<f32> {
            let pages = gauges.pages(&PageSetup::from(paper), None).expect("they are made to fit");
            let outlines = pages.iter().flat_map(|page| &page.items).filter_map(|item| match &item.shape {
                Shape::Path(path, _) => path.bounds(),
                _ => None,
            });
            outlines.map(|bounds| bounds.w).collect()
        };
        let disc = |paper| widths(paper).into_iter().fold(0.0, f32::max);
        assert!((disc(Paper::A4) - 150.0).abs() < 0.05);
        let small = disc(Paper::A5);
        let printable = PageSetup::from(Paper::A5).printable_areas()[0].area.w;
        assert!(small <= printable && small > printable - 2.0, "{small} of {printable}");
    }
}
