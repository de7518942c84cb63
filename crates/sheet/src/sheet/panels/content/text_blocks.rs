//! Running text: takes entries or paragraphs, sets them in lines or columns; the body of legends, cost lines, findings
//! and plain text. Returns the lines that do not fit.

use std::sync::Arc;

use crate::sheet::layout::flowable::{Flowable, MORE_THAN_PAPER_HEIGHT, SizeHint};
use crate::sheet::layout::line_break::offset_after_lines;
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextStyle, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{Drawing, Rect};
use moldloft_rules::evaluate::BoxShape;

/// Side of a box in a legend, as a multiple of the size of its letters.
const SHAPE_SIDE: f32 = 0.84;

/// A sign and its meaning.
#[derive(Clone, Debug)]
pub struct LegendEntry {
    /// Bold letters.
    pub letters: Arc<str>,
    /// Used instead of the letters.
    pub icon: Option<Arc<Drawing>>,
    /// A box of this shape, used instead of both.
    pub shape: Option<BoxShape>,
    /// The meaning.
    pub words: Arc<str>,
}

/// Signs and their meanings, one after another on lines.
#[derive(Clone, Debug)]
pub struct Legend {
    pub entries: Vec<LegendEntry>,
    /// Side of the icons, mm before large print; the height of the letters if not set.
    pub size: Option<f32>,
}

impl Legend {
    /// In mm.
    fn icon_side(&self, styles: &TextStyles) -> f32 {
        self.size.map_or(strong_style(styles).size.mm(), |size| size * styles.minimums.scale)
    }

    fn sign_width(&self, entry: &LegendEntry, styles: &TextStyles) -> f32 {
        if entry.shape.is_some() {
            SHAPE_SIDE * strong_style(styles).size.mm()
        } else if entry.icon.is_some() {
            self.icon_side(styles)
        } else {
            strong_style(styles).width(&entry.letters)
        }
    }

    fn line_height(&self, styles: &TextStyles) -> f32 {
        let drawn = self.size.is_some() && self.entries.iter().any(|entry| entry.icon.is_some());
        let line = quiet_style(styles).line_height();
        if drawn { line.max(self.icon_side(styles)) + 0.3 } else { line + 0.3 }
    }

    /// Columns of equal width, so that the signs are aligned.
    fn column_layout(&self, width: f32, styles: &TextStyles) -> (usize, f32, f32) {
        let sign = self.entries.iter().map(|entry| self.sign_width(entry, styles)).fold(0.0, f32::max) + 1.2;
        let words = self.entries.iter().map(|entry| quiet_style(styles).width(&entry.words)).fold(0.0, f32::max);
        let columns = (((width + 3.0) / (sign + words + 3.0)).floor() as usize).clamp(1, self.entries.len().max(1));
        (columns, (width / columns as f32).min(sign + words + 8.0), sign)
    }
}

fn strong_style(styles: &TextStyles) -> TextStyle {
    TextStyle {
        size: styles.minimums.text_size(8.0, crate::sheet::layout::text_style::TextRole::Label),
        ..styles.value
    }
    .with_face(FontFace::SemiBold)
}

fn quiet_style(styles: &TextStyles) -> TextStyle {
    TextStyle { size: styles.minimums.text_size(8.0, crate::sheet::layout::text_style::TextRole::Label), ..styles.body }
}

impl Legend {
    /// The position of every entry (left edge, line), the number of lines, and the offset of the words from the edge
    /// (`None`: right after the sign).
    fn entry_positions(&self, width: f32, styles: &TextStyles) -> (Vec<(f32, usize)>, usize, Option<f32>) {
        let (columns, column, sign) = self.column_layout(width, styles);
        if columns > 1 {
            let places = (0..self.entries.len()).map(|n| ((n % columns) as f32 * column, n / columns)).collect();
            return (places, self.entries.len().div_ceil(columns), Some(sign));
        }
        // Too narrow for columns: one after another.
        let (mut x, mut line) = (0.0_f32, 0);
        let mut places = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            let wide = self.sign_width(entry, styles) + 1.0 + quiet_style(styles).width(&entry.words);
            if x > 0.0 && x + wide > width {
                (x, line) = (0.0, line + 1);
            }
            places.push((x, line));
            x += wide + 3.0;
        }
        (places, line + 1, None)
    }
}

impl Flowable for Legend {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let (_, lines, _) = self.entry_positions(width, styles);
        let line = self.line_height(styles);
        SizeHint { min_start: line, ..SizeHint::fixed(line * lines as f32) }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let (places, _, offset) = self.entry_positions(rect.w, &styles);
        let line = self.line_height(&styles);
        // Where icons are higher than the words, the words are centred on them.
        let lower = (line - 0.3 - quiet_style(&styles).line_height()) / 2.0;
        let fits = ((rect.h + 0.01) / line).floor().max(0.0) as usize;
        let done = places.iter().take_while(|place| place.1 < fits).count();
        for (entry, (x, n)) in self.entries.iter().zip(&places).take(done) {
            let x = rect.x + x;
            let y = rect.y + *n as f32 * line + lower + quiet_style(&styles).size.mm();
            match (&entry.icon, entry.shape) {
                (_, Some(shape)) => {
                    let side = SHAPE_SIDE * strong_style(&styles).size.mm();
                    let middle = y - quiet_style(&styles).cap_height() / 2.0;
                    pen.sample_box(Rect::new(x, middle - side / 2.0, side, side), shape);
                }
                (Some(icon), None) => {
                    let side = self.icon_side(&styles);
                    let top = match self.size {
                        Some(_) => rect.y + *n as f32 * line + (line - 0.3 - side) / 2.0,
                        None => y - side * 0.86,
                    };
                    pen.drawing(icon, Rect::new(x, top, side, side), None);
                }
                (None, None) => {
                    pen.text(&entry.letters, strong_style(&styles), x, y, Anchor::Start);
                }
            }
            let at = offset.unwrap_or_else(|| self.sign_width(entry, &styles) + 1.0);
            let room = rect.right() - x - at;
            let style = quiet_style(&styles);
            let size = styles.minimums.shrink_to_width(
                style.size,
                style.width(&entry.words) / style.size.mm(),
                room,
                crate::sheet::layout::text_style::TextRole::Label,
            );
            pen.text(&entry.words, TextStyle { size, ..style }, x + at, y, Anchor::Start);
        }
        if done >= self.entries.len() {
            None
        } else {
            Some(Box::new(Self { entries: self.entries[done..].to_vec(), ..*self }))
        }
    }
}

/// A line with words at its left and figures at its right.
#[derive(Clone, Debug)]
pub struct AmountLine {
    pub words: Arc<str>,
    /// `6 × 15`; may be empty.
    pub sum: Arc<str>,
    /// `90`.
    pub total: Arc<str>,
    /// Bold, for the last line.
    pub is_strong: bool,
    /// The name of what the figure at the right shows.
    pub shown_value: Arc<str>,
}

/// Lines with figures, in columns where there is width.
#[derive(Clone, Debug)]
pub struct AmountTable {
    pub lines: Vec<AmountLine>,
}

impl AmountTable {
    fn column_layout(&self, width: f32, styles: &TextStyles) -> (usize, f32) {
        let widest = self.lines.iter().map(|line| {
            styles.body.width(&line.words) + styles.quiet_value.width(&line.sum) + 18.0 * styles.minimums.scale
        });
        let widest = widest.fold(30.0, f32::max);
        let columns = (((width + 6.0) / (widest + 6.0)).floor() as usize).clamp(1, self.lines.len().max(1));
        (columns, (width - 6.0 * (columns - 1) as f32) / columns as f32)
    }

    fn line_height(&self, line: &AmountLine, column: f32, styles: &TextStyles) -> f32 {
        self.wrap_words(line, column, styles).len().max(1) as f32 * styles.body.line_height() + 0.6
    }

    fn wrap_words(&self, line: &AmountLine, column: f32, styles: &TextStyles) -> Vec<String> {
        styles.body.wrap(
            &line.words,
            (column - styles.quiet_value.width(&line.sum) - 16.0 * styles.minimums.scale).max(column * 0.4),
        )
    }
}

impl Flowable for AmountTable {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let (columns, column) = self.column_layout(width, styles);
        let tallest = self.lines.iter().map(|line| self.line_height(line, column, styles)).fold(0.0, f32::max);
        SizeHint { min_start: tallest, ..SizeHint::fixed(tallest * self.lines.len().div_ceil(columns) as f32) }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let (columns, column) = self.column_layout(rect.w, &styles);
        let tallest = self.lines.iter().map(|line| self.line_height(line, column, &styles)).fold(0.1, f32::max);
        let rows = (((rect.h + 0.01) / tallest).floor().max(0.0) as usize).min(self.lines.len().div_ceil(columns));
        let fits = (rows * columns).min(self.lines.len());
        for (n, line) in self.lines.iter().take(fits).enumerate() {
            let x = rect.x + (n / rows.max(1)) as f32 * (column + 6.0);
            let y = rect.y + (n % rows.max(1)) as f32 * tallest + styles.body.size.mm();
            let body = if line.is_strong { styles.body.with_face(FontFace::SemiBold) } else { styles.body };
            for (k, words) in self.wrap_words(line, column, &styles).iter().enumerate() {
                pen.text(words, body, x, y + k as f32 * styles.body.line_height(), Anchor::Start);
            }
            let mark = pen.value_mark(Some(&line.shown_value));
            pen.text_with_mark(&line.total, styles.value, x + column, y, Anchor::End, mark);
            pen.text(&line.sum, styles.note, x + column - 13.0 * styles.minimums.scale, y, Anchor::End);
        }
        if fits >= self.lines.len() { None } else { Some(Box::new(Self { lines: self.lines[fits..].to_vec() })) }
    }
}

/// Paragraphs, broken into lines. Only as many lines are computed as a page can hold: a long text is not measured in
/// full for each of its pages.
#[derive(Clone, Debug)]
pub struct Paragraphs {
    /// Bold lead words (may be empty), and the text.
    paragraphs: Vec<(Arc<str>, Arc<str>)>,
    /// The style of the text.
    style: TextStyle,
    /// The alignment of lines.
    anchor: Anchor,
    /// The name of what the text shows, for a sheet whose numbers explain themselves.
    shown_value: Option<Arc<str>>,
    /// The next paragraph, and how much of its lead and its text is already drawn, in bytes.
    next: (usize, usize, usize),
}

/// A line of a paragraph.
struct ParagraphLine {
    /// Index of its paragraph.
    paragraph: usize,
    /// Whether it is the lead.
    is_lead: bool,
    words: String,
    indent: f32,
}

impl Paragraphs {
    /// For each paragraph, bold lead words (may be empty) and the text; then the style and alignment of the text.
    pub fn new(paragraphs: Vec<(Arc<str>, Arc<str>)>, style: TextStyle, anchor: Anchor) -> Self {
        Self { paragraphs, style, anchor, shown_value: None, next: (0, 0, 0) }
    }

    /// Says what the text shows.
    pub fn showing(self, value: Option<Arc<str>>) -> Self {
        Self { shown_value: value, ..self }
    }

    pub fn is_empty(&self) -> bool {
        self.paragraphs.is_empty()
    }

    /// The lines not yet drawn, enough to fill `rows` rows and a little more.
    fn next_lines(&self, width: f32, rows: usize) -> Vec<ParagraphLine> {
        let mut lines = Vec::new();
        let (first, lead_from, text_from) = self.next;
        let mut filled = 0;
        for (of, (lead, text)) in self.paragraphs.iter().enumerate().skip(first) {
            if filled > rows {
                break;
            }
            let most = rows - filled + 1;
            let begun = of == first;
            let lead = if begun { lead.get(lead_from..).unwrap_or_default() } else { lead };
            let (text, goes_on) =
                if begun { (text.get(text_from..).unwrap_or_default(), text_from > 0) } else { (&**text, false) };
            let line = |strong: bool, indent: f32| {
                move |words: String| ParagraphLine { paragraph: of, is_lead: strong, words, indent }
            };
            let strong = self.style.with_face(FontFace::SemiBold);
            // What is far too long for half a line is not measured just to find that out.
            let long = lead.len() > crate::sheet::layout::text_style::MAX_UNBROKEN_BYTES;
            let indent = if lead.is_empty() || long { 0.0 } else { strong.width(lead) + 1.6 };
            let before = lines.len();
            if long || indent > width * 0.5 {
                lines.extend(strong.wrap_lines(lead, width, most, true).0.into_iter().map(line(true, 0.0)));
                lines.extend(self.style.wrap_lines(text, width, most, !goes_on).0.into_iter().map(line(false, 0.0)));
            } else {
                if !lead.is_empty() {
                    lines.push(line(true, 0.0)(lead.to_owned()));
                }
                let words = self.style.wrap_lines(text, width - indent, most, !goes_on).0;
                lines.extend(words.into_iter().map(line(false, indent)));
            }
            filled += (before..lines.len()).filter(|&n| !Self::is_beside_lead(&lines, n)).count();
        }
        lines
    }

    /// Whether a line is beside the bold words before it.
    fn is_beside_lead(lines: &[ParagraphLine], n: usize) -> bool {
        n > 0 && lines[n - 1].is_lead && lines[n].indent > 0.0
    }

    /// Where the text continues after these lines when one of the paragraph `of` is next: in bytes, not lines, since
    /// another page may be wider.
    fn position_after(&self, drawn: &[ParagraphLine], of: usize) -> (usize, usize, usize) {
        let (first, lead_from, text_from) = if of == self.next.0 { self.next } else { (of, 0, 0) };
        let (lead, text) = &self.paragraphs[of];
        let past = |strong: bool, words: &str, from: usize| {
            let own = drawn.iter().filter(|line| line.paragraph == of && line.is_lead == strong);
            let lines: Vec<&str> = own.map(|line| line.words.as_str()).collect();
            if lines.is_empty() {
                from
            } else {
                from + offset_after_lines(words.get(from..).unwrap_or_default(), &lines)
            }
        };
        (first, past(true, lead, lead_from), past(false, text, text_from))
    }
}

impl Flowable for Paragraphs {
    fn measure(&self, width: f32, _styles: &TextStyles) -> SizeHint {
        let most = (MORE_THAN_PAPER_HEIGHT / self.style.line_height()) as usize;
        let lines = self.next_lines(width, most);
        let rows = (0..lines.len()).filter(|&n| !Self::is_beside_lead(&lines, n)).take(most + 1).count();
        SizeHint { min_start: self.style.line_height(), ..SizeHint::fixed(rows as f32 * self.style.line_height()) }
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let lines = self.next_lines(rect.w, (rect.h.max(0.0) / self.style.line_height()) as usize + 2);
        let mut y = rect.y - self.style.line_height();
        for (n, line) in lines.iter().enumerate() {
            if !Self::is_beside_lead(&lines, n) {
                y += self.style.line_height();
                if y + self.style.line_height() > rect.bottom() + 0.05 {
                    self.next = self.position_after(&lines[..n], line.paragraph);
                    return Some(self);
                }
            }
            let style = if line.is_lead { self.style.with_face(FontFace::SemiBold) } else { self.style };
            let x = match self.anchor {
                Anchor::Start => rect.x + line.indent,
                Anchor::Middle => rect.x + rect.w / 2.0,
                Anchor::End => rect.right(),
            };
            let mark = pen.value_mark(self.shown_value.as_ref());
            pen.text_with_mark(&line.words, style, x, y + self.style.size.mm(), self.anchor, mark);
        }
        None
    }
}

/// A drawing fitted into the rectangle.
#[derive(Clone, Debug)]
pub struct FittedDrawing {
    pub drawing: Arc<Drawing>,
}

impl Flowable for FittedDrawing {
    fn measure(&self, width: f32, _styles: &TextStyles) -> SizeHint {
        let height = width * self.drawing.height / self.drawing.width.max(0.01);
        SizeHint { min_start: 0.0, min: (height * 0.3).min(40.0), natural: height, max: height }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        pen.drawing(&self.drawing, rect, None);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::layout::minimum_sizes::MinimumSizes;
    use moldloft_base::allowance::work_counted;
    use moldloft_drawing::scene::Shape;

    /// The words drawn, in order.
    fn drawn(pen: &SheetPen) -> Vec<String> {
        let texts = pen.items.iter().filter_map(|item| match &item.shape {
            Shape::Text(text) => Some(text.shaped.text.to_string()),
            _ => None,
        });
        texts.flat_map(|text| text.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    #[test]
    fn a_paragraph_goes_on_where_it_stopped_on_a_page_of_any_width() {
        let styles = TextStyles::new(MinimumSizes::default());
        let text: Vec<String> = (0..200).map(|n| format!("w{n}")).collect();
        for wider in [25.0, 60.0, 190.0] {
            let lead: Arc<str> = "lead".into();
            let paragraphs = vec![(lead, text.join(" ").into()), ("".into(), "the end".into())];
            let mut left: Option<Box<dyn Flowable>> =
                Some(Box::new(Paragraphs::new(paragraphs, styles.body, Anchor::Start)));
            let mut pen = SheetPen::new(styles, (0.0, 0.0));
            let mut pages = 0;
            while let Some(content) = left {
                let width = if pages == 0 { 40.0 } else { wider };
                left = content.draw(Rect::new(0.0, 0.0, width, 14.0), &mut pen);
                pages += 1;
            }
            let mut wanted = vec!["lead".to_owned()];
            wanted.extend(text.iter().cloned());
            wanted.extend(["the".to_owned(), "end".to_owned()]);
            assert!(pages > 1);
            assert_eq!(drawn(&pen), wanted, "{wider}");
        }
    }

    #[test]
    fn a_long_text_is_not_measured_whole_for_each_of_its_pages() {
        let styles = TextStyles::new(MinimumSizes::default());
        let text: Arc<str> = "The convoy keeps to the lane. ".repeat(20_000).into();
        let new = |text: &Arc<str>| Paragraphs::new(vec![("".into(), Arc::clone(text))], styles.body, Anchor::Start);
        let before = work_counted();
        assert!(new(&text).measure(190.0, &styles).min > MORE_THAN_PAPER_HEIGHT - 5.0);
        // Other tests shape words at the same time.
        assert!(work_counted() - before < 5_000_000);
        // Its pages hold all of it.
        let text: Arc<str> = "The convoy keeps to the lane.\n".repeat(700).into();
        let (mut left, mut pen): (Option<Box<dyn Flowable>>, _) =
            (Some(Box::new(new(&text))), SheetPen::new(styles, (0.0, 0.0)));
        let mut pages = 0;
        while let Some(content) = left {
            left = content.draw(Rect::new(0.0, 0.0, 190.0, 230.0), &mut pen);
            pages += 1;
        }
        assert!(pages > 1);
        assert_eq!(drawn(&pen), text.split_whitespace().collect::<Vec<_>>());
    }
}
