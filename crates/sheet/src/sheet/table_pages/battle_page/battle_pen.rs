//! Pages written from top to bottom: takes headings, paragraphs and lines to write on, gives pages that break between
//! them, or only their number.

use std::sync::Arc;

use crate::sheet::layout::minimum_sizes::{HEADING_RULE_DROP, INK, LINE_WIDTH, MinimumSizes, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use crate::sheet::page_setup::sheet_options::SheetOptions;
use moldloft_base::words::{Words, in_words};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{Page, Rect};

/// Paper of less height, mm at normal size, has fewer lines.
const SMALL_PAPER: f32 = 230.0;
/// Height of a line to write on, mm at normal size; on small paper.
const WRITING_LINE: f32 = 8.0;
const SMALL_WRITING_LINE: f32 = 6.4;

/// Of the labels before lines to write on, mm at normal size.
const LABEL_WIDTH: f32 = 28.0;
/// Side of a square to draw in, mm at normal size, and the room above the first ones.
const SQUARE: f32 = 5.0;
const SQUARES_TOP: f32 = 1.5;

/// One page after another with a heading, written from top to bottom.
pub struct BattlePen {
    pub area: Rect,
    paper: (f32, f32),
    pub styles: TextStyles,
    heading: String,
    note: String,
    /// The language of its words.
    words: Option<Arc<Words>>,
    pages: Vec<SheetPen>,
    pub page_count: usize,
    /// Nothing is drawn: the pages are only counted.
    pub is_trial: bool,
    /// Where a page begins below its heading, and where the next thing is, mm.
    pub top: f32,
    pub y: f32,
}

impl BattlePen {
    pub fn new(options: &SheetOptions, heading: &str, note: &str, words: &Option<Arc<Words>>) -> Self {
        let [paper, _] = options.page_setup.printable_areas();
        let styles = TextStyles::new(MinimumSizes::new(options.large_print));
        let words = words.clone();
        let (heading, note) = (in_words(words.as_deref(), heading), note.to_owned());
        let mut pen = Self {
            words,
            area: paper.area,
            paper: paper.page,
            styles,
            heading,
            note,
            pages: Vec::new(),
            page_count: 0,
            is_trial: false,
            top: 0.0,
            y: 0.0,
        };
        pen.begin_page();
        pen
    }

    /// The same place on the same paper, to count pages.
    pub fn trial(&self) -> Self {
        let Self { area, paper, styles, top, y, .. } = *self;
        let (heading, note, pages) = (String::new(), String::new(), Vec::new());
        let words = self.words.clone();
        Self { area, paper, styles, heading, note, words, pages, page_count: 1, is_trial: true, top, y }
    }

    /// A text of the program or the rules in the language of the page.
    pub fn say(&self, text: &str) -> String {
        in_words(self.words.as_deref(), text)
    }

    pub fn scale(&self) -> f32 {
        self.styles.minimums.scale
    }

    pub fn is_small(&self) -> bool {
        self.area.h < SMALL_PAPER * self.scale()
    }

    /// Height of a line to write on, mm.
    pub fn writing_line(&self) -> f32 {
        self.scale() * if self.is_small() { SMALL_WRITING_LINE } else { WRITING_LINE }
    }

    pub fn begin_page(&mut self) {
        self.page_count += 1;
        if self.is_trial {
            self.y = self.top;
            return;
        }
        let styles = self.styles;
        let mut pen = SheetPen::new(styles, (0.0, 0.0));
        let size = styles.minimums.text_size(20.0, TextRole::Play);
        let name = TextStyle { face: FontFace::SemiBold, size, paint: INK, spacing: 0.0 };
        let baseline = self.area.y + name.cap_height();
        let used = pen.text(&self.heading, name, self.area.x, baseline, Anchor::Start);
        let note = styles.note.truncate(&self.note, self.area.w - used - 4.0);
        pen.text(&note, styles.note, self.area.right(), baseline, Anchor::End);
        pen.rule(self.area.x, baseline + 1.8, self.area.w, LINE_WIDTH * 1.6, INK);
        self.top = baseline + 5.0;
        self.y = self.top;
        self.pages.push(pen);
    }

    /// Whether this height is left.
    pub fn has_room(&self, height: f32) -> bool {
        self.y + height <= self.area.bottom() + 0.05
    }

    /// Begins a page if less than this height is left.
    pub fn need(&mut self, height: f32) {
        if !self.has_room(height) {
            self.begin_page();
        }
    }

    pub fn pen(&mut self) -> Option<&mut SheetPen> {
        self.pages.last_mut()
    }

    pub fn title_height(&self) -> f32 {
        self.styles.title.cap_height() + 3.0
    }

    /// A heading in spaced capitals over a rule, with the first of these notes that has room at the right.
    pub fn title(&mut self, words: &str, notes: &[String], height_below: f32) {
        let styles = self.styles;
        let height = self.title_height();
        self.need(height + height_below);
        if !self.is_trial {
            let (x, w, y) = (self.area.x, self.area.w, self.y + styles.title.cap_height());
            let title = styles.title.truncate(&words.to_uppercase(), w);
            let room = (w - styles.title.width(&title) - 4.0).max(0.0);
            let fitting = notes.iter().find(|note| styles.note.width(note) <= room);
            let note = fitting.or(notes.last()).map(|note| styles.note.truncate(note, room)).unwrap_or_default();
            if let Some(pen) = self.pen() {
                pen.text(&title, styles.title, x, y, Anchor::Start);
                pen.text(&note, styles.note, x + w, y, Anchor::End);
                pen.rule(x, y + HEADING_RULE_DROP, w, LINE_WIDTH * 1.4, INK);
            }
        }
        self.y += height;
    }

    /// A paragraph; it breaks between lines.
    pub fn paragraph(&mut self, words: &str, style: TextStyle, indent: f32) {
        for line in style.wrap(words, self.area.w - indent) {
            self.need(style.line_height());
            let (x, y) = (self.area.x + indent, self.y + style.size.mm() * 0.85);
            if let Some(pen) = self.pen() {
                pen.text(&line, style, x, y, Anchor::Start);
            }
            self.y += style.line_height();
        }
    }

    /// Lines to write on, the first after its label.
    pub fn lines(&mut self, label: &str, filled: &str, count: u16) {
        let (styles, height) = (self.styles, self.writing_line());
        for n in 0..count {
            self.need(height);
            let (x, right, y) = (self.area.x, self.area.right(), self.y + height - 1.2);
            let baseline = y - 1.6 * self.scale();
            let first = n == 0;
            let indent = if label.is_empty() { 0.0 } else { self.label_width() };
            let words = styles.value.truncate(filled, (right - x - indent - 2.0).max(0.0));
            if let Some(pen) = self.pen() {
                if first {
                    pen.text(label, styles.body, x, baseline, Anchor::Start);
                    pen.text(&words, styles.value, x + indent + 1.0, baseline, Anchor::Start);
                }
                pen.rule(x + indent, y, right - x - indent, THIN_LINE, RULE_INK);
            }
            self.y += height;
        }
    }

    /// Of the labels before lines to write on, mm.
    pub fn label_width(&self) -> f32 {
        LABEL_WIDTH * self.scale()
    }

    /// A field of squares to draw in, as high as this at most.
    pub fn squares(&mut self, height: f32) {
        let (area, side) = (self.area, SQUARE * self.scale());
        let top = self.y + SQUARES_TOP;
        let down = ((height - SQUARES_TOP) / side).floor().max(0.0);
        let across = (area.w / side).floor();
        let (left, right, foot) = (area.x + (area.w - across * side) / 2.0, across * side, down * side);
        let lines = |count: f32| (0..=count as u16).map(move |n| f32::from(n) * side);
        let level = lines(down).map(|y| [left, top + y, left + right, top + y]);
        let upright = lines(across).map(|x| [left + x, top, left + x, top + foot]);
        if let Some(pen) = self.pen() {
            pen.lines(level.chain(upright), THIN_LINE, RULE_INK);
        }
        self.y = top + foot;
    }

    /// How many lines to write on are left on this page.
    pub fn free_lines(&self) -> u16 {
        ((self.area.bottom() - self.y) / self.writing_line()).floor().max(0.0) as u16
    }

    /// Lines for notes in what is left of this page, if it has room for this many below their heading.
    pub fn fill_with_notes(&mut self, least: u16) {
        let free = self.free_lines();
        if free > least {
            self.title(&self.say("Notes"), &[], 0.0);
            self.lines("", "", free - 1);
        }
    }

    pub fn finish(self) -> Vec<Page> {
        let (width, height) = self.paper;
        let page = |pen: SheetPen| Page { width, height, items: pen.finish(), ..Page::default() };
        self.pages.into_iter().map(page).collect()
    }
}
