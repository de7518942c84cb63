//! The ruleset's checks over a fleet: takes an evaluated fleet, gives its facts in figures and the findings of those checks,
//! each at the fleet's name or at the ship concerned.

use std::collections::BTreeMap;
use std::sync::Arc;

use moldloft_base::finding::{FindingList, Place};
use moldloft_base::source::Span;
use moldloft_rules::design::SpannedText;
use moldloft_rules::evaluate::{self, FleetFacts, FleetMember};
use moldloft_rules::ruleset::Ruleset;

use super::{ClassSource, EvaluatedFleet};

/// What the file and its evaluation state; without code, verdict and assumptions.
pub fn fleet_facts(evaluated: &EvaluatedFleet) -> FleetFacts {
    let fleet = &evaluated.fleet;
    let text_of =
        |word: &Option<SpannedText>| word.as_ref().map_or_else(|| "".into(), |word| Arc::from(word.text.trim()));
    FleetFacts {
        name: evaluated.name().into(),
        side: text_of(&fleet.side),
        player: text_of(&fleet.player),
        notes: text_of(&fleet.notes),
        budget: fleet.budget.map(|budget| budget.points),
        points: evaluated.points,
        ships: evaluated.units.iter().filter(|unit| unit.carried.is_none()).count() as u32,
        units: evaluated.units.len() as u32,
        left_out: evaluated.skipped.len() as u32,
        ..FleetFacts::default()
    }
}

pub(super) fn check_fleet_rules(evaluated: &EvaluatedFleet, rules: &Ruleset, found: &mut FindingList) {
    if rules.fleet_checks.is_empty() {
        return;
    }
    let fleet = &evaluated.fleet;
    let mut classes: BTreeMap<&ClassSource, usize> = BTreeMap::new();
    let members: Vec<FleetMember<'_>> = evaluated
        .units
        .iter()
        .map(|unit| {
            let next = classes.len();
            let group = fleet.ships.get(unit.entry).and_then(|ship| ship.group.as_ref());
            let group = group.filter(|_| unit.carried.is_none());
            let group = group.and_then(|word| fleet.groups.iter().position(|group| group.id.text == word.text));
            let class = *classes.entry(&unit.class.source).or_insert(next);
            FleetMember { evaluation: &unit.evaluation, class, group }
        })
        .collect();
    let place = |unit: Option<usize>| match unit {
        Some(unit) => unit_place(evaluated, unit),
        None => {
            let named = fleet.name.as_ref().or(fleet.ruleset.as_ref());
            fleet.source.place_with_snippet(named.map_or(Span::default(), |word| word.span))
        }
    };
    evaluate::check_fleet_rules(rules, &fleet_facts(evaluated), &members, &place, found);
}

fn unit_place(evaluated: &EvaluatedFleet, unit: usize) -> Place {
    let unit = &evaluated.units[unit];
    let fleet = &evaluated.fleet;
    let Some(entry) = fleet.ships.get(unit.entry) else { return fleet.source.place(Span::default()) };
    let own = match unit.carried {
        Some((list, at)) => entry.carried.get(list).and_then(|list| list.ships.get(at)).unwrap_or(entry),
        None => entry,
    };
    let words = [&own.hull_number, &own.name, &own.design];
    let span = words.into_iter().flatten().next().map_or(own.span, |word| word.span);
    let mut place = fleet.source.place_with_snippet(span);
    let ship = &unit.evaluation.ship;
    let item = ship.name.as_deref().or(ship.hull_number.as_deref()).unwrap_or(&unit.evaluation.name);
    place.item = Some(item.chars().take(60).collect::<String>().into());
    place
}
