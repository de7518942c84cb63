//! A fleet as its own pages show it: which ships in which order, in which groups, what was left out, which rules are broken. Data only; the
//! panels `roster` and `orders` read it, texts read the facts.

use std::sync::Arc;

use crate::evaluate::{Evaluation, FleetFacts};
use crate::ruleset::Ruleset;

/// A fleet's pages are filled from this.
#[derive(Clone, Debug)]
pub struct Roster<'a> {
    /// The fleet in figures.
    pub facts: FleetFacts,
    /// The rules it was judged by.
    pub ruleset: Arc<Ruleset>,
    /// Its ships and what they tow, in order, their counters numbered.
    pub ships: &'a [Evaluation],
    /// In step with the ships.
    pub places: Vec<RosterPlace>,
    /// Squadrons, divisions, formations.
    pub groups: Vec<RosterGroup>,
    /// Who was left out, and why.
    pub left_out: Vec<RosterRemark>,
    /// Rules that are broken: of which ship or of the fleet, and how.
    pub broken: Vec<RosterRemark>,
}

/// Where a ship stands in its fleet.
#[derive(Clone, Debug, Default)]
pub struct RosterPlace {
    /// Its group, among the fleet's.
    pub group: Option<usize>,
    /// Who tows it, among the fleet's ships.
    pub towed_by: Option<usize>,
    /// Its damage in a few words; may be empty.
    pub damage: Arc<str>,
}

/// A group of ships.
#[derive(Clone, Debug, Default)]
pub struct RosterGroup {
    /// As the player calls it.
    pub name: Arc<str>,
    /// What the ruleset calls such a group.
    pub kind: Arc<str>,
    /// The id of the ruleset's relation for it; empty when the fleet does not say.
    pub relation: Arc<str>,
}

/// Something about somebody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RosterRemark {
    /// Whom it is about.
    pub subject: Arc<str>,
    /// What is to be said.
    pub what: Arc<str>,
}

impl Roster<'_> {
    /// Ships in the order in which a roster shows them: group by group, what belongs to none last; what is towed follows who tows it.
    pub fn by_group(&self) -> Vec<(Option<usize>, Vec<usize>)> {
        let group_of = |mut ship: usize| {
            // What is towed stands where who tows it stands.
            for _ in 0..self.places.len() {
                match self.places.get(ship).and_then(|place| place.towed_by) {
                    Some(by) if by != ship => ship = by,
                    _ => break,
                }
            }
            self.places.get(ship).and_then(|place| place.group).filter(|&group| group < self.groups.len())
        };
        let mut lists: Vec<(Option<usize>, Vec<usize>)> =
            (0..self.groups.len()).map(|group| (Some(group), Vec::new())).collect();
        lists.push((None, Vec::new()));
        for ship in 0..self.ships.len() {
            let list = group_of(ship).unwrap_or(self.groups.len());
            lists[list].1.push(ship);
        }
        lists.retain(|(_, ships)| !ships.is_empty());
        lists
    }

    /// Who leads a ship: the first of its group that is not towed; `None` for the leader, for what belongs to no group, and in groups that are
    /// not of this relation.
    pub fn leader(&self, ship: usize, relation: Option<&str>) -> Option<usize> {
        let group = self.places.get(ship)?.group?;
        if relation.is_some_and(|relation| self.groups.get(group).is_none_or(|group| *group.relation != *relation)) {
            return None;
        }
        let first = self.places.iter().position(|place| place.group == Some(group) && place.towed_by.is_none())?;
        (first != ship).then_some(first)
    }

    /// What a ship is called shortly: its hull number, else its name, else its class.
    pub fn short_name(&self, ship: usize) -> &str {
        let Some(ship) = self.ships.get(ship) else { return "" };
        ship.ship.hull_number.as_deref().or(ship.ship.name.as_deref()).unwrap_or(&ship.name)
    }

    /// Classes in order of first sight: name, how many, points each, points together.
    pub fn count_classes(&self) -> Vec<ClassCount> {
        let mut classes: Vec<ClassCount> = Vec::new();
        for ship in self.ships {
            match classes.iter_mut().find(|class| class.name == ship.name && class.each == ship.points) {
                Some(class) => class.count += 1,
                None => classes.push(ClassCount { name: ship.name.clone(), count: 1, each: ship.points }),
            }
        }
        classes
    }
}

/// Ships of one class and price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCount {
    /// The class.
    pub name: Arc<str>,
    /// How many.
    pub count: u32,
    /// What one costs.
    pub each: Option<i64>,
}

impl ClassCount {
    /// What they cost together.
    pub fn total(&self) -> Option<i64> {
        self.each?.checked_mul(i64::from(self.count))
    }
}

/// The numbers on a ship's counters: `1–40`; empty when none is numbered. Series of their own may have the same numbers, so that each says
/// what it numbers where there are several: `fighter flight 3–4, missile 3–4`.
pub fn numbers(ship: &Evaluation) -> String {
    let mut spans: Vec<(&Arc<str>, &Arc<str>, u32, u32)> = Vec::new();
    for counter in ship.counters.iter().filter(|counter| counter.count > 0) {
        let (Some(series), Some(first)) = (&counter.series, counter.first) else { continue };
        let last = first.saturating_add(counter.count - 1);
        match spans.iter_mut().find(|(known, _, _, end)| *known == series && end.checked_add(1) == Some(first)) {
            Some((.., end)) => *end = last,
            None => spans.push((series, &counter.label, first, last)),
        }
    }
    let many = spans.iter().any(|span| span.0 != spans[0].0);
    let words = |&(_, label, first, last): &(&Arc<str>, &Arc<str>, u32, u32)| {
        let numbers = if first == last { first.to_string() } else { format!("{first}–{last}") };
        if many && !label.is_empty() { format!("{label} {numbers}") } else { numbers }
    };
    spans.iter().map(words).collect::<Vec<_>>().join(", ")
}
