//! One unit as a cell: its name above or beside, its badge, the grid of its boxes and its sign side by side, its
//! companions below. Takes a unit, a width and a size of box, gives the measures of the cell. Never draws.

use super::super::box_rows::sign_side;
use super::unit::Unit;
use crate::sheet::layout::companion_grid::{self, CompanionGrid};
use crate::sheet::layout::text_style::{TextRole, TextStyle, TextStyles};

/// Boxes in a group, where a line is longer than two of them; between groups, as a multiple of a box.
const GROUP: u32 = 5;
const GROUP_GAP: f32 = 0.28;
/// The longest line of boxes without groups.
const LONGEST_JOINED: u32 = 10;
/// A unit of more boxes takes the whole width.
const MOST_COMPACT: u32 = 30;
/// Between the lines of different rows, mm: lines of one row are joined.
pub const ROW_GAP: f32 = 0.9;
/// Beside the figures of a badge, both sides together, mm.
const BADGE_BESIDE: f32 = 1.8;
/// Between a badge and the boxes, and between them and a sign, mm.
const BADGE_GAP: f32 = 0.9;
const SIGN_GAP: f32 = 0.9;
/// Between a name and what is below it, mm.
const NAME_GAP: f32 = 0.88; // letters that reach below their line stay clear of boxes
/// Between a name and what is beside it, mm.
const NAME_BESIDE: f32 = 1.2;
/// The largest share of the width for names at the left.
const NAME_SHARE: f32 = 0.42;
/// Between lines of columns, mm: the leading of a name beside its boxes may be in it.
pub const COLUMN_LINE_GAP: f32 = 0.8;
/// A badge may reach so far up into the gap below a name, mm.
const BADGE_REACH: f32 = 0.48;
/// Between boxes and what is below them, mm.
pub const BELOW_GAP: f32 = 0.75;
/// The line for a name on an empty sheet: a pencil's height, mm; and what is left of it below the line.
const WRITING_LINE: f32 = 6.0;
const UNDER_WRITING: f32 = 1.2;
/// Room for the bar that ends a row of several lines, mm.
const BAR_WIDTH: f32 = 1.0;
/// Least width for a name on an empty sheet, mm before large print.
const BLANK_NAME: f32 = 18.0;

/// Where the names of units are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamePlace {
    #[default]
    Above,
    Left,
    Right,
}

/// Measures of a unit, mm, for one size of box.
#[derive(Clone, Debug)]
pub struct Cell {
    pub side: f32,
    /// Lines of boxes: the number of boxes, and whether a row ends there.
    pub lines: Vec<(u32, bool)>,
    pub is_grouped: bool,
    /// Lines that are whole rows need no sign of where a row ends.
    pub has_bars: bool,
    pub names: Vec<String>,
    pub style: TextStyle,
    /// Upper left corner of the name, and its extent; where there is none, of the line to write on.
    pub name_at: (f32, f32),
    pub name_width: f32,
    pub name_height: f32,
    pub notes: Vec<String>,
    /// The badge's left edge, and its width; 0 without one.
    pub badge_x: f32,
    pub badge: f32,
    /// Upper left corner of the boxes.
    pub boxes_x: f32,
    pub first_top: f32,
    /// Left edge of the sign, which has this side.
    pub sign_x: f32,
    pub sign: f32,
    pub companions: CompanionGrid,
    pub companion: f32,
    pub width: f32,
    pub height: f32,
}

/// What all units of a section share, mm.
#[derive(Clone, Copy, Debug)]
pub struct SectionWidths {
    pub names: NamePlace,
    /// Of names at the left.
    name: f32,
    /// Of a badge; a unit without one keeps no room for it.
    badge: f32,
    /// From edge to edge.
    width: f32,
    /// Of names.
    style: TextStyle,
}

/// The height of a badge, mm.
pub fn badge_height(styles: &TextStyles) -> f32 {
    styles.value.size.mm() * 1.3
}

impl SectionWidths {
    /// In a width, mm, with names in this style, or in smaller letters before a word is broken.
    pub fn new(units: &[Unit], names: NamePlace, width: f32, style: TextStyle, styles: &TextStyles) -> Self {
        let widest = |widths: &mut dyn Iterator<Item = f32>| widths.fold(0.0, f32::max);
        let badges = units.iter().filter_map(|unit| unit.badge.as_deref());
        let badge = |words: &str| (styles.value.width(words) + BADGE_BESIDE).max(badge_height(styles) * 0.95);
        let words = units.iter().filter_map(|unit| unit.name.as_deref()).flat_map(|name| name.split(' '));
        let word = widest(&mut words.map(|word| style.width(word)));
        let size = styles.minimums.shrink_to_least(style.size, word / style.size.mm(), width.max(0.1), TextRole::Label);
        let style = TextStyle { size, ..style };
        let blank = BLANK_NAME * styles.minimums.scale;
        let name = |unit: &Unit| unit.name.as_ref().map_or(blank, |name| style.width(name));
        let name = match names {
            NamePlace::Left => widest(&mut units.iter().map(name)).min((width * NAME_SHARE).max(word)),
            NamePlace::Above | NamePlace::Right => 0.0,
        };
        Self { names, name, badge: widest(&mut badges.map(badge)), width, style }
    }
}

/// Where box `n` of a line begins, in sides of a box.
fn start_of(n: u32, is_grouped: bool) -> f32 {
    n as f32 + if is_grouped { (n / GROUP) as f32 * GROUP_GAP } else { 0.0 }
}

fn length_of(n: u32, is_grouped: bool) -> f32 {
    if n == 0 { 0.0 } else { start_of(n - 1, is_grouped) + 1.0 }
}

/// The most boxes in a line of a length in sides of a box.
fn capacity(length: f32, is_grouped: bool) -> u32 {
    let mut n = ((length / (1.0 + GROUP_GAP / GROUP as f32)).floor().max(1.0) as u32).min(100_000);
    while length_of(n + 1, is_grouped) <= length + 0.003 {
        n += 1;
    }
    while n > 1 && length_of(n, is_grouped) > length + 0.003 {
        n -= 1;
    }
    n
}

/// Boxes in a line for so many boxes, as even as possible; whether lines are in groups.
fn balanced(boxes: u32, room: f32) -> (u32, bool) {
    let joined = capacity(room, false).max(1);
    if boxes <= MOST_COMPACT || joined <= LONGEST_JOINED {
        let most = joined.min(LONGEST_JOINED);
        let lines = boxes.div_ceil(most).max(1);
        return (boxes.div_ceil(lines).max(1), false);
    }
    let lines = boxes.div_ceil(capacity(room, true)).max(1);
    (boxes.div_ceil(lines), true)
}

impl Cell {
    pub fn new(unit: &Unit, side: f32, columns: &SectionWidths, styles: &TextStyles) -> Self {
        let badge_x = if columns.names == NamePlace::Left { columns.name + NAME_BESIDE } else { 0.0 };
        let badge = if unit.badge.is_some() { columns.badge } else { 0.0 };
        let boxes_x = badge_x + if badge > 0.0 { badge + BADGE_GAP } else { 0.0 };
        let sign = if unit.sign.is_some() { sign_side(styles).max(side * 0.9) } else { 0.0 };
        let signs = if sign > 0.0 { sign + SIGN_GAP } else { 0.0 };
        let room = ((columns.width - boxes_x - signs) / side).max(1.0);
        let rows = unit.fixed_rows();
        let (boxes_per_line, is_grouped) = match &rows {
            Some(rows) => {
                let longest = rows.iter().copied().max().unwrap_or(0).max(1);
                let is_grouped = longest > LONGEST_JOINED;
                if length_of(longest, is_grouped) <= room {
                    (longest, is_grouped)
                } else {
                    let bar = BAR_WIDTH / side;
                    let most = capacity(room - bar, is_grouped);
                    let fives = most / GROUP * GROUP;
                    (if is_grouped && fives > 0 { fives } else { most }, is_grouped)
                }
            }
            None => balanced(unit.boxes, room),
        };
        let lines = unit.split_lines(boxes_per_line);
        let has_bars = rows.is_some() && lines.iter().any(|line| !line.1);
        let longest = lines.iter().map(|line| line.0).max().unwrap_or(0);
        let bar = if has_bars { BAR_WIDTH } else { 0.0 };
        let grid = (length_of(longest, is_grouped) * side + bar).max(side);
        let mut cell = Self {
            side,
            lines,
            is_grouped,
            has_bars,
            names: Vec::new(),
            style: columns.style,
            name_at: (0.0, 0.0),
            name_width: 0.0,
            name_height: 0.0,
            notes: Vec::new(),
            badge_x,
            badge,
            boxes_x,
            first_top: 0.0,
            sign_x: boxes_x + grid + SIGN_GAP,
            sign,
            companions: CompanionGrid::default(),
            companion: 0.0,
            width: boxes_x + grid + signs,
            height: 0.0,
        };
        match columns.names {
            NamePlace::Above => cell.set_name_above(unit, columns, styles),
            NamePlace::Left | NamePlace::Right => cell.set_name_beside(unit, columns, styles),
        }
        cell.set_below(unit, columns, styles);
        cell
    }

    fn set_name_above(&mut self, unit: &Unit, columns: &SectionWidths, styles: &TextStyles) {
        let below = match &unit.name {
            Some(name) => {
                self.break_name(name, columns.width);
                // From the boxes' left edge, or from the badge's where that saves a line.
                self.name_at.0 =
                    if self.name_width + self.boxes_x <= columns.width + 0.02 { self.boxes_x } else { 0.0 };
                self.width = self.width.max(self.name_at.0 + self.name_width);
                self.name_height = self.name_height.max(self.style.line_height());
                self.name_height + NAME_GAP
            }
            None => {
                self.width = self.width.max((BLANK_NAME * styles.minimums.scale).min(columns.width));
                let line = WRITING_LINE * styles.minimums.scale.min(1.15);
                (self.name_width, self.name_height) = (self.width, line - UNDER_WRITING);
                line
            }
        };
        // Badge and sign may reach up beside the name, but not beside a name that is above them; the sign is under the end
        // of a long name.
        let is_over_badge = self.badge > 0.0 && self.names.len() > 1;
        let over = self.overhang(styles);
        self.first_top = below + if is_over_badge { over } else { (over - BADGE_REACH).max(0.0) };
    }

    /// The first line of boxes is level with the middle of its name.
    fn set_name_beside(&mut self, unit: &Unit, columns: &SectionWidths, styles: &TextStyles) {
        (self.name_width, self.name_height) = (columns.name, self.side);
        if columns.names == NamePlace::Left {
            unit.name.iter().for_each(|name| self.break_name(name, columns.name));
        } else {
            let x = self.width + NAME_BESIDE;
            unit.name.iter().for_each(|name| self.break_name(name, columns.width - x));
            (self.name_at.0, self.width) = (x, x + self.name_width);
        }
        let high = self.name_height - COLUMN_LINE_GAP;
        let over = ((high - self.side) / 2.0).max(self.overhang(styles));
        (self.first_top, self.name_at.1) = (over, over + (self.side - self.name_height) / 2.0);
    }

    fn break_name(&mut self, name: &str, width: f32) {
        self.names = self.style.wrap(name, width + 0.02);
        self.name_width = self.names.iter().map(|words| self.style.width(words)).fold(0.0, f32::max);
        self.name_height = self.names.len() as f32 * self.style.line_height();
    }

    fn set_below(&mut self, unit: &Unit, columns: &SectionWidths, styles: &TextStyles) {
        let room = (columns.width - self.boxes_x).max(self.side);
        let mut height = self.first_top + self.lines_height(self.lines.len());
        let name = self.name_at.1 + self.name_height - COLUMN_LINE_GAP;
        height = height.max(self.first_top + self.overhang(styles) + self.side).max(name);
        if !unit.note.is_empty() {
            let width = room.min((self.width - self.boxes_x).max(20.0));
            self.notes = styles.label.wrap(&unit.note, width);
            let words = self.notes.iter().map(|words| styles.label.width(words)).fold(0.0, f32::max);
            self.width = self.width.max(self.boxes_x + words);
            height += BELOW_GAP + self.notes.len() as f32 * styles.label.line_height();
        }
        let count = unit.companion_count();
        if count > 0 {
            self.companion = unit.companion_side(self.side, styles);
            self.companions = companion_grid::companions_below(count, self.companion, room);
            let (across, down) = companion_grid::companions_extent(self.companions, self.companion);
            self.width = self.width.max(self.boxes_x + across);
            height += BELOW_GAP + down;
        }
        self.height = height;
    }

    /// How far badge and sign are beyond the first line of boxes, above and below it, mm.
    fn overhang(&self, styles: &TextStyles) -> f32 {
        let badge = if self.badge > 0.0 { badge_height(styles) } else { 0.0 };
        ((badge.max(self.sign) - self.side) / 2.0).max(0.0)
    }

    /// The height of the first lines of boxes, mm.
    pub fn lines_height(&self, lines: usize) -> f32 {
        let ends = self.lines.iter().take(lines).filter(|line| line.1).count();
        let last = self.lines.get(lines.saturating_sub(1)).is_some_and(|line| line.1);
        lines as f32 * self.side + (ends - usize::from(last)) as f32 * ROW_GAP
    }

    /// Left edge of a box in its line, mm from that of the first.
    pub fn box_x(&self, n: u32) -> f32 {
        start_of(n, self.is_grouped) * self.side
    }

    /// End of a line of boxes, mm from its beginning.
    pub fn line_end(&self, boxes: u32) -> f32 {
        length_of(boxes, self.is_grouped) * self.side
    }

    /// Lines of boxes that fit a height, mm, whole rows if any.
    pub fn lines_that_fit(&self, room: f32) -> usize {
        let fits = |lines: &usize| self.first_top + self.lines_height(*lines) <= room + 0.01;
        let most = (1..=self.lines.len()).take_while(fits).last().unwrap_or(0);
        (1..=most).rev().find(|&n| self.lines[n - 1].1).unwrap_or(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_ten_boxes_are_one_line_and_more_are_even_lines() {
        assert_eq!(balanced(7, 30.0), (7, false));
        assert_eq!(balanced(10, 30.0), (10, false));
        assert_eq!(balanced(15, 30.0), (8, false));
        assert_eq!(balanced(7, 5.0), (4, false), "no line of one or two after a full one");
        assert_eq!(balanced(36, 7.0), (6, false));
    }

    #[test]
    fn long_lines_are_in_groups_and_nearly_equal() {
        assert_eq!(balanced(40, 23.5), (20, true));
        assert_eq!(balanced(36, 27.0), (18, true));
        assert_eq!(balanced(37, 27.0), (19, true));
        assert_eq!(balanced(12, 23.5), (6, false));
    }

    #[test]
    fn a_capacity_is_never_more_than_the_length() {
        for tenths in 10..600 {
            let length = tenths as f32 / 10.0;
            for is_grouped in [false, true] {
                let n = capacity(length, is_grouped);
                assert!(length_of(n, is_grouped) <= length + 0.01 && length_of(n + 1, is_grouped) > length);
            }
        }
    }
}
