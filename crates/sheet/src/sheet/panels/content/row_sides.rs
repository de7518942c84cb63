//! What is beside rows of boxes: measures the labels at their left, the labels and notes at their right and below them.

use std::sync::Arc;

use super::box_grid::{BoxGrid, MEDAL_GAP, MEDAL_SIZE, NOTE_GAP, SideWidths};
use super::box_rows::{BoxRow, LABEL_GAP, sign_side};
use crate::sheet::layout::box_layout::BoxLayout;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use moldloft_drawing::art::Anchor;

/// The largest share of the width for notes at the rows' ends.
const MAX_NOTE_SHARE: f32 = 0.4;
/// Fewer labels that are only where there is room say too little.
const MIN_SPARE_ENDS: usize = 2;
/// How they are read has so many lines at most beside the last row, so far from what is before it, mm.
const MAX_KEY_LINES: usize = 2;
/// Between their columns more than between others: they are several numbers each, mm.
const SPARE_GAP: f32 = 0.8;
const KEY_INDENT: f32 = 1.6;

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
        let needed = self.needed_ends();
        let ends: Vec<f32> = (0..needed).map(|n| self.end_width(n, styles)).collect();
        let last = self.last_width(styles);
        let medal = if self.medal.is_some() { MEDAL_SIZE * styles.minimums.scale + 3.0 } else { 0.0 };
        let (notes, long_notes) = self.place_notes(width, styles);
        let below: Vec<String> = long_notes.iter().flat_map(|note| styles.label.wrap(note, width)).collect();
        let bottom = if below.is_empty() { 0.0 } else { NOTE_GAP + below.len() as f32 * styles.label.line_height() };
        let right = ends.iter().sum::<f32>().max(last) + medal + if notes > 0.0 { notes + NOTE_GAP } else { 0.0 };
        let top = if self.end_headings[..needed].iter().any(|head| !head.is_empty()) {
            styles.label.line_height()
        } else {
            0.0
        };
        let leads = self.leads_in_outline(styles);
        let left = if leads.is_empty() { left } else { 0.0 };
        SideWidths {
            left,
            leads,
            ends,
            spare: Vec::new(),
            right,
            top,
            notes,
            notes_inside: None,
            long_notes,
            below,
            bottom,
        }
    }

    fn needed_ends(&self) -> usize {
        self.end_headings.len().saturating_sub(self.spare_ends)
    }

    fn end_width(&self, n: usize, styles: &TextStyles) -> f32 {
        let widest = self.rows.iter().filter_map(|row| row.end_labels.get(n)).map(|words| styles.value.width(words));
        widest.fold(styles.label.width(&self.end_headings[n]), f32::max) + 2.6
    }

    fn last_width(&self, styles: &TextStyles) -> f32 {
        if self.last_label.is_empty() { 0.0 } else { styles.label.width(&self.last_label) + 3.4 }
    }

    /// The labels at the rows' ends that are only where the boxes leave room: as many as that, if how they are read has room beside the last row.
    pub(super) fn add_spare_ends(&self, sides: &mut SideWidths, fitted: &BoxLayout, width: f32, styles: &TextStyles) {
        let needed = self.needed_ends();
        let says = |row: &BoxRow| row.end_labels.get(needed).is_some_and(|words| !words.is_empty());
        let ends_blank = self.rows.last().is_some_and(|row| row.end_labels.iter().all(|words| words.is_empty()));
        let [.., before, last] = fitted.lines.as_slice() else { return };
        if self.spare_ends == 0
            || fitted.unplaced > 0
            || self.down
            || !ends_blank
            || sides.top == 0.0
            || !self.rows.iter().any(says)
        {
            return;
        }
        let all = width - sides.left - fitted.width;
        let mut room = all - self.before_spare(sides, styles);
        let widths = (needed..self.end_headings.len()).map(|n| self.end_width(n, styles) + SPARE_GAP);
        let spare = widths.take_while(|width| {
            room -= width;
            room >= 0.0
        });
        sides.spare = spare.collect();
        let key = styles.label.wrap(&self.ends_key, all - self.before_key(sides, styles));
        let height = key.len() as f32 * styles.label.line_height();
        let fits = key.len() <= MAX_KEY_LINES && height <= (last.at - before.at).max(styles.label.line_height());
        if sides.spare.len() < MIN_SPARE_ENDS || !fits {
            sides.spare = Vec::new();
        }
    }

    /// From the boxes to the labels that are only where there is room: what is always at the rows' ends, mm.
    fn before_spare(&self, sides: &SideWidths, styles: &TextStyles) -> f32 {
        let ends = sides.ends.iter().sum::<f32>();
        let medal = self.medal.as_ref().map_or(0.0, |(_, note)| {
            MEDAL_GAP + (MEDAL_SIZE * styles.minimums.scale).max(styles.label.width(note)) + SPARE_GAP
        });
        ends + medal
    }

    /// From the boxes to how they are read, beside the last row, mm.
    fn before_key(&self, sides: &SideWidths, styles: &TextStyles) -> f32 {
        self.before_spare(sides, styles).max(self.last_width(styles)) + KEY_INDENT
    }

    /// Draws them, and how they are read as far as the panel's right edge.
    pub(super) fn draw_spare_ends(
        &self,
        fitted: &BoxLayout,
        sides: &SideWidths,
        corner: (f32, f32),
        right: f32,
        pen: &mut SheetPen,
    ) {
        let (styles, needed) = (pen.styles, self.needed_ends());
        let (Some(last), false) = (fitted.lines.last(), sides.spare.is_empty()) else { return };
        let after = corner.0 + fitted.width;
        let middle = |at: f32| corner.1 + at + fitted.box_height / 2.0;
        let mut x = after + self.before_spare(sides, &styles);
        for (n, width) in (needed..).zip(&sides.spare) {
            let centre = x + width / 2.0;
            let head = corner.1 - styles.label.size.mm() * 0.4;
            pen.text(&self.end_headings[n], styles.label, centre, head, Anchor::Middle);
            for line in fitted.lines.iter().filter(|line| line.ends) {
                let words = self.rows[line.row].end_labels.get(n).map_or("", |words| words);
                pen.text_centred(words, styles.quiet_value, centre, middle(line.at), None);
            }
            x += width;
        }
        let left = after + self.before_key(sides, &styles);
        let key = styles.label.wrap(&self.ends_key, right - left);
        let style = styles.label;
        let first = middle(last.at) + style.cap_height() / 2.0 - (key.len() - 1) as f32 * style.line_height() / 2.0;
        for (n, words) in key.iter().enumerate() {
            pen.text(words, style, left, first + n as f32 * style.line_height(), Anchor::Start);
        }
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
