//! Counters on board: takes numbered counters with their signs and the cells to write in for each, sets them in lines of
//! ten where the width allows, read from left to right. Returns what does not fit, with consecutive numbers and marks.

use std::sync::Arc;

use super::box_rows::{BoxFace, mark_name};
use crate::sheet::layout::box_layout::GROUP_SIZE;
use crate::sheet::layout::flowable::{Flowable, HeadedContent, SizeHint};
use crate::sheet::layout::largest_size::largest_size;
use crate::sheet::layout::minimum_sizes::{RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_base::sanitize::id_as_words;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Drawing, Mark, MarkKind, Rect};
use moldloft_rules::evaluate::BoxShape;

/// Counters of one kind, in sequence.
#[derive(Clone, Debug)]
pub struct CounterLot {
    pub count: u32,
    /// Number on the first, if they are numbered.
    pub number: Option<u32>,
    /// The icon of each counter.
    pub sign: Option<Arc<Drawing>>,
    /// Used where there is no drawing.
    pub letters: Arc<str>,
    /// The fit they come from.
    pub fit: Option<u32>,
    /// Number of the first one's mark.
    pub first: u32,
}

/// What signs mean.
pub type SignKey = Vec<(Arc<Drawing>, Arc<str>)>;

/// A list of counters, each with a box to tick and cells to write in.
#[derive(Clone, Debug)]
pub struct Inventory {
    /// Marks are `<stem>_<n>` and `<stem>_<n>_<cell>`.
    pub stem: Arc<str>,
    pub lots: Vec<CounterLot>,
    /// Names of the cells to write in, with widths as shares of what is left.
    pub cells: Vec<(Arc<str>, f32)>,
    /// What is above those cells.
    pub headings: Vec<Arc<str>>,
    /// Least width of a cell with a mean share, mm before large print.
    pub cell_width: f32,
    /// Preferred side of a box, mm before large print.
    pub preferred_side: f32,
    /// Below the last line, where there is room.
    pub key: SignKey,
    /// Of what was begun on another page: the side of the boxes there, mm.
    pub continued_side: Option<f32>,
}

/// Measures of one column, mm.
struct InventoryColumns {
    side: f32,
    number: f32,
    sign: f32,
    cells: Vec<f32>,
    column: f32,
    columns: usize,
    /// Between columns.
    gutter: f32,
    /// Added after every five columns.
    group: f32,
    line: f32,
    head: f32,
}

/// Between columns, mm; less where that gives lines of ten.
const GUTTER: f32 = 2.4;
/// The most between columns of long lists, which use the width that there is.
const WIDE_GUTTER: f32 = 5.3;
const NARROW_GUTTER: f32 = 0.9;
/// Added after every five columns, mm, where there is room for it.
const GROUP_GUTTER: f32 = 2.4;
/// Side of the boxes whose lines are 6 mm high, mm.
const WRITING_SIDE: f32 = 5.25;
/// Between a box and its number, mm.
const GAP: f32 = 0.85;
/// Between what signs mean, mm.
const KEY_GAP: f32 = 4.0;

impl Inventory {
    fn total(&self) -> usize {
        self.lots.iter().map(|lot| lot.count as usize).sum()
    }

    fn column_widths(&self, width: f32, side: f32, styles: &TextStyles) -> InventoryColumns {
        let last = |lot: &CounterLot| lot.number.map(|n| n.saturating_add(lot.count.saturating_sub(1)));
        let number = self.lots.iter().filter_map(last).max().map_or(0.0, |n| styles.value.width(&n.to_string()) + 0.7);
        let drawn = self.lots.iter().any(|lot| lot.sign.is_some());
        let letters = self.lots.iter().map(|lot| styles.label.width(&lot.letters)).fold(0.0, f32::max);
        let drawn = if drawn { side * 0.85 + 0.6 } else { 0.0 };
        let sign = drawn.max(if letters > 0.0 { letters + 1.0 } else { 0.0 });
        let scale = styles.minimums.scale;
        let least: f32 = self
            .cells
            .iter()
            .map(|(name, part)| (styles.label.width(name) + 0.5).max(self.cell_width * scale * part))
            .sum();
        let entry = side + GAP + number + sign + least;
        let (columns, gutter, group) = self.columns_and_gaps(width, entry);
        let groups = (columns - 1) / GROUP_SIZE as usize;
        let column = (width - gutter * (columns - 1) as f32 - group * groups as f32) / columns as f32;
        // The remaining width goes to the cells, up to the width that handwriting needs.
        let most = if self.cells.is_empty() { entry } else { entry * 1.7 };
        let column = column.min(most);
        let spare = (column - entry).max(0.0);
        let parts: f32 = self.cells.iter().map(|(_, part)| part).sum();
        let cells = self
            .cells
            .iter()
            .map(|(name, part)| {
                (styles.label.width(name) + 0.5).max(self.cell_width * scale * part) + spare * part / parts.max(0.01)
            })
            .collect();
        let line = side + 0.75 * scale;
        let head = if self.cells.is_empty() { 0.0 } else { styles.label.line_height() + 0.4 };
        InventoryColumns { side, number, sign, cells, column, columns, gutter, group, line, head }
    }

    /// Number of columns, the gap between them and what is added to it after every five. Lines of ten, or of more or fewer
    /// fives, so that a number is found at once; where five columns would waste the width, as many as fit, and the last
    /// line about as long as the others.
    fn columns_and_gaps(&self, width: f32, entry: f32) -> (usize, f32, f32) {
        let five = GROUP_SIZE as usize;
        let total = self.total().max(1);
        let fit = |gutter: f32| ((width + gutter + 0.01) / (entry + gutter)).floor().max(1.0) as usize;
        let fives = |columns: usize| columns / five * five;
        let most = fives(fit(GUTTER)).max(fives(fit(NARROW_GUTTER)).min(2 * five));
        if most >= 2 * five || most == five && fit(GUTTER) < five + 2 {
            let columns = most.min(total.next_multiple_of(five));
            let (gaps, groups) = (columns - 1, columns / five - 1);
            let room = (width - columns as f32 * entry - gaps as f32 * NARROW_GUTTER).max(0.0);
            let group = (room / groups.max(1) as f32).min(GROUP_GUTTER);
            let left = room - group * groups as f32;
            return (columns, (NARROW_GUTTER + left / gaps.max(1) as f32).min(WIDE_GUTTER), group);
        }
        let lines = total.div_ceil(fit(GUTTER));
        (total.div_ceil(lines), GUTTER, 0.0)
    }

    /// The least and the largest side of a box, mm.
    fn sides(&self, styles: &TextStyles) -> (f32, f32) {
        // Lines with cells made for a pencil stay high enough for it.
        let is_written = !self.cells.is_empty() && self.preferred_side >= WRITING_SIDE;
        let written = if is_written { WRITING_SIDE * styles.minimums.scale } else { 0.0 };
        let least = styles.minimums.tick_box.max(written);
        let most = (self.preferred_side.max(3.0) * styles.minimums.scale).max(least);
        // A further page may be laid out for larger boxes than the card before it.
        self.continued_side.map(|side| side.max(least)).map_or((least, most), |side| (side, side))
    }

    /// The largest side at which all fit the height, mm; the least, if none does. None is so large that there are no lines of
    /// ten although smaller ones give them; where a pencil writes, the room for that counts.
    fn side(&self, (width, height): (f32, f32), styles: &TextStyles) -> f32 {
        let (least, most) = self.sides(styles);
        let ten = 2 * GROUP_SIZE as usize;
        let grid = |side: f32| self.column_widths(width, side, styles);
        let is_long = self.cells.is_empty() && self.total() > ten && grid(least).columns >= ten;
        let fits = |grid: &InventoryColumns| {
            (!is_long || grid.columns >= ten)
                && Self::height(grid, self.total().div_ceil(grid.columns)) <= height + 0.01
        };
        // A list needs no finer steps.
        let fitting = |side: f32| Some(side).filter(|&side| fits(&grid(side)));
        largest_size(least, most, (most - least) / 6.0, fitting).unwrap_or(least)
    }

    fn column_at(grid: &InventoryColumns, column: usize) -> f32 {
        column as f32 * (grid.column + grid.gutter) + (column / GROUP_SIZE as usize) as f32 * grid.group
    }

    fn height(grid: &InventoryColumns, lines: usize) -> f32 {
        grid.head + lines as f32 * grid.line
    }

    /// The most lines that fit a height.
    fn lines_that_fit(grid: &InventoryColumns, height: f32) -> usize {
        ((height - grid.head + 0.01) / grid.line).floor().max(0.0) as usize
    }

    fn remaining_after(mut self, done: usize, side: f32) -> Self {
        self.continued_side = Some(side);
        let mut left = u32::try_from(done).unwrap_or(u32::MAX);
        self.lots.retain_mut(|lot| {
            let gone = left.min(lot.count);
            left -= gone;
            lot.count -= gone;
            lot.first += gone;
            lot.number = lot.number.map(|n| n.saturating_add(gone));
            lot.count > 0
        });
        self
    }

    fn draw_entry(&self, lot: &CounterLot, n: u32, x: f32, y: f32, grid: &InventoryColumns, pen: &mut SheetPen) {
        let styles = pen.styles;
        let middle = y + grid.side / 2.0;
        let name = mark_name(&self.stem, lot.first + n);
        let mark = Mark::new(Arc::clone(&name), MarkKind::Tick, lot.fit);
        super::box_rows::draw_box_face(
            &BoxFace::Blank,
            BoxShape::Square,
            Rect::new(x, y, grid.side, grid.side),
            mark,
            pen,
        );
        let mut x = x + grid.side + GAP;
        if let Some(number) = lot.number {
            let words = number.saturating_add(n).to_string();
            pen.text(
                &words,
                styles.value,
                x + grid.number - 0.7,
                middle + styles.value.cap_height() / 2.0,
                Anchor::End,
            );
        }
        x += grid.number;
        match &lot.sign {
            Some(sign) => {
                let side = grid.side * 0.85;
                pen.drawing(sign, Rect::new(x, middle - side / 2.0, side, side), None);
            }
            None => {
                pen.text(&lot.letters, styles.label, x, middle + styles.label.cap_height() / 2.0, Anchor::Start);
            }
        }
        x += grid.sign;
        for ((cell, _), width) in self.cells.iter().zip(&grid.cells) {
            pen.field(
                Rect::new(x + 0.3, y, width - 0.6, grid.side),
                format!("{name}_{cell}"),
                format!("{} {}, {cell}", id_as_words(&self.stem), lot.first + n),
            );
            x += width;
        }
    }
}

impl Flowable for Inventory {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let height = |side: f32| {
            let grid = self.column_widths(width, side, styles);
            (Self::height(&grid, self.total().div_ceil(grid.columns)), Self::height(&grid, 1))
        };
        let (least, start) = height(self.sides(styles).0);
        let (natural, _) = height(self.side((width, f32::INFINITY), styles));
        let natural = natural.max(least) + self.key_height(styles);
        SizeHint { min_start: start, min: least, natural, max: natural }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        // The key comes before larger boxes.
        let key = self.key_height(&styles);
        let has_key = key > 0.0 && self.measure(rect.w, &styles).min + key <= rect.h + 0.01;
        let room = rect.h - if has_key { key } else { 0.0 };
        let grid = self.column_widths(rect.w, self.side((rect.w, room), &styles), &styles);
        let lines = Self::lines_that_fit(&grid, rect.h).min(self.total().div_ceil(grid.columns));
        let mut place = 0;
        let mut used = vec![0_usize; grid.columns];
        'all: for lot in &self.lots {
            for n in 0..lot.count {
                // Along one line, then the next.
                let (column, line) = (place % grid.columns, place / grid.columns);
                if line >= lines {
                    break 'all;
                }
                used[column] = line + 1;
                let x = rect.x + Self::column_at(&grid, column);
                let y = rect.y + grid.head + line as f32 * grid.line;
                self.draw_entry(lot, n, x, y, &grid, pen);
                place += 1;
            }
        }
        for (column, &lines) in used.iter().enumerate().filter(|(_, lines)| **lines > 0) {
            self.draw_frame(rect.x + Self::column_at(&grid, column), rect.y, lines, &grid, pen);
        }
        if place < self.total() {
            return Some(Box::new(self.remaining_after(place, grid.side)));
        }
        if has_key {
            draw_key(&self.key, (rect.x, rect.y + Self::height(&grid, lines)), rect.right(), pen);
        }
        None
    }
}

impl Inventory {
    fn key_height(&self, styles: &TextStyles) -> f32 {
        if self.key.is_empty() { 0.0 } else { styles.label.line_height() }
    }

    /// Column headings, and lines to write on.
    fn draw_frame(&self, x: f32, y: f32, lines: usize, grid: &InventoryColumns, pen: &mut SheetPen) {
        let styles = pen.styles;
        let start = x + grid.side + GAP + grid.number + grid.sign;
        let mut cell = start;
        for (name, width) in self.headings.iter().zip(&grid.cells) {
            pen.text(name, styles.label, cell + 0.3, y + styles.label.size.mm() * 0.85, Anchor::Start);
            cell += width;
        }
        let at = |line: usize| y + grid.head + line as f32 * grid.line + grid.side;
        let rules = (0..lines).flat_map(|line| {
            let y = at(line);
            let mut cell = start;
            grid.cells.iter().map(move |width| {
                let rule = [cell + 0.3, y, cell + width - 0.5, y];
                cell += width;
                rule
            })
        });
        pen.lines(rules, THIN_LINE, RULE_INK);
    }
}

/// The sides of the signs of a key, and its width, mm.
fn key_size(key: &SignKey, styles: &TextStyles) -> (f32, f32) {
    let side = styles.label.cap_height() * 1.2;
    let width = key.iter().map(|(_, words)| side + GAP + styles.label.width(words) + KEY_GAP).sum::<f32>();
    (side, width - KEY_GAP)
}

/// Draws a key in a line, if it has room from here to the right edge.
fn draw_key(key: &SignKey, (mut x, top): (f32, f32), right: f32, pen: &mut SheetPen) {
    let style = pen.styles.label;
    let ((side, width), middle) = (key_size(key, &pen.styles), top + style.line_height() / 2.0);
    if x + width > right + 0.01 {
        return;
    }
    for (sign, words) in key {
        pen.drawing(sign, Rect::new(x, middle - side / 2.0, side, side), None);
        x += side + GAP;
        pen.text(words, style, x, middle + style.cap_height() / 2.0, Anchor::Start);
        x += style.width(words) + KEY_GAP;
    }
}

/// A list under a small heading at the left, with a key at the right of that, where there is room.
#[derive(Debug)]
pub struct KeyedList {
    pub list: HeadedContent,
    pub key: SignKey,
}

impl Flowable for KeyedList {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        self.list.measure(width, styles)
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let (before, title) = (pen.items.len(), pen.styles.label.width(&self.list.title));
        let rest = Box::new(self.list).draw(rect, pen);
        let left = (rect.right() - key_size(&self.key, &pen.styles).1).max(rect.x + title + KEY_GAP);
        if pen.items.len() > before && !self.key.is_empty() {
            draw_key(&self.key, (left, rect.y), rect.right(), pen);
        }
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;

    fn missiles(count: u32) -> Inventory {
        let lot = CounterLot { count, number: Some(101), sign: None, letters: "H".into(), fit: None, first: 1 };
        Inventory {
            stem: "missile".into(),
            lots: vec![lot],
            cells: Vec::new(),
            headings: Vec::new(),
            cell_width: 4.8,
            preferred_side: 4.0,
            key: Vec::new(),
            continued_side: None,
        }
    }

    /// The numbers of the boxes of each line.
    fn lines(inventory: Inventory, width: f32) -> Vec<Vec<u32>> {
        let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
        assert!(Box::new(inventory).draw(Rect::new(0.0, 0.0, width, 200.0), &mut pen).is_none());
        let mut lines: Vec<(f32, Vec<u32>)> = Vec::new();
        for item in &pen.items {
            let Some(mark) = &item.mark else { continue };
            let moldloft_drawing::scene::Shape::Rect { rect, .. } = &item.shape else { continue };
            assert!(rect.right() <= width + 0.01, "{rect:?} in {width} mm");
            let number = mark.name.rsplit('_').next().and_then(|n| n.parse().ok()).expect("a number");
            match lines.last_mut() {
                Some((top, line)) if (*top - rect.y).abs() < 0.01 => line.push(number),
                _ => lines.push((rect.y, vec![number])),
            }
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn cells_for_a_pencil_keep_their_width_and_height() {
        let blank = |width: f32| Inventory {
            lots: vec![CounterLot { number: None, letters: "".into(), ..missiles(48).lots[0].clone() }],
            cells: vec![("chit".into(), 1.0)],
            headings: vec!["chit".into()],
            cell_width: width,
            preferred_side: 5.6,
            ..missiles(48)
        };
        let styles = TextStyles::new(MinimumSizes::default());
        for width in [4.8, 9.0, 14.0] {
            let grid = blank(width).column_widths(138.0, 5.6, &styles);
            assert!(grid.cells[0] >= width - 0.01, "{:?}", grid.cells);
            assert!(blank(width).sides(&styles).0 + 0.75 >= 5.99);
        }
        // Boxes without cells may be smaller.
        assert!(missiles(48).sides(&styles).0 < 4.0);
    }

    /// What goes on on another page has boxes of the same side in lines as long.
    #[test]
    fn the_rest_looks_like_what_was_begun() {
        let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::new(true)), (0.0, 0.0));
        let rest = Box::new(missiles(70)).draw(Rect::new(0.0, 0.0, 100.0, 30.0), &mut pen).expect("no room for all");
        let begun = pen.items.len();
        assert!(rest.draw(Rect::new(0.0, 0.0, 100.0, 200.0), &mut pen).is_none());
        let boxes = |items: &[moldloft_drawing::scene::SceneItem]| {
            let rects = items.iter().filter(|item| item.mark.is_some()).filter_map(|item| match &item.shape {
                moldloft_drawing::scene::Shape::Rect { rect, .. } => Some(*rect),
                _ => None,
            });
            let rects: Vec<Rect> = rects.collect();
            let first_line = rects.iter().filter(|rect| (rect.y - rects[0].y).abs() < 0.01).count();
            (rects[0].w, first_line)
        };
        assert_eq!(boxes(&pen.items[..begun]), boxes(&pen.items[begun..]));
        // On a page for larger boxes none is too small.
        let mut card = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
        let small = Inventory { preferred_side: 3.0, ..missiles(70) };
        let rest = Box::new(small).draw(Rect::new(0.0, 0.0, 60.0, 20.0), &mut card).expect("no room for all");
        let mut page = SheetPen::new(TextStyles::new(MinimumSizes::new(true)), (0.0, 0.0));
        assert!(rest.draw(Rect::new(0.0, 0.0, 100.0, 200.0), &mut page).is_none());
        assert!(boxes(&page.items).0 >= MinimumSizes::new(true).tick_box);
    }

    #[test]
    fn lines_are_read_from_left_to_right_in_tens_where_they_fit() {
        let wide = lines(missiles(70), 194.0);
        assert_eq!(wide.len(), 7);
        assert_eq!(wide[1], (11..=20).collect::<Vec<_>>());
        // Smaller boxes for lines of ten.
        let large = Inventory { preferred_side: 5.0, ..missiles(50) };
        assert!(lines(large, 138.0).iter().all(|line| line.len() == 10));
        let short = lines(missiles(6), 194.0);
        assert_eq!(short, [(1..=6).collect::<Vec<_>>()]);
        for width in [30.0, 50.0, 70.0, 95.0, 138.0, 194.0] {
            let lines = lines(missiles(33), width);
            let full = lines[0].len();
            assert!(lines[..lines.len() - 1].iter().all(|line| line.len() == full), "{width} mm: {lines:?}");
            assert_eq!(lines.concat(), (1..=33).collect::<Vec<_>>());
        }
    }
}
