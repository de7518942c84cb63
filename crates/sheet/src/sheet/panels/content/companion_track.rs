//! Tracks whose boxes are drawn beside the systems that they belong to in `panel: mount`: takes the panel's option, gives
//! the boxes of each fit.

use std::sync::Arc;

use super::box_faces;
use super::box_rows::{BoxLayer, Companion, RowFaces};
use crate::sheet::assembly::ship_view::ShipView;
use crate::sheet::assembly::shown_parts::ShownParts;
use crate::sheet::panels::panel_args::PanelArgs;
use moldloft_rules::evaluate::{BoxKind, BoxShape, TrackResult};
use moldloft_rules::ruleset::{Selector, TrackDef};

/// The most boxes beside one box; a track with more stays a track of its own.
pub const MAX_COMPANIONS: u32 = 12;

/// A track beside the systems of a mount.
#[derive(Clone)]
pub struct CompanionTrack {
    /// `None`: of every fit that has it.
    system: Option<Arc<str>>,
    pub track: Arc<str>,
    /// The shape of its boxes on an empty sheet.
    pub shape: BoxShape,
}

impl CompanionTrack {
    /// `["rounds"]` or `{ launcher = "loaded", counter-missile = "rounds" }`.
    pub fn parse_all(args: &mut PanelArgs<'_>, key: &str) -> Option<Vec<Self>> {
        let ruleset = args.ruleset;
        let entries: Vec<(Option<Arc<str>>, Arc<str>)> = if args.is_table(key) {
            args.string_map(key)?.into_iter().map(|(system, track)| (Some(system), track)).collect()
        } else {
            args.string_list(key)?.into_iter().map(|track| (None, track)).collect()
        };
        let systems: Vec<&str> = ruleset.systems.iter().map(|system| &*system.id).collect();
        let tracks: Vec<&str> = ruleset.tracks.iter().map(|track| &*track.id).collect();
        let mut found = Vec::new();
        for (system, id) in entries {
            if let Some(system) = &system {
                args.check_known("system", system, &systems);
            }
            let Some(track) = ruleset.tracks.iter().find(|track| track.id == id) else {
                args.report_unknown("track", &id, &tracks);
                continue;
            };
            if let Some(help) = wrong_track(track, system.is_some()) {
                let message = format!("`{}`: track `{id}` cannot be beside a system's boxes", args.label);
                args.report_option(key, message, help);
                continue;
            }
            found.push(Self { system, track: id, shape: track.shape });
        }
        Some(found)
    }

    /// Whether it is for the boxes of a system on an empty sheet.
    pub fn belongs_to(&self, system: &str) -> bool {
        self.system.as_ref().is_none_or(|own| **own == *system)
    }

    fn belongs_to_fit(&self, fit: usize, view: &ShipView<'_>) -> bool {
        let counts_as = |own: &Arc<str>| view.evaluation.counts_as_any(fit, std::slice::from_ref(own));
        self.system.as_ref().is_none_or(counts_as)
    }

    /// Its boxes for each of the fits that a panel shows, in their order; `None` for fits without any. A track that
    /// another panel shows is left to it.
    pub fn companions(
        &self,
        mount: &str,
        fits_here: &[usize],
        view: &ShipView<'_>,
        shown: &mut ShownParts,
    ) -> Vec<Option<Companion>> {
        let fits = &view.evaluation.fits;
        let mut companions: Vec<Option<Companion>> = vec![None; fits_here.len()];
        for (index, track) in view.evaluation.tracks.iter().enumerate().filter(|(_, known)| known.track == self.track) {
            let owns = |fit: usize| match track.fit {
                Some(own) => own == fit,
                None => track.mount.as_deref() == Some(mount),
            };
            let owners: Vec<usize> = (0..fits_here.len())
                .filter(|&n| {
                    owns(fits_here[n]) && self.belongs_to_fit(fits_here[n], view) && fits[fits_here[n]].count > 0
                })
                .collect();
            let boxes: u32 = owners.iter().map(|&n| fits[fits_here[n]].count).sum();
            let counts = counts_by_box(track, boxes);
            let within = counts.iter().all(|&count| count <= MAX_COMPANIONS);
            if owners.is_empty() || !within || !shown.add_track(index) {
                continue;
            }
            let faces: Arc<[_]> = if track.cells.is_empty() {
                Arc::from([])
            } else {
                track.cells.iter().map(|cell| box_faces::cell_face(Some(cell), true, None, view)).collect()
            };
            let (mut before, mut first) = (0, 0);
            for n in owners {
                let fit = &fits[fits_here[n]];
                let own = &counts[before..before + fit.count as usize];
                before += fit.count as usize;
                let layer = BoxLayer::new(track.id.clone(), track.shape, RowFaces::Each(Arc::clone(&faces)));
                let layer = BoxLayer { first: first + 1, first_face: first, fit: Some(fit.index), ..layer };
                first += own.iter().sum::<u32>();
                let is_full_size = track.kind == BoxKind::Damage;
                companions[n] = Some(Companion { layer, counts: own.into(), is_full_size });
            }
        }
        companions
    }
}

/// Why a track cannot be beside boxes, as help: it must belong to fits, or to the fits of one system of a mount.
fn wrong_track(track: &TrackDef, names_system: bool) -> Option<&'static str> {
    match &track.for_each {
        Some(Selector::Fit(_)) => None,
        Some(Selector::Mount(_)) if names_system => None,
        Some(Selector::Mount(_)) => Some("name the system whose boxes they are: `{ SYSTEM = \"TRACK\" }`"),
        _ => Some("use a track with `for_each = \"fit\"` or `for_each = \"mount\"`"),
    }
}

/// How many of a track's boxes belong to each of some boxes: a row to each, or else as evenly as possible, the first
/// ones having more.
fn counts_by_box(track: &TrackResult, boxes: u32) -> Vec<u32> {
    if track.rows.len() == boxes as usize {
        return track.rows.clone();
    }
    let (total, boxes) = (track.boxes(), boxes.max(1));
    (0..boxes).map(|n| total / boxes + u32::from(n < total % boxes)).collect()
}
