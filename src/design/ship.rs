//! One ship of a class, as a fleet knows her: who she is, what she does with others, what she carries and what she has
//! suffered. Data only; [`Ship::default`] is the lone design. Never decides whether any of it is allowed.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::finding::Place;

use crate::finding::Scalar;

/// One ship of a class. The default is the lone design: nothing named, nothing towed, no box ticked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ship {
    /// The ship's own name.
    pub name: Option<String>,
    /// Hull number.
    pub hull_number: Option<String>,
    /// Who commands her.
    pub captain: Option<Arc<str>>,
    /// Whose she is: the player; of what another ship carries, that ship's hull number or name.
    pub owner: Option<Arc<str>>,
    /// Free text.
    pub notes: Option<Arc<str>>,
    /// How many alike; always 1 from a fleet.
    pub count: u32,
    /// The squadron or formation she sails in, as a player calls it.
    pub group: Option<Arc<str>>,
    /// What she does with others: each of the ruleset's relations with how many.
    pub relations: Vec<RelationUse>,
    /// Which ship carries her, and how.
    pub carried_by: Option<CarriedBy>,
    /// Other values for what her fits are loaded with; those of one entry share them.
    pub load: Arc<[ShipLoad]>,
    /// The boxes already ticked.
    pub damage: Damage,
    /// The fleet that she belongs to.
    pub fleet: Option<FleetInfo>,
    /// Her key: ASCII `[a-z0-9-]`, unique in her fleet, the same however the ships are ordered; empty for a lone design.
    pub unit: Arc<str>,
}

impl Default for Ship {
    fn default() -> Self {
        Self {
            name: None,
            hull_number: None,
            captain: None,
            owner: None,
            notes: None,
            count: 1,
            group: None,
            relations: Vec::new(),
            carried_by: None,
            load: Arc::default(),
            damage: Damage::default(),
            fleet: None,
            unit: "".into(),
        }
    }
}

impl Ship {
    /// How many of a relation she has: the pods in tow.
    pub fn relation_count(&self, relation: &str) -> i64 {
        self.relations.iter().find(|asked| *asked.relation == *relation).map_or(0, |asked| asked.count)
    }
}

/// The fleet that a ship belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetInfo {
    /// What it is called.
    pub name: Arc<str>,
    /// Whose it is.
    pub side: Arc<str>,
    /// The file it was read from, so that fleets of one name in a job are told apart. It is never printed.
    pub file: Arc<str>,
}

/// What a ship does with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationUse {
    /// The id of the ruleset's relation.
    pub relation: Arc<str>,
    /// With how many.
    pub count: i64,
    /// Where the fleet says so.
    pub place: Place,
}

/// What carries a ship.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedBy {
    /// The id of the ruleset's relation.
    pub relation: Arc<str>,
    /// The carrier as a player calls her: hull number, else name, else class.
    pub carrier: Arc<str>,
    /// The carrier's key.
    pub unit: Arc<str>,
    /// Where the fleet says so.
    pub place: Place,
}

/// Another load for the fits of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShipLoad {
    /// The system's id.
    pub system: Arc<str>,
    /// The mount's id; `None` for every mount.
    pub mount: Option<Arc<str>>,
    /// The parameters: id, value, and where the fleet says so.
    pub values: Vec<(Arc<str>, Scalar, Place)>,
    /// Where the fleet says so.
    pub place: Place,
}

/// Boxes ticked: the stem of the marks, `structure` or `laser_port`, with their numbers, counting from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Runs of numbers, first and last, in order and apart from each other.
    stems: BTreeMap<Arc<str>, Vec<(u32, u32)>>,
    /// Where the fleet says so, by stem.
    places: BTreeMap<Arc<str>, Place>,
}

impl Damage {
    /// Whether no box is ticked.
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty()
    }

    /// Whether a box is ticked.
    pub fn is_hit(&self, stem: &str, number: u32) -> bool {
        self.runs(stem).iter().any(|&(first, last)| (first..=last).contains(&number))
    }

    /// The stems that have a box ticked, in order.
    pub fn stems(&self) -> impl Iterator<Item = &Arc<str>> {
        self.stems.keys()
    }

    /// The ticked boxes of a stem in order.
    pub fn boxes(&self, stem: &str) -> impl Iterator<Item = u32> + '_ {
        self.runs(stem).iter().flat_map(|&(first, last)| first..=last)
    }

    /// How many boxes of a stem are ticked.
    pub fn count(&self, stem: &str) -> u32 {
        self.runs(stem).iter().map(|(first, last)| last - first + 1).fold(0, u32::saturating_add)
    }

    /// The ticked boxes of a stem as runs, first and last, in order and apart from each other.
    pub fn runs(&self, stem: &str) -> &[(u32, u32)] {
        self.stems.get(stem).map_or(&[], Vec::as_slice)
    }

    /// The ticked boxes of a stem as a fleet's file writes them: `1-12, 14`.
    pub fn runs_text(&self, stem: &str) -> String {
        let run = |&(first, last): &(u32, u32)| match last - first {
            0 => first.to_string(),
            _ => format!("{first}-{last}"),
        };
        self.runs(stem).iter().map(run).collect::<Vec<_>>().join(", ")
    }

    /// Whether the same boxes are ticked in both.
    pub fn has_same_ticks(&self, other: &Self) -> bool {
        self.stems().all(|stem| self.runs(stem) == other.runs(stem))
            && other.stems().all(|stem| !self.runs(stem).is_empty())
    }

    /// Where the fleet says so.
    pub fn place(&self, stem: &str) -> Option<&Place> {
        self.places.get(stem)
    }

    /// Keeps where the fleet says so.
    pub(crate) fn set_place(&mut self, stem: &Arc<str>, place: Place) {
        self.places.insert(stem.clone(), place);
    }

    /// Ticks a run of boxes.
    pub fn tick(&mut self, stem: &str, first: u32, last: u32) {
        if first == 0 || first > last {
            return;
        }
        self.tick_runs(stem, &[(first, last)]);
    }

    /// Ticks many runs of boxes at once.
    pub(crate) fn tick_runs(&mut self, stem: &str, more: &[(u32, u32)]) {
        if more.is_empty() {
            return;
        }
        let runs = self.stems.entry(stem.into()).or_default();
        runs.extend(more);
        runs.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(runs.len());
        for &(first, last) in runs.iter() {
            match joined.last_mut() {
                Some(run) if first <= run.1.saturating_add(1) => run.1 = run.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        *runs = joined;
    }

    /// Takes a tick off, or puts it there.
    pub fn set(&mut self, stem: &str, number: u32, ticked: bool) {
        if ticked {
            return self.tick(stem, number, number);
        }
        let Some(runs) = self.stems.get_mut(stem) else { return };
        let apart = |&(first, last): &(u32, u32)| {
            let cut = (first..=last).contains(&number);
            let before = if cut { (first, number.saturating_sub(1)) } else { (first, last) };
            let after = if cut { (number.saturating_add(1), last) } else { (1, 0) };
            [before, after].into_iter().filter(|(first, last)| first <= last && *first > 0)
        };
        *runs = runs.iter().flat_map(apart).collect();
        if runs.is_empty() {
            self.stems.remove(stem);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_join_part_and_go() {
        let mut damage = Damage::default();
        damage.tick("structure", 1, 5);
        damage.tick("structure", 9, 9);
        damage.tick("structure", 6, 7);
        damage.tick("structure", 0, 4);
        assert_eq!(damage.runs_text("structure"), "1-7, 9");
        damage.set("structure", 3, false);
        damage.set("structure", 8, true);
        assert_eq!(damage.runs_text("structure"), "1-2, 4-9");
        assert!(damage.is_hit("structure", 8) && !damage.is_hit("structure", 3) && !damage.is_hit("laser", 1));
        assert_eq!((damage.count("structure"), damage.boxes("structure").last()), (8, Some(9)));
        for n in 0..12 {
            damage.set("structure", n, false);
        }
        assert!(damage.is_empty());
    }
}
