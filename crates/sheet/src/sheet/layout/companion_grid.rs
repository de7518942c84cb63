//! How the companions of a box are arranged beside it: takes their number and their side, gives corners and extents. Pure
//! arithmetic, as `box_layout`, whose boxes they belong to.

/// Small boxes beside each box of a row that belong to it, in columns and lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompanionGrid {
    /// 0 for no companions.
    pub columns: u32,
    pub lines: u32,
    pub side: CompanionSide,
}

/// The side of a box at which its companions are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompanionSide {
    Left,
    #[default]
    Right,
    Below,
}

/// A companion's side as a multiple of its box's, where that is not below the minimum.
const COMPANION_SIZE: f32 = 0.6;
/// Between companions, between them and their box, and to the companions of the next box, as multiples of their side.
const COMPANION_GAP: f32 = 0.14;
const COMPANION_OFFSET: f32 = 0.24;
const COMPANION_MARGIN: f32 = 0.35;
/// More are wider than any paper.
const LONGEST_LINE: u32 = 200;

/// The side of a companion of a box of this size, mm.
pub fn companion_side(size: f32, least: f32) -> f32 {
    (size * COMPANION_SIZE).max(least)
}

/// Width and height of a full grid of companions, mm.
pub fn companions_extent(grid: CompanionGrid, side: f32) -> (f32, f32) {
    let length = |n: u32| (n as f32 * side * (1.0 + COMPANION_GAP) - side * COMPANION_GAP).max(0.0);
    (length(grid.columns), length(grid.lines))
}

/// Companions on lines of their own in a width, mm: as few lines as possible.
pub fn companions_below(count: u32, side: f32, width: f32) -> CompanionGrid {
    let grid = |columns: u32| CompanionGrid { columns, lines: count.div_ceil(columns), side: CompanionSide::Below };
    let fits = |columns: &u32| companions_extent(grid(*columns), side).0 <= width + 0.01;
    grid((1..=count.min(LONGEST_LINE)).rev().find(fits).unwrap_or(1))
}

/// Upper left corners of the companions of a box at (0, 0), in order; all of them have one side, mm.
pub fn companion_corners(
    grid: CompanionGrid,
    count: u32,
    (width, height): (f32, f32),
    side: f32,
) -> impl Iterator<Item = (f32, f32)> {
    let columns = grid.columns.max(1);
    let pitch = side * (1.0 + COMPANION_GAP);
    let used = CompanionGrid { columns: count.min(columns), lines: count.div_ceil(columns), ..grid };
    let (across, down) = companions_extent(used, side);
    let (x, y) = match grid.side {
        CompanionSide::Right => (width + side * COMPANION_OFFSET, (height - down) / 2.0),
        CompanionSide::Left => (-side * COMPANION_OFFSET - across, (height - down) / 2.0),
        CompanionSide::Below => ((width - across) / 2.0, height + side * COMPANION_OFFSET),
    };
    (0..count).map(move |n| (x + (n % columns) as f32 * pitch, y + (n / columns) as f32 * pitch))
}

impl CompanionGrid {
    /// Width and height of a box with its companions, mm.
    pub fn cell(self, (width, height): (f32, f32), side: f32) -> (f32, f32) {
        if self.columns == 0 {
            return (width, height);
        }
        let (across, down) = companions_extent(self, side);
        let apart = side * COMPANION_MARGIN;
        match self.side {
            CompanionSide::Below => {
                let across = if across > width { across + apart } else { width };
                (across, height + side * (COMPANION_OFFSET + COMPANION_MARGIN / 2.0) + down)
            }
            CompanionSide::Left | CompanionSide::Right => {
                (width + side * COMPANION_OFFSET + across + apart, height.max(down))
            }
        }
    }
}
