//! Tables: takes columns and rows of words, draws them with quiet headings and thin rules, values in aligned columns.
//! Returns the rows that do not fit.

use std::sync::Arc;

use super::box_rows::sign_side;
use crate::art::Anchor;
use crate::evaluate::BoxShape;
use crate::sanitize::id_as_words;
use crate::scene::{Drawing, Mark, MarkKind, Paint, PaintStyle, Rect, Stroke};
use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::hstack::HStack;
use crate::sheet::layout::minimum_sizes::{INK, QUIET_INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;

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
    /// Boxes to tick: the mark's stem, the sizes of the groups, the number of boxes on earlier pages, and their shape.
    Ticks(Arc<str>, Vec<u32>, u32, BoxShape),
    Write(Arc<str>),
    /// A small drawing, centred in its column.
    Drawing(CellDrawing),
}

impl TableCell {
    /// Says what its words show.
    pub fn showing(mut self, value: Option<Arc<str>>) -> Self {
        if let Self::Words(text) | Self::Number(text) | Self::QuietWords(text) = &mut self {
            text.shown_value = value;
        }
        self
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
        self.column(c).any(|cell| matches!(cell, TableCell::Words(_)))
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

/// How numbers under headings that are numbers are drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableStyle {
    /// Headings 1 to 6 are faces of a die, zeros are grey.
    pub faces: bool,
    /// Headings whose die is rolled again: a sign after their numbers.
    pub rerolled: Vec<Arc<str>>,
    /// Cells are shaded by their numbers.
    pub tint: Option<Tint>,
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
    fn share(&self, number: i64) -> f32 {
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
        self.faces && c > 0 && matches!(heading_number(part, c), Some(1..=6))
    }
}

/// After a number: its die is rolled again. Drawn, since no bundled font has it.
pub const REROLL: char = '↻';

/// The number that heads a column.
fn heading_number(part: &TablePart, c: usize) -> Option<i64> {
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
        let part = |rows: &[Vec<TableCell>], part: &TablePart| TablePart { rows: rows.to_vec(), ..part.clone() };
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
/// The height of a row to write in by pencil, mm before large print.
const WRITING_HEIGHT: f32 = 6.0;
/// Of words beside such lines, above the row's foot, mm.
const FIELD_BASELINE: f32 = 1.2;

impl TableGroup {
    fn row_height(&self, row: &[TableCell], columns: &[f32], styles: &TextStyles) -> f32 {
        let lines = row.iter().zip(columns).map(|(cell, width)| match cell {
            TableCell::Words(words) => {
                styles.body.wrap(words, width - 1.6).len().max(1) as f32 * styles.body.line_height()
            }
            TableCell::Ticks(_, groups, ..) => {
                let lines =
                    tick_positions(groups, width - 1.0, styles.minimums.tick_box).last().map_or(1, |place| place.1 + 1);
                lines as f32 * (styles.minimums.tick_box + 0.5) + 0.2
            }
            TableCell::Write(_) => WRITING_HEIGHT * styles.minimums.scale,
            TableCell::Drawing(_) => sign_side(styles) + 0.6,
            TableCell::Number(_) | TableCell::QuietWords(_) => styles.value.line_height(),
        });
        lines.fold(styles.value.line_height(), f32::max) + 0.2
    }

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

    /// The shade of a cell, and whether its number is a grey zero or has the sign of a die that is rolled again.
    fn draw_ground(&self, cell: &TableCell, heading: &str, place: Rect, pen: &mut SheetPen) {
        let (Some(tint), Ok(_), Some(number)) = (self.style.tint, heading.trim().parse::<i64>(), cell_number(cell))
        else {
            return;
        };
        let level = (255.0 - 2.55 * tint.share(number)).round() as u8;
        let style = PaintStyle { fill: Some(Paint::grey(level)), stroke: Some(Stroke::new(RULE_INK, THIN_LINE)) };
        pen.rect(place, 0.0, style, None);
    }

    fn draw_number(&self, text: &CellText, heading: &str, at: (f32, f32), pen: &mut SheetPen) {
        let ((x, baseline), words) = (at, &**text);
        let own = words.strip_suffix(REROLL);
        let again = own.is_some() || self.style.rerolled.iter().any(|known| **known == *heading);
        let words = own.unwrap_or(words);
        let is_face = self.style.faces && matches!(heading.trim().parse::<i64>(), Ok(1..=6));
        let is_nothing = matches!(words, "0" | "·" | "–" | "—");
        let style = if is_face && is_nothing { pen.styles.value.with_paint(QUIET_INK) } else { pen.styles.value };
        let mark = pen.value_mark(text.shown_value.as_ref());
        let wide = pen.text_with_mark(words, style, x, baseline, Anchor::Middle, mark);
        if again && !is_nothing && !words.is_empty() {
            let side = style.cap_height() * 1.05;
            let top = baseline - style.cap_height() - (side - style.cap_height()) / 2.0;
            reroll_sign(Rect::new(x + wide / 2.0 + 0.52, top, side, side), pen);
        }
    }

    fn draw_row(
        &self,
        (row, headings): (&[TableCell], &[Arc<str>]),
        columns: &[f32],
        (x, y): (f32, f32),
        height: f32,
        pen: &mut SheetPen,
    ) {
        let styles = pen.styles;
        let level = y + styles.value.cap_height() + (styles.value.line_height() - styles.value.cap_height()) / 2.0;
        // Beside drawings, words are in the middle.
        let has_drawing = row.iter().any(|cell| matches!(cell, TableCell::Drawing(_)));
        let has_field = row.iter().any(|cell| matches!(cell, TableCell::Write(_)));
        // Beside lines to write on, words are on the same level as what is written.
        let baseline = match (has_drawing, has_field) {
            (true, _) => level.max(y + (height + styles.value.cap_height()) / 2.0),
            (false, true) => level.max(y + height - FIELD_BASELINE),
            (false, false) => level,
        };
        let mut left = x;
        for (c, (cell, &width)) in row.iter().zip(columns).enumerate() {
            let heading = headings.get(c).map_or("", |heading| heading);
            if c > 0 {
                self.draw_ground(cell, heading, Rect::new(left, y, width, height), pen);
            }
            match cell {
                TableCell::Drawing(CellDrawing(drawing)) => {
                    let side = sign_side(&styles);
                    let x = if c == 0 { left } else { left + (width - side) / 2.0 };
                    pen.drawing(drawing, Rect::new(x, y + (height - side) / 2.0, side, side), None);
                }
                TableCell::QuietWords(words) => {
                    let style = styles.body.with_paint(QUIET_INK);
                    let mark = pen.value_mark(words.shown_value.as_ref());
                    pen.text_centred(words, style, left + width / 2.0, y + height / 2.0, mark);
                }
                TableCell::Words(words) => {
                    let many = styles.body.wrap(words, width - 1.6).len();
                    let baseline = if many > 1 { level } else { baseline };
                    for (n, line) in styles.body.wrap(words, width - 1.6).iter().enumerate() {
                        let mark = pen.value_mark(words.shown_value.as_ref());
                        let y = baseline + n as f32 * styles.body.line_height();
                        pen.text_with_mark(line, styles.body, left, y, Anchor::Start, mark);
                    }
                }
                TableCell::Number(words) if c == 0 => {
                    let mark = pen.value_mark(words.shown_value.as_ref());
                    pen.text_with_mark(words, styles.value, left, baseline, Anchor::Start, mark);
                }
                TableCell::Number(words) => {
                    self.draw_number(words, heading, (left + width / 2.0, baseline), pen);
                }
                TableCell::Ticks(stem, groups, before, shape) => {
                    let side = styles.minimums.tick_box;
                    let places = tick_positions(groups, width - 1.0, side);
                    // A single line is level with the row's words.
                    let down = if places.last().is_some_and(|place| place.1 == 0) { baseline - level } else { 0.0 };
                    for (n, (across, line)) in places.into_iter().enumerate() {
                        let top = y + 0.3 + down + line as f32 * (side + 0.5);
                        let place = Rect::new(left + across, top, side, side);
                        let name = super::box_rows::mark_name(stem, before + n as u32 + 1);
                        let mark = Mark::new(name, MarkKind::Tick, None);
                        pen.tick_box(place, *shape, mark);
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

/// An open circle with an arrowhead: roll again.
fn reroll_sign(place: Rect, pen: &mut SheetPen) {
    let (x, y, r) = (place.x + place.w / 2.0, place.y + place.h / 2.0, place.w * 0.38);
    let at = |degrees: f32, radius: f32| {
        let angle = degrees.to_radians();
        (x + radius * angle.sin(), y - radius * angle.cos())
    };
    // Clockwise from the arrowhead at the upper right, with the last sixth left open.
    let points: Vec<(f32, f32)> = (0..=10).map(|n| at(75.0 + 28.5 * n as f32, r)).collect();
    let lines = points.windows(2).map(|ends| [ends[0].0, ends[0].1, ends[1].0, ends[1].1]);
    pen.lines(lines, place.w * 0.13, INK);
    let (tip, near, far) = (at(28.0, r), at(0.0, r * 0.45), at(0.0, r * 1.6));
    pen.triangle([tip, near, far], INK);
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
                TableCell::Number(_) if c == 0 => (cell.clone(), cell.clone()),
                TableCell::Number(_) | TableCell::QuietWords(_) | TableCell::Write(_) | TableCell::Drawing(_) => {
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
pub(super) fn tick_positions(groups: &[u32], width: f32, side: f32) -> Vec<(f32, u32)> {
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

impl Flowable for TableGroup {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let mut total = 0.0;
        let mut start = 0.0;
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
            let head = self.heading_height(&part, &columns, &styles);
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
                        self.draw_row((&above, &part.headings), &columns, (rect.x, y), room, pen);
                        begun = Some(below);
                    }
                    break;
                }
                self.draw_row((row, &part.headings), &columns, (rect.x, y), height, pen);
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
        if rest.is_empty() { None } else { Some(Box::new(Self { parts: rest, ..*self })) }
    }
}

#[cfg(test)]
mod tests;
