//! The columns of tables: takes a table's cells and a width, gives the columns' widths: those with numbers only are even
//! and narrow, words share what is left. Splits tables that are too wide.

use super::table_group::{TableCell, TableGroup, TablePart, heading_number};
use super::table_headings::face_side;
use super::tick_lines::tick_positions;
use crate::sheet::layout::text_style::{TextStyle, TextStyles};

/// By how much columns of numbers may be narrower in a table that is split rather than cramped, mm.
const FOLDED_TIGHTER: f32 = 0.6;

/// What a sign after a number needs beside a narrow column, mm before large print.
const SIGN_ROOM: f32 = 1.2;

/// By how much a field to write in may be narrower than it is by itself, mm before large print.
const LEAST_FIELD_CUT: f32 = 3.5;

impl TableGroup {
    pub(super) fn column_widths(&self, part: &TablePart, width: f32, styles: &TextStyles) -> Vec<f32> {
        // A sign after the last number is within the table.
        let ends_with_sign = self.style.rerolled.iter().any(|head| Some(head) == part.headings.last());
        let width = if ends_with_sign { width - SIGN_ROOM * styles.minimums.scale } else { width };
        let count = part.headings.len().max(part.rows.iter().map(Vec::len).max().unwrap_or(0));
        let natural = |c: usize| {
            let heading = part.headings.get(c).map_or(0.0, |head| self.heading_style(c, styles).width(head));
            natural_column_width(part, c, heading, styles)
        };
        let mut widths: Vec<f32> = (0..count).map(natural).collect();
        // The first column is equally wide in every table here, so that numbers are aligned.
        let first = self
            .parts
            .iter()
            .map(|part| natural_column_width(part, 0, styles.label.width(part.heading_over(0)), styles))
            .fold(0.0, f32::max);
        if let Some(width) = widths.first_mut() {
            *width = first;
        }
        let kept = if self.min_folded_width.is_some() { kept_columns(part, count) } else { 1 };
        // What each of a table's folds repeats is as wide in all of them.
        for (c, width) in widths.iter_mut().enumerate().take(kept).skip(1) {
            let folds = self
                .parts
                .iter()
                .filter(|fold| fold.label == part.label && fold.headings.get(c) == part.headings.get(c));
            *width = folds
                .map(|fold| {
                    natural_column_width(fold, c, self.heading_style(c, styles).width(fold.heading_over(c)), styles)
                })
                .fold(*width, f32::max);
        }
        let numbers = |c: usize| c >= kept && !part.has_words(c);
        let mut step = self.number_column_width(styles);
        if self.min_folded_width.is_some() {
            step = (1..count).filter(|&c| numbers(c)).map(|c| widths[c] - FOLDED_TIGHTER).fold(step, f32::max);
        }
        // Fields to write in are narrowed before words are broken.
        let is_written = |c: usize| part.column(c).all(|cell| matches!(cell, TableCell::Write(_)));
        let own: Vec<f32> =
            (0..count)
                .map(|c| {
                    if c > 0 && is_written(c) { widths[c] - LEAST_FIELD_CUT * styles.minimums.scale } else { widths[c] }
                })
                .collect();
        // Folded columns share their width if they fit in that way.
        let words: f32 = (0..count).filter(|&c| !numbers(c)).map(|c| widths[c]).sum();
        let fits = words + step * (0..count).filter(|&c| numbers(c)).count() as f32 <= width + 0.01;
        let least = self.number_column_width(styles);
        for (_, each) in widths.iter_mut().enumerate().filter(|&(c, _)| numbers(c)) {
            *each = match (self.min_folded_width, fits) {
                (Some(_), true) => step,
                (Some(_), false) => (*each - FOLDED_TIGHTER).max(least),
                (None, _) => each.max(step),
            };
        }
        let wanted: f32 = widths.iter().sum();
        if wanted > width && self.min_folded_width.is_none() {
            // Columns of numbers give up their common width before words are broken.
            let spare: f32 = widths.iter().zip(&own).map(|(wide, own)| wide - own).sum();
            if spare > wanted - width {
                let share = (wanted - width) / spare;
                widths.iter_mut().zip(&own).for_each(|(wide, own)| *wide -= (*wide - own) * share);
            }
        }
        let sum: f32 = widths.iter().sum();
        if sum > width + 0.01 {
            self.narrow(&mut widths, part, &numbers, width, styles);
        } else if self.style.grid {
            let named = usize::from(heading_number(part, 0).is_none());
            share_evenly(&mut widths, named, width - sum);
        } else if self.is_chart && count > 1 {
            let more = (width - sum) / (count - 1) as f32;
            widths.iter_mut().skip(1).for_each(|width| *width += more);
        } else if count > 1 && (0..count).all(is_written) {
            widths.iter_mut().for_each(|each| *each += (width - sum) / count as f32);
        } else if let Some(last) = widths.last_mut()
            && (count == 1
                || !numbers(count - 1)
                || part.rows.iter().all(|row| matches!(row.last(), Some(TableCell::Write(_)))))
        {
            *last += width - sum;
        }
        widths
    }

    /// The least width of a column, mm: that of its longest word, or of the die over it.
    fn least_width(&self, part: &TablePart, c: usize, styles: &TextStyles) -> f32 {
        let cells = part.column(c).map(|cell| longest_word(cell, styles)).fold(0.0, f32::max) + 1.7;
        let heading = match self.style.is_face(part, c) {
            true => face_side(styles),
            false => longest_word_width(part.heading_over(c), &self.heading_style(c, styles)),
        };
        cells.max(heading + 1.0)
    }

    /// Narrows columns that are together wider than their table: numbers under headings that can be broken, where no
    /// words then need breaking, or where several columns of words would be broken, not the widest alone; then columns of
    /// words, the widest first, so that short words stay whole.
    fn narrow(
        &self,
        widths: &mut [f32],
        part: &TablePart,
        numbers: &impl Fn(usize) -> bool,
        width: f32,
        styles: &TextStyles,
    ) {
        let count = widths.len();
        let least: Vec<f32> = (0..count).map(|c| self.least_width(part, c, styles)).collect();
        let over = widths.iter().sum::<f32>() - width;
        let spare = |c: usize, wide: f32| if numbers(c) { (wide - least[c]).max(0.0) } else { 0.0 };
        let all: f32 = widths.iter().enumerate().map(|(c, wide)| spare(c, *wide)).sum();
        let words: Vec<usize> = (0..count).filter(|&c| !numbers(c)).collect();
        let wanted: Vec<f32> = words.iter().map(|&c| widths[c]).collect();
        let room = |widths: &[f32]| {
            let fixed: f32 = (0..count).filter(|&c| numbers(c)).map(|c| widths[c]).sum();
            (fixed, (width - fixed).max(width * 0.3))
        };
        let (mut fixed, mut left) = room(widths);
        let mut cap = width_limit(&wanted, left);
        let breaks_several = wanted.iter().filter(|&&wide| wide > cap).count() > 1;
        if self.min_folded_width.is_none() && (all > over || breaks_several && all > 0.0) {
            let share = (over / all).min(1.0);
            widths.iter_mut().enumerate().for_each(|(c, wide)| *wide -= spare(c, *wide) * share);
            if all > over {
                return;
            }
            (fixed, left) = room(widths);
            cap = width_limit(&wanted, left);
        }
        let over = fixed + left;
        for (c, w) in widths.iter_mut().enumerate() {
            if !numbers(c) {
                *w = w.min(cap);
            }
            *w *= (width / over).min(1.0);
        }
        // No word is broken while another column can be narrowed: first those of words, then those of numbers.
        widen_to_least(widths, &least, &words, width);
        widen_to_least(widths, &least, &(0..count).collect::<Vec<_>>(), width);
    }

    /// The width at which no words need another line, mm.
    pub(super) fn natural_width(&self, styles: &TextStyles) -> f32 {
        let width = |part: &TablePart| -> f32 {
            let count = part.headings.len();
            (0..count).map(|c| labelled_column_width(part, c, styles)).sum()
        };
        self.parts.iter().map(width).fold(0.0, f32::max)
    }

    /// Parts with columns that fit a width: those too wide are split after their first columns of words.
    pub(super) fn fold_columns(&self, width: f32, styles: &TextStyles) -> Vec<TablePart> {
        if self.min_folded_width.is_none() {
            return self.parts.clone();
        }
        let mut parts = Vec::new();
        for part in &self.parts {
            let count = part.headings.len();
            let kept = kept_columns(part, count);
            let step = self.number_column_width(styles);
            let wide = |c: usize| labelled_column_width(part, c, styles);
            let first: f32 = (0..kept).map(wide).sum::<f32>().min(width * 0.6);
            let each = (kept..count).map(|c| (wide(c) - FOLDED_TIGHTER).max(step));
            let all: f32 = each.clone().sum();
            let many = (((width - first) / each.fold(step, f32::max)).floor().max(1.0) as usize).max(1);
            if count - kept <= many || first + all <= width {
                parts.push(part.clone());
                continue;
            }
            let lines = (count - kept).div_ceil(many);
            let many = (count - kept).div_ceil(lines);
            for from in (kept..count).step_by(many) {
                let take = |cells: &[TableCell]| -> Vec<TableCell> {
                    let to = (from + many).min(cells.len());
                    cells.iter().take(kept).chain(cells.get(from..to).unwrap_or_default()).cloned().collect()
                };
                let to = (from + many).min(count);
                // A row that ends before is not repeated.
                let goes_on = |row: &&Vec<TableCell>| {
                    from == kept || row.iter().skip(from).take(many).any(|cell| !is_empty_cell(cell))
                };
                parts.push(TablePart {
                    label: part.label.clone(),
                    headings: part.headings[..kept].iter().chain(&part.headings[from..to]).cloned().collect(),
                    rows: part.rows.iter().filter(goes_on).map(|row| take(row)).collect(),
                    note: if to == count { part.note.clone() } else { "".into() },
                });
            }
        }
        parts
    }

    /// With columns folded for a width.
    pub(super) fn for_width(&self, width: f32, styles: &TextStyles) -> Self {
        Self {
            parts: self.fold_columns(width, styles),
            min_folded_width: self.min_folded_width,
            is_chart: self.is_chart,
            style: self.style.clone(),
        }
    }

    /// Number columns of all tables share a width, so that they line up.
    fn number_column_width(&self, styles: &TextStyles) -> f32 {
        let least = self.min_folded_width.map_or(8.0, |fold| fold * styles.minimums.scale);
        // Only their own headings count where columns are folded.
        let is_folded = self.min_folded_width.is_some();
        let heads = self.parts.iter().flat_map(|part| {
            let count = part.headings.len();
            let from = if is_folded { kept_columns(part, count) } else { 1 };
            let own = (from..count).filter(move |&c| !(is_folded && part.has_words(c)));
            own.map(|c| &part.headings[c])
        });
        let longest = heads
            .map(|head| self.heading_style(1, styles).width(head))
            .filter(|width| *width < 11.0 * styles.minimums.scale)
            .fold(0.0, f32::max);
        (longest + 1.2).max(least)
    }
}

/// The columns that every part of a folded table begins with: all up to the last one of words, if only numbers follow.
/// Words are broken where there is room for fewer letters; numbers between them, such as dice, are whole.
fn kept_columns(part: &TablePart, count: usize) -> usize {
    let last_words = (1..count).rfind(|&c| part.has_words(c)).unwrap_or(0);
    if last_words + 1 < count {
        return last_words + 1;
    }
    (0..count).take_while(|&c| c == 0 || part.has_words(c)).count()
}

fn is_empty_cell(cell: &TableCell) -> bool {
    matches!(cell, TableCell::Number(words) | TableCell::Words(words) | TableCell::QuietWords(words) if words.is_empty())
}

/// The width at which no cell of a column needs another line, mm.
fn natural_column_width(part: &TablePart, c: usize, heading: f32, styles: &TextStyles) -> f32 {
    part.column(c).map(|cell| cell_width(cell, styles)).fold(heading, f32::max) + 2.4
}

/// The same with a heading as small as a label.
fn labelled_column_width(part: &TablePart, c: usize, styles: &TextStyles) -> f32 {
    let heading = part.headings.get(c).map_or(0.0, |head| styles.label.width(head));
    natural_column_width(part, c, heading, styles)
}

/// The width to which the widest must be cut for all to fit.
pub(in crate::sheet) fn width_limit(widths: &[f32], room: f32) -> f32 {
    let mut sorted = widths.to_vec();
    sorted.sort_by(f32::total_cmp);
    let mut left = room;
    for (n, width) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - n) as f32;
        if *width > share {
            return share;
        }
        left -= width;
    }
    f32::INFINITY
}

/// Makes all but the first `named` columns alike as far as their widths and `more` allow: the narrowest first.
fn share_evenly(widths: &mut [f32], named: usize, more: f32) {
    let Some(framed) = widths.get_mut(named..) else { return };
    let whole = framed.iter().sum::<f32>() + more;
    let mut sorted = framed.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    // Those wider than an equal share of what is left keep their width.
    let (mut left, mut many) = (whole, sorted.len());
    for wide in sorted {
        if many > 0 && wide > left / many as f32 {
            (left, many) = (left - wide, many - 1);
        }
    }
    let each = left / many.max(1) as f32;
    framed.iter_mut().for_each(|wide| *wide = wide.max(each));
}

/// Widens columns that are narrower than their longest word, as far as the others of `chosen` can be narrowed.
pub(in crate::sheet) fn widen_to_least(widths: &mut [f32], least: &[f32], chosen: &[usize], width: f32) {
    let short = |widths: &[f32], c: usize| (least[c].min(width * 0.6) - widths[c]).max(0.0);
    let need: f32 = chosen.iter().map(|&c| short(widths, c)).sum();
    let spare: f32 = chosen.iter().map(|&c| (widths[c] - least[c]).max(0.0)).sum();
    if need > 0.0 && spare > 0.0 {
        let part = (need / spare).min(1.0);
        let met = (spare / need).min(1.0);
        for &c in chosen {
            widths[c] += short(widths, c) * met - (widths[c] - least[c]).max(0.0) * part;
        }
    }
}

pub(in crate::sheet) fn longest_word_width(words: &str, style: &TextStyle) -> f32 {
    words.split(' ').map(|word| style.width(word)).fold(0.0, f32::max)
}

fn longest_word(cell: &TableCell, styles: &TextStyles) -> f32 {
    match cell {
        TableCell::Words(words) => longest_word_width(words, &styles.body),
        TableCell::Term(words) => longest_word_width(words, &styles.value),
        _ => cell_width(cell, styles),
    }
}

fn cell_width(cell: &TableCell, styles: &TextStyles) -> f32 {
    match cell {
        TableCell::Words(words) | TableCell::QuietWords(words) => styles.body.width(words),
        TableCell::Number(words) | TableCell::Term(words) => styles.value.width(words),
        TableCell::Ticks(_, groups, ..) => {
            let side = styles.minimums.tick_box;
            let first = groups.first().map_or(0, |&n| n.min(10)) as f32;
            let all = tick_positions(groups, (10.0 * side + 3.0).max(first * side), side);
            all.iter().map(|place| place.0 + side).fold(0.0, f32::max)
        }
        TableCell::Write(_) => 12.0 * styles.minimums.scale,
        TableCell::Drawing(_) => super::box_rows::sign_side(styles),
    }
}
