//! Tests of how boxes fit a rectangle.

use proptest::prelude::*;

use super::super::companion_grid::companion_corners;
use super::*;

fn request(rows: &[u32], width: f32, height: f32, flow: RowFlow, down: bool) -> BoxLayoutRequest<'_> {
    BoxLayoutRequest {
        rows,
        width,
        height,
        min_side: 3.0,
        max_side: 5.0,
        aspect: 1.0,
        min_width: 0.0,
        flow,
        down,
        gaps: BoxGaps::default(),
        companions: &[],
        min_companion: 0.0,
    }
}

fn holds(request: &BoxLayoutRequest<'_>, fitted: &BoxLayout) {
    let total: u32 = request.rows.iter().sum();
    assert_eq!(fitted.corners.len() as u32 + fitted.unplaced, total);
    assert_eq!(fitted.lines.iter().map(|line| line.count).sum::<u32>(), fitted.corners.len() as u32);
    assert!(fitted.size >= request.min_side - 1e-4 && fitted.size <= request.max_side + 1e-4, "{fitted:?}");
    let (w, h) = (fitted.box_width, fitted.box_height);
    for &(x, y) in &fitted.corners {
        assert!(x >= -1e-3 && y >= -1e-3, "{x} {y}");
        assert!(x + w <= request.width + 0.01 && y + h <= request.height + 0.01, "{x} {y} {w} {h} in {request:?}");
        assert!(x + w <= fitted.width + 0.01 && y + h <= fitted.height + 0.01);
    }
    // No two overlap: sorted by line, neighbours on a line are a side apart, lines are a side apart.
    let mut sorted: Vec<_> = fitted.corners.iter().map(|&(x, y)| if request.down { (x, y) } else { (y, x) }).collect();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let (along, across) = if request.down { (h, w) } else { (w, h) };
    for pair in sorted.windows(2) {
        let apart = if (pair[0].0 - pair[1].0).abs() < 1e-3 {
            pair[1].1 - pair[0].1 - along
        } else {
            pair[1].0 - pair[0].0 - across
        };
        assert!(apart > 0.05 * fitted.size - 1e-3, "{pair:?}");
    }
}

#[test]
fn a_long_row_is_shared_out_evenly() {
    for (boxes, width, lines) in [
        (12, 62.0, &[6, 6][..]),
        (11, 62.0, &[6, 5]),
        (7, 62.0, &[4, 3]),
        (6, 62.0, &[6]),
        (24, 84.0, &[8, 8, 8]),
        (13, 52.0, &[5, 5, 3]),
        (7, 32.0, &[3, 2, 2]),
    ] {
        let rows = [boxes];
        let request = request(&rows, width, 32.0, RowFlow::Even, false);
        let gaps = BoxGaps { within: 0.03, group: 0.0, ..BoxGaps::default() };
        let fitted = lay_out_boxes(&BoxLayoutRequest { min_side: 10.0, max_side: 10.0, gaps, ..request });
        assert_eq!(fitted.unplaced, 0);
        assert_eq!(fitted.lines.iter().map(|line| line.count).collect::<Vec<_>>(), lines);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_box_has_a_place_or_is_counted(
        rows in prop::collection::vec(0u32..120, 0..42), width in 1f32..200.0, height in 1f32..260.0,
        flow in prop::sample::select(vec![RowFlow::Rows, RowFlow::Centred, RowFlow::Start]), down: bool, narrowest in 0f32..6.0, aspect in 0.5f32..3.0,
    ) {
        let request = BoxLayoutRequest { min_width: narrowest, aspect, ..request(&rows, width, height, flow, down) };
        let fitted = lay_out_boxes(&request);
        holds(&request, &fitted);
        // It is the largest size (except for the tenth that wider gaps between rows are worth): nothing fits a little larger, or
        // not without breaking a group.
        let plain = BoxPlanner::new(&request).largest(GROUP_SIZE);
        prop_assert!(fitted.size >= plain.size * 0.9);
        let fitted = plain;
        let holds_all = fitted.boxes() == rows.iter().sum::<u32>();
        if holds_all && fitted.size + SIZE_STEP <= request.max_side && fitted.boxes() > 0 {
            let (plan, larger) = (BoxPlanner::new(&request), fitted.size + 0.2);
            let group = rows.iter().copied().max().unwrap_or(0).min(GROUP_SIZE);
            let widest = plan.line_capacity(&plan.cells(plan.least), plan.least);
            let group = if flow == RowFlow::Rows { group.min(widest) } else { group };
            let breaks = widest >= group && plan.line_capacity(&plan.cells(larger), larger) < group;
            let up = extent(&request, larger);
            let depth = if down { width } else { height };
            prop_assert!(breaks || up.is_none_or(|up| up > depth - 0.35 * fitted.size * rows.len() as f32));
        }
    }

    #[test]
    fn rows_stand_on_one_grid(rows in prop::collection::vec(1u32..400, 1..14), width in 20f32..200.0) {
        let request = request(&rows, width, 2000.0, RowFlow::Rows, false);
        let fitted = lay_out_boxes(&request);
        let plan = BoxPlanner::new(&request);
        for line in &fitted.lines {
            for n in 0..line.count {
                let (x, y) = fitted.corners[(line.first + n) as usize];
                prop_assert_eq!(y, line.at);
                let column = (0..200).find(|&c| (plan.request.place_start(c, fitted.size, fitted.size) - x).abs() < 1e-3);
                // Counting in fives: a box's place in its group follows from its number in the row.
                let start = fitted.lines.iter().find(|l| l.row == line.row).unwrap().first;
                prop_assert!(column.is_some());
                if plan.line_capacity(&[], fitted.size) >= GROUP_SIZE || rows.iter().max() <= Some(&plan.line_capacity(&[], fitted.size)) {
                    prop_assert_eq!(column.unwrap() % GROUP_SIZE, (line.first + n - start) % GROUP_SIZE);
                }
            }
        }
    }
}

/// Launchers with one pip each, counter-missiles with four, lasers with none.
#[test]
fn companions_touch_nothing_and_stay_within() {
    let rows = [7, 6, 3];
    for (side, down) in [
        (CompanionSide::Right, true),
        (CompanionSide::Left, true),
        (CompanionSide::Below, false),
        (CompanionSide::Right, false),
        (CompanionSide::Below, true),
        (CompanionSide::Left, false),
    ] {
        for flow in [RowFlow::Start, RowFlow::Centred, RowFlow::Rows] {
            for (columns, lines) in [(4, 1), (2, 2), (1, 4)] {
                let grid = |columns, lines| CompanionGrid { columns, lines, side };
                let grids = [grid(1, 1), grid(columns, lines), grid(0, 0)];
                let plain = request(&rows, 60.0, 66.0, flow, down);
                let request = BoxLayoutRequest { companions: &grids, min_companion: 2.4, ..plain };
                let fitted = lay_out_boxes(&request);
                assert_eq!(fitted.corners.len() as u32 + fitted.unplaced, 16);
                let (w, h) = (fitted.box_width, fitted.box_height);
                let pip = companion_side(fitted.size, 2.4);
                let mut taken: Vec<(f32, f32, f32, f32)> = Vec::new();
                for (n, &(x, y)) in fitted.corners.iter().enumerate() {
                    taken.push((x, y, w, h));
                    let (grid, count) = if n < 7 { (grids[0], 1) } else { (grids[1], if n < 13 { 4 } else { 0 }) };
                    let pips = companion_corners(grid, count, (w, h), pip);
                    taken.extend(pips.map(|(dx, dy)| (x + dx, y + dy, pip, pip)));
                }
                for (n, a) in taken.iter().enumerate() {
                    assert!(a.0 >= -0.01 && a.1 >= -0.01, "{a:?} of {request:?}");
                    assert!(a.0 + a.2 <= 60.01 && a.1 + a.3 <= 66.01, "{a:?} of {request:?}");
                    for b in &taken[n + 1..] {
                        let apart = (a.0 - b.0 - b.2).max(b.0 - a.0 - a.2).max((a.1 - b.1 - b.3).max(b.1 - a.1 - a.3));
                        assert!(apart > 0.1, "{a:?} and {b:?} of {request:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_short_lines_of_a_row_are_closer_than_rows() {
    let rows = [5, 1, 1];
    let fitted = lay_out_boxes(&request(&rows, 8.0, 60.0, RowFlow::Rows, false));
    let at: Vec<f32> = fitted.lines.iter().map(|line| line.at).collect();
    assert_eq!(fitted.lines.iter().map(|line| line.count).collect::<Vec<_>>(), [2, 2, 1, 1, 1]);
    let gap = |n: usize| at[n + 1] - at[n] - fitted.box_height;
    assert!(gap(2) > 2.4 * gap(1) && gap(3) > 2.4 * gap(0), "{at:?}");
    // Where there is no room for that, no box is lost.
    let fitted = lay_out_boxes(&request(&rows, 8.0, 17.2, RowFlow::Rows, false));
    assert_eq!(fitted.unplaced, 0);
}

#[test]
fn five_thousand_boxes_lose_none() {
    let rows = [1000u32; 5];
    for (width, height) in [(190.0, 250.0), (106.0, 60.0), (60.0, 30.0), (3.0, 3.0), (2.0, 2.0)] {
        for flow in [RowFlow::Rows, RowFlow::Centred] {
            let request = request(&rows, width, height, flow, false);
            holds(&request, &lay_out_boxes(&request));
        }
    }
    let request = request(&rows, 190.0, 2000.0, RowFlow::Rows, false);
    assert_eq!(lay_out_boxes(&request).unplaced, 0);
}

#[test]
fn a_cruiser_and_a_dreadnought() {
    let cruiser = lay_out_boxes(&request(&[9, 7, 7, 7, 7], 70.0, 35.0, RowFlow::Rows, false));
    assert_eq!((cruiser.size, cruiser.lines.len(), cruiser.unplaced), (5.0, 5, 0));
    let large = lay_out_boxes(&request(&[80; 5], 75.0, 80.0, RowFlow::Rows, false));
    assert_eq!(large.unplaced, 0);
    assert!(large.size >= 3.0);
}

/// A run of twelve in room for ten is six and six, not ten and two; one of twenty-three in room for fifteen keeps whole groups.
#[test]
fn long_runs_leave_no_stub_on_a_line() {
    let counts = |boxes: u32, width: f32| -> Vec<u32> {
        let request = BoxLayoutRequest {
            rows: &[boxes],
            width,
            height: 100.0,
            min_side: 3.0,
            max_side: 3.0,
            aspect: 1.0,
            min_width: 0.0,
            flow: RowFlow::Centred,
            down: false,
            gaps: BoxGaps::default(),
            companions: &[],
            min_companion: 0.0,
        };
        lay_out_boxes(&request).lines.iter().map(|line| line.count).collect()
    };
    let ten = 10.0 * 3.18 + 2.0;
    assert_eq!(counts(12, ten), [6, 6]);
    assert_eq!(counts(18, ten), [10, 8]);
    assert_eq!(counts(23, 15.0 * 3.18 + 3.0), [15, 8]);
}

#[test]
fn boxes_are_widened_to_the_width_and_no_further() {
    let request = |rows| BoxLayoutRequest {
        rows,
        width: 100.0,
        height: 40.0,
        min_side: 8.0,
        max_side: 10.0,
        aspect: 1.0,
        min_width: 0.0,
        flow: RowFlow::Even,
        down: false,
        gaps: BoxGaps { within: 0.1, group: 0.0, run: 0.0, wrap: 0.1, row: 0.1 },
        companions: &[],
        min_companion: 2.0,
    };
    let mut wide = lay_out_boxes(&request(&[14]));
    let (lines, height) = (wide.lines.len(), wide.height);
    wide.widen(100.0, 30.0);
    assert!((wide.width - 100.0).abs() < 0.01 && wide.unplaced == 0, "{wide:?}");
    assert_eq!((wide.lines.len(), wide.height), (lines, height), "lines and heights are kept");
    for line in &wide.lines {
        let places = &wide.corners[line.first as usize..(line.first + line.count) as usize];
        for pair in places.windows(2) {
            assert!(pair[1].0 - pair[0].0 >= wide.box_width + 0.5, "boxes never overlap");
        }
        assert!((places.last().unwrap().0 + wide.box_width - line.end).abs() < 0.01);
    }
    let mut few = lay_out_boxes(&request(&[2]));
    few.widen(100.0, 20.0);
    assert!((few.box_width - 20.0).abs() < 0.01);
    let mut same = lay_out_boxes(&request(&[2]));
    same.widen(100.0, 0.0);
    assert!(same == lay_out_boxes(&request(&[2])));
}

#[test]
fn a_box_or_two_alone_on_a_line_are_worth_some_of_the_size() {
    let rows = [11, 7, 7, 7, 7];
    let lines = |width: f32| {
        let request = request(&rows, width, 80.0, RowFlow::Rows, false);
        let fitted = lay_out_boxes(&request);
        holds(&request, &fitted);
        assert_eq!(fitted.unplaced, 0);
        (fitted.lines.iter().map(|line| line.count).collect::<Vec<_>>(), fitted.size)
    };
    // At full size the first row would be 5, 5 and 1.
    let (counts, size) = lines(50.0);
    assert_eq!(counts, rows);
    assert!((3.75..5.0).contains(&size), "{size}");
    // Boxes half as large again are worth the lines.
    let (counts, size) = lines(41.0);
    assert_eq!((&counts[..3], size), (&[5, 5, 1][..], 5.0));
}
