//! Labels for marked shapes of a sheet: takes the ship and the mark, gives words that players know.

use crate::evaluate::{BoxKind, Evaluation};
use crate::scene::{Mark, MarkKind};

/// `missile launcher, port – box 3 of 5`.
pub fn mark_label(ship: &Evaluation, mark: &Mark) -> String {
    let plain = |id: &str| id.replace(['_', '-'], " ");
    if mark.kind == MarkKind::Write {
        return format!("{}: room to write", plain(&mark.name));
    }
    let mount_name = |id: &str| {
        let mount = ship.mounts.iter().find(|mount| *mount.id == *id);
        mount.map_or_else(|| plain(id), |mount| mount.label.to_string())
    };
    let fit_name = |fit: &crate::evaluate::FitResult| format!("{}, {}", fit.name, mount_name(&fit.mount));
    let numbered = mark.name.rsplit_once('_').and_then(|(stem, n)| Some((stem, n.parse::<u32>().ok()?)));
    let fit = mark.fit.and_then(|index| ship.fits.iter().find(|fit| fit.index == index));
    let Some((stem, n)) = numbered else {
        return fit.map_or_else(|| plain(&mark.name), fit_name);
    };
    let boxes = |name: String, n: u32, of: u32| {
        if of == 1 { name } else { format!("{name} – box {n} of {of}") }
    };
    if let Some(track) = ship.tracks.iter().find(|track| *track.id == *stem) {
        let own = if track.label.is_empty() { plain(&track.track) } else { track.label.to_string() };
        let mut name = match track.fit.and_then(|fit| ship.fits.get(fit)) {
            Some(fit) => format!("{own} of {}", fit_name(fit)),
            None => own,
        };
        if let Some(mount) = track.mount.as_ref().filter(|_| track.fit.is_none()) {
            let mount = mount_name(mount);
            if !name.to_lowercase().contains(&mount.to_lowercase()) {
                name = format!("{name}, {mount}");
            }
        }
        let words = boxes(name, n, track.boxes());
        return match track.kind {
            BoxKind::Damage => words,
            kind => format!("{words} ({})", kind.word()),
        };
    }
    if let Some(fit) = fit {
        let own = format!("{}_{}", fit.system, fit.mount) == *stem;
        let place = n.checked_sub(fit.first_mark).map(|before| before + 1);
        return match place.filter(|place| own && *place <= fit.count) {
            Some(place) => boxes(fit_name(fit), place, fit.count),
            None => format!("{} {n}", fit_name(fit)),
        };
    }
    match ship.counters.iter().find(|counter| *counter.id == *stem) {
        Some(counter) => format!("{} {n}", counter.label),
        None => format!("{} {n}", plain(stem)),
    }
}

/// `missile launcher, port`, `structure`.
pub fn stem_label(ship: &Evaluation, stem: &str) -> String {
    let mount_name = |id: &str| {
        let mount = ship.mounts.iter().find(|mount| *mount.id == *id);
        mount.map_or_else(|| id.replace(['_', '-'], " "), |mount| mount.label.to_string())
    };
    let of_fit = |fit: &crate::evaluate::FitResult| format!("{}, {}", fit.name, mount_name(&fit.mount));
    if let Some(track) = ship.tracks.iter().find(|track| *track.id == *stem) {
        let own = if track.label.is_empty() { track.track.replace(['_', '-'], " ") } else { track.label.to_string() };
        return match (track.fit.and_then(|fit| ship.fits.get(fit)), &track.mount) {
            (Some(fit), _) => format!("{own} of {}", of_fit(fit)),
            (None, Some(mount)) if !own.to_lowercase().contains(&mount_name(mount).to_lowercase()) => {
                format!("{own}, {}", mount_name(mount))
            }
            _ => own,
        };
    }
    if let Some(fit) = ship.fits.iter().find(|fit| format!("{}_{}", fit.system, fit.mount) == stem) {
        return of_fit(fit);
    }
    let counter = ship.counters.iter().find(|counter| *counter.id == *stem);
    counter.map_or_else(|| stem.replace(['_', '-'], " "), |counter| counter.label.to_string())
}
