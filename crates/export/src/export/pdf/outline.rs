//! Writes outlines (paths, boxes, circles) as path operators, placed by a function from millimetres to units.

use super::batch::BoxBounds;
use crate::export::curves;
use crate::export::limits::bounded_length;
use crate::export::number::{put, put_steps, to_steps};
use moldloft_drawing::scene::{Path, Rect, Segment};

#[derive(Clone, Copy)]
pub(super) enum ShapeOutline<'a> {
    Path(&'a Path),
    Rect(&'a Rect, f32),
    Circle(f32, f32, f32),
}

/// Shorter paths take no more bytes than their place; longer ones are art.
const STAMPED_SEGMENTS: std::ops::RangeInclusive<usize> = 5..=16;

impl ShapeOutline<'_> {
    /// Bounds of its points where `place` puts them; `None` without points.
    pub fn bounds(&self, place: impl Fn(f32, f32) -> (f32, f32)) -> Option<BoxBounds> {
        let mut bounds = None;
        let mut at = |x: f32, y: f32| {
            let (x, y) = place(x, y);
            extend(&mut bounds, x, y);
        };
        match self {
            Self::Path(path) => {
                for segment in &path.segments {
                    match *segment {
                        Segment::Move(x, y) | Segment::Line(x, y) => at(x, y),
                        Segment::Curve(ax, ay, bx, by, x, y) => {
                            at(ax, ay);
                            at(bx, by);
                            at(x, y);
                        }
                        Segment::Close => {}
                    }
                }
            }
            Self::Rect(rect, _) => {
                at(rect.x, rect.y);
                at(rect.right(), rect.y);
                at(rect.right(), rect.bottom());
                at(rect.x, rect.bottom());
            }
            Self::Circle(x, y, radius) => {
                at(x - radius, y - radius);
                at(x + radius, y - radius);
                at(x + radius, y + radius);
                at(x - radius, y + radius);
            }
        }
        bounds
    }

    /// The point about which it is written if it is likely to be drawn many times and takes more than a few numbers.
    pub fn stamp_origin(&self) -> Option<(f32, f32)> {
        match self {
            Self::Circle(x, y, _) => Some((bounded_length(*x), bounded_length(*y))),
            Self::Rect(rect, radius) if *radius > 0.0 => Some((bounded_length(rect.x), bounded_length(rect.y))),
            Self::Path(path) if STAMPED_SEGMENTS.contains(&path.segments.len()) => match path.segments.first() {
                Some(Segment::Move(x, y)) => Some((bounded_length(*x), bounded_length(*y))),
                _ => None,
            },
            _ => None,
        }
    }

    /// What it is about its origin, if a few numbers tell.
    pub fn sides(&self) -> Option<[f32; 3]> {
        match self {
            Self::Path(_) => None,
            Self::Rect(rect, radius) => Some([rect.w, rect.h, *radius]),
            Self::Circle(_, _, radius) => Some([*radius, -1.0, -1.0]),
        }
    }

    /// `place` converts millimetres to units.
    pub fn write(&self, out: &mut Vec<u8>, places: u8, upright: bool, place: &impl Fn(f32, f32) -> (f32, f32)) {
        let mut writer = PathWriter { out, places, place, is_started: false };
        match *self {
            Self::Path(path) => {
                for segment in &path.segments {
                    writer.segment(*segment);
                }
            }
            Self::Rect(rect, radius) => {
                let rect = Rect::new(
                    bounded_length(rect.x),
                    bounded_length(rect.y),
                    bounded_length(rect.w).max(0.0),
                    bounded_length(rect.h).max(0.0),
                );
                if bounded_length(radius) <= 0.0 && upright {
                    writer.rectangle(&rect);
                } else {
                    curves::rounded_rect(&rect, bounded_length(radius), &mut |segment| writer.segment(segment));
                }
            }
            Self::Circle(x, y, radius) => {
                curves::circle(bounded_length(x), bounded_length(y), bounded_length(radius).max(0.0), &mut |segment| {
                    writer.segment(segment)
                });
            }
        }
    }
}

struct PathWriter<'a, P> {
    out: &'a mut Vec<u8>,
    places: u8,
    place: &'a P,
    is_started: bool,
}

impl<P: Fn(f32, f32) -> (f32, f32)> PathWriter<'_, P> {
    fn segment(&mut self, segment: Segment) {
        // A path without an initial move starts at its first point.
        match segment {
            Segment::Close if !self.is_started => {}
            Segment::Close => self.out.extend_from_slice(b"h\n"),
            Segment::Line(x, y) if !self.is_started => self.segment(Segment::Move(x, y)),
            Segment::Curve(.., x, y) if !self.is_started => self.segment(Segment::Move(x, y)),
            Segment::Move(x, y) => self.put_operator(&[(x, y)], b"m\n"),
            Segment::Line(x, y) => self.put_operator(&[(x, y)], b"l\n"),
            Segment::Curve(ax, ay, bx, by, x, y) => self.put_operator(&[(ax, ay), (bx, by), (x, y)], b"c\n"),
        }
    }

    fn put_operator(&mut self, points: &[(f32, f32)], operator: &[u8]) {
        self.is_started = true;
        for &(x, y) in points {
            let (x, y) = (self.place)(x, y);
            put(self.out, x, self.places);
            self.out.push(b' ');
            put(self.out, y, self.places);
            self.out.push(b' ');
        }
        self.out.extend_from_slice(operator);
    }

    fn rectangle(&mut self, rect: &Rect) {
        let (ax, ay) = (self.place)(rect.x, rect.y);
        let (bx, by) = (self.place)(rect.right(), rect.bottom());
        // Rounds both edges, not edge and width, so that boxes on one line stay aligned.
        let [left, right] = [ax.min(bx), ax.max(bx)].map(|x| to_steps(x, self.places));
        let [bottom, top] = [ay.min(by), ay.max(by)].map(|y| to_steps(y, self.places));
        for number in [left, bottom, right - left, top - bottom] {
            put_steps(self.out, number, self.places);
            self.out.push(b' ');
        }
        self.out.extend_from_slice(b"re\n");
    }
}

pub(super) fn bounds_around(points: &[(f32, f32)], by: f32) -> BoxBounds {
    let mut bounds = None;
    points.iter().for_each(|&(x, y)| extend(&mut bounds, x, y));
    grown(bounds.unwrap_or_default(), by)
}

fn extend(bounds: &mut Option<BoxBounds>, x: f32, y: f32) {
    let [left, bottom, right, top] = bounds.unwrap_or([x, y, x, y]);
    *bounds = Some([left.min(x), bottom.min(y), right.max(x), top.max(y)]);
}

pub(super) fn grown([left, bottom, right, top]: BoxBounds, by: f32) -> BoxBounds {
    [left - by, bottom - by, right + by, top + by]
}
