//! References of a fleet whose file moves: takes the evaluated fleet and the new folder, gives the steps that update
//! its relative paths.

use std::path::Path;

use crate::OpenFleet;
use crate::paths::{absolute_path, relative_path_from};
use moldloft_library::library::{ClassSource, FleetUnit};
use moldloft_rules::design::{DocumentEdit, TablePath};
/// `None`: the fleet has no folder, so designs are named instead.
pub fn rebase_steps(fleet: &OpenFleet, folder: Option<&Path>) -> Vec<DocumentEdit> {
    let mut steps = Vec::new();
    for (entry, ship) in fleet.fleet().ships.iter().enumerate() {
        let at = ship.index as usize;
        let unit = |carried: Option<(usize, usize)>| {
            fleet.evaluated.units.iter().find(|unit| unit.entry == entry && unit.carried == carried)
        };
        let own =
            ship.design.as_ref().zip(unit(None)).and_then(|(word, unit)| rebased_reference(&word.text, unit, folder));
        steps.extend(own.map(|word| DocumentEdit::set(TablePath::Ship(at), "design", word)));
        for (n, carried) in ship.carried.iter().enumerate() {
            for (k, one) in carried.ships.iter().enumerate() {
                let word = one.design.as_ref().zip(unit(Some((n, k))));
                let Some(word) = word.and_then(|(word, unit)| rebased_reference(&word.text, unit, folder)) else {
                    continue;
                };
                let (relation, place) = (carried.relation.text.to_string(), one.index as usize);
                steps.push(DocumentEdit::set(TablePath::Carried { ship: at, relation, at: place }, "design", word));
            }
        }
    }
    steps
}

/// `None` if the reference need not change.
fn rebased_reference(word: &str, unit: &FleetUnit, folder: Option<&Path>) -> Option<String> {
    if !word.trim().to_lowercase().ends_with(".toml") {
        return None;
    }
    let name = || unit.class.design.name.as_ref().map(|name| name.text.trim().to_owned());
    let new = match (&unit.class.source, folder) {
        (ClassSource::File(file), Some(folder)) if !file.built_in => {
            relative_path_from(folder, &absolute_path(&file.path)).or_else(name)
        }
        (ClassSource::File(_), _) => name(),
        (ClassSource::Embedded(_), _) => None,
    };
    new.filter(|new| !new.is_empty() && *new != *word.trim())
}
