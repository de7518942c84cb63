//! Two rows of numbers joined by a path: from a number down to the one under it, up to the next column's, and so on.
//! Takes columns of a heading and two numbers, breaks them into bands where they are many; returns the bands that do
//! not fit.

use std::sync::Arc;

use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::Rect;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovementColumn {
    /// Over the column.
    pub head: Option<Arc<str>>,
    /// In the first row.
    pub upper: Option<Arc<str>>,
    /// In the second row, half a step to the right.
    pub lower: Option<Arc<str>>,
    /// The names of what the three show, for a sheet whose numbers explain themselves.
    pub shown_values: [Option<Arc<str>>; 3],
}

#[derive(Clone, Debug)]
pub struct MovementChart {
    /// From left to right; a `None` in them is a field to write in.
    pub columns: Vec<MovementColumn>,
    /// Names of the three rows, at the left.
    pub names: [Arc<str>; 3],
    /// The text at the end of the path.
    pub end: Arc<str>,
    /// Fields to write in are `<stem>_<column>_<row>`.
    pub stem: Arc<str>,
    /// Number of the first column here, for those names.
    pub first: usize,
}

/// Measures of a band before large print, mm.
const COLUMN_STEP: f32 = 11.0;
const HEADING_HEIGHT: f32 = 5.0;
const ROW_HEIGHT: f32 = 7.0;
/// Half the height of a field to write in, mm before large print.
const FIELD_HALF: f32 = 2.0;
/// In mm.
const MIN_BAND_HEIGHT: f32 = 15.0;
const GAP: f32 = 2.0;

impl MovementChart {
    fn label_width(&self, styles: &TextStyles) -> f32 {
        self.names.iter().map(|name| styles.label.width(name)).fold(0.0, f32::max) + 2.0
    }

    fn end_width(&self, styles: &TextStyles) -> f32 {
        if self.end.is_empty() { 0.0 } else { styles.label.width(&self.end) + 1.5 }
    }

    /// Columns per band, and their width; half a step is kept free at the right.
    fn columns_per_band(&self, width: f32, styles: &TextStyles) -> (usize, f32) {
        let cells = self.columns.iter().flat_map(|c| [&c.head, &c.upper, &c.lower]).flatten();
        let widest = cells.map(|words| styles.value.width(words)).fold(0.0, f32::max);
        let room = (width - self.label_width(styles) - self.end_width(styles)).max(1.0);
        let least = (widest * 1.5 + 2.4).max(7.0 * styles.minimums.scale);
        let most = (((room / least) - 0.5).floor().max(1.0) as usize).min(self.columns.len().max(1));
        let bands = self.columns.len().div_ceil(most).max(1);
        let many = self.columns.len().div_ceil(bands).max(1);
        (many, (room / (many as f32 + 0.5)).min((COLUMN_STEP * styles.minimums.scale).max(least)))
    }

    fn natural_band_height(styles: &TextStyles) -> f32 {
        (HEADING_HEIGHT + 2.0 * ROW_HEIGHT) * styles.minimums.scale
    }

    /// The height of each band in a rectangle: as preferred, or smaller.
    fn band_height(&self, rect: Rect, styles: &TextStyles) -> f32 {
        let bands = self.columns.len().div_ceil(self.columns_per_band(rect.w, styles).0).max(1);
        let gap = GAP * styles.minimums.scale;
        let fair = (rect.h + gap + 0.02) / bands as f32 - gap;
        fair.clamp(MIN_BAND_HEIGHT * styles.minimums.scale, Self::natural_band_height(styles))
    }

    fn draw_band(&self, from: usize, to: usize, step: f32, corner: (f32, f32), height: f32, pen: &mut SheetPen) {
        let styles = pen.styles;
        let left = self.label_width(&styles);
        let scale = height / (HEADING_HEIGHT + 2.0 * ROW_HEIGHT);
        let (x, y) = corner;
        let heights = [HEADING_HEIGHT * 0.45, HEADING_HEIGHT + ROW_HEIGHT * 0.5, HEADING_HEIGHT + ROW_HEIGHT * 1.5]
            .map(|down| y + down * scale);
        for (name, at) in self.names.iter().zip(heights) {
            pen.text(name, styles.label, x, at + styles.label.cap_height() / 2.0, Anchor::Start);
        }
        let width = left + step * ((to - from) as f32 + 0.5);
        pen.rule(x, y + HEADING_HEIGHT * 1.05 * scale, width, THIN_LINE, RULE_INK);
        let at = |n: usize, row: usize| {
            let half = if row == 2 { 1.0 } else { 0.5 };
            (x + left + step * ((n - from) as f32 + half), heights[row])
        };
        let mut way = Vec::new();
        // A line stops short of the numbers at its ends, and of the rules to write on.
        let is_empty = self.columns[from..to].iter().any(|column| column.upper.is_none());
        let room = if is_empty { FIELD_HALF * scale + 0.7 } else { styles.value.size.mm() * 0.72 };
        let mut go = |a: (f32, f32), b: (f32, f32)| {
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let clear = (room / dy.abs().max(0.1)).min(0.42);
            way.push([a.0 + dx * clear, a.1 + dy * clear, b.0 - dx * clear, b.1 - dy * clear]);
        };
        for n in from..to {
            go(at(n, 1), at(n, 2));
            if n + 1 < to {
                go(at(n, 2), at(n + 1, 1));
            }
        }
        pen.lines(way.into_iter(), LINE_WIDTH, INK);
        for n in from..to {
            let column = &self.columns[n];
            for (row, words) in [&column.head, &column.upper, &column.lower].into_iter().enumerate() {
                let (cx, cy) = at(n, row);
                let mark = pen.value_mark(column.shown_values[row].as_ref());
                match words {
                    Some(words) if row == 0 => pen.text_centred(words, styles.quiet_value, cx, cy, mark),
                    Some(words) => pen.text_centred(words, styles.value, cx, cy, mark),
                    None => {
                        let half = step * 0.3;
                        let name = format!("{}_{}_{}", self.stem, self.first + n + 1, row + 1);
                        let label = format!("{} {}", self.names[row], self.first + n + 1);
                        let high = FIELD_HALF * scale;
                        pen.field(Rect::new(cx - half, cy - high, half * 2.0, high * 2.0), name, label);
                        pen.rule(cx - half, cy + high, half * 2.0, THIN_LINE, RULE_INK);
                    }
                }
            }
        }
        let words: &str = if to == self.columns.len() { &self.end } else { "…" };
        let (cx, cy) = at(to - 1, 2);
        pen.text(words, styles.label, cx + step * 0.5 + 0.5, cy + styles.label.cap_height() / 2.0, Anchor::Start);
    }
}

impl Flowable for MovementChart {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let bands = self.columns.len().div_ceil(self.columns_per_band(width, styles).0);
        let (band, least, gap) =
            (Self::natural_band_height(styles), MIN_BAND_HEIGHT * styles.minimums.scale, GAP * styles.minimums.scale);
        let all = |band: f32| bands as f32 * (band + gap) - gap;
        SizeHint { min_start: least, min: all(least), natural: all(band), max: all(band) }
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let (many, step) = self.columns_per_band(rect.w, &pen.styles);
        let (band, gap) = (self.band_height(rect, &pen.styles), GAP * pen.styles.minimums.scale);
        let (mut y, mut from) = (rect.y, 0);
        while from < self.columns.len() && y + band <= rect.bottom() + 0.05 {
            let to = (from + many).min(self.columns.len());
            self.draw_band(from, to, step, (rect.x, y), band, pen);
            from = to;
            y += band + gap;
        }
        if from >= self.columns.len() {
            return None;
        }
        self.columns.drain(..from);
        self.first += from;
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;
    use moldloft_drawing::scene::Shape;

    fn zigzag(columns: usize) -> MovementChart {
        let word = |n: usize| Some(n.to_string().into());
        let column = |n: usize| MovementColumn {
            head: word(n + 100),
            upper: word(n + 200),
            lower: word(n + 300),
            shown_values: [None, None, None],
        };
        let names = ["speed".into(), "delay".into(), "half step".into()];
        let columns = (0..columns).map(column).collect();
        MovementChart { columns, names, end: "no turn".into(), stem: "movement".into(), first: 0 }
    }

    /// Draws page after page; returns every word with its position.
    fn drawn(zigzag: MovementChart, rect: Rect) -> Vec<(String, f32, f32)> {
        let mut left: Option<Box<dyn Flowable>> = Some(Box::new(zigzag));
        let mut words = Vec::new();
        for _ in 0..100 {
            let Some(content) = left.take() else { return words };
            let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
            left = content.draw(rect, &mut pen);
            words.extend(pen.items.iter().filter_map(|item| match &item.shape {
                Shape::Text(text) => Some((text.shaped.text.to_string(), text.x + text.width() / 2.0, text.y)),
                _ => None,
            }));
        }
        panic!("no end of pages");
    }

    #[test]
    fn the_second_row_stands_half_a_step_on_and_below() {
        let words = drawn(zigzag(10), Rect::new(0.0, 0.0, 160.0, 20.0));
        let at = |word: &str| words.iter().find(|(known, _, _)| known == word).map(|&(_, x, y)| (x, y)).unwrap();
        for n in 0..9 {
            let (upper, lower, next) =
                (at(&(200 + n).to_string()), at(&(300 + n).to_string()), at(&(201 + n).to_string()));
            assert!((lower.0 - (upper.0 + next.0) / 2.0).abs() < 0.05 && lower.1 > upper.1 + 3.0);
            assert!((at(&(100 + n).to_string()).0 - upper.0).abs() < 0.05);
        }
        assert!(at("no turn").0 > at("309").0);
    }

    #[test]
    fn many_columns_go_on_in_bands_and_on_further_pages() {
        for columns in [1, 40, 99] {
            let words = drawn(zigzag(columns), Rect::new(0.0, 0.0, 120.0, 30.0));
            for n in 0..columns {
                for row in [100, 200, 300] {
                    let word = (n + row).to_string();
                    assert_eq!(words.iter().filter(|(known, _, _)| *known == word).count(), 1, "{word}");
                }
            }
            assert_eq!(words.iter().filter(|(known, _, _)| known == "no turn").count(), 1);
            assert!(words.iter().all(|&(_, x, y)| x < 120.0 && y < 30.0));
        }
    }
}
