//! A unit with boxes of its own: its name, signs and rows of boxes. Never knows the paper.

use std::sync::Arc;

use crate::sheet::panels::content::box_rows::{BoxFace, Companion};
use moldloft_drawing::scene::Drawing;
use moldloft_rules::evaluate::BoxShape;

/// A row of at most so many boxes, given by the design, has no gaps and is not broken if smaller boxes save it.
const MAX_UNBROKEN_ROW: u32 = 10;

/// The box for the whole unit.
#[derive(Clone, Debug)]
pub struct HeadBox {
    /// Its mark without the number.
    pub stem: Arc<str>,
    pub n: u32,
    pub face: BoxFace,
    pub shape: BoxShape,
}

#[derive(Clone, Debug)]
pub struct ComponentBlock {
    /// On an empty sheet, `None` gives a line to write on.
    pub name: Option<Arc<str>>,
    /// A small sign before its boxes; `None` keeps no room for one.
    pub badge: Option<Arc<str>>,
    /// A small drawing before its boxes, such as its arcs.
    pub sign: Option<Arc<Drawing>>,
    /// Not repeated where the unit is continued.
    pub head: Option<HeadBox>,
    /// The fit it shows.
    pub fit: Option<u32>,
    /// Marks of its boxes without their number.
    pub stem: Arc<str>,
    /// Number of its first box.
    pub first: u32,
    pub boxes: u32,
    /// Lengths of the lines of boxes, the last repeated; if empty, each line is as long as there is room.
    pub lines: Arc<[u32]>,
    pub shape: BoxShape,
    /// Quiet text at the end of its first line of boxes, or under them.
    pub note: Arc<str>,
    /// Under its boxes: those of the unit are the first of each.
    pub companions: Vec<Companion>,
}

impl ComponentBlock {
    /// The rows of its boxes, if they are fixed whatever the paper.
    pub fn fixed_rows(&self) -> Option<Vec<u32>> {
        let last = *self.lines.last()?;
        let (mut left, mut rows) = (self.boxes, Vec::new());
        for length in self.lines.iter().copied().chain(std::iter::repeat(last.max(1))) {
            if left == 0 {
                break;
            }
            rows.push(length.min(left));
            left -= length.min(left);
        }
        Some(rows)
    }

    /// The longest of its rows, if they are fixed and short.
    pub fn short_row(&self) -> Option<u32> {
        self.fixed_rows()?.into_iter().max().filter(|longest| *longest <= MAX_UNBROKEN_ROW)
    }

    /// Whether its boxes are in groups: a short row is one group.
    pub fn is_grouped(&self) -> bool {
        self.short_row().is_none()
    }

    /// Its lines when `many` boxes fit on one: the number of boxes, and whether a row ends there.
    pub fn split_lines(&self, many: u32) -> Vec<(u32, bool)> {
        let many = many.max(1);
        let rows = self.fixed_rows();
        let marked = rows.is_some();
        let split = |row: u32| (0..row.div_ceil(many)).map(move |n| (many.min(row - n * many), (n + 1) * many >= row));
        let lines = rows.unwrap_or_else(|| vec![self.boxes]).into_iter().flat_map(split);
        lines.map(|(boxes, ends)| (boxes, ends && marked)).collect()
    }

    /// The rest after its first boxes.
    pub fn remaining_after(&self, drawn: u32) -> Self {
        let mut lines = Vec::new();
        let mut before = 0;
        for row in self.fixed_rows().unwrap_or_default() {
            lines.extend((before + row).checked_sub(drawn.max(before)).filter(|left| *left > 0));
            before += row;
        }
        Self { first: self.first + drawn, boxes: self.boxes - drawn, head: None, lines: lines.into(), ..self.clone() }
    }
}
