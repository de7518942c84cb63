//! Rows of boxes of different widths, one under another, the body of tracks that belong to the same thing: takes named
//! rows, aligns their boxes in columns. Returns the rows that do not fit.

use std::sync::Arc;

use super::box_rows::{BoxFace, draw_box_face, mark_name, marker_slot};
use crate::sheet::layout::box_layout::GROUP_SIZE;
use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::largest_size::largest_size;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Mark, MarkKind, Rect};
use moldloft_rules::evaluate::BoxShape;

#[derive(Clone, Debug)]
pub struct LabelledBox {
    /// Mark without its number.
    pub stem: Arc<str>,
    pub n: u32,
    /// The fit it shows.
    pub fit: Option<u32>,
    pub shape: BoxShape,
    pub face: BoxFace,
}

/// A named row of boxes of different widths.
#[derive(Clone, Debug)]
pub struct BoxStrip {
    /// At the left.
    pub label: Arc<str>,
    /// Aligned in columns with those of the other rows.
    pub segments: Vec<Vec<LabelledBox>>,
}

/// Rows of boxes of different widths, aligned in columns.
#[derive(Clone, Debug)]
pub struct BoxStrips {
    pub rows: Vec<BoxStrip>,
    /// Preferred height of a box, mm before large print.
    pub preferred_height: f32,
    /// Width of a marker that is put on the boxes, mm; 0 without.
    pub marker: f32,
    /// Width kept for the names, mm before large print, so that several blocks line up.
    pub name_width: f32,
}

/// Segments of at most two groups are parted only between groups.
const GROUP: usize = GROUP_SIZE as usize;
/// Between the lines of a row, and between rows of one line each; between rows where one takes several lines, mm.
const LINE_GAP: f32 = 0.7;
const WRAPPED_ROW_GAP: f32 = 2.0;
/// Between segments, mm.
const SEGMENT_GAP: f32 = 1.6;

impl BoxStrips {
    /// Rows with words and figures aligned in columns: a segment is split where boxes of words and boxes of figures
    /// meet, so that the words after them line up however many figures a row has.
    pub fn aligned(rows: Vec<BoxStrip>, most: f32) -> Self {
        let segments = rows.iter().map(|row| row.segments.len()).max().unwrap_or(0);
        let mut parted: Vec<BoxStrip> =
            rows.iter().map(|row| BoxStrip { label: row.label.clone(), segments: Vec::new() }).collect();
        for s in 0..segments {
            let runs: Vec<Vec<Vec<LabelledBox>>> =
                rows.iter().map(|row| split_words_and_figures(row.segments.get(s))).collect();
            let most = runs.iter().map(Vec::len).max().unwrap_or(0);
            for (strip, mut runs) in parted.iter_mut().zip(runs) {
                runs.resize(most, Vec::new());
                strip.segments.extend(runs);
            }
        }
        Self { rows: parted, preferred_height: most, marker: 0.0, name_width: 0.0 }
    }

    /// The smallest height of a box, mm.
    fn least_height(&self, styles: &TextStyles) -> f32 {
        styles.minimums.tick_box.max(marker_slot(self.marker))
    }

    /// Widths of every segment's columns, mm.
    fn column_widths(&self, side: f32, styles: &TextStyles) -> Vec<Vec<f32>> {
        let segments = self.rows.iter().map(|row| row.segments.len()).max().unwrap_or(0);
        (0..segments)
            .map(|s| {
                let cells = self.rows.iter().filter_map(|row| row.segments.get(s)).map(Vec::len).max().unwrap_or(0);
                (0..cells)
                    .map(|c| {
                        let entries = self.rows.iter().filter_map(|row| row.segments.get(s)?.get(c));
                        entries.map(|entry| box_width(entry, side, styles)).fold(side, f32::max)
                    })
                    .collect()
            })
            .collect()
    }

    /// Heights of all rows and of the first, at one size, mm.
    fn heights(&self, width: f32, side: f32, styles: &TextStyles) -> (f32, f32) {
        let columns = self.column_widths(side, styles);
        let room = width - self.label_width(styles);
        let height = |row: &BoxStrip| row_height(self.line_count(row, &columns, room), side);
        let between = self.row_gap(&columns, room) * self.rows.len().saturating_sub(1) as f32;
        (self.rows.iter().map(height).sum::<f32>() + between, self.rows.first().map_or(side, height))
    }

    /// Lines of a row.
    fn line_count(&self, row: &BoxStrip, columns: &[Vec<f32>], room: f32) -> usize {
        self.wrap_row(row, columns, room).last().map_or(1, |place| place.3 + 1)
    }

    /// Rows are further apart than the lines of one, so that a player sees which lines are a row.
    fn row_gap(&self, columns: &[Vec<f32>], room: f32) -> f32 {
        let wraps = self.rows.len() > 1 && self.rows.iter().any(|row| self.line_count(row, columns, room) > 1);
        if wraps { WRAPPED_ROW_GAP } else { LINE_GAP }
    }

    fn label_width(&self, styles: &TextStyles) -> f32 {
        let widest = self.rows.iter().map(|row| styles.body.width(&row.label)).fold(0.0, f32::max);
        (widest + 3.0).max(self.name_width * styles.minimums.scale)
    }

    /// Lines that a row's boxes take in this width: more than one where the room is too narrow.
    fn wrap_row(&self, row: &BoxStrip, columns: &[Vec<f32>], room: f32) -> Vec<(usize, usize, f32, usize)> {
        let (mut x, mut line) = (0.0_f32, 0);
        let all: f32 =
            columns.iter().map(|column| column.iter().map(|width| width + 0.5).sum::<f32>() + SEGMENT_GAP).sum();
        let lined_up = all - SEGMENT_GAP - 0.5 <= room;
        let mut places = Vec::new();
        for (s, segment) in row.segments.iter().enumerate() {
            let widths = &columns[s][..segment.len()];
            let group = if segment.len() <= 2 * GROUP { GROUP } else { 1 };
            for (c, &width) in widths.iter().enumerate() {
                let whole = widths[c..].iter().take(group).map(|width| width + 0.5).sum::<f32>() - 0.5;
                let kept = if c % group == 0 && whole <= room { whole } else { width };
                if x > 0.0 && x + kept > room + 0.01 {
                    (x, line) = (0.0, line + 1);
                }
                places.push((s, c, x, line));
                x += width + 0.5;
            }
            // The room left by a shorter segment stays empty, so that the next lines up, if there is enough width.
            let left = columns[s].iter().skip(segment.len()).map(|width| width + 0.5).sum::<f32>();
            x += if lined_up { left } else { 0.0 }
                + if columns[s].is_empty() || segment.is_empty() && !lined_up { 0.0 } else { SEGMENT_GAP };
        }
        places
    }
}

/// The height of a row with this many lines, mm.
fn row_height(lines: usize, side: f32) -> f32 {
    lines as f32 * (side + LINE_GAP) - LINE_GAP
}

/// Boxes with words and boxes with figures, split where they meet.
fn split_words_and_figures(segment: Option<&Vec<LabelledBox>>) -> Vec<Vec<LabelledBox>> {
    let wordy =
        |entry: &LabelledBox| matches!(&entry.face, BoxFace::Value(words) if words.chars().any(char::is_alphabetic));
    let segment = segment.map_or(&[][..], Vec::as_slice);
    segment.chunk_by(|a, b| wordy(a) == wordy(b)).map(<[LabelledBox]>::to_vec).collect()
}

fn box_width(entry: &LabelledBox, side: f32, styles: &TextStyles) -> f32 {
    match &entry.face {
        BoxFace::Value(words) => {
            let style = styles.value;
            (style.width(words) / style.size.mm() * styles.minimums.smallest_named(TextRole::Play).mm() + 1.6).max(side)
        }
        BoxFace::Letters(words) => {
            let style = styles.label;
            (style.width(words) / style.size.mm() * styles.minimums.smallest_named(TextRole::Play).mm() + 3.0).max(side)
        }
        _ => side,
    }
}

impl Flowable for BoxStrips {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let (least, start) = self.heights(width, self.least_height(styles), styles);
        let most = (self.preferred_height.max(3.0) * styles.minimums.scale).max(self.least_height(styles));
        let (natural, _) = self.heights(width, most, styles);
        let hint = SizeHint { min_start: start, min: least, natural: natural.max(least), max: natural.max(least) };
        // Clear of what is below.
        hint.plus(LINE_GAP)
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let least = self.least_height(&styles);
        let most = (self.preferred_height.max(3.0) * styles.minimums.scale).max(least);
        // Rows of words and figures need no finer steps.
        let fits = |&side: &f32| self.heights(rect.w, side, &styles).0 <= rect.h + 0.01;
        let side = largest_size(least, most, (most - least) / 12.0, |side| Some(side).filter(fits)).unwrap_or(least);
        let columns = self.column_widths(side, &styles);
        let label = self.label_width(&styles);
        let gap = self.row_gap(&columns, rect.w - label);
        let mut y = rect.y;
        let mut done = 0;
        for row in &self.rows {
            let places = self.wrap_row(row, &columns, rect.w - label);
            let height = row_height(places.last().map_or(1, |place| place.3 + 1), side);
            if y + height > rect.bottom() + 0.01 {
                break;
            }
            pen.text(&row.label, styles.body, rect.x, y + side / 2.0 + styles.body.cap_height() / 2.0, Anchor::Start);
            for (s, c, x, line) in places {
                let entry = &row.segments[s][c];
                let area = Rect::new(rect.x + label + x, y + line as f32 * (side + LINE_GAP), columns[s][c], side);
                let mark = Mark::new(mark_name(&entry.stem, entry.n), MarkKind::Tick, entry.fit);
                draw_box_face(&entry.face, entry.shape, area, mark, pen);
            }
            y += height + gap;
            done += 1;
        }
        if done == self.rows.len() {
            return None;
        }
        self.rows.drain(..done);
        Some(self)
    }

    // A row that no page holds gets smaller boxes.
    fn allow_split(&mut self) -> bool {
        std::mem::take(&mut self.marker) > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(words: &[&str]) -> BoxStrip {
        let entry = |(n, words): (usize, &&str)| LabelledBox {
            stem: "status".into(),
            n: n as u32 + 1,
            fit: None,
            shape: BoxShape::Square,
            face: BoxFace::Value((*words).into()),
        };
        BoxStrip { label: "front".into(), segments: vec![words.iter().enumerate().map(entry).collect()] }
    }

    #[test]
    fn words_after_figures_stand_under_one_another_where_there_is_room() {
        let rows = vec![strip(&["ready", "1", "recover"]), strip(&["ready", "1", "2", "3", "recover"])];
        let strips = BoxStrips::aligned(rows, 4.0);
        assert_eq!(strips.rows[0].segments.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1, 1]);
        assert_eq!(strips.rows[1].segments.iter().map(Vec::len).collect::<Vec<_>>(), [1, 3, 1]);
        let columns = vec![vec![9.0], vec![4.0; 3], vec![11.0]];
        let last = |row: usize, room: f32| *strips.wrap_row(&strips.rows[row], &columns, room).last().unwrap();
        assert_eq!(last(0, 60.0).2, last(1, 60.0).2, "recover under recover");
        // With less room each row is as short as possible.
        assert!(last(0, 30.0).2 < last(1, 60.0).2 && last(0, 30.0).3 == 0);
    }

    #[test]
    fn the_few_boxes_of_a_track_stay_together() {
        let entry = |words: &[&str]| strip(words).segments.remove(0);
        let row = BoxStrip {
            segments: vec![
                entry(&["ready"]),
                entry(&["1", "2", "3", "4", "5"]),
                entry(&["recover"]),
                entry(&["1", "2"]),
            ],
            ..strip(&[])
        };
        let strips = BoxStrips::aligned(vec![row], 4.0);
        let columns = vec![vec![9.0], vec![4.0; 5], vec![11.0], vec![4.0; 2]];
        let lines = |room: f32| -> Vec<usize> {
            strips.wrap_row(&strips.rows[0], &columns, room).iter().map(|place| place.3).collect()
        };
        assert_eq!(lines(60.0), [0; 9]);
        // There is room for one of the last two on the first line.
        assert_eq!(lines(53.0), [0, 0, 0, 0, 0, 0, 0, 1, 1]);
        let figures = entry(&["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
        let strips =
            BoxStrips::aligned(vec![BoxStrip { segments: vec![entry(&["ready"]), figures], ..strip(&[]) }], 4.0);
        let places = strips.wrap_row(&strips.rows[0], &[vec![9.0], vec![4.0; 9]], 50.0);
        assert_eq!(
            places.iter().map(|place| place.3).collect::<Vec<_>>(),
            [0, 0, 0, 0, 0, 0, 1, 1, 1, 1],
            "not 9 alone"
        );
    }

    #[test]
    fn the_lines_of_a_row_are_nearer_to_one_another_than_to_the_next_row() {
        let styles = TextStyles::new(crate::sheet::layout::minimum_sizes::MinimumSizes::default());
        let tops = |width: f32| -> Vec<f32> {
            let long = strip(&["1", "2", "3", "4", "5", "6", "7", "8"]);
            let strips = BoxStrips::aligned(vec![long.clone(), long], 4.0);
            let mut pen = SheetPen::new(styles, (0.0, 0.0));
            assert!(Box::new(strips).draw(Rect::new(0.0, 0.0, width, 100.0), &mut pen).is_none());
            let boxes = pen.items.iter().filter_map(|item| match &item.shape {
                moldloft_drawing::scene::Shape::Rect { rect, .. } => Some(rect.y),
                _ => None,
            });
            let mut tops: Vec<f32> = boxes.collect();
            tops.dedup_by(|a, b| (*a - *b).abs() < 0.01);
            tops
        };
        let wrapped = tops(35.0);
        let [first, second, next, ..] = wrapped[..] else { panic!("two lines a row: {wrapped:?}") };
        assert!(next - second > (second - first) + 1.0, "{wrapped:?}");
        let plain = tops(100.0);
        assert!(plain.len() == 2 && plain[1] - plain[0] < 5.0, "{plain:?}");
    }

    #[test]
    fn boxes_hold_the_marker_that_is_put_on_them() {
        let styles = TextStyles::new(crate::sheet::layout::minimum_sizes::MinimumSizes::default());
        let strips = |marker: f32| BoxStrips { marker, ..BoxStrips::aligned(vec![strip(&["ready", "1"])], 4.0) };
        assert!(strips(0.0).measure(60.0, &styles).min < 4.0);
        assert!(strips(7.0).measure(60.0, &styles).min > 7.0);
        // Only what no page holds has smaller ones.
        let mut whole = strips(7.0);
        assert!(whole.allow_split() && !whole.allow_split());
        assert!(whole.measure(60.0, &styles).min < 4.0);
    }
}
