//! A track for each mount with its row under a system's in `panel: mount`: destroyed boxes above, active ones below.
//! Takes the panel's option, gives rows of boxes.

use std::sync::Arc;

use super::box_faces;
use super::box_grid::{BoxLayer, BoxRow, RowFaces};
use crate::evaluate::BoxShape;
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::panels::panel_args::PanelArgs;

/// A track under a system's row.
pub struct SubTrack {
    /// The system above it.
    pub system: Arc<str>,
    pub track: Arc<str>,
    /// The shape of its boxes on an empty sheet.
    pub shape: BoxShape,
    /// Its name on an empty sheet.
    pub name: Arc<str>,
}

impl SubTrack {
    /// `under = { shield = "shields_active" }`.
    pub fn read_all(setup: &mut PanelArgs<'_>) -> Vec<Self> {
        let mut found = Vec::new();
        for (system, id) in setup.string_map("under").unwrap_or_default() {
            let systems: Vec<&str> = setup.ruleset.systems.iter().map(|system| &*system.id).collect();
            if !systems.contains(&&*system) {
                setup.report_unknown("system", &system, &systems);
            }
            let Some(track) = setup.ruleset.tracks.iter().find(|track| track.id == id) else {
                let tracks: Vec<&str> = setup.ruleset.tracks.iter().map(|track| &*track.id).collect();
                setup.report_unknown("track", &id, &tracks);
                continue;
            };
            let name = track.label.is_literal().map_or_else(|| id.replace('_', " "), str::to_owned);
            found.push(Self { system, track: id, shape: track.shape, name: name.into() });
        }
        found
    }

    /// Its row for a mount, if the ship has it and no other panel shows it.
    pub fn box_row(&self, mount: &str, view: &ShipView<'_>) -> Option<BoxRow> {
        let own = |track: &crate::evaluate::TrackResult| {
            track.track == self.track && track.mount.as_deref() == Some(mount) && track.fit.is_none()
        };
        let (place, track) = view.evaluation.tracks.iter().enumerate().find(|(_, track)| own(track))?;
        if !view.claim_track(place) {
            return None;
        }
        let layer = BoxLayer {
            stem: track.id.clone(),
            first: 1,
            fit: None,
            shape: track.shape,
            faces: RowFaces::Each(
                (0..track.boxes() as usize).map(|n| box_faces::cell_face(track.cells.get(n), true, view)).collect(),
            ),
            first_face: 0,
            signs: Arc::from([]),
        };
        let (boxes, label) = (track.boxes(), track.label.clone());
        Some(BoxRow { boxes, layers: vec![layer], label, badge: "".into(), end_labels: Vec::new() })
    }
}
