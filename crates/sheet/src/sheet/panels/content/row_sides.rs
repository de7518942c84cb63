//! What is beside rows of boxes: measures the labels at their left, the labels and notes at their right and below them.

use std::sync::Arc;

use super::box_grid::{BoxGrid, MEDAL_SIZE, NOTE_GAP, SideWidths};
use super::box_rows::{BoxRow, LABEL_GAP, sign_side};
use crate::sheet::layout::text_style::TextStyles;

/// The largest share of the width for notes at the rows' ends.
const MAX_NOTE_SHARE: f32 = 0.4;

impl BoxGrid {
    fn side_widths(&self, width: f32, styles: &TextStyles) -> SideWidths {
        let label = self
            .rows
            .iter()
            .map(|row| self.label_style(styles).width(&row.label))
            .fold(self.label_width, f32::max)
            .min(
                (width * (self.max_label_share - 0.1))
                    .max(19.0 * styles.minimums.scale)
                    .min(width * self.max_label_share),
            );
        let badge = self.rows.iter().map(|row| styles.value.width(&row.badge)).fold(0.0, f32::max);
        let left =
            if label > 0.0 { label + LABEL_GAP } else { 0.0 } + if badge > 0.0 { badge.max(3.6) + 2.4 } else { 0.0 };
        let sign = if self.rows.iter().any(|row| row.sign.is_some()) { sign_side(styles) + 1.2 } else { 0.0 };
        let left = left + sign;
        let ends: Vec<f32> = (0..self.end_headings.len())
            .map(|n| {
                let widest =
                    self.rows.iter().filter_map(|row| row.end_labels.get(n)).map(|words| styles.value.width(words));
                widest.fold(styles.label.width(&self.end_headings[n]), f32::max) + 2.6
            })
            .collect();
        let last = if self.last_label.is_empty() { 0.0 } else { styles.label.width(&self.last_label) + 3.4 };
        let medal = if self.medal.is_some() { MEDAL_SIZE * styles.minimums.scale + 3.0 } else { 0.0 };
        let (notes, long_notes) = self.place_notes(width, styles);
        let below: Vec<String> = long_notes.iter().flat_map(|note| styles.label.wrap(note, width)).collect();
        let bottom = if below.is_empty() { 0.0 } else { NOTE_GAP + below.len() as f32 * styles.label.line_height() };
        let right = ends.iter().sum::<f32>().max(last) + medal + if notes > 0.0 { notes + NOTE_GAP } else { 0.0 };
        let top = if self.end_headings.iter().any(|head| !head.is_empty()) { styles.label.line_height() } else { 0.0 };
        let leads = self.leads_in_outline(styles);
        let left = if leads.is_empty() { left } else { 0.0 };
        SideWidths { left, leads, ends, right, top, notes, notes_inside: None, long_notes, below, bottom }
    }

    /// The same, with the notes in what their own rows leave free if that saves longer rows a line.
    pub(super) fn side_widths_for(&self, width: f32, styles: &TextStyles) -> SideWidths {
        let mut sides = self.side_widths(width, styles);
        if sides.notes == 0.0
            || !sides.ends.is_empty()
            || self.is_centred
            || self.outline.is_some()
            || self.rows.iter().all(BoxRow::has_note)
        {
            return sides;
        }
        let (right, counts) = (sides.right - sides.notes - NOTE_GAP, self.counts());
        let lines = |right: f32| {
            let request = self.layout_request(&counts, width - sides.left - right, 1e6, styles);
            self.lay_out_with_companions(&request).0.lines
        };
        let (beside, inside) = (lines(sides.right), lines(right));
        let noted = inside.iter().filter(|line| line.ends && self.rows[line.row].has_note());
        let at = noted.map(|line| line.end).fold(0.0, f32::max) + NOTE_GAP;
        if inside.len() < beside.len() && sides.left + at + sides.notes <= width {
            (sides.right, sides.notes_inside) = (right, Some(at));
        }
        sides
    }

    /// The width of the notes at the rows' ends, or the notes if some are too long for that.
    fn place_notes(&self, width: f32, styles: &TextStyles) -> (f32, Vec<Arc<str>>) {
        let notes = self.rows.iter().map(|row| &row.note).filter(|note| !note.is_empty());
        let widest = notes.clone().map(|note| styles.label.width(note)).fold(0.0, f32::max);
        let has_room = widest <= width * MAX_NOTE_SHARE && !self.down && !self.down_if_tall;
        if has_room && self.earlier_notes.is_empty() {
            return (widest, Vec::new());
        }
        (0.0, self.earlier_notes.iter().chain(notes).map(Arc::clone).collect())
    }
}
