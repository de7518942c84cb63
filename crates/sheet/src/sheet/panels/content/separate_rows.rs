//! A track's rows of boxes, each on its own and numbered, such as a flight's craft, or its boxes, each with its own name:
//! takes tracks, gives units. Never draws.

use std::sync::Arc;

use super::box_faces::{cell_face, cell_label, counter_number};
use super::box_rows::{BoxFace, BoxLayer, RowFaces};
use super::units::{NamePlace, Unit, Units};
use crate::sheet::assembly::ship_view::{ShipView, with_minus_signs};
use moldloft_rules::evaluate::{BoxShape, TrackResult};

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
) -> Units {
    let RowNaming { counter, names_tracks } = naming;
    let mut units: Vec<Unit> = Vec::new();
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
            let name = match number {
                Some(number) if !names_tracks => format!("{number}.{}", row_index + 1),
                Some(number) => format!("{} {number}.{}", track.label, row_index + 1),
                None => format!("{} {}", track.label, names[at].1),
            };
            let layer = BoxLayer::new(track.id.clone(), track.shape, RowFaces::Same(BoxFace::Blank));
            units.push(Unit {
                badge: (!track.badge.is_empty()).then(|| track.badge.clone()),
                lines: track.lines.as_slice().into(),
                note: track.row_notes.get(row_index).map_or_else(|| "".into(), |note| with_minus_signs(note).into()),
                ..Unit::new(Some(name.into()), boxes, BoxLayer { first, fit, ..layer })
            });
            first += boxes;
        }
    }
    in_columns(units, preferred_side, columns)
}

/// Empty rows with this many boxes, to fill in by pencil.
pub fn blank_rows(id: &Arc<str>, rows: &[u32], shape: BoxShape, preferred_side: f32, columns: usize) -> Units {
    let unit = |(n, &boxes): (usize, &u32)| {
        let stem = format!("{id}_{}", n + 1).into();
        Unit::new(None, boxes, BoxLayer::new(stem, shape, RowFaces::Same(BoxFace::Blank)))
    };
    in_columns(rows.iter().enumerate().map(unit).collect(), preferred_side, columns)
}

/// The boxes of a track, each with its name.
pub fn named_boxes(track: &TrackResult, view: &ShipView<'_>) -> Vec<Unit> {
    let fit = track.fit.and_then(|fit| view.evaluation.fits.get(fit)).map(|fit| fit.index);
    let unit = |n: u32| {
        let cell = track.cells.get(n as usize);
        let faces = RowFaces::Same(cell_face(cell, false, None, view));
        let layer = BoxLayer { first: n + 1, fit, ..BoxLayer::new(track.id.clone(), track.shape, faces) };
        Unit::new(Some(cell_label(cell, view)), 1, layer)
    };
    (0..track.boxes()).map(unit).collect()
}

fn in_columns(units: Vec<Unit>, preferred_side: f32, columns: usize) -> Units {
    Units { units, preferred_side, max_columns: columns.max(1), names: NamePlace::Left, ..Units::default() }
}
