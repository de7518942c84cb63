//! How cells become lines: takes the size of each cell and what it belongs to, gives lines of as little height as
//! possible, and the order within each. Pure arithmetic.

use std::ops::Range;

/// What a line takes more, mm of height, for each part of a group that it divides, and if it is empty for the most part.
const DIVIDED: f32 = 2.0;
const EMPTY: f32 = 1.5;
/// What another order than the given one has to save, mm of height.
const WORTH_ANOTHER_ORDER: f32 = 4.0;
/// The most cells in a line.
const MOST_ACROSS: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellSize {
    pub width: f32,
    pub height: f32,
    /// Cells of one group are alike and next to one another.
    pub group: Option<u32>,
}

/// Lines of cells within a width with gaps between them, mm: least height first, alike cells together if possible.
pub fn break_cells(cells: &[CellSize], width: f32, gap: f32, line_gap: f32) -> Vec<Range<usize>> {
    let divides =
        |at: usize| at > 0 && at < cells.len() && cells[at].group.is_some() && cells[at].group == cells[at - 1].group;
    // For each number of cells, the least cost of lines that hold them, and where the last line begins.
    let mut best: Vec<(f32, usize)> = vec![(0.0, 0)];
    for end in 1..=cells.len() {
        let (mut across, mut high) = (-gap, 0.0_f32);
        let mut found: Option<(f32, usize)> = None;
        for start in (end.saturating_sub(MOST_ACROSS)..end).rev() {
            across += cells[start].width + gap;
            high = high.max(cells[start].height);
            if across > width + 0.01 && found.is_some() {
                break;
            }
            let slack = ((width - across) / width.max(0.1)).clamp(0.0, 1.0);
            let divided = if divides(start) { DIVIDED } else { 0.0 };
            let cost = best[start].0 + high + line_gap + divided + EMPTY * slack * slack;
            if found.is_none_or(|(least, _)| cost < least - 1e-4) {
                found = Some((cost, start));
            }
        }
        best.push(found.unwrap_or((0.0, end - 1)));
    }
    let mut lines = Vec::new();
    let mut end = cells.len();
    while end > 0 {
        let start = best[end].1;
        lines.push(start..end);
        end = start;
    }
    lines.reverse();
    lines
}

/// The order of cells, and lines of those that follow one another in it: as given, unless another order saves a line.
pub fn arrange_cells(cells: &[CellSize], width: f32, gap: f32, line_gap: f32) -> (Vec<usize>, Vec<Range<usize>>) {
    let in_order = break_cells(cells, width, gap, line_gap);
    let high = |line: &mut dyn Iterator<Item = usize>| line.map(|n| cells[n].height + line_gap).fold(0.0, f32::max);
    let packed = pack_cells(cells, width, gap);
    let given: f32 = in_order.iter().map(|line| high(&mut line.clone())).sum();
    let other: f32 = packed.iter().map(|line| high(&mut line.iter().copied())).sum();
    if other > given - WORTH_ANOTHER_ORDER {
        return ((0..cells.len()).collect(), in_order);
    }
    let ends = packed.iter().scan(0, |end, line| {
        *end += line.len();
        Some(*end - line.len()..*end)
    });
    let lines = ends.collect();
    (packed.into_iter().flatten().collect(), lines)
}

/// Lines of cells in any order: the highest first, of those the widest, each into the first line that has room for it. What
/// is last of all is in the last line.
fn pack_cells(cells: &[CellSize], width: f32, gap: f32) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by(|&a, &b| {
        let by = |of: fn(&CellSize) -> f32| of(&cells[b]).total_cmp(&of(&cells[a]));
        by(|cell| cell.height).then(by(|cell| cell.width))
    });
    let mut lines: Vec<(f32, Vec<usize>)> = Vec::new();
    for n in order {
        let own = cells[n].width + gap;
        match lines.iter_mut().find(|(used, _)| used + own <= width + gap + 0.01) {
            Some((used, line)) => {
                *used += own;
                line.push(n);
            }
            None => lines.push((own, vec![n])),
        }
    }
    let mut lines: Vec<Vec<usize>> = lines.into_iter().map(|(_, line)| line).collect();
    lines.iter_mut().for_each(|line| line.sort_unstable());
    lines.sort_by_key(|line| line.last().copied());
    lines
}

/// Between columns, at least, mm; and how much further apart they are where there is room.
const LEAST_COLUMN_GAP: f32 = 2.0;
const WIDER_COLUMNS: f32 = 7.0;

/// Lines of cells in columns of one width, and the distance of the columns' left edges, mm. As even as possible: five
/// cells in room for four become three and two. Runs are not torn: what follows a run of four begins a line.
pub fn columns_of(runs: &[usize], widest: f32, width: f32, most: usize) -> (Vec<Range<usize>>, f32) {
    let total: usize = runs.iter().sum();
    let pitch = widest + LEAST_COLUMN_GAP;
    let fit = ((width + LEAST_COLUMN_GAP + 0.01) / pitch).floor().max(1.0) as usize;
    let fit = fit.min(if most > 0 { most } else { usize::MAX }).clamp(1, total.max(1));
    let even = total.div_ceil(total.div_ceil(fit).max(1)).max(1);
    let holds_runs = |columns: &usize| runs.iter().rev().skip(1).all(|run| run % columns == 0);
    let columns = (2..=even).rev().find(holds_runs).filter(|_| even < total).unwrap_or(even);
    let lines = (0..total).step_by(columns).map(|first| first..(first + columns).min(total)).collect();
    (lines, ((width + LEAST_COLUMN_GAP) / columns as f32).min(pitch + WIDER_COLUMNS))
}

/// The order of a line's cells, from left to right: alike cells mirror one another, those without a partner are in the
/// middle.
pub fn mirrored(groups: &[Option<u32>]) -> Vec<usize> {
    let (mut left, mut middle, mut right) = (Vec::new(), Vec::new(), Vec::new());
    let mut n = 0;
    while n < groups.len() {
        let alike = groups[n..].iter().take_while(|group| group.is_some() && **group == groups[n]).count().max(1);
        let half = alike / 2;
        left.extend(n..n + half);
        middle.extend((n + half..n + alike - half).filter(|_| alike % 2 == 1));
        right.extend((n + alike - half..n + alike).rev());
        n += alike;
    }
    left.into_iter().chain(middle).chain(right.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(sizes: &[(f32, u32)]) -> Vec<CellSize> {
        sizes.iter().map(|&(width, group)| CellSize { width, height: 10.0, group: Some(group) }).collect()
    }

    #[test]
    fn alike_cells_share_a_line() {
        let lines = break_cells(&cells(&[(40.0, 1), (40.0, 1), (30.0, 2), (30.0, 2), (30.0, 3)]), 112.0, 4.0, 1.0);
        assert_eq!(lines, [0..2, 2..5]);
        let wide = break_cells(&cells(&[(200.0, 1), (20.0, 2)]), 112.0, 4.0, 1.0);
        assert_eq!(wide, [0..1, 1..2], "what is too wide has a line of its own");
    }

    #[test]
    fn another_order_is_taken_where_it_saves_a_line() {
        let widths = [30.0, 40.0, 50.0, 20.0, 50.0];
        let cells: Vec<_> = widths.iter().zip(0..).map(|(width, group)| (*width, group)).collect();
        // In order 30 40 | 50 20 | 50: each line holds what is last in it, the last cell in the last.
        let (order, lines) = arrange_cells(&self::cells(&cells), 74.0, 4.0, 1.0);
        assert_eq!((order, lines), (vec![0, 1, 2, 3, 4], vec![0..2, 2..4, 4..5]));
        let (order, lines) = arrange_cells(&self::cells(&[(50.0, 1), (50.0, 2), (20.0, 3), (20.0, 4)]), 74.0, 4.0, 1.0);
        assert_eq!((order, lines), (vec![0, 2, 1, 3], vec![0..2, 2..4]), "in order they take three lines");
    }

    #[test]
    fn columns_are_even_and_what_follows_pairs_begins_a_line() {
        let across = |runs: &[usize], width: f32, most: usize| columns_of(runs, 28.0, width, most).0[0].len();
        assert_eq!(across(&[5], 130.0, 0), 3, "three and two, not four and one");
        assert_eq!((across(&[4, 1], 90.0, 0), across(&[4, 1], 300.0, 0)), (2, 5), "not three and two");
        assert_eq!((across(&[6], 300.0, 3), across(&[6], 20.0, 3)), (3, 1));
    }

    #[test]
    fn pairs_are_outside_and_single_cells_in_the_middle() {
        assert_eq!(mirrored(&[Some(1), Some(1), Some(2), Some(2), Some(3)]), [0, 2, 4, 3, 1]);
        assert_eq!(mirrored(&[Some(1), Some(2), Some(2)]), [1, 0, 2]);
        assert_eq!(mirrored(&[Some(1), Some(1), Some(1), Some(2)]), [0, 1, 3, 2]);
        assert_eq!(mirrored(&[None, None]), [0, 1]);
    }
}
