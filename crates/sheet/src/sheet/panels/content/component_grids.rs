//! Components as compact grids, the body of a mount whose systems take damage: takes units, each with a name, a badge
//! and boxes; sets each name above its boxes, alike units mirrored about the middle. Room that is left goes between the
//! lines. Returns what does not fit.

mod arrange;
mod cell;

use std::ops::Range;

use self::arrange::{CellSize, break_cells, mirrored};
use self::cell::{BELOW_GAP, Cell, ROW_GAP, SectionWidths, badge_height};
use super::box_rows::mark_name;
use super::component_blocks::{ComponentBlock, UnitLook};
use crate::sheet::layout::flowable::{Flowable, MAX_KEPT_TOGETHER, SizeHint};
use crate::sheet::layout::minimum_sizes::{INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::{SheetPen, thin_line_style};
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Mark, MarkKind, Rect};
use moldloft_rules::evaluate::BoxShape;

/// Between units side by side, at least and, where there is room, mm.
const COLUMN_GAP: f32 = 2.6;
const WIDEST_GAP: f32 = 14.0;
/// Between lines of units, at least, usually, and at most where there is room, mm.
const LEAST_LINE_GAP: f32 = 0.9;
const LINE_GAP: f32 = 1.6;
const WIDEST_LINE_GAP: f32 = 7.0;
/// A unit's line is broken for the sake of boxes of this multiple of their preferred side, but not for larger ones.
const COMFORTABLE: f32 = 0.85;
/// Sizes are multiples of this, mm.
const SIZE_STEP: f32 = 0.1;

#[derive(Clone, Debug)]
pub struct ComponentGrids {
    /// In reading order.
    pub blocks: Vec<ComponentBlock>,
    /// Preferred side of a box, mm before large print.
    pub preferred_side: f32,
    /// A unit that does not fit is begun here and continued, instead of moving as a whole.
    pub may_split: bool,
    pub look: UnitLook,
}

/// The units at one size of box.
struct GridPlan {
    columns: SectionWidths,
    cells: Vec<Cell>,
    lines: Vec<Range<usize>>,
    /// Heights of the lines, mm.
    heights: Vec<f32>,
}

impl GridPlan {
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

impl ComponentGrids {
    fn arrange(&self, width: f32, side: f32, styles: &TextStyles) -> GridPlan {
        let columns = SectionWidths::new(&self.blocks, width, styles);
        let cells: Vec<Cell> = self.blocks.iter().map(|unit| Cell::new(unit, side, &columns, styles)).collect();
        let sizes = self.blocks.iter().zip(&cells);
        let sizes = sizes.map(|(unit, cell)| CellSize { width: cell.width, height: cell.height, group: unit.fit });
        let sizes: Vec<CellSize> = sizes.collect();
        let lines = break_cells(&sizes, width, COLUMN_GAP, LINE_GAP);
        let high = |line: &Range<usize>| cells[line.clone()].iter().map(|cell| cell.height).fold(0.0, f32::max);
        let heights = lines.iter().map(high).collect();
        GridPlan { columns, cells, lines, heights }
    }

    /// The largest side up to the preferred one and a limit, mm before large print, at which everything fits the height and
    /// no given row is broken; beyond a comfortable one only with no more lines of boxes. The smallest if none fits.
    fn fitting(&self, (width, height): (f32, f32), limit: f32, styles: &TextStyles) -> GridPlan {
        let least = styles.minimums.tick_box;
        let preferred = self.preferred_side * styles.minimums.scale;
        let comfortable = (preferred * COMFORTABLE).max(least);
        let most = preferred.min(limit * styles.minimums.scale);
        let fewest = self.arrange(width, comfortable, styles).box_lines();
        let smallest = self.arrange(width, least, styles);
        let unbroken = smallest.broken_rows();
        let fits = |plan: &GridPlan, side: f32| {
            plan.broken_rows() <= unbroken
                && (side <= comfortable + 0.01 || plan.box_lines() <= fewest)
                && plan.height(LEAST_LINE_GAP) <= height + 0.01
        };
        let (mut good, mut bad) = (0, ((most - least) / SIZE_STEP + 0.01).floor().max(0.0) as u32 + 1);
        let mut found = smallest;
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            let side = least + middle as f32 * SIZE_STEP;
            let plan = self.arrange(width, side, styles);
            if fits(&plan, side) {
                (good, found) = (middle, plan);
            } else {
                bad = middle;
            }
        }
        found
    }

    /// Whether units of this height, mm, are not split.
    fn keeps_together(&self, height: f32) -> bool {
        !self.may_split && height <= MAX_KEPT_TOGETHER
    }

    /// Draws a unit whose cell has its upper left corner at a point: its first lines, and all that is below them if it is
    /// whole.
    fn draw_unit(
        &self,
        unit: &ComponentBlock,
        cell: &Cell,
        columns: &SectionWidths,
        (x, y): (f32, f32),
        (lines, is_whole): (usize, bool),
        pen: &mut SheetPen,
    ) {
        self.draw_name(unit, cell, columns, (x, y), pen);
        let (left, top) = (x + cell.boxes_x, y + cell.first_line_top(&pen.styles));
        let middle = top + cell.side / 2.0;
        if cell.badge > 0.0
            && let Some(badge) = &unit.badge
        {
            let high = badge_height(&pen.styles);
            let rect = Rect::new(x, middle - high / 2.0, cell.badge, high);
            match self.look.badge_shape {
                BoxShape::Rounded => pen.rect(rect, 0.6, thin_line_style(), None),
                shape => pen.sample_box(rect, shape),
            }
            pen.text_centred(badge, pen.styles.value, x + cell.badge / 2.0, middle - high * 0.06, None);
        }
        if let Some(sign) = &unit.sign {
            pen.drawing(sign, Rect::new(x + cell.sign_x, middle - cell.sign / 2.0, cell.sign, cell.sign), None);
        }
        let (mut n, mut line_top) = (0, top);
        let mut touching = Vec::new();
        for &(boxes, ends) in cell.lines.iter().take(lines) {
            for place in 0..boxes {
                let rect = Rect::new(left + cell.box_x(place), line_top, cell.side, cell.side);
                let mark = Mark::new(mark_name(&unit.stem, unit.first + n), MarkKind::Tick, unit.fit);
                match unit.shape {
                    BoxShape::Square => touching.push((rect, mark)),
                    shape => pen.tick_box(rect, shape, mark),
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
            Self::draw_below(unit, cell, (left, top + cell.lines_height(lines)), pen);
        }
    }

    fn draw_name(
        &self,
        unit: &ComponentBlock,
        cell: &Cell,
        columns: &SectionWidths,
        (x, y): (f32, f32),
        pen: &mut SheetPen,
    ) {
        if unit.name.is_none() {
            let rect = Rect::new(x, y, cell.width, cell.name_height);
            pen.field(rect, format!("{}_{}_name", unit.stem, unit.first), "name");
            pen.rule(x, y + cell.name_height - 1.2, cell.width, THIN_LINE, RULE_INK);
            return;
        }
        let style = cell.style;
        let left = x + cell.name_left(columns);
        let first = y + (style.line_height() + style.cap_height()) / 2.0;
        for (n, words) in cell.names.iter().enumerate() {
            pen.text(words, style, left, first + n as f32 * style.line_height(), Anchor::Start);
        }
        if let Some(head) = &unit.head {
            let wide = cell.names.iter().map(|words| style.width(words)).fold(0.0, f32::max);
            let rect = Rect::new(left, y, wide, cell.names.len() as f32 * style.line_height());
            pen.tick_box(rect, BoxShape::Plain, Mark::new(mark_name(&head.stem, head.n), MarkKind::Tick, unit.fit));
        }
    }

    /// The note and the companions, from a point on.
    fn draw_below(unit: &ComponentBlock, cell: &Cell, (left, top): (f32, f32), pen: &mut SheetPen) {
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

    /// Left edges of a line's cells, each with its place among the units.
    fn places(plan: &GridPlan, line: &Range<usize>, groups: &[Option<u32>], rect: Rect) -> Vec<(usize, f32)> {
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
        let order = mirrored(&groups[line.clone()]);
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

impl Flowable for ComponentGrids {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let least = self.arrange(width, styles.minimums.tick_box, styles);
        let first = least.heights.first().copied().unwrap_or(0.0);
        let line = least.lines.first().map_or(&[][..], |line| &least.cells[line.clone()]);
        let begun = line.iter().map(|cell| cell.first_line_top(styles) + cell.side * 1.5).fold(0.0, f32::max);
        let start = if self.keeps_together(first) { first } else { begun.min(first) };
        let min = least.height(LEAST_LINE_GAP).max(start);
        let natural = self.fitting((width, f32::INFINITY), f32::INFINITY, styles).height(LINE_GAP).max(min);
        SizeHint { min_start: start, min, natural, max: natural }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let plan = self.fitting((rect.w, rect.h), f32::INFINITY, &styles);
        let groups: Vec<Option<u32>> = self.blocks.iter().map(|unit| unit.fit).collect();
        // What is left goes between the lines, the rest above and below them: not so much above that they leave their
        // heading.
        let spare = (rect.h - plan.height(0.0)).max(0.0);
        let widest = WIDEST_LINE_GAP * styles.minimums.scale;
        let gap = (spare / (plan.lines.len() as f32)).clamp(LEAST_LINE_GAP, widest);
        let mut y = rect.y + ((rect.h - plan.height(gap)) / 2.0).clamp(0.0, widest * 2.0);
        let mut done = 0;
        for (line, &height) in plan.lines.iter().zip(&plan.heights) {
            let room = rect.bottom() - y + 0.02;
            let whole = height <= room;
            if !whole && (done > 0 || self.keeps_together(height)) {
                break;
            }
            let mut left = Vec::new();
            for (n, x) in Self::places(&plan, line, &groups, rect) {
                let (unit, cell) = (&self.blocks[n], &plan.cells[n]);
                if cell.height <= room {
                    self.draw_unit(unit, cell, &plan.columns, (x, y), (cell.lines.len(), true), pen);
                    continue;
                }
                // What no page could hold whole is begun here and continued.
                let lines = cell.lines_that_fit(room, &styles);
                if lines == 0 {
                    left.push((n, unit.clone()));
                    continue;
                }
                self.draw_unit(unit, cell, &plan.columns, (x, y), (lines, false), pen);
                let drawn = cell.lines.iter().take(lines).map(|line| line.0).sum();
                left.push((n, unit.remaining_after(drawn)));
            }
            done = line.end;
            y += height + gap;
            if !left.is_empty() {
                left.sort_by_key(|(n, _)| *n);
                let rest = left.into_iter().map(|(_, unit)| unit).chain(self.blocks[done..].iter().cloned());
                return Some(Box::new(Self { blocks: rest.collect(), may_split: false, ..*self }));
            }
        }
        if done == self.blocks.len() {
            return None;
        }
        Some(Box::new(Self { blocks: self.blocks[done..].to_vec(), may_split: self.may_split && done == 0, ..*self }))
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
        Some(self.fitting((width, f32::INFINITY), size, styles).height(LEAST_LINE_GAP))
    }

    fn limit_box_size(&mut self, size: f32) {
        self.preferred_side = self.preferred_side.min(size);
    }
}

#[cfg(test)]
mod tests;
