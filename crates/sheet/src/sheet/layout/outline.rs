//! Boxes inside an outline: takes a closed outline and a request for boxes, gives a position for every box inside the
//! outline at the largest size that fits, each line as wide as the outline is at its height. Pure arithmetic.

use super::box_layout::{BoxLayout, BoxLayoutRequest, BoxLine, GROUP_SIZE, RowFlow};
use moldloft_drawing::scene::Rect;

/// A closed outline, its points as fractions of the width and height of its rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    points: Vec<(f32, f32)>,
}

/// Between the outline and a box, mm.
pub(super) const CLEARANCE: f32 = 0.6;
/// Sizes are multiples of this, mm.
pub(super) const SIZE_STEP: f32 = 0.05;
/// The next height that is tried where no box fits, mm.
pub(super) const SEARCH_STEP: f32 = 0.4;
/// Rounding error that is ignored, mm.
pub(super) const TOLERANCE: f32 = 0.001;
/// Strips of an outline for a pointer.
const STRIPS: u32 = 6;
/// The most sizes that are tried.
pub(super) const MAX_SIZES: u32 = 200;

impl Outline {
    /// From points, the last joined to the first; `None` for fewer than three.
    pub fn new(points: Vec<(f32, f32)>) -> Option<Self> {
        (points.len() >= 3).then_some(Self { points })
    }

    /// The part of it in a strip of its rectangle, as an outline of that strip: from `top` on, `height` high, both as
    /// fractions of its height.
    #[must_use]
    pub fn strip(&self, top: f32, height: f32) -> Self {
        let height = height.max(1e-4);
        Self { points: self.points.iter().map(|&(x, y)| (x, (y - top) / height)).collect() }
    }

    /// Rectangles inside it, one under another, for what a pointer finds: in a rectangle with this corner and size, mm.
    pub fn strips(&self, rect: Rect) -> Vec<Rect> {
        let height = rect.h / STRIPS as f32;
        let strip = |n: u32| {
            let top = n as f32 * height;
            let (left, right) = self.room((rect.w, rect.h), top, top + height)?;
            Some(Rect::new(rect.x + left, rect.y + top, right - left, height))
        };
        (0..STRIPS).filter_map(strip).collect()
    }

    /// The widest room from left to right that is inside at every height from `top` to `bottom`, mm, in a rectangle of
    /// a size.
    pub(super) fn room(&self, (width, height): (f32, f32), top: f32, bottom: f32) -> Option<(f32, f32)> {
        let point = |(x, y): (f32, f32)| (x * width, y * height);
        let edges = || {
            let next = self.points.iter().skip(1).chain(self.points.first());
            self.points.iter().zip(next).map(|(&a, &b)| (point(a), point(b)))
        };
        // Where edges cross a height.
        let crossings = |y: f32| {
            let mut found: Vec<f32> = edges()
                .filter(|((_, ay), (_, by))| (*ay <= y) != (*by <= y))
                .map(|((ax, ay), (bx, by))| ax + (bx - ax) * (y - ay) / (by - ay))
                .collect();
            found.sort_by(f32::total_cmp);
            found
        };
        let middle = (top + bottom) / 2.0;
        let inside = crossings(middle);
        let mut best: Option<(f32, f32)> = None;
        for pair in inside.chunks_exact(2) {
            let (mut left, mut right) = (pair[0], pair[1]);
            let centre = (left + right) / 2.0;
            // What any edge reaches within the strip narrows the room on its side of the centre.
            for ((ax, ay), (bx, by)) in edges() {
                let (from, to) = (ay.min(by).max(top), ay.max(by).min(bottom));
                if from > to {
                    continue;
                }
                let x_at = |y: f32| if (by - ay).abs() < 1e-6 { ax } else { ax + (bx - ax) * (y - ay) / (by - ay) };
                let (near, far) = if (by - ay).abs() < 1e-6 { (ax, bx) } else { (x_at(from), x_at(to)) };
                let (least, most) = (near.min(far), near.max(far));
                // An edge across the whole strip's room leaves nothing.
                if least <= centre && most >= centre {
                    (left, right) = (centre, centre);
                } else if most < centre {
                    left = left.max(most);
                } else {
                    right = right.min(least);
                }
            }
            if best.is_none_or(|(l, r)| right - left > r - l) {
                best = Some((left, right));
            }
        }
        best.filter(|(left, right)| right > left)
    }
}

/// A line of boxes before it is placed.
#[derive(Clone, Copy)]
struct OutlineLine {
    row: usize,
    begins: bool,
    ends: bool,
    first: u32,
    count: u32,
    /// Left edge of its first box, mm.
    x: f32,
    y: f32,
    /// Runs on the line beyond the first.
    breaks: u32,
}

struct OutlinePlanner<'a> {
    request: &'a BoxLayoutRequest<'a>,
    outline: &'a Outline,
}

impl OutlinePlanner<'_> {
    /// Length of `n` boxes of one run, in fives.
    fn run_length(&self, n: u32, size: f32) -> f32 {
        self.request.line_length(n, self.request.box_width(size), size)
    }

    /// The most boxes of a run in a room, `wanted` at most.
    fn capacity(&self, room: f32, size: f32, wanted: u32) -> u32 {
        let mut n = 0;
        while n < wanted && self.run_length(n + 1, size) <= room + TOLERANCE {
            n += 1;
        }
        n
    }

    /// Lines from a height on, and the number of boxes in them.
    fn lines(&self, size: f32, from: f32) -> (Vec<OutlineLine>, u32) {
        let request = self.request;
        let height = size;
        let gap = (request.gaps.within + request.gaps.run) * size;
        let joins = matches!(request.flow, RowFlow::Centred | RowFlow::Start);
        let mut lines: Vec<OutlineLine> = Vec::new();
        let (mut row, mut done, mut placed, mut y) = (0, 0, 0, from);
        while row < request.rows.len() {
            if done >= request.rows[row] {
                (row, done) = (row + 1, 0);
                continue;
            }
            if y + height > request.height + TOLERANCE {
                break;
            }
            let room = self.outline.room((request.width, request.height), y - CLEARANCE, y + height + CLEARANCE);
            let room = room.map(|(left, right)| (left + CLEARANCE, right - CLEARANCE)).filter(|(l, r)| r > l);
            let wide = room.map_or(0.0, |(left, right)| right - left);
            let left = request.rows[row] - done;
            let mut count = self.capacity(wide, size, left);
            let Some((x, _)) = room.filter(|_| count > 0) else {
                y += SEARCH_STEP;
                continue;
            };
            // Whole fives, where the row goes on.
            if count < left && count > GROUP_SIZE {
                count -= count % GROUP_SIZE;
            }
            let (begin_row, begins, first) = (row, done == 0, placed);
            let mut length = self.run_length(count, size);
            let mut breaks = 0;
            (done, placed) = (done + count, placed + count);
            // Whole further runs on the same line.
            while joins && done >= request.rows[row] {
                let next = (row + 1..request.rows.len()).find(|&next| request.rows[next] > 0);
                let Some(next) = next else { break };
                let more = gap + self.run_length(request.rows[next], size);
                if length + more > wide + TOLERANCE {
                    break;
                }
                (row, done, breaks) = (next, request.rows[next], breaks + 1);
                (length, placed, count) = (length + more, placed + done, count + done);
            }
            let ends = done >= request.rows[row];
            let spare = if request.flow == RowFlow::Start { 0.0 } else { (wide - length) / 2.0 };
            lines.push(OutlineLine { row: begin_row, begins, ends, first, count, x: x + spare, y, breaks });
            y += height + size * if ends { request.gaps.row } else { request.gaps.wrap };
        }
        (lines, placed)
    }

    fn place(&self, size: f32, lines: &[OutlineLine], total: u32) -> BoxLayout {
        let (box_width, box_height) = (self.request.box_width(size), size);
        let mut layout = BoxLayout { size, box_width, box_height, ..BoxLayout::default() };
        let gap = (self.request.gaps.within + self.request.gaps.run) * size;
        for line in lines {
            let (mut x, mut left) = (line.x, line.count);
            let mut rows = self.request.rows[line.row..].iter().copied().filter(|&boxes| boxes > 0);
            // A line of one run may be a part of its row.
            let first = if line.breaks == 0 { line.count } else { self.first_run(line) };
            let mut run = first.min(left);
            rows.next();
            let mut end = x;
            while left > 0 && run > 0 {
                layout.corners.extend((0..run).map(|n| (x + self.request.place_start(n, box_width, size), line.y)));
                end = x + self.run_length(run, size);
                x = end + gap;
                left -= run;
                run = rows.next().unwrap_or(0).min(left);
            }
            layout.lines.push(BoxLine {
                row: line.row,
                begins: line.begins,
                ends: line.ends,
                first: line.first,
                count: line.count,
                at: line.y,
                end,
            });
        }
        layout.unplaced = total - layout.corners.len() as u32;
        // Corners are places in the rectangle, which is all taken.
        (layout.width, layout.height) = (self.request.width, self.request.height);
        layout
    }

    /// Boxes of the first run on a line with further runs.
    fn first_run(&self, line: &OutlineLine) -> u32 {
        let rows = self.request.rows[line.row..].iter().copied().filter(|&boxes| boxes > 0);
        let later: u32 = rows.skip(1).take(line.breaks as usize).sum();
        line.count - later
    }
}

/// Places the boxes inside an outline at the largest size that holds all of them, or as many as fit at the smallest.
/// Corners count from the upper left corner of the outline's rectangle, which has the request's size.
pub fn lay_out_in_outline(request: &BoxLayoutRequest<'_>, outline: &Outline) -> BoxLayout {
    let total: u32 = request.rows.iter().fold(0, |sum, &n| sum.saturating_add(n));
    let plan = OutlinePlanner { request, outline };
    let least = request.min_side.max(0.1);
    let steps = (((request.max_side - least) / SIZE_STEP).floor().max(0.0) as u32).min(MAX_SIZES);
    for step in (0..=steps).rev() {
        let size = least + step as f32 * SIZE_STEP;
        let (lines, placed) = plan.lines(size, 0.0);
        if placed < total {
            continue;
        }
        // In the middle of the height, if all of them fit there too.
        let end = lines.last().map_or(0.0, |line| line.y + size);
        let begin = lines.first().map_or(0.0, |line| line.y);
        let spare = request.height - end - begin;
        let tries =
            [0.5, 0.35, 0.2].into_iter().map(|share| plan.lines(size, begin.max(0.0) + (spare * share).max(0.0)));
        let lines = tries.filter(|(_, placed)| *placed == total).map(|(lines, _)| lines).next().unwrap_or(lines);
        return plan.place(size, &lines, total);
    }
    let (lines, _) = plan.lines(least, 0.0);
    plan.place(least, &lines, total)
}

/// The least height of the outline's rectangle at which all boxes of a size fit, mm; `None` if none up to `most` does.
pub fn height_in_outline(request: &BoxLayoutRequest<'_>, outline: &Outline, size: f32, most: f32) -> Option<f32> {
    let total: u32 = request.rows.iter().fold(0, |sum, &n| sum.saturating_add(n));
    let fits = |height: f32| {
        let request = BoxLayoutRequest { height, ..request.clone() };
        OutlinePlanner { request: &request, outline }.lines(size, 0.0).1 >= total
    };
    least_height(most, fits)
}

/// The least height up to `most`, mm, at which something fits; `None` if there is none.
pub fn least_height(most: f32, fits: impl Fn(f32) -> bool) -> Option<f32> {
    if !fits(most) {
        return None;
    }
    let (mut bad, mut good) = (0.0, most);
    while good - bad > 0.25 {
        let middle = (good + bad) / 2.0;
        if fits(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::box_layout::BoxGaps;
    use super::*;

    fn request(rows: &[u32], width: f32, height: f32, flow: RowFlow) -> BoxLayoutRequest<'_> {
        BoxLayoutRequest {
            rows,
            width,
            height,
            min_side: 3.0,
            max_side: 5.0,
            aspect: 1.0,
            min_width: 0.0,
            flow,
            down: false,
            gaps: BoxGaps::default(),
            companions: &[],
            min_companion: 0.0,
        }
    }

    fn is_inside(outline: &Outline, (width, height): (f32, f32), (x, y): (f32, f32)) -> bool {
        let points: Vec<(f32, f32)> = outline.points.iter().map(|&(x, y)| (x * width, y * height)).collect();
        let mut inside = false;
        for n in 0..points.len() {
            let ((ax, ay), (bx, by)) = (points[n], points[(n + 1) % points.len()]);
            if (ay > y) != (by > y) && x < ax + (bx - ax) * (y - ay) / (by - ay) {
                inside = !inside;
            }
        }
        inside
    }

    fn holds(request: &BoxLayoutRequest<'_>, outline: &Outline, layout: &BoxLayout) {
        let total: u32 = request.rows.iter().sum();
        assert_eq!(layout.corners.len() as u32 + layout.unplaced, total);
        assert_eq!(layout.lines.iter().map(|line| line.count).sum::<u32>(), layout.corners.len() as u32);
        let size = (request.width, request.height);
        let (w, h) = (layout.box_width, layout.box_height);
        for &(x, y) in &layout.corners {
            for (across, down) in
                [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (0.0, 0.5), (1.0, 0.5), (0.0, 1.0), (0.5, 1.0), (1.0, 1.0)]
            {
                let point = (x + w * across, y + h * down);
                assert!(is_inside(outline, size, point), "{point:?} is outside {outline:?} of {size:?}");
            }
        }
        for (n, &(ax, ay)) in layout.corners.iter().enumerate() {
            for &(bx, by) in &layout.corners[n + 1..] {
                assert!((ax - bx).abs() >= w - 1e-3 || (ay - by).abs() >= h - 1e-3, "boxes overlap");
            }
        }
    }

    fn hull() -> Outline {
        let points = [(0.5, 0.0), (0.8, 0.1), (0.8, 0.3), (0.6, 0.4), (0.6, 0.6), (0.9, 0.7), (1.0, 1.0), (0.0, 1.0)];
        let other = [(0.1, 0.7), (0.4, 0.6), (0.4, 0.4), (0.2, 0.3), (0.2, 0.1)];
        Outline::new(points.into_iter().chain(other).collect()).unwrap()
    }

    #[test]
    fn lines_are_as_long_as_the_outline_is_wide() {
        let rows = [60];
        let request = request(&rows, 50.0, 90.0, RowFlow::Centred);
        let layout = lay_out_in_outline(&request, &hull());
        holds(&request, &hull(), &layout);
        assert_eq!(layout.unplaced, 0);
        let counts: Vec<u32> = layout.lines.iter().map(|line| line.count).collect();
        assert!(counts.iter().max() > counts.iter().min(), "{counts:?}");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let rows = [40, 30, 50];
        let request = request(&rows, 20.0, 30.0, RowFlow::Rows);
        let layout = lay_out_in_outline(&request, &hull());
        holds(&request, &hull(), &layout);
        assert!(layout.unplaced > 0 && !layout.corners.is_empty());
        assert_eq!(layout.size, 3.0);
    }

    #[test]
    fn a_strip_is_an_outline_of_its_own() {
        let triangle = Outline::new(vec![(0.0, 0.0), (1.0, 0.0), (0.5, 1.0)]).unwrap();
        let lower = triangle.strip(0.5, 0.5);
        assert_eq!(lower.points, [(0.0, -1.0), (1.0, -1.0), (0.5, 1.0)]);
        let (left, right) = lower.room((40.0, 20.0), 0.0, 0.0).unwrap();
        assert!((left - 10.0).abs() < 0.01 && (right - 30.0).abs() < 0.01, "{left} {right}");
    }

    #[test]
    fn all_boxes_fit_the_height_that_is_asked_for_them() {
        let rows = [25, 10];
        let request = request(&rows, 40.0, 1.0, RowFlow::Centred);
        let height = height_in_outline(&request, &hull(), 3.0, 400.0).unwrap();
        let request = BoxLayoutRequest { height, ..request };
        assert_eq!(lay_out_in_outline(&request, &hull()).unplaced, 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        #[test]
        fn every_box_is_inside_or_counted(
            rows in prop::collection::vec(0u32..40, 1..9), width in 5f32..120.0, height in 5f32..160.0,
            radii in prop::collection::vec(0.1f32..0.5, 3..14), narrowest in 0f32..6.0,
            flow in prop::sample::select(vec![RowFlow::Rows, RowFlow::Even, RowFlow::Centred, RowFlow::Start]),
        ) {
            // A star around the middle, concave where its radii differ.
            let many = radii.len() as f32;
            let point = |(n, radius): (usize, &f32)| {
                let angle = std::f32::consts::TAU * n as f32 / many;
                (0.5 + radius * angle.sin(), 0.5 - radius * angle.cos())
            };
            let outline = Outline::new(radii.iter().enumerate().map(point).collect()).unwrap();
            let request = BoxLayoutRequest { min_width: narrowest, ..request(&rows, width, height, flow) };
            holds(&request, &outline, &lay_out_in_outline(&request, &outline));
        }
    }
}
