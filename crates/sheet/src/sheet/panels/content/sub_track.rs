//! A track for each mount with its row under a system's in `panel: mount`: destroyed boxes above, active ones below.
//! Takes the panel's option, gives rows of boxes.

use std::sync::Arc;

use super::box_faces;
use super::box_rows::{BoxLayer, BoxRow, RowFaces};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::panels::panel_args::PanelArgs;
use moldloft_rules::evaluate::BoxShape;

/// A track under a system's row.
#[derive(Clone)]
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
    /// `{ shield = "shields_active" }`.
    pub fn parse_all(args: &mut PanelArgs<'_>, key: &str) -> Option<Vec<Self>> {
        let ruleset = args.ruleset;
        let systems: Vec<&str> = ruleset.systems.iter().map(|system| &*system.id).collect();
        let tracks: Vec<&str> = ruleset.tracks.iter().map(|track| &*track.id).collect();
        let mut found = Vec::new();
        for (system, id) in args.string_map(key)? {
            args.check_known("system", &system, &systems);
            let Some(track) = ruleset.tracks.iter().find(|track| track.id == id) else {
                args.report_unknown("track", &id, &tracks);
                continue;
            };
            let name = track.label.is_literal().map_or_else(|| id.replace('_', " "), str::to_owned);
            found.push(Self { system, track: id, shape: track.shape, name: ruleset.say(&name).into() });
        }
        Some(found)
    }

    /// Its row for a mount, if the ship has it and no other panel shows it.
    pub fn box_row(&self, mount: &str, view: &ShipView<'_>, shown: &mut ShownParts) -> Option<BoxRow> {
        let own = |track: &moldloft_rules::evaluate::TrackResult| {
            track.track == self.track && track.mount.as_deref() == Some(mount) && track.fit.is_none()
        };
        let (index, track) = view.evaluation.tracks.iter().enumerate().find(|(_, track)| own(track))?;
        if !shown.add_track(index) {
            return None;
        }
        let faces =
            (0..track.boxes() as usize).map(|n| box_faces::cell_face(track.cells.get(n), true, None, view)).collect();
        let layer = BoxLayer::new(track.id.clone(), track.shape, RowFaces::Each(faces));
        Some(BoxRow { label: track.label.clone(), ..BoxRow::new(track.boxes(), vec![layer]) })
    }
}
