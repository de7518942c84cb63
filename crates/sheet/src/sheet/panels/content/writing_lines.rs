//! Lines to write in: takes columns with their printed text, draws empty rows that grow to fill the room. Returns the
//! rows that do not fit.

use std::sync::Arc;

use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::minimum_sizes::{QUIET_INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use moldloft_base::sanitize::id_as_words;
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{PaintStyle, Rect, Stroke};

/// A column of a log.
#[derive(Clone, Debug)]
pub struct WritingColumn {
    /// The name of its fields.
    pub name: Arc<str>,
    /// Its heading.
    pub shown: Arc<str>,
    /// Its share of the width.
    pub width_share: f32,
    /// Text printed in each row's cell, from the first row on; may be shorter than the rows.
    pub printed: Vec<Arc<str>>,
    /// Whether each printed word is in a circle.
    pub is_circled: bool,
}

/// Lines to write orders in.
#[derive(Clone, Debug)]
pub struct WritingLines {
    /// Fields are `<stem>_<row>_<column>`.
    pub stem: Arc<str>,
    pub columns: Vec<WritingColumn>,
    /// Number of the first row here; 0 is the row of `start`.
    pub first: u32,
    /// Minimum number of rows.
    pub rows: u32,
    /// Adds rows where there is room.
    pub grows: bool,
    /// Preferred height of a row, mm before large print.
    pub row_height: f32,
    /// Printed in front of the rows, from the first on; may be fewer than the rows.
    pub row_names: Vec<Arc<str>>,
    /// Whether the first column is the row's number.
    pub numbered: bool,
    /// What a row before the first numbered one is called.
    pub start: Option<Arc<str>>,
    /// Whether the printed text is small, in a corner of a cell to write in.
    pub prints_in_corner: bool,
    /// Whether headings are printed.
    pub has_headings: bool,
    /// Whether the rule of the panel's heading is right above, so that the first row needs none.
    pub is_under_rule: bool,
}

/// Between the top of a cell and a text printed in its corner, beyond the usual, mm.
const CORNER_GAP: f32 = 0.3;
/// The least width of a field beside words in a corner, mm before large print.
const MIN_FIELD_WIDTH: f32 = 6.0;
/// Between the name of a row and its first cell, mm.
const NAME_GAP: f32 = 1.6;
/// Between a word and the circle around it, and between that and what is next to it, mm.
const CIRCLE_CLEARANCE: f32 = 0.75;
const CIRCLE_GAP: f32 = 0.75;

impl WritingLines {
    /// The columns' widths: their shares, but none narrower than its heading while others can be narrowed.
    fn column_widths(&self, width: f32, styles: &TextStyles) -> Vec<f32> {
        let mut need: Vec<f32> = self
            .columns
            .iter()
            .map(|c| if self.has_headings { styles.label.width(&c.shown) + 1.8 } else { 0.0 })
            .collect();
        if let (Some(start), Some(first)) = (&self.start, need.first_mut()) {
            *first = first.max(number_style(styles).width(start) + 1.8);
        }
        let parts: f32 = self.columns.iter().map(|column| column.width_share).sum();
        let fair = |column: &WritingColumn| width * column.width_share / parts.max(0.01);
        let spare: f32 = self.columns.iter().zip(&need).map(|(c, need)| (fair(c) - need).max(0.0)).sum();
        let short: f32 = self.columns.iter().zip(&need).map(|(c, need)| (need - fair(c)).max(0.0)).sum();
        let give = (short / spare.max(0.01)).min(1.0);
        let raised: Vec<f32> = self
            .columns
            .iter()
            .zip(&need)
            .map(|(c, need)| need.max(fair(c) - (fair(c) - need).max(0.0) * give))
            .collect();
        let sum: f32 = raised.iter().sum();
        raised.into_iter().map(|column| column * (width / sum.max(0.01)).min(1.0)).collect()
    }

    /// The width of the rows' names, 0 without.
    fn names_width(&self, styles: &TextStyles) -> f32 {
        let widest = self.row_names.iter().map(|name| styles.label.width(name)).fold(0.0, f32::max);
        if widest > 0.0 { widest + NAME_GAP } else { 0.0 }
    }

    fn heading_height(&self, styles: &TextStyles) -> f32 {
        if self.has_headings { styles.label.line_height() + 0.8 } else { 0.0 }
    }

    /// A pencil needs 6 mm; an author may ask for less, down to 4.5 mm.
    fn min_row_height(&self, styles: &TextStyles) -> f32 {
        self.row_height.clamp(4.5, 6.0) * styles.minimums.scale
    }
}

impl Flowable for WritingLines {
    fn measure(&self, _width: f32, styles: &TextStyles) -> SizeHint {
        let (head, rows) = (self.heading_height(styles), self.rows as f32);
        let natural = head + rows * (self.row_height * styles.minimums.scale).max(self.min_row_height(styles));
        let most = if self.grows { natural.max(1e4) } else { natural };
        SizeHint {
            min_start: head + self.min_row_height(styles),
            min: head + rows * self.min_row_height(styles),
            natural,
            max: most,
        }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let head = self.heading_height(&styles);
        let room = rect.h - head;
        let preferred = (self.row_height * styles.minimums.scale).max(self.min_row_height(&styles));
        let fits = ((room + 0.01) / self.min_row_height(&styles)).floor().max(0.0) as u32;
        let comfortable = ((room + 0.01) / preferred).floor().max(0.0) as u32;
        let wanted = if self.grows { self.rows.max(comfortable) } else { self.rows };
        let rows = wanted.min(fits);
        let height = if self.grows { room / rows.max(1) as f32 } else { (room / rows.max(1) as f32).min(preferred) };
        let names = self.names_width(&styles);
        let widths = self.column_widths(rect.w - names, &styles);
        let mut x = rect.x + names;
        let top = rect.y + head;
        let mut verticals = Vec::new();
        if names > 0.0 {
            self.draw_names(Rect::new(rect.x, top, names, height), rows, pen);
            verticals.push([x, top, x, top + rows as f32 * height]);
        }
        let mut fields = Vec::new();
        for (c, column) in self.columns.iter().enumerate() {
            let width = widths[c];
            if self.has_headings {
                let name = styles.label.truncate(&column.shown, width - 0.6);
                let (at, anchor) = if c == 0 && self.numbered {
                    (x + width / 2.0, Anchor::Middle)
                } else {
                    (x + (width - 0.3 - styles.label.width(&name)).clamp(0.0, 1.0), Anchor::Start)
                };
                pen.text(&name, styles.label, at, rect.y + styles.label.size.mm() * 0.95, anchor);
            }
            for row in 0..rows {
                let number = self.first + row;
                let mut cell = Rect::new(x, top + row as f32 * height, width, height);
                if c == 0 && self.numbered {
                    pen.text_centred(
                        &self.row_number(number),
                        number_style(&styles),
                        x + width / 2.0,
                        cell.y + height / 2.0,
                        None,
                    );
                    continue;
                }
                let printed = number.checked_sub(1).and_then(|n| column.printed.get(n as usize));
                let printed = printed.filter(|words| !words.is_empty());
                if column.is_circled && printed.is_some_and(|words| draw_circled_words(words, cell, pen)) {
                    fields.push((row, cell, c));
                    continue;
                }
                if let Some(words) = printed {
                    let em = styles.label.width(words) / styles.label.size.mm();
                    let size = styles.minimums.shrink_to_least(styles.label.size, em, width - 1.6, TextRole::Label);
                    let style = TextStyle { size, ..styles.label };
                    let y = if self.prints_in_corner {
                        cell.y + style.size.mm() + CORNER_GAP
                    } else {
                        cell.y + (height + style.cap_height()) / 2.0
                    };
                    // Not over the next column's.
                    let words = style.truncate(words, width - 0.6);
                    let margin = (width - 0.3 - style.width(&words)).clamp(0.0, 1.0);
                    pen.text(&words, style, x + margin, y, Anchor::Start);
                    if self.prints_in_corner {
                        // Typed text stays clear of printed text: beside it, in the whole height, or below it.
                        let used = margin + style.width(&words) + CORNER_GAP;
                        cell = if cell.w - used >= MIN_FIELD_WIDTH * styles.minimums.scale {
                            Rect::new(cell.x + used, cell.y, cell.w - used, cell.h)
                        } else {
                            let down = (style.size.mm() * 1.05 + CORNER_GAP).min(height / 2.0);
                            Rect::new(cell.x, cell.y + down, cell.w, cell.h - down)
                        };
                    }
                }
                fields.push((row, cell, c));
            }
            x += width;
            if c + 1 < self.columns.len() {
                verticals.push([x, top, x, top + rows as f32 * height]);
            }
        }
        if rows > 0 {
            pen.log_rows.push((Arc::clone(&self.stem), self.first + rows - 1));
        }
        // Keyboard navigation goes along the rows.
        fields.sort_by_key(|&(row, _, c)| (row, c));
        for (row, cell, c) in fields {
            let number = self.first + row;
            let name = format!("{}_{number}_{}", self.stem, field_name_part(&self.columns[c].name, c));
            pen.field(cell.inset(0.3), name, self.cell_label(number, c));
        }
        self.draw_rules(rect, top, rows, height, verticals, pen);
        if rows >= self.rows {
            return None;
        }
        Some(Box::new(Self { first: self.first + rows, rows: self.rows - rows, grows: false, ..*self }))
    }
}

impl WritingLines {
    /// What a numbered row is called: its number, or the word for the row before the first.
    fn row_number(&self, number: u32) -> String {
        let start = self.start.as_ref().filter(|_| number == 0);
        start.map_or_else(|| number.to_string(), |start| start.to_string())
    }

    /// A cell's name for people: `turn 4, course`.
    fn cell_label(&self, number: u32, column: usize) -> String {
        let row = self.columns.first().filter(|first| self.numbered && !first.name.is_empty());
        let row = row.map_or_else(|| id_as_words(&self.stem), |first| first.shown.to_string());
        let name = number.checked_sub(1).and_then(|n| self.row_names.get(n as usize));
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            return match &self.columns[column].shown {
                heading if heading.is_empty() => name.to_string(),
                heading => format!("{name} {heading}"),
            };
        }
        match &self.columns[column].shown {
            name if name.is_empty() => format!("{row} {}", self.row_number(number)),
            name => format!("{row} {}, {name}", self.row_number(number)),
        }
    }

    /// The names of the rows, each in the middle of its height; `first` is the place of the first.
    fn draw_names(&self, first: Rect, rows: u32, pen: &mut SheetPen) {
        let style = pen.styles.label;
        let skipped = self.first.saturating_sub(1) as usize;
        for (row, name) in self.row_names.iter().skip(skipped).take(rows as usize).enumerate() {
            let y = first.y + row as f32 * first.h + (first.h + style.cap_height()) / 2.0;
            pen.text(name, style, first.x, y, Anchor::Start);
        }
    }

    fn draw_rules(&self, rect: Rect, top: f32, rows: u32, height: f32, verticals: Vec<[f32; 4]>, pen: &mut SheetPen) {
        let line = |row: u32| {
            let y = top + row as f32 * height;
            [rect.x, y, rect.right(), y]
        };
        // A heavier rule after every fourth line of a numbered log guides the eye; another is under the row before the first.
        let heavy = |row: u32| self.numbered && (row + self.first + 3).is_multiple_of(4);
        let light: Vec<_> = (1..rows).filter(|&row| !heavy(row)).map(line).chain(verticals).collect();
        pen.lines(light.into_iter(), THIN_LINE, RULE_INK);
        let strong: Vec<_> = (1..rows).filter(|&row| heavy(row)).map(line).collect();
        pen.lines(strong.into_iter(), THIN_LINE * 1.8, moldloft_drawing::scene::Paint::grey(120));
        let top = (!self.is_under_rule || self.has_headings).then(|| line(0));
        pen.lines(top.into_iter().chain([line(rows)]), THIN_LINE * 1.8, moldloft_drawing::scene::Paint::grey(90));
    }
}

/// Each word in a circle, or where that has no room in a rounded box, spread over the cell; false if there is no room for those.
fn draw_circled_words(words: &str, cell: Rect, pen: &mut SheetPen) -> bool {
    let style = pen.styles.label;
    let words: Vec<&str> = words.split_whitespace().collect();
    let step = cell.w / words.len().max(1) as f32;
    let widest = words.iter().map(|word| style.width(word)).fold(0.0, f32::max);
    let least = (widest / 2.0).hypot(style.cap_height() / 2.0) + CIRCLE_CLEARANCE;
    let radius = (step / 2.0 - CIRCLE_GAP).min(cell.h / 2.0 - CIRCLE_GAP).min(least * 1.3);
    let (width, height) = (widest + 2.0 * CIRCLE_CLEARANCE, style.cap_height() + 2.0 * CIRCLE_CLEARANCE);
    if radius < least && (width > step - CIRCLE_GAP || height > cell.h - 2.0 * CIRCLE_GAP) {
        return false;
    }
    for (n, word) in words.iter().enumerate() {
        let (x, y) = (cell.x + (n as f32 + 0.5) * step, cell.y + cell.h / 2.0);
        let stroke = PaintStyle { fill: None, stroke: Some(Stroke::new(QUIET_INK, THIN_LINE)) };
        if radius < least {
            let around = Rect::new(x - width / 2.0, y - height / 2.0, width, height);
            pen.rect(around, height / 3.0, stroke, None);
        } else {
            pen.circle(x, y, radius, stroke, None);
        }
        pen.text_centred(word, style, x, y, None);
    }
    true
}

fn number_style(styles: &TextStyles) -> TextStyle {
    styles.value.with_paint(moldloft_drawing::scene::Paint::grey(110))
}

/// A column's name as part of a field's: small letters, figures and hyphens.
fn field_name_part(name: &str, place: usize) -> String {
    let word: String = name.to_lowercase().chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    if word.is_empty() { (place + 1).to_string() } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;
    use moldloft_drawing::scene::Shape;

    fn circles(words: &str, width: f32) -> (bool, usize) {
        let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
        let drawn = draw_circled_words(words, Rect::new(0.0, 0.0, width, 7.0), &mut pen);
        for item in &pen.items {
            if let Shape::Circle { x, y, radius, .. } = item.shape {
                assert!(x - radius > 0.0 && x + radius < width && y - radius > 0.0 && y + radius < 7.0);
            }
        }
        (drawn, pen.items.iter().filter(|item| matches!(item.shape, Shape::Circle { .. })).count())
    }

    #[test]
    fn words_are_in_circles_where_there_is_room() {
        assert_eq!(circles("10 20 30", 24.0), (true, 3));
        assert_eq!(circles("10 20 30", 9.0), (false, 0));
        // Less room: rounded boxes; a word is still in something to cross off.
        assert_eq!(circles("10 20 30", 16.5), (true, 0));
        assert_eq!(circles("a-word-too-long-for-a-circle", 24.0), (false, 0));
    }

    fn log(row_names: &[&str]) -> WritingLines {
        let column = |name: &str| WritingColumn {
            name: name.into(),
            shown: name.into(),
            width_share: 1.0,
            printed: Vec::new(),
            is_circled: false,
        };
        WritingLines {
            stem: "turns".into(),
            columns: vec![column("1"), column("2")],
            first: 1,
            rows: 2,
            grows: false,
            row_height: 6.0,
            row_names: row_names.iter().map(|&name| name.into()).collect(),
            numbered: false,
            start: None,
            prints_in_corner: false,
            has_headings: false,
            is_under_rule: false,
        }
    }

    #[test]
    fn rows_are_named_in_front_of_the_cells() {
        let printed = |names: &[&str]| -> Vec<String> {
            let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
            assert!(Box::new(log(names)).draw(Rect::new(0.0, 0.0, 60.0, 12.0), &mut pen).is_none());
            let texts = pen.items.iter().filter_map(|item| match &item.shape {
                Shape::Text(line) => Some(line.shaped.text.to_string()),
                _ => None,
            });
            texts.collect()
        };
        assert_eq!(printed(&["speed", "plot"]), ["speed", "plot"]);
        assert!(printed(&[]).is_empty());
        let styles = TextStyles::new(MinimumSizes::default());
        assert_eq!(log(&[]).names_width(&styles), 0.0);
        assert!(log(&["speed", "plot"]).names_width(&styles) > styles.label.width("speed"));
        assert_eq!(log(&["speed", "plot"]).cell_label(2, 1), "plot 2");
    }

    #[test]
    fn a_row_before_the_first_is_named_and_not_numbered() {
        let numbered = |first: u32| {
            let lines = WritingLines { numbered: true, first, rows: 3, start: Some("start".into()), ..log(&[]) };
            let mut pen = SheetPen::new(TextStyles::new(MinimumSizes::default()), (0.0, 0.0));
            assert_eq!(lines.cell_label(0, 1), "1 start, 2");
            assert!(Box::new(lines).draw(Rect::new(0.0, 0.0, 60.0, 18.0), &mut pen).is_none());
            let texts = pen.items.iter().filter_map(|item| match &item.shape {
                Shape::Text(line) => Some(line.shaped.text.to_string()),
                _ => None,
            });
            (texts.collect::<Vec<_>>(), pen.log_rows.last().map(|rows| rows.1))
        };
        assert_eq!(numbered(0), (vec!["start".into(), "1".into(), "2".into()], Some(2)));
        // Continued on a further page, the row is not repeated.
        assert_eq!(numbered(1), (vec!["1".into(), "2".into(), "3".into()], Some(3)));
    }
}
