//! Boxes with labels: takes boxes with a name beside each and sets them in columns, or rows of boxes of different
//! widths one under another, the body of tracks that belong to the same thing. Returns the entries and rows that do not
//! fit.

use std::sync::Arc;

use super::box_rows::{BoxFace, draw_box_face, mark_name, marker_slot};
use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
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
    pub label: Arc<str>,
}

/// The usual side of a box beside its name, mm before large print.
const USUAL_SIDE: f32 = 4.2;
/// Number of sizes tried between a larger one and the usual.
const SIZE_STEPS: usize = 8;

/// Boxes with names, in reading order.
#[derive(Clone, Debug)]
pub struct LabelledBoxes {
    pub boxes: Vec<LabelledBox>,
    /// Preferred side, mm before large print.
    pub preferred_side: f32,
    /// At most this many columns; 0 for as many as fit.
    pub max_columns: usize,
    /// Lines share the height, so that art beside them is at one height with each.
    pub spreads: bool,
}

impl LabelledBoxes {
    /// Number of columns, and their width.
    fn column_layout(&self, width: f32, side: f32, style: TextStyle) -> (usize, f32) {
        let widest = self.boxes.iter().map(|entry| style.width(&entry.label)).fold(0.0, f32::max);
        let entry = side + 1.2 + widest;
        let fit = ((width + 2.0) / (entry + 2.0)).floor().max(1.0) as usize;
        let limit = if self.max_columns > 0 { self.max_columns } else { usize::MAX };
        let columns = fit.min(limit).clamp(1, self.boxes.len().max(1));
        // As even as possible: five entries in room for four become three and two.
        let columns = self.boxes.len().div_ceil(self.boxes.len().div_ceil(columns).max(1)).max(1);
        // But pairs are not torn: what follows a track of four begins a line.
        let runs: Vec<usize> = self.boxes.chunk_by(|a, b| a.stem == b.stem).map(<[LabelledBox]>::len).collect();
        let holds_runs = |columns: &usize| runs.iter().rev().skip(1).all(|run| run % columns == 0);
        let whole = (2..=columns).rev().find(holds_runs).filter(|_| columns < self.boxes.len());
        let columns = whole.unwrap_or(columns);
        (columns, (width / columns as f32).min(entry + 9.0))
    }

    /// The height of a line, and of all.
    fn heights(&self, width: f32, side: f32, style: TextStyle) -> (f32, f32) {
        let (columns, column) = self.column_layout(width, side, style);
        let lines = self.boxes.iter().map(|entry| style.wrap(&entry.label, column - side - 1.2).len()).max();
        let line = (side + 0.8).max(lines.unwrap_or(1) as f32 * style.line_height());
        (line, self.boxes.len().div_ceil(columns) as f32 * line)
    }

    /// The side of a box and the style of the names: as preferred, or smaller where there is no room, names last.
    fn sizes(&self, rect: Rect, styles: &TextStyles) -> (f32, TextStyle) {
        let preferred = self.preferred_side.max(3.0) * styles.minimums.scale;
        let small = TextStyle { size: styles.minimums.smallest_named(TextRole::Label), ..styles.body };
        let tick = styles.minimums.tick_box;
        let fits = |&(side, style): &(f32, TextStyle)| self.heights(rect.w, side, style).1 <= rect.h + 0.01;
        // A large requested size is reduced in steps.
        let usual = USUAL_SIDE * styles.minimums.scale;
        let between = (1..SIZE_STEPS).map(|n| preferred - (preferred - usual) * n as f32 / SIZE_STEPS as f32);
        let between = between.filter(|side| *side > usual).map(|side| (side, styles.body));
        let ways = [(tick, styles.body), (tick, small)];
        std::iter::once((preferred, styles.body)).chain(between).chain(ways).find(fits).unwrap_or((tick, styles.body))
    }
}

impl Flowable for LabelledBoxes {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let (line, least) = self.heights(width, styles.minimums.tick_box, styles.body);
        let (_, natural) = self.heights(width, self.preferred_side.max(3.0) * styles.minimums.scale, styles.body);
        SizeHint { min_start: line, min: least, natural: natural.max(least), max: natural.max(least) }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let (side, style) = self.sizes(rect, &styles);
        let (columns, column) = self.column_layout(rect.w, side, style);
        let (least, _) = self.heights(rect.w, side, style);
        let lines = self.boxes.len().div_ceil(columns).max(1) as f32;
        let line = if self.spreads { least.max(rect.h / lines) } else { least };
        let fits = ((rect.h + 0.01) / line).floor().max(0.0) as usize * columns;
        for (i, entry) in self.boxes.iter().take(fits).enumerate() {
            let x = rect.x + (i % columns) as f32 * column;
            let y = rect.y + (i / columns) as f32 * line + if self.spreads { (line - side) / 2.0 } else { 0.0 };
            let mark = Mark::new(mark_name(&entry.stem, entry.n), MarkKind::Tick, entry.fit);
            draw_box_face(&entry.face, entry.shape, Rect::new(x, y, side, side), mark, pen);
            let words = style.wrap(&entry.label, column - side - 1.2);
            let top = y + side / 2.0 + style.cap_height() / 2.0
                - (words.len().saturating_sub(1)) as f32 * style.line_height() / 2.0;
            for (n, words) in words.iter().enumerate() {
                pen.text(words, style, x + side + 1.2, top + n as f32 * style.line_height(), Anchor::Start);
            }
        }
        if fits >= self.boxes.len() {
            return None;
        }
        Some(Box::new(Self { boxes: self.boxes[fits..].to_vec(), ..*self }))
    }
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

/// Segments of at most this many boxes are not parted.
const WHOLE_SEGMENT: usize = 5;
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
            let widths = columns[s].iter().take(segment.len());
            let whole: f32 = widths.clone().map(|width| width + 0.5).sum::<f32>() - 0.5;
            if x > 0.0 && segment.len() <= WHOLE_SEGMENT && whole <= room && x + whole > room + 0.01 {
                (x, line) = (0.0, line + 1);
            }
            for (c, &width) in widths.enumerate() {
                if x > 0.0 && x + width > room + 0.01 {
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
        // The largest of a few sizes: rows of words and figures need no finer steps.
        let side = (0..=12).map(|n| most - (most - least) * n as f32 / 12.0);
        let mut side = side.filter(|&side| self.heights(rect.w, side, &styles).0 <= rect.h + 0.01);
        let side = side.next().unwrap_or(least);
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
            label: "".into(),
        };
        BoxStrip { label: "front".into(), segments: vec![words.iter().enumerate().map(entry).collect()] }
    }

    #[test]
    fn what_follows_the_pairs_of_a_track_begins_a_line() {
        let entry = |stem: &str| LabelledBox {
            stem: stem.into(),
            n: 1,
            fit: None,
            shape: BoxShape::Square,
            face: BoxFace::Blank,
            label: "port, this turn".into(),
        };
        let boxes = ["down", "down", "down", "down", "generator"].map(entry).to_vec();
        let boxes = LabelledBoxes { boxes, preferred_side: 4.2, max_columns: 0, spreads: false };
        let styles = TextStyles::new(crate::sheet::layout::minimum_sizes::MinimumSizes::default());
        let columns = |width: f32| boxes.column_layout(width, 4.2, styles.body).0;
        assert_eq!((columns(90.0), columns(300.0)), (2, 5), "not three and two");
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
