//! Tables: takes columns and rows of words, draws them with quiet headings and thin rules, values in aligned columns.
//! Returns the rows that do not fit.

use std::sync::Arc;

use super::tick_lines::tick_positions;
use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::hstack::HStack;
use crate::sheet::layout::minimum_sizes::{RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Drawing, Rect};
use moldloft_rules::evaluate::BoxShape;

/// A drawing in a cell, the same for equal contents.
#[derive(Clone, Debug)]
pub struct CellDrawing(pub Arc<Drawing>);

impl PartialEq for CellDrawing {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for CellDrawing {}

/// The words of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellText {
    pub words: Arc<str>,
    /// The name of what they show, for a sheet whose numbers explain themselves.
    pub shown_value: Option<Arc<str>>,
}

impl CellText {
    pub fn with_words(&self, words: impl Into<Arc<str>>) -> Self {
        Self { words: words.into(), shown_value: self.shown_value.clone() }
    }
}

impl<T: Into<Arc<str>>> From<T> for CellText {
    fn from(words: T) -> Self {
        Self { words: words.into(), shown_value: None }
    }
}

impl std::ops::Deref for CellText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.words
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableCell {
    /// Words, broken into lines where the column is narrow.
    Words(CellText),
    /// A number, bold and centred in its column.
    Number(CellText),
    /// Words among numbers, centred in their column.
    QuietWords(CellText),
    /// What a row is about: bold, broken into lines where the column is narrow.
    Term(CellText),
    /// Boxes to tick: the mark's stem, the sizes of the groups, the number of boxes on earlier pages, and their shape.
    Ticks(Arc<str>, Vec<u32>, u32, BoxShape),
    Write(Arc<str>),
    /// A small drawing, centred in its column.
    Drawing(CellDrawing),
}

impl TableCell {
    /// Says what its words show.
    pub fn showing(mut self, value: Option<Arc<str>>) -> Self {
        if let Self::Words(text) | Self::Number(text) | Self::QuietWords(text) | Self::Term(text) = &mut self {
            text.shown_value = value;
        }
        self
    }

    /// Words become what a row is about.
    pub fn set_as_term(&mut self) {
        if let Self::Words(text) = self {
            *self = Self::Term(text.clone());
        }
    }
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
    pub(super) fn heading_over(&self, column: usize) -> &str {
        match self.headings.get(column) {
            Some(head) if !head.is_empty() => head,
            _ if column == 0 => &self.label,
            _ => "",
        }
    }

    pub(super) fn column(&self, c: usize) -> impl Iterator<Item = &TableCell> {
        self.rows.iter().filter_map(move |row| row.get(c))
    }

    /// Whether a column has words that may be broken into lines.
    pub(super) fn has_words(&self, c: usize) -> bool {
        self.column(c).any(|cell| matches!(cell, TableCell::Words(_) | TableCell::Term(_)))
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
    pub style: TableStyle,
}

/// How a table's rows are drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableStyle {
    /// Headings 1 to 6 are faces of a die, zeros are grey.
    pub faces: bool,
    /// Headings whose die is rolled again: a sign after their numbers.
    pub rerolled: Vec<Arc<str>>,
    /// Cells are shaded by their numbers.
    pub tint: Option<Tint>,
    /// Every other row is on a light ground, and rows grow with the free room.
    pub bands: bool,
    /// Cells are framed, with their words in the middle, in columns of one width.
    pub grid: bool,
}

/// Shading from white for the lowest number to a light grey for the highest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tint {
    /// Grey of the highest, percent.
    pub most: f32,
    pub lowest: i64,
    pub highest: i64,
}

impl Tint {
    /// Grey in percent.
    pub(super) fn share(&self, number: i64) -> f32 {
        let range = (self.highest - self.lowest).max(1) as f32;
        self.most * ((number - self.lowest) as f32 / range).clamp(0.0, 1.0)
    }
}

impl TableStyle {
    /// Shades from the numbers of all parts, the darkest in percent.
    pub fn set_tint(&mut self, most: f32, parts: &[TablePart]) {
        let cells = parts.iter().flat_map(|part| {
            let shaded = (0..part.headings.len()).filter(|&c| heading_number(part, c).is_some());
            shaded.flat_map(|c| part.column(c)).filter_map(cell_number)
        });
        let numbers: Vec<i64> = cells.collect();
        if let (Some(&lowest), Some(&highest)) = (numbers.iter().min(), numbers.iter().max()) {
            self.tint = Some(Tint { most, lowest, highest });
        }
    }

    pub(super) fn is_face(&self, part: &TablePart, c: usize) -> bool {
        self.faces && (c > 0 || self.grid) && matches!(heading_number(part, c), Some(1..=6))
    }
}

/// After a number: its die is rolled again. Drawn, since no bundled font has it.
pub const REROLL: char = '↻';

/// The number that heads a column.
pub(super) fn heading_number(part: &TablePart, c: usize) -> Option<i64> {
    part.headings.get(c)?.trim().parse().ok()
}

/// The number of a cell: `+4`, `−1`, `12`.
pub fn cell_number(cell: &TableCell) -> Option<i64> {
    let (TableCell::Number(words) | TableCell::Words(words) | TableCell::QuietWords(words)) = cell else { return None };
    words.trim().trim_end_matches(REROLL).trim_start_matches('+').replace('−', "-").parse().ok()
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
        // Rows on grounds go on beside a longer column.
        let part = |rows: &[Vec<TableCell>], part: &TablePart| {
            let mut rows = rows.to_vec();
            if self.table.style.bands {
                rows.resize_with(chunk, || vec![TableCell::Words("".into()); part.headings.len()]);
            }
            TablePart { rows, ..part.clone() }
        };
        let tables = self.table.parts.iter().flat_map(|whole| whole.rows.chunks(chunk).map(|rows| part(rows, whole)));
        let tables = tables.map(|part| TableGroup {
            parts: vec![part],
            min_folded_width: self.table.min_folded_width,
            is_chart: self.table.is_chart,
            style: self.table.style.clone(),
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

/// Of the room by which rows grow, the share that stays free under the last one, in rows.
const FOOT_SHARE: f32 = 1.8;

impl TableGroup {
    /// A table's note: in the free room right of its columns, with the left edge there, or under its last row.
    fn note_position(
        &self,
        part: &TablePart,
        columns: &[f32],
        width: f32,
        styles: &TextStyles,
    ) -> (Option<f32>, Vec<String>) {
        let used = columns.iter().sum::<f32>() + NOTE_GAP;
        if width - used >= MIN_NOTE_WIDTH * styles.minimums.scale {
            let lines = styles.note.wrap(&part.note, width - used);
            let rows: f32 = part.rows.iter().map(|row| self.row_height(row, columns, styles)).sum();
            if lines.len() as f32 * styles.note.line_height() <= self.heading_height(part, columns, styles) + rows {
                return (Some(used), lines);
            }
        }
        (None, styles.note.wrap(&part.note, width))
    }

    fn footer_height(&self, part: &TablePart, columns: &[f32], width: f32, styles: &TextStyles) -> f32 {
        match self.note_position(part, columns, width, styles) {
            (None, lines) if !lines.is_empty() => lines.len() as f32 * styles.note.line_height() + 0.3,
            _ => 0.0,
        }
    }

    fn part_gap(&self, styles: &TextStyles) -> f32 {
        1.2 * styles.minimums.scale
    }
}

impl TableGroup {
    /// By how much each row grows in a rectangle, mm.
    fn growth(&self, rect: Rect, styles: &TextStyles) -> f32 {
        let most = self.row_growth(styles);
        if most <= 0.0 {
            return 0.0;
        }
        let rows = self.parts.iter().map(|part| part.rows.len() as f32 + FOOT_SHARE).sum::<f32>();
        ((rect.h - self.measure(rect.w, styles).natural) / rows.max(1.0)).clamp(0.0, most)
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
        columns: &[f32],
        room: f32,
        styles: &TextStyles,
    ) -> Option<(Vec<TableCell>, Vec<TableCell>)> {
        let (mut top, mut rest) = (Vec::with_capacity(row.len()), Vec::with_capacity(row.len()));
        let mut is_split = false;
        for (c, (cell, &width)) in row.iter().zip(columns).enumerate() {
            let (above, below) = match cell {
                TableCell::Ticks(stem, groups, before, shape) => {
                    let side = styles.minimums.tick_box;
                    let lines = ((room - 0.4) / (side + 0.5)).floor().max(1.0) as u32;
                    let places = tick_positions(groups, width - 1.0, side);
                    let done = places.iter().take_while(|place| place.1 < lines).count() as u32;
                    let (above, below) = split_groups(groups, done);
                    is_split |= !below.is_empty();
                    (
                        TableCell::Ticks(stem.clone(), above, *before, *shape),
                        TableCell::Ticks(stem.clone(), below, before + done, *shape),
                    )
                }
                TableCell::Words(words) => {
                    let lines = styles.body.wrap(words, width - 1.6);
                    let many = ((room - 0.2) / styles.body.line_height()).floor().max(1.0) as usize;
                    if lines.len() > many {
                        is_split = true;
                        (
                            TableCell::Words(words.with_words(lines[..many].join(" "))),
                            TableCell::Words(words.with_words(lines[many..].join(" "))),
                        )
                    } else {
                        (cell.clone(), if c == 0 { cell.clone() } else { TableCell::Words("".into()) })
                    }
                }
                TableCell::Number(_) | TableCell::Term(_) if c == 0 => (cell.clone(), cell.clone()),
                TableCell::Number(_)
                | TableCell::Term(_)
                | TableCell::QuietWords(_)
                | TableCell::Write(_)
                | TableCell::Drawing(_) => (cell.clone(), TableCell::Words("".into())),
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

impl Flowable for TableGroup {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let width = width - 2.0 * self.inset();
        let (mut total, mut start, mut growth) = (0.0, 0.0, 0.0);
        let folded = self.for_width(width, styles);
        for (n, part) in folded.parts.iter().enumerate() {
            let columns = folded.column_widths(part, width, styles);
            let head = folded.heading_height(part, &columns, styles) + if n > 0 { self.part_gap(styles) } else { 0.0 };
            let mut rows: Vec<f32> = part.rows.iter().map(|row| self.row_height(row, &columns, styles)).collect();
            // The note stays with the last row.
            rows.last_mut().into_iter().for_each(|last| *last += folded.footer_height(part, &columns, width, styles));
            if n == 0 {
                start = head + rows.first().map_or(0.0, |height| Self::height_to_start(*height, styles));
            }
            total += head + rows.iter().sum::<f32>();
            growth += (rows.len() as f32 + FOOT_SHARE) * self.row_growth(styles);
        }
        SizeHint { min_start: start, max: total + growth, ..SizeHint::fixed(total) }
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let (left, width) = (rect.x + self.inset(), rect.w - 2.0 * self.inset());
        let growth = self.growth(rect, &styles);
        let mut y = rect.y;
        let mut rest = Vec::new();
        let parts = self.fold_columns(width, &styles);
        // Widths come from all the parts together.
        self.parts.clone_from(&parts);
        let mut full = false;
        for (n, mut part) in parts.into_iter().enumerate() {
            let columns = self.column_widths(&part, width, &styles);
            let gap = if n > 0 { self.part_gap(&styles) } else { 0.0 };
            let head = self.heading_height(&part, &columns, &styles);
            let foot = self.footer_height(&part, &columns, width, &styles);
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
                self.draw_headings(&part, &columns, (left, y), pen);
                y += head;
            }
            let (beside, lines) = self.note_position(&part, &columns, width, &styles);
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
                let least = self.row_height(row, &columns, &styles);
                let height = least + growth;
                let under = if done + 1 == part.rows.len() { foot } else { 0.0 };
                if y + height + under > rect.bottom() + 0.05 {
                    let room = rect.bottom() - y;
                    if Self::height_to_start(least, &styles) < least.min(room + 0.05)
                        && let Some((above, below)) = Self::split_row(row, &columns, room, &styles)
                    {
                        let place = Rect::new(rect.x, y, rect.w, room);
                        self.draw_row((&above, &part), &columns, (place, done), pen);
                        begun = Some(below);
                    }
                    break;
                }
                let place = Rect::new(rect.x, y, rect.w, height);
                self.draw_row((row, &part), &columns, (place, done), pen);
                y += height;
                done += 1;
                if under > 0.0 {
                    write((left, y), pen);
                    y += under;
                }
            }
            // A note at a table's right goes with the last of its rows.
            if let (Some(across), true) = (beside, done == part.rows.len()) {
                write((left + across, top), pen);
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
        if rest.is_empty() { None } else { Some(Box::new(Self { parts: rest, ..*self })) }
    }
}

/// Columns become rows.
pub fn transpose(heads: Vec<Arc<str>>, rows: Vec<Vec<TableCell>>) -> (Vec<Arc<str>>, Vec<Vec<TableCell>>) {
    let turned = heads
        .iter()
        .enumerate()
        .skip(1)
        .map(|(c, head)| {
            let cells = rows.iter().map(|row| row.get(c).cloned().unwrap_or(TableCell::Words("".into())));
            std::iter::once(TableCell::Words(head.clone().into())).chain(cells).collect()
        })
        .collect();
    let first = rows.iter().map(|row| match row.first() {
        Some(TableCell::Words(text) | TableCell::Number(text)) => text.words.clone(),
        _ => "".into(),
    });
    let top = std::iter::once(heads.first().cloned().unwrap_or_else(|| "".into())).chain(first).collect();
    (top, turned)
}

#[cfg(test)]
mod tests;
