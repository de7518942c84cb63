//! Data only: one ship of a class as a fleet describes it. Never decides whether it is allowed; [`Ship::default`] is a
//! design without a fleet.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft_base::finding::Place;

use super::band::Band;
use moldloft_base::finding::Scalar;

/// One ship of a class. The default has no names, relations or damage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ship {
    pub name: Option<String>,
    pub hull_number: Option<String>,
    pub captain: Option<Arc<str>>,
    /// The player; for a carried unit, the carrier's hull number or name.
    pub owner: Option<Arc<str>>,
    pub notes: Option<Arc<str>>,
    /// Number of copies; always 1 from a fleet.
    pub count: u32,
    pub group: Option<Arc<str>>,
    /// The relations in which it takes part, each with a count.
    pub relations: Vec<RelationUse>,
    pub carried_by: Option<CarriedBy>,
    /// Values that replace those of its fits; shared by the copies of an entry.
    pub load: Arc<[ShipLoad]>,
    pub damage: Damage,
    pub fleet: Option<FleetInfo>,
    /// Key: ASCII `[a-z0-9-]`, unique in the fleet and independent of order; empty without a fleet.
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
    pub fn relation_count(&self, relation: &str) -> i64 {
        self.relations.iter().find(|asked| *asked.relation == *relation).map_or(0, |asked| asked.count)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FleetInfo {
    pub name: Arc<str>,
    pub side: Arc<str>,
    /// The fleet's own colour and pattern.
    pub band: Option<Band>,
    /// The file's name, to distinguish fleets of the same name in a job; never printed.
    pub file: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationUse {
    pub relation: Arc<str>,
    pub count: i64,
    /// Place in the fleet's file.
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedBy {
    pub relation: Arc<str>,
    /// Hull number, else name, else class.
    pub carrier: Arc<str>,
    pub unit: Arc<str>,
    /// Place in the fleet's file.
    pub place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShipLoad {
    pub system: Arc<str>,
    /// The mount's id; `None` for every mount.
    pub mount: Option<Arc<str>>,
    /// Parameter id, value, and place in the fleet's file.
    pub values: Vec<(Arc<str>, Scalar, Place)>,
    /// Place in the fleet's file.
    pub place: Place,
}

/// Ticked boxes, by mark stem (`structure`, `laser_port`) and number, from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// Runs as first and last number, sorted and disjoint.
    stems: BTreeMap<Arc<str>, Vec<(u32, u32)>>,
    /// Places in the fleet's file, by stem.
    places: BTreeMap<Arc<str>, Place>,
}

impl Damage {
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty()
    }

    pub fn is_hit(&self, stem: &str, number: u32) -> bool {
        self.runs(stem).iter().any(|&(first, last)| (first..=last).contains(&number))
    }

    /// Stems with a ticked box, sorted.
    pub fn stems(&self) -> impl Iterator<Item = &Arc<str>> {
        self.stems.keys()
    }

    /// Sorted.
    pub fn boxes(&self, stem: &str) -> impl Iterator<Item = u32> + '_ {
        self.runs(stem).iter().flat_map(|&(first, last)| first..=last)
    }

    pub fn count(&self, stem: &str) -> u32 {
        self.runs(stem).iter().map(|(first, last)| last - first + 1).fold(0, u32::saturating_add)
    }

    /// Runs as first and last number, sorted and disjoint.
    pub fn runs(&self, stem: &str) -> &[(u32, u32)] {
        self.stems.get(stem).map_or(&[], Vec::as_slice)
    }

    /// As a fleet's file writes them: `1-12, 14`.
    pub fn runs_text(&self, stem: &str) -> String {
        let run = |&(first, last): &(u32, u32)| match last - first {
            0 => first.to_string(),
            _ => format!("{first}-{last}"),
        };
        self.runs(stem).iter().map(run).collect::<Vec<_>>().join(", ")
    }

    pub fn has_same_ticks(&self, other: &Self) -> bool {
        self.stems().all(|stem| self.runs(stem) == other.runs(stem))
            && other.stems().all(|stem| !self.runs(stem).is_empty())
    }

    pub fn place(&self, stem: &str) -> Option<&Place> {
        self.places.get(stem)
    }

    pub fn set_place(&mut self, stem: &Arc<str>, place: Place) {
        self.places.insert(stem.clone(), place);
    }

    pub fn tick(&mut self, stem: &str, first: u32, last: u32) {
        if first == 0 || first > last {
            return;
        }
        self.tick_runs(stem, &[(first, last)]);
    }

    pub fn tick_runs(&mut self, stem: &str, more: &[(u32, u32)]) {
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
