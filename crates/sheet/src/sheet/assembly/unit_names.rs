//! Unique names for the ships of a job: takes ships in order with the number of the repeat, gives each a
//! [`PrintedUnit`]. The names depend only on the job; a fleet's own keys are kept as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use moldloft_base::sanitize::slug;
use moldloft_drawing::scene::PrintedUnit;
use moldloft_rules::evaluate::Evaluation;

/// In characters.
pub const MAX_SLUG_LENGTH: usize = 40;
/// Used for a name without letters or figures.
pub const FALLBACK_SLUG: &str = "ship";

/// One unit per ship in order: `(ship, repeat)`, repeats counting from 0.
pub fn name_units<'a>(ships: impl Iterator<Item = (&'a Evaluation, u32)>) -> Vec<Arc<PrintedUnit>> {
    let ships: Vec<_> = ships.collect();
    let alone = ships.len() == 1;
    let fleets = FleetSlugs::from_ships(&ships);
    let mut used: BTreeSet<(Arc<str>, String)> = BTreeSet::new();
    let named = ships.iter().map(|&(ship, copy)| {
        let title = ship.ship.name.as_deref().filter(|name| !name.is_empty()).unwrap_or(&ship.name);
        let (fleet, fleet_title) = fleets.slug_and_title(ship);
        let fleet_side = ship.ship.fleet.as_ref().map(|fleet| fleet.side.clone()).unwrap_or_default();
        if alone && fleet.is_empty() {
            return Arc::new(PrintedUnit { title: title.into(), ..PrintedUnit::default() });
        }
        let own = match fleet_unit_key(ship) {
            "" => unit_slug(title),
            key => key.to_owned(),
        };
        let own = if copy > 0 { format!("{own}-copy-{}", copy + 1) } else { own };
        let mut unique = own.clone();
        let mut serial = 2;
        while !used.insert((Arc::clone(&fleet), unique.clone())) {
            unique = format!("{own}-{serial}");
            serial += 1;
        }
        let (game, class) = (ship.ruleset.id.clone(), ship.name.clone());
        Arc::new(PrintedUnit { key: unique.into(), title: title.into(), fleet, fleet_title, fleet_side, game, class })
    });
    named.collect()
}

/// The key from the ship's fleet.
fn fleet_unit_key(ship: &Evaluation) -> &str {
    &ship.ship.unit
}

/// Name, side and file of a ship's fleet.
type FleetKey<'a> = (&'a str, &'a str, &'a str);

fn fleet_key(ship: &Evaluation) -> Option<FleetKey<'_>> {
    ship.ship.fleet.as_ref().map(|fleet| (&*fleet.name, &*fleet.side, &*fleet.file))
}

struct FleetSlugs<'a> {
    slugs: BTreeMap<FleetKey<'a>, Arc<str>>,
}

impl<'a> FleetSlugs<'a> {
    fn from_ships(ships: &[(&'a Evaluation, u32)]) -> Self {
        let mut words: BTreeMap<FleetKey<'_>, Arc<str>> = BTreeMap::new();
        for fleet in ships.iter().filter_map(|(ship, _)| fleet_key(ship)) {
            if !words.contains_key(&fleet) {
                let own = unit_slug(fleet.0);
                let mut unique = own.clone();
                let mut serial = 2;
                while words.values().any(|known| **known == *unique) {
                    unique = format!("{own}-{serial}");
                    serial += 1;
                }
                words.insert(fleet, unique.into());
            }
        }
        Self { slugs: words }
    }

    fn slug_and_title(&self, ship: &'a Evaluation) -> (Arc<str>, Arc<str>) {
        match fleet_key(ship) {
            Some(fleet) => (self.slugs.get(&fleet).cloned().unwrap_or_default(), fleet.0.into()),
            None => (Arc::default(), Arc::default()),
        }
    }
}

/// A name as a word of small letters, figures and hyphens: `HMS Vigilant` → `hms-vigilant`. Never empty.
pub fn unit_slug(name: &str) -> String {
    let word = slug(name, MAX_SLUG_LENGTH);
    if word.is_empty() { FALLBACK_SLUG.to_owned() } else { word }
}

#[cfg(test)]
mod tests {
    use super::unit_slug;

    #[test]
    fn names_become_words() {
        for (name, expected) in
            [("HMS Vigilant", "hms-vigilant"), ("  Œ & Søn. 3 ", "oe-son-3"), ("…", "ship"), ("", "ship")]
        {
            assert_eq!(unit_slug(name), expected);
        }
        assert!(unit_slug(&"x".repeat(500)).len() <= 40);
    }
}
