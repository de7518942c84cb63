//! Order lines: takes ships, columns and a number of turns, draws a block per turn with a line per ship, or a line per
//! ship with the turns side by side. Returns the turns that do not fit the page.

use std::sync::Arc;

use crate::sheet::layout::flowable::{Flowable, SizeHint};
use crate::sheet::layout::minimum_sizes::{HEADING_RULE_DROP, INK, LINE_WIDTH, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::fonts::FontFace;
use moldloft_drawing::scene::{Paint, Rect};

/// A ship that receives orders.
#[derive(Clone, Debug, Default)]
pub struct OrderShip {
    /// Its hull number; may be empty.
    pub number: String,
    pub name: String,
    /// Small text under its name; may be empty.
    pub remark: String,
    /// Small text where its orders are written, with the ship it follows; may be empty.
    pub hint: String,
}

#[derive(Clone, Debug)]
pub struct OrderForm {
    /// Fields are `<stem>_<turn>_<line>_<column>`.
    pub stem: Arc<str>,
    /// Names of fields, each with its share of the width.
    pub columns: Vec<(Arc<str>, f32)>,
    /// The headings of the columns.
    pub headings: Vec<Arc<str>>,
    /// What is above the ships, and the word for a cycle.
    pub ship: Arc<str>,
    pub cycle_word: Arc<str>,
    /// Turns side by side rather than in blocks.
    pub side_by_side: bool,
    /// Turns side by side; 0: as many as fit.
    pub turns_across: u32,
    /// Heading of a column after the last of them.
    pub after_heading: Option<Arc<str>>,
    /// The word for a turn.
    pub turn: Arc<str>,
    /// Turns are counted from 1 again after this many; 0: never.
    pub cycle: u32,
    /// Names of the fields beside a block's name.
    pub block_fields: Vec<Arc<str>>,
    /// Height of a line, mm before large print.
    pub row_height: f32,
    /// Width of the ship's column, mm.
    pub ship_width: f32,
    pub ships: Vec<OrderShip>,
}

/// Order lines from some turn and ship on.
#[derive(Clone, Debug)]
pub struct OrderGrid {
    pub form: Arc<OrderForm>,
    /// The turn this begins with, from 1.
    pub first_turn: u32,
    /// The ship it begins with, from 0.
    pub first_ship: usize,
    /// The last required turn; more are drawn where there is room.
    pub last_turn: u32,
    /// Pages that may follow, once every ship has a line for the first turn.
    pub pages_left: u32,
    /// Pages that it takes at least, this one included.
    pub pages_wanted: u32,
}

/// Between blocks, mm.
const GAP: f32 = 4.0;
/// By how much of its height a line grows at most where a page has room.
const MAX_ROW_GROWTH: f32 = 0.35;
/// Least width of all columns of a turn together, side by side, mm.
const MIN_TURN_WIDTH: f32 = 24.0;
/// Width of a column after the turns, mm.
const AFTER_WIDTH: f32 = 34.0;

impl OrderGrid {
    fn row_height(&self, styles: &TextStyles) -> f32 {
        let least = name_style(styles).line_height() + styles.label.line_height() + 0.6;
        (self.form.row_height * styles.minimums.scale).max(
            if self.form.ships.iter().any(|who| !who.remark.is_empty()) { least } else { 4.5 * styles.minimums.scale },
        )
    }

    fn title_height(&self, styles: &TextStyles) -> f32 {
        styles.title.cap_height() + HEADING_RULE_DROP + 0.4
    }

    fn heading_height(&self, styles: &TextStyles) -> f32 {
        styles.label.line_height() + 0.7
    }

    /// Number of turns side by side.
    fn turns_across(&self, width: f32, styles: &TextStyles) -> u32 {
        if !self.form.side_by_side {
            return 1;
        }
        if self.form.turns_across > 0 {
            return self.form.turns_across;
        }
        let need = self.form.headings.iter().map(|name| styles.label.width(name) + 2.0).sum::<f32>();
        let need = need.max(MIN_TURN_WIDTH * styles.minimums.scale);
        (((width - self.form.ship_width - self.after_width()) / need).floor().max(1.0) as u32).min(6)
    }

    fn after_width(&self) -> f32 {
        if self.form.side_by_side && self.form.after_heading.is_some() { AFTER_WIDTH } else { 0.0 }
    }

    /// Whether turns are side by side in whole cycles.
    fn is_by_cycle(&self) -> bool {
        self.form.side_by_side && self.form.cycle > 0 && self.form.cycle == self.form.turns_across
    }

    /// A turn's name: `Turn 3`, `Turn 2 of cycle 3`.
    fn turn_label(&self, turn: u32) -> String {
        let word = &self.form.turn;
        match self.form.cycle {
            0 => format!("{word} {turn}"),
            // The line of a whole cycle names it once.
            cycle if self.is_by_cycle() => format!("{word} {}", (turn - 1) % cycle + 1),
            cycle => {
                let (own, word_of_cycle) = ((turn - 1) % cycle + 1, self.form.cycle_word.to_lowercase());
                format!("{word} {own} · {word_of_cycle} {}", (turn - 1) / cycle + 1)
            }
        }
    }

    /// The name of a field of a turn.
    fn field_name(&self, turn: u32, line: usize, column: usize) -> String {
        let word: String = self.form.columns[column]
            .0
            .to_lowercase()
            .chars()
            .map(|c| if c.is_alphanumeric() { c } else { '-' })
            .collect();
        let word = if word.is_empty() { (column + 1).to_string() } else { word };
        format!("{}_{turn}_{}_{word}", self.form.stem, line + 1)
    }

    fn draw_ship(&self, line: usize, area: Rect, pen: &mut SheetPen) {
        let styles = pen.styles;
        let who = &self.form.ships[line];
        let strong = name_style(&styles);
        let has_remark = !who.remark.is_empty();
        let block = strong.line_height() + if has_remark { styles.label.line_height() } else { 0.0 };
        let baseline = area.y + (area.h - block) / 2.0 + strong.size.mm() * 0.98;
        let mut x = area.x;
        if !who.number.is_empty() {
            let number = strong.truncate(&who.number, area.w * 0.45);
            x += pen.text(&number, strong, x, baseline, Anchor::Start) + 1.6;
        }
        let plain = if who.number.is_empty() { strong } else { strong.with_face(FontFace::Regular) };
        let name = plain.truncate(&who.name, area.right() - x - 1.0);
        pen.text(&name, plain, x, baseline, Anchor::Start);
        if has_remark {
            let words = styles.label.truncate(&who.remark, area.w - 1.0);
            pen.text(&words, styles.label, area.x, baseline + styles.label.line_height(), Anchor::Start);
        }
    }

    /// Draws the cells of a ship for a turn.
    fn draw_cells(&self, turn: u32, line: usize, area: Rect, pen: &mut SheetPen) {
        let styles = pen.styles;
        let hint = &self.form.ships[line].hint;
        for (c, (x, width)) in self.column_positions(area.w).into_iter().enumerate() {
            let cell = Rect::new(area.x + x, area.y, width, area.h);
            if c == 0 && !hint.is_empty() {
                let words = styles.small.truncate(hint, width - 1.6);
                pen.text(
                    &words,
                    styles.small,
                    cell.x + 0.8,
                    cell.y + 0.4 + styles.small.size.mm() * 0.95,
                    Anchor::Start,
                );
            }
            let label = format!("{}, {}, {}", self.form.ships[line].name, self.turn_label(turn), self.form.headings[c]);
            pen.field(cell.inset(0.3), self.field_name(turn, line, c), label);
        }
    }

    /// Left edges and widths of the columns within a width.
    fn column_positions(&self, width: f32) -> Vec<(f32, f32)> {
        let parts: f32 = self.form.columns.iter().map(|(_, part)| part).sum();
        let mut x = 0.0;
        self.form
            .columns
            .iter()
            .map(|(_, part)| {
                let place = (x, width * part / parts.max(0.01));
                x += place.1;
                place
            })
            .collect()
    }

    /// The height of a line where blocks of all ships share the room, mm: what is left over goes to the lines.
    fn grown_row(&self, room: f32, styles: &TextStyles) -> f32 {
        let row = self.row_height(styles);
        let ships = self.form.ships.len() as f32;
        let block = self.title_height(styles) + self.heading_height(styles) + row * ships;
        let gap = GAP * styles.minimums.scale;
        let blocks = ((room + gap + 0.05) / (block + gap)).floor();
        if self.first_ship > 0 || blocks < 1.0 {
            return row;
        }
        let spare = room - blocks * (block + gap) + gap;
        row + (spare / (blocks * ships).max(1.0)).clamp(0.0, row * MAX_ROW_GROWTH)
    }

    /// Draws a block for as many turns and ships as the height holds, with lines of a height; returns the number of ships
    /// and the height used, mm.
    fn draw_block(&self, turns: (u32, u32), from: usize, (rect, row): (Rect, f32), pen: &mut SheetPen) -> (usize, f32) {
        let styles = pen.styles;
        let writing = &self.form;
        let mut y = rect.y;
        let left = Rect::new(rect.x, 0.0, writing.ship_width, 0.0);
        let part = (rect.w - writing.ship_width - self.after_width()) / (turns.1 as f32);
        let edge = |n: u32| rect.x + writing.ship_width + part * n as f32;
        // The turn's name over a rule, with the fields beside it.
        let baseline = y + styles.title.cap_height();
        for n in 0..turns.1 {
            let name = self.turn_label(turns.0 + n).to_uppercase();
            let x = if writing.side_by_side { edge(n) + 0.8 } else { rect.x };
            let used =
                pen.text(&styles.title.truncate(&name, rect.right() - x), styles.title, x, baseline, Anchor::Start);
            if !writing.side_by_side {
                let mut x = (x + used + 8.0).max(rect.x + writing.ship_width + 0.8);
                for (n, words) in writing.block_fields.iter().enumerate() {
                    let wide = styles.label.width(words);
                    if x + wide + 16.0 > rect.right() {
                        break;
                    }
                    pen.text(words, styles.label, x, baseline, Anchor::Start);
                    let field = Rect::new(
                        x + wide + 1.0,
                        y - 1.2,
                        15.0 * styles.minimums.scale,
                        styles.title.cap_height() + 1.8,
                    );
                    let label = format!("{}, {words}", self.turn_label(turns.0));
                    pen.field(field, format!("{}_{}_head_{}", writing.stem, turns.0, n + 1), label);
                    pen.rule(field.x, baseline + 0.4, field.w, THIN_LINE, RULE_INK);
                    x = field.right() + 5.0;
                }
            }
        }
        if writing.side_by_side {
            let words = if self.is_by_cycle() {
                format!("{} {}", writing.cycle_word, (turns.0 - 1) / writing.cycle + 1)
            } else {
                writing.ship.to_string()
            };
            pen.text(&words.to_uppercase(), styles.title, rect.x, baseline, Anchor::Start);
        }
        y += self.title_height(&styles);
        pen.rule(rect.x, y - 0.4, rect.w, LINE_WIDTH * 1.4, INK);
        for n in 0..turns.1 {
            for (name, (x, width)) in writing.headings.iter().zip(self.column_positions(part)) {
                let words = styles.label.truncate(name, width - 0.6);
                pen.text(&words, styles.label, edge(n) + x + 0.8, y + styles.label.size.mm(), Anchor::Start);
            }
        }
        if let (true, Some(after)) = (writing.side_by_side, &writing.after_heading) {
            let words = styles.label.truncate(after, AFTER_WIDTH - 1.0);
            pen.text(&words, styles.label, edge(turns.1) + 0.8, y + styles.label.size.mm(), Anchor::Start);
        }
        y += self.heading_height(&styles);
        let fits =
            (((rect.bottom() + 0.05 - y) / row).floor().max(0.0) as usize).min(writing.ships.len() - from).max(1);
        let top = y;
        for line in from..from + fits {
            self.draw_ship(line, Rect { y, h: row, ..left }, pen);
            for n in 0..turns.1 {
                self.draw_cells(turns.0 + n, line, Rect::new(edge(n), y, part, row), pen);
            }
            if self.after_width() > 0.0 {
                let area = Rect::new(edge(turns.1), y, self.after_width(), row);
                let label =
                    format!("{}, {}", writing.ships[line].name, writing.after_heading.as_deref().unwrap_or("after"));
                pen.field(area.inset(0.3), format!("{}_{}_{}_after", writing.stem, turns.0, line + 1), label);
            }
            y += row;
        }
        let across = (0..=fits).map(|n| top + row * n as f32).map(|y| [rect.x, y, rect.right(), y]);
        let inner = (0..turns.1).flat_map(|n| {
            self.column_positions(part).into_iter().skip(1).map(move |(x, _)| edge(n) + x).collect::<Vec<_>>()
        });
        pen.lines(across.chain(inner.map(|x| [x, top, x, y])), THIN_LINE, RULE_INK);
        let last = turns.1 + u32::from(self.after_width() > 0.0);
        let turns = (0..last).map(|n| [edge(n), top, edge(n), y]);
        pen.lines(turns, THIN_LINE * 1.8, Paint::grey(110));
        (fits, y - rect.y)
    }
}

fn name_style(styles: &TextStyles) -> TextStyle {
    TextStyle { size: styles.minimums.text_size(8.0, TextRole::Play), ..styles.body }.with_face(FontFace::SemiBold)
}

impl Flowable for OrderGrid {
    fn measure(&self, _width: f32, styles: &TextStyles) -> SizeHint {
        let head = self.title_height(styles) + self.heading_height(styles);
        let start = head + self.row_height(styles);
        let block = head + self.row_height(styles) * (self.form.ships.len() - self.first_ship) as f32;
        let turns = self.last_turn.saturating_sub(self.first_turn) as f32 + 1.0;
        let all = block * turns + GAP * (turns - 1.0).max(0.0);
        SizeHint { min_start: start, min: all.max(start), natural: all.max(start), max: all.max(1e4) }
    }

    fn has_headed_parts(&self) -> bool {
        true
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let head = self.title_height(&styles) + self.heading_height(&styles);
        let row = self.grown_row(rect.h, &styles);
        let abreast = self.turns_across(rect.w, &styles);
        let mut y = rect.y;
        loop {
            let left = self.form.ships.len() - self.first_ship;
            let whole = head + row * left as f32;
            let room = rect.bottom() - y;
            // A block is begun where all of it fits; one that no page holds begins on a page of its own and continues.
            let begins = y <= rect.y + 0.01;
            if whole > room + 0.05 && !begins {
                break;
            }
            let area = Rect::new(rect.x, y, rect.w, room);
            let (done, height) = self.draw_block((self.first_turn, abreast), self.first_ship, (area, row), pen);
            y += height + GAP * styles.minimums.scale;
            self.first_ship += done;
            if self.first_ship >= self.form.ships.len() {
                self.first_ship = 0;
                self.first_turn += abreast;
            } else {
                break;
            }
        }
        let has_more = self.first_turn <= self.last_turn && (self.first_ship > 0 || self.pages_left > 1);
        if !has_more && self.pages_wanted <= 1 {
            return None;
        }
        self.pages_left = self.pages_left.saturating_sub(1);
        self.pages_wanted = self.pages_wanted.saturating_sub(1);
        Some(self)
    }
}
