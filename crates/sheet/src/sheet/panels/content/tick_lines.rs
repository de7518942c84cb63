//! Boxes in the lines of a cell: takes the sizes of their groups and a width, gives their positions.

/// Positions of boxes of a side in a width: the distance across, and the line. Groups stay together while they are not
/// too long.
pub(super) fn tick_positions(groups: &[u32], width: f32, side: f32) -> Vec<(f32, u32)> {
    const WITHIN: f32 = 0.3;
    const GROUP: f32 = 1.8;
    let mut places = Vec::new();
    let (mut x, mut line) = (0.0_f32, 0);
    for &group in groups {
        let whole = group as f32 * (side + WITHIN) - WITHIN;
        if x > 0.0 && x + whole.min(width) > width + 0.01 {
            (x, line) = (0.0, line + 1);
        }
        for _ in 0..group {
            if x > 0.0 && x + side > width + 0.01 {
                (x, line) = (0.0, line + 1);
            }
            places.push((x, line));
            x += side + WITHIN;
        }
        x += GROUP;
    }
    places
}
