//! The labels at the left of rows of boxes: draws them, in several lines where they are wide, and moves the rows below
//! such a label down.

use super::box_grid::BoxGrid;
use super::box_rows::{BoxRow, LABEL_GAP, sign_side};
use crate::sheet::layout::box_layout::{self, BoxLayout, BoxLayoutRequest};
use crate::sheet::layout::flowable::MORE_THAN_PAPER_HEIGHT;
use crate::sheet::layout::outline::{self, Outline};
use crate::sheet::layout::outline_rows;
use crate::sheet::layout::pen::{SheetPen, thin_line_style};
use crate::sheet::layout::text_style::{TextStyle, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::Rect;

/// Around a sign between a label and its boxes, beyond that gap, mm.
const SIGN_MARGIN: f32 = 0.6;

impl BoxGrid {
    /// The text style of the labels at the left.
    pub(super) fn label_style(&self, styles: &TextStyles) -> TextStyle {
        if self.labels_are_names { styles.body } else { styles.label }
    }

    /// The widths of the rows' names inside an outline, gap included, mm; empty if the rows have none, or something else
    /// beside them.
    pub(super) fn leads_in_outline(&self, styles: &TextStyles) -> Vec<f32> {
        let plain = |row: &BoxRow| {
            row.sign.is_none() && row.badge.is_empty() && row.note.is_empty() && row.companions.is_empty()
        };
        let is_named = self.rows.iter().any(|row| !row.label.is_empty()) && self.rows.iter().all(plain);
        let has_ends = !self.end_headings.is_empty() || !self.last_label.is_empty() || self.medal.is_some();
        if self.outline.is_none() || !is_named || has_ends || self.down || self.labels_are_names {
            return Vec::new();
        }
        let style = self.label_style(styles);
        let lead = |row: &BoxRow| if row.label.is_empty() { 0.0 } else { style.width(&row.label) + LABEL_GAP + 0.4 };
        self.rows.iter().map(lead).collect()
    }

    /// The least and the wanted height of the outline, mm; `leads` are the widths of names with the gap after them.
    pub(super) fn heights_in_outline(
        &self,
        request: &BoxLayoutRequest<'_>,
        outline: &Outline,
        leads: &[f32],
    ) -> (f32, f32) {
        let most = MORE_THAN_PAPER_HEIGHT;
        let height = |size| {
            if leads.is_empty() {
                outline::height_in_outline(request, outline, size, most)
            } else {
                outline_rows::height_of_named_rows(request, outline, leads, size, most)
            }
        };
        let least = height(request.min_side).unwrap_or(most);
        let natural = height(request.max_side).unwrap_or(least).max(least);
        (least, natural)
    }

    /// The width for a label's words of the width at the left of the boxes, mm.
    fn label_room(&self, left: f32, styles: &TextStyles) -> f32 {
        let has_sign = self.rows.iter().any(|row| row.sign.is_some());
        left - LABEL_GAP + 0.02 - if has_sign { sign_side(styles) + SIGN_MARGIN } else { 0.0 }
    }

    /// For every row the lines that its label takes in this width, mm, at the left of the boxes, gap included.
    pub(super) fn label_lines(&self, left: f32, styles: &TextStyles) -> Vec<usize> {
        let style = self.label_style(styles);
        let room = self.label_room(left, styles);
        let lines = |label: &str| if label.is_empty() { 0 } else { style.wrap(label, room).len() };
        self.rows.iter().map(|row| lines(&row.label)).collect()
    }

    /// Makes rows of boxes as high as their labels, and gives by how much all of them became higher, mm.
    pub(super) fn spread_for_labels(&self, fitted: &mut BoxLayout, left: f32, styles: &TextStyles) -> f32 {
        if self.down || left <= 0.0 {
            return 0.0;
        }
        let lines = self.label_lines(left, styles);
        if lines.iter().all(|&lines| lines < 2) {
            return 0.0;
        }
        let style = self.label_style(styles);
        let mut added = 0.0;
        // The top and the label's height of the row before, where it has several lines.
        let mut above: Option<(f32, f32)> = None;
        for line in &mut fitted.lines {
            line.at += added;
            if !line.begins {
                shift(&mut fitted.corners, line.first, line.count, added);
                continue;
            }
            if let Some((top, height)) = above {
                let more = (top + height - line.at).max(0.0);
                line.at += more;
                added += more;
            }
            shift(&mut fitted.corners, line.first, line.count, added);
            let many = lines.get(line.row).copied().unwrap_or(0);
            above = (many > 1).then(|| (line.at, many as f32 * style.line_height()));
        }
        let before = fitted.height;
        fitted.height += added;
        if let Some((top, height)) = above {
            // From the middle of the first line of boxes, where the label's first line is, to the foot of its last one.
            let foot = top + (fitted.box_height + style.cap_height()) / 2.0 + height - style.line_height() * 0.85;
            fitted.height = fitted.height.max(foot);
        }
        fitted.height - before
    }

    /// By how much labels of several lines make the boxes of a request higher at the minimum size, mm.
    pub(super) fn label_extra(&self, request: &BoxLayoutRequest<'_>, left: f32, styles: &TextStyles) -> f32 {
        if self.down || left <= 0.0 || self.label_lines(left, styles).iter().all(|&lines| lines < 2) {
            return 0.0;
        }
        let request =
            BoxLayoutRequest { max_side: request.min_side, height: MORE_THAN_PAPER_HEIGHT, ..request.clone() };
        self.spread_for_labels(&mut box_layout::lay_out_boxes(&request), left, styles)
    }

    pub(super) fn draw_label(&self, row: &BoxRow, (left, right): (f32, f32), y: f32, pen: &mut SheetPen) {
        let styles = pen.styles;
        let style = self.label_style(&styles);
        let mut x = right - LABEL_GAP;
        if self.rows.iter().any(|row| row.sign.is_some()) {
            let side = sign_side(&styles);
            if let Some(sign) = &row.sign {
                pen.drawing(sign, Rect::new(right - side - 1.0, y - side / 2.0, side, side), None);
            }
            x -= side + SIGN_MARGIN;
        }
        if !row.badge.is_empty() {
            let width = styles.value.width(&row.badge).max(3.6);
            let height = styles.value.size.mm() * 1.2;
            let rect = Rect::new(x - width - 0.8, y - height / 2.0, width + 0.8, height);
            pen.rect(rect, 0.6, thin_line_style(), None);
            pen.text_centred(&row.badge, styles.value, rect.x + rect.w / 2.0, y, None);
            x = rect.x - 1.2;
        }
        // Names of blocks are at the left edge, labels of rows next to their boxes.
        let (x, anchor) = if self.labels_are_names { (left, Anchor::Start) } else { (x, Anchor::End) };
        let lines = style.wrap(&row.label, self.label_room(right - left, &styles));
        let top = y + style.cap_height() / 2.0;
        for (n, line) in lines.iter().enumerate() {
            pen.text(line, style, x, top + n as f32 * style.line_height(), anchor);
        }
    }
}

fn shift(corners: &mut [(f32, f32)], first: u32, count: u32, by: f32) {
    let first = (first as usize).min(corners.len());
    let last = (first + count as usize).min(corners.len());
    corners[first..last].iter_mut().for_each(|corner| corner.1 += by);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::flowable::Flowable;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;
    use crate::sheet::panels::content::box_rows::{BoxFace, BoxLayer, RowFaces};
    use moldloft_drawing::scene::Shape;
    use moldloft_rules::evaluate::BoxShape;

    fn grid(labels: &[&str]) -> BoxGrid {
        let row = |label: &&str| {
            let layer = BoxLayer::new("state".into(), BoxShape::Square, RowFaces::Same(BoxFace::Blank));
            BoxRow { label: (*label).into(), ..BoxRow::new(2, vec![layer]) }
        };
        BoxGrid { rows: labels.iter().map(row).collect(), labels_are_names: true, ..BoxGrid::default() }
    }

    #[test]
    fn rows_are_as_high_as_their_labels() {
        let styles = TextStyles::new(MinimumSizes::default());
        let labels = ["bridge: no turn, no firing, no more", "rudder: no turn", "engines: one square a turn at most"];
        let height = grid(&labels).measure(30.0, &styles).natural;
        let mut pen = SheetPen::new(styles, (0.0, 0.0));
        assert!(Box::new(grid(&labels)).draw(Rect::new(0.0, 0.0, 30.0, height), &mut pen).is_none());
        let lines = pen.items.iter().filter_map(|item| match &item.shape {
            Shape::Text(text) => Some(text.y),
            _ => None,
        });
        let lines: Vec<f32> = lines.collect();
        assert!(lines.len() >= 5, "{lines:?}");
        assert!(lines.windows(2).all(|pair| pair[1] - pair[0] > styles.body.line_height() * 0.95), "{lines:?}");
        assert!(lines.iter().all(|y| *y < height), "{lines:?} of {height}");
        // With room for all words, nothing is higher than its boxes.
        assert!(grid(&labels).measure(150.0, &styles).natural < height);
    }
}
