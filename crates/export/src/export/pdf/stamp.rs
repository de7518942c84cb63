//! Outlines that are drawn many times: a box with round corners, a circle or a short path about its origin, which is moved to
//! its place. Boxes and circles that several pages draw are forms of their own.

use std::collections::BTreeMap;

use super::batch::BoxBounds;
use super::outline::{ShapeOutline, grown};
use crate::export::limits::bounded_length;
use crate::export::number::{UNITS_PER_MM, to_steps};
use moldloft_drawing::scene::{Rect, Shape, Transform};

/// With fewer pages a form takes more than it saves.
const MIN_PAGES: usize = 4;
/// The widest pen of a form's outline, in units.
const MAX_PEN: f32 = 400.0;

/// What boxes and circles are about their origin, in tenths of a unit: width, height and radius, or the radius alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct StampSides([i64; 3]);

impl StampSides {
    /// `None` for other outlines, and for what is turned or distorted.
    fn new(outline: &ShapeOutline, transform: &Transform) -> Option<Self> {
        let [a, b, c, d, ..] = transform.m;
        let is_upright = b == 0.0 && c == 0.0 && a > 0.0 && a == d;
        let sides = outline.sides().filter(|_| is_upright)?;
        // What a circle has none of is −1 in any size.
        Some(Self(sides.map(|side| to_steps(bounded_length(side) * a * UNITS_PER_MM, 1).max(-1))))
    }
}

/// The outlines of one page or of several.
#[derive(Debug, Default)]
pub struct StampCounts(BTreeMap<StampSides, usize>);

impl StampCounts {
    pub fn note(&mut self, shape: &Shape, transform: &Transform) {
        let outline = match shape {
            Shape::Rect { rect, radius, .. } if *radius > 0.0 => ShapeOutline::Rect(rect, *radius),
            Shape::Circle { x, y, radius, .. } => ShapeOutline::Circle(*x, *y, *radius),
            _ => return,
        };
        if let Some(sides) = StampSides::new(&outline, transform) {
            self.0.insert(sides, 1);
        }
    }

    pub fn add_page(&mut self, page: Self) {
        page.0.into_iter().for_each(|(sides, pages)| *self.0.entry(sides).or_default() += pages);
    }

    /// Those that are forms.
    pub fn shared(self) -> SharedStamps {
        let shared = self.0.into_iter().filter(|(_, pages)| *pages >= MIN_PAGES);
        SharedStamps(shared.map(|(sides, _)| sides).collect())
    }
}

/// The outlines that are forms, in order.
#[derive(Debug, Default)]
pub struct SharedStamps(Vec<StampSides>);

/// A form: the index of its outline, and the operator that paints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StampForm(usize, &'static str);

impl StampForm {
    /// Its name among a page's resources.
    pub fn name(self) -> String {
        format!("O{}{}", self.0, self.1)
    }
}

impl SharedStamps {
    /// The form of an outline that is painted so, with a pen of a width in units; `None` if it has none.
    pub fn form(
        &self,
        outline: &ShapeOutline,
        transform: &Transform,
        (paint, pen): (&'static str, f32),
    ) -> Option<StampForm> {
        let sides = StampSides::new(outline, transform).filter(|_| pen <= MAX_PEN)?;
        Some(StampForm(self.0.binary_search(&sides).ok()?, paint))
    }

    /// What a form draws about its origin, and what it may cover, in units.
    pub fn content(&self, StampForm(outline, paint): StampForm) -> (Vec<u8>, BoxBounds) {
        let [width, height, radius] = self.0[outline].0.map(|steps| steps as f32 / 10.0 / UNITS_PER_MM);
        let rect = Rect::new(0.0, 0.0, width, height);
        let outline =
            if height < 0.0 { ShapeOutline::Circle(0.0, 0.0, width) } else { ShapeOutline::Rect(&rect, radius) };
        let place = |x: f32, y: f32| (x * UNITS_PER_MM, -y * UNITS_PER_MM);
        let mut content = Vec::new();
        outline.write(&mut content, 0, false, &place);
        content.extend_from_slice(paint.as_bytes());
        (content, grown(outline.bounds(place).unwrap_or_default(), MAX_PEN))
    }
}

#[cfg(test)]
mod tests {
    use moldloft_drawing::scene::PaintStyle;

    use super::*;

    const STYLE: PaintStyle = PaintStyle { fill: None, stroke: None };

    fn shared(pages: usize, shapes: &[Shape], transform: &Transform) -> SharedStamps {
        let mut all = StampCounts::default();
        for _ in 0..pages {
            let mut page = StampCounts::default();
            // How often a page draws it does not count.
            (0..9).for_each(|_| shapes.iter().for_each(|shape| page.note(shape, transform)));
            all.add_page(page);
        }
        all.shared()
    }

    #[test]
    fn what_several_pages_draw_is_a_form_about_its_origin() {
        let rect = Rect::new(7.0, 8.0, 5.0, 4.0);
        let shapes = [
            Shape::Rect { rect, radius: 1.0, style: STYLE },
            Shape::Rect { rect, radius: 0.0, style: STYLE },
            Shape::Circle { x: 9.0, y: 9.0, radius: 2.5, style: STYLE },
        ];
        assert!(shared(MIN_PAGES - 1, &shapes, &Transform::IDENTITY).0.is_empty());
        let stamps = shared(MIN_PAGES, &shapes, &Transform::IDENTITY);
        assert_eq!(stamps.0.len(), 2, "a box with sharp corners is as short as its name");
        let (round, circle) = (ShapeOutline::Rect(&rect, 1.0), ShapeOutline::Circle(1.0, 1.0, 2.5));
        let form = |outline: &ShapeOutline, transform: &Transform, pen| stamps.form(outline, transform, ("S", pen));
        let (first, second) = (form(&circle, &Transform::IDENTITY, 30.0), form(&round, &Transform::IDENTITY, 30.0));
        assert_eq!([first, second].map(|form| form.map(StampForm::name)), [Some("O0S".into()), Some("O1S".into())]);
        let (content, bounds) = stamps.content(second.expect("a form"));
        assert!(content.starts_with(b"100 0 m\n400 0 l\n") && content.ends_with(b"h\nS"), "{content:?}");
        assert_eq!(bounds, [-MAX_PEN, -400.0 - MAX_PEN, 500.0 + MAX_PEN, MAX_PEN]);
        assert_eq!(form(&round, &Transform::IDENTITY, MAX_PEN * 1.1), None, "its bounds would cut the pen");
        assert_eq!(form(&round, &Transform { m: [0.0, 1.0, -1.0, 0.0, 0.0, 0.0] }, 30.0), None);
        assert_eq!(form(&ShapeOutline::Rect(&rect, 0.5), &Transform::IDENTITY, 30.0), None);
    }

    #[test]
    fn what_is_enlarged_is_the_form_of_its_size() {
        let small = [Shape::Circle { x: 0.0, y: 0.0, radius: 1.25, style: STYLE }];
        let stamps = shared(MIN_PAGES, &small, &Transform::scale(2.0, 2.0));
        let whole = ShapeOutline::Circle(0.0, 0.0, 2.5);
        assert!(stamps.form(&whole, &Transform::IDENTITY, ("f", 0.0)).is_some());
    }
}
