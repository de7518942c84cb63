//! Positions of the pages in the preview: takes their sizes and the scale, gives rectangles in points, one below the
//! other.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use crate::preview::settings::Zoom;
use crate::preview::tiles::page_pixels;

/// In points.
pub const MARGIN: f32 = 12.0;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreviewLayout {
    pub pages: Vec<Rect>,
    pub size: Vec2,
}

/// `sizes` in mm, `scale` in pixels per mm, `per_point` in pixels per point, `window` in points.
pub fn lay_out_pages(sizes: &[(f32, f32)], scale: f32, per_point: f32, window: Vec2) -> PreviewLayout {
    let whole = |points: f32| (points * per_point).round() / per_point;
    let sides: Vec<Vec2> = sizes
        .iter()
        .map(|size| {
            let (width, height) = page_pixels(*size, scale);
            vec2(width as f32, height as f32) / per_point
        })
        .collect();
    let widest = sides.iter().map(|side| side.x).fold(0.0, f32::max);
    let width = window.x.max(widest + 2.0 * MARGIN);
    let high: f32 = sides.iter().map(|side| side.y + MARGIN).sum();
    let mut y = whole(MARGIN.max((window.y - high + MARGIN) / 2.0));
    let mut pages = Vec::with_capacity(sides.len());
    for side in sides {
        pages.push(Rect::from_min_size(pos2(whole((width - side.x) / 2.0), y), side));
        y = whole(y + side.y + MARGIN);
    }
    PreviewLayout { pages, size: vec2(width, y.max(window.y)) }
}

impl PreviewLayout {
    /// The new position of a point that keeps its place on its page.
    pub fn map_point_from(&self, before: &Self, point: Pos2) -> Pos2 {
        let pairs = before.pages.iter().zip(&self.pages);
        let nearest = pairs.min_by(|(a, _), (b, _)| a.distance_to_pos(point).total_cmp(&b.distance_to_pos(point)));
        let Some((old, new)) = nearest else { return point };
        let share = (point - old.min) / old.size().max(Vec2::splat(1.0));
        new.min + share * new.size()
    }

    /// From 0.
    pub fn page_at(&self, seen: Rect) -> usize {
        let middle = seen.center().y;
        let away = |rect: &Rect| (rect.top() - middle).max(middle - rect.bottom()).max(0.0);
        let nearest = self.pages.iter().enumerate().min_by(|(_, a), (_, b)| away(a).total_cmp(&away(b)));
        nearest.map_or(0, |(n, _)| n)
    }

    /// Stops where a page begins.
    pub fn next_screen_offset(&self, from: f32, screen: f32, down: bool) -> f32 {
        let starts = self.pages.iter().map(|page| page.top() - MARGIN);
        let step = (screen - 2.0 * MARGIN).max(40.0);
        if down {
            let to = from + step;
            starts.filter(|start| *start > from + 2.0 && *start < to).fold(to, f32::min)
        } else {
            let to = from - step;
            starts.filter(|start| *start < from - 2.0 && *start > to).fold(to, f32::max)
        }
    }
}

/// Pixels per mm.
pub fn zoom_scale(zoom: Zoom, sizes: &[(f32, f32)], true_scale: f32, per_point: f32, window: Vec2) -> f32 {
    let widest = sizes.iter().map(|size| size.0).fold(1.0, f32::max);
    let highest = sizes.iter().map(|size| size.1).fold(1.0, f32::max);
    let across = (window.x - 2.0 * MARGIN).max(20.0) * per_point / widest;
    let down = (window.y - 2.0 * MARGIN).max(20.0) * per_point / highest;
    let scale = match zoom {
        Zoom::FitWidth => across,
        Zoom::FitPage => across.min(down),
        Zoom::Percent(percent) => true_scale * percent / 100.0,
    };
    scale.clamp(0.1, 60.0)
}

/// Pixels per mm at true size, corrected by the calibration.
pub fn true_scale(native: f32, calibration: u32) -> f32 {
    native * 96.0 / 25.4 * calibration as f32 / crate::preview::NOMINAL_CALIBRATION as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    const A4: (f32, f32) = (210.0, 297.0);

    #[test]
    fn pages_lie_below_one_another_on_whole_pixels() {
        let placed = lay_out_pages(&[A4, A4], 1.7, 1.5, vec2(401.0, 300.0));
        assert_eq!(placed.pages.len(), 2);
        for page in &placed.pages {
            for at in [page.left(), page.top(), page.right(), page.bottom()] {
                let pixel = at * 1.5;
                assert!((pixel - pixel.round()).abs() < 1e-3, "{pixel}");
            }
        }
        assert!(placed.pages[1].top() >= placed.pages[0].bottom() + MARGIN - 0.7);
        assert!(placed.size.y >= placed.pages[1].bottom());
    }

    #[test]
    fn what_is_under_the_pointer_stays_there() {
        let window = vec2(400.0, 300.0);
        let (before, after) = (lay_out_pages(&[A4, A4], 2.0, 1.0, window), lay_out_pages(&[A4, A4], 4.0, 1.0, window));
        let point = before.pages[1].min + vec2(42.0, 59.4);
        let now = after.map_point_from(&before, point);
        assert!((now - (after.pages[1].min + vec2(84.0, 118.8))).length() < 1.0);
    }

    #[test]
    fn leafing_halts_where_a_page_begins() {
        let placed = lay_out_pages(&[A4, A4, A4], 1.0, 1.0, vec2(300.0, 250.0));
        let second = placed.pages[1].top() - MARGIN;
        assert_eq!(placed.next_screen_offset(100.0, 250.0, true), second);
        assert_eq!(placed.next_screen_offset(second, 250.0, true), second + 226.0);
        assert_eq!(placed.next_screen_offset(second + 100.0, 250.0, false), second);
    }

    #[test]
    fn a_millimetre_is_a_millimetre() {
        let plain = true_scale(1.0, super::super::NOMINAL_CALIBRATION);
        assert!((plain * 25.4 - 96.0).abs() < 1e-3);
        assert!((true_scale(2.0, 500) - plain).abs() < 1e-4);
        let zoom = |zoom| zoom_scale(zoom, &[A4], plain, 1.0, vec2(444.0, 321.0));
        assert!((zoom(Zoom::FitWidth) * 210.0 - 420.0).abs() < 1e-2);
        assert!((zoom(Zoom::FitPage) * 297.0 - 297.0).abs() < 1e-2);
        assert_eq!(zoom(Zoom::Percent(200.0)), plain * 2.0);
    }
}
