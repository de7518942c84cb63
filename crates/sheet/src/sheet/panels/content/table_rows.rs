//! The rows of tables: takes a row's cells with the widths of their columns, gives its height and draws it.

use std::sync::Arc;

use super::box_rows::sign_side;
use super::table_group::{
    CellDrawing, CellText, REROLL, TableCell, TableGroup, TablePart, cell_number, heading_number,
};
use super::tick_lines::tick_positions;
use crate::sheet::layout::minimum_sizes::{INK, QUIET_INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_base::sanitize::id_as_words;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Mark, MarkKind, Paint, PaintStyle, Rect, Stroke};

/// The height of a row to write in by pencil, mm before large print.
const WRITING_HEIGHT: f32 = 6.0;
/// Of words beside such lines, above the row's foot, mm.
const FIELD_BASELINE: f32 = 1.2;
/// Above and below the contents of framed cells together, mm before large print.
const FRAME_PADDING: f32 = 0.6;
/// By how much rows on a ground, and framed ones, grow at most, mm before large print.
const ROW_GROWTH: f32 = 1.6;
/// Free at both sides of a row on a ground, mm.
const BAND_INSET: f32 = 1.0;
/// The ground of every second row: light enough for small print, dark enough for a laser printer's greys.
const BAND_PAINT: Paint = Paint::grey(237);

impl TableGroup {
    /// The height of a row's contents, mm.
    fn content_height(&self, row: &[TableCell], columns: &[f32], styles: &TextStyles) -> f32 {
        let lines = row.iter().zip(columns).map(|(cell, width)| match cell {
            TableCell::Words(words) => {
                styles.body.wrap(words, width - 1.6).len().max(1) as f32 * styles.body.line_height()
            }
            TableCell::Term(words) => {
                styles.value.wrap(words, width - 1.6).len().max(1) as f32 * styles.value.line_height()
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

    /// The least height of a row, mm.
    pub(super) fn row_height(&self, row: &[TableCell], columns: &[f32], styles: &TextStyles) -> f32 {
        self.content_height(row, columns, styles) + self.padding(styles)
    }

    /// Between a row's contents and the frames of its cells, above and below together, mm.
    fn padding(&self, styles: &TextStyles) -> f32 {
        if self.style.grid { FRAME_PADDING * styles.minimums.scale } else { 0.0 }
    }

    /// By how much a row may grow where there is room, mm.
    pub(super) fn row_growth(&self, styles: &TextStyles) -> f32 {
        if self.style.bands || self.style.grid { ROW_GROWTH * styles.minimums.scale } else { 0.0 }
    }

    /// Free at both sides of rows on a ground, mm.
    pub(super) fn inset(&self) -> f32 {
        if self.style.bands { BAND_INSET } else { 0.0 }
    }

    /// Whether a column's cells are framed: all but those that name the rows.
    pub(super) fn is_framed(&self, part: &TablePart, c: usize) -> bool {
        self.style.grid && (c > 0 || heading_number(part, 0).is_some())
    }

    /// Draws a row in a place as high as it or higher, its contents in the middle; every second one on its ground.
    pub(super) fn draw_row(
        &self,
        (row, part): (&[TableCell], &TablePart),
        columns: &[f32],
        (place, nth): (Rect, usize),
        pen: &mut SheetPen,
    ) {
        if self.style.bands && nth % 2 == 1 {
            let style = PaintStyle { fill: Some(BAND_PAINT), stroke: None };
            pen.rect(place, 0.0, style, None);
        }
        let inset = self.inset();
        let mut left = place.x + inset;
        for (c, (cell, &width)) in row.iter().zip(columns).enumerate() {
            let place = Rect::new(left, place.y, width, place.h);
            if self.is_framed(part, c) {
                let style = PaintStyle { fill: None, stroke: Some(Stroke::new(RULE_INK, THIN_LINE)) };
                pen.rect(place, 0.0, style, None);
            }
            if c > 0 {
                self.draw_ground(cell, part.headings.get(c).map_or("", |heading| heading), place, pen);
            }
            left += width;
        }
        let height = self.content_height(row, columns, &pen.styles).min(place.h);
        let top = place.y + (place.h - height) / 2.0;
        self.draw_cells((row, part), columns, (place.x + inset, top), height, pen);
    }

    /// The shade of a cell.
    fn draw_ground(&self, cell: &TableCell, heading: &str, place: Rect, pen: &mut SheetPen) {
        let (Some(tint), Ok(_), Some(number)) = (self.style.tint, heading.trim().parse::<i64>(), cell_number(cell))
        else {
            return;
        };
        let level = (255.0_f32 - 2.55 * tint.share(number)).round() as u8;
        let style = PaintStyle { fill: Some(Paint::grey(level)), stroke: Some(Stroke::new(RULE_INK, THIN_LINE)) };
        pen.rect(place, 0.0, style, None);
    }

    /// A number, which may be a grey zero or have the sign of a die that is rolled again.
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

    fn draw_cells(
        &self,
        (row, part): (&[TableCell], &TablePart),
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
            let heading = part.headings.get(c).map_or("", |heading| heading);
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
                TableCell::Words(words) | TableCell::Term(words) => {
                    let style = if matches!(cell, TableCell::Term(_)) { styles.value } else { styles.body };
                    let lines = style.wrap(words, width - 1.6);
                    let first = if lines.len() > 1 { level } else { baseline };
                    let (x, anchor) = if self.is_framed(part, c) {
                        (left + width / 2.0, Anchor::Middle)
                    } else {
                        (left, Anchor::Start)
                    };
                    for (n, line) in lines.iter().enumerate() {
                        let mark = pen.value_mark(words.shown_value.as_ref());
                        pen.text_with_mark(line, style, x, first + n as f32 * style.line_height(), anchor, mark);
                    }
                }
                TableCell::Number(words) if c == 0 && !self.is_framed(part, c) => {
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
