//! Labels for marked shapes of a sheet: takes the ship and the mark, gives words that players know.

use crate::language::{say, tell};
use moldloft_drawing::scene::{Mark, MarkKind};
use moldloft_rules::evaluate::{BoxKind, Evaluation, FitResult, TrackResult};

/// `missile launcher, port – box 3 of 5`.
pub fn mark_label(ship: &Evaluation, mark: &Mark) -> String {
    if mark.kind == MarkKind::Write {
        return format!("{}: room to write", spaced(&mark.name));
    }
    let numbered = mark.name.rsplit_once('_').and_then(|(stem, n)| Some((stem, n.parse::<u32>().ok()?)));
    let fit = mark.fit.and_then(|index| ship.fits.iter().find(|fit| fit.index == index));
    let Some((stem, n)) = numbered else {
        return fit.map_or_else(|| spaced(&mark.name), |fit| fit_name(ship, fit));
    };
    let box_of = |name: String, n: u32, of: u32| {
        if of == 1 { name } else { format!("{name} – {}", say(format!("box {n} of {of}"))) }
    };
    if let Some(track) = ship.tracks.iter().find(|track| *track.id == *stem) {
        let label = box_of(track_name(ship, track), n, track.boxes());
        return match track.kind {
            BoxKind::Damage => label,
            kind => format!("{label} ({})", kind.word()),
        };
    }
    if let Some(fit) = fit {
        let is_own = is_stem_of(fit, stem);
        let place = n.checked_sub(fit.first_mark).map(|before| before + 1);
        return match place.filter(|place| is_own && *place <= fit.count) {
            Some(place) => box_of(fit_name(ship, fit), place, fit.count),
            None => format!("{} {n}", fit_name(ship, fit)),
        };
    }
    format!("{} {n}", counter_name(ship, stem))
}

/// `missile launcher, port`, `structure`.
pub fn stem_label(ship: &Evaluation, stem: &str) -> String {
    if let Some(track) = ship.tracks.iter().find(|track| *track.id == *stem) {
        return track_name(ship, track);
    }
    match ship.fits.iter().find(|fit| is_stem_of(fit, stem)) {
        Some(fit) => fit_name(ship, fit),
        None => counter_name(ship, stem),
    }
}

fn spaced(id: &str) -> String {
    id.replace(['_', '-'], " ")
}

fn is_stem_of(fit: &FitResult, stem: &str) -> bool {
    format!("{}_{}", fit.system, fit.mount) == stem
}

fn mount_name(ship: &Evaluation, id: &str) -> String {
    let mount = ship.mounts.iter().find(|mount| *mount.id == *id);
    mount.map_or_else(|| spaced(id), |mount| mount.label.to_string())
}

fn fit_name(ship: &Evaluation, fit: &FitResult) -> String {
    format!("{}, {}", say(&fit.name), say(mount_name(ship, &fit.mount)))
}

fn track_name(ship: &Evaluation, track: &TrackResult) -> String {
    // The label is in the language of the sheet.
    let name = if track.label.is_empty() { spaced(&track.track) } else { tell("{1}", &[&track.label]) };
    match (track.fit.and_then(|fit| ship.fits.get(fit)), &track.mount) {
        (Some(fit), _) => tell("{1} of {2}", &[&say(name), &fit_name(ship, fit)]),
        (None, Some(mount)) if track.fit.is_none() => {
            let mount = mount_name(ship, mount);
            if name.to_lowercase().contains(&mount.to_lowercase()) { name } else { format!("{name}, {mount}") }
        }
        _ => name,
    }
}

fn counter_name(ship: &Evaluation, stem: &str) -> String {
    let counter = ship.counters.iter().find(|counter| *counter.id == *stem);
    counter.map_or_else(|| spaced(stem), |counter| counter.label.to_string())
}
