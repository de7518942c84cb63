//! A roster of ships: takes columns and lines, sets them in aligned columns with thin rules, group headings with their
//! sums, and notes below their ships. Returns the lines that do not fit; column headings and the group's name are
//! repeated above them.

use std::cell;
use std::sync::Arc;

use super::stretched_art::{ArtFit, ArtLook, StretchCache, StretchedArt};
use super::table_columns::{longest_word_width, widen_to_least, width_limit};
use crate::sheet::layout::flowable::{Flowable, MORE_THAN_PAPER_HEIGHT, SizeHint};
use crate::sheet::layout::minimum_sizes::{INK, LINE_WIDTH, QUIET_INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextStyle, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{Drawing, Paint, Rect};

#[derive(Clone, Debug)]
pub struct RosterColumn {
    /// The column's heading.
    pub heading: Arc<str>,
    /// Right-aligned, for figures.
    pub align_right: bool,
    /// Bold.
    pub strong: bool,
    /// Its share of the width that is left over.
    pub spare_share: f32,
}

/// A cell's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RosterCell(pub String);

/// A line of the roster.
#[derive(Clone, Debug)]
pub enum RosterLine {
    /// A group's name, a quiet note, its sum.
    Heading {
        title: String,
        /// After the title, quiet.
        note: String,
        /// At the right.
        sum: String,
    },
    /// A ship, with one cell per column.
    Row {
        cells: Vec<RosterCell>,
        /// Indented, since it belongs to the line before.
        indented: bool,
        /// Its silhouette, before the cells where there is room.
        picture: Option<Arc<Drawing>>,
    },
    /// Text below a ship.
    Note(RosterNote),
    /// The sum of all, at the end.
    Total { words: String, sum: String },
}

/// Text below a ship with its height cached, since that is needed several times per page.
#[derive(Clone, Debug)]
pub struct RosterNote {
    words: String,
    /// Width, text size and height, mm.
    height: cell::Cell<Option<(f32, f32, f32)>>,
}

impl RosterNote {
    /// Not measured yet.
    pub fn new(words: String) -> Self {
        Self { words, height: cell::Cell::new(None) }
    }

    fn measure_height(&self, width: f32, style: TextStyle) -> f32 {
        let size = style.size.mm();
        if let Some((_, _, height)) = self.height.get().filter(|known| (known.0, known.1) == (width, size)) {
            return height;
        }
        let height = style.wrap(&self.words, width).len() as f32 * style.line_height() + 0.9;
        self.height.set(Some((width, size, height)));
        height
    }
}

#[derive(Clone, Debug, Default)]
pub struct RosterTable {
    pub columns: Vec<RosterColumn>,
    pub lines: Vec<RosterLine>,
    /// The group continued from another page.
    pub continued_group: Option<String>,
    /// The preferred widths of the columns, mm, once computed: the same on every page.
    pub preferred_widths: Option<Vec<f32>>,
    pub stretched: Arc<StretchCache>,
    /// What a ship does to its enemies, which a page notes.
    pub is_odds: bool,
}

/// Of pictures, with the gap after them, mm.
const PICTURE_WIDTH: f32 = 14.0;
/// Of a picture's lines, mm.
const PICTURE_LINE: f32 = 0.18;

/// Between columns, mm.
const GAP: f32 = 3.2;
/// Indent of a towed ship, mm.
const INDENT: f32 = 3.4;
/// Above and below the text of a line together, mm.
const LINE_PADDING: f32 = 1.5;

impl RosterTable {
    /// Removes columns that are empty in every line.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Self {
        let has_text = |c: usize| {
            self.lines.iter().any(|line| match line {
                RosterLine::Row { cells, .. } => cells.get(c).is_some_and(|cell| !cell.0.trim().is_empty()),
                _ => false,
            })
        };
        let keep: Vec<bool> = (0..self.columns.len()).map(has_text).collect();
        let mut kept = keep.iter();
        self.columns.retain(|_| kept.next().copied().unwrap_or(true));
        for line in &mut self.lines {
            if let RosterLine::Row { cells, .. } = line {
                let mut kept = keep.iter();
                cells.retain(|_| kept.next().copied().unwrap_or(true));
            }
        }
        self
    }

    fn column_style(column: &RosterColumn, styles: &TextStyles) -> TextStyle {
        if column.strong { styles.body.with_face(FontFace::SemiBold) } else { styles.body }
    }

    /// The widths at which no word of a column is broken, mm.
    fn longest_words(&self, styles: &TextStyles) -> Vec<f32> {
        let longest = |(c, column): (usize, &RosterColumn)| {
            let style = Self::column_style(column, styles);
            let cells = self.lines.iter().filter_map(|line| match line {
                RosterLine::Row { cells, indented, .. } => {
                    cells.get(c).map(|cell| longest_word_width(&cell.0, &style) + cell_indent(cells, *indented, c))
                }
                _ => None,
            });
            cells.fold(styles.label.width(&column.heading), f32::max) + 0.2
        };
        self.columns.iter().enumerate().map(longest).collect()
    }

    /// The widths at which no text of a column needs another line, mm.
    fn natural_widths(&self, styles: &TextStyles) -> Vec<f32> {
        let natural = |(c, column): (usize, &RosterColumn)| {
            let style = Self::column_style(column, styles);
            let cells = self.lines.iter().filter_map(|line| match line {
                RosterLine::Row { cells, indented, .. } => {
                    cells.get(c).map(|cell| style.width(&cell.0) + cell_indent(cells, *indented, c))
                }
                _ => None,
            });
            cells.fold(styles.label.width(&column.heading), f32::max) + 0.2
        };
        self.columns.iter().enumerate().map(natural).collect()
    }

    /// Left edges and widths of the columns, mm.
    fn column_positions(&self, width: f32, styles: &TextStyles) -> Vec<(f32, f32)> {
        let wanted = self.preferred_widths.clone().unwrap_or_else(|| self.natural_widths(styles));
        let room = width - GAP * self.columns.len().saturating_sub(1) as f32;
        let sum: f32 = wanted.iter().sum();
        let has_picture = |line: &RosterLine| matches!(line, RosterLine::Row { picture: Some(_), .. });
        let before = PICTURE_WIDTH * styles.minimums.scale;
        let before = if sum + before <= room && self.lines.iter().any(has_picture) { before } else { 0.0 };
        let room = room - before;
        let widths: Vec<f32> = if sum <= room {
            let parts: f32 = self.columns.iter().map(|column| column.spare_share).sum();
            let more = (room - sum) / parts.max(0.01);
            wanted.iter().zip(&self.columns).map(|(wanted, column)| wanted + column.spare_share * more).collect()
        } else {
            // Figures keep their width, and so do names within a third of the room; the widest other columns of words are
            // narrowed.
            let sum_of = |keeps: &dyn Fn(&RosterColumn) -> bool| -> f32 {
                wanted.iter().zip(&self.columns).filter(|(_, column)| keeps(column)).map(|(w, _)| w).sum()
            };
            let names_keep = sum_of(&|column| column.strong && !column.align_right) <= room / 3.0;
            let keeps = |column: &RosterColumn| column.align_right || column.strong && names_keep;
            let fixed = sum_of(&keeps);
            let columns = || wanted.iter().zip(&self.columns);
            let words: Vec<f32> = columns().filter(|(_, column)| !keeps(column)).map(|(w, _)| *w).collect();
            let cap = width_limit(&words, (room - fixed).max(room * 0.4));
            let mut widths: Vec<f32> =
                columns().map(|(wanted, column)| if keeps(column) { *wanted } else { wanted.min(cap) }).collect();
            // Columns without long words are narrowed before a word is broken.
            let chosen: Vec<usize> = (0..widths.len()).filter(|&c| !keeps(&self.columns[c])).collect();
            widen_to_least(&mut widths, &self.longest_words(styles), &chosen, width);
            widths
        };
        let mut x = before;
        widths
            .into_iter()
            .map(|width| {
                let place = (x, width);
                x += width + GAP;
                place
            })
            .collect()
    }

    fn heading_height(&self, styles: &TextStyles) -> f32 {
        styles.label.line_height() + 0.9
    }

    fn line_height(&self, line: &RosterLine, columns: &[(f32, f32)], width: f32, styles: &TextStyles) -> f32 {
        let lines =
            |n: usize, style: TextStyle| n.max(1) as f32 * style.line_height() + LINE_PADDING * styles.minimums.scale;
        match line {
            RosterLine::Heading { title, .. } => {
                let style = heading_style(styles);
                lines(style.wrap(title, width * 0.62).len(), style) + 1.6
            }
            RosterLine::Row { cells, indented, .. } => {
                let many = cells.iter().enumerate().zip(columns).map(|((c, cell), (_, width))| {
                    Self::column_style(&self.columns[c], styles)
                        .wrap(&cell.0, width - cell_indent(cells, *indented, c))
                        .len()
                });
                lines(many.max().unwrap_or(1), styles.body)
            }
            RosterLine::Note(own) => own.measure_height(width - INDENT, note_style(styles)),
            RosterLine::Total { .. } => lines(1, styles.value) + 0.6,
        }
    }

    /// The number of lines not to be separated from the one at an index: a heading with its first ship, a ship with its
    /// note.
    fn lines_kept_together(&self, at: usize) -> usize {
        let mut end = at + 1;
        if matches!(self.lines[at], RosterLine::Heading { .. }) && end < self.lines.len() {
            end += 1;
        }
        if matches!(self.lines.get(end), Some(RosterLine::Note(_)))
            && !matches!(self.lines[end - 1], RosterLine::Note(_))
        {
            end += 1;
        }
        end - at
    }

    fn draw_line(&self, line: &RosterLine, columns: &[(f32, f32)], area: Rect, last: bool, pen: &mut SheetPen) {
        let styles = pen.styles;
        let top = area.y + LINE_PADDING * styles.minimums.scale / 2.0;
        match line {
            RosterLine::Heading { title, note: words, sum } => {
                let style = heading_style(&styles);
                let baseline = area.y + 1.6 + LINE_PADDING * styles.minimums.scale / 2.0 + style.size.mm() * 0.9;
                let lines = style.wrap(title, area.w * 0.62);
                let mut used = 0.0;
                for (n, words) in lines.iter().enumerate() {
                    used = pen.text(words, style, area.x, baseline + n as f32 * style.line_height(), Anchor::Start);
                }
                let bottom = baseline + lines.len().saturating_sub(1) as f32 * style.line_height();
                let room = area.w - used - 20.0 * styles.minimums.scale;
                pen.text(&styles.note.truncate(words, room), styles.note, area.x + used + 2.4, bottom, Anchor::Start);
                pen.text(sum, styles.body.with_paint(QUIET_INK), area.right(), bottom, Anchor::End);
                pen.rule(area.x, area.bottom(), area.w, LINE_WIDTH, INK);
            }
            RosterLine::Row { cells, indented, picture } => {
                let before = columns.first().map_or(0.0, |(x, _)| *x);
                if let Some(drawing) = picture.clone().filter(|_| before > 0.0) {
                    let look = ArtLook { fit: ArtFit::Contain, line: Some(PICTURE_LINE), ..ArtLook::default() };
                    let art = Box::new(StretchedArt { drawing, look, cache: Arc::clone(&self.stretched), rows: None });
                    art.draw(Rect::new(area.x, area.y + 0.4, before - GAP, area.h - 0.8), pen);
                }
                for (c, (cell, (x, width))) in cells.iter().zip(columns).enumerate() {
                    let column = &self.columns[c];
                    let mut style = Self::column_style(column, &styles);
                    if *indented && column.strong && !column.align_right {
                        style = style.with_face(FontFace::Regular);
                    }
                    let inset = cell_indent(cells, *indented, c);
                    for (n, words) in style.wrap(&cell.0, width - inset).iter().enumerate() {
                        let y = top + style.size.mm() * 0.95 + n as f32 * style.line_height();
                        let (at, anchor) =
                            if column.align_right { (x + width, Anchor::End) } else { (x + inset, Anchor::Start) };
                        pen.text(words, style, area.x + at, y, anchor);
                    }
                }
                if !last {
                    pen.rule(area.x, area.bottom(), area.w, THIN_LINE, RULE_INK);
                }
            }
            RosterLine::Note(own) => {
                let style = note_style(&styles);
                for (n, words) in style.wrap(&own.words, area.w - INDENT).iter().enumerate() {
                    let y = area.y + 0.3 + style.size.mm() * 0.9 + n as f32 * style.line_height();
                    pen.text(words, style, area.x + INDENT, y, Anchor::Start);
                }
                if !last {
                    pen.rule(area.x, area.bottom(), area.w, THIN_LINE, RULE_INK);
                }
            }
            RosterLine::Total { words, sum } => {
                pen.rule(area.x, area.y + 0.3, area.w, LINE_WIDTH * 1.4, INK);
                let y = top + 0.6 + styles.value.size.mm() * 0.95;
                pen.text(words, styles.body, area.x, y, Anchor::Start);
                pen.text(sum, styles.value, area.right(), y, Anchor::End);
            }
        }
    }
}

/// The indent of a cell: that of the first non-empty one of a ship that belongs to the one before.
fn cell_indent(cells: &[RosterCell], indented: bool, column: usize) -> f32 {
    let first = cells.iter().position(|cell| !cell.0.is_empty());
    if indented && first == Some(column) { INDENT } else { 0.0 }
}

fn heading_style(styles: &TextStyles) -> TextStyle {
    styles.value
}

fn note_style(styles: &TextStyles) -> TextStyle {
    styles.label.with_paint(Paint::grey(80))
}

impl Flowable for RosterTable {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let columns = self.column_positions(width, styles);
        let head =
            self.heading_height(styles) + if self.continued_group.is_some() { styles.note.line_height() } else { 0.0 };
        let height = |line| self.line_height(line, &columns, width, styles);
        let first: f32 = if self.lines.is_empty() {
            0.0
        } else {
            self.lines[..self.lines_kept_together(0)].iter().map(height).sum()
        };
        // Beyond the height of any page the exact value does not matter: a long roster is not measured in full for each
        // of its pages.
        let mut all = 0.0;
        for line in &self.lines {
            all += height(line);
            if all > MORE_THAN_PAPER_HEIGHT {
                break;
            }
        }
        SizeHint { min_start: head + first, ..SizeHint::fixed(head + all) }
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        pen.shows_odds |= self.is_odds;
        let styles = pen.styles;
        let columns = self.column_positions(rect.w, &styles);
        let mut y = rect.y;
        if let Some(group) = &self.continued_group {
            let words = format!("{group} · continued");
            pen.text(
                &styles.note.truncate(&words, rect.w),
                styles.note,
                rect.x,
                y + styles.note.size.mm() * 0.9,
                Anchor::Start,
            );
            y += styles.note.line_height();
        }
        for (column, (x, width)) in self.columns.iter().zip(&columns) {
            let (at, anchor) = if column.align_right { (x + width, Anchor::End) } else { (*x, Anchor::Start) };
            let head = styles.label.truncate(&column.heading, *width + GAP * 0.5);
            pen.text(&head, styles.label, rect.x + at, y + styles.label.size.mm() * 0.95, anchor);
        }
        y += self.heading_height(&styles);
        pen.rule(rect.x, y, rect.w, THIN_LINE, RULE_INK);
        let mut done = 0;
        while done < self.lines.len() {
            let many = self.lines_kept_together(done).min(self.lines.len() - done);
            let heights: Vec<f32> = self.lines[done..done + many]
                .iter()
                .map(|line| self.line_height(line, &columns, rect.w, &styles))
                .collect();
            let block: f32 = heights.iter().sum();
            // A line higher than a whole page is still drawn, at the start of a page: nothing is left out.
            if y + block > rect.bottom() + 0.05 && !(done == 0 && block > rect.h) {
                break;
            }
            for (n, (line, &height)) in self.lines[done..].iter().zip(&heights).enumerate() {
                let next = self.lines.get(done + n + 1);
                let last = matches!(
                    next,
                    None | Some(RosterLine::Heading { .. } | RosterLine::Total { .. } | RosterLine::Note(_))
                );
                self.draw_line(line, &columns, Rect::new(rect.x, y, rect.w, height), last, pen);
                y += height;
            }
            done += many;
        }
        if done >= self.lines.len() {
            return None;
        }
        let before = self.lines[..done].iter().rev().find_map(|line| match line {
            RosterLine::Heading { title, .. } => Some(title.clone()),
            _ => None,
        });
        let inside = !matches!(self.lines[done], RosterLine::Heading { .. } | RosterLine::Total { .. });
        self.continued_group = before.or(self.continued_group.take()).filter(|_| inside);
        if self.preferred_widths.is_none() {
            self.preferred_widths = Some(self.natural_widths(&styles));
        }
        self.lines.drain(..done);
        Some(self)
    }
}
