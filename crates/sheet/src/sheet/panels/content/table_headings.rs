//! The headings over the columns of tables: takes a table's columns with their widths, draws the headings, in several
//! lines where they are wider than their columns, or as faces of dice.

use super::table_group::{TableCell, TableGroup, TablePart};
use crate::sheet::layout::pen::{SheetPen, box_style};
use crate::sheet::layout::text_style::{TextStyle, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::Rect;

/// Kept free beside a column's heading, mm.
const HEADING_GAP: f32 = 0.4;
/// Between headings of several words, which are broken rather than read as one, mm.
const WORDS_GAP: f32 = 1.6;

impl TableGroup {
    pub(super) fn heading_height(&self, part: &TablePart, columns: &[f32], styles: &TextStyles) -> f32 {
        let any = part.headings.iter().any(|head| !head.is_empty()) || !part.label.is_empty();
        let faces = (0..part.headings.len()).any(|c| self.style.is_face(part, c));
        let face = if faces { face_side(styles) + 0.7 } else { 0.0 };
        let lines = (0..columns.len()).map(|c| self.heading_lines(part, c, columns, styles).len()).max().unwrap_or(1);
        if any { (self.heading_style(1, styles).line_height() * lines.max(1) as f32 + 0.3).max(face) } else { 0.0 }
    }

    /// A column's heading, broken into lines where it is wider than its column and those without a heading that follow.
    fn heading_lines(&self, part: &TablePart, c: usize, columns: &[f32], styles: &TextStyles) -> Vec<String> {
        let (head, style) = (part.heading_over(c), self.heading_style(c, styles));
        let is_centred = !begins_at_left(part, c);
        let free = (c + 1..columns.len()).take_while(|&next| !is_centred && part.heading_over(next).is_empty());
        let room = columns[c] + free.map(|next| columns[next]).sum::<f32>();
        let longest = head.split(' ').map(|word| style.width(word)).fold(0.0, f32::max);
        let gap = if is_centred && longest <= room - WORDS_GAP { WORDS_GAP } else { HEADING_GAP };
        if self.style.is_face(part, c) || style.width(head) <= room - gap {
            return vec![head.to_owned()];
        }
        style.wrap(head, room - gap)
    }

    pub(super) fn draw_headings(&self, part: &TablePart, columns: &[f32], (x, y): (f32, f32), pen: &mut SheetPen) {
        let styles = pen.styles;
        // Words are level with the faces of dice.
        let height = self.heading_height(part, columns, &styles);
        let pitch = self.heading_style(1, &styles).line_height();
        let lines: Vec<_> = (0..columns.len()).map(|c| self.heading_lines(part, c, columns, &styles)).collect();
        let most = lines.iter().map(Vec::len).max().unwrap_or(1).max(1) as f32;
        // The baseline of the last line, in which headings of fewer lines are.
        let below = (height - most * pitch - 0.3).max(0.0);
        let baseline = y + below / 2.0 + (most - 1.0) * pitch + self.heading_style(1, &styles).size.mm() * 0.9;
        let mut left = x;
        for (c, &width) in columns.iter().enumerate() {
            let (head, style) = (part.heading_over(c), self.heading_style(c, &styles));
            if self.style.is_face(part, c) {
                let side = face_side(&styles);
                let top = y + ((most - 1.0) * pitch).min(height - 0.7 - side).max(0.0);
                let face = Rect::new(left + (width - side) / 2.0, top, side, side);
                pen.rect(face, side * 0.2, box_style(), None);
                pen.text_centred(head, styles.value, left + width / 2.0, top + side / 2.0, None);
            } else {
                let (x, anchor) =
                    if begins_at_left(part, c) { (left, Anchor::Start) } else { (left + width / 2.0, Anchor::Middle) };
                for (n, line) in lines[c].iter().rev().enumerate() {
                    pen.text(line, style, x, baseline - n as f32 * pitch, anchor);
                }
            }
            left += width;
        }
    }

    pub(super) fn heading_style(&self, column: usize, styles: &TextStyles) -> TextStyle {
        if self.is_chart && column > 0 { styles.value } else { styles.label }
    }
}

/// Whether a column's cells begin at its left edge: words and boxes do, numbers are centred.
fn begins_at_left(part: &TablePart, c: usize) -> bool {
    c == 0 || part.has_words(c) || part.column(c).any(|cell| matches!(cell, TableCell::Ticks(..)))
}

/// Side of a die's face over a column, mm.
pub(super) fn face_side(styles: &TextStyles) -> f32 {
    styles.value.size.mm() * 1.35
}
