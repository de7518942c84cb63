//! A unit: a thing with its name, its badge and sign, rows of boxes and what belongs to them. Never knows the paper.

use std::sync::Arc;

use crate::sheet::layout::companion_grid::{self, CompanionGrid};
use crate::sheet::layout::pen::SheetPen;
use crate::sheet::layout::text_style::TextStyles;
use crate::sheet::panels::content::box_rows::{BoxLayer, Companion};
use moldloft_drawing::scene::Drawing;

/// Sides of companions, as a multiple of a box.
const COMPANION_SIZE: f32 = 0.8;

#[derive(Clone, Debug)]
pub struct Unit {
    /// On an empty sheet, `None` gives a line to write on.
    pub name: Option<Arc<str>>,
    /// The mark of its name, if that is struck out for the whole unit. Not repeated where the unit is continued.
    pub name_mark: Option<Arc<str>>,
    /// A small sign before its boxes; `None` keeps no room for one.
    pub badge: Option<Arc<str>>,
    /// A small drawing after its boxes, such as its arcs.
    pub sign: Option<Arc<Drawing>>,
    pub boxes: u32,
    /// What its boxes are.
    pub layer: BoxLayer,
    /// Lengths of the lines of boxes, the last repeated; if empty, each line is as long as there is room.
    pub lines: Arc<[u32]>,
    /// Quiet text under its boxes.
    pub note: Arc<str>,
    /// Under its boxes: those of the unit are the first of each.
    pub companions: Vec<Companion>,
}

impl Unit {
    /// Boxes with a name and nothing else.
    pub fn new(name: Option<Arc<str>>, boxes: u32, layer: BoxLayer) -> Self {
        let (lines, note) = (Arc::from([]), "".into());
        Self { name, name_mark: None, badge: None, sign: None, boxes, layer, lines, note, companions: Vec::new() }
    }

    pub fn companion_count(&self) -> u32 {
        self.companions.iter().map(|companion| companion.count(0)).sum()
    }

    /// The side of companions under boxes of a side, mm.
    pub fn companion_side(&self, side: f32, styles: &TextStyles) -> f32 {
        let least = self.companions.iter().map(|companion| companion.min_side(styles)).fold(0.0, f32::max);
        // On an empty sheet they are no smaller than boxes: what they are for is not known yet.
        least.max(side * if self.name.is_none() { 1.0 } else { COMPANION_SIZE })
    }

    /// Draws its companions; the first has its upper left corner at a point.
    pub fn draw_companions(&self, grid: CompanionGrid, side: f32, (left, top): (f32, f32), pen: &mut SheetPen) {
        let count = self.companion_count();
        let across = CompanionGrid { columns: grid.columns.min(count), ..grid };
        let width = companion_grid::companions_extent(across, side).0;
        let corners = || companion_grid::companion_corners(grid, count, (width, 0.0), side);
        let above = corners().next().map_or(0.0, |corner| corner.1);
        let mut corners = corners().map(|(x, y)| (left + x, top + y - above));
        for companion in &self.companions {
            companion.draw(0, side, corners.by_ref().take(companion.count(0) as usize), pen);
        }
    }

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
        let (first, first_face) = (self.layer.first + drawn, self.layer.first_face + drawn);
        let layer = BoxLayer { first, first_face, ..self.layer.clone() };
        Self { boxes: self.boxes - drawn, layer, name_mark: None, lines: lines.into(), ..self.clone() }
    }
}
