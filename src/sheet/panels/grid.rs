//! Tables: takes columns and rows of words; draws them with quiet headings and thin rules, values in
//! aligned columns. Gives back the rows that found no room.

use std::sync::Arc;

use crate::art::Anchor;
use crate::scene::{Mark, MarkKind, Rect};
use crate::sheet::content::{Abreast, Content, Wants};
use crate::sheet::options::{QUIET, RULE, THIN};
use crate::sheet::pen::{Hand, Hands, Pen};
use crate::sheet::subject::plain;

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Words, broken into lines where the column is narrow.
    Words(Arc<str>),
    /// A number, strong, in the middle of its column.
    Number(Arc<str>),
    /// Words among numbers, in the middle of their column.
    Quiet(Arc<str>),
    /// Boxes to tick: the mark's stem, how many, in groups, and how many stand on pages before.
    Ticks(Arc<str>, Vec<u32>, u32),
    /// To be written in: the field's name.
    Write(Arc<str>),
}

/// One of several tables under a heading.
#[derive(Clone, Debug)]
pub struct Part {
    /// Stands over its first column when there are several; empty for none.
    pub label: Arc<str>,
    /// Column headings.
    pub heads: Vec<Arc<str>>,
    /// Rows of cells.
    pub rows: Vec<Vec<Cell>>,
    /// Small words under its last row; empty for none.
    pub note: Arc<str>,
}

impl Part {
    /// What stands over a column: its heading, or over the first the table's label.
    fn head(&self, column: usize) -> &str {
        match self.heads.get(column) {
            Some(head) if !head.is_empty() => head,
            _ if column == 0 => &self.label,
            _ => "",
        }
    }
}

/// Tables under one heading, sharing their first columns.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The tables.
    pub parts: Vec<Part>,
    /// Columns of numbers that find no room go on under the others, headed anew, each at least this wide, mm before large print.
    pub fold: Option<f32>,
    /// Headings of columns are as large as values, and the columns share the whole width: a chart that is looked up in play.
    pub strong: bool,
}

/// A table whose rows stand in several columns where the width has room for them.
#[derive(Debug)]
pub struct Beside {
    /// The table: one part.
    pub table: Tables,
    /// At most so many columns.
    pub most: usize,
    /// Between them, mm.
    pub gap: f32,
}

impl Beside {
    /// The table's parts side by side.
    fn parts(&self, width: f32, hands: &Hands) -> Abreast {
        let need = self.table.natural(hands) + self.gap;
        let many = (((width + self.gap) / need.max(1.0)).floor().max(1.0) as usize).min(self.most);
        let rows = self.table.parts.first().map_or(0, |part| part.rows.len());
        let chunk = rows.div_ceil(many).max(1);
        let part = |rows: &[Vec<Cell>], part: &Part| Part { rows: rows.to_vec(), ..part.clone() };
        let tables = self.table.parts.iter().flat_map(|whole| whole.rows.chunks(chunk).map(|rows| part(rows, whole)));
        let tables = tables.map(|part| Tables { parts: vec![part], fold: self.table.fold, strong: self.table.strong });
        let parts = tables.map(|table| (1.0 / many as f32, Box::new(table) as Box<dyn Content>)).collect();
        Abreast { parts, gap: self.gap }
    }
}

impl Content for Beside {
    fn measure(&self, width: f32, hands: &Hands) -> Wants {
        self.parts(width, hands).measure(width, hands)
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut Pen) -> Option<Box<dyn Content>> {
        Box::new(self.parts(rect.w, &pen.hands)).draw(rect, pen)
    }
}

/// Between a table's columns and a note at their right, and the least width for one, mm.
const NOTE_GAP: f32 = 3.0;
const NOTE_LEAST: f32 = 24.0;

/// Widths of columns: those that hold numbers only are even and narrow, words share what is left.
#[derive(Debug)]
struct Columns {
    widths: Vec<f32>,
}

impl Tables {
    fn columns(&self, part: &Part, width: f32, hands: &Hands) -> Columns {
        let count = part.heads.len().max(part.rows.iter().map(Vec::len).max().unwrap_or(0));
        let natural = |c: usize| {
            let cells = part.rows.iter().filter_map(|row| row.get(c)).map(|cell| cell_width(cell, hands));
            let head = part.heads.get(c).map_or(0.0, |head| self.head_hand(c, hands).width(head));
            cells.fold(head, f32::max) + 2.4
        };
        let mut widths: Vec<f32> = (0..count).map(natural).collect();
        // The first column is as wide in every table here, so that numbers stand under one another.
        let first = self
            .parts
            .iter()
            .map(|part| {
                let cells = part.rows.iter().filter_map(|row| row.first()).map(|cell| cell_width(cell, hands));
                cells.fold(hands.label.width(part.head(0)), f32::max) + 2.4
            })
            .fold(0.0, f32::max);
        if let Some(width) = widths.first_mut() {
            *width = first;
        }
        let numbers = |c: usize| c > 0 && part.rows.iter().all(|row| !matches!(row.get(c), Some(Cell::Words(_))));
        let mut step = self.step(hands);
        if self.fold.is_some() {
            step = (1..count).filter(|&c| numbers(c)).map(|c| widths[c]).fold(step, f32::max);
        }
        for (c, width) in widths.iter_mut().enumerate() {
            if numbers(c) {
                *width = width.max(step);
            }
        }
        let sum: f32 = widths.iter().sum();
        if sum > width {
            // Words give way: the widest columns first, breaking their lines; short words stay whole.
            let fixed: f32 = (0..count).filter(|&c| numbers(c)).map(|c| widths[c]).sum();
            let left = (width - fixed).max(width * 0.3);
            let words: Vec<f32> = (0..count).filter(|&c| !numbers(c)).map(|c| widths[c]).collect();
            let cap = cap(&words, left);
            let over = fixed + left;
            let least = |c: usize| {
                let cells = part.rows.iter().filter_map(|row| row.get(c)).map(|cell| longest_word(cell, hands));
                cells.fold(0.0, f32::max) + 1.7
            };
            let least: Vec<f32> = (0..count).map(least).collect();
            for (c, w) in widths.iter_mut().enumerate() {
                if !numbers(c) {
                    *w = w.min(cap);
                }
                *w *= (width / over).min(1.0);
            }
            // No word is broken while another column of words can give way.
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
        } else if self.strong && count > 1 {
            let more = (width - sum) / (count - 1) as f32;
            widths.iter_mut().skip(1).for_each(|width| *width += more);
        } else if let Some(last) = widths.last_mut()
            && (count == 1
                || !numbers(count - 1)
                || part.rows.iter().all(|row| matches!(row.last(), Some(Cell::Write(_)))))
        {
            *last += width - sum;
        }
        Columns { widths }
    }

    /// The width at which no word of theirs needs another line, mm.
    fn natural(&self, hands: &Hands) -> f32 {
        let width = |part: &Part| -> f32 {
            let count = part.heads.len();
            let column = |c: usize| {
                let cells = part.rows.iter().filter_map(|row| row.get(c)).map(|cell| cell_width(cell, hands));
                cells.fold(part.heads.get(c).map_or(0.0, |head| hands.label.width(head)), f32::max) + 2.4
            };
            (0..count).map(column).sum()
        };
        self.parts.iter().map(width).fold(0.0, f32::max)
    }

    /// Parts whose columns fit a width: those too wide are broken after their first columns of words.
    fn folded(&self, width: f32, hands: &Hands) -> Vec<Part> {
        if self.fold.is_none() {
            return self.parts.clone();
        }
        let mut parts = Vec::new();
        for part in &self.parts {
            let count = part.heads.len();
            let words = |c: usize| c == 0 || part.rows.iter().any(|row| matches!(row.get(c), Some(Cell::Words(_))));
            let kept = (0..count).take_while(|&c| words(c)).count();
            let step = self.step(hands);
            let wide = |c: usize| {
                let cells = part.rows.iter().filter_map(|row| row.get(c)).map(|cell| cell_width(cell, hands));
                cells.fold(part.heads.get(c).map_or(0.0, |head| hands.label.width(head)), f32::max) + 2.4
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
                let take = |cells: &[Cell]| -> Vec<Cell> {
                    let to = (from + many).min(cells.len());
                    cells.iter().take(kept).chain(cells.get(from..to).unwrap_or_default()).cloned().collect()
                };
                let to = (from + many).min(count);
                parts.push(Part {
                    label: part.label.clone(),
                    heads: part.heads[..kept].iter().chain(&part.heads[from..to]).cloned().collect(),
                    rows: part.rows.iter().map(|row| take(row)).collect(),
                    note: if to == count { part.note.clone() } else { "".into() },
                });
            }
        }
        parts
    }

    /// The same with its columns broken for a width.
    fn for_width(&self, width: f32, hands: &Hands) -> Self {
        Self { parts: self.folded(width, hands), fold: self.fold, strong: self.strong }
    }

    /// Number columns of all tables share a width, so that they line up.
    fn step(&self, hands: &Hands) -> f32 {
        let least = self.fold.map_or(8.0, |fold| fold * hands.floor.scale);
        let heads = self.parts.iter().flat_map(|part| part.heads.iter().skip(1));
        let longest =
            heads.map(|head| self.head_hand(1, hands).width(head)).filter(|width| *width < 16.0).fold(0.0, f32::max);
        (longest + 1.8).max(least)
    }

    fn row_height(&self, row: &[Cell], columns: &Columns, hands: &Hands) -> f32 {
        let lines = row.iter().zip(&columns.widths).map(|(cell, width)| match cell {
            Cell::Words(words) => hands.body.wrap(words, width - 1.6).len().max(1) as f32 * hands.body.line(),
            Cell::Ticks(_, groups, _) => {
                let lines = ticks(groups, width - 1.0, hands.floor.tick).last().map_or(1, |place| place.1 + 1);
                lines as f32 * (hands.floor.tick + 0.5) + 0.2
            }
            Cell::Write(_) => hands.body.line() * 1.5,
            Cell::Number(_) | Cell::Quiet(_) => hands.value.line(),
        });
        lines.fold(hands.value.line(), f32::max) + 0.2
    }

    /// A table's note: in the free room right of its columns, with the left edge there, or under its last row.
    fn note(&self, part: &Part, columns: &Columns, width: f32, hands: &Hands) -> (Option<f32>, Vec<String>) {
        let used = columns.widths.iter().sum::<f32>() + NOTE_GAP;
        if width - used >= NOTE_LEAST * hands.floor.scale {
            let lines = hands.note.wrap(&part.note, width - used);
            let rows: f32 = part.rows.iter().map(|row| self.row_height(row, columns, hands)).sum();
            if lines.len() as f32 * hands.note.line() <= self.head(part, hands) + rows {
                return (Some(used), lines);
            }
        }
        (None, hands.note.wrap(&part.note, width))
    }

    /// Height of the words under a table's last row.
    fn foot(&self, part: &Part, columns: &Columns, width: f32, hands: &Hands) -> f32 {
        match self.note(part, columns, width, hands) {
            (None, lines) if !lines.is_empty() => lines.len() as f32 * hands.note.line() + 0.3,
            _ => 0.0,
        }
    }

    fn head(&self, part: &Part, hands: &Hands) -> f32 {
        let any = part.heads.iter().any(|head| !head.is_empty()) || !part.label.is_empty();
        if any { self.head_hand(1, hands).line() + 0.3 } else { 0.0 }
    }

    fn heads(&self, part: &Part, columns: &Columns, (x, y): (f32, f32), pen: &mut Pen) {
        let hands = pen.hands;
        let baseline = y + self.head_hand(1, &hands).size.mm() * 0.9;
        let mut left = x;
        for (c, &width) in columns.widths.iter().enumerate() {
            let words = part.rows.iter().any(|row| matches!(row.get(c), Some(Cell::Words(_))));
            let (head, hand) = (part.head(c), self.head_hand(c, &hands));
            if c == 0 || words {
                pen.text(head, hand, left, baseline, Anchor::Start);
            } else {
                pen.text(head, hand, left + width / 2.0, baseline, Anchor::Middle);
            }
            left += width;
        }
    }

    /// The hand of a column's heading.
    fn head_hand(&self, column: usize, hands: &Hands) -> Hand {
        if self.strong && column > 0 { hands.value } else { hands.label }
    }

    fn part_gap(&self, hands: &Hands) -> f32 {
        1.2 * hands.floor.scale
    }

    fn draw_row(&self, row: &[Cell], columns: &Columns, x: f32, y: f32, height: f32, pen: &mut Pen) {
        let hands = pen.hands;
        let baseline = y + hands.value.caps() + (hands.value.line() - hands.value.caps()) / 2.0;
        let mut left = x;
        for (c, (cell, &width)) in row.iter().zip(&columns.widths).enumerate() {
            match cell {
                Cell::Quiet(words) => {
                    let hand = hands.body.paint(QUIET);
                    pen.centred(words, hand, left + width / 2.0, y + height / 2.0, None);
                }
                Cell::Words(words) => {
                    for (n, line) in hands.body.wrap(words, width - 1.6).iter().enumerate() {
                        pen.text(line, hands.body, left, baseline + n as f32 * hands.body.line(), Anchor::Start);
                    }
                }
                Cell::Number(words) if c == 0 => {
                    pen.text(words, hands.value, left, baseline, Anchor::Start);
                }
                Cell::Number(words) => {
                    pen.text(words, hands.value, left + width / 2.0, baseline, Anchor::Middle);
                }
                Cell::Ticks(stem, groups, before) => {
                    let side = hands.floor.tick;
                    for (n, (across, line)) in ticks(groups, width - 1.0, side).into_iter().enumerate() {
                        let top = y + 0.3 + line as f32 * (side + 0.5);
                        let place = Rect::new(left + across, top, side, side);
                        let name = super::boxes::mark_name(stem, before + n as u32 + 1);
                        let mark = Mark::new(name, MarkKind::Tick, None);
                        pen.tick(place, crate::evaluate::BoxShape::Square, mark);
                    }
                }
                Cell::Write(name) => {
                    pen.field(Rect::new(left, y, width - 0.6, height), Arc::clone(name), plain(name));
                    pen.rule(left, y + height - 0.4, width - 1.2, THIN, RULE);
                }
            }
            left += width;
        }
    }
}

/// A row higher than this is continued where its page ends, mm before large print: no page could be sure to hold it whole.
const LONG_ROW: f32 = 60.0;
/// The least of such a row that is begun, mm before large print.
const BEGUN: f32 = 15.0;

impl Tables {
    /// The room that a row of this height needs to begin.
    fn needed(height: f32, hands: &Hands) -> f32 {
        if height > LONG_ROW * hands.floor.scale { BEGUN * hands.floor.scale } else { height }
    }

    /// A long row in two: what a height has room for, and the rest of it under the same name. `None` when nothing of it would be left.
    fn split(row: &[Cell], columns: &Columns, room: f32, hands: &Hands) -> Option<(Vec<Cell>, Vec<Cell>)> {
        let (mut top, mut rest) = (Vec::with_capacity(row.len()), Vec::with_capacity(row.len()));
        let mut is_split = false;
        for (c, (cell, &width)) in row.iter().zip(&columns.widths).enumerate() {
            let (above, below) = match cell {
                Cell::Ticks(stem, groups, before) => {
                    let side = hands.floor.tick;
                    let lines = ((room - 0.4) / (side + 0.5)).floor().max(1.0) as u32;
                    let places = ticks(groups, width - 1.0, side);
                    let done = places.iter().take_while(|place| place.1 < lines).count() as u32;
                    let (above, below) = groups_at(groups, done);
                    is_split |= !below.is_empty();
                    (Cell::Ticks(stem.clone(), above, *before), Cell::Ticks(stem.clone(), below, before + done))
                }
                Cell::Words(words) => {
                    let lines = hands.body.wrap(words, width - 1.6);
                    let many = ((room - 0.2) / hands.body.line()).floor().max(1.0) as usize;
                    if lines.len() > many {
                        is_split = true;
                        (Cell::Words(lines[..many].join(" ").into()), Cell::Words(lines[many..].join(" ").into()))
                    } else {
                        (cell.clone(), if c == 0 { cell.clone() } else { Cell::Words("".into()) })
                    }
                }
                Cell::Number(_) if c == 0 => (cell.clone(), cell.clone()),
                Cell::Number(_) | Cell::Quiet(_) | Cell::Write(_) => (cell.clone(), Cell::Words("".into())),
            };
            top.push(above);
            rest.push(below);
        }
        is_split.then_some((top, rest))
    }
}

/// Groups of boxes in two, after so many boxes.
fn groups_at(groups: &[u32], mut done: u32) -> (Vec<u32>, Vec<u32>) {
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for &group in groups {
        let here = group.min(done);
        done -= here;
        above.extend((here > 0).then_some(here));
        below.extend((group > here).then_some(group - here));
    }
    (above, below)
}

/// Where boxes of a side stand in a width: how far across, in which line. Groups are kept together while they are not too long.
fn ticks(groups: &[u32], width: f32, side: f32) -> Vec<(f32, u32)> {
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
pub(super) fn cap(widths: &[f32], room: f32) -> f32 {
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

fn longest_word(cell: &Cell, hands: &Hands) -> f32 {
    match cell {
        Cell::Words(words) => words.split(' ').map(|word| hands.body.width(word)).fold(0.0, f32::max),
        _ => cell_width(cell, hands),
    }
}

fn cell_width(cell: &Cell, hands: &Hands) -> f32 {
    match cell {
        Cell::Words(words) | Cell::Quiet(words) => hands.body.width(words),
        Cell::Number(words) => hands.value.width(words),
        Cell::Ticks(_, groups, _) => {
            let side = hands.floor.tick;
            let all =
                ticks(groups, (10.0 * side + 3.0).max(groups.first().map_or(0, |&n| n.min(10)) as f32 * side), side);
            all.iter().map(|place| place.0 + side).fold(0.0, f32::max)
        }
        Cell::Write(_) => 12.0 * hands.floor.scale,
    }
}

impl Content for Tables {
    fn measure(&self, width: f32, hands: &Hands) -> Wants {
        let mut total = 0.0;
        let mut start = 0.0;
        let folded = self.for_width(width, hands);
        for (n, part) in folded.parts.iter().enumerate() {
            let columns = folded.columns(part, width, hands);
            let head = self.head(part, hands) + if n > 0 { self.part_gap(hands) } else { 0.0 };
            let mut rows: Vec<f32> = part.rows.iter().map(|row| self.row_height(row, &columns, hands)).collect();
            // The note stays with the last row.
            rows.last_mut().into_iter().for_each(|last| *last += folded.foot(part, &columns, width, hands));
            if n == 0 {
                start = head + rows.first().map_or(0.0, |height| Self::needed(*height, hands));
            }
            total += head + rows.iter().sum::<f32>();
        }
        Wants { start, ..Wants::fixed(total) }
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut Pen) -> Option<Box<dyn Content>> {
        let hands = pen.hands;
        let mut y = rect.y;
        let mut rest = Vec::new();
        let parts = self.folded(rect.w, &hands);
        // Widths come from all the parts together.
        self.parts.clone_from(&parts);
        let mut full = false;
        for (n, mut part) in parts.into_iter().enumerate() {
            let columns = self.columns(&part, rect.w, &hands);
            let gap = if n > 0 { self.part_gap(&hands) } else { 0.0 };
            let head = self.head(&part, &hands);
            let foot = self.foot(&part, &columns, rect.w, &hands);
            let alone = if part.rows.len() == 1 { foot } else { 0.0 };
            let first = part.rows.first().map_or(0.0, |row| self.row_height(row, &columns, &hands)) + alone;
            let first = Self::needed(first, &hands);
            if full || y + gap + head + first > rect.bottom() + 0.05 {
                full = true;
                rest.push(part);
                continue;
            }
            if n > 0 {
                pen.rule(rect.x, y + gap / 2.0, rect.w, THIN, RULE);
            }
            y += gap;
            if head > 0.0 {
                self.heads(&part, &columns, (rect.x, y), pen);
                y += head;
            }
            let (beside, lines) = self.note(&part, &columns, rect.w, &hands);
            let top = y - head;
            let write = |(x, y): (f32, f32), pen: &mut Pen| {
                for (n, line) in lines.iter().enumerate() {
                    let baseline = y + hands.note.size.mm() * 0.85 + n as f32 * hands.note.line();
                    pen.text(line, hands.note, x, baseline, Anchor::Start);
                }
            };
            let mut done = 0;
            let mut begun = None;
            for row in &part.rows {
                let height = self.row_height(row, &columns, &hands);
                let under = if done + 1 == part.rows.len() { foot } else { 0.0 };
                if y + height + under > rect.bottom() + 0.05 {
                    let room = rect.bottom() - y;
                    if Self::needed(height, &hands) < height.min(room + 0.05)
                        && let Some((above, below)) = Self::split(row, &columns, room, &hands)
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
            // A note that stands at its right stands there where the last of its rows does.
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
        if rest.is_empty() { None } else { Some(Box::new(Self { parts: rest, fold: self.fold, strong: self.strong })) }
    }
}
