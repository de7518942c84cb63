//! Tables: takes columns and rows of words, draws them with quiet headings and thin rules, values in aligned columns.
//! Returns the rows that do not fit.

use std::sync::Arc;

use crate::art::Anchor;
use crate::scene::{Mark, MarkKind, Rect};
use crate::sheet::layout::flowable::{Flowable, HStack, SizeHint};
use crate::sheet::layout::mark_labels::id_as_words;
use crate::sheet::layout::minimum_sizes::{QUIET_INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextStyle, TextStyles};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableCell {
    /// Words, broken into lines where the column is narrow.
    Words(Arc<str>),
    /// A number, bold and centred in its column.
    Number(Arc<str>),
    /// Words among numbers, centred in their column.
    QuietWords(Arc<str>),
    /// Boxes to tick: the mark's stem, the sizes of the groups, and the number of boxes on earlier pages.
    Ticks(Arc<str>, Vec<u32>, u32),
    Write(Arc<str>),
}

/// One of several tables under a heading.
#[derive(Clone, Debug)]
pub struct TablePart {
    /// Printed over its first column when there are several; empty for none.
    pub label: Arc<str>,
    pub headings: Vec<Arc<str>>,
    pub rows: Vec<Vec<TableCell>>,
    /// Small text under its last row; empty for none.
    pub note: Arc<str>,
}

impl TablePart {
    /// A column's heading, or the table's label over the first one.
    fn heading_over(&self, column: usize) -> &str {
        match self.headings.get(column) {
            Some(head) if !head.is_empty() => head,
            _ if column == 0 => &self.label,
            _ => "",
        }
    }
}

/// Tables under one heading, sharing their first columns.
#[derive(Clone, Debug)]
pub struct TableGroup {
    pub parts: Vec<TablePart>,
    /// Columns of numbers that do not fit go under the others, with headings repeated, each at least this wide, mm
    /// before large print.
    pub min_folded_width: Option<f32>,
    /// Column headings are as large as values, and the columns share the whole width: a chart for use during play.
    pub is_chart: bool,
}

/// A table with its rows in several columns where the width has room for them.
#[derive(Debug)]
pub struct MultiColumnTable {
    pub table: TableGroup,
    /// Maximum number of columns.
    pub max_columns: usize,
    /// Between them, mm.
    pub gap: f32,
}

impl MultiColumnTable {
    fn columns(&self, width: f32, styles: &TextStyles) -> HStack {
        let need = self.table.natural_width(styles) + self.gap;
        let many = (((width + self.gap) / need.max(1.0)).floor().max(1.0) as usize).min(self.max_columns);
        let rows = self.table.parts.first().map_or(0, |part| part.rows.len());
        let chunk = rows.div_ceil(many).max(1);
        let part = |rows: &[Vec<TableCell>], part: &TablePart| TablePart { rows: rows.to_vec(), ..part.clone() };
        let tables = self.table.parts.iter().flat_map(|whole| whole.rows.chunks(chunk).map(|rows| part(rows, whole)));
        let tables = tables.map(|part| TableGroup {
            parts: vec![part],
            min_folded_width: self.table.min_folded_width,
            is_chart: self.table.is_chart,
        });
        let parts = tables.map(|table| (1.0 / many as f32, Box::new(table) as Box<dyn Flowable>)).collect();
        HStack { parts, gap: self.gap }
    }
}

impl Flowable for MultiColumnTable {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        self.columns(width, styles).measure(width, styles)
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        Box::new(self.columns(rect.w, &pen.styles)).draw(rect, pen)
    }
}

/// Between a table's columns and a note at their right, and the least width for one, mm.
const NOTE_GAP: f32 = 3.0;
const MIN_NOTE_WIDTH: f32 = 24.0;

/// Widths of columns: those with numbers only are even and narrow, words share what is left.
#[derive(Debug)]
struct ColumnWidths {
    widths: Vec<f32>,
}

impl TableGroup {
    fn column_widths(&self, part: &TablePart, width: f32, styles: &TextStyles) -> ColumnWidths {
        let count = part.headings.len().max(part.rows.iter().map(Vec::len).max().unwrap_or(0));
        let natural = |c: usize| {
            let cells = part.rows.iter().filter_map(|row| row.get(c)).map(|cell| cell_width(cell, styles));
            let head = part.headings.get(c).map_or(0.0, |head| self.heading_style(c, styles).width(head));
            cells.fold(head, f32::max) + 2.4
        };
        let mut widths: Vec<f32> = (0..count).map(natural).collect();
        // The first column is equally wide in every table here, so that numbers are aligned.
        let first = self
            .parts
            .iter()
            .map(|part| {
                let cells = part.rows.iter().filter_map(|row| row.first()).map(|cell| cell_width(cell, styles));
                cells.fold(styles.label.width(part.heading_over(0)), f32::max) + 2.4
            })
            .fold(0.0, f32::max);
        if let Some(width) = widths.first_mut() {
            *width = first;
        }
        let numbers = |c: usize| c > 0 && part.rows.iter().all(|row| !matches!(row.get(c), Some(TableCell::Words(_))));
        let mut step = self.number_column_width(styles);
        if self.min_folded_width.is_some() {
            step = (1..count).filter(|&c| numbers(c)).map(|c| widths[c]).fold(step, f32::max);
        }
        for (c, width) in widths.iter_mut().enumerate() {
            if numbers(c) {
                *width = width.max(step);
            }
        }
        let sum: f32 = widths.iter().sum();
        if sum > width {
            // Words are narrowed: the widest columns first, breaking their lines; short words stay whole.
            let fixed: f32 = (0..count).filter(|&c| numbers(c)).map(|c| widths[c]).sum();
            let left = (width - fixed).max(width * 0.3);
            let words: Vec<f32> = (0..count).filter(|&c| !numbers(c)).map(|c| widths[c]).collect();
            let cap = width_limit(&words, left);
            let over = fixed + left;
            let least = |c: usize| {
                let cells = part.rows.iter().filter_map(|row| row.get(c)).map(|cell| longest_word(cell, styles));
                cells.fold(0.0, f32::max) + 1.7
            };
            let least: Vec<f32> = (0..count).map(least).collect();
            for (c, w) in widths.iter_mut().enumerate() {
                if !numbers(c) {
                    *w = w.min(cap);
                }
                *w *= (width / over).min(1.0);
            }
            // No word is broken while another column of words can be narrowed.
            let short = |widths: &[f32], c: usize| (least[c].min(width * 0.6) - widths[c]).max(0.0);
            let need: f32 = (0..count).filter(|&c| !numbers(c)).map(|c| short(&widths, c)).sum();
            let spare: f32 = (0..count).filter(|&c| !numbers(c)).map(|c| (widths[c] - least[c]).max(0.0)).sum();
            if need > 0.0 && spare > 0.0 {
                let part = (need / spare).min(1.0);
                let met = (spare / need).min(1.0);
                for c in (0..count).filter(|&c| !numbers(c)) {
                    widths[c] += short(&widths, c) * met - (widths[c] - least[c]).max(0.0) * part;
                }
            }
        } else if self.is_chart && count > 1 {
            let more = (width - sum) / (count - 1) as f32;
            widths.iter_mut().skip(1).for_each(|width| *width += more);
        } else if let Some(last) = widths.last_mut()
            && (count == 1
                || !numbers(count - 1)
                || part.rows.iter().all(|row| matches!(row.last(), Some(TableCell::Write(_)))))
        {
            *last += width - sum;
        }
        ColumnWidths { widths }
    }

    /// The width at which no words need another line, mm.
    fn natural_width(&self, styles: &TextStyles) -> f32 {
        let width = |part: &TablePart| -> f32 {
            let count = part.headings.len();
            let column = |c: usize| {
                let cells = part.rows.iter().filter_map(|row| row.get(c)).map(|cell| cell_width(cell, styles));
                cells.fold(part.headings.get(c).map_or(0.0, |head| styles.label.width(head)), f32::max) + 2.4
            };
            (0..count).map(column).sum()
        };
        self.parts.iter().map(width).fold(0.0, f32::max)
    }

    /// Parts with columns that fit a width: those too wide are split after their first columns of words.
    fn fold_columns(&self, width: f32, styles: &TextStyles) -> Vec<TablePart> {
        if self.min_folded_width.is_none() {
            return self.parts.clone();
        }
        let mut parts = Vec::new();
        for part in &self.parts {
            let count = part.headings.len();
            let words =
                |c: usize| c == 0 || part.rows.iter().any(|row| matches!(row.get(c), Some(TableCell::Words(_))));
            let kept = (0..count).take_while(|&c| words(c)).count();
            let step = self.number_column_width(styles);
            let wide = |c: usize| {
                let cells = part.rows.iter().filter_map(|row| row.get(c)).map(|cell| cell_width(cell, styles));
                cells.fold(part.headings.get(c).map_or(0.0, |head| styles.label.width(head)), f32::max) + 2.4
            };
            let first: f32 = (0..kept).map(wide).sum::<f32>().min(width * 0.6);
            let each = (kept..count).map(wide).fold(step, f32::max);
            let many = (((width - first) / each).floor().max(1.0) as usize).max(1);
            if count - kept <= many {
                parts.push(part.clone());
                continue;
            }
            let lines = (count - kept).div_ceil(many);
            let many = (count - kept).div_ceil(lines);
            for from in (kept..count).step_by(many) {
                let take = |cells: &[TableCell]| -> Vec<TableCell> {
                    let to = (from + many).min(cells.len());
                    cells.iter().take(kept).chain(cells.get(from..to).unwrap_or_default()).cloned().collect()
                };
                let to = (from + many).min(count);
                parts.push(TablePart {
                    label: part.label.clone(),
                    headings: part.headings[..kept].iter().chain(&part.headings[from..to]).cloned().collect(),
                    rows: part.rows.iter().map(|row| take(row)).collect(),
                    note: if to == count { part.note.clone() } else { "".into() },
                });
            }
        }
        parts
    }

    /// With columns folded for a width.
    fn for_width(&self, width: f32, styles: &TextStyles) -> Self {
        Self {
            parts: self.fold_columns(width, styles),
            min_folded_width: self.min_folded_width,
            is_chart: self.is_chart,
        }
    }

    /// Number columns of all tables share a width, so that they line up.
    fn number_column_width(&self, styles: &TextStyles) -> f32 {
        let least = self.min_folded_width.map_or(8.0, |fold| fold * styles.minimums.scale);
        let heads = self.parts.iter().flat_map(|part| part.headings.iter().skip(1));
        let longest = heads
            .map(|head| self.heading_style(1, styles).width(head))
            .filter(|width| *width < 16.0)
            .fold(0.0, f32::max);
        (longest + 1.8).max(least)
    }

    fn row_height(&self, row: &[TableCell], columns: &ColumnWidths, styles: &TextStyles) -> f32 {
        let lines = row.iter().zip(&columns.widths).map(|(cell, width)| match cell {
            TableCell::Words(words) => {
                styles.body.wrap(words, width - 1.6).len().max(1) as f32 * styles.body.line_height()
            }
            TableCell::Ticks(_, groups, _) => {
                let lines =
                    tick_positions(groups, width - 1.0, styles.minimums.tick_box).last().map_or(1, |place| place.1 + 1);
                lines as f32 * (styles.minimums.tick_box + 0.5) + 0.2
            }
            TableCell::Write(_) => styles.body.line_height() * 1.5,
            TableCell::Number(_) | TableCell::QuietWords(_) => styles.value.line_height(),
        });
        lines.fold(styles.value.line_height(), f32::max) + 0.2
    }

    /// A table's note: in the free room right of its columns, with the left edge there, or under its last row.
    fn note_position(
        &self,
        part: &TablePart,
        columns: &ColumnWidths,
        width: f32,
        styles: &TextStyles,
    ) -> (Option<f32>, Vec<String>) {
        let used = columns.widths.iter().sum::<f32>() + NOTE_GAP;
        if width - used >= MIN_NOTE_WIDTH * styles.minimums.scale {
            let lines = styles.note.wrap(&part.note, width - used);
            let rows: f32 = part.rows.iter().map(|row| self.row_height(row, columns, styles)).sum();
            if lines.len() as f32 * styles.note.line_height() <= self.heading_height(part, styles) + rows {
                return (Some(used), lines);
            }
        }
        (None, styles.note.wrap(&part.note, width))
    }

    fn footer_height(&self, part: &TablePart, columns: &ColumnWidths, width: f32, styles: &TextStyles) -> f32 {
        match self.note_position(part, columns, width, styles) {
            (None, lines) if !lines.is_empty() => lines.len() as f32 * styles.note.line_height() + 0.3,
            _ => 0.0,
        }
    }

    fn heading_height(&self, part: &TablePart, styles: &TextStyles) -> f32 {
        let any = part.headings.iter().any(|head| !head.is_empty()) || !part.label.is_empty();
        if any { self.heading_style(1, styles).line_height() + 0.3 } else { 0.0 }
    }

    fn draw_headings(&self, part: &TablePart, columns: &ColumnWidths, (x, y): (f32, f32), pen: &mut SheetPen) {
        let styles = pen.styles;
        let baseline = y + self.heading_style(1, &styles).size.mm() * 0.9;
        let mut left = x;
        for (c, &width) in columns.widths.iter().enumerate() {
            let words = part.rows.iter().any(|row| matches!(row.get(c), Some(TableCell::Words(_))));
            let (head, style) = (part.heading_over(c), self.heading_style(c, &styles));
            if c == 0 || words {
                pen.text(head, style, left, baseline, Anchor::Start);
            } else {
                pen.text(head, style, left + width / 2.0, baseline, Anchor::Middle);
            }
            left += width;
        }
    }

    fn heading_style(&self, column: usize, styles: &TextStyles) -> TextStyle {
        if self.is_chart && column > 0 { styles.value } else { styles.label }
    }

    fn part_gap(&self, styles: &TextStyles) -> f32 {
        1.2 * styles.minimums.scale
    }

    fn draw_row(&self, row: &[TableCell], columns: &ColumnWidths, x: f32, y: f32, height: f32, pen: &mut SheetPen) {
        let styles = pen.styles;
        let baseline = y + styles.value.cap_height() + (styles.value.line_height() - styles.value.cap_height()) / 2.0;
        let mut left = x;
        for (c, (cell, &width)) in row.iter().zip(&columns.widths).enumerate() {
            match cell {
                TableCell::QuietWords(words) => {
                    let style = styles.body.with_paint(QUIET_INK);
                    pen.text_centred(words, style, left + width / 2.0, y + height / 2.0, None);
                }
                TableCell::Words(words) => {
                    for (n, line) in styles.body.wrap(words, width - 1.6).iter().enumerate() {
                        pen.text(
                            line,
                            styles.body,
                            left,
                            baseline + n as f32 * styles.body.line_height(),
                            Anchor::Start,
                        );
                    }
                }
                TableCell::Number(words) if c == 0 => {
                    pen.text(words, styles.value, left, baseline, Anchor::Start);
                }
                TableCell::Number(words) => {
                    pen.text(words, styles.value, left + width / 2.0, baseline, Anchor::Middle);
                }
                TableCell::Ticks(stem, groups, before) => {
                    let side = styles.minimums.tick_box;
                    for (n, (across, line)) in tick_positions(groups, width - 1.0, side).into_iter().enumerate() {
                        let top = y + 0.3 + line as f32 * (side + 0.5);
                        let place = Rect::new(left + across, top, side, side);
                        let name = super::box_grid::mark_name(stem, before + n as u32 + 1);
                        let mark = Mark::new(name, MarkKind::Tick, None);
                        pen.tick_box(place, crate::evaluate::BoxShape::Square, mark);
                    }
                }
                TableCell::Write(name) => {
                    pen.field(Rect::new(left, y, width - 0.6, height), Arc::clone(name), id_as_words(name));
                    pen.rule(left, y + height - 0.4, width - 1.2, THIN_LINE, RULE_INK);
                }
            }
            left += width;
        }
    }
}

/// A row higher than this is continued where its page ends, mm before large print: no page is sure to hold it whole.
const LONG_ROW: f32 = 60.0;
/// The least part of such a row that is begun, mm before large print.
const MIN_ROW_START: f32 = 15.0;

impl TableGroup {
    /// The room that a row of this height needs to begin, mm.
    fn height_to_start(height: f32, styles: &TextStyles) -> f32 {
        if height > LONG_ROW * styles.minimums.scale { MIN_ROW_START * styles.minimums.scale } else { height }
    }

    /// Splits a long row into what fits a height and the rest, under the same name. `None` when nothing would be left.
    fn split_row(
        row: &[TableCell],
        columns: &ColumnWidths,
        room: f32,
        styles: &TextStyles,
    ) -> Option<(Vec<TableCell>, Vec<TableCell>)> {
        let (mut top, mut rest) = (Vec::with_capacity(row.len()), Vec::with_capacity(row.len()));
        let mut is_split = false;
        for (c, (cell, &width)) in row.iter().zip(&columns.widths).enumerate() {
            let (above, below) = match cell {
                TableCell::Ticks(stem, groups, before) => {
                    let side = styles.minimums.tick_box;
                    let lines = ((room - 0.4) / (side + 0.5)).floor().max(1.0) as u32;
                    let places = tick_positions(groups, width - 1.0, side);
                    let done = places.iter().take_while(|place| place.1 < lines).count() as u32;
                    let (above, below) = split_groups(groups, done);
                    is_split |= !below.is_empty();
                    (
                        TableCell::Ticks(stem.clone(), above, *before),
                        TableCell::Ticks(stem.clone(), below, before + done),
                    )
                }
                TableCell::Words(words) => {
                    let lines = styles.body.wrap(words, width - 1.6);
                    let many = ((room - 0.2) / styles.body.line_height()).floor().max(1.0) as usize;
                    if lines.len() > many {
                        is_split = true;
                        (
                            TableCell::Words(lines[..many].join(" ").into()),
                            TableCell::Words(lines[many..].join(" ").into()),
                        )
                    } else {
                        (cell.clone(), if c == 0 { cell.clone() } else { TableCell::Words("".into()) })
                    }
                }
                TableCell::Number(_) if c == 0 => (cell.clone(), cell.clone()),
                TableCell::Number(_) | TableCell::QuietWords(_) | TableCell::Write(_) => {
                    (cell.clone(), TableCell::Words("".into()))
                }
            };
            top.push(above);
            rest.push(below);
        }
        is_split.then_some((top, rest))
    }
}

fn split_groups(groups: &[u32], mut done: u32) -> (Vec<u32>, Vec<u32>) {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for &group in groups {
        let here = group.min(done);
        done -= here;
        above.extend((here > 0).then_some(here));
        below.extend((group > here).then_some(group - here));
    }
    (above, below)
}

/// Positions of boxes of a side in a width: the distance across, and the line. Groups stay together while they are not
/// too long.
fn tick_positions(groups: &[u32], width: f32, side: f32) -> Vec<(f32, u32)> {
    const WITHIN: f32 = 0.3;
    const GROUP: f32 = 1.8;
    let mut places = Vec::new();
    let (mut x, mut line) = (0.0_f32, 0);
    for &group in groups {
        let whole = group as f32 * (side + WITHIN) - WITHIN;
        if x > 0.0 && x + whole.min(width) > width + 0.01 {
            (x, line) = (0.0, line + 1);
        }
        for _ in 0..group {
            if x > 0.0 && x + side > width + 0.01 {
                (x, line) = (0.0, line + 1);
            }
            places.push((x, line));
            x += side + WITHIN;
        }
        x += GROUP;
    }
    places
}

/// The width to which the widest must be cut for all to fit.
pub(in crate::sheet) fn width_limit(widths: &[f32], room: f32) -> f32 {
    let mut sorted = widths.to_vec();
    sorted.sort_by(f32::total_cmp);
    let mut left = room;
    for (n, width) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - n) as f32;
        if *width > share {
            return share;
        }
        left -= width;
    }
    f32::INFINITY
}

fn longest_word(cell: &TableCell, styles: &TextStyles) -> f32 {
    match cell {
        TableCell::Words(words) => words.split(' ').map(|word| styles.body.width(word)).fold(0.0, f32::max),
        _ => cell_width(cell, styles),
    }
}

fn cell_width(cell: &TableCell, styles: &TextStyles) -> f32 {
    match cell {
        TableCell::Words(words) | TableCell::QuietWords(words) => styles.body.width(words),
        TableCell::Number(words) => styles.value.width(words),
        TableCell::Ticks(_, groups, _) => {
            let side = styles.minimums.tick_box;
            let all = tick_positions(
                groups,
                (10.0 * side + 3.0).max(groups.first().map_or(0, |&n| n.min(10)) as f32 * side),
                side,
            );
            all.iter().map(|place| place.0 + side).fold(0.0, f32::max)
        }
        TableCell::Write(_) => 12.0 * styles.minimums.scale,
    }
}

impl Flowable for TableGroup {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let mut total = 0.0;
        let mut start = 0.0;
        let folded = self.for_width(width, styles);
        for (n, part) in folded.parts.iter().enumerate() {
            let columns = folded.column_widths(part, width, styles);
            let head = self.heading_height(part, styles) + if n > 0 { self.part_gap(styles) } else { 0.0 };
            let mut rows: Vec<f32> = part.rows.iter().map(|row| self.row_height(row, &columns, styles)).collect();
            // The note stays with the last row.
            rows.last_mut().into_iter().for_each(|last| *last += folded.footer_height(part, &columns, width, styles));
            if n == 0 {
                start = head + rows.first().map_or(0.0, |height| Self::height_to_start(*height, styles));
            }
            total += head + rows.iter().sum::<f32>();
        }
        SizeHint { min_start: start, ..SizeHint::fixed(total) }
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let mut y = rect.y;
        let mut rest = Vec::new();
        let parts = self.fold_columns(rect.w, &styles);
        // Widths come from all the parts together.
        self.parts.clone_from(&parts);
        let mut full = false;
        for (n, mut part) in parts.into_iter().enumerate() {
            let columns = self.column_widths(&part, rect.w, &styles);
            let gap = if n > 0 { self.part_gap(&styles) } else { 0.0 };
            let head = self.heading_height(&part, &styles);
            let foot = self.footer_height(&part, &columns, rect.w, &styles);
            let alone = if part.rows.len() == 1 { foot } else { 0.0 };
            let first = part.rows.first().map_or(0.0, |row| self.row_height(row, &columns, &styles)) + alone;
            let first = Self::height_to_start(first, &styles);
            if full || y + gap + head + first > rect.bottom() + 0.05 {
                full = true;
                rest.push(part);
                continue;
            }
            if n > 0 {
                pen.rule(rect.x, y + gap / 2.0, rect.w, THIN_LINE, RULE_INK);
            }
            y += gap;
            if head > 0.0 {
                self.draw_headings(&part, &columns, (rect.x, y), pen);
                y += head;
            }
            let (beside, lines) = self.note_position(&part, &columns, rect.w, &styles);
            let top = y - head;
            let write = |(x, y): (f32, f32), pen: &mut SheetPen| {
                for (n, line) in lines.iter().enumerate() {
                    let baseline = y + styles.note.size.mm() * 0.85 + n as f32 * styles.note.line_height();
                    pen.text(line, styles.note, x, baseline, Anchor::Start);
                }
            };
            let mut done = 0;
            let mut begun = None;
            for row in &part.rows {
                let height = self.row_height(row, &columns, &styles);
                let under = if done + 1 == part.rows.len() { foot } else { 0.0 };
                if y + height + under > rect.bottom() + 0.05 {
                    let room = rect.bottom() - y;
                    if Self::height_to_start(height, &styles) < height.min(room + 0.05)
                        && let Some((above, below)) = Self::split_row(row, &columns, room, &styles)
                    {
                        self.draw_row(&above, &columns, rect.x, y, room, pen);
                        begun = Some(below);
                    }
                    break;
                }
                self.draw_row(row, &columns, rect.x, y, height, pen);
                y += height;
                done += 1;
                if under > 0.0 {
                    write((rect.x, y), pen);
                    y += under;
                }
            }
            // A note at a table's right goes with the last of its rows.
            if let (Some(across), true) = (beside, done == part.rows.len()) {
                write((rect.x + across, top), pen);
            }
            if done < part.rows.len() {
                full = true;
                part.rows.drain(..done);
                if let Some(left) = begun {
                    part.rows[0] = left;
                }
                rest.push(part);
            }
        }
        if rest.is_empty() {
            None
        } else {
            Some(Box::new(Self { parts: rest, min_folded_width: self.min_folded_width, is_chart: self.is_chart }))
        }
    }
}
