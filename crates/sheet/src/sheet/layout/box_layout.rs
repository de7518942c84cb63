//! How boxes fill a rectangle: takes the rectangle's size, rows of boxes and the sizes allowed, gives a position for
//! every box at the largest size that fits, in groups of five on one grid, and the number of boxes that do not fit even
//! at the smallest. Pure arithmetic: it knows no ship and never draws.

use super::companion_grid::{CompanionGrid, CompanionSide, companion_side};
use super::largest_size::largest_size;

/// Number of boxes in a group; gaps between groups are wider.
pub const GROUP_SIZE: u32 = 5;

#[derive(Clone, Debug)]
pub struct BoxLayoutRequest<'a> {
    /// Boxes in each row (or run of equal things, see [`RowFlow`]).
    pub rows: &'a [u32],
    /// Available width, mm.
    pub width: f32,
    /// Available height, mm.
    pub height: f32,
    /// Smallest side of a box, mm.
    pub min_side: f32,
    /// Largest side of a box, mm.
    pub max_side: f32,
    /// A box's width divided by its height.
    pub aspect: f32,
    /// Minimum width of a box, mm, so that its text fits at the smallest size.
    pub min_width: f32,
    pub flow: RowFlow,
    /// Lines run down instead of across.
    pub down: bool,
    /// As multiples of a box's side.
    pub gaps: BoxGaps,
    /// The companions of each row's boxes, or none at all.
    pub companions: &'a [CompanionGrid],
    /// Smallest side of a companion, mm.
    pub min_companion: f32,
}

impl BoxLayoutRequest<'_> {
    /// The width of a box of a size, mm.
    pub fn box_width(&self, size: f32) -> f32 {
        (size * self.aspect).max(self.min_width)
    }

    /// Where place `n` of a line starts whose places have a length, with the gaps within and between groups, mm.
    pub fn place_start(&self, n: u32, length: f32, size: f32) -> f32 {
        n as f32 * (length + self.gaps.within * size) + (n / GROUP_SIZE) as f32 * self.gaps.group * size
    }

    /// Length of a line of `n` places of a length, mm.
    pub fn line_length(&self, n: u32, length: f32, size: f32) -> f32 {
        if n == 0 { 0.0 } else { self.place_start(n - 1, length, size) + length }
    }
}

/// How rows become lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowFlow {
    /// Every row starts a line; a long one is wrapped.
    #[default]
    Rows,
    /// Every row starts a line; a long one is divided evenly among as many lines as it takes.
    Even,
    /// Rows follow one another on a line, lines are centred: the icons of a mount.
    Centred,
    /// Rows follow one another on a line, lines are left-aligned.
    Start,
}

/// Gaps as multiples of a box's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxGaps {
    /// Between boxes of a group.
    pub within: f32,
    /// Added between groups.
    pub group: f32,
    /// Added between runs on one line.
    pub run: f32,
    /// Between the lines of one row.
    pub wrap: f32,
    /// Between rows.
    pub row: f32,
}

impl Default for BoxGaps {
    fn default() -> Self {
        Self { within: 0.06, group: 0.36, run: 0.36, wrap: 0.1, row: 0.26 }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxLayout {
    /// Side of a box (its height; its width when lines run down), mm.
    pub size: f32,
    /// In mm.
    pub box_width: f32,
    /// In mm.
    pub box_height: f32,
    pub lines: Vec<BoxLine>,
    /// Upper left corner of each box, mm, in the order of the boxes.
    pub corners: Vec<(f32, f32)>,
    /// Number of boxes at the end that did not fit.
    pub unplaced: u32,
    /// Total extent of the boxes, mm.
    pub width: f32,
    /// Total extent of the boxes, mm.
    pub height: f32,
}

impl BoxLayout {
    /// Without the row that is begun and not ended, where there are rows before it: it moves to the next page.
    #[must_use]
    pub fn without_begun_row(mut self) -> Self {
        let Some(last) = self.lines.iter().rposition(|line| line.ends).filter(|_| self.unplaced > 0) else {
            return self;
        };
        self.lines.truncate(last + 1);
        let kept = self.lines.last().map_or(0, |line| line.first + line.count) as usize;
        self.unplaced += self.corners.len().saturating_sub(kept) as u32;
        self.corners.truncate(kept);
        self
    }

    /// Makes the boxes of lines across as wide as the longest line allows in this width, but not wider than `widest`, mm.
    pub fn widen(&mut self, width: f32, widest: f32) {
        let most = self.lines.iter().map(|line| line.count).max().unwrap_or(0);
        let more = ((width - self.width) / most.max(1) as f32).min(widest - self.box_width);
        if most == 0 || more <= 0.0 {
            return;
        }
        for line in &mut self.lines {
            let places = line.first as usize..(line.first + line.count) as usize;
            for (n, corner) in self.corners[places].iter_mut().enumerate() {
                corner.0 += n as f32 * more;
            }
            line.end += line.count as f32 * more;
        }
        self.box_width += more;
        self.width += most as f32 * more;
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxLine {
    /// The row of its first box.
    pub row: usize,
    /// Whether that row begins here.
    pub begins: bool,
    /// Whether that row ends here.
    pub ends: bool,
    /// Index of its first box among all boxes.
    pub first: u32,
    pub count: u32,
    /// Top of the line (left edge when lines run down), mm.
    pub at: f32,
    /// End of its last box along the line, mm.
    pub end: f32,
}

/// Places the boxes at the largest size of the request that holds all of them, or as many as fit at the smallest size.
pub fn lay_out_boxes(request: &BoxLayoutRequest<'_>) -> BoxLayout {
    let plan = BoxPlanner::new(request);
    let mut plain = plan.largest(GROUP_SIZE);
    // A box or two alone on a line are worth a quarter of the size, where it keeps each row on one line.
    if wraps_rows(request, &plain.lines) && plain.lines.iter().any(LineDraft::is_remnant) {
        let longest = request.rows.iter().copied().max().unwrap_or(0);
        let whole = plan.largest(longest);
        if whole.boxes() == plain.boxes()
            && whole.size >= plain.size * 0.75
            && whole.lines.iter().all(|line| line.begins)
        {
            plain = whole;
        }
    }
    if wraps_rows(request, &plain.lines) {
        // Showing where a row begins is worth a tenth of the size, but never a box: rows are further apart than the lines
        // of a row.
        for gaps in [WIDE_GAPS, NARROW_GAPS] {
            let spread = spread_rows(request, gaps);
            let spread_plan = BoxPlanner::new(&spread);
            let shown = spread_plan.largest(GROUP_SIZE);
            if shown.boxes() == plain.boxes() && shown.size >= plain.size * 0.9 {
                return spread_plan.place_boxes(&shown);
            }
        }
    }
    plan.place_boxes(&plain)
}

/// Whether one of several rows takes more than one line; a single row needs no sign of where it begins.
fn wraps_rows(request: &BoxLayoutRequest<'_>, lines: &[LineDraft]) -> bool {
    request.flow == RowFlow::Rows && request.rows.len() > 1 && lines.iter().any(|line| !line.begins)
}

/// The same with these gaps between the lines of a row and between rows.
fn spread_rows<'a>(request: &BoxLayoutRequest<'a>, (wrap, row): (f32, f32)) -> BoxLayoutRequest<'a> {
    let gaps = BoxGaps { wrap: request.gaps.wrap.max(wrap), row: request.gaps.row.max(row), ..request.gaps };
    BoxLayoutRequest { gaps, ..request.clone() }
}

/// The height (width when lines run down) that everything takes at one size, mm; `None` when not even one box fits
/// across.
pub fn extent(request: &BoxLayoutRequest<'_>, size: f32) -> Option<f32> {
    let draft = BoxPlanner::new(request).split_rows(size, 1)?;
    if wraps_rows(request, &draft.lines) {
        let spread = spread_rows(request, WIDE_GAPS);
        return BoxPlanner::new(&spread).split_rows(size, 1).map(|draft| draft.depth);
    }
    Some(draft.depth)
}

/// Between the lines of a row and between rows, where a row takes several lines, as multiples of a box.
const WIDE_GAPS: (f32, f32) = (0.34, 0.85);
/// The same where there is less room.
const NARROW_GAPS: (f32, f32) = (0.14, 0.55);
/// Sizes are multiples of this, mm.
const SIZE_STEP: f32 = 0.05;
/// Rounding error that is ignored, mm.
const TOLERANCE: f32 = 0.001;

/// The request with across and down exchanged when lines run down.
struct BoxPlanner<'a> {
    request: &'a BoxLayoutRequest<'a>,
    /// Room along a line, mm.
    along: f32,
    /// Room across the lines, mm.
    depth: f32,
    least: f32,
}

/// A line before it has a position: row of its first box, first box, count, whether its row begins and ends.
#[derive(Clone, Copy)]
struct LineDraft {
    row: usize,
    first: u32,
    count: u32,
    begins: bool,
    ends: bool,
    /// Runs on this line beyond the first; only where rows follow one another.
    breaks: u32,
}

impl LineDraft {
    /// Whether it is what a row left over: fewer than half a group.
    fn is_remnant(&self) -> bool {
        self.ends && !self.begins && self.count <= GROUP_SIZE / 2
    }
}

/// All lines at one size.
#[derive(Default)]
struct BoxDraft {
    size: f32,
    lines: Vec<LineDraft>,
    /// By row: the extent of its box with its companions along the line and across it, mm; empty without companions.
    cells: Vec<(f32, f32)>,
    /// Their extent across them, mm.
    depth: f32,
}

impl BoxDraft {
    fn boxes(&self) -> u32 {
        self.lines.iter().map(|line| line.count).sum()
    }
}

impl<'a> BoxPlanner<'a> {
    fn new(request: &'a BoxLayoutRequest<'a>) -> Self {
        let (along, depth) =
            if request.down { (request.height, request.width) } else { (request.width, request.height) };
        Self { request, along, depth, least: request.min_side.max(0.1) }
    }

    /// A box's extent along the line and across it, mm.
    fn box_extent(&self, size: f32) -> (f32, f32) {
        let width = self.request.box_width(size);
        if self.request.down { (size, width) } else { (width, size) }
    }

    /// The largest boxes, but none so large that a line holds fewer than `group` of them; those that fit at the smallest
    /// size, if not all of them do.
    fn largest(&self, group: u32) -> BoxDraft {
        // Sizes are whole steps, so that panels with nearly the same room get the same size.
        let group = self.unbroken(group);
        let most = self.least + self.request.max_side - self.request.min_side;
        largest_size(self.least, most, SIZE_STEP, |size| self.all_boxes(size, group)).unwrap_or_else(|| self.begun())
    }

    /// Lines of at least `group` boxes of a size, if all of them have room.
    fn all_boxes(&self, size: f32, group: u32) -> Option<BoxDraft> {
        self.split_rows(size, group).filter(|draft| draft.depth <= self.depth + TOLERANCE)
    }

    /// The boxes that are not broken up for the sake of larger ones: a group, or what the longest row has.
    fn unbroken(&self, group: u32) -> u32 {
        let request = self.request;
        let group = if request.flow == RowFlow::Even { 1 } else { group };
        let group = request.rows.iter().copied().max().unwrap_or(0).min(group);
        let widest = self.line_capacity(&self.cells(self.least), self.least);
        // Nor is a row broken into more lines than it needs, where its lines are shorter than a group.
        let short = if request.flow == RowFlow::Rows { widest } else { 0 };
        if widest >= group { group } else { short }
    }

    /// As many lines of the smallest size as there is room for.
    fn begun(&self) -> BoxDraft {
        let size = self.least;
        let Some(mut draft) = self.split_rows(size, 1) else { return BoxDraft { size, ..BoxDraft::default() } };
        let ends = draft.lines.iter().enumerate().scan(0.0, |at, (n, line)| {
            *at += self.gap_before(n, line, size) + self.thickness(line, &draft.cells, size);
            Some(*at)
        });
        let fit = ends.take_while(|end| *end <= self.depth + TOLERANCE).count();
        draft.lines.truncate(fit);
        draft
    }

    /// The extents of the rows' boxes with their companions, mm; empty without companions.
    fn cells(&self, size: f32) -> Vec<(f32, f32)> {
        let (along, across) = self.box_extent(size);
        let side = companion_side(size, self.request.min_companion);
        let cell = |grid: &CompanionGrid| {
            if self.request.down {
                let (width, height) = grid.cell((across, along), side);
                return (height, width);
            }
            grid.cell((along, across), side)
        };
        self.request.companions.iter().map(cell).collect()
    }

    /// Where a row's box is in its cell, along the line and across it, mm; the line has this thickness.
    fn box_offset(&self, row: usize, draft: &BoxDraft, thick: f32) -> (f32, f32) {
        let (Some(grid), Some(cell)) = (self.request.companions.get(row), draft.cells.get(row)) else {
            return (0.0, 0.0);
        };
        let (along, across) = self.box_extent(draft.size);
        match (grid.side, self.request.down) {
            (CompanionSide::Right, false) => (0.0, (thick - across) / 2.0),
            (CompanionSide::Left, false) => (cell.0 - along, (thick - across) / 2.0),
            (CompanionSide::Below, false) => ((cell.0 - along) / 2.0, 0.0),
            (CompanionSide::Right, true) => ((cell.0 - along) / 2.0, 0.0),
            (CompanionSide::Left, true) => ((cell.0 - along) / 2.0, thick - across),
            (CompanionSide::Below, true) => (0.0, (thick - across) / 2.0),
        }
    }

    /// The most boxes of any row on a line.
    fn line_capacity(&self, cells: &[(f32, f32)], size: f32) -> u32 {
        let side = cells.iter().map(|cell| cell.0).fold(self.box_extent(size).0, f32::max);
        self.cell_capacity(side, size)
    }

    /// For each row the most of its boxes on a line.
    fn row_capacities(&self, cells: &[(f32, f32)], size: f32) -> Vec<u32> {
        let mut known: Option<(f32, u32)> = None;
        let mut capacity = |side: f32| match known {
            Some((of, capacity)) if of == side => capacity,
            _ => known.insert((side, self.cell_capacity(side, size))).1,
        };
        let plain = self.box_extent(size).0;
        (0..self.request.rows.len()).map(|row| capacity(cells.get(row).map_or(plain, |cell| cell.0))).collect()
    }

    /// The most cells of a length on a line: all, or whole groups, or a part of a group if no whole one fits.
    fn cell_capacity(&self, side: f32, size: f32) -> u32 {
        let group = GROUP_SIZE as f32 * (side + self.request.gaps.within * size) + self.request.gaps.group * size;
        // An estimate from below, exact after at most a group's worth of steps.
        let mut n = ((self.along / group).floor().max(0.0) as u32).min(1_000_000 / GROUP_SIZE) * GROUP_SIZE;
        while n < 1_000_000 && self.request.line_length(n + 1, side, size) <= self.along + TOLERANCE {
            n += 1;
        }
        n
    }

    /// Splits the rows into lines at one size; `None` if fewer boxes than `least`, or not even one, fit along a line.
    fn split_rows(&self, size: f32, least: u32) -> Option<BoxDraft> {
        let cells = self.cells(size);
        if self.line_capacity(&cells, size) < least.max(1) {
            return None;
        }
        let capacities = self.row_capacities(&cells, size);
        let lines = match self.request.flow {
            RowFlow::Rows => self.split_plain(&capacities),
            RowFlow::Even => self.split_evenly(&capacities),
            RowFlow::Centred | RowFlow::Start => self.split_runs(&capacities, &cells, size),
        };
        let extent =
            |(n, line): (usize, &LineDraft)| self.gap_before(n, line, size) + self.thickness(line, &cells, size);
        let depth = lines.iter().enumerate().map(extent).sum();
        Some(BoxDraft { size, lines, cells, depth })
    }

    /// Between a line and the one before it, mm.
    fn gap_before(&self, n: usize, line: &LineDraft, size: f32) -> f32 {
        let gaps = &self.request.gaps;
        if n == 0 { 0.0 } else { size * if line.begins { gaps.row } else { gaps.wrap } }
    }

    /// A line's extent across it, mm.
    fn thickness(&self, line: &LineDraft, cells: &[(f32, f32)], size: f32) -> f32 {
        let (_, thick) = self.box_extent(size);
        if cells.is_empty() {
            return thick;
        }
        self.rows_on(line).map(|row| cells[row].1).fold(thick, f32::max)
    }

    /// The rows that a line shows, from first to last.
    fn rows_on(&self, line: &LineDraft) -> impl Iterator<Item = usize> {
        let rows = self.request.rows;
        (line.row..rows.len()).filter(|&row| rows[row] > 0).take(line.breaks as usize + 1)
    }

    fn split_plain(&self, capacities: &[u32]) -> Vec<LineDraft> {
        let longest = self.request.rows.iter().copied().max().unwrap_or(0);
        let mut lines = Vec::with_capacity(self.request.rows.len());
        let mut first = 0;
        for (row, (&boxes, &capacity)) in self.request.rows.iter().zip(capacities).enumerate() {
            // Lines of wrapped rows hold whole groups.
            let wraps = longest > capacity;
            let full = if wraps && capacity >= GROUP_SIZE { capacity - capacity % GROUP_SIZE } else { capacity };
            let mut left = boxes;
            let mut begins = true;
            while left > 0 {
                // A row that fits unbroken stays whole.
                let room = if begins && boxes <= capacity { capacity } else { full };
                let count = left.min(room);
                left -= count;
                lines.push(LineDraft { row, first, count, begins, ends: left == 0, breaks: 0 });
                first += count;
                begins = false;
            }
        }
        lines
    }

    /// Lines of a row have the same number of boxes, the last one what is left; if that is less than half a line, lines
    /// differ by one box at most, the longer ones first.
    fn split_evenly(&self, capacities: &[u32]) -> Vec<LineDraft> {
        let mut lines = Vec::with_capacity(self.request.rows.len());
        let mut first = 0;
        for (row, &boxes) in self.request.rows.iter().enumerate().filter(|(_, boxes)| **boxes > 0) {
            let many = boxes.div_ceil(capacities[row].max(1));
            let each = boxes.div_ceil(many);
            let left = boxes.saturating_sub(each * (many - 1));
            for n in 0..many {
                let count = match n + 1 == many {
                    _ if left * 2 < each => boxes / many + u32::from(n < boxes % many),
                    true => left,
                    false => each,
                };
                lines.push(LineDraft { row, first, count, begins: n == 0, ends: n + 1 == many, breaks: 0 });
                first += count;
            }
        }
        lines
    }

    /// Runs one after another on centred lines: a run that fits a line is not broken; a longer one is split evenly.
    fn split_runs(&self, capacities: &[u32], cells: &[(f32, f32)], size: f32) -> Vec<LineDraft> {
        let mut lines: Vec<LineDraft> = Vec::with_capacity(self.request.rows.len());
        let mut first = 0;
        let mut used = 0.0;
        let plain = self.box_extent(size).0;
        let gap = (self.request.gaps.within + self.request.gaps.run) * size;
        for (row, &boxes) in self.request.rows.iter().enumerate() {
            if boxes == 0 {
                continue;
            }
            let capacity = capacities[row].max(1);
            if boxes <= capacity {
                let side = cells.get(row).map_or(plain, |cell| cell.0);
                let length = self.request.line_length(boxes, side, size);
                match lines.last_mut() {
                    Some(line) if used + gap + length <= self.along + TOLERANCE => {
                        line.count += boxes;
                        line.breaks += 1;
                        line.ends = true;
                        used += gap + length;
                    }
                    _ => {
                        lines.push(LineDraft { row, first, count: boxes, begins: true, ends: true, breaks: 0 });
                        used = length;
                    }
                }
                first += boxes;
                continue;
            }
            let whole = if capacity >= 2 * GROUP_SIZE { capacity - capacity % GROUP_SIZE } else { capacity };
            let count_lines = boxes.div_ceil(whole);
            let even = boxes.div_ceil(count_lines);
            let fives = even.next_multiple_of(GROUP_SIZE).min(whole);
            // Whole groups, unless hardly any box is left for the last line.
            let is_short = boxes.saturating_sub(fives * (count_lines - 1)) * 2 < fives;
            let each = if whole >= 2 * GROUP_SIZE && !is_short { fives } else { even };
            let mut left = boxes;
            let mut begins = true;
            while left > 0 {
                let count = left.min(each);
                left -= count;
                lines.push(LineDraft { row, first, count, begins, ends: left == 0, breaks: 0 });
                first += count;
                begins = false;
            }
            used = f32::INFINITY; // what follows a split run starts a line of its own
        }
        lines
    }

    fn place_boxes(&self, draft: &BoxDraft) -> BoxLayout {
        let size = draft.size;
        let total: u32 = self.request.rows.iter().fold(0, |sum, &n| sum.saturating_add(n));
        let (side, across) = self.box_extent(size);
        let (box_width, box_height) = if self.request.down { (across, side) } else { (side, across) };
        let mut fitted = BoxLayout { size, box_width, box_height, ..BoxLayout::default() };
        fitted.corners.reserve(draft.boxes() as usize);
        fitted.lines.reserve(draft.lines.len());
        let mut deep: f32 = 0.0;
        let mut longest: f32 = 0.0;
        for (n, line) in draft.lines.iter().enumerate() {
            let at = deep + self.gap_before(n, line, size);
            let thick = self.thickness(line, &draft.cells, size);
            let end = self.place_line(line, draft, (at, thick), &mut fitted.corners);
            longest = longest.max(end);
            fitted.lines.push(BoxLine {
                row: line.row,
                begins: line.begins,
                ends: line.ends,
                first: line.first,
                count: line.count,
                at: at + self.box_offset(line.row, draft, thick).1,
                end,
            });
            deep = at + thick;
        }
        if self.request.flow == RowFlow::Centred {
            for line in &mut fitted.lines {
                let shift = (longest - line.end) / 2.0;
                let range = line.first as usize..(line.first + line.count) as usize;
                fitted.corners[range].iter_mut().for_each(|corner| corner.0 += shift);
                line.end += shift;
            }
        }
        (fitted.width, fitted.height) = (longest, deep);
        if self.request.down {
            fitted.corners.iter_mut().for_each(|corner| *corner = (corner.1, corner.0));
            (fitted.width, fitted.height) = (deep, longest);
        }
        fitted.unplaced = total - fitted.corners.len() as u32;
        fitted
    }

    /// Places one line's boxes at a position across the lines, with its thickness; returns where the last ends.
    fn place_line(
        &self,
        line: &LineDraft,
        draft: &BoxDraft,
        (at, thick): (f32, f32),
        corners: &mut Vec<(f32, f32)>,
    ) -> f32 {
        let (size, plain) = (draft.size, self.box_extent(draft.size).0);
        let (mut start, mut end) = (0.0, 0.0);
        let gap = (self.request.gaps.within + self.request.gaps.run) * size;
        for row in self.rows_on(line) {
            let boxes = if line.breaks == 0 { line.count } else { self.request.rows[row] };
            let side = draft.cells.get(row).map_or(plain, |cell| cell.0);
            let offset = self.box_offset(row, draft, thick);
            let place = |n: u32| start + self.request.place_start(n, side, size);
            corners.extend((0..boxes).map(|n| (place(n) + offset.0, at + offset.1)));
            end = place(boxes.max(1) - 1) + side;
            start = end + gap;
        }
        end
    }
}

#[cfg(test)]
mod tests;
