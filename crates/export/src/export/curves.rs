//! Circles and rounded corners as cubic curves: takes millimetres, gives segments with closed subpaths.

use moldloft_drawing::scene::{Rect, Segment};

const QUARTER_HANDLE: f32 = 0.552_285;

pub fn circle(x: f32, y: f32, r: f32, to: &mut (impl FnMut(Segment) + ?Sized)) {
    let k = r * QUARTER_HANDLE;
    to(Segment::Move(x + r, y));
    to(Segment::Curve(x + r, y + k, x + k, y + r, x, y + r));
    to(Segment::Curve(x - k, y + r, x - r, y + k, x - r, y));
    to(Segment::Curve(x - r, y - k, x - k, y - r, x, y - r));
    to(Segment::Curve(x + k, y - r, x + r, y - k, x + r, y));
    to(Segment::Close);
}

/// The radius is at most half of each side.
pub fn rounded_rect(rect: &Rect, radius: f32, to: &mut (impl FnMut(Segment) + ?Sized)) {
    let r = radius.min(rect.w / 2.0).min(rect.h / 2.0).max(0.0);
    let (left, top, right, bottom) = (rect.x, rect.y, rect.right(), rect.bottom());
    if r == 0.0 {
        to(Segment::Move(left, top));
        to(Segment::Line(right, top));
        to(Segment::Line(right, bottom));
        to(Segment::Line(left, bottom));
    } else {
        let k = r * (1.0 - QUARTER_HANDLE);
        to(Segment::Move(left + r, top));
        to(Segment::Line(right - r, top));
        to(Segment::Curve(right - k, top, right, top + k, right, top + r));
        to(Segment::Line(right, bottom - r));
        to(Segment::Curve(right, bottom - k, right - k, bottom, right - r, bottom));
        to(Segment::Line(left + r, bottom));
        to(Segment::Curve(left + k, bottom, left, bottom - k, left, bottom - r));
        to(Segment::Line(left, top + r));
        to(Segment::Curve(left, top + k, left + k, top, left + r, top));
    }
    to(Segment::Close);
}
