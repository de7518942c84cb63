//! A roll of ships: takes columns and lines, sets them in aligned columns with thin rules, group headings with their sums, notes below their
//! ship. Words that are too long are broken into lines. Gives back the lines that found no room; the heads and the group's name stand again
//! above them.

use std::cell;
use std::sync::Arc;

use super::grid::cap;
use crate::art::Anchor;
use crate::fonts::Face;
use crate::scene::{Paint, Rect};
use crate::sheet::content::{Content, HIGHER_THAN_PAPER, Wants};
use crate::sheet::options::{INK, LINE, QUIET, RULE, THIN};
use crate::sheet::pen::{Hand, Hands, Pen};

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// What stands over it.
    pub head: Arc<str>,
    /// Set at the right: figures.
    pub end: bool,
    /// Strong.
    pub strong: bool,
    /// Its part of the width that is left over.
    pub spare: f32,
}

/// What stands in a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell(pub String);

/// A line of the roll.
#[derive(Clone, Debug)]
pub enum Line {
    /// A group's name, a quiet note, its sum.
    Heading {
        /// The name.
        title: String,
        /// After it, quiet.
        note: String,
        /// At the right.
        sum: String,
    },
    /// A ship: a cell a column.
    Row {
        /// The cells.
        cells: Vec<Cell>,
        /// Set in: it belongs to the line before.
        indented: bool,
    },
    /// Words below a ship.
    Note(Note),
    /// The sum of all, at the end.
    Total {
        /// What it is.
        words: String,
        /// The sum.
        sum: String,
    },
}

/// Words below a ship, which remember how high they are: they are asked several times for each page.
#[derive(Clone, Debug)]
pub struct Note {
    words: String,
    /// At a width, in letters of a size.
    height: cell::Cell<Option<(f32, f32, f32)>>,
}

impl Note {
    /// Not measured yet.
    pub fn new(words: String) -> Self {
        Self { words, height: cell::Cell::new(None) }
    }

    fn height(&self, width: f32, hand: Hand) -> f32 {
        let size = hand.size.mm();
        if let Some((_, _, height)) = self.height.get().filter(|known| (known.0, known.1) == (width, size)) {
            return height;
        }
        let height = hand.wrap(&self.words, width).len() as f32 * hand.line() + 0.9;
        self.height.set(Some((width, size, height)));
        height
    }
}

/// The roll.
#[derive(Clone, Debug)]
pub struct Rolls {
    /// The columns.
    pub columns: Vec<Column>,
    /// The lines.
    pub lines: Vec<Line>,
    /// The group whose lines go on from another page.
    pub continued: Option<String>,
    /// The widths that the columns want, once settled: the same on every page.
    pub wanted: Option<Vec<f32>>,
}

/// Between columns, mm.
const GAP: f32 = 3.2;
/// How far a ship in tow is set in, mm.
const INDENT: f32 = 3.4;
/// Above and below the words of a line together, mm.
const AIR: f32 = 1.5;

impl Rolls {
    /// The same without the columns in which no line says anything.
    #[must_use]
    pub fn without_empty_columns(mut self) -> Self {
        let said = |c: usize| {
            self.lines.iter().any(|line| match line {
                Line::Row { cells, .. } => cells.get(c).is_some_and(|cell| !cell.0.trim().is_empty()),
                _ => false,
            })
        };
        let keep: Vec<bool> = (0..self.columns.len()).map(said).collect();
        let mut kept = keep.iter();
        self.columns.retain(|_| kept.next().copied().unwrap_or(true));
        for line in &mut self.lines {
            if let Line::Row { cells, .. } = line {
                let mut kept = keep.iter();
                cells.retain(|_| kept.next().copied().unwrap_or(true));
            }
        }
        self
    }

    fn hand(column: &Column, hands: &Hands) -> Hand {
        if column.strong { hands.body.face(Face::SemiBold) } else { hands.body }
    }

    /// The width at which no word of a column needs another line.
    fn natural(&self, hands: &Hands) -> Vec<f32> {
        let natural = |(c, column): (usize, &Column)| {
            let hand = Self::hand(column, hands);
            let cells = self.lines.iter().filter_map(|line| match line {
                Line::Row { cells, indented } => {
                    cells.get(c).map(|cell| hand.width(&cell.0) + inset(cells, *indented, c))
                }
                _ => None,
            });
            cells.fold(hands.label.width(&column.head), f32::max) + 0.2
        };
        self.columns.iter().enumerate().map(natural).collect()
    }

    /// Left edges and widths of the columns.
    fn columns(&self, width: f32, hands: &Hands) -> Vec<(f32, f32)> {
        let wanted = self.wanted.clone().unwrap_or_else(|| self.natural(hands));
        let room = width - GAP * self.columns.len().saturating_sub(1) as f32;
        let sum: f32 = wanted.iter().sum();
        let widths: Vec<f32> = if sum <= room {
            let parts: f32 = self.columns.iter().map(|column| column.spare).sum();
            let more = (room - sum) / parts.max(0.01);
            wanted.iter().zip(&self.columns).map(|(wanted, column)| wanted + column.spare * more).collect()
        } else {
            // Figures keep their width; the widest words give way.
            let fixed: f32 = wanted.iter().zip(&self.columns).filter(|(_, column)| column.end).map(|(w, _)| w).sum();
            let words: Vec<f32> =
                wanted.iter().zip(&self.columns).filter(|(_, column)| !column.end).map(|(w, _)| *w).collect();
            let cap = cap(&words, (room - fixed).max(room * 0.4));
            let widths = wanted.iter().zip(&self.columns);
            widths.map(|(wanted, column)| if column.end { *wanted } else { wanted.min(cap) }).collect()
        };
        let mut x = 0.0;
        widths
            .into_iter()
            .map(|width| {
                let place = (x, width);
                x += width + GAP;
                place
            })
            .collect()
    }

    fn head(&self, hands: &Hands) -> f32 {
        hands.label.line() + 0.9
    }

    fn height(&self, line: &Line, columns: &[(f32, f32)], width: f32, hands: &Hands) -> f32 {
        let lines = |n: usize, hand: Hand| n.max(1) as f32 * hand.line() + AIR * hands.floor.scale;
        match line {
            Line::Heading { title, .. } => {
                let hand = heading(hands);
                lines(hand.wrap(title, width * 0.62).len(), hand) + 1.6
            }
            Line::Row { cells, indented } => {
                let many = cells.iter().enumerate().zip(columns).map(|((c, cell), (_, width))| {
                    Self::hand(&self.columns[c], hands).wrap(&cell.0, width - inset(cells, *indented, c)).len()
                });
                lines(many.max().unwrap_or(1), hands.body)
            }
            Line::Note(own) => own.height(width - INDENT, note(hands)),
            Line::Total { .. } => lines(1, hands.value) + 0.6,
        }
    }

    /// How many lines stand or fall with the one at a place: a heading with its first ship, a ship with its note.
    fn together(&self, at: usize) -> usize {
        let mut end = at + 1;
        if matches!(self.lines[at], Line::Heading { .. }) && end < self.lines.len() {
            end += 1;
        }
        if matches!(self.lines.get(end), Some(Line::Note(_))) && !matches!(self.lines[end - 1], Line::Note(_)) {
            end += 1;
        }
        end - at
    }

    fn draw_line(&self, line: &Line, columns: &[(f32, f32)], area: Rect, last: bool, pen: &mut Pen) {
        let hands = pen.hands;
        let top = area.y + AIR * hands.floor.scale / 2.0;
        match line {
            Line::Heading { title, note: words, sum } => {
                let hand = heading(&hands);
                let baseline = area.y + 1.6 + AIR * hands.floor.scale / 2.0 + hand.size.mm() * 0.9;
                let lines = hand.wrap(title, area.w * 0.62);
                let mut used = 0.0;
                for (n, words) in lines.iter().enumerate() {
                    used = pen.text(words, hand, area.x, baseline + n as f32 * hand.line(), Anchor::Start);
                }
                let bottom = baseline + lines.len().saturating_sub(1) as f32 * hand.line();
                let room = area.w - used - 20.0 * hands.floor.scale;
                pen.text(&hands.note.cut(words, room), hands.note, area.x + used + 2.4, bottom, Anchor::Start);
                pen.text(sum, hands.body.paint(QUIET), area.right(), bottom, Anchor::End);
                pen.rule(area.x, area.bottom(), area.w, LINE, INK);
            }
            Line::Row { cells, indented } => {
                for (c, (cell, (x, width))) in cells.iter().zip(columns).enumerate() {
                    let column = &self.columns[c];
                    let mut hand = Self::hand(column, &hands);
                    if *indented && column.strong && !column.end {
                        hand = hand.face(Face::Regular);
                    }
                    let inset = inset(cells, *indented, c);
                    for (n, words) in hand.wrap(&cell.0, width - inset).iter().enumerate() {
                        let y = top + hand.size.mm() * 0.95 + n as f32 * hand.line();
                        let (at, anchor) =
                            if column.end { (x + width, Anchor::End) } else { (x + inset, Anchor::Start) };
                        pen.text(words, hand, area.x + at, y, anchor);
                    }
                }
                if !last {
                    pen.rule(area.x, area.bottom(), area.w, THIN, RULE);
                }
            }
            Line::Note(own) => {
                let hand = note(&hands);
                for (n, words) in hand.wrap(&own.words, area.w - INDENT).iter().enumerate() {
                    let y = area.y + 0.3 + hand.size.mm() * 0.9 + n as f32 * hand.line();
                    pen.text(words, hand, area.x + INDENT, y, Anchor::Start);
                }
                if !last {
                    pen.rule(area.x, area.bottom(), area.w, THIN, RULE);
                }
            }
            Line::Total { words, sum } => {
                pen.rule(area.x, area.y + 0.3, area.w, LINE * 1.4, INK);
                let y = top + 0.6 + hands.value.size.mm() * 0.95;
                pen.text(words, hands.body, area.x, y, Anchor::Start);
                pen.text(sum, hands.value, area.right(), y, Anchor::End);
            }
        }
    }
}

/// How far a cell is set in: the first that says something of a ship that belongs to the one before.
fn inset(cells: &[Cell], indented: bool, column: usize) -> f32 {
    let first = cells.iter().position(|cell| !cell.0.is_empty());
    if indented && first == Some(column) { INDENT } else { 0.0 }
}

fn heading(hands: &Hands) -> Hand {
    hands.value
}

fn note(hands: &Hands) -> Hand {
    hands.label.paint(Paint::grey(80))
}

impl Content for Rolls {
    fn measure(&self, width: f32, hands: &Hands) -> Wants {
        let columns = self.columns(width, hands);
        let head = self.head(hands) + if self.continued.is_some() { hands.note.line() } else { 0.0 };
        let height = |line| self.height(line, &columns, width, hands);
        let first: f32 =
            if self.lines.is_empty() { 0.0 } else { self.lines[..self.together(0)].iter().map(height).sum() };
        // Beyond what any page holds it does not matter how much more there is: a long roster is not measured whole for each of its pages.
        let mut all = 0.0;
        for line in &self.lines {
            all += height(line);
            if all > HIGHER_THAN_PAPER {
                break;
            }
        }
        Wants { start: head + first, ..Wants::fixed(head + all) }
    }

    fn draw(mut self: Box<Self>, rect: Rect, pen: &mut Pen) -> Option<Box<dyn Content>> {
        let hands = pen.hands;
        let columns = self.columns(rect.w, &hands);
        let mut y = rect.y;
        if let Some(group) = &self.continued {
            let words = format!("{group} · continued");
            pen.text(
                &hands.note.cut(&words, rect.w),
                hands.note,
                rect.x,
                y + hands.note.size.mm() * 0.9,
                Anchor::Start,
            );
            y += hands.note.line();
        }
        for (column, (x, width)) in self.columns.iter().zip(&columns) {
            let (at, anchor) = if column.end { (x + width, Anchor::End) } else { (*x, Anchor::Start) };
            let head = hands.label.cut(&column.head, *width + GAP * 0.5);
            pen.text(&head, hands.label, rect.x + at, y + hands.label.size.mm() * 0.95, anchor);
        }
        y += self.head(&hands);
        pen.rule(rect.x, y, rect.w, THIN, RULE);
        let mut done = 0;
        while done < self.lines.len() {
            let many = self.together(done).min(self.lines.len() - done);
            let heights: Vec<f32> =
                self.lines[done..done + many].iter().map(|line| self.height(line, &columns, rect.w, &hands)).collect();
            let block: f32 = heights.iter().sum();
            // A line higher than a whole page is drawn all the same, where a page begins: nothing is left out.
            if y + block > rect.bottom() + 0.05 && !(done == 0 && block > rect.h) {
                break;
            }
            for (n, (line, &height)) in self.lines[done..].iter().zip(&heights).enumerate() {
                let next = self.lines.get(done + n + 1);
                let last = matches!(next, None | Some(Line::Heading { .. } | Line::Total { .. } | Line::Note(_)));
                self.draw_line(line, &columns, Rect::new(rect.x, y, rect.w, height), last, pen);
                y += height;
            }
            done += many;
        }
        if done >= self.lines.len() {
            return None;
        }
        let before = self.lines[..done].iter().rev().find_map(|line| match line {
            Line::Heading { title, .. } => Some(title.clone()),
            _ => None,
        });
        let inside = !matches!(self.lines[done], Line::Heading { .. } | Line::Total { .. });
        self.continued = before.or(self.continued.take()).filter(|_| inside);
        if self.wanted.is_none() {
            self.wanted = Some(self.natural(&hands));
        }
        self.lines.drain(..done);
        Some(self)
    }
}
