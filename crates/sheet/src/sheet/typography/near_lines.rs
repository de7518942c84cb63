//! Texts near lines: takes a page's ink, gives the texts that are nearer to a line than they may be. A text belongs to
//! the smallest closed outline around its middle, and to the rule on which its own blank is written.

use super::faults::{LINE_CLEARANCE, OWN_BOX_CLEARANCE, TypographyCheck, TypographyFault};
use super::ink::{InkLine, InkText, PageInk};
use moldloft_drawing::scene::{Rect, Transform};

/// Side of the squares in which lines are looked up, mm.
const CELL: f32 = 2.0;
/// The part of a larger page in which lines are looked up, mm.
const MAX_SIDE: f32 = 1_000.0;
/// Steps of work for a page: a full sheet needs a hundred thousand.
const MAX_WORK: usize = 6_000_000;
/// Larger outlines are frames: what is in them does not belong to them. In square millimetres.
const MAX_BOX_AREA: f32 = 900.0;
/// Outlines of neighbouring boxes coincide to within this, mm.
const SHARED_EDGE: f32 = 0.45;

struct LineGrid {
    /// Of each square, from left to right and from top to bottom, the first of its entries; beyond the page, what is nearest.
    starts: Vec<u32>,
    /// The lines of all squares.
    entries: Vec<u32>,
    columns: usize,
    rows: usize,
    work: usize,
}

impl LineGrid {
    fn new(lines: &[InkLine], (width, height): (f32, f32)) -> Self {
        let count = |side: f32| (side.clamp(0.0, MAX_SIDE) / CELL) as usize + 1;
        let (columns, rows) = (count(width), count(height));
        let mut grid = Self { starts: vec![0; columns * rows + 1], entries: Vec::new(), columns, rows, work: 0 };
        // Square and line.
        let mut entered: Vec<(u32, u32)> = Vec::with_capacity(lines.len() * 2);
        for (n, line) in lines.iter().enumerate() {
            let ((column, top), (other, bottom)) = (grid.cell_of(line.from), grid.cell_of(line.to));
            grid.work += column.abs_diff(other) + top.abs_diff(bottom) + 1;
            if grid.work > MAX_WORK {
                break;
            }
            // From top to bottom, and where it crosses from one row of squares to the next.
            let (from, to) = if top <= bottom { (line.from, line.to) } else { (line.to, line.from) };
            let (top, bottom) = (top.min(bottom), top.max(bottom));
            let mut left = grid.cell_of(from).0;
            for row in top..=bottom {
                let right = if row == bottom {
                    grid.cell_of(to).0
                } else {
                    let y = (row + 1) as f32 * CELL;
                    grid.cell_of((from.0 + (to.0 - from.0) * (y - from.1) / (to.1 - from.1), y)).0
                };
                let first = row * columns;
                entered.extend((left.min(right)..=left.max(right)).map(|column| ((first + column) as u32, n as u32)));
                left = right;
            }
        }
        for &(cell, _) in &entered {
            grid.starts[cell as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut grid.starts {
            sum += *start;
            *start = sum;
        }
        // From the last entry of each square to its first.
        grid.entries = vec![0; entered.len()];
        for (cell, line) in entered.into_iter().rev() {
            let start = &mut grid.starts[cell as usize];
            *start -= 1;
            grid.entries[*start as usize] = line;
        }
        grid
    }

    fn cell_of(&self, (x, y): (f32, f32)) -> (usize, usize) {
        // A cast of what is negative gives 0; one to 32 bits is quicker than one to 64.
        let square = |at: f32, count: usize| ((at / CELL) as u32).min(count as u32 - 1) as usize;
        (square(x, self.columns), square(y, self.rows))
    }

    /// Lines near a rectangle, each once: those that reach into it, and perhaps others.
    fn near(&mut self, rect: &Rect, lines: &[InkLine]) -> Vec<u32> {
        let reaches = |n: &&u32| {
            let InkLine { from, to, half, .. } = &lines[**n as usize];
            let reach = rect.inset(-half);
            from.0.max(to.0) >= reach.x
                && from.0.min(to.0) <= reach.right()
                && from.1.max(to.1) >= reach.y
                && from.1.min(to.1) <= reach.bottom()
        };
        let (left, top) = self.cell_of((rect.x, rect.y));
        let (right, bottom) = self.cell_of((rect.right(), rect.bottom()));
        let mut found = Vec::new();
        for row in top..=bottom {
            // Squares of a row are one after another.
            let first = row * self.columns;
            let entered = self.starts[first + left] as usize..self.starts[first + right + 1] as usize;
            let entered = &self.entries[entered];
            self.work += right - left + 1 + entered.len();
            if self.work > MAX_WORK {
                return Vec::new();
            }
            found.extend(entered.iter().filter(reaches));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

pub(super) fn check(ink: &PageInk) -> Vec<TypographyFault> {
    let mut grid = LineGrid::new(&ink.lines, ink.size);
    let mut faults = Vec::new();
    for text in &ink.texts {
        if let Some((distance, line, at)) = nearest_fault(ink, text, &mut grid) {
            let shape = &ink.shapes[line.shape];
            let what = if shape.is_closed { "the outline of a box" } else { "a line" };
            let least = if distance.is_own { OWN_BOX_CLEARANCE } else { LINE_CLEARANCE };
            let own = if distance.is_own { "its own box" } else { what };
            let message = match distance.mm {
                mm if mm < 0.0 => format!("“{}” is crossed by {own} at {:.1}, {:.1} mm", text.words, at.0, at.1),
                mm => format!(
                    "“{}” is {mm:.2} mm from {own} at {:.1}, {:.1} mm; the least is {least} mm",
                    text.words, at.0, at.1
                ),
            };
            let check = TypographyCheck::TextNearLine;
            faults.push(TypographyFault { check, at, text: text.words.to_string(), message });
        }
        if grid.work > MAX_WORK {
            break;
        }
    }
    faults
}

#[derive(Clone, Copy)]
struct Clearance {
    /// Negative where the line is within the glyphs' extent.
    mm: f32,
    is_own: bool,
}

/// The line that is most too near to a text, with its distance and its place.
fn nearest_fault<'a>(
    ink: &'a PageInk,
    text: &InkText,
    grid: &mut LineGrid,
) -> Option<(Clearance, &'a InkLine, (f32, f32))> {
    let reach = LINE_CLEARANCE + 1.0;
    let around = text.extent.inset(-reach);
    let near = grid.near(&around, &ink.lines);
    let middle = (text.extent.x + text.extent.w / 2.0, text.extent.y + text.extent.h / 2.0);
    let own = near
        .iter()
        .map(|&n| ink.lines[n as usize].shape)
        .filter(|&shape| ink.shapes[shape].is_closed && contains(&ink.shapes[shape].bounds, middle))
        .map(|shape| (shape, ink.shapes[shape].bounds))
        .min_by(|(_, a), (_, b)| (a.w * a.h).total_cmp(&(b.w * b.h)))
        .filter(|(_, bounds)| bounds.w * bounds.h <= MAX_BOX_AREA);
    let back = inverse(&text.to_page)?;
    let [a, b, ..] = text.to_page.m;
    let growth = a.hypot(b);
    let mut worst: Option<(Clearance, &InkLine, (f32, f32))> = None;
    for n in near {
        let line = &ink.lines[n as usize];
        let (from, to) = (back.apply(line.from.0, line.from.1), back.apply(line.to.0, line.to.1));
        // Most lines are far enough away by what bounds them.
        if distance_of_bounds(from, to, &text.local) * growth - line.half >= LINE_CLEARANCE.max(OWN_BOX_CLEARANCE) {
            continue;
        }
        let (distance, point) = segment_to_rect(from, to, &text.local);
        let mm = distance * growth - line.half;
        let at = text.to_page.apply(point.0, point.1);
        // The next box may share an edge with its own.
        let is_shared = |own: &Rect| contains(&own.inset(-SHARED_EDGE), at) && !contains(&own.inset(SHARED_EDGE), at);
        let is_own = own.is_some_and(|(shape, own)| shape == line.shape || is_shared(&own));
        let least = if is_own { OWN_BOX_CLEARANCE } else { LINE_CLEARANCE };
        if mm >= least - 0.005 || is_blank_rule(from, to, &text.local) || is_covered(ink, line, text, at) {
            continue;
        }
        let clearance = Clearance { mm: if distance <= 0.0 { -1.0 } else { mm.max(0.0) }, is_own };
        if worst.is_none_or(|(known, ..)| clearance.mm < known.mm) {
            worst = Some((clearance, line, at));
        }
    }
    worst
}

/// Whether a line begins behind a text, on its baseline: the blank that the text names.
fn is_blank_rule(from: (f32, f32), to: (f32, f32), text: &Rect) -> bool {
    let is_level = (from.1 - to.1).abs() < 0.05;
    let is_behind = from.0.min(to.0) >= text.right() - 0.05;
    let is_at_foot = (from.1 - text.bottom()).abs() < 1.5;
    is_level && is_behind && is_at_foot
}

/// Whether something drawn between a line and a text hides the line there.
fn is_covered(ink: &PageInk, line: &InkLine, text: &InkText, at: (f32, f32)) -> bool {
    let order = ink.shapes[line.shape].order;
    let first = ink.covers.partition_point(|cover| cover.order <= order);
    let covers = ink.covers[first..].iter().take_while(|cover| cover.order < text.order).take(2_000);
    covers.into_iter().any(|cover| contains(&cover.bounds.inset(0.05), at))
}

fn contains(rect: &Rect, (x, y): (f32, f32)) -> bool {
    x >= rect.x && x <= rect.right() && y >= rect.y && y <= rect.bottom()
}

fn inverse(by: &Transform) -> Option<Transform> {
    let [a, b, c, d, e, f] = by.m;
    let det = a * d - b * c;
    (det.abs() > 1e-6).then(|| {
        let (ia, ib, ic, id) = (d / det, -b / det, -c / det, a / det);
        Transform { m: [ia, ib, ic, id, -(ia * e + ic * f), -(ib * e + id * f)] }
    })
}

/// The distance of what bounds a segment from a rectangle: the segment is as far away or farther.
pub(super) fn distance_of_bounds(from: (f32, f32), to: (f32, f32), rect: &Rect) -> f32 {
    let across = (rect.x - from.0.max(to.0)).max(from.0.min(to.0) - rect.right()).max(0.0);
    let down = (rect.y - from.1.max(to.1)).max(from.1.min(to.1) - rect.bottom()).max(0.0);
    (across * across + down * down).sqrt()
}

/// The distance of a segment from a rectangle, 0 within it, and the nearest point of the segment.
pub(super) fn segment_to_rect(from: (f32, f32), to: (f32, f32), rect: &Rect) -> (f32, (f32, f32)) {
    // The distance along a segment is convex: a search by thirds finds the least.
    let point = |t: f32| (from.0 + (to.0 - from.0) * t, from.1 + (to.1 - from.1) * t);
    // Its square.
    let distance = |t: f32| {
        let (x, y) = point(t);
        let across = (rect.x - x).max(x - rect.right()).max(0.0);
        let down = (rect.y - y).max(y - rect.bottom()).max(0.0);
        across * across + down * down
    };
    let (mut low, mut high) = (0.0_f32, 1.0_f32);
    for _ in 0..24 {
        let (one, two) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if distance(one) <= distance(two) {
            high = two;
        } else {
            low = one;
        }
    }
    let ends = [0.0, low, high, 1.0];
    let best = ends.into_iter().min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap_or(low);
    (distance(best).sqrt(), point(best))
}
