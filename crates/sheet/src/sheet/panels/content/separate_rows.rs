//! A track's rows of boxes, each on its own and numbered, such as a flight's craft: takes tracks, gives units. Never
//! draws.

use std::sync::Arc;

use super::box_faces::counter_number;
use super::component_blocks::{ComponentBlock, ComponentBlocks, UnitLook};
use crate::sheet::assembly::ship_view::{ShipView, with_minus_signs};
use moldloft_rules::evaluate::BoxShape;

/// How rows are named.
#[derive(Clone, Copy)]
pub struct RowNaming<'a> {
    /// The id of a counter made for the same thing, which gives them its number.
    pub counter: Option<&'a str>,
    /// Whether the track's name is before that number.
    pub names_tracks: bool,
}

/// The rows of tracks (indices in the evaluation). Rows of the same name are numbered through all of them, or have the
/// number on the counter of this id that is made for the same thing, and their own: `Hornet 3.1`, or `3.1` if
/// the tracks are named elsewhere.
pub fn track_rows(
    tracks: &[usize],
    view: &ShipView<'_>,
    preferred_side: f32,
    columns: usize,
    naming: RowNaming<'_>,
) -> ComponentBlocks {
    let RowNaming { counter, names_tracks } = naming;
    let mut blocks: Vec<ComponentBlock> = Vec::new();
    let mut names: Vec<(Arc<str>, usize)> = Vec::new();
    for &index in tracks {
        let track = &view.evaluation.tracks[index];
        let fit = track.fit.and_then(|fit| view.evaluation.fits.get(fit)).map(|fit| fit.index);
        let mut first = 1;
        let number = counter_number(track, counter, view);
        for (row_index, &boxes) in track.rows.iter().enumerate() {
            let at = names.iter().position(|(name, _)| *name == track.label).unwrap_or_else(|| {
                names.push((track.label.clone(), 0));
                names.len() - 1
            });
            names[at].1 += 1;
            let (stem, shape) = (track.id.clone(), track.shape);
            let badge = (!track.badge.is_empty()).then(|| track.badge.clone());
            let name = match number {
                Some(number) if !names_tracks => format!("{number}.{}", row_index + 1),
                Some(number) => format!("{} {number}.{}", track.label, row_index + 1),
                None => format!("{} {}", track.label, names[at].1),
            };
            let name = Some(name.into());
            let lines = track.lines.as_slice().into();
            let companions = Vec::new();
            let note = track.row_notes.get(row_index).map_or_else(|| "".into(), |note| with_minus_signs(note).into());
            blocks.push(ComponentBlock {
                name,
                badge,
                sign: None,
                head: None,
                fit,
                stem,
                first,
                boxes,
                lines,
                shape,
                note,
                companions,
            });
            first += boxes;
        }
    }
    ComponentBlocks { blocks, preferred_side, columns: columns.max(1), may_split: false, look: UnitLook::default() }
}

/// An empty row of at most so many boxes is one line without gaps: six are not five and one.
const MAX_JOINED: u32 = 7;

/// Empty rows with this many boxes, to fill in by pencil.
pub fn blank_rows(
    id: &Arc<str>,
    rows: &[u32],
    shape: BoxShape,
    preferred_side: f32,
    columns: usize,
) -> ComponentBlocks {
    let block = |(n, &boxes): (usize, &u32)| ComponentBlock {
        name: None,
        badge: None,
        sign: None,
        head: None,
        fit: None,
        stem: format!("{id}_{}", n + 1).into(),
        first: 1,
        boxes,
        lines: if boxes <= MAX_JOINED { Arc::from([boxes]) } else { Arc::from([]) },
        shape,
        note: "".into(),
        companions: Vec::new(),
    };
    ComponentBlocks {
        blocks: rows.iter().enumerate().map(block).collect(),
        preferred_side,
        columns: columns.max(1),
        may_split: false,
        look: UnitLook::default(),
    }
}
