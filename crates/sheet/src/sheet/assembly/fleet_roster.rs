//! A fleet for its own pages: its ships in order and in groups, what was left out, which rules are broken. Data only;
//! the panels `roster` and `orders` read it, texts read the facts.

use std::borrow::Cow;
use std::sync::Arc;

use moldloft_drawing::scene::SceneItem;
use moldloft_rules::evaluate::{Evaluation, FightCard, FleetFacts};
use moldloft_rules::ruleset::Ruleset;

#[derive(Clone, Debug)]
pub struct Roster<'a> {
    pub facts: FleetFacts,
    /// The rules it was checked against.
    pub ruleset: Arc<Ruleset>,
    /// Its ships and what they tow, in order, their counters numbered.
    pub ships: &'a [Evaluation],
    /// One per ship, in the same order.
    pub places: Vec<RosterPlace>,
    /// Squadrons, divisions, formations.
    pub groups: Vec<RosterGroup>,
    /// Ships left out, and why.
    pub left_out: Vec<RosterRemark>,
    /// Broken rules: the ship or fleet, and how.
    pub broken: Vec<RosterRemark>,
    /// What its classes do to their enemies, where their own sheets do not say so.
    pub fights: Option<Arc<FightCard>>,
    /// A card that would take a leaf of its own.
    pub card: Option<Arc<LaidCard>>,
}

/// A ship's card as it is drawn, with its back.
#[derive(Clone, Debug)]
pub struct LaidCard {
    /// Of its bookmark.
    pub title: String,
    /// The ship's key in its fleet.
    pub unit: Arc<str>,
    /// Width and height, mm.
    pub size: (f32, f32),
    /// Their upper left corner is (0, 0).
    pub items: Vec<SceneItem>,
}

#[derive(Clone, Debug, Default)]
pub struct RosterPlace {
    /// Index in the fleet's groups.
    pub group: Option<usize>,
    /// Index of the ship that tows it.
    pub towed_by: Option<usize>,
    /// A short description of its damage; may be empty.
    pub damage: Arc<str>,
}

#[derive(Clone, Debug, Default)]
pub struct RosterGroup {
    /// The player's name for it.
    pub name: Arc<str>,
    /// The ruleset's name for such a group.
    pub kind: Arc<str>,
    /// The id of the ruleset's relation for it; empty when the fleet names none.
    pub relation: Arc<str>,
}

/// A remark about a ship or the fleet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RosterRemark {
    pub subject: Arc<str>,
    pub text: Arc<str>,
}

impl Roster<'_> {
    /// The ships in the order of [`Roster::by_group`].
    pub fn ships_in_order(&self) -> Cow<'_, [Evaluation]> {
        let order: Vec<usize> = self.by_group().into_iter().flat_map(|(_, ships)| ships).collect();
        if order.is_sorted() {
            Cow::Borrowed(self.ships)
        } else {
            order.into_iter().map(|ship| self.ships[ship].clone()).collect()
        }
    }

    /// Ships in the order of a roster: group by group, ships without a group last; a towed ship follows the ship that
    /// tows it.
    pub fn by_group(&self) -> Vec<(Option<usize>, Vec<usize>)> {
        let group_of = |mut ship: usize| {
            // A towed ship belongs to the group of the ship that tows it.
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
        // Ships of no group are where the fleet names them: first, or after the groups.
        let first = lists.iter().map(|(_, ships)| ships[0]).min();
        if lists.last().is_some_and(|(group, ships)| group.is_none() && Some(ships[0]) == first) {
            lists.rotate_right(1);
        }
        lists
    }

    /// The leader of a ship: the first of its group that is not towed. `None` for the leader itself, for a ship without
    /// a group, and in groups that are not of this relation.
    pub fn leader(&self, ship: usize, relation: Option<&str>) -> Option<usize> {
        let group = self.places.get(ship)?.group?;
        if relation.is_some_and(|relation| self.groups.get(group).is_none_or(|group| *group.relation != *relation)) {
            return None;
        }
        let first = self.places.iter().position(|place| place.group == Some(group) && place.towed_by.is_none())?;
        (first != ship).then_some(first)
    }

    /// The hull number, else the name, else the class.
    pub fn short_name(&self, ship: usize) -> &str {
        let Some(ship) = self.ships.get(ship) else { return "" };
        ship.ship.hull_number.as_deref().or(ship.ship.name.as_deref()).unwrap_or(&ship.name)
    }

    /// Classes in order of first appearance.
    pub fn count_classes(&self) -> Vec<ClassCount> {
        let mut classes: Vec<ClassCount> = Vec::new();
        for ship in self.ships {
            match classes.iter_mut().find(|class| class.name == ship.name && class.points_each == ship.points) {
                Some(class) => class.count += 1,
                None => classes.push(ClassCount { name: ship.name.clone(), count: 1, points_each: ship.points }),
            }
        }
        classes
    }
}

/// Ships of one class and price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCount {
    pub name: Arc<str>,
    pub count: u32,
    /// Points of one ship.
    pub points_each: Option<i64>,
}

impl ClassCount {
    /// Points of all of them.
    pub fn total(&self) -> Option<i64> {
        self.points_each?.checked_mul(i64::from(self.count))
    }
}

/// The numbers on a ship's counters: `1–40`; empty when none is numbered. Several series may have the same numbers, so
/// each is then named: `fighter flight 3–4, missile 3–4`.
pub fn counter_numbers(ship: &Evaluation) -> String {
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
