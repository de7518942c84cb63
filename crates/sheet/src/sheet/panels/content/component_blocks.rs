//! Components with boxes of their own, the body of a mount whose systems take damage: takes units, each with a name, a
//! badge, a head box for the whole unit and rows of boxes; sets names, badges and boxes in columns, long rows under the
//! name. Returns what does not fit.

mod block;

pub use block::{ComponentBlock, HeadBox};

use super::box_rows::{BoxFace, draw_box_face, mark_name, sign_side};
use crate::sheet::layout::companion_grid::{self, CompanionGrid, CompanionSide};
use crate::sheet::layout::flowable::{Flowable, MAX_KEPT_TOGETHER, SizeHint};
use crate::sheet::layout::minimum_sizes::{INK, RULE_INK, THIN_LINE};
use crate::sheet::layout::pen::{SheetPen, thin_line_style};
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};
use moldloft_drawing::art::Anchor;
use moldloft_drawing::scene::{Mark, MarkKind, Rect};
use moldloft_rules::evaluate::BoxShape;

#[derive(Clone, Debug)]
pub struct ComponentBlocks {
    /// From top to bottom.
    pub blocks: Vec<ComponentBlock>,
    /// Preferred side of a box, mm before large print.
    pub preferred_side: f32,
    /// Number of units side by side.
    pub columns: usize,
    /// A unit that does not fit is begun here and continued, instead of moving as a whole.
    pub may_split: bool,
    pub look: UnitLook,
}

/// How units are drawn.
#[derive(Clone, Copy, Debug)]
pub struct UnitLook {
    /// A unit's name is what is struck out for the whole unit: its head is no box.
    pub strikes_name: bool,
    /// What a badge is drawn in.
    pub badge_shape: BoxShape,
    /// Companions are always in a line of their own.
    pub companions_below: bool,
}

impl Default for UnitLook {
    fn default() -> Self {
        Self { strikes_name: false, badge_shape: BoxShape::Rounded, companions_below: false }
    }
}

/// Between columns of units, mm.
const COLUMN_GAP: f32 = 4.0;
/// Between boxes, and more after every fifth, as multiples of a box.
const BOX_GAP: f32 = 0.06;
const GROUP_GAP: f32 = 0.26;
/// Between a name and the boxes under it, in sides of a box.
const NAME_GAP: f32 = 0.26;
/// More between the end of a row and the next, mm.
const ROW_GAP: f32 = 0.8;
/// Room for the bar that ends a row, mm.
const BAR_WIDTH: f32 = 1.0;
/// Between lines of boxes, as a multiple of a box; between units, mm.
const LINE_GAP: f32 = 0.1;
const BLOCK_GAP: f32 = 0.55;
/// Before a note at the end of a line, mm.
const NOTE_GAP: f32 = 1.4;
/// Beside the figures of a badge, both sides together, mm.
pub(super) const BADGE_BESIDE: f32 = 1.8;
/// Between boxes and a note below them, mm.
const NOTE_ABOVE: f32 = 0.8;
/// Above companions and below them, mm.
const COMPANION_GAP: f32 = 0.35;
/// Between the last box of a line and companions after it, mm.
const COMPANION_BEFORE: f32 = 1.2;

/// Widths of the columns for one size of box, mm.
struct BlockColumns {
    name: f32,
    badge: f32,
    sign: f32,
    head: f32,
    side: f32,
    width: f32,
    /// Of names.
    style: TextStyle,
    look: UnitLook,
}

/// Where the companions of a unit are.
#[derive(Default)]
struct CompanionPlace {
    grid: CompanionGrid,
    /// Their side, mm.
    side: f32,
    /// What they add to the height, mm.
    height: f32,
    /// Their distance from the left edge of the boxes if they are after the last line; else they are under it.
    beside: Option<f32>,
}

impl BlockColumns {
    /// Left edge of the boxes beside a name.
    fn boxes_x(&self) -> f32 {
        let gap = |width: f32, gap: f32| if width > 0.0 { width + gap } else { 0.0 };
        gap(self.name, 1.4) + gap(self.badge, 1.2) + gap(self.sign, 1.2) + gap(self.head, 1.2)
    }

    /// Number of boxes in a width: in whole fives where they take several lines, unless lines of fives leave much of it.
    fn boxes_per_line(&self, width: f32, boxes: u32, is_grouped: bool) -> u32 {
        let fits = |n: u32| self.box_x(n - 1, is_grouped) + self.side;
        let mut n = 1;
        while n < boxes && fits(n + 1) <= width + 0.01 {
            n += 1;
        }
        let fives = n / 5 * 5;
        let wastes = n * 10 >= fives * 14 && boxes > fives * 2;
        if n < boxes && n >= 5 && is_grouped && !wastes { fives } else { n }
    }

    fn box_x(&self, n: u32, is_grouped: bool) -> f32 {
        let groups = if is_grouped { n / 5 } else { 0 };
        self.side * (1.0 + BOX_GAP) * n as f32 + groups as f32 * self.side * GROUP_GAP
    }

    /// The height of a unit's first lines of boxes, mm.
    fn lines_extent(&self, unit: &ComponentBlock, layout: &BlockLayout, lines: u32) -> f32 {
        let ends = unit.split_lines(layout.boxes_per_line).into_iter().take(lines as usize).filter(|line| line.1);
        let gaps = ends.count().saturating_sub(1) as f32 * ROW_GAP;
        (lines as f32 * self.line_height() - self.side * LINE_GAP).max(0.0) + gaps
    }

    fn line_height(&self) -> f32 {
        self.side * (1.0 + LINE_GAP)
    }

    /// The width from the boxes' left edge to the right, mm.
    fn boxes_room(&self, layout: &BlockLayout) -> f32 {
        if layout.is_under_name { self.width } else { self.width - self.boxes_x() }
    }

    /// Where a note begins at the end of a unit's first line of boxes, from their left edge, mm.
    fn note_x(&self, unit: &ComponentBlock, layout: &BlockLayout) -> f32 {
        match unit.split_lines(layout.boxes_per_line).first() {
            Some(&(boxes, ends)) if boxes > 0 => {
                self.box_x(boxes - 1, unit.is_grouped()) + self.side + if ends { BAR_WIDTH } else { 0.0 } + NOTE_GAP
            }
            _ => 0.0,
        }
    }

    /// How a unit's companions are arranged after its last line of boxes, or under it if that has no room.
    fn companions(&self, unit: &ComponentBlock, layout: &BlockLayout, styles: &TextStyles) -> CompanionPlace {
        let count = unit.companion_count();
        if count == 0 {
            return CompanionPlace::default();
        }
        let room = self.boxes_room(layout);
        let least = unit.companions.iter().map(|companion| companion.min_side(styles)).fold(0.0, f32::max);
        let below = self.look.companions_below;
        let side = companion_grid::companion_side(self.side, least);
        let lines = unit.split_lines(layout.boxes_per_line);
        if let Some(&(boxes, ends)) = lines.last().filter(|line| line.0 > 0 && side <= self.side && !below) {
            let bar = if ends { BAR_WIDTH } else { 0.0 };
            let x = self.box_x(boxes - 1, unit.is_grouped()) + self.side + bar + COMPANION_BEFORE;
            let has_note = lines.len() == 1 && !unit.note.is_empty();
            let grid = CompanionGrid { columns: count, lines: 1, side: CompanionSide::Below };
            if !has_note && x + companion_grid::companions_extent(grid, side).0 <= room + 0.01 {
                return CompanionPlace { grid, side, height: 0.0, beside: Some(x) };
            }
        }
        let side = if below { unit.companion_side_below(self.side, styles).max(side) } else { side };
        let grid = companion_grid::companions_below(count, side, room);
        let height = companion_grid::companions_extent(grid, side).1 + COMPANION_GAP * 2.0;
        CompanionPlace { grid, side, height, beside: None }
    }

    /// Lines of boxes that fit a height.
    fn lines_that_fit(&self, unit: &ComponentBlock, layout: &BlockLayout, room: f32) -> u32 {
        let mut bottom = if layout.is_under_name {
            layout.name_height + self.side * NAME_GAP
        } else {
            (layout.name_height - self.side) / 2.0
        };
        let mut lines = 0;
        for (_, ends) in unit.split_lines(layout.boxes_per_line) {
            if bottom + self.side > room {
                break;
            }
            lines += 1;
            bottom += self.line_height() + if ends { ROW_GAP } else { 0.0 };
        }
        lines
    }
}

struct BlockLayout {
    /// Boxes per line.
    boxes_per_line: u32,
    lines: u32,
    /// Under its name, over the whole width.
    is_under_name: bool,
    /// Height of the name's line or lines.
    name_height: f32,
    /// Lines of its note under its boxes; 0 if it is at the end of the first line.
    note_lines: usize,
    height: f32,
}

impl ComponentBlocks {
    /// The longest word of a name, mm.
    fn longest_word(&self, style: &TextStyle) -> f32 {
        let names = self.blocks.iter().filter_map(|unit| unit.name.as_deref());
        names.flat_map(|name| name.split(' ')).map(|word| style.width(word)).fold(0.0, f32::max)
    }

    /// Number of units side by side: fewer where a name's longest word and the signs after it would not fit.
    fn abreast(&self, width: f32, styles: &TextStyles) -> usize {
        let most = self.columns.max(1);
        let fits = |n: &usize| {
            let part = (width - COLUMN_GAP * (*n as f32 - 1.0)) / *n as f32;
            let columns = self.columns_of(part, styles.minimums.tick_box, styles.body, styles);
            columns.boxes_x() - columns.name + self.longest_word(&styles.body) <= part + 0.01
        };
        (2..=most).rev().find(fits).unwrap_or(1)
    }

    fn column_widths(&self, width: f32, side: f32, styles: &TextStyles) -> BlockColumns {
        let columns = self.columns_of(width, side, styles.body, styles);
        let room = width - (columns.boxes_x() - columns.name);
        let word = self.longest_word(&styles.body);
        if word <= room + 0.01 {
            return columns;
        }
        // Smaller letters before a word is broken.
        let em = word / styles.body.size.mm();
        let size = styles.minimums.shrink_to_least(styles.body.size, em, room.max(0.0), TextRole::Label);
        self.columns_of(width, side, TextStyle { size, ..styles.body }, styles)
    }

    fn columns_of(&self, width: f32, side: f32, style: TextStyle, styles: &TextStyles) -> BlockColumns {
        let name = |unit: &ComponentBlock| match &unit.name {
            Some(name) => style.width(name),
            None => 18.0 * styles.minimums.scale,
        };
        let word = self.longest_word(&style);
        let whole = self.blocks.iter().map(name).fold(0.0, f32::max);
        let name = whole.min((width * 0.42).max(word + 0.05));
        let badge = |unit: &ComponentBlock| {
            unit.badge.as_ref().map_or(0.0, |badge| styles.value.width(badge).max(3.0) + BADGE_BESIDE)
        };
        let look = self.look;
        let badge = self.blocks.iter().map(badge).fold(0.0, f32::max);
        let boxed = |unit: &'_ ComponentBlock| {
            if look.strikes_name { None } else { unit.head.as_ref().map(|head| head.face.clone()) }
        };
        let head = |unit: &ComponentBlock| match boxed(unit) {
            Some(BoxFace::Letters(words) | BoxFace::Value(words)) => {
                let em = styles.label.width(&words) / styles.label.size.mm();
                (em * styles.minimums.smallest_named(TextRole::Label).mm() * 1.08 + 1.1).max(side)
            }
            Some(_) => side,
            None => 0.0,
        };
        let head = self.blocks.iter().map(head).fold(0.0, f32::max);
        let sign = if self.blocks.iter().any(|unit| unit.sign.is_some()) { sign_side(styles) } else { 0.0 };
        let columns = BlockColumns { name, badge, sign, head, side, width, style, look };
        // Names over their boxes may be as wide as the signs after them allow.
        let wider = whole.min(width - (columns.boxes_x() - name));
        let is_over = |unit: &ComponentBlock| self.lay_out_block(unit, &columns, styles).is_under_name;
        if wider > name + 0.01 && self.blocks.iter().all(is_over) {
            return BlockColumns { name: wider, ..columns };
        }
        // A word that is too long for the column is broken, so that nothing is beyond it.
        let over = (columns.boxes_x() - width).max(0.0);
        BlockColumns { name: (name - over).max(name.min(width * 0.42)), ..columns }
    }

    fn lay_out_block(&self, unit: &ComponentBlock, columns: &BlockColumns, styles: &TextStyles) -> BlockLayout {
        let beside = columns.width - columns.boxes_x();
        let rows = unit.fixed_rows();
        let longest = rows.as_ref().map_or(unit.boxes, |rows| rows.iter().copied().max().unwrap_or(0));
        let bar = if rows.is_some() { BAR_WIDTH } else { 0.0 };
        let grouped = unit.is_grouped();
        let (near, far) = (
            columns.boxes_per_line(beside - bar, longest, grouped),
            columns.boxes_per_line(columns.width - bar, longest, grouped),
        );
        let lines = |many: u32| match &rows {
            Some(rows) => rows.iter().map(|row| row.div_ceil(many.max(1))).sum(),
            None => unit.boxes.div_ceil(many.max(1)),
        };
        let (short, long): (u32, u32) = (lines(near), lines(far));
        // A row is not broken beside its name if it fits unbroken below it.
        let broken = rows.is_some() && near < longest;
        let under = beside < columns.side || ((short > 2 || broken) && long < short);
        let names = unit.name.as_ref().map_or(1, |name| columns.style.wrap(name, columns.name + 0.02).len().max(1));
        let badge = if unit.badge.is_some() { styles.value.size.mm() * 1.2 } else { 0.0 };
        let top = (names as f32 * columns.style.line_height()).max(columns.side).max(badge).max(columns.sign);
        let (many, lines) = if under { (far, long) } else { (near, short) };
        let boxes_per_line = many.max(1);
        let (note_lines, height) = (0, 0.0);
        let layout = BlockLayout { boxes_per_line, lines, is_under_name: under, name_height: top, note_lines, height };
        let room = columns.boxes_room(&layout);
        let companions = columns.companions(unit, &layout, styles).height;
        let note_fits = unit.note.is_empty() || columns.note_x(unit, &layout) + styles.label.width(&unit.note) <= room;
        let note_lines = if note_fits { 0 } else { styles.label.wrap(&unit.note, room).len() };
        let note = note_lines as f32 * styles.label.line_height();
        let companions = companions + if note_lines > 0 { note + NOTE_ABOVE } else { 0.0 };
        let height = if under {
            let boxes = columns.lines_extent(unit, &layout, lines) + columns.side * LINE_GAP;
            top + columns.side * NAME_GAP + boxes + companions
        } else {
            // The first line of boxes is centred on the name.
            let boxes = (top - columns.side) / 2.0 + columns.lines_extent(unit, &layout, lines);
            top.max(boxes + companions)
        };
        BlockLayout { height, note_lines, ..layout }
    }

    /// The width of one of the units side by side.
    fn column_width(&self, width: f32, styles: &TextStyles) -> f32 {
        let abreast = self.abreast(width, styles) as f32;
        (width - COLUMN_GAP * (abreast - 1.0)) / abreast
    }

    /// The units in lines, each line with its height.
    fn block_lines<'u>(
        &'u self,
        columns: &BlockColumns,
        abreast: usize,
        styles: &TextStyles,
    ) -> Vec<(&'u [ComponentBlock], Vec<BlockLayout>, f32)> {
        let lines = self.blocks.chunks(abreast);
        let layouts = |units: &'u [ComponentBlock]| {
            let layouts: Vec<BlockLayout> =
                units.iter().map(|unit| self.lay_out_block(unit, columns, styles)).collect();
            let height = layouts.iter().map(|layout| layout.height).fold(0.0, f32::max);
            (units, layouts, height)
        };
        lines.map(layouts).collect()
    }

    /// Whether units of this height, mm, are not split.
    fn keeps_together(&self, height: f32) -> bool {
        !self.may_split && height <= MAX_KEPT_TOGETHER
    }

    fn height(&self, width: f32, side: f32, styles: &TextStyles) -> f32 {
        let columns = self.column_widths(self.column_width(width, styles), side, styles);
        let lines = self.block_lines(&columns, self.abreast(width, styles), styles);
        lines.iter().map(|line| line.2 + BLOCK_GAP).sum::<f32>() - BLOCK_GAP
    }

    /// The largest side up to the preferred one and a limit, mm before large print, at which everything fits the height in
    /// the fewest lines; the smallest if none does.
    fn fitting_side(&self, (width, height): (f32, f32), limit: f32, styles: &TextStyles) -> f32 {
        let mut side = (self.preferred_side.min(limit) * styles.minimums.scale).max(styles.minimums.tick_box);
        let lines = |side: f32| -> u32 {
            let columns = self.column_widths(self.column_width(width, styles), side, styles);
            let layouts = self.blocks.iter().map(|unit| self.lay_out_block(unit, &columns, styles));
            layouts.map(|layout| layout.lines + u32::from(layout.is_under_name)).sum()
        };
        // What is left of the width beside a bar.
        let row = self.blocks.iter().filter_map(ComponentBlock::short_row).max().unwrap_or(0) as f32;
        let part = self.column_width(width, styles) - BAR_WIDTH;
        if row > 1.0 && row * styles.minimums.tick_box * (1.0 + BOX_GAP) <= part {
            side = side.min((part / (row * (1.0 + BOX_GAP))).max(styles.minimums.tick_box));
        }
        let fewest = lines(styles.minimums.tick_box);
        while side > styles.minimums.tick_box
            && (lines(side) > fewest || self.height(width, side, styles) > height + 0.01)
        {
            side = (side - 0.1).max(styles.minimums.tick_box);
        }
        side
    }

    fn draw_block(
        unit: &ComponentBlock,
        layout: &BlockLayout,
        columns: &BlockColumns,
        (x, y): (f32, f32),
        (lines, is_whole): (u32, bool),
        pen: &mut SheetPen,
    ) {
        let styles = pen.styles;
        let middle = y + layout.name_height / 2.0;
        match &unit.name {
            Some(name) => {
                let style = columns.style;
                let words = style.wrap(name, columns.name + 0.02);
                let first = middle + style.cap_height() / 2.0 - (words.len() - 1) as f32 * style.line_height() / 2.0;
                for (n, words) in words.iter().enumerate() {
                    pen.text(words, style, x, first + n as f32 * style.line_height(), Anchor::Start);
                }
                if let Some(head) = unit.head.as_ref().filter(|_| columns.look.strikes_name) {
                    let wide = words.iter().map(|words| style.width(words)).fold(0.0, f32::max);
                    let high = words.len() as f32 * style.line_height();
                    let rect = Rect::new(x, middle - high / 2.0, wide, high);
                    pen.tick_box(
                        rect,
                        BoxShape::Plain,
                        Mark::new(mark_name(&head.stem, head.n), MarkKind::Tick, unit.fit),
                    );
                }
            }
            None => {
                let rect = Rect::new(x, y, columns.name, layout.name_height);
                pen.field(rect, format!("{}_{}_name", unit.stem, unit.first), "name");
                pen.rule(x, y + layout.name_height - 0.3, columns.name, THIN_LINE, RULE_INK);
            }
        }
        let mut left = x + columns.name + 1.4;
        if columns.badge > 0.0 {
            if let Some(badge) = &unit.badge {
                let height = styles.value.size.mm() * 1.2;
                let rect = Rect::new(left, middle - height / 2.0, columns.badge, height);
                match columns.look.badge_shape {
                    BoxShape::Rounded => pen.rect(rect, 0.6, thin_line_style(), None),
                    shape => pen.sample_box(Rect { y: rect.y + height * 0.06, h: height * 1.08, ..rect }, shape),
                }
                pen.text_centred(badge, styles.value, left + columns.badge / 2.0, middle, None);
            }
            left += columns.badge + 1.2;
        }
        if columns.sign > 0.0 {
            if let Some(sign) = &unit.sign {
                pen.drawing(sign, Rect::new(left, middle - columns.sign / 2.0, columns.sign, columns.sign), None);
            }
            left += columns.sign + 1.2;
        }
        if let Some(head) = unit.head.as_ref().filter(|_| !columns.look.strikes_name) {
            let rect = Rect::new(left, middle - columns.side / 2.0, columns.head, columns.side);
            let mark = Mark::new(mark_name(&head.stem, head.n), MarkKind::Tick, unit.fit);
            draw_box_face(&head.face, head.shape, rect, mark, pen);
        }
        let corner = if layout.is_under_name {
            (x, y + layout.name_height + columns.side * NAME_GAP)
        } else {
            (x + columns.boxes_x(), middle - columns.side / 2.0)
        };
        let (mut n, mut top) = (0, corner.1);
        let split = unit.split_lines(layout.boxes_per_line);
        let is_grouped = unit.is_grouped();
        // Lines that are whole rows need no sign of where a row ends.
        let has_bars = is_grouped || split.iter().any(|line| !line.1);
        for (boxes, ends) in split.into_iter().take(lines as usize) {
            for place in 0..boxes {
                let rect = Rect::new(corner.0 + columns.box_x(place, is_grouped), top, columns.side, columns.side);
                let mark = Mark::new(mark_name(&unit.stem, unit.first + n), MarkKind::Tick, unit.fit);
                pen.tick_box(rect, unit.shape, mark);
                n += 1;
            }
            if ends && has_bars {
                let x = corner.0 + columns.box_x(boxes.saturating_sub(1), is_grouped) + columns.side + BAR_WIDTH * 0.55;
                pen.lines([[x, top, x, top + columns.side]].into_iter(), BAR_WIDTH * 0.5, INK);
            }
            top += columns.line_height() + if ends { ROW_GAP } else { 0.0 };
        }
        if layout.note_lines == 0 {
            let y = corner.1 + columns.side / 2.0 + styles.label.cap_height() / 2.0;
            pen.text(&unit.note, styles.label, corner.0 + columns.note_x(unit, layout), y, Anchor::Start);
        }
        if n == unit.boxes && lines == layout.lines && is_whole {
            let CompanionPlace { grid, side, height: companions, beside } = columns.companions(unit, layout, &styles);
            let bottom = corner.1 + columns.lines_extent(unit, layout, lines);
            let first = if beside.is_some() { bottom - (columns.side + side) / 2.0 } else { bottom + COMPANION_GAP };
            unit.draw_companions(grid, side, (corner.0 + beside.unwrap_or_default(), first), pen);
            if layout.note_lines > 0 {
                let words = styles.label.wrap(&unit.note, columns.boxes_room(layout));
                let top = bottom + companions + NOTE_ABOVE + styles.label.size.mm() * 0.8;
                for (n, words) in words.iter().enumerate() {
                    pen.text(words, styles.label, corner.0, top + n as f32 * styles.label.line_height(), Anchor::Start);
                }
            }
        }
    }
}

/// As many of these lines as end with a row, if any does.
fn whole_rows(unit: &ComponentBlock, layout: &BlockLayout, lines: u32) -> u32 {
    if unit.lines.is_empty() {
        return lines;
    }
    let ends = unit.split_lines(layout.boxes_per_line);
    (1..=lines).rev().find(|&n| ends.get(n as usize - 1).is_none_or(|line| line.1)).unwrap_or(lines)
}

impl Flowable for ComponentBlocks {
    fn measure(&self, width: f32, styles: &TextStyles) -> SizeHint {
        let minimums = styles.minimums.tick_box;
        let columns = self.column_widths(self.column_width(width, styles), minimums, styles);
        let begun = |layout: &BlockLayout| {
            if layout.is_under_name {
                layout.name_height + minimums * NAME_GAP + columns.line_height()
            } else {
                layout.name_height
            }
        };
        let first = self.blocks.iter().take(self.abreast(width, styles));
        let layouts = first.map(|unit| self.lay_out_block(unit, &columns, styles));
        let start =
            layouts.map(|layout| if self.keeps_together(layout.height) { layout.height } else { begun(&layout) });
        let start = start.fold(0.0, f32::max);
        let least = self.height(width, minimums, styles).max(start);
        let side = self.fitting_side((width, f32::INFINITY), f32::INFINITY, styles);
        let natural = self.height(width, side, styles).max(least);
        SizeHint { min_start: start, min: least, natural, max: natural }
    }

    fn draw(self: Box<Self>, rect: Rect, pen: &mut SheetPen) -> Option<Box<dyn Flowable>> {
        let styles = pen.styles;
        let side = self.fitting_side((rect.w, rect.h), f32::INFINITY, &styles);
        let abreast = self.abreast(rect.w, &styles);
        let part = self.column_width(rect.w, &styles);
        let columns = self.column_widths(part, side, &styles);
        let (mut y, mut done) = (rect.y, 0);
        for (units, layouts, height) in self.block_lines(&columns, abreast, &styles) {
            let room = rect.bottom() - y + 0.02;
            let whole = height <= room;
            if !whole && (done > 0 || self.keeps_together(height)) {
                break;
            }
            let mut left = Vec::new();
            for (n, (unit, layout)) in units.iter().zip(&layouts).enumerate() {
                // What no page could hold whole is begun here and continued.
                let lines = if whole {
                    layout.lines
                } else {
                    whole_rows(unit, layout, columns.lines_that_fit(unit, layout, room))
                };
                let x = rect.x + n as f32 * (part + COLUMN_GAP);
                if !whole && (lines == 0 || room < layout.name_height) {
                    left.push(unit.clone());
                    continue;
                }
                let fits = layout.height <= room;
                Self::draw_block(unit, layout, &columns, (x, y), (lines, fits), pen);
                let drawn =
                    unit.split_lines(layout.boxes_per_line).iter().take(lines as usize).map(|line| line.0).sum();
                let has_more = !unit.companions.is_empty() || layout.note_lines > 0;
                if drawn < unit.boxes || !fits && has_more {
                    left.push(unit.remaining_after(drawn));
                }
            }
            done += units.len();
            y += height + BLOCK_GAP;
            if !left.is_empty() {
                left.extend_from_slice(&self.blocks[done..]);
                return Some(Box::new(Self { blocks: left, may_split: false, ..*self }));
            }
        }
        if done == self.blocks.len() {
            return None;
        }
        Some(Box::new(Self { blocks: self.blocks[done..].to_vec(), may_split: self.may_split && done == 0, ..*self }))
    }

    fn allow_split(&mut self) -> bool {
        !std::mem::replace(&mut self.may_split, true)
    }

    fn max_box_size(&self, rect: Rect, styles: &TextStyles) -> Option<f32> {
        Some(self.fitting_side((rect.w, rect.h), f32::INFINITY, styles) / styles.minimums.scale)
    }

    fn height_for_boxes(&self, width: f32, size: f32, styles: &TextStyles) -> Option<f32> {
        let side = self.fitting_side((width, f32::INFINITY), size, styles);
        Some(self.height(width, side, styles))
    }

    fn limit_box_size(&mut self, size: f32) {
        self.preferred_side = self.preferred_side.min(size);
    }
}

#[cfg(test)]
mod tests;
