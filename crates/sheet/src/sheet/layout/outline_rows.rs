//! Rows of boxes with names inside an outline: takes a closed outline, rows and the widths of their names, gives a
//! position for every box at the largest size that fits. A row's lines begin under one another and differ by one box at
//! most; all rows begin under one another where the outline allows it. Pure arithmetic.

use std::cell::RefCell;

use super::box_layout::{BoxLayout, BoxLayoutRequest, BoxLine};
use super::outline::{CLEARANCE, MAX_SIZES, Outline, SEARCH_STEP, SIZE_STEP, TOLERANCE, least_height};

/// Between rows, as multiples of a box: as wide as the height allows.
const ROW_GAPS: [f32; 4] = [0.95, 0.7, 0.45, TIGHT];
const TIGHT: f32 = 0.3;
/// Where the free height is: so much of it is above the rows.
const PLACES: [f32; 4] = [0.5, 0.25, 0.75, 0.0];
/// Sizes of a coarse step, and of a step to a smaller size that may take fewer lines.
const COARSE: usize = 4;
const SMALLER: u32 = 4;
const SMALLER_SIZES: u32 = 2;
/// Heights of lines within this count as one, mm.
const GRID: f32 = 0.1;
/// Places further down that are tried for a row, mm apart.
const FURTHER_DOWN: u32 = 12;
const FURTHER_STEP: f32 = 1.2;
/// A row has at most this many lines.
const MAX_LINES: u32 = 24;
/// The most heights that are tried for a row.
const MAX_HEIGHTS: u32 = 1_000;

/// A row before it is placed.
#[derive(Clone, Debug)]
struct NamedRow {
    row: usize,
    /// Top of its first line, mm.
    y: f32,
    /// Boxes of its lines.
    lines: Vec<u32>,
    /// Where its boxes may begin, mm, and where they begin in the middle of the outline.
    from: f32,
    to: f32,
    middle: f32,
}

/// Rows of one size of boxes in an outline.
struct NamedRows<'a> {
    request: &'a BoxLayoutRequest<'a>,
    outline: &'a Outline,
    /// The widths of the rows' names with the gap after them, mm; 0 without one.
    leads: &'a [f32],
    /// Side of a box, mm.
    size: f32,
    /// By the height of a line in steps of [`GRID`]: the room there, once it is known.
    rooms: RefCell<Vec<Option<Room>>>,
}

/// From left to right, mm.
type Room = Option<(f32, f32)>;

impl<'a> NamedRows<'a> {
    fn new(request: &'a BoxLayoutRequest<'a>, outline: &'a Outline, leads: &'a [f32], size: f32) -> Self {
        Self { request, outline, leads, size, rooms: RefCell::default() }
    }

    fn line_length(&self, n: u32) -> f32 {
        self.request.line_length(n, self.request.box_width(self.size), self.size)
    }

    /// From the top of a line to that of the next of its row, mm.
    fn pitch(&self) -> f32 {
        self.size * (1.0 + self.request.gaps.wrap)
    }

    fn lead(&self, row: usize) -> f32 {
        self.leads.get(row).copied().unwrap_or(0.0)
    }

    /// The room of a line with this top.
    fn room(&self, top: f32) -> Room {
        let place = (top / GRID).floor().max(0.0);
        let mut rooms = self.rooms.borrow_mut();
        let index = place as usize;
        if rooms.len() <= index {
            rooms.resize(index + 1, None);
        }
        *rooms[index].get_or_insert_with(|| {
            let (from, to) = (place * GRID - CLEARANCE, place * GRID + GRID + self.size + CLEARANCE);
            let (left, right) = self.outline.room((self.request.width, self.request.height), from, to)?;
            Some((left + CLEARANCE, right - CLEARANCE))
        })
    }

    /// The row at a height in as few lines as possible.
    fn row_at(&self, row: usize, y: f32) -> Option<NamedRow> {
        let boxes = self.request.rows[row];
        let widest = self.leads.iter().copied().fold(0.0, f32::max);
        let (first_left, first_right) = self.room(y)?;
        let widest_line = first_right - first_left - self.lead(row) + TOLERANCE;
        let mut rooms: Vec<(f32, f32)> = Vec::new();
        for many in 1..=boxes.min(MAX_LINES) {
            let top = y + (many - 1) as f32 * self.pitch();
            if top + self.size > self.request.height + TOLERANCE {
                return None;
            }
            rooms.push(self.room(top)?);
            let longest = boxes.div_ceil(many);
            if self.line_length(longest) > widest_line {
                continue;
            }
            let count = |n: u32| boxes / many + u32::from(n < boxes % many);
            let from = rooms.iter().fold(first_left + self.lead(row), |from, room| from.max(room.0));
            let ends = rooms.iter().zip(0..).map(|(room, n)| room.1 - self.line_length(count(n)));
            let to = ends.fold(f32::INFINITY, f32::min);
            if from <= to + TOLERANCE {
                let middle = (first_left + first_right - self.line_length(longest) + widest) / 2.0;
                let lines = (0..many).map(count).collect();
                return Some(NamedRow { row, y, lines, from, to: to.max(from), middle });
            }
        }
        None
    }

    /// The bottom of a row, mm.
    fn bottom(&self, row: &NamedRow) -> f32 {
        row.y + self.size + (row.lines.len() as f32 - 1.0) * self.pitch()
    }

    /// The row from a height on: at the first place, or further down where it takes fewer lines and ends higher.
    fn next_row(&self, row: usize, y: f32) -> Option<NamedRow> {
        let heights = (0..MAX_HEIGHTS).map(|n| y + n as f32 * SEARCH_STEP);
        let mut heights = heights.take_while(|y| y + self.size <= self.request.height + TOLERANCE);
        let mut best = heights.find_map(|y| self.row_at(row, y))?;
        let first = best.y;
        for n in 1..=FURTHER_DOWN {
            let y = first + n as f32 * FURTHER_STEP;
            if best.lines.len() == 1 || y + self.size > self.bottom(&best) {
                break;
            }
            let Some(lower) = self.row_at(row, y) else { continue };
            if self.bottom(&lower) < self.bottom(&best) - TOLERANCE {
                best = lower;
            }
        }
        Some(best)
    }

    /// Rows from a height on, until one has no place.
    fn rows(&self, row_gap: f32, from: f32) -> Vec<NamedRow> {
        let rows = self.request.rows;
        let mut placed = Vec::with_capacity(rows.len());
        let mut y = from;
        for row in (0..rows.len()).filter(|row| rows[*row] > 0) {
            let Some(found) = self.next_row(row, y) else { break };
            y = self.bottom(&found) + self.size * row_gap;
            placed.push(found);
        }
        placed
    }

    /// All rows with a gap between them, by where the free height is; those that have no place are left out.
    fn with_gap(&self, gap: f32, total: u32) -> impl Iterator<Item = Vec<NamedRow>> {
        let at_top = self.rows(gap, 0.0);
        let begin = at_top.first().map_or(0.0, |row| row.y);
        let spare = self.request.height - at_top.last().map_or(0.0, |row| self.bottom(row));
        let placed = PLACES.into_iter().map(move |share| self.rows(gap, begin + spare * share));
        placed.filter(move |rows| self.boxes_in(rows) == total)
    }

    /// The fewest lines that all rows take.
    fn fewest_lines(&self, total: u32) -> Option<usize> {
        self.with_gap(TIGHT, total).map(|rows| count_lines(&rows)).min()
    }

    /// All rows in so few lines, far apart and then in the middle of the height.
    fn arranged(&self, fewest: usize, total: u32) -> Option<Vec<NamedRow>> {
        ROW_GAPS.into_iter().find_map(|gap| self.with_gap(gap, total).find(|rows| count_lines(rows) <= fewest))
    }

    fn boxes_in(&self, rows: &[NamedRow]) -> u32 {
        rows.iter().map(|row| self.request.rows[row.row]).sum()
    }

    fn place(&self, rows: &[NamedRow], total: u32) -> BoxLayout {
        let (size, box_width, box_height) = (self.size, self.request.box_width(self.size), self.size);
        let mut layout = BoxLayout { size, box_width, box_height, ..BoxLayout::default() };
        // One left edge for all rows, where each of them can have it.
        let from = rows.iter().map(|row| row.from).fold(0.0, f32::max);
        let to = rows.iter().map(|row| row.to).fold(f32::INFINITY, f32::min);
        let middle = rows.iter().map(|row| row.middle).sum::<f32>() / rows.len().max(1) as f32;
        let common = (from <= to).then(|| middle.clamp(from, to));
        for row in rows {
            let x = common.unwrap_or_else(|| row.middle.clamp(row.from, row.to));
            for (n, &count) in row.lines.iter().enumerate() {
                let y = row.y + n as f32 * self.pitch();
                let first = layout.corners.len() as u32;
                layout.corners.extend((0..count).map(|n| (x + self.request.place_start(n, box_width, size), y)));
                layout.lines.push(BoxLine {
                    row: row.row,
                    begins: n == 0,
                    ends: n + 1 == row.lines.len(),
                    first,
                    count,
                    at: y,
                    end: x + self.line_length(count),
                });
            }
        }
        layout.unplaced = total - layout.corners.len() as u32;
        // Corners are places in the rectangle, which is all taken.
        (layout.width, layout.height) = (self.request.width, self.request.height);
        layout
    }
}

fn count_lines(rows: &[NamedRow]) -> usize {
    rows.iter().map(|row| row.lines.len()).sum()
}

/// Places rows with names inside an outline at the largest size that holds all of them, or as many as fit at the
/// smallest. `leads` are the widths of the names with the gap after them, mm. Corners count from the upper left corner
/// of the outline's rectangle, which has the request's size. Boxes may be smaller than they could be, down to a `least_share` of
/// the wanted size, where the rows then take fewer lines.
pub fn lay_out_named_rows(
    request: &BoxLayoutRequest<'_>,
    outline: &Outline,
    leads: &[f32],
    least_share: f32,
) -> BoxLayout {
    let total: u32 = request.rows.iter().fold(0, |sum, &n| sum.saturating_add(n));
    let least = request.min_side.max(0.1);
    let steps = (((request.max_side - least) / SIZE_STEP).floor().max(0.0) as u32).min(MAX_SIZES);
    let size_of = |step: u32| least + step as f32 * SIZE_STEP;
    let plan = |step: u32| NamedRows::new(request, outline, leads, size_of(step));
    let fits = |step: &u32| {
        let plan = plan(*step);
        plan.boxes_in(&plan.rows(TIGHT, 0.0)) == total
    };
    // Coarse steps first: whatever fits at one size mostly fits at smaller ones.
    let coarse = (0..=steps).rev().step_by(COARSE).find(fits);
    let Some(coarse) = coarse.or_else(|| fits(&0).then_some(0)) else {
        let plan = plan(0);
        return plan.place(&plan.rows(TIGHT, 0.0), total);
    };
    let finer = (coarse + 1..(coarse + COARSE as u32).min(steps + 1)).rev().find(fits);
    let largest = finer.unwrap_or(coarse);
    // A little smaller than wanted, if the rows then take fewer lines.
    let smaller = (1..=SMALLER_SIZES).map(|n| largest.saturating_sub(n * SMALLER));
    let smaller = smaller.filter(|step| size_of(*step) >= request.max_side * least_share);
    let plan_largest = plan(largest);
    let fewest = plan_largest.fewest_lines(total);
    let mut best = (plan_largest, fewest);
    for step in smaller {
        let plan = plan(step);
        let fewest = plan.fewest_lines(total);
        if fewest.is_some() && (best.1.is_none() || fewest < best.1) {
            best = (plan, fewest);
        }
    }
    let (plan, fewest) = best;
    let rows = fewest.and_then(|fewest| plan.arranged(fewest, total)).unwrap_or_else(|| plan.rows(TIGHT, 0.0));
    plan.place(&rows, total)
}

/// The least height of the outline's rectangle at which all rows of a size fit, mm; `None` if none up to `most` does.
pub fn height_of_named_rows(
    request: &BoxLayoutRequest<'_>,
    outline: &Outline,
    leads: &[f32],
    size: f32,
    most: f32,
) -> Option<f32> {
    let total: u32 = request.rows.iter().fold(0, |sum, &n| sum.saturating_add(n));
    least_height(most, |height| {
        let request = BoxLayoutRequest { height, ..request.clone() };
        let plan = NamedRows::new(&request, outline, leads, size);
        plan.boxes_in(&plan.rows(TIGHT, 0.0)) >= total
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::box_layout::{BoxGaps, RowFlow};
    use super::*;

    fn request(rows: &[u32], width: f32, height: f32) -> BoxLayoutRequest<'_> {
        BoxLayoutRequest {
            rows,
            width,
            height,
            min_side: 3.0,
            max_side: 5.0,
            aspect: 1.0,
            min_width: 0.0,
            flow: RowFlow::Rows,
            down: false,
            gaps: BoxGaps { within: 0.1, group: 0.3, run: 0.3, wrap: 0.12, row: 0.3 },
            companions: &[],
            min_companion: 0.0,
        }
    }

    /// A bow section: wide above, half as wide below.
    fn trapezoid() -> Outline {
        Outline::new(vec![(0.0, 0.0), (1.0, 0.0), (0.73, 1.0), (0.27, 1.0)]).unwrap()
    }

    #[test]
    fn rows_with_names_begin_under_one_another() {
        let rows = [6, 5, 4, 3];
        let request = request(&rows, 69.0, 30.0);
        let leads = [6.0, 8.0, 9.0, 9.5];
        let layout = lay_out_named_rows(&request, &trapezoid(), &leads, 0.9);
        assert_eq!((layout.unplaced, layout.corners.len()), (0, 18));
        assert!(layout.size >= 4.5, "{}", layout.size);
        let starts = layout.lines.iter().map(|line| layout.corners[line.first as usize].0);
        let starts: Vec<f32> = starts.collect();
        assert!(starts.windows(2).all(|pair| (pair[0] - pair[1]).abs() < 0.01), "{starts:?}");
        // A name has room before the first line of its row, inside the sloping side.
        for line in layout.lines.iter().filter(|line| line.begins) {
            let side = 69.0 * 0.27 * line.at / 30.0;
            assert!(starts[0] - leads[line.row] >= side, "{line:?} begins at {}", starts[0]);
        }
    }

    #[test]
    fn a_row_that_takes_lines_is_shared_out_evenly() {
        let rows = [7];
        let narrow = Outline::new(vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]).unwrap();
        let layout = lay_out_named_rows(&request(&rows, 36.0, 30.0), &narrow, &[8.0], 0.9);
        assert_eq!(layout.lines.iter().map(|line| line.count).collect::<Vec<_>>(), [4, 3]);
    }

    #[test]
    fn a_row_without_a_place_is_left_out_whole() {
        let rows = [20, 30, 20];
        let request = request(&rows, 40.0, 18.0);
        let layout = lay_out_named_rows(&request, &trapezoid(), &[8.0; 3], 0.9);
        assert!(layout.unplaced > 0);
        assert!(layout.lines.last().is_none_or(|line| line.ends), "{:?}", layout.lines);
        assert_eq!(layout.corners.len() as u32 + layout.unplaced, 70);
    }

    proptest! {
        #[test]
        fn boxes_neither_overlap_nor_leave_the_outline(
            rows in proptest::collection::vec(0u32..40, 1..6),
            leads in proptest::collection::vec(0f32..15.0, 6),
            (width, height) in (10f32..90.0, 5f32..80.0),
        ) {
            let request = request(&rows, width, height);
            let layout = lay_out_named_rows(&request, &trapezoid(), &leads, 0.9);
            prop_assert_eq!(layout.corners.len() as u32 + layout.unplaced, rows.iter().sum::<u32>());
            prop_assert_eq!(layout.lines.iter().map(|line| line.count).sum::<u32>(), layout.corners.len() as u32);
            let (w, h) = (layout.box_width, layout.box_height);
            for &(x, y) in &layout.corners {
                let inset = |y: f32| 0.27 * width * y / height;
                prop_assert!(y >= 0.0 && y + h <= height + 0.01);
                prop_assert!(x >= inset(y + h) && x + w <= width - inset(y + h), "{:?}", (x, y));
            }
            for (n, &(ax, ay)) in layout.corners.iter().enumerate() {
                for &(bx, by) in &layout.corners[n + 1..] {
                    prop_assert!((ax - bx).abs() >= w - 1e-3 || (ay - by).abs() >= h - 1e-3, "boxes overlap");
                }
            }
        }
    }
}
