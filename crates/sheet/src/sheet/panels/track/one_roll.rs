//! The shared roll of a track, at the ends of its rows: takes a grid of boxes, gives it with a column for each number of a kind that may be left. In it
//! are the exact chances, in whole per cent, of at most none, one, two … lost; the grid draws as many columns as its boxes leave room for.

use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::panels::content::box_grid::BoxGrid;
use moldloft_rules::evaluate::{LARGEST_GROUP, SlotScope, TrackResult, percent_at_most};
use moldloft_rules::formula::Formula;

/// How they are read. Of one roll for all systems of a kind on one mount, as many are lost as there are numbers below it.
const KEY: &str = "or d100 for a kind on a mount (more: in parts): one lost per number below it";

/// As it was without such a roll, or where it is not asked for.
pub(super) fn with_ends(
    mut grid: BoxGrid,
    tracks: &[&TrackResult],
    asked: Option<&Formula>,
    view: &ShipView<'_>,
) -> BoxGrid {
    let ([track], Some(asked)) = (tracks, asked) else { return grid };
    if !view.condition_holds(asked, &SlotScope::default()) {
        return grid;
    }
    let rolls = view.evaluation.shared_rolls();
    let Some(roll) = rolls.iter().find(|roll| roll.track == track.track) else { return grid };
    let most = roll.groups.iter().map(|(_, count)| *count).max().unwrap_or(0).min(LARGEST_GROUP);
    for (row, line) in grid.rows.iter_mut().zip(track.lines_of_boxes()) {
        let face = roll.rows.get(line.row).copied().flatten().filter(|_| line.ends_row);
        let numbers = |left| face.map_or_else(String::new, |face| numbers(left, face, roll.faces));
        row.end_labels.extend((1..=most).map(|left| numbers(left).into()));
    }
    let heading = |left: u32| if left == 1 { view.say("1 left") } else { left.to_string() };
    grid.end_headings.extend((1..=most).map(|left| heading(left).into()));
    grid.spare_ends = most as usize;
    grid.ends_key = view.say(KEY).into();
    grid
}

/// The chances of at most none, one, two … of so many lost, as long as they are less than certain.
fn numbers(left: u32, least: u32, faces: u32) -> String {
    let percents = percent_at_most(left, least, faces);
    percents.iter().take_while(|percent| **percent < 100).map(u8::to_string).collect::<Vec<_>>().join(" ")
}
