//! The one engine for things with boxes: takes units, each with a name, a badge and rows of boxes; sets them as compact
//! grids under their names, alike units mirrored about the middle, or in columns with their names beside them. Finds the
//! largest boxes that fit, and returns what does not fit.

mod arrange;
mod cell;
mod unit;

use std::ops::Range;

use self::arrange::{CellSize, arrange_cells, columns_of, mirrored};
pub use self::cell::NamePlace;
use self::cell::{BELOW_GAP, COLUMN_LINE_GAP, Cell, ROW_GAP, SectionWidths, badge_height};
pub use self::unit::Unit;
use super::box_rows::BoxFace;
use crate::sheet::layout::flowable::{Flowable, MAX_KEPT_TOGETHER, SizeHint};
use crate::sheet::layout::largest_size::largest_size;
use crate::sheet::layout::minimum_sizes::{INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::{SheetPen, thin_line_style};
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Mark, MarkKind, Rect};
use moldloft_rules::evaluate::BoxShape;

/// Between units side by side, at least and, where there is room, mm.
const COLUMN_GAP: f32 = 2.6;
const WIDEST_GAP: f32 = 14.0;
/// A unit's line is broken for the sake of boxes of this multiple of their preferred side, but not for larger ones.
const COMFORTABLE: f32 = 0.85;
/// Sizes are multiples of this, mm.
const SIZE_STEP: f32 = 0.1;

#[derive(Clone, Debug)]
pub struct Units {
    /// In reading order.
    pub units: Vec<Unit>,
    /// Preferred side of a box, mm before large print.
    pub preferred_side: f32,
    /// With names beside them, units are in columns; with names above, as many side by side as there is room for.
    pub names: NamePlace,
    /// At most so many columns; 0 for as many as fit.
    pub max_columns: usize,
    /// What a badge is drawn in.
    pub badge_shape: BoxShape,
    /// Lines of columns share the height, so that art beside them is at one height with each.
    pub spreads: bool,
    /// A unit that does not fit is begun here and continued, instead of moving as a whole.
    pub may_split: bool,
}

impl Default for Units {
    fn default() -> Self {
        Self {
            units: Vec::new(),
            preferred_side: 5.0,
            names: NamePlace::Above,
            max_columns: 0,
            badge_shape: BoxShape::Rounded,
            spreads: false,
            may_split: false,
        }
    }
}

/// Between lines of units, mm: at least, usually, and at most where there is room; and how far the first is from the top.
struct LineGaps {
    least: f32,
    usual: f32,
    widest: f32,
    above: f32,
}

/// The units at one size of box.
struct SizedUnits {
    /// Indexes of the units in the order in which they are drawn.
    order: Vec<usize>,
    /// In that order, as are the lines.
    cells: Vec<Cell>,
    lines: Vec<Range<usize>>,
    /// Between the left edges of columns, mm; 0 without columns.
    pitch: f32,
    /// Heights of the lines, mm.
    heights: Vec<f32>,
}

impl SizedUnits {
    /// With gaps of this height between lines, mm.
    fn height(&self, gap: f32) -> f32 {
        self.heights.iter().sum::<f32>() + self.heights.len().saturating_sub(1) as f32 * gap
    }

    /// Lines that break a row which the design gives.
    fn broken_rows(&self) -> usize {
        let broken = self.cells.iter().filter(|cell| cell.has_bars);
        broken.flat_map(|cell| &cell.lines).filter(|line| !line.1).count()
    }

    /// Lines of boxes in all units: fewer are easier to count.
    fn box_lines(&self) -> usize {
        self.cells.iter().map(|cell| cell.lines.len()).sum()
    }
}

impl Units {
    fn line_gaps(&self, styles: &TextStyles) -> LineGaps {
        let (least, widest) = (COLUMN_LINE_GAP, 7.0 * styles.minimums.scale);
        match self.names {
            // Not so far from the top that they leave their heading.
            NamePlace::Above => LineGaps { least: 0.9, usual: 1.6, widest, above: widest * 2.0 },
            _ if self.spreads => LineGaps { least, usual: least, widest: f32::MAX, above: f32::MAX },
            _ => LineGaps { least, usual: least, widest: least, above: 0.0 },
        }
    }

    fn arrange(&self, width: f32, side: f32, letters: TextStyle, styles: &TextStyles) -> SizedUnits {
        let columns = SectionWidths::new(&self.units, self.names, width, letters, styles);
        let mut cells: Vec<Cell> = self.units.iter().map(|unit| Cell::new(unit, side, &columns, styles)).collect();
        let gaps = self.line_gaps(styles);
        let mut order: Vec<usize> = (0..cells.len()).collect();
        let (lines, pitch) = if self.names == NamePlace::Above {
            let sizes = self.units.iter().zip(&cells);
            let sizes =
                sizes.map(|(unit, cell)| CellSize { width: cell.width, height: cell.height, group: unit.layer.fit });
            let (found, lines) = arrange_cells(&sizes.collect::<Vec<_>>(), width, COLUMN_GAP, gaps.usual);
            cells = found.iter().map(|&n| cells[n].clone()).collect();
            order = found;
            (lines, 0.0)
        } else {
            let runs = self.units.chunk_by(|a, b| a.layer.stem == b.layer.stem).map(<[Unit]>::len).collect::<Vec<_>>();
            let widest = cells.iter().map(|cell| cell.width).fold(0.0, f32::max);
            columns_of(&runs, widest, width, self.max_columns)
        };
        let high = |line: &Range<usize>| cells[line.clone()].iter().map(|cell| cell.height).fold(0.0, f32::max);
        let heights = lines.iter().map(high).collect();
        SizedUnits { order, cells, lines, pitch, heights }
    }

    /// The largest side up to the preferred one and a limit, mm before large print, at which everything fits the height and
    /// no given row is broken; beyond a comfortable one only with no more lines of boxes. The smallest if none fits, in
    /// columns with smaller letters.
    fn fitting(&self, (width, height): (f32, f32), limit: f32, styles: &TextStyles) -> SizedUnits {
        let least = styles.minimums.tick_box;
        let preferred = (self.preferred_side * styles.minimums.scale).max(least);
        let most = preferred.min(limit * styles.minimums.scale);
        let gap = self.line_gaps(styles).least;
        let arranged = |side: f32| self.arrange(width, side, styles.body, styles);
        let is_low = |plan: &SizedUnits| plan.height(gap) <= height + 0.01;
        if self.names == NamePlace::Right {
            let size = styles.minimums.smallest_named(TextRole::Label);
            let small = || self.arrange(width, least, TextStyle { size, ..styles.body }, styles);
            let usual = largest_size(least, most, SIZE_STEP, |side| Some(arranged(side)).filter(is_low));
            return usual.or_else(|| Some(small()).filter(is_low)).unwrap_or_else(|| arranged(least));
        }
        let comfortable = (preferred * COMFORTABLE).max(least);
        let fewest = arranged(comfortable).box_lines();
        let smallest = arranged(least);
        let unbroken = smallest.broken_rows();
        let fits = |plan: &SizedUnits, side: f32| {
            plan.broken_rows() <= unbroken && (side <= comfortable + 0.01 || plan.box_lines() <= fewest) && is_low(plan)
        };
        let fitting = |side: f32| Some(arranged(side)).filter(|plan| fits(plan, side));
        largest_size(least, most, SIZE_STEP, fitting).unwrap_or(smallest)
    }

    /// Whether units of this height, mm, are not split.
    fn keeps_together(&self, height: f32) -> bool {
        !self.may_split && height <= MAX_KEPT_TOGETHER
    }

    /// Draws a unit whose cell has its upper left corner at a point: its first lines, and all that is below them if it is
    /// whole.
    fn draw_unit(
        &self,
        unit: &Unit,
        cell: &Cell,
        (x, y): (f32, f32),
        (lines, is_whole): (usize, bool),
        pen: &mut SheetPen,
    ) {
        draw_name(unit, cell, (x, y), pen);
        let (left, top) = (x + cell.boxes_x, y + cell.first_top);
        let middle = top + cell.side / 2.0;
        if cell.badge > 0.0
            && let Some(badge) = &unit.badge
        {
            let high = badge_height(&pen.styles);
            let rect = Rect::new(x + cell.badge_x, middle - high / 2.0, cell.badge, high);
            let mut lift = 0.0;
            match self.badge_shape {
                BoxShape::Rounded => pen.rect(rect, 0.6, thin_line_style(), None),
                shape => {
                    lift = high * 0.06;
                    pen.sample_box(rect, shape);
                }
            }
            pen.text_centred(badge, pen.styles.value, rect.x + cell.badge / 2.0, middle - lift, None);
        }
        if let Some(sign) = &unit.sign {
            pen.drawing(sign, Rect::new(x + cell.sign_x, middle - cell.sign / 2.0, cell.sign, cell.sign), None);
        }
        let (mut n, mut line_top) = (0, top);
        let mut touching = Vec::new();
        for &(boxes, ends) in cell.lines.iter().take(lines) {
            for place in 0..boxes {
                let rect = Rect::new(left + cell.box_x(place), line_top, cell.side, cell.side);
                match (unit.layer.shape, unit.layer.box_face(n)) {
                    (BoxShape::Square, BoxFace::Blank) if unit.boxes > 1 => touching.push((rect, unit.layer.mark(n))),
                    _ => unit.layer.draw_box(n, rect, 0.0, pen),
                }
                n += 1;
            }
            if ends && cell.has_bars {
                let x = left + cell.line_end(boxes) + 0.55;
                pen.lines([[x, line_top, x, line_top + cell.side]].into_iter(), 0.5, INK);
            }
            line_top += cell.side + if ends { ROW_GAP } else { 0.0 };
        }
        pen.touching_boxes(touching);
        if is_whole {
            draw_below(unit, cell, (left, top + cell.lines_height(lines)), pen);
        }
    }

    /// Left edges of a line's cells, each with its place among the units.
    fn places(&self, plan: &SizedUnits, line: &Range<usize>, rect: Rect) -> Vec<(usize, f32)> {
        if plan.pitch > 0.0 {
            return line.clone().zip(0..).map(|(n, column)| (n, rect.x + column as f32 * plan.pitch)).collect();
        }
        let across = plan.lines.iter().map(Range::len).max().unwrap_or(1);
        let width = |n: usize| plan.cells[n].width;
        if across <= 2 {
            // Columns of one left edge.
            let of = |column: usize| {
                let cells = plan.lines.iter().filter(|line| column > 0 || line.len() < 3);
                let cells = cells.filter_map(|line| line.clone().nth(column));
                cells.map(width).fold(0.0, f32::max)
            };
            let (first, second) = (of(0), of(1));
            let pairs = plan.lines.iter().filter(|line| line.len() == 2);
            let paired = pairs.map(|line| width(line.start)).fold(0.0, f32::max);
            let all = if second > 0.0 { (paired + COLUMN_GAP + second).max(first) } else { first };
            let spare = (rect.w - all).max(0.0);
            let gap = if second > 0.0 { COLUMN_GAP + (spare / 2.0).min(WIDEST_GAP - COLUMN_GAP) } else { 0.0 };
            let used = if second > 0.0 { (paired + gap + second).max(first) } else { first };
            let left = rect.x + ((rect.w - used) / 2.0).max(0.0);
            let right = |n: usize| (left + paired + gap).min(rect.right() - width(n));
            let at = |(column, n): (usize, usize)| (n, if column == 0 { left } else { right(n) });
            return line.clone().enumerate().map(at).collect();
        }
        let groups: Vec<Option<u32>> = plan.order[line.clone()].iter().map(|&n| self.units[n].layer.fit).collect();
        let order = mirrored(&groups);
        let sum: f32 = line.clone().map(width).sum();
        let spare = (rect.w - sum).max(0.0);
        let gap = (spare / line.len() as f32).clamp(0.0, WIDEST_GAP);
        let used = sum + gap * (line.len() - 1) as f32;
        let mut x = rect.x + (rect.w - used) / 2.0;
        let mut places = Vec::with_capacity(line.len());
        for n in order.into_iter().map(|n| line.start + n) {
            places.push((n, x));
            x += width(n) + gap;
        }
        places
    }
}

fn draw_name(unit: &Unit, cell: &Cell, (x, y): (f32, f32), pen: &mut SheetPen) {
    let rect = Rect::new(x + cell.name_at.0, y + cell.name_at.1, cell.name_width, cell.name_height);
    if unit.name.is_none() {
        pen.field(rect, format!("{}_{}_name", unit.layer.stem, unit.layer.first), "name");
        return pen.rule(rect.x, rect.bottom(), rect.w, THIN_LINE, RULE_INK);
    }
    let style = cell.style;
    let first = rect.y + (style.line_height() + style.cap_height()) / 2.0;
    for (n, words) in cell.names.iter().enumerate() {
        pen.text(words, style, rect.x, first + n as f32 * style.line_height(), Anchor::Start);
    }
    if let Some(mark) = &unit.name_mark {
        pen.tick_box(rect, BoxShape::Plain, Mark::new(mark.clone(), MarkKind::Tick, unit.layer.fit));
    }
}

/// The note and the companions, from a point on.
fn draw_below(unit: &Unit, cell: &Cell, (left, top): (f32, f32), pen: &mut SheetPen) {
    let label = pen.styles.label;
    let mut top = top;
    if !cell.notes.is_empty() {
        top += BELOW_GAP;
        for words in &cell.notes {
            pen.text(words, label, left, top + (label.line_height() + label.cap_height()) / 2.0, Anchor::Start);
            top += label.line_height();
        }
    }
    unit.draw_companions(cell.companions, cell.companion, (left, top + BELOW_GAP), pen);
}

impl Flowable for Units {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let gaps = self.line_gaps(styles);
        let least = self.arrange(width, styles.minimums.tick_box, styles.body, styles);
        let first = least.heights.first().copied().unwrap_or(0.0);
        let line = least.lines.first().map_or(&[][..], |line| &least.cells[line.clone()]);
        let begun = line.iter().map(|cell| cell.first_top + cell.side * 1.5).fold(0.0, f32::max);
        let start = if self.keeps_together(first) { first } else { begun.min(first) };
        let min = least.height(gaps.least).max(start);
        let natural = self.fitting((width, f32::INFINITY), f32::INFINITY, styles).height(gaps.usual).max(min);
        SizeHint { min_start: start, min, natural, max: natural }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let plan = self.fitting((rect.w, rect.h), f32::INFINITY, &styles);
        // What is left goes between the lines, the rest above and below them.
        let gaps = self.line_gaps(&styles);
        let spare = (rect.h - plan.height(0.0)).max(0.0);
        let gap = (spare / (plan.lines.len() as f32)).clamp(gaps.least, gaps.widest);
        let mut y = rect.y + ((rect.h - plan.height(gap)) / 2.0).clamp(0.0, gaps.above);
        let rest_from = |done: usize| plan.order[done..].iter().map(|&n| self.units[n].clone());
        let mut done = 0;
        for (line, &height) in plan.lines.iter().zip(&plan.heights) {
            let room = rect.bottom() - y + 0.02;
            let whole = height <= room;
            if !whole && (done > 0 || self.keeps_together(height)) {
                break;
            }
            let mut left = Vec::new();
            for (n, x) in self.places(&plan, line, rect) {
                let (unit, cell) = (&self.units[plan.order[n]], &plan.cells[n]);
                if cell.height <= room {
                    self.draw_unit(unit, cell, (x, y), (cell.lines.len(), true), pen);
                    continue;
                }
                // What no page could hold whole is begun here and continued.
                let lines = cell.lines_that_fit(room);
                if lines == 0 {
                    left.push((n, unit.clone()));
                    continue;
                }
                self.draw_unit(unit, cell, (x, y), (lines, false), pen);
                let drawn = cell.lines.iter().take(lines).map(|line| line.0).sum();
                left.push((n, unit.remaining_after(drawn)));
            }
            done = line.end;
            y += height + gap;
            if !left.is_empty() {
                left.sort_by_key(|(n, _)| *n);
                let rest = left.into_iter().map(|(_, unit)| unit).chain(rest_from(done));
                return Some(Box::new(Self { units: rest.collect(), may_split: false, ..*self }));
            }
        }
        if done == self.units.len() {
            return None;
        }
        Some(Box::new(Self { units: rest_from(done).collect(), may_split: self.may_split && done == 0, ..*self }))
    }

    fn allow_split(&mut self) -> bool {
        !std::mem::replace(&mut self.may_split, true)
    }

    fn max_box_size(&self, rect: Rect, styles: &TextStyles) -> Option<f32> {
        let plan = self.fitting((rect.w, rect.h), f32::INFINITY, styles);
        let side = plan.cells.first().map(|cell| cell.side)?;
        Some(side / styles.minimums.scale)
    }

    fn height_for_boxes(&self, width: f32, size: f32, styles: &TextStyles) -> Option<f32> {
        Some(self.fitting((width, f32::INFINITY), size, styles).height(self.line_gaps(styles).least))
    }

    fn limit_box_size(&mut self, size: f32) {
        self.preferred_side = self.preferred_side.min(size);
    }
}

#[cfg(test)]
mod tests;
